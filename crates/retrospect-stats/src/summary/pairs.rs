//! Two features against each other.

use super::Run;
use super::Store;
use super::bins::{Bins, ChartKind};
use super::column::Column;
use super::filter::{Filter, Selection, feature};

/// A feature with more groups than this takes no part in combinations.
const MOST_GROUPS: usize = 12;
/// So many features are combined.
const MOST_FEATURES: usize = 12;
/// So many combinations are shown.
const MOST_SHOWN: usize = 40;
/// And of two features: where one follows from the other, that is seen from a few.
const MOST_OF_TWO: usize = 4;
const NOWHERE: u16 = u16::MAX;

/// How often the values of two features came together.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Grid {
    /// The feature across.
    pub x: Axis,
    /// The feature down.
    pub y: Axis,
    /// For each group of `y`, for each of `x`: all cases, and those that are meant.
    pub cells: Vec<Vec<[u64; 2]>>,
}

/// The groups of a feature.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Axis {
    /// Of the feature.
    pub name: String,
    /// How it is shown.
    pub kind: ChartKind,
    /// What to call the groups.
    pub labels: Vec<String>,
    /// Their ranges, for numbers.
    pub ranges: Vec<Option<[f64; 2]>>,
    /// For what is no number, as in a [`Bin`](super::Bin).
    pub special: Vec<Option<&'static str>>,
}

/// Which values of two features came together.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Combinations {
    /// How many there could be: every value of the one with every value of the other, for all pairs
    /// of features with few values.
    pub possible: usize,
    /// How many there were.
    pub seen: usize,
    /// Those that were not seen, the most surprising first; of two features a few.
    pub never: Vec<NeverSeen>,
}

/// Two values that never came together.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct NeverSeen {
    /// The one feature, and its value.
    pub x: (String, String),
    /// The other.
    pub y: (String, String),
    /// In so many cases they would have come together if they had nothing to do with each other.
    pub expected: f64,
}

impl Run {
    /// Two features against each other, over the cases that meet the filters. Nothing if one of
    /// them is not known.
    pub fn grid(&self, store: &Store, filters: &[Filter], x: &str, y: &str) -> Option<Grid> {
        let (x, y) = (feature(&self.cases, x)?, feature(&self.cases, y)?);
        let (x_bins, y_bins) = (Bins::of(&[x]), Bins::of(&[y]));
        let selected = self.select(store, filters);
        let cells = self.count(x, &x_bins, y, &y_bins, &self.scope(filters), &selected);
        Some(Grid { x: Axis::of(x, &x_bins), y: Axis::of(y, &y_bins), cells })
    }

    fn count(
        &self,
        x: &Column,
        x_bins: &Bins,
        y: &Column,
        y_bins: &Bins,
        scope: &Selection,
        selected: &Selection,
    ) -> Vec<Vec<[u64; 2]>> {
        let x_places = by_case(x, &x_bins.places(x), self.n_cases());
        let y_places = y_bins.places(y);
        let mut cells = vec![vec![[0; 2]; x_bins.len()]; y_bins.len()];
        y.each(|case, at| {
            let x_place = x_places[case];
            if scope.has(case) && x_place != NOWHERE {
                let cell = &mut cells[usize::from(y_places[at])][usize::from(x_place)];
                cell[0] += 1;
                cell[1] += u64::from(selected.has(case));
            }
        });
        cells
    }

    pub(crate) fn combinations(&self) -> Combinations {
        let prepared = self.prepared();
        let valid = self.valid();
        let n_valid = valid.count() as f64;
        let mut chosen: Vec<(&Column, &Bins, Vec<u16>)> = Vec::new();
        for (at, column) in self.cases.features.iter().enumerate() {
            if at >= 500 || chosen.len() == MOST_FEATURES {
                break;
            }
            // How many choices there are follows from everything else.
            if &*column.name == super::view::CHOICES {
                continue;
            }
            let (bins, places) = prepared.bins(at, column, &valid);
            if (2..=MOST_GROUPS).contains(&bins.len()) {
                chosen.push((column, bins, by_case(column, places, self.n_cases())));
            }
        }
        let mut found = Combinations::default();
        for (at, (x, x_bins, x_places)) in chosen.iter().enumerate() {
            for (y, y_bins, y_places) in &chosen[at + 1..] {
                let mut cells = vec![vec![0_u64; x_bins.len()]; y_bins.len()];
                valid.each(|case| {
                    if x_places[case] != NOWHERE && y_places[case] != NOWHERE {
                        cells[usize::from(y_places[case])][usize::from(x_places[case])] += 1;
                    }
                });
                // What the test names and what the runner sees may be the same thing twice.
                let is_own = |column: &Column| !column.name.starts_with("auto:");
                if is_own(x) != is_own(y) && are_one_to_one(&cells) {
                    continue;
                }
                let mut never = Vec::new();
                let of_x: Vec<u64> = (0..x_bins.len()).map(|x| cells.iter().map(|row| row[x]).sum()).collect();
                for (y_bin, row) in cells.iter().enumerate() {
                    let of_y: u64 = row.iter().sum();
                    for (x_bin, count) in row.iter().enumerate() {
                        if of_y == 0 || of_x[x_bin] == 0 {
                            continue;
                        }
                        found.possible += 1;
                        found.seen += usize::from(*count > 0);
                        if *count == 0 {
                            never.push(NeverSeen {
                                x: (x.name.to_string(), x_bins.label(x_bin).to_owned()),
                                y: (y.name.to_string(), y_bins.label(y_bin).to_owned()),
                                expected: of_x[x_bin] as f64 * of_y as f64 / n_valid,
                            });
                        }
                    }
                }
                never.sort_by(|a: &NeverSeen, b| b.expected.total_cmp(&a.expected));
                never.truncate(MOST_OF_TWO);
                found.never.extend(never);
            }
        }
        found.never.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        found.never.truncate(MOST_SHOWN);
        found
    }
}

impl Axis {
    fn of(column: &Column, bins: &Bins) -> Axis {
        Axis {
            name: column.name.to_string(),
            kind: bins.kind,
            labels: (0..bins.len()).map(|bin| bins.label(bin).to_owned()).collect(),
            ranges: (0..bins.len()).map(|bin| bins.range(bin)).collect(),
            special: (0..bins.len()).map(|bin| bins.special(bin)).collect(),
        }
    }
}

/// Whether no group of the one is with two groups of the other.
fn are_one_to_one(cells: &[Vec<u64>]) -> bool {
    let n_columns = cells.first().map_or(0, Vec::len);
    let in_row = |row: &Vec<u64>| row.iter().filter(|count| **count > 0).count();
    let in_column = |x: usize| cells.iter().filter(|row| row[x] > 0).count();
    cells.iter().all(|row| in_row(row) <= 1) && (0..n_columns).all(|x| in_column(x) <= 1)
}

fn by_case(column: &Column, places: &[u16], n_cases: usize) -> Vec<u16> {
    let mut by_case = vec![NOWHERE; n_cases];
    column.each(|case, at| by_case[case] = places[at]);
    by_case
}
