//! A run for those who filter it without a server: for each case which bar of each chart it is in.

use super::bins::Chart;
use super::{Examples, Run, View};

/// In no bar of a chart.
const NOWHERE: u8 = u8::MAX;

/// For each case, in order, one byte for each chart of a [`View`]: the number of its bar, or 255 if
/// it is in none. With them every chart can be counted anew for any of the cases.
///
/// ```
/// # use retrospect_stats::summary::{Order, Store};
/// let mut store = Store::default();
/// let case = |kind| format!(r#"{{"type": "test_case", "property": "p", "run_start": 1, "status": "passed", "features": {{"kind": "{kind}"}}}}"#);
/// store.read_text(&[case("a"), case("b"), case("a")].join("\n"));
/// let run = store.latest("p").unwrap();
/// let (view, examples) = (run.view(&store, &[], "", 9), run.examples(&store, &[], Order::Run, 0, 9));
/// let columns = run.columns(&view, &examples);
/// assert_eq!(columns.features, [("kind".to_owned(), vec![0, 1, 0])]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// The status (0 passed, 1 failed, 2 discarded), 4 more if the value was there before, 8 more
    /// if it was tried while shrinking.
    pub flags: Vec<u8>,
    /// Of each feature that is shown and has not too many bars.
    pub features: Vec<(String, Vec<u8>)>,
    /// Of the reasons that are shown.
    pub reasons: Vec<u8>,
    /// Of the ways in which cases were come by.
    pub how: Vec<u8>,
    /// Of the times; nothing if there are none.
    pub times: Vec<u8>,
    /// Which of the examples the value is, in two bytes, the lower first; 65535 if it is none of
    /// them.
    pub examples: Vec<u8>,
}

impl Columns {
    /// How many bytes they are.
    pub fn bytes(&self) -> usize {
        let features: usize = self.features.iter().map(|(_, bars)| bars.len()).sum();
        features + self.flags.len() + self.reasons.len() + self.how.len() + self.times.len() + self.examples.len()
    }
}

impl Run {
    /// The bars of all cases in the charts of a view without filters, and which of the examples
    /// they are.
    pub fn columns(&self, view: &View, examples: &Examples) -> Columns {
        let n_cases = self.n_cases();
        let shrinking = self.cases.shrinking();
        let flags = (0..n_cases).map(|case| {
            let again = u8::from(self.cases.is_duplicate(case)) * 4;
            self.cases.status[case] as u8 + again + u8::from(shrinking.is(case)) * 8
        });
        let features = view.features.iter().filter(|chart| chart.bins.len() < usize::from(NOWHERE));
        let rows = |column: &super::column::Column, rows: &[super::Reason]| {
            let mut bars = vec![NOWHERE; n_cases];
            column.each(|case, _| {
                let text = column.text(case);
                let row = rows.iter().position(|row| Some(row.text.as_str()) == text);
                bars[case] = row.map_or(NOWHERE, |row| row as u8);
            });
            bars
        };
        let prepared = self.prepared();
        let times = prepared.timing.get().and_then(Option::as_ref).map(|(_, bars)| bars.clone());
        let mut of_sample = vec![u16::MAX; self.cases.samples.len()];
        for (at, example) in examples.examples.iter().take(usize::from(u16::MAX)).enumerate() {
            of_sample[self.cases.sample[example.case] as usize] = at as u16;
        }
        let mut of_case = Vec::with_capacity(n_cases * 2);
        for sample in &self.cases.sample {
            of_case.extend_from_slice(&of_sample[*sample as usize].to_le_bytes());
        }
        Columns {
            flags: flags.collect(),
            features: features.filter_map(|chart| Some((chart.name.clone(), self.bars(chart)?))).collect(),
            reasons: rows(&self.cases.reasons, &view.reasons),
            how: rows(&self.cases.how, &view.how),
            times: times.unwrap_or_default(),
            examples: of_case,
        }
    }

    fn bars(&self, chart: &Chart) -> Option<Vec<u8>> {
        let at = self.cases.features.iter().position(|column| *column.name == *chart.name)?;
        let column = &self.cases.features[at];
        let prepared = self.prepared();
        let (bins, places) = prepared.bins(at, column, &self.valid());
        // Bars that would be empty are not shown.
        let number = |special: Option<&str>, label: &str| {
            let found = chart.bins.iter().position(|bin| bin.special == special && bin.label == label);
            found.map_or(NOWHERE, |bar| bar as u8)
        };
        let shown: Vec<u8> = (0..bins.len()).map(|bin| number(bins.special(bin), bins.label(bin))).collect();
        let mut bars = vec![number(Some("absent"), "absent"); self.n_cases()];
        column.each(|case, at| bars[case] = shown[usize::from(places[at])]);
        Some(bars)
    }
}
