//! The memory that a source keeps from one draw to the next: the pools of `satisfying`, and how
//! many values each filter refused.
//!
//! A new source has no memory, so its seed alone decides its values. `samples` and the cases of a
//! property hand the memory on, so there a value depends on all seeds before it. To make a single
//! case of such a row again, the source notes the choices of each value that a search found.

use super::pool::{Candidate, Draw, Found, Limit, Pool};
use super::{
    Answers, Chooser, Distribution, Drawn, MAX_TRIES, Replay, Rng, SearchCounts, Source, Stop, TunedChooser, Why,
};
use crate::choice::Choices;
use std::collections::VecDeque;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

/// How many values in a row [`Satisfying::search`](crate::generator::Satisfying::search) makes
/// without a new valid one before it ends.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::MAX_SEARCH;
/// let none = any::<u64>().satisfying(|_| false);
/// let mut search = none.search(1);
/// assert_eq!(search.next(), None);
/// assert_eq!(search.counts().runs, u64::from(MAX_SEARCH));
/// ```
pub const MAX_SEARCH: u32 = 50_000;

/// The work of a search whose time nobody limits, such as that of `sample`: about 1,600,000 numbers
/// or 80,000 lists of a hundred. The same seed gives the same values on every machine.
const MAX_WORK: u64 = 1 << 23;

/// How many values a search makes that found nothing before.
const MAX_SEARCH_AGAIN: u32 = 1000;

/// The time that a search may take. The engine reads no clock: whoever runs a property tells it.
pub(crate) struct SearchTime {
    /// A search begins.
    pub(crate) begin: fn(),
    pub(crate) is_over: fn() -> bool,
    /// The search gave up; how long it took.
    pub(crate) give_up: fn() -> Duration,
}

#[derive(Default)]
pub(crate) struct Searches {
    known: Vec<Known>,
    /// How many values the filters refused.
    filtered: Vec<Filtered>,
    /// A draw from inside a candidate of another.
    is_nested: bool,
    /// The values that searches found since the last start.
    noted: Vec<Found>,
    /// The values of the next searches.
    given: VecDeque<Found>,
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
    /// None until it is searched for, and while it is.
    pool: Option<Box<Pool>>,
}

/// What a source keeps of its searches when it is started anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Nothing,
    Pools,
    /// And the choices of what was found since the last start.
    PoolsAndNotes,
}

/// A search that was made: the place of its condition, and its cost.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    pub(crate) place: &'static Location<'static>,
    pub(crate) counts: SearchCounts,
}

/// How many values a filter drew after a refusal, and how many of those it kept.
///
/// The first value of each draw is not counted, so a value that is kept at once costs nothing. The
/// filter keeps the same share of the later ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filtered {
    pub(crate) place: &'static Location<'static>,
    pub(crate) drawn: u64,
    pub(crate) kept: u64,
}

impl Filtered {
    /// Whether the filter gave up this often and never kept anything.
    pub(crate) fn is_hopeless(&self) -> bool {
        const TIMES: u64 = 10;
        self.kept == 0 && self.drawn >= TIMES * u64::from(MAX_TRIES - 1)
    }
}

/// What is searched for.
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) place: &'static Location<'static>,
    /// Tells generic uses of one place apart.
    pub(crate) types: &'static str,
}

impl Source<'_> {
    /// The same source, which keeps what it knows of searches when it is started anew, and in which
    /// the choices of what they find are noted.
    pub(crate) fn remembering(mut self) -> Self {
        self.keeps_searches = Keeps::PoolsAndNotes;
        self
    }

    /// The same source, whose searches take so much time at most.
    pub(crate) fn searching_for(mut self, time: &'static SearchTime) -> Self {
        self.search_time = Some(time);
        self
    }

    /// Lends what is known of searches to another source, or takes it back.
    pub(crate) fn exchange_searches(&mut self, other: &mut Source<'_>) {
        other.keeps_searches = self.keeps_searches;
        std::mem::swap(&mut self.searches, &mut other.searches);
    }

    /// The same source, which goes on with the searches of the one before.
    pub(crate) fn going_on(mut self, searches: Option<Box<Searches>>) -> Self {
        self.keeps_searches = Keeps::Pools;
        self.searches = searches;
        self
    }

    /// The same source, whose searches give these values instead of searching.
    pub(crate) fn given(mut self, found: Vec<Found>) -> Self {
        if !found.is_empty() {
            self.searches = Some(Box::new(Searches { given: found.into(), ..Searches::default() }));
        }
        self
    }

    /// All values that searches found since the last start.
    pub(crate) fn noted(&self) -> Vec<Found> {
        self.searches.as_ref().map_or_else(Vec::new, |searches| searches.noted.clone())
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
                searched.push(Searched { place: known.place, counts: pool.counts() });
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
            }
            _ => self.searches = None,
        }
    }

    /// Whether a search makes sense here: a replay has its answers already, and who answers in a
    /// way of their own knows better.
    pub(crate) fn may_search(&self) -> bool {
        if self.is_probing || !self.fixed.is_empty() {
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

    /// Counts the values that a filter drew after a refusal. Only the cases of a property want
    /// this.
    pub(super) fn note_filtered(&mut self, place: &'static Location<'static>, drawn: u32, kept: u32) {
        if self.keeps_searches != Keeps::PoolsAndNotes {
            return;
        }
        let filtered = &mut self.searches.get_or_insert_default().filtered;
        let at = filtered.iter().position(|filtered| *filtered.place == *place).unwrap_or_else(|| {
            filtered.push(Filtered { place, drawn: 0, kept: 0 });
            filtered.len() - 1
        });
        filtered[at].drawn += u64::from(drawn);
        filtered[at].kept += u64::from(kept);
    }

    /// The filters that refused something, and how much.
    pub(crate) fn filtered(&self) -> Vec<Filtered> {
        self.searches.as_ref().map_or_else(Vec::new, |searches| searches.filtered.clone())
    }

    /// Leaves a valid value in the candidate, and records its choices as those of the plain
    /// generator.
    ///
    /// It takes one random number from this source, whatever it does, so that the other draws of a
    /// case do not depend on the pool.
    #[inline(never)]
    pub(crate) fn satisfy(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Drawn<()> {
        let seed = self.seed_of_search()?;
        let searches = self.searches.get_or_insert_default();
        let is_outermost = !searches.is_nested;
        if is_outermost && let Some(found) = searches.given.pop_front() {
            self.satisfied_by(found, condition, candidate)?;
            self.go_on_by_weights(seed);
            return Ok(());
        }
        let at = searches.place_of(condition.place, condition.types);
        let mut pool = searches.known[at].pool.take().unwrap_or_else(|| Box::new(Pool::new(0)));
        pool.reseed(seed);
        searches.is_nested = true;
        let mut lent = Lent { source: self, pool: Some(pool), at, is_outermost, is_found: false, given_up: None };
        if !lent.draw(candidate)? {
            return Err(lent.none_found(condition, candidate));
        }
        drop(lent);
        if self.is_recording {
            let pool = self.searches.as_ref().and_then(|searches| searches.known[at].pool.as_ref());
            let made = pool.map_or_else(Choices::default, |pool| pool.made().clone());
            self.answered_by(&mut Replay::strict(&made), |source| candidate.make(source))?;
        }
        if is_outermost {
            self.go_on_by_weights(seed);
        }
        Ok(())
    }

    /// What weights draw after a search does not depend on how much it drew: it may be made again
    /// from what it found.
    fn go_on_by_weights(&mut self, seed: u64) {
        if let Some(tuned) = &mut self.tuned {
            tuned.set_chance(Rng::new(!seed));
        }
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
        let seed = self.number(u64::MAX, Distribution::Uniform)?;
        self.forget(mark);
        Ok(seed)
    }

    /// Whether somebody answers like chance, by learned weights perhaps. Who only stands for chance
    /// is not asked in searches.
    pub(super) fn is_like_chance(&self) -> bool {
        self.tuned.is_some() || !self.is_chance && self.chooser.as_ref().is_some_and(|chooser| chooser.is_random())
    }

    /// Makes what was found before.
    fn satisfied_by(&mut self, found: Found, condition: &Condition, candidate: &mut dyn Candidate) -> Drawn<()> {
        match found {
            Found::Choices(choices) => {
                self.answered_by(&mut Replay::strict(&choices), |source| candidate.make(source))?;
            }
            Found::Draw(draw) => {
                let (rng, picks_left, depth) = (self.rng.clone(), self.picks_left, self.depth);
                let answers = self.answers;
                // Chance found it, and not who stands for it.
                if self.is_chance {
                    self.answers = if self.is_recording { Answers::RandomRecorded } else { Answers::Random };
                }
                self.depth = depth.of_candidate(draw.size);
                self.begin_draw(draw);
                self.resized(draw.size, |source| candidate.make(source))?;
                (self.rng, self.picks_left, self.depth) = (rng, picks_left, depth);
                self.answers = answers;
            }
            Found::None(why) => return Err(self.stop(*why)),
        }
        match candidate.is_valid() {
            true => Ok(()),
            // It was valid when it was found, so it depends on more than its choices.
            false => Err(self.stop(Why::FilteredOut { place: condition.place, refused: 1 })),
        }
    }

    /// A source of chance for a candidate, with the limits of this one.
    fn apart<'b>(&self, draw: Draw) -> Source<'b> {
        Source {
            picks_left: draw.max_picks(),
            levels_left: self.levels_left,
            depth: self.depth.of_candidate(draw.size),
            size: draw.size,
            stack: self.stack,
            ..Source::random(draw.seed)
        }
    }

    /// Begins another draw of the same source.
    pub(super) fn begin_draw(&mut self, draw: Draw) {
        self.rng = Rng::new(draw.seed);
        self.picks_left = draw.max_picks();
        self.depth.deep_picks = 0;
        self.endings = None;
        self.why = None;
    }

    pub(super) fn take_why(&mut self) -> Option<Box<Why>> {
        self.why.take()
    }

    /// Hands out a source that draws candidates as [`drawn_apart`](Source::drawn_apart) does, and
    /// records nothing.
    pub(super) fn drawn_unrecorded<T>(&mut self, size: u32, draw: impl FnOnce(&mut Source<'_>) -> T) -> T {
        let mut inner = self.apart(Draw { seed: 0, size });
        inner.searches = self.searches.take();
        let record = &mut Choices::default();
        let apart = Apart { source: &mut inner, record, searches: &mut self.searches, tuned: &mut self.tuned };
        draw(&mut *apart.source)
    }

    /// Runs a candidate as it would be drawn, recorded elsewhere: by whoever answers like chance,
    /// if there is somebody. `is_again` says that it was before.
    pub(super) fn drawn_apart(
        &mut self,
        draw: Draw,
        is_again: bool,
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        let mut inner = Source { answers: Answers::RandomRecorded, ..self.apart(draw) };
        inner.tuned = self.tuned.take();
        if let Some(chooser) = self.chooser.as_deref_mut().filter(|chooser| chooser.is_random() && !self.is_chance) {
            inner.chooser = Some(chooser);
        }
        if inner.tuned.is_some() || inner.chooser.is_some() {
            inner.answers = Answers::Asked;
            inner.is_counting = true;
        }
        inner.made_apart(is_again, (&mut self.searches, &mut self.tuned), record, candidate)
    }

    /// Runs a candidate of a size with the answers of a chooser, recorded elsewhere.
    pub(super) fn asked_apart(
        &mut self,
        chooser: &mut dyn Chooser,
        size: u32,
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        let mut inner = Source {
            answers: Answers::Asked,
            chooser: Some(chooser),
            // Nobody wants to know what is free.
            binding: 1,
            levels_left: self.levels_left,
            depth: self.depth.of_candidate(size),
            size,
            stack: self.stack,
            ..Source::random(0)
        };
        inner.made_apart(false, (&mut self.searches, &mut self.tuned), record, candidate)
    }

    fn made_apart(
        &mut self,
        is_again: bool,
        (searches, tuned): (&mut Option<Box<Searches>>, &mut Option<Box<TunedChooser>>),
        record: &mut Choices,
        candidate: &mut dyn Candidate,
    ) -> Result<(), Option<Box<Why>>> {
        self.is_recording = true;
        self.record = std::mem::take(record);
        self.searches = searches.take();
        let apart = Apart { source: self, record, searches, tuned };
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

/// A source that makes a candidate. On drop, also after a panic, it gives back the record, the
/// searches and the tuned chooser.
struct Apart<'r, 'a> {
    source: &'r mut Source<'a>,
    record: &'r mut Choices,
    searches: &'r mut Option<Box<Searches>>,
    tuned: &'r mut Option<Box<TunedChooser>>,
}

impl Drop for Apart<'_, '_> {
    fn drop(&mut self) {
        match std::thread::panicking() {
            true => self.source.record.finish_early(),
            false => self.source.record.finish(),
        }
        *self.record = std::mem::take(&mut self.source.record);
        *self.searches = self.source.searches.take();
        // A source that asks another chooser has none.
        if let Some(tuned) = self.source.tuned.take() {
            *self.tuned = Some(tuned);
        }
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
}

impl Searches {
    /// Where what is known of a condition stands; it stays there.
    fn place_of(&mut self, place: &'static Location<'static>, types: &'static str) -> usize {
        if let Some(at) = self.known.iter().position(|known| known.is(place, types)) {
            return at;
        }
        self.known.push(Known { place, types, pool: None });
        self.known.len() - 1
    }
}

/// A pool while it is used. It goes back to where it was also if the generator or the condition
/// panics; what was made then is noted, to be made again.
struct Lent<'s, 'a> {
    source: &'s mut Source<'a>,
    pool: Option<Box<Pool>>,
    at: usize,
    is_outermost: bool,
    is_found: bool,
    given_up: Option<Box<Why>>,
}

impl Lent<'_, '_> {
    fn draw(&mut self, candidate: &mut dyn Candidate) -> Drawn<bool> {
        let Some(pool) = &mut self.pool else { return Ok(false) };
        let time = self.source.search_time.filter(|_| self.is_outermost);
        // A search inside a candidate of another is short.
        let max_runs = match self.is_outermost {
            _ if pool.has_given_up => MAX_SEARCH_AGAIN.into(),
            true => u64::MAX / 2,
            false => MAX_SEARCH.into(),
        };
        let max_work = if time.is_some() { u64::MAX / 2 } else { MAX_WORK };
        if let Some(time) = time {
            (time.begin)();
        }
        self.is_found = pool.draw(self.source, candidate, &Limit { max_runs, max_work, time })?;
        Ok(self.is_found)
    }

    fn none_found(&mut self, condition: &Condition, candidate: &mut dyn Candidate) -> Stop {
        let Some(pool) = &mut self.pool else { return Stop };
        let took = self.source.search_time.filter(|_| self.is_outermost).map(|time| (time.give_up)());
        let sizes = pool.sizes();
        let (SearchCounts { runs, asked, valid, .. }, example) = pool.failure(self.source, candidate);
        pool.give_up();
        let place = condition.place;
        let why = Why::NoneFound { place, runs, asked, valid, sizes, took, example };
        self.given_up = Some(Box::new(why.clone()));
        self.source.stop(why)
    }
}

impl Drop for Lent<'_, '_> {
    fn drop(&mut self) {
        let Some(pool) = self.pool.take() else { return };
        let is_noting = self.source.keeps_searches == Keeps::PoolsAndNotes;
        let found = match self.given_up.take() {
            Some(why) => Some(Found::None(why)),
            None => (self.is_found || pool.was_interrupted()).then(|| pool.found()),
        };
        let searches = self.source.searches.get_or_insert_default();
        if self.is_outermost {
            searches.is_nested = false;
            if is_noting {
                searches.noted.extend(found);
            }
        }
        // A panic may have left the candidate's source, and what it knew with it.
        let Some(known) = searches.known.get_mut(self.at) else { return };
        known.pool = Some(pool);
    }
}
