//! The file of weights: the part of TOML that it needs.

use super::labels::DEPTHS;
use super::origin::Origin;
use super::{DEPTH, EVERYWHERE, LARGEST, SINGLE, WIDE, Weights, again_in, ends_of, ends_where, range_of};
use crate::toml::Reader;
use std::fmt::{self, Write};

/// What is wrong with weights.
///
/// ```
/// use retrospect::prelude::*;
/// let error = "[picks]\n\"coin\" = { \"heads\" = -1 }".parse::<Weights>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: the weight -1 is negative: a weight is 0 or more");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The text cannot be read.
    Text {
        /// In which line, counted from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// They name an arm that a pick of the generator does not have.
    UnknownArm {
        /// The label of the pick.
        pick: String,
        /// The arm.
        arm: String,
        /// The arms there are.
        known: Vec<String>,
        /// The file they were read from, if it was one.
        file: Option<String>,
        /// In which line that is, counted from 1, if they were read.
        line: Option<usize>,
    },
    /// They name a place that was not met in this generator.
    UnknownLabel {
        /// The label of the place.
        label: String,
        /// The file they were read from, if it was one.
        file: Option<String>,
        /// In which line that is, counted from 1, if they were read.
        line: Option<usize>,
    },
    /// None of their labels was met: they were learned from another generator.
    AnotherGenerator {
        /// One of the labels.
        label: String,
        /// The file they were read from, if it was one.
        file: Option<String>,
        /// In which line that is, counted from 1, if they were read.
        line: Option<usize>,
    },
    /// The file cannot be read or written.
    File {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Text { line, reason } => write!(formatter, "line {line}: {reason}"),
            WeightsError::UnknownArm { pick, arm, known, file, line } if known.is_empty() => {
                write_place(formatter, file.as_deref(), *line)?;
                write!(formatter, "the weights of {pick:?} name the arm {arm:?}, and its arms have only numbers")
            }
            WeightsError::UnknownArm { pick, arm, known, file, line } => {
                write_place(formatter, file.as_deref(), *line)?;
                write!(formatter, "the weights of {pick:?} name the arm {arm:?}, which is none of {known:?}")
            }
            WeightsError::UnknownLabel { label, file, line } => {
                write_place(formatter, file.as_deref(), *line)?;
                write!(formatter, "the weights name {label:?}, which this generator does not choose at")?;
                write_hint(formatter, label)
            }
            WeightsError::AnotherGenerator { label, file, line } => {
                write_place(formatter, file.as_deref(), *line)?;
                write!(
                    formatter,
                    "the weights are of another generator: they begin with {label:?}, and none of their labels was met in this one"
                )?;
                write_hint(formatter, label)
            }
            WeightsError::File { path, reason } => write!(formatter, "the weights in {path}: {reason}"),
        }
    }
}

fn write_place(formatter: &mut fmt::Formatter<'_>, file: Option<&str>, line: Option<usize>) -> fmt::Result {
    if let Some(file) = file {
        write!(formatter, "the weights in {file}: ")?;
    }
    line.map_or(Ok(()), |line| write!(formatter, "line {line}: "))
}

/// What a combinator made is called by where it stands.
fn write_hint(formatter: &mut fmt::Formatter<'_>, label: &str) -> fmt::Result {
    match label.contains(".rs:") {
        true => formatter
            .write_str("; if that has moved to another line since they were saved, change it there or save them again"),
        false => Ok(()),
    }
}

impl std::error::Error for WeightsError {}

impl WeightsError {
    /// Whether what is not known may be somewhere where nothing was drawn yet.
    pub(crate) fn may_be_rare(&self) -> bool {
        match self {
            WeightsError::UnknownLabel { .. } => true,
            WeightsError::UnknownArm { pick, .. } => pick == EVERYWHERE,
            _ => false,
        }
    }
}

/// The text of the file.
impl fmt::Display for Weights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "# How often each choice was made; see retrospect::source::Weights.")?;
        writeln!(formatter, "smoothing = {}", self.smoothing)?;
        writeln!(formatter, "inverted = {}", self.is_inverted)?;
        if !self.picks.is_empty() {
            writeln!(formatter, "\n[picks]")?;
        }
        for (label, arms) in &self.picks {
            let mut list = String::new();
            for (arm, count) in arms {
                add_count(&mut list, &quoted(arm), *count);
            }
            writeln!(formatter, "{} = {{{list} }}", quoted(label))?;
        }
        for (name, meaning, table) in [
            ("numbers", "each number", &self.numbers),
            ("lengths", "so many items more than the fewest", &self.lengths),
        ] {
            if !table.is_empty() {
                writeln!(formatter, "\n# How often {meaning}; from {SINGLE} on in ranges.")?;
                if name == "numbers" && !self.again.is_empty() {
                    writeln!(formatter, "# A number from {WIDE} on came again so often: it is also in its range.")?;
                }
                writeln!(formatter, "[{name}]")?;
            }
            for (label, counts) in table {
                let mut list = String::new();
                for (range, count) in counts.iter().enumerate() {
                    match ends_of(range) {
                        _ if *count == 0.0 => {}
                        (first, last) if first == last => add_count(&mut list, &first.to_string(), *count),
                        (first, last) => add_count(&mut list, &format!("{first}-{last}"), *count),
                    }
                }
                let again = if name == "numbers" { super::find(&self.again, label) } else { None };
                for (number, count) in again.into_iter().flatten() {
                    add_count(&mut list, &number.to_string(), *count);
                }
                writeln!(formatter, "{} = {{{list} }}", quoted(label))?;
            }
        }
        Ok(())
    }
}

fn add_count(list: &mut String, name: &str, count: f64) {
    let separator = if list.is_empty() { "" } else { "," };
    let _ = write!(list, "{separator} {name} = {count}");
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", character as u32);
            }
            character => quoted.push(character),
        }
    }
    quoted + "\""
}

impl std::str::FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let weights = Weights { origin: Origin::text(), ..Weights::default() };
        let mut reading = Reading { weights, table: "", label: None, tables: Vec::new(), settings: Vec::new() };
        for (place, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            reading.line(line, place + 1)?;
        }
        reading.end_label()?;
        Ok(reading.weights)
    }
}

const TABLES: [&str; 3] = ["picks", "numbers", "lengths"];
const SETTINGS: [&str; 2] = ["smoothing", "inverted"];

/// What was read so far.
struct Reading {
    weights: Weights,
    /// Which one the lines are in; none at first.
    table: &'static str,
    /// The label they are for, in a table of its own.
    label: Option<Label>,
    /// What was there already.
    tables: Vec<&'static str>,
    settings: Vec<&'static str>,
}

/// A label whose weights are being read.
struct Label {
    text: String,
    line: usize,
    /// The numbers and ranges that were there.
    read: Vec<(u64, u64)>,
}

impl Reading {
    fn line(&mut self, text: &str, line: usize) -> Result<(), WeightsError> {
        let at_line = |reason| WeightsError::Text { line, reason };
        let mut reader = Reader::new(text);
        reader.skip_blanks();
        if reader.is_at_end() {
            return Ok(());
        }
        if reader.take("[") {
            self.end_label()?;
            self.header(&mut reader, line).map_err(at_line)?;
        } else if let Some(mut label) = self.label.take() {
            self.weight(&mut reader, &mut label).map_err(at_line)?;
            self.label = Some(label);
        } else if self.table.is_empty() {
            self.setting(&mut reader).map_err(at_line)?;
        } else {
            self.label = Some(self.labelled(&mut reader, line).map_err(at_line)?);
            self.end_label()?;
        }
        reader.end().map_err(at_line)
    }

    /// `[picks]`, or the table of one label: `[picks."my::coin"]`.
    fn header(&mut self, reader: &mut Reader<'_>, line: usize) -> Result<(), String> {
        if reader.take("[") {
            return Err(format!("`[[{}` begins a list of tables: a table here is `[picks]`", reader.rest()));
        }
        let name = reader.name(&['.', ']'])?;
        let known = TABLES.iter().find(|known| **known == name);
        self.table = known.ok_or_else(|| format!("the table `{name}` is none of `picks`, `numbers` and `lengths`"))?;
        match reader.take(".") {
            true => {
                let label = reader.name(&['.', ']'])?;
                self.label = Some(self.begin_label(label, line)?);
            }
            false if self.tables.contains(&self.table) => return Err(format!("the table `{name}` is there twice")),
            false => self.tables.push(self.table),
        }
        reader.expect("]")
    }

    fn setting(&mut self, reader: &mut Reader<'_>) -> Result<(), String> {
        let name = reader.name(&['=', '.'])?;
        if TABLES.contains(&name.as_str()) {
            return Err(format!("`{name}` is a table: write `[{name}]` in a line, and what is in it in those below"));
        }
        let Some(known) = SETTINGS.iter().find(|known| **known == name) else {
            return Err(format!("`{name}` is neither `smoothing` nor `inverted`, nor in a table"));
        };
        if self.settings.contains(known) {
            return Err(format!("`{name}` is there twice"));
        }
        self.settings.push(known);
        reader.expect("=")?;
        if *known == "smoothing" {
            self.weights.smoothing = reader.number("smoothing")?;
            return Ok(());
        }
        let value = reader.value();
        self.weights.is_inverted = value.parse().map_err(|_| format!("`inverted` is true or false, not `{value}`"))?;
        reader.eat(value);
        Ok(())
    }

    /// A label and all of its weights: `"my::coin" = { "heads" = 3, "tails" = 1 }`.
    fn labelled(&mut self, reader: &mut Reader<'_>, line: usize) -> Result<Label, String> {
        let text = reader.name(&['='])?;
        reader.expect("=")?;
        let mut label = self.begin_label(text, line)?;
        if self.table != "picks" && reader.take("[") {
            read_list(reader, self.counts(&label.text))?;
            return Ok(label);
        }
        reader.expect("{")?;
        while !reader.take("}") {
            self.weight(reader, &mut label)?;
            if !reader.take(",") {
                reader.expect("}")?;
                break;
            }
        }
        Ok(label)
    }

    fn begin_label(&mut self, text: String, line: usize) -> Result<Label, String> {
        if let Some((_, Ok(depth))) = text.rsplit_once(DEPTH).map(|(place, depth)| (place, depth.parse::<usize>())) {
            if self.table == "numbers" {
                return Err(format!("{text:?} has a depth: numbers are counted at all depths together"));
            }
            if depth >= DEPTHS {
                let deepest = DEPTHS - 1;
                return Err(format!("{text:?} is too deep: from {deepest} on all depths are counted as {deepest}"));
            }
        }
        let is_there = match self.table {
            "picks" => super::find(&self.weights.picks, &text).is_some(),
            "numbers" => super::find(&self.weights.numbers, &text).is_some(),
            _ => super::find(&self.weights.lengths, &text).is_some(),
        };
        if is_there {
            return Err(format!("{text:?} is there twice"));
        }
        if self.table == "picks" {
            super::entry(&mut self.weights.picks, &text);
        } else {
            self.counts(&text);
        }
        self.weights.origin.note(self.table, &text, line);
        Ok(Label { text, line, read: Vec::new() })
    }

    /// An arm, a number or a range, and its weight.
    fn weight(&mut self, reader: &mut Reader<'_>, label: &mut Label) -> Result<(), String> {
        let name = reader.name(&['='])?;
        if self.table == "picks" {
            reader.expect("=")?;
            let count = reader.number("weight")?;
            if self.weights.arms(&label.text).iter().any(|(other, _)| *other == name) {
                return Err(format!("the arm {name:?} is there twice"));
            }
            self.weights.count_arm(&label.text, &name, count);
            return Ok(());
        }
        let (first, last) = name.split_once('-').unwrap_or((&name, &name));
        let (Ok(first), Ok(last)) = (first.parse::<u64>(), last.parse::<u64>()) else {
            return Err(format!("`{name}` is neither a number nor a range such as `64-127`"));
        };
        reader.expect("=")?;
        let count = reader.number("weight")?;
        // Those that came again are in their ranges as well.
        let is_again = self.table == "numbers" && first == last && first >= WIDE;
        if label
            .read
            .iter()
            .any(|(from, to)| (is_again == (from == to && *from >= WIDE)) && first <= *to && *from <= last)
        {
            return Err(format!("some of {name} is there twice"));
        }
        label.read.push((first, last));
        if !is_again {
            return add(self.counts(&label.text), (first, last), count);
        }
        if count > 0.0 {
            let again = super::entry(&mut self.weights.again, &label.text);
            let place = again.partition_point(|(other, _)| *other < first);
            again.insert(place, (first, count));
        }
        Ok(())
    }

    /// What can be said only when all weights of a label were read.
    fn end_label(&mut self) -> Result<(), WeightsError> {
        let Some(Label { text, line, .. }) = self.label.take() else { return Ok(()) };
        let is_nothing = match self.table {
            "picks" => self.weights.arms(&text).iter().all(|(_, count)| *count == 0.0),
            _ => self.counts(&text).is_empty(),
        };
        let again = match self.table {
            "numbers" => super::find(&self.weights.again, &text).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        for again in again_in(if again.is_empty() { &[] } else { self.counts(&text) }, &again) {
            let sum: f64 = again.numbers.iter().map(|(_, count)| count).sum();
            if sum > again.of {
                let (first, last) = ends_of(range_of(again.first));
                let reason = format!("{first}-{last} was counted {} times, and its numbers {sum} times", again.of);
                return Err(WeightsError::Text { line, reason });
            }
        }
        if is_nothing {
            let reason = format!("{text:?} has no weight above 0: give it one, or leave it out");
            return Err(WeightsError::Text { line, reason });
        }
        Ok(())
    }

    fn counts(&mut self, label: &str) -> &mut Vec<f64> {
        let table = if self.table == "numbers" { &mut self.weights.numbers } else { &mut self.weights.lengths };
        super::entry(table, label)
    }
}

/// How it was written when fewer numbers were counted one by one: the counts of 0, 1, …, 7, 8–15,
/// 16–31, …
fn read_list(reader: &mut Reader<'_>, counts: &mut Vec<f64>) -> Result<(), String> {
    const SINGLE_THEN: u64 = 8;
    let most = SINGLE_THEN as usize + u64::BITS as usize - SINGLE_THEN.trailing_zeros() as usize;
    let mut range = 0;
    while !reader.take("]") {
        let count = reader.number("weight")?;
        if range == most {
            return Err(format!("there are only {most} ranges of numbers"));
        }
        add(counts, ends_where(SINGLE_THEN, range), count)?;
        range += 1;
        if !reader.take(",") {
            reader.expect("]")?;
            break;
        }
    }
    Ok(())
}

/// Adds what was counted in a range: to each of its numbers, where these are counted one by one.
fn add(counts: &mut Vec<f64>, (first, last): (u64, u64), count: f64) -> Result<(), String> {
    let (from, to) = (range_of(first), range_of(last));
    if first == last && last >= SINGLE {
        let (from, to) = ends_of(to);
        return Err(format!("{first} is not counted by itself: it is one of {from}-{to}"));
    }
    if first > last || last >= SINGLE && ends_of(to) != (first, last) {
        let (likely, most) = ends_of(to.max(SINGLE as usize));
        return Err(format!("{first}-{last} is no range that is counted: one of them is {likely}-{most}"));
    }
    // What was not counted takes no room.
    if count > 0.0 {
        counts.resize(counts.len().max(to + 1), 0.0);
        for counted in &mut counts[from..=to] {
            *counted += count / (to - from + 1) as f64;
        }
    }
    Ok(())
}

/// What stands in a line of weights.
impl<'t> Reader<'t> {
    fn is_at_end(&self) -> bool {
        matches!(self.peek(), None | Some('#'))
    }

    fn end(&mut self) -> Result<(), String> {
        self.skip_blanks();
        if self.is_at_end() { Ok(()) } else { Err(format!("the line should end before `{}`", self.rest())) }
    }

    fn take(&mut self, wanted: &str) -> bool {
        self.skip_blanks();
        let is_there = self.eat(wanted);
        self.skip_blanks();
        is_there
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("`{wanted}` is missing {}", self.place())) }
    }

    /// Where something is missing.
    fn place(&self) -> String {
        if self.is_at_end() { "at the end of the line".to_owned() } else { format!("before `{}`", self.rest()) }
    }

    /// What stands where a value should be.
    fn value(&mut self) -> &'t str {
        self.skip_blanks();
        let rest = self.rest();
        let end = match self.peek() {
            Some(quote @ ('"' | '\'')) => rest[1..].find(quote).map(|end| end + 2),
            _ => rest.find([',', '}', ']', ' ', '\t', '#']),
        };
        &rest[..end.unwrap_or(rest.len())]
    }

    /// A weight, or what is called otherwise.
    fn number(&mut self, what: &str) -> Result<f64, String> {
        let value = self.value();
        if value.is_empty() {
            return Err(format!("a {what} is missing {}", self.place()));
        }
        // `1_000` is a number of TOML.
        match value.replace('_', "").parse::<f64>() {
            Ok(number) if number.is_nan() => Err(format!("a {what} is a number, not NaN")),
            Ok(number) if number < 0.0 => Err(format!("the {what} {value} is negative: a {what} is 0 or more")),
            Ok(number) if number > LARGEST => {
                Err(format!("the {what} {value} is too large: the largest is {LARGEST:e}"))
            }
            Ok(number) => {
                self.eat(value);
                Ok(number)
            }
            Err(_) => Err(format!("`{value}` is no number: a {what} is 0 or more")),
        }
    }

    /// A name, in quotes of either kind or, if it is made of letters, digits, `_` and `-` alone,
    /// without. After that one of these comes.
    fn name(&mut self, next: &[char]) -> Result<String, String> {
        self.skip_blanks();
        let start = self.at;
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            return self.string(quote).map_err(|fault| match fault.at == start {
                true => "a name begins with a quote and does not end with one".to_owned(),
                false => fault.reason,
            });
        }
        let name = self.word();
        if name.is_empty() {
            return Err(format!("a name is missing {}", self.place()));
        }
        let rest = self.rest();
        if !rest.is_empty() && !rest.starts_with([' ', '\t', '#']) && !rest.starts_with(next) {
            return Err(format!(
                "a name with other signs than letters, digits, `_` and `-` is in quotes: `{name}{rest}`"
            ));
        }
        Ok(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Weights {
        let mut weights = Weights::default().smoothed(0.5);
        weights.count_arm("my::coin", "heads", 3.0);
        weights.count_arm("my::coin", "tails \"\\\u{7}", 0.25);
        weights.count_arm("my::coin, depth 1", "heads", 1e15);
        weights.count_number("my::coin/heads.0", 5);
        weights.count_number("my::coin/heads.0", 1 << 30);
        weights.count_again("my::coin/heads.0", 1 << 30);
        weights.count_length("top.0", 700);
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        let text = example().to_string();
        assert_eq!(text.parse::<Weights>().unwrap(), example());
        assert_eq!(
            text.lines().take(8).collect::<Vec<_>>()[..6],
            [
                "# How often each choice was made; see retrospect::source::Weights.",
                "smoothing = 0.5",
                "inverted = false",
                "",
                "[picks]",
                "\"my::coin\" = { \"heads\" = 3, \"tails \\\"\\\\\\u0007\" = 0.25 }",
            ]
        );
        assert_eq!(text.lines().last(), Some("\"top.0\" = { 512-1023 = 1 }"));
        assert_eq!("".parse::<Weights>().unwrap(), Weights::default());
    }

    #[test]
    fn names_may_be_written_as_in_other_files_of_toml() {
        let read = |text: &str| text.parse::<Weights>().unwrap();
        let quoted = read("[picks]\n\"bool\" = { \"true\" = 1000, \"fal\\\\se\" = 1 }");
        assert_eq!(read("[picks]\nbool = { true = 1_000, 'fal\\se' = 1 }"), quoted);
        assert_eq!(read("[ \"picks\" ] # All.\nbool = { true = 1_000, 'fal\\se' = 1 }"), quoted);
        assert_eq!(read("[picks.'bool']\n\"true\" = 1_000\n\n'fal\\se' = 1 # Rarely."), quoted);
        let numbers = read("[picks]\n\"a\" = { b = 1 }\n[numbers]\n\"c.0\" = { 3 = 1, 64-127 = 2 }");
        assert_eq!(read("[numbers.\"c.0\"]\n3 = 1\n64-127 = 2\n[picks.a]\nb = 1"), numbers);
    }

    #[test]
    fn what_was_written_in_ranges_that_were_wider_is_read() {
        let read = |text: &str| text.parse::<Weights>().unwrap().to_string().lines().last().unwrap().to_owned();
        assert_eq!(read("[numbers]\n\"a\" = [0, 3.0, 0, 0, 0, 0, 0, 1]"), "\"a\" = { 1 = 3, 7 = 1 }");
        let eight: Vec<String> = (8..16).map(|number| format!("{number} = 0.5")).collect();
        assert_eq!(
            read("[numbers]\n\"a\" = [0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 5]"),
            format!("\"a\" = {{ {}, 64-127 = 5 }}", eight.join(", "))
        );
        let most = format!("[numbers]\n\"a\" = [{}7", "0, ".repeat(68));
        assert_eq!(read(&format!("{most}]")), format!("\"a\" = {{ {}-{} = 7 }}", 1u64 << 63, u64::MAX));
        let error = format!("{most}, 1]").parse::<Weights>().unwrap_err();
        assert_eq!(error.to_string(), "line 2: there are only 69 ranges of numbers");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, reason) in [
            ("[picks]\n\"a\" = { \"b\" = -2 }", "line 2: the weight -2 is negative: a weight is 0 or more"),
            ("[picks]\n\"a\" = { \"b\" = nan }", "line 2: a weight is a number, not NaN"),
            ("[numbers]\n\"a\" = [1, inf]", "line 2: the weight inf is too large: the largest is 1e15"),
            ("[picks]\n\"a\" = { \"b\" = 1e16 }", "line 2: the weight 1e16 is too large: the largest is 1e15"),
            ("smoothing = 1e155", "line 1: the smoothing 1e155 is too large: the largest is 1e15"),
            ("[numbers]\n\"a\" = [1, x]", "line 2: `x` is no number: a weight is 0 or more"),
            ("[arms]", "line 1: the table `arms` is none of `picks`, `numbers` and `lengths`"),
            ("smooth = 1", "line 1: `smooth` is neither `smoothing` nor `inverted`, nor in a table"),
            ("inverted = 1", "line 1: `inverted` is true or false, not `1`"),
            ("[picks]\n\"a\" = { \"b\" = 1, \"b\" = 2 }", "line 2: the arm \"b\" is there twice"),
            ("[numbers]\n\"a\" = [1]\n\"a\" = [1]", "line 3: \"a\" is there twice"),
            ("[picks]\n\"a = {}", "line 2: a name begins with a quote and does not end with one"),
            ("[picks]\n= {}", "line 2: a name is missing before `= {}`"),
            (
                "[picks]\na::b = {}",
                "line 2: a name with other signs than letters, digits, `_` and `-` is in quotes: `a::b = {}`",
            ),
            ("[picks]\n'a = {}", "line 2: a name begins with a quote and does not end with one"),
            ("[picks]\n\"a\" = { \"b\" 1 }", "line 2: `=` is missing before `1 }`"),
            ("[lengths]\n\"a\" = [1] 2", "line 2: the line should end before `2`"),
            ("[lengths]\n\"a\" = 1", "line 2: `{` is missing before `1`"),
            ("[numbers]\n\"a\" = { x = 1 }", "line 2: `x` is neither a number nor a range such as `64-127`"),
            ("[numbers]\n\"a\" = { 1-3 = 1, 2 = 1 }", "line 2: some of 2 is there twice"),
            ("[numbers]\n\"a\" = { 70-127 = 1 }", "line 2: 70-127 is no range that is counted: one of them is 64-127"),
            (
                "[numbers]\n\"a\" = { 16777216-33554431 = 3, 16777300 = 4 }",
                "line 2: 16777216-33554431 was counted 3 times, and its numbers 4 times",
            ),
            ("[numbers]\n\"a\" = { 16777300 = 4, 16777300 = 4 }", "line 2: some of 16777300 is there twice"),
            ("[numbers]\n\"a\" = { 9-3 = 1 }", "line 2: 9-3 is no range that is counted: one of them is 64-127"),
            ("smoothing = -1", "line 1: the smoothing -1 is negative: a smoothing is 0 or more"),
            ("smoothing =", "line 1: a smoothing is missing at the end of the line"),
            ("smoothing = 1\nsmoothing = 2", "line 2: `smoothing` is there twice"),
            ("inverted = true\ninverted = true", "line 2: `inverted` is there twice"),
            (
                "picks.\"a\" = { b = 1 }",
                "line 1: `picks` is a table: write `[picks]` in a line, and what is in it in those below",
            ),
            ("[picks]\n[numbers]\n[picks]", "line 3: the table `picks` is there twice"),
            ("[[picks]]", "line 1: `[[picks]]` begins a list of tables: a table here is `[picks]`"),
            ("[]", "line 1: a name is missing before `]`"),
            ("[\"arms\"]", "line 1: the table `arms` is none of `picks`, `numbers` and `lengths`"),
            ("[picks.\"a\"]\nb = 1\nb = 2", "line 3: the arm \"b\" is there twice"),
            ("[picks.\"a\"]\nb = 0\n[numbers]", "line 1: \"a\" has no weight above 0: give it one, or leave it out"),
            ("[picks.\"a\"]\nb = 1\n[picks]\n\"a\" = { b = 1 }", "line 4: \"a\" is there twice"),
            ("[picks]\n\"a\"", "line 2: `=` is missing at the end of the line"),
            ("[picks]\n\"a\" # = {}", "line 2: `=` is missing at the end of the line"),
            ("[picks]\n\"a\" = { \"b\" = \"1\" }", "line 2: `\"1\"` is no number: a weight is 0 or more"),
            ("[picks]\n\"a\" = { \"b\" = }", "line 2: a weight is missing before `}`"),
            ("[picks]\n\"a\" = {}", "line 2: \"a\" has no weight above 0: give it one, or leave it out"),
            (
                "[picks]\n\"a\" = { \"b\" = 0, \"c\" = 0.0 }",
                "line 2: \"a\" has no weight above 0: give it one, or leave it out",
            ),
            ("[numbers]\n\"a\" = { 3 = 0 }", "line 2: \"a\" has no weight above 0: give it one, or leave it out"),
            (
                "[picks]\n\"a, depth 8\" = { \"b\" = 1 }",
                "line 2: \"a, depth 8\" is too deep: from 7 on all depths are counted as 7",
            ),
            (
                "[numbers]\n\"a.0, depth 1\" = { 3 = 1 }",
                "line 2: \"a.0, depth 1\" has a depth: numbers are counted at all depths together",
            ),
            ("[numbers]\n\"a\" = { 77777 = 1 }", "line 2: 77777 is not counted by itself: it is one of 65536-131071"),
        ] {
            assert_eq!(text.parse::<Weights>().unwrap_err().to_string(), reason, "{text}");
        }
    }

    #[test]
    fn no_text_breaks_the_reader() {
        let valid = example().to_string();
        for end in 0..=valid.len() {
            let _ = valid[..end].parse::<Weights>();
        }
        let mut rng = crate::source::Rng::new(3);
        let alphabet: Vec<char> = "\"\\{}[],=#.-_ u0ab1\n\té".chars().collect();
        for _ in 0..5_000 {
            let mut edited: Vec<char> = valid.chars().collect();
            let at = rng.at_most(edited.len() as u64 - 1) as usize;
            edited[at] = alphabet[rng.at_most(alphabet.len() as u64 - 1) as usize];
            let text: String = edited.into_iter().collect();
            if let Ok(read) = text.parse::<Weights>() {
                assert_eq!(read.to_string().parse::<Weights>(), Ok(read));
            }
            let drawn: String = (0..40).map(|_| alphabet[rng.at_most(alphabet.len() as u64 - 1) as usize]).collect();
            let _ = format!("[picks]\n{drawn}").parse::<Weights>();
        }
        let _ = "[".repeat(100_000).parse::<Weights>();
        let _ = format!("[numbers]\n\"a\" = [{}", "1, ".repeat(1_000_000)).parse::<Weights>();
    }
}
