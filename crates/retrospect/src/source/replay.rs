use super::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest};
use crate::choice::{Choices, Entry, Kind};

/// Answers from a recorded or edited choice tree.
///
/// *Lenient* replay always has an answer: a missing node is the simplest, a surplus one is ignored, an index that is too large is the
/// largest, and a node of the wrong kind is skipped. Since the tree has the shape of the value, an edit in one part never shifts the
/// answers of another. *Strict* replay is the parser of choices: whatever does not fit is an error that says what was asked and what was
/// found.
///
/// A pick is found by its label where both sides have one, so a tree survives arms that were added or reordered.
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
    frames: Vec<Level>,
    is_strict: bool,
}

/// The bracket being read.
#[derive(Debug)]
struct Level {
    next: usize,
    end: usize,
    /// The pick that *is* this bracket, until it was asked for.
    pick: Option<usize>,
}

impl<'c> Replay<'c> {
    /// A replay that always has an answer.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices = Choices::default();
    /// let mut replay = Replay::lenient(&choices);
    /// let value = tuple((1..=9, any::<bool>())).generate(&mut Source::asking(&mut replay));
    /// assert_eq!(value, Ok((1, false))); // What is missing is the simplest.
    /// ```
    pub fn lenient(choices: &'c Choices) -> Replay<'c> {
        Replay { choices, frames: vec![Level { next: 0, end: choices.len(), pick: None }], is_strict: false }
    }

    /// A replay that accepts only what fits.
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
        Replay { is_strict: true, ..Replay::lenient(choices) }
    }

    /// How many nodes at the top were not asked for. Only the caller knows whether more will be asked for, so a surplus there is no error by itself.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source};
    /// let choices: Choices = "5 (6 7) 8".parse().unwrap();
    /// let mut replay = Replay::strict(&choices);
    /// assert_eq!((0..=9).generate(&mut Source::asking(&mut replay)), Ok(5));
    /// assert_eq!(replay.left_over(), 2);
    /// ```
    pub fn left_over(&self) -> usize {
        let mut at = self.frames.first().map_or(0, |level| level.next);
        let mut count = 0;
        while at < self.choices.len() {
            at += 1 + self.entry(at).extent();
            count += 1;
        }
        count
    }

    fn entry(&self, at: usize) -> Entry {
        self.choices.entries()[at]
    }

    fn level(&mut self) -> &mut Level {
        self.frames.last_mut().expect("brackets are closed as often as they are opened")
    }

    /// Takes the next node whole: its place, or none if the bracket has no more.
    fn take(&mut self) -> Option<usize> {
        let Level { next, end, .. } = *self.level();
        if next >= end {
            return None;
        }
        self.level().next = next + 1 + self.entry(next).extent();
        Some(next)
    }

    fn descend(&mut self, at: Option<usize>) {
        let level = match at {
            Some(at) => {
                let entry = self.entry(at);
                let pick = (entry.kind() == Kind::Pick).then_some(at);
                Level { next: at + 1, end: at + 1 + entry.extent(), pick }
            }
            None => Level { next: 0, end: 0, pick: None },
        };
        self.frames.push(level);
    }

    /// What is not as the generator asked: an error if strict, otherwise nothing.
    fn misfit(&self, asked: impl FnOnce() -> String, found: Option<usize>) -> Result<(), String> {
        if !self.is_strict {
            return Ok(());
        }
        let asked = asked();
        Err(match found {
            None => format!("the choices end where {asked} was asked for"),
            Some(at) => format!("the choices hold {} at node {at} where {asked} was asked for", self.describe(at)),
        })
    }

    fn describe(&self, at: usize) -> String {
        let entry = self.entry(at);
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
}

/// The arm of this request that the entry means: by label if both have one, otherwise by number.
#[inline(always)]
pub(super) fn arm_of(choices: &Choices, entry: Entry, request: &PickRequest<'_>) -> Option<usize> {
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

impl Chooser for Replay<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        let asked = || format!("a number of at most {}", request.max);
        match self.take() {
            Some(at) if self.entry(at).kind() == Kind::Number => {
                let index = self.entry(at).index();
                if index > request.max {
                    self.misfit(asked, Some(at))?;
                }
                Ok(index.min(request.max))
            }
            other => {
                self.misfit(asked, other)?;
                Ok(0)
            }
        }
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        let at = match self.level().pick.take() {
            Some(at) => Some(at),
            None => {
                let Level { next, end, .. } = *self.level();
                if next < end && self.entry(next).kind() == Kind::Pick {
                    // Not taken whole: its body runs to the end of this bracket.
                    self.level().next += 1;
                    Some(next)
                } else {
                    self.take()
                }
            }
        };
        let fitting = at
            .filter(|at| self.entry(*at).kind() == Kind::Pick)
            .and_then(|at| arm_of(self.choices, self.entry(at), request));
        match fitting {
            Some(arm) => Ok(arm),
            None => {
                self.misfit(|| format!("one of the {} arms of `{}`", request.weights.len(), request.site.name()), at)?;
                Ok(request.possible_arms().next().unwrap_or(0))
            }
        }
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let asked = || format!("a repeat of {} to {} items", request.min, request.max);
        let at = self.take();
        let count = match at {
            Some(at) if self.entry(at).kind() == Kind::Repeat => {
                let count = usize::try_from(self.entry(at).index()).unwrap_or(usize::MAX);
                if !(request.min..=request.max).contains(&count) {
                    self.misfit(asked, Some(at))?;
                }
                self.descend(Some(at));
                count
            }
            other => {
                self.misfit(asked, other)?;
                self.descend(None);
                0
            }
        };
        Ok(count.clamp(request.min, request.max))
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        match bracket {
            Bracket::Call(site) => {
                let asked = || format!("the bracket of `{}`", site.name());
                match self.take() {
                    Some(at) if matches!(self.entry(at).kind(), Kind::Call | Kind::Pick) => self.descend(Some(at)),
                    other => {
                        self.misfit(asked, other)?;
                        self.descend(None);
                    }
                }
            }
            Bracket::Part => match self.take() {
                Some(at) if self.entry(at).kind() == Kind::Part => self.descend(Some(at)),
                // The part is one node that opens its own bracket or needs none.
                Some(at) => {
                    let end = at + 1 + self.entry(at).extent();
                    self.frames.push(Level { next: at, end, pick: None });
                }
                None => self.descend(None),
            },
            // A replay is not asked again.
            Bracket::Again => self.descend(None),
        }
        Ok(())
    }

    fn key(&mut self) -> Result<Option<String>, String> {
        let at = self.level().pick.take();
        let label = at.and_then(|at| self.choices.label_of(self.entry(at))).map(str::to_owned);
        if label.is_none() {
            self.misfit(|| "the key of an entry".to_owned(), at)?;
        }
        Ok(label)
    }

    fn close(&mut self) -> Result<(), String> {
        let level = self.frames.pop().expect("brackets are closed as often as they are opened");
        if self.is_strict
            && let Some(at) = level.pick.or((level.next < level.end).then_some(level.next))
        {
            return Err(format!("the choices hold {} at node {at}, which nothing asked for", self.describe(at)));
        }
        Ok(())
    }
}
