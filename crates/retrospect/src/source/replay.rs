use super::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest, Rng};
use crate::choice::{Choices, Cursor, Entry, Kind, Marker};

/// Answers from a recorded or edited choice tree.
///
/// The three kinds differ in what they answer where the tree has no node that fits:
///
/// | replay | answer | for |
/// | --- | --- | --- |
/// | [`strict`](Replay::strict) | an error that says what was asked and what was found | parsing choices |
/// | [`lenient`](Replay::lenient) | the simplest | shrinking |
/// | [`drawing`](Replay::drawing) | a random one | mutation |
///
/// Since the tree has the shape of the value, an edit in one part never shifts the answers of
/// another. A pick is found by its label where both sides have one, so a tree survives arms that
/// were added or reordered.
///
/// Numbers stay where they were as far as they can. If a number was moved, and the bound of a later
/// one fell by as much, then the later one keeps its value and not its distance: in a search tree
/// whose root became larger, the larger keys stay what they are. A number that is too large becomes
/// the largest.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Replay, Source};
/// let choices: Choices = "[300 2]".parse().unwrap();
/// let mut replay = Replay::lenient(&choices);
/// let value = vec_of(0..=9u8, ..).generate(&mut Source::asking(&mut replay)).unwrap();
/// assert_eq!(value, [9, 2]);
/// ```
#[derive(Debug)]
pub struct Replay<'c> {
    choices: &'c Choices,
    cursor: Cursor<'c, Missing>,
    /// What a bracket that is in the tree lacks.
    missing: Missing,
    rng: Rng,
    growth: u32,
    moves: Moves,
    /// The first node that nothing asked for in a strict replay.
    surplus: Option<u32>,
}

/// The answer where the tree has no node that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    Strict,
    Simplest,
    Draw,
}

impl<'c> Replay<'c> {
    /// A replay that accepts only what fits. After the value is made, [`finish`](Replay::finish)
    /// says whether all choices were used.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices: Choices = "(12 1:true)".parse().unwrap();
    /// let mut replay = Replay::strict(&choices);
    /// let mut source = Source::asking(&mut replay);
    /// assert!(tuple((0..=9, any::<bool>())).generate(&mut source).is_err());
    /// assert_eq!(
    ///     source.why().unwrap().to_string(),
    ///     "the choices hold the number 12 at node 1 where a number of at most 9 was asked for"
    /// );
    /// ```
    pub fn strict(choices: &'c Choices) -> Replay<'c> {
        Replay::new(choices, Missing::Strict, 0)
    }

    /// A replay in which what is missing is the simplest. It always has an answer.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices = Choices::default();
    /// let mut replay = Replay::lenient(&choices);
    /// let value = tuple((1..=9, any::<bool>())).generate(&mut Source::asking(&mut replay));
    /// assert_eq!(value, Ok((1, false)));
    /// ```
    pub fn lenient(choices: &'c Choices) -> Replay<'c> {
        Replay::new(choices, Missing::Simplest, 0)
    }

    /// A replay in which what is missing is drawn, the same for the same seed. After some picks and
    /// items ([`with_growth`](Replay::with_growth)) the rest is the simplest, so it does not grow
    /// without end.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let pairs = tuple((0..=9, vec_of(0..=9, 3)));
    /// let choices: Choices = "(7 [1 2])".parse().unwrap();
    /// let mut replay = Replay::drawing(&choices, 5);
    /// let (number, list) = pairs.generate(&mut Source::asking(&mut replay)).unwrap();
    /// assert_eq!((number, &list[..2]), (7, &[1, 2][..])); // The third item is drawn.
    /// ```
    pub fn drawing(choices: &'c Choices, seed: u64) -> Replay<'c> {
        Replay::new(choices, Missing::Draw, seed)
    }

    fn new(choices: &'c Choices, missing: Missing, seed: u64) -> Replay<'c> {
        Replay {
            choices,
            cursor: Cursor::new(choices, missing),
            missing,
            rng: Rng::new(seed),
            growth: DEFAULT_GROWTH,
            moves: Moves::default(),
            surplus: None,
        }
    }

    /// The number of picks and items that are drawn before the rest is the simplest. Defaults to
    /// 100.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let list = |growth| {
    ///     let choices = Choices::default();
    ///     let mut replay = Replay::drawing(&choices, 7).with_growth(growth);
    ///     vec_of(0..10, ..).generate(&mut Source::asking(&mut replay)).unwrap()
    /// };
    /// assert!(list(0).is_empty());
    /// assert!((1..10).all(|growth| list(growth).len() <= growth as usize));
    /// ```
    #[inline]
    pub fn with_growth(mut self, growth: u32) -> Replay<'c> {
        self.growth = growth;
        self
    }

    /// Says that a number in the tree is larger by so much than it was, so that others can stay
    /// where they were.
    #[inline]
    pub(crate) fn with_move(mut self, by: i64) -> Replay<'c> {
        self.moves.by[0] = by.into();
        self.moves.count = usize::from(by != 0);
        self
    }

    /// The number of nodes at the top that were not asked for, or a node inside a bracket that a
    /// strict replay was not asked for. Only the caller knows whether more will be asked for at the
    /// top, so a surplus there is no error.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let finish = |text: &str| {
    ///     let choices: Choices = text.parse().unwrap();
    ///     let mut replay = Replay::strict(&choices);
    ///     tuple((0..=9,)).generate(&mut Source::asking(&mut replay)).unwrap();
    ///     replay.finish()
    /// };
    /// assert_eq!(finish("(5) (6 7) 8"), Ok(2));
    /// assert_eq!(finish("(5 6)").unwrap_err(), "the choices hold the number 6 at node 2, which nothing asked for");
    /// ```
    pub fn finish(&self) -> Result<usize, String> {
        self.go_on()?;
        Ok(self.cursor.left_over())
    }

    /// An error if a bracket held more than was asked for.
    #[inline(always)]
    fn go_on(&self) -> Result<(), String> {
        match self.surplus {
            None => Ok(()),
            Some(at) => Err(format!("the choices hold {} at node {at}, which nothing asked for", self.describe(at))),
        }
    }

    /// What to do where `found` does not fit, or nothing was found. An error in a strict replay.
    #[cold]
    fn missing(&self, found: Option<u32>, asked: impl FnOnce() -> String) -> Result<Missing, String> {
        let missing = match found.and_then(|at| self.cursor.entry(at).marker()) {
            Some(Marker::Anew | Marker::Redrawn) => Missing::Draw,
            Some(Marker::Simplest) => Missing::Simplest,
            None => self.cursor.tag(),
        };
        if missing != Missing::Strict {
            return Ok(missing);
        }
        let asked = asked();
        Err(match found {
            None => format!("the choices end where {asked} was asked for"),
            Some(at) => format!("the choices hold {} at node {at} where {asked} was asked for", self.describe(at)),
        })
    }

    fn describe(&self, at: u32) -> String {
        let entry = self.cursor.entry(at);
        match entry.kind() {
            Kind::Number => format!("the number {}", entry.index()),
            Kind::Pick => match self.choices.label_of(entry) {
                Some(label) => format!("arm {} `{label}`", entry.arm()),
                None => format!("arm {}", entry.arm()),
            },
            Kind::Repeat => format!("a repeat of {} items", entry.index()),
            Kind::Call => {
                entry.site().map_or_else(|| "a bracket".to_owned(), |site| format!("the bracket of `{}`", site.name()))
            }
            Kind::Part => "the bracket of a part".to_owned(),
        }
    }

    /// Whether a number of the tree is the answer as it is.
    #[inline(always)]
    fn is_as_before(&self, entry: Entry, max: u64) -> bool {
        (self.moves.is_empty() || entry.bound() == max) && entry.index() <= max
    }
}

/// Brackets that the tree does not have, inside one another, from which on the simplest may have no
/// end.
const FAR: usize = 64;

/// See [`Replay::with_growth`].
const DEFAULT_GROWTH: u32 = 100;

/// The growth that a filter gets at least after it refused, or it would be offered the same again.
const GROWTH_AGAIN: u32 = 64;

impl Chooser for Replay<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        self.go_on()?;
        let at = self.cursor.take_inside();
        let asked = || format!("a number of at most {}", request.max);
        if let Some(at) = at {
            let entry = self.cursor.entry(at);
            if entry.kind() == Kind::Number {
                if self.is_as_before(entry, request.max) {
                    return Ok(entry.index());
                }
                if self.missing == Missing::Strict {
                    self.missing(Some(at), asked)?;
                }
                return Ok(self.moves.number(entry.index(), entry.bound(), request.max));
            }
        }
        Ok(match self.missing(at, asked)? {
            Missing::Draw => request.random(&mut self.rng),
            _ => 0,
        })
    }

    fn numbers(&mut self, request: &NumberRequest, numbers: &mut [u64]) -> Result<(), String> {
        self.go_on()?;
        let mut made = 0;
        while made < numbers.len() {
            let (is_moved, max) = (!self.moves.is_empty(), request.max);
            let left = numbers.len() - made;
            self.cursor.take_numbers(left, |entry| {
                let fits = entry.index() <= max && (!is_moved || entry.bound() == max);
                if fits {
                    numbers[made] = entry.index();
                    made += 1;
                }
                fits
            });
            if made < numbers.len() {
                numbers[made] = self.number(request)?;
                made += 1;
            }
        }
        Ok(())
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        self.go_on()?;
        let at = self.cursor.take_pick();
        if let Some(at) = at {
            let entry = self.cursor.entry(at);
            if entry.kind() == Kind::Pick
                && let Some(arm) = arm_of(self.choices, entry, request)
            {
                return Ok(arm);
            }
        }
        let asked = || format!("one of the {} arms of `{}`", request.weights.len(), request.site.name());
        Ok(match self.missing(at, asked)? {
            Missing::Draw if self.growth == 0 || request.is_deep => PickRequest::ENDING,
            Missing::Draw => {
                self.growth -= 1;
                request.random(&mut self.rng)
            }
            _ if request.is_ending || self.cursor.is_lost(FAR) => PickRequest::ENDING,
            _ => request.possible_arms().next().unwrap_or(0),
        })
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        self.go_on()?;
        let at = self.cursor.take_inside();
        let asked = || format!("a repeat of {} to {} items", request.min, request.max);
        if let Some(at) = at
            && self.cursor.entry(at).kind() == Kind::Repeat
        {
            let count = usize::try_from(self.cursor.entry(at).index()).unwrap_or(usize::MAX);
            let possible = count.clamp(request.min, request.max);
            if possible != count && self.missing == Missing::Strict {
                self.missing(Some(at), asked)?;
            }
            self.cursor.enter(at, self.missing);
            return Ok(possible);
        }
        let missing = self.missing(at, asked)?;
        self.cursor.enter_nothing(missing);
        if missing != Missing::Draw || self.growth == 0 {
            return Ok(request.min);
        }
        let likely_max = request.likely_max.min(request.min.saturating_add(self.growth as usize));
        let count = RepeatRequest { likely_max, ..*request }.random(&mut self.rng);
        self.growth -= (count - request.min) as u32;
        Ok(count)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.go_on()?;
        match bracket {
            Bracket::Call(site) => match self.cursor.take_inside() {
                Some(at) if self.cursor.entry(at).is_call() => self.cursor.enter(at, self.missing),
                found => {
                    let missing = self.missing(found, || format!("the bracket of `{}`", site.name()))?;
                    self.cursor.enter_nothing(missing);
                }
            },
            Bracket::Part => match self.cursor.take() {
                Some(at) => {
                    let entry = self.cursor.entry(at);
                    match entry.marker() {
                        None if entry.kind() == Kind::Part => self.cursor.enter(at, self.missing),
                        // The part is one node that opens its own bracket or needs none.
                        None | Some(Marker::Redrawn) => self.cursor.enter_around(at, self.missing),
                        Some(_) => {
                            let missing = self.missing(Some(at), String::new)?;
                            self.cursor.enter_nothing(missing);
                        }
                    }
                }
                // A part may be empty, so this is no error.
                None => self.cursor.enter_nothing(self.cursor.tag()),
            },
            Bracket::Again => {
                self.growth = self.growth.max(GROWTH_AGAIN);
                self.cursor.enter_nothing(Missing::Draw);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        let left = self.cursor.leave();
        if self.missing == Missing::Strict && self.surplus.is_none() {
            self.surplus = left;
        }
    }

    fn key(&mut self) -> Result<Option<String>, String> {
        self.go_on()?;
        let at = self.cursor.take_own_pick();
        let label = at.and_then(|at| self.choices.label_of(self.cursor.entry(at))).map(str::to_owned);
        if label.is_none() {
            self.missing(at, || "the key of an entry".to_owned())?;
        }
        Ok(label)
    }

    fn may_retry(&self) -> bool {
        self.missing == Missing::Draw
    }
}

/// The arm of this request that the entry means: by label if both have one, otherwise by number.
#[inline(always)]
fn arm_of(choices: &Choices, entry: Entry, request: &PickRequest<'_>) -> Option<usize> {
    // Nearly always the site is the one that was recorded.
    let arm = match entry.name_id() == request.site.id() {
        true => Some(entry.arm()),
        false => arm_by_label(choices, entry, request),
    };
    arm.filter(|arm| request.is_possible(*arm))
}

#[cold]
fn arm_by_label(choices: &Choices, entry: Entry, request: &PickRequest<'_>) -> Option<usize> {
    let arm = entry.arm();
    match choices.label_of(entry) {
        Some(label) if request.site.label(arm) != Some(label) => request
            .site
            .labels()
            .iter()
            .position(|other| *other == label)
            .or(request.site.labels().is_empty().then_some(arm)),
        _ => Some(arm),
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
        let mut replay = Replay::drawing(&choices, 1).with_move(by);
        generator.generate(&mut Source::asking(&mut replay)).unwrap()
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
            let mut replay = Replay::drawing(&choices, seed);
            let (odd, next) = pairs.generate(&mut Source::asking(&mut replay)).unwrap();
            assert_eq!((odd % 2, next), (1, 8));
        }
    }

    #[test]
    fn a_part_that_is_one_node_is_found_inside_a_bracket_too() {
        let parts = tuple((0..100u32, vec_of(0..9u8, ..), tuple((0..9u8, any::<bool>()))));
        let made = |text: &str| {
            let choices: Choices = text.parse().unwrap();
            let mut replay = Replay::lenient(&choices);
            let asked = parts.generate(&mut Source::asking(&mut replay)).unwrap();
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
            let mut replay = Replay::drawing(&choices, 3);
            lists.generate(&mut Source::asking(&mut replay)).unwrap()
        };
        assert_eq!(marked(Marker::Simplest), [(4, true), (1, false), (6, true)]);
        let made = marked(Marker::Anew);
        assert_eq!((made.len(), made[0], made[2]), (3, (4, true), (6, true)));
    }
}
