//! What is not well, and what to do about it.
//!
//! A warning appears only past a threshold, says what was seen, and what to change. Thresholds are
//! shares: they hold for a hundred cases as for a million.

use super::Run;
use super::column::{Column, Values};
use super::filter::Selection;
use super::view::CHOICES;
use crate::Status;

/// More than this is said of discarded cases and of duplicates.
const SHARE: f64 = 1.0 / 3.0;
/// With fewer cases than this nothing is said about their distribution.
const FEWEST: u64 = 20;
/// Of so many features that never change it is told by name.
const MOST_STUCK: usize = 3;
/// With fewer random cases than this nothing is said about how their sizes grow.
const FEWEST_SIZES: usize = 60;
/// Values of which nine tenths have so many choices are not small.
const SMALL: f64 = 6.0;

/// What is not well.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Warning {
    /// Of which kind it is.
    pub kind: WarningKind,
    /// What was seen.
    pub text: String,
    /// What to do about it.
    pub advice: String,
    /// Where, as `file:line`, if a place is to blame.
    pub place: Option<String>,
    /// Of which feature it speaks, if of one.
    pub feature: Option<String>,
}

/// Kinds of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// No case was tested at all.
    NothingTested,
    /// More than a third was discarded.
    Discards,
    /// More than a third of what was tested had been before.
    Duplicates,
    /// A feature is the same in all cases.
    Stuck,
    /// Values stay small.
    Sizes,
    /// A `cover!` was not met.
    Cover,
    /// An example was not run.
    Example,
    /// A saved case was not run: it cannot be made any more, or was discarded.
    SavedCase,
    /// The runner says so.
    Health,
    /// Lines are missing.
    Lost,
}

impl Warning {
    fn new(kind: WarningKind, text: String, advice: impl Into<String>) -> Warning {
        Warning { kind, text, advice: advice.into(), place: None, feature: None }
    }

    fn at(self, place: &str) -> Warning {
        Warning { place: (!place.is_empty()).then(|| place.to_owned()), ..self }
    }

    fn about(self, feature: &str) -> Warning {
        Warning { feature: Some(feature.to_owned()), ..self }
    }
}

impl Run {
    /// What is not well with the run, the gravest first.
    ///
    /// ```
    /// # use retrospect_stats::summary::{Store, WarningKind};
    /// let mut store = Store::default();
    /// let case = |n: u32| {
    ///     let (status, reason) = if n % 2 == 0 { ("passed", "") } else { ("gave_up", "assume!(n % 2 == 0) at src/lib.rs:7:9") };
    ///     format!(
    ///         r#"{{"type": "test_case", "property": "p", "run_start": 1, "status": "{status}", "status_reason": "{reason}", "representation": "{n}"}}"#
    ///     )
    /// };
    /// store.read_text(&(0..100).map(case).collect::<Vec<_>>().join("\n"));
    /// let warning = &store.latest("p").unwrap().warnings()[0];
    /// assert_eq!(warning.kind, WarningKind::Discards);
    /// assert_eq!(warning.text, "50 of 100 cases were discarded, 50 of them by assume!(n % 2 == 0) at src/lib.rs:7:9");
    /// ```
    pub fn warnings(&self) -> Vec<Warning> {
        self.prepared().warnings.get_or_init(|| self.find_warnings()).clone()
    }

    fn find_warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        self.discards(&mut warnings);
        self.duplicates(&mut warnings);
        self.told(&mut warnings);
        let tested: u64 = self.mosaic[..2].iter().flatten().sum();
        if tested >= FEWEST {
            let valid = self.valid();
            self.stuck(&valid, &mut warnings);
            self.choices(&valid, &mut warnings);
            self.sizes(&valid, &mut warnings);
        }
        warnings
    }

    fn discards(&self, warnings: &mut Vec<Warning>) {
        let discarded: u64 = self.mosaic[Status::GaveUp as usize].iter().sum();
        let all: u64 = self.mosaic.iter().flatten().sum();
        if discarded == 0 || discarded as f64 <= all as f64 * SHARE || (all < FEWEST && discarded < all) {
            return;
        }
        let (reason, count) = self.most_frequent_discard();
        let by = if reason.is_empty() { String::new() } else { format!(", {} of them by {reason}", grouped(count)) };
        let tested = all - discarded;
        let text = format!("{} of {} cases were discarded{by}", grouped(discarded), grouped(all));
        let place = super::view::place(&reason).unwrap_or_default();
        if tested == 0 {
            let advice = "Nothing was tested. Make a generator that gives only what is wanted (`satisfying`), or loosen the assumption.";
            warnings.push(Warning::new(WarningKind::NothingTested, text, advice).at(&place));
            return;
        }
        // What no value is found for is the condition of a generator.
        let advice = match reason.starts_with("a condition at ") {
            true => "Loosen the condition, or write a generator that makes only what is wanted.",
            false => "Move the condition into the generator with `satisfying`, which searches for what fulfils it.",
        };
        warnings.push(Warning::new(WarningKind::Discards, text, advice).at(&place));
    }

    fn most_frequent_discard(&self) -> (String, u64) {
        let reasons = &self.cases.reasons;
        let Values::Texts { numbers, dictionary } = &reasons.values else { return (String::new(), 0) };
        let mut counts = vec![0_u64; dictionary.len()];
        reasons.each(|case, at| {
            if self.cases.status[case] == Status::GaveUp {
                counts[numbers[at] as usize] += 1;
            }
        });
        let most = (0..counts.len()).rev().max_by_key(|number| counts[*number]);
        most.map_or((String::new(), 0), |number| (dictionary.text(number as u32).to_owned(), counts[number]))
    }

    fn duplicates(&self, warnings: &mut Vec<Warning>) {
        let tested: u64 = self.mosaic[..2].iter().flatten().sum();
        let again: u64 = self.mosaic[..2].iter().map(|row| row[1]).sum();
        if tested < FEWEST || again as f64 <= tested as f64 * SHARE {
            return;
        }
        let text = format!(
            "{} of {} tested values had been tested before: {} are distinct",
            grouped(again),
            grouped(tested),
            grouped(tested - again)
        );
        let advice = "Draw from a larger space: wider ranges, longer lists, other weights (`tuned_unlike` what comes too often). \
                      If there are no more values than that, enumerate them instead.";
        warnings.push(Warning::new(WarningKind::Duplicates, text, advice));
    }

    /// What the events tell.
    fn told(&self, warnings: &mut Vec<Warning>) {
        let history = self.history();
        for cover in history.covers.iter().filter(|cover| cover.verdict != "met") {
            let (held, cases) = (cover.held_in, cover.cases);
            let missed = if cover.verdict == "missed" { "which is too few" } else { "which decides nothing" };
            let text = format!(
                "`{}` held in {} of {} cases, {missed}: at least {} % are demanded",
                cover.label,
                grouped(held),
                grouped(cases),
                super::bins::short(cover.required * 100.0)
            );
            let advice = "Give its cases more weight in the generator (`tuned_like` such examples), or demand less.";
            warnings.push(Warning::new(WarningKind::Cover, text, advice).at(&cover.place).about(&cover.label));
        }
        for (number, reason) in &history.examples_not_run {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            let text = format!("example {number} was never reached{why}");
            warnings.push(Warning::new(WarningKind::Example, text, "Run it alone to see why, or mend or remove it."));
        }
        for text in &history.health {
            if text.starts_with("saved case ") {
                // The last line says what to do, and names the file.
                let (text, advice) = text.rsplit_once('\n').unwrap_or((text, ""));
                warnings.push(Warning::new(WarningKind::SavedCase, text.to_owned(), advice));
                continue;
            }
            let (text, advice) = text.split_once('\n').unwrap_or((text, ""));
            // Discards are told above, from the cases themselves; and covers.
            let is_told = |kind, words: &str| text.contains(words) && warnings.iter().any(|w: &Warning| w.kind == kind);
            if !is_told(WarningKind::Discards, " discarded ") {
                warnings.push(Warning::new(WarningKind::Health, text.to_owned(), advice));
            }
        }
        if history.lines_lost > 0 {
            let text = format!("{} lines could not be written: what is shown is not all", grouped(history.lines_lost));
            warnings.push(Warning::new(WarningKind::Lost, text, "Look whether the disk is full."));
        }
    }

    fn stuck(&self, valid: &Selection, warnings: &mut Vec<Warning>) {
        let n_valid = valid.count();
        let mut stuck = Vec::new();
        for column in &self.cases.features {
            // What a case does not have is a value too, and a runner's own are not always meant to
            // change.
            if column.name.starts_with("Retried draw from") || column.name.starts_with("target:") {
                continue;
            }
            // Scalars are always one choice, and a struct is always called the same.
            let is_text = matches!(column.values, Values::Texts { .. });
            if &*column.name == CHOICES || (column.name.starts_with("auto:") && is_text) {
                continue;
            }
            // A `cover!` that never held has been told of.
            let is_told = |warning: &Warning| warning.feature.as_deref() == Some(&column.name);
            if warnings.iter().any(is_told) {
                continue;
            }
            let is_length = column.name.starts_with("auto:") && column.name.ends_with(".len");
            match only_value(column, valid, n_valid) {
                // An array has one length, and so may a list.
                Some(length) if is_length && length != "0" && length != "1" => {}
                Some(value) => stuck.push((&*column.name, value)),
                None => {}
            }
        }
        for (name, value) in stuck.iter().take(MOST_STUCK) {
            let text = format!("`{name}` is {} in all {} cases", shown(value), grouped(n_valid as u64));
            let advice = "Nothing was tested for any other value. Let the generator vary it, or drop the feature if it cannot vary.";
            warnings.push(Warning::new(WarningKind::Stuck, text, advice).about(name));
        }
        if stuck.len() > MOST_STUCK {
            let names: Vec<String> = stuck[MOST_STUCK..].iter().take(10).map(|(name, _)| format!("`{name}`")).collect();
            let rest = stuck.len() - MOST_STUCK;
            let text = format!(
                "{rest} more {} a single value: {}",
                if rest == 1 { "feature has" } else { "features have" },
                names.join(", ")
            );
            warnings.push(Warning::new(WarningKind::Stuck, text, "See above."));
        }
    }

    /// The runner asks for larger values as a run goes on. Where there are larger ones, but they
    /// come no more often at the end than at the beginning, and hardly ever, the generator does not
    /// follow. What a value is large in is known: how many choices it is made of.
    fn choices(&self, valid: &Selection, warnings: &mut Vec<Warning>) {
        let Some(column) = super::filter::feature(&self.cases, CHOICES) else { return };
        let mut sizes = Vec::new();
        column.each(|case, _| {
            if valid.has(case)
                && self.cases.how.text(case).is_none_or(|how| how == "random")
                && let Some(size) = column.number(case)
            {
                sizes.push(size);
            }
        });
        if sizes.len() < FEWEST_SIZES {
            return;
        }
        let third = sizes.len() / 3;
        let mean = |sizes: &[f64]| sizes.iter().sum::<f64>() / sizes.len() as f64;
        let (early, late) = (mean(&sizes[..third]), mean(&sizes[sizes.len() - third..]));
        let most = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let rank = sizes.len() * 9 / 10;
        let p90 = *sizes.select_nth_unstable_by(rank, f64::total_cmp).1;
        if late <= early * 1.1 && p90 <= SMALL && most >= 2.0 * p90 {
            let text = format!(
                "sizes never grow: nine tenths of {} random values are made of at most {p90} choices, from the first to the last, \
                 although there are larger ones ({most})",
                grouped(sizes.len() as u64)
            );
            let advice = "Large values were hardly tested. Give recursive arms and long lists more weight, or let them grow with the size (`sized`).";
            warnings.push(Warning::new(WarningKind::Sizes, text, advice).about(CHOICES));
        }
    }

    /// Features that are called like a size, of whatever wrote them down.
    fn sizes(&self, valid: &Selection, warnings: &mut Vec<Warning>) {
        for column in &self.cases.features {
            if !is_size(&column.name) {
                continue;
            }
            let Values::Numbers(numbers) = &column.values else { continue };
            let mut sizes = Vec::new();
            column.each(|case, at| {
                if valid.has(case) && numbers[at].is_finite() {
                    sizes.push(numbers[at]);
                }
            });
            if (sizes.len() as u64) < FEWEST {
                continue;
            }
            let max = |sizes: &[f64]| sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let early = sizes.len().div_ceil(10);
            let (before, after) = (max(&sizes[..early]), max(&sizes[early..]));
            let rank = sizes.len() * 9 / 10;
            let p90 = *sizes.select_nth_unstable_by(rank, f64::total_cmp).1;
            let (min, most) = (sizes.iter().copied().fold(f64::INFINITY, f64::min), before.max(after));
            // What never changes at all is told above.
            if after <= before && p90 <= 2.0 && most <= 4.0 && min < most {
                let text = format!(
                    "`{}` never grows: nine tenths of {} cases are at most {p90}, none is above {most}",
                    column.name,
                    grouped(sizes.len() as u64)
                );
                let advice = "Larger values were not tested. Raise the upper bound, the size or the depth, or give recursive arms more weight.";
                warnings.push(Warning::new(WarningKind::Sizes, text, advice).about(&column.name));
            }
        }
    }
}

/// The value that all of the cases have, if they have one.
fn only_value(column: &Column, valid: &Selection, n_valid: usize) -> Option<String> {
    let mut n_present = 0;
    let mut first = None;
    let mut is_only = true;
    match &column.values {
        Values::Numbers(numbers) => column.each(|case, at| {
            if is_only && valid.has(case) {
                n_present += 1;
                is_only = *first.get_or_insert(numbers[at]) == numbers[at];
            }
        }),
        Values::Texts { numbers, .. } => column.each(|case, at| {
            if is_only && valid.has(case) {
                n_present += 1;
                is_only = *first.get_or_insert(f64::from(numbers[at])) == f64::from(numbers[at]);
            }
        }),
    }
    if !is_only || n_present != n_valid {
        return None;
    }
    match &column.values {
        Values::Numbers(_) => first.map(|number| number.to_string()),
        Values::Texts { dictionary, .. } => first.map(|number| dictionary.text(number as u32).to_owned()),
    }
}

fn shown(value: &str) -> String {
    if value.is_empty() { "present".to_owned() } else { format!("`{}`", super::index::cut(value, 60)) }
}

/// Whether a feature of that name tells how large a value is.
fn is_size(name: &str) -> bool {
    let last = name.rsplit(['.', ':', ' ', '_']).next().unwrap_or(name).to_lowercase();
    ["size", "len", "length", "depth", "height", "count", "nodes"].contains(&last.as_str())
}

/// A number as people write it.
///
/// ```
/// use retrospect_stats::summary::grouped;
/// assert_eq!([7, 12_345, 1_955_020].map(grouped), ["7", "12,345", "1,955,020"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
