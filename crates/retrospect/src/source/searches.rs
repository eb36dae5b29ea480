//! What a source remembers of its searches, from one draw to the next: the pools of conditions, and what filters have wasted.
//!
//! A source that is made for a seed begins without any, so that the seed alone decides what it makes. Whoever makes many values in a row hands the searches on,
//! as `samples` and the search of a property do: then what is made depends on all seeds so far. A single case of such a row is made again from its seed, the
//! choices of what was searched for in it, *and* which filters searched, which are noted for that.

use super::pool::{Candidate, Pool};
use super::{Answers, Chooser, Drawn, Law, MAX_TRIES, Replay, SearchCounts, Source, Stop, Why};
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

/// A filter that has refused so many more values than it has kept, and a sixteenth, wastes more than half. One that wastes just half
/// comes to this once in thousands of rows.
pub(crate) const MANY_MORE: u32 = 128;

/// A search is given so many runs before it is asked whether it pays: it does if of its values that were not met before a quarter more are valid than are kept of those
/// that are drawn.
const RUNS_TO_PROVE: u64 = 512;

#[derive(Default)]
pub(crate) struct Searches {
    known: Vec<Known>,
    /// Whether some filter searches at once. It does not change within a case.
    is_any_at_once: bool,
    /// A draw from inside a candidate of another.
    is_nested: bool,
    /// The choices of what was searched for since the last start.
    noted: Vec<Choices>,
    /// Choices for the next draws, instead of a search.
    given: VecDeque<Choices>,
}

impl fmt::Debug for Searches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "what is known of {} conditions", self.known.len())
    }
}

/// What is known of one condition.
struct Known {
    place: &'static Location<'static>,
    types: &'static str,
    /// Only of filters.
    waste: Option<Waste>,
    /// None until it is searched for, and while it is.
    pool: Option<Box<Pool>>,
}

/// What a filter has wasted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waste {
    /// Values that were drawn after one that was refused, and how many of them were kept. The first draw of each value is not counted: what is kept at once costs
    /// nothing to count, and the others are as likely to be kept as it was.
    pub(crate) drawn: u64,
    pub(crate) kept: u64,
    pub(crate) way: Way,
}

/// How a filter makes its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Way {
    #[default]
    Draws,
    Searches,
    /// It has searched, and did not find enough.
    DrawsAgain,
}

impl Waste {
    fn turn(&mut self, SearchCounts { runs, valid, new, .. }: SearchCounts) {
        let Waste { drawn, kept, .. } = *self;
        let met_first = new + runs.saturating_sub(valid);
        self.way = match self.way {
            Way::Draws if drawn - kept > kept + kept / 16 + u64::from(MANY_MORE) => Way::Searches,
            Way::Searches if runs >= RUNS_TO_PROVE && 4 * new * drawn < 5 * kept * met_first => Way::DrawsAgain,
            way => way,
        };
    }
}

/// What a source keeps of its searches when it is started anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Nothing,
    Pools,
    /// And the choices of what was found since the last start.
    PoolsAndNotes,
}

/// How the case before found what it searched for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted {
    found: Vec<Choices>,
    at_once: Vec<(&'static Location<'static>, &'static str)>,
}

/// A search that was made: where its condition stands, what it has cost, and what the filter wasted if it is one.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    pub(crate) place: &'static Location<'static>,
    pub(crate) waste: Option<Waste>,
    pub(crate) counts: SearchCounts,
}

/// What is searched for.
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) place: &'static Location<'static>,
    /// Tells generic uses of one place apart.
    pub(crate) types: &'static str,
    /// How many values the filter has refused before it came to a search; none if it is no filter.
    pub(crate) refused: Option<u32>,
}

impl Source<'_> {
    /// The same source, which keeps what it knows of searches when it is started anew, and in which the choices of what they find are noted.
    pub(crate) fn remembering(mut self) -> Self {
        self.keeps_searches = Keeps::PoolsAndNotes;
        self
    }

    /// The same source, which goes on with the searches of the one before.
    pub(crate) fn going_on(mut self, mut searches: Option<Box<Searches>>) -> Self {
        if let Some(searches) = &mut searches {
            searches.turn();
        }
        self.keeps_searches = Keeps::Pools;
        self.searches = searches;
        self
    }

    /// The same source, which makes in its searches what was found before.
    pub(crate) fn given(mut self, noted: Noted) -> Self {
        if noted.found.is_empty() && noted.at_once.is_empty() {
            return self;
        }
        let mut searches = Searches { given: noted.found.into(), ..Searches::default() };
        for (place, types) in noted.at_once {
            let waste = Some(Waste { way: Way::Searches, ..Waste::default() });
            searches.known.push(Known { place, types, waste, pool: None });
            searches.is_any_at_once = true;
        }
        self.searches = Some(Box::new(searches));
        self
    }

    /// How the case since the last start can be made again.
    pub(crate) fn noted(&self) -> Noted {
        let mut noted = Noted::default();
        let Some(searches) = &self.searches else { return noted };
        noted.found.clone_from(&searches.noted);
        for known in &searches.known {
            if known.searches_at_once() {
                noted.at_once.push((known.place, known.types));
            }
        }
        noted
    }

    /// Takes what is known of searches, for the next source.
    pub(crate) fn take_searches(&mut self) -> Option<Box<Searches>> {
        self.searches.take()
    }

    /// Whether what is drawn next depends on what was drawn before.
    pub(crate) fn leans_on_others(&self) -> bool {
        self.searches.as_ref().is_some_and(|searches| searches.known.iter().any(|known| known.pool.is_some()))
    }

    /// What was searched for so far.
    pub(crate) fn searched(&self) -> Vec<Searched> {
        let mut searched = Vec::new();
        for known in self.searches.iter().flat_map(|searches| &searches.known) {
            if let Some(pool) = &known.pool {
                searched.push(Searched { place: known.place, waste: known.waste, counts: pool.counts() });
            }
        }
        searched
    }

    /// Forgets what belongs to the case before, and all of it unless it is to be kept.
    #[cold]
    #[inline(never)]
    pub(super) fn restart_searches(&mut self) {
        match &mut self.searches {
            Some(searches) if self.keeps_searches != Keeps::Nothing => {
                searches.noted.clear();
                searches.turn();
            }
            _ => self.searches = None,
        }
    }

    /// Whether a search makes sense here: a replay has its answers already, and who answers in a way of their own knows better.
    pub(crate) fn may_search(&self) -> bool {
        if self.is_probing || self.recovery.is_some() || !self.fixed.is_empty() {
            return false;
        }
        match &self.chooser {
            _ if self.tuned.is_some() => true,
            None => true,
            // What a search draws for a candidate of another.
            Some(chooser) if self.searches.as_ref().is_some_and(|searches| searches.is_nested) => chooser.may_retry(),
            Some(chooser) => chooser.is_random(),
        }
    }

    /// Whether a filter searches without drawing first.
    #[inline]
    pub(crate) fn may_search_at_once(&self) -> bool {
        self.searches.as_ref().is_some_and(|searches| searches.is_any_at_once)
    }

    /// Whether this one does.
    #[cold]
    #[inline(never)]
    pub(crate) fn searches_at_once(&self, place: &'static Location<'static>, types: &'static str) -> bool {
        let Some(searches) = self.searches.as_ref().filter(|searches| !searches.is_nested) else { return false };
        let is_at_once = |known: &Known| known.is(place, types) && known.searches_at_once();
        searches.known.iter().any(is_at_once)
    }

    /// Notes what a filter has drawn after a value that it refused.
    pub(crate) fn note_waste(
        &mut self,
        place: &'static Location<'static>,
        types: &'static str,
        refused: u32,
        kept: u32,
    ) {
        if self.keeps_searches == Keeps::Nothing {
            return;
        }
        let searches = self.searches.get_or_insert_default();
        if searches.is_nested {
            return;
        }
        let at = searches.place_of(place, types, true);
        if let Some(waste) = &mut searches.known[at].waste {
            waste.drawn += u64::from(refused + kept);
            waste.kept += u64::from(kept);
        }
    }

    /// Leaves a valid value in the candidate, and records its choices as those of the plain generator.
    ///
    /// It takes one random number from this source, whatever it does, so that the other draws of a case do not depend on the pool.
    #[inline(never)]
    pub(crate) fn satisfy(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Drawn<()> {
        let seed = self.seed_of_search()?;
        let searches = self.searches.get_or_insert_default();
        let is_outermost = !searches.is_nested;
        if is_outermost && let Some(choices) = searches.given.pop_front() {
            return self.satisfied_by(&choices, condition, candidate);
        }
        let most_runs = match condition.refused {
            Some(refused) => MAX_TRIES - refused,
            None => MAX_SEARCH,
        };
        let at = searches.place_of(condition.place, condition.types, condition.refused.is_some());
        let mut pool = searches.known[at].pool.take().unwrap_or_else(|| Box::new(Pool::new(0)));
        pool.reseed(seed);
        searches.is_nested = true;
        let mut lent = Lent { source: self, pool: Some(pool), at, is_outermost, is_found: false };
        if !lent.draw(candidate, most_runs)? {
            return Err(lent.none_found(condition, candidate));
        }
        drop(lent);
        if self.is_recording {
            let pool = self.searches.as_ref().and_then(|searches| searches.known[at].pool.as_ref());
            let made = pool.map_or_else(Choices::default, |pool| pool.made().clone());
            self.answered_by(&mut Replay::strict(&made), |source| candidate.make(source))?;
        }
        Ok(())
    }

    /// Closes what is still open at the end of a run.
    pub(super) fn finish_record(&mut self) {
        match self.why {
            Some(_) => self.record.finish_early(),
            None => self.record.finish(),
        }
    }

    fn seed_of_search(&mut self) -> Drawn<u64> {
        // Who answers by weights of places would take it for one.
        if self.is_counting {
            return Ok(self.dice());
        }
        let mark = self.mark();
        let seed = self.number(u64::MAX, Law::Uniform)?;
        self.forget(mark);
        Ok(seed)
    }

    /// Whether somebody answers like chance, by learned weights perhaps.
    pub(super) fn is_like_chance(&self) -> bool {
        self.tuned.is_some() || self.chooser.as_ref().is_some_and(|chooser| chooser.is_random())
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

    /// Runs a candidate as it would be drawn, recorded elsewhere: by whoever answers like chance, if there is somebody. `is_again` says that it was before.
    pub(super) fn drawn_apart(
        &mut self,
        (seed, most_picks): (u64, u32),
        is_again: bool,
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        let mut inner = Source {
            answers: Answers::RandomRecorded,
            picks_left: most_picks,
            levels_left: self.levels_left,
            depth: self.depth.limited(true),
            size: self.size,
            stack: self.stack,
            ..Source::random(seed)
        };
        inner.tuned = self.tuned.take();
        if let Some(chooser) = self.chooser.as_deref_mut().filter(|chooser| chooser.is_random()) {
            inner.chooser = Some(chooser);
        }
        if inner.tuned.is_some() || inner.chooser.is_some() {
            inner.answers = Answers::Asked;
            inner.is_counting = true;
        }
        let result = inner.made_apart(is_again, &mut self.searches, record, candidate);
        self.tuned = inner.tuned.take();
        result
    }

    /// Runs a candidate with the answers of a chooser, recorded elsewhere.
    pub(super) fn asked_apart(
        &mut self,
        chooser: &mut dyn Chooser,
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        let mut inner = Source {
            answers: Answers::Asked,
            chooser: Some(chooser),
            is_following: true,
            // Nobody wants to know what is free.
            binding: 1,
            levels_left: self.levels_left,
            depth: self.depth.limited(true),
            size: self.size,
            stack: self.stack,
            ..Source::random(0)
        };
        inner.made_apart(false, &mut self.searches, record, candidate)
    }

    fn made_apart(
        &mut self,
        is_again: bool,
        searches: &mut Option<Box<Searches>>,
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        self.is_recording = true;
        self.record = std::mem::take(record);
        self.searches = searches.take();
        let apart = Apart { source: self, record, searches };
        let result = match is_again {
            true => apart.source.again(|source| candidate.make(source)),
            false => candidate.make(&mut *apart.source),
        };
        match result {
            Ok(()) => Ok(()),
            Err(Stop) => Err(apart.source.why.take()),
        }
    }
}

/// A source that makes a candidate. What it has recorded goes back to where it belongs also if the generator panics.
struct Apart<'r, 'a> {
    source: &'r mut Source<'a>,
    record: &'r mut Choices,
    searches: &'r mut Option<Box<Searches>>,
}

impl Drop for Apart<'_, '_> {
    fn drop(&mut self) {
        match std::thread::panicking() {
            true => self.source.record.finish_early(),
            false => self.source.record.finish(),
        }
        *self.record = std::mem::take(&mut self.source.record);
        *self.searches = self.source.searches.take();
    }
}

impl Known {
    fn is(&self, place: &'static Location<'static>, types: &'static str) -> bool {
        let is_place = std::ptr::eq(self.place, place)
            || (self.place.line() == place.line()
                && self.place.column() == place.column()
                && self.place.file() == place.file());
        is_place && (std::ptr::eq(self.types, types) || self.types == types)
    }

    fn searches_at_once(&self) -> bool {
        self.waste.is_some_and(|waste| waste.way == Way::Searches)
    }
}

impl Searches {
    /// Where what is known of a condition stands; it stays there.
    fn place_of(&mut self, place: &'static Location<'static>, types: &'static str, is_filter: bool) -> usize {
        if let Some(at) = self.known.iter().position(|known| known.is(place, types)) {
            return at;
        }
        self.known.push(Known { place, types, waste: is_filter.then(Waste::default), pool: None });
        self.known.len() - 1
    }

    /// Decides between two cases how filters make their values in the next.
    fn turn(&mut self) {
        self.is_any_at_once = false;
        for known in &mut self.known {
            let counts = known.pool.as_ref().map_or_else(SearchCounts::default, |pool| pool.counts());
            if let Some(waste) = &mut known.waste {
                waste.turn(counts);
            }
            self.is_any_at_once |= known.searches_at_once();
        }
    }
}

/// A pool while it is used. It goes back to where it was also if the generator or the condition panics; what was made then is noted, to be made again.
struct Lent<'s, 'a> {
    source: &'s mut Source<'a>,
    pool: Option<Box<Pool>>,
    at: usize,
    is_outermost: bool,
    is_found: bool,
}

impl Lent<'_, '_> {
    fn draw(&mut self, candidate: &mut dyn Candidate, most_runs: u32) -> Drawn<bool> {
        let Some(pool) = &mut self.pool else { return Ok(false) };
        self.is_found = pool.draw(self.source, candidate, most_runs)?;
        Ok(self.is_found)
    }

    fn none_found(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Stop {
        let place = condition.place;
        let Some(pool) = self.pool.as_mut().filter(|_| condition.refused.is_none()) else {
            return self.source.stop(Why::FilteredOut { place, refused: MAX_TRIES });
        };
        let (counts, example) = pool.failure(self.source, candidate);
        let SearchCounts { runs, asked, valid, .. } = counts;
        self.source.stop(Why::NoneFound { place, runs, asked, valid, example })
    }
}

impl Drop for Lent<'_, '_> {
    fn drop(&mut self) {
        let Some(pool) = self.pool.take() else { return };
        let is_noting = self.source.keeps_searches == Keeps::PoolsAndNotes;
        let is_wanted = self.is_found || pool.was_interrupted();
        let searches = self.source.searches.get_or_insert_default();
        if self.is_outermost {
            searches.is_nested = false;
            if is_noting && is_wanted {
                searches.noted.push(pool.made().clone());
            }
        }
        // A panic may have left the candidate's source, and what it knew with it.
        let Some(known) = searches.known.get_mut(self.at) else { return };
        known.pool = Some(pool);
    }
}
