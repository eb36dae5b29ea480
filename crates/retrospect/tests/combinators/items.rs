use super::*;

#[test]
fn one_of_given_items() {
    recalls(&element_of(["GET", "POST", "PUT"]));
    recalls(&element_of(vec![1.5, 2.5]));
    recalls(&element_of(&["a".to_owned(), "b".to_owned()]));
    static PRIMES: &[u32] = &[2, 3, 5, 7];
    recalls(&element_of(PRIMES));
    recalls(&element_of([()]));
    assert_eq!(element_of(PRIMES).choices_of(&7).unwrap().to_string(), "3");
    assert_eq!(reason(&element_of(PRIMES), &4).1, "it is none of [2, 3, 5, 7]");
    assert_eq!(reason(&element_of(vec![0; 1000]), &1).1.chars().count(), "it is none of ".len() + 201);
    obeys(&element_of([1, 2, 1]));
    assert_eq!(element_of([1, 2, 1]).ways_of(&1).count(), Overlap::Finite(2.into()));
    assert_eq!(element_of([1, 2, 1]).choices_of(&1).unwrap().to_string(), "0");
}

#[test]
fn no_items_is_an_error() {
    let line = line!() + 1;
    let none = element_of(Vec::<u8>::new());
    let message = format!("`element_of` ({}) has no items to choose from", here(line));
    assert_eq!(stopped(&none), message);
    assert_eq!(reason(&none, &1).1, message);
}

#[test]
fn some_of_the_items_in_their_order() {
    recalls(&subsequence_of([1, 2, 3, 4, 5], ..));
    recalls(&subsequence_of([1, 2, 3, 4, 5], 2..=3));
    recalls(&subsequence_of([1, 2, 3, 4, 5], 5));
    recalls(&subsequence_of([1, 2, 3, 4, 5], 1..100));
    recalls(&subsequence_of(Vec::<u8>::new(), ..));
    obeys(&subsequence_of([1, 2, 1, 1, 2, 3], ..));
    let some = subsequence_of([1, 2, 3, 4, 5], 2..=4);
    for seed in 0..SEEDS {
        let value = some.sample(seed);
        assert!((2..=4).contains(&value.len()) && value.is_sorted_by(|a, b| a < b), "{value:?}");
    }
    // Every pair is as likely as the others: 10 pairs, 10,000 draws.
    let mut counts = std::collections::HashMap::new();
    (0..10_000).for_each(|seed| *counts.entry(subsequence_of([1, 2, 3, 4, 5], 2).sample(seed)).or_insert(0) += 1);
    assert!(counts.len() == 10 && counts.values().all(|count| (880..1120).contains(count)), "{counts:?}");
    assert_eq!(some.replay(&Choices::default()), [1, 2]);
    // Dropping an item leaves the others where they are.
    assert_eq!(some.replay(&"[0 2 4]".parse().unwrap()), [1, 3, 5]);
    assert_eq!(some.replay(&"[2 4]".parse().unwrap()), [3, 5]);
    // Positions that do not fit are moved: after the one before, and leaving room for the rest.
    assert_eq!(some.replay(&"[9 9 9]".parse().unwrap()), [3, 4, 5]);
    assert_eq!(some.replay(&"[3 0]".parse().unwrap()), [4, 5]);
}

#[test]
fn what_is_no_subsequence_says_where() {
    let some = subsequence_of(['a', 'b', 'a', 'c'], 1..=3);
    assert_eq!(
        reason(&some, &vec!['c', 'a']),
        ("[1]".to_owned(), "it is none of the items that follow: []".to_owned())
    );
    assert_eq!(reason(&some, &vec!['b', 'b']).1, "it is none of the items that follow: ['a', 'c']");
    assert_eq!(reason(&some, &vec!['x']), ("[0]".to_owned(), "it is none of ['a', 'b', 'a', 'c']".to_owned()));
    assert_eq!(reason(&some, &vec![]).1, "its length 0 is not in 1..=3");
    assert!(some.accepts(&vec!['a', 'a', 'c']));
    let line = line!() + 1;
    let few = subsequence_of([1, 2], 3..);
    assert_eq!(stopped(&few), format!("`subsequence_of` ({}) has 2 items, and there must be at least 3", here(line)));
    assert!(!few.accepts(&vec![1, 2]));
    assert!(stopped(&subsequence_of([1, 2, 3], 3..3)).contains("are empty"));
}

#[test]
fn all_items_in_any_order() {
    recalls(&permutation_of([1, 2, 3, 4]));
    recalls(&permutation_of(Vec::<u8>::new()));
    recalls(&permutation_of(["only"]));
    obeys(&permutation_of([1, 1, 2, 2, 3]));
    let orders = permutation_of([1, 2, 3, 4]);
    assert_eq!(orders.replay(&Choices::default()), [1, 2, 3, 4]);
    let seen: std::collections::HashSet<_> = (0..1000).map(|seed| orders.sample(seed)).collect();
    assert_eq!(seen.len(), 24);
    assert!(seen.iter().all(|order| orders.accepts(order)));
    assert_eq!(reason(&orders, &vec![1, 2, 3]).1, "its length 3 is not 4");
    assert_eq!(
        reason(&orders, &vec![4, 1, 4, 2]),
        ("[2]".to_owned(), "it is none of the items left: [3, 2]".to_owned())
    );
    // Each order of equal items is accepted, and nothing else.
    let equal = permutation_of([1, 1, 2]);
    assert!([vec![1, 1, 2], vec![1, 2, 1], vec![2, 1, 1]].iter().all(|order| equal.accepts(order)));
    assert!(!equal.accepts(&vec![1, 2, 2]));
}
