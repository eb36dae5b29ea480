//! Whatever the property, the generator or the caller does, shrinking ends with the best so far.

use super::*;
use crate::shrink::{End, Shrinker, Shrunk};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn sum_at_least_1000(list: &[u32]) -> bool {
    list.iter().sum::<u32>() >= 1000
}

/// A trial that has little time to spare.
struct Busy<T>(T);

impl<T: Trial> Trial for Busy<T> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.0.replay(candidate)
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        self.0.run(candidate)
    }

    fn spare(&mut self, _: &Choices, _: u64) -> u64 {
        50
    }
}

#[test]
fn the_caller_may_stop_at_any_moment() {
    let start = lists().choices_of(&vec![800, 7, 900, 33]).unwrap();
    let generator = lists();
    let shrink = |most: u64| -> Shrunk {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked <= most
        };
        let mut trial = Busy(Fails(&generator, |list: &Vec<u32>| sum_at_least_1000(list)));
        Shrinker::new().shrink_by(&start, &mut trial, &mut go_on)
    };
    let whole = shrink(u64::MAX);
    assert_eq!(generator.replay(&whole.choices), [1000]);
    for most in 0..=whole.replays {
        let shrunk = shrink(most);
        // Stopped earlier, it has gone the same way, not as far.
        let last = shrunk.steps.last().map_or(&start, |step| &step.choices);
        assert_eq!(&shrunk.choices, last);
        assert_eq!(shrunk.steps.len(), whole.steps.iter().filter(|step| step.run <= shrunk.runs).count());
        assert!(sum_at_least_1000(&generator.replay(&shrunk.choices)));
        assert!(shrunk.end == End::Stopped || shrunk.choices == whole.choices, "{most}");
    }
}

#[test]
fn runs_end_at_any_number_of_them() {
    let generator = lists();
    let start = generator.choices_of(&vec![800, 7, 900, 33]).unwrap();
    let shrink = |most: u64| {
        let mut trial = Busy(Fails(&generator, |list: &Vec<u32>| sum_at_least_1000(list)));
        Shrinker::new().runs(most).shrink_by(&start, &mut trial, &mut || true)
    };
    let whole = shrink(u64::MAX);
    assert!(whole.searched > 0);
    let needed = whole.runs - whole.searched;
    for most in 0..whole.runs {
        let shrunk = shrink(most);
        assert_eq!(shrunk.runs - shrunk.searched, most.min(needed));
        if most < needed {
            assert_eq!(shrunk.end, End::RunsSpent);
        } else {
            // Searches take half of what is left, and do not end it.
            assert!(matches!(shrunk.end, End::Stalled { .. }), "{:?}", shrunk.end);
            assert!(shrunk.searched <= (most - needed) / 2);
        }
        let last = whole.steps.iter().rev().find(|step| step.run <= most).map_or(&start, |step| &step.choices);
        assert_eq!(&shrunk.choices, last);
    }
}

#[test]
fn a_panic_goes_on_to_the_caller() {
    let shrunk = catch_unwind(AssertUnwindSafe(|| {
        lists().shrink(vec![5, 6, 7], |list| {
            assert!(list.len() != 1, "one item");
            true
        })
    }));
    // The simplest, no items at all, fails without a panic.
    assert!(shrunk.unwrap().unwrap().value.is_empty());
    let mut asked = 0;
    let shrunk = catch_unwind(AssertUnwindSafe(|| {
        lists().shrink(vec![5, 6, 7], |list| {
            asked += 1;
            assert!(asked < 4, "the fourth time");
            !list.is_empty()
        })
    }));
    assert_eq!(shrunk.unwrap_err().downcast_ref::<&str>(), Some(&"the fourth time"));
}

#[test]
fn the_simplest_may_be_refused() {
    // Neither 0 nor an empty list can be made, and half of what lies between.
    let odd = within(0..=1000u32).filter(|number| number % 2 == 1);
    let some = vec_of(odd, ..).filter(|list: &Vec<u32>| list.len() >= 2);
    let smallest = some.shrink(vec![801, 7, 901, 33], |list| list.iter().sum::<u32>() >= 1000).unwrap();
    assert!(smallest.value.iter().sum::<u32>() >= 1000);
    assert_eq!(smallest.value, [1, 999]);
}

#[test]
fn a_property_that_changes_its_mind_ends_with_something_that_failed() {
    for period in 2..12 {
        let mut asked = 0;
        let mut failed = vec![vec![500, 600, 700]];
        let smallest = lists().shrink(vec![500, 600, 700], |list| {
            asked += 1;
            let fails = asked == 1 || asked % period != 0 && list.iter().sum::<u32>() >= 100 + asked % 7;
            if fails {
                failed.push(list.clone());
            }
            fails
        });
        assert!(failed.contains(&smallest.unwrap().value));
    }
}

#[test]
fn a_trial_may_contradict_itself() {
    // It says that candidates fail with choices that are no simpler, or that have nothing to do
    // with them.
    let start: Choices = "[5 6 7]".parse().unwrap();
    let shrunk = Shrinker::new().shrink(&start, &mut |_| Tried::Fails("[9 9 9 9]".parse().unwrap()), &mut || true);
    assert_eq!(shrunk.choices, start);
    let shrunk = Shrinker::new().shrink(&start, &mut |_| Tried::Fails("[1]".parse().unwrap()), &mut || true);
    assert_eq!(shrunk.choices.to_string(), "[1]");
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let numbers = tuple((any::<u64>(), any::<i64>(), any::<f64>(), vec_of(any::<u64>(), ..), vec_of(any::<i64>(), ..)));
    let ends = (u64::MAX, i64::MIN, f64::NEG_INFINITY, vec![u64::MAX, u64::MAX - 1], vec![i64::MIN, i64::MAX]);
    // Each alone, some together, and all.
    for kept in 0..32u32 {
        let is_kept = |place: u32| kept >> place & 1 == 1;
        let smallest = numbers.shrink(ends.clone(), |(a, b, c, d, e)| {
            (!is_kept(0) || *a == u64::MAX)
                && (!is_kept(1) || *b == i64::MIN)
                && (!is_kept(2) || *c == f64::NEG_INFINITY)
                && (!is_kept(3) || d.contains(&u64::MAX))
                && (!is_kept(4) || e.contains(&i64::MIN))
        });
        let smallest = smallest.unwrap().value;
        assert_eq!(smallest.0, if is_kept(0) { u64::MAX } else { 0 });
        assert_eq!(smallest.4, if is_kept(4) { vec![i64::MIN] } else { vec![] });
    }
    // Counts that no list has room for come only from texts.
    let start: Choices = "[1 2] 18446744073709551615 18446744073709551615".parse().unwrap();
    let shrunk = Shrinker::new().shrink(&start, &mut |_| Tried::Passes, &mut || true);
    assert_eq!(shrunk.choices, start);
}
