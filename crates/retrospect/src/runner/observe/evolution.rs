//! How a case becomes simpler, told while it does: shrinking may take long, and somebody may look
//! on.

use super::{Observer, WRITTEN_EVERY, representation};
use crate::runner::shrink_log::{SHOWN_AT_EACH_END, values_of};
use crate::runner::trial::Door;
use crate::shrink::{Shrunk, Step};
use retrospect_stats::Happened;
use std::time::Instant;

/// Tells the first steps and the last ones, and in between no more than anybody can follow.
pub(crate) struct Evolution<'o> {
    observer: &'o Observer,
    n_steps: usize,
    /// The numbers of the last steps that were told, counted from 0.
    told: Vec<usize>,
    told_at: Instant,
    written_at: Instant,
    has_more: bool,
}

impl<'o> Evolution<'o> {
    pub(crate) fn begin(observer: &'o Observer) -> Evolution<'o> {
        let now = Instant::now();
        Evolution { observer, n_steps: 0, told: Vec::new(), told_at: now, written_at: now, has_more: false }
    }

    /// There is a simpler case.
    pub(crate) fn step(&mut self, door: &mut dyn Door, step: &Step) {
        let number = self.n_steps;
        self.n_steps += 1;
        if number < SHOWN_AT_EACH_END || self.told_at.elapsed() >= WRITTEN_EVERY {
            self.tell(door, number, step);
            self.write_if_late();
        }
    }

    /// What was told comes into the file soon, however long the next simpler case takes.
    pub(crate) fn write_if_late(&mut self) {
        if self.has_more && self.written_at.elapsed() >= WRITTEN_EVERY {
            self.observer.notebook.write();
            self.written_at = Instant::now();
            self.has_more = false;
        }
    }

    /// Of the last steps none is left out. Those that were are told late, so readers order steps by
    /// their numbers.
    pub(crate) fn end(mut self, door: &mut dyn Door, shrunk: &Shrunk) {
        let first = shrunk.steps.len().saturating_sub(SHOWN_AT_EACH_END);
        for (number, step) in shrunk.steps.iter().enumerate().skip(first) {
            if !self.told.contains(&number) {
                self.tell(door, number, step);
            }
        }
    }

    /// The values are made once more.
    fn tell(&mut self, door: &mut dyn Door, number: usize, step: &Step) {
        let values = values_of(door, &step.choices);
        self.observer.happened(Happened::ShrinkStep {
            step: number as u64 + 1,
            run: step.run,
            pass: step.pass.into(),
            choices: step.choices.choice_count() as u64,
            representation: representation(&values),
        });
        if self.told.len() == SHOWN_AT_EACH_END {
            self.told.remove(0);
        }
        self.told.push(number);
        self.told_at = Instant::now();
        self.has_more = true;
    }
}
