//! What strings and characters stand for.

use std::borrow::Cow;

use super::lexis::{self, Escaped};

/// The bytes of a string literal that was read without a fault, escapes resolved. Free if there are
/// none.
pub(super) fn string_bytes(literal: &str) -> Cow<'_, [u8]> {
    let bytes = literal.as_bytes();
    // `String::new()` is read as text without being a literal.
    let Some(opening) = lexis::string_opening(bytes, 0) else {
        return Cow::Borrowed(b"");
    };
    let Ok((end, _)) = lexis::string_end(bytes, 0, opening) else {
        return Cow::Borrowed(b"");
    };
    let content = &bytes[opening.content..end];
    if opening.raw.is_some() || !content.contains(&b'\\') {
        return Cow::Borrowed(content);
    }
    let mut decoded = Vec::with_capacity(content.len());
    let mut at = 0;
    while at < content.len() {
        if content[at] != b'\\' {
            decoded.push(content[at]);
            at += 1;
            continue;
        }
        let Ok((escaped, after)) = lexis::escape(content, at, 0) else {
            break;
        };
        match escaped {
            Escaped::Char(character) => decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Escaped::Byte(byte) => decoded.push(byte),
            Escaped::Nothing => {}
        }
        at = after;
    }
    Cow::Owned(decoded)
}

/// The character of a literal that was read without a fault.
pub(super) fn character(literal: &str) -> Option<char> {
    let content = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    if !content.starts_with('\\') {
        return content.chars().next();
    }
    match lexis::escape(content.as_bytes(), 0, 0).ok()?.0 {
        Escaped::Char(character) => Some(character),
        Escaped::Byte(byte) => Some(char::from(byte)),
        Escaped::Nothing => None,
    }
}
