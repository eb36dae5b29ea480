use super::*;

#[test]
fn one_of_tuples_arrays_and_vectors() {
    recalls(&one_of((0..10u8, 20..30, exact(99))));
    recalls(&one_of([0..10u8, 20..30]));
    recalls(&one_of(vec![0..10u8, 20..30, 40..50]));
    recalls(&one_of((0..10u8,)));
    obeys(&one_of((0..=5, 3..=9)));
    let twelve = one_of((
        exact(0),
        exact(1),
        exact(2),
        exact(3),
        exact(4),
        exact(5),
        exact(6),
        exact(7),
        exact(8),
        exact(9),
        exact(10),
        exact(11),
    ));
    recalls(&twelve);
    assert_eq!(twelve.choices_of(&11).unwrap().to_string(), "11:");
}

#[test]
fn nested_arms_and_arms_in_lists() {
    recalls(&vec_of(one_of((0..10u8, one_of((20..30, exact(77))))), ..));
    recalls(&tuple((
        one_of((tuple((0..3, 0..3)), tuple((5..8, 5..8)))),
        one_of([vec_of(0..3, ..=2), vec_of(5..9, 1..=2)]),
    )));
}

#[test]
fn a_weight_decides_how_often() {
    let weighted = frequency(((98, exact(0)), (2u64, exact(1)), (0i8, exact(2))));
    recalls(&weighted);
    let ones = (0..10_000).filter(|seed| weighted.sample(*seed) == 1).count();
    assert!((130..270).contains(&ones), "{ones}");
    recalls(&frequency([(1, 0..10), (3, 10..20)]));
    recalls(&frequency(vec![(1, 0..10), (3, 10..20)]));
}

#[test]
fn an_arm_of_weight_0_is_absent_in_every_direction() {
    let line = line!() + 1;
    let weighted = frequency(((0, 0..10), (1, 20..30)));
    assert!((0..SEEDS).all(|seed| weighted.sample(seed) >= 20));
    assert_eq!(
        reason(&weighted, &5).1,
        format!("arm 0 of `frequency` ({}) weighs 0, so it is absent; and 5 is not in 20..30", here(line))
    );
    // Replayed, the first arm there is takes its place.
    assert_eq!(weighted.replay(&"0:(3)".parse().unwrap()), 23);
    assert!(weighted.replay_exact(&"0:(3)".parse().unwrap()).is_err());
    assert_eq!(weighted.replay(&Choices::default()), 20);
}

#[test]
fn bad_weights_are_errors_that_name_arm_and_place() {
    let line = line!() + 1;
    let negative = frequency(((1, exact(1)), (-5, exact(2))));
    let message =
        format!("the weight of arm 1 in `frequency` ({}) is wrong: -5 is negative: a weight is 0 or more", here(line));
    assert_eq!(stopped(&negative), message);
    assert_eq!(reason(&negative, &1).1, message);
    assert!(
        stopped(&frequency([(u64::MAX, exact(1))]))
            .ends_with("18446744073709551615 is too large: a weight is at most 4294967294")
    );
    assert!(stopped(&labelled((("a", u32::MAX, exact(1)),))).contains("the weight of arm `a` in `labelled`"));
    let line = line!() + 1;
    let nothing = frequency([(0, exact(1)), (0, exact(2))]);
    assert_eq!(
        stopped(&nothing),
        format!("all 2 arms of the pick in `frequency` ({}) weigh 0, so there is nothing to pick", here(line))
    );
    assert!(reason(&nothing, &1).1.contains("weighs 0, so it is absent"));
    let line = line!() + 1;
    let none = one_of(Vec::<retrospect::generator::Exact<u8>>::new());
    assert_eq!(stopped(&none), format!("the pick in `one_of` ({}) has no arms", here(line)));
    assert_eq!(reason(&none, &1).1, format!("`one_of` ({}) has no arms", here(line)));
    // Large weights add up without overflow.
    recalls(&frequency([(u32::MAX - 1, 0..10), (u32::MAX - 1, 10..20), (u32::MAX - 1, 20..30)]));
}

#[test]
fn labels_stand_in_the_choices() {
    let numbers = labelled((("small", 0..10), ("large", 3, 100..200)));
    recalls(&numbers);
    assert_eq!(numbers.choices_of(&107).unwrap().to_string(), "1:large(7)");
    // Found by its label after arms were reordered.
    let reordered = labelled((("large", 100..200), ("small", 0..10)));
    assert_eq!(reordered.replay(&"1:large(7)".parse().unwrap()), 107);
    recalls(&labelled([("a", 0..10), ("b", 10..20)]));
    recalls(&labelled(vec![("a", 2, 0..10), ("b", 1, 10..20)]));
}

#[test]
fn labels_twice_panic_with_the_place() {
    let line = line!() + 2;
    let panic = std::panic::catch_unwind(|| {
        labelled((("a", 0..10), ("b", 3..5), ("a", 10..20)));
    });
    let message = *panic.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, format!("arms 0 and 2 of `labelled` ({}) have the same label \"a\"", here(line)));
}

#[test]
fn overlapping_arms_are_counted() {
    let overlapping = one_of((0..=5, 3..=9, exact(4)));
    assert_eq!(overlapping.ways_of(&4).count(), Overlap::Finite(3.into()));
    assert_eq!(overlapping.ways_of(&3).count(), Overlap::Finite(2.into()));
    assert_eq!(vec_of(overlapping, ..).ways_of(&vec![4, 3, 9]).count(), Overlap::Finite(6.into()));
}

#[test]
fn the_reason_is_that_of_the_part_that_fails() {
    // Item 0 fits its second arm, so that its first does not fit says nothing.
    let lists = vec_of(one_of((exact(1), exact(2))), ..);
    assert_eq!(reason(&lists, &vec![2, 2, 3]), ("[2]".to_owned(), "it is not 1; and it is not 2".to_owned()));
}

#[test]
#[rustfmt::skip]
fn two_picks_in_one_line_are_two_places() {
    use retrospect::choice::Node;
    let nested = one_of((0..5, one_of((10..15, 20..25))));
    let choices = nested.choices_of(&22).unwrap();
    let Some(Node::Pick(outer)) = choices.nodes().next() else { panic!("{choices}") };
    let Some(Node::Pick(inner)) = outer.body.clone().next() else { panic!("{choices}") };
    assert!(!std::ptr::eq(outer.site.unwrap(), inner.site.unwrap()));
}

#[test]
fn a_default_is_the_simplest() {
    let ports = (1024..=u16::MAX).with_default(8080);
    obeys(&ports);
    assert_eq!(ports.replay(&Choices::default()), 8080);
    assert_eq!(ports.choices_of(&8080).unwrap().to_string(), "0:default");
    assert_eq!(ports.ways_of(&8080).count(), Overlap::Finite(2.into()));
    let defaults = (0..8000).filter(|seed| ports.sample(*seed) == 8080).count();
    assert!((850..1150).contains(&defaults), "{defaults}");
    recalls(&(1..9).with_default(0));
}

#[test]
fn an_arm_that_is_not_drawn_is_there_all_the_same() {
    let numbers = |is_drawn| {
        frequency(((drawn_if(true, 1), exact(1)), (drawn_if(is_drawn, 3), exact(2)), (drawn_if(is_drawn, 0), exact(3))))
    };
    assert!((0..100).any(|seed| numbers(true).sample(seed) == 2));
    assert!((0..100).all(|seed| numbers(false).sample(seed) == 1));
    for is_drawn in [true, false] {
        assert!(numbers(is_drawn).accepts(&2) && numbers(is_drawn).read("2").is_ok());
        assert_eq!(numbers(is_drawn).choices_of(&2).unwrap().to_string(), "1:");
        assert_eq!(numbers(is_drawn).replay(&"1:".parse().unwrap()), 2);
        assert!(!numbers(is_drawn).accepts(&3), "an arm of weight 0 is absent in every direction");
    }
    let too_much = frequency(((drawn_if(false, u32::MAX), exact(1)),));
    assert!(stopped(&too_much).ends_with("4294967295 is too large: a weight is at most 4294967294"));
    // With nothing to draw, the first that can be made is taken.
    assert_eq!(frequency(((drawn_if(false, 0), exact(1)), (drawn_if(false, 2), exact(2)))).sample(1), 2);
}
