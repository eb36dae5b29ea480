use super::replay::arm_of;
use super::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest, Rng};
use crate::choice::{Choices, Entry, Kind, Marker};

/// Answers from an edited choice tree, and draws what is missing: the forward half of mutation.
///
/// Where [`Replay::lenient`](super::Replay::lenient) takes the simplest, this takes what a random source would, so that an edit leads to any value nearby
/// and not only to simpler ones. What was drawn this way does not grow without end: after some picks and items ([`with_growth`](Recovery::with_growth))
/// the rest is the simplest.
///
/// Numbers stay where they were as far as they can. If a number was moved, and the bound of a later one fell by as much, then the later one is counted
/// from there: it keeps its place and not its distance. Of a search tree whose root became larger, the larger keys stay what they are. A number for
/// which there is no room any more becomes the nearest for which there is.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Recovery, Source};
/// let pairs = tuple((0..=9, vec_of(0..=9, 3)));
/// let choices: Choices = "(7 [1 2])".parse().unwrap();
/// let mut recovery = Recovery::new(&choices, 5);
/// let (number, list) = pairs.generate(&mut Source::asking(&mut recovery)).unwrap();
/// assert_eq!((number, &list[..2]), (7, &[1, 2][..])); // What is there is kept, and the third item is drawn.
/// ```
#[derive(Debug)]
pub struct Recovery<'c> {
    choices: &'c Choices,
    level: Level,
    outer: Vec<Level>,
    rng: Rng,
    growth: u32,
    moves: Moves,
}

/// The bracket being read.
#[derive(Clone, Copy, Debug)]
struct Level {
    next: u32,
    end: u32,
    /// The pick that *is* this bracket, until it was asked for.
    pick: u32,
    missing: Missing,
}

const NO_PICK: u32 = u32::MAX;

/// How to answer what the tree does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    Drawn,
    Simplest,
}

impl<'c> Recovery<'c> {
    /// Answers from these choices; what is missing is drawn, the same for the same seed.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Recovery, Source};
    /// let draw = |seed| (0..1000).generate(&mut Source::asking(&mut Recovery::new(&Choices::default(), seed)));
    /// assert_eq!(draw(1), draw(1));
    /// assert!((2..100).any(|seed| draw(seed) != draw(1)));
    /// ```
    pub fn new(choices: &'c Choices, seed: u64) -> Recovery<'c> {
        Recovery {
            choices,
            level: Level { next: 0, end: choices.len() as u32, pick: NO_PICK, missing: Missing::Drawn },
            outer: Vec::with_capacity(64),
            rng: Rng::new(seed),
            growth: DEFAULT_GROWTH,
            moves: Moves::default(),
        }
    }

    /// How many picks and items are drawn where something is missing, before the rest is the simplest. Without this, 100.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Recovery, Source};
    /// let list = |growth| {
    ///     let choices = Choices::default();
    ///     let mut recovery = Recovery::new(&choices, 7).with_growth(growth);
    ///     vec_of(0..10, ..).generate(&mut Source::asking(&mut recovery)).unwrap()
    /// };
    /// assert_eq!(list(0), []);
    /// assert!((1..10).all(|growth| list(growth).len() <= growth as usize));
    /// ```
    pub fn with_growth(mut self, growth: u32) -> Recovery<'c> {
        self.growth = growth;
        self
    }

    /// Says that a number in the tree is larger by so much than it was, so that others can stay where they were.
    pub(crate) fn with_move(mut self, by: i64) -> Recovery<'c> {
        self.moves.add(by.into());
        self
    }

    #[inline(always)]
    fn entry(&self, at: u32) -> Entry {
        self.choices.entries()[at as usize]
    }

    /// Takes the next node whole: its place, or none if the bracket has no more.
    #[inline(always)]
    fn take(&mut self) -> Option<u32> {
        let at = self.level.next;
        if at >= self.level.end {
            return None;
        }
        self.level.next = at + 1 + self.entry(at).extent() as u32;
        Some(at)
    }

    #[inline(always)]
    fn push(&mut self, level: Level) {
        self.outer.push(std::mem::replace(&mut self.level, level));
    }

    #[inline(always)]
    fn descend(&mut self, at: u32, entry: Entry) {
        let pick = if entry.kind() == Kind::Pick { at } else { NO_PICK };
        self.push(Level { next: at + 1, end: at + 1 + entry.extent() as u32, pick, missing: Missing::Drawn });
    }

    /// A bracket of which nothing is known; `found` is what stands in its place.
    #[cold]
    fn descend_into_nothing(&mut self, found: Option<u32>) {
        let missing = self.missing(found);
        self.push(Level { next: 0, end: 0, pick: NO_PICK, missing });
    }

    fn missing(&self, found: Option<u32>) -> Missing {
        match found.and_then(|at| self.entry(at).marker()) {
            Some(Marker::Anew) => Missing::Drawn,
            Some(Marker::Simplest) => Missing::Simplest,
            None => self.level.missing,
        }
    }

    #[cold]
    fn missing_number(&mut self, request: &NumberRequest, found: Option<u32>) -> u64 {
        match self.missing(found) {
            Missing::Drawn => request.random(&mut self.rng),
            Missing::Simplest => 0,
        }
    }

    #[cold]
    fn missing_pick(&mut self, request: &PickRequest<'_>, found: Option<u32>) -> usize {
        if self.missing(found) == Missing::Simplest || self.growth == 0 {
            return request.possible_arms().next().unwrap_or(0);
        }
        self.growth -= 1;
        request.random(&mut self.rng)
    }

    #[cold]
    fn missing_repeat(&mut self, request: &RepeatRequest, found: Option<u32>) -> usize {
        if self.missing(found) == Missing::Simplest || self.growth == 0 {
            return request.min;
        }
        let likely_max = request.likely_max.min(request.min.saturating_add(self.growth as usize));
        let count = RepeatRequest { likely_max, ..*request }.random(&mut self.rng);
        self.growth -= (count - request.min) as u32;
        count
    }
}

/// See [`Recovery::with_growth`].
const DEFAULT_GROWTH: u32 = 100;

/// What a filter that refused may draw at least, or it would be offered the same again.
const GROWTH_AGAIN: u32 = 64;

impl Chooser for Recovery<'_> {
    #[inline]
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let at = self.take();
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() == Kind::Number {
                let index = entry.index();
                let is_as_before = entry.bound() == request.max || self.moves.is_empty();
                if is_as_before && index <= request.max {
                    return Ok(index);
                }
                return Ok(self.moves.number(index, entry.bound(), request.max));
            }
        }
        Ok(self.missing_number(request, at))
    }

    #[inline]
    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let Level { next, end, pick, .. } = self.level;
        let at = if pick != NO_PICK {
            self.level.pick = NO_PICK;
            Some(pick)
        } else if next < end && self.entry(next).kind() == Kind::Pick {
            // Not taken whole: its body runs to the end of this bracket.
            self.level.next += 1;
            Some(next)
        } else {
            self.take()
        };
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() == Kind::Pick
                && let Some(arm) = arm_of(self.choices, entry, request)
            {
                return Ok(arm);
            }
        }
        Ok(self.missing_pick(request, at))
    }

    #[inline]
    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let at = self.take();
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() == Kind::Repeat {
                self.descend(at, entry);
                let count = usize::try_from(entry.index()).unwrap_or(usize::MAX);
                return Ok(count.clamp(request.min, request.max));
            }
        }
        let count = self.missing_repeat(request, at);
        self.descend_into_nothing(at);
        Ok(count)
    }

    #[inline]
    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        if let Bracket::Again = bracket {
            self.growth = self.growth.max(GROWTH_AGAIN);
            self.push(Level { next: 0, end: 0, pick: NO_PICK, missing: Missing::Drawn });
            return Ok(());
        }
        let at = self.take();
        if let Some(at) = at {
            let entry = self.entry(at);
            match (bracket, entry.kind()) {
                (Bracket::Call(_), Kind::Call | Kind::Pick) => {
                    self.descend(at, entry);
                    return Ok(());
                }
                (Bracket::Part, Kind::Part) if entry.marker().is_none() => {
                    self.descend(at, entry);
                    return Ok(());
                }
                // The part is one node that opens its own bracket or needs none.
                (Bracket::Part, kind) if kind != Kind::Part => {
                    let end = at + 1 + entry.extent() as u32;
                    self.push(Level { next: at, end, pick: NO_PICK, missing: Missing::Drawn });
                    return Ok(());
                }
                _ => {}
            }
        }
        self.descend_into_nothing(at);
        Ok(())
    }

    #[inline]
    fn close(&mut self) -> Result<(), String> {
        self.level = self.outer.pop().expect("brackets are closed as often as they are opened");
        Ok(())
    }

    fn key(&mut self) -> Result<Option<String>, String> {
        let pick = std::mem::replace(&mut self.level.pick, NO_PICK);
        Ok(if pick == NO_PICK { None } else { self.choices.label_of(self.entry(pick)).map(str::to_owned) })
    }

    fn may_retry(&self) -> bool {
        true
    }
}

/// By how much numbers were moved, the last few of them.
#[derive(Debug, Default)]
struct Moves {
    by: [i128; 4],
    count: usize,
}

impl Moves {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn add(&mut self, by: i128) {
        if by != 0 && !self.by.contains(&by) {
            self.by[self.count % self.by.len()] = by;
            self.count += 1;
        }
    }

    /// The answer for a number that stood at `index` when the largest was `bound`.
    #[cold]
    fn number(&mut self, index: u64, bound: u64, max: u64) -> u64 {
        let change = if bound == u64::MAX { 0 } else { i128::from(max) - i128::from(bound) };
        // The other end, from which numbers are not counted, may move as it likes.
        let start_moved_by = if change != 0 && self.by.contains(&-change) { -change } else { 0 };
        let wanted = i128::from(index) - start_moved_by;
        let answer = wanted.clamp(0, max.into());
        self.add(answer - wanted);
        answer as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::source::Source;

    /// Rising numbers below 100, each counted from the one before.
    fn rising() -> impl Generator<Value = Vec<u32>> {
        sequence_of(0, .., |least| Some(*least..=99), |_, item| item + 1)
    }

    fn recovered(generator: &impl Generator<Value = Vec<u32>>, text: &str, by: i64) -> Vec<u32> {
        let choices: Choices = text.parse().unwrap();
        // The text knows no bounds: a replay does.
        let (_, mut choices) = generator.try_replay(&choices).unwrap();
        let first = choices.entries()[1].index();
        choices.set_number(1, first.wrapping_add_signed(by));
        let mut recovery = Recovery::new(&choices, 1).with_move(by);
        generator.generate(&mut Source::asking(&mut recovery)).unwrap()
    }

    #[test]
    fn numbers_counted_from_one_that_moved_stay_where_they_are() {
        assert_eq!(recovered(&rising(), "[10 9 9]", 0), [10, 20, 30]);
        assert_eq!(recovered(&rising(), "[10 9 9]", 3), [13, 20, 30]);
        assert_eq!(recovered(&rising(), "[10 9 9]", -4), [6, 20, 30]);
    }

    #[test]
    fn what_has_no_room_left_goes_no_farther_than_it_must_and_the_rest_stays() {
        assert_eq!(recovered(&rising(), "[10 9 9]", 15), [25, 26, 30]);
        assert_eq!(recovered(&rising(), "[10 9 9]", 25), [35, 36, 37]);
    }

    #[test]
    fn a_filter_that_refuses_what_is_there_is_offered_other_values_and_leaves_what_follows_alone() {
        let odd = within(0..100u32).filter(|number| number % 2 == 1);
        let pairs = tuple((odd, 0..100u32));
        let choices: Choices = "(4 8)".parse().unwrap();
        for seed in 0..20 {
            let mut recovery = Recovery::new(&choices, seed);
            let (odd, next) = pairs.generate(&mut Source::asking(&mut recovery)).unwrap();
            assert_eq!((odd % 2, next), (1, 8));
        }
    }

    #[test]
    fn markers_say_whether_a_part_is_drawn_or_the_simplest() {
        let lists = vec_of(tuple((1..=9u8, any::<bool>())), ..);
        let choices: Choices = "[(3 1:true) (4 1:true) (5 1:true)]".parse().unwrap();
        let marked = |marker| {
            let mut choices = choices.clone();
            choices.replace(4..7, &[Entry::marked(marker)]);
            let mut recovery = Recovery::new(&choices, 3);
            lists.generate(&mut Source::asking(&mut recovery)).unwrap()
        };
        assert_eq!(marked(Marker::Simplest), [(4, true), (1, false), (6, true)]);
        let made = marked(Marker::Anew);
        assert_eq!((made.len(), made[0], made[2]), (3, (4, true), (6, true)));
    }
}
