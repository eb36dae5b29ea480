use super::case::Case;
use super::outcome::{Outcome, Verdict};
use super::settings::Settings;
use super::trial::Body;
use crate::generator::Generator;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// Checks that a property holds for the values of a generator; panics with a report if not.
///
/// This is `#[property]` without a macro. The property is known by the path of the function it is written in, under which its counterexamples are saved. For settings use
/// [`Check`].
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
pub fn check<G: Generator, V: Verdict>(generator: G, body: impl FnMut(G::Value) -> V) {
    Check::new().run(generator, body);
}

/// Checks a property that draws its values itself, from a [`Case`]; panics with a report if it does not hold.
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
pub fn check_case<V: Verdict>(body: impl FnMut(&mut Case<'_>) -> V) {
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

    /// The path under which this property is reported and saved, instead of that of the function around it.
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
    pub fn run<G: Generator, V: Verdict, F: FnMut(G::Value) -> V>(self, generator: G, mut body: F) {
        let path = self.path_of::<F>();
        self.go(&path, &mut |case| body(only_argument(case, &generator)).outcome());
    }

    /// Checks a property that draws its values itself; panics with a report if it does not hold.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// Check::new().cases(50).run_case(|case| case.draw(0..10) < 10);
    /// ```
    #[track_caller]
    pub fn run_case<V: Verdict, F: FnMut(&mut Case<'_>) -> V>(self, mut body: F) {
        let path = self.path_of::<F>();
        self.go(&path, &mut |case| body(ready(case)).outcome());
    }

    /// The report of the failure, if the property does not hold; for tests that expect one.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let report = Check::new().save(false).failure(vec_of(any::<u32>(), ..), |list| list.len() < 3).unwrap();
    /// assert!(report.contains("let value = [0, 0, 0];"));
    /// ```
    #[track_caller]
    pub fn failure<G: Generator, V: Verdict, F: FnMut(G::Value) -> V>(
        self,
        generator: G,
        mut body: F,
    ) -> Option<String> {
        let path = self.path_of::<F>();
        self.find(&path, &mut |case| body(only_argument(case, &generator)).outcome())
    }

    /// The report of the failure of a property that draws its values itself, if it does not hold.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert!(Check::new().failure_of_case(|case| case.draw(0..10) < 10).is_none());
    /// ```
    #[track_caller]
    pub fn failure_of_case<V: Verdict, F: FnMut(&mut Case<'_>) -> V>(self, mut body: F) -> Option<String> {
        let path = self.path_of::<F>();
        self.find(&path, &mut |case| body(ready(case)).outcome())
    }

    /// The path of the function that the closure is written in.
    fn path_of<F>(&self) -> String {
        match &self.path {
            Some(path) => path.clone(),
            None => without_generics(&std::any::type_name::<F>().replace("::{{closure}}", "")),
        }
    }

    #[track_caller]
    fn go(self, path: &str, body: &mut Body<'_>) {
        let number = self.number_among_equals(path);
        run_property(&Definition::plain(path, number), self.settings, body);
    }

    #[track_caller]
    fn find(self, path: &str, body: &mut Body<'_>) -> Option<String> {
        let number = self.number_among_equals(path);
        super::run::find_failure(&Definition::plain(path, number), self.settings, body)
    }

    /// Several checks in one function have one path; they are told apart by the order in which they first ran.
    #[track_caller]
    fn number_among_equals(&self, path: &str) -> usize {
        static SEEN: Mutex<Vec<(String, (u32, u32))>> = Mutex::new(Vec::new());
        if self.path.is_some() {
            return 0;
        }
        let caller = Location::caller();
        let place = (caller.line(), caller.column());
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut number = 0;
        for (other, at) in &*seen {
            if other == path {
                if *at == place {
                    return number;
                }
                number += 1;
            }
        }
        seen.push((path.to_owned(), place));
        number
    }
}

/// `tests::helper<u8>` is a function that no file and no test can be named after.
fn without_generics(path: &str) -> String {
    let mut depth = 0;
    let is_outside = |char: &char| {
        depth += i32::from(*char == '<');
        let is_outside = depth == 0;
        depth -= i32::from(*char == '>');
        is_outside
    };
    path.chars().filter(is_outside).collect()
}

#[inline]
fn only_argument<G: Generator>(case: &mut Case<'_>, generator: &G) -> G::Value {
    let value = case.argument("value", generator);
    case.is_ready();
    value
}

/// There are no arguments: all draws are the body's own.
#[inline]
fn ready<'c, 'a>(case: &'c mut Case<'a>) -> &'c mut Case<'a> {
    case.is_ready();
    case
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

    /// What to tell `cargo test` to run it: the harness names the thread after the test, which may call a function that has this path.
    pub(crate) fn filter(&self) -> String {
        let thread = std::thread::current();
        let test = thread.name().filter(|name| self.crate_directory.is_empty() && *name != "main");
        test.unwrap_or(self.test_name()).to_owned()
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
pub fn outcome_of<V: Verdict>(verdict: V) -> Outcome {
    verdict.outcome()
}
