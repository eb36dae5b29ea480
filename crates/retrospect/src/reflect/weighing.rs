//! Looking at a value to find out how likely it is: all ways, each choice with its chance.
//!
//! Whatever steers a random source is followed here too: the size, the levels of recursive
//! generators, arms that are not drawn at size 0.

use super::by_weights::unknown_law;
use super::forest::Builder;
use super::{ByWeights, Mode, Probability, Reflected, Reflector, Walk};
use crate::choice::{Entry, Site};
use crate::source::{
    Bracket, Chance, Distribution, Extent, LEVELS_PER_SIZE, PickRequest, Place, PlaceMark, RepeatRequest, Weights,
    picks_of_repeat,
};
use std::fmt;
use std::sync::Arc;

/// Why it is not known how likely a value is.
///
/// ```
/// use retrospect::prelude::*;
/// let lengths = vec_of(any::<u8>(), ..).map(|list| list.len());
/// let error = lengths.ways_of(&3).probability().unwrap_err();
/// assert!(error.reason().ends_with("has no inverse: use map_with_inverse"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotKnown {
    reason: String,
}

impl NotKnown {
    pub(crate) fn new(reason: impl Into<String>) -> NotKnown {
        NotKnown { reason: reason.into() }
    }

    /// What stands in the way.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let even = any::<u64>().filter(|number| number % 2 == 0);
    /// let error = even.ways_of(&4).probability().unwrap_err();
    /// assert!(error.reason().contains("there are too many values to go through"));
    /// ```
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for NotKnown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the probability is not known: {}", self.reason)
    }
}

impl std::error::Error for NotKnown {}

impl Reflector {
    /// A reflector that follows every way that a random source of this size can take, and notes how
    /// likely each choice is.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{Probability, Reflector};
    /// let mut reflector = Reflector::weighing(100);
    /// one_of((0..=5, 3..=9)).reflect(&4, &mut reflector).unwrap();
    /// let probability = reflector.into_forest().probability().unwrap();
    /// assert_eq!(probability, Probability::new(13, 84)); // 1/2 of 1/6 and 1/2 of 1/7.
    /// ```
    pub fn weighing(size: u32) -> Reflector {
        Reflector { size, forest: Some(Box::new(Builder::weighing(size))), ..Reflector::all_ways() }
    }

    /// Whether it is asked how likely the value is, and not just how it is made.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// assert!(Reflector::weighing(100).is_weighing());
    /// assert!(!Reflector::all_ways().is_weighing());
    /// ```
    #[inline]
    pub fn is_weighing(&self) -> bool {
        self.mode == Mode::AllWays && self.forest.as_ref().is_some_and(|builder| builder.is_weighing())
    }

    /// Notes that nobody knows how likely this part is, for a generator that has no way back or
    /// draws again what it does not like. Elsewhere than in a reflector that
    /// [weighs](Reflector::is_weighing) it does nothing.
    ///
    /// ```
    /// use retrospect::reflect::Reflector;
    /// let mut reflector = Reflector::weighing(100);
    /// reflector.unknown(|| "it is drawn from the weather".to_owned());
    /// let error = reflector.into_forest().probability().unwrap_err();
    /// assert_eq!(error.to_string(), "the probability is not known: it is drawn from the weather");
    /// ```
    pub fn unknown(&mut self, reason: impl FnOnce() -> String) {
        if self.is_weighing() {
            self.builder().push_unknown(reason());
        }
    }

    /// What a generator without a way back says of a value: it cannot be looked for, and in how
    /// many ways it is made, or how likely it is, nobody knows.
    pub(crate) fn forward_only(&mut self, value: &dyn fmt::Debug, reason: impl FnOnce() -> String) -> Reflected {
        if self.is_weighing() {
            self.builder().push_unknown(reason());
            return Ok(());
        }
        match self.mode {
            Mode::AllWays => self.cut_off(reason),
            _ => self.mismatch(value, reason),
        }
    }

    /// Notes that a part may be made in ways that are never drawn at this size.
    pub(crate) fn note_dormant(&mut self) {
        self.builder().note_dormant();
    }

    /// Runs `body`, whose choices are together as likely as all of `chances`, whatever their own
    /// laws say. The reason in an error says why that is not known.
    ///
    /// ```
    /// use retrospect::reflect::{Probability, Reflector};
    /// use retrospect::source::{Chance, Distribution};
    /// let mut reflector = Reflector::weighing(100);
    /// // A number of which every second one is refused, and drawn again.
    /// let chances = || Ok(vec![Chance::new(1, 5)]);
    /// reflector.weighed(chances, |reflector| reflector.number(4, 9, Distribution::Uniform)).unwrap();
    /// assert_eq!(reflector.into_forest().probability(), Ok(Probability::new(1, 5)));
    /// ```
    pub fn weighed(
        &mut self,
        chances: impl FnOnce() -> Result<Vec<Chance>, String>,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        if !self.is_weighing() {
            return body(self);
        }
        let before = self.builder().set_weighing(false);
        let result = body(self);
        self.builder().set_weighing(before);
        result?;
        if self.weights.is_some() {
            let reason = "it is drawn by weights, and can be made in more ways than are looked for";
            self.builder().push_unknown(reason.to_owned());
            return Ok(());
        }
        match chances() {
            Ok(chances) => chances.into_iter().try_for_each(|chance| self.builder().weigh(chance)),
            Err(reason) => {
                self.builder().push_unknown(reason);
                Ok(())
            }
        }
    }

    /// Runs one level of a recursive generator at the size that
    /// [`Source::level`](crate::source::Source) has there.
    pub(crate) fn level(&mut self, is_inner: bool, body: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
        if !self.is_weighing() || self.has_weights() {
            return body(self);
        }
        if self.is_in_level {
            self.builder().push_level(None);
            return self.resized(self.size / 2, body);
        }
        let size = if is_inner { self.size / 2 } else { self.size };
        self.builder().push_level(Some(size.saturating_mul(LEVELS_PER_SIZE)));
        self.is_in_level = true;
        let result = self.resized(size, body);
        self.is_in_level = false;
        result
    }

    /// Whether a recursive generator is under way.
    pub(crate) fn is_in_level(&self) -> bool {
        self.is_in_level
    }

    /// What was noted is that much more likely than it seems, because only `share` of what is drawn
    /// is kept.
    pub(crate) fn weigh_kept(&mut self, share: Result<Probability, String>) {
        self.weigh_by(share.map(|share| Probability::certain().over(&share)));
    }

    /// What was noted is that many times as likely, if that is known.
    pub(crate) fn weigh_by(&mut self, factor: Result<Probability, String>) {
        match factor {
            Ok(factor) => self.builder().weigh_by(factor),
            Err(reason) => self.builder().push_unknown(reason),
        }
    }

    /// Whether weights are the same for another attempt at what was looked at since then.
    pub(crate) fn is_weighed_alike_again(&self, beginning: Option<PlaceMark>) -> bool {
        match (&self.weights, beginning) {
            (Some(weights), Some(beginning)) => weights.is_again_at(beginning),
            _ => true,
        }
    }

    /// Whether it is drawn by weights.
    pub(crate) fn has_weights(&self) -> bool {
        self.weights.is_some()
    }

    /// That many times as likely as was noted.
    pub(crate) fn weigh_again(&mut self, times: usize) {
        if self.weights.is_some() {
            self.unknown(|| "it is drawn by weights, and several lengths lead to it".to_owned());
        } else if self.is_weighing() {
            self.builder().weigh_by(Chance::new(times as u128, 1).into());
        }
    }

    /// How many items of an extent a random source takes at most.
    pub(crate) fn likely_max(&self, item: Extent, min: usize, max: usize) -> usize {
        item.likely_max(self.size, min, max)
    }

    /// Looks at the item at `place` among `count` at the size that a source has there.
    #[inline(always)]
    pub(crate) fn at_item_size<T>(
        &mut self,
        item: Extent,
        (place, count): (usize, usize),
        body: impl FnOnce(&mut Reflector) -> T,
    ) -> T {
        if !item.grows || !self.is_weighing() {
            return body(self);
        }
        self.resized(item.item_size(self.size, place, count), body)
    }

    /// What the same generator and the same part are looked at under, where that makes a
    /// difference.
    pub(super) fn context(&self) -> u64 {
        if !self.is_weighing() {
            return 0;
        }
        let by_size = (u64::from(self.size) << 2) | (u64::from(self.is_in_level) << 1) | 1;
        by_size ^ self.weights.as_ref().map_or(0, |weights| weights.context())
    }

    /// The same for a part that is no call of its own, since where it stands counts as well.
    #[cfg(feature = "text")]
    pub(crate) fn context_here(&self) -> u64 {
        let by_size = (u64::from(self.size) << 1) | u64::from(self.is_in_level);
        by_size ^ self.weights.as_ref().map_or(0, |weights| weights.context_here())
    }

    #[inline(never)]
    pub(super) fn number_of_all_ways(&mut self, index: u64, max: u64, distribution: Distribution) -> Reflected {
        self.builder().push(Entry::number(index, max));
        let by_weights = self.weights.as_mut().map(|weights| weights.number(index, max, distribution));
        if !matches!(distribution, Distribution::Always(_)) {
            self.widest = self.widest.max(max);
        }
        match by_weights {
            _ if !self.is_weighing() => Ok(()),
            Some(chance) => self.weigh_known(chance),
            None => match distribution.chance(index, max) {
                Some(chance) => self.builder().weigh(chance),
                None => self.weigh_known(Err(unknown_law())),
            },
        }
    }

    pub(super) fn pick_of_all_ways(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        self.builder().push_pick(site, arm, weights.len());
        self.weigh_arm(site, weights, arm)
    }

    pub(super) fn leaf_of_all_ways(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        self.builder().push(Entry::pick(site.id(), arm, weights.len()));
        self.weigh_arm(site, weights, arm)
    }

    pub(super) fn open_repeat_of_all_ways(&mut self, item: Extent, count: usize, min: usize, max: usize) -> Reflected {
        if self.is_weighing() {
            self.builder().push_counted(picks_of_repeat(count, max));
        }
        self.builder().open(Entry::repeat(count));
        let list = self.open_list_of_weights();
        self.weigh_length(list, item, count, min, max)
    }

    /// Opens a repeat of which nobody draws how many items it has.
    pub(super) fn open_known_of_all_ways(&mut self, count: usize) {
        self.builder().open(Entry::repeat(count));
        self.open_list_of_weights();
    }

    pub(super) fn close_repeat_of_all_ways(&mut self) {
        self.builder().close();
        self.close_list_of_weights();
    }

    fn weigh_arm(&mut self, site: &'static Site, weights: &[u32], arm: usize) -> Reflected {
        let request = PickRequest::new(site, weights);
        let by_weights = self.weights.as_mut().map(|weights| weights.pick(&request, arm));
        match by_weights {
            _ if !self.is_weighing() => Ok(()),
            Some(chance) => self.weigh_known(chance),
            None => self.builder().weigh(request.chance(arm)),
        }
    }

    /// Notes how likely a list has so many items, of which weights know where it stands.
    pub(super) fn weigh_length(
        &mut self,
        list: ListInWeights,
        item: Extent,
        count: usize,
        min: usize,
        max: usize,
    ) -> Reflected {
        if !self.is_weighing() {
            return Ok(());
        }
        let request = RepeatRequest { min, max, likely_max: self.likely_max(item, min, max) };
        let chance = self.chance_of_length(list, count, &request);
        self.weigh_known(chance)
    }

    pub(super) fn chance_of_length(
        &mut self,
        list: ListInWeights,
        count: usize,
        request: &RepeatRequest,
    ) -> Result<Probability, String> {
        match &mut self.weights {
            Some(weights) => weights.length_at(list, count, request),
            None => Ok(request.chance(count).into()),
        }
    }

    fn weigh_known(&mut self, chance: Result<Probability, String>) -> Reflected {
        match chance {
            Ok(chance) => self.builder().weigh_exactly(chance),
            Err(reason) => {
                self.builder().push_unknown(reason);
                Ok(())
            }
        }
    }
}

/// Where a list stands, if that is known, and at which depth.
pub(super) type ListInWeights = Option<(Place, u16)>;

// Following weights through the brackets of a generator.
impl Reflector {
    /// Looks at a value that is drawn by weights.
    pub(crate) fn by_weights(
        &mut self,
        weights: &Arc<Weights>,
        body: impl FnOnce(&mut Reflector) -> Reflected,
    ) -> Reflected {
        // What is tuned inside of it draws by the outer weights.
        if !self.is_weighing() || self.weights.is_some() {
            return body(self);
        }
        self.weights = Some(Box::new(ByWeights::new(Arc::clone(weights))));
        let result = body(self);
        self.weights = None;
        result
    }

    /// A walk through all that a random source draws here.
    pub(crate) fn walk(&mut self) -> Walk {
        self.widest = 0;
        Walk::by(self.weights.as_deref().cloned())
    }

    /// Why the values cannot be gone through among which the one is that was looked at since the
    /// [walk](Reflector::walk) was made; mostly this is known only after thousands of them.
    pub(crate) fn can_go_through(&self) -> Result<(), String> {
        Walk::can_pass(self.widest)
    }

    /// Counts answers that were gone through; says how many there were in all.
    pub(crate) fn count_walked(&mut self, answers: usize) -> usize {
        self.walked += answers;
        self.walked
    }

    /// Opens a call; returns how many brackets were open before.
    pub(super) fn open_call_of_weights(&mut self, site: &'static Site) -> usize {
        let Some(weights) = &mut self.weights else { return 0 };
        let open_count = weights.followed().open_count();
        weights.open(Bracket::Call(site));
        open_count
    }

    /// Closes what was opened since so many brackets were open.
    pub(super) fn close_to_of_weights(&mut self, open_count: usize) {
        if let Some(weights) = &mut self.weights {
            weights.followed().close_to(open_count);
        }
    }

    pub(super) fn open_list_of_weights(&mut self) -> ListInWeights {
        self.weights.as_mut()?.followed().open_list()
    }

    pub(super) fn close_list_of_weights(&mut self) {
        if let Some(weights) = &mut self.weights {
            weights.followed().close();
        }
    }

    /// Runs `body` as if it was in the list that comes next.
    #[cfg(feature = "text")]
    pub(crate) fn in_next_list<T>(&mut self, body: impl FnOnce(&mut Reflector) -> T) -> T {
        let place = self.place_in_weights();
        if let Some(weights) = &mut self.weights {
            weights.followed().enter_list();
        }
        let result = body(self);
        self.go_back_in_weights(place);
        result
    }

    /// Goes past a call or a list that was looked at before.
    #[cfg(feature = "text")]
    pub(crate) fn pass_in_weights(&mut self) {
        if let Some(weights) = &mut self.weights {
            weights.followed().pass();
        }
    }

    pub(super) fn begin_part_of_all_ways(&mut self, is_one_node: bool) {
        self.builder().begin_part();
        if let (Some(weights), false) = (&mut self.weights, is_one_node) {
            weights.open(Bracket::Part);
        }
    }

    pub(super) fn end_part_of_all_ways(&mut self, is_one_node: bool, fits: bool) {
        if fits {
            self.builder().end_part();
        }
        if let (Some(weights), false) = (&mut self.weights, is_one_node) {
            weights.followed().close();
        }
    }

    /// Where it is in the weights, if there are any.
    pub(crate) fn place_in_weights(&self) -> Option<PlaceMark> {
        self.weights.as_ref().map(|weights| weights.mark())
    }

    pub(crate) fn go_back_in_weights(&mut self, place: Option<PlaceMark>) {
        if let (Some(weights), Some(place)) = (&mut self.weights, place) {
            weights.followed().restore(place);
        }
    }

    /// Goes on where the ways ended. If that was in different places, it is not known where what
    /// follows stands.
    pub(super) fn go_on_in_weights(&mut self, ends: &WayEnds) {
        self.go_back_in_weights(ends.first);
        if let (Some(weights), true) = (&mut self.weights, ends.differ) {
            weights.followed().lose_place();
        }
    }
}

/// Where in the weights several ways end.
#[derive(Default)]
pub(super) struct WayEnds {
    first: Option<PlaceMark>,
    differ: bool,
}

impl WayEnds {
    pub(super) fn note(&mut self, end: Option<PlaceMark>) {
        self.differ |= self.first.is_some() && self.first != end;
        self.first = self.first.or(end);
    }
}
