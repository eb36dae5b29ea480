use super::labels::{Labels, Mark, Place, at_depth};
use super::ranges::Ranges;
use super::{EVERYWHERE, Weights, WeightsError, counted_at, name_of};
use crate::choice::Site;
use crate::source::{Bracket, Chooser, DORMANT, Distribution, NumberRequest, PickRequest, RepeatRequest, Rng};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// A random source whose chances come from weights. What they do not speak of is drawn as ever.
///
/// It is used for one value after the other, and keeps what it worked out of the weights.
#[derive(Debug)]
pub(crate) struct TunedChooser {
    weights: Arc<Weights>,
    cache: Weak<ChooserCache>,
    known: Known,
    labels: Labels,
    rng: Rng,
}

/// The choosers that drew by the same weights before, with what they worked out: as many as values
/// were made at the same time.
#[derive(Debug, Default)]
pub(crate) struct ChooserCache(Mutex<Choosers>);

/// Boxed, since each moves into a source and back.
type Choosers = Vec<Box<TunedChooser>>;

/// What is known of the places met so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Which of the chances are for a place.
    places: HashMap<(Place, Asked), usize, BuildHasherDefault<PlaceHasher>>,
    ranges: Vec<Ranges>,
    arms: Vec<Arms>,
    /// The sites at which something was asked.
    sites: Vec<u32>,
    /// Labels of the weights that were met.
    pub(crate) met: Vec<String>,
    /// The arms of picks that were met, if the weights name some [wherever they stand](EVERYWHERE).
    pub(crate) everywhere: Vec<String>,
    /// Arms that the weights name and the generator does not have, with the labels of their picks
    /// and the arms there are.
    pub(crate) unknown: Vec<(String, String, &'static [&'static str])>,
}

/// A hash of a few numbers that no attacker chooses: a place is looked up for every choice.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

/// What is asked for at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Asked {
    Number,
    /// The length of a list at a depth.
    Length(u16),
    /// The arm of a site at a depth.
    Pick(u32, u16),
}

/// The chances of the arms at one place.
#[derive(Debug, Default)]
struct Arms {
    /// Of each arm. Empty if nothing is known.
    shares: Vec<f64>,
    /// How much the weights that were written count.
    own: f64,
    limits: Vec<Limit>,
    /// Whether the limits say what is drawn. Otherwise the weights that were written do.
    is_limited: bool,
}

/// The weight that was written for an arm when its limit was worked out: it is mostly the same the
/// next time. And below which random number of 63 bits it is this arm or one before it; none is
/// above that of the last that is drawn.
#[derive(Clone, Copy, Debug)]
struct Limit {
    written: u32,
    below: u64,
}

impl TunedChooser {
    /// Returns to its cache.
    pub(in crate::source) fn release(self: Box<TunedChooser>) {
        if let Some(cache) = self.cache.upgrade() {
            cache.choosers().push(self);
        }
    }

    /// Where chance stands.
    pub(in crate::source) fn chance(&self) -> Rng {
        self.rng.clone()
    }

    pub(in crate::source) fn set_chance(&mut self, chance: Rng) {
        self.rng = chance;
    }

    /// Begins a value: for this argument of a property, or what is drawn in its body; by itself a
    /// generator is the first argument.
    pub(crate) fn begin(&mut self, seed: u64, argument: u16) {
        self.rng = Rng::new(seed);
        self.labels.begin(argument);
    }
}

impl ChooserCache {
    /// A cached chooser, or a new one.
    pub(crate) fn chooser(self: &Arc<ChooserCache>, weights: &Arc<Weights>) -> Box<TunedChooser> {
        let cached = self.choosers().pop();
        cached.unwrap_or_else(|| {
            let (weights, cache) = (Arc::clone(weights), Arc::downgrade(self));
            Box::new(TunedChooser { weights, cache, known: Known::default(), labels: Labels::new(0), rng: Rng::new(0) })
        })
    }

    /// What of the weights was not known by what was drawn so far.
    pub(crate) fn check(&self, weights: &Weights) -> Result<(), WeightsError> {
        let mut known = Known::default();
        for tuned in &*self.choosers() {
            known.sites.extend_from_slice(&tuned.known.sites);
            known.met.extend_from_slice(&tuned.known.met);
            known.everywhere.extend_from_slice(&tuned.known.everywhere);
            known.unknown.extend_from_slice(&tuned.known.unknown);
        }
        if known.sites.is_empty() { Ok(()) } else { weights.check(&known) }
    }

    fn choosers(&self) -> MutexGuard<'_, Choosers> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// For who fills the holes of a sketch: where they are is shown, and not asked for.
impl TunedChooser {
    pub(in crate::source) fn open_call(&mut self, site: &'static Site) {
        self.labels.open_call(site);
    }

    pub(in crate::source) fn open_part(&mut self) {
        self.labels.open_part();
    }

    pub(in crate::source) fn open_shown_list(&mut self) {
        let (place, _) = self.labels.place_of_list();
        self.labels.open_list(place);
    }

    pub(in crate::source) fn enter_arm(&mut self, site: &'static Site, arm: usize) {
        self.labels.picked(site.id(), arm);
    }

    pub(in crate::source) fn open_count(&self) -> usize {
        self.labels.open_count()
    }

    pub(in crate::source) fn close_to(&mut self, open_count: usize) {
        self.labels.close_to(open_count);
    }

    pub(in crate::source) fn mark(&self) -> Mark {
        self.labels.mark()
    }

    pub(in crate::source) fn restore(&mut self, mark: Mark) {
        self.labels.restore(mark);
    }
}

/// Whether there is nothing to choose. A size is a parameter.
#[inline(always)]
fn is_given(max: u64, distribution: &Distribution) -> bool {
    max == 0 || matches!(distribution, Distribution::Always(_))
}

impl Chooser for TunedChooser {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let NumberRequest { max, distribution } = *request;
        let place = self.labels.place();
        if is_given(max, &distribution) {
            return Ok(distribution.draw(max, &mut self.rng));
        }
        let chances = self.known.numbers_at(place, &self.weights);
        Ok(self.known.ranges[chances].draw_by(&distribution, max, &mut self.rng))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let site = request.site.id();
        let (place, depth) = self.labels.place_of_pick(site);
        let chances = match self.known.find(place, Asked::Pick(site, depth)) {
            Some(chances) => chances,
            None => self.known.add_arms(&self.weights, place, depth, request),
        };
        let arm = self.known.arms[chances].draw(request, &mut self.rng);
        self.labels.picked(site, arm);
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let (place, depth) = self.labels.place_of_list();
        self.labels.open_list(place);
        // The value is too large already, so the list gets the fewest items.
        if request.likely_max == request.min {
            return Ok(request.min);
        }
        let chances = match self.known.find(place, Asked::Length(depth)) {
            Some(chances) => chances,
            None => self.known.add_lengths(&self.weights, place, depth),
        };
        let most = (request.max - request.min) as u64;
        let own = |rng: &mut Rng| (request.random(rng) - request.min) as u64;
        Ok(request.min + self.known.ranges[chances].draw(most, &mut self.rng, own) as usize)
    }

    fn numbers(&mut self, request: &NumberRequest, numbers: &mut [u64]) -> Result<(), String> {
        let NumberRequest { max, distribution } = *request;
        if is_given(max, &distribution) {
            for number in numbers {
                *number = distribution.draw(max, &mut self.rng);
            }
            return Ok(());
        }
        // All items have the place of their list.
        let chances = self.known.numbers_at(self.labels.here(), &self.weights);
        self.known.ranges[chances].fill(&distribution, max, &mut self.rng, numbers);
        Ok(())
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.labels.open(bracket);
        Ok(())
    }

    fn close(&mut self) {
        self.labels.close();
    }

    fn may_retry(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        true
    }
}

impl Arms {
    /// An arm as often as it was counted. One that is absent stays so, and one that is not drawn at
    /// this size is not drawn.
    fn draw(&mut self, request: &PickRequest<'_>, rng: &mut Rng) -> usize {
        let drawn = rng.next() >> 1;
        let (arm, is_drawn) = self.arm_at(drawn, request.weights);
        if is_drawn {
            return arm;
        }
        self.limit(request.weights);
        if self.is_limited { self.arm_at(drawn, request.weights).0 } else { request.random(rng) }
    }

    /// The first arm whose limit is above; those that are not drawn have the limit of the one
    /// before. And whether the limits say so for these weights.
    #[inline(always)]
    fn arm_at(&self, drawn: u64, weights: &[u32]) -> (usize, bool) {
        if self.limits.len() != weights.len() {
            return (0, false);
        }
        let (mut arm, mut changed) = (0, 0);
        for (limit, weight) in self.limits.iter().zip(weights) {
            arm += usize::from(limit.below <= drawn);
            changed |= limit.written ^ weight;
        }
        (arm, changed == 0 && self.is_limited)
    }

    /// Works out the limits for these weights.
    fn limit(&mut self, weights: &[u32]) {
        let written = |weight: u32| if weight == DORMANT { 0.0 } else { f64::from(weight) };
        let all_written: f64 = weights.iter().map(|weight| written(*weight)).sum();
        let (mut sums, mut sum) = (Vec::with_capacity(weights.len()), 0.0);
        for (arm, weight) in weights.iter().enumerate() {
            let weight = written(*weight);
            if weight > 0.0 && !self.shares.is_empty() {
                sum += self.shares.get(arm).copied().unwrap_or(0.0) + self.own * weight / all_written;
            }
            sums.push(sum);
        }
        self.is_limited = sum > 0.0;
        self.limits.clear();
        for (written, here) in weights.iter().zip(sums) {
            let below = if here < sum { (here / sum * 2f64.powi(63)) as u64 } else { u64::MAX };
            self.limits.push(Limit { written: *written, below });
        }
    }
}

impl Known {
    fn find(&self, place: Place, asked: Asked) -> Option<usize> {
        self.places.get(&(place, asked)).copied()
    }

    /// Which are the chances of numbers at a place.
    #[inline(always)]
    fn numbers_at(&mut self, place: Place, weights: &Weights) -> usize {
        match self.find(place, Asked::Number) {
            Some(chances) => chances,
            None => self.add_numbers(weights, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_numbers(&mut self, weights: &Weights, place: Place) -> usize {
        let counts = self.counted(&weights.numbers, place, str::to_owned).unwrap_or_default();
        let ranges = Ranges::new(&counts, weights.smoothing, weights.is_inverted);
        self.add_ranges(ranges.with_again(weights.again_at(place)), place, Asked::Number)
    }

    /// The chances of a length: what was counted at this depth, and at all depths together where
    /// there is little.
    #[cold]
    #[inline(never)]
    fn add_lengths(&mut self, weights: &Weights, place: Place, depth: u16) -> usize {
        let here = self.counted(&weights.lengths, place, |label| at_depth(label, depth));
        let all = self.counted(&weights.lengths, place, str::to_owned);
        let (shares, own) = backed_off(here, all, weights.smoothing).unwrap_or_default();
        self.add_ranges(Ranges::new(&shares, own, weights.is_inverted), place, Asked::Length(depth))
    }

    fn add_ranges(&mut self, ranges: Ranges, place: Place, asked: Asked) -> usize {
        self.meet(place.site());
        self.ranges.push(ranges);
        self.places.insert((place, asked), self.ranges.len() - 1);
        self.ranges.len() - 1
    }

    /// What was counted at a place, and that it was met.
    fn counted(
        &mut self,
        table: &[(String, Vec<f64>)],
        place: Place,
        label_of: impl Fn(&str) -> String,
    ) -> Option<Vec<f64>> {
        let (label, counts) = counted_at(table, place, label_of)?;
        self.met.push(label);
        Some(counts.clone())
    }

    #[cold]
    #[inline(never)]
    fn add_arms(&mut self, weights: &Weights, place: Place, depth: u16, request: &PickRequest<'_>) -> usize {
        let arms = self.learned_arms(weights, place, depth, request);
        self.arms.push(arms);
        let site = request.site.id();
        self.meet(place.site());
        self.meet(site);
        self.places.insert((place, Asked::Pick(site, depth)), self.arms.len() - 1);
        self.arms.len() - 1
    }

    /// The chances of a pick: what was counted at this depth, and at all depths together where
    /// there is little.
    fn learned_arms(&mut self, weights: &Weights, place: Place, depth: u16, request: &PickRequest<'_>) -> Arms {
        let (site, arms) = (request.site, request.weights.len());
        let label = weights.label_of_arms(place, site);
        let deep = at_depth(&label, depth);
        let counts = |label: &str, tables: &mut Known| {
            let counted = weights.arms(label);
            if !counted.is_empty() {
                tables.note(label, counted, site, arms);
            }
            counts_of(counted, site, arms, weights.is_inverted)
        };
        let everywhere = counts_of(weights.arms(EVERYWHERE), site, arms, weights.is_inverted);
        for arm in 0..if weights.arms(EVERYWHERE).is_empty() { 0 } else { arms } {
            let name = name_of(site, arm);
            if weights.arms(EVERYWHERE).iter().any(|(other, _)| *other == name) {
                self.met.push(EVERYWHERE.to_owned());
            }
            if !self.everywhere.contains(&name) {
                self.everywhere.push(name);
            }
        }
        let (here, all) = (counts(&deep, self), counts(&label, self).or(everywhere));
        match backed_off(here, all, weights.smoothing) {
            Some((shares, own)) => Arms { shares, own, ..Arms::default() },
            None => Arms::default(),
        }
    }

    fn meet(&mut self, site: u32) {
        if !self.sites.contains(&site) {
            self.sites.push(site);
        }
    }

    /// Whether a label is of a generator that was met, if not at this place: it may be a rare one.
    pub(super) fn is_of_met_generator(&self, label: &str) -> bool {
        self.sites.iter().any(|site| match Site::by_id(*site) {
            Some(site) => label.starts_with(&site.label_of_place()),
            None => ["top.", "draw.", "argument "].iter().any(|outside| label.starts_with(outside)),
        })
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

/// Shares by what was counted here, to which what was counted in all such places counts as much as
/// `smoothing` examples, and to that in turn the generator's own chances, whose share comes last.
/// `None` if nothing was counted.
fn backed_off(here: Option<Vec<f64>>, all: Option<Vec<f64>>, smoothing: f64) -> Option<(Vec<f64>, f64)> {
    let (mut shares, all) = match (here, all) {
        (None, None) => return None,
        (Some(here), None) => (here.clone(), here),
        (Some(here), Some(all)) => (here, all),
        (None, Some(all)) => (if smoothing > 0.0 { Vec::new() } else { all.clone() }, all),
    };
    if smoothing == 0.0 {
        return Some((shares, 0.0));
    }
    let total = all.iter().sum::<f64>() + smoothing;
    shares.resize(shares.len().max(all.len()), 0.0);
    for (share, all) in shares.iter_mut().zip(&all) {
        *share += smoothing * all / total;
    }
    Some((shares, smoothing * smoothing / total))
}

/// How often each arm was chosen, or as much less as it was chosen more; `None` if none was.
pub(super) fn counts_of(
    counted: &[(String, f64)],
    site: &'static Site,
    arms: usize,
    is_inverted: bool,
) -> Option<Vec<f64>> {
    let mut counts = Vec::with_capacity(arms);
    for arm in 0..arms {
        let name = name_of(site, arm);
        let count = counted.binary_search_by(|(other, _)| other.as_str().cmp(&name));
        counts.push(count.map_or(0.0, |place| counted[place].1));
    }
    if counts.iter().all(|count| *count == 0.0) {
        return None;
    }
    if is_inverted {
        invert(&mut counts);
    }
    Some(counts)
}

/// Shares the same total by the reciprocals of the counts, as *Inputs from Hell* does: if some are
/// 0, these have it all.
fn invert(counts: &mut [f64]) {
    let is_any_zero = counts.contains(&0.0);
    let reciprocal = |count: f64| match is_any_zero {
        true => f64::from(u8::from(count == 0.0)),
        false => 1.0 / count,
    };
    let (total, reciprocals) =
        counts.iter().fold((0.0, 0.0), |(total, sum), count| (total + count, sum + reciprocal(*count)));
    counts.iter_mut().for_each(|count| *count = total * reciprocal(*count) / reciprocals);
}
