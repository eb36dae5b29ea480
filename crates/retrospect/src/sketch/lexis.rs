//! Where words, strings and characters end. Pure functions from bytes and an offset to an offset.

use super::error::{Fault, Problem};

/// Where the word that begins at `start` ends. The word is empty if no word can begin there.
///
/// A word is nearly anything without white space, brackets, commas and quotes: Debug prints
/// numbers, addresses, durations and type names bare. It ends before `..`, which makes a range, and
/// before the colon that follows a key.
pub(super) fn word_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    loop {
        // A sentinel of class `Stop` for the end of the text.
        let byte = bytes.get(at).copied().unwrap_or(b' ');
        match CLASSES[byte as usize] {
            Class::Plain => at += 1,
            Class::Stop => return Ok(at),
            Class::Colon => {
                let after = skip_while(bytes, at, b':');
                // Two colons belong to the word, as in `::1`, `fe80::` and `Tree::Leaf`; a third or
                // a lone one before the end of the word separates a key from its value.
                if ends_word(bytes, after) {
                    return Ok(after - (after - at) % 2);
                }
                at = after;
            }
            Class::Dot => {
                if bytes.get(at + 1) == Some(&b'.') {
                    return Ok(at);
                }
                at += 1;
            }
            Class::Angle => at = generics_end(bytes, at)?,
            Class::Wide => {
                let (character, width) = decode(bytes, at);
                if is_space(character) {
                    return Ok(at);
                }
                at += width;
            }
        }
    }
}

/// Where a word that takes up `start..end` really ends, if it begins with a number: `1h 30m ago` is
/// one word, and so is `1970-01-01T00:00:00+00:00[UTC]`.
pub(super) fn number_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let is_number = |at: usize| {
        let at = if matches!(bytes.get(at), Some(b'-' | b'+')) { at + 1 } else { at };
        bytes.get(at).is_some_and(u8::is_ascii_digit)
    };
    if !is_number(start) {
        return end;
    }
    if bytes.get(end) == Some(&b'[') {
        let is_zone = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_' | b'/' | b':');
        let length = bytes[end + 1..].iter().take_while(|byte| is_zone(byte)).count();
        let close = end + 1 + length;
        return if length > 0 && bytes.get(close) == Some(&b']') { close + 1 } else { end };
    }
    // Only what has a unit goes on: two bare numbers are two words.
    let has_unit = |end: usize| end > 0 && !bytes[end - 1].is_ascii_digit();
    let mut end = end;
    while has_unit(end) && bytes.get(end) == Some(&b' ') {
        let next = end + 1;
        let after = word_end(bytes, next).unwrap_or(next);
        let goes_on =
            bytes[next..after] == *b"ago" || (bytes[next..].first().is_some_and(u8::is_ascii_digit) && has_unit(after));
        if !goes_on {
            break;
        }
        end = after;
    }
    end
}

/// Skips white space.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c) {
            at += 1;
        } else if byte < 0x80 {
            break;
        } else {
            let (character, width) = decode(bytes, at);
            if !is_space(character) {
                break;
            }
            at += width;
        }
    }
    at
}

/// Whether a lone colon stands here, so that a key ends. Words know their own end; this is for
/// ranges without an end.
pub(super) fn separates_key(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b':') && ends_word(bytes, at + 1)
}

/// The end of `[::1]:8080` if that is what begins at the bracket, rather than a list.
pub(super) fn socket_address_end(bytes: &[u8], bracket: usize) -> Option<usize> {
    // The longest address has 39 digits and colons, an embedded IPv4 address a few more, and a
    // scope of ten digits.
    const LONGEST: usize = 64;
    let inside = &bytes[bracket + 1..bytes.len().min(bracket + 1 + LONGEST)];
    let length =
        inside.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b':' | b'.' | b'%'))?;
    let is_address = inside[..length].iter().filter(|&&byte| byte == b':').count() >= 2;
    let after = bracket + 1 + length;
    if !is_address || !bytes[after..].starts_with(b"]:") {
        return None;
    }
    let port = after + 2;
    let digits = bytes[port..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = port + digits;
    (digits > 0 && (ends_word(bytes, end) || separates_key(bytes, end))).then_some(end)
}

/// How a string literal begins: `"`, `b"`, `c"`, `r"`, `br##"`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringOpening {
    /// Where the first byte of the content is.
    pub(super) content: usize,
    /// The number of `#` of a raw string, in which a backslash is a backslash.
    pub(super) raw: Option<usize>,
}

/// Recognises the opening of a string literal.
pub(super) fn string_opening(bytes: &[u8], start: usize) -> Option<StringOpening> {
    let mut at = start;
    if matches!(bytes.get(at), Some(b'b' | b'c')) {
        at += 1;
    }
    let raw = bytes.get(at) == Some(&b'r');
    let quote = if raw { skip_while(bytes, at + 1, b'#') } else { at };
    (bytes.get(quote) == Some(&b'"')).then(|| StringOpening { content: quote + 1, raw: raw.then(|| quote - at - 1) })
}

/// Where the content of a string ends and where the whole literal does; checks every escape.
pub(super) fn string_end(bytes: &[u8], start: usize, opening: StringOpening) -> Result<(usize, usize), Fault> {
    let mut at = opening.content;
    loop {
        match bytes.get(at) {
            None => return Err(Fault::new(Problem::EndlessString, start)),
            Some(b'"') => match opening.raw {
                None => return Ok((at, at + 1)),
                Some(hashes) => {
                    let after = skip_while(&bytes[..bytes.len().min(at + 1 + hashes)], at + 1, b'#');
                    if after == at + 1 + hashes {
                        return Ok((at, after));
                    }
                    at = after;
                }
            },
            Some(b'\\') if opening.raw.is_none() => at = escape(bytes, at, start)?.1,
            Some(_) => at += 1,
        }
    }
}

/// What an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escaped {
    Char(char),
    /// `\xff` stands for a byte, which need not be a character.
    Byte(u8),
    /// A backslash at the end of a line joins it with the next.
    Nothing,
}

/// Reads the escape at the backslash `at`, inside the literal that begins at `start`; gives it with
/// the offset after it.
pub(super) fn escape(bytes: &[u8], at: usize, start: usize) -> Result<(Escaped, usize), Fault> {
    let simple = |character| Ok((Escaped::Char(character), at + 2));
    match bytes.get(at + 1) {
        None => Err(Fault::new(Problem::EndlessString, start)),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'0') => simple('\0'),
        Some(&byte @ (b'\\' | b'"' | b'\'')) => simple(byte as char),
        // Those of JSON, which is pasted too.
        Some(b'/') => simple('/'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'\n') => Ok((Escaped::Nothing, skip_space(bytes, at + 2))),
        Some(b'\r') if bytes.get(at + 2) == Some(&b'\n') => Ok((Escaped::Nothing, skip_space(bytes, at + 3))),
        Some(b'x') => {
            let digit = |at: usize| bytes.get(at).and_then(|&byte| (byte as char).to_digit(16));
            let (Some(high), Some(low)) = (digit(at + 2), digit(at + 3)) else {
                return Err(Fault::new(Problem::ByteEscape, at));
            };
            Ok((Escaped::Byte((high * 16 + low) as u8), at + 4))
        }
        Some(b'u') => {
            let found = unicode_escape(bytes, at + 2).or_else(|| json_escape(bytes, at + 2));
            let (character, after) = found.ok_or(Fault::new(Problem::UnicodeEscape, at))?;
            Ok((Escaped::Char(character), after))
        }
        Some(_) => Err(Fault::new(Problem::UnknownEscape(decode(bytes, at + 1).0), at)),
    }
}

/// Reads the character at `at`, which must be the start of one.
pub(super) fn decode(bytes: &[u8], at: usize) -> (char, usize) {
    // The bytes come from a `str`, so at most the last character of this slice is cut off, never
    // the first.
    let slice = &bytes[at..bytes.len().min(at + 4)];
    let valid = match std::str::from_utf8(slice) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&slice[..error.valid_up_to()]).unwrap_or_default(),
    };
    let character = valid.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    (character, character.len_utf8())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Stop,
    Colon,
    Dot,
    Angle,
    Wide,
}

/// One look-up for each byte: this loop is where reading spends its time.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..=b' ' | 0x7f => Class::Stop,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'"' | b'\'' | b'\\' | b';' | b'`' => Class::Stop,
            b':' => Class::Colon,
            b'.' => Class::Dot,
            b'<' => Class::Angle,
            0x80.. => Class::Wide,
            _ => Class::Plain,
        };
        byte += 1;
    }
    classes
};

/// White space, and the byte order mark with which some editors begin a file.
fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whether a word that has come this far cannot go on.
fn ends_word(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => true,
        Some(&byte) => match CLASSES[byte as usize] {
            Class::Stop => true,
            Class::Dot => bytes.get(at + 1) == Some(&b'.'),
            Class::Wide => is_space(decode(bytes, at).0),
            Class::Plain | Class::Colon | Class::Angle => false,
        },
    }
}

/// Where the `>` that closes the `<` at `angle` ends. What is between is the name of a type:
/// `PhantomData<fn(u8) -> u8>`.
fn generics_end(bytes: &[u8], angle: usize) -> Result<usize, Fault> {
    let mut depth = 0usize;
    for (offset, &byte) in bytes[angle..].iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if bytes[angle + offset - 1] != b'-' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(angle + offset + 1);
                }
            }
            _ => {}
        }
    }
    Err(Fault::new(Problem::EndlessGenerics, angle))
}

/// Reads `{1f44d}` from its opening brace.
fn unicode_escape(bytes: &[u8], brace: usize) -> Option<(char, usize)> {
    if bytes.get(brace) != Some(&b'{') {
        return None;
    }
    let mut code = 0u32;
    let mut digits = 0;
    for (offset, &byte) in bytes[brace + 1..].iter().enumerate() {
        match byte {
            b'}' if digits > 0 => return Some((char::from_u32(code)?, brace + offset + 2)),
            b'_' if digits > 0 => {}
            _ => {
                digits += 1;
                code = code * 16 + (byte as char).to_digit(16).filter(|_| digits <= 6)?;
            }
        }
    }
    None
}

/// Reads `00fc` from its first digit, or `d83d\ude00`: in JSON a character has four digits, or
/// twice as many in two halves.
fn json_escape(bytes: &[u8], first: usize) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = std::str::from_utf8(bytes.get(at..at + 4)?).ok()?;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
    };
    let high = unit(first)?;
    if let Some(character) = char::from_u32(high) {
        return Some((character, first + 4));
    }
    let low = unit(first + 6).filter(|low| bytes[first + 4..].starts_with(b"\\u") && (0xDC00..0xE000).contains(low))?;
    let code = 0x10000 + (high.checked_sub(0xD800)? << 10) + (low - 0xDC00);
    Some((char::from_u32(code)?, first + 10))
}

fn skip_while(bytes: &[u8], start: usize, wanted: u8) -> usize {
    start + bytes[start.min(bytes.len())..].iter().take_while(|&&byte| byte == wanted).count()
}
