use retrospect::prelude::*;

#[test]
fn integers_zigzag() {
    let order: Vec<i8> = (0..=8u64).map(|i| (-3..=5i8).replay(&i.to_string().parse().unwrap())).collect();
    assert_eq!(order, [0, 1, -1, 2, -2, 3, -3, 4, 5]);
    for range in [-3..=5i64, -5..=3, i64::MIN..=i64::MAX, 3..=9, -9..=-3, 0..=0, i64::MIN..=0, 0..=i64::MAX] {
        for value in [
            *range.start(),
            *range.end(),
            range.start() / 2 + range.end() / 2,
            range.end() - 1 + i64::from(range.end() == range.start()),
        ] {
            let choices = range.choices_of(&value).unwrap();
            assert_eq!(range.replay(&choices), value, "{range:?} {choices}");
        }
    }
}

#[test]
fn sample_reflect_replay() {
    let g = vec_of(tuple((0..10u8, -5..=5i64, vec_of(any::<u16>(), ..))), ..);
    for seed in 0..100 {
        let value = g.sample(seed);
        let choices = g.sample_choices(seed);
        assert_eq!(g.choices_of(&value).unwrap(), choices);
        assert_eq!(g.replay(&choices), value);
        assert_eq!(g.replay_exact(&choices).unwrap(), (value, 0));
        assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
    }
    assert!(g.replay(&Choices::default()).is_empty());
}

#[test]
fn laws_hold() {
    laws::check(&vec_of(tuple((0..10u8, -5..=5i64, vec_of(any::<u16>(), ..))), ..));
    laws::examine(&vec_of(tuple((0..10u8, -5..=5i64, vec_of(any::<u16>(), ..))), ..));
}
