//! Isolation and the watchdog, for real: cases that abort, overflow the stack, exit, hang, in
//! children of this very test binary.
//!
//! What a property does is written in the tests that run it; a worker comes to it the same way,
//! since a test in a worker is this test.

#![cfg(unix)]

use retrospect::prelude::*;
use retrospect::runner::Settings;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn isolated() -> Check {
    let settings = Settings::new().isolate(true).seed(7).cases(200).save(false).timeout(Duration::from_secs(60));
    Check::new().with(settings.shrink_time(Duration::from_secs(600)))
}

/// The lines of the report that do not change from run to run.
fn lasting(report: &str) -> String {
    let is_lasting = |line: &&str| !line.contains("choices left") && !line.starts_with("FAIL");
    report.lines().filter(is_lasting).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_abort_shrinks_like_any_other_failure() {
    let report = isolated().failure(0..1000_u32, |number| {
        if number >= 37 {
            std::process::abort();
        }
    });
    assert_eq!(
        lasting(&report.unwrap()),
        "      let value = 37;\n  failed:\n      the process was ended by signal 6 (SIGABRT: abort)\n  \
         replay:  RETROSPECT_VALUE='value = 37' cargo test -p retrospect --test isolation \
         an_abort_shrinks_like_any_other_failure -- --exact"
    );
}

#[test]
fn a_body_that_reads_its_input_finds_none() {
    let report = isolated().failure(0..1000_u32, |number| {
        let mut line = String::new();
        assert_eq!(std::io::stdin().read_line(&mut line).expect("an input"), 0, "{line}");
        number < 37
    });
    let report = report.unwrap();
    assert!(report.contains("      let value = 37;\n  failed:\n      the property returned `false`\n"), "{report}");
}

#[test]
fn a_body_that_closes_its_descriptors_shrinks_like_any_other() {
    unsafe extern "C" {
        fn close(file: std::ffi::c_int) -> std::ffi::c_int;
    }
    let report = isolated().failure(0..1000_u32, |number| {
        for file in 0..3 {
            // SAFETY: nothing in this process needs the standard descriptors after this.
            unsafe { close(file) };
        }
        number < 37
    });
    let report = report.unwrap();
    assert!(report.contains("      let value = 37;\n  failed:\n      the property returned `false`\n"), "{report}");
}

#[test]
fn a_body_that_prints_bytes_of_any_kind_shrinks_like_any_other() {
    use std::io::Write as _;
    let report = isolated().failure(0..1000_u32, |number| {
        let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        std::io::stdout().write_all(&bytes).and_then(|()| std::io::stderr().write_all(&bytes)).expect("an output");
        number < 37
    });
    let report = report.unwrap();
    assert!(report.contains("      let value = 37;\n  failed:\n      the property returned `false`\n"), "{report}");
}

#[test]
fn a_stack_overflow_shrinks_and_is_called_one() {
    #[allow(unconditional_recursion)]
    fn deeper(level: u64) -> u64 {
        std::hint::black_box(deeper(std::hint::black_box(level + 1)) + 1)
    }
    let report = isolated().failure(0..1000_u32, |number| {
        if number >= 5 {
            deeper(0);
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 5;\n"), "{report}");
    assert!(report.contains("(SIGABRT: abort): a stack overflow, by what it printed\n"), "{report}");
    assert!(report.contains("has overflowed its stack\n"), "{report}");
}

#[test]
fn an_exit_shrinks_with_its_code_and_what_was_printed_before() {
    let report = isolated().failure(vec_of(0..100_u8, ..), |list| {
        if list.iter().any(|item| *item > 9) {
            eprintln!("no such item");
            std::process::exit(3);
        }
    });
    let report = report.unwrap();
    assert!(report.contains("the process exited with code 3\n"), "{report}");
    assert!(report.contains("the last that it printed:\n        no such item\n"), "{report}");
    assert!(report.contains("10]"), "{report}");
}

#[test]
fn an_endless_loop_is_ended_and_shrinks() {
    let settings = Settings::new().isolate(true).seed(1).cases(50).save(false).timeout(Duration::from_millis(500));
    let check = Check::new().with(settings.shrink_time(Duration::from_secs(600)));
    let report = check.failure(0..1000_u32, |number| {
        while std::hint::black_box(number) >= 1 {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 1;\n"), "{report}");
    assert!(report.contains("no end after 0.50 s (timeout)\n"), "{report}");
    assert!(report.contains("#[property(timeout = \"…\")] or RETROSPECT_TIMEOUT"), "{report}");
}

#[test]
fn a_killed_process_is_a_failure() {
    let report = isolated().failure(0..1000_u32, |number| {
        if number >= 700 {
            let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let value = 700;\n"), "{report}");
    assert!(report.contains("ended by signal 9 (SIGKILL: killed, by somebody or for want of memory)"), "{report}");
}

#[test]
fn what_is_drawn_inside_the_body_is_known_too() {
    let report = isolated().failure_of_case(|case| {
        let length = case.draw_named("length", 1..5_usize);
        for _ in 0..length {
            if case.draw_named("item", any::<u16>()) > 1000 {
                std::process::abort();
            }
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let length = 1;") && report.contains("let item   = 1001;\n"), "{report}");
}

#[test]
fn a_panic_has_its_place_and_message() {
    let report = isolated().failure(0..1000_u32, |number| {
        println!("the number is {number}");
        assert!(number < 12, "{number} is too much");
    });
    let report = report.unwrap();
    let line = line!() - 3;
    assert!(
        report.contains(&format!("panicked at crates/retrospect/tests/isolation.rs:{line}:9:\n      12 is too much\n")),
        "{report}"
    );
}

#[test]
fn a_generator_that_ends_its_process_is_reported_as_it_was_found() {
    let deadly = within(0..1000_u32).map(|number| if number > 500 { std::process::exit(9) } else { number });
    let report = isolated().failure(deadly, |_| {}).unwrap();
    assert!(report.contains("the process exited with code 9"), "{report}");
}

#[test]
fn a_property_that_holds_passes_and_has_run_in_a_child() {
    let parent = std::process::id();
    let report = isolated().failure(any::<i64>(), |_| assert_ne!(std::process::id(), parent_of_test(parent)));
    assert_eq!(report, None);
}

/// In a worker this function is called there as well, and must tell of the parent.
fn parent_of_test(this: u32) -> u32 {
    match std::env::var("RETROSPECT_WORKER") {
        Ok(text) => text.rsplit(' ').next().unwrap().parse().unwrap(),
        Err(_) => this,
    }
}

#[test]
fn all_cases_of_a_small_domain_are_run() {
    // The child knows the order, and is told which case is wanted.
    let report = isolated().failure((0..3_u8, any::<bool>()), |pair| pair != (2, true)).unwrap();
    assert!(report.contains("let value = (2, true);"), "{report}");
    assert!(report.contains("found by case 6, in order"), "{report}");
}

#[test]
fn shares_are_counted_across_processes() {
    let report = isolated().failure(0..1_000_000_u32, |number| {
        event!("tens", number / 10);
        cover!(0.2, number < 5);
    });
    let report = report.unwrap();
    assert!(report.contains("`number < 5` held in"), "{report}");
    assert!(report.contains("cover! at crates/retrospect/tests/isolation.rs:"), "{report}");
}

#[test]
fn discards_are_counted_across_processes() {
    let report = isolated().failure(0..1_000_000_u32, |number| {
        assume!(number > 2_000_000);
    });
    assert!(report.unwrap().contains("nothing was tested: all"));
}

#[test]
fn several_properties_in_one_test_are_told_apart() {
    isolated().run(0..10_u8, |number| number < 10);
    let first = isolated().failure(0..1000_u32, |number| {
        if number > 3 {
            std::process::exit(1)
        }
    });
    let second = isolated().failure(0..1000_u32, |number| {
        if number > 4 {
            std::process::exit(2)
        }
    });
    // In the worker for the second, the first is passed over.
    assert!(first.is_none_or(|report| report.contains("let value = 4;\n") && report.contains("code 1\n")));
    assert!(second.is_none_or(|report| report.contains("let value = 5;\n") && report.contains("code 2\n")));
}

#[test]
fn what_happens_only_once_is_not_hidden() {
    let file = std::env::temp_dir().join(format!("retrospect-once-{}", parent_of_test(std::process::id())));
    let mut cases = 0;
    let report = isolated().failure(0..1_000_000_u32, |_| {
        cases += 1;
        if cases == 150 && !file.exists() {
            std::fs::write(&file, "").unwrap();
            std::process::abort();
        }
    });
    let report = report.unwrap();
    assert!(report.contains("not deterministic: failed 1 of 10 runs with the same choices"), "{report}");
    assert!(report.contains("the process was ended by signal 6 (SIGABRT: abort)\n"), "{report}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_case_that_draws_without_end_is_ended() {
    let settings = Settings::new().isolate(true).cases(5).save(false).timeout(Duration::from_millis(300));
    let check = Check::new().with(settings.shrink_time(Duration::ZERO));
    let report = check.failure_of_case(|case| while case.draw(0..10_u8) < 10 {});
    assert!(report.unwrap().contains("no end after 0.30 s (timeout)"));
}

#[test]
fn a_program_that_a_case_starts_is_no_worker() {
    let report = isolated().failure(0..3_u8, |_| {
        let output = target("fails_by_itself").output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("FAIL  fails_by_itself"));
    });
    assert_eq!(report, None);
}

#[test]
fn fails_by_itself() {
    if is_target() {
        Check::new().save(false).run(0..10_u8, |number| number < 5);
    }
}

#[test]
fn a_name_of_ones_own_leads_to_the_test_as_well() {
    let report = isolated().named("somewhere::else").failure(0..10_u8, |number| {
        if number > 3 {
            std::process::abort()
        }
    });
    assert!(report.unwrap().contains("let value = 4;\n"));
}

#[test]
fn a_test_that_a_worker_cannot_come_to_says_so() {
    if std::env::var_os("RETROSPECT_WORKER").is_some() {
        return;
    }
    let report = isolated().failure(0..10_u8, |_| {}).unwrap();
    assert!(report.contains("is to come to this property by itself, but it did not:"), "{report}");
    assert!(report.contains("a_test_that_a_worker_cannot_come_to_says_so --exact"), "{report}");
    assert!(report.contains("or do without `isolate`"), "{report}");
}

#[test]
fn a_property_inside_a_case_cannot_be_isolated_alone() {
    let report = Check::new().save(false).cases(5).failure(0..10_u8, |_| isolated().run(0..10_u8, |_| {}));
    assert!(report.unwrap().contains("isolate the outer one"));
}

/// Runs one of the targets below, in a process of its own. They are tests, since that is how a
/// worker comes to them; started with all others they do nothing.
fn target(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--nocapture"]).env("ISOLATION_TARGET", name);
    command
}

fn is_target() -> bool {
    std::env::var_os("ISOLATION_TARGET").is_some()
}

fn is_alive(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_for(mut holds: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

fn true_for_ever() -> bool {
    std::hint::black_box(true)
}

#[test]
fn hangs_in_a_worker() {
    if !is_target() {
        return;
    }
    let file = std::env::var("ISOLATION_TEST_FILE").unwrap();
    isolated().run(0..1000_u32, |_| {
        std::fs::write(&file, std::process::id().to_string()).unwrap();
        while true_for_ever() {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_does_not_outlive_its_parent() {
    let file = std::env::temp_dir().join(format!("retrospect-isolation-{}", std::process::id()));
    let mut parent =
        target("hangs_in_a_worker").env("ISOLATION_TEST_FILE", &file).stdout(Stdio::null()).spawn().unwrap();
    let mut worker = String::new();
    let began = wait_for(|| {
        worker = std::fs::read_to_string(&file).unwrap_or_default();
        !worker.is_empty()
    });
    assert!(began && is_alive(&worker));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(wait_for(|| !is_alive(&worker)), "process {worker} is still there");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn leaves_no_process_behind() {
    if !is_target() {
        return;
    }
    let _ = isolated().failure(0..1000_u32, |number| {
        if number > 3 {
            std::process::exit(1)
        }
    });
    if std::env::var_os("RETROSPECT_WORKER").is_none() {
        let this = std::process::id().to_string();
        let children = std::fs::read_to_string(format!("/proc/{this}/task/{this}/children")).unwrap_or_default();
        assert_eq!(children, "");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_behind_and_nothing_waits_to_be_buried() {
    assert!(target("leaves_no_process_behind").stdout(Stdio::null()).status().unwrap().success());
}

#[test]
fn prints_in_its_cases() {
    if !is_target() {
        return;
    }
    isolated().run(0..1000_u32, |number| {
        println!("saw {number}");
        assert!(number < 12);
    });
}

#[test]
fn only_what_the_last_case_printed_is_passed_on() {
    let output = target("prints_in_its_cases").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen: Vec<&str> = printed.lines().filter(|line| line.contains("saw ")).collect();
    assert!(seen.len() == 1 && seen[0].ends_with("saw 12"), "{printed}");
}

#[test]
fn hangs_in_the_hot_loop() {
    if !is_target() {
        return;
    }
    let settings = Settings::new().seed(3).timeout(Duration::from_millis(200));
    Check::new().with(settings).run_case(|case| {
        let list = case.draw_named("list", vec_of(0..1000_u32, ..));
        while list.len() > 30 {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn hangs_on_an_early_case() {
    if !is_target() {
        return;
    }
    let settings = Settings::new().seed(3).save(false).timeout(Duration::from_millis(200));
    Check::new().with(settings).run(0..2_000_000_u32, |number| {
        while std::hint::black_box(number) == 1_999_999 {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// What a target that hangs says on its standard error, until it has said how to run it again.
fn told_by(name: &str, directory: &std::path::Path) -> String {
    use std::io::{BufRead, BufReader};
    std::fs::create_dir_all(directory).unwrap();
    let mut command = target(name);
    command.env("CARGO_MANIFEST_DIR", directory).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut told = String::new();
    for line in BufReader::new(process.stderr.take().unwrap()).lines() {
        told += &(line.unwrap() + "\n");
        if told.contains("  replay:  ") {
            break;
        }
    }
    process.kill().unwrap();
    process.wait().unwrap();
    told
}

#[test]
fn a_hang_is_told_with_its_input() {
    let directory = std::env::temp_dir().join(format!("retrospect-watchdog-{}", std::process::id()));
    let told = told_by("hangs_in_the_hot_loop", &directory);
    assert!(told.contains("SLOW  hangs_in_the_hot_loop    one case has been running for 0."), "{told}");
    assert!(told.contains("      let list = ["), "{told}");
    assert!(told.contains("#[property(isolate, timeout = \"1s\")]"), "{told}");
    assert!(told.contains("  replay:  RETROSPECT_REPLAY="), "{told}");
    // Slow is not failing.
    assert!(!directory.join("regressions").exists());
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_hang_at_the_ends_of_the_choices_is_told_too() {
    let directory = std::env::temp_dir().join(format!("retrospect-watchdog-early-{}", std::process::id()));
    let told = told_by("hangs_on_an_early_case", &directory);
    assert!(told.contains("      let value = 1999999;\n"), "{told}");
    assert!(told.contains("  replay:  RETROSPECT_REPLAY='1999999' cargo test hangs_on_an_early_case"), "{told}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn hangs_in_a_loop_that_draws() {
    if !is_target() {
        return;
    }
    let settings = Settings::new().seed(3).save(false).timeout(Duration::from_millis(200));
    Check::new().with(settings).run_case(|case| {
        while case.draw(any::<u8>()) < 255 {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}

#[test]
fn the_command_for_a_loop_that_draws_leads_to_it() {
    let directory = std::env::temp_dir().join(format!("retrospect-watchdog-loop-{}", std::process::id()));
    let told = told_by("hangs_in_a_loop_that_draws", &directory);
    assert!(!told.contains("the process ended"), "{told}");
    let (_, given) = told.split_once("RETROSPECT_REPLAY='").expect("a command");
    let (given, _) = given.split_once('\'').expect("the choices");
    assert!(given.starts_with("0 0 0 ") && given.ends_with(" 0 ..."), "{given}");
    let mut replay = target("hangs_in_a_loop_that_draws");
    replay.env("CARGO_MANIFEST_DIR", &directory).env("RETROSPECT_REPLAY", given);
    let mut replay = replay.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(replay.try_wait().unwrap().is_none(), "it goes on where the choices end");
    replay.kill().unwrap();
    replay.wait().unwrap();
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn deletes_its_program() {
    if !is_target() {
        return;
    }
    isolated().run(any::<u16>(), |number| {
        if number > 1000 {
            std::fs::remove_file(std::env::current_exe().unwrap()).unwrap();
            std::process::abort();
        }
    });
}

#[test]
fn a_program_that_is_gone_is_said_to_be_gone() {
    let copy = std::env::temp_dir().join(format!("retrospect-deleted-{}", std::process::id()));
    std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let mut command = Command::new(&copy);
    command.args(["deletes_its_program", "--exact", "--nocapture"]).env("ISOLATION_TARGET", "deletes_its_program");
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("and that is gone: ") && told.contains("SIGABRT"), "{told}");
    assert!(!told.contains("not deterministic") && !told.contains("minimal case"), "{told}");
}

fn rising() -> impl Generator<Value = Vec<u32>> {
    vec_of(0..1000_u32, 1..=12).satisfying(|list| list.is_sorted())
}

#[test]
fn what_is_searched_for_shrinks_in_a_child_too() {
    let report = isolated().failure(rising(), |list| {
        if list.iter().any(|number| *number >= 37) {
            std::process::abort();
        }
    });
    let report = report.unwrap();
    assert!(report.contains("let value = [37];\n"), "{report}");
}

#[test]
fn hangs_on_what_was_searched_for() {
    if !is_target() {
        return;
    }
    let settings = Settings::new().seed(3).save(false).cases(100_000).timeout(Duration::from_millis(200));
    Check::new().with(settings).run_case(|case| {
        let list = case.draw_named("list", rising());
        while list.len() > 10 {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn a_hang_on_what_was_searched_for_is_told_with_the_seed_of_the_run() {
    let directory = std::env::temp_dir().join(format!("retrospect-watchdog-search-{}", std::process::id()));
    let told = told_by("hangs_on_what_was_searched_for", &directory);
    assert!(told.contains("SLOW  hangs_on_what_was_searched_for    one case has been running for 0."), "{told}");
    let reason = "its values are not known: they were found by a search that builds on the cases before\n";
    assert!(told.contains(reason), "{told}");
    assert!(told.contains("  replay:  RETROSPECT_SEED=0x3 cargo test hangs_on_what_was_searched_for"), "{told}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_generator_that_cannot_make_a_value_says_so() {
    let item = || set_of(exact(()), 2);
    let one = isolated().failure(item(), |_| {});
    let list = isolated().failure(vec_of(item(), 1..), |_| {});
    let option = isolated().failure((any::<u8>(), option_of(vec_of(item().boxed(), 1..))), |_| {});
    let drawn = isolated().failure_of_case(|case| drop(case.draw(map_of(any::<bool>(), vec_of(item(), 1..), 1..))));
    for report in [one, list, option, drawn] {
        let report = report.expect("it cannot be made");
        assert!(report.contains("only 1 different"), "{report}");
    }
}

#[test]
fn a_lock_that_a_failure_poisoned_does_not_hide_the_failure() {
    static LOCK: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
    let report = isolated().failure(vec_of(any::<u16>(), ..), |list| {
        let mut count = LOCK.lock().unwrap();
        *count += 1;
        assert!(!list.iter().any(|item| *item > 1000), "the real reason: {list:?}");
    });
    let report = report.unwrap();
    assert!(report.contains("  minimal case (") && report.contains("let value = [1001];\n"), "{report}");
    assert!(report.contains("the real reason: [1001]\n"), "{report}");
}

#[test]
fn a_body_that_closes_many_descriptors_passes() {
    unsafe extern "C" {
        fn close(file: std::ffi::c_int) -> std::ffi::c_int;
    }
    let closing = |least, most| {
        isolated().failure(0..100_u32, move |_| {
            for file in least..most {
                // SAFETY: nothing in this process needs these descriptors after this.
                unsafe { close(file) };
            }
        })
    };
    if let Some(report) = closing(3, 256) {
        panic!("{report}");
    }
    let report = closing(3, 100_000).expect("nothing can be heard any more");
    assert!(report.contains("`isolate` has lost its process: a case has closed the connection"), "{report}");
    assert!(!report.contains("let value"), "{report}");
}

#[test]
fn a_child_that_the_body_forks_ends_with_the_case() {
    unsafe extern "C" {
        fn fork() -> std::ffi::c_int;
        fn waitpid(process: std::ffi::c_int, status: *mut std::ffi::c_int, options: std::ffi::c_int)
        -> std::ffi::c_int;
    }
    for isolate in [false, true] {
        for panics in [false, true] {
            let settings = Settings::new().isolate(isolate).seed(7).cases(8).save(false);
            let test = std::process::id();
            let report = Check::new().with(settings).failure_of_case(move |case| {
                case.draw(any::<u8>());
                // SAFETY: the child draws, and returns or panics.
                let child = unsafe { fork() };
                if child == 0 {
                    case.draw(any::<u8>());
                    assert!(!panics, "in the child");
                    return;
                }
                let mut status = -1;
                // SAFETY: the child is this process's.
                unsafe { waitpid(child, &mut status, 0) };
                assert_eq!(status >> 8, if panics { 101 } else { 0 });
            });
            assert!(isolate || std::process::id() == test, "the child has gone on");
            assert_eq!(report, None);
        }
    }
}

#[test]
fn of_two_panics_the_first_is_told_too() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("the second");
        }
    }
    let report = isolated().failure(0..1000_u32, |number| {
        if number > 5 {
            let _panics = Panics;
            panic!("the first");
        }
    });
    let report = report.unwrap();
    assert!(report.contains("the first") && report.contains("the second"), "{report}");
    assert!(!report.contains("#[property(isolate)]"), "{report}");
}

#[test]
fn a_debug_that_ends_the_process_does_not_hide_the_failure() {
    #[derive(Clone)]
    struct Aborts(u16);
    impl std::fmt::Debug for Aborts {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            std::process::abort()
        }
    }
    let report = isolated().failure(any::<u16>().map(Aborts), |value| {
        assert!(value.0 < 1000, "the real reason: {}", value.0);
    });
    let report = report.unwrap();
    assert!(report.contains("  minimal case (") && report.contains("the real reason: 1000\n"), "{report}");
    assert!(report.contains("let value = <its Debug ends the process>;\n"), "{report}");
}
