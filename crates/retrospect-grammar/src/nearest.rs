/// The name that was probably meant by one that is not known, if one is like it at all.
///
/// ```
/// use retrospect_grammar::nearest;
/// assert_eq!(nearest("sede", ["cases", "seed", "size"]), Some("seed"));
/// assert_eq!(nearest("parallel", ["cases", "seed", "size"]), None);
/// ```
pub fn nearest<'n>(written: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Enough for all names that a person wrote.
    const MAX_NAMES: usize = 2_000;
    let written = letters(written)?;
    let alike = known.into_iter().take(MAX_NAMES).filter_map(|name| {
        let known = letters(name)?;
        let (distance, shorter) = (distance(&written, &known), written.len().min(known.len()));
        // Names of one letter have nothing in common if they differ.
        (distance <= 1 + shorter / 4 && distance < shorter).then_some((distance, name))
    });
    alike.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// None of a long name: it was not mistyped, and takes long to compare.
fn letters(name: &str) -> Option<Vec<char>> {
    const MAX_BYTES: usize = 64;
    (name.len() <= MAX_BYTES).then(|| name.to_lowercase().chars().collect())
}

/// How many letters have to be put in, taken out or replaced (Levenshtein), with the table kept one
/// row at a time.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (taken, letter) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = taken + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_that_are_alike_are_found() {
        let known = ["value", "pair", "digits", "e", "cases", "size", "shrink_time", "time", "timeout"];
        for (written, meant) in [
            ("digit", Some("digits")),
            ("vlaue", Some("value")),
            ("PAIR", Some("pair")),
            ("shrinktime", Some("shrink_time")),
            ("SHRINK-TIME", Some("shrink_time")),
            ("case", Some("cases")),
            ("siez", Some("size")),
            ("threads", None),
            ("expression", None),
            ("f", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
        assert_eq!(nearest("x", []), None);
        assert_eq!(nearest(&"e".repeat(1_000), known), None);
    }

    #[test]
    fn the_first_of_those_that_are_equally_near_is_taken() {
        assert_eq!(nearest("tine", ["tone", "time"]), Some("tone"));
    }
}
