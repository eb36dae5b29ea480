//! Types that hold one value of another type: pointers, cells, locks, wrappers. They add no choice
//! of their own.

use super::any::Generate;
use super::options::unexpected;
use super::shape::{Shape, Shapes};
use super::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{RangeFrom, RangeTo, RangeToInclusive};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock, TryLockError};

/// What holds one value of another type: [`Box`], [`Rc`], [`Arc`], [`Cow`], [`Pin<Box>`](Pin),
/// [`Cell`], [`RefCell`], [`Mutex`], [`RwLock`], [`Reverse`], [`Wrapping`], [`Saturating`], and the
/// ranges with one end.
///
/// ```
/// use retrospect::generator::held_in;
/// use retrospect::prelude::*;
/// use std::rc::Rc;
/// fn shared<G: Generator<Value = u8>>(numbers: G) -> impl Generator<Value = Rc<u8>> {
///     held_in(numbers)
/// }
/// assert!(*shared(0..10).sample(1) < 10);
/// ```
pub trait Holder: Debug + Sized {
    /// What it holds.
    type Held: Debug;
    /// Puts a value in.
    ///
    /// ```
    /// # use retrospect::generator::Holder;
    /// # use retrospect::prelude::*;
    /// assert_eq!(*Box::hold(5), 5);
    /// ```
    fn hold(held: Self::Held) -> Self;
    /// Shows what it holds to `look`, unless that is impossible; then it says why.
    ///
    /// ```
    /// # use retrospect::generator::Holder;
    /// # use retrospect::prelude::*;
    /// use std::cell::RefCell;
    /// let cell = RefCell::new(5);
    /// assert_eq!(cell.look(|held| held + 1), Ok(6));
    /// let _borrowed = cell.borrow_mut();
    /// assert_eq!(cell.look(|held| held + 1), Err("it is mutably borrowed"));
    /// ```
    fn look<R>(&self, look: impl FnOnce(&Self::Held) -> R) -> Result<R, &'static str>;
    /// The part of a sketch that is about what it holds.
    #[doc(hidden)]
    #[inline]
    fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
        Some(*sketch)
    }
    /// How a sketch should look.
    #[doc(hidden)]
    const EXPECTED: &'static str = "";
    /// Whether what is looked at lives only as long as the look.
    #[doc(hidden)]
    const IS_TEMPORARY: bool = false;
}

/// What another generator makes, inside something that holds it: a pointer, a cell, a lock, a
/// wrapper. The choices are those of what is held.
///
/// ```
/// use retrospect::generator::held_in;
/// use retrospect::prelude::*;
/// use std::{cell::Cell, rc::Rc};
/// let shared = held_in::<Rc<u8>, _>(0..10);
/// assert_eq!(shared.choices_of(&Rc::new(7)).unwrap().to_string(), "7");
/// let cells = held_in::<Cell<bool>, _>(any::<bool>());
/// assert_eq!(cells.replay(&Choices::default()), Cell::new(false));
/// ```
///
/// A lock that is locked or poisoned, and a `RefCell` that is mutably borrowed, cannot be looked
/// at:
///
/// ```
/// use retrospect::prelude::*;
/// use std::cell::RefCell;
/// let cell = RefCell::new(5u8);
/// let _borrowed = cell.borrow_mut();
/// assert_eq!(any::<RefCell<u8>>().choices_of(&cell).unwrap_err().reason(), "it is mutably borrowed");
/// ```
#[inline]
pub fn held_in<P: Holder, G: Generator<Value = P::Held>>(held: G) -> HeldIn<P, G> {
    HeldIn { held, holder: PhantomData }
}

/// The generator made by [`held_in`].
///
/// ```
/// use retrospect::generator::{Any, HeldIn, held_in};
/// use retrospect::prelude::*;
/// use std::cell::Cell;
/// fn counters() -> HeldIn<Cell<u8>, Any<u8>> {
///     held_in(any::<u8>())
/// }
/// assert_eq!(counters().choices_of(&Cell::new(5)).unwrap().to_string(), "5");
/// ```
pub struct HeldIn<P, G> {
    held: G,
    holder: PhantomData<fn() -> P>,
}

impl<P, G: Clone> Clone for HeldIn<P, G> {
    #[inline]
    fn clone(&self) -> HeldIn<P, G> {
        HeldIn { held: self.held.clone(), holder: PhantomData }
    }
}

impl<P, G: Copy> Copy for HeldIn<P, G> {}

impl<P, G: Debug> Debug for HeldIn<P, G> {
    #[inline]
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "held_in::<{}>({:?})", std::any::type_name::<P>(), self.held)
    }
}

impl<P: Holder, G: Generator<Value = P::Held>> Generator for HeldIn<P, G> {
    type Value = P;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<P> {
        self.held.generate(source).map(P::hold)
    }
    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, ..self.held.facts(wanted) }
    }

    #[inline]
    fn reflect(&self, value: &P, reflector: &mut Reflector) -> Reflected {
        let looked = value.look(|held| match P::IS_TEMPORARY {
            true => reflector.on_temporary(|reflector| self.held.reflect(held, reflector)),
            false => self.held.reflect(held, reflector),
        });
        looked.unwrap_or_else(|problem| reflector.mismatch(value, || problem.to_owned()))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<P> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(held) = P::sketch_of_held(sketch) else {
            return Err(unexpected(P::EXPECTED, sketch, source));
        };
        self.held.complete(&held, source).map(P::hold)
    }
}

macro_rules! generate_holders {
    ($([$($parameters:tt)*] $holder:ty;)*) => {$(
        impl<$($parameters)*> Generate for $holder {
            type Generator = HeldIn<Self, T::Generator>;
            #[inline]
            fn generator() -> Self::Generator {
                held_in(T::generator())
            }
            #[inline]
            fn shape(shapes: &mut Shapes) -> Shape {
                T::shape(shapes)
            }
        }
    )*};
}

generate_holders! {
    [T: Generate] Box<T>;
    [T: Generate] Rc<T>;
    [T: Generate] Arc<T>;
    [T: Generate] Pin<Box<T>>;
    [T: Generate + Clone] Cow<'_, T>;
    [T: Generate + Copy] Cell<T>;
    [T: Generate] RefCell<T>;
    [T: Generate] Mutex<T>;
    [T: Generate] RwLock<T>;
    [T: Generate] Reverse<T>;
    [T: Generate] Wrapping<T>;
    [T: Generate] Saturating<T>;
    [T: Generate] RangeFrom<T>;
    [T: Generate] RangeTo<T>;
    [T: Generate] RangeToInclusive<T>;
}

/// Those whose text is that of what they hold.
macro_rules! transparent_holders {
    ($([$($parameters:tt)*] $holder:ty, $hold:expr, $held:ident => $look:expr;)*) => {$(
        impl<$($parameters)*> Holder for $holder {
            type Held = T;
            #[inline]
            fn hold(held: T) -> Self {
                $hold(held)
            }
            #[inline]
            fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
                let $held = self;
                Ok(look($look))
            }
        }
    )*};
}

transparent_holders! {
    [T: Debug] Box<T>, Box::new, holder => holder;
    [T: Debug] Rc<T>, Rc::new, holder => holder;
    [T: Debug] Arc<T>, Arc::new, holder => holder;
    [T: Debug] Pin<Box<T>>, Box::pin, holder => holder;
    [T: Debug + Clone] Cow<'_, T>, Cow::Owned, holder => holder;
    [T: Debug] Wrapping<T>, Wrapping, holder => &holder.0;
    [T: Debug] Saturating<T>, Saturating, holder => &holder.0;
}

impl<T: Debug> Holder for Reverse<T> {
    type Held = T;
    #[inline]
    fn hold(held: T) -> Reverse<T> {
        Reverse(held)
    }
    #[inline]
    fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
        Ok(look(&self.0))
    }
    #[inline]
    fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
        sketch.tuple("Reverse").map(|[held]| held)
    }
    const EXPECTED: &'static str = "Reverse(…)";
}

impl<T: Debug + Copy> Holder for Cell<T> {
    type Held = T;
    #[inline]
    fn hold(held: T) -> Cell<T> {
        Cell::new(held)
    }
    #[inline]
    fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
        Ok(look(&self.get()))
    }
    #[inline]
    fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
        sketch.record("Cell", &["value"]).map(|[held]| held)
    }
    const EXPECTED: &'static str = "Cell { value: … }";
    const IS_TEMPORARY: bool = true;
}

impl<T: Debug> Holder for RefCell<T> {
    type Held = T;
    #[inline]
    fn hold(held: T) -> RefCell<T> {
        RefCell::new(held)
    }
    #[inline]
    fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
        self.try_borrow().map(|held| look(&held)).map_err(|_| "it is mutably borrowed")
    }
    #[inline]
    fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
        sketch.record("RefCell", &["value"]).map(|[held]| held)
    }
    const EXPECTED: &'static str = "RefCell { value: … }";
}

macro_rules! locks {
    ($($lock:ident named $name:literal, $try_lock:ident;)*) => {$(
        impl<T: Debug> Holder for $lock<T> {
            type Held = T;
            #[inline]
            fn hold(held: T) -> $lock<T> {
                $lock::new(held)
            }
            #[inline]
            fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
                match self.$try_lock() {
                    Ok(held) => Ok(look(&held)),
                    Err(TryLockError::Poisoned(_)) => Err("it is poisoned"),
                    Err(TryLockError::WouldBlock) => Err("it is locked"),
                }
            }
            #[inline]
            fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
                let [held, poisoned] = sketch.record($name, &["data", "poisoned"])?;
                (poisoned.is_hole() || poisoned.word() == Some("false")).then_some(held)
            }
            const EXPECTED: &'static str = concat!($name, " { data: …, poisoned: false, .. }");
        }
    )*};
}

locks! {
    Mutex named "Mutex", try_lock;
    RwLock named "RwLock", try_read;
}

macro_rules! ranges_with_one_end {
    ($($range:ident, $end:ident, $expected:literal, $pattern:pat => $sketch:expr;)*) => {$(
        impl<T: Debug> Holder for $range<T> {
            type Held = T;
            #[inline]
            fn hold($end: T) -> $range<T> {
                $range { $end }
            }
            #[inline]
            fn look<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R, &'static str> {
                Ok(look(&self.$end))
            }
            #[inline]
            fn sketch_of_held<'d>(sketch: &Sketch<'d>) -> Option<Sketch<'d>> {
                let range = sketch.range()?;
                match (range.start, range.end, range.inclusive) {
                    $pattern => $sketch,
                    _ => None,
                }
            }
            const EXPECTED: &'static str = $expected;
        }
    )*};
}

ranges_with_one_end! {
    RangeFrom, start, "a range such as 1..", (start @ Some(_), None, false) => start;
    RangeTo, end, "a range such as ..1", (None, end @ Some(_), false) => end;
    RangeToInclusive, end, "a range such as ..=1", (None, end @ Some(_), true) => end;
}
