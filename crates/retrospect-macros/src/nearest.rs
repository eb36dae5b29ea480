//! What was probably meant by a name that is not known, and lists of names as they stand in a
//! message.

use retrospect_grammar::nearest;

/// Says that a name is not known, what was probably meant, and what there is.
pub(crate) fn unknown(kind: &str, written: &str, known: &[&str]) -> String {
    let are = if known.len() == 1 { "is" } else { "are" };
    let all = listed(known.iter().copied());
    match nearest(written, known.iter().copied()) {
        Some(meant) => format!("there is no {kind} `{written}`: did you mean `{meant}`? There {are} {all}"),
        None => format!("there is no {kind} `{written}`; there {are} {all}"),
    }
}

/// `a`, `b` and `c`, in backquotes.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.pop() {
        None => "nothing".to_owned(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        let known = ["tree", "key"];
        assert_eq!(
            unknown("thing", "tre", &known),
            "there is no thing `tre`: did you mean `tree`? There are `tree` and `key`"
        );
        assert_eq!(unknown("thing", "size", &known), "there is no thing `size`; there are `tree` and `key`");
    }
}
