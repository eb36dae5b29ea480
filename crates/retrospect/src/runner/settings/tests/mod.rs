//! Who is asked first, and what is said about a bad value.

mod file;
mod values;

use super::environment::Observing;
use super::file::SettingsFile;
use super::resolve::combine;
use super::*;
use std::ffi::OsString;
use std::path::Path;

/// Decides with these variables and this text of `retrospect.toml`.
fn resolved(code: Settings, variables: &[(&str, &str)], file: Option<&str>) -> Result<Resolved, String> {
    let variables = variables.iter().map(|(name, text)| (OsString::from(name), OsString::from(text))).collect();
    let found =
        file.map(|text| SettingsFile { path: "retrospect.toml".to_owned(), content: Ok(text.as_bytes().to_vec()) });
    combine(&code, variables, found.as_ref(), Path::new("crate")).map_err(|problems| problems.to_string())
}

fn problems(variables: &[(&str, &str)], file: Option<&str>) -> String {
    resolved(Settings::new(), variables, file).expect_err("these settings are wrong")
}

/// What is said about one variable.
fn refusal(name: &str, text: &str) -> String {
    problems(&[(name, text)], None)
}

#[test]
fn the_defaults_are_those_in_the_documentation() {
    let resolved = resolved(Settings::new(), &[], None).unwrap();
    assert_eq!(resolved.budget(), Budget::Default);
    assert_eq!((resolved.cases, resolved.time, resolved.seed), (None, None, None));
    assert_eq!((resolved.size, resolved.max_depth, resolved.verbose, resolved.shrink_runs), (100, 128, 0, 10_000));
    assert_eq!((resolved.timeout, resolved.shrink_time), (Duration::from_secs(10), Duration::from_secs(5)));
    assert_eq!((resolved.exhaustive, resolved.isolate, resolved.expect_failure), (None, false, false));
    assert_eq!((resolved.save, resolved.all_failures), (true, false));
    assert_eq!((resolved.regressions, resolved.color), (Path::new("crate").join("regressions"), Color::Auto));
    assert_eq!((resolved.allow, resolved.given, resolved.shrink), (vec![], None, false));
    assert_eq!(resolved.weights, None);

    let page = include_str!("../mod.rs");
    for key in Key::all() {
        let row = page.lines().find(|line| line.starts_with(&format!("//! | `{}` |", key.name())));
        let row = row.unwrap_or_default();
        let default = key.default();
        let is_told = row.contains(&format!("`{default}`")) || row.contains(&format!("| {default} |"));
        assert!(is_told || row.ends_with("| see [`Budget`] |"), "{row} should say {default}");
    }
}

#[test]
fn the_defaults_told_in_messages_are_the_ones_used() {
    let defaults = resolved(Settings::new(), &[], None).unwrap();
    for key in Key::all() {
        let mut told = Settings::new();
        // The other defaults are no values but sentences. Every text is the name of a file.
        if key != Key::Weights && told.read(key, key.default()).is_ok() {
            let told = resolved(told, &[], None).unwrap();
            // Up to what was set, which is last.
            let plain = |resolved: &Resolved| format!("{resolved:?}").split("chosen").next().map(str::to_owned);
            assert_eq!(plain(&told), plain(&defaults), "{}", key.name());
        }
    }
    let told = format!(
        "at least {} cases, then more until {} are over or {} cases were run",
        Budget::LEAST_CASES,
        read::duration_text(Budget::USUAL_TIME),
        Budget::MOST_CASES,
    );
    assert_eq!(Key::Cases.default(), told);
}

#[test]
fn the_attribute_is_asked_first_then_the_environment_then_the_profile_then_the_file() {
    let file = "size = 1\ncases = 1\nseed = 1\nverbose = 1\n[profile.ci]\nsize = 2\ncases = 2\nseed = 2\n[profile.other]\nsize = 9";
    let variables = [("RETROSPECT_PROFILE", "ci"), ("RETROSPECT_SIZE", "3"), ("RETROSPECT_CASES", "3")];
    let resolved = resolved(Settings::new().size(4), &variables, Some(file)).unwrap();
    assert_eq!(
        (resolved.size, resolved.cases, resolved.seed, resolved.verbose, resolved.save),
        (4, Some(3), Some(2), 1, true)
    );
    assert_eq!(
        resolved.describe(),
        "cases = 3 (RETROSPECT_CASES)\n\
         seed = 0x2 (retrospect.toml:8)\n\
         size = 4 (the property's own setting)\n\
         verbose = 1 (retrospect.toml:4)\n"
    );
    assert_eq!(resolved.origin(Key::Save), None);
    assert_eq!(resolved.origin(Key::Size).unwrap(), "the property's own setting");
}

#[test]
fn the_budget_is_what_cases_and_time_say_together() {
    let second = Duration::from_secs(1);
    let budget = |settings| resolved(settings, &[], None).unwrap().budget();
    assert_eq!(budget(Settings::new().cases(5)), Budget::Cases(5));
    assert_eq!(budget(Settings::new().time(second)), Budget::Time(second));
    assert_eq!(budget(Settings::new().time(second).cases(5)), Budget::CasesOrTime(5, second));
}

#[test]
fn what_only_the_environment_says_is_passed_on() {
    let given = |name, text| resolved(Settings::new(), &[(name, text), ("RETROSPECT_WORKER", "")], None).unwrap().given;
    assert_eq!(given("RETROSPECT_REPLAY", "3f9c"), Some(Given::Replay("3f9c".to_owned())));
    assert_eq!(given("RETROSPECT_VALUE", "x = 1; y = \"\""), Some(Given::Value("x = 1; y = \"\"".to_owned())));
    assert_eq!(given("RETROSPECT_VALUE_FILE", "crash.txt"), Some(Given::ValueFile("crash.txt".into())));
    assert_eq!(given("RETROSPECT_TEXT_FILE", "doc.json"), Some(Given::TextFile("doc.json".into())));
    assert_eq!(given("RETROSPECT_RESULT_FILE", "result"), None);
}

#[test]
fn only_one_variable_may_say_what_to_run() {
    assert_eq!(
        problems(&[("RETROSPECT_REPLAY", "3f9c"), ("RETROSPECT_VALUE", "x = 1")], None),
        "RETROSPECT_REPLAY and RETROSPECT_VALUE both say what to run: set one of them"
    );
}

#[test]
fn what_to_observe_is_about_one_run() {
    let variables = [("RETROSPECT_OBSERVE", "seen"), ("RETROSPECT_TYCHE", "1"), ("RETROSPECT_STEER", "more.toml")];
    let observing = resolved(Settings::new(), &variables, None).unwrap().observing;
    let steer = Some("more.toml".into());
    assert_eq!(observing, Observing { directory: Some("seen".into()), tyche: true, steer, coverage_map: None });
    assert_eq!(resolved(Settings::new(), &[], None).unwrap().observing, Observing::default());
}

#[test]
fn shrinking_by_hand_has_no_limits_but_those_of_the_environment() {
    let code = || Settings::new().shrink_time(Duration::from_secs(1)).verbose(1).expect_failure(true);
    let shrunk = |variables: &[(&str, &str)]| {
        let variables = [&[("RETROSPECT_SHRINK", "1")], variables].concat();
        let resolved = resolved(code(), &variables, Some("shrink_runs = 3")).unwrap();
        assert!(resolved.shrink && !resolved.expect_failure);
        (resolved.shrink_time, resolved.shrink_runs, resolved.verbose)
    };
    assert_eq!(shrunk(&[]), (Duration::MAX, u64::MAX, 0));
    let limits = [("RETROSPECT_SHRINK_TIME", "2s"), ("RETROSPECT_SHRINK_RUNS", "7"), ("RETROSPECT_VERBOSE", "2")];
    assert_eq!(shrunk(&limits), (Duration::from_secs(2), 7, 2));
    let off = resolved(code(), &[("RETROSPECT_SHRINK", "0")], Some("shrink_runs = 3")).unwrap();
    assert_eq!((off.shrink_time, off.shrink_runs, off.expect_failure), (Duration::from_secs(1), 3, true));
}

#[test]
fn no_color_is_obeyed_unless_retrospect_color_is_set() {
    let color = |variables: &[(&str, &str)]| {
        let resolved = resolved(Settings::new(), variables, Some("color = \"always\"")).unwrap();
        (resolved.color, resolved.origin(Key::Color).unwrap_or_else(|| "the default".to_owned()))
    };
    let (no, explicit) = (("NO_COLOR", "1"), ("RETROSPECT_COLOR", "auto"));
    assert_eq!(color(&[no]), (Color::Never, "NO_COLOR".to_owned()));
    assert_eq!(color(&[no, explicit]), (Color::Auto, "RETROSPECT_COLOR".to_owned()));
    assert_eq!(color(&[explicit, no]), (Color::Auto, "RETROSPECT_COLOR".to_owned()));
    assert_eq!(color(&[("NO_COLOR", "")]), (Color::Always, "retrospect.toml:1".to_owned()));
}

#[test]
fn silenced_health_checks_are_known_and_the_strongest_list_counts() {
    let silenced =
        resolved(Settings::new(), &[("RETROSPECT_ALLOW", "slow, large,slow")], Some("allow = [\"discards\"]"));
    let silenced = silenced.unwrap();
    assert_eq!(silenced.allow, [Health::Slow, Health::Large]);
    assert!(silenced.allows(Health::Slow) && !silenced.allows(Health::Discards));
}

#[test]
fn a_folder_is_seen_from_the_crate() {
    let folder = |path| resolved(Settings::new().regressions(path), &[], None).unwrap().regressions;
    assert_eq!(folder("tests/found"), Path::new("crate").join("tests/found"));
}

#[test]
fn a_bad_variable_is_named_with_the_reason_and_the_default() {
    let budget = "(default: at least 100 cases, then more until 50ms are over or 10000 cases were run)";
    assert_eq!(refusal("RETROSPECT_CASES", "abc"), format!("RETROSPECT_CASES=abc is not a whole number {budget}"));
    assert_eq!(
        refusal("RETROSPECT_CASES", "0"),
        format!("RETROSPECT_CASES=0 is too few: 0 cases test nothing {budget}")
    );
    assert_eq!(
        refusal("RETROSPECT_TIME", "50"),
        format!("RETROSPECT_TIME=50 has no unit: write 50ms, 50s, 50m or 50h {budget}")
    );
    for (name, text, told) in [
        ("SEED", "-1", "RETROSPECT_SEED=-1 is below 0 (default: another one in each run)"),
        ("SIZE", "4000000000", "RETROSPECT_SIZE=4000000000 is too large: at most 1000000 is possible (default: 100)"),
        ("SAVE", "yes", "RETROSPECT_SAVE=yes is neither true nor false (default: true)"),
        ("VERBOSE", "3", "RETROSPECT_VERBOSE=3 is not 0, 1 or 2 (default: 0)"),
        ("TIMEOUT", "0 s", "RETROSPECT_TIMEOUT=0 s is too short: every case would take longer (default: 10s)"),
        ("SHRINK_RUNS", "", "RETROSPECT_SHRINK_RUNS= is empty: give it a value or leave it out (default: 10000)"),
        ("COLOR", "red", "RETROSPECT_COLOR=red is none of auto, always, never (default: auto)"),
        (
            "COLOR",
            "alway",
            "RETROSPECT_COLOR=alway is none of auto, always, never; did you mean always? (default: auto)",
        ),
        (
            "ALLOW",
            "slow,lagre",
            "RETROSPECT_ALLOW=slow,lagre names \"lagre\", which is no health check; there are discards, slow, large, \
             nondeterminism; did you mean large? (default: none)",
        ),
        (
            "ALLOW",
            "slow,",
            "RETROSPECT_ALLOW=slow, names \"\", which is no health check; there are discards, slow, large, \
             nondeterminism (default: none)",
        ),
        ("REPLAY", "", "RETROSPECT_REPLAY= is empty: give it a value or leave it out"),
        ("VALUE_FILE", "", "RETROSPECT_VALUE_FILE= is empty: give it a value or leave it out"),
        ("SHRINK", "yes", "RETROSPECT_SHRINK=yes is neither true nor false"),
        ("TYCHE", "yes", "RETROSPECT_TYCHE=yes is neither true nor false"),
        ("OBSERVE", " ", "RETROSPECT_OBSERVE= is empty: give it a value or leave it out"),
        ("STEER", "", "RETROSPECT_STEER= is empty: give it a value or leave it out"),
    ] {
        assert_eq!(refusal(&format!("RETROSPECT_{name}"), text), told);
    }
}

#[test]
fn an_unknown_variable_is_named_with_the_nearest_one() {
    for (name, told) in [
        ("RETROSPECT_SEDE", "RETROSPECT_SEDE is not a setting: did you mean RETROSPECT_SEED?"),
        ("RETROSPECT_cases", "RETROSPECT_cases is not a setting: did you mean RETROSPECT_CASES?"),
        ("RETROSPECT_REPLAYS", "RETROSPECT_REPLAYS is not a setting: did you mean RETROSPECT_REPLAY?"),
        (
            "RETROSPECT_EXPECT_FAILURE",
            "RETROSPECT_EXPECT_FAILURE cannot be set here: it belongs to the property's own settings",
        ),
        (
            "RETROSPECT_",
            "RETROSPECT_ is not a setting; there are RETROSPECT_CASES, RETROSPECT_MAX_CASES, RETROSPECT_TIME, RETROSPECT_SEED, RETROSPECT_SIZE, \
             RETROSPECT_MAX_DEPTH, RETROSPECT_EXHAUSTIVE, RETROSPECT_ISOLATE, RETROSPECT_TIMEOUT, RETROSPECT_SHRINK_TIME, RETROSPECT_SHRINK_RUNS, \
             RETROSPECT_VERBOSE, RETROSPECT_SAVE, RETROSPECT_REGRESSIONS, RETROSPECT_WEIGHTS, RETROSPECT_ALL_FAILURES, RETROSPECT_ALLOW, \
             RETROSPECT_COLOR, RETROSPECT_PROPERTY, RETROSPECT_REPLAY, RETROSPECT_REPLAY_FILE, RETROSPECT_VALUE, RETROSPECT_VALUE_FILE, RETROSPECT_TEXT_FILE, RETROSPECT_SHRINK, \
             RETROSPECT_PROFILE, RETROSPECT_OBSERVE, RETROSPECT_TYCHE, RETROSPECT_STEER",
        ),
    ] {
        assert_eq!(refusal(name, "1"), told);
    }
}

#[test]
fn the_propertys_own_settings_are_checked_like_all_others() {
    let code = |settings| resolved(settings, &[], None).expect_err("these settings are wrong");
    let budget = "(default: at least 100 cases, then more until 50ms are over or 10000 cases were run)";
    let no_cases = format!("the property's own setting cases = 0 is too few: 0 cases test nothing {budget}");
    assert_eq!(code(Settings::new().cases(0)), no_cases);
    assert_eq!(code(Settings::new().set("cases", "0")), no_cases);
    assert_eq!(
        code(Settings::new().size(u32::MAX)),
        "the property's own setting size = 4294967295 is too large: at most 1000000 is possible (default: 100)"
    );
    assert_eq!(
        code(Settings::new().max_depth(7)),
        "the property's own setting max_depth = 7 is too small: at least 8 is possible (default: 128)"
    );
    assert_eq!(
        code(Settings::new().verbose(7)),
        "the property's own setting verbose = 7 is not 0, 1 or 2 (default: 0)"
    );
    assert_eq!(
        code(Settings::new().time(Duration::ZERO)),
        format!("the property's own setting time = 0s is too short: it leaves no time to test anything {budget}")
    );
    assert_eq!(
        code(Settings::new().regressions("")),
        "the property's own setting regressions = \"\" is empty: give it a value or leave it out (default: regressions)"
    );
    assert_eq!(code(Settings::new().set("shrinktime", "2s")), "shrinktime is not a setting: did you mean shrink_time?");
    assert_eq!(
        code(Settings::new().set("replay", "3f9c")),
        "replay is for one run only: set the variable RETROSPECT_REPLAY"
    );
}

#[test]
fn all_problems_are_told_at_once_up_to_a_number_that_one_reads() {
    let told = problems(&[("RETROSPECT_SIZE", "x"), ("RETROSPECT_COLR", "never")], Some("save = 3"));
    assert_eq!(
        told,
        "RETROSPECT_SIZE=x is not a whole number (default: 100)\n\
         RETROSPECT_COLR is not a setting: did you mean RETROSPECT_COLOR?\n\
         retrospect.toml:1:8: save = 3 is neither true nor false (default: true)\n\
         \x20   save = 3\n\
         \x20          ^"
    );
    let told = problems(&[], Some(&"sizes = 1\n".repeat(25)));
    assert_eq!(told.matches("did you mean size?").count(), 20);
    assert!(told.ends_with("\nand 5 more"), "{told}");
}

#[test]
fn a_long_or_strange_value_stays_in_its_line() {
    let told = refusal("RETROSPECT_SIZE", &format!("a\n\u{1b}{}", "x".repeat(100_000)));
    assert_eq!(told, format!("RETROSPECT_SIZE=a\\n\\u{{1b}}{}… is not a whole number (default: 100)", "x".repeat(57)));
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_utf_8_is_named() {
    use std::os::unix::ffi::OsStringExt;
    let strange = |text: &[u8]| OsString::from_vec(text.to_vec());
    let told = |name: &[u8], text: &[u8]| {
        let variables = vec![(strange(name), strange(text))];
        combine(&Settings::new(), variables, None, Path::new("crate")).expect_err("not UTF-8").to_string()
    };
    assert_eq!(told(b"RETROSPECT_SIZE", b"1\xff"), "RETROSPECT_SIZE=1\u{fffd} is not UTF-8 (default: 100)");
    assert_eq!(told(b"RETROSPECT_VALUE", b"\xff"), "RETROSPECT_VALUE=\u{fffd} is not UTF-8");
    assert_eq!(
        told(b"RETROSPECT_SIZ\xff", b"1"),
        "RETROSPECT_SIZ\u{fffd} is not a setting: did you mean RETROSPECT_SIZE?"
    );
    // A name that is not ours is nobody's business here.
    let variables = vec![(strange(b"\xff"), strange(b"\xff"))];
    assert!(combine(&Settings::new(), variables, None, Path::new("crate")).is_ok());
}

#[test]
fn the_largest_number_of_cases_is_stronger_than_what_a_property_asks_for() {
    let budget = |code: Settings| {
        let resolved = resolved(code, &[("RETROSPECT_MAX_CASES", "7")], None).unwrap();
        (resolved.budget(), resolved.max_cases)
    };
    assert_eq!(budget(Settings::new().cases(500)), (Budget::Cases(7), 7));
    assert_eq!(budget(Settings::new().cases(5)), (Budget::Cases(5), 7));
    assert_eq!(budget(Settings::new()), (Budget::Default, 7));
    assert_eq!(
        refusal("RETROSPECT_MAX_CASES", "0"),
        "RETROSPECT_MAX_CASES=0 is too few: 0 cases test nothing (default: none)"
    );
}
