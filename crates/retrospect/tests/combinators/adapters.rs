use super::*;

#[test]
fn a_filter_keeps_what_it_accepts() {
    let even = within(0..100).filter(|number| number % 2 == 0);
    recalls(&even);
    let line = line!() + 1;
    let even = within(0..100).filter(|number| number % 2 == 0);
    assert_eq!(reason(&even, &7), (String::new(), format!("the filter at {} refuses it", here(line))));
    assert_eq!(reason(&even, &102).1, "102 is not in 0..100");
    recalls(&vec_of(one_of((even.clone(), within(1000..2000).filter(|number| number % 3 == 0))), ..));
}

#[test]
fn the_condition_sees_only_what_the_generator_makes() {
    let fractions = within(1..10u8).filter(|number| 100 / number > 20);
    assert!(!fractions.accepts(&0));
}

#[test]
fn a_filter_that_refuses_everything_is_an_error_soon() {
    let line = line!() + 1;
    let never = any::<u64>().filter(|_| false);
    let place = format!("{}:{line}", file!());
    let why = stopped(&never);
    assert!(
        why.starts_with(&format!("the filter at {place}")) && why.contains("refused 10000 of 10000 values"),
        "{why}"
    );
    // The innermost filter that refuses everything ends it, at once.
    let why = stopped(&never.filter(|_| true).filter(|_| true));
    assert!(why.contains("refused 10000 of 10000 values"), "{why}");
    // Filters inside one another refuse 100,000 altogether.
    let line = line!() + 1;
    let rarely = any::<u64>().filter(|number| number % 100 == 0).filter(|_| false);
    let why = stopped(&rarely);
    assert!(why.starts_with(&format!("the filter at {}:{line}", file!())), "{why}");
}

#[test]
fn a_filter_draws_and_tries_again_and_nothing_else() {
    for seed in 0..20 {
        let lists = vec_of(uniform(0..1_000_000u32), 1..=6);
        let rising = lists.filter(|list| list.is_sorted());
        let mut rng = retrospect::source::Rng::new(seed);
        for (place, value) in rising.samples(seed).take(300).enumerate() {
            let mut source = Source::random(rng.next()).with_size((place as u32).min(100));
            let drawn = std::iter::repeat_with(|| lists.generate(&mut source).unwrap()).find(|list| list.is_sorted());
            assert_eq!(Some(value), drawn);
        }
    }
}

#[test]
fn a_filter_that_refuses_everything_at_a_tiny_size_tries_larger_ones() {
    let some = vec_of(any::<u8>(), ..).filter(|list| !list.is_empty());
    let many = vec_of(any::<u8>(), ..).filter(|list| list.len() > 40);
    for seed in 0..20 {
        assert!(some.samples(seed).take(20).all(|list| !list.is_empty()));
        assert!(many.samples(seed).take(20).all(|list| list.len() > 40));
        // The first values are still small.
        assert!(some.samples(seed).next().unwrap().len() < 3);
        let mut source = Source::recording(seed).with_size(1);
        let value = many.generate(&mut source).unwrap();
        assert_eq!(source.size(), 1);
        assert_eq!(many.replay(&source.into_choices()), value);
        let property = Check::new().seed(seed).save(false);
        assert_eq!(property.failure_of_case(|case| assert!(case.draw(some.clone()).len() < 200)), None);
    }
    // A share that grows with the refusals is no probability, and one that hardly ever does is.
    let coins = vec_of(any::<bool>(), ..);
    let wide = coins.filter(|list| list.len() > 9);
    let error = wide.ways_of(&vec![true; 10]).at_size(10).probability().unwrap_err().to_string();
    assert!(error.contains("that it also draws at larger sizes"), "{error}");
    let narrow = coins.filter(|list| !list.is_empty());
    assert!(narrow.ways_of(&vec![true]).at_size(2).probability().is_ok());
}

#[derive(Clone, Debug, Generate)]
enum Branching {
    End,
    One(Box<Branching>),
    Two(Box<Branching>, Box<Branching>),
}

fn nodes(tree: &Branching) -> usize {
    match tree {
        Branching::End => 1,
        Branching::One(inner) => 1 + nodes(inner),
        Branching::Two(left, right) => 1 + nodes(left) + nodes(right),
    }
}

#[derive(Clone, Debug, Generate)]
enum Chain {
    Nil,
    Cons(u8, Box<Chain>),
}

fn links(chain: &Chain) -> usize {
    match chain {
        Chain::Nil => 0,
        Chain::Cons(_, rest) => 1 + links(rest),
    }
}

#[test]
fn a_filter_of_a_derived_recursive_type_ends() {
    for seed in 0..3 {
        let property = || Check::new().seed(seed).save(false).cases(300);
        let trees = || any::<Branching>().filter(|tree| nodes(tree).is_multiple_of(7));
        assert_eq!(property().failure_of_case(|case| assert_eq!(nodes(&case.draw(trees())) % 7, 0)), None);
        let chains = || any::<Chain>().filter(|chain| links(chain) % 7 == 6);
        assert_eq!(property().failure_of_case(|case| assert_eq!(links(&case.draw(chains())) % 7, 6)), None);
    }
}

#[generator]
fn long_chain() -> Chain {
    match pick() {
        "nil" => Chain::Nil,
        #[weight(100)]
        "cons" => Chain::Cons(draw(any::<u8>()), Box::new(draw(long_chain()))),
    }
}

#[test]
fn a_filter_that_wants_a_deep_value_tries_larger_sizes() {
    let deep = long_chain().filter(|chain| links(chain) > 60);
    for seed in 0..5 {
        let mut source = Source::random(seed).with_size(1);
        assert!(links(&deep.generate(&mut source).unwrap()) > 60);
        // The next value is as shallow as its size says.
        assert!(links(&long_chain().generate(&mut source).unwrap()) < 60);
    }
}

#[test]
fn replay_asks_a_filter_once() {
    let counts = std::cell::Cell::new(0);
    let filtered = within(0..100).filter(|number| {
        counts.set(counts.get() + 1);
        *number > 50
    });
    let Err(why) = filtered.try_replay(&"3".parse().unwrap()) else { panic!("3 is refused") };
    assert!(matches!(why, Why::FilteredOut { refused: 1, .. }));
    assert_eq!(counts.get(), 1);
    assert_eq!(filtered.replay(&"60".parse().unwrap()), 60);
}

#[test]
fn a_chooser_that_may_retry_is_asked_again() {
    struct Counting(u64);
    impl Chooser for Counting {
        fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
            self.0 += 1;
            Ok(self.0.min(request.max))
        }
        fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
            Ok(request.possible_arms().next().unwrap())
        }
        fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
            Ok(request.max.min(3))
        }
        fn may_retry(&self) -> bool {
            true
        }
    }
    let mut chooser = Counting(0);
    let mut source = Source::asking(&mut chooser);
    let lists = vec_of(within(0..100).filter(|number| number % 5 == 0), ..);
    assert_eq!(lists.generate(&mut source), Ok(vec![5, 10, 15]));
    assert_eq!(source.into_choices().to_string(), "[5 10 15]");
    // One that answers what is not there is found out.
    struct Absent;
    impl Chooser for Absent {
        fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
            Ok(request.max + 1)
        }
        fn pick(&mut self, _: &PickRequest<'_>) -> Result<usize, String> {
            Ok(0)
        }
        fn repeat(&mut self, _: &RepeatRequest) -> Result<usize, String> {
            Err("no".to_owned())
        }
    }
    let source_why = |generate: &dyn Fn(&mut Source<'_>) -> Result<(), Stop>| {
        let mut chooser = Absent;
        let mut source = Source::asking(&mut chooser);
        assert!(generate(&mut source).is_err());
        source.why().unwrap().to_string()
    };
    let absent = frequency(((0, exact(1)), (1, exact(2))));
    assert!(source_why(&|source| absent.generate(source).map(drop)).contains("which is absent"));
    assert!(source_why(&|source| element_of([1, 2]).generate(source).map(drop)).contains("at most 1"));
    assert_eq!(source_why(&|source| subsequence_of([1, 2], ..).generate(source).map(drop)), "no");
}

#[test]
fn a_users_own_chooser_drives_every_combinator() {
    struct Own(Rng);
    impl Chooser for Own {
        fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
            Ok(request.random(&mut self.0))
        }
        fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
            Ok(request.random(&mut self.0))
        }
        fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
            Ok(request.random(&mut self.0))
        }
        fn may_retry(&self) -> bool {
            true
        }
    }
    let everything = tuple((
        vec_of(one_of((0..10, within(100..200).filter(|number| number % 2 == 0))), ..),
        subsequence_of([1, 2, 3, 4, 5, 6], 2..=4),
        permutation_of(['a', 'b', 'c']),
        sized(|size| 0..=size),
        recursion::nests(),
    ));
    let mut seen = std::collections::HashSet::new();
    for seed in 0..SEEDS {
        let mut chooser = Own(Rng::new(seed));
        let mut source = Source::asking(&mut chooser);
        let value = everything.generate(&mut source).expect("a value");
        let choices = source.into_choices();
        assert_eq!(everything.replay(&choices), value);
        assert_eq!(everything.replay(&everything.choices_of(&value).unwrap()), value);
        seen.insert(format!("{:?}", value.1));
    }
    assert!(seen.len() > 20, "{}", seen.len());
}

#[test]
fn mapping_forward_only() {
    let line = line!() + 1;
    let squares = within(0..10).map(|number| number * number);
    assert_eq!(squares.replay(&"3".parse().unwrap()), 9);
    let reason = format!("`map` at {} has no inverse: use map_with_inverse", here(line));
    assert_eq!(squares.choices_of(&9).unwrap_err().reason(), reason);
    assert!(!squares.accepts(&9));
    // Nobody looked for ways, so that there is none is not said either.
    assert_eq!(squares.ways_of(&9).count().to_string(), format!("at least 0: {reason}"));
    assert!((0..SEEDS).all(|seed| squares.replay(&squares.sample_choices(seed)) == squares.sample(seed)));
}

#[test]
fn mapping_with_an_inverse() {
    let line = line!() + 1;
    let even = (0..100).map_with_inverse(|half| half * 2, |number| (number % 2 == 0).then_some(number / 2));
    recalls(&even);
    assert_eq!(reason(&even, &7).1, format!("the inverse at {} finds nothing in it", here(line)));
    assert_eq!(reason(&even, &200).1, "100 is not in 0..100");
    let sorted = vec_of(0..100u32, ..).map_with_inverse(
        |gaps| {
            gaps.iter()
                .scan(0, |sum, gap| {
                    *sum += gap;
                    Some(*sum)
                })
                .collect::<Vec<u32>>()
        },
        |list| {
            let before = std::iter::once(&0).chain(list);
            list.iter().zip(before).map(|(item, before)| item.checked_sub(*before)).collect()
        },
    );
    recalls(&sorted);
    assert!(!sorted.accepts(&vec![5, 3]));
}

#[derive(Clone, Debug, PartialEq)]
struct Percent(u8);

#[test]
fn mapping_with_a_focus() {
    let percents = (0..=100).map_with_focus(Percent, |percent| Some(&percent.0));
    recalls(&percents);
    assert_eq!(reason(&percents, &Percent(101)).1, "101 is not in 0..=100");
    let line = line!() + 1;
    let some = (0..10).map_with_focus(Some, Option::as_ref);
    assert_eq!(reason(&some, &None).1, format!("the focus at {} finds nothing in it", here(line)));
}

#[test]
fn binding_with_a_focus() {
    let line = line!() + 1;
    let lists = (1..=5usize)
        .bind_with_focus(|n| vec_of(tuple((exact(*n), 0..10)), *n), |list: &Vec<(usize, i32)>| Some(list.first()?.0));
    recalls(&lists);
    assert_eq!(lists.choices_of(&vec![(2, 7), (2, 8)]).unwrap().to_string(), "(1 [({} 7) ({} 8)])");
    assert_eq!(reason(&lists, &vec![]).1, format!("the focus at {} finds nothing in it", here(line + 1)));
    assert_eq!(reason(&lists, &vec![(9, 1)]), (".<focus>".to_owned(), "9 is not in 1..=5".to_owned()));
    assert_eq!(reason(&lists, &vec![(2, 1), (2, 10)]), ("[1].1".to_owned(), "10 is not in 0..10".to_owned()));
    assert_eq!(reason(&vec_of(lists, ..), &vec![vec![(2, 1)]]).0, "[0]");
}

#[test]
fn a_bind_never_runs_on_what_the_first_generator_cannot_make() {
    let below = (1..10u32).bind_with_focus(|n| 0..*n, |number| number.checked_add(1));
    obeys(&below);
    // `0..0` would be empty: 0 is refused before it is asked.
    let quotients = (1..10u32).bind_with_focus(|n| 0..=100 / n, |_| Some(0));
    assert!(!quotients.accepts(&5));
}

#[test]
fn boxed_generators_are_alike_and_cross_threads() {
    let boxes = [
        (0..10).boxed(),
        one_of((exact(1), 20..30)).boxed(),
        vec_of(0..10, 1).map_with_inverse(|list| list[0], |item| Some(vec![*item])).boxed(),
    ];
    for generator in &boxes {
        obeys(generator);
        obeys(&generator.clone());
    }
    obeys(&one_of(boxes.to_vec()));
    let generator = boxes[1].clone();
    let value = std::thread::spawn(move || generator.sample(3)).join().unwrap();
    assert_eq!(value, boxes[1].sample(3));
    // Borrowed parts are allowed.
    let words = vec!["a".to_owned(), "b".to_owned()];
    let borrowed = element_of(&words).boxed();
    assert!(borrowed.accepts(&"b".to_owned()));
    let local: std::rc::Rc<dyn Generator<Value = i32>> = std::rc::Rc::new(0..10);
    obeys(&local);
}

#[test]
fn sizes() {
    let short = vec_of(any::<u8>(), ..).resize(3);
    recalls(&short);
    assert!((0..SEEDS).all(|seed| short.sample(seed).len() <= 3));
    assert!(short.accepts(&vec![0; 50]));

    let numbers = sized(|size| 0..=10 * size);
    obeys(&numbers);
    assert_eq!(numbers.sample_choices(1).to_string().split_whitespace().next(), Some("(100"));
    assert_eq!(numbers.choices_of(&25).unwrap().to_string(), "(3 25)");
    assert_eq!(numbers.choices_of(&1281).unwrap().to_string(), "(256 1281)");
    assert_eq!(numbers.ways_of(&25).count(), Overlap::Finite(1.into()));
    assert_eq!(numbers.choices_of(&655_360).unwrap().to_string(), "(65536 655360)");
    let (path, why) = reason(&numbers, &655_361);
    assert_eq!((path.as_str(), why.split(';').next()), ("", Some("655361 is not in 0..=0")));
    assert_eq!(numbers.replay(&Choices::default()), 0);
    // A size in a list, and one inside another.
    obeys(&vec_of(sized(|size| 0..=size), ..=5));
    obeys(&sized(|outer| sized(move |inner| 0..=outer + inner)));
}

#[test]
fn brackets_with_names() {
    let pairs = tuple(((0..10).no_shrink(), one_of((0..10, 20..30)).named("number")));
    recalls(&pairs);
    assert_eq!(pairs.choices_of(&(3, 24)).unwrap().to_string(), "((3) (1:(4)))");
    let names: Vec<&str> = {
        use retrospect::choice::Node;
        let choices = pairs.choices_of(&(3, 24)).unwrap();
        let Some(Node::Call { children, .. }) = choices.nodes().next() else { panic!() };
        children.map(|node| if let Node::Call { site, .. } = node { site.map_or("", Site::name) } else { "" }).collect()
    };
    assert_eq!(names, ["no_shrink", "number"]);
}

#[test]
fn flat_map_draws_from_a_generator_that_was_drawn() {
    let lists = within(0..=5_usize).flat_map(|length| vec_of(0..10, length));
    for seed in 0..SEEDS {
        let choices = lists.sample_choices(seed);
        let list = lists.replay(&choices);
        assert_eq!(list, lists.sample(seed));
        assert!(list.len() <= 5);
        assert_eq!(lists.read(&format!("{list:?}")).unwrap(), list);
    }
    let report = Check::new().save(false).failure(lists, |list| list.iter().sum::<i32>() < 12).unwrap();
    assert!(report.contains("let value = [3, 9];"), "{report}");
}

#[test]
fn filter_map_keeps_what_something_is_made_of() {
    let digits = any::<char>().filter_map(|character| character.to_digit(10));
    assert!((0..SEEDS).all(|seed| digits.sample(seed) < 10));
    let reason = digits.choices_of(&3).unwrap_err().reason().to_owned();
    assert!(reason.starts_with("`filter_map` at ") && reason.ends_with("use filter and map_with_inverse"), "{reason}");
    let never = any::<u8>().filter_map(|_| None::<u8>);
    let report = Check::new().save(false).failure(never, |_| ()).unwrap();
    assert!(report.contains("nothing was tested") && report.contains("a filter at "), "{report}");
}
