//! The lines that say what was tested.

use super::categories::Categories;
use super::numbers::Numbers;
use super::{Series, Statistics};

/// Where a line with several parts is broken.
const WIDTH: usize = 110;

/// How many categories are shown.
const MOST_CATEGORIES: usize = 6;

impl Statistics {
    /// What was logged, as lines of a report, without an indentation.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::runner::statistics::Statistics;
    /// let statistics = Statistics::of(2000, |case| {
    ///     event!("frame", if case % 10 < 6 { "Data" } else { "Ping" });
    ///     event!("len", case % 97);
    ///     cover!(0.01, case % 17 == 0);
    /// });
    /// assert_eq!(
    ///     statistics.lines(),
    ///     [
    ///         "label \"frame\"   Data 60 %   Ping 40 %",
    ///         "value \"len\"     min 0   median 47   mean 47.4   p90 86   max 96      ████████",
    ///         "expected        `case % 17 == 0` 5.9 % (at least 1 %)  met",
    ///     ]
    /// );
    /// ```
    pub fn lines(&self) -> Vec<String> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut add = |head: String, parts: Vec<String>| blocks.push(Block { head, parts, gap: "   " });
        let mut seen = Vec::new();
        for named in &self.series {
            let name = named.name;
            match &named.series {
                Series::Flag { held_in, .. } => seen.push(format!("{name} {}", percent(*held_in, self.cases))),
                Series::Numbers(numbers) => add(format!("value {name:?}"), number_parts(numbers)),
                Series::Categories(categories) => add(format!("label {name:?}"), category_parts(categories)),
            }
        }
        add("seen".to_string(), seen);
        for score in &self.scores {
            let mut parts = Vec::new();
            if let Some(best) = score.best {
                parts.push(format!("best {}", number(best)));
            }
            add_not_numbers(&mut parts, score.not_numbers);
            add(format!("target {:?}", score.label), parts);
        }
        if self.lost_events > 0 {
            let lost = format!("{} events of cases that logged more than 10,000", grouped(self.lost_events));
            add("left out".to_string(), vec![lost]);
        }
        // A verdict stands two blanks from its share, so what follows needs a wider gap.
        let mut covers = Vec::new();
        for cover in &self.covers {
            covers.push(cover.to_string());
        }
        blocks.push(Block { head: "expected".to_string(), parts: covers, gap: "      " });

        let mut longest = 13;
        for block in &blocks {
            if !block.parts.is_empty() {
                longest = longest.max(block.head.chars().count());
            }
        }
        let mut lines = Vec::new();
        for block in &blocks {
            if !block.parts.is_empty() {
                block.add_lines(longest.min(32) + 3, &mut lines);
            }
        }
        lines
    }
}

/// A head and its parts, on as many lines as they need.
struct Block {
    head: String,
    parts: Vec<String>,
    gap: &'static str,
}

impl Block {
    fn add_lines(&self, indent: usize, lines: &mut Vec<String>) {
        let mut line = format!("{:<width$}   ", self.head, width = indent - 3);
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                let length = line.chars().count() + self.gap.len() + part.chars().count();
                if length <= WIDTH {
                    line += self.gap;
                } else {
                    lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
                }
            }
            line += part;
        }
        lines.push(line);
    }
}

fn number_parts(numbers: &Numbers) -> Vec<String> {
    let mut parts = Vec::new();
    if numbers.count() > 0 && numbers.min() == numbers.max() {
        parts.push(format!("always {}", number(numbers.min())));
    } else if numbers.count() > 0 {
        let of = |name: &str, value: f64| format!("{name} {}", number(value));
        parts.push(of("min", numbers.min()));
        parts.push(of("median", numbers.quantile(0.5)));
        parts.push(of("mean", numbers.mean()));
        parts.push(of("p90", numbers.quantile(0.9)));
        let bars = numbers.sparkline();
        let gap = if bars.is_empty() { "" } else { "      " };
        parts.push(of("max", numbers.max()) + gap + &bars);
    }
    add_not_numbers(&mut parts, numbers.not_numbers());
    parts
}

fn add_not_numbers(parts: &mut Vec<String>, count: u64) {
    if count > 0 {
        parts.push(format!("{} not a number", grouped(count)));
    }
}

fn category_parts(categories: &Categories) -> Vec<String> {
    let (distinct, has_more) = categories.distinct();
    // One that is left over takes no more room than saying so.
    let most = if distinct == MOST_CATEGORIES + 1 { distinct } else { MOST_CATEGORIES };
    let top = categories.top(most);
    let mut rest = categories.total();
    let mut parts = Vec::new();
    for (text, count) in &top {
        rest -= count;
        parts.push(format!("{} {}", on_one_line(text), percent(*count, categories.total())));
    }
    if rest > 0 {
        let others = grouped((distinct - top.len()) as u64) + if has_more { "+" } else { "" };
        parts.push(format!("… {others} others {}", percent(rest, categories.total())));
    }
    parts
}

/// A category as it is, unless that would not be seen or break the line.
fn on_one_line(text: &str) -> String {
    let (short, end) = match text.char_indices().nth(40) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    let is_plain = !text.trim().is_empty() && !short.contains(char::is_control);
    if is_plain { format!("{short}{end}") } else { format!("{short:?}{end}") }
}

/// A share that was counted. Only what is nothing is called 0 %, and only what is all is called 100
/// %.
pub(super) fn percent(count: u64, total: u64) -> String {
    let percent = 100.0 * count as f64 / total as f64;
    if count == 0 {
        "0 %".to_string()
    } else if percent < 0.1 {
        "<0.1 %".to_string()
    } else if percent < 9.95 {
        format!("{} %", (percent * 10.0).round() / 10.0)
    } else if percent > 99.0 && count < total {
        ">99 %".to_string()
    } else {
        format!("{percent:.0} %")
    }
}

/// A share that somebody wrote: 0.05 is 5, without what the multiplication adds.
pub(super) fn exact_percent(share: f64) -> f64 {
    (share * 1e10).round() / 1e8
}

/// Whole numbers as such, others with three digits or so.
fn number(number: f64) -> String {
    let magnitude = number.abs();
    if !number.is_finite() {
        number.to_string()
    } else if magnitude >= 1e12 || (magnitude > 0.0 && magnitude < 1e-3) {
        format!("{number:.2e}")
    } else if number.fract() == 0.0 || magnitude >= 1000.0 {
        let whole = grouped(magnitude.round() as u64);
        if number < 0.0 { format!("-{whole}") } else { whole }
    } else {
        let digits = 2 - magnitude.log10().floor() as i32;
        let factor = 10f64.powi(digits);
        ((number * factor).round() / factor).to_string()
    }
}

/// 1234567 is 1,234,567.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
