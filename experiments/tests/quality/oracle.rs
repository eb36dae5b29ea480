//! On small domains every value is tried: nothing simpler than the result fails.

use experiments::shrinking::oracle::{self, SmallDomain};

#[track_caller]
fn check(domains: &[SmallDomain]) {
    for domain in domains {
        let reached = domain.check();
        println!("{:<40} {}/{}", domain.name, reached.at_the_simplest, reached.starts);
        assert!(reached.starts > 0, "{}: nothing fails", domain.name);
        assert!(
            reached.at_the_simplest as f64 >= domain.share * reached.starts as f64,
            "{}: {} of {}: {:#?}",
            domain.name,
            reached.at_the_simplest,
            reached.starts,
            reached.misses
        );
    }
}

#[test]
fn nothing_smaller_fails_in_the_challenges() {
    check(&oracle::challenges());
}

#[test]
fn nothing_smaller_fails_in_lists() {
    assert_eq!(oracle::lists()[0].check().values, 1 + 4 + 16 + 64 + 256);
    check(&oracle::lists());
}

#[test]
fn nothing_smaller_fails_in_tuples() {
    assert_eq!(oracle::tuples()[0].check().values, 8 * 9 * 8);
    check(&oracle::tuples());
}

#[test]
fn nothing_smaller_fails_in_trees() {
    check(&oracle::trees());
}
