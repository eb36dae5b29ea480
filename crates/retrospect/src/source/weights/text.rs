//! The file of weights: the part of TOML that it needs.

use super::origin::Origin;
use super::{LARGEST, SINGLE, WIDE, Weights, again_in, ends_of, ends_where, range_of};
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
        let mut weights = Weights { origin: Origin::text(), ..Weights::default() };
        let mut table = "";
        for (place, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            read_line(line, &mut table, &mut weights)
                .map_err(|reason| WeightsError::Text { line: place + 1, reason })?
                .into_iter()
                .for_each(|label| weights.origin.note(table, &label, place + 1));
        }
        Ok(weights)
    }
}

const TABLES: [&str; 3] = ["picks", "numbers", "lengths"];

/// The label that the line is for, if it is for any.
fn read_line(line: &str, table: &mut &'static str, weights: &mut Weights) -> Result<Option<String>, String> {
    let mut reader = Reader { rest: line };
    reader.skip_blanks();
    if reader.is_at_end() {
        return Ok(None);
    }
    if reader.eat('[') {
        let name = reader.word();
        let known = TABLES.iter().find(|known| **known == name);
        *table = known.ok_or_else(|| format!("the table `{name}` is none of `picks`, `numbers` and `lengths`"))?;
        reader.expect(']')?;
        return reader.end().map(|()| None);
    }
    if table.is_empty() {
        let name = reader.word().to_owned();
        reader.expect('=')?;
        match name.as_str() {
            "smoothing" => weights.smoothing = reader.number()?,
            "inverted" => {
                weights.is_inverted = match reader.word() {
                    "true" => true,
                    "false" => false,
                    other => return Err(format!("`inverted` is true or false, not `{other}`")),
                }
            }
            other => return Err(format!("`{other}` is neither `smoothing` nor `inverted`, nor in a table")),
        }
        return reader.end().map(|()| None);
    }
    let label = reader.text()?;
    reader.expect('=')?;
    if *table == "picks" {
        if super::find(&weights.picks, &label).is_some() {
            return Err(format!("{label:?} is there twice"));
        }
        super::entry(&mut weights.picks, &label);
        reader.expect('{')?;
        while !reader.eat('}') {
            let arm = reader.text()?;
            reader.expect('=')?;
            let count = reader.number()?;
            if weights.arms(&label).iter().any(|(other, _)| *other == arm) {
                return Err(format!("the arm {arm:?} is there twice"));
            }
            weights.count_arm(&label, &arm, count);
            if !reader.eat(',') {
                reader.expect('}')?;
                break;
            }
        }
        return reader.end().map(|()| Some(label));
    }
    let counts = if *table == "numbers" { &mut weights.numbers } else { &mut weights.lengths };
    if super::find(counts, &label).is_some() {
        return Err(format!("{label:?} is there twice"));
    }
    let (counts, mut again) = (super::entry(counts, &label), Vec::new());
    match reader.eat('[') {
        true => read_list(&mut reader, counts)?,
        false => read_counts(&mut reader, counts, (*table == "numbers").then_some(&mut again))?,
    }
    if !again.is_empty() {
        *super::entry(&mut weights.again, &label) = again;
    }
    reader.end().map(|()| Some(label))
}

/// Numbers and ranges with their counts: `{ 3 = 2, 64-127 = 1 }`; and which numbers of wide ranges came `again`.
fn read_counts(
    reader: &mut Reader<'_>,
    counts: &mut Vec<f64>,
    mut again: Option<&mut Vec<(u64, f64)>>,
) -> Result<(), String> {
    let mut read: Vec<(u64, u64)> = Vec::new();
    reader.expect('{')?;
    while !reader.eat('}') {
        let name = reader.word();
        let (first, last) = name.split_once('-').unwrap_or((name, name));
        let (Ok(first), Ok(last)) = (first.parse::<u64>(), last.parse::<u64>()) else {
            return Err(format!("`{name}` is neither a number nor a range such as `64-127`"));
        };
        reader.expect('=')?;
        if let (true, Some(again)) = (first == last && first >= WIDE, &mut again) {
            let count = reader.number()?;
            match again.binary_search_by_key(&first, |(other, _)| *other) {
                Ok(_) => return Err(format!("{first} is there twice")),
                Err(place) if count > 0.0 => again.insert(place, (first, count)),
                Err(_) => {}
            }
            if !reader.eat(',') {
                reader.expect('}')?;
                break;
            }
            continue;
        }
        if read.iter().any(|(from, to)| first <= *to && *from <= last) {
            return Err(format!("some of {name} is there twice"));
        }
        read.push((first, last));
        add(counts, (first, last), reader.number()?)?;
        if !reader.eat(',') {
            reader.expect('}')?;
            break;
        }
    }
    for again in again_in(counts, again.map_or(&[], |again| again.as_slice())) {
        let sum: f64 = again.numbers.iter().map(|(_, count)| count).sum();
        if sum > again.of {
            let (first, last) = ends_of(range_of(again.first));
            return Err(format!("{first}-{last} was counted {} times, and its numbers {sum} times", again.of));
        }
    }
    Ok(())
}

/// How it was written when fewer numbers were counted one by one: the counts of 0, 1, …, 7, 8–15, 16–31, …
fn read_list(reader: &mut Reader<'_>, counts: &mut Vec<f64>) -> Result<(), String> {
    const SINGLE_THEN: u64 = 8;
    let most = SINGLE_THEN as usize + u64::BITS as usize - SINGLE_THEN.trailing_zeros() as usize;
    let mut range = 0;
    while !reader.eat(']') {
        let count = reader.number()?;
        if range == most {
            return Err(format!("there are only {most} ranges of numbers"));
        }
        add(counts, ends_where(SINGLE_THEN, range), count)?;
        range += 1;
        if !reader.eat(',') {
            reader.expect(']')?;
            break;
        }
    }
    Ok(())
}

/// Adds what was counted in a range: to each of its numbers, where these are counted one by one.
fn add(counts: &mut Vec<f64>, (first, last): (u64, u64), count: f64) -> Result<(), String> {
    let (from, to) = (range_of(first), range_of(last));
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

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn is_at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('#')
    }

    fn end(&mut self) -> Result<(), String> {
        self.skip_blanks();
        if self.is_at_end() { Ok(()) } else { Err(format!("the line should end before `{}`", self.rest)) }
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                self.skip_blanks();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.eat(wanted) { Ok(()) } else { Err(format!("`{wanted}` is missing before `{}`", self.rest)) }
    }

    /// Letters, digits and what numbers are written with.
    fn word(&mut self) -> &'t str {
        self.skip_blanks();
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '+' | '.');
        let end = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A weight.
    fn number(&mut self) -> Result<f64, String> {
        let word = self.word();
        // `1_000` is a number of TOML.
        match word.replace('_', "").parse::<f64>() {
            Ok(number) if number.is_nan() => Err("a weight is a number, not NaN".to_owned()),
            Ok(number) if number < 0.0 => Err(format!("the weight {word} is negative: a weight is 0 or more")),
            Ok(number) if number > LARGEST => {
                Err(format!("the weight {word} is too large: the largest is {LARGEST:e}"))
            }
            Ok(number) => Ok(number),
            Err(_) => Err(format!("`{word}` is no number: a weight is 0 or more")),
        }
    }

    /// A name, in quotes of either kind or, if it is made of letters, digits, `_` and `-` alone, without.
    fn text(&mut self) -> Result<String, String> {
        if let Some(literal) = self.rest.strip_prefix('\'') {
            let (text, rest) =
                literal.split_once('\'').ok_or("a name begins with a quote and does not end with one")?;
            self.rest = rest;
            return Ok(text.to_owned());
        }
        let Some(rest) = self.rest.strip_prefix('"') else { return self.bare_name() };
        self.rest = rest;
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((at, 'u')) => {
                        let code = self.rest.get(at + 1..at + 5).and_then(|code| u32::from_str_radix(code, 16).ok());
                        text.push(code.and_then(char::from_u32).ok_or("`\\u` needs four hexadecimal digits")?);
                        characters.nth(3);
                    }
                    _ => return Err("a backslash stands before `\"`, `\\` or `u`".to_owned()),
                },
                character => text.push(character),
            }
        }
        Err("a name begins with a quote and does not end with one".to_owned())
    }

    fn bare_name(&mut self) -> Result<String, String> {
        let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
        let end = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(format!("a name is missing before `{rest}`"));
        }
        if !rest.starts_with([' ', '\t', '=']) {
            return Err(format!(
                "a name with other signs than letters, digits, `_` and `-` is in quotes: `{}`",
                self.rest
            ));
        }
        self.rest = rest;
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
            ("smoothing = 1e155", "line 1: the weight 1e155 is too large: the largest is 1e15"),
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
            ("[numbers]\n\"a\" = { 16777300 = 4, 16777300 = 4 }", "line 2: 16777300 is there twice"),
            ("[numbers]\n\"a\" = { 9-3 = 1 }", "line 2: 9-3 is no range that is counted: one of them is 64-127"),
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
