use super::Generator;
use super::shape::{Shape, Shapes};
use std::fmt::Debug;
use std::marker::PhantomData;

/// A generator of `T` that can be cloned: short for `Generator<Value = T> + Clone` in a signature.
///
/// Methods such as `map` and `filter` clone the generator, so functions that take and return
/// generators ask for both. Every generator that can be cloned is one; nobody implements this.
///
/// ```
/// use retrospect::prelude::*;
/// fn pairs_of(item: impl GeneratorOf<u32>) -> impl GeneratorOf<(u32, u32)> {
///     tuple((item.clone(), item.filter(|number| number % 2 == 0)))
/// }
/// assert!(pairs_of(0..10).filter(|(one, other)| one < other).accepts(&(3, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator of `{T}` that can be cloned",
    label = "this is not a generator of `{T}` that can be cloned",
    note = "for one fixed value write `exact(value)`, for one of several `element_of([…])`, for any value of a type `any::<T>()`, for texts `text::regex(\"…\")`; `map`, `filter` and `flat_map` of a range are those of iterators, those of generators are `within(0..10).map(…)`"
)]
pub trait GeneratorOf<T>: Generator<Value = T> + Clone {}

impl<T, G: Generator<Value = T> + Clone> GeneratorOf<T> for G {}

/// A type that has a generator of its own: every value of it can be made.
///
/// Implemented for the types of the standard library, and by `#[derive(Generate)]`.
///
/// ```
/// use retrospect::prelude::*;
/// assert!(any::<(u8, Option<bool>)>().accepts(&(3, Some(true))));
///
/// // By hand, for a type whose values need a generator of their own.
/// #[derive(Debug)]
/// struct Percent(u8);
/// impl Generate for Percent {
///     type Generator = Boxed<'static, Percent>;
///     fn generator() -> Self::Generator {
///         (0..=100).map_with_focus(Percent, |percent| Some(&percent.0)).boxed()
///     }
/// }
/// assert!(!any::<Vec<Percent>>().accepts(&vec![Percent(101)]));
/// ```
///
/// A generic type names its generator in full, with plain functions in it: [`Boxed`](super::Boxed)
/// would ask for a generator of `T` that can be sent to other threads.
///
/// ```
/// use retrospect::generator::{MapWithInverse, VecOf};
/// use retrospect::prelude::*;
/// #[derive(Debug)]
/// struct Sorted<T>(Vec<T>);
/// impl<T: Generate + Ord + Clone> Generate for Sorted<T> {
///     type Generator = MapWithInverse<VecOf<T::Generator>, fn(Vec<T>) -> Sorted<T>, fn(&Sorted<T>) -> Option<Vec<T>>>;
///     fn generator() -> Self::Generator {
///         let sort = |mut list: Vec<T>| {
///             list.sort();
///             Sorted(list)
///         };
///         vec_of(any::<T>(), ..).map_with_inverse(sort, |sorted| sorted.0.is_sorted().then(|| sorted.0.clone()))
///     }
/// }
/// assert!(any::<Sorted<char>>().sample(1).0.is_sorted());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no generator of its own",
    label = "`any` cannot make this type",
    note = "derive one: `#[derive(Generate)]`; or say which to use: `#[from(…)]` on an argument of a property, `#[generate(with = …)]` on a field, `draw(…)` in a generator; the case of a property is taken as `&mut Case`"
)]
pub trait Generate: Debug + Sized {
    /// Its generator.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// struct Pairs<T: Generate> {
    ///     both: (T::Generator, T::Generator),
    /// }
    /// let pairs = Pairs::<u8> { both: (any::<u8>(), any::<u8>()) };
    /// assert!(pairs.both.accepts(&(3, 4)));
    /// ```
    type Generator: Generator<Value = Self> + Clone;

    /// Makes that generator.
    ///
    /// [`any`] is the short way to call it.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(<u8 as Generate>::generator().sample(7), any::<u8>().sample(7));
    /// ```
    fn generator() -> Self::Generator;

    /// What the type is made of. Only types that hold values of other types need to say; the derive
    /// macro does.
    #[doc(hidden)]
    fn shape(shapes: &mut Shapes) -> Shape {
        shapes.leaf()
    }
}

/// The generator of all values of a type.
///
/// ```
/// use retrospect::prelude::*;
/// let number: i64 = any::<i64>().sample(1);
/// assert!(any::<i64>().accepts(&number));
/// ```
#[inline]
pub fn any<T: Generate>() -> T::Generator {
    T::generator()
}

/// The generator of all values of a basic type; made by [`any`].
///
/// ```
/// use retrospect::generator::Any;
/// use retrospect::prelude::*;
/// struct Dice {
///     coin: Any<bool>,
/// }
/// let dice = Dice { coin: any::<bool>() };
/// assert_eq!(dice.coin.choices_of(&true).unwrap().to_string(), "1:true");
/// ```
pub struct Any<T>(PhantomData<fn() -> T>);

impl<T> Any<T> {
    #[inline(always)]
    pub(crate) const fn new() -> Any<T> {
        Any(PhantomData)
    }
}

impl<T> Clone for Any<T> {
    fn clone(&self) -> Any<T> {
        *self
    }
}

impl<T> Copy for Any<T> {}

impl<T> Debug for Any<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "any::<{}>()", std::any::type_name::<T>())
    }
}
