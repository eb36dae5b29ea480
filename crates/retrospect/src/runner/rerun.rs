//! The command that runs one property again.
//!
//! It runs exactly one test when it is pasted into a shell, in the crate's directory or at the root
//! of its workspace.

use super::crash;
use super::isolate;
use super::property::{Definition, NAME_OF_PROGRAM};
use super::regressions;
use super::report::is_hidden;
use super::settings::{Given, Key, Resolved};
use super::user_crate::UserCrate;
use std::cell::RefCell;
use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

#[derive(Clone)]
pub(crate) struct Rerun {
    /// `RETROSPECT_PROPERTY=tests::total-2 `, if the test runs several properties and this is not
    /// the first. The third time that it runs the property, as in a loop, it is `tests::total-2@3`.
    property: String,
    /// `cargo test tests::total -- --exact`.
    command: String,
    /// `cargo retrospect shrink ledger::tests::total`; nothing where the tool finds no test that is
    /// called like the property.
    tool: Option<String>,
}

/// A run of a property, as variables name it.
pub(crate) struct Turn {
    /// As its cases are saved.
    saved_as: String,
    /// How often the test has run it, with this time.
    count: u32,
    /// Whether it is the first that the test runs.
    is_first: bool,
}

thread_local! {
    /// The properties of the test that runs on this thread, in the order in which they first ran,
    /// and how often.
    static TURNS: RefCell<Vec<(String, u32)>> = const { RefCell::new(Vec::new()) };
}

impl Turn {
    /// Called once for each run of a property.
    pub(crate) fn of(definition: &Definition<'_>) -> Turn {
        let saved_as = definition.saved_as();
        // A `#[property]` is a test of its own, and one inside a case of another is no matter of
        // variables.
        if !definition.crate_directory.is_empty() || isolate::is_inside_a_case() {
            return Turn { saved_as, count: 1, is_first: true };
        }
        TURNS.with_borrow_mut(|turns| {
            let place = turns.iter().position(|(name, _)| *name == saved_as).unwrap_or(turns.len());
            if place == turns.len() {
                turns.push((saved_as.clone(), 0));
            }
            turns[place].1 += 1;
            let count = turns[place].1;
            Turn { saved_as, count, is_first: place == 0 && count == 1 }
        })
    }

    /// `tests::total-2@3`.
    fn name(&self) -> String {
        let name = without_crate(&self.saved_as);
        if self.count == 1 { name } else { format!("{name}@{}", self.count) }
    }

    /// Whether it is the one that `RETROSPECT_PROPERTY` names: with its number or, for all of them,
    /// without.
    fn is_meant(&self, meant: &str) -> bool {
        // `r#` is no part of a name, and a shell takes it for the beginning of a comment.
        let meant = meant.replace("r#", "");
        let is_named = |name: &str| name.replace("r#", "") == meant;
        is_named(&self.saved_as) || is_named(&without_crate(&self.saved_as)) || is_named(&self.name())
    }
}

impl Rerun {
    /// Called once for each run of a property that is not inside a case of another.
    pub(crate) fn of(definition: &Definition<'_>, turn: &Turn, user_crate: &UserCrate) -> Rerun {
        let property = match *IS_DOCTEST || !turn.is_first {
            true => format!("RETROSPECT_PROPERTY={} ", word(&turn.name())),
            false => String::new(),
        };
        let command = if *IS_DOCTEST {
            "cargo test --doc".to_owned()
        } else if isolate::is_own_program() {
            PROGRAM.clone()
        } else {
            let ignored = if *INCLUDES_IGNORED { " --include-ignored" } else { "" };
            format!("{} {} -- --exact{ignored}", user_crate.cargo_test(), word(&definition.filter()))
        };
        // A case is named with its property: two properties may have saved the same values.
        let is_named_like_its_test = definition.filter() == definition.test_name();
        let tool = (is_named_like_its_test && !*IS_DOCTEST && !isolate::is_own_program()).then(|| {
            let (package, options) = (user_crate.package_option(), cargo_options());
            format!("cargo retrospect shrink{package}{options} {}", word(&turn.saved_as))
        });
        Rerun { property, command, tool }
    }

    /// The command with these variables set.
    pub(crate) fn with(&self, variables: &str) -> String {
        format!("{} {}", self.variables(variables), self.command)
    }

    /// The command that draws the same cases again.
    pub(crate) fn by_seed(&self, seed: u64) -> String {
        self.with(&of_seed(seed))
    }

    /// The command of the tool that shrinks this saved case.
    pub(crate) fn shrink(&self, id: &str) -> Option<String> {
        self.tool.as_ref().map(|tool| format!("{}{tool} --case {id}", *KEPT))
    }

    /// The command alone.
    pub(crate) fn plain(&self) -> String {
        format!("{}{}{}", self.property, *KEPT, self.command)
    }

    /// These variables, the one that names the property, and those of this run that still matter.
    pub(crate) fn variables(&self, variables: &str) -> String {
        format!("{}{}{variables}", self.property, *KEPT)
    }

    pub(crate) fn command(&self) -> &str {
        &self.command
    }
}

/// What is wrong if the variables name a property, and this is another one and the only one that
/// runs: a `#[property]` is a test of its own.
pub(crate) fn misnamed(turn: &Turn, definition: &Definition<'_>, settings: &Resolved) -> Option<String> {
    let meant = settings.property.as_deref().filter(|meant| !turn.is_meant(meant))?;
    let has_word = |wanted: &str| env::args_os().skip(1).any(|word| word == wanted);
    let is_only = !definition.crate_directory.is_empty() && has_word("--exact") && has_word(&definition.filter());
    is_only.then(|| format!("RETROSPECT_PROPERTY={meant} names no property of this test, which is {}", turn.name()))
}

/// Why a property is passed over, if the variables mean another one of the same process.
pub(crate) fn passed_over(turn: &Turn, settings: &Resolved) -> Option<String> {
    match (&settings.property, &settings.given) {
        (Some(meant), _) if turn.is_meant(meant) => None,
        (Some(meant), _) => Some(format!("not run, because RETROSPECT_PROPERTY={meant} names another property")),
        (None, Some(given)) if !turn.is_first => {
            let (variable, name) = (given.variable(), word(&turn.name()));
            Some(format!(
                "not run, because {variable} is for the first property of the test; for this one set \
                 RETROSPECT_PROPERTY={name} too"
            ))
        }
        _ => None,
    }
}

/// The variables that draw the same cases as this run with its seed.
pub(crate) fn of_seed(seed: u64) -> String {
    let cases = [Key::Cases, Key::MaxCases, Key::Time, Key::Size, Key::Exhaustive, Key::Weights];
    format!("{}RETROSPECT_SEED={seed:#x}", from_environment(&cases))
}

/// The variables without which a case is not found, or ends the process.
static KEPT: LazyLock<String> =
    LazyLock::new(|| from_environment(&[Key::Isolate, Key::MaxDepth, Key::Timeout, Key::Regressions]));

/// Those of these settings that the environment has, as one types them before a command.
fn from_environment(keys: &[Key]) -> String {
    let typed = |key: &Key| {
        let variable = key.variable();
        let value = env::var(&variable).ok().filter(|value| !value.trim().is_empty())?;
        Some(format!("{variable}={} ", word(&value)))
    };
    keys.iter().filter_map(typed).collect()
}

fn without_crate(path: &str) -> String {
    path.split_once("::").map_or(path, |(_, name)| name).to_owned()
}

/// ` --features tls --release`, if `cargo retrospect` built the tests so. Nobody else tells.
fn cargo_options() -> String {
    env::var("RETROSPECT_CARGO_OPTIONS").map(|options| format!(" {options}")).unwrap_or_default()
}

/// `rustdoc` calls all its programs so.
static IS_DOCTEST: LazyLock<bool> = LazyLock::new(|| {
    env::current_exe().is_ok_and(|program| program.file_stem().is_some_and(|name| name == "rust_out"))
});

static INCLUDES_IGNORED: LazyLock<bool> =
    LazyLock::new(|| env::args_os().any(|argument| argument == "--ignored" || argument == "--include-ignored"));

/// This program with its arguments.
static PROGRAM: LazyLock<String> = LazyLock::new(|| {
    let mut words = vec![word(&env::current_exe().unwrap_or_default().to_string_lossy())];
    for argument in env::args_os().skip(1) {
        words.push(word(&argument.to_string_lossy()));
    }
    words.join(" ")
});

impl UserCrate {
    /// `cargo test`, with the package and the target if they are needed and known.
    fn cargo_test(&self) -> &str {
        self.cargo_test.get_or_init(|| {
            let mut command = format!("cargo test{}{}", self.package_option(), cargo_options());
            if let Some(target) = self.integration_test(&env::var("CARGO_PKG_NAME").unwrap_or_default()) {
                command += &format!(" --test {}", word(&target));
            }
            command
        })
    }

    /// ` -p ledger`, if the package is not at the root of its workspace.
    fn package_option(&self) -> String {
        match env::var("CARGO_PKG_NAME") {
            Ok(package) if !package.is_empty() && self.root() != self.directory => format!(" -p {}", word(&package)),
            _ => String::new(),
        }
    }

    /// The integration test that this program is, if it is one.
    fn integration_test(&self, package: &str) -> Option<String> {
        // The library and the main program of the package have its name.
        let name = NAME_OF_PROGRAM.as_deref().filter(|name| *name != package.replace('-', "_"))?;
        let tests = self.directory.join("tests");
        let targets = [name.to_owned(), name.replace('_', "-")];
        targets
            .into_iter()
            .find(|target| tests.join(format!("{target}.rs")).is_file() || tests.join(target).join("main.rs").is_file())
    }
}

/// Longer texts are not part of a command: nobody reads them, and 128 KiB are too long for a shell.
const LONGEST_IN_COMMAND: usize = 400;

/// The variable that gives these values, if they can be typed: a terminal takes control characters
/// for commands.
pub(crate) fn typed_value(text: &str) -> Option<String> {
    let is_typed = text.len() <= LONGEST_IN_COMMAND
        && !text.contains(|character| character == '\n' || character == '\t' || is_hidden(character));
    is_typed.then(|| format!("RETROSPECT_VALUE={}", quoted(text)))
}

/// After choices that may not be all there were: those that are missing are the simplest.
pub(crate) const AND_SO_ON: &str = " ...";

/// The variable that gives these choices. Long ones are in a file, whose name is given; nothing if
/// it cannot be written.
pub(crate) fn given_choices(property: &str, choices: &str) -> Option<String> {
    if choices.len() <= 5 * LONGEST_IN_COMMAND {
        return Some(format!("RETROSPECT_REPLAY={}", quoted(choices)));
    }
    let id = regressions::hash_of(&[(String::new(), choices.to_owned())]);
    let file: PathBuf = regressions::file_of(&crash::directory()?, &format!("{property}-{id}"));
    std::fs::write(&file, choices).ok()?;
    let file = file.to_str()?;
    Some(format!("{}={}", Given::ReplayFile(PathBuf::new()).variable(), word(file)))
}

/// As one word for a shell, in quotes if it needs them.
fn word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_:./-+@%,".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) { text.to_owned() } else { quoted(text) }
}

/// As one word for a shell, in quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_out_of_a_shell_as_they_went_in() {
        let texts =
            ["", "a b", "it's", "!!", "$HOME `id` \\ \"", "*", "~", "x;y|z&", "#", "tests::total-2", "-n", "a\nb"];
        for shell in ["sh", "bash"] {
            for text in texts {
                for written in [word(text), quoted(text)] {
                    let output =
                        std::process::Command::new(shell).args(["-c", &format!("printf %s {written}")]).output();
                    let Ok(output) = output else { continue };
                    assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{written}");
                }
            }
        }
    }

    #[test]
    fn what_a_terminal_would_take_for_a_command_is_not_typed() {
        assert_eq!(typed_value("x = \"it's\"").as_deref(), Some(r#"RETROSPECT_VALUE='x = "it'\''s"'"#));
        for text in ["x = \u{1b}[2J", "x = \t", "x = 1\n2", "x = \u{9b}"] {
            assert_eq!(typed_value(text), None);
        }
        assert_eq!(typed_value(&"x".repeat(LONGEST_IN_COMMAND + 1)), None);
    }
}
