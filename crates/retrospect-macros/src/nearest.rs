//! What was probably meant by a name that is not known, and lists of names as they stand in a
//! message.

/// The name among `known` that is most like `written`, if one is like it at all.
fn nearest<'n>(written: &str, known: &[&'n str]) -> Option<&'n str> {
    let best = known.iter().map(|name| (distance(written, name), *name)).min_by_key(|(distance, _)| *distance);
    best.filter(|(distance, name)| *distance <= 1 + written.len().min(name.len()) / 4).map(|(_, name)| name)
}

/// Says that a name is not known, what was probably meant, and what there is.
pub(crate) fn unknown(kind: &str, written: &str, known: &[&str]) -> String {
    let are = if known.len() == 1 { "is" } else { "are" };
    let all = listed(known.iter().copied());
    match nearest(written, known) {
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

/// How many letters have to be put in, taken out or replaced (Levenshtein), with the table kept one
/// row at a time.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (taken, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = taken + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_alike_are_found() {
        let known = ["cases", "time", "seed", "shrink_time", "timeout"];
        assert_eq!(nearest("case", &known), Some("cases"));
        assert_eq!(nearest("shrinktime", &known), Some("shrink_time"));
        assert_eq!(nearest("sede", &known), Some("seed"));
        assert_eq!(nearest("parallel", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }

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
