//! Going through everything a generator makes, from small to large.

use super::counting::Cursor;
use super::grammar::{Grammar, MOST_QUESTIONS, MOST_QUESTIONS_TO_FIND, Run, STREAM, Trouble, Wheels};
use crate::natural::Natural;
use crate::stack::with_deep_stack;

/// The ways of a generator one after the other, by size.
///
/// The productions of the whole generator are looked at one by one and forgotten. The walk keeps
/// the regions inside it, and where in them it stands.
#[derive(Debug)]
pub(crate) struct BySize {
    grammar: Grammar,
    size: u32,
    wheels: Wheels,
    cursor: Option<Cursor>,
    /// The largest size that was met in this round, if it is known.
    most: Option<u32>,
    /// How many ways of the present production were passed: by the last jump into it, and since.
    jumped: Natural,
    stepped: u64,
    is_done: bool,
    answers: Vec<u64>,
    /// How many questions may be asked to find the next way, and to count those before another.
    max_questions: (u64, u64),
}

/// From this size on it may be deep enough to need more stack.
const DEEP: u32 = 200;

impl BySize {
    pub(crate) fn new() -> BySize {
        BySize {
            grammar: Grammar::new(),
            size: 0,
            wheels: Wheels::default(),
            cursor: None,
            most: Some(0),
            jumped: Natural::default(),
            stepped: 0,
            is_done: false,
            answers: Vec::new(),
            max_questions: (MOST_QUESTIONS_TO_FIND, MOST_QUESTIONS),
        }
    }

    /// The answers of the next way. After trouble there is no other.
    pub(crate) fn next(&mut self, run: Run<'_>) -> Result<Option<&[u64]>, Trouble> {
        let step =
            |walk: &mut BySize| if walk.size < DEEP { walk.step(run) } else { with_deep_stack(|| walk.step(run)) };
        self.found_by(self.max_questions.0, step)
    }

    /// The answers of the way that has so many before it, counted from here. After trouble there is
    /// no other.
    pub(crate) fn nth(&mut self, run: Run<'_>, place: Natural) -> Result<Option<&[u64]>, Trouble> {
        self.found_by(self.max_questions.1, |walk| walk.jump(run, place))
    }

    fn found_by(
        &mut self,
        max_questions: u64,
        find: impl FnOnce(&mut BySize) -> Result<bool, Trouble>,
    ) -> Result<Option<&[u64]>, Trouble> {
        if self.is_done {
            return Ok(None);
        }
        self.grammar.ask_at_most(max_questions);
        let is_found = find(self);
        self.is_done = !matches!(is_found, Ok(true));
        let is_found = is_found?;
        self.answers.clear();
        if let Some(cursor) = &self.cursor {
            self.grammar.answers(cursor, &mut self.answers);
        }
        Ok(is_found.then_some(&*self.answers))
    }

    /// Asks no more than so many questions to find the next way.
    pub(crate) fn ask_at_most(&mut self, questions: u64) {
        self.max_questions = (questions, questions);
    }

    /// The size of the way that was last.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    fn step(&mut self, run: Run<'_>) -> Result<bool, Trouble> {
        if let Some(cursor) = &mut self.cursor
            && self.grammar.advance_parts(run, cursor)?
        {
            self.stepped += 1;
            return Ok(true);
        }
        loop {
            match self.next_production(run)? {
                Some(true) => {
                    self.stepped = 1;
                    return Ok(true);
                }
                Some(false) => {}
                None => return Ok(false),
            }
        }
    }

    /// Passes so many ways, production by production, and takes the one after them.
    ///
    /// Nothing is learned beyond the production in which that way stands: where all choices hang on
    /// each other, each production has one way, and the last size may have many times more of them
    /// than are passed.
    fn jump(&mut self, run: Run<'_>, mut left: Natural) -> Result<bool, Trouble> {
        loop {
            if self.cursor.is_some() {
                let passed = self.jumped.clone() + self.stepped.into();
                let mut to_come = self.grammar.count_shown(run, self.size)?;
                to_come -= &passed;
                if left < to_come {
                    left += &passed;
                    self.cursor = Some(self.grammar.way_of(run, STREAM, 0, self.size, left.clone())?);
                    (self.jumped, self.stepped) = (left, 1);
                    return Ok(true);
                }
                left -= &to_come;
            }
            if self.next_production(run)?.is_none() {
                return Ok(false);
            }
        }
    }

    /// Whether the next production has a way of this size; none if all sizes are over.
    fn next_production(&mut self, run: Run<'_>) -> Result<Option<bool>, Trouble> {
        self.cursor = None;
        (self.jumped, self.stepped) = (Natural::default(), 0);
        if let Some(production) = self.grammar.production(run, STREAM, &mut self.wheels, Some(self.size))? {
            self.grammar.show(production);
            self.cursor = self.grammar.first_from(run, STREAM, self.size, 0)?;
            let most = self.grammar.most_shown();
            self.most = self.most.zip(most).map(|(one, other)| one.max(other));
            return Ok(Some(self.cursor.is_some()));
        }
        if !self.wheels.was_cut && self.most.is_some_and(|most| most <= self.size) {
            return Ok(None);
        }
        self.size += 1;
        self.wheels = Wheels::default();
        self.most = Some(0);
        Ok(Some(false))
    }
}
