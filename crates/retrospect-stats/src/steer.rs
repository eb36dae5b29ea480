use std::fmt::Write as _;
use std::path::PathBuf;

/// By which examples the generators of a property are to be steered: the file that
/// `RETROSPECT_STEER` names.
///
/// ```
/// use retrospect_stats::Steer;
/// let steer = Steer {
///     property: "ledger::tests::round_trip".to_owned(),
///     more: vec!["xs = [3, 1]; n = 2".to_owned()],
///     fewer: vec![],
///     weights: Some("weights/round_trip.toml".into()),
/// };
/// assert_eq!(
///     steer.to_text(),
///     "property = \"ledger::tests::round_trip\"\n\
///      more = [\n    \"xs = [3, 1]; n = 2\",\n]\n\
///      fewer = [\n]\n\
///      weights = \"weights/round_trip.toml\"\n"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steer {
    /// As in the lines of the cases.
    pub property: String,
    /// Representations of cases that there should be more of.
    pub more: Vec<String>,
    /// And of those that there should be fewer of.
    pub fewer: Vec<String>,
    /// Where the weights are to be written; nowhere, if they are only to be tried.
    pub weights: Option<PathBuf>,
}

impl Steer {
    /// The text of the file, which is TOML.
    ///
    /// ```
    /// use retrospect_stats::Steer;
    /// let steer = Steer { property: "a::b".to_owned(), fewer: vec!["\"\\n\"".to_owned()], ..Steer::default() };
    /// assert_eq!(steer.to_text(), "property = \"a::b\"\nmore = [\n]\nfewer = [\n    \"\\\"\\\\n\\\"\",\n]\n");
    /// ```
    pub fn to_text(&self) -> String {
        let mut out = "property = ".to_owned();
        quoted(&mut out, &self.property);
        for (name, texts) in [("more", &self.more), ("fewer", &self.fewer)] {
            let _ = write!(out, "\n{name} = [\n");
            for text in texts {
                out.push_str("    ");
                quoted(&mut out, text);
                out.push_str(",\n");
            }
            out.push(']');
        }
        if let Some(weights) = &self.weights {
            out.push_str("\nweights = ");
            quoted(&mut out, &weights.to_string_lossy());
        }
        out.push('\n');
        out
    }
}

/// A string of TOML between double quotes.
fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' || control == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
