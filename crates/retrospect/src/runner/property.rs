use super::case::Case;
use super::isolate;
use super::outcome::{Outcome, PropertyResult};
use super::settings::Settings;
use super::trial::Body;
use crate::generator::Generator;
use std::panic::Location;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Checks that a property holds for the values of a generator; panics with a report if not.
///
/// This is `#[property]` without a macro. The property is known by the path of the test that runs
/// it, under which its counterexamples are saved; where no test harness runs it, by the path of the
/// function it is written in. For settings use [`Check`].
///
/// ```
/// use retrospect::prelude::*;
/// check(vec_of(any::<u8>(), ..), |bytes| {
///     let mut twice = bytes.clone();
///     twice.reverse();
///     twice.reverse();
///     assert_eq!(twice, bytes);
/// });
/// ```
#[track_caller]
pub fn check<G: Generator, V: PropertyResult>(generator: G, body: impl FnMut(G::Value) -> V) {
    Check::new().run(generator, body);
}

/// Checks a property that draws its values itself, from a [`Case`]; panics with a report if it does
/// not hold.
///
/// ```
/// use retrospect::prelude::*;
/// check_case(|case| {
///     let list = case.draw_named("list", vec_of(any::<u8>(), 1..));
///     let index = case.draw_named("index", 0..list.len());
///     assert!(list.get(index).is_some());
/// });
/// ```
#[track_caller]
pub fn check_case<V: PropertyResult>(body: impl FnMut(&mut Case<'_>) -> V) {
    Check::new().run_case(body);
}

/// A property without a macro, with settings.
///
/// ```
/// use retrospect::prelude::*;
/// Check::new().cases(500).run(0..1000_u32, |number| number.count_ones() <= 10);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Check {
    settings: Settings,
    path: Option<String>,
}

impl Check {
    /// A check with the settings of the environment and of `retrospect.toml`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().run(any::<bool>(), |one| one | !one);
    /// ```
    pub fn new() -> Check {
        Check::default()
    }

    /// The same with these settings, which come before all others.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::Settings;
    /// Check::new().with(Settings::new().cases(10).size(5)).run(any::<String>(), |text| text.chars().count() <= 5);
    /// ```
    #[must_use]
    pub fn with(mut self, settings: Settings) -> Check {
        self.settings = settings;
        self
    }

    /// The path under which this property is reported and saved, instead of that of the test.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let report = Check::new().save(false).named("parser::totals").failure(0..10, |number| number < 5).unwrap();
    /// assert!(report.starts_with("FAIL  totals"));
    /// ```
    #[must_use]
    pub fn named(mut self, path: &str) -> Check {
        self.path = Some(path.to_owned());
        self
    }

    /// How many cases to run; see [`Settings::cases`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let mut count = 0;
    /// Check::new().cases(20).run(any::<i64>(), |_| count += 1);
    /// assert_eq!(count, 20);
    /// ```
    #[must_use]
    pub fn cases(mut self, cases: u64) -> Check {
        self.settings = self.settings.cases(cases);
        self
    }

    /// The seed of the random cases; see [`Settings::seed`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let values = |seed| {
    ///     let mut values = Vec::new();
    ///     Check::new().seed(seed).cases(20).run(any::<i64>(), |value| values.push(value));
    ///     values
    /// };
    /// assert_eq!(values(7), values(7));
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings = self.settings.seed(seed);
        self
    }

    /// Whether counterexamples are saved; see [`Settings::save`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(Check::new().save(false).failure(0..10, |number| number < 5).is_some());
    /// ```
    #[must_use]
    pub fn save(mut self, save: bool) -> Check {
        self.settings = self.settings.save(save);
        self
    }

    /// Checks the property; panics with a report if it does not hold.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().cases(50).run((0..100, 0..100), |(one, other)| one + other == other + one);
    /// ```
    #[track_caller]
    pub fn run<G: Generator, V: PropertyResult, F: FnMut(G::Value) -> V>(self, generator: G, mut body: F) {
        self.go(std::any::type_name::<F>(), &mut |case| with_argument(case, &generator, &mut body));
    }

    /// Checks a property that draws its values itself; panics with a report if it does not hold.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().cases(50).run_case(|case| case.draw(0..10) < 10);
    /// ```
    #[track_caller]
    pub fn run_case<V: PropertyResult, F: FnMut(&mut Case<'_>) -> V>(self, mut body: F) {
        self.go(std::any::type_name::<F>(), &mut |case| {
            if case.is_ready() { body(case).outcome() } else { ().outcome() }
        });
    }

    /// The report of the failure, if the property does not hold; for tests that expect one.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let report = Check::new().save(false).failure(vec_of(any::<u32>(), ..), |list| list.len() < 3).unwrap();
    /// assert!(report.contains("let value = [0, 0, 0];"));
    /// ```
    #[track_caller]
    pub fn failure<G: Generator, V: PropertyResult, F: FnMut(G::Value) -> V>(
        self,
        generator: G,
        mut body: F,
    ) -> Option<String> {
        self.find(std::any::type_name::<F>(), &mut |case| with_argument(case, &generator, &mut body))
    }

    /// The report of the failure of a property that draws its values itself, if it does not hold.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(Check::new().failure_of_case(|case| case.draw(0..10) < 10).is_none());
    /// ```
    #[track_caller]
    pub fn failure_of_case<V: PropertyResult, F: FnMut(&mut Case<'_>) -> V>(self, mut body: F) -> Option<String> {
        self.find(std::any::type_name::<F>(), &mut |case| {
            if case.is_ready() { body(case).outcome() } else { ().outcome() }
        })
    }

    #[track_caller]
    fn go(self, closure: &'static str, body: &mut Body<'_>) {
        let (path, number) = self.path_and_number(closure);
        run_property(&Definition::plain(&path, number), self.settings, body);
    }

    #[track_caller]
    fn find(self, closure: &'static str, body: &mut Body<'_>) -> Option<String> {
        let (path, number) = self.path_and_number(closure);
        super::run::find_failure(&Definition::plain(&path, number), self.settings, body)
    }

    /// All checks of one test have its path; they are told apart by the order in which they first
    /// ran. One in a generic function is another for each type.
    #[track_caller]
    fn path_and_number(&self, closure: &'static str) -> (String, usize) {
        static SEEN: Mutex<Vec<(String, PlaceOfCheck)>> = Mutex::new(Vec::new());
        if let Some(path) = &self.path {
            return (path.clone(), 0);
        }
        let path = path_of_check(closure);
        let caller = Location::caller();
        let place = (closure, caller.line(), caller.column());
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        let equals = seen.iter().filter(|(other, _)| *other == path).map(|(_, place)| place);
        let mut number = 0;
        for other in equals {
            if *other == place {
                return (path, number);
            }
            number += 1;
        }
        seen.push((path.clone(), place));
        (path, number)
    }
}

/// The closure of a check by its type, with the line and column of the call.
type PlaceOfCheck = (&'static str, u32, u32);

/// The path of the test that runs on this thread; without one, or inside of another property, that
/// of the function that the closure is written in. Functions tell less: those of several traits or
/// types may be called alike.
fn path_of_check(closure: &str) -> String {
    let function = function_of(closure);
    match name_of_test() {
        Some(test) if !isolate::is_inside_a_case() => {
            let own = function.split("::").next().unwrap_or_default();
            format!("{}::{test}", NAME_OF_PROGRAM.as_deref().unwrap_or(own))
        }
        _ => function,
    }
}

/// The test harness calls the thread like the test.
fn name_of_test() -> Option<String> {
    let thread = std::thread::current();
    let name = thread.name().filter(|name| *name != "main")?;
    let is_in_name = |char: char| char.is_alphanumeric() || char == '_';
    let is_name = |part: &str| !part.is_empty() && part.chars().all(is_in_name);
    name.split("::").all(|part| is_name(part.strip_prefix("r#").unwrap_or(part))).then(|| name.to_owned())
}

/// The name of the crate of tests that this program is: cargo calls the program
/// `<crate>-<16 hex digits>`.
pub(crate) static NAME_OF_PROGRAM: LazyLock<Option<String>> = LazyLock::new(|| {
    let program = std::env::current_exe().ok()?;
    let (name, hash) = program.file_stem()?.to_str()?.rsplit_once('-')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| name.to_owned())
});

/// `tests::helper` of `tests::helper<u8>::{{closure}}`, and `tests::Set::insert` of
/// `<tests::Set as tests::Law>::insert`.
fn function_of(closure: &str) -> String {
    let closure = closure.replace("::{{closure}}", "");
    let of_trait = closure.strip_prefix('<').and_then(|rest| rest.split_once(" as "));
    // The type, and the brackets with the rest of the trait and what follows.
    let path = of_trait.map_or(closure.clone(), |(ty, rest)| format!("{ty}::<{rest}"));
    let mut depth = 0;
    let mut is_outside = |char: &char| {
        depth += i32::from(*char == '<');
        let is_outside = depth == 0;
        depth -= i32::from(*char == '>');
        is_outside
    };
    let plain: String = path.chars().filter(|char| is_outside(char)).collect();
    let parts: Vec<&str> = plain.split("::").filter(|part| !part.is_empty()).collect();
    parts.join("::")
}

#[inline]
fn with_argument<G: Generator, V: PropertyResult>(
    case: &mut Case<'_>,
    generator: &G,
    body: &mut impl FnMut(G::Value) -> V,
) -> Outcome {
    let value = case.argument("value", generator);
    if case.is_ready() { body(value).outcome() } else { ().outcome() }
}

/// What is known of a property before it runs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Definition<'d> {
    /// With the crate: `ledger::tests::round_trip`.
    pub path: &'d str,
    /// Where the crate was when it was compiled.
    pub crate_directory: &'d str,
    /// How many `#[example]`s there are.
    pub examples: usize,
    /// Which of several properties with this path it is.
    pub number: usize,
    /// Whether no argument is drawn from a generator that is made of another argument.
    pub has_free_arguments: bool,
}

impl<'d> Definition<'d> {
    fn plain(path: &'d str, number: usize) -> Definition<'d> {
        Definition { path, crate_directory: "", examples: 0, number, has_free_arguments: true }
    }

    /// The path under which its counterexamples are saved.
    pub(crate) fn saved_as(&self) -> String {
        match self.number {
            0 => self.path.to_owned(),
            number => format!("{}-{}", self.path, number + 1),
        }
    }

    /// What to tell `cargo test` to run it: the harness names the thread after the test, which may
    /// call a function that has this path.
    pub(crate) fn filter(&self) -> String {
        name_of_test().unwrap_or_else(|| self.test_name().to_owned())
    }

    /// Its path without the crate.
    pub(crate) fn test_name(&self) -> &'d str {
        self.path.split_once("::").map_or(self.path, |(_, name)| name)
    }
}

/// Runs a property, and panics with a report if it does not hold: what `#[property]` calls.
#[doc(hidden)]
pub fn run_property(definition: &Definition<'_>, settings: Settings, body: &mut Body<'_>) {
    super::run::run(definition, settings, body);
}

/// What a body returned, as the runner keeps it.
#[doc(hidden)]
#[inline(always)]
pub fn outcome_of<V: PropertyResult>(verdict: V) -> Outcome {
    verdict.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_a_path_whatever_it_belongs_to() {
        let check = |closure, function| assert_eq!(function_of(closure), function);
        check("ledger::tests::total::{{closure}}", "ledger::tests::total");
        check("ledger::law<u8, ledger::total::{{closure}}>::{{closure}}", "ledger::law");
        check("<ledger::Book as ledger::Law>::law::{{closure}}::{{closure}}", "ledger::Book::law");
        check("<ledger::Page<u8> as ledger::Law<u8>>::law<u16>::{{closure}}", "ledger::Page::law");
        check("ledger::<impl ledger::Law for u8>::law::{{closure}}", "ledger::law");
    }

    #[test]
    fn a_thread_that_is_no_test_names_none() {
        let on =
            |name: &str| std::thread::Builder::new().name(name.to_owned()).spawn(name_of_test).unwrap().join().unwrap();
        assert_eq!(on("r#mod::r#type").as_deref(), Some("r#mod::r#type"));
        assert_eq!(on("tests::größe_2").as_deref(), Some("tests::größe_2"));
        for name in ["main", "tokio-rt-worker", "worker 1", "", "a::"] {
            assert_eq!(on(name), None);
        }
    }
}
