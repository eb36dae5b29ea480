use super::replay::arm_of;
use super::{Bracket, Chooser, Law, NumberRequest, PickRequest, RepeatRequest, Rng};
use crate::choice::{Choices, Entry, Kind, Marker, push_in_room};
use std::fmt;

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
pub struct Recovery<'c> {
    choices: &'c Choices,
    entries: &'c [Entry],
    /// The brackets being read, the innermost last. They are changed where they are, and not copied.
    levels: Vec<Level>,
    rng: Rng,
    growth: u32,
    moves: Moves,
    /// What is missing where something was, but less than is asked for.
    usual: Missing,
    /// Before this place of the tree everything was answered as it stands there.
    departed: u32,
}

/// Room for the brackets being read.
#[derive(Debug, Default)]
pub(crate) struct Brackets(Vec<Level>);

/// The bracket being read.
#[derive(Clone, Copy, Debug)]
struct Level {
    next: u32,
    end: u32,
    /// The pick that *is* this bracket, until it was asked for.
    pick: u32,
    missing: Missing,
    /// Whether it is the bracket of a part that was opened as one.
    is_part: bool,
}

impl Level {
    fn empty(missing: Missing) -> Level {
        Level { next: 0, end: 0, pick: NO_PICK, missing, is_part: false }
    }
}

const NO_PICK: u32 = u32::MAX;

/// Where what the tree does not know is to end.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    pub(super) if_drawn: bool,
    pub(super) if_simplest: bool,
}

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
        Recovery::in_room(choices, seed, Brackets(Vec::with_capacity(32)))
    }

    /// The same, in the room that another one needed.
    #[inline(always)]
    pub(crate) fn in_room(choices: &'c Choices, seed: u64, Brackets(mut levels): Brackets) -> Recovery<'c> {
        levels.clear();
        levels.push(Level { end: choices.len() as u32, ..Level::empty(Missing::Drawn) });
        Recovery {
            choices,
            entries: choices.entries(),
            levels,
            rng: Rng::new(seed),
            growth: DEFAULT_GROWTH,
            moves: Moves::default(),
            usual: Missing::Drawn,
            departed: u32::MAX,
        }
    }

    /// The room that it needed, for the next one, when all is made.
    pub(crate) fn give_back(&mut self, room: &mut Brackets) {
        std::mem::swap(&mut self.levels, &mut room.0);
    }

    /// A lenient replay: what is missing is the simplest. [`Replay::lenient`](super::Replay::lenient) answers the same, but has to be asked through the trait.
    pub(crate) fn simplest(choices: &'c Choices) -> Recovery<'c> {
        let mut recovery = Recovery::new(choices, 0);
        recovery.usual = Missing::Simplest;
        recovery.level().missing = Missing::Simplest;
        recovery
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
    /// assert!(list(0).is_empty());
    /// assert!((1..10).all(|growth| list(growth).len() <= growth as usize));
    /// ```
    #[inline]
    pub fn with_growth(mut self, growth: u32) -> Recovery<'c> {
        self.growth = growth;
        self
    }

    /// Says that a number in the tree is larger by so much than it was, so that others can stay where they were.
    #[inline]
    pub(crate) fn with_move(mut self, by: i64) -> Recovery<'c> {
        self.moves.by[0] = by.into();
        self.moves.count = usize::from(by != 0);
        self
    }

    /// Whether the choice at this place was answered as it stands there, and all before it.
    pub(super) fn has_taken(&self, at: usize) -> bool {
        at < self.departed as usize
    }

    /// Notes that the answer at this place is another one.
    pub(super) fn depart(&mut self, at: u32) {
        self.departed = self.departed.min(at);
    }

    #[inline(always)]
    fn entry(&self, at: u32) -> Entry {
        self.entries[at as usize]
    }

    #[inline(always)]
    fn level(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    /// Takes the next node whole: its place, or none if the bracket has no more.
    #[inline(always)]
    fn take(&mut self) -> Option<u32> {
        let entries = self.entries;
        let level = self.level();
        let at = level.next;
        if at >= level.end {
            return None;
        }
        level.next = at + 1 + entries[at as usize].extent() as u32;
        Some(at)
    }

    /// The same for a part that is one node and was opened without a bracket: if it has one in the tree, this is the first node in it.
    #[inline(always)]
    fn take_inside(&mut self) -> Option<u32> {
        let at = self.take()?;
        match self.entry(at).kind() {
            Kind::Part if !self.level().is_part => self.inside_part(at),
            _ => Some(at),
        }
    }

    #[cold]
    fn inside_part(&mut self, at: u32) -> Option<u32> {
        let part = self.entry(at);
        if part.marker().is_some() {
            return Some(at);
        }
        self.depart(at);
        if part.extent() == 0 { None } else { Some(at + 1) }
    }

    #[inline(always)]
    fn descend(&mut self, at: u32, entry: Entry) {
        let pick = if entry.kind() == Kind::Pick { at } else { NO_PICK };
        let (end, is_part) = (at + 1 + entry.extent() as u32, entry.kind() == Kind::Part);
        self.levels.push(Level { next: at + 1, end, pick, missing: self.usual, is_part });
    }

    /// A bracket of which nothing is known; `found` is what stands in its place.
    #[cold]
    fn descend_into_nothing(&mut self, found: Option<u32>) {
        let missing = self.missing(found);
        self.levels.push(Level::empty(missing));
    }

    fn missing(&mut self, found: Option<u32>) -> Missing {
        let end = self.level().end;
        self.depart(found.unwrap_or(end));
        match found.and_then(|at| self.entry(at).marker()) {
            Some(Marker::Anew | Marker::Redrawn) => Missing::Drawn,
            Some(Marker::Simplest) => Missing::Simplest,
            None => self.level().missing,
        }
    }

    #[cold]
    fn missing_number(&mut self, max: u64, law: &Law, found: Option<u32>) -> u64 {
        let departed = self.departed;
        let answer = match self.missing(found) {
            Missing::Drawn => law.draw(max, &mut self.rng),
            Missing::Simplest => 0,
        };
        // Another number was to be drawn: one that is the same is no other choice.
        if let Some(entry) = found.map(|at| self.entry(at))
            && entry.marker() == Some(Marker::Redrawn)
            && entry.index() != answer
        {
            self.departed = departed;
        }
        answer
    }

    #[cold]
    fn moved_number(&mut self, at: Option<u32>, entry: Entry, max: u64) -> u64 {
        let answer = self.moves.number(entry.index(), entry.bound(), max);
        if let (Some(at), true) = (at, answer != entry.index()) {
            self.depart(at);
        }
        answer
    }

    #[cold]
    fn missing_pick(&mut self, request: &PickRequest<'_>, found: Option<u32>, ends: Ends) -> Option<usize> {
        if self.missing(found) == Missing::Simplest {
            return request.possible_arms().next().filter(|_| !ends.if_simplest && !self.is_lost());
        }
        if self.growth == 0 || ends.if_drawn {
            return None;
        }
        self.growth -= 1;
        Some(request.random(&mut self.rng))
    }

    /// Whether the tree knows nothing of so many brackets around this one that the simplest may have no end.
    fn is_lost(&self) -> bool {
        self.levels.len() > FAR && self.levels[self.levels.len() - FAR..].iter().all(|level| level.end == 0)
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

/// So many brackets of which nothing is known are too many; see [`Recovery::is_lost`].
const FAR: usize = 64;

/// See [`Recovery::with_growth`].
const DEFAULT_GROWTH: u32 = 100;

/// What a filter that refused may draw at least, or it would be offered the same again.
const GROWTH_AGAIN: u32 = 64;

impl fmt::Debug for Recovery<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recovery").field("choices", self.choices).finish_non_exhaustive()
    }
}

/// The answers, which are always there. A source that knows it is this chooser asks here, without a detour.
impl<'c> Recovery<'c> {
    pub(super) fn answer_number(&mut self, max: u64, law: &Law) -> u64 {
        let at = self.take_inside();
        match at.map(|at| self.entry(at)) {
            Some(entry) if entry.kind() == Kind::Number => {
                let is_as_before = self.moves.is_empty() || entry.bound() == max;
                match is_as_before && entry.index() <= max {
                    true => entry.index(),
                    false => self.moved_number(at, entry, max),
                }
            }
            _ => self.missing_number(max, law, at),
        }
    }

    /// `None` if an arm that ends is to be taken.
    pub(super) fn answer_pick(&mut self, request: &PickRequest<'_>, ends: Ends) -> Option<usize> {
        let entries = self.entries;
        let level = self.level();
        let (next, pick) = (level.next, level.pick);
        let at = if pick != NO_PICK {
            level.pick = NO_PICK;
            Some(pick)
        } else if next < level.end && entries[next as usize].kind() == Kind::Pick {
            // Not taken whole: its body runs to the end of this bracket.
            level.next += 1;
            Some(next)
        } else {
            self.take_inside()
        };
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() == Kind::Pick
                && let Some(arm) = arm_of(self.choices, entry, request)
            {
                if arm != entry.arm() {
                    self.depart(at);
                }
                return Some(arm);
            }
        }
        self.missing_pick(request, at, ends)
    }

    pub(super) fn answer_repeat(&mut self, request: &RepeatRequest) -> usize {
        let at = self.take_inside();
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() == Kind::Repeat {
                self.descend(at, entry);
                let count = usize::try_from(entry.index()).unwrap_or(usize::MAX);
                let possible = count.clamp(request.min, request.max);
                if possible != count {
                    self.depart(at);
                }
                return possible;
            }
        }
        let count = self.missing_repeat(request, at);
        self.descend_into_nothing(at);
        count
    }

    pub(super) fn open_call(&mut self) {
        let at = self.take_inside();
        match at.map(|at| (at, self.entry(at))) {
            Some((at, entry)) if entry.is_call() => self.descend(at, entry),
            _ => self.descend_into_nothing(at),
        }
    }

    pub(super) fn open_part(&mut self) {
        let at = self.take();
        if let Some(at) = at {
            let entry = self.entry(at);
            if entry.kind() != Kind::Part || entry.marker() == Some(Marker::Redrawn) {
                // The part is one node that opens its own bracket or needs none.
                let end = self.level().next;
                return self.levels.push(Level { next: at, end, ..Level::empty(self.usual) });
            }
            if entry.marker().is_none() {
                return self.descend(at, entry);
            }
        }
        self.descend_into_nothing(at);
    }

    #[cold]
    fn open_again(&mut self) {
        self.depart(0);
        self.growth = self.growth.max(GROWTH_AGAIN);
        self.levels.push(Level::empty(Missing::Drawn));
    }

    #[inline(always)]
    pub(super) fn close_bracket(&mut self) {
        // Closed too often is nothing to panic about: this runs while a panic of the generator unwinds.
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }
}

/// The same answers where they are as they were before, which they nearly always are. These are short and call nothing, and change nothing if they have none.
impl<'c> Recovery<'c> {
    /// The next entry of this bracket.
    #[inline(always)]
    fn next_entry(&self) -> Option<(u32, Entry)> {
        let level = self.levels.last()?;
        let at = level.next;
        if at < level.end { self.entries.get(at as usize).map(|entry| (at, *entry)) } else { None }
    }

    #[inline(always)]
    pub(super) fn known_number(&mut self, max: u64) -> Option<u64> {
        let level = self.levels.last_mut()?;
        let entry = *self.entries.get(level.next as usize)?;
        let is_as_before = self.moves.is_empty() || entry.bound() == max;
        let is_there = level.next < level.end && entry.kind() == Kind::Number;
        if !is_there || !is_as_before || entry.index() > max {
            return None;
        }
        level.next += 1;
        Some(entry.index())
    }

    /// The next entries of this bracket, at most so many.
    pub(super) fn upcoming(&self, most: usize) -> &'c [Entry] {
        let Some(level) = self.levels.last() else { return &[] };
        let end = (level.next as usize).saturating_add(most).min(level.end as usize);
        self.entries.get(level.next as usize..end).unwrap_or_default()
    }

    /// Takes so many of them, which are numbers.
    pub(super) fn take_numbers(&mut self, count: usize) {
        self.level().next += count as u32;
    }

    #[inline(always)]
    pub(super) fn known_pick(&mut self, request: &PickRequest<'_>) -> Option<usize> {
        let level = self.levels.last_mut()?;
        let is_whole = level.pick != NO_PICK;
        let at = if is_whole { level.pick } else { level.next };
        let entry = *self.entries.get(at as usize)?;
        let is_there = is_whole || (at < level.end && entry.kind() == Kind::Pick);
        if !is_there || entry.name_id() != request.site.known_id() || !request.is_possible(entry.arm()) {
            return None;
        }
        match is_whole {
            true => level.pick = NO_PICK,
            // Not taken whole: its body runs to the end of this bracket.
            false => level.next = at + 1,
        }
        Some(entry.arm())
    }

    #[inline(always)]
    pub(super) fn known_repeat(&mut self, request: &RepeatRequest) -> Option<usize> {
        let (at, entry) = self.next_entry()?;
        let count = entry.index() as usize;
        if entry.kind() != Kind::Repeat || count < request.min || count > request.max || !self.has_room() {
            return None;
        }
        self.descend_in_room(at, entry);
        Some(count)
    }

    #[inline(always)]
    pub(super) fn open_known_call(&mut self) -> Option<()> {
        let (at, entry) = self.next_entry()?;
        if !entry.is_call() || !self.has_room() {
            return None;
        }
        self.descend_in_room(at, entry);
        Some(())
    }

    #[inline(always)]
    fn has_room(&self) -> bool {
        self.levels.len() < self.levels.capacity()
    }

    /// Takes the next node, and goes on inside it.
    #[inline(always)]
    fn descend_in_room(&mut self, at: u32, entry: Entry) {
        let end = at + 1 + entry.extent() as u32;
        if let Some(level) = self.levels.last_mut() {
            level.next = end;
        }
        let pick = if entry.kind() == Kind::Pick { at } else { NO_PICK };
        push_in_room(&mut self.levels, Level { next: at + 1, end, pick, missing: self.usual, is_part: false });
    }
}

impl Chooser for Recovery<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        Ok(self.answer_number(request.max, &request.law))
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let arm = self.answer_pick(request, Ends::default());
        Ok(arm.or_else(|| request.possible_arms().next()).unwrap_or(0))
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        Ok(self.answer_repeat(request))
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        match bracket {
            Bracket::Call(_) => self.open_call(),
            Bracket::Part => self.open_part(),
            Bracket::Again => self.open_again(),
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        self.close_bracket();
        Ok(())
    }

    fn key(&mut self) -> Result<Option<String>, String> {
        let pick = std::mem::replace(&mut self.level().pick, NO_PICK);
        Ok(if pick == NO_PICK { None } else { self.choices.label_of(self.entry(pick)).map(str::to_owned) })
    }

    fn may_retry(&self) -> bool {
        self.usual == Missing::Drawn
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
    use crate::choice::Exchange;
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
    fn a_part_that_is_one_node_is_found_inside_a_bracket_too() {
        let parts = tuple((0..100u32, vec_of(0..9u8, ..), tuple((0..9u8, any::<bool>()))));
        let made = |text: &str| {
            let choices: Choices = text.parse().unwrap();
            let mut recovery = Recovery::simplest(&choices);
            let asked = parts.generate(&mut Source::asking(&mut recovery)).unwrap();
            assert_eq!(parts.try_replay(&choices).unwrap().0, asked, "{text}");
            asked
        };
        assert_eq!(made("(5 [1 2] (3 1:true))"), (5, vec![1, 2], (3, true)));
        assert_eq!(made("({5 6} {[1 2] 4} {(3 1:true)})"), (5, vec![1, 2], (3, true)));
        assert_eq!(made("({} {7} (({3}) 1:true))"), (0, vec![], (0, true)));
        assert_eq!(made("({{5}} [{1} {} 700] (3))"), (0, vec![1, 0, 8], (3, false)));
    }

    #[test]
    fn markers_say_whether_a_part_is_drawn_or_the_simplest() {
        let lists = vec_of(tuple((1..=9u8, any::<bool>())), ..);
        let choices: Choices = "[(3 1:true) (4 1:true) (5 1:true)]".parse().unwrap();
        let marked = |marker| {
            let mut choices = choices.clone();
            let mut exchange = Exchange::default();
            exchange.set(4..7, &[Entry::marked(marker)]);
            choices.exchange(&mut exchange);
            let mut recovery = Recovery::new(&choices, 3);
            lists.generate(&mut Source::asking(&mut recovery)).unwrap()
        };
        assert_eq!(marked(Marker::Simplest), [(4, true), (1, false), (6, true)]);
        let made = marked(Marker::Anew);
        assert_eq!((made.len(), made[0], made[2]), (3, (4, true), (6, true)));
    }
}
