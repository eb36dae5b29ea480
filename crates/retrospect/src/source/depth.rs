//! How deep a value drawn at random may be, and how it ends there.
//!
//! Every bracket of a generator counts as one level, whatever it makes: so a depth is the same in
//! every build, and at least that of the value. The count is looked at every [`STRIDE`] levels,
//! together with the stack. Beyond the limit every pick takes an arm that ends and every list the
//! fewest items.

use super::{DEFAULT_SIZE, DORMANT, Drawn, Extent, Form, PICK_BUDGET, PickRequest, Source, Stop, Why};
use crate::choice::Site;
use crate::stack::{Stack, grow};

/// The depth of random values that a source was not told: so many generators stand inside one
/// another.
///
/// A test thread has 2 MB of stack. Values of this depth can be cloned, compared, printed and
/// dropped there, in a build without optimisation too.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::DEFAULT_MAX_DEPTH;
/// #[derive(Clone, Debug)]
/// struct Chain(Option<Box<Chain>>);
/// #[generator]
/// fn chain() -> Chain {
///     match pick() {
///         "end" => Chain(None),
///         #[weight(100_000)]
///         "link" => Chain(Some(Box::new(draw(chain())))),
///     }
/// }
/// let links = |chain: &Chain| std::iter::successors(Some(chain), |chain| chain.0.as_deref()).count();
/// assert!((0..100).all(|seed| links(&chain().sample(seed)) <= DEFAULT_MAX_DEPTH as usize + 1));
/// ```
pub const DEFAULT_MAX_DEPTH: u32 = 128;

/// The least depth that can be asked for: what a value without recursion needs.
pub(crate) const LEAST_MAX_DEPTH: u32 = STRIDE;

/// Levels between two looks at the depth and the stack. Up to the first look a value is shallow.
pub(crate) const STRIDE: u32 = 8;

/// The depth of values of the smallest size.
const DEPTH_AT_REST: u32 = 32;

/// Picks below the first [`STRIDE`] levels for each unit of size, and the fewest that there are.
const DEEP_PICKS_PER_SIZE: u32 = 10;
const FEWEST_DEEP_PICKS: u32 = 100;

/// Picks inside one another that were meant to end, before it is said that they do not.
const ENDLESS: usize = 1000;

/// How often a generator stands inside itself beyond the limit, with the same arguments and no pick
/// in between, before it is said that it does not end. Other arguments may still end it.
const ENDLESS_LEVELS: u32 = 5_000;

/// Where a source is in the depth of its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// Levels that may open before the depth is looked at.
    pub(super) levels_to_look: u32,
    /// How many levels are open when none of these is left.
    next_look: u32,
    /// The largest depth at the default size.
    max: u32,
    /// The size of the whole value.
    pub(super) size: u32,
    /// Whether this is below the first levels, and how many picks were drawn there.
    pub(super) is_deep: bool,
    pub(super) deep_picks: u32,
    /// The innermost level, where each has a number of its own; 0 elsewhere.
    level: u32,
    /// A generator that stands inside itself.
    repeated: Repeated,
    /// Whether answers are limited: those of chance, of a search, of a mutation, but not those of
    /// given choices.
    pub(super) is_limited: bool,
}

/// How often the same generator with the same arguments stands inside itself.
#[derive(Clone, Copy, Debug)]
struct Repeated {
    form: u64,
    /// The depth from which on it is counted.
    since: u32,
    count: u32,
}

/// The depth up to which a random source of this size draws freely, and how many picks it draws
/// below the first levels.
pub(crate) fn limits(max_depth: u32, size: u32) -> (u32, u32) {
    let by_size = u64::from(max_depth) * u64::from(size.min(DEFAULT_SIZE)) / u64::from(DEFAULT_SIZE);
    let depth = (by_size as u32).max(DEPTH_AT_REST).min(max_depth);
    let deep_picks = size.saturating_mul(DEEP_PICKS_PER_SIZE).clamp(FEWEST_DEEP_PICKS, PICK_BUDGET);
    (depth, deep_picks)
}

/// Picks that a source of this size answers at random at most.
pub(crate) fn pick_budget(size: u32) -> u32 {
    if size <= DEFAULT_SIZE { PICK_BUDGET } else { (PICK_BUDGET / DEFAULT_SIZE).saturating_mul(size) }
}

impl Depth {
    pub(super) const START: Depth = Depth {
        levels_to_look: STRIDE,
        next_look: STRIDE,
        max: DEFAULT_MAX_DEPTH,
        size: DEFAULT_SIZE,
        is_deep: false,
        deep_picks: 0,
        level: 0,
        repeated: Repeated { form: 0, since: 0, count: 0 },
        is_limited: true,
    };

    /// The same place, where answers are limited or not.
    pub(super) const fn limited(self, is_limited: bool) -> Depth {
        Depth { is_limited, ..self }
    }

    /// The same place for a candidate of a search, which may have another size and is drawn apart.
    pub(super) fn of_candidate(self, size: u32) -> Depth {
        Depth { size, is_limited: true, deep_picks: 0, ..self }
    }

    /// Whether it is deeper than what is drawn at random.
    pub(super) fn is_beyond(&self) -> bool {
        self.next_look > DEFAULT_MAX_DEPTH
    }

    fn limits(&self) -> (u32, u32) {
        if self.is_limited { limits(self.max, self.size) } else { (u32::MAX, PICK_BUDGET) }
    }
}

impl<'a> Source<'a> {
    /// The same source with another limit for the depth of what is drawn at random,
    /// [`DEFAULT_MAX_DEPTH`] otherwise. A smaller [size](Source::with_size) than 100 has its share
    /// of it, but at least 32.
    ///
    /// Beyond it every pick takes an arm that ends, and every list has the fewest items. Choices
    /// that are replayed may be deeper.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::Source;
    /// #[derive(Clone, Debug)]
    /// struct Chain(Option<Box<Chain>>);
    /// #[generator]
    /// fn chain() -> Chain {
    ///     match pick() {
    ///         "end" => Chain(None),
    ///         #[weight(100_000)]
    ///         "link" => Chain(Some(Box::new(draw(chain())))),
    ///     }
    /// }
    /// let links = |chain: &Chain| std::iter::successors(Some(chain), |chain| chain.0.as_deref()).count();
    /// let short = chain().generate(&mut Source::random(1).with_max_depth(50)).unwrap();
    /// assert_eq!(links(&short), 51);
    /// ```
    pub fn with_max_depth(mut self, max_depth: u32) -> Source<'a> {
        self.set_max_depth(max_depth);
        self
    }

    pub(crate) fn set_max_depth(&mut self, max_depth: u32) {
        self.depth.max = max_depth.max(LEAST_MAX_DEPTH);
    }

    /// The same source, whose chooser is limited as chance is.
    pub(crate) fn limited(mut self) -> Source<'a> {
        self.depth.is_limited = true;
        self
    }

    /// The same source for a mutant of a value that is not deep: parts that were put inside others
    /// do not make it deeper each time.
    pub(crate) fn limited_as_mutant(mut self) -> Source<'a> {
        self.depth = Depth { max: 2 * DEFAULT_MAX_DEPTH, size: u32::MAX, ..Depth::START };
        self.picks_left = u32::MAX;
        self
    }

    pub(crate) fn max_depth(&self) -> u32 {
        self.depth.max
    }

    /// Whether the value became so large that its further picks had to end.
    pub(crate) fn is_spent(&self) -> bool {
        self.picks_left == 0 || self.depth.deep_picks >= self.depth.limits().1
    }

    /// Whether the value used up all picks that there are. The smaller budget of its deep parts is
    /// how recursion ends, and no reason to warn.
    pub(crate) fn is_huge(&self) -> bool {
        self.picks_left == 0
    }

    /// How many items a random source takes. The list may hold what it is itself in: so it counts
    /// as a pick, and its items do if their number has no limit.
    #[inline(always)]
    pub(super) fn random_count(&mut self, item: Extent, min: usize, max: usize) -> usize {
        let count = self.repeat_request(item, min, max).random(&mut self.rng);
        self.count_repeat(count, max);
        count
    }

    #[inline(always)]
    pub(super) fn count_repeat(&mut self, count: usize, max: usize) {
        self.picks_left = self.picks_left.saturating_sub(picks_of_repeat(count, max));
    }

    /// Runs `body` where the depth is to be looked at first.
    #[cold]
    #[inline(never)]
    pub(super) fn further<T>(
        &mut self,
        site: &'static Site,
        form: &dyn Fn() -> Form,
        body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
    ) -> Drawn<T> {
        let mut body = Some(body);
        let mut result = Err(Stop);
        self.go_further(site, form, &mut |source| {
            if let Some(body) = body.take() {
                result = body(source);
            }
        })?;
        result
    }

    fn go_further(
        &mut self,
        site: &'static Site,
        form: &dyn Fn() -> Form,
        work: &mut dyn FnMut(&mut Source<'a>),
    ) -> Drawn<()> {
        let (depth, (limit, most_deep_picks)) = (self.depth.next_look, self.depth.limits());
        let picks_before = self.picks_left;
        let picks = match depth >= limit {
            true => Picks::Withheld,
            false if depth < STRIDE || self.depth.is_deep => Picks::Free,
            false => Picks::Lent(picks_before.min(most_deep_picks.saturating_sub(self.depth.deep_picks))),
        };
        let deeper = Deeper { depth: self.depth, stack: self.stack, picks_before, picks, source: self };
        let source = &mut *deeper.source;
        source.picks_left = match picks {
            Picks::Free => picks_before,
            Picks::Lent(lent) => lent,
            Picks::Withheld => 0,
        };
        let is_ending = if source.depth.is_limited { source.picks_left == 0 } else { source.endings.is_some() };
        let levels = if is_ending { 1 } else { STRIDE.min(limit - depth) };
        source.depth.is_deep |= depth >= STRIDE;
        source.depth.levels_to_look = levels;
        source.depth.next_look = depth + levels;
        source.depth.level = if is_ending { source.endings.get_or_insert_default().next_level() } else { 0 };
        if depth >= limit && !source.is_reading {
            source.count_repeated(depth, site, form())?;
        }
        match source.stack.is_low() {
            false => work(source),
            true => grow(source, |source| &mut source.stack, work).ok_or_else(|| source.too_deep())?,
        }
        Ok(())
    }

    /// Counts how often a generator stands inside itself where nothing decides whether it does, and
    /// stops if that has no end. A text that is read is as deep as it is.
    fn count_repeated(&mut self, depth: u32, site: &'static Site, form: Form) -> Drawn<()> {
        let Form::Known(form) = form else { return Ok(()) };
        let Repeated { form: known, since, count } = self.depth.repeated;
        let last_pick = self.endings.as_ref().and_then(|endings| endings.open.last());
        let is_over = last_pick.is_some_and(|pick| pick.depth >= since);
        self.depth.repeated = match known == form && !is_over {
            true if count == ENDLESS_LEVELS => return Err(self.stop(Why::NoPick { site })),
            true => Repeated { form, since, count: count + 1 },
            // Of generators that call each other one is counted, if it comes again soon enough.
            false if is_over || depth >= 2 * since => Repeated { form, since: depth, count: 1 },
            false => return Ok(()),
        };
        Ok(())
    }

    /// How many picks of this value had to take an arm that ends.
    pub(crate) fn n_ended(&self) -> u32 {
        self.endings.as_ref().map_or(0, |endings| endings.n_ended)
    }

    /// The last pick that had to take an arm that ends.
    pub(crate) fn ended_at(&self) -> Option<&'static Site> {
        self.endings.as_ref().filter(|endings| endings.n_ended > 0)?;
        self.last_pick.map(|(site, _)| site)
    }

    /// The arm that ends, as far as that is known.
    #[cold]
    #[inline(never)]
    pub(super) fn ending_arm(&mut self, request: &PickRequest<'_>) -> Drawn<usize> {
        // From here on each level is looked at.
        self.depth.next_look -= self.depth.levels_to_look;
        self.depth.levels_to_look = 0;
        let Depth { next_look: depth, level, .. } = self.depth;
        let endings = self.endings.get_or_insert_default();
        endings.n_ended = endings.n_ended.wrapping_add(1);
        let arm = endings.arm(request, depth, level);
        if endings.open.len() > ENDLESS {
            return Err(self.stop(Why::NeverEnds { site: request.site, arm }));
        }
        self.last_pick = Some((request.site, arm));
        Ok(arm)
    }
}

/// As how many picks a list counts.
#[inline(always)]
pub(crate) fn picks_of_repeat(count: usize, max: usize) -> u32 {
    if max == usize::MAX { u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1) } else { 1 }
}

/// Makes the depth again what it was, also if a generator panics.
struct Deeper<'s, 'a> {
    source: &'s mut Source<'a>,
    depth: Depth,
    stack: Stack,
    picks_before: u32,
    picks: Picks,
}

/// Which picks are drawn at random further down.
#[derive(Clone, Copy)]
enum Picks {
    Free,
    /// So many, below the first levels.
    Lent(u32),
    /// None, beyond the limit.
    Withheld,
}

impl Drop for Deeper<'_, '_> {
    fn drop(&mut self) {
        let Depth { mut deep_picks, .. } = self.source.depth;
        match self.picks {
            Picks::Free => {}
            Picks::Lent(lent) => {
                let used = lent.saturating_sub(self.source.picks_left);
                deep_picks += used;
                self.source.picks_left = self.picks_before - used;
            }
            Picks::Withheld => self.source.picks_left = self.picks_before,
        }
        self.source.depth = Depth { deep_picks, ..self.depth };
        self.source.stack = self.stack;
        if let Some(endings) = &mut self.source.endings {
            endings.end_level(self.depth.next_look);
        }
    }
}

/// Which arms end, as far as picks that had to end have shown it in this value.
///
/// A pick that had to end and comes back to itself takes another arm each time, so it does end if
/// some arm does. The height of each arm is kept: from then on the lowest is taken at once, unless
/// it turns out to be higher, which the arguments of a generator may do. Heights are learned from
/// below: what an arm had while a pick in it was still finding out says nothing, and an arm that is
/// thought too high would be passed over for one that leads back to itself.
#[derive(Default)]
pub(super) struct Endings {
    /// The picks around the next one, the innermost last.
    open: Vec<Ending>,
    known: Vec<Ending>,
    levels: u32,
    n_ended: u32,
}

/// A pick that had to end.
struct Ending {
    site: u32,
    arm: usize,
    depth: u32,
    level: u32,
    /// How many levels there are in it: as it was known before, and as there were.
    expected: Option<u32>,
    height: u32,
    /// Whether all picks in it took arms whose height was known. Where one had to find out, there
    /// are more levels than need be.
    is_least: bool,
}

impl Endings {
    fn next_level(&mut self) -> u32 {
        self.levels += 1;
        self.levels
    }

    /// Closes the picks of levels that are deeper.
    fn end_level(&mut self, depth: u32) {
        self.close_while(|open| open.depth > depth);
    }

    fn arm(&mut self, request: &PickRequest<'_>, depth: u32, level: u32) -> usize {
        let site = request.site.id();
        // A pick that comes twice in one level is over the first time.
        self.close_while(|open| open.level == level && open.site == site);
        let height_of = |arm: usize| {
            let known = self.known.iter().find(|known| known.site == site && known.arm == arm);
            known.map(|known| known.height)
        };
        let rank = |arm: usize| {
            let height = height_of(arm);
            // What is around this pick did not end yet: as nothing was known of it, or although it
            // was to be lower.
            let is_endless = |open: &&Ending| match open.expected {
                None => height.is_none(),
                Some(expected) => depth - open.depth > expected,
            };
            let around = self.open.iter().filter(|open| open.site == site && open.arm == arm);
            (around.filter(is_endless).count(), request.weights[arm] == DORMANT, height.unwrap_or(u32::MAX))
        };
        let arm = request.possible_arms().min_by_key(|arm| rank(*arm)).unwrap_or(0);
        let expected = height_of(arm);
        if expected.is_none() {
            self.open.iter_mut().for_each(|around| around.is_least = false);
        }
        // Where levels are not told apart, nobody knows when it is over.
        if level > 0 {
            self.open.push(Ending { site, arm, depth, level, expected, height: 0, is_least: true });
        }
        arm
    }

    fn close_while(&mut self, is_over: impl Fn(&Ending) -> bool) {
        while let Some(ended) = self.open.pop_if(|open| is_over(open)) {
            if let Some(around) = self.open.last_mut() {
                around.height = around.height.max(ended.height + ended.depth - around.depth);
            }
            match self.known.iter_mut().find(|known| known.site == ended.site && known.arm == ended.arm) {
                Some(known) => known.height = ended.height,
                None if ended.is_least => self.known.push(ended),
                None => {}
            }
        }
    }
}
