//! Generated functions: outputs are drawn when they are first asked for, and shrink to the fewest
//! entries.
//!
//! A function is drawn as a seed. Called, it draws the output for an input from the seed and the
//! input alone, so neither the order of calls nor the thread matters. After a run that fails, what
//! it was asked is known, and the seed is exchanged for a table of exactly that: the few inputs
//! with an output of their own, and a default for all others. Shrinking sees nothing but tables.
//!
//! ```text
//! function = 0:table(default [ 0:"input"(output) … ])     the input is a label, which weighs nothing
//!          | 1:drawn((seed) [ 0:"input"(output) … ])
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `mod` | [`Function`], and its generator |
//! | `definition` | what a function is made of, and what it answers |
//! | `used` | what the functions of a run were asked, and the choices that say just that |

mod definition;
mod used;

pub(crate) use used::{Asked, Used, Watch, asked, has_drawn, settled};

use super::adapt::Boxed;
use super::any::Generate;
use super::options::unexpected;
use super::shape::{Shape, Shapes};
use super::{Generator, any, part};
use crate::choice::{NO_SHRINK, Site};
use crate::generator::{Facts, Wanted};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::{Sketch, fingerprint};
use crate::source::{Distribution, Drawn, Source};
use definition::{Definition, Entries, Entry, Rest};
use std::fmt::{self, Debug, Write as _};
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

static FUNCTION: Site = Site::pick("function", &["table", "drawn"], file!(), line!());
static ENTRY: Site = Site::call("entry", file!(), line!());

/// One function in sixteen is the same everywhere.
const WEIGHTS: &[u32] = &[1, 15];

/// Functions from `A` to what `outputs` makes. The same input gives the same output, in every call
/// and on every thread.
///
/// An output is drawn when it is first asked for. Where functions are found to break a property,
/// they shrink to the fewest inputs with an output of their own and a default for all others, and
/// print like that: `{3 => true, _ => false}`. That text can be read back.
///
/// ```
/// use retrospect::prelude::*;
/// let report = Check::new().save(false).failure_of_case(|case| {
///     let f = case.draw_named("f", function_of::<i64, i64>(any::<i64>()));
///     let x = case.draw_named("x", any::<i64>());
///     assert_eq!(f.call(&f.call(&x)), f.call(&x)); // Not every function is a projection.
/// });
/// let report = report.unwrap();
/// assert!(report.contains("let f = {0 => 1, _ => 0};") && report.contains("let x = 0;"), "{report}");
/// ```
///
/// # Inputs
///
/// Inputs are told apart by what `Debug` prints for them, which is all that `A` needs. So two
/// floats that are `NaN` are one input, `0.0` and `-0.0` are two; the order of a `HashMap` does not
/// matter; what prints the same is the same, whatever hidden fields say. An input that prints an
/// address or a count of its uses is another one in every run, and a counterexample with it may not
/// fail again.
///
/// A function of several arguments takes a tuple: `function_of::<(i64, i64), bool>(…)`, called with
/// [`call`](Function::call)`(&(1, 2))` or [`call2`](Function::call2)`(&1, &2)`.
///
/// # Outputs
///
/// Each output is what `outputs` makes for a random seed; three functions in four give as many
/// different outputs as there are inputs, one in four only a few, so that ties and groups come
/// about. The simplest function gives the simplest output for every input. An output that cannot be
/// drawn, since a filter refuses everything, is a panic in [`call`](Function::call) with the
/// reason.
///
/// ```
/// use retrospect::prelude::*;
/// let functions = function_of::<&str, u8>(0..=9);
/// let f = functions.read(r#"{"abc" => 7, _ => 0}"#).unwrap();
/// assert_eq!((f.call(&"abc"), f.call(&"abd")), (7, 0));
/// assert_eq!(functions.choices_of(&f).unwrap().to_string(), r#"0:table(0 [0:"\"abc\""(7)])"#);
/// assert_eq!(format!("{:?}", functions.replay(&Choices::default())), "{_ => 0}");
/// // A function that was just drawn is known by its seed.
/// let drawn = functions.sample(2);
/// assert!(format!("{drawn:?}").starts_with("{_ => drawn("));
/// assert_eq!(drawn.call(&"x"), functions.read(&format!("{drawn:?}")).unwrap().call(&"x"));
/// ```
pub fn function_of<A, B>(outputs: impl Generator<Value = B> + Send + Sync + 'static) -> FunctionOf<A, B>
where
    A: ?Sized + Debug,
    B: Clone + Debug + 'static,
{
    FunctionOf { outputs: outputs.boxed(), input: PhantomData }
}

/// Streams without end of what `items` makes, each item of which is drawn when it is first asked
/// for: functions from the position, with [`iter`](Function::iter).
///
/// Where a stream breaks a property, it shrinks to the fewest items of their own and a default for
/// all others, and prints like that.
///
/// ```
/// use retrospect::generator::stream_of;
/// use retrospect::prelude::*;
/// let report = Check::new().save(false).failure_of_case(|case| {
///     let delays = case.draw_named("delays", stream_of(0..1000u32));
///     assert!(delays.iter().take(9).all(|delay| delay < 100));
/// });
/// assert!(report.unwrap().contains("let delays = {_ => 100};"));
/// ```
pub fn stream_of<B>(items: impl Generator<Value = B> + Send + Sync + 'static) -> FunctionOf<u64, B>
where
    B: Clone + Debug + 'static,
{
    function_of(items)
}

/// The generator made by [`function_of`].
///
/// ```
/// use retrospect::generator::FunctionOf;
/// use retrospect::prelude::*;
/// struct Orders {
///     keys: FunctionOf<str, u8>,
/// }
/// let orders = Orders { keys: function_of(0..3) };
/// assert!(orders.keys.sample(1).call("abc") < 3);
/// ```
pub struct FunctionOf<A: ?Sized, B> {
    outputs: Boxed<'static, B>,
    input: PhantomData<fn(&A)>,
}

impl<A: ?Sized, B> Clone for FunctionOf<A, B> {
    fn clone(&self) -> FunctionOf<A, B> {
        FunctionOf { outputs: self.outputs.clone(), input: PhantomData }
    }
}

impl<A: ?Sized, B> Debug for FunctionOf<A, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, output) = (std::any::type_name::<A>(), std::any::type_name::<B>());
        write!(formatter, "function_of::<{input}, {output}>(…)")
    }
}

/// A generated function from `A` to `B`; see [`function_of`].
///
/// A clone is the same function. It can be shared by threads if its outputs can.
///
/// ```
/// use retrospect::prelude::*;
/// let is_leap = any::<Function<i32, bool>>().read("{2000 => true, 2004 => true, _ => false}").unwrap();
/// assert!(is_leap.call(&2004) && !is_leap.call(&1900));
/// assert_eq!([1999, 2000, 2001].into_iter().position(|year| is_leap.call(&year)), Some(1));
/// ```
pub struct Function<A: ?Sized, B> {
    definition: Arc<Definition<B>>,
    input: PhantomData<fn(&A)>,
}

impl<A: ?Sized + Debug, B: Clone + Debug + 'static> Function<A, B> {
    /// The output for an input.
    ///
    /// # Panics
    ///
    /// If the output cannot be drawn, with the reason.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let f = any::<Function<String, i64>>().sample(7);
    /// assert_eq!(f.call(&"abc".to_owned()), f.call(&"abc".to_owned()));
    /// ```
    #[track_caller]
    pub fn call(&self, input: &A) -> B {
        self.answer(format!("{input:?}"))
    }

    /// The same function as a closure, for what takes an `impl Fn(&A) -> B`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let keys = any::<Function<u8, u8>>().read("{1 => 2, 2 => 1, _ => 0}").unwrap();
    /// let mut list = [1, 2, 3];
    /// list.sort_by_key(keys.as_fn());
    /// assert_eq!(list, [3, 2, 1]);
    /// ```
    pub fn as_fn(&self) -> impl Fn(&A) -> B + Clone + use<A, B> {
        let function = self.clone();
        move |input| function.call(input)
    }

    /// The same function in a box, for what keeps a `Box<dyn Fn(&A) -> B>`.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// struct Button {
    ///     on_click: Box<dyn Fn(&u32) -> bool + Send + Sync>,
    /// }
    /// let button = Button { on_click: any::<Function<u32, bool>>().sample(7).boxed() };
    /// assert_eq!((button.on_click)(&3), (button.on_click)(&3));
    /// ```
    pub fn boxed<'a>(&self) -> Box<dyn Fn(&A) -> B + Send + Sync + 'a>
    where
        A: 'a,
        B: Send + Sync,
    {
        Box::new(self.as_fn())
    }
}

impl<A: Debug, B: Debug, C: Clone + Debug + 'static> Function<(A, B), C> {
    /// The output for two arguments, which need not stand in a tuple.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let add = any::<Function<(String, u8), u8>>().read(r#"{("a", 1) => 2, _ => 0}"#).unwrap();
    /// assert_eq!(add.call2(&"a".to_owned(), &1), 2);
    /// assert_eq!(add.call(&("a".to_owned(), 1)), 2);
    /// ```
    #[track_caller]
    pub fn call2(&self, first: &A, second: &B) -> C {
        self.answer(format!("{:?}", (first, second)))
    }

    /// The same function as a closure of two arguments.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let f = any::<Function<(u8, u8), bool>>().read("{(1, 2) => true, _ => false}").unwrap();
    /// let is_before = f.as_fn2();
    /// assert!(is_before(&1, &2) && !is_before(&2, &1));
    /// ```
    pub fn as_fn2(&self) -> impl Fn(&A, &B) -> C + Clone + use<A, B, C> {
        let function = self.clone();
        move |first, second| function.call2(first, second)
    }
}

impl<B: Clone + Debug + 'static> Function<u64, B> {
    /// The outputs for 0, 1, 2 and so on, without end; see [`stream_of`].
    ///
    /// ```
    /// use retrospect::generator::stream_of;
    /// use retrospect::prelude::*;
    /// let stream = stream_of(any::<u8>()).read("{1 => 7, _ => 0}").unwrap();
    /// assert_eq!(stream.iter().take(3).collect::<Vec<_>>(), [0, 7, 0]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = B> + Clone + use<B> {
        let function = self.clone();
        (0..).map(move |position| function.call(&position))
    }
}

impl<A: ?Sized, B: Clone + Debug + 'static> Function<A, B> {
    #[track_caller]
    fn answer(&self, input: String) -> B {
        match self.definition.answer(input) {
            Ok(output) => output,
            Err(problem) => panic!("{problem}"),
        }
    }
}

impl<A: ?Sized, B> Clone for Function<A, B> {
    fn clone(&self) -> Function<A, B> {
        Function { definition: Arc::clone(&self.definition), input: PhantomData }
    }
}

/// A panic while an output is drawn leaves a function as it was.
impl<A: ?Sized, B: RefUnwindSafe> UnwindSafe for Function<A, B> {}
impl<A: ?Sized, B: RefUnwindSafe> RefUnwindSafe for Function<A, B> {}

/// What it says is all there is to know: a function that is read from it gives the same outputs.
impl<A: ?Sized, B: Debug> Debug for Function<A, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut out, is_pretty) = (String::from("{"), formatter.alternate());
        let (begin, end) = if is_pretty { ("\n    ", ",") } else { ("", ", ") };
        let mut entry = |input: &str, output: String| {
            let output = if is_pretty { output.replace('\n', "\n    ") } else { output };
            let _ = write!(out, "{begin}{input} => {output}{end}");
        };
        let text = |output: &B| if is_pretty { format!("{output:#?}") } else { format!("{output:?}") };
        for Entry { input, output } in self.definition.entries.iter() {
            entry(input, text(output));
        }
        match &self.definition.rest {
            Rest::Default(output) => entry("_", text(output)),
            Rest::Drawn { seed } => entry("_", format!("drawn({seed})")),
        }
        if is_pretty {
            out.push('\n');
        } else {
            out.truncate(out.len() - end.len());
        }
        out.push('}');
        formatter.write_str(&out)
    }
}

/// Functions are equal if they say the same: the same entries, in whatever order, and the same
/// default.
///
/// ```
/// use retrospect::prelude::*;
/// let read = |text: &str| any::<Function<u8, u8>>().read(text).unwrap();
/// assert_eq!(read("{1 => 2, 3 => 4, _ => 0}"), read("{3 => 4, 1 => 2, _ => 0}"));
/// assert_ne!(read("{1 => 2, _ => 0}"), read("{1 => 2, _ => 1}"));
/// ```
impl<A: ?Sized, B: Debug> PartialEq for Function<A, B> {
    fn eq(&self, other: &Function<A, B>) -> bool {
        Arc::ptr_eq(&self.definition, &other.definition)
            || fingerprint(&format!("{self:?}")) == fingerprint(&format!("{other:?}"))
    }
}

impl<A: ?Sized, B: Debug> Eq for Function<A, B> {}

impl<A: ?Sized, B: Clone + Debug + 'static> FunctionOf<A, B> {
    fn define(&self, entries: Entries<B>, rest: Rest<B>) -> Definition<B> {
        Definition::new(entries, rest, self.outputs.clone())
    }
}

impl<A: ?Sized, B: Clone + Debug + 'static> Generator for FunctionOf<A, B> {
    type Value = Function<A, B>;

    #[inline]
    fn facts(&self, _: Wanted) -> Facts {
        Facts::ONE_NODE
    }

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Function<A, B>> {
        source.call(&FUNCTION, |source| {
            let rest = match source.pick(&FUNCTION, WEIGHTS)? {
                0 => Rest::Default(part(&self.outputs, source)?),
                _ => drawn(source)?,
            };
            let entries = source.repeat_known(|source, count| {
                let mut entries = Entries::default();
                for _ in 0..count {
                    let mark = source.mark();
                    let entry = source.part(|source| {
                        source.call(&ENTRY, |source| match source.key()? {
                            Some(input) => Ok(Some(Entry { input, output: part(&self.outputs, source)? })),
                            None => Ok(None),
                        })
                    })?;
                    let is_last = entry.is_none();
                    if !entry.is_some_and(|entry| entries.add(entry)) {
                        source.forget(mark);
                    }
                    if is_last {
                        break;
                    }
                }
                let kept = entries.len();
                Ok((entries, kept))
            })?;
            let mut definition = self.define(entries, rest);
            // Only what is recorded has choices that could say what it was asked.
            if !source.is_random() {
                used::watch_over(&mut definition);
            }
            Ok(Function { definition: Arc::new(definition), input: PhantomData })
        })
    }

    fn reflect(&self, value: &Function<A, B>, reflector: &mut Reflector) -> Reflected {
        let definition = &*value.definition;
        let address = std::ptr::from_ref(definition).cast();
        let identity = || None;
        reflector.call(&FUNCTION, identity, address, |reflector| {
            match &definition.rest {
                Rest::Default(output) => {
                    reflector.pick(&FUNCTION, WEIGHTS, 0)?;
                    self.outputs.reflect_part(output, &[Segment::Default], reflector)?;
                }
                Rest::Drawn { seed } => {
                    reflector.pick(&FUNCTION, WEIGHTS, 1)?;
                    reflector.call(&NO_SHRINK, identity, address, |reflector| {
                        reflector.number((*seed).into(), u32::MAX.into(), Distribution::Uniform)
                    })?;
                }
            }
            reflector.repeat_known(definition.entries.len(), |reflector| {
                for (place, entry) in definition.entries.iter().enumerate() {
                    let Entry { input, output } = entry;
                    reflector.call(&ENTRY, identity, std::ptr::from_ref(entry).cast(), |reflector| {
                        reflector.key(input);
                        self.outputs.reflect_part(output, &[Segment::Value(place)], reflector)
                    })?;
                }
                Ok(())
            })
        })
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Function<A, B>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some((written, default)) = sketch.table() else {
            return Err(unexpected("a function such as `{3 => 1, _ => 0}`", sketch, source));
        };
        let mut entries = Entries::default();
        for (place, (input, output)) in written.enumerate() {
            let output = source.at(Segment::Value(place), |source| self.outputs.complete(&output, source))?;
            if !entries.add(Entry { input: input.text().to_owned(), output }) {
                return Err(source.at(Segment::Key(place), |source| {
                    source.not_made(input.text(), || "it is an input of the function already".to_owned())
                }));
            }
        }
        let seed = default.tuple::<1>("drawn").and_then(|[seed]| seed.parsed::<u32>());
        let rest = match seed {
            Some(seed) => Rest::Drawn { seed },
            None if default.is_hole() => drawn(source)?,
            None => {
                let output = source.at(Segment::Default, |source| self.outputs.complete(&default, source))?;
                Rest::Default(output)
            }
        };
        Ok(Function { definition: Arc::new(self.define(entries, rest)), input: PhantomData })
    }
}

fn drawn<B>(source: &mut Source<'_>) -> Drawn<Rest<B>> {
    let seed = source.call(&NO_SHRINK, |source| source.number(u32::MAX.into(), Distribution::Uniform))?;
    Ok(Rest::Drawn { seed: seed as u32 })
}

/// Functions to any value of `B`; see [`function_of`].
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Debug, Generate)]
/// struct Rule {
///     name: String,
///     applies: Function<u32, bool>,
/// }
/// let rule = any::<Rule>().read(r#"Rule { name: "odd", applies: {1 => true, 3 => true, _ => false} }"#).unwrap();
/// assert!(rule.applies.call(&3) && !rule.applies.call(&4));
/// ```
impl<A, B> Generate for Function<A, B>
where
    A: ?Sized + Debug,
    B: Generate<Generator: Send + Sync + 'static> + Clone + 'static,
{
    type Generator = FunctionOf<A, B>;

    fn generator() -> FunctionOf<A, B> {
        function_of(any::<B>())
    }

    fn shape(shapes: &mut Shapes) -> Shape {
        let output = B::shape(shapes);
        shapes.all(vec![output])
    }
}
