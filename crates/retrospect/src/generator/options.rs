use super::any::Generate;
use super::shape::{Shape, Shapes};
use super::{Facts, Generator, Wanted, free_part};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Drawn, Form, Source};
use std::ops::Bound;

static OPTION: Site = Site::pick("option", &["None", "Some"], file!(), line!());
static RESULT: Site = Site::pick("result", &["Ok", "Err"], file!(), line!());
static BOUND: Site = Site::pick("bound", &["Unbounded", "Included", "Excluded"], file!(), line!());

/// `None`, the simplest, or `Some` of what a generator makes; three in four are `Some`, but none at
/// size 0.
///
/// ```
/// use retrospect::prelude::*;
/// let digits = option_of(0..10);
/// assert_eq!(digits.replay(&Choices::default()), None);
/// assert_eq!(digits.choices_of(&Some(7)).unwrap().to_string(), "1:Some(7)");
/// assert_eq!(digits.choices_of(&Some(12)).unwrap_err().path(), "Some.0");
/// ```
#[inline]
pub fn option_of<G: Generator>(some: G) -> OptionOf<G> {
    OptionOf { some }
}

/// The generator made by [`option_of`].
///
/// ```
/// use retrospect::generator::OptionOf;
/// use retrospect::prelude::*;
/// fn digits() -> OptionOf<std::ops::Range<u8>> {
///     option_of(0..10)
/// }
/// assert!(digits().accepts(&None) && !digits().accepts(&Some(10)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OptionOf<G> {
    some: G,
}

impl<G: Generator> Generator for OptionOf<G> {
    type Value = Option<G::Value>;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        let some = self.some.facts(wanted);
        Facts {
            is_one_node: true,
            has_one_way: false,
            ..some.known(self, wanted, || (Form::made_of("option", &[some.form]), some.identity))
        }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Option<G::Value>> {
        // Without this, types that hold options of themselves would not end.
        let some_weight = if source.size() == 0 { DORMANT } else { 3 };
        source.call(&OPTION, |source| match source.pick(&OPTION, &[1, some_weight])? {
            0 => Ok(None),
            _ => free_part(&self.some, source).map(Some),
        })
    }

    #[inline]
    fn reflect(&self, value: &Option<G::Value>, reflector: &mut Reflector) -> Reflected {
        let some_weight = if reflector.size() == 0 { DORMANT } else { 3 };
        reflector.call(
            &OPTION,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| match value {
                None => reflector.pick(&OPTION, &[1, some_weight], 0),
                Some(some) => {
                    reflector.pick(&OPTION, &[1, some_weight], 1)?;
                    reflector.part(Segment::VariantPosition("Some", 0), |reflector| self.some.reflect(some, reflector))
                }
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Option<G::Value>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        if sketch.tuple::<0>("None").is_some() {
            return Ok(None);
        }
        let Some([some]) = sketch.tuple("Some") else {
            return Err(unexpected("None or Some(…)", sketch, source));
        };
        source.shown_call(&OPTION, |source| {
            source.shown_arm(&OPTION, 1);
            self.some.complete_part(&some, &[Segment::VariantPosition("Some", 0)], source).map(Some)
        })
    }
}

/// `None` or any value; see [`option_of`].
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<Option<u8>>().choices_of(&Some(7)).unwrap().to_string(), "1:Some(7)");
/// ```
impl<T: Generate> Generate for Option<T> {
    type Generator = OptionOf<T::Generator>;
    #[inline]
    fn generator() -> OptionOf<T::Generator> {
        option_of(T::generator())
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let some = T::shape(shapes);
        shapes.optional(some)
    }
}

/// `Ok` of what one generator makes, the simplest, or `Err` of what another makes; three in four
/// are `Ok`.
///
/// ```
/// use retrospect::prelude::*;
/// let answers = result_of(0..10, any::<bool>());
/// assert_eq!(answers.replay(&Choices::default()), Ok(0));
/// assert_eq!(answers.choices_of(&Err(true)).unwrap().to_string(), "1:Err(1:true)");
/// ```
#[inline]
pub fn result_of<G: Generator, H: Generator>(ok: G, err: H) -> ResultOf<G, H> {
    ResultOf { ok, err }
}

/// The generator made by [`result_of`].
///
/// ```
/// use retrospect::generator::{Any, Exact, ResultOf};
/// use retrospect::prelude::*;
/// fn answers() -> ResultOf<Any<u8>, Exact<char>> {
///     result_of(any::<u8>(), exact('!'))
/// }
/// assert!(answers().accepts(&Ok(7)) && !answers().accepts(&Err('?')));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResultOf<G, H> {
    ok: G,
    err: H,
}

impl<G: Generator, H: Generator> Generator for ResultOf<G, H> {
    type Value = Result<G::Value, H::Value>;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Self::Value> {
        source.call(&RESULT, |source| match source.pick(&RESULT, &[3, 1])? {
            0 => free_part(&self.ok, source).map(Ok),
            _ => free_part(&self.err, source).map(Err),
        })
    }

    #[inline]
    fn reflect(&self, value: &Self::Value, reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &RESULT,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| match value {
                Ok(ok) => {
                    reflector.pick(&RESULT, &[3, 1], 0)?;
                    reflector.part(Segment::VariantPosition("Ok", 0), |reflector| self.ok.reflect(ok, reflector))
                }
                Err(err) => {
                    reflector.pick(&RESULT, &[3, 1], 1)?;
                    reflector.part(Segment::VariantPosition("Err", 0), |reflector| self.err.reflect(err, reflector))
                }
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self::Value> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        if let Some([ok]) = sketch.tuple("Ok") {
            return source.shown_call(&RESULT, |source| {
                source.shown_arm(&RESULT, 0);
                self.ok.complete_part(&ok, &[Segment::VariantPosition("Ok", 0)], source).map(Ok)
            });
        }
        if let Some([err]) = sketch.tuple("Err") {
            return source.shown_call(&RESULT, |source| {
                source.shown_arm(&RESULT, 1);
                self.err.complete_part(&err, &[Segment::VariantPosition("Err", 0)], source).map(Err)
            });
        }
        Err(unexpected("Ok(…) or Err(…)", sketch, source))
    }
}

/// `Ok` or `Err` of any value; see [`result_of`].
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<Result<u8, bool>>().choices_of(&Ok(7)).unwrap().to_string(), "0:Ok(7)");
/// ```
impl<T: Generate, E: Generate> Generate for Result<T, E> {
    type Generator = ResultOf<T::Generator, E::Generator>;
    #[inline]
    fn generator() -> Self::Generator {
        result_of(T::generator(), E::generator())
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        shapes.named::<Result<T, E>>(|shapes| vec![vec![T::shape(shapes)], vec![E::shape(shapes)]])
    }
}

/// The ends of ranges: `Unbounded`, the simplest, `Included` or `Excluded`, all as likely. Made by
/// `any::<Bound<T>>()`, or from any generator by this function.
///
/// ```
/// use retrospect::generator::bound_of;
/// use retrospect::prelude::*;
/// use std::ops::Bound;
/// let ends = bound_of(0..10);
/// assert_eq!(ends.replay(&Choices::default()), Bound::Unbounded);
/// assert_eq!(ends.choices_of(&Bound::Excluded(3)).unwrap().to_string(), "2:Excluded(3)");
/// ```
#[inline]
pub fn bound_of<G: Generator>(end: G) -> BoundOf<G> {
    BoundOf { end }
}

/// The generator made by [`bound_of`].
///
/// ```
/// use retrospect::generator::{BoundOf, bound_of};
/// use retrospect::prelude::*;
/// use std::ops::Bound;
/// fn ends() -> BoundOf<std::ops::Range<u8>> {
///     bound_of(0..10)
/// }
/// assert!(ends().accepts(&Bound::Included(9)) && !ends().accepts(&Bound::Excluded(10)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoundOf<G> {
    end: G,
}

impl<G: Generator> Generator for BoundOf<G> {
    type Value = Bound<G::Value>;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Bound<G::Value>> {
        source.call(&BOUND, |source| match source.pick(&BOUND, &[1, 1, 1])? {
            0 => Ok(Bound::Unbounded),
            1 => free_part(&self.end, source).map(Bound::Included),
            _ => free_part(&self.end, source).map(Bound::Excluded),
        })
    }

    #[inline]
    fn reflect(&self, value: &Bound<G::Value>, reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &BOUND,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                let (arm, label, end) = match value {
                    Bound::Unbounded => return reflector.pick(&BOUND, &[1, 1, 1], 0),
                    Bound::Included(end) => (1, "Included", end),
                    Bound::Excluded(end) => (2, "Excluded", end),
                };
                reflector.pick(&BOUND, &[1, 1, 1], arm)?;
                reflector.part(Segment::VariantPosition(label, 0), |reflector| self.end.reflect(end, reflector))
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Bound<G::Value>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        if sketch.tuple::<0>("Unbounded").is_some() {
            return Ok(Bound::Unbounded);
        }
        if let Some([end]) = sketch.tuple("Included") {
            let end = source.at(Segment::VariantPosition("Included", 0), |source| self.end.complete(&end, source));
            return end.map(Bound::Included);
        }
        if let Some([end]) = sketch.tuple("Excluded") {
            let end = source.at(Segment::VariantPosition("Excluded", 0), |source| self.end.complete(&end, source));
            return end.map(Bound::Excluded);
        }
        Err(unexpected("Unbounded, Included(…) or Excluded(…)", sketch, source))
    }
}

/// Any kind of end; see [`bound_of`].
///
/// ```
/// use retrospect::prelude::*;
/// use std::ops::Bound;
/// assert_eq!(any::<Bound<u8>>().choices_of(&Bound::Included(7)).unwrap().to_string(), "1:Included(7)");
/// ```
impl<T: Generate> Generate for Bound<T> {
    type Generator = BoundOf<T::Generator>;
    #[inline]
    fn generator() -> BoundOf<T::Generator> {
        bound_of(T::generator())
    }
    #[inline]
    fn shape(shapes: &mut Shapes) -> Shape {
        let end = T::shape(shapes);
        shapes.optional(end)
    }
}

/// The sketch is of another kind than this generator makes.
#[inline]
pub(super) fn unexpected(expected: &str, sketch: &Sketch<'_>, source: &mut Source<'_>) -> crate::source::Stop {
    let is_utf8 = sketch.bytes().is_none() || sketch.string().is_some();
    source.not_made(sketch.text(), || match is_utf8 {
        true => format!("expected {expected}, not {}", sketch.kind().describe()),
        false => format!("expected {expected}, not a string of bytes that are not UTF-8"),
    })
}
