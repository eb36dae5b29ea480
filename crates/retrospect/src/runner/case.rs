use super::panics::{self, Thrown};
use super::regressions::parse_values;
use crate::choice::Choices;
use crate::generator::Tuning;
#[cfg(feature = "serde")]
use crate::generator::kept::ReadJson;
use crate::generator::kept::{Keeper, Kept};
use crate::generator::near::choices_of_text;
use crate::generator::{Explore, Generator, free_part, part};
use crate::source::{Drawn, IN_BODY, Learning, PICK_BUDGET, RandomAnswers, Replay, Rng, Source, Weights, Why};
use crate::stack::with_deep_stack;
use std::borrow::Cow;
use std::fmt::{self, Debug, Write as _};
use std::panic::{AssertUnwindSafe, Location};
use std::time::{Duration, Instant};

/// One run of a property: what its values are drawn from.
///
/// A property that takes a `&mut Case` draws where it needs a value, inside loops and branches too.
/// What is drawn is reported, saved, replayed and shrunk like an argument.
///
/// ```
/// use retrospect::prelude::*;
/// check_case(|case| {
///     let mut stack = Vec::new();
///     for _ in 0..case.draw(0..20) {
///         match case.draw_named("push", any::<bool>()) {
///             true => stack.push(case.draw(any::<u8>())),
///             false => drop(stack.pop()),
///         }
///     }
///     assert!(stack.len() < 20);
/// });
/// ```
pub struct Case<'a> {
    source: Source<'a>,
    /// Only when there is more to do than to draw; the hot loop sees that there is none.
    notebook: Option<Box<Notebook>>,
    /// Weights that what is drawn at random is drawn by.
    tuning: Option<Tuning>,
    /// How many arguments were drawn by weights, or [`IN_BODY`].
    argument: u16,
    /// How many choices are given, if those after them are made up.
    n_given: Option<usize>,
}

/// The limit on choices that are made up as the simplest; random ones follow. A body may draw in a
/// loop until some value comes up that the simplest choices never make.
pub(crate) const MAX_SIMPLEST: usize = 1 << 14;

/// The limit on random choices after those: twice that of a random case. Past it the case stops,
/// and the place of the loop is named.
const MAX_RANDOM: usize = 2 * PICK_BUDGET as usize;

impl<'a> Case<'a> {
    /// Draws a value. Reports call it `draw_1`, `draw_2`, … in the order of drawing.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// check_case(|case| {
    ///     let length = case.draw(1..10_usize);
    ///     let index = case.draw(0..length); // What is drawn later may use what was drawn before.
    ///     assert!(vec![0; length].get(index).is_some());
    /// });
    /// ```
    #[inline]
    #[track_caller]
    pub fn draw<G: Generator>(&mut self, generator: G) -> G::Value {
        self.argument("", generator)
    }

    /// Draws a value that reports call by this name.
    ///
    /// A name that is used again, in a loop for example, gets a number: `key`, `key_2`, `key_3`. A
    /// name that could not be read back from `name = value` is shown with `_` in place of what is
    /// no letter or digit.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let report = Check::new().save(false).failure_of_case(|case| {
    ///     let key = case.draw_named("key", 0..100);
    ///     assert!(key < 50);
    /// });
    /// assert!(report.unwrap().contains("let key = 50;"));
    /// ```
    #[inline]
    #[track_caller]
    pub fn draw_named<G: Generator>(&mut self, name: &'static str, generator: G) -> G::Value {
        self.argument(name, generator)
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn argument<G: Generator>(&mut self, name: &'static str, generator: G) -> G::Value {
        if self.n_given.is_some() {
            self.limit_choices(Location::caller());
        }
        if self.notebook.is_none() && self.tuning.is_none() {
            match part(&generator, &mut self.source) {
                Ok(value) => return value,
                Err(_) => self.stopped(),
            }
        }
        self.noted(name, Keeper::new(&generator, None))
    }

    /// An argument of a property with `#[example]`s: `example` has the value it has in each of
    /// them.
    #[doc(hidden)]
    #[inline]
    pub fn argument_or_example<G: Generator>(
        &mut self,
        name: &'static str,
        generator: G,
        example: impl FnOnce(usize) -> Option<G::Value>,
    ) -> G::Value {
        let number = self.notebook.as_ref().and_then(|notebook| notebook.example);
        match number.and_then(example) {
            Some(value) => self.noted(name, Keeper::new(&generator, Some(value))),
            None => self.argument(name, generator),
        }
    }

    /// An argument whose values may be given as JSON.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    #[inline]
    pub fn argument_or_json<G: Generator>(
        &mut self,
        name: &'static str,
        generator: G,
        example: impl FnOnce(usize) -> Option<G::Value>,
        read_json: Option<ReadJson<G::Value>>,
    ) -> G::Value {
        match &self.notebook {
            Some(notebook) if !notebook.given.is_empty() => {
                self.noted(name, Keeper::new(&generator, None).with_json(read_json))
            }
            _ => self.argument_or_example(name, generator, example),
        }
    }

    /// All arguments are drawn; what follows is the property's body. Whether it is to be run.
    #[doc(hidden)]
    #[inline]
    pub fn is_ready(&mut self) -> bool {
        self.argument = IN_BODY;
        match &mut self.notebook {
            Some(notebook) => {
                notebook.was_ready = true;
                !notebook.ends_when_ready
            }
            None => true,
        }
    }

    pub(crate) fn new(source: Source<'a>, notebook: Option<Box<Notebook>>) -> Case<'a> {
        Case { source, notebook, tuning: None, argument: 0, n_given: None }
    }

    /// The same case, with the number of choices that are given, if those after them are made up.
    pub(crate) fn given(mut self, n_given: Option<usize>) -> Case<'a> {
        self.n_given = n_given;
        self
    }

    /// How many choices are made up.
    fn n_made_up(&mut self) -> usize {
        let Some(n_given) = self.n_given else { return 0 };
        self.source.choices().len().saturating_sub(n_given)
    }

    #[cold]
    #[inline(never)]
    fn limit_choices(&mut self, place: &Location<'_>) {
        let n_made_up = self.n_made_up();
        if n_made_up > MAX_SIMPLEST + MAX_RANDOM {
            panics::throw(Interruption::Misused(format!(
                "the body draws without end: {n_made_up} choices so far, the last {MAX_RANDOM} at random, and the next at {place}\n\
                 end the loop there after a number of rounds, drawn before it for example"
            )));
        }
        if n_made_up > MAX_SIMPLEST && self.source.is_asked() {
            self.source.go_on_at_random();
        }
    }

    /// The same case, drawn by these weights.
    pub(crate) fn tuned(mut self, tuning: Option<Tuning>) -> Case<'a> {
        self.tuning = tuning;
        self
    }

    /// For the next case of the hot loop.
    #[inline]
    pub(crate) fn restart(&mut self, seed: u64, size: u32) {
        self.source.restart(seed);
        self.source.set_size(size);
        self.argument = 0;
    }

    pub(crate) fn start_stopwatch(&mut self) {
        self.notebook.get_or_insert_default().stopwatch = Some(Stopwatch::start());
    }

    pub(crate) fn stop_stopwatch(&mut self) -> Times {
        let stopwatch = self.notebook.as_mut().and_then(|notebook| notebook.stopwatch.take());
        stopwatch.map(Stopwatch::stop).unwrap_or_default()
    }

    pub(crate) fn source(&mut self) -> &mut Source<'a> {
        &mut self.source
    }

    pub(crate) fn into_source(self) -> Source<'a> {
        self.source
    }

    pub(crate) fn into_parts(self) -> (Choices, Box<Notebook>) {
        (self.source.into_choices(), self.notebook.unwrap_or_default())
    }

    #[cold]
    #[inline(never)]
    fn noted<G: Generator>(&mut self, name: &'static str, kept: Keeper<'_, G>) -> G::Value {
        self.note(name, Kept(&kept));
        kept.into_value().expect("what is noted was made")
    }

    /// Draws a value when there is more to do than that. An example is a value that is there
    /// already.
    fn note(&mut self, name: &'static str, generator: Kept<'_>) {
        let argument = self.argument;
        self.argument += u16::from(argument < IN_BODY - 1);
        if let (Some(tuning), None) = (&self.tuning, &self.notebook) {
            match self.source.part(|source| tuning.generate_argument(&generator, source, argument)) {
                Ok(()) => return,
                Err(_) => self.stopped(),
            }
        }
        let (from, n_made_up) = (self.source.choices().len(), self.n_made_up());
        let notebook = self.notebook.get_or_insert_default();
        notebook.draws_in_body |= notebook.was_ready;
        if notebook.draws_in_body && notebook.knows_arguments_only {
            panics::throw(Interruption::NotInOrder);
        }
        notebook.begin(name);
        let position = notebook.draws - 1;
        let drawn = if generator.0.has_value() {
            self.made_elsewhere(generator)
        } else if let Some(text) = notebook.given(position) {
            // A generator that draws to read a text may panic for a value that is not the one in
            // the text.
            let read = match panics::catch(|| generator.read(&text)) {
                Ok(read) => read.map_err(|error| error.to_string()),
                Err(Thrown::Panic(failure)) => Err(format!("its generator panicked: {}", failure.message)),
                Err(Thrown::Interruption(payload)) => std::panic::resume_unwind(payload),
            };
            let read = read.or_else(|problem| match generator.0.read_json(&text) {
                None => Err(problem),
                // Whatever the type can be is read from JSON, also what the generator cannot make.
                Some(read) => read
                    .and_then(|()| generator.choices_of(&()).map(drop).map_err(|error| error.to_string()))
                    .map_err(|as_json| match as_json.is_empty() || as_json == problem {
                        true => problem,
                        false => format!("{problem}\nas JSON: {as_json}"),
                    }),
            });
            if let Err(problem) = read {
                panics::throw(Interruption::NotRead { name: self.name_of_draw(), text, problem })
            }
            self.learn(generator, argument);
            self.made_elsewhere(generator)
        } else if !notebook.given.is_empty() && n_made_up <= MAX_SIMPLEST {
            if !notebook.was_ready {
                let given = notebook.given.iter().map(|(name, _)| name.clone()).collect();
                panics::throw(Interruption::NotGiven { name: self.name_of_draw(), given });
            }
            // The body draws more than it did when the case was written down: what was written is
            // used, the rest is the simplest.
            let nothing = Choices::default();
            let mut simplest = Replay::lenient(&nothing);
            self.source.answered_by(&mut simplest, |source| part(&generator, source))
        } else if let Some((_, rng)) = notebook.rerolled.clone().filter(|(which, _)| *which == position) {
            let mut random = RandomAnswers { rng };
            self.source.part(|source| source.answered_by(&mut random, |source| generator.generate(source)))
        } else if let Some(tuning) = self.tuning.as_ref().filter(|_| !self.source.is_asked()) {
            self.source.part(|source| tuning.generate_argument(&generator, source, argument))
        } else if notebook.has_free_arguments && !notebook.was_ready {
            free_part(&generator, &mut self.source)
        } else {
            match notebook.remaking.as_ref() {
                Some(Remaking::All) => self.remade(generator),
                Some(Remaking::Reads { position: wanted, text }) if *wanted == position => {
                    let text = text.clone();
                    self.read_again(generator, &text)
                }
                _ => part(&generator, &mut self.source),
            }
        };
        let Ok(()) = drawn else { self.stopped() };
        if let Some(notebook) = &mut self.notebook {
            generator.0.show(&mut |value, may_be_deep| notebook.end(value, may_be_deep));
            if let Some(tell) = notebook.on_draw {
                let value = notebook.values.last().filter(|_| notebook.wants_values);
                let without_choices = notebook.without_choices.as_deref();
                tell(Draw::Made { value, choices: self.source.choices(), from, without_choices });
            }
        }
    }

    /// A value from anywhere takes the place of a drawn one: its choices are recorded as if it had
    /// been drawn.
    fn made_elsewhere(&mut self, generator: Kept<'_>) -> Drawn<()> {
        match generator.choices_of(&()) {
            Ok(choices) => self.replayed(generator, &choices),
            Err(error) => {
                if let Some(notebook) = &mut self.notebook {
                    notebook.without_choices.get_or_insert_with(|| error.to_string());
                }
                Ok(())
            }
        }
    }

    /// Counts the choices that make a value, if that is wanted.
    fn learn(&mut self, generator: Kept<'_>, argument: u16) {
        let Some(learned) = self.notebook.as_mut().and_then(|notebook| notebook.learned.as_mut()) else { return };
        // What has none is told by whoever makes the value of its choices.
        let Ok(choices) = generator.choices_of(&()) else { return };
        let mut learning = Learning::new(&choices, learned, argument);
        let _ = generator.generate(&mut Source::asking(&mut learning));
    }

    /// Draws a value, and notes the simplest choices that make it instead of those that did.
    fn remade(&mut self, generator: Kept<'_>) -> Drawn<()> {
        let mark = self.source.mark();
        part(&generator, &mut self.source)?;
        let Ok(simplest) = generator.ways_of(&()).simplest() else { return Ok(()) };
        self.source.forget(mark);
        self.replayed(generator, &simplest)
    }

    /// Reads a value in the place of a drawn one.
    fn read_again(&mut self, generator: Kept<'_>, text: &str) -> Drawn<()> {
        let Some(choices) = choices_of_text(&generator, text) else {
            // Nobody reads the reason.
            panics::throw(Interruption::Stopped(Why::NotMade));
        };
        self.replayed(generator, &choices)
    }

    /// Makes a value of its choices. They stand alone, so the part is around them: a text may be
    /// several nodes.
    fn replayed(&mut self, generator: Kept<'_>, choices: &Choices) -> Drawn<()> {
        let mut replay = Replay::strict(choices);
        self.source.part(|source| source.answered_by(&mut replay, |source| generator.generate(source)))
    }

    /// What is being drawn just now.
    fn name_of_draw(&self) -> String {
        self.notebook.as_ref().and_then(|notebook| notebook.drawing.clone()).unwrap_or_default()
    }

    #[cold]
    fn stopped(&mut self) -> ! {
        let why = self.source.why().cloned();
        let why = why.unwrap_or_else(|| Why::Other("the generator stopped without saying why".to_owned()));
        panics::throw(Interruption::Stopped(why))
    }
}

/// What a case does besides drawing.
#[derive(Default)]
pub(crate) struct Notebook {
    /// Whether the text of what is drawn is wanted.
    pub(crate) wants_values: bool,
    /// Whether every case is written down. Then a large stack for the text of each value is too
    /// dear.
    pub(crate) is_observed: bool,
    /// Name and `Debug` text of what was drawn so far.
    pub(crate) values: Vec<(String, String)>,
    /// Text to read instead of drawing: by name, or by position where the name is empty.
    pub(crate) given: Vec<(String, String)>,
    /// The example that runs.
    pub(crate) example: Option<usize>,
    /// The position of one draw that is random although the others are replayed.
    pub(crate) rerolled: Option<(usize, Rng)>,
    /// Values that are made in their simplest way although their choices are replayed.
    pub(crate) remaking: Option<Remaking>,
    /// Only the arguments are wanted, not a run of the body.
    pub(crate) ends_when_ready: bool,
    /// Told of each draw as it is made: for a case that may not come back.
    pub(crate) on_draw: Option<fn(Draw<'_>)>,
    /// All arguments are drawn.
    pub(crate) was_ready: bool,
    /// Something was drawn after that.
    pub(crate) draws_in_body: bool,
    /// Nobody knows what to answer then.
    pub(crate) knows_arguments_only: bool,
    /// No argument is drawn from a generator that hangs on another.
    pub(crate) has_free_arguments: bool,
    /// Why a value from elsewhere has no choices, so that this case cannot be shrunk.
    pub(crate) without_choices: Option<String>,
    /// The name of what is being drawn just now.
    pub(crate) drawing: Option<String>,
    /// Counts of the choices that make the given values, if that is what they are given for.
    pub(crate) learned: Option<Weights>,
    /// Only for a case that is written down.
    pub(crate) stopwatch: Option<Stopwatch>,
    draws: usize,
    names: Vec<UsedName>,
}

/// A name under which something was drawn.
struct UsedName {
    written: &'static str,
    /// The same, as `name = value` can show it.
    shown: Cow<'static, str>,
    /// The highest number that was added to it.
    count: usize,
}

impl UsedName {
    /// Whether this name was shown so, with or without a number.
    fn is_shown_as(&self, name: &str) -> bool {
        let number = || name.strip_prefix(&*self.shown)?.strip_prefix('_')?.parse::<usize>().ok();
        name == self.shown || number().is_some_and(|number| (2..=self.count).contains(&number))
    }
}

/// The name as it is, if `name = value` is read back with it, and otherwise with `_` in place of
/// all that is no letter or digit.
fn readable(name: &'static str) -> Cow<'static, str> {
    // Most names are those of arguments, and this is asked in each run.
    if name.starts_with(|char: char| char.is_ascii_lowercase())
        && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    {
        return Cow::Borrowed(name);
    }
    let is_read_back = |(read, _): &(Option<String>, String)| read.as_deref() == Some(name);
    match parse_values(&format!("{name} = 0")) {
        Ok(values) if values.len() == 1 && values.iter().all(is_read_back) => Cow::Borrowed(name),
        _ => {
            let words: Vec<&str> =
                name.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            Cow::Owned(words.join("_"))
        }
    }
}

impl Notebook {
    /// As it was made, but for memory that it holds.
    pub(crate) fn clear(&mut self) {
        let mut names = std::mem::take(&mut self.names);
        names.clear();
        *self = Notebook { names, ..Notebook::default() };
    }

    fn begin(&mut self, name: &'static str) {
        self.draws += 1;
        let name = self.shown_name(name);
        if let Some(tell) = self.on_draw {
            tell(Draw::Begins { name: &name, is_in_body: self.was_ready });
        }
        if let Some(stopwatch) = self.stopwatch.as_mut().filter(|_| self.was_ready) {
            let took = stopwatch.lap();
            stopwatch.times.body += took;
        }
        self.drawing = Some(name);
    }

    /// The name of the next draw in reports. No two draws have the same.
    fn shown_name(&mut self, written: &'static str) -> String {
        let known = match self.names.iter().position(|used| used.written == written) {
            Some(known) => known,
            None => {
                let shown = readable(written);
                let is_free = !shown.is_empty() && !self.names.iter().any(|used| used.is_shown_as(&shown));
                let name = shown.to_string();
                self.names.push(UsedName { written, shown, count: 1 });
                if is_free {
                    return name;
                }
                self.names.len() - 1
            }
        };
        if self.names[known].shown.is_empty() {
            return format!("draw_{}", self.draws);
        }
        loop {
            let used = &mut self.names[known];
            used.count += 1;
            let name = format!("{}_{}", used.shown, used.count);
            let is_free = |(place, other): (usize, &UsedName)| place == known || !other.is_shown_as(&name);
            if self.names.iter().enumerate().all(is_free) {
                return name;
            }
        }
    }

    fn end(&mut self, value: &dyn Debug, may_be_deep: bool) {
        let name = self.drawing.take().unwrap_or_default();
        if let Some(stopwatch) = &mut self.stopwatch {
            let took = stopwatch.lap();
            match self.was_ready {
                true => stopwatch.times.draws += took,
                false => stopwatch.times.arguments.push(took),
            }
        }
        if self.wants_values {
            let text = match may_be_deep && !self.is_observed {
                true => with_deep_stack(|| debug_text(value)),
                false => debug_text(value),
            };
            self.values.push((name, text));
            // Writing it is no part of the case.
            if let Some(stopwatch) = &mut self.stopwatch {
                stopwatch.lap();
            }
        }
    }

    fn given(&self, position: usize) -> Option<String> {
        // Nearly always it is the one at the same position.
        let is_named = |given: &&(String, String)| Some(&given.0) == self.drawing.as_ref();
        let here = self.given.get(position);
        let by_name = here.filter(is_named).or_else(|| self.given.iter().find(is_named));
        by_name.or_else(|| here.filter(|(given, _)| given.is_empty())).map(|(_, text)| text.clone())
    }
}

/// How long the parts of a case took.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    /// Drawing each argument.
    pub(crate) arguments: Vec<Duration>,
    /// Drawing inside of the body.
    pub(crate) draws: Duration,
    /// The rest.
    pub(crate) body: Duration,
}

pub(crate) struct Stopwatch {
    pub(crate) times: Times,
    last: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { times: Times::default(), last: Instant::now() }
    }

    /// Since the last time.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.last, now)
    }

    /// The case is over.
    pub(crate) fn stop(mut self) -> Times {
        let took = self.lap();
        self.times.body += took;
        self.times
    }
}

/// Which values are made anew.
pub(crate) enum Remaking {
    All,
    /// Only this one, from a text.
    Reads {
        position: usize,
        text: String,
    },
}

/// What there is to tell of a draw.
pub(crate) enum Draw<'d> {
    Begins {
        name: &'d str,
        is_in_body: bool,
    },
    Made {
        /// Name and text, if they are wanted.
        value: Option<&'d (String, String)>,
        choices: &'d Choices,
        /// The entry at which the choices of this draw begin.
        from: usize,
        without_choices: Option<&'d str>,
    },
}

/// Ends a case from inside.
pub(crate) enum Interruption {
    /// A generator stopped.
    Stopped(Why),
    /// A text that was given for a value is not one.
    NotRead { name: String, text: String, problem: String },
    /// Values are given, but none for this argument.
    NotGiven { name: String, given: Vec<String> },
    /// The body uses the framework in a way that makes no sense.
    Misused(String),
    /// The arguments were told, and the body draws more.
    NotInOrder,
}

/// The `Debug` text of a value, or what went wrong in writing it.
pub(crate) fn debug_text(value: &dyn Debug) -> String {
    // Most texts are shorter. Those that are not grow a few times; all of them would, from nothing.
    const USUAL: usize = 60;
    let written = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let mut text = String::with_capacity(USUAL);
        write!(text, "{value:?}").expect("it returned an error");
        text
    }));
    written.unwrap_or_else(|payload| format!("<its Debug panicked: {}>", panics::text_of(&*payload)))
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Case").field("source", &self.source).finish_non_exhaustive()
    }
}
