//! Two runs side by side: of one property at two times, or of two properties that differ in their
//! generator.

use super::bins::Bins;
use super::column::Column;
use super::filter::Selection;
use super::view::View;
use super::{Run, Store};

/// Two runs.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Comparison {
    /// The one, without its features.
    pub a: View,
    /// The other.
    pub b: View,
    /// Features that either has, those that differ most first.
    pub features: Vec<ComparedFeature>,
}

/// A feature in two runs, in the same groups.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ComparedFeature {
    /// Its name.
    pub name: String,
    /// The groups, with how many cases of the one run and of the other are in each.
    pub bins: Vec<(String, [u64; 2])>,
    /// How many cases of each have the feature.
    pub cases: [u64; 2],
    /// How far apart the shares are: 0 if they are equal, 1 if they have nothing in common.
    pub difference: f64,
}

impl Run {
    /// This run beside another one.
    ///
    /// ```
    /// # use retrospect_stats::summary::Store;
    /// let mut store = Store::default();
    /// let case = |run, len| {
    ///     format!(r#"{{"type": "test_case", "property": "p", "run_start": {run}, "status": "passed", "features": {{"len": {len}}}}}"#)
    /// };
    /// store.read_text(&[case(1, 1), case(1, 2), case(2, 2), case(2, 2)].join("\n"));
    /// let runs = store.property("p").unwrap().runs();
    /// let compared = runs[0].compare(&runs[1], &store);
    /// let len = &compared.features[0];
    /// assert_eq!(len.bins, [("1".to_owned(), [1, 0]), ("2".to_owned(), [1, 2])]);
    /// assert_eq!(len.difference, 0.5);
    /// ```
    pub fn compare(&self, other: &Run, store: &Store) -> Comparison {
        let mut names: Vec<&str> = Vec::new();
        for column in self.cases.features.iter().chain(&other.cases.features) {
            if !names.contains(&&*column.name) && names.len() < 200 {
                names.push(&column.name);
            }
        }
        let valid = [self.valid(), other.valid()];
        let mut features: Vec<ComparedFeature> = Vec::new();
        for name in names {
            let find = |run: &'_ Run| run.cases.features.iter().position(|column| *column.name == *name);
            let columns =
                [find(self).map(|at| &self.cases.features[at]), find(other).map(|at| &other.cases.features[at])];
            features.push(compared(name, columns, &valid));
        }
        features.sort_by(|a, b| b.difference.total_cmp(&a.difference));
        Comparison { a: self.view(store, &[], "", 0), b: other.view(store, &[], "", 0), features }
    }
}

fn compared(name: &str, columns: [Option<&Column>; 2], valid: &[Selection; 2]) -> ComparedFeature {
    let present: Vec<&Column> = columns.into_iter().flatten().collect();
    let bins = Bins::of(&present);
    let mut counts = vec![[0_u64; 2]; bins.len()];
    let mut cases = [0_u64; 2];
    for (side, column) in columns.into_iter().enumerate() {
        let Some(column) = column else { continue };
        let places = bins.places(column);
        column.each(|case, at| {
            if valid[side].has(case) {
                counts[usize::from(places[at])][side] += 1;
                cases[side] += 1;
            }
        });
    }
    let share = |count: u64, side: usize| if cases[side] == 0 { 0.0 } else { count as f64 / cases[side] as f64 };
    let apart: f64 = counts.iter().map(|[a, b]| (share(*a, 0) - share(*b, 1)).abs()).sum();
    // A feature that one of the runs does not have differs as much as can be.
    let difference = if cases.contains(&0) && cases != [0, 0] { 1.0 } else { apart / 2.0 };
    let bins = counts.into_iter().enumerate().map(|(bin, counts)| (bins.label(bin).to_owned(), counts)).collect();
    ComparedFeature { name: name.to_owned(), bins, cases, difference }
}
