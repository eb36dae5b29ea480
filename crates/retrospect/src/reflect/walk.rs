use super::Probability;
use super::by_weights::{ByWeights, unknown_law};
use crate::source::{
    Bracket, Chance, Chooser, Distribution, NumberRequest, PickRequest, PlaceMark, RepeatRequest, Weights,
};
use std::sync::Arc;

/// Goes through all that a random source can answer, one run after another, and knows how likely
/// each run is.
///
/// Unlike an [`Odometer`](crate::source::Odometer) it leaves out what is never drawn.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    wheels: Vec<Wheel>,
    next: usize,
    /// By which weights chance goes, if it does.
    weights: Option<ByWeights>,
    /// Where in the weights a run begins. Those that a tuned generator brings along end with it.
    beginning: Option<PlaceMark>,
    /// The weights that a tuned generator brought along last: the next run mostly asks for the same
    /// chances again.
    ended: Option<ByWeights>,
}

/// One choice: the answer it has now and the last it can have.
#[derive(Clone, Debug)]
struct Wheel {
    answer: u64,
    last: u64,
    /// How likely this answer is, and all answers up to it. Never, until it is known.
    chance: Probability,
    product: Probability,
}

/// The most answers that one choice may have.
const WIDEST: u64 = 1 << 16;

/// Why a choice with more of them is not gone through.
const TOO_WIDE: &str = "there are too many values to go through";

impl Walk {
    /// Through what is drawn where these weights are in force.
    pub(super) fn by(weights: Option<ByWeights>) -> Walk {
        let beginning = weights.as_ref().map(ByWeights::mark);
        Walk { weights, beginning, ..Walk::default() }
    }

    /// Whether a choice with these answers can be gone through.
    pub(super) fn can_pass(last: u64) -> Result<(), String> {
        if last >= WIDEST { Err(TOO_WIDE.to_owned()) } else { Ok(()) }
    }

    /// How likely the run was.
    pub(crate) fn probability(&self) -> Probability {
        self.product_before(self.next)
    }

    /// How likely the answers before a wheel are.
    /// How many answers the present value took.
    pub(crate) fn answers(&self) -> usize {
        self.next
    }

    fn product_before(&self, place: usize) -> Probability {
        place.checked_sub(1).map_or_else(Probability::certain, |last| self.wheels[last].product.clone())
    }

    /// Turns to the next run. `false` when the run was the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.wheels.truncate(self.next);
        self.next = 0;
        if let (Some(weights), Some(beginning)) = (&mut self.weights, self.beginning) {
            weights.followed().restore(beginning);
        }
        while let Some(wheel) = self.wheels.last_mut() {
            if wheel.answer < wheel.last {
                wheel.answer += 1;
                wheel.chance = Probability::never();
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    /// The next answer whose chance is not 0, from 0 to `last`.
    fn answer(
        &mut self,
        last: u64,
        mut chance: impl FnMut(&mut Option<ByWeights>, u64) -> Result<Probability, String>,
    ) -> Result<u64, String> {
        Walk::can_pass(last)?;
        // The answers before the one that was turned are as likely as they were.
        if let Some(wheel) = self.wheels.get(self.next)
            && !wheel.chance.is_zero()
        {
            self.next += 1;
            return Ok(wheel.answer);
        }
        let before = self.product_before(self.next);
        let Walk { wheels, next, weights, .. } = self;
        if *next == wheels.len() {
            let mut reachable = last;
            while reachable > 0 && chance(weights, reachable)?.is_zero() {
                reachable -= 1;
            }
            let chance = Probability::never();
            wheels.push(Wheel { answer: 0, last: reachable, product: chance.clone(), chance });
        }
        let wheel = &mut wheels[*next];
        *next += 1;
        loop {
            wheel.chance = chance(weights, wheel.answer)?;
            if !wheel.chance.is_zero() || wheel.answer >= wheel.last {
                wheel.product = &before * &wheel.chance;
                return Ok(wheel.answer);
            }
            wheel.answer += 1;
        }
    }
}

impl Chooser for Walk {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let NumberRequest { max, distribution } = *request;
        let place = self.weights.as_mut().map(|weights| weights.followed().number());
        // What is always the same need not be looked for.
        if let Distribution::Always(index) = distribution {
            return Ok(index.min(max));
        }
        self.answer(max, |weights, index| match (weights, place) {
            (Some(weights), Some(place)) if max > 0 => weights.number_at(place, index, max, distribution),
            _ => distribution.chance(index, max).map(Probability::from).ok_or_else(unknown_law),
        })
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let last = request.weights.len().saturating_sub(1) as u64;
        let arm = self.answer(last, |weights, arm| match weights {
            Some(weights) => Ok(weights.arm_at(weights.place_of_pick(request.site), request, arm as usize)),
            None => Ok(request.chance(arm as usize).into()),
        })? as usize;
        if let Some(weights) = &mut self.weights {
            weights.followed().pick(request.site, arm);
        }
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let place = self.weights.as_mut().map(|weights| weights.followed().open_list());
        let longest = match (&mut self.weights, place) {
            (Some(weights), Some(place)) => weights.longest_at(place, request),
            _ => request.likely_max,
        };
        let evenly: Chance = request.chance(request.min);
        let more = self.answer((longest - request.min) as u64, |weights, more| match (weights, place) {
            (Some(weights), Some(place)) => weights.length_at(place, request.min + more as usize, request),
            _ => Ok(evenly.into()),
        })?;
        Ok(request.min + more as usize)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        if let Some(weights) = &mut self.weights {
            weights.open(bracket);
        }
        Ok(())
    }

    fn close(&mut self) {
        if let Some(weights) = &mut self.weights {
            weights.followed().close();
        }
    }

    fn begin_weights(&mut self, weights: &Arc<Weights>) -> bool {
        // What is tuned inside of what is tuned draws by the outer weights.
        let is_outermost = self.weights.is_none();
        if is_outermost {
            let again = self.ended.take().filter(|ended| ended.is_of(weights));
            self.weights = Some(again.map_or_else(|| ByWeights::new(Arc::clone(weights)), ByWeights::anew));
        }
        is_outermost
    }

    fn end_weights(&mut self) {
        self.ended = self.weights.take();
    }
}
