//! What a source remembers from one draw to the next: the pools of its searches.
//!
//! A source that is made for a seed begins without any, so that the seed alone decides what it makes. Whoever makes many values in a row hands the memory on,
//! as `samples` and the search of a property do: then what is made depends on all seeds so far. A single case of such a row is made again from its seed
//! *and* the choices of what was searched for in it, which are noted for that.

use super::pool::{Candidate, Pool};
use super::{Drawn, Law, Replay, SearchCounts, Source, Stop, Why};
use crate::choice::Choices;
use std::collections::VecDeque;
use std::fmt;
use std::panic::Location;

/// How many values a search makes before it gives up, if none of them is valid.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{MAX_SEARCH, Source, Why};
/// let mut source = Source::random(1);
/// assert!(within(0..10).satisfying(|_| false).generate(&mut source).is_err());
/// assert!(matches!(source.why(), Some(Why::NoneFound { runs, .. }) if *runs == u64::from(MAX_SEARCH)));
/// ```
pub const MAX_SEARCH: u32 = 50_000;

#[derive(Default)]
pub(crate) struct Memory {
    pools: Vec<Kept>,
    /// A draw from inside a candidate of another.
    is_nested: bool,
    /// Whether the choices of draws are noted.
    is_noting: bool,
    /// The choices of what was searched for since the last start.
    noted: Vec<Choices>,
    /// Choices for the next draws, instead of a search.
    given: VecDeque<Choices>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the pools of {} conditions", self.pools.len())
    }
}

/// The pool of one condition.
struct Kept {
    place: &'static Location<'static>,
    types: &'static str,
    is_filter: bool,
    pool: Box<Pool>,
}

/// A search that was made: where its condition stands, and what it has cost.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    pub(crate) place: &'static Location<'static>,
    pub(crate) is_filter: bool,
    pub(crate) counts: SearchCounts,
}

/// What is searched for.
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) place: &'static Location<'static>,
    /// Tells generic uses of one place apart.
    pub(crate) types: &'static str,
    /// How many values the filter has refused before it came to a search.
    pub(crate) refused: Option<u32>,
}

impl Source<'_> {
    /// The same source with a memory, which it keeps when it is started anew, and in which the choices of searches are noted.
    pub(crate) fn remembering(mut self) -> Self {
        self.keeps_memory = true;
        self.memory = Some(Box::new(Memory { is_noting: true, ..Memory::default() }));
        self
    }

    /// The same source, which makes in its searches what these choices make.
    pub(crate) fn given(mut self, noted: Vec<Choices>) -> Self {
        if !noted.is_empty() {
            self.memory = Some(Box::new(Memory { given: noted.into(), ..Memory::default() }));
        }
        self
    }

    /// The choices of what was searched for since the last start.
    pub(crate) fn noted(&self) -> Vec<Choices> {
        self.memory.as_ref().map_or_else(Vec::new, |memory| memory.noted.clone())
    }

    /// Takes the memory out, for the next source.
    pub(crate) fn take_memory(&mut self) -> Option<Box<Memory>> {
        self.memory.take()
    }

    pub(crate) fn with_memory(mut self, memory: Option<Box<Memory>>) -> Self {
        self.memory = memory;
        self
    }

    /// Whether what is drawn next depends on what was drawn before.
    pub(crate) fn has_pools(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| !memory.pools.is_empty())
    }

    /// What was searched for so far.
    pub(crate) fn searched(&self) -> Vec<Searched> {
        let mut searched = Vec::new();
        for kept in self.memory.iter().flat_map(|memory| &memory.pools) {
            searched.push(Searched { place: kept.place, is_filter: kept.is_filter, counts: kept.pool.counts() });
        }
        searched
    }

    /// Forgets what belongs to the case before, and all of it unless it is to be kept.
    #[cold]
    #[inline(never)]
    pub(super) fn restart_memory(&mut self) {
        match &mut self.memory {
            Some(memory) if self.keeps_memory => memory.noted.clear(),
            _ if self.keeps_memory => self.memory = Some(Box::new(Memory { is_noting: true, ..Memory::default() })),
            _ => self.memory = None,
        }
    }

    /// Whether a search makes sense here: a replay has its answers already.
    pub(crate) fn may_search(&self) -> bool {
        self.may_retry() && !self.is_probing
    }

    /// Leaves a valid value in the candidate, and records its choices as those of the plain generator.
    ///
    /// It takes one random number from this source, whatever it does, so that the other draws of a case do not depend on the pool.
    #[inline(never)]
    pub(crate) fn satisfy(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Drawn<()> {
        let mark = self.mark();
        let seed = self.number(u64::MAX, Law::Uniform)?;
        self.forget(mark);
        let mut memory = self.memory.take().unwrap_or_default();
        let is_outermost = !memory.is_nested;
        if is_outermost && let Some(choices) = memory.given.pop_front() {
            self.memory = Some(memory);
            return self.satisfied_by(&choices, condition, candidate);
        }
        let most_runs = match condition.refused {
            Some(refused) => super::MAX_TRIES - refused,
            None => MAX_SEARCH,
        };
        let mut kept = memory.take(condition);
        kept.pool.reseed(seed);
        memory.is_nested = true;
        self.memory = Some(memory);
        let mut lent = Lent { source: self, kept: Some(kept), is_outermost, is_found: false };
        let is_found = lent.draw(candidate, most_runs)?;
        if !is_found {
            return Err(lent.none_found(condition, candidate));
        }
        drop(lent);
        if self.is_recording {
            let made = self.memory.as_ref().and_then(|memory| memory.pools.last()).map(|kept| kept.pool.made().clone());
            let made = made.unwrap_or_default();
            self.answered_by(&mut Replay::strict(&made), |source| candidate.make(source))?;
        }
        Ok(())
    }

    /// Makes what was found before.
    fn satisfied_by(&mut self, choices: &Choices, condition: &Condition, candidate: &mut dyn Candidate) -> Drawn<()> {
        self.answered_by(&mut Replay::strict(choices), |source| candidate.make(source))?;
        match candidate.is_valid() {
            true => Ok(()),
            // It was valid when it was found, so it depends on more than its choices.
            false => Err(self.stop(Why::FilteredOut { place: condition.place, refused: 1 })),
        }
    }
}

impl Memory {
    /// Takes out the pool of a condition, or begins one.
    fn take(&mut self, condition: &Condition) -> Kept {
        let is_same = |kept: &Kept| kept.place == condition.place && kept.types == condition.types;
        match self.pools.iter().position(is_same) {
            Some(place) => self.pools.swap_remove(place),
            None => Kept {
                place: condition.place,
                types: condition.types,
                is_filter: condition.refused.is_some(),
                pool: Box::new(Pool::new(0)),
            },
        }
    }
}

/// A pool while it is used. It goes back to the memory also if the condition panics; what it was asked about then is noted, to be made again.
struct Lent<'s, 'a> {
    source: &'s mut Source<'a>,
    kept: Option<Kept>,
    is_outermost: bool,
    is_found: bool,
}

impl Lent<'_, '_> {
    fn draw(&mut self, candidate: &mut dyn Candidate, most_runs: u32) -> Drawn<bool> {
        let Some(kept) = &mut self.kept else { return Ok(false) };
        self.is_found = kept.pool.draw(self.source, candidate, most_runs)?;
        Ok(self.is_found)
    }

    fn none_found(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Stop {
        let place = condition.place;
        let Some(kept) = self.kept.as_mut().filter(|kept| !kept.is_filter) else {
            return self.source.stop(Why::FilteredOut { place, refused: super::MAX_TRIES });
        };
        let (counts, example) = kept.pool.failure(self.source, candidate);
        let SearchCounts { runs, asked, valid, .. } = counts;
        self.source.stop(Why::NoneFound { place, runs, asked, valid, example })
    }
}

impl Drop for Lent<'_, '_> {
    fn drop(&mut self) {
        let Some(kept) = self.kept.take() else { return };
        let memory = self.source.memory.get_or_insert_default();
        let is_wanted = self.is_found || kept.pool.is_asking();
        if self.is_outermost {
            memory.is_nested = false;
            if memory.is_noting && is_wanted {
                memory.noted.push(kept.pool.made().clone());
            }
        }
        memory.pools.push(kept);
    }
}
