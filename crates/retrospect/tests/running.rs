//! What a run counts, what it refuses, and how it tells failures apart.

use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::runner::settings::Health;
use std::time::Duration;

fn n_bodies(cases: u64, generator: &impl Generator) -> u64 {
    let mut count = 0;
    Check::new().seed(7).save(false).cases(cases).run(generator, |_| count += 1);
    count
}

#[test]
fn a_budget_of_n_cases_runs_n_bodies() {
    for cases in 1..=300 {
        assert_eq!(n_bodies(cases, &any::<i64>()), cases);
        assert_eq!(n_bodies(cases, &(any::<u16>(), vec_of(vec_of(any::<bool>(), ..4), ..4))), cases);
    }
    // All there are, where that is fewer.
    for cases in (1..=20).chain([99, 100, 101, 298, 299, 300]) {
        for domain in [1, 2, 3, 10, 100, 299, 300] {
            let n_bodies = n_bodies(cases, &(0..domain));
            // A small one is begun again, to see that it is the same.
            let is_whole = n_bodies == domain || domain < 10 && n_bodies <= domain + 2;
            assert!(n_bodies == cases || is_whole && n_bodies <= cases, "{n_bodies} of {cases}, domain {domain}");
        }
    }
}

#[test]
fn a_budget_of_n_cases_runs_n_bodies_that_draw() {
    for cases in (1..=20).chain([49, 50, 51, 99, 100, 101, 300]) {
        for domain in [1, 2, 9, 50, 200] {
            let mut count = 0;
            Check::new().seed(7).save(false).cases(cases).run_case(|case| {
                count += 1;
                if case.draw(0..domain) % 2 == 0 {
                    case.draw(any::<bool>());
                }
            });
            assert!(count <= cases, "{count} bodies for {cases} cases, {domain}");
        }
        let mut count = 0;
        Check::new().seed(7).save(false).cases(cases).run_case(|case| {
            count += 1;
            for _ in 0..case.draw(0..5) {
                case.draw(any::<u64>());
            }
        });
        assert_eq!(count, cases);
    }
}

#[test]
fn a_property_that_tested_very_few_cases_fails() {
    let one_in_100 = |number: u32| assume!(number.is_multiple_of(100) && number > 100);
    let check = || Check::new().seed(7).save(false).named("sums::rare");
    let report = check().failure(any::<u32>(), one_in_100).unwrap();
    assert!(report.starts_with("FAIL  rare\n  too little was tested: "), "{report}");
    assert!(report.contains("tested: 5 of 1000 cases, 995 were discarded\n"), "{report}");
    assert!(report.contains("  assume!(number.is_multiple_of(100) && number > 100) at "), "{report}");
    assert!(report.contains("`satisfying`") && report.contains("allow(discards)"), "{report}");
    assert!(check().cases(300).failure(any::<u32>(), one_in_100).is_some());
    let allowing = Settings::new().seed(7).save(false).allow(Health::Discards);
    assert!(check().with(allowing).failure(any::<u32>(), one_in_100).is_none());
    // One in five is worth a warning.
    assert!(check().failure(any::<u32>(), |number| assume!(number % 5 == 0)).is_none());
}

#[test]
fn few_cases_of_a_small_domain_are_enough() {
    let check = || Check::new().seed(7).save(false);
    assert!(check().failure(0..500_u32, |number| assume!(number == 333)).is_none());
    let exhaustive = Settings::new().seed(7).save(false).exhaustive(true);
    assert!(check().with(exhaustive).failure(0..50_000_u32, |number| assume!(number == 333)).is_none());
}

#[test]
fn discarded_cases_are_counted_apart() {
    let mut number = 0;
    let report = Check::new().seed(7).save(false).cases(100).failure(any::<u64>(), |value| {
        assume!(value % 5 == 0);
        number += 1;
        assert!(number < 60);
    });
    let report = report.unwrap();
    assert!(report.contains("found by case 60 of 100 (169 discarded), seed 0x7\n"), "{report}");
}

#[test]
fn two_failures_at_one_place_are_told_apart_by_their_messages() {
    let complain = |text: String| panic!("{text}");
    let settings = Settings::new().seed(7).save(false).all_failures(true);
    let report = Check::new().with(settings).failure(0..1_000_000, |cents| match cents {
        600_001.. => complain(format!("too rich: {cents} > {:?}", vec![1; cents / 300_000])),
        1_001.. if cents % 2 == 0 => complain(format!("even balance {cents}")),
        _ => (),
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 600001;\n"), "{report}");
    assert!(report.contains("let value = 1002;\n"), "{report}");
    assert_eq!(report.matches("FAIL  ").count(), 2, "{report}");
}

#[test]
fn the_search_goes_on_after_the_first_of_all_failures() {
    for seed in 0..8 {
        let settings = Settings::new().seed(seed).cases(2000).save(false).all_failures(true);
        let mut n_runs = 0;
        let report = Check::new().with(settings).failure(0..10_000_usize, |number| {
            n_runs += 1;
            assert!(number != 2, "two");
            assert!(number != 3, "three");
            if number > 4 {
                let list: Vec<u8> = vec![];
                let _ = list[number];
            }
        });
        let report = report.unwrap();
        for value in [2, 3, 5] {
            assert!(report.contains(&format!("let value = {value};\n")), "{value} with seed {seed}: {report}");
        }
        assert_eq!(report.matches("FAIL  ").count(), 3, "{report}");
        assert!(n_runs < 3 * 2000, "{n_runs}");
    }
}

#[test]
fn saved_cases_are_among_all_failures() {
    let folder = Folder::new("all-failures");
    let report = || {
        let settings = Settings::new().seed(3).cases(500).regressions(&folder.0).all_failures(true);
        let report = Check::new().with(settings).failure(0..10_000_u32, |number| {
            assert!(number < 100, "large");
            assert!(number % 2 == 0, "odd");
        });
        report.unwrap()
    };
    let first = report();
    assert_eq!((first.matches("FAIL  ").count(), first.matches(" fails again").count()), (2, 0), "{first}");
    let second = report();
    assert_eq!((second.matches("FAIL  ").count(), second.matches(" fails again").count()), (2, 2), "{second}");
}

#[test]
fn more_choices_than_at_first_are_not_called_left() {
    let reports = (0..100).filter_map(|seed| {
        // Too few cases for any but random ones.
        Check::new().seed(seed).save(false).cases(3).failure_of_case(|case| {
            let is_one = case.draw(0..10) > 0;
            let first = case.draw(0..10);
            if !is_one {
                case.draw(0..10);
            }
            assert!(first < 5);
        })
    });
    let mut headings =
        reports.filter_map(|report| Some(report.lines().find(|line| line.contains(" case ("))?.to_owned()));
    assert!(headings.any(|heading| {
        assert!(!heading.contains("3 of 2 choices"), "{heading}");
        heading.contains("(3 choices, 2 at first, ")
    }));
}

#[test]
fn a_message_that_shows_a_text_shrinks_with_it() {
    let check = || Check::new().with(Settings::new().seed(7).save(false).all_failures(true));
    let report = check().failure(any::<String>(), |text| assert!(text.chars().count() < 4, "{text}")).unwrap();
    assert!(report.contains("let value = \"aaaa\";\n"), "{report}");
    assert_eq!(report.matches("FAIL  ").count(), 1, "{report}");
    // The words are no part of any value.
    let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let word =
        |number: u32| number.to_string().bytes().map(|digit| words[usize::from(digit - b'0')]).collect::<String>();
    let report = check().failure(0..100_000_u32, |number| assert!(number < 507, "{} is bad", word(number))).unwrap();
    assert!(report.contains("let value = 507;\n"), "{report}");
    assert_eq!(report.matches("FAIL  ").count(), 1, "{report}");
}

#[test]
fn a_returned_text_shrinks_with_what_it_shows() {
    let report = Check::new().seed(7).save(false).failure(any::<String>(), |text| match text.chars().count() {
        0..3 => Ok(()),
        _ => Err(format!("cannot parse {text}")),
    });
    let report = report.unwrap();
    assert!(report.contains("let value = \"aaa\";\n"), "{report}");
}

/// A folder for saved cases, removed on drop.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("retrospect-running-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Checks of this property save here.
    fn check(&self, settings: Settings) -> Check {
        Check::new().with(settings.regressions(&self.0)).named("shop::total")
    }

    fn saved(&self) -> Option<String> {
        std::fs::read_to_string(self.0.join("shop.total.txt")).ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn slow_cases_are_not_saved() {
    let folder = Folder::new("slow");
    let settings = Settings::new().seed(7).cases(3).timeout(Duration::from_millis(100));
    folder.check(settings).run(any::<u64>(), |_| std::thread::sleep(Duration::from_millis(400)));
    assert_eq!(folder.saved(), None);
}

#[test]
fn cases_that_were_saved_for_being_slow_go_when_they_pass() {
    let folder = Folder::new("outdated");
    let entries = [("unfinished", "did not end within 0.20 s", "17"), ("", "src/lib.rs:1:1, too much", "18")];
    let text = entries.map(|(head, note, value)| format!("case {head}\n  # {note}\n  value = {value}\n"));
    std::fs::write(folder.0.join("shop.total.txt"), text.join("\n")).unwrap();
    folder.check(Settings::new().seed(7)).run(any::<u64>(), |_| ());
    assert_eq!(folder.saved().as_deref(), Some(text[1].as_str()));
}

#[test]
fn a_failure_that_does_not_come_again_is_saved_with_its_values() {
    let folder = Folder::new("once");
    let mut n_runs = 0;
    let report = folder.check(Settings::new().seed(7)).failure(any::<u64>(), |value| {
        n_runs += 1;
        assert!(n_runs != 150, "{value}");
    });
    let report = report.unwrap();
    let shown = report.lines().find_map(|line| line.trim().strip_prefix("let value = ")).unwrap().replace(';', "");
    assert!(
        report.contains("  not deterministic: failed 1 of 10 runs with the same choices; its values, drawn again:\n")
    );
    assert!(report.contains(&format!("      {shown}\n")), "{report}");
    let saved = folder.saved().unwrap();
    assert!(saved.contains(&format!("  # not deterministic: failed 1 of 10 runs\n  value = {shown}\n")), "{saved}");
}

#[test]
fn a_failure_that_comes_again_sometimes_shows_a_run_that_failed() {
    // The value is not made of its choices alone, and only the report of a run that failed can know
    // it.
    let n_drawn = std::cell::Cell::new(0_u64);
    let counted = any::<u64>().map(|_| n_drawn.replace(n_drawn.get() + 1));
    let report = Check::new().seed(7).save(false).failure(&counted, |value| assert!(value % 3 != 2));
    let report = report.unwrap();
    let shown = report.lines().find_map(|line| line.trim().strip_prefix("let value = ")).unwrap().replace(';', "");
    assert_eq!(shown.parse::<u64>().unwrap() % 3, 2, "{report}");
    assert!(report.contains("  not deterministic: failed ") && !report.contains("minimal"), "{report}");
}

#[test]
fn the_first_failure_is_told_when_later_runs_fail_elsewhere() {
    for seed in 0..4 {
        let folder = Folder::new(&format!("poisoned-{seed}"));
        let lock = std::sync::Mutex::new(0);
        let report = folder.check(Settings::new().seed(seed)).failure(vec_of(any::<u16>(), ..), |list| {
            let mut count = lock.lock().unwrap();
            *count += 1;
            assert!(!list.iter().any(|item| *item > 1000), "the real reason: {list:?}");
        });
        let report = report.unwrap();
        assert!(report.contains("  not deterministic: failed 1 of 10 runs with the same choices"), "{report}");
        assert!(report.contains("      the real reason: ["), "{report}");
        assert!(report.contains("  the other 9 runs failed in another way, panicked at "), "{report}");
        assert!(report.contains("PoisonError") && report.contains("RETROSPECT_ISOLATE=true"), "{report}");
        assert!(folder.saved().unwrap().contains("the real reason: ["), "{report}");
    }
}

#[test]
fn a_case_that_passed_in_the_same_run_is_not_called_minimal() {
    let mut seen = std::collections::BTreeSet::new();
    let report = Check::new().seed(7).save(false).failure(any::<u8>(), |value| {
        seen.insert(value);
        assert!(seen.len() < 20, "too many");
    });
    let report = report.unwrap();
    assert!(report.contains("not deterministic: ") && !report.contains("minimal case"), "{report}");
    assert!(report.contains("passed before in the same run:\n"), "{report}");
    assert!(report.contains("  replay:  RETROSPECT_SEED="), "{report}");
}

#[test]
fn a_value_that_is_another_one_each_time_is_not_called_minimal() {
    let n_drawn = std::cell::Cell::new(0_u64);
    let counted = any::<u32>().map(|value| value.wrapping_add(n_drawn.replace(n_drawn.get() + 1) as u32));
    let report = Check::new().seed(7).save(false).failure(&counted, |value| assert!(value < 1000)).unwrap();
    assert!(
        report.contains("the same choices make other values each time") && !report.contains("minimal case"),
        "{report}"
    );
}

#[test]
fn a_loop_that_only_chance_ends_is_ended_by_chance() {
    let mut rounds = 0;
    Check::new().seed(7).save(false).cases(30).run_case(|case| {
        rounds = 0;
        while case.draw(any::<u8>()) < 255 {
            rounds += 1;
        }
    });
    assert!(rounds < 10_000);
    let report = Check::new().seed(7).save(false).cases(30).failure_of_case(|case| {
        let limit = case.draw_named("limit", 0..100);
        while case.draw(any::<u8>()) < 200 {}
        assert!(limit < 10);
    });
    let report = report.unwrap();
    assert!(report.contains("limit  = 10;\n"), "{report}");
}

#[test]
fn a_loop_that_nothing_ends_is_named() {
    let report = Check::new().seed(7).save(false).failure_of_case(|case| while case.draw(0..10_u8) < 10 {});
    let report = report.unwrap();
    assert!(report.contains("the body draws without end: ") && report.contains("tests/running.rs:"), "{report}");
    assert!(report.len() < 1000, "{report}");
}

#[test]
fn a_check_inside_a_case_is_told_once_and_by_the_property_around_it() {
    let report = Check::new().seed(7).save(false).failure(any::<u8>(), |outer| {
        Check::new().seed(7).save(false).run(any::<u8>(), |inner| assert!(inner < 200 || outer < 9, "inner"));
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 9;\n") && report.contains("let value = 200;\n"), "{report}");
    assert_eq!(report.matches("FAIL  ").count(), 2, "{report}");
    assert_eq!(report.matches("  replay:  RETROSPECT").count(), 1, "{report}");
    assert!(report.contains("  replay:  with the property around it\n"), "{report}");
}

#[test]
fn a_message_that_is_very_long_is_cut() {
    let report = Check::new().seed(7).save(false).failure(any::<u16>(), |value| {
        assert!(value < 1000, "{}", "long ".repeat(1_000_000));
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 1000;\n") && report.len() < 20_000, "{}", report.len());
}

/// Catches a panic of its own when it is dropped.
struct Recovers;

impl Drop for Recovers {
    fn drop(&mut self) {
        let _ = std::panic::catch_unwind(|| panic!("in the destructor"));
    }
}

#[test]
fn the_place_of_a_panic_is_known_if_a_destructor_panics_after_it() {
    let report = Check::new().seed(7).save(false).failure(any::<u32>(), |value| {
        let _recovers = Recovers;
        assert!(value < 10, "too large: {value}");
    });
    let report = report.unwrap();
    assert!(report.contains("  panicked at crates/retrospect/tests/running.rs:"), "{report}");
    assert!(report.contains("      too large: 10\n"), "{report}");
}

#[test]
fn a_very_long_error_is_cut() {
    let folder = Folder::new("long");
    let report = folder.check(Settings::new().seed(7)).failure(any::<u32>(), |value| match value {
        0..10 => Ok(()),
        _ => Err(vec![value; 20_000]),
    });
    assert!(report.unwrap().len() < 10_000);
    assert!(folder.saved().unwrap().len() < 1_000);
}

#[test]
fn panics_of_a_generator_are_saved_apart_and_run_first_until_they_are_mended() {
    let folder = Folder::new("generator");
    let check = |limit: u32| {
        let panicking = within(0..1000_u32).map(move |n| {
            assert!(n < limit, "a generator panics");
            n
        });
        folder.check(Settings::new().seed(7)).failure(panicking, |_| ())
    };
    let n_saved = || folder.saved().map_or(0, |text| text.lines().filter(|line| line.starts_with("case ")).count());
    // Each saved case passes under the next limit, which fails elsewhere.
    for (limit, n) in [(11, 1), (501, 2), (901, 3)] {
        let report = check(limit).unwrap();
        assert!(report.contains("found by case") && report.contains("a generator panics"), "{report}");
        assert_eq!(n_saved(), n, "{}", folder.saved().unwrap());
    }
    assert!(check(901).unwrap().contains("fails again"));
    assert_eq!(check(1000), None);
    assert_eq!(n_saved(), 3);
}

#[test]
fn a_count_without_a_limit_runs_a_small_domain_once() {
    let mut n_bodies = 0;
    Check::new().cases(u64::MAX).save(false).run(any::<bool>(), |_| n_bodies += 1);
    // And the simplest case twice more.
    assert_eq!(n_bodies, 4);
}

/// A list whose `Debug` is derived, and recurses.
#[derive(Clone, Debug)]
struct Chain(Option<Box<Chain>>);

impl Drop for Chain {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut chain) = next {
            next = chain.0.take();
        }
    }
}

#[test]
fn a_failure_shows_values_that_are_deep() {
    let chain = || (0..10_000).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))));
    let deep = exact(()).map(move |()| chain());
    let report = Check::new().save(false).failure((0..1000_u32, deep), |(number, _)| assert!(number < 300));
    let report = report.unwrap();
    assert!(report.contains("(300, Chain(Some(Chain(Some("), "{report}");
}

#[test]
fn a_case_is_called_minimal_if_everything_simpler_was_tried() {
    let check = || Check::new().with(Settings::new().seed(7).save(false));
    let report = check().failure(0..8_u8, |number| number < 5).unwrap();
    assert!(report.contains("  minimal case (1 of 1 choices left, "), "{report}");
    assert!(!report.contains("go on shrinking"), "{report}");
    let small = |list: Vec<i64>| list.iter().map(|item| i128::from(*item)).sum::<i128>() <= 1_000_000_000;
    let report = check().failure(any::<Vec<i64>>(), small).unwrap();
    assert!(report.contains("  smallest case found (not everything simpler was tried; "), "{report}");
    assert!(report.contains("  go on shrinking:  RETROSPECT_SHRINK=1 RETROSPECT_SHRINK_TIME=1m "), "{report}");
}

#[test]
fn a_value_matters_if_it_must_not_be_that_of_another_argument() {
    let report = |fails: fn(u32, u32) -> bool| {
        let check = Check::new().seed(7).save(false);
        let report = check.failure_of_case(|case| {
            let a = case.draw_named("a", 0..1000_u32);
            let b = case.draw_named("b", 0..1000_u32);
            assert!(!fails(a, b));
        });
        report.expect("it fails")
    };
    let matters = report(|a, b| a >= 10 && a != b);
    assert!(matters.contains("let b = 0;\n"), "{matters}");
    let is_free = report(|a, _| a >= 10);
    let comment = is_free.lines().find_map(|line| line.strip_prefix("      let b = 0;")).expect("b is shown");
    assert!(
        comment.trim_start().starts_with("// each of ") && comment.ends_with(" other values fails too"),
        "{is_free}"
    );
}

#[test]
fn climbing_keeps_to_the_most_cases() {
    let mut count = 0;
    let settings = Settings::new().max_cases(500).save(false);
    let report = Check::new().with(settings).failure_of_case(|case| {
        target!(case.draw(any::<u64>()) as f64);
        count += 1;
    });
    assert_eq!(report, None);
    // The best cases by chance are run again, for their choices.
    assert!((500..600).contains(&count), "{count}");
}

#[test]
fn climbing_makes_no_list_longer_than_the_size() {
    let report = Check::new().with(Settings::new().size(40).save(false)).failure_of_case(|case| {
        let list = case.draw(vec_of(any::<bool>(), ..));
        target!(list.len() as f64);
        assert!(list.len() <= 40);
    });
    assert_eq!(report, None);
}

/// Of two values the share of one is what it is, however often they are drawn.
#[test]
fn a_share_that_no_case_has_is_missed() {
    let never = |held: fn(bool) -> bool| {
        Check::new().save(false).failure(any::<bool>(), move |value| cover!(0.5, held(value), "held"))
    };
    let report = never(|_| false).expect("it fails");
    assert!(report.contains("held held in 0 of 2 cases, and at least 50 % are expected"), "{report}");
    assert_eq!(never(|value| value), None);
}

/// Words of a message that are names of the values are no part of the failure.
#[test]
fn a_message_may_name_the_value() {
    #[derive(Clone, Copy, Debug, PartialEq, Generate)]
    enum Permission {
        Read,
        Write,
        Share,
        Delete,
    }
    for seed in 0..10 {
        let settings = Settings::new().seed(seed).save(false);
        let report =
            Check::new().with(settings).failure(tuple((any::<Permission>(), any::<u8>())), |(permission, n)| {
                let name = format!("{permission:?}").to_lowercase();
                if n != 77 { Ok(()) } else { Err(format!("cannot {name} this")) }
            });
        let report = report.expect("it fails");
        assert!(report.contains("minimal case") && report.contains("(Read, 77)"), "{report}");
    }
}

/// Once they are run, a few cases may turn out not to be all there are.
#[test]
fn a_body_may_draw_more_than_at_first() {
    for n_first in 1..3 {
        let mut count = 0;
        let report = Check::new().seed(1).save(false).failure_of_case(|case| {
            count += 1;
            if count > n_first {
                assert!(case.draw(any::<u32>()) < 37);
            }
        });
        assert!(report.expect("it fails").contains("draw_1 = 37"));
    }
}

/// What is searched for when no pass knows more has time for it in an ordinary property too.
#[test]
fn a_remainder_is_reached() {
    let mut n_reached = 0;
    for seed in 0..20 {
        let settings = Settings::new().seed(seed).cases(10_000).save(false);
        let report = Check::new().with(settings).failure(any::<u32>(), |number| assert_ne!(number % 97, 13));
        n_reached += u32::from(report.expect("it fails").contains("let value = 13;"));
    }
    assert!(n_reached >= 15, "{n_reached} of 20");
}
