//! crabcheck, with its own generators, which know how to shrink.

use super::super::problems::challenges;
use super::super::problems::dependent::weighs_twenty;
use super::super::problems::further::is_multiplied_to_a_million;
use super::{CASES, watch_debug};
use crabcheck::gens::{self, Gen, int, vec};
use crabcheck::{Config, any};
use std::fmt::Debug;

pub(super) fn run(problem: &str, seed: u64) -> bool {
    let numbers = any::<Vec<i64>>;
    let pair = || (int(1..=i32::MAX), int(1..=i32::MAX));
    let short = || vec(any::<i16>()).len(0..=1);
    let long = any::<Vec<i16>>;
    match problem {
        "reverse" => check(seed, numbers(), |list| watch_debug(challenges::differs_reversed(list), list)),
        "nested lists" => {
            check(seed, vec(vec(int(0..=0i64))), |lists| watch_debug(challenges::holds_more_than_ten(lists), lists));
        }
        "large union" => {
            check(seed, any::<Vec<Vec<i64>>>(), |lists| watch_debug(challenges::unites_five(lists), lists));
        }
        "length list" => {
            let counted = gens::dependent(int(1..=100usize), |count| vec(int(0..=1000u32)).len(*count..=*count));
            check(seed, counted, |(_, list)| watch_debug(challenges::reaches_900(list), list));
        }
        "difference 1" => check(seed, pair(), |pair| watch_debug(challenges::is_equal_pair(pair), pair)),
        "difference 2" => check(seed, pair(), |pair| watch_debug(challenges::is_near_pair(pair), pair)),
        "difference 3" => check(seed, pair(), |pair| watch_debug(challenges::is_neighbour_pair(pair), pair)),
        "bound5" => {
            let five = (short(), short(), short(), short(), short());
            check(seed, five, |lists| watch_debug(challenges::wraps(lists), lists));
        }
        "bound5, any lengths" => {
            let five = (long(), long(), long(), long(), long());
            check(seed, five, |lists| watch_debug(challenges::wraps(lists), lists));
        }
        "coupling" => {
            let list = vec(int(0..=10usize)).len(0..=10);
            check(seed, list, |list| watch_debug(challenges::has_a_cycle_of_two(list), list));
        }
        "deletion" => check(seed, (numbers(), int(0..=10usize)), |(list, place)| {
            watch_debug(challenges::survives_deletion(list, *place), &(list, place))
        }),
        "distinct" => check(seed, numbers(), |list| watch_debug(challenges::has_three_distinct(list), list)),
        "replacement" => {
            let both = (int(0..=1_000_000u64), vec(int(2..=10u64)));
            check(seed, both, |both| watch_debug(is_multiplied_to_a_million(both), both));
        }
        "2x + y + z = 20" => {
            let three = (int(0..=20u32), int(0..=20u32), int(0..=20u32));
            check(seed, three, |three| watch_debug(weighs_twenty(three), three));
        }
        _ => return false,
    }
    true
}

fn check<G>(seed: u64, generator: G, fails: impl Fn(&G::Value) -> bool + Send + Sync)
where
    G: Gen,
    G::Value: Clone + Debug,
{
    let config = Config::default().tests(u64::from(CASES)).seed(seed).no_regressions();
    // What was watched says where it ended.
    let _ = crabcheck::check(&config, generator, |value| !fails(&value));
}
