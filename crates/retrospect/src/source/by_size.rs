//! Going through everything a generator makes, from small to large.

use super::counting::Cursor;
use super::grammar::{Grammar, MOST_QUESTIONS, MOST_QUESTIONS_TO_FIND, Run, STREAM, Trouble, WHOLE, Wheels};
use crate::natural::Natural;
use crate::stack::with_deep_stack;

/// The ways of a generator one after the other, by size.
///
/// The productions of the whole generator are looked at one by one and forgotten; what is kept are the regions inside it, and where in them the walk stands.
#[derive(Debug)]
pub(crate) struct BySize {
    grammar: Grammar,
    size: u32,
    wheels: Wheels,
    cursor: Option<Cursor>,
    /// The largest size that was met in this round, if it is known.
    most: Option<u32>,
    /// Whether all productions are kept, because a place was jumped to.
    is_kept: bool,
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
            is_kept: false,
            is_done: false,
            answers: Vec::new(),
            max_questions: (MOST_QUESTIONS_TO_FIND, MOST_QUESTIONS),
        }
    }

    /// The answers of the next way. After trouble there is no other.
    pub(crate) fn next(&mut self, run: Run<'_>) -> Result<Option<&[u64]>, Trouble> {
        if self.is_done {
            return Ok(None);
        }
        self.grammar.ask_at_most(self.max_questions.0);
        let has_next = if self.size < DEEP { self.step(run) } else { with_deep_stack(|| self.step(run)) };
        self.is_done = !matches!(has_next, Ok(true));
        has_next.map(|has_next| has_next.then_some(&*self.answers))
    }

    /// Asks no more than so many questions to find the next way.
    pub(crate) fn ask_at_most(&mut self, questions: u64) {
        self.max_questions = (questions, questions);
    }

    /// The size of the way that was last.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    /// Jumps to the way that has so many before it, which is then the next.
    pub(crate) fn jump(&mut self, run: Run<'_>, before: Natural) -> Result<(), Trouble> {
        self.is_kept = true;
        self.cursor = None;
        self.size = 0;
        self.grammar.ask_at_most(self.max_questions.1);
        let jumped = self.find(run, before);
        self.is_done = !matches!(jumped, Ok(true));
        jumped.map(|_| ())
    }

    fn find(&mut self, run: Run<'_>, mut before: Natural) -> Result<bool, Trouble> {
        loop {
            let count = self.grammar.count(run, WHOLE, self.size)?;
            if before < count {
                break;
            }
            before -= &count;
            if self.grammar.most(WHOLE).is_some_and(|most| most <= self.size) {
                return Ok(false);
            }
            self.size += 1;
        }
        // The next step turns on from the one before.
        match before.is_zero() {
            true => self.cursor = None,
            false => {
                before -= &Natural::from(1);
                self.cursor = Some(self.grammar.way_at(run, WHOLE, self.size, before)?);
            }
        }
        Ok(true)
    }

    fn step(&mut self, run: Run<'_>) -> Result<bool, Trouble> {
        loop {
            if let Some(cursor) = &mut self.cursor {
                let has_next = match self.is_kept {
                    true => self.grammar.advance(run, cursor)?,
                    false => self.grammar.advance_parts(run, cursor)?,
                };
                if has_next {
                    return Ok(self.found());
                }
                self.cursor = None;
                if self.is_kept && !self.enlarge() {
                    return Ok(false);
                }
            }
            let has_first = if self.is_kept { self.first_kept(run)? } else { self.first_in_stream(run)? };
            match has_first {
                Some(true) => return Ok(self.found()),
                Some(false) => {}
                None => return Ok(false),
            }
        }
    }

    fn found(&mut self) -> bool {
        self.answers.clear();
        if let Some(cursor) = &self.cursor {
            self.grammar.answers(cursor, &mut self.answers);
        }
        true
    }

    fn enlarge(&mut self) -> bool {
        let is_over = self.grammar.most(WHOLE).is_some_and(|most| most <= self.size);
        self.size += u32::from(!is_over);
        !is_over
    }

    fn first_kept(&mut self, run: Run<'_>) -> Result<Option<bool>, Trouble> {
        self.cursor = self.grammar.first(run, WHOLE, self.size)?;
        if self.cursor.is_some() {
            return Ok(Some(true));
        }
        Ok(self.enlarge().then_some(false))
    }

    /// Whether the next production has a way of this size; none if all sizes are over.
    fn first_in_stream(&mut self, run: Run<'_>) -> Result<Option<bool>, Trouble> {
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
