//! How shrinking went, for those who ask why a case is not smaller: `verbose = 2`, or `cargo
//! retrospect shrink -v`.

use super::change::{between, shortened};
use super::finding::ShrinkEnd;
use super::report::plural;
use super::trial::{Door, Ended, Input, Wants};
use crate::choice::Choices;
use crate::shrink::{End, Shrunk};

/// One line for each success, and what the rest of the runs was spent on.
#[derive(Debug)]
pub(crate) struct ShrinkLog {
    /// No line is longer, with the indentation of a report.
    width: usize,
    choices: usize,
    values: String,
    lines: Vec<Line>,
    /// Lines that are not kept, since nobody reads so many.
    left_out: usize,
    runs: u64,
    cached: u64,
    successes: usize,
    choices_left: usize,
    useful: Vec<(&'static str, u64)>,
    idle: Vec<(&'static str, u64)>,
    /// Passes that left something out.
    cut_short: Vec<&'static str>,
    nearest: Vec<String>,
}

#[derive(Debug)]
struct Line {
    run: u64,
    pass: &'static str,
    before: usize,
    after: usize,
    effect: String,
}

/// The first and the last so many successes have their lines.
pub(crate) const SHOWN_AT_EACH_END: usize = 50;

impl ShrinkLog {
    /// Makes the values of every step once more; where the body draws nothing, without a run of it.
    pub(crate) fn of(door: &mut dyn Door, start: &Choices, shrunk: &Shrunk) -> ShrinkLog {
        let width = width();
        let mut values = values_of(door, start);
        let mut choices = start.choice_count();
        let first = texts(&values);
        let mut lines = Vec::new();
        let mut left_out = 0;
        let count = shrunk.steps.len();
        for (at, step) in shrunk.steps.iter().enumerate() {
            let before = std::mem::replace(&mut choices, step.choices.choice_count());
            if (SHOWN_AT_EACH_END..count.saturating_sub(SHOWN_AT_EACH_END)).contains(&at) {
                left_out += 1;
                continue;
            }
            // What was left out is part of what changed with the first line after it.
            let after = values_of(door, &step.choices);
            let effect = between(&values, &after, width.saturating_sub(EFFECT_COLUMN));
            lines.push(Line { run: step.run, pass: step.pass, before, after: choices, effect });
            values = after;
        }
        let is_useful = |pass: &str| shrunk.steps.iter().any(|step| step.pass == pass);
        let (useful, idle) = shrunk.spent.iter().partition(|(pass, _)| is_useful(pass));
        let mut nearest = Vec::new();
        if let End::Minimal { rejected } | End::Stalled { rejected, .. } = &shrunk.end {
            for rejected in rejected {
                let trial = door.run(Input::Choices(rejected), Wants::Values);
                let verdict = match trial.ended {
                    Ended::Passed => "passes",
                    Ended::Discarded { .. } => "is discarded",
                    Ended::Failed(_) => "fails otherwise",
                    Ended::NotMade(_) | Ended::Broken(_) | Ended::NoCase { .. } => continue,
                };
                nearest.push(format!("{} ({verdict})", between(&values, &trial.values, NEAREST_WIDTH)));
            }
            nearest.dedup();
        }
        ShrinkLog {
            width,
            choices: start.choice_count(),
            values: first,
            lines,
            left_out,
            runs: shrunk.runs - shrunk.in_vain,
            cached: shrunk.cached,
            successes: count,
            choices_left: shrunk.choices.choice_count(),
            useful,
            idle,
            cut_short: if let End::Stalled { passes, .. } = &shrunk.end { passes.clone() } else { Vec::new() },
            nearest,
        }
    }

    /// The log of a case that has this id, if it is saved.
    pub(crate) fn text(&self, id: Option<&str>, end: &ShrinkEnd) -> String {
        let width = self.width;
        let title = format!("shrink {}", id.unwrap_or("log"));
        let head = format!("{}   {}   ", title.trim_end(), plural(self.choices as u64, "choice"));
        let room = width.saturating_sub(2 + head.chars().count()).max(20);
        let mut out = format!("{head}{}\n", shortened(&self.values, room));
        out += "  run    pass               choices   effect\n";
        for (at, line) in self.lines.iter().enumerate() {
            if at == SHOWN_AT_EACH_END && self.left_out > 0 {
                out += &format!("    …    {} more successes\n", self.left_out);
            }
            let Line { run, pass, before, after, effect } = line;
            let choices =
                if before == after { format!("{after:>9}") } else { format!("{:>9}", format!("{before} → {after}")) };
            out += &format!("{run:>5}    {pass:<16} {choices}   {effect}\n");
        }
        let last = match end {
            ShrinkEnd::Minimal => "everything simpler tried, nothing fails".to_owned(),
            ShrinkEnd::Stalled => {
                let passes: Vec<String> = self.cut_short.iter().map(ToString::to_string).collect();
                let told = match passes.is_empty() {
                    true => "every pass tried once more, nothing simpler",
                    false => "nothing simpler, but not all tried: ",
                };
                format!("{told}{}", fitting(passes, ", ", width.saturating_sub(EFFECT_COLUMN + told.len())))
            }
            ShrinkEnd::OutOfTime(_) | ShrinkEnd::OutOfRuns(_) | ShrinkEnd::Hung(_) => "stopped here".to_owned(),
        };
        out += &format!("{:>5}    {:<16} {:>9}   {last}\n", self.runs, "—", "");
        let runs = plural(self.runs, "run");
        let word = match end {
            ShrinkEnd::Minimal => format!("minimal after {runs}"),
            ShrinkEnd::Stalled => format!("smallest found after {runs}"),
            ShrinkEnd::OutOfTime(time) => {
                format!("stopped after {runs}, when {} were over", super::report::duration(*time))
            }
            ShrinkEnd::OutOfRuns(_) => format!("stopped after {runs}, all that were allowed"),
            ShrinkEnd::Hung(_) => format!("stopped after {runs}, since the last hung"),
        };
        out += &format!(
            "{word} ({} more answered from memory): {}, {}\n",
            self.cached,
            plural(self.choices_left as u64, "choice"),
            match self.successes {
                1 => "1 success".to_owned(),
                count => format!("{count} successes"),
            }
        );
        passes(&mut out, "useful", &self.useful, width);
        passes(&mut out, "idle", &self.idle, width);
        if !self.nearest.is_empty() {
            // With the indentation of a report.
            let nearest = fitting(self.nearest.clone(), "; ", width.saturating_sub(2 + "  nearest: ".len()));
            out += &format!("  nearest: {nearest}\n");
        }
        out
    }
}

/// Where the effect begins in a line, with the indentation of a report.
const EFFECT_COLUMN: usize = 40;
/// A neighbour of the smallest case is not described with more.
const NEAREST_WIDTH: usize = 60;

fn passes(out: &mut String, title: &str, passes: &[(&'static str, u64)], width: usize) {
    if passes.is_empty() {
        return;
    }
    let mut texts: Vec<String> = passes.iter().map(|(pass, runs)| format!("{pass} {runs}")).collect();
    texts[0] += if passes[0].1 == 1 { " run" } else { " runs" };
    let room = width.saturating_sub(2 + "  : ".len() + title.len());
    *out += &format!("  {title}: {}\n", fitting(texts, ", ", room));
}

/// As many as there is room for, and at least the first.
fn fitting(texts: Vec<String>, between: &str, room: usize) -> String {
    let count = texts.len();
    let mut out = String::new();
    for (at, text) in texts.into_iter().enumerate() {
        let mark = if at + 1 == count { 0 } else { between.len() + 1 };
        if at == 0 {
            out = text;
        } else if out.chars().count() + between.len() + text.chars().count() + mark > room {
            return out + between + "…";
        } else {
            out = out + between + &text;
        }
    }
    out
}

pub(crate) fn values_of(door: &mut dyn Door, choices: &Choices) -> Vec<(String, String)> {
    let arguments = door.run(Input::Choices(choices), Wants::Arguments);
    // A body that draws has more values than arguments, and they are known only when it has run.
    match arguments.was_ready && arguments.choices == *choices {
        true => arguments.values,
        false => door.run(Input::Choices(choices), Wants::Values).values,
    }
}

fn texts(values: &[(String, String)]) -> String {
    let texts: Vec<String> = values.iter().map(|(name, text)| format!("{name} = {text}")).collect();
    texts.join("; ")
}

/// The width of the terminal, as far as the environment says: the output of a test goes through its
/// harness.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse::<usize>().ok());
    said.unwrap_or(110).clamp(60, 400)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn log(lines: usize, left_out: usize) -> ShrinkLog {
        let line = |at: usize| Line {
            run: 3 * at as u64 + 1,
            pass: if at.is_multiple_of(2) { "delete" } else { "number" },
            before: 200 - at,
            after: 199 - at,
            effect: format!("xs[{at}] dropped"),
        };
        ShrinkLog {
            width: 110,
            choices: 200,
            values: format!("xs = [{}]", "17, ".repeat(200)),
            lines: (0..lines).map(line).collect(),
            left_out,
            runs: 400,
            cached: 12,
            successes: lines + left_out,
            choices_left: 200 - lines - left_out,
            useful: vec![("delete", 301), ("number", 9)],
            idle: vec![("sort", 1), ("swap", 12)],
            cut_short: vec!["together", "delete two", "balance", "rearrange", "relations"],
            nearest: vec!["xs: [0] → [] (passes)".to_owned(), "xs[0]: 1 → 0 (is discarded)".to_owned()],
        }
    }

    fn last_lines(end: &ShrinkEnd) -> String {
        let text = log(1, 0).text(None, end);
        let lines: Vec<&str> = text.lines().skip(3).take(2).map(str::trim_start).collect();
        lines.join("\n")
    }

    #[test]
    fn each_end_has_its_own_words() {
        assert_eq!(
            last_lines(&ShrinkEnd::Minimal),
            "400    —                            everything simpler tried, nothing fails\n\
             minimal after 400 runs (12 more answered from memory): 199 choices, 1 success"
        );
        assert_eq!(
            last_lines(&ShrinkEnd::Stalled),
            "400    —                            nothing simpler, but not all tried: together, delete two, balance, …\n\
             smallest found after 400 runs (12 more answered from memory): 199 choices, 1 success"
        );
        assert_eq!(
            last_lines(&ShrinkEnd::OutOfTime(Duration::from_secs(5))),
            "400    —                            stopped here\n\
             stopped after 400 runs, when 5.00 s were over (12 more answered from memory): 199 choices, 1 success"
        );
        assert_eq!(
            last_lines(&ShrinkEnd::OutOfRuns(400)),
            "400    —                            stopped here\n\
             stopped after 400 runs, all that were allowed (12 more answered from memory): 199 choices, 1 success"
        );
    }

    #[test]
    fn a_long_log_leaves_out_its_middle() {
        let text = log(100, 30).text(Some("c335d"), &ShrinkEnd::Minimal);
        assert!(text.lines().all(|line| line.chars().count() <= 108), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("shrink c335d   200 choices   xs = [17, 17, ") && lines[0].contains('…'),
            "{text}"
        );
        assert_eq!(lines[1], "  run    pass               choices   effect");
        assert_eq!(lines[2], "    1    delete           200 → 199   xs[0] dropped");
        assert_eq!(lines[51], "  148    number           151 → 150   xs[49] dropped");
        assert_eq!(lines[52], "    …    30 more successes");
        assert_eq!(lines[53], "  151    delete           150 → 149   xs[50] dropped");
        assert_eq!(
            lines[105..],
            [
                "  useful: delete 301 runs, number 9",
                "  idle: sort 1 run, swap 12",
                "  nearest: xs: [0] → [] (passes); xs[0]: 1 → 0 (is discarded)"
            ]
        );
    }
}
