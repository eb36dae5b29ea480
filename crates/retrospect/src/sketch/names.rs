//! Names, paths and numbers as people write them, brought to the form that Debug prints.

use std::borrow::Cow;
use std::net::Ipv6Addr;

/// The last segment of a path without generics: `tree::Tree::<u8>::Node` is `Node`.
///
/// Debug prints no paths, but people paste Rust. Words that are no paths come back as they are:
/// `fe80::1`, `-12`.
pub(super) fn plain_name(word: &str) -> &str {
    let segment = last_segment(without_turbofish(word));
    let generics = segment.find('<').filter(|&angle| angle > 0).unwrap_or(segment.len());
    without_raw_mark(&segment[..generics])
}

/// The form of a word by which two words are compared: no path, no `_` between digits, no suffix,
/// base ten.
///
/// Generics stay, because Debug prints them: `PhantomData<u8>`. A turbofish goes: `None::<u8>`
/// prints as `None`.
pub(super) fn canonical_word(word: &str) -> Cow<'_, str> {
    match plain_number(word) {
        Some(number) => Cow::Owned(number),
        None => Cow::Borrowed(without_raw_mark(last_segment(without_turbofish(word)))),
    }
}

/// A number literal of Rust as `FromStr` reads it: `1_000u64` is `1000`, `0xff` is `255`, `1.5_f32`
/// is `1.5`.
///
/// `None` if there is nothing to change, or the word is no number.
pub(super) fn plain_number(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let mut joined = String::new();
    let digits = match digits.as_bytes().contains(&b'_') {
        true => {
            digits.split('_').for_each(|group| joined.push_str(group));
            &joined
        }
        false => digits,
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            let digits = without_suffix(digits, &INTEGER_SUFFIXES);
            let value = u128::from_str_radix(digits, radix).ok()?;
            return Some(format!("{sign}{value}"));
        }
    }
    let plain = without_suffix(without_suffix(digits, &INTEGER_SUFFIXES), &FLOAT_SUFFIXES);
    let is_number = plain.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    (is_number && sign.len() + plain.len() != word.len()).then(|| format!("{sign}{plain}"))
}

/// What a call of a function of the standard library in pasted Rust stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// `Box::new(x)` prints as `x`.
    Transparent,
    EmptyList,
    EmptyBraces,
    EmptyText,
}

/// Recognises a function by its path and the number of its arguments.
pub(super) fn known_call(path: &str, n_arguments: u32) -> Option<Call> {
    let (owner, function) = path.rsplit_once(':')?;
    let owner = plain_name(owner.strip_suffix(':')?);
    match (function, n_arguments) {
        ("new", 1) => matches!(owner, "Box" | "Rc" | "Arc").then_some(Call::Transparent),
        ("from", 1) => matches!(
            owner,
            "Box" | "Rc" | "Arc" | "String" | "PathBuf" | "OsString" | "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap"
        )
        .then_some(Call::Transparent),
        ("new", 0) => match owner {
            "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" => Some(Call::EmptyList),
            "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => Some(Call::EmptyBraces),
            "String" | "PathBuf" | "OsString" => Some(Call::EmptyText),
            _ => None,
        },
        _ => None,
    }
}

const INTEGER_SUFFIXES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
const FLOAT_SUFFIXES: [&str; 2] = ["f32", "f64"];

fn without_suffix<'w>(digits: &'w str, suffixes: &[&str]) -> &'w str {
    suffixes.iter().find_map(|suffix| digits.strip_suffix(suffix)).unwrap_or(digits)
}

/// Debug prints the field `r#type` as `type`.
fn without_raw_mark(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// `Vec::<u8>` is `Vec`.
fn without_turbofish(word: &str) -> &str {
    let mut path = word;
    loop {
        let segment = last_segment(path);
        if !segment.starts_with('<') || segment.len() == path.len() {
            return path;
        }
        path = path[..path.len() - segment.len()].trim_end_matches(':');
    }
}

/// What follows the last `::` outside generics, if the word is a path; otherwise the word.
fn last_segment(word: &str) -> &str {
    let bytes = word.as_bytes();
    let mut depth = 0usize;
    // Backwards, because the `::` inside the generics of the last segment must not count.
    for at in (0..bytes.len()).rev() {
        match bytes[at] {
            b'>' if at == 0 || bytes[at - 1] != b'-' => depth += 1,
            b'<' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && at > 0 && bytes[at - 1] == b':' => {
                let segment = &word[at + 1..];
                return if is_name(segment) && !is_address(word) { segment } else { word };
            }
            _ => {}
        }
    }
    word
}

fn is_name(segment: &str) -> bool {
    let name = segment.split('<').next().unwrap_or_default();
    let mut characters = without_raw_mark(name).chars();
    match characters.next() {
        // A turbofish has no name of its own.
        None => segment.starts_with('<'),
        Some(first) => (first.is_alphabetic() || first == '_') && characters.all(|c| c.is_alphanumeric() || c == '_'),
    }
}

/// Whether this is an IPv6 address as Debug prints it, in lower case: `dead::beef` is one, `Add::B`
/// is a path.
fn is_address(word: &str) -> bool {
    const LONGEST: usize = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".len();
    word.len() <= LONGEST && !word.bytes().any(|byte| byte.is_ascii_uppercase()) && word.parse::<Ipv6Addr>().is_ok()
}
