//! Which property is meant: by a part of its path, or by a case that is saved for it.

use crate::cargo::{self, Package, Selection, Test};
use crate::given::Told;
use crate::saved::{self, SavedFile};

/// The one test that is meant. `path-2` is the second check of a function, and its test is `path`.
pub fn named(selection: &Selection, wanted: &str) -> Result<Test, String> {
    let tests = cargo::list(selection)?;
    let wanted = &plain(without_number(wanted).0);
    let by = |is_meant: &dyn Fn(&Test) -> bool| -> Vec<Test> {
        tests.iter().filter(|test| is_meant(test)).cloned().collect()
    };
    let ending = format!("::{wanted}");
    let ways: [&dyn Fn(&Test) -> bool; 3] = [
        &|test| plain(&test.name) == *wanted || plain(&test.path()) == *wanted,
        &|test| plain(&test.name).ends_with(&ending),
        &|test| plain(&test.path()).contains(wanted),
    ];
    for is_meant in ways {
        let found = by(is_meant);
        match found.len() {
            0 => {}
            1 => return Ok(found[0].clone()),
            _ => return Err(several(wanted, &found)),
        }
    }
    Err(none(wanted, &tests))
}

/// The test that is meant, told to run a case or a value: by the check that is named, or by the one
/// that has saved the case.
pub fn told(selection: &Selection, wanted: &str, mut told: Told, case: Option<&str>) -> Result<(Test, Told), String> {
    let test = named(selection, wanted)?;
    told.property = match without_number(wanted).1 {
        Some(number) => Some(format!("{}-{number}", test.path())),
        None => case.and_then(|id| {
            let files = saved::files(&cargo::packages(selection).ok()?);
            let has_case = |file: &SavedFile| file.ids.iter().any(|other| other.eq_ignore_ascii_case(id));
            files.into_iter().find(|file| file.is_of(&test) && has_case(file)).map(|file| file.property)
        }),
    };
    Ok((test, told))
}

/// The same without `r#`, which is no part of a name: nobody needs to write it, and files are
/// named without.
fn plain(path: &str) -> String {
    path.replace("r#", "")
}

/// The path of a test, and the number of the check that is meant, if it is not the first.
fn without_number(property: &str) -> (&str, Option<&str>) {
    match property.rsplit_once('-') {
        Some((path, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (path, Some(number))
        }
        _ => (property, None),
    }
}

impl SavedFile {
    /// Whether the test has saved it, by any of its checks.
    fn is_of(&self, test: &Test) -> bool {
        plain(without_number(&self.property).0) == plain(&test.path()) && self.package == test.package
    }
}

/// More are not listed.
const MOST_LISTED: usize = 20;

fn several(wanted: &str, found: &[Test]) -> String {
    let mut message = format!("`{wanted}` may be any of these; write more of the path:");
    for test in found.iter().take(MOST_LISTED) {
        message += &format!("\n    {}", test.path());
    }
    if found.len() > MOST_LISTED {
        message += &format!("\n    … and {} more", found.len() - MOST_LISTED);
    }
    let is_in_several = found.iter().any(|test| test.path() == found[0].path() && test.target != found[0].target)
        || found.iter().filter(|test| test.path() == found[0].path()).count() > 1;
    if is_in_several {
        message += "\ntwo of them have the same path: -p, --lib, --bin or --test tells them apart";
    }
    message
}

fn none(wanted: &str, tests: &[Test]) -> String {
    if tests.is_empty() {
        return format!(
            "there is no test, so none is called `{wanted}`: -p names another package, --workspace means all of them"
        );
    }
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let mut near: Vec<(f64, String)> = tests
        .iter()
        .map(|test| {
            let likeness =
                [strsim::jaro_winkler(wanted, &test.name), strsim::jaro_winkler(&last(wanted), &last(&test.name))];
            (likeness[0].max(likeness[1]), test.path())
        })
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    near.dedup_by(|one, other| one.1 == other.1);
    let mut message = format!("no test matches `{wanted}`");
    if near.is_empty() {
        let count = tests.len();
        message += &format!(" among the {count} here; -p names another package, --workspace means all of them");
    } else {
        message += "; did you mean one of these?";
        for (_, path) in near.iter().take(5) {
            message += &format!("\n    {path}");
        }
    }
    message
}

/// A saved case.
#[derive(Debug)]
pub struct Saved {
    pub test: Test,
    pub id: String,
    /// The path under which it is saved.
    pub property: String,
}

impl Saved {
    pub fn tell(&self) -> Told {
        Told { property: Some(self.property.clone()), ..Told::case(&self.id) }
    }
}

/// What a word on the command line means.
#[derive(Debug)]
pub enum Meant {
    Case(Saved),
    /// A property, with the cases that are saved for it.
    Property(Test, Vec<Told>),
}

/// A saved case if there is one with this id, or else a property.
pub fn case_or_property(selection: &Selection, wanted: &str) -> Result<Meant, String> {
    let packages = cargo::packages(selection)?;
    let files = saved::files(&packages);
    let with_case: Vec<&SavedFile> =
        files.iter().filter(|file| file.ids.iter().any(|id| id.eq_ignore_ascii_case(wanted))).collect();
    match with_case[..] {
        [] => {}
        [file] => {
            let test = test_of(selection, &packages, file)?;
            return Ok(Meant::Case(Saved { test, id: wanted.to_owned(), property: file.property.clone() }));
        }
        _ => {
            let mut message = format!("several properties have a case `{wanted}`; name one of them:");
            for file in with_case {
                message += &format!("\n    {} --case {wanted}", file.property);
            }
            return Err(message);
        }
    }
    let test = match named(selection, wanted) {
        Err(problem) if looks_like_id(wanted) => {
            let broken = files.iter().find_map(|file| {
                let broken = file.broken.iter().find(|broken| broken.contains(&format!("case {wanted}")))?;
                Some(format!("case `{wanted}` cannot be read: {}, {broken}", file.file.display()))
            });
            return Err(broken.unwrap_or_else(|| format!("no saved case is called `{wanted}`, and {problem}")));
        }
        other => other?,
    };
    let number = without_number(wanted).1;
    let is_meant =
        |file: &&SavedFile| file.is_of(&test) && (number.is_none() || without_number(&file.property).1 == number);
    let mut cases = Vec::new();
    for file in files.iter().filter(is_meant) {
        for id in &file.ids {
            cases.push(Told { property: Some(file.property.clone()), ..Told::case(id) });
        }
    }
    Ok(Meant::Property(test, cases))
}

fn looks_like_id(text: &str) -> bool {
    text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The test of the property that a file belongs to.
fn test_of(selection: &Selection, packages: &[Package], file: &SavedFile) -> Result<Test, String> {
    let property = without_number(&file.property).0;
    let name_of_crate = property.split("::").next().unwrap_or_default();
    let mut targets = Vec::new();
    for package in packages.iter().filter(|package| package.id == file.package) {
        targets.extend(package.targets.iter().filter(|(name, _)| name.replace('-', "_") == name_of_crate).cloned());
    }
    let tests = cargo::list(&selection.within(&file.package, &targets))?;
    let found: Vec<&Test> = tests.iter().filter(|test| plain(&test.path()) == plain(property)).collect();
    match found[..] {
        [test] => Ok(test.clone()),
        [] => Err(format!(
            "the case is saved for `{property}` in {}, but no test has this path now; \
             if another test runs this property, name it and the case: <test> --case <id>",
            file.file.display()
        )),
        _ => Err(several(property, &found.into_iter().cloned().collect::<Vec<_>>())),
    }
}
