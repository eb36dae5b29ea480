use super::labels::{DEPTHS, Labels, Place, at_depth};
use super::ranges::Ranges;
use super::{EVERYWHERE, Weights, find, name_of};
use crate::choice::Site;
use crate::source::{Bracket, Chooser, DORMANT, Law, NumberRequest, PickRequest, RepeatRequest, Rng};
use std::sync::Arc;

/// A random source whose chances come from weights. What they do not speak of is drawn as ever.
///
/// It is used for one value after the other, and keeps what it worked out of the weights.
#[derive(Debug)]
pub(crate) struct TunedChooser {
    weights: Arc<Weights>,
    known: Known,
    labels: Labels,
    rng: Rng,
}

/// What is known of the places met so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Where the chances at a place are. At most a quarter of the slots is full, so that the first is nearly always the right one.
    slots: Vec<Slot>,
    filled: usize,
    /// The same for picks with which a generator begins, as most do: one more than the number of their chances, or 0, by site and depth.
    beginnings: Vec<u32>,
    ranges: Vec<Ranges>,
    arms: Vec<Arms>,
    /// Labels of the weights that were met.
    pub(crate) met: Vec<String>,
    /// Arms that the weights name and the generator does not have, with the labels of their picks and the arms there are.
    pub(crate) unknown: Vec<(String, String, &'static [&'static str])>,
}

/// A place, what is asked for there (0 in an empty slot), and which of the chances of that kind are for it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    place: u64,
    asked: u64,
    chances: usize,
}

/// What is asked for at a place, as it stands in a slot.
const NUMBER: u64 = 1;
const LENGTH: u64 = 2;
const PICK: u64 = 3;

/// The chances of the arms at one place.
#[derive(Debug, Default)]
struct Arms {
    /// Of each arm. Empty if nothing is known.
    shares: Vec<f64>,
    /// How much the weights that were written count.
    own: f64,
    /// The weights that were written when the limits were worked out. They are mostly the same the next time.
    written: Vec<u32>,
    /// Below which random number it is this arm or one before it; the last that is drawn has none. `None` if none is drawn.
    limits: Option<Vec<u64>>,
}

impl TunedChooser {
    pub(crate) fn new(weights: Arc<Weights>) -> TunedChooser {
        TunedChooser { weights, known: Known::default(), labels: Labels::new(0), rng: Rng::new(0) }
    }

    /// Begins a value: for this argument of a property, or what is drawn in its body; by itself a generator is the first argument.
    pub(crate) fn begin(&mut self, seed: u64, argument: u16) {
        self.rng = Rng::new(seed);
        self.labels.begin(argument);
    }

    pub(crate) fn known(&self) -> &Known {
        &self.known
    }
}

/// The answers, which are always there. A source that knows it is this chooser asks here, without a detour.
impl TunedChooser {
    #[inline(always)]
    pub(in crate::source) fn answer_number(&mut self, max: u64, law: &Law) -> u64 {
        let place = self.labels.place();
        if is_given(max, law) {
            return law.draw(max, &mut self.rng);
        }
        let chances = self.ranges_at(place, NUMBER);
        self.known.ranges[chances].draw(max, law, &mut self.rng)
    }

    /// Numbers that are items of a list, which all stand where the list does.
    pub(in crate::source) fn answer_numbers(&mut self, max: u64, law: &Law, numbers: &mut [u64]) {
        let place = self.labels.place();
        if is_given(max, law) {
            numbers.iter_mut().for_each(|number| *number = law.draw(max, &mut self.rng));
            return;
        }
        let chances = self.ranges_at(place, NUMBER);
        self.known.ranges[chances].draw_items(max, law, &mut self.rng, numbers);
    }

    #[inline(always)]
    pub(in crate::source) fn answer_pick(&mut self, request: &PickRequest<'_>) -> usize {
        let site = request.site.id();
        let (place, depth) = self.labels.place_of_pick(site);
        let asked = PICK << 56 | u64::from(depth) << 32 | u64::from(site);
        let beginning = site as usize * DEPTHS + usize::from(depth);
        let chances = match self.known.beginnings.get(beginning) {
            Some(known) if *known > 0 && place.is_beginning_of(site) => *known as usize - 1,
            _ => match self.known.find(place.number(), asked) {
                Some(chances) => chances,
                None => self.known.add_arms(&self.weights, place, (depth, asked), request),
            },
        };
        let arm = self.known.arms[chances].draw(request, &mut self.rng);
        self.labels.picked(site, arm);
        arm
    }

    #[inline(always)]
    pub(in crate::source) fn answer_repeat(&mut self, request: &RepeatRequest) -> usize {
        let place = self.labels.place();
        self.labels.open_list(place);
        // A list that must not be drawn longer than it has to, because what it is in is too large already.
        if request.likely_max == request.min {
            return request.min;
        }
        let chances = self.ranges_at(place, LENGTH);
        let most = (request.max - request.min) as u64;
        let own = |rng: &mut Rng| (request.random(rng) - request.min) as u64;
        request.min + self.known.ranges[chances].draw_or(most, &mut self.rng, own) as usize
    }

    #[inline(always)]
    pub(in crate::source) fn open_call(&mut self, site: &'static Site) {
        self.labels.open_call(site);
    }

    #[inline(always)]
    pub(in crate::source) fn open_part(&mut self) {
        self.labels.open(Bracket::Part);
    }

    #[inline(always)]
    pub(in crate::source) fn close_bracket(&mut self) {
        self.labels.close();
    }

    #[inline(always)]
    fn ranges_at(&mut self, place: Place, asked: u64) -> usize {
        match self.known.find(place.number(), asked) {
            Some(chances) => chances,
            None => self.known.add_ranges(&self.weights, place, asked),
        }
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

    fn numbers(&mut self, request: &NumberRequest, numbers: &mut [u64]) -> Result<(), String> {
        self.answer_numbers(request.max, &request.law, numbers);
        Ok(())
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

/// Apart, since it is rare and needs much room.
#[cold]
#[inline(never)]
fn own_arm(request: &PickRequest<'_>, rng: &mut Rng) -> usize {
    request.random(rng)
}

impl Arms {
    /// An arm as often as it was counted. One that is absent stays so, and one that is not drawn at this size is not drawn.
    #[inline(always)]
    fn draw(&mut self, request: &PickRequest<'_>, rng: &mut Rng) -> usize {
        let is_same = self.written.len() == request.weights.len()
            && self.written.iter().zip(request.weights).all(|(before, now)| before == now);
        if !is_same {
            self.limit(request.weights);
        }
        let Some(limits) = &self.limits else { return own_arm(request, rng) };
        let drawn = rng.next();
        // The first whose limit is above; those that are not drawn have the limit of the one before.
        let mut arm = 0;
        for limit in limits {
            arm += usize::from(*limit <= drawn);
        }
        arm
    }

    /// Works out the limits for these weights.
    #[cold]
    #[inline(never)]
    fn limit(&mut self, weights: &[u32]) {
        self.written.clear();
        self.written.extend_from_slice(weights);
        self.limits = None;
        if self.shares.is_empty() {
            return;
        }
        let written = |weight: u32| if weight == DORMANT { 0.0 } else { f64::from(weight) };
        let all_written: f64 = weights.iter().map(|weight| written(*weight)).sum();
        let (mut sums, mut sum) = (Vec::with_capacity(weights.len()), 0.0);
        for (arm, weight) in weights.iter().enumerate() {
            let weight = written(*weight);
            if weight > 0.0 {
                sum += self.shares.get(arm).copied().unwrap_or(0.0) + self.own * weight / all_written;
            }
            sums.push(sum);
        }
        if sum == 0.0 {
            return;
        }
        let below = sums.iter().take_while(|here| **here < sum);
        self.limits = Some(below.map(|here| (here / sum * 2f64.powi(64)) as u64).collect());
    }
}

impl Known {
    #[inline(always)]
    fn find(&self, place: u64, asked: u64) -> Option<usize> {
        let mut at = self.start(place, asked);
        loop {
            let slot = self.slots.get(at)?;
            if slot.place == place && slot.asked == asked {
                return Some(slot.chances);
            }
            if slot.asked == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[inline(always)]
    fn start(&self, place: u64, asked: u64) -> usize {
        let mixed = (place ^ asked.rotate_left(24)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
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
        slot.chances
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.start(slot.place, slot.asked);
        while self.slots[at].asked != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    /// The chances of numbers or lengths at a place.
    #[cold]
    #[inline(never)]
    fn add_ranges(&mut self, weights: &Weights, place: Place, asked: u64) -> usize {
        let counted = if asked == NUMBER { &weights.numbers } else { &weights.lengths };
        let mut label = place.text();
        if find(counted, &label).is_none() {
            label = place.by_itself().text();
        }
        let counts = find(counted, &label);
        if counts.is_some() {
            self.met.push(label);
        }
        let counts = counts.map_or(&[][..], Vec::as_slice);
        let ranges = Ranges::new(counts, weights.smoothing, weights.is_inverted);
        self.ranges.push(ranges);
        self.insert(Slot { place: place.number(), asked, chances: self.ranges.len() - 1 })
    }

    #[cold]
    #[inline(never)]
    fn add_arms(
        &mut self,
        weights: &Weights,
        place: Place,
        (depth, asked): (u16, u64),
        request: &PickRequest<'_>,
    ) -> usize {
        let arms = self.arms_at(weights, place, depth, request);
        self.arms.push(arms);
        let site = request.site.id();
        if place.is_beginning_of(site) {
            let beginning = site as usize * DEPTHS + usize::from(depth);
            self.beginnings.resize(self.beginnings.len().max(beginning + 1), 0);
            self.beginnings[beginning] = self.arms.len() as u32;
        }
        self.insert(Slot { place: place.number(), asked, chances: self.arms.len() - 1 })
    }

    /// The chances of a pick: what was counted at this depth, and at all depths together where there is little.
    fn arms_at(&mut self, weights: &Weights, place: Place, depth: u16, request: &PickRequest<'_>) -> Arms {
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
            (None, None) => return Arms::default(),
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
        Arms { shares, own, ..Arms::default() }
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
