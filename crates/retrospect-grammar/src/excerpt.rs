use std::fmt;

/// The part of a line around a place, made fit to be shown.
///
/// ```
/// use retrospect_grammar::Excerpt;
/// assert_eq!(Excerpt::of("one\ntwo three", 8).to_string(), "    two three\n        ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    shown: String,
    /// How many columns come before the caret.
    caret: usize,
}

impl Excerpt {
    /// Shows about 72 columns around `offset`, which is where a character of the text begins, or
    /// its end.
    pub fn of(text: &str, offset: usize) -> Excerpt {
        const BEFORE: usize = 48;
        const WHOLE: usize = 72;
        let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[offset..].find('\n').map_or(text.len(), |newline| offset + newline);
        let (before, after) = (&text[start..offset], &text[offset..end]);
        let (_, after_width) = fitting(after.chars(), WHOLE - BEFORE);
        // A place near the end of the line leaves room that the text before it can use.
        let (before_bytes, before_width) = fitting(before.chars().rev(), WHOLE - after_width);
        let (after_bytes, _) = fitting(after.chars(), WHOLE - before_width);

        let is_cut_before = before_bytes < before.len();
        let is_cut_after = after_bytes < after.len();
        let shown = &text[offset - before_bytes..offset + after_bytes];
        Excerpt {
            shown: format!(
                "{}{}{}",
                if is_cut_before { "…" } else { "" },
                shown.trim_end().chars().map(printable).collect::<String>(),
                if is_cut_after { "…" } else { "" },
            ),
            caret: before_width + usize::from(is_cut_before),
        }
    }
}

/// The line and, below it, a caret.
impl fmt::Display for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "    {}\n    {:width$}^", self.shown, "", width = self.caret)
    }
}

/// How many bytes the first characters take that fit into `room` columns, and how many columns
/// those take.
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> (usize, usize) {
    let mut bytes = 0;
    let mut width = 0;
    // The bound is for lines of nothing but combining marks, which have no width.
    for character in characters.take(4 * room) {
        if width + columns(character) > room {
            break;
        }
        bytes += character.len_utf8();
        width += columns(character);
    }
    (bytes, width)
}

/// A character that moves a terminal's cursor by exactly its [`columns`].
fn printable(character: char) -> char {
    match character {
        '\t' => ' ',
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// How many columns a terminal gives a character: combining marks none, most Asian scripts and
/// emoji two.
///
/// The ranges are the broad blocks. A rare character outside them shifts a caret by a column, which
/// is not worth a table.
fn columns(character: char) -> usize {
    match character as u32 {
        0x0300..=0x036f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfeff => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
