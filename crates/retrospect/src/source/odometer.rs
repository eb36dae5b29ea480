use super::chooser::KnownArm;
use super::{Chooser, NumberRequest, PickRequest, RepeatRequest};

/// Goes through everything a generator can make: each run gives the next combination of answers, in
/// the order of a car's odometer.
///
/// The first run gets the simplest answers. [`advance`](Odometer::advance) turns the last choice on
/// by one; when it has no more answers, the one before it. It is for small spaces: a number of 64
/// bits would keep it busy for good.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Odometer, Source};
/// let pairs = tuple((0..=1, any::<bool>()));
/// let mut odometer = Odometer::new();
/// let mut all = Vec::new();
/// loop {
///     all.push(pairs.generate(&mut Source::asking(&mut odometer)).unwrap());
///     if !odometer.advance() {
///         break;
///     }
/// }
/// assert_eq!(all, [(0, false), (0, true), (1, false), (1, true)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Odometer {
    pub(crate) wheels: Vec<Wheel>,
    /// How many of them the run has used.
    pub(crate) next: usize,
}

/// One choice: the answer it has now, counted from the simplest, and the last it can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wheel {
    pub(crate) answer: u64,
    pub(crate) last: u64,
    /// Of a pick, where the present answer or the one before it was found.
    pub(crate) arm: KnownArm,
}

impl Odometer {
    /// Before the first run.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Odometer, Source};
    /// let mut odometer = Odometer::new();
    /// assert_eq!((3..9).generate(&mut Source::asking(&mut odometer)), Ok(3));
    /// ```
    pub fn new() -> Odometer {
        Odometer::default()
    }

    /// Turns to the next combination of answers, after a run. `false` when the run was the last.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Odometer, Source};
    /// let mut odometer = Odometer::new();
    /// let _ = (0..=1).generate(&mut Source::asking(&mut odometer));
    /// assert!(odometer.advance());
    /// assert_eq!((0..=1).generate(&mut Source::asking(&mut odometer)), Ok(1));
    /// assert!(!odometer.advance());
    /// ```
    pub fn advance(&mut self) -> bool {
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

    /// How many combinations there would be if every other way took the same choices as the last
    /// run: a quick guess, 2^64 - 1 at most.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Odometer, Source};
    /// let mut odometer = Odometer::new();
    /// let _ = any::<(bool, u8)>().generate(&mut Source::asking(&mut odometer));
    /// assert_eq!(odometer.estimate(), 512);
    /// ```
    pub fn estimate(&self) -> u64 {
        let wheels = &self.wheels[..self.next];
        wheels.iter().fold(1, |product: u64, wheel| product.saturating_mul(wheel.last.saturating_add(1)))
    }

    fn answer(&mut self, last: u64) -> u64 {
        if self.next == self.wheels.len() {
            self.wheels.push(Wheel { answer: 0, last, arm: KnownArm::default() });
        }
        let wheel = &mut self.wheels[self.next];
        self.next += 1;
        // The same answers before lead to the same question, unless the generator is not
        // deterministic.
        wheel.last = last;
        wheel.answer.min(last)
    }
}

impl Chooser for Odometer {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(self.answer(request.max))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        // Counting them takes as long as there are arms, and the same answers before lead to the
        // same pick.
        let last = match self.wheels.get(self.next) {
            Some(wheel) => wheel.last,
            None => request.possible_arms().count().saturating_sub(1) as u64,
        };
        let answer = self.answer(last);
        let arm = request.nth_arm(answer, &mut self.wheels[self.next - 1].arm);
        arm.ok_or_else(|| "no arm is left to pick".to_owned())
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(request.min + self.answer((request.max - request.min) as u64) as usize)
    }
}
