//! Whether a generator makes what is valid, and all of it, where somebody wrote down what that is.

use super::shrinking::Fails;
use super::{Broken, LARGEST_SIZE, Law, Laws};
use crate::choice::Choices;
use crate::generator::Generator;
use crate::shrink::Shrinker;
use crate::source::{Rng, Source, Stop};
use crate::stack::with_deep_stack;

/// Checks that whatever the generator makes is valid: the simplest value, 300 values of growing
/// size, and as many made from damaged choices.
///
/// # Panics
///
/// At the first value that is not valid, shrunk as far as it goes, with its choices.
///
/// ```
/// use retrospect::prelude::*;
/// #[generator]
/// fn interval(most: u32) -> (u32, u32) {
///     let low = draw(0..=most);
///     let high = draw(low..=most);
///     (low, high)
/// }
/// laws::sound_for(&interval(50), |(low, high)| low <= high && *high <= 50);
/// ```
///
/// ```should_panic
/// use retrospect::prelude::*;
/// laws::sound_for(&tuple((0..50, 0..50)), |(low, high)| low <= high); // (1, 0) is not.
/// ```
///
/// It goes forward only, so it also holds for a generator without an inverse. Whether the generator
/// makes *everything* that is valid is what [`complete_for`] asks.
#[track_caller]
pub fn sound_for<G: Generator>(generator: &G, is_valid: impl Fn(&G::Value) -> bool) {
    if let Err(broken) = Laws::default().verify_sound_for(generator, is_valid) {
        panic!("{broken}");
    }
}

/// Checks that the generator accepts every candidate that is valid. What it never makes is never
/// tested, and nobody would notice.
///
/// The candidates must come from elsewhere, or the question answers itself: written out, enumerated
/// by a loop, or drawn from a generator that knows nothing of the rules, such as
/// `any::<T>().samples(0).take(1000)`.
///
/// # Panics
///
/// At the first valid candidate that cannot be made, with the part that is in the way. Also if no
/// candidate is valid, since then nothing was checked, and if there are more than a million of
/// them: an endless iterator needs a `take`.
///
/// ```
/// use retrospect::prelude::*;
/// let ascending = sequence_of(0, .., |least| Some(*least..=9), |_, item| *item);
/// laws::complete_for(&ascending, vec_of(0..=9, ..=4).samples(0).take(500), |list| list.is_sorted());
/// ```
///
/// ```should_panic
/// use retrospect::prelude::*;
/// // No item comes twice: [0, 0] is sorted, and cannot be made.
/// let ascending = sequence_of(0, .., |least| Some(*least..=9), |_, item| item + 1);
/// laws::complete_for(&ascending, [vec![0, 1], vec![0, 0]], |list| list.is_sorted());
/// ```
#[track_caller]
pub fn complete_for<G: Generator>(
    generator: &G,
    candidates: impl IntoIterator<Item = G::Value>,
    is_valid: impl Fn(&G::Value) -> bool,
) {
    if let Err(broken) = Laws::default().verify_complete_for(generator, candidates, is_valid) {
        panic!("{broken}");
    }
}

/// Checks that of the candidates the generator accepts exactly those that are valid:
/// [`complete_for`], and the other way round.
///
/// With all small values as candidates this decides what [`sound_for`] can only hope to meet by
/// chance.
///
/// # Panics
///
/// Like [`complete_for`], and at the first candidate that the generator can make although it is not
/// valid.
///
/// ```
/// use retrospect::prelude::*;
/// let even = (0..50).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
/// laws::exact_for(&even, -10..200, |number| number % 2 == 0 && (0..100).contains(number));
/// ```
///
/// ```should_panic
/// use retrospect::prelude::*;
/// laws::exact_for(&(0..=100), -10..200, |number| (0..100).contains(number)); // It makes 100 too.
/// ```
#[track_caller]
pub fn exact_for<G: Generator>(
    generator: &G,
    candidates: impl IntoIterator<Item = G::Value>,
    is_valid: impl Fn(&G::Value) -> bool,
) {
    if let Err(broken) = Laws::default().verify_exact_for(generator, candidates, is_valid) {
        panic!("{broken}");
    }
}

/// More candidates than this are taken for endlessly many.
const MOST_CANDIDATES: u64 = 1_000_000;

impl Laws {
    /// Like [`sound_for`], with as many values and from the seed that was said; what is broken is
    /// returned.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::{Law, Laws};
    /// let broken = Laws::default().cases(1000).verify_sound_for(&(0..=100), |number| *number < 100).unwrap_err();
    /// assert_eq!((broken.law(), broken.value()), (Law::SoundFor, "100"));
    /// ```
    pub fn verify_sound_for<G: Generator>(
        self,
        generator: &G,
        is_valid: impl Fn(&G::Value) -> bool,
    ) -> Result<(), Broken> {
        with_deep_stack(|| {
            let is_invalid = |value: &G::Value| !is_valid(value);
            let mut rng = Rng::new(self.seed);
            look_at(generator, &Choices::default(), &is_invalid)?;
            for case in 0..self.cases {
                let (seed, size) = (rng.next(), (case * LARGEST_SIZE).div_ceil(self.cases));
                let mut source = Source::recording(seed).with_size(size);
                let value = generator.generate(&mut source).map_err(|Stop| Broken::not_generated(seed, &source))?;
                let choices = source.into_choices();
                if is_invalid(&value) {
                    return Err(simplest_invalid(generator, value, &choices, &is_invalid));
                }
                if !choices.is_empty() {
                    look_at(generator, &choices.damaged(rng.next()), &is_invalid)?;
                }
            }
            Ok(())
        })
    }

    /// Like [`complete_for`], but what is broken is returned. How many values to look at and the
    /// seed do not count here: all candidates are looked at.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::{Law, Laws};
    /// let broken = Laws::default().verify_complete_for(&(0..100), 0..200, |number| *number <= 100).unwrap_err();
    /// assert_eq!((broken.law(), broken.value()), (Law::CompleteFor, "100"));
    /// ```
    pub fn verify_complete_for<G: Generator>(
        self,
        generator: &G,
        candidates: impl IntoIterator<Item = G::Value>,
        is_valid: impl Fn(&G::Value) -> bool,
    ) -> Result<(), Broken> {
        with_deep_stack(|| {
            let no_question = |_: &G::Value| Ok(());
            look_at_candidates(generator, &mut candidates.into_iter(), &is_valid, &no_question)
        })
    }

    /// Like [`exact_for`], but what is broken is returned: [`Law::CompleteFor`] or
    /// [`Law::SoundFor`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::{Law, Laws};
    /// let law = |most| Laws::default().verify_exact_for(&(0..=most), 0..200, |number| *number <= 100).unwrap_err().law();
    /// assert_eq!((law(99), law(101)), (Law::CompleteFor, Law::SoundFor));
    /// ```
    pub fn verify_exact_for<G: Generator>(
        self,
        generator: &G,
        candidates: impl IntoIterator<Item = G::Value>,
        is_valid: impl Fn(&G::Value) -> bool,
    ) -> Result<(), Broken> {
        with_deep_stack(|| {
            let is_refused = |value: &G::Value| match generator.choices_of(value) {
                Ok(choices) => Err(Broken::new(
                    Law::SoundFor,
                    value,
                    Some(&choices),
                    "it is not valid, and the generator can make it".to_owned(),
                )),
                Err(_) => Ok(()),
            };
            look_at_candidates(generator, &mut candidates.into_iter(), &is_valid, &is_refused)
        })
    }
}

/// Looks at what choices make, if they make something: a filter may refuse it.
fn look_at<G: Generator>(
    generator: &G,
    choices: &Choices,
    is_invalid: &dyn Fn(&G::Value) -> bool,
) -> Result<(), Broken> {
    match generator.try_replay(choices) {
        Ok((value, made)) if is_invalid(&value) => Err(simplest_invalid(generator, value, &made, is_invalid)),
        _ => Ok(()),
    }
}

/// The simplest value that is as wrong as this one.
fn simplest_invalid<G: Generator>(
    generator: &G,
    value: G::Value,
    choices: &Choices,
    is_invalid: &dyn Fn(&G::Value) -> bool,
) -> Broken {
    let mut trial = Fails { generator, fails: is_invalid, made: None, ends: &[] };
    let shrunk = Shrinker::new().shrink_by(choices, &mut trial, &mut || true);
    let value = match shrunk.steps.last() {
        Some(_) => generator.replay(&shrunk.choices),
        None => value,
    };
    Broken::new(Law::SoundFor, &value, Some(&shrunk.choices), "it is generated, and is not valid".to_owned())
}

fn look_at_candidates<G: Generator>(
    generator: &G,
    candidates: &mut dyn Iterator<Item = G::Value>,
    is_valid: &dyn Fn(&G::Value) -> bool,
    if_invalid: &dyn Fn(&G::Value) -> Result<(), Broken>,
) -> Result<(), Broken> {
    let nothing = |problem| Err(Broken::new(Law::CompleteFor, &format_args!("none"), None, problem));
    let (mut looked_at, mut valid) = (0, 0);
    for candidate in candidates {
        if looked_at == MOST_CANDIDATES {
            return nothing("there are more than 1000000 candidates; `take` ends them sooner".to_owned());
        }
        looked_at += 1;
        if !is_valid(&candidate) {
            if_invalid(&candidate)?;
            continue;
        }
        valid += 1;
        if !generator.accepts(&candidate)
            && let Err(error) = generator.choices_of(&candidate)
        {
            return Err(Broken::new(Law::CompleteFor, &candidate, None, format!("it is valid, but {error}")));
        }
    }
    match valid {
        0 => nothing(format!("none of {looked_at} candidates is valid, so nothing was checked")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{sequence_of, within};

    /// Ascending lists of up to three items, from `least` on, each at least `step` above the one
    /// before.
    fn ascending(least: i32, step: i32) -> impl Generator<Value = Vec<i32>> {
        sequence_of(least, ..=3, |least| (*least <= 9).then_some(*least..=9), move |_, item| item + step)
    }

    fn strictly_ascending(list: &[i32]) -> bool {
        list.len() <= 3 && list.is_sorted_by(|one, next| one < next) && list.iter().all(|item| (0..=9).contains(item))
    }

    /// All lists of up to three items from -1 to 10.
    fn lists() -> impl Iterator<Item = Vec<i32>> {
        (0..13 * 13 * 13).map(|code| {
            let digits = [code % 13, code / 13 % 13, code / 169];
            digits.into_iter().filter(|digit| *digit > 0).map(|digit| digit - 2).collect()
        })
    }

    fn laws_broken(generator: &impl Generator<Value = Vec<i32>>) -> [Option<Law>; 3] {
        let laws = Laws::default();
        let of = |result: Result<(), Broken>| result.err().map(|broken| broken.law());
        [
            of(laws.verify_sound_for(generator, |list| strictly_ascending(list))),
            of(laws.verify_complete_for(generator, lists(), |list| strictly_ascending(list))),
            of(laws.verify_exact_for(generator, lists(), |list| strictly_ascending(list))),
        ]
    }

    #[test]
    fn each_mistake_breaks_its_own_law() {
        assert_eq!(laws_broken(&ascending(0, 1)), [None, None, None]);
        // Too much.
        assert_eq!(laws_broken(&ascending(0, 0)), [Some(Law::SoundFor), None, Some(Law::SoundFor)]);
        assert_eq!(laws_broken(&ascending(-1, 1)), [Some(Law::SoundFor), None, Some(Law::SoundFor)]);
        // Too little.
        assert_eq!(laws_broken(&ascending(0, 2)), [None, Some(Law::CompleteFor), Some(Law::CompleteFor)]);
        assert_eq!(laws_broken(&ascending(1, 1)), [None, Some(Law::CompleteFor), Some(Law::CompleteFor)]);
    }

    #[test]
    fn what_is_broken_is_said() {
        let laws = Laws::default();
        let broken = laws.verify_sound_for(&ascending(0, 0), |list| strictly_ascending(list)).unwrap_err();
        assert_eq!(
            broken.to_string(),
            "a law of generators is broken: what it generates is valid\n  value:   [0, 0]\n  choices: [0 0]\n  \
             problem: it is generated, and is not valid"
        );
        let broken = laws.verify_exact_for(&ascending(0, 0), lists(), |list| strictly_ascending(list)).unwrap_err();
        assert_eq!(
            broken.to_string(),
            "a law of generators is broken: what it generates is valid\n  value:   [0, 0]\n  choices: [0 0]\n  \
             problem: it is not valid, and the generator can make it"
        );
        let broken = laws.verify_complete_for(&ascending(1, 1), lists(), |list| strictly_ascending(list)).unwrap_err();
        assert_eq!(
            broken.to_string(),
            "a law of generators is broken: what is valid, it accepts\n  value:   [0]\n  \
             problem: it is valid, but this generator cannot make the part `[0]`, which is 0: 0 is not in 1..=9"
        );
    }

    #[test]
    fn nothing_checked_is_a_failure() {
        let problem = |candidates: &mut dyn Iterator<Item = i32>| {
            Laws::default().verify_complete_for(&(0..9), candidates, |number| *number < 0).unwrap_err().to_string()
        };
        assert_eq!(
            problem(&mut (0..100)),
            "a law of generators is broken: what is valid, it accepts\n  value:   none\n  \
             problem: none of 100 candidates is valid, so nothing was checked"
        );
        assert_eq!(
            problem(&mut std::iter::repeat(7)),
            "a law of generators is broken: what is valid, it accepts\n  value:   none\n  \
             problem: there are more than 1000000 candidates; `take` ends them sooner"
        );
    }

    #[test]
    fn what_cannot_be_generated_is_said() {
        let broken =
            Laws::default().verify_sound_for(&within(0..100).filter(|number| *number > 100), |_| true).unwrap_err();
        assert!(broken.problem().starts_with("it cannot be generated: "), "{broken}");
        // Without cases the simplest value is left.
        assert!(Laws::default().cases(0).verify_sound_for(&(0..9), |number| *number == 0).is_ok());
    }
}
