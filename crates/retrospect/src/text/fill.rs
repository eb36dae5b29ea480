//! Strings with holes.
//!
//! The parser runs over the pieces as over one text; at a hole, a terminal may be written without
//! moving on. What comes out is the forest of all ways to fill the holes, of which one is drawn.

use super::Text;
use super::chart::{Input, Parser};
use super::expected;
use crate::generator::Generator;
use crate::mismatch::{Explanation, NotGenerated};
use crate::reflect::Reflector;
use crate::source::Rng;

impl Text {
    /// A string that is made of these pieces, in their order, with something between each two:
    /// filled at random, the same way for the same seed.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let digits = text::repeat(text::chars('0'..='9'), 1..);
    /// let dates = text::separated_by(digits, "-", 3);
    /// let date = dates.fill_text(&["2024-", "-17"], 1).unwrap();
    /// assert!(date.starts_with("2024-") && date.ends_with("-17") && dates.accepts(&date));
    /// // A hole may be anywhere, and a text may begin or end with one.
    /// assert!(dates.fill_text(&["", "4-", ""], 1).unwrap().contains("4-"));
    /// assert_eq!(
    ///     dates.fill_text(&["20x", "-17"], 1).unwrap_err().reason(),
    ///     "line 1, column 3, at `20▸x_-17`: expected [0-9] or `-`"
    /// );
    /// ```
    ///
    /// Where a hole lies in a text that others are made of ([`bind`](Text::bind),
    /// [`computed`](super::computed)), some are tried, and what fits none of them is not found.
    pub fn fill_text(&self, pieces: &[&str], seed: u64) -> Result<String, NotGenerated> {
        let text: String = pieces.concat();
        let failed = |reason: String| {
            let mut explanation = Explanation::default();
            explanation.note(&format_args!("{:?}", pieces.join("_")), reason);
            Err(explanation.into_error())
        };
        let grammar = self.grammar();
        if let Some(fault) = &grammar.fault {
            return failed(fault.to_string());
        }
        if u32::try_from(text.len()).is_err() {
            return failed("it is longer than 4 GB".to_owned());
        }
        let mut holes: Vec<u32> = Vec::new();
        let mut at = 0;
        for piece in &pieces[..pieces.len().saturating_sub(1)] {
            at += piece.len() as u32;
            if holes.last() != Some(&at) {
                holes.push(at);
            }
        }
        let input = Input { text: &text, holes, seed };
        let (root, end) = (grammar.root, text.len() as u32);
        let mut parser = Parser::new(grammar, &input);
        let mut reflector = Reflector::all_ways();
        let is_made = parser.ends_at(root, 0, end) && parser.reflect_node(root, 0, end, &mut reflector).is_ok();
        let way = is_made.then(|| reflector.into_forest().random_way(&mut Rng::new(seed))).flatten();
        match way.map(|way| self.try_replay(&way)) {
            Some(Ok((filled, _))) => Ok(filled),
            Some(Err(why)) => failed(why.to_string()),
            None if is_made || parser.is_too_much => failed(expected::TOO_MUCH.to_owned()),
            None => failed(expected::reason(grammar, &input)),
        }
    }
}
