//! The name that was probably meant by one that is not known.

/// The name that was probably meant.
pub(crate) fn nearest<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let mut nearest = None;
    // A third of the letters may be wrong; with more, the guess is as good as any other.
    let mut most = 1 + name.len() / 3;
    for known in names {
        let distance = distance(&name, &known.to_lowercase());
        // The first of those that are equally near.
        if distance < most || (distance == most && nearest.is_none()) {
            (nearest, most) = (Some(*known), distance);
        }
    }
    nearest
}

/// How many letters have to be put in, taken out or replaced to make one name of the other.
fn distance(name: &[char], known: &str) -> usize {
    let mut row = vec![0; name.len() + 1];
    for (idx, cell) in row.iter_mut().enumerate() {
        *cell = idx;
    }
    for (known_idx, known_letter) in known.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = known_idx + 1;
        for (idx, &letter) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != known_letter);
            diagonal = row[idx + 1];
            row[idx + 1] = replaced.min(diagonal + 1).min(row[idx] + 1);
        }
    }
    row[name.len()]
}
