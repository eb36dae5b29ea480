use super::*;
use retrospect::generator::Recursive;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Nest(pub(crate) Vec<Nest>);

pub(crate) fn nests() -> Recursive<'static, Nest> {
    recursive(|nest| vec_of(nest, ..).map_with_focus(Nest, |nest| Some(&nest.0)))
}

#[derive(Clone, Debug, PartialEq)]
enum Nat {
    Z,
    S(Box<Nat>),
}

fn nat(number: usize) -> Nat {
    (0..number).fold(Nat::Z, |nat, _| Nat::S(Box::new(nat)))
}

fn succ(nat: Nat) -> Nat {
    Nat::S(Box::new(nat))
}

fn pred(nat: &Nat) -> Option<&Nat> {
    if let Nat::S(nat) = nat { Some(nat) } else { None }
}

/// A number is Z or the successor of one, in exactly one way.
fn g1() -> Recursive<'static, Nat> {
    recursive(|g1| labelled((("Z", exact(Nat::Z)), ("S", g1.map_with_focus(succ, pred)))))
}

/// Exponential overlap: any sum of ones and twos.
fn ge() -> Recursive<'static, Nat> {
    recursive(|ge| {
        labelled((
            ("Z", exact(Nat::Z)),
            ("S", ge.clone().map_with_focus(succ, pred)),
            ("2", ge.map_with_focus(|nat| succ(succ(nat)), |nat| pred(pred(nat)?))),
        ))
    })
}

/// Infinite overlap: one arm changes nothing.
fn gi() -> Recursive<'static, Nat> {
    recursive(|gi| labelled((("Z", exact(Nat::Z)), ("S", gi.clone().map_with_focus(succ, pred)), ("inf", gi))))
}

#[test]
fn the_papers_naturals() {
    recalls(&g1());
    obeys(&ge());
    assert_eq!(g1().ways_of(&nat(5)).count().to_string(), "1");
    // As many as the paper counts.
    assert_eq!(ge().ways_of(&nat(5)).count().to_string(), "8");
    assert_eq!(ge().ways_of(&nat(10)).count().to_string(), "89");
    let Overlap::Infinite { cycle } = gi().ways_of(&nat(5)).count() else { panic!("there are infinitely many ways") };
    assert_eq!(cycle, "gi");
    for seed in 0..SEEDS {
        let value = gi().sample(seed);
        assert_eq!(gi().replay(&gi().choices_of(&value).unwrap()), value);
    }
}

#[test]
fn overlap_of_ten_thousand_is_found_in_linear_time() {
    retrospect::with_deep_stack(|| {
        let ways = ge().ways_of(&nat(10_000)).count().to_string();
        // The 10,001st Fibonacci number has 2090 digits.
        assert_eq!(ways.len(), 2090);
        assert!(ways.starts_with("54438373113565281338"), "{}", &ways[..60]);
    });
}

#[test]
fn what_cannot_be_made_is_refused_in_linear_time() {
    // Numbers that never reach their end: every arm fails only there, and there are exponentially
    // many ways to it.
    let endless = recursive(|itself| {
        one_of((
            itself.clone(),
            itself.clone().map_with_focus(succ, pred),
            itself.clone().map_with_focus(|nat| succ(succ(nat)), |nat| pred(pred(nat)?)),
            exact(nat(7)).filter(|_| false),
            itself,
        ))
    });
    retrospect::with_deep_stack(|| {
        for number in [0, 1, 5, 30, 3000] {
            let value = nat(number);
            assert!(!endless.accepts(&value));
            assert_eq!(endless.ways_of(&value).count(), Overlap::Finite(0.into()));
            assert!(endless.choices_of(&value).is_err());
        }
    });
}

#[test]
fn arms_that_fail_after_their_inside_was_made_are_looked_at_in_polynomial_time() {
    let refused = |nat: &Nat| *nat == Nat::Z;
    let late = recursive(|late| {
        let next = late.map_with_focus(succ, pred);
        one_of((exact(Nat::Z), next.clone().filter(refused), next.clone().filter(refused), next))
    });
    for number in [0, 3, 500] {
        let value = nat(number);
        assert!(late.accepts(&value));
        let choices = late.choices_of(&value).unwrap();
        assert_eq!(choices.to_string().matches("3:").count(), number);
        assert_eq!(late.replay(&choices), value);
        assert_eq!(late.ways_of(&value).count().to_string(), "1");
    }
    // The same with an arm that changes nothing, tried first.
    let cyclic = recursive(|cyclic| {
        let next = cyclic.clone().map_with_focus(succ, pred);
        one_of((cyclic, next.clone().filter(refused), exact(Nat::Z), next.clone().filter(refused), next))
    });
    for number in [0, 3, 500] {
        let value = nat(number);
        assert!(cyclic.accepts(&value));
        let choices = cyclic.choices_of(&value).unwrap();
        assert_eq!(cyclic.replay(&choices), value);
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

fn trees() -> Recursive<'static, Tree> {
    recursive(|tree| {
        let node = tuple((tree.clone(), 0..10, tree));
        one_of((
            exact(Tree::Leaf),
            node.map_with_inverse(
                |(l, x, r)| Tree::Node(Box::new(l), x, Box::new(r)),
                |tree| match tree {
                    Tree::Node(l, x, r) => Some(((**l).clone(), *x, (**r).clone())),
                    Tree::Leaf => None,
                },
            ),
        ))
    })
}

fn size(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 0,
        Tree::Node(l, _, r) => 1 + size(l) + size(r),
    }
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 0,
        Tree::Node(l, _, r) => 1 + depth(l).max(depth(r)),
    }
}

#[test]
fn trees_end_and_reflect() {
    recalls(&trees());
    assert_eq!(trees().replay(&Choices::default()), Tree::Leaf);
    let sizes: Vec<usize> = (0..1000).map(|seed| size(&trees().sample(seed))).collect();
    assert!(sizes.iter().any(|size| *size > 15), "{:?}", sizes.iter().max());
    assert!((0..1000).all(|seed| depth(&trees().sample(seed)) <= 8));
    assert_eq!(
        reason(&trees(), &Tree::Node(Box::new(Tree::Leaf), 12, Box::new(Tree::Leaf))),
        (".1".to_owned(), "12 is not in 0..10".to_owned())
    );
    // At size 0 only what ends is drawn.
    for seed in 0..SEEDS {
        assert_eq!(trees().generate(&mut Source::random(seed).with_size(0)), Ok(Tree::Leaf));
    }
}

#[test]
fn at_size_0_every_arm_that_ends_is_drawn() {
    let values = recursive(|value| {
        one_of((
            exact("null".to_owned()),
            value.clone().map(|value| format!("[{value}]")),
            exact("true".to_owned()),
            tuple((value.clone(), value)).map(|pair| format!("{pair:?}")),
        ))
    });
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..SEEDS {
        seen.insert(values.generate(&mut Source::random(seed).with_size(0)).unwrap());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["null", "true"]);
}

#[test]
fn at_size_0_a_filter_is_no_recursion() {
    let numbers = one_of((exact(0), within(0..100).filter(|number| *number > 50)));
    let drawn = |seed| numbers.generate(&mut Source::random(seed).with_size(0)).unwrap();
    assert!((0..100).filter(|seed| drawn(*seed) > 50).count() > 30);
}

#[test]
fn generators_that_would_grow_for_ever_end() {
    // Three items or more in each list: without a limit this has no end.
    let wide =
        recursive(|nest| one_of((exact(Nest(vec![])), vec_of(nest, 3..=9).map_with_focus(Nest, |nest| Some(&nest.0)))));
    obeys_on(&wide, 40);
    // Nothing here but a list of up to nine of its kind.
    let lists = recursive(|nest| vec_of(nest, 0..=9).map_with_focus(Nest, |nest| Some(&nest.0)));
    obeys_on(&lists, 20);
    obeys_on(&nests(), 40);
    let heavy =
        recursive(|tree| frequency(((1, exact(0)), (1000, tuple((tree.clone(), tree)).map(|(l, r)| l + r + 1)))));
    assert!((0..SEEDS).map(|seed| heavy.sample(seed)).max() > Some(50));
}

#[test]
fn a_generator_without_a_simplest_value_says_so() {
    let endless = recursive(|nat| one_of((nat.clone().map_with_focus(succ, pred), nat)));
    let Err(why) = endless.try_replay(&Choices::default()) else { panic!("it never ends") };
    assert!(matches!(why, Why::NeverEnds { .. }), "{why}");
    assert!(why.to_string().starts_with("the value never ends: every arm of `one_of`"), "{why}");
}

#[test]
fn a_hundred_thousand_levels_need_no_stack() {
    let deep = |levels: usize| (0..levels).fold(Nest(vec![]), |nest, _| Nest(vec![nest]));
    retrospect::with_deep_stack(move || {
        let value = deep(100_000);
        // On a small stack of its own, where plain recursion would overflow.
        let (choices, again) = std::thread::scope(|scope| {
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let work = || {
                let nests = nests();
                assert!(nests.accepts(&value));
                assert_eq!(nests.ways_of(&value).count().to_string(), "1");
                let choices = nests.choices_of(&value).unwrap();
                let again = nests.replay(&choices);
                (choices, again)
            };
            small.spawn_scoped(scope, work).unwrap().join().unwrap()
        });
        assert_eq!(choices.choice_count(), 100_001);
        assert!(again == value);
        // What cannot be made is refused as soon, with the end of the way to it.
        let strict = recursive(|nest| vec_of(nest, 1..).map_with_focus(Nest, |nest| Some(&nest.0)));
        let error = strict.choices_of(&value).unwrap_err();
        assert_eq!(error.reason(), "its length 0 is below 1");
        assert!(error.path().starts_with("…99960 steps…[0]"), "{}", error.path());
        drop((value, again));
    });
}

#[test]
fn a_hundred_thousand_cells() {
    // Three brackets to a level: the level, the arms, the pair.
    #[derive(Debug, PartialEq)]
    struct Cell(Option<(u8, Box<Cell>)>);
    fn cells() -> Recursive<'static, Cell> {
        recursive(|cell| {
            let next = cell.map_with_focus(Box::new, |next| Some(&**next));
            let pair = tuple((0..10, next)).map_with_focus(Some, Option::as_ref);
            one_of((exact_none(), pair)).map_with_focus(Cell, |cell| Some(&cell.0))
        })
    }
    fn exact_none() -> impl Generator<Value = Option<(u8, Box<Cell>)>> + Send + Sync {
        exact(()).map_with_inverse(|()| None, |cell: &Option<(u8, Box<Cell>)>| cell.is_none().then_some(()))
    }
    obeys(&cells());
    retrospect::with_deep_stack(|| {
        let value = (0..100_000u32).fold(Cell(None), |next, number| Cell(Some(((number % 10) as u8, Box::new(next)))));
        let choices = cells().choices_of(&value).unwrap();
        let again = cells().replay(&choices);
        assert!(again == value);
    });
}

fn lazy_trees() -> impl Generator<Value = Tree> {
    one_of((
        exact(Tree::Leaf),
        tuple((lazy(lazy_trees), 0..10, lazy(lazy_trees))).map_with_inverse(
            |(l, x, r)| Tree::Node(Box::new(l), x, Box::new(r)),
            |tree| match tree {
                Tree::Node(l, x, r) => Some(((**l).clone(), *x, (**r).clone())),
                Tree::Leaf => None,
            },
        ),
    ))
}

fn lazy_gi() -> Boxed<'static, Nat> {
    one_of((exact(Nat::Z), lazy(lazy_gi), lazy(lazy_gi).map_with_focus(succ, pred))).boxed()
}

fn even() -> impl Generator<Value = Nat> {
    one_of((exact(Nat::Z), lazy(odd).map_with_focus(succ, pred)))
}

fn odd() -> impl Generator<Value = Nat> {
    lazy(even).map_with_focus(succ, pred)
}

#[test]
fn functions_that_call_themselves() {
    recalls(&lazy_trees());
    assert!((0..1000).all(|seed| depth(&lazy_trees().sample(seed)) <= 10));
    recalls(&even());
    assert!(even().accepts(&nat(10)) && !even().accepts(&nat(11)));
    assert!(odd().accepts(&nat(11)) && !odd().accepts(&nat(10)));
    let Overlap::Infinite { cycle } = lazy_gi().ways_of(&nat(5)).count() else {
        panic!("there are infinitely many ways")
    };
    assert!(["lazy_gi", "one_of"].contains(&cycle.as_str()), "{cycle}");
    assert!(lazy_gi().accepts(&nat(50)));
    // What is captured tells generators apart.
    let limits = [3, 5];
    let captured = limits.map(|limit| lazy(move || 0..limit));
    assert!(!captured[0].accepts(&4) && captured[1].accepts(&4));
    assert_eq!(one_of(captured).ways_of(&4).count().to_string(), "1");
}

#[test]
fn mutual_recursion_inside_one_another() {
    // Folders hold files, files hold folders.
    let outer = recursive(|outer| {
        let inner = recursive(move |inner| {
            vec_of(one_of((outer.clone(), inner)), ..=3).map_with_focus(Nest, |nest| Some(&nest.0))
        });
        vec_of(inner, ..=3).map_with_focus(Nest, |nest| Some(&nest.0))
    });
    obeys(&outer);
}

#[test]
fn a_handle_that_outlives_its_generator_says_so() {
    let mut kept = None;
    let line = line!() + 1;
    drop(recursive(|itself| {
        kept = Some(itself.clone());
        one_of((exact(1), itself))
    }));
    let kept = kept.unwrap();
    let message = stopped(&kept);
    assert!(message.contains(&here(line)) && message.contains("keep what `recursive` returns"), "{message}");
    assert!(!kept.accepts(&1));
}

#[test]
fn a_recursive_generator_crosses_threads() {
    let trees = trees();
    let here = trees.sample(7);
    let there = std::thread::scope(|scope| scope.spawn(|| trees.sample(7)).join().unwrap());
    assert_eq!(here, there);
}
