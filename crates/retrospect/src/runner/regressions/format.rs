//! The text of a file: finding its entries, and putting one in. No file is touched here.

use super::{Broken, SavedCase};
use std::collections::HashSet;
use std::ops::Range;

/// An entry and where it stands.
pub(super) struct Entry {
    /// From the line `case` to the end of its last line, in bytes.
    range: Range<usize>,
    /// Comments of the user inside the entry.
    remarks: Vec<String>,
    /// It is known to be cut off because the file ends there.
    must_stay_last: bool,
    pub(super) content: Result<SavedCase, Broken>,
}

/// The entries of a text, in order. Every case has an id of its own; those without one, or with
/// that of an earlier entry, are given one.
pub(super) fn entries_of(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut taken = HashSet::new();
    for lines in blocks_of(text) {
        let mut entry = read_entry(text, &lines);
        if let Ok(case) = &mut entry.content
            && !case.id.is_empty()
            && !taken.insert(case.id.clone())
        {
            case.id.clear();
        }
        entries.push(entry);
    }
    for entry in &mut entries {
        if let Ok(case) = &mut entry.content
            && case.id.is_empty()
        {
            case.id = case.free_id(&|id| taken.contains(id));
            taken.insert(case.id.clone());
        }
    }
    entries
}

/// The text with the case in it: in the place of the entry with that id or with the same values,
/// otherwise as the last.
pub(super) fn with_case(text: &str, property_path: &str, case: &SavedCase, replaces: Option<&str>) -> (String, String) {
    let entries = entries_of(text);
    let find = |is_wanted: &dyn Fn(&SavedCase) -> bool| {
        entries.iter().position(|entry| entry.content.as_ref().is_ok_and(is_wanted))
    };
    let replaced = replaces.and_then(|id| find(&|other| other.id == id));
    let same = find(&|other| other.values == case.values && (case.has_values() || other.choices == case.choices));
    let is_taken = |id: &str| {
        for (place, entry) in entries.iter().enumerate() {
            let is_outdated = same == Some(place) || replaced == Some(place);
            if !is_outdated && entry.content.as_ref().is_ok_and(|other| other.id == id) {
                return true;
            }
        }
        false
    };
    let mut case = case.clone();
    if !is_id(&case.id) || is_taken(&case.id) || case.is_edited() {
        case.id = case.free_id(&is_taken);
    }
    let mut remarks: Vec<&str> = Vec::new();
    for place in [replaced, same.filter(|_| same != replaced)] {
        for remark in place.map_or(&[][..], |place| &entries[place].remarks) {
            remarks.push(remark);
        }
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = write_entry(&case, &remarks).replace('\n', line_end);
    let Some(place) = same.or(replaced) else {
        return (inserted(text, entries.last(), property_path, &entry, line_end), case.id);
    };
    let mut changes = vec![(entries[place].range.clone(), entry.as_str())];
    if let Some(replaced) = replaced.filter(|&replaced| replaced != place) {
        // In the order in which they stand in the text.
        changes.insert(usize::from(replaced > place), (with_blank_line(text, &entries[replaced].range), ""));
    }
    let (mut result, mut end) = (String::new(), 0);
    for (range, replacement) in changes {
        result += &text[end..range.start];
        result += replacement;
        end = range.end;
    }
    result += &text[end..];
    (result, case.id)
}

/// The text without the case that has this id.
pub(super) fn without_case(text: &str, id: &str) -> String {
    let is_it = |entry: &&Entry| entry.content.as_ref().is_ok_and(|case| case.id == id);
    match entries_of(text).iter().find(is_it) {
        None => text.to_owned(),
        Some(entry) => {
            let range = with_blank_line(text, &entry.range);
            format!("{}{}", &text[..range.start], &text[range.end..])
        }
    }
}

/// The text with one entry more, after all others.
fn inserted(text: &str, last: Option<&Entry>, property_path: &str, entry: &str, line_end: &str) -> String {
    if let Some(last) = last.filter(|last| last.must_stay_last) {
        let (before, after) = text.split_at(last.range.start);
        return format!("{before}{entry}{line_end}{after}");
    }
    let mut result = text.to_owned();
    if result.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        let property_path = escape(property_path, &|_, _| false);
        let head = format!(
            "# Counterexamples of {property_path}, saved by retrospect. They run first on every run.\n\
             # Keep this file under version control. It may be edited: an entry is `case`, then `name = value` for each\n\
             # argument, indented. Comments stay, but for those directly under `case`.\n"
        );
        result.push_str(&head.replace('\n', line_end));
    }
    if !result.ends_with('\n') {
        result.push_str(line_end);
    }
    result + line_end + entry
}

pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The range and a blank line after it.
fn with_blank_line(text: &str, range: &Range<usize>) -> Range<usize> {
    let blank = text[range.end..].split_inclusive('\n').next().filter(|line| line.trim().is_empty());
    range.start..range.end + blank.map_or(0, str::len)
}

/// A line that is not blank.
struct Line<'a> {
    number: usize,
    range: Range<usize>,
    /// How many blanks it begins with.
    indent: usize,
    /// What is between the blanks at both ends.
    content: &'a str,
}

impl Line<'_> {
    fn is_comment(&self) -> bool {
        self.content.starts_with('#')
    }

    fn broken(&self, reason: &str) -> Broken {
        const LONGEST: usize = 80;
        let mut text = String::new();
        for character in self.content.chars().take(LONGEST) {
            text.push(if character.is_control() { ' ' } else { character });
        }
        if self.content.chars().nth(LONGEST).is_some() {
            text.push('…');
        }
        Broken { line: self.number, text, reason: reason.to_owned() }
    }
}

/// The lines of each entry. An entry begins at a line without indentation; comments outside of
/// entries are left out.
fn blocks_of(text: &str) -> Vec<Vec<Line<'_>>> {
    let mut blocks: Vec<Vec<Line<'_>>> = Vec::new();
    // Comments at the margin belong to the entry if more of it follows.
    let mut comments = Vec::new();
    let mut end = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let mut start = end;
        end += line.len();
        if index == 0 && line.starts_with(BYTE_ORDER_MARK) {
            start += BYTE_ORDER_MARK.len_utf8();
        }
        let line = &text[start..end];
        let indent = line[..line.len() - line.trim_start().len()].chars().count();
        let line = Line { number: index + 1, range: start..end, indent, content: line.trim() };
        if line.content.is_empty() {
            continue;
        }
        match blocks.last_mut() {
            Some(block) if line.indent > 0 => {
                block.append(&mut comments);
                block.push(line);
            }
            _ if line.is_comment() => comments.push(line),
            _ => {
                comments.clear();
                blocks.push(vec![line]);
            }
        }
    }
    blocks
}

fn read_entry(text: &str, lines: &[Line<'_>]) -> Entry {
    let range = lines[0].range.start..lines[lines.len() - 1].range.end;
    let mut remarks = Vec::new();
    let mut content = read_case(lines, &mut remarks);
    let mut must_stay_last = false;
    if let Ok(case) = &content
        && !case.id.is_empty()
        && text[range.end..].trim().is_empty()
    {
        let reason = if !text[..range.end].ends_with('\n') {
            Some("the file was cut off here: the line has no end; if the entry is whole, add a line break")
        } else if seems_cut(case) {
            Some(
                "the file was cut off here or edited: these are not the values that the id was made from; \
                 if the entry is whole, remove the id after `case`",
            )
        } else {
            None
        };
        if let Some(reason) = reason {
            content = Err(lines[lines.len() - 1].broken(reason));
            must_stay_last = true;
        }
    }
    if let Ok(case) = &mut content
        && !case.id.is_empty()
        && case.is_edited()
    {
        // They make the values of before, and would be tested in place of these.
        case.choices = None;
    }
    Entry { range, remarks, must_stay_last, content }
}

/// Whether a case may lack its last lines. Choices are the last line, so where they are, nothing is
/// missing.
fn seems_cut(case: &SavedCase) -> bool {
    case.choices.is_none() && case.is_edited()
}

fn read_case(lines: &[Line<'_>], remarks: &mut Vec<String>) -> Result<SavedCase, Broken> {
    let mut case = read_head(&lines[0])?;
    // The name, nothing for choices, and the text.
    let mut fields: Vec<(Option<String>, String)> = Vec::new();
    let mut field_indent = 0;
    for line in &lines[1..] {
        if line.is_comment() {
            if fields.is_empty() && line.indent > 0 {
                let note = &line.content[1..];
                case.notes.push(unescape(note.strip_prefix(' ').unwrap_or(note)));
            } else {
                remarks.push(line.content.to_owned());
            }
        } else if let Some((_, text)) = fields.last_mut().filter(|_| line.indent > field_indent) {
            text.push('\n');
            text.push_str(&unescape(line.content));
        } else if let Some(text) = line.content.strip_prefix("choices:") {
            field_indent = line.indent;
            fields.push((None, unescape(text.trim_start())));
        } else if let Some((name, text)) = line.content.split_once('=') {
            field_indent = line.indent;
            fields.push((Some(unescape(name.trim_end())), unescape(text.trim_start())));
        } else {
            return Err(line.broken(
                "expected `name = value`; the further lines of a value must be indented deeper than its name",
            ));
        }
    }
    for (name, text) in fields {
        match name {
            Some(name) => case.values.push((name, text)),
            None if case.choices.is_none() => case.choices = Some(text),
            None => {
                return Err(lines[0].broken("there are two lines of `choices:` in this entry; remove the wrong one"));
            }
        }
    }
    if case.values.is_empty() && case.choices.is_none() {
        return Err(lines[0].broken("this entry has no values; write `name = value` below it, indented"));
    }
    Ok(case)
}

/// Reads the line `case`.
fn read_head(line: &Line<'_>) -> Result<SavedCase, Broken> {
    let mut words = line.content.split_whitespace();
    if line.indent > 0 {
        return Err(line.broken("this line belongs to no entry; write `case` above it"));
    }
    if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.content.starts_with(mark)) {
        return Err(line.broken("this line is left from a merge; keep the entries of both sides, and remove it"));
    }
    if words.next() != Some("case") {
        return Err(line.broken(
            "expected `case`; a line that belongs to the entry above must be indented, a comment begins with `#`",
        ));
    }
    let mut case = SavedCase { id: String::new(), values: vec![], choices: None, notes: vec![], is_minimal: true };
    for word in words {
        match word {
            "unfinished" => case.is_minimal = false,
            _ if is_id(word) && case.id.is_empty() => case.id = word.to_ascii_lowercase(),
            _ => {
                return Err(
                    line.broken("after `case`, expected an id of four or more hex digits, `unfinished`, or nothing")
                );
            }
        }
    }
    Ok(case)
}

fn is_id(word: &str) -> bool {
    word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn write_entry(case: &SavedCase, remarks: &[&str]) -> String {
    let mut out = format!("case {}{}\n", case.id, if case.is_minimal { "" } else { " unfinished" });
    for note in &case.notes {
        for line in note.split('\n') {
            // Blanks before a note are safe behind the `#`.
            let (blanks, words) = line.split_at(line.len() - line.trim_start_matches(' ').len());
            let blanks = if words.is_empty() { "" } else { blanks };
            push_line(&mut out, "  #", &(blanks.to_owned() + &escape(words, &|_, _| false)));
        }
    }
    for (name, text) in &case.values {
        let name = or_nothing(escape(name, &|_, character| matches!(character, '=' | ':' | '#')));
        write_field(&mut out, &format!("  {name} ="), text);
    }
    if let Some(choices) = &case.choices {
        write_field(&mut out, "  choices:", choices);
    }
    for remark in remarks {
        out.push_str(&format!("  {remark}\n"));
    }
    out
}

fn write_field(out: &mut String, head: &str, text: &str) {
    for (place, line) in text.split('\n').enumerate() {
        if place == 0 {
            push_line(out, head, &escape(line, &|_, _| false));
        } else {
            push_line(out, "     ", &or_nothing(escape(line, &|at, character| at == 0 && character == '#')));
        }
    }
}

fn push_line(out: &mut String, head: &str, text: &str) {
    out.push_str(head);
    if !text.is_empty() {
        out.push(' ');
        out.push_str(text);
    }
    out.push('\n');
}

/// What stands for an empty text where there must be one.
fn or_nothing(escaped: String) -> String {
    if escaped.is_empty() { "⟨⟩".to_owned() } else { escaped }
}

/// A line in which nothing is left that an editor or the layout would swallow, nor what else has a
/// meaning in its place.
fn escape(line: &str, has_meaning: &dyn Fn(usize, char) -> bool) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, character) in line.char_indices() {
        let is_at_end = at == 0 || at + character.len_utf8() == line.len();
        let is_swallowed = match character {
            '⟨' | BYTE_ORDER_MARK => true,
            '\t' | ' ' => is_at_end,
            // Line and paragraph separators, and marks that show a line in another order than it is
            // read.
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            _ => character.is_control() || (is_at_end && character.is_whitespace()),
        };
        if is_swallowed || has_meaning(at, character) {
            out.push_str(&format!("⟨{:x}⟩", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

fn unescape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('⟨') {
        out.push_str(before);
        rest = after;
        let mut n_digits = 0;
        while n_digits < 6 && after.as_bytes().get(n_digits).is_some_and(u8::is_ascii_hexdigit) {
            n_digits += 1;
        }
        let (digits, after) = after.split_at(n_digits);
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        // What is no escape stands for itself.
        match after.strip_prefix('⟩') {
            Some(after) if character.is_some() || digits.is_empty() => {
                out.extend(character);
                rest = after;
            }
            _ => out.push('⟨'),
        }
    }
    out.push_str(rest);
    out
}
