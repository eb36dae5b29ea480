//! One generator under examination.

use crate::measure::Effort;
use retrospect::laws::{Broken, Law, Laws};
use retrospect::prelude::*;
use std::fmt;

/// Which values are valid.
type Predicate<'s, V> = Box<dyn Fn(&V) -> bool + 's>;

/// A generator, what is known about its values, and values to try it on.
pub struct Subject<'s, G: Generator> {
    name: &'static str,
    generator: G,
    laws: Laws,
    is_reflective: bool,
    artifact: &'static str,
    is_valid: Predicate<'s, G::Value>,
    has_predicate: bool,
    candidates: Vec<G::Value>,
}

impl<G: Generator + fmt::Debug> fmt::Debug for Subject<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Subject")
            .field("name", &self.name)
            .field("generator", &self.generator)
            .finish_non_exhaustive()
    }
}

impl<'s, G: Generator> Subject<'s, G> {
    pub fn new(name: &'static str, generator: G) -> Subject<'s, G> {
        Subject {
            name,
            generator,
            laws: Laws::default(),
            is_reflective: true,
            artifact: "–",
            is_valid: Box::new(|_| true),
            has_predicate: false,
            candidates: Vec::new(),
        }
    }

    /// Which of its values are valid.
    pub fn valid(mut self, is_valid: impl Fn(&G::Value) -> bool + 's) -> Self {
        (self.is_valid, self.has_predicate) = (Box::new(is_valid), true);
        self
    }

    /// Values that it did not make itself, valid and not.
    pub fn candidates(mut self, candidates: impl IntoIterator<Item = G::Value>) -> Self {
        self.candidates.extend(candidates);
        self
    }

    /// What the artifact says of it.
    pub fn artifact(mut self, artifact: &'static str) -> Self {
        self.artifact = artifact;
        self
    }

    /// It has no inverse.
    pub fn forward_only(mut self) -> Self {
        (self.laws, self.is_reflective) = (self.laws.forward_only(), false);
        self
    }

    /// Its text cannot be read, since an inverse knows no text.
    pub fn without_reading(mut self) -> Self {
        self.laws = self.laws.without_reading();
        self
    }

    /// Checks all there is to check.
    pub fn check(mut self, effort: Effort) -> Row {
        let cases = match effort {
            Effort::Quick => 20,
            Effort::Full => 1000,
        };
        self.candidates = chosen(std::mem::take(&mut self.candidates), &self.is_valid, effort);
        let laws = self.laws.cases(cases);
        let of_itself = laws.verify(&self.generator);
        let mut accepted = 0;
        let mut elsewhere = Ok(());
        if self.is_reflective {
            for candidate in &self.candidates {
                accepted += u32::from(self.generator.accepts(candidate));
                elsewhere = elsewhere.and_then(|()| laws.verify_value(&self.generator, candidate));
            }
        }
        let valid = self.candidates.iter().filter(|candidate| (self.is_valid)(candidate)).count();
        let (among, is_asked) = (self.candidates.len(), self.is_reflective && !self.candidates.is_empty());
        let generated = self.has_predicate.then(|| laws.verify_sound_for(&self.generator, &self.is_valid));
        let exact = is_asked.then(|| laws.verify_exact_for(&self.generator, self.candidates, &self.is_valid));
        // The first law that an examination breaks hides those after it, but not those that another
        // examination asks for.
        let found = [Some(of_itself), Some(elsewhere), generated, exact.clone()];
        let broken: Vec<Broken> = found.into_iter().flatten().filter_map(Result::err).collect();
        let cell = |is_asked: bool, laws: &[Law], text: String| match () {
            () if broken.iter().any(|broken| laws.contains(&broken.law())) => Verdict::Broken,
            () if is_asked => Verdict::Holds(text),
            () => Verdict::NotAsked,
        };
        let verdicts = [
            cell(self.is_reflective, SOUND, cases.to_string()),
            cell(self.is_reflective, &[Law::Projection], (cases + accepted).to_string()),
            cell(self.has_predicate, &[Law::SoundFor], cases.to_string()),
            cell(is_asked, &[Law::CompleteFor], format!("{valid} of {among}")),
        ];
        let forward = cell(!self.is_reflective, SOUND, format!("{cases} forward"));
        Row { name: self.name, verdicts, forward, artifact: self.artifact, broken }
    }
}

/// What is broken if the laws of a generator alone are.
const SOUND: &[Law] =
    &[Law::Sound, Law::Deterministic, Law::Parse, Law::ReadBack, Law::Ends, Law::Consistent, Law::Declared];

/// All candidates, or some of the valid and some of the invalid ones.
fn chosen<V>(candidates: Vec<V>, is_valid: &dyn Fn(&V) -> bool, effort: Effort) -> Vec<V> {
    if effort == Effort::Full {
        return candidates;
    }
    let (valid, invalid): (Vec<V>, Vec<V>) = candidates.into_iter().partition(is_valid);
    let some = |values: Vec<V>| {
        let step = values.len().div_ceil(40).max(1);
        values.into_iter().step_by(step)
    };
    some(valid).chain(some(invalid)).collect()
}

/// What became of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds, on so many values.
    Holds(String),
    Broken,
    /// It makes no sense here.
    NotAsked,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds(values) => write!(formatter, "✓ {values}"),
            Verdict::Broken => formatter.write_str("✗ broken"),
            Verdict::NotAsked => formatter.write_str("–"),
        }
    }
}

/// What was found out about one generator.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    /// Sound, projection, valid, complete.
    pub verdicts: [Verdict; 4],
    /// The laws that are left where there is no inverse.
    forward: Verdict,
    artifact: &'static str,
    broken: Vec<Broken>,
}

impl Row {
    pub const HEAD: [&str; 6] = ["generator", "sound", "projection", "valid", "complete", "artifact"];

    pub fn cells(&self) -> Vec<String> {
        let [sound, projection, valid, complete] = &self.verdicts;
        let sound = if self.forward == Verdict::NotAsked { sound } else { &self.forward };
        let verdicts = [sound, projection, valid, complete].map(ToString::to_string);
        [self.name.to_owned()].into_iter().chain(verdicts).chain([self.artifact.to_owned()]).collect()
    }

    /// What is broken, with the values.
    pub fn broken(&self) -> impl Iterator<Item = String> + '_ {
        self.broken.iter().map(|broken| format!("`{}`: {broken}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<G: Generator>(subject: Subject<'_, G>) -> [String; 4] {
        let row = subject.check(Effort::Quick);
        row.cells()[1..5].to_vec().try_into().expect("there are four")
    }

    #[test]
    fn each_law_has_its_column() {
        let subject = |most: u32| Subject::new("numbers", 0..=most).valid(|number| *number <= 5).candidates(0..20);
        assert_eq!(cells(subject(5)), ["✓ 20", "✓ 26", "✓ 20", "✓ 6 of 20"]);
        assert_eq!(cells(subject(6)), ["✓ 20", "✓ 27", "✗ broken", "✓ 6 of 20"]);
        assert_eq!(cells(subject(4)), ["✓ 20", "✓ 25", "✓ 20", "✗ broken"]);
        let wrong = within(0..9u32).map_with_inverse(|number| number, |number| Some(number / 2));
        assert_eq!(cells(Subject::new("halves", wrong).without_reading()), ["✓ 20", "✗ broken", "–", "–"]);
        let squares = || within(0..9u32).map(|number| number * number);
        assert_eq!(cells(Subject::new("squares", squares())), ["✗ broken", "✓ 20", "–", "–"]);
        assert_eq!(cells(Subject::new("squares", squares()).forward_only()), ["✓ 20 forward", "–", "–", "–"]);
    }

    #[test]
    fn what_is_broken_is_said_with_the_generator_and_the_value() {
        let row = Subject::new("numbers", 0..=6).valid(|number| *number <= 5).candidates([5, 6]).check(Effort::Quick);
        let broken: Vec<String> = row.broken().collect();
        assert!(
            broken[0]
                .starts_with("`numbers`: a law of generators is broken: what it generates is valid\n  value:   6\n"),
            "{broken:?}"
        );
    }
}
