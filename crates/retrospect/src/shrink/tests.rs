//! Each pass alone: what it makes of a value, and in how many runs.

mod robustness;

use super::door::{Door, Over};
use super::{Replayed, Shrinker, Trial, Tried};
use super::{arms, control, delete, exhaust, floats, merge, numbers, pairs, relations, reorder, replace, steps, zero};
use crate::choice::Choices;
use crate::prelude::*;
use crate::source::{Replay, Source};
use std::fmt::Debug;

type PassFunction = fn(&mut Door<'_>) -> Result<(), Over>;

struct Fails<'g, G, F>(&'g G, F);

impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for Fails<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        self.0.try_replay(candidate).map_or(Replayed::Nothing, |(_, made)| Replayed::Made(made))
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        match self.0.try_replay(candidate) {
            Ok((value, made)) if (self.1)(&value) => Tried::Fails(made),
            _ => Tried::Passes,
        }
    }
}

/// Runs one pass once from `before`. It must end at `after` in at most `most` runs, and make no
/// progress when it is run again after it made none.
#[track_caller]
fn assert_pass<G: Generator>(
    pass: PassFunction,
    generator: &G,
    before: G::Value,
    fails: impl Fn(&G::Value) -> bool,
    after: G::Value,
    most: u64,
) where
    G::Value: PartialEq + Debug,
{
    assert!(fails(&before) && fails(&after));
    let start = generator.choices_of(&before).unwrap();
    let mut trial = Fails(generator, fails);
    let mut go_on = || true;
    let mut door = Door::new(&start, &mut trial, &mut go_on, 10_000);
    pass(&mut door).unwrap();
    assert_eq!(generator.replay(&door.best().choices), after);
    assert!(door.runs <= most, "{} runs", door.runs);
    loop {
        let (version, runs) = (door.version(), door.runs);
        pass(&mut door).unwrap();
        if door.version() == version {
            let idle = door.runs;
            pass(&mut door).unwrap();
            assert_eq!(
                (door.version(), door.runs),
                (version, idle),
                "a pass that did not help must not help when it is run again"
            );
            break;
        }
        assert!(door.runs > runs);
    }
}

fn lists() -> impl Generator<Value = Vec<u32>> {
    vec_of(0..=1000u32, ..)
}

#[test]
fn much_becomes_the_simplest() {
    assert_pass(zero::simplest, &lists(), vec![5, 3], |_| true, vec![], 1);
    assert_pass(zero::zero_all, &lists(), vec![5, 3, 0], |list| list.len() == 3, vec![0, 0, 0], 1);
    assert_pass(
        zero::zero_runs,
        &lists(),
        vec![5, 3, 7, 1],
        |list| list.len() == 4 && list[2] == 7,
        vec![0, 0, 7, 0],
        4,
    );
    let records = vec_of(tuple((0..=99u32, 0..=9u32)), ..);
    let start: Vec<(u32, u32)> = (1..=70).map(|number| (number, number % 10)).collect();
    let zeroed = start.iter().map(|(number, _)| (*number, 0)).collect();
    let fails = |list: &Vec<(u32, u32)>| list.iter().map(|pair| pair.0).eq(1..=70);
    assert_pass(zero::zero_fields, &records, start, fails, zeroed, 2);
    let cells = vec_of(option_of(0..=9u32), 70);
    let start: Vec<Option<u32>> = (0..70).map(|place| Some(place % 10)).collect();
    let after = (0..70).map(|place| (place == 57).then_some(7)).collect();
    let fails = |list: &Vec<Option<u32>>| list[57] == Some(7);
    assert_pass(zero::minimize_items, &cells, start, fails, after, 30);
    let pairs = tuple((option_of(lists()), 0..=9u32));
    assert_pass(zero::minimize, &pairs, (Some(vec![4, 4]), 7), |pair| pair.1 == 7, (None, 7), 3);
}

#[test]
fn items_go() {
    let has = |numbers: &'static [u32]| move |list: &Vec<u32>| numbers.iter().all(|number| list.contains(number));
    assert_pass(delete::delete, &lists(), vec![5, 3, 7, 1, 2], has(&[3, 7]), vec![3, 7], 9);
    let long: Vec<u32> = (0..1000).collect();
    assert_pass(delete::delete, &lists(), long, has(&[300, 900]), vec![300, 900], 60);
    let nested = vec_of(lists(), ..);
    let start = vec![vec![7; 90]; 8];
    let one_is_long = |all: &Vec<Vec<u32>>| all.iter().any(|list| list.len() >= 90);
    assert_pass(delete::delete_large, &nested, start, one_is_long, vec![vec![7; 90]], 5);
    let even = |list: &Vec<u32>| list.len().is_multiple_of(2) && list.last() == Some(&3);
    assert_pass(delete::delete_two, &lists(), vec![0, 0, 0, 3], even, vec![0, 3], 3);
    // Blocks that begin with 9 and hold three equal items; only whole ones can go.
    let blocks: Vec<u32> = (10..40).flat_map(|number| [9, number, number, number]).collect();
    let is_of_blocks = |list: &Vec<u32>| {
        let is_block =
            |block: &[u32]| block.len() == 4 && block[0] == 9 && block[1..].iter().all(|item| *item == block[1]);
        list.chunks(4).all(is_block) && list.contains(&39)
    };
    assert_pass(delete::delete_between_equals, &lists(), blocks, is_of_blocks, vec![9, 39, 39, 39], 40);
    let zero_sums = |list: &Vec<u32>| list.iter().fold(0, |sum, number| sum ^ number) == 0 && list.len() >= 4;
    let pairs = vec![1, 1, 2, 2, 3, 3, 4, 4];
    assert_pass(delete::delete_neighbours, &lists(), pairs, zero_sums, vec![3, 3, 4, 4], 5);
    let product = |(number, list): &(u32, Vec<u32>)| list.iter().fold(*number, |product, item| product * item) >= 500;
    let pairs = tuple((0..=1000u32, vec_of(1..=9u32, ..)));
    assert_pass(delete::delete_and_raise, &pairs, (8, vec![9, 9]), product, (1000, vec![]), 2);
    let places = |list: &Vec<u32>| {
        list.iter()
            .enumerate()
            .any(|(place, to)| *to as usize != place && list.get(*to as usize) == Some(&(place as u32)))
    };
    assert_pass(delete::delete_and_shift, &lists(), vec![0, 2, 1], places, vec![1, 0], 3);
    // The number says where the second list begins.
    let is_offset = |(first, number, second): &(Vec<u32>, u32, Vec<u32>)| {
        *number as usize == 12 + first.len() && first.len() + second.len() >= 2 && second.len() == 1
    };
    let offsets = tuple((lists(), 0..=100u32, lists()));
    assert_pass(delete::delete_and_lower, &offsets, (vec![0; 9], 21, vec![1]), is_offset, (vec![0], 13, vec![1]), 12);
    let sum = |list: &Vec<u32>| list.iter().sum::<u32>() == 100;
    assert_pass(delete::fuse, &lists(), vec![30, 70], sum, vec![100], 2);
    let from_one = vec_of(1..=50u32, ..);
    let sum = |list: &Vec<u32>| list.iter().sum::<u32>() == 57;
    assert_pass(delete::delete_and_give, &from_one, vec![1, 1, 1, 1, 1, 1, 1, 50], sum, vec![7, 50], 40);
    let inside = |list: &Vec<u32>| matches!(list[..], [1, 2, 3] | [_, _, 1, 2, 3, _]);
    assert_pass(delete::delete_both_ends, &lists(), vec![7, 5, 1, 2, 3, 8], inside, vec![1, 2, 3], 10);
}

/// Files are opened by name, then closed and written to by their number among those that are open.
fn files() -> impl Generator<Value = Vec<(char, u8)>> {
    type Files = Boxed<'static, (char, u8)>;
    fn tagged(tag: char, names: impl Generator<Value = u8> + Send + Sync + 'static) -> Files {
        names.map_with_inverse(move |name| (tag, name), move |(other, name)| (*other == tag).then_some(*name)).boxed()
    }
    let next = |open: &Vec<u8>| {
        let mut all = vec![tagged('o', 0..3u8)];
        if !open.is_empty() {
            all.extend([tagged('c', element_of(open.clone())), tagged('w', element_of(open.clone()))]);
        }
        Some(one_of(all))
    };
    sequence_of(Vec::new(), ..=9, next, |mut open: Vec<u8>, (tag, name)| {
        match tag {
            'o' if !open.contains(name) => open.push(*name),
            'c' => open.retain(|other| other != name),
            _ => {}
        }
        open
    })
}

#[test]
fn what_is_named_otherwise_without_an_item_is_named_again() {
    let fails = |list: &Vec<(char, u8)>| list.starts_with(&[('o', 0), ('o', 1)]) && list.ends_with(&[('w', 1)]);
    let start = vec![('o', 0), ('o', 1), ('c', 0), ('w', 1)];
    assert_pass(replace::delete_and_rename, &files(), start, fails, vec![('o', 0), ('o', 1), ('w', 1)], 10);
}

#[test]
fn a_number_makes_up_for_an_arm() {
    // Numbers are pushed; 100 doubles and 200 squares the last one.
    let steps = vec_of(one_of((0..=50u32, exact(100u32), exact(200u32))), ..);
    let result = |list: &Vec<u32>| {
        list.iter().fold(0, |last, step| match step {
            100 => 2 * last,
            200 => last * last,
            number => *number,
        })
    };
    assert_pass(arms::arm_and_number, &steps, vec![16, 100], |list| result(list) >= 32, vec![14, 200], 12);
}

#[test]
fn rows_and_columns_go() {
    let square = |cells: &Vec<u8>| Some(cells.len().isqrt());
    let matrices = (1..=5usize).bind_with_focus(|side| vec_of(0..=9u8, side * side), square);
    let fails = |cells: &Vec<u8>| {
        let side = cells.len().isqrt();
        (1..side).any(|row| cells[(row - 1) * side + row] == 7)
    };
    let mut start = vec![0; 16];
    start[2 * 4 + 3] = 7;
    assert_pass(control::control, &matrices, start, fails, vec![0, 7, 0, 0], 20);
}

#[test]
fn lists_in_lists_are_joined() {
    let many = |lists: &Vec<Vec<u32>>| lists.iter().map(Vec::len).sum::<usize>() >= 3;
    assert_pass(merge::merge, &vec_of(lists(), ..), vec![vec![1, 2], vec![], vec![3]], many, vec![vec![1, 2, 3]], 1);
    let named = |parts: &Vec<(u32, Vec<u32>)>| parts.iter().flat_map(|part| &part.1).count() >= 3;
    let before = vec![(7, vec![1, 2]), (8, vec![3])];
    assert_pass(merge::merge, &vec_of((0..=9u32, lists()), ..), before, named, vec![(7, vec![1, 2, 3])], 1);
}

#[test]
fn a_length_drawn_before_is_lowered_with_its_list() {
    let counted =
        (1..=100usize).bind_with_focus(|count| vec_of(0..=1000u32, *count), |list: &Vec<u32>| Some(list.len()));
    let large = |list: &Vec<u32>| list.contains(&900);
    assert_pass(control::control, &counted, vec![5, 900, 7, 1], large, vec![900], 8);
}

/// A number, then so many numbers beside it, as in the body of a property.
struct Counted;

impl Counted {
    fn draw(candidate: &Choices) -> (Vec<u32>, Choices) {
        let mut replay = Replay::lenient(candidate);
        let mut source = Source::asking(&mut replay);
        let count = (0..=20u32).generate(&mut source).unwrap();
        let numbers = (0..count).map(|_| (0..=1000u32).generate(&mut source).unwrap()).collect();
        let _last = (0..=9u32).generate(&mut source).unwrap();
        (numbers, source.into_choices())
    }
}

impl Trial for Counted {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        Replayed::Made(Counted::draw(candidate).1)
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        let (numbers, made) = Counted::draw(candidate);
        if numbers.iter().any(|number| *number >= 50) { Tried::Fails(made) } else { Tried::Passes }
    }
}

#[test]
fn a_count_is_lowered_with_what_stands_beside_it() {
    for (before, after) in [("3 0 60 0 0", "1 60 0"), ("4 0 0 0 70 8", "1 70 8"), ("3 55 1 2 8", "1 55 1")] {
        let mut trial = Counted;
        let mut go_on = || true;
        let mut door = Door::new(&before.parse().unwrap(), &mut trial, &mut go_on, 1000);
        control::control(&mut door).unwrap();
        assert_eq!(door.best().choices.to_string(), after);
        assert!(door.runs <= 6, "{before}: {} runs", door.runs);
    }
}

#[test]
fn characters_become_the_first_of_their_kind() {
    let texts = any::<String>();
    let count = |text: &String, is_wanted: fn(char) -> bool| text.chars().filter(|c| is_wanted(*c)).count();
    let capitals = |text: &String| count(text, char::is_uppercase) == 2;
    assert_pass(numbers::characters, &texts, "ѠЖ".to_owned(), capitals, "AA".to_owned(), 1);
    let both = |text: &String| count(text, char::is_uppercase) == 1 && count(text, char::is_numeric) == 1;
    // One is lowered at a time: the other still fails all of them together.
    assert_pass(numbers::characters, &texts, "Ж٣".to_owned(), both, "A٣".to_owned(), 4);
    // What is not one of all characters is no character, as far as can be told.
    let digits = string_of('0'..='٩', ..);
    assert_pass(
        numbers::characters,
        &digits,
        "٣".to_owned(),
        |text| count(text, char::is_numeric) == 1,
        "٣".to_owned(),
        0,
    );
}

#[test]
fn numbers_are_lowered() {
    assert_pass(numbers::number, &(0..=u64::MAX), 987_654_321_012, |number| *number >= 1234, 1234, 25);
    assert_pass(numbers::number, &any::<i64>(), -987_654_321_012, |number| *number <= -1234, -1234, 25);
    // The sign that is simpler is found where a search ends.
    assert_pass(numbers::number, &any::<i64>(), -5000, |number| number.abs() >= 1234, 1234, 25);
    assert_pass(floats::round, &any::<f64>(), 9_007_199_254_740_994.0, |number| *number >= 1.5, 2.0, 3);
    assert_pass(floats::round, &any::<f64>(), -1e300, |number| *number <= -1.5, -2.0, 4);
    let sorted = |list: &Vec<u32>| !list.is_sorted();
    assert_pass(numbers::rank, &lists(), vec![741, 8, 52], sorted, vec![2, 0, 1], 1);
    assert_pass(numbers::rank_all, &lists(), vec![741, 8, 52], sorted, vec![2, 0, 1], 1);
    assert_pass(floats::round, &any::<f64>(), 0.015_625, |number| *number > 0.0 && *number < 0.1, 0.0625, 10);
    assert_pass(floats::round, &any::<f32>(), 1.000_976_6, |number| *number > 1.0 && *number < 2.0, 1.5, 6);
}

#[test]
fn numbers_change_together() {
    let pairs = || tuple((0..=1000u32, 0..=1000u32));
    assert_pass(pairs::equal, &pairs(), (740, 740), |(a, b)| a == b && *a >= 10, (10, 10), 25);
    assert_pass(pairs::together, &pairs(), (744, 740), |(a, b)| *a == b + 4 && *a >= 10, (10, 6), 25);
    assert_pass(pairs::transfer, &pairs(), (300, 400), |(a, b)| a + b == 700, (0, 700), 2);
    assert_pass(pairs::transfer, &pairs(), (700, 500), |(a, b)| a + b >= 1200, (200, 1000), 12);
    assert_pass(pairs::balance, &pairs(), (2, 50), |(a, b)| a * b >= 100, (25, 26), 1);
    let three = tuple((0..=1000u32, 0..=1000u32, 0..=1000u32));
    assert_pass(pairs::balance, &three, (7, 11, 13), |(a, b, c)| a * b * c >= 1000, (10, 10, 10), 12);
    let distances = |list: &Vec<i32>| list.len() == 3 && list.windows(2).all(|pair| pair[1] - pair[0] == 7);
    assert_pass(pairs::translate, &vec_of(-99..=99i32, ..), vec![5, 12, 19], distances, vec![-7, 0, 7], 14);
    assert_pass(pairs::trade, &pairs(), (3, 997), |(a, b)| a + b >= 1000, (0, 1000), 2);
}

/// Searches until it is in vain: that must end at `after`, in at most `most` runs.
#[track_caller]
fn assert_relation<G: Generator>(
    generator: &G,
    before: G::Value,
    fails: impl Fn(&G::Value) -> bool,
    after: G::Value,
    most: u64,
) where
    G::Value: PartialEq + Debug,
{
    assert!(fails(&before) && fails(&after));
    let start = generator.choices_of(&before).unwrap();
    let mut trial = Fails(generator, fails);
    let mut go_on = || true;
    let mut door = Door::new(&start, &mut trial, &mut go_on, u64::MAX);
    loop {
        let before = door.version();
        door.begin_search();
        door.allot(false);
        door.begin("relations");
        assert!(matches!(relations::relations(&mut door), Ok(()) | Err(Over::Enough)));
        if door.version() == before {
            break;
        }
    }
    assert_eq!(generator.replay(&door.best().choices), after);
    let runs = door.runs - door.runs_in_vain();
    assert!(runs <= most, "{runs} runs");
}

#[test]
fn what_numbers_have_in_common_is_found() {
    let pairs = || tuple((0..=1000u32, 0..=1000u32));
    assert_relation(&(0..=100_000u32), 70_041, |number| number % 50 == 41, 41, 120);
    assert_relation(&(0..=100_000u32), 20_771, |number| number % 97 == 13, 13, 40);
    assert_relation(&(0..=1_000_000u32), 600_135, |number| number % 150 == 135, 135, 320);
    assert_relation(&pairs(), (0, 30), |(a, b)| 3 * a + 2 * b == 60, (20, 0), 50);
    assert_relation(&pairs(), (300, 617), |(a, b)| *b == 2 * a + 17 && *a >= 10, (10, 37), 60);
    assert_relation(&pairs(), (3, 160), |(a, b)| a * b == 480, (20, 24), 150);
    assert_relation(&pairs(), (12, 89), |(a, b)| a ^ b == 85, (0, 85), 150);
    assert_relation(&pairs(), (512, 727), |(a, b)| a ^ b == 215 && *a >= 288, (320, 407), 6_000);
    let three = tuple((0..=20u32, 0..=20u32, 0..=20u32));
    assert_relation(&three, (8, 1, 20), |(a, b, c)| 5 * a + 2 * b + 9 * c == 222, (12, 0, 18), 1_000);
    // The step back over 0.
    let signed = tuple((-1000..=1000i32, -1000..=1000i32));
    assert_relation(&signed, (40, 300), |(a, b)| *b == 3 * a + 180, (-60, 0), 1_000);
}

#[test]
fn floats_are_rounded_and_moved() {
    let pairs = || tuple((any::<f64>(), any::<f64>()));
    let close = |least: f64| move |(a, b): &(f64, f64)| *a >= least && a != b && (a - b).abs() < 0.001;
    let apart = 0.000_976_562_5;
    assert_pass(floats::together, &pairs(), (430.140_625, 430.140_625 - apart), close(0.0), (0.0, -apart), 30);
    assert_pass(floats::together, &pairs(), (430.25, 430.25 + apart), close(83.0), (83.0, 83.0 + apart), 40);
    assert_pass(floats::round, &any::<f64>(), 0.5f64.powi(17), |x| *x > 0.0 && *x < 0.000_06, 0.5f64.powi(15), 30);
    assert_pass(
        floats::round,
        &any::<f64>(),
        8.999_994_000_07,
        |x| *x < 9.0 && *x > 8.999_994,
        9.0 - 0.5f64.powi(18),
        25,
    );
    assert_pass(floats::round, &within(0.0..=1.0), 0.412_345, |x| *x >= 0.35, 1.0, 1);
}

#[test]
fn what_is_alike_is_put_in_order() {
    let is_palindrome =
        |list: &Vec<u32>| list.iter().eq(list.iter().rev()) && [0, 1, 2].iter().all(|n| list.contains(n));
    assert_pass(reorder::exchange_equal, &lists(), vec![1, 0, 2, 0, 1], is_palindrome, vec![0, 1, 2, 1, 0], 1);
    assert_pass(reorder::mirrored, &lists(), vec![1, 0, 0, 2, 0, 0, 1], is_palindrome, vec![0, 1, 0, 2, 0, 1, 0], 1);
    let nested = vec_of(vec_of(0..=9u32, ..=4), ..);
    let holds_five = |lists: &Vec<Vec<u32>>| lists.iter().map(Vec::len).sum::<usize>() >= 5;
    assert_pass(
        reorder::to_a_later_list,
        &nested,
        vec![vec![0; 3], vec![0; 2]],
        holds_five,
        vec![vec![0], vec![0; 4]],
        3,
    );
    let all = |list: &Vec<u32>| [1, 2, 3].iter().all(|number| list.contains(number));
    assert_pass(reorder::sort, &lists(), vec![3, 1, 2], all, vec![1, 2, 3], 1);
    let last = |list: &Vec<u32>| all(list) && list[2] == 1;
    assert_pass(reorder::sort, &lists(), vec![3, 2, 1], last, vec![2, 3, 1], 3);
    let last_after_both = |list: &Vec<u32>| {
        let place = |number| list.iter().position(|other| *other == number);
        list.len() == 5 && place(2) < place(1) && place(1) < place(3) && place(2).is_some()
    };
    assert_pass(reorder::insert, &lists(), vec![0, 2, 1, 3, 0], last_after_both, vec![0, 0, 2, 1, 3], 2);
    let squares = vec_of(vec_of(0..=100u32, 2), 2);
    let two_large = |lists: &Vec<Vec<u32>>| lists.iter().flatten().filter(|number| **number >= 50).count() >= 2;
    assert_pass(
        reorder::other_place,
        &squares,
        vec![vec![0, 50], vec![0, 50]],
        two_large,
        vec![vec![0, 0], vec![50, 50]],
        3,
    );
    // To an earlier place only if it is lower there.
    let three_or_two = |(a, b): &(u32, u32)| *a == 2 || *b == 3;
    assert_pass(reorder::other_place, &tuple((0..=9u32, 0..=9u32)), (0, 3), three_or_two, (2, 0), 1);
    let two = tuple((lists(), lists()));
    assert_pass(reorder::swap, &two, (vec![7], vec![]), |(a, b)| a.len() + b.len() == 1, (vec![], vec![7]), 1);
}

/// Tells what it recorded of what the generator refused.
struct FailsTelling<'g, G, F>(Fails<'g, G, F>, Option<Choices>);

impl<G: Generator, F: Fn(&G::Value) -> bool> Trial for FailsTelling<'_, G, F> {
    fn replay(&mut self, candidate: &Choices) -> Replayed {
        let mut replay = Replay::lenient(candidate);
        let mut source = Source::asking(&mut replay);
        let is_made = self.0.0.generate(&mut source).is_ok();
        let made = source.into_choices();
        if is_made {
            return Replayed::Made(made);
        }
        self.1 = Some(made);
        Replayed::Nothing
    }

    fn run(&mut self, candidate: &Choices) -> Tried {
        self.0.run(candidate)
    }

    fn recorded(&mut self) -> Option<Choices> {
        self.1.take()
    }
}

/// Whether a search through everything says that nothing simpler than `best` fails.
fn is_called_least<G: Generator>(generator: &G, best: &G::Value, fails: impl Fn(&G::Value) -> bool) -> bool {
    let start = generator.choices_of(best).unwrap();
    let mut trial = FailsTelling(Fails(generator, fails), None);
    let mut go_on = || true;
    let mut door = Door::new(&start, &mut trial, &mut go_on, 10_000);
    exhaust::everything(&mut door).unwrap();
    door.version() == 0 && door.is_least()
}

#[test]
fn a_set_behind_a_filter_is_not_called_the_least() {
    let is_simpler = |set: &std::collections::BTreeSet<u8>| *set == [0, 23].into() || *set == [0, 40].into();
    let all = set_of(0..=40u8, ..=2);
    assert!(!is_called_least(&all, &[0, 40].into(), is_simpler));
    assert!(is_called_least(&all, &[0, 23].into(), is_simpler));
    // No item beside 0 is found within a few steps, and there are some nevertheless.
    let few = set_of(within(0..=40u8).filter(|number| [0, 9, 23, 40].contains(number)), ..=2);
    assert!(!is_called_least(&few, &[0, 40].into(), is_simpler));
}

#[test]
fn few_simpler_ones_are_all_tried() {
    let numbers = tuple((0..=7u32, 0..=7u32));
    assert_pass(exhaust::everything, &numbers, (0, 4), |(a, b)| (a * 3 + b * 5) % 11 == 9, (3, 0), 8);
}

#[test]
fn what_is_not_to_be_shrunk_stays() {
    let pairs = tuple(((0..=9u32).no_shrink(), 0..=9u32, lists().no_shrink()));
    let smallest = pairs.shrink((3, 4, vec![5, 6]), |pair| pair.0 > 0 && !pair.2.is_empty()).unwrap();
    assert_eq!(smallest.value, (3, 0, vec![5, 6]));
}

#[test]
fn a_flaky_property_ends_with_something_that_failed() {
    let mut asked = 0;
    let mut failed = vec![vec![5, 6, 7]];
    let smallest = lists().shrink(vec![5, 6, 7], |list| {
        asked += 1;
        let fails = asked % 3 != 0 && !list.is_empty();
        if fails {
            failed.push(list.clone());
        }
        fails
    });
    let smallest = smallest.unwrap();
    assert!(failed.contains(&smallest.value), "{smallest:?}");
}

/// Passes for what holds itself.
#[cfg(feature = "macros")]
mod recursive_parts {
    use super::super::{arms, hoist, rearrange};
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Term {
        Number(u32),
        Not(Box<Term>),
        And(bool, Box<Term>, Box<Term>),
    }

    #[generator]
    fn term() -> Term {
        match pick() {
            "number" => {
                let number = draw(0..=1000u32);
                Term::Number(number)
            }
            "not" => {
                let inner = draw(term());
                Term::Not(Box::new(inner))
            }
            "and" => {
                let is_or = draw(any::<bool>());
                let left = draw(term());
                let right = draw(term());
                Term::And(is_or, Box::new(left), Box::new(right))
            }
        }
    }

    fn number(number: u32) -> Term {
        Term::Number(number)
    }

    fn not(inner: Term) -> Term {
        Term::Not(Box::new(inner))
    }

    fn and(is_or: bool, left: Term, right: Term) -> Term {
        Term::And(is_or, Box::new(left), Box::new(right))
    }

    fn holds_nine(term: &Term) -> bool {
        match term {
            Term::Number(number) => *number == 9,
            Term::Not(inner) => holds_nine(inner),
            Term::And(_, left, right) => holds_nine(left) || holds_nine(right),
        }
    }

    #[test]
    fn parts_of_the_same_generator_are_hoisted() {
        let deep = (0..200).fold(number(9), |inner, _| and(false, inner, number(1)));
        assert_pass(hoist::hoist, &term(), deep, holds_nine, number(9), 20);
        assert_pass(hoist::hoist, &term(), and(true, number(3), not(number(9))), holds_nine, number(9), 6);
    }

    #[test]
    fn other_arms_are_taken() {
        let shallow = |term: &Term| holds_nine(term) && !matches!(term, Term::Number(_));
        assert_pass(arms::earlier_arm, &term(), and(false, number(1), number(9)), shallow, not(number(9)), 4);
        // Less is needed beside another arm.
        let mixed = |term: &Term| match term {
            Term::And(is_or, _, right) => *is_or || **right == number(4),
            _ => false,
        };
        assert_pass(
            arms::later_arm,
            &term(),
            and(false, number(0), number(4)),
            mixed,
            and(true, number(0), number(0)),
            3,
        );
    }

    #[test]
    fn an_arm_says_what_a_number_said() {
        let says = |term: &Term| match term {
            Term::And(_, left, right) => **left == number(2) || matches!(**right, Term::Not(_)),
            _ => false,
        };
        let after = and(false, number(0), not(number(0)));
        assert_pass(arms::number_to_arm, &term(), and(false, number(2), number(0)), says, after, 4);
    }

    #[test]
    fn numbers_follow_what_is_hoisted() {
        fn is_counted(term: &Term, depth: u32) -> bool {
            match term {
                Term::Number(number) => *number == depth && depth > 0,
                Term::Not(inner) => is_counted(inner, depth + 1),
                Term::And(..) => false,
            }
        }
        let counted = |term: &Term| is_counted(term, 0);
        assert_pass(hoist::hoist_and_shift, &term(), not(not(not(number(3)))), counted, not(not(number(2))), 2);
    }

    #[generator]
    fn rectangle() -> (u32, u32, Vec<u8>) {
        let height = draw(1..=10u32);
        let width = draw(1..=10u32);
        let bits = draw(vec_of(0..=1u8, (height * width) as usize));
        (height, width, bits)
    }

    #[test]
    fn numbers_that_control_a_list_together_are_exchanged() {
        let with_a_one = |height: u32, width: u32| {
            let mut bits = vec![0; (height * width) as usize];
            *bits.last_mut().unwrap() = 1;
            (height, width, bits)
        };
        let is_long = |(_, _, bits): &(u32, u32, Vec<u8>)| bits.len() >= 24 && bits.contains(&1);
        assert_pass(control::control_two, &rectangle(), with_a_one(5, 5), is_long, with_a_one(4, 6), 4);
        // One that can be the simplest is.
        let is_even = |(_, _, bits): &(u32, u32, Vec<u8>)| bits.len() == 8 && bits[7] == 1;
        assert_pass(control::control_two, &rectangle(), with_a_one(2, 4), is_even, with_a_one(1, 8), 2);
    }

    #[test]
    fn parts_go_to_later_places() {
        let before = and(false, and(false, number(0), number(0)), and(false, number(0), number(0)));
        let after = and(false, number(0), and(false, number(0), and(false, number(0), number(0))));
        fn ands(term: &Term) -> usize {
            match term {
                Term::Number(_) => 0,
                Term::Not(inner) => ands(inner),
                Term::And(_, left, right) => 1 + ands(left) + ands(right),
            }
        }
        assert_pass(hoist::graft, &term(), before, |term| ands(term) == 3, after, 2);
    }

    #[test]
    fn small_parts_are_built_anew() {
        fn ands(term: &Term) -> usize {
            match term {
                Term::Number(_) => 0,
                Term::Not(inner) => ands(inner),
                Term::And(_, left, right) => 1 + ands(left) + ands(right),
            }
        }
        let before = and(false, and(false, number(0), and(false, number(0), number(0))), number(5));
        let after = and(false, number(0), and(false, number(0), and(false, number(0), number(0))));
        assert_pass(rearrange::rearrange, &term(), before, |term| ands(term) == 3, after, 20);
    }
}

#[test]
fn steps_by_hand_are_taken_one_by_one() {
    let halved = (0..=1000u32).shrink_with(|number| [number / 2, number.saturating_sub(1)]);
    // 50, 25, 12, 11, 10, with two questions from 12 and 11 each, and two at the end.
    assert_pass(steps::steps, &halved, 100, |number| *number >= 10, 10, 9);
    let pairs = tuple((halved.clone(), halved));
    assert_pass(steps::steps, &pairs, (5, 8), |(left, right)| left + right > 9, (2, 8), 5);
}

#[test]
fn what_is_frozen_is_not_even_run() {
    let frozen = tuple(((0..=1000u32).no_shrink(), (0..=1000u32).no_shrink()));
    for pass in [zero::simplest, zero::zero_all, zero::minimize, numbers::number, reorder::swap, exhaust::everything] {
        assert_pass(pass, &frozen, (500, 3), |_| true, (500, 3), 0);
    }
    let lists = vec_of((0..=1000u32).no_shrink(), ..);
    for pass in [delete::fuse, reorder::sort, merge::merge] {
        assert_pass(pass, &lists, vec![7, 5], |_| true, vec![7, 5], 0);
    }
}

#[test]
fn a_step_over_zero_is_taken_on_the_other_side_too() {
    let integers = any::<i16>();
    assert_pass(relations::relations, &integers, 8016, |number| number % 16 == 0 && *number != 0, -16, 100);
}

#[test]
fn floats_that_overflow_together_do_not_creep() {
    let pairs = tuple((any::<f64>(), any::<f64>()));
    let fails = |(one, other): &(f64, f64)| one.is_finite() && other.is_finite() && (one + other).is_infinite();
    let start = pairs.choices_of(&(-1.3e308, -1.7e308)).unwrap();
    let shrunk = Shrinker::new().shrink_by(&start, &mut Fails(&pairs, fails), &mut || true);
    assert_eq!(pairs.replay(&shrunk.choices).1, f64::MAX);
    assert!(shrunk.runs - shrunk.in_vain <= 1000, "{} runs", shrunk.runs);
}

#[test]
fn neighbours_that_do_not_go_from_a_long_list_take_few_runs() {
    let start: Vec<u32> = (0..600).collect();
    let start = lists().choices_of(&start).unwrap();
    let mut trial = Fails(&lists(), |list: &Vec<u32>| list.len() == 600 && list.is_sorted());
    let mut go_on = || true;
    let mut door = Door::new(&start, &mut trial, &mut go_on, 10_000);
    assert!(matches!(delete::delete_neighbours(&mut door), Err(Over::Enough)));
    assert!(door.runs <= 150);
}
