//! Every problem of the table must end at its normal form, within its budget of runs.

use super::measure::seeds;
use experiments::shrinking::problems::{Family, families};

fn check(family: &Family) {
    let mut shortfalls = Vec::new();
    for problem in &family.problems {
        let measured = problem.measure(seeds(), &mut |_| {});
        println!(
            "{:<40} {:>5.1} % of {:<4} {:>7.1} {:>5}",
            problem.name,
            measured.share(&problem.normal_form) * 100.0,
            measured.starts,
            measured.mean_runs(),
            measured.most_runs()
        );
        let checked = measured.check(problem.share, &problem.normal_form, problem.mean_runs, problem.most_runs);
        shortfalls.extend(checked.err());
    }
    assert!(shortfalls.is_empty(), "{}", shortfalls.join("\n"));
}

/// A test for each family, so that they run beside each other.
macro_rules! families {
    ($($test:ident $place:literal $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            let families = families();
            let family = &families[$place];
            assert_eq!(family.name, $name);
            check(family);
        })*

        #[test]
        fn every_family_has_a_test() {
            assert_eq!(families().len(), [$($place),*].len());
        }
    };
}

families! {
    challenges 0 "The shrinking challenges",
    smartcheck 1 "The five of SmartCheck, from values without choices",
    dependent_choices 2 "Dependent choices, and a machine",
    further 3 "Further problems",
    bodies 4 "Draws in the body",
    classes 5 "Several changes at once",
}
