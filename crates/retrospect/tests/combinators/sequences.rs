use super::*;

#[derive(Clone, Debug, PartialEq)]
enum Op {
    Push(u8),
    Pop,
    Add,
}

fn programs(lengths: impl Into<retrospect::generator::Lengths>) -> impl Generator<Value = Vec<Op>> {
    sequence_of(
        0,
        lengths,
        |height: &u32| {
            let push = any::<u8>()
                .map_with_inverse(Op::Push, |op| if let Op::Push(number) = op { Some(*number) } else { None });
            Some(frequency((
                (2, push),
                (i32::from(*height > 0), exact(Op::Pop)),
                (i32::from(*height > 1), exact(Op::Add)),
            )))
        },
        |height, op| if matches!(op, Op::Push(_)) { height + 1 } else { height - 1 },
    )
}

#[test]
fn a_stack_machine_never_pops_an_empty_stack() {
    recalls(&programs(..));
    recalls(&programs(3..=20));
    for seed in 0..SEEDS {
        let mut height = 0;
        for op in programs(..).sample(seed) {
            match op {
                Op::Push(_) => height += 1,
                Op::Pop => height -= 1,
                Op::Add => {
                    assert!(height >= 2);
                    height -= 1;
                }
            }
            assert!(height >= 0);
        }
    }
    let (path, why) = reason(&programs(..), &vec![Op::Push(1), Op::Pop, Op::Pop]);
    assert_eq!(path, "[2]");
    assert!(why.contains("arm 1 of `frequency`") && why.contains("weighs 0, so it is absent"), "{why}");
    assert_eq!(reason(&programs(5..), &vec![Op::Push(1)]).1, "its length 1 is below 5");
    // An item dropped from the middle is still a program, or is made one.
    let program = programs(..).replay(&"[1: 0:(5) 1: 1:]".parse().unwrap());
    assert_eq!(program, [Op::Push(0), Op::Push(5), Op::Pop, Op::Pop]);
}

/// 3, 2, 1, and nothing more.
fn countdown(lengths: impl Into<retrospect::generator::Lengths>) -> impl Generator<Value = Vec<u32>> {
    sequence_of(3, lengths, |left: &u32| (*left > 0).then(|| exact(*left)), |left, _| left - 1)
}

#[test]
fn a_sequence_may_end_early() {
    recalls(&countdown(0..=3));
    // Longer ones are cut off, and recorded as they came out.
    obeys(&countdown(0..=10));
    assert!((0..SEEDS).all(|seed| countdown(0..=10).sample(seed).len() <= 3));
    assert_eq!(countdown(0..=10).replay(&"[{} {} {} {} {}]".parse().unwrap()), [3, 2, 1]);
    assert!(countdown(0..=10).replay_exact(&"[{} {} {} {} {}]".parse().unwrap()).is_err());
    let (path, why) = reason(&countdown(..), &vec![3, 2, 1, 0]);
    assert_eq!(path, "[3]");
    assert!(why.starts_with("in `sequence_of` (") && why.ends_with(") nothing can follow after 3 items"), "{why}");
    assert_eq!(reason(&countdown(..), &vec![3, 1]), ("[1]".to_owned(), "it is not 2".to_owned()));
    let line = line!() + 1;
    let short = sequence_of(3, 5.., |left: &u32| (*left > 0).then(|| exact(*left)), |left, _| left - 1);
    assert_eq!(
        stopped(&short),
        format!("in `sequence_of` ({}) nothing can follow after 3 items, and there must be at least 5", here(line))
    );
}

#[test]
fn states_need_not_be_copied() {
    // The state is moved along: a hundred thousand steps with a growing state take no time.
    let lists = sequence_of(
        Vec::new(),
        100_000,
        |seen: &Vec<u32>| Some(0..=seen.len() as u32),
        |mut seen, item| {
            seen.push(*item);
            seen
        },
    );
    let value = lists.sample(1);
    assert!(lists.accepts(&value));
}

#[test]
fn boxed_items_differ_by_state() {
    let mixed = sequence_of(
        false,
        ..,
        |is_second: &bool| Some(if *is_second { (0..10).boxed() } else { element_of([100, 200]).boxed() }),
        |is_second, _| !is_second,
    );
    recalls(&mixed);
    assert!(mixed.accepts(&vec![100, 3, 200]));
    assert!(!mixed.accepts(&vec![100, 100]));
}
