//! From text to names, quotes, classes, numbers and signs, each with its place.

use crate::classes;
use crate::error::Fault;
use crate::{Class, Place};

#[derive(Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind<'t>,
    /// Bytes.
    pub(crate) offset: usize,
    pub(crate) place: Place,
}

#[derive(Debug, PartialEq)]
pub(crate) enum TokenKind<'t> {
    Name(&'t str),
    Quoted(String),
    /// With what stands between its brackets.
    Class(Class, &'t str),
    Number(u32),
    /// `=`, `:=`, `::=` and `->`.
    Defines(&'t str),
    /// One of `| ; : , ? * + % . ( ) [ ] { }`. The `[` of a class is not among them.
    Sign(char),
    End,
}

impl TokenKind<'_> {
    /// As it stands in a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            TokenKind::Name(name) => format!("the name `{name}`"),
            TokenKind::Quoted(text) if text.chars().count() > 20 => "a quoted text".to_owned(),
            TokenKind::Quoted(text) => format!("the text {text:?}"),
            TokenKind::Class(..) => "a class of characters".to_owned(),
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::Defines(sign) => format!("`{sign}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }
}

/// All tokens of the text. The last is [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut cursor = Cursor { text, offset: 0, place: Place { line: 1, column: 1 } };
    if text.starts_with('\u{feff}') {
        cursor.offset = '\u{feff}'.len_utf8();
    }
    let mut tokens = Vec::new();
    loop {
        cursor.skip_blanks()?;
        let (offset, place) = (cursor.offset, cursor.place);
        let kind = cursor.token()?;
        let is_end = kind == TokenKind::End;
        tokens.push(Token { kind, offset, place });
        if is_end {
            return Ok(tokens);
        }
    }
}

/// A place in the text that moves on.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) offset: usize,
    place: Place,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.offset += character.len_utf8();
        if character == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(character)
    }

    /// Moves past a text of one line, if it comes next.
    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.offset += text.len();
            self.place.column += text.len() as u32;
        }
        is_next
    }

    pub(crate) fn fault(&self, offset: usize, message: impl Into<String>, way_out: impl Into<String>) -> Fault {
        Fault::at(self.text, offset, message, way_out)
    }

    /// White space and comments.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            let start = self.offset;
            if self.skip("(*") {
                while !self.skip("*)") {
                    if self.next().is_none() {
                        let way_out = "end it with `*)`, or write `#` for a comment up to the end of the line";
                        return Err(self.fault(start, "this comment never ends", way_out));
                    }
                }
            } else if self.skip("#") || self.skip("//") {
                while self.peek().is_some_and(|character| character != '\n') {
                    self.next();
                }
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.next();
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind<'t>, Fault> {
        let start = self.offset;
        let Some(character) = self.peek() else {
            return Ok(TokenKind::End);
        };
        for sign in ["::=", ":=", "->", "="] {
            if self.skip(sign) {
                return Ok(TokenKind::Defines(&self.text[start..self.offset]));
            }
        }
        if is_name_start(character) {
            return Ok(TokenKind::Name(self.name()));
        }
        match character {
            '"' | '\'' => self.quoted(character),
            '<' => self.name_in_brackets(),
            '0'..='9' => self.number(),
            '[' => {
                self.next();
                if self.peek().is_some_and(|next| !next.is_whitespace()) {
                    return classes::read(self, start);
                }
                Ok(TokenKind::Sign('['))
            }
            '|' | ';' | ':' | ',' | '?' | '*' | '+' | '%' | '.' | '(' | ')' | ']' | '{' | '}' => {
                self.next();
                Ok(TokenKind::Sign(character))
            }
            _ => {
                let is_number = character == '-' && self.rest()[1..].starts_with(|next: char| next.is_ascii_digit());
                if is_number {
                    let way_out = "weights and counts are whole numbers, and 0 is the smallest";
                    return Err(self.fault(start, "a number below 0", way_out));
                }
                Err(self.fault(start, format!("unexpected character {character:?}"), way_out_of(character)))
            }
        }
    }

    /// A name, with hyphens inside.
    fn name(&mut self) -> &'t str {
        let start = self.offset;
        while let Some(character) = self.peek() {
            let after = self.rest()[character.len_utf8()..].chars().next();
            let is_hyphen = character == '-' && after.is_some_and(is_name_part);
            if !is_name_part(character) && !is_hyphen {
                break;
            }
            self.next();
        }
        &self.text[start..self.offset]
    }

    /// `<name>`, where spaces may be part of the name.
    fn name_in_brackets(&mut self) -> Result<TokenKind<'t>, Fault> {
        let start = self.offset;
        self.next();
        while let Some(character) = self.next() {
            if character == '>' {
                let name = self.text[start + 1..self.offset - 1].trim();
                if name.starts_with(is_name_start) {
                    return Ok(TokenKind::Name(name));
                }
            }
            if !is_name_part(character) && !matches!(character, '-' | ' ') {
                break;
            }
        }
        let way_out =
            "write the name of a rule with or without brackets, as `digit` or `<digit>`; a sign is quoted: `\"<\"`";
        Err(self.fault(start, "expected a name and `>` after this `<`", way_out))
    }

    fn number(&mut self) -> Result<TokenKind<'t>, Fault> {
        let start = self.offset;
        while self.peek().is_some_and(|character| is_name_part(character) || character == '.') {
            self.next();
        }
        let written = &self.text[start..self.offset];
        if written.bytes().any(|byte| !byte.is_ascii_digit()) {
            let way_out = "weights and counts are whole numbers, the names of rules begin with a letter, and `.` alone is any character";
            return Err(self.fault(start, format!("`{}` is not a whole number", shortened(written)), way_out));
        }
        match written.parse() {
            Ok(number) if number <= crate::LARGEST_NUMBER => Ok(TokenKind::Number(number)),
            _ => {
                let way_out = format!("the largest weight and the largest count is {}", crate::LARGEST_NUMBER);
                Err(self.fault(start, format!("the number {} is too large", shortened(written)), way_out))
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<TokenKind<'t>, Fault> {
        let start = self.offset;
        self.next();
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n' | '\r') => {
                    let way_out = format!(
                        "close it with `{quote}`; inside, write `\\{quote}` for a quote, `\\\\` for a backslash and `\\n` for a new line"
                    );
                    return Err(self.fault(start, "this quote is never closed", way_out));
                }
                Some('\\') => text.push(self.escape("")?),
                Some(character) => {
                    self.next();
                    if character == quote {
                        return Ok(TokenKind::Quoted(text));
                    }
                    text.push(character);
                }
            }
        }
    }

    /// The character that `\…` stands for. `further` are those that may be written after a `\` as
    /// themselves.
    pub(crate) fn escape(&mut self, further: &str) -> Result<char, Fault> {
        let start = self.offset;
        self.next();
        let Some(character) = self.next() else {
            return Err(self.fault(start, "the text ends after this `\\`", "write `\\\\` for a backslash"));
        };
        match character {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            '0' => Ok('\0'),
            '\\' | '"' | '\'' => Ok(character),
            'x' => match self.hexadecimal(2) {
                Some((2, number)) if number < 0x80 => Ok(number as u8 as char),
                _ => {
                    let way_out = "write `\\x7f`, or `\\u{e9}` for what is not ASCII";
                    Err(self.fault(start, "expected two hexadecimal digits up to 7f after `\\x`", way_out))
                }
            },
            'u' => {
                let opened = self.skip("{");
                let character = self.hexadecimal(6).and_then(|(_, number)| char::from_u32(number));
                match character {
                    Some(character) if opened && self.skip("}") => Ok(character),
                    _ => {
                        let way_out = "write one to six hexadecimal digits in braces, as in `\\u{301}`; d800 to dfff and above 10ffff are no characters";
                        Err(self.fault(start, "expected the number of a character after `\\u`", way_out))
                    }
                }
            }
            _ if further.chars().any(|other| other == character) => Ok(character),
            _ => {
                let mut way_out = "the escapes are \\n \\r \\t \\0 \\\\ \\\" \\' \\x7f \\u{301}".to_owned();
                for character in further.trim_end().chars() {
                    way_out += &format!(" \\{character}");
                }
                if matches!(character, 'd' | 'w' | 's' | 'p' | 'D' | 'W' | 'S' | 'P') {
                    way_out += "; write out what is meant, as in `[0-9]`, `[A-Za-z0-9_]` and `[\\t ]`";
                }
                let message = match character.is_control() {
                    true => format!("unknown escape: `\\` and then {character:?}"),
                    false => format!("unknown escape `\\{character}`"),
                };
                Err(self.fault(start, message, way_out))
            }
        }
    }

    /// Up to so many hexadecimal digits: how many there are, and their value. Nothing if there are
    /// none.
    fn hexadecimal(&mut self, most: usize) -> Option<(usize, u32)> {
        let mut number = 0;
        let mut count = 0;
        while count < most {
            let Some(digit) = self.peek().and_then(|character| character.to_digit(16)) else {
                break;
            };
            self.next();
            number = number * 16 + digit;
            count += 1;
        }
        (count > 0).then_some((count, number))
    }
}

fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn shortened(written: &str) -> String {
    match written.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &written[..end]),
        None => written.to_owned(),
    }
}

/// What those mean who write a character that has no meaning here.
fn way_out_of(character: char) -> &'static str {
    match character {
        '/' => "alternatives are separated by `|`; a comment begins with `#` or `//`",
        '&' | '!' | '~' | '^' | '$' => {
            "there are no conditions on what follows: a grammar says how text is written; what is meant as text is quoted"
        }
        '-' => {
            "there are no exceptions: list what is left, as a class (`[^\"]`) or as alternatives; what is meant as text is quoted"
        }
        '@' => {
            "a label is written before an alternative, with a colon: `minus: \"-\"`; what is meant as text is quoted"
        }
        '\\' => "escapes are written inside of quotes and classes: `\"\\n\"`",
        '“' | '”' | '„' | '‘' | '’' | '`' | '«' | '»' => "quotes are `\"…\"` and `'…'`",
        '→' | '⟶' | '⇒' => "a rule is defined by `=`, `:=`, `::=` or `->`",
        'ε' | '∅' => "the empty text is written `\"\"`",
        _ => "what is meant as text is quoted: `\"…\"`",
    }
}
