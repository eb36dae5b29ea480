//! Reading TOML: the part of it that settings need and, sign by sign, what files of weights need.
//!
//! A parser of the whole language costs too much here. In a clean `cargo build -j1` (dev profile,
//! user CPU seconds, the mean of two runs) `toml` 1.1 without default features takes 2.0,
//! `toml_parser` 1.1 alone 1.0, and the library as a whole should take 5. This file, compiled
//! alone, takes 0.2. What it accepts means the same in all of TOML, but for numbers above
//! `i64::MAX`, which a seed can be, and names that are there twice, which are refused one step
//! later: apart from those, it accepted 84 847 of 3 million random texts, and `toml` 1.1 read each
//! of them alike.

/// A file as it is written, before anybody asks whether its names and values are known.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Document {
    pub(crate) tables: Vec<Table>,
    pub(crate) faults: Vec<Fault>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) scope: Scope,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Scope {
    Top,
    /// Its name, and where its head begins.
    Profile(String, usize),
    /// There is a fault at its head, so that nothing need be said about its entries.
    Unknown,
}

/// `name = value`, and where in the text both begin.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) name_at: usize,
    pub(crate) value: Value,
    pub(crate) value_at: usize,
}

/// Numbers and booleans are kept as text: what they must be is the setting's business.
#[derive(Debug, PartialEq)]
pub(crate) enum Value {
    One(String),
    List(Vec<String>),
}

/// Something that is not read here, and where in the text.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) reason: String,
}

pub(crate) fn parse(text: &str) -> Document {
    let mut reader = Reader::new(text);
    // Some editors begin a file with a mark of its encoding.
    reader.eat("\u{feff}");
    let mut document = Document::default();
    document.tables.push(Table { scope: Scope::Top, entries: Vec::new() });
    while reader.peek().is_some() {
        if let Err(fault) = reader.line(&mut document.tables) {
            document.faults.push(fault);
            reader.skip_line();
        }
    }
    document
}

/// The names and values of a file without tables, for files that are no settings; whether each is a
/// list.
pub(crate) fn read_entries(text: &str) -> Result<Vec<(String, Vec<String>, bool)>, String> {
    let document = parse(text);
    if let Some(fault) = document.faults.first() {
        let line = 1 + text[..fault.at].matches('\n').count();
        return Err(format!("line {line}: {}", fault.reason));
    }
    let mut entries = Vec::new();
    for table in document.tables {
        for entry in table.entries {
            entries.push(match entry.value {
                Value::One(text) => (entry.name, vec![text], false),
                Value::List(texts) => (entry.name, texts, true),
            });
        }
    }
    Ok(entries)
}

const SUPPORTED: &str = "a line is `[profile.<name>]`, `name = value` or a comment";
const VALUES: &str = "a value is a whole number, true, false, a \"text\" in quotes or a list of texts";

type Read<T> = Result<T, Fault>;

/// A text that is being read.
pub(crate) struct Reader<'t> {
    text: &'t str,
    /// Where what was not read yet begins.
    pub(crate) at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0 }
    }

    fn line(&mut self, tables: &mut Vec<Table>) -> Read<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some('\n' | '#') => {}
            Some('[') => {
                // What follows a head that is not read belongs to it, and to no table before.
                tables.push(Table { scope: Scope::Unknown, entries: Vec::new() });
                let scope = self.head()?;
                tables.last_mut().expect("one was just added").scope = scope;
            }
            Some(_) => {
                let entry = self.entry()?;
                tables.last_mut().expect("the first is there from the start").entries.push(entry);
            }
        }
        self.skip_blanks();
        match self.peek() {
            None | Some('\n' | '#') => self.comment(),
            Some(_) => self.fault("the line should end here"),
        }
    }

    /// `[profile.name]`
    fn head(&mut self) -> Read<Scope> {
        let start = self.at;
        self.eat("[");
        self.skip_blanks();
        let is_profile = self.word() == "profile";
        self.skip_blanks();
        let has_dot = self.eat(".");
        self.skip_blanks();
        let name = self.word();
        self.skip_blanks();
        if is_profile && has_dot && !name.is_empty() && self.eat("]") {
            return Ok(Scope::Profile(name.to_owned(), start));
        }
        Err(Fault { at: start, reason: format!("this is no table of settings: {SUPPORTED}") })
    }

    /// `name = value`
    fn entry(&mut self) -> Read<Entry> {
        let name_at = self.at;
        let name = self.word().to_owned();
        if name.is_empty() {
            return self.fault(&format!("this is no name of a setting: {SUPPORTED}"));
        }
        self.skip_blanks();
        if !self.eat("=") {
            return self.fault(&format!("expected `=` after the name of a setting: {SUPPORTED}"));
        }
        self.skip_blanks();
        let value_at = self.at;
        let value = if self.eat("[") { Value::List(self.list(value_at)?) } else { Value::One(self.one()?) };
        Ok(Entry { name, name_at, value, value_at })
    }

    /// The rest of a list, after its bracket.
    fn list(&mut self, start: usize) -> Read<Vec<String>> {
        let items = self.items(start);
        if items.is_err() {
            // It is not known where the list ends, and with it what the lines below mean.
            self.at = self.text.len();
        }
        items
    }

    /// Texts with commas between them. They may go over several lines, with comments.
    fn items(&mut self, start: usize) -> Read<Vec<String>> {
        let mut items = Vec::new();
        loop {
            self.skip_lines()?;
            match self.peek() {
                Some(']') => break,
                Some('"' | '\'') => items.push(self.one()?),
                Some(_) => return self.fault("a list holds texts in quotes, with commas between them"),
                None => {}
            }
            self.skip_lines()?;
            match self.peek() {
                Some(']') => break,
                Some(',') => self.eat(","),
                Some(_) => return self.fault("expected `,` or `]` after this item of the list"),
                None => {
                    return Err(Fault { at: start, reason: "this list is never closed: end it with `]`".to_owned() });
                }
            };
        }
        self.eat("]");
        Ok(items)
    }

    fn one(&mut self) -> Read<String> {
        match self.peek() {
            Some(quote @ ('"' | '\'')) => self.string(quote),
            _ => {
                let start = self.at;
                while !matches!(self.peek(), None | Some(' ' | '\t' | '\r' | '\n' | '#' | ',' | ']')) {
                    self.next();
                }
                let bare = &self.text[start..self.at];
                self.at = start;
                if bare == "true" || bare == "false" || is_integer(bare) {
                    self.at += bare.len();
                    return Ok(bare.to_owned());
                }
                self.fault(&format!("this is no value that is read here: {VALUES}"))
            }
        }
    }

    /// A text in quotes, with escapes if they are double ones.
    pub(crate) fn string(&mut self, quote: char) -> Read<String> {
        let start = self.at;
        if self.rest().starts_with("\"\"\"") || self.rest().starts_with("'''") {
            return self.fault("a text of several lines is not read here: use one quote on each side");
        }
        self.at += quote.len_utf8();
        let mut string = String::new();
        loop {
            let escape_at = self.at;
            match self.next() {
                Some(character) if character == quote => return Ok(string),
                Some('\\') if quote == '"' => match self.escape() {
                    Some(character) => string.push(character),
                    None => {
                        let reason = "this escape is none of \\b \\t \\n \\f \\r \\\" \\\\ \\u00e9 \\U000000e9; \
                                      write '…' for a text without escapes";
                        return Err(Fault { at: escape_at, reason: reason.to_owned() });
                    }
                },
                None | Some('\n' | '\r') => {
                    // The line's end is left for whoever skips the line.
                    self.at = escape_at;
                    return Err(Fault { at: start, reason: format!("this text is never closed: end it with {quote}") });
                }
                Some(character) if character.is_control() && character != '\t' => {
                    let reason = format!("a text cannot hold {character:?} as it is: write it as an escape in \"…\"");
                    return Err(Fault { at: escape_at, reason });
                }
                Some(character) => string.push(character),
            }
        }
    }

    /// What comes after a backslash.
    fn escape(&mut self) -> Option<char> {
        let n_digits = match self.peek()? {
            'b' => return self.next().map(|_| '\u{8}'),
            't' => return self.next().map(|_| '\t'),
            'n' => return self.next().map(|_| '\n'),
            'f' => return self.next().map(|_| '\u{c}'),
            'r' => return self.next().map(|_| '\r'),
            '"' | '\\' => return self.next(),
            'u' => 4,
            'U' => 8,
            _ => return None,
        };
        let digits = self.rest().get(1..=n_digits)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 1 + n_digits;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    }

    /// A name without quotes.
    pub(crate) fn word(&mut self) -> &'t str {
        let start = self.at;
        while let Some('a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-') = self.peek() {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Blanks, and the carriage return of a line that ends as on Windows.
    pub(crate) fn skip_blanks(&mut self) {
        while self.eat(" ") || self.eat("\t") || (self.rest().starts_with("\r\n") && self.eat("\r")) {}
    }

    /// Blanks, comments and the ends of lines.
    fn skip_lines(&mut self) -> Read<()> {
        self.skip_blanks();
        while let Some('\n' | '#') = self.peek() {
            self.comment()?;
            self.skip_blanks();
        }
        Ok(())
    }

    /// A comment, if there is one, and the end of its line. A carriage return alone ends no line; a
    /// file that is written so would be one comment.
    fn comment(&mut self) -> Read<()> {
        let rest = self.rest();
        let comment = match rest.split_once('\n') {
            Some((line, _)) => line.strip_suffix('\r').unwrap_or(line),
            None => rest,
        };
        if let Some(at) = comment.find(|character: char| character.is_control() && character != '\t') {
            self.at += at;
            return self
                .fault("a comment cannot hold this character: end lines with a newline, and remove what is not shown");
        }
        self.skip_line();
        Ok(())
    }

    /// To the beginning of the next line.
    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |newline| newline + 1);
    }

    fn fault<T>(&self, reason: &str) -> Read<T> {
        Err(Fault { at: self.at, reason: reason.to_owned() })
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(crate) fn eat(&mut self, expected: &str) -> bool {
        let is_there = self.rest().starts_with(expected);
        if is_there {
            self.at += expected.len();
        }
        is_there
    }
}

/// A whole number as TOML writes it: no zero in front, `_` only between two digits.
fn is_integer(text: &str) -> bool {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text.strip_prefix(['+', '-']).unwrap_or(text), 10),
    };
    let has_zero_in_front = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let are_digits = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_digit(radix));
    !has_zero_in_front && digits.split('_').all(are_digits)
}
