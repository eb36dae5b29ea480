use super::{Chance, Chooser, NumberRequest, PickRequest, RepeatRequest};

/// Goes through all that a random source can answer, one run after another, and knows how likely each run is.
///
/// Unlike an [`Odometer`](super::Odometer) it leaves out what is never drawn.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    wheels: Vec<Wheel>,
    next: usize,
}

/// One choice: the answer it has now, the last it can have, and how likely it is.
#[derive(Clone, Copy, Debug)]
struct Wheel {
    answer: u64,
    last: u64,
    chance: Chance,
}

/// The most answers that one choice may have.
const WIDEST: u64 = 1 << 16;

impl Walk {
    /// How likely the choices of the run were, one by one.
    pub(crate) fn chances(&self) -> impl Iterator<Item = Chance> + '_ {
        self.wheels[..self.next].iter().map(|wheel| wheel.chance)
    }

    /// Turns to the next run. `false` when the run was the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.wheels.truncate(self.next);
        self.next = 0;
        while let Some(wheel) = self.wheels.last_mut() {
            if wheel.answer < wheel.last {
                wheel.answer += 1;
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    /// The next answer whose chance is not 0, from 0 to `last`.
    fn answer(&mut self, last: u64, chance: impl Fn(u64) -> Option<Chance>) -> Result<u64, String> {
        if last >= WIDEST {
            return Err("there are too many values to go through".to_owned());
        }
        if self.next == self.wheels.len() {
            let reachable = (0..=last).rev().find(|answer| chance(*answer) != Some(Chance::NEVER));
            self.wheels.push(Wheel { answer: 0, last: reachable.unwrap_or(last), chance: Chance::NEVER });
        }
        let wheel = &mut self.wheels[self.next];
        self.next += 1;
        loop {
            let Some(found) = chance(wheel.answer) else {
                return Err("a number is drawn by a law of its own".to_owned());
            };
            wheel.chance = found;
            if found != Chance::NEVER || wheel.answer >= wheel.last {
                return Ok(wheel.answer);
            }
            wheel.answer += 1;
        }
    }
}

impl Chooser for Walk {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        // What is always the same need not be looked for.
        if let super::Law::Always(index) = request.law {
            return Ok(index.min(request.max));
        }
        self.answer(request.max, |index| request.law.chance(index, request.max))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let last = request.weights.len().saturating_sub(1) as u64;
        self.answer(last, |arm| Some(request.chance(arm as usize))).map(|arm| arm as usize)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let last = (request.likely_max - request.min) as u64;
        let chance = request.chance(request.min);
        self.answer(last, |_| Some(chance)).map(|more| request.min + more as usize)
    }
}
