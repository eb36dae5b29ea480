use super::labels::{Labels, Mark, Place, at_depth};
use super::tuned::counts_of;
use super::{Again, EVERYWHERE, Weights, counted_at};
use crate::choice::Site;
use crate::source::{Bracket, PickRequest};
use std::sync::Arc;

/// Weights, and where in them a generator is that is looked at backward, or whose values are gone
/// through: what was counted for its next choice.
///
/// It is told of the same brackets as [`TunedChooser`](super::TunedChooser), and so comes to the
/// same places.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    weights: Arc<Weights>,
    labels: Labels,
}

/// How often each answer was counted at this depth, and at all depths.
pub(crate) type Counts = (Option<Vec<f64>>, Option<Vec<f64>>);

impl Followed {
    pub(crate) fn new(weights: Arc<Weights>) -> Followed {
        Followed { weights, labels: Labels::new(0) }
    }

    pub(crate) fn is_of(&self, weights: &Arc<Weights>) -> bool {
        Arc::ptr_eq(&self.weights, weights)
    }

    /// Begins again, as if just made.
    pub(crate) fn restart(&mut self) {
        self.labels = Labels::new(0);
    }

    pub(crate) fn smoothing(&self) -> f64 {
        self.weights.smoothing
    }

    pub(crate) fn is_inverted(&self) -> bool {
        self.weights.is_inverted
    }

    pub(crate) fn open(&mut self, bracket: Bracket) {
        self.labels.open(bracket);
    }

    /// Goes past a bracket without looking into it.
    #[cfg(feature = "text")]
    pub(crate) fn pass(&mut self) {
        self.labels.place();
    }

    pub(crate) fn close(&mut self) {
        self.labels.close();
    }

    pub(crate) fn mark(&self) -> Mark {
        self.labels.mark()
    }

    pub(crate) fn restore(&mut self, mark: Mark) {
        self.labels.restore(mark);
    }

    /// Whether another attempt at what was looked at since then would stand where the first one
    /// did.
    pub(crate) fn is_again_at(&self, mark: Mark) -> bool {
        self.labels.is_again_at(mark)
    }

    pub(crate) fn open_count(&self) -> usize {
        self.labels.open_count()
    }

    pub(crate) fn close_to(&mut self, open_count: usize) {
        self.labels.close_to(open_count);
    }

    /// What follows stands at a place that hangs on which way was taken.
    pub(crate) fn lose_place(&mut self) {
        self.labels.lose();
    }

    /// What the chances inside of the next call hang on.
    pub(crate) fn context(&self) -> u64 {
        self.labels.depths_as_number() ^ (Arc::as_ptr(&self.weights).addr() as u64).rotate_left(20)
    }

    /// What the chances of a part that is no call hang on.
    #[cfg(feature = "text")]
    pub(crate) fn context_here(&self) -> u64 {
        self.labels.here_as_number() ^ (Arc::as_ptr(&self.weights).addr() as u64).rotate_left(20)
    }

    /// The place of the next number; `None` if it is lost.
    pub(crate) fn number(&mut self) -> Option<Place> {
        let place = self.labels.place();
        (!place.is_lost()).then_some(place)
    }

    /// Opens the list that comes next: its place, and the depth of its generator.
    pub(crate) fn open_list(&mut self) -> Option<(Place, u16)> {
        let (place, depth) = self.labels.place_of_list();
        self.labels.open_list(place);
        (!place.is_lost()).then_some((place, depth))
    }

    /// The same without going on: the list is yet to come.
    #[cfg(feature = "text")]
    pub(crate) fn enter_list(&mut self) {
        self.labels.open_list(self.labels.here());
    }

    /// The place of the next pick, and the depth of its generator; what follows is in the arm.
    pub(crate) fn pick(&mut self, site: &'static Site, arm: usize) -> Option<(Place, u16)> {
        let (place, depth) = self.labels.place_of_pick(site.id());
        self.labels.picked(site.id(), arm);
        (!place.is_lost()).then_some((place, depth))
    }

    /// The place of the next pick, before it is known which arm it is.
    pub(crate) fn place_of_pick(&self, site: &'static Site) -> (Place, u16) {
        self.labels.place_of_pick(site.id())
    }

    pub(crate) fn counted_numbers(&self, place: Place) -> Vec<f64> {
        counted_at(&self.weights.numbers, place, str::to_owned).map_or_else(Vec::new, |(_, counts)| counts.clone())
    }

    /// The numbers that come again.
    pub(crate) fn numbers_again(&self, place: Place) -> Vec<Again> {
        self.weights.again_at(place)
    }

    pub(crate) fn counted_lengths(&self, place: Place, depth: u16) -> Counts {
        let counted = |label_of: &dyn Fn(&str) -> String| {
            counted_at(&self.weights.lengths, place, label_of).map(|(_, counts)| counts.clone())
        };
        (counted(&|label| at_depth(label, depth)), counted(&str::to_owned))
    }

    pub(crate) fn counted_arms(&self, place: Place, depth: u16, request: &PickRequest<'_>) -> Counts {
        let (site, arms) = (request.site, request.weights.len());
        let label = self.weights.label_of_arms(place, site);
        let counts = |label: &str| counts_of(self.weights.arms(label), site, arms, self.weights.is_inverted);
        (counts(&at_depth(&label, depth)), counts(&label).or_else(|| counts(EVERYWHERE)))
    }
}
