use super::labels::{DEPTHS, Labels, Mark, Place, at_depth};
use super::ranges::{Items, Ranges};
use super::{EVERYWHERE, Weights, WeightsError, counted_at, name_of};
use crate::choice::Site;
use crate::source::{Bracket, Chooser, DORMANT, Law, NumberRequest, PickRequest, RepeatRequest, Rng};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// A random source whose chances come from weights. What they do not speak of is drawn as ever.
///
/// It is used for one value after the other, and keeps what it worked out of the weights.
#[derive(Debug)]
pub(crate) struct TunedChooser {
    weights: Arc<Weights>,
    home: Weak<Home>,
    known: Known,
    labels: Labels,
    rng: Rng,
}

/// Where those are that drew by the same weights before, with what they worked out. There are as many as values were made at the same time.
#[derive(Debug, Default)]
pub(crate) struct Home(Mutex<Choosers>);

/// Boxed, since each is lent to a source, and goes there and back as it is.
type Choosers = Vec<Box<TunedChooser>>;

/// What is known of the places met so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Where the chances at a place are. At most a quarter of the slots is full, so that the first is nearly always the right one.
    slots: Vec<Slot>,
    filled: usize,
    /// For picks with which a generator begins, as most do, by site and depth: one more than the number of their chances, or 0.
    beginnings: Vec<u32>,
    ranges: Vec<Ranges>,
    arms: Vec<Arms>,
    /// The sites at which something was asked.
    sites: Vec<u32>,
    /// Labels of the weights that were met.
    pub(crate) met: Vec<String>,
    /// The arms of picks that were met, if the weights name some [wherever they stand](EVERYWHERE).
    pub(crate) everywhere: Vec<String>,
    /// Arms that the weights name and the generator does not have, with the labels of their picks and the arms there are.
    pub(crate) unknown: Vec<(String, String, &'static [&'static str])>,
}

/// A place, what is asked for there (0 in an empty slot), and which of the chances of that kind are for it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    place: Place,
    asked: u32,
    chances: u32,
}

/// What is asked for at a place, as it stands in a slot: a number.
const NUMBER: u32 = 2;

/// The length of a list at a depth.
#[inline(always)]
fn length_of(depth: u16) -> u32 {
    u32::from(depth) << 3 | 4
}

/// The arm of a site at a depth. It is odd, and there are fewer than 2^28 sites.
#[inline(always)]
fn pick_of(site: u32, depth: u16) -> u32 {
    const { assert!(DEPTHS <= 8) };
    site << 4 | u32::from(depth) << 1 | 1
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

/// The weight that was written for an arm when its limit was worked out: it is mostly the same the next time. And below which random number of 63 bits it
/// is this arm or one before it; none is above that of the last that is drawn.
#[derive(Clone, Copy, Debug)]
struct Limit {
    written: u32,
    below: u64,
}

impl TunedChooser {
    /// Whether it draws by these weights, and not only by the same.
    #[inline(always)]
    pub(in crate::source) fn draws_by(&self, weights: &Arc<Weights>) -> bool {
        Arc::ptr_eq(&self.weights, weights)
    }

    #[cold]
    #[inline(never)]
    pub(in crate::source) fn go_home(self: Box<TunedChooser>) {
        if let Some(home) = self.home.upgrade() {
            home.choosers().push(self);
        }
    }

    /// Where chance stands.
    pub(in crate::source) fn chance(&self) -> Rng {
        self.rng.clone()
    }

    pub(in crate::source) fn set_chance(&mut self, chance: Rng) {
        self.rng = chance;
    }

    /// Begins a value: for this argument of a property, or what is drawn in its body; by itself a generator is the first argument.
    pub(crate) fn begin(&mut self, seed: u64, argument: u16) {
        self.rng = Rng::new(seed);
        self.labels.begin(argument);
    }
}

impl Home {
    /// One that knows as much as any, or a new one.
    #[cold]
    #[inline(never)]
    pub(crate) fn chooser(self: &Arc<Home>, weights: &Arc<Weights>) -> Box<TunedChooser> {
        let rested = self.choosers().pop();
        rested.unwrap_or_else(|| {
            let (weights, home) = (Arc::clone(weights), Arc::downgrade(self));
            Box::new(TunedChooser { weights, home, known: Known::default(), labels: Labels::new(0), rng: Rng::new(0) })
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

/// The answers, which are always there. A source that knows it is this chooser asks here, without a detour.
///
/// Nearly always a place was met before, and one random number is enough. What else there is goes its own way to the end, so that nothing has to be
/// kept for it.
impl TunedChooser {
    #[inline(always)]
    pub(in crate::source) fn answer_number(&mut self, max: u64, law: &Law) -> u64 {
        let place = self.labels.place();
        if !is_given(max, law)
            && let Some(chances) = self.known.find(place, NUMBER)
            && let Some(index) = self.known.ranges[chances].draw_quickly(max, &mut self.rng)
        {
            return index;
        }
        self.number_at(place, max, law)
    }

    #[inline(never)]
    fn number_at(&mut self, place: Place, max: u64, law: &Law) -> u64 {
        if is_given(max, law) {
            return law.draw(max, &mut self.rng);
        }
        let chances = self.known.numbers_at(place, &self.weights);
        self.known.ranges[chances].draw_by(law, max, &mut self.rng)
    }

    /// What draws the items of a list, and its random numbers. They all stand where the list does, so this is looked up once for all of them. `None` if
    /// they are to be asked for one by one.
    #[inline(always)]
    pub(in crate::source) fn items(&mut self, max: u64, law: &Law) -> Option<(&Items, &mut Rng)> {
        if is_given(max, law) {
            return None;
        }
        let chances = self.known.numbers_at(self.labels.here(), &self.weights);
        let items = self.known.ranges[chances].items(max, law)?;
        Some((items, &mut self.rng))
    }

    #[inline(always)]
    pub(in crate::source) fn answer_pick(&mut self, request: &PickRequest<'_>) -> usize {
        let site = request.site.known_id();
        let (place, depth) = self.labels.place_of_pick(site);
        if let Some(chances) = self.known.arms_at(place, depth, site) {
            let mut rng = self.rng.clone();
            let (arm, is_drawn) = self.known.arms[chances].arm_at(rng.next() >> 1, request.weights);
            if is_drawn {
                self.rng = rng;
                self.labels.picked(site, arm);
                return arm;
            }
        }
        self.other_pick(request)
    }

    #[inline(never)]
    fn other_pick(&mut self, request: &PickRequest<'_>) -> usize {
        let site = request.site.id();
        let (place, depth) = self.labels.place_of_pick(site);
        let chances = match self.known.arms_at(place, depth, site) {
            Some(chances) => chances,
            None => self.known.add_arms(&self.weights, place, depth, request),
        };
        let arm = self.known.arms[chances].draw(request, &mut self.rng);
        self.labels.picked(site, arm);
        arm
    }

    #[inline(always)]
    pub(in crate::source) fn answer_repeat(&mut self, request: &RepeatRequest) -> usize {
        let (place, depth) = self.labels.place_of_list();
        self.labels.open_list(place);
        if request.likely_max != request.min
            && let Some(chances) = self.known.find(place, length_of(depth))
        {
            let most = (request.max - request.min) as u64;
            if let Some(more) = self.known.ranges[chances].draw_quickly(most, &mut self.rng) {
                return request.min + more as usize;
            }
        }
        self.repeat_at(place, depth, request)
    }

    #[inline(never)]
    fn repeat_at(&mut self, place: Place, depth: u16, request: &RepeatRequest) -> usize {
        // A list that must not be drawn longer than it has to, because what it is in is too large already.
        if request.likely_max == request.min {
            return request.min;
        }
        let chances = match self.known.find(place, length_of(depth)) {
            Some(chances) => chances,
            None => self.known.add_lengths(&self.weights, place, depth),
        };
        let most = (request.max - request.min) as u64;
        let own = |rng: &mut Rng| (request.random(rng) - request.min) as u64;
        request.min + self.known.ranges[chances].draw(most, &mut self.rng, own) as usize
    }

    #[inline(always)]
    pub(in crate::source) fn open_call(&mut self, site: &'static Site) {
        self.labels.open_call(site);
    }

    #[inline(always)]
    pub(in crate::source) fn open_part(&mut self) {
        self.labels.open_part();
    }

    #[inline(always)]
    pub(in crate::source) fn close_bracket(&mut self) {
        self.labels.close();
    }
}

/// For who fills the holes of a sketch: where they are is shown, and not asked for.
impl TunedChooser {
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
fn is_given(max: u64, law: &Law) -> bool {
    max == 0 || matches!(law, Law::Always(_))
}

impl Chooser for TunedChooser {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(self.answer_number(request.max, &request.law))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        Ok(self.answer_pick(request))
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(self.answer_repeat(request))
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

impl Arms {
    /// An arm as often as it was counted. One that is absent stays so, and one that is not drawn at this size is not drawn.
    fn draw(&mut self, request: &PickRequest<'_>, rng: &mut Rng) -> usize {
        let drawn = rng.next() >> 1;
        let (arm, is_drawn) = self.arm_at(drawn, request.weights);
        if is_drawn {
            return arm;
        }
        self.limit(request.weights);
        if self.is_limited { self.arm_at(drawn, request.weights).0 } else { request.random(rng) }
    }

    /// The first arm whose limit is above; those that are not drawn have the limit of the one before. And whether the limits say so for these weights.
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
    #[inline(always)]
    fn find(&self, place: Place, asked: u32) -> Option<usize> {
        let mut at = self.start(place, asked);
        loop {
            let slot = self.slots.get(at)?;
            if slot.place == place && slot.asked == asked {
                return Some(slot.chances as usize);
            }
            if slot.asked == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[inline(always)]
    fn start(&self, place: Place, asked: u32) -> usize {
        let mixed = (place.number() ^ u64::from(asked) << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize & self.slots.len().wrapping_sub(1)
    }

    fn insert(&mut self, slot: Slot) -> usize {
        if self.filled * 4 >= self.slots.len() {
            let more = vec![Slot::default(); (self.slots.len() * 2).max(64)];
            for slot in std::mem::replace(&mut self.slots, more) {
                if slot.asked != 0 {
                    self.put(slot);
                }
            }
        }
        self.filled += 1;
        self.put(slot);
        slot.chances as usize
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.start(slot.place, slot.asked);
        while self.slots[at].asked != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    /// Which are the chances of numbers at a place.
    #[inline(always)]
    fn numbers_at(&mut self, place: Place, weights: &Weights) -> usize {
        match self.find(place, NUMBER) {
            Some(chances) => chances,
            None => self.add_numbers(weights, place),
        }
    }

    /// Which are the chances of a pick. Most generators begin with one.
    #[inline(always)]
    fn arms_at(&self, place: Place, depth: u16, site: u32) -> Option<usize> {
        if place.is_beginning_of(site) {
            let known = *self.beginnings.get(site as usize * DEPTHS + usize::from(depth))?;
            return (known as usize).checked_sub(1);
        }
        self.find(place, pick_of(site, depth))
    }

    #[cold]
    #[inline(never)]
    fn add_numbers(&mut self, weights: &Weights, place: Place) -> usize {
        let counts = self.counted(&weights.numbers, place, str::to_owned).unwrap_or_default();
        let ranges = Ranges::new(&counts, weights.smoothing, weights.is_inverted);
        self.add_ranges(ranges.with_again(weights.again_at(place)), place, NUMBER)
    }

    /// The chances of a length: what was counted at this depth, and at all depths together where there is little.
    #[cold]
    #[inline(never)]
    fn add_lengths(&mut self, weights: &Weights, place: Place, depth: u16) -> usize {
        let here = self.counted(&weights.lengths, place, |label| at_depth(label, depth));
        let all = self.counted(&weights.lengths, place, str::to_owned);
        let (shares, own) = backed_off(here, all, weights.smoothing).unwrap_or_default();
        self.add_ranges(Ranges::new(&shares, own, weights.is_inverted), place, length_of(depth))
    }

    fn add_ranges(&mut self, ranges: Ranges, place: Place, asked: u32) -> usize {
        self.meet(place.site());
        self.ranges.push(ranges);
        self.insert(Slot { place, asked, chances: self.ranges.len() as u32 - 1 })
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
        let (site, chances) = (request.site.id(), self.arms.len() - 1);
        self.meet(place.site());
        self.meet(site);
        if !place.is_beginning_of(site) {
            return self.insert(Slot { place, asked: pick_of(site, depth), chances: chances as u32 });
        }
        let beginning = site as usize * DEPTHS + usize::from(depth);
        self.beginnings.resize(self.beginnings.len().max(beginning + 1), 0);
        self.beginnings[beginning] = chances as u32 + 1;
        chances
    }

    /// The chances of a pick: what was counted at this depth, and at all depths together where there is little.
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

/// Shares by what was counted here, to which what was counted in all such places counts as much as `smoothing` examples, and to that in turn the generator's
/// own chances, whose share comes last. `None` if nothing was counted.
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
