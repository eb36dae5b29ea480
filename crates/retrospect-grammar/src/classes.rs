//! Classes of characters: `[a-z_]`, `[^"\\]`.

use crate::error::Fault;
use crate::tokens::{Cursor, TokenKind};
use crate::{Class, LONGEST_CLASS};

/// Reads a class whose bracket, at `start`, has been read.
pub(crate) fn read<'t>(cursor: &mut Cursor<'t>, start: usize) -> Result<TokenKind<'t>, Fault> {
    let inside = cursor.offset;
    let is_negated = cursor.peek() == Some('^');
    if is_negated {
        cursor.next();
    }
    let mut ranges: Vec<(char, char)> = Vec::new();
    loop {
        let at = cursor.offset;
        if cursor.peek() == Some(']') {
            let written = &cursor.text[inside..at];
            cursor.next();
            check_whole(cursor, start, &ranges, is_negated)?;
            return Ok(TokenKind::Class(Class { ranges, is_negated }, written));
        }
        let range = read_range(cursor, start, ranges.is_empty())?;
        for other in &ranges {
            if range.0 <= other.1 && other.0 <= range.1 {
                let twice = range.0.max(other.0);
                let way_out = "leave one of them out; for a part that may be missing, write `[ part ]` with a space after the bracket, or `part?`";
                return Err(cursor.fault(at, format!("{twice:?} is in this class already"), way_out));
            }
        }
        if ranges.len() == LONGEST_CLASS {
            let way_out = "write ranges, or several classes as alternatives";
            return Err(cursor.fault(
                at,
                format!("a class of more than {LONGEST_CLASS} characters and ranges"),
                way_out,
            ));
        }
        ranges.push(range);
    }
}

/// One character, or a range of them.
fn read_range(cursor: &mut Cursor<'_>, start: usize, is_first: bool) -> Result<(char, char), Fault> {
    let at = cursor.offset;
    let is_plain_hyphen = cursor.peek() == Some('-');
    let first = read_character(cursor, start)?;
    let rest = &cursor.text[cursor.offset..];
    let is_range = rest.starts_with('-') && !rest.starts_with("-]");
    if is_plain_hyphen && (is_range || !is_first && !rest.starts_with(']')) {
        let way_out = "write `\\-` for a hyphen, or put it first or last";
        return Err(cursor.fault(at, "this `-` could be a hyphen or part of a range", way_out));
    }
    if !is_range {
        return Ok((first, first));
    }
    cursor.next();
    let last = read_character(cursor, start)?;
    if last < first {
        let way_out = format!("write the smaller end first: {last:?} comes before {first:?}");
        return Err(cursor.fault(at, format!("the range {first:?} to {last:?} is reversed"), way_out));
    }
    Ok((first, last))
}

fn read_character(cursor: &mut Cursor<'_>, start: usize) -> Result<char, Fault> {
    match cursor.peek() {
        None | Some('\n' | '\r') => {
            let way_out = "close it with `]`, and write `\\]` for a bracket inside; for a part that may be missing, write `[ part ]` with a space after the bracket";
            Err(cursor.fault(start, "this class is never closed", way_out))
        }
        Some('\\') => cursor.escape("[]^- "),
        Some(character) => {
            cursor.next();
            Ok(character)
        }
    }
}

fn check_whole(cursor: &Cursor<'_>, start: usize, ranges: &[(char, char)], is_negated: bool) -> Result<(), Fault> {
    if ranges.is_empty() {
        let (message, way_out) = match is_negated {
            true => ("this class excludes nothing", "write `.` for any character, and `[\\^]` for the sign"),
            false => ("this class is empty", "write `\"\"` for the empty text, and `[\\]]` for a closing bracket"),
        };
        return Err(cursor.fault(start, message, way_out));
    }
    // Ranges do not overlap, so they are all characters if they are as many.
    let mut excluded = 0;
    for (first, last) in ranges {
        excluded += characters_up_to(*last) - characters_up_to(*first) + 1;
    }
    if is_negated && excluded == characters_up_to(char::MAX) {
        let way_out = "leave at least one character out of it";
        return Err(cursor.fault(start, "this class excludes every character", way_out));
    }
    Ok(())
}

/// How many characters there are up to this one. The numbers from d800 to dfff are none.
fn characters_up_to(character: char) -> u32 {
    let number = character as u32;
    if number < 0xd800 { number + 1 } else { number + 1 - 0x800 }
}
