//! The other crates' runners. arbtest, chaos_theory and hegeltest print as they run, above the
//! tables.

use super::cost::TURN;
use super::{Tool, on_list, on_number, total};

/// All of them, in the order of the tables.
pub(super) fn tools() -> Vec<Tool> {
    vec![quickcheck(), proptest(), arbtest(), chaos_theory(), crabcheck(), hegeltest()]
}

fn quickcheck() -> Tool {
    use quickcheck::QuickCheck;
    fn passing(list: Vec<i64>) {
        on_list(&list);
    }
    fn failing(list: Vec<i64>) {
        total(&list);
    }
    Tool {
        name: "quickcheck",
        numbers: |cases| QuickCheck::new().tests(cases).max_tests(cases).quickcheck(on_number as fn(i64)),
        lists: |cases| QuickCheck::new().tests(cases).max_tests(cases).quickcheck(passing as fn(Vec<i64>)),
        fail: || QuickCheck::new().quickcheck(failing as fn(Vec<i64>)),
        dependency: "quickcheck = { version = \"1\", default-features = false }",
        test: "quickcheck::quickcheck! {\n    fn total(list: Vec<i64>) -> () {\n        assert!(TOTAL <= 1000);\n    }\n}\n",
        difference: "saves nothing; the panic of every failing case is printed",
    }
}

fn proptest() -> Tool {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    fn run<S: Strategy>(cases: u64, strategy: &S, property: impl Fn(S::Value)) {
        let cases = u32::try_from(cases).expect("no turn has that many cases");
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let held = runner.run(strategy, |value| {
            property(value);
            Ok(())
        });
        held.expect("one of them does not hold");
    }
    Tool {
        name: "proptest",
        numbers: |cases| run(cases, &any::<i64>(), on_number),
        lists: |cases| run(cases, &vec(any::<i64>(), 0..100), |list| on_list(&list)),
        fail: || run(256, &vec(any::<i64>(), 0..100), |list| total(&list)),
        dependency: "proptest = { version = \"1\", default-features = false, features = [\"std\"] }",
        test: "use proptest::prelude::*;\n\nproptest! {\n    #[test]\n    fn total(list in prop::collection::vec(any::<i64>(), 0..100)) {\n        \
               assert!(TOTAL <= 1000);\n    }\n}\n",
        difference: "its persistence and its `fork` are off, but for the printed lines, where it writes its seeds as it does for a user; the panic of every failing case is \
                     printed",
    }
}

fn arbtest() -> Tool {
    use arbtest::arbitrary::Arbitrary;
    fn run<T: for<'a> Arbitrary<'a>>(cases: u64, property: impl Fn(T)) {
        let test = arbtest::arbtest(|bytes| {
            property(bytes.arbitrary()?);
            Ok(())
        });
        // It runs for a time; only a seed makes it run one case.
        let test = if cases == 1 { test.seed(32) } else { test.budget(TURN) };
        test.run();
    }
    Tool {
        name: "arbtest",
        numbers: |cases| run(cases, on_number),
        lists: |cases| run(cases, |list: Vec<i64>| on_list(&list)),
        fail: || run(100, |list: Vec<i64>| total(&list)),
        dependency: "arbtest = \"0.3\"",
        test: "#[test]\nfn total() {\n    arbtest::arbtest(|bytes| {\n        let list: Vec<i64> = bytes.arbitrary()?;\n        assert!(TOTAL <= 1000);\n        \
               Ok(())\n    });\n}\n",
        difference: "runs for a time instead of a number of cases, makes up to 65,536 random bytes for each of them, makes lists of about one item of them, catches no panic, and shrinks only if asked with a seed: \
                     the first failing case is the report, and does not show the list",
    }
}

fn chaos_theory() -> Tool {
    use chaos_theory::Env;
    fn environment(cases: u64) -> Env {
        Env::builder().with_check_iters(cases as usize).build()
    }
    Tool {
        name: "chaos_theory",
        numbers: |cases| environment(cases).check(|source| on_number(source.any("number"))),
        lists: |cases| environment(cases).check(|source| on_list(&source.any::<Vec<i64>>("list"))),
        fail: || environment(256).check(|source| total(&source.any::<Vec<i64>>("list"))),
        dependency: "chaos_theory = \"0.5\"",
        test: "#[test]\nfn total() {\n    chaos_theory::check(|source| {\n        let list: Vec<i64> = source.any(\"list\");\n        assert!(TOTAL <= 1000);\n    });\n}\n",
        difference: "saves nothing; prints a line at the end of every run, which is part of its time",
    }
}

fn crabcheck() -> Tool {
    use crabcheck::{Config, any, check};
    fn config(cases: u64) -> Config {
        Config::default().tests(cases).no_regressions()
    }
    Tool {
        name: "crabcheck",
        numbers: |cases| check(&config(cases), any::<i64>(), on_number).assert_passed(),
        lists: |cases| check(&config(cases), any::<Vec<i64>>(), |list| on_list(&list)).assert_passed(),
        fail: || check(&config(10_000), any::<Vec<i64>>(), |list| total(&list)).assert_passed(),
        dependency: "crabcheck = \"0.2\"",
        test: "#[crabcheck::test]\nfn total(list: Vec<i64>) {\n    assert!(TOTAL <= 1000);\n}\n",
        difference: "its regressions are off, but for the printed lines; its statistics (timing, samples) cannot be turned off",
    }
}

fn hegeltest() -> Tool {
    use hegel::generators::{integers, vecs};
    use hegel::{Database, Hegel, Settings, TestCase};
    fn run(cases: u64, property: impl FnMut(TestCase)) {
        Hegel::new(property).settings(Settings::new().test_cases(cases).database(Database::Disabled)).run();
    }
    Tool {
        name: "hegeltest",
        numbers: |cases| run(cases, |case| on_number(case.draw(integers()))),
        lists: |cases| run(cases, |case| on_list(&case.draw(vecs(integers()).max_size(100)))),
        fail: || run(100, |case| total(&case.draw(vecs(integers()).max_size(100)))),
        dependency: "hegeltest = { version = \"0.51\", features = [\"static-engine\"] }",
        test: "use hegel::generators::{integers, vecs};\n\n#[hegel::test]\nfn total(case: hegel::TestCase) {\n    let list: Vec<i64> = case.draw(vecs(integers()));\n    \
               assert!(TOTAL <= 1000);\n}\n",
        difference: "its database is off, but for the printed lines; its engine is linked in (`static-engine`) instead of loaded; lists are told not to exceed 100 items; it prints its report itself, which is part of its time",
    }
}
