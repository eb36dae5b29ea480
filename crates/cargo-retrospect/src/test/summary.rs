//! What a person reads of a run.

use super::{Outcome, Ran};
use crate::test::session::Session;
use retrospect_stats::summary::{Chart, ChartKind, Cover, Run, Store, Verdict, Warning, WarningKind, grouped};

/// How it is to look.
pub struct Look {
    pub is_painted: bool,
    pub width: usize,
}

/// So many features that the runner adds are shown, where the test names none of its own.
const MOST_AUTOMATIC: usize = 6;
/// So many that the test names.
const MOST_OWN: usize = 20;

/// All there is to say about a run in the terminal.
pub fn of_run(store: &Store, name: &str, run: &Run, look: &Look) -> String {
    let view = run.view(store, &[], "", 200);
    let counts = &view.counts;
    let (word, color) = match view.verdict {
        _ if view.history.ended == Some(false) => ("DIED", RED),
        Verdict::Failed => ("FAIL", RED),
        Verdict::Passed | Verdict::Warning => ("PASS", GREEN),
    };
    let is_reported = word == "FAIL" && !view.history.report.is_empty();
    // Where a case fails, it is the case that one wants to see. Where none does, it is what was
    // tested that is to blame.
    if is_reported && counts.failed > 0 {
        return view.history.report.clone();
    }
    let mut asides = Vec::new();
    if counts.distinct + counts.duplicates > 0 {
        asides.push(format!("{} distinct", grouped(counts.distinct)));
    }
    if counts.discarded > 0 {
        asides.push(format!("{} discarded", grouped(counts.discarded)));
    }
    if counts.failed > 0 {
        asides.push(format!("{} failed", grouped(counts.failed)));
    }
    let asides = if asides.is_empty() { String::new() } else { format!("   ({})", asides.join(", ")) };
    let tested = plural(counts.passed + counts.failed, "case");
    let mut out = match is_reported {
        true => format!("{}  {tested}   {}{asides}\n", view.history.report, duration(counts.seconds)),
        false => format!("{}  {name}   {tested}   {}{asides}\n", painted(look, word, color), duration(counts.seconds)),
    };
    if word == "DIED" {
        out += "  its process ended before the run did: what was written until then is shown\n";
    }
    let mut rows: Vec<(String, String)> = Vec::new();
    if let Some(timing) = &view.timing {
        let all: f64 = timing.phases.iter().map(|phase| phase.seconds).sum();
        let generating: f64 =
            timing.phases.iter().filter(|phase| phase.name.starts_with("generate:")).map(|phase| phase.seconds).sum();
        let share = if all > 0.0 { format!("   generating {}", percent(generating / all)) } else { String::new() };
        let text = format!("median {}   p90 {}{share}", duration(timing.median), duration(timing.p90));
        rows.push(("time per case".to_owned(), text));
    }
    for chart in shown_features(&view.features) {
        rows.push((title(chart), of_feature(chart, look)));
    }
    rows.extend(
        view.history
            .covers
            .iter()
            .enumerate()
            .map(|(at, cover)| (if at == 0 { "expected".to_owned() } else { String::new() }, of_cover(cover))),
    );
    let widest = rows.iter().map(|(title, _)| title.chars().count()).filter(|width| *width <= 40).max().unwrap_or(0);
    for (title, text) in rows {
        let line = format!("  {title:<widest$}   {text}");
        out += &format!("{}\n", line.trim_end());
    }
    if let Some(because) = view.history.stopped_because.filter(|because| !because.is_empty()) {
        out += &format!("  stopped because {because}\n");
    }
    // The report has told of covers.
    for warning in view.warnings.iter().filter(|warning| !is_reported || warning.kind != WarningKind::Cover) {
        out += &of_warning(warning, look);
    }
    out
}

/// The last lines: how it went in all, and what to do next.
pub(super) fn of_all(ran: &Ran, outcome: &Outcome, session: &Session, look: &Look) -> String {
    let Outcome { n_properties, n_failed, n_warned, n_cases, .. } = outcome;
    let properties = match n_properties {
        1 => "1 property".to_owned(),
        many => format!("{} properties", grouped(*many as u64)),
    };
    let mut parts = vec![format!("{} passed", n_properties - n_failed)];
    if *n_warned > 0 {
        parts.push(painted(look, &format!("{n_warned} with warnings"), YELLOW));
    }
    if *n_failed > 0 {
        parts.push(painted(look, &format!("{n_failed} failed"), RED));
    }
    let mut out = format!(
        "{properties}: {}   {} cases   {}\n",
        parts.join(", "),
        grouped(*n_cases),
        duration(ran.took.as_secs_f64())
    );
    let bad = ran.store.n_bad_lines();
    if bad > 0 {
        out += &format!("{} of {} lines could not be read\n", grouped(bad), grouped(ran.store.n_lines()));
    }
    out += &match session.is_usual {
        true => "page:  cargo retrospect ui\n".to_owned(),
        false => format!("page:  cargo retrospect ui {}\n", session.directory.display()),
    };
    out
}

/// What the test names; or what the runner adds, where the test names nothing. The size is always
/// there.
fn shown_features(features: &[Chart]) -> Vec<&Chart> {
    let is_own = |chart: &&Chart| !chart.name.starts_with("auto:");
    let mut shown: Vec<&Chart> = features.iter().filter(is_own).take(MOST_OWN).collect();
    let most = if shown.is_empty() { MOST_AUTOMATIC } else { 0 };
    let says_something = |chart: &&Chart| chart.bins.iter().filter(|bin| bin.all > 0).count() > 1;
    let automatic = features.iter().filter(|chart| chart.name.starts_with("auto:")).filter(says_something);
    let mut count = 0;
    for chart in automatic {
        let is_size = chart.name == "auto:choices";
        if is_size || count < most {
            count += usize::from(!is_size);
            shown.push(chart);
        }
    }
    shown
}

fn title(chart: &Chart) -> String {
    let kind = match chart.kind {
        ChartKind::Numbers | ChartKind::Magnitudes => "value",
        ChartKind::Categories => "label",
    };
    match chart.name.strip_prefix("auto:") {
        Some("choices") => "choices".to_owned(),
        Some(name) => name.to_owned(),
        None => format!("{kind} \"{}\"", chart.name),
    }
}

fn of_feature(chart: &Chart, look: &Look) -> String {
    let all: u64 = chart.bins.iter().map(|bin| bin.all).sum();
    if let (Some(numbers), ChartKind::Numbers | ChartKind::Magnitudes) = (&chart.numbers, chart.kind) {
        let bars: Vec<u64> = chart.bins.iter().filter(|bin| bin.range.is_some()).map(|bin| bin.all).collect();
        let mut text = format!(
            "min {}   median {}   p90 {}   max {}",
            number(numbers.min),
            number(numbers.median),
            number(numbers.p90),
            number(numbers.max)
        );
        for bin in chart.bins.iter().filter(|bin| bin.special.is_some() && bin.all > 0) {
            text += &format!("   {} {}", bin.label, percent(bin.all as f64 / all as f64));
        }
        return format!("{text}      {}", spark(&bars));
    }
    let mut text = String::new();
    let room = look.width.saturating_sub(30).max(40);
    for (at, bin) in chart.bins.iter().enumerate() {
        let label = if bin.label.is_empty() { "present" } else { &bin.label };
        let one = format!("{} {}", cut(label, 40), percent(bin.all as f64 / all as f64));
        let left = chart.bins.len() - at;
        if at > 0 && text.chars().count() + one.chars().count() > room {
            text += &format!("   … {left} more");
            break;
        }
        text += if at > 0 { "   " } else { "" };
        text += &one;
    }
    text
}

fn of_cover(cover: &Cover) -> String {
    let share = if cover.cases == 0 { 0.0 } else { cover.held_in as f64 / cover.cases as f64 };
    let verdict = match cover.verdict.as_str() {
        "met" => "met",
        "missed" => "NOT MET",
        _ => "undecided",
    };
    format!("{} {} (at least {})   {verdict}", cover.label, percent(share), percent(cover.required))
}

fn of_warning(warning: &Warning, look: &Look) -> String {
    let mut out = format!("{}: {}\n", painted(look, "warning", YELLOW), warning.text.replace('\n', "\n  "));
    for line in warning.advice.lines() {
        out += &format!("  {line}\n");
    }
    out
}

const RED: u8 = 31;
const GREEN: u8 = 32;
const YELLOW: u8 = 33;

/// Colour adds to the words and never stands for them.
fn painted(look: &Look, word: &str, color: u8) -> String {
    if look.is_painted { format!("\x1b[1;{color}m{word}\x1b[0m") } else { word.to_owned() }
}

fn plural(number: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `0.42 s`, `3.1 ms`, `12 µs`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 100.0 => format!("{seconds:.0} s"),
        _ if seconds >= 0.1 => format!("{seconds:.2} s"),
        _ if seconds >= 0.01 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds >= 1e-3 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds >= 1e-5 => format!("{:.0} µs", seconds * 1e6),
        _ => format!("{:.1} µs", seconds * 1e6),
    }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        // Something is not nothing, however little.
        percent if percent > 0.0 && percent < 1e-4 => format!("{percent:.0e} %"),
        percent if percent > 0.0 && percent < 0.1 => format!("{percent:.*} %", (-percent.log10()).ceil() as usize),
        percent if percent > 0.0 && percent < 1.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// As short as it can be said.
fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped(number.abs() as u64));
    }
    let is_plain = (1e-3..1e6).contains(&number.abs());
    if is_plain {
        format!("{number:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{number:.2e}")
    }
}

fn cut(text: &str, longest: usize) -> String {
    let text = text.replace(|character: char| character.is_control(), " ");
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// More bars than this are put together.
const MOST_BARS: usize = 24;

/// `▁▇▅▃▂▁▁`; what is not there at all is a gap.
fn spark(counts: &[u64]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let each = counts.len().div_ceil(MOST_BARS).max(1);
    let bars: Vec<u64> = counts.chunks(each).map(|chunk| chunk.iter().sum()).collect();
    let most = bars.iter().copied().max().unwrap_or(0);
    let mut out = String::new();
    for bar in bars {
        out.push(if bar == 0 { ' ' } else { LEVELS[((bar * 8).div_ceil(most) - 1) as usize] });
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!([0, 999, 1000, 1_955_020].map(grouped), ["0", "999", "1,000", "1,955,020"]);
        assert_eq!(
            [0.0, 2.2e-7, 4.2e-5, 0.0031, 0.05, 0.42, 1234.5].map(duration),
            ["0.0 µs", "0.2 µs", "42 µs", "3.1 ms", "50 ms", "0.42 s", "1234 s"]
        );
        assert_eq!([0.0, 0.004, 0.06, 1.0].map(percent), ["0 %", "0.4 %", "6 %", "100 %"]);
        assert_eq!([0.001, 1e-4, 2.5e-5, 1e-20].map(percent), ["0.1 %", "0.01 %", "0.003 %", "1e-18 %"]);
        assert_eq!(
            [-7.0, 12_345.0, 0.5, 1.0 / 3.0, 2.5e-9, -1.5e20].map(number),
            ["-7", "12,345", "0.5", "0.333", "2.50e-9", "-1.50e20"]
        );
        assert_eq!(cut("a\nb", 9), "a b");
        assert_eq!(cut("abcdef", 3), "abc…");
    }

    #[test]
    fn sparks_show_gaps_and_few_bars() {
        assert_eq!(spark(&[1, 8, 0, 4, 0]), "▁█ ▄");
        assert_eq!(spark(&[]), "");
        assert_eq!(spark(&[0, 0]), "");
        assert_eq!(spark(&[5; 100]).chars().count(), 20);
    }
}
