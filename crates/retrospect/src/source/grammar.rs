//! What a generator can make, as data: learned by running it.
//!
//! A [`Grammar`] has *regions*: the whole generator, and every free part in it
//! ([`Source::free_part`]). Of a region it knows *productions*: the answers to all questions that
//! something hangs on, and between them the free parts, which are regions again. A region whose
//! form is known is shared by all places where it stands, so a recursive generator has a finite
//! grammar although it makes infinitely many values.
//!
//! To learn a production, the generator is run with the answers that lead to the region, then with
//! those of the production; free parts get their simplest answers, and when the region ends the run
//! is stopped. Nothing is learned before somebody wants it: regions are learned up to a size.
//!
//! **Size.** The simplest answers have size 0. An arm other than the first adds 1, each item of a
//! list beyond the fewest adds 1, and a number adds 1 for every doubling beyond 15, so that a small
//! range is like an enum, none of whose variants is larger than another, and a number of 64 bits
//! takes part in the order all the same.

use super::chooser::KnownArm;
use super::{Bracket, Chooser, Drawn, Form, NumberRequest, PickRequest, RepeatRequest, Source, Why};
use crate::choice::Site;
use std::collections::HashMap;

/// Runs the generator. What it makes is not looked at.
pub(crate) type Run<'r> = &'r dyn Fn(&mut Source<'_>) -> Drawn<()>;

/// Why nothing more is known.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// So many questions were not enough to find out.
    TooMuch(u64),
    /// There are infinitely many values of one size.
    Endless(Option<&'static Site>),
    /// The generator stopped.
    Stopped(Why),
}

impl Trouble {
    pub(crate) fn into_why(self) -> Why {
        match self {
            Trouble::Stopped(why) => why,
            Trouble::TooMuch(questions) => Why::Other(format!(
                "{questions} questions were not enough to find the next value: a filter refuses nearly everything, or too many choices hang on each other; if there are more values, `ask_at_most` allows more"
            )),
            Trouble::Endless(site) => {
                let place = site.map_or_else(String::new, |site| format!("`{}` ({})", site.name(), site.place()));
                Why::Other(format!(
                    "{place} calls itself without a choice that adds to the size, so infinitely many values have the same size: let a pick decide whether it \
                     goes on, with the arm that ends first"
                ))
            }
        }
    }
}

/// How many questions may be asked to count the values of a size.
pub(super) const MOST_QUESTIONS: u64 = 50_000_000;

/// How many questions may be asked to count all values.
const MOST_QUESTIONS_TO_COUNT: u64 = 2_000_000;

/// How many questions may be asked to find the next value. It takes seconds where nothing is
/// optimised: long enough to learn that a filter keeps nothing.
pub(super) const MOST_QUESTIONS_TO_FIND: u64 = 10_000_000;

/// A simplest value that is nested deeper than this is taken for one that never ends.
const DEEPEST_SIMPLEST: usize = 5_000;

/// The whole generator. Its productions are looked at one by one, and only the present one is kept.
pub(crate) const STREAM: usize = 0;
/// The whole generator again, with all productions kept, for counting.
pub(crate) const WHOLE: usize = 1;

#[derive(Debug)]
pub(crate) struct Grammar {
    pub(super) regions: Vec<Region>,
    known: HashMap<Key, usize>,
    /// How many questions may be asked in one call, and how many of them are left.
    most_questions: u64,
    questions_left: u64,
    /// Tells one walk over all regions from another.
    pub(super) walk: u64,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Known(u64),
    At(Place),
}

/// How to get to a region: what was answered before it, and which of the free parts that were told
/// of it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Place {
    answers: Vec<u64>,
    begin: usize,
}

#[derive(Debug)]
pub(super) struct Region {
    place: Place,
    /// The largest index, if it is a number and nothing else.
    pub(super) number: Option<u64>,
    pub(super) site: Option<&'static Site>,
    pub(super) productions: Vec<Production>,
    /// Productions of more than this size are not known yet.
    learned: Option<u32>,
    /// Whether there are no others.
    pub(super) is_complete: bool,
    is_learning: bool,
    /// How many ways there are of each size.
    pub(super) counts: Vec<Option<crate::natural::Natural>>,
    pub(super) counting: Vec<u32>,
    pub(super) most: (u64, Option<u32>),
    pub(super) total: Option<super::counting::Total>,
    /// The first answers that make something, if the simplest do not.
    first: Option<Vec<u64>>,
}

#[derive(Debug, Default)]
pub(super) struct Production {
    pub(super) items: Vec<Item>,
    pub(super) size: u32,
    /// Whether it has an item more than the fewest in a list that has no limit.
    pub(super) is_longer: bool,
    /// The regions of its free parts.
    pub(super) parts: Vec<usize>,
    /// How many ways there are for the parts from some place on, by that place and the size.
    pub(super) ways: Vec<Vec<Option<crate::natural::Natural>>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Answer(u64),
    /// A free part, by its place among the parts.
    Part(usize),
}

/// The answers to the questions of one region that something hangs on, turned like an odometer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wheels {
    wheels: Vec<Wheel>,
    is_started: bool,
    /// Whether an answer was left out because it is too large.
    pub(crate) was_cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Wheel {
    question: Question,
    answer: u64,
    last: u64,
    /// Of a pick, where the present answer or the one before it was found.
    arm: KnownArm,
    /// The size of the answers before it.
    before: u32,
    /// What became of the present answer of a list: something was made, something in it could not
    /// be kept, something was left out because it is too large.
    was_made: bool,
    was_corrected: bool,
    was_cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Question {
    Number,
    Pick,
    Repeat,
}

impl Question {
    /// How much an answer, counted from the simplest, adds to the size.
    fn size(self, answer: u64) -> u32 {
        match self {
            Question::Number => number_size(answer),
            Question::Pick => answer.min(1) as u32,
            Question::Repeat => u32::try_from(answer).unwrap_or(u32::MAX),
        }
    }
}

/// The size of a number by its index.
pub(super) fn number_size(index: u64) -> u32 {
    u64::BITS - (index >> 4).leading_zeros()
}

/// The first and last index of a size.
pub(super) fn numbers_of_size(size: u32, max: u64) -> Option<(u64, u64)> {
    let (first, last) = match size {
        0 => (0, 15),
        1..=60 => (1 << (size + 3), u64::MAX >> (60 - size)),
        _ => return None,
    };
    (first <= max).then_some((first, last.min(max)))
}

impl Grammar {
    pub(crate) fn new() -> Grammar {
        let regions = vec![Region::new(Place::default(), None), Region::new(Place::default(), None)];
        Grammar {
            regions,
            known: HashMap::new(),
            most_questions: MOST_QUESTIONS,
            questions_left: MOST_QUESTIONS,
            walk: 0,
        }
    }

    /// Begins another call.
    pub(crate) fn allow_questions(&mut self) {
        self.questions_left = self.most_questions;
    }

    /// Asks no more than so many questions in one call.
    pub(crate) fn ask_at_most(&mut self, questions: u64) {
        self.most_questions = questions;
        self.questions_left = questions;
    }

    /// For counting.
    pub(crate) fn for_counting() -> Grammar {
        let mut grammar = Grammar::new();
        grammar.ask_at_most(MOST_QUESTIONS_TO_COUNT);
        grammar
    }

    pub(super) fn too_much(&self) -> Trouble {
        Trouble::TooMuch(self.most_questions)
    }

    /// Learns all productions of a region up to a size.
    pub(super) fn learn(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<(), Trouble> {
        let known = &mut self.regions[region];
        if known.number.is_some() || known.is_complete || known.learned.is_some_and(|learned| learned >= size) {
            return Ok(());
        }
        if known.is_learning {
            return Err(Trouble::Endless(known.site));
        }
        known.is_learning = true;
        let mut wheels = Wheels::default();
        let mut productions = Vec::new();
        let ended = loop {
            match self.production(run, region, &mut wheels, Some(size)) {
                Ok(Some(production)) => productions.push(production),
                Ok(None) => break Ok(()),
                Err(trouble) => break Err(trouble),
            }
        };
        let known = &mut self.regions[region];
        known.is_learning = false;
        ended?;
        known.productions = productions;
        known.learned = Some(size);
        known.is_complete = !wheels.was_cut;
        Ok(())
    }

    /// The next production of a region that is not larger than `most`.
    pub(super) fn production(
        &mut self,
        run: Run<'_>,
        region: usize,
        wheels: &mut Wheels,
        most: Option<u32>,
    ) -> Result<Option<Production>, Trouble> {
        loop {
            if wheels.is_started && !wheels.turn(most) {
                return Ok(None);
            }
            wheels.is_started = true;
            if let Some(production) = self.present_production(run, region, wheels)? {
                return Ok(Some(production));
            }
        }
    }

    /// What the present answers lead to, if it is anything.
    fn present_production(
        &mut self,
        run: Run<'_>,
        region: usize,
        wheels: &mut Wheels,
    ) -> Result<Option<Production>, Trouble> {
        let mut given = Vec::new();
        loop {
            let place = self.regions[region].place.clone();
            let mut learner = Learner::new(&place, wheels, &given);
            let mut source = Source { is_recording: false, stops_if_corrected: true, ..Source::asking(&mut learner) };
            let is_made = run(&mut source).is_ok();
            let (is_corrected, most_found, why) = (source.is_corrected, source.most_found, source.why.take());
            drop(source);
            let Learner {
                used,
                asked,
                state,
                production,
                parts,
                site,
                endless,
                around_part,
                not_kept,
                part_not_kept,
                ..
            } = learner;
            self.questions_left = self.questions_left.checked_sub(asked).ok_or_else(|| self.too_much())?;
            wheels.wheels.truncate(used);
            self.regions[region].site = self.regions[region].site.or(site);
            if let Some(endless) = endless {
                return Err(Trouble::Stopped(endless));
            }
            // In a free part it is the part that makes nothing by these answers: see below.
            if is_corrected && part_not_kept.is_none() {
                if let (Some(most), Some(wheel)) = (most_found, wheels.wheels.last_mut()) {
                    wheel.last = most;
                }
                wheels.note_corrected(&not_kept);
                return Ok(None);
            }
            let has_ended = state == State::After || (is_made && place.begin == 0);
            if has_ended && !is_corrected {
                wheels.note(|wheel| wheel.was_made = true);
                return Ok(Some(self.with_parts(production, parts)));
            }
            if let Some(why) = why.map(|why| *why)
                && matches!(why, Why::TooDeep { .. } | Why::Other(_) | Why::NotMade)
            {
                return Err(Trouble::Stopped(why));
            }
            // The simplest answers of a free part make nothing: others may.
            let part = match state {
                _ if part_not_kept.is_some() => part_not_kept,
                State::Part(_) => parts.len().checked_sub(1),
                _ => None,
            };
            let Some((form, blocked)) = part.and_then(|part| parts.into_iter().nth(part)) else {
                return Ok(None);
            };
            let begin = blocked.begin;
            if given.iter().any(|(known, _)| *known == begin) {
                return Ok(None);
            }
            let blocked = self.region(form, blocked);
            match self.first_way(run, blocked)? {
                Some(answers) => given.push((begin, answers)),
                None => {
                    // With more such parts there is nothing either.
                    wheels.note_corrected(&around_part);
                    return Ok(None);
                }
            }
        }
    }

    fn with_parts(&mut self, mut production: Production, parts: Vec<(Form, Place)>) -> Production {
        for (form, place) in parts {
            let region = self.region(form, place);
            production.parts.push(region);
        }
        production.ways = vec![Vec::new(); production.parts.len()];
        production
    }

    fn region(&mut self, form: Form, place: Place) -> usize {
        let (key, number) = match form {
            Form::Number { max } => (Key::Number(max), Some(max)),
            Form::Known(identity) => (Key::Known(identity), None),
            Form::Unknown => (Key::At(place.clone()), None),
        };
        if let Some(region) = self.known.get(&key) {
            return *region;
        }
        self.regions.push(Region::new(place, number));
        self.known.insert(key, self.regions.len() - 1);
        self.regions.len() - 1
    }

    /// The first answers that make something of a region.
    fn first_way(&mut self, run: Run<'_>, region: usize) -> Result<Option<Vec<u64>>, Trouble> {
        if let Some(first) = &self.regions[region].first {
            return Ok(Some(first.clone()));
        }
        let mut size = 0;
        loop {
            if let Some(cursor) = self.first(run, region, size)? {
                let mut answers = Vec::new();
                self.answers(&cursor, &mut answers);
                self.regions[region].first = Some(answers.clone());
                return Ok(Some(answers));
            }
            if self.most(region).is_some_and(|most| most <= size) {
                return Ok(None);
            }
            size += 1;
        }
    }
}

impl Region {
    fn new(place: Place, number: Option<u64>) -> Region {
        Region {
            place,
            number,
            site: None,
            productions: Vec::new(),
            learned: None,
            is_complete: false,
            is_learning: false,
            counts: Vec::new(),
            counting: Vec::new(),
            most: (0, None),
            total: None,
            first: None,
        }
    }
}

impl Wheels {
    fn note(&mut self, note: impl Fn(&mut Wheel)) {
        self.wheels.iter_mut().for_each(note);
    }

    /// Notes that what these lists hold could not be kept.
    fn note_corrected(&mut self, lists: &[usize]) {
        for list in lists {
            if let Some(wheel) = self.wheels.get_mut(*list) {
                wheel.was_corrected = true;
            }
        }
    }

    /// Turns to the next combination of answers that is not larger than `most`.
    fn turn(&mut self, most: Option<u32>) -> bool {
        while let Some(wheel) = self.wheels.last_mut() {
            // Where so many items are never kept, as in a set of more than there are, more of them
            // will not be either.
            let is_full =
                wheel.question == Question::Repeat && wheel.was_corrected && !wheel.was_made && !wheel.was_cut;
            if wheel.answer < wheel.last && !is_full {
                let size = wheel.before.saturating_add(wheel.question.size(wheel.answer + 1));
                if most.is_none_or(|most| size <= most) {
                    *wheel = Wheel {
                        was_made: false,
                        was_corrected: false,
                        was_cut: false,
                        answer: wheel.answer + 1,
                        ..*wheel
                    };
                    return true;
                }
                self.was_cut = true;
                self.note(|wheel| wheel.was_cut = true);
            }
            self.wheels.pop();
        }
        false
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// On the way to the region.
    Before,
    Inside,
    /// In a free part of the region, so many deep.
    Part(usize),
    /// The region has ended.
    After,
}

/// Answers the questions of one run, and notes what is asked in the region.
struct Learner<'l> {
    place: &'l Place,
    wheels: &'l mut Wheels,
    /// The answers for free parts, by their number, where the simplest make nothing.
    given: &'l [(usize, Vec<u64>)],
    /// Which of them is in use, and how much of it.
    giving: Option<(usize, usize)>,
    /// All answers so far.
    answers: Vec<u64>,
    /// How many free parts have begun.
    begun: usize,
    state: State,
    used: usize,
    production: Production,
    parts: Vec<(Form, Place)>,
    site: Option<&'static Site>,
    last_pick: Option<&'static Site>,
    /// The brackets that are open, each with the wheel of its list if it has one.
    open: Vec<Option<usize>>,
    /// The lists around the last free part, and those that hold what was dropped or changed.
    around_part: Vec<usize>,
    not_kept: Vec<usize>,
    /// The free part in which that was.
    part_not_kept: Option<usize>,
    asked: u64,
    endless: Option<Why>,
}

impl<'l> Learner<'l> {
    fn new(place: &'l Place, wheels: &'l mut Wheels, given: &'l [(usize, Vec<u64>)]) -> Learner<'l> {
        let state = if place.begin == 0 { State::Inside } else { State::Before };
        Learner {
            place,
            wheels,
            given,
            giving: None,
            answers: Vec::new(),
            begun: 0,
            state,
            used: 0,
            production: Production::default(),
            parts: Vec::new(),
            site: None,
            last_pick: None,
            open: Vec::new(),
            around_part: Vec::new(),
            not_kept: Vec::new(),
            part_not_kept: None,
            asked: 0,
            endless: None,
        }
    }

    /// The answer to a question whose last answer, counted from the simplest, is `last`. `written`
    /// is how an answer is written down.
    fn answer(&mut self, question: Question, last: u64, written: impl Fn(u64) -> u64) -> Result<u64, String> {
        self.asked += 1;
        let answer = match self.state {
            State::Before => {
                let changed = || "the generator asks something else than before".to_owned();
                *self.place.answers.get(self.answers.len()).ok_or_else(changed)?
            }
            State::Inside => {
                let answer = written(self.turned(question, last));
                self.production.items.push(Item::Answer(answer));
                answer
            }
            State::Part(_) => match &mut self.giving {
                Some((given, used)) => {
                    *used += 1;
                    self.given[*given].1.get(*used - 1).copied().unwrap_or_else(|| written(0))
                }
                None => written(0),
            },
            State::After => return Err(String::new()),
        };
        self.answers.push(answer);
        Ok(answer)
    }

    fn turned(&mut self, question: Question, last: u64) -> u64 {
        let before = self.production.size;
        if self.used == self.wheels.wheels.len() {
            let (was_made, was_corrected, was_cut) = (false, false, false);
            let arm = KnownArm::default();
            self.wheels.wheels.push(Wheel { question, answer: 0, last, arm, before, was_made, was_corrected, was_cut });
        }
        let wheel = &mut self.wheels.wheels[self.used];
        self.used += 1;
        *wheel = Wheel { question, answer: wheel.answer.min(last), last, before, ..*wheel };
        self.production.size = before.saturating_add(question.size(wheel.answer));
        wheel.answer
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.asked += 1;
        self.open.push(None);
        // Only what is simplest may have no end: everything else is as deep as it is large.
        if self.open.len() <= DEEPEST_SIMPLEST + 20 * self.production.size as usize + 20 * self.place.answers.len() {
            return Ok(());
        }
        let place = self.last_pick.map_or_else(String::new, |site| format!(" of `{}` ({})", site.name(), site.place()));
        self.endless = Some(Why::Other(format!(
            "the simplest value never ends: the first arm{place} leads back to itself, so put an arm that ends first"
        )));
        Err(String::new())
    }

    fn open_lists(&self) -> Vec<usize> {
        self.open.iter().copied().flatten().collect()
    }

    fn go_on(&self) -> Result<(), String> {
        if self.state == State::After { Err(String::new()) } else { Ok(()) }
    }
}

impl Chooser for Learner<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        self.answer(Question::Number, request.max, |answer| answer)
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        self.last_pick = Some(request.site);
        if self.state != State::Inside {
            let first = |_| request.possible_arms().next().unwrap_or(0) as u64;
            return self.answer(Question::Pick, 0, first).map(|arm| arm as usize);
        }
        self.asked += 1;
        // Counting them takes as long as there are arms, and the same answers before lead to the
        // same pick.
        let last = match self.wheels.wheels.get(self.used) {
            Some(wheel) => wheel.last,
            None => {
                self.asked += request.weights.len() as u64;
                request.possible_arms().count().saturating_sub(1) as u64
            }
        };
        let answer = self.turned(Question::Pick, last);
        let arm = request.nth_arm(answer, &mut self.wheels.wheels[self.used - 1].arm).unwrap_or(0);
        self.production.items.push(Item::Answer(arm as u64));
        self.answers.push(arm as u64);
        Ok(arm)
    }

    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        let last = (request.max - request.min) as u64;
        let min = request.min as u64;
        self.open.push((self.state == State::Inside).then_some(self.used));
        let count = self.answer(Question::Repeat, last, |answer| min + answer)?;
        self.production.is_longer |= self.state == State::Inside && request.max == usize::MAX && count > min;
        Ok(count as usize)
    }

    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.go_on()?;
        if let (Bracket::Call(site), State::Inside, None) = (bracket, self.state, self.site) {
            self.site = Some(site);
        }
        self.deeper()
    }

    fn close(&mut self) {
        // A list that ends keeps its items, whatever becomes of what it is in.
        if let Some(Some(list)) = self.open.pop()
            && !self.not_kept.contains(&list)
            && let Some(wheel) = self.wheels.wheels.get_mut(list)
        {
            wheel.was_made = true;
        }
    }

    fn wants_parts(&self) -> bool {
        true
    }

    fn begin_free(&mut self, form: &dyn Fn() -> Form) {
        self.begun += 1;
        match self.state {
            State::Before if self.begun == self.place.begin => self.state = State::Inside,
            State::Inside => {
                let place = Place { answers: self.answers.clone(), begin: self.begun };
                if self.part_not_kept.is_none() {
                    self.around_part = self.open_lists();
                }
                self.production.items.push(Item::Part(self.parts.len()));
                self.parts.push((form(), place));
                self.giving = self.given.iter().position(|(begin, _)| *begin == self.begun).map(|given| (given, 0));
                self.state = State::Part(1);
            }
            State::Part(depth) => self.state = State::Part(depth + 1),
            State::Before | State::After => {}
        }
    }

    fn end_free(&mut self) {
        self.state = match self.state {
            State::Inside => State::After,
            State::Part(1) => State::Inside,
            State::Part(depth) => State::Part(depth - 1),
            other => other,
        };
    }

    fn corrected(&mut self) {
        self.not_kept = self.open_lists();
        if let State::Part(_) = self.state {
            self.part_not_kept = self.parts.len().checked_sub(1);
        }
    }
}

/// Answers that were worked out before, one after the other.
#[derive(Debug)]
pub(crate) struct Answers<'s> {
    answers: &'s [u64],
    used: usize,
}

impl<'s> Answers<'s> {
    pub(crate) fn new(answers: &'s [u64]) -> Answers<'s> {
        Answers { answers, used: 0 }
    }

    #[inline]
    fn next(&mut self) -> Result<u64, String> {
        self.used += 1;
        self.answers.get(self.used - 1).copied().ok_or_else(|| {
            "the generator asks something else than before: a part that is called free has something hang on it"
                .to_owned()
        })
    }
}

impl Chooser for Answers<'_> {
    fn number(&mut self, _: &NumberRequest) -> Result<u64, String> {
        self.next()
    }

    fn pick(&mut self, _: &PickRequest<'_>) -> Result<usize, String> {
        self.next().map(|arm| arm as usize)
    }

    fn repeat(&mut self, _: &RepeatRequest) -> Result<usize, String> {
        self.next().map(|count| count as usize)
    }
}

impl<'a> Source<'a> {
    /// A source of answers that are known, which are recorded if that is wanted.
    pub(crate) fn knowing(answers: &'a mut Answers<'_>, is_recording: bool) -> Source<'a> {
        Source { is_recording, ..Source::asking(answers) }
    }

    /// A source that asks a chooser and records nothing.
    pub(crate) fn asking_unrecorded(chooser: &'a mut (dyn Chooser + 'a)) -> Source<'a> {
        Source { is_recording: false, ..Source::asking(chooser) }
    }

    /// Why it stopped; for who knows that it did.
    pub(crate) fn reason(&mut self) -> Why {
        match self.why.take() {
            Some(why) => *why,
            None => Why::Other("the generator stopped without saying why".to_owned()),
        }
    }
}
