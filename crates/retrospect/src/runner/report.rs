//! What a user reads: text from what was found, pinned by snapshots.

use super::budget;
use super::failure::Failure;
use super::finding::{Finding, Saving, ShrinkEnd, Shrinking};
use super::isolate;
use super::rerun;
use super::run::Context;
use super::search::{Flaky, Found, How, Search};
use super::settings::{Color, duration_text};
use crate::source::{SearchCounts, Searched};
use std::borrow::Cow;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

/// The report of a failure.
pub(crate) fn failed(context: &Context<'_>, finding: &Finding) -> String {
    let name = context.definition.test_name();
    let mut out = format!("{name}    {}\n", how(context, &finding.found));
    match &finding.found.flaky {
        None => out += &format!("  {}\n", heading(finding)),
        Some(Flaky::NotRun(problem)) => {
            out += "  it could not be run again:\n";
            indented(&mut out, problem, 4);
            let values = if finding.found.values.is_empty() { "" } else { "its values and " };
            out += &format!("  {values}what it said before that:\n");
        }
        Some(flaky) => out += &format!("  not deterministic: {}:\n", what_varies(finding, flaky)),
    }
    values(&mut out, finding);
    let failure = &finding.found.failure;
    match &failure.place {
        Some(place) => out += &format!("  panicked at {place}:\n"),
        None => out += "  failed:\n",
    }
    indented(&mut out, &cut(&failure.message, LONGEST_MESSAGE), 6);
    if let Some(backtrace) = &failure.backtrace {
        out += "  backtrace:\n";
        indented(&mut out, backtrace.text().trim_end(), 4);
    }
    if !finding.found.notes.is_empty() {
        out += "  notes from this case:\n";
        for note in &finding.found.notes {
            indented(&mut out, note, 6);
        }
    }
    if let (Some(log), Shrinking::Done { end, .. }) = (&finding.log, &finding.shrinking) {
        let id = if let Saving::Saved(id) = &finding.saving { Some(id.as_str()) } else { None };
        indented(&mut out, &log.text(id, end), 2);
    }
    if let Shrinking::Done { end: ShrinkEnd::Hung(hung), .. } = &finding.shrinking {
        out += "  the case that did not end:\n";
        match &hung.values {
            Ok(values) => hung_values(&mut out, values),
            Err(problem) => indented(&mut out, &format!("its values are not known: {problem}"), 6),
        }
    }
    if let Shrinking::NotPossible(reason) = &finding.shrinking {
        out += &format!("  not shrunk: {reason}\n");
    }
    if let Some(flaky) = &finding.found.flaky {
        if let Flaky::Sometimes { n_failed, n_runs, elsewhere: Some((count, other)), .. } = flaky {
            out += &failed_elsewhere(context, *count, *n_runs - *n_failed, other);
        }
        if !matches!(flaky, Flaky::NotRun(_)) {
            out += "  the outcome depends on more than the choices: time, threads, shared state, the order of a HashMap?\n";
            out += "  if that cannot be helped, say allow(nondeterminism): then only what fails again is reported\n";
        }
    }
    others(&mut out, context, finding);
    let file = context.file_shown();
    match &finding.saving {
        Saving::NotWanted => {}
        Saving::Saved(id) if finding.found.how == How::Saved(id.clone()) => {
            out += &format!("  saved: {file}, case {id}\n");
        }
        Saving::Saved(id) => out += &format!("  saved: {file}, case {id} (runs first from now on)\n"),
        Saving::Failed(problem) => {
            out += "  not saved: ";
            out += problem.replace('\n', "\n    ").trim_end();
            out.push('\n');
        }
    }
    // No command leads to one case of a property that is run in the cases of another.
    let is_inside_a_case = isolate::is_inside_a_case();
    if let Some(command) = go_on(context, finding).filter(|_| !is_inside_a_case) {
        out += &format!("  go on shrinking:  {command}\n");
    }
    let replay = if is_inside_a_case { "with the property around it".to_owned() } else { replay(context, finding) };
    out += &format!("  replay:  {replay}\n");
    format!("{}  {}", painted(context, "FAIL", RED), visible(&out))
}

/// The summary of a property that held.
pub(crate) fn passed(context: &Context<'_>, search: &Search<'_>) -> String {
    let name = context.definition.test_name();
    let discarded = match search.n_discarded() {
        0 => String::new(),
        count => format!("   ({count} discarded)"),
    };
    let mut out = format!("{name}   {}   {}{discarded}\n", search.cases_text(), duration(search.elapsed));
    for line in search.statistics.lines() {
        out += &format!("  {line}\n");
    }
    for searched in &search.searched {
        out += &format!("  {}\n", searched_line(searched));
    }
    if context.settings.verbose > 1 {
        for line in context.settings.describe().lines() {
            out += &format!("  {line}\n");
        }
    }
    if let Some(ended) = &search.ended {
        let because = stopped_because(ended);
        let climbed = match search.climbed {
            0 => String::new(),
            cases => format!(", and {} climbing", plural(cases, "case")),
        };
        out += &format!("  stopped because {because}{climbed}; seed {:#x}\n", context.seed);
    }
    format!("{}  {}", painted(context, "PASS", GREEN), visible(&out))
}

/// The cost of a search.
fn searched_line(searched: &Searched) -> String {
    let SearchCounts { runs, valid, new, .. } = searched.counts;
    let share = percent(searched.counts.valid_share());
    format!("satisfying ({})   {valid} of {runs} values valid ({share}), {new} of them new", searched.place)
}

pub(crate) fn stopped_because(ended: &budget::Ended) -> String {
    match ended {
        budget::Ended::CasesRun(1) => "1 case was run".to_owned(),
        budget::Ended::CasesRun(count) => format!("{count} cases were run"),
        budget::Ended::AllRun(count) => format!("all {count} cases there are were run"),
        budget::Ended::TimeOver(time) => format!("{} were over", duration(*time)),
        budget::Ended::TriesSpent(tries) => format!("{tries} tries were made"),
    }
}

/// Says something where it is seen also when the test passes.
pub(crate) fn warn(name: &str, warning: &str) {
    tell(&format!("warning: {name}"), warning);
}

/// The same without alarm.
pub(crate) fn tell(name: &str, what: &str) {
    let text = format!("{name}: {}\n", what.replace('\n', "\n  "));
    print_past_harness(&text);
}

/// Not `eprint!`, which a test harness keeps until the test has ended.
pub(crate) fn print_past_harness(text: &str) {
    let _ = std::io::stderr().write_all(visible(text).as_bytes());
}

/// The text with its control characters written out: an escape sequence in a value or in a message
/// must not reach the terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_hidden(character) {
            true => out.extend(character.escape_default()),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// Whether a character commands a terminal, or changes the order in which a line is shown.
pub(crate) fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

const RED: u8 = 31;
const GREEN: u8 = 32;

/// Colour adds to the words and never stands for them.
fn painted(context: &Context<'_>, word: &str, color: u8) -> String {
    let is_painted = match context.settings.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal(),
    };
    if is_painted { format!("\x1b[1;{color}m{word}\x1b[0m") } else { word.to_owned() }
}

/// As people say it: `0.18 s`, `37 ms`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        _ if seconds >= 100.0 => format!("{seconds:.0} s"),
        _ if seconds >= 0.1 => format!("{seconds:.2} s"),
        _ if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{:.1} ms", seconds * 1e3),
    }
}

pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 1.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

fn how(context: &Context<'_>, found: &Found) -> String {
    let seed = context.seed;
    // Discarded cases are no part of the budget, so they are counted apart.
    let discarded = match found.n_discarded {
        0 => String::new(),
        count => format!(" ({count} discarded)"),
    };
    match &found.how {
        How::Saved(id) => format!("saved case {id} fails again"),
        How::GivenValue(_) if context.settings.shrink => "on the given value".to_owned(),
        How::GivenValue(variable) => format!("on the value of {variable}"),
        How::GivenChoices => "on the choices of RETROSPECT_REPLAY".to_owned(),
        How::Example(number) => format!("found by example {number} of {}", context.definition.examples),
        How::Boundary(number) => format!("found by case {number}{discarded}, at the ends of its choices"),
        How::Exhaustive(1) if found.n_discarded == 0 => "found by case 1, the simplest".to_owned(),
        How::Exhaustive(number) => format!("found by case {number}{discarded}, in order"),
        How::Random(number) => match context.settings.cases {
            Some(wanted) => format!("found by case {number} of {wanted}{discarded}, seed {seed:#x}"),
            None => format!("found by case {number}{discarded}, seed {seed:#x}"),
        },
        How::Climbing(number) => {
            format!("found by case {number}{discarded}, climbing toward its target, seed {seed:#x}")
        }
        How::Meanwhile => "found while another failure was shrunk".to_owned(),
    }
}

fn what_varies(finding: &Finding, flaky: &Flaky) -> String {
    let was_shrunk = matches!(finding.shrinking, Shrinking::Done { successes: 1.., .. });
    let has_values = !finding.found.values.is_empty();
    let summary = flaky.summary();
    let smaller = "the case before it was shrunk; the smaller case";
    match flaky {
        Flaky::PassedBefore if was_shrunk => format!("{smaller} {summary}"),
        Flaky::Sometimes { is_drawn_again, .. } => match (is_drawn_again, was_shrunk) {
            (true, true) => format!("{smaller} {summary} with the same choices"),
            (true, false) if has_values => format!("{summary} with the same choices; its values, drawn again"),
            _ => format!("{summary} with the same choices"),
        },
        Flaky::PassedBefore | Flaky::OtherValues | Flaky::NotRun(_) => summary,
    }
}

/// How the other runs of a case failed.
fn failed_elsewhere(context: &Context<'_>, count: u32, n_others: u32, failure: &Failure) -> String {
    let runs = match count == n_others {
        true => format!("the other {}", plural(count.into(), "run")),
        false => format!("{count} of the other {}", plural(n_others.into(), "run")),
    };
    let place = failure.place.as_ref().map(|place| format!(", panicked at {place}")).unwrap_or_default();
    let mut out = format!("  {runs} failed in another way{place}:\n");
    indented(&mut out, &cut(&failure.message, LONGEST_MESSAGE), 6);
    if count == n_others && !context.settings.isolate && !isolate::is_inside_a_case() {
        let command = context.rerun.with(&format!("RETROSPECT_ISOLATE=true {}", rerun::of_seed(context.seed)));
        out += "  if the first left something behind, such as a poisoned lock: #[property(isolate)] ends the process\n";
        out += &format!("  after each failure, and shrinks it:  {command}\n");
    }
    out
}

fn heading(finding: &Finding) -> String {
    match &finding.shrinking {
        Shrinking::NotWanted | Shrinking::NotPossible(_) => "the case:".to_owned(),
        Shrinking::Done { before, after, successes, runs, runs_in_vain, took, end } => {
            // A simpler case may have more choices: of two, the one with fewer that are not the
            // simplest is simpler.
            let choices = match after <= before {
                true => format!("{after} of {before} choices left"),
                false => format!("{after} choices, {before} at first"),
            };
            let in_vain = match runs_in_vain {
                0 => String::new(),
                _ => format!("then {runs_in_vain} found nothing simpler, "),
            };
            let figures = format!(
                "{choices}, {} in {}, {in_vain}{}",
                plural(*successes as u64, "shrink"),
                plural(*runs, "run"),
                duration(*took),
            );
            match end {
                ShrinkEnd::Minimal => format!("minimal case ({figures}):"),
                ShrinkEnd::Stalled => {
                    format!("smallest case found (not everything simpler was tried; {figures}):")
                }
                ShrinkEnd::OutOfTime(time) => {
                    format!("smallest case so far (stopped: {} are over; {figures}):", duration(*time))
                }
                ShrinkEnd::Hung(hung) => {
                    let since = duration(hung.since);
                    format!("smallest case so far (stopped: another case did not end within {since}; {figures}):")
                }
                ShrinkEnd::OutOfRuns(runs) => {
                    let runs = plural(*runs, "run");
                    format!("smallest case so far (stopped after {runs}; {figures}):")
                }
            }
        }
    }
}

/// Longer values are cut; all of it is in the saved case.
const LONGEST_VALUE: usize = 2_000;

/// A case that draws in a loop has many values; all of them are in the saved case.
const MAX_VALUES: usize = 200;

/// Longer messages are cut. Those of `assert_eq!` show two values.
const LONGEST_MESSAGE: usize = 3 * LONGEST_VALUE;

fn values(out: &mut String, finding: &Finding) {
    let values = &finding.found.values;
    let width = values.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (position, (name, text)) in values.iter().enumerate().take(MAX_VALUES) {
        let text = cut(text, LONGEST_VALUE).replace('\n', "\n      ");
        let mut line = format!("      let {name:<width$} = {text};");
        match finding.irrelevant.iter().find(|(at, _)| *at == position) {
            Some((_, 1)) => line = format!("{line:<50} // 1 other value fails too"),
            Some((_, n_others)) => line = format!("{line:<50} // each of {n_others} other values fails too"),
            None => {}
        }
        *out += &line;
        out.push('\n');
    }
    if values.len() > MAX_VALUES {
        *out += &format!("      … {} more values\n", values.len() - MAX_VALUES);
    }
}

fn others(out: &mut String, context: &Context<'_>, finding: &Finding) {
    if finding.others.is_empty() || context.settings.all_failures {
        return;
    }
    let count = finding.others.len();
    let first = finding.others[0].headline();
    let more = if count > 1 { ", …" } else { "" };
    *out += &format!(
        "  also failing: {} ({}{more}): RETROSPECT_ALL_FAILURES=1 shows {}\n",
        plural(count as u64, "other failure"),
        cut(&first, 100),
        if count == 1 { "it" } else { "them" }
    );
}

/// The command that runs exactly this case.
fn replay(context: &Context<'_>, finding: &Finding) -> String {
    let found = &finding.found;
    let rerun = context.rerun;
    let by_seed = || rerun.by_seed(context.seed);
    let texts: Vec<String> = found.values.iter().map(|(name, text)| format!("{name} = {text}")).collect();
    let text = texts.join("; ");
    let choices = found.choices.as_ref().map(ToString::to_string);
    let typed = rerun::typed_value(&text).filter(|_| finding.is_readable);
    match (&finding.saving, choices) {
        // It may depend on the runs before it.
        _ if found.flaky.as_ref().is_some_and(Flaky::is_drawn_again) && finding.first.is_empty() => by_seed(),
        _ if matches!(found.flaky, Some(Flaky::PassedBefore | Flaky::OtherValues)) => by_seed(),
        _ if typed.is_some() => rerun.with(&typed.unwrap_or_default()),
        (Saving::Saved(id), _) => rerun.with(&format!("RETROSPECT_REPLAY={id}")),
        (_, Some(choices)) => match rerun::given_choices(&context.definition.saved_as(), &choices) {
            Some(variable) => rerun.with(&variable),
            None => by_seed(),
        },
        (_, None) if matches!(found.how, How::Example(_)) => rerun.plain(),
        (_, None) => by_seed(),
    }
}

/// The variables that shrink a case further where each run can be ended.
pub(crate) const ISOLATED: &str = "RETROSPECT_ISOLATE=true RETROSPECT_SHRINK=1";

/// The values of a case that has not ended. A case that draws without end has many.
pub(crate) fn hung_values(out: &mut String, values: &[(String, String)]) {
    const MAX_VALUES: usize = 20;
    for (name, text) in values.iter().take(MAX_VALUES) {
        indented(out, &format!("let {name} = {};", cut(text, LONGEST_VALUE)), 6);
    }
    if values.len() > MAX_VALUES {
        *out += &format!("      … and {} more\n", values.len() - MAX_VALUES);
    }
}

/// What shrinks the case further, if it was not shrunk to the end.
fn go_on(context: &Context<'_>, finding: &Finding) -> Option<String> {
    let Shrinking::Done { end, successes, .. } = &finding.shrinking else { return None };
    match end {
        ShrinkEnd::Minimal => return None,
        ShrinkEnd::Hung(_) => return Some(format!("{ISOLATED} {}", replay(context, finding))),
        ShrinkEnd::OutOfTime(_) | ShrinkEnd::OutOfRuns(_) | ShrinkEnd::Stalled => {}
    }
    if finding.found.flaky.is_some() {
        return None;
    }
    // There may be no end to what is simpler. What took long and found nothing takes longer.
    let further = match end {
        ShrinkEnd::Stalled => Some(Duration::from_secs(60)),
        ShrinkEnd::OutOfTime(time) if context.settings.shrink => {
            Some((*time * if *successes == 0 { 4 } else { 1 }).max(Duration::from_secs(1)))
        }
        _ => None,
    };
    let further = further.map(duration_text).unwrap_or_default();
    let (time, variable) = match further.as_str() {
        "" => (String::new(), String::new()),
        further => (format!(" --time {further}"), format!("RETROSPECT_SHRINK_TIME={further} ")),
    };
    Some(match &finding.saving {
        Saving::Saved(id) => {
            let command = context.rerun.with(&format!("RETROSPECT_SHRINK=1 {variable}RETROSPECT_REPLAY={id}"));
            match context.rerun.shrink(id) {
                Some(tool) => format!("{tool}{time}    or  {command}"),
                None => command,
            }
        }
        _ => format!("RETROSPECT_SHRINK=1 {variable}{}", replay(context, finding)),
    })
}

fn indented(out: &mut String, text: &str, by: usize) {
    for line in text.lines() {
        *out += &format!("{:by$}{line}\n", "");
    }
}

pub(crate) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

pub(crate) fn plural(count: u64, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
