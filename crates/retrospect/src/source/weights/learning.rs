use super::labels::{Labels, at_depth};
use super::{WIDE, Weights, name_of};
use crate::choice::Choices;
use crate::source::{Bracket, Chooser, Distribution, NumberRequest, PickRequest, RepeatRequest, Replay};

/// Answers from choices, and counts what it answers.
pub(crate) struct Learning<'c> {
    replay: Replay<'c>,
    labels: Labels,
    weights: &'c mut Weights,
}

impl<'c> Learning<'c> {
    /// For this argument of a property; by itself a generator is the first, 0.
    pub(crate) fn new(choices: &'c Choices, weights: &'c mut Weights, argument: u16) -> Learning<'c> {
        Learning { replay: Replay::lenient(choices), labels: Labels::new(argument), weights }
    }
}

impl Chooser for Learning<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let index = self.replay.number(request)?;
        let place = self.labels.place();
        // Where there is no choice there is nothing to learn; a size is a parameter.
        if request.max > 0 && !matches!(request.distribution, Distribution::Always(_)) {
            let label = place.text();
            self.weights.count_number(&label, index);
            if index >= WIDE && matches!(request.distribution, Distribution::Custom(_)) {
                self.weights.count_again(&label, index);
            }
        }
        Ok(index)
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let arm = self.replay.pick(request)?;
        let (place, depth) = self.labels.place_of_pick(request.site.id());
        let (label, name) = (place.text_of_pick(request.site), name_of(request.site, arm));
        self.weights.count_arm(&label, &name, 1.0);
        self.weights.count_arm(&at_depth(&label, depth), &name, 1.0);
        self.labels.picked(request.site.id(), arm);
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let count = self.replay.repeat(request)?;
        let (place, depth) = self.labels.place_of_list();
        if request.min < request.max {
            let (label, more) = (place.text(), (count - request.min) as u64);
            self.weights.count_length(&at_depth(&label, depth), more);
            self.weights.count_length(&label, more);
        }
        self.labels.open_list(place);
        Ok(count)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.labels.open(bracket);
        self.replay.open(bracket)
    }

    fn close(&mut self) {
        self.labels.close();
        self.replay.close();
    }
}
