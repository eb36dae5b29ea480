//! What a run counts, what it refuses, and how it tells failures apart.

use retrospect::prelude::*;
use retrospect::runner::Settings;
use retrospect::runner::settings::Health;

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
            assert!(
                n_bodies == cases || n_bodies == domain && domain < cases,
                "{n_bodies} of {cases}, domain {domain}"
            );
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
    assert!(report.contains("found by case 60 of 100 (172 discarded), seed 0x7\n"), "{report}");
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
    assert!(report.contains("minimal case") && report.contains("let value = 507;\n"), "{report}");
    assert_eq!(report.matches("FAIL  ").count(), 1, "{report}");
}

#[test]
fn a_returned_text_shrinks_with_what_it_shows() {
    let report = Check::new().seed(7).save(false).failure(any::<String>(), |text| match text.chars().count() {
        0..3 => Ok(()),
        _ => Err(format!("cannot parse {text}")),
    });
    let report = report.unwrap();
    assert!(report.contains("minimal case") && report.contains("let value = \"aaa\";\n"), "{report}");
}
