use super::labels::{Labels, Place, at_depth};
use super::{EVERYWHERE, RANGES, Weights, ends_of, find, name_of, range_of};
use crate::choice::Site;
use crate::source::{Bracket, Chooser, DORMANT, Law, NumberRequest, PickRequest, RepeatRequest, Rng};

/// A random source whose chances come from weights. What they do not speak of is drawn as ever.
pub(crate) struct TunedChooser<'w> {
    weights: &'w Weights,
    tables: &'w mut Known,
    labels: &'w mut Labels,
    rng: Rng,
}

/// What was worked out of the weights for the places met so far, to be used again.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Kept for its room.
    labels: Option<Labels>,
    known: Known,
}

impl Tables {
    pub(crate) fn known(&self) -> &Known {
        &self.known
    }
}

/// What is known of the places met so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Places and where their tables are, by their keys: empty slots have key 0. At most half full.
    slots: Vec<(u128, u32)>,
    tables: Vec<Table>,
    /// Labels of the weights that were met.
    pub(crate) met: Vec<String>,
    /// Arms that the weights name and the generator does not have, with the labels of their picks and the arms there are.
    pub(crate) unknown: Vec<(String, String, &'static [&'static str])>,
}

/// The chances at one place.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Of each arm, or of each range of numbers and all before it. Empty if nothing is known.
    shares: Vec<f64>,
    total: f64,
    /// How much the generator's own chances count.
    own: f64,
    /// For ranges: where to begin to look for a share, by its 64th part of the total.
    guide: Vec<u8>,
    /// For arms: the weights that were written when the sums were worked out. They are mostly the same the next time.
    written: Vec<u32>,
    sums: Vec<f64>,
}

/// How many entries a guide has.
const GUIDE: usize = 64;

/// How often a number that should be unlike the examples is drawn again.
const MOST_REFUSALS: u32 = 16;

impl<'w> TunedChooser<'w> {
    pub(crate) fn new(weights: &'w Weights, tables: &'w mut Tables, seed: u64, argument: u16) -> TunedChooser<'w> {
        let labels = tables.labels.get_or_insert_with(|| Labels::new(argument));
        labels.begin(argument);
        TunedChooser { weights, tables: &mut tables.known, labels, rng: Rng::new(seed) }
    }

    /// A number from 0 to `max`, which is not included.
    fn below(&mut self, max: f64) -> f64 {
        (self.rng.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64) * max
    }

    fn table(&mut self, key: u128, make: impl FnOnce(&Weights, &mut Known) -> Table) -> usize {
        if let Some(place) = self.tables.find(key) {
            return place;
        }
        let table = make(self.weights, self.tables);
        self.tables.insert(key, table)
    }

    /// An index as often as its range was counted; `own` draws one as the generator does.
    fn ranged(&mut self, table: usize, max: u64, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let Table { total, own: own_share, .. } = self.tables.tables[table];
        if total == 0.0 {
            return own(&mut self.rng);
        }
        if self.weights.is_inverted {
            return self.unlike(table, own);
        }
        let drawn = self.below(total + own_share);
        let shares = &self.tables.tables[table].shares;
        if drawn >= total {
            return own(&mut self.rng);
        }
        let mut range = usize::from(self.tables.tables[table].guide[(drawn / total * GUIDE as f64) as usize % GUIDE]);
        while range + 1 < shares.len() && shares[range] <= drawn {
            range += 1;
        }
        let (first, last) = ends_of(range);
        if first > max {
            return own(&mut self.rng);
        }
        if first == last { first } else { first + self.rng.at_most(last.min(max) - first) }
    }

    /// An index that is kept the less often the more its range was counted.
    fn unlike(&mut self, table: usize, own: impl Fn(&mut Rng) -> u64) -> u64 {
        let mut index = own(&mut self.rng);
        for _ in 0..MOST_REFUSALS {
            let Table { shares, own: own_share, .. } = &self.tables.tables[table];
            let range = range_of(index);
            let before = if range == 0 { 0.0 } else { shares.get(range - 1).copied().unwrap_or(0.0) };
            let count = shares.get(range).map_or(0.0, |share| share - before);
            let (most, own_share) = (most_of(shares), *own_share);
            if self.below(most + own_share) >= count {
                break;
            }
            index = own(&mut self.rng);
        }
        index
    }
}

/// The largest share of one range.
fn most_of(shares: &[f64]) -> f64 {
    let (mut most, mut before) = (0.0f64, 0.0);
    for share in shares {
        most = most.max(share - before);
        before = *share;
    }
    most
}

impl Chooser for TunedChooser<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let place = self.labels.place();
        if request.max == 0 || matches!(request.law, Law::Always(_)) {
            return Ok(request.random(&mut self.rng));
        }
        let make = |weights: &Weights, tables: &mut Known| tables.of_ranges(&weights.numbers, place, weights);
        let table = self.table(place.key(1, 0, 0), make);
        Ok(self.ranged(table, request.max, |rng| request.random(rng)))
    }

    fn numbers(&mut self, request: &NumberRequest, numbers: &mut [u64]) -> Result<(), String> {
        // Items of a list, which all stand where the list does.
        let place = self.labels.place();
        let make = |weights: &Weights, tables: &mut Known| tables.of_ranges(&weights.numbers, place, weights);
        let table = self.table(place.key(1, 0, 0), make);
        let is_fixed = request.max == 0 || matches!(request.law, Law::Always(_));
        for number in numbers {
            *number = match is_fixed {
                true => request.random(&mut self.rng),
                false => self.ranged(table, request.max, |rng| request.random(rng)),
            };
        }
        Ok(())
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let (place, depth) = self.labels.place_of_pick(request.site);
        let make = |weights: &Weights, tables: &mut Known| tables.of_arms(weights, place, depth, request);
        let table = self.table(place.key(2, request.site.id(), depth), make);
        let arm = self.arm(table, request);
        self.labels.picked(request.site, arm);
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let place = self.labels.place();
        self.labels.open_list(place);
        // A list that must not be drawn longer than it has to, because what it is in is too large already.
        if request.likely_max == request.min {
            return Ok(request.min);
        }
        let make = |weights: &Weights, tables: &mut Known| tables.of_ranges(&weights.lengths, place, weights);
        let table = self.table(place.key(3, 0, 0), make);
        let most = (request.max - request.min) as u64;
        let more = self.ranged(table, most, |rng| (request.random(rng) - request.min) as u64);
        Ok(request.min + more as usize)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.labels.open(bracket);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        self.labels.close();
        Ok(())
    }

    fn may_retry(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        true
    }
}

impl TunedChooser<'_> {
    /// An arm as often as it was counted. One that is absent stays so, and one that is not drawn at this size is not drawn.
    fn arm(&mut self, table: usize, request: &PickRequest<'_>) -> usize {
        let table = &mut self.tables.tables[table];
        if table.shares.is_empty() {
            return request.random(&mut self.rng);
        }
        if table.written != request.weights {
            table.sums = sums_of(&table.shares, table.own, request.weights);
            table.written.clear();
            table.written.extend_from_slice(request.weights);
        }
        let total = table.sums.last().copied().unwrap_or(0.0);
        if total == 0.0 {
            return request.random(&mut self.rng);
        }
        let drawn = (self.rng.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64) * total;
        // The first whose sum is above; those that are not drawn add nothing to it.
        let mut arm = 0;
        for sum in &table.sums {
            arm += usize::from(*sum <= drawn);
        }
        arm.min(table.sums.len() - 1)
    }
}

/// The share of each arm and of all before it. An arm that is absent, or not drawn at this size, has none.
fn sums_of(shares: &[f64], own: f64, weights: &[u32]) -> Vec<f64> {
    let written = |weight: u32| if weight == DORMANT { 0.0 } else { f64::from(weight) };
    let total: f64 = weights.iter().map(|weight| written(*weight)).sum();
    let (mut sums, mut sum) = (Vec::with_capacity(weights.len()), 0.0);
    for (arm, weight) in weights.iter().enumerate() {
        let weight = written(*weight);
        if weight > 0.0 {
            sum += shares.get(arm).copied().unwrap_or(0.0) + own * weight / total;
        }
        sums.push(sum);
    }
    sums
}

impl Known {
    fn find(&self, key: u128) -> Option<usize> {
        let mut at = self.start(key)?;
        loop {
            match self.slots[at] {
                (0, _) => return None,
                (other, table) if other == key => return Some(table as usize),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    fn start(&self, key: u128) -> Option<usize> {
        let mixed = ((key >> 64) as u64 ^ (key as u64).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some((mixed >> 32) as usize & self.slots.len().checked_sub(1)?)
    }

    fn insert(&mut self, key: u128, table: Table) -> usize {
        if self.tables.len() * 2 >= self.slots.len() {
            let slots = vec![(0, 0); (self.slots.len() * 2).max(16)];
            for (key, table) in std::mem::replace(&mut self.slots, slots) {
                if key != 0 {
                    self.put(key, table);
                }
            }
        }
        self.tables.push(table);
        self.put(key, self.tables.len() as u32 - 1);
        self.tables.len() - 1
    }

    fn put(&mut self, key: u128, table: u32) {
        let Some(mut at) = self.start(key) else { return };
        while self.slots[at].0 != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (key, table);
    }

    /// The table of numbers or lengths at a place.
    fn of_ranges(&mut self, counted: &[(String, Vec<f64>)], place: Place, weights: &Weights) -> Table {
        let mut label = place.text();
        if find(counted, &label).is_none() {
            label = place.by_itself().text();
        }
        let mut table = Table { own: weights.smoothing, ..Table::default() };
        let Some(counts) = find(counted, &label) else { return table };
        for count in counts.iter().take(RANGES) {
            table.total += count;
            table.shares.push(table.total);
        }
        for part in 0..GUIDE {
            let least = table.total * part as f64 / GUIDE as f64;
            table.guide.push(table.shares.partition_point(|share| *share <= least) as u8);
        }
        self.met.push(label);
        table
    }

    /// The table of a pick: what was counted at this depth, and at all depths together where there is little.
    fn of_arms(&mut self, weights: &Weights, place: Place, depth: u16, request: &PickRequest<'_>) -> Table {
        let (site, arms) = (request.site, request.weights.len());
        let mut label = place.text_of_pick(site);
        if weights.arms(&label).is_empty() {
            label = place.by_itself().text_of_pick(site);
        }
        let deep = at_depth(&label, depth);
        let counts = |label: &str, tables: &mut Known| {
            let counted = weights.arms(label);
            if !counted.is_empty() {
                tables.note(label, counted, site, arms);
            }
            counts_of(counted, site, arms, weights.is_inverted)
        };
        let everywhere = counts_of(weights.arms(EVERYWHERE), site, arms, weights.is_inverted);
        if weights.arms(EVERYWHERE).iter().any(|(name, _)| (0..arms).any(|arm| name_of(site, arm) == *name)) {
            self.met.push(EVERYWHERE.to_owned());
        }
        let (here, all) = (counts(&deep, self), counts(&label, self).or(everywhere));
        let smoothing = weights.smoothing;
        let (here, all) = match (here, all) {
            (None, None) => return Table::default(),
            (Some(here), None) => (here.clone(), here),
            (here, Some(all)) => {
                (here.unwrap_or_else(|| if smoothing > 0.0 { vec![0.0; arms] } else { all.clone() }), all)
            }
        };
        let total: f64 = all.iter().sum();
        let mut shares = here;
        if smoothing > 0.0 {
            for (share, all) in shares.iter_mut().zip(&all) {
                *share += smoothing * all / (total + smoothing);
            }
        }
        let own = if smoothing > 0.0 { smoothing * smoothing / (total + smoothing) } else { 0.0 };
        let sums = sums_of(&shares, own, request.weights);
        Table { shares, total, own, written: request.weights.to_vec(), sums, ..Table::default() }
    }

    fn note(&mut self, label: &str, counted: &[(String, f64)], site: &'static Site, arms: usize) {
        self.met.push(label.to_owned());
        for (name, _) in counted {
            let is_known = (0..arms).any(|arm| name_of(site, arm) == *name);
            if !is_known && !self.unknown.iter().any(|(_, other, _)| other == name) {
                self.unknown.push((label.to_owned(), name.clone(), site.labels()));
            }
        }
    }
}

/// How often each arm was chosen, or how much less than the one that was chosen most; `None` if none was.
fn counts_of(counted: &[(String, f64)], site: &'static Site, arms: usize, is_inverted: bool) -> Option<Vec<f64>> {
    let mut counts = Vec::with_capacity(arms);
    for arm in 0..arms {
        let name = name_of(site, arm);
        let count = counted.binary_search_by(|(other, _)| other.as_str().cmp(&name));
        counts.push(count.map_or(0.0, |place| counted[place].1));
    }
    let most = counts.iter().copied().fold(0.0, f64::max);
    if is_inverted {
        counts.iter_mut().for_each(|count| *count = most - *count);
    }
    (most > 0.0).then_some(counts)
}
