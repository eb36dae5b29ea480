//! Chance that repeats itself: equal and nearby values in one case.
//!
//! Two keys that collide, a name that is used twice, an edge from a node to itself: chance alone
//! hardly ever draws them where there are many values to choose from. A chooser that sees only
//! questions can still do it. It notes what it answers; now and then it answers a question as it
//! answered one like it before, or nearly so. If the question opens a bracket, everything inside
//! is answered as it was then.

use super::{Bracket, Chooser, Distribution, NumberRequest, PickRequest, RepeatRequest, Rng, Source};
use crate::choice::Site;
use std::ops::Range;

/// Answers as a random source does, and repeats some of its answers.
///
/// How often differs from case to case: every second question that can be answered by repetition,
/// or every fourth, eighth or sixteenth. One repetition in four is changed in one place. What is
/// copied is never more than what was drawn, so that a value is at most about twice as large.
pub(crate) struct Repeating {
    rng: Rng,
    /// A question is answered as another was if as many random bits as this has are all 0.
    mask: u64,
    /// What was asked and answered so far.
    steps: Vec<Step>,
    /// Where in it numbers stand.
    numbers: Vec<usize>,
    /// Where in it brackets open that can be repeated.
    brackets: Vec<usize>,
    /// For each step, the number of steps when the bracket that it opens was closed; 0 if it was
    /// not.
    ends: Vec<usize>,
    /// The steps that open a bracket which is not closed yet.
    open: Vec<usize>,
    following: Option<Following>,
    n_copied: usize,
    has_alike: bool,
}

/// A question, with its answer.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number { max: u64, index: u64 },
    Pick { site: &'static Site, arm: usize },
    Repeat { min: usize, max: usize, count: usize },
    Call(&'static Site),
    Part,
    Close,
}

/// A bracket that is answered as an earlier one was.
struct Following {
    /// The steps that are left to follow.
    left: Range<usize>,
    /// How many brackets are open, the followed one among them.
    depth: usize,
    /// How many were open where the questions became others than they were. What is asked inside
    /// is drawn.
    lost_at: Option<usize>,
    /// Where the answer is to be another.
    changed: Option<usize>,
}

/// So many earlier questions are looked at for one like the present.
const MAX_LOOKS: usize = 64;

/// Copies may be longer than what was drawn by so much.
const FREE_COPIES: usize = 16;

impl Repeating {
    pub(crate) fn new() -> Repeating {
        Repeating {
            rng: Rng::new(0),
            mask: 0,
            steps: Vec::new(),
            numbers: Vec::new(),
            brackets: Vec::new(),
            ends: Vec::new(),
            open: Vec::new(),
            following: None,
            n_copied: 0,
            has_alike: false,
        }
    }

    /// Begins another case. What was answered in the last one is forgotten.
    pub(crate) fn restart(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.mask = (2 << self.rng.at_most(3)) - 1;
        self.steps.clear();
        self.numbers.clear();
        self.brackets.clear();
        self.ends.clear();
        self.open.clear();
        self.following = None;
        self.n_copied = 0;
    }

    /// Whether there was something to repeat in any case so far.
    pub(crate) fn has_alike(&self) -> bool {
        self.has_alike
    }

    fn is_time(&mut self) -> bool {
        self.rng.next() >> 32 & self.mask == 0
    }

    /// One of these earlier steps that is like the present question.
    fn earlier(&mut self, among: fn(&Repeating) -> &[usize], is_alike: impl Fn(Step) -> bool) -> Option<usize> {
        let last = among(self).len().checked_sub(1)?;
        let start = self.rng.at_most(last as u64) as usize;
        let places = among(self);
        let looks = places[start..].iter().chain(&places[..start]).take(MAX_LOOKS);
        looks.copied().find(|place| is_alike(self.steps[*place]))
    }

    /// Notes whether this question could be answered by repetition, whatever the dice say.
    fn note_alike(&mut self, among: fn(&Repeating) -> &[usize], is_alike: impl Fn(Step) -> bool) {
        if !self.has_alike {
            self.has_alike = among(self).iter().take(MAX_LOOKS).any(|place| is_alike(self.steps[*place]));
        }
    }

    /// The step that is followed now, if it is like the present question.
    fn followed(&mut self, is_alike: impl Fn(Step) -> bool) -> Option<(Step, bool)> {
        let following = self.following.as_mut().filter(|following| following.lost_at.is_none())?;
        let place = following.left.start;
        if following.left.is_empty() || !is_alike(self.steps[place]) {
            return None;
        }
        following.left.start += 1;
        self.n_copied += 1;
        Some((self.steps[place], following.changed == Some(place)))
    }

    /// A bracket opens. It is answered as an earlier one was if that is followed already, or if it
    /// is time for it.
    fn opened(&mut self, is_alike: impl Fn(Step) -> bool) -> Option<(Step, bool)> {
        self.note_alike(|repeating| &repeating.brackets, &is_alike);
        if self.following.is_none() && self.is_time() {
            let found = self.earlier(|repeating| &repeating.brackets, &is_alike);
            self.following = found.and_then(|place| self.follow(place));
            return self.followed(is_alike);
        }
        let step = self.followed(is_alike);
        if let Some(following) = &mut self.following {
            if step.is_none() && following.lost_at.is_none() {
                following.lost_at = Some(following.depth);
            }
            following.depth += 1;
        }
        step
    }

    /// Begins to follow the bracket that opens at `place`, if it was closed and is not too long.
    fn follow(&mut self, place: usize) -> Option<Following> {
        let most = (self.steps.len() + FREE_COPIES).saturating_sub(2 * self.n_copied);
        let length = self.ends[place].saturating_sub(place);
        if length == 0 || length > most {
            return None;
        }
        let mut changed = None;
        if self.rng.at_most(3) == 0 {
            changed = Some(place + self.rng.at_most(length as u64 - 1) as usize);
        }
        Some(Following { left: place..place + length, depth: 1, lost_at: None, changed })
    }

    fn push(&mut self, step: Step) {
        if step.opens() {
            self.open.push(self.steps.len());
        }
        self.steps.push(step);
        self.ends.push(0);
        if matches!(step, Step::Close)
            && let Some(place) = self.open.pop()
        {
            self.ends[place] = self.steps.len();
        }
    }

    /// A number next to this one. Of signed numbers every second index has the same sign.
    fn near(&mut self, index: u64, max: u64) -> u64 {
        let dice = self.rng.next() >> 32;
        let by = 1 + (dice & 1);
        if dice & 2 == 0 { index.saturating_add(by).min(max) } else { index.saturating_sub(by) }
    }
}

impl<'a> Source<'a> {
    /// A source of chance that repeats itself. Weights that are in force inside are followed.
    pub(crate) fn repeating(chooser: &'a mut Repeating, seed: u64, is_recording: bool) -> Source<'a> {
        chooser.restart(seed);
        Source { rng: Rng::new(!seed), is_chance: true, is_recording, ..Source::asking(chooser) }
    }
}

impl Step {
    fn opens(self) -> bool {
        matches!(self, Step::Repeat { .. } | Step::Call(_) | Step::Part)
    }
}

impl Chooser for Repeating {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let &NumberRequest { max, distribution } = request;
        let is_alike = |step| matches!(step, Step::Number { max: other, .. } if other == max);
        let mut step = self.followed(is_alike);
        // A parameter is drawn in one way only.
        let is_drawn = !matches!(distribution, Distribution::Always(_));
        self.note_alike(|repeating| &repeating.numbers, is_alike);
        if step.is_none() && self.following.is_none() && is_drawn && self.is_time() {
            let found = self.earlier(|repeating| &repeating.numbers, is_alike);
            step = found.map(|place| (self.steps[place], false));
            if step.is_some() && self.rng.at_most(3) == 0 {
                step = step.map(|(step, _)| (step, true));
            }
        }
        let index = match step {
            Some((Step::Number { index, .. }, true)) => self.near(index, max),
            Some((Step::Number { index, .. }, false)) => index,
            _ => request.random(&mut self.rng),
        };
        if is_drawn {
            self.numbers.push(self.steps.len());
        }
        self.push(Step::Number { max, index });
        Ok(index)
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let step = self.followed(|step| matches!(step, Step::Pick { site, .. } if std::ptr::eq(site, request.site)));
        let arm = match step {
            Some((Step::Pick { arm, .. }, false)) if request.is_possible(arm) => arm,
            _ => request.random(&mut self.rng),
        };
        self.push(Step::Pick { site: request.site, arm });
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let &RepeatRequest { min, max, .. } = request;
        let is_alike = |step| matches!(step, Step::Repeat { min: least, max: most, .. } if (least, most) == (min, max));
        let count = match self.opened(is_alike) {
            Some((Step::Repeat { count, .. }, is_changed)) => count.saturating_sub(usize::from(is_changed)).max(min),
            _ => request.random(&mut self.rng),
        };
        self.brackets.push(self.steps.len());
        self.push(Step::Repeat { min, max, count });
        Ok(count)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        match bracket {
            Bracket::Call(site) => {
                self.opened(|step| matches!(step, Step::Call(other) if std::ptr::eq(other, site)));
                self.brackets.push(self.steps.len());
                self.push(Step::Call(site));
            }
            Bracket::Part | Bracket::Again => {
                if self.following.is_some() {
                    self.opened(|step| matches!(step, Step::Part));
                }
                self.push(Step::Part);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        self.push(Step::Close);
        let Some(following) = &mut self.following else { return };
        following.depth = following.depth.saturating_sub(1);
        match following.lost_at {
            _ if following.depth == 0 => self.following = None,
            Some(depth) if depth == following.depth => following.lost_at = None,
            Some(_) => {}
            // What was there and was not asked for is passed over.
            None => {
                let mut depth = 1_usize;
                while depth > 0 && !following.left.is_empty() {
                    match self.steps[following.left.start] {
                        Step::Close => depth -= 1,
                        step => depth += usize::from(step.opens()),
                    }
                    following.left.start += 1;
                }
            }
        }
    }

    fn may_retry(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::Drawn;
    use super::*;

    static NAME: Site = Site::call("name", file!(), line!());
    static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());

    fn name(source: &mut Source<'_>) -> Drawn<Vec<u64>> {
        source.call(&NAME, |source| {
            source.repeat(0, usize::MAX, |source, count| {
                let letter = |_| source.part(|source| source.number(1 << 40, Distribution::Uniform));
                (0..count).map(letter).collect::<Drawn<Vec<u64>>>().map(|letters| (letters, count))
            })
        })
    }

    /// How many nodes a tree has. Each node has two trees below, or none.
    fn tree(source: &mut Source<'_>) -> Drawn<usize> {
        source.call(&NAME, |source| match source.pick(&TREE, &[11, 10])? {
            0 => Ok(1),
            _ => Ok(1 + source.part(tree)? + source.part(tree)?),
        })
    }

    fn drawn<T>(seed: u64, draw: impl FnOnce(&mut Source<'_>) -> Drawn<T>) -> T {
        draw(&mut Source::repeating(&mut Repeating::new(), seed, false)).unwrap()
    }

    #[test]
    fn numbers_are_equal_or_near_more_often_than_by_chance() {
        let pair = |source: &mut Source<'_>| {
            Ok((source.number(u64::MAX, Distribution::Uniform)?, source.number(u64::MAX, Distribution::Uniform)?))
        };
        let pairs: Vec<(u64, u64)> = (0..1_000).map(|seed| drawn(seed, pair)).collect();
        let is_equal = |pair: &&(u64, u64)| pair.0 == pair.1;
        let is_near = |pair: &&(u64, u64)| (1..=2).contains(&pair.0.abs_diff(pair.1));
        let counts = (pairs.iter().filter(is_equal).count(), pairs.iter().filter(is_near).count());
        assert!((100..250).contains(&counts.0) && (30..100).contains(&counts.1), "{counts:?}");
    }

    #[test]
    fn what_stands_in_a_bracket_is_repeated_as_a_whole_or_changed_in_one_place() {
        let mut counts = [0; 3];
        for seed in 0..1_000 {
            let (one, other) = drawn(seed, |source| Ok((name(source)?, name(source)?)));
            let n_equal = one.iter().zip(&other).filter(|(one, other)| one == other).count();
            if one.len() > 3 {
                counts[0] += u32::from(one == other);
                counts[1] += u32::from(one.len() == other.len() && n_equal + 1 == one.len());
                counts[2] += u32::from(one.len() == other.len() + 1 && n_equal == other.len());
            }
        }
        assert!(counts[0] > 100 && counts[1] > 20 && counts[2] > 0, "{counts:?}");
    }

    #[test]
    fn a_case_is_the_same_for_the_same_seed_and_what_is_recorded_makes_it() {
        for seed in 0..200 {
            let names = |source: &mut Source<'_>| Ok([name(source)?, name(source)?, name(source)?]);
            let made = drawn(seed, names);
            let mut repeating = Repeating::new();
            let mut source = Source::repeating(&mut repeating, seed, true);
            assert_eq!(names(&mut source).unwrap(), made);
            let choices = source.into_choices();
            let mut replay = super::super::Replay::strict(&choices);
            assert_eq!(names(&mut Source::asking(&mut replay)).unwrap(), made);
        }
    }

    #[test]
    fn copies_of_copies_do_not_grow_without_end() {
        let by_chance: usize = (0..500).map(|seed| tree(&mut Source::random(seed)).unwrap()).sum();
        let repeated: usize = (0..500).map(|seed| drawn(seed, tree)).sum();
        assert!(repeated < 4 * by_chance, "{by_chance} {repeated}");
    }

    /// A search for the end of a bracket would take quadratic time in deep values.
    #[test]
    fn the_ends_of_brackets_are_known() {
        fn nested(source: &mut Source<'_>, levels: u32) -> Drawn<u64> {
            source.call(&NAME, |source| {
                let number = source.number(255, Distribution::Uniform)?;
                Ok(number + if levels > 0 { nested(source, levels - 1)? } else { 0 })
            })
        }
        let mut repeating = Repeating::new();
        for seed in 0..50 {
            nested(&mut Source::repeating(&mut repeating, seed, false), 1_000).unwrap();
            assert_eq!((repeating.open.len(), repeating.ends.len()), (0, repeating.steps.len()));
            assert_eq!(repeating.ends[0], repeating.steps.len());
        }
    }

    #[test]
    fn a_single_number_and_a_parameter_have_nothing_to_repeat() {
        let mut repeating = Repeating::new();
        for seed in 0..20 {
            let mut source = Source::repeating(&mut repeating, seed, false);
            assert_eq!(source.number(100, Distribution::Always(7)), Ok(7));
            assert_eq!(source.number(100, Distribution::Always(8)), Ok(8));
            source.number(99, Distribution::Uniform).unwrap();
        }
        assert!(!repeating.has_alike());
    }
}
