//! Properties over compositions: what is drawn, what is assumed, what fails and how.

use super::condition::Condition;
use super::spec::{Built, Spec, USER};
use super::value::Dyn;
use retrospect::generator::{Any, part};
use retrospect::prelude::*;
use retrospect::source::{Drawn, Source};
use std::cell::RefCell;
use std::fmt::Debug;
use std::hint::black_box;
use std::panic::panic_any;
use std::time::Duration;

/// A property, described. It is what one seed of the torture test stands for.
#[derive(Clone, Debug, PartialEq, Generate)]
pub struct Composition {
    pub form: Form,
    /// Of what is drawn first, or alone.
    pub first: Spec,
    /// What else happens in a body that draws.
    #[generate(with = vec_of(any::<Step>(), ..=3))]
    pub steps: Vec<Step>,
    #[generate(with = vec_of(any::<Fault>(), 1..=2))]
    pub faults: Vec<Fault>,
    pub extra: Extra,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Form {
    /// One argument, from a generator.
    Argument,
    /// Everything is drawn in the body.
    Case,
    /// Two checks in one test, of which the first passes.
    Second,
    /// One check in a loop, of which the last turn fails.
    Loop,
}

/// What a body does.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Step {
    Draw(Spec),
    /// As often as a number that is drawn first.
    Counted(#[generate(with = 0..=6usize)] usize, Spec),
    /// Until a value satisfies a condition.
    Until(Condition, Spec),
    /// As long as a coin says so.
    Coins(Spec),
    /// Only if all that was drawn so far satisfies a condition.
    If(Condition, Box<Step>),
    Assume(Condition),
    /// Asks all functions that were drawn.
    Call,
    Note,
    Target,
}

/// What goes wrong, and when.
#[derive(Clone, Debug, PartialEq, Generate)]
pub struct Fault {
    /// Most simple values pass.
    #[generate(with = 1..=12usize)]
    pub min_size: usize,
    pub when: Condition,
    pub how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum How {
    #[generate(weight = 4)]
    Panics,
    Asserts,
    ReturnsError,
    PanicsWithNumber,
    Unwraps,
    Indexes,
    Divides,
}

/// What else there may be about a body.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Extra {
    #[generate(weight = 12)]
    Nothing,
    Prints,
    /// Takes 20 ms on some values.
    Slow(Condition),
    /// Never comes back on some values, once one has failed.
    Hangs(Condition),
    /// Fails every so many times.
    Flaky(#[generate(with = 2..=5u32)] u32),
    /// In child processes.
    Isolated,
}

/// What answers the draws of a body: a case of the library, or a source of our own.
pub(super) trait Draws {
    fn draw<G: Generator>(&mut self, generator: &G) -> Drawn<G::Value>;

    /// Whether the body goes on after an assumption.
    fn assume(&mut self, holds: bool) -> bool;
}

impl Draws for Case<'_> {
    fn draw<G: Generator>(&mut self, generator: &G) -> Drawn<G::Value> {
        Ok(Case::draw(self, generator))
    }

    fn assume(&mut self, holds: bool) -> bool {
        assume!(holds);
        true
    }
}

impl Draws for Source<'_> {
    fn draw<G: Generator>(&mut self, generator: &G) -> Drawn<G::Value> {
        part(generator, self)
    }

    fn assume(&mut self, holds: bool) -> bool {
        holds
    }
}

/// What one run of a body came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// What was drawn, as `Debug` prints it.
    pub drawn: Vec<String>,
    /// Which fault it was.
    pub fault: &'static str,
    /// What the body said when it failed.
    pub message: &'static str,
}

thread_local! {
    /// What happened in the bodies that ran on this thread.
    static DIARY: RefCell<Diary> = const { RefCell::new(Diary { now: Vec::new(), failed: Vec::new(), count: 0, last: 0.0, longest: 0.0 }) };
}

/// What is known of the runs of a body.
#[derive(Clone, Debug)]
pub struct Diary {
    /// What was drawn in the present run.
    now: Vec<String>,
    pub failed: Vec<Ran>,
    /// How many bodies began.
    pub count: u64,
    /// The time of this thread when the last body began or ended.
    last: f64,
    /// The longest time between two bodies, in seconds of this thread.
    pub longest: f64,
}

impl Diary {
    pub fn begin() {
        DIARY.set(Diary { now: Vec::new(), failed: Vec::new(), count: 0, last: thread_seconds(), longest: 0.0 });
    }

    pub fn end() -> Diary {
        Diary::tick();
        DIARY.with_borrow(Clone::clone)
    }

    /// Notes the time since the last body.
    fn tick() {
        DIARY.with_borrow_mut(|diary| {
            let now = thread_seconds();
            diary.longest = diary.longest.max(now - diary.last);
            diary.last = now;
        });
    }

    fn begin_body() {
        DIARY.with_borrow_mut(|diary| {
            diary.now.clear();
            diary.count += 1;
        });
        if DIARY.with_borrow(|diary| diary.count).is_multiple_of(16) {
            Diary::tick();
        }
    }

    fn drawn(value: &impl Debug) {
        DIARY.with_borrow_mut(|diary| diary.now.push(format!("{value:?}")));
    }

    fn failed(fault: &'static str, message: &'static str) {
        DIARY.with_borrow_mut(|diary| {
            let ran = Ran { drawn: diary.now.clone(), fault, message };
            if diary.failed.len() > 2000 {
                diary.failed.remove(0);
            }
            diary.failed.push(ran);
        });
    }

    fn has_failed() -> bool {
        DIARY.with_borrow(|diary| !diary.failed.is_empty())
    }
}

/// The processor time of this thread, in seconds.
pub fn thread_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// A composition whose generators are built.
#[expect(missing_debug_implementations, reason = "it holds generators")]
pub struct Property<'c> {
    composition: &'c Composition,
    first: Built,
    steps: Vec<BuiltStep<'c>>,
    booleans: Any<bool>,
}

enum BuiltStep<'c> {
    Draw(Built),
    Counted(usize, Built),
    Until(&'c Condition, Built),
    Coins(Built),
    If(&'c Condition, Box<BuiltStep<'c>>),
    Assume(&'c Condition),
    Call,
    Note,
    Target,
}

impl Step {
    fn build(&self) -> BuiltStep<'_> {
        match self {
            Step::Draw(spec) => BuiltStep::Draw(spec.build()),
            Step::Counted(most, spec) => BuiltStep::Counted(*most, spec.build()),
            Step::Until(condition, spec) => BuiltStep::Until(condition, spec.build()),
            Step::Coins(spec) => BuiltStep::Coins(spec.build()),
            Step::If(condition, step) => BuiltStep::If(condition, Box::new(step.build())),
            Step::Assume(condition) => BuiltStep::Assume(condition),
            Step::Call => BuiltStep::Call,
            Step::Note => BuiltStep::Note,
            Step::Target => BuiltStep::Target,
        }
    }

    fn specs(&self) -> Option<&Spec> {
        match self {
            Step::Draw(spec) | Step::Counted(_, spec) | Step::Until(_, spec) | Step::Coins(spec) => Some(spec),
            Step::If(_, step) => step.specs(),
            _ => None,
        }
    }
}

impl Composition {
    pub fn build(&self) -> Property<'_> {
        let is_argument = self.form == Form::Argument;
        let steps = if is_argument { &[] } else { &self.steps[..] };
        Property {
            composition: self,
            first: self.first.build(),
            steps: steps.iter().map(Step::build).collect(),
            booleans: any::<bool>(),
        }
    }

    /// All generators in it.
    pub fn specs(&self) -> Vec<&Spec> {
        let steps = if self.form == Form::Argument { &[] } else { &self.steps[..] };
        std::iter::once(&self.first).chain(steps.iter().filter_map(Step::specs)).collect()
    }

    pub fn has(&self, is_like: impl Fn(&Spec) -> bool) -> bool {
        self.specs().into_iter().any(|spec| spec.has(&is_like))
    }

    pub fn is_flaky(&self) -> bool {
        matches!(self.extra, Extra::Flaky(_))
    }

    pub fn has_target(&self) -> bool {
        let text = format!("{:?}", self.steps);
        self.form != Form::Argument && text.contains("Target")
    }
}

/// Values that are given up on: a loop in a body must end.
const MAX_DRAWS: usize = 12;

impl Property<'_> {
    /// Whether its generators may panic.
    pub fn has_panics(&self) -> bool {
        self.composition.has(Spec::panics)
    }

    /// The generator of the only argument.
    pub fn argument(&self) -> &Built {
        &self.first
    }

    /// The body of a property with one argument.
    pub fn body_of(&self, value: Dyn) -> Result<(), String> {
        Diary::begin_body();
        Diary::drawn(&value);
        self.judge(vec![value])
    }

    /// The body of a property that draws.
    pub fn body(&self, case: &mut Case<'_>) -> Result<(), String> {
        Diary::begin_body();
        match self.run(case) {
            Ok(outcome) => outcome,
            Err(_) => unreachable!("a case does not return where it stops"),
        }
    }

    /// The same from a source, for tries without the library's runner. An error of the source is no
    /// failure.
    pub fn run_from(&self, source: &mut Source<'_>) -> Drawn<Result<(), String>> {
        match self.composition.form {
            Form::Argument => {
                let value = part(&self.first, source)?;
                Ok(self.judge(vec![value]))
            }
            Form::Case | Form::Second | Form::Loop => self.run(source),
        }
    }

    fn run(&self, draws: &mut impl Draws) -> Drawn<Result<(), String>> {
        let mut drawn = Vec::new();
        self.draw(draws, &self.first, &mut drawn)?;
        for step in &self.steps {
            if !self.take(step, draws, &mut drawn)? {
                // Not reached by a case: `assume!` does not return.
                return Ok(Ok(()));
            }
        }
        Ok(self.judge(drawn))
    }

    fn draw(&self, draws: &mut impl Draws, generator: &Built, drawn: &mut Vec<Dyn>) -> Drawn<()> {
        let value = draws.draw(generator)?;
        Diary::drawn(&value);
        drawn.push(value);
        Ok(())
    }

    /// Whether the body goes on.
    fn take<D: Draws>(&self, step: &BuiltStep<'_>, draws: &mut D, drawn: &mut Vec<Dyn>) -> Drawn<bool> {
        match step {
            BuiltStep::Draw(generator) => self.draw(draws, generator, drawn)?,
            BuiltStep::Counted(most, generator) => {
                let count = draws.draw(&(0..=*most))?;
                Diary::drawn(&count);
                for _ in 0..count {
                    self.draw(draws, generator, drawn)?;
                }
            }
            BuiltStep::Until(condition, generator) => {
                for _ in 0..MAX_DRAWS {
                    self.draw(draws, generator, drawn)?;
                    if drawn.last().is_some_and(|value| condition.holds(value)) {
                        break;
                    }
                }
            }
            BuiltStep::Coins(generator) => {
                for _ in 0..MAX_DRAWS {
                    let goes_on = draws.draw(&self.booleans)?;
                    Diary::drawn(&goes_on);
                    if !goes_on {
                        break;
                    }
                    self.draw(draws, generator, drawn)?;
                }
            }
            BuiltStep::If(condition, step) => {
                if condition.holds(&Dyn::List(drawn.clone())) {
                    return self.take(step, draws, drawn);
                }
            }
            BuiltStep::Assume(condition) => {
                let holds = condition.holds(&Dyn::List(drawn.clone()));
                if !draws.assume(holds) {
                    return Ok(false);
                }
            }
            BuiltStep::Call => {
                let mut outputs = Vec::new();
                drawn.iter().for_each(|value| add_outputs(value, &drawn[0], &mut outputs));
                drawn.extend(outputs);
            }
            BuiltStep::Note => note!("{USER} noted {}", drawn.len()),
            BuiltStep::Target => {
                let size: usize = drawn.iter().map(Dyn::size).sum();
                target!(size as f64, "size");
            }
        }
        Ok(true)
    }

    fn fails(&self, value: &Dyn) -> bool {
        self.composition.faults.iter().any(|fault| fault.holds(value))
    }

    /// What the body comes to on what it has drawn.
    fn judge(&self, mut drawn: Vec<Dyn>) -> Result<(), String> {
        let value = if drawn.len() == 1 { drawn.remove(0) } else { Dyn::List(drawn) };
        match &self.composition.extra {
            Extra::Prints => println!("{USER} a body prints"),
            Extra::Slow(condition) if condition.holds(&value) => std::thread::sleep(Duration::from_millis(20)),
            // Only what shrinking tries: a case that hangs while nothing has failed is the user's
            // own.
            Extra::Hangs(condition) if Diary::has_failed() && !self.fails(&value) && condition.holds(&value) => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            _ => {}
        }
        if let Extra::Flaky(every) = self.composition.extra {
            thread_local! { static COUNT: RefCell<u32> = const { RefCell::new(0) }; }
            let count = COUNT.with_borrow_mut(|count| {
                *count += 1;
                *count
            });
            if count.is_multiple_of(every) {
                Diary::failed("flaky", "user: not deterministic");
                panic!("user: not deterministic");
            }
        }
        // Each fault has lines of its own, so that they are different failures.
        if let Some(fault) = self.composition.faults.first().filter(|fault| fault.holds(&value)) {
            Diary::failed("alpha", fault.how.message());
            match fault.how {
                How::Panics => panic!("user: panics"),
                How::Asserts => assert_eq!(0, 1, "user: asserts"),
                How::ReturnsError => return Err("user: alpha".to_owned()),
                How::PanicsWithNumber => panic_any(1_u64),
                How::Unwraps => black_box(None::<()>).unwrap(),
                How::Indexes => drop(Vec::<u8>::new()[value.size()]),
                How::Divides => drop(value.size() / black_box(0)),
            }
        }
        if let Some(fault) = self.composition.faults.get(1).filter(|fault| fault.holds(&value)) {
            Diary::failed("beta", fault.how.message());
            match fault.how {
                How::Panics => panic!("user: panics"),
                How::Asserts => assert_eq!(0, 1, "user: asserts"),
                How::ReturnsError => return Err("user: beta".to_owned()),
                How::PanicsWithNumber => panic_any(1_u64),
                How::Unwraps => black_box(None::<()>).unwrap(),
                How::Indexes => drop(Vec::<u8>::new()[value.size()]),
                How::Divides => drop(value.size() / black_box(0)),
            }
        }
        Ok(())
    }
}

impl Fault {
    fn holds(&self, value: &Dyn) -> bool {
        value.size() >= self.min_size && self.when.holds(value)
    }
}

impl How {
    /// The beginning of what a report says of it.
    fn message(self) -> &'static str {
        match self {
            How::Panics => "user: panics",
            How::Asserts => "assertion `left == right` failed: user: asserts",
            How::ReturnsError => "the property returned",
            How::PanicsWithNumber => "a panic whose payload is not text",
            How::Unwraps => "called `Option::unwrap()`",
            How::Indexes => "index out of bounds",
            How::Divides => "attempt to divide by zero",
        }
    }
}

/// Calls to functions in one step of a body. Each looks at the whole input, so that without a limit
/// a large value would take time with the square of its size.
const MAX_OUTPUTS: usize = 200;

/// Adds what the functions in a value say to an input, and the first two items of its streams.
fn add_outputs(value: &Dyn, input: &Dyn, outputs: &mut Vec<Dyn>) {
    if outputs.len() >= MAX_OUTPUTS {
        return;
    }
    match value {
        Dyn::Function(table) => outputs.push(table.0.call(input)),
        Dyn::Stream(stream) => outputs.extend(stream.0.iter().take(2)),
        _ => value.children().into_iter().for_each(|inside| add_outputs(inside, input, outputs)),
    }
}
