//! The values of a feature, put into few groups.

use super::column::{Column, Values};
use super::filter::Selection;

/// So many bars are shown of a feature; the rest is one.
const MOST_BARS: usize = 40;
/// Whole numbers get a bar each up to this many.
const MOST_WHOLE: f64 = 32.0;
/// About so many bars otherwise.
const WANTED_BARS: f64 = 24.0;

/// How a feature is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// Numbers, in bars of equal width.
    Numbers,
    /// Numbers that are so far apart that each bar is ten times as wide as the one before.
    Magnitudes,
    /// Words.
    Categories,
}

/// A feature over the cases that are meant.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Chart {
    /// Of the feature.
    pub name: String,
    /// How to show it.
    pub kind: ChartKind,
    /// In order.
    pub bins: Vec<Bin>,
    /// How many different words there are.
    pub distinct: usize,
    /// Of all numbers.
    pub numbers: Option<Numbers>,
}

/// One bar.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Bin {
    /// What to call it.
    pub label: String,
    /// For numbers: from here, up to below the second.
    pub range: Option<[f64; 2]>,
    /// For what is no number: `NaN`, `inf`, `-inf`, `absent`; and `others` for the words that are
    /// not shown one by one.
    pub special: Option<&'static str>,
    /// How many cases there are in all.
    pub all: u64,
    /// How many of them are meant.
    pub selected: u64,
}

/// Numbers in short.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Numbers {
    /// The smallest.
    pub min: f64,
    /// Half are at most this.
    pub median: f64,
    /// Nine tenths are at most this.
    pub p90: f64,
    /// The largest.
    pub max: f64,
    /// Whether all are whole.
    pub are_whole: bool,
}

/// Groups for the values of one or several columns.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    pub kind: ChartKind,
    labels: Vec<Label>,
    /// Of bars of numbers: their lower ends.
    edges: Vec<f64>,
    /// How many bars come before that of the first edge, and where the special ones are.
    first: usize,
    specials: [Option<usize>; 4],
    pub distinct: usize,
    pub numbers: Option<Numbers>,
    words: Vec<String>,
}

/// What a bar is called, its range if it has one, and what it stands for if it is no number.
type Label = (String, Option<[f64; 2]>, Option<&'static str>);

const NAN: usize = 0;
const INF: usize = 1;
const MINUS_INF: usize = 2;
const OTHERS: usize = 3;

impl Bins {
    /// Groups that fit all of the columns.
    pub fn of(columns: &[&Column]) -> Bins {
        if columns.iter().all(|column| matches!(column.values, Values::Numbers(_))) {
            Bins::of_numbers(columns)
        } else {
            Bins::of_words(columns)
        }
    }

    /// Groups that fit the values of these cases. What other cases have beyond them is in a group
    /// on either side.
    pub fn fitting(column: &Column, cases: &Selection) -> Bins {
        let Values::Numbers(numbers) = &column.values else { return Bins::of(&[column]) };
        let mut finite = Vec::new();
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut has = [false; 3];
        column.each(|case, at| {
            let number = numbers[at];
            if !number.is_finite() {
                has[not_finite(number)] = true;
                return;
            }
            (min, max) = (min.min(number), max.max(number));
            if cases.has(case) {
                finite.push(number);
            }
        });
        let mut bins = Bins::of_values(finite, has);
        let (Some(first), Some(last)) = (bins.edges.first().copied(), bins.last_end()) else {
            return Bins::of(&[column]);
        };
        if min < first {
            bins.outer(0, -f64::MAX, (format!("below {}", short(first)), Some([-f64::MAX, first]), None));
        }
        if max >= last {
            bins.outer(bins.edges.len(), last, (format!("from {} on", short(last)), Some([last, f64::MAX]), None));
        }
        bins
    }

    /// Adds a bar of numbers at this place among them.
    fn outer(&mut self, at: usize, edge: f64, label: Label) {
        let place = self.first + at;
        self.labels.insert(place, label);
        self.edges.insert(at, edge);
        self.specials.iter_mut().flatten().filter(|special| **special >= place).for_each(|special| *special += 1);
    }

    /// Where the last bar of numbers ends.
    fn last_end(&self) -> Option<f64> {
        let (_, range, _) = self.labels.get((self.first + self.edges.len()).checked_sub(1)?)?;
        range.map(|[_, end]| end)
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn label(&self, bin: usize) -> &str {
        &self.labels[bin].0
    }

    pub fn range(&self, bin: usize) -> Option<[f64; 2]> {
        self.labels[bin].1
    }

    pub fn special(&self, bin: usize) -> Option<&'static str> {
        self.labels[bin].2
    }

    fn of_numbers(columns: &[&Column]) -> Bins {
        let mut finite = Vec::new();
        let mut has = [false; 3];
        for column in columns {
            let Values::Numbers(numbers) = &column.values else { continue };
            finite.reserve(numbers.len());
            for number in numbers {
                if number.is_finite() {
                    finite.push(*number);
                } else {
                    has[not_finite(*number)] = true;
                }
            }
        }
        Bins::of_values(finite, has)
    }

    /// Of these numbers, and of what else there is.
    fn of_values(mut finite: Vec<f64>, has: [bool; 3]) -> Bins {
        let numbers = Numbers::of(&mut finite);
        let mut bins = Bins {
            kind: ChartKind::Numbers,
            labels: Vec::new(),
            edges: Vec::new(),
            first: 0,
            specials: [None; 4],
            distinct: 0,
            numbers,
            words: Vec::new(),
        };
        if has[MINUS_INF] {
            bins.special_bin(MINUS_INF, "−∞", "-inf");
        }
        bins.first = bins.labels.len();
        if let Some(numbers) = numbers {
            let mut ends = Vec::new();
            bins.kind = edges(&numbers, &mut ends);
            for pair in ends.windows(2) {
                let [from, to] = [pair[0], pair[1]];
                let last = if numbers.are_whole { (to - 1.0).ceil() } else { to };
                let (from_label, to_label) = (short(if numbers.are_whole { from.ceil() } else { from }), short(last));
                let label = if from_label == to_label { from_label } else { format!("{from_label} to {to_label}") };
                bins.labels.push((label, Some([from, to]), None));
                bins.edges.push(from);
            }
            bins.distinct = bins.edges.len();
        }
        if has[INF] {
            bins.special_bin(INF, "∞", "inf");
        }
        if has[NAN] {
            bins.special_bin(NAN, "NaN", "NaN");
        }
        bins
    }

    fn special_bin(&mut self, which: usize, label: &str, special: &'static str) {
        self.specials[which] = Some(self.labels.len());
        self.labels.push((label.to_owned(), None, Some(special)));
    }

    /// The most frequent ones, those of the first column first if they are equally frequent.
    fn of_words(columns: &[&Column]) -> Bins {
        let mut counted: Vec<(String, u64)> = Vec::new();
        for column in columns {
            let counts = word_counts(column);
            if counted.is_empty() {
                counted = counts;
                continue;
            }
            for (word, count) in counts {
                match counted.iter_mut().find(|(known, _)| *known == word) {
                    Some((_, known)) => *known += count,
                    None => counted.push((word, count)),
                }
            }
        }
        let distinct = counted.len();
        counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counted.truncate(MOST_BARS);
        let words: Vec<String> = counted.into_iter().map(|(word, _)| word).collect();
        let mut bins = Bins {
            kind: ChartKind::Categories,
            labels: words.iter().map(|word| (word.clone(), None, None)).collect(),
            edges: Vec::new(),
            first: 0,
            specials: [None; 4],
            distinct,
            numbers: None,
            words,
        };
        if distinct > MOST_BARS {
            bins.special_bin(OTHERS, &format!("{} others", distinct - MOST_BARS), "others");
        }
        bins
    }

    /// The group of each value of a column, in the order of its values.
    pub fn places(&self, column: &Column) -> Vec<u16> {
        match &column.values {
            Values::Numbers(numbers) if self.kind != ChartKind::Categories => {
                numbers.iter().map(|number| self.place_of_number(*number)).collect()
            }
            Values::Numbers(numbers) => {
                let others = self.specials[OTHERS].unwrap_or(0) as u16;
                let place = |number: &f64| {
                    let text = number.to_string();
                    self.words.iter().position(|word| *word == text).map_or(others, |at| at as u16)
                };
                numbers.iter().map(place).collect()
            }
            Values::Texts { numbers, dictionary } => {
                let others = self.specials[OTHERS].unwrap_or(0) as u16;
                let mut by_number = vec![others; dictionary.len()];
                for (at, word) in self.words.iter().enumerate() {
                    if let Some(number) = dictionary.find(word) {
                        by_number[number as usize] = at as u16;
                    }
                }
                numbers.iter().map(|number| by_number[*number as usize]).collect()
            }
        }
    }

    fn place_of_number(&self, number: f64) -> u16 {
        if !number.is_finite() {
            return self.specials[not_finite(number)].unwrap_or(0) as u16;
        }
        let above = self.edges.partition_point(|edge| *edge <= number);
        (self.first + above.saturating_sub(1)) as u16
    }

    /// The chart of a column, over the cases of `scope`.
    pub fn chart(&self, column: &Column, places: &[u16], scope: &Selection, selected: &Selection) -> Chart {
        let mut counts = vec![[0_u64; 2]; self.len()];
        let mut n_present = [0_u64; 2];
        column.each(|case, at| {
            if scope.has(case) {
                let is_selected = u64::from(selected.has(case));
                let count = &mut counts[usize::from(places[at])];
                count[0] += 1;
                count[1] += is_selected;
                n_present[0] += 1;
                n_present[1] += is_selected;
            }
        });
        let mut bins = Vec::with_capacity(self.len() + 1);
        for (at, [all, selected]) in counts.into_iter().enumerate() {
            let (label, range, special) = self.labels[at].clone();
            bins.push(Bin { label, range, special, all, selected });
        }
        let mut in_both = scope.clone();
        in_both.and(selected);
        let absent = [scope.count() as u64 - n_present[0], in_both.count() as u64 - n_present[1]];
        if absent[0] > 0 {
            let [all, selected] = absent;
            bins.push(Bin { label: "absent".to_owned(), range: None, special: Some("absent"), all, selected });
        }
        // Words that only discarded cases have, and numbers beyond those of the others.
        let is_outer = |bin: &Bin| bin.range.is_some_and(|[from, to]| from == -f64::MAX || to == f64::MAX);
        bins.retain(|bin| bin.all > 0 || (self.kind != ChartKind::Categories && !is_outer(bin)));
        Chart { name: column.name.to_string(), kind: self.kind, bins, distinct: self.distinct, numbers: self.numbers }
    }
}

fn not_finite(number: f64) -> usize {
    if number.is_nan() {
        NAN
    } else if number > 0.0 {
        INF
    } else {
        MINUS_INF
    }
}

fn word_counts(column: &Column) -> Vec<(String, u64)> {
    match &column.values {
        Values::Texts { numbers, dictionary } => {
            let mut counts = vec![0; dictionary.len()];
            numbers.iter().for_each(|number| counts[*number as usize] += 1);
            counts.iter().enumerate().map(|(at, count)| (dictionary.text(at as u32).to_owned(), *count)).collect()
        }
        Values::Numbers(numbers) => {
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            let mut counts: Vec<(String, u64)> = Vec::new();
            for number in sorted {
                let text = number.to_string();
                match counts.last_mut() {
                    Some((last, count)) if *last == text => *count += 1,
                    _ => counts.push((text, 1)),
                }
            }
            counts
        }
    }
}

impl Numbers {
    fn of(finite: &mut [f64]) -> Option<Numbers> {
        if finite.is_empty() {
            return None;
        }
        let are_whole = finite.iter().all(|number| number.fract() == 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in finite.iter() {
            min = min.min(*number);
            max = max.max(*number);
        }
        let mut at = |share: f64| {
            let rank = ((finite.len() - 1) as f64 * share).floor() as usize;
            *finite.select_nth_unstable_by(rank, f64::total_cmp).1
        };
        Some(Numbers { min, median: at(0.5), p90: at(0.9), max, are_whole })
    }
}

/// Fills in the borders of the bars.
fn edges(numbers: &Numbers, edges: &mut Vec<f64>) -> ChartKind {
    let Numbers { min, max, are_whole, .. } = *numbers;
    if are_whole && max - min < MOST_WHOLE {
        let mut edge = min;
        while edge <= max + 1.0 {
            edges.push(edge);
            if edge + 1.0 == edge {
                // So large that there is no whole number in between.
                edges.push(edge.next_up());
                break;
            }
            edge += 1.0;
        }
        return ChartKind::Numbers;
    }
    if max == min {
        edges.extend([min, min.next_up()]);
        return ChartKind::Numbers;
    }
    let largest = max.abs().max(min.abs());
    // Half of all in a hundredth of the range: on a scale of equal steps there would be one bar.
    let typical = numbers.median.abs().max(numbers.p90.abs());
    if typical * 50.0 < largest || !(max - min).is_finite() {
        powers(min, max, are_whole, edges);
        return ChartKind::Magnitudes;
    }
    let step = nice_step((max - min) / WANTED_BARS, are_whole);
    let first = (min / step).floor();
    let mut at = 0.0;
    loop {
        let edge = (first + at) * step;
        edges.push(edge);
        if edge > max || at > 4.0 * WANTED_BARS {
            return ChartKind::Numbers;
        }
        at += 1.0;
    }
}

/// …, -100, -10, -1, 0, 1, 10, 100, … as far as needed.
fn powers(min: f64, max: f64, are_whole: bool, edges: &mut Vec<f64>) {
    let smallest: i32 = if are_whole { 0 } else { -6 };
    let largest = max.abs().max(min.abs());
    // With random bits as floats there would be hundreds.
    let stride = ((largest.log10() as i32 - smallest) / 16 + 1).max(1) as usize;
    let top =
        |number: f64| if number <= 0.0 { smallest } else { (number.log10().floor() as i32 + 1).clamp(smallest, 308) };
    if min < 0.0 {
        for power in (smallest..=top(-min)).step_by(stride) {
            edges.insert(0, -10_f64.powi(power));
        }
        edges.retain(|edge| edge.is_finite());
        // The lowest belongs to the first bar.
        if edges.first().is_some_and(|first| *first > min) {
            edges.insert(0, min);
        }
    }
    if min < 0.0 && are_whole {
        // -1 is one, 0 is another.
        edges.push(0.0);
    } else if min >= 0.0 {
        edges.push(0.0);
    }
    if max > 0.0 {
        for power in (smallest..=top(max)).step_by(stride) {
            edges.push(10_f64.powi(power));
        }
        if edges.last().is_some_and(|last| *last <= max) {
            edges.push(max.next_up());
        }
    } else if edges.last().is_some_and(|last| *last <= max) {
        edges.push(if are_whole { 1.0 } else { max.next_up() });
    }
}

/// 1, 2 or 5 times a power of ten, at least `step`.
fn nice_step(step: f64, are_whole: bool) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|nice| *nice >= step * 0.999);
    let nice = nice.unwrap_or(power * 10.0);
    if are_whole { nice.max(1.0).round() } else { nice }
}

/// A number in few characters.
pub(crate) fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e7).contains(&size) {
        let text = format!("{number:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        format!("{digits}e{power}")
    } else if number.fract() == 0.0 {
        format!("{number}")
    } else {
        let text = format!(
            "{number:.*}",
            if size >= 100.0 {
                1
            } else if size >= 1.0 {
                3
            } else {
                6
            }
        );
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::Value;
    use super::*;

    fn chart(numbers: &[f64]) -> Chart {
        let mut column = Column::new("x");
        for (case, number) in numbers.iter().enumerate() {
            column.push(case, Value::Number(*number));
        }
        let bins = Bins::of(&[&column]);
        let all = Selection::all(numbers.len());
        bins.chart(&column, &bins.places(&column), &all, &all)
    }

    fn shown(numbers: &[f64]) -> Vec<(String, u64)> {
        chart(numbers).bins.into_iter().filter(|bin| bin.all > 0).map(|bin| (bin.label, bin.all)).collect()
    }

    #[test]
    fn small_whole_numbers_have_a_bar_each() {
        assert_eq!(shown(&[1.0, 3.0, 3.0]), [("1".into(), 1), ("3".into(), 2)]);
        assert_eq!(chart(&[1.0, 3.0, 3.0]).bins.len(), 3);
        assert_eq!(shown(&[5.0]), [("5".into(), 1)]);
        assert_eq!(shown(&[1e300, 1e300]), [("1e300".into(), 2)]);
    }

    #[test]
    fn many_whole_numbers_share_bars() {
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let shown = shown(&numbers);
        assert_eq!(shown.len(), 20);
        assert_eq!(shown[0], ("0 to 4".into(), 5));
    }

    #[test]
    fn only_the_given_cases_count() {
        let mut column = Column::new("length");
        for (case, number) in [1.0, 2.0, 3.0, 900.0].into_iter().enumerate() {
            column.push(case, Value::Number(number));
        }
        let mut tested = Selection::none(4);
        (0..3).for_each(|case| tested.add(case));
        let numbers = Bins::fitting(&column, &tested).numbers.unwrap();
        assert_eq!((numbers.median, numbers.max), (2.0, 3.0));
    }

    #[test]
    fn numbers_that_are_far_apart_are_shown_by_magnitude() {
        let chart = chart(&[0.0, -1.0, 1.0, 12.0, 13.0, -4e18, 9e18]);
        assert_eq!(chart.kind, ChartKind::Magnitudes);
        assert_eq!(chart.bins.iter().map(|bin| bin.all).sum::<u64>(), 7);
        let zero = chart.bins.iter().find(|bin| bin.range.is_some_and(|[from, _]| from == 0.0)).unwrap();
        assert_eq!((zero.label.as_str(), zero.all), ("0", 1));
    }

    #[test]
    fn what_is_no_number_has_bars_of_its_own() {
        let shown = shown(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.5]);
        assert_eq!(shown.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(), ["−∞", "0.5", "∞", "NaN"]);
    }

    /// Whatever the numbers: each is counted once, in a bar whose range holds it.
    #[test]
    fn every_number_is_in_its_bar() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..500 {
            let n = random() % 20 + 1;
            let scale = 10_f64.powi((random() % 40) as i32 - 15);
            let whole = random() % 2 == 0;
            let numbers: Vec<f64> = (0..n)
                .map(|_| {
                    let number = (random() % 2001) as f64 - 1000.0;
                    let wild = if random() % 5 == 0 { 1e6 } else { 1.0 };
                    if whole { (number * scale * wild).round() } else { number * scale * wild }
                })
                .collect();
            let mut column = Column::new("x");
            numbers.iter().enumerate().for_each(|(case, number)| column.push(case, Value::Number(*number)));
            let bins = Bins::of(&[&column]);
            for (number, place) in numbers.iter().zip(bins.places(&column)) {
                let [from, to] = bins.range(usize::from(place)).unwrap();
                assert!(from <= *number && *number < to, "{number} in {from}..{to} of {numbers:?}");
            }
            assert!(bins.len() <= 100, "{} bars for {numbers:?}", bins.len());
        }
    }

    #[test]
    fn the_rarest_words_are_put_together() {
        let mut column = Column::new("x");
        for case in 0..100 {
            column.push(case, Value::Text(format!("{:02}", case % 60).into()));
        }
        let bins = Bins::of(&[&column]);
        let all = Selection::all(101);
        let chart = bins.chart(&column, &bins.places(&column), &all, &all);
        let last = &chart.bins[chart.bins.len() - 2..];
        assert_eq!((last[0].label.as_str(), last[0].all), ("20 others", 20));
        assert_eq!((last[1].label.as_str(), last[1].all), ("absent", 1));
    }
}
