//! What the code written by the macros calls. Everything that can be a function is one, here; the
//! macros only write down what depends on the user's code.

use super::reading::{before_part, independent};
use super::shape::Variants;
use super::{Facts, Wanted, form_of, free_part, part};
use crate::choice::Site;
use crate::generator::accepted;
use crate::mismatch::Segment;
use crate::reflect::{Mismatch, Reflected, Reflector};
use crate::sketch::overlay::overlaid;
use crate::sketch::{Document, Sketch, spread};
use crate::source::{Drawn, Form, Source, Stop};
use crate::{Generate, Generator};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Debug, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Break, Continue};

/// Draws a value, inside a [`#[generator]`](macro@crate::prelude::generator) function and nowhere
/// else.
///
/// `let x = draw(0..10);` binds a drawn value to a name; `draw(other())` as the last expression
/// passes the whole job on. The macro reads the call and writes both directions of it, so this
/// function itself is never called.
///
/// ```
/// use retrospect::prelude::*;
///
/// #[generator]
/// fn pairs() -> (u8, u8) {
///     let low = draw(0..=9);
///     let high = draw(low..=9);
///     (low, high)
/// }
///
/// assert!(pairs().accepts(&(3, 5)));
/// assert!(!pairs().accepts(&(5, 3)));
/// ```
///
/// Elsewhere it does not compile; call [`sample`](Generator::sample) there.
///
/// ```compile_fail
/// use retrospect::prelude::*;
/// let x: u8 = draw(0..=9);
/// ```
pub fn draw<G: Generator + InsideGenerator>(generator: G) -> G::Value {
    unreachable!("`draw` is replaced by the macro: {}", std::any::type_name_of_val(&generator))
}

/// A choice among labelled arms, inside a [`#[generator]`](macro@crate::prelude::generator)
/// function and nowhere else.
///
/// It is always matched at once: `match pick() { "label" => …, #[weight(3)] "other" => … }`. The
/// first arm is the simplest: shrinking goes there, so it should end soon.
///
/// ```
/// use retrospect::prelude::*;
///
/// #[generator]
/// fn shouts() -> &'static str {
///     match pick() {
///         "quiet" => "hello",
///         #[weight(3)]
///         "loud" => "HELLO",
///     }
/// }
///
/// assert_eq!(shouts().choices_of(&"HELLO").unwrap().to_string(), "1:loud");
/// ```
///
/// Elsewhere it does not compile; [`one_of`](super::one_of) does the same for generators.
///
/// ```compile_fail
/// use retrospect::prelude::*;
/// let label = pick();
/// ```
pub fn pick<'a>() -> &'static str
where
    &'a (): InsideGenerator,
{
    unreachable!("`pick` is replaced by the macro")
}

/// Nothing implements this: it keeps [`draw`] and [`pick`] from being called where no macro
/// replaces them.
#[diagnostic::on_unimplemented(
    message = "`draw` and `pick` work only inside a `#[generator]` function",
    label = "not directly inside a `#[generator]` function",
    note = "the macro reads them and writes both directions; anywhere else, call `generator.sample(seed)` to get a value"
)]
pub trait InsideGenerator {}

/// Where a value lies, which is part of what is remembered of a call.
#[inline]
pub fn address_of<T>(value: &T) -> *const () {
    std::ptr::from_ref(value).cast()
}

// Probes: what a type can do is found out by method resolution. `(&Probe(..)).method()` takes the
// first trait if its bound holds, and the one for `&Probe` otherwise.

/// Adds an argument to a generator's identity. Of `(&&&&Identity(..)).add_to(..)` the trait that is
/// implemented for the most references is taken.
///
/// What `Debug` prints would tell more arguments apart, but nobody promised that it tells all: two
/// that are confused are a wrong answer.
#[derive(Debug)]
pub struct Identity<'a, T: ?Sized>(pub &'a T);

pub trait HashIdentity {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher>;
}

impl<T: Hash + ?Sized> HashIdentity for &&&Identity<'_, T> {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher> {
        let mut hash = hash?;
        self.0.hash(&mut hash);
        Some(hash)
    }
}

pub trait GeneratorIdentity {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher>;
}

impl<T: Generator + ?Sized> GeneratorIdentity for &&Identity<'_, T> {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher> {
        let mut hash = hash?;
        self.0.facts(Wanted::All).identity?.hash(&mut hash);
        Some(hash)
    }
}

pub trait BitsIdentity {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher>;
}

impl<T: Bits + ?Sized> BitsIdentity for &Identity<'_, T> {
    fn add_to(&self, hash: Option<DefaultHasher>) -> Option<DefaultHasher> {
        let mut hash = hash?;
        self.0.add_bits(&mut hash);
        Some(hash)
    }
}

pub trait NoIdentity {
    fn add_to(&self, _: Option<DefaultHasher>) -> Option<DefaultHasher> {
        None
    }
}

impl<T: ?Sized> NoIdentity for Identity<'_, T> {}

/// Arguments of `std` that have no `Hash`: floats, what holds them, and tables.
pub trait Bits {
    fn add_bits(&self, hash: &mut DefaultHasher);
}

macro_rules! bits_by_hash {
    ($($type:ty)*) => {$(
        impl Bits for $type {
            fn add_bits(&self, hash: &mut DefaultHasher) {
                self.hash(hash);
            }
        }
    )*};
}

bits_by_hash! { bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

impl Bits for f32 {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.to_bits().hash(hash);
    }
}

impl Bits for f64 {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.to_bits().hash(hash);
    }
}

macro_rules! bits_of_pointers {
    ($($pointer:ty)*) => {$(
        impl<T: Bits + ?Sized> Bits for $pointer {
            fn add_bits(&self, hash: &mut DefaultHasher) {
                (**self).add_bits(hash);
            }
        }
    )*};
}

bits_of_pointers! { &T Box<T> std::rc::Rc<T> std::sync::Arc<T> }

impl<T: Bits> Bits for [T] {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.len().hash(hash);
        self.iter().for_each(|item| item.add_bits(hash));
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self[..].add_bits(hash);
    }
}

impl<T: Bits> Bits for Vec<T> {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self[..].add_bits(hash);
    }
}

impl<T: Bits> Bits for Option<T> {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.as_slice().add_bits(hash);
    }
}

macro_rules! bits_of_tuples {
    ($(($($part:ident $place:tt),+))*) => {$(
        impl<$($part: Bits),+> Bits for ($($part,)+) {
            fn add_bits(&self, hash: &mut DefaultHasher) {
                $(self.$place.add_bits(hash);)+
            }
        }
    )*};
}

bits_of_tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// The order of a table says nothing, so the hashes of its entries are added up.
impl<K: Hash, V: Hash, S> Bits for HashMap<K, V, S> {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.len().hash(hash);
        self.iter().map(hash_of).fold(0, u64::wrapping_add).hash(hash);
    }
}

impl<K: Hash, S> Bits for HashSet<K, S> {
    fn add_bits(&self, hash: &mut DefaultHasher) {
        self.len().hash(hash);
        self.iter().map(hash_of).fold(0, u64::wrapping_add).hash(hash);
    }
}

fn hash_of(entry: impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    entry.hash(&mut hash);
    hash.finish()
}

/// The identity of a generator that has type parameters begins with its type.
pub fn identity_of_type<T: ?Sized>() -> Option<DefaultHasher> {
    let mut hash = DefaultHasher::new();
    std::any::type_name::<T>().hash(&mut hash);
    Some(hash)
}

pub fn empty_identity() -> Option<DefaultHasher> {
    Some(DefaultHasher::new())
}

pub fn finish_identity(hash: Option<DefaultHasher>) -> Option<u64> {
    hash.map(|hash| hash.finish())
}

/// Shows an argument if it can be shown.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

pub trait ShowDebug {
    fn shown(&self) -> &dyn Debug;
}

impl<T: Debug> ShowDebug for Shown<'_, T> {
    fn shown(&self) -> &dyn Debug {
        self.0
    }
}

pub trait ShowNothing {
    fn shown(&self) -> &dyn Debug {
        &Blank
    }
}

struct Blank;

impl Debug for Blank {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("_")
    }
}

impl<T: ?Sized> ShowNothing for &Shown<'_, T> {}

/// Compares what an inverse gives, going forward again, with the value it was given.
#[derive(Debug)]
pub struct Rebuilt<'a, T: ?Sized>(pub &'a T);

pub trait CompareRebuilt<T: ?Sized> {
    fn compare(&self, rebuilt: &T, reflector: &mut Reflector) -> Reflected;
}

impl<T: PartialEq + Debug> CompareRebuilt<T> for Rebuilt<'_, T> {
    fn compare(&self, rebuilt: &T, reflector: &mut Reflector) -> Reflected {
        if is_same(self.0, rebuilt) {
            return Ok(());
        }
        reflector.mismatch(self.0, || format!("what the `#[inverse]` recalls makes {rebuilt:?} instead"))
    }
}

pub trait TrustRebuilt<T: ?Sized> {
    fn compare(&self, _rebuilt: &T, _: &mut Reflector) -> Reflected {
        Ok(())
    }
}

impl<T: ?Sized> TrustRebuilt<T> for &Rebuilt<'_, T> {}

/// Reads a value by its type alone, if the type has a generator of its own.
pub struct Structure<T>(PhantomData<fn() -> T>);

impl<T> Structure<T> {
    #[expect(clippy::new_without_default, reason = "called by the macros only")]
    pub fn new() -> Structure<T> {
        Structure(PhantomData)
    }
}

impl<T> Debug for Structure<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Structure")
    }
}

pub trait ReadStructure<T> {
    fn read(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Option<Drawn<T>>;

    fn can_read(&self) -> bool {
        true
    }
}

impl<T: Generate> ReadStructure<T> for Structure<T> {
    fn read(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Option<Drawn<T>> {
        Some(T::generator().complete(sketch, source))
    }
}

pub trait CannotReadStructure<T> {
    fn read(&self, _: &Sketch<'_>, _: &mut Source<'_>) -> Option<Drawn<T>> {
        None
    }

    fn can_read(&self) -> bool {
        false
    }
}

impl<T> CannotReadStructure<T> for &Structure<T> {}

/// A value that was read by its structure, if the generator can make it.
pub fn checked_by<G: Generator>(
    generator: &G,
    value: G::Value,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
) -> Drawn<G::Value> {
    match generator.choices_of(&value) {
        Ok(_) => Ok(value),
        Err(error) => Err(source.not_made(sketch.text(), || match error.path() {
            "" => error.reason().to_owned(),
            path => format!("in its part `{path}`, which is {}: {}", error.part(), error.reason()),
        })),
    }
}

/// A value with something in the holes of a sketch, for a generator whose values are not read part
/// by part, since an `#[inverse]` recalls them. In the holes stands what values of the generator
/// have there, or whatever the type allows. `None` if nothing was found that the generator can
/// make, or if nothing can be read (`read`).
pub fn filled_by<G: Generator>(
    generator: &G,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
    read: impl Fn(&Sketch<'_>, &mut Source<'_>) -> Option<Drawn<G::Value>>,
) -> Option<G::Value> {
    source.nested_ways += 1;
    let made = source.tries(TRIES, |source, _| match filled_once(generator, sketch, source, &read) {
        Break(Some(value)) => Break(Ok(value)),
        Break(None) => Break(Err(Stop)),
        Continue(()) => Continue(()),
    });
    source.nested_ways -= 1;
    made.ok()?.ok()
}

fn filled_once<G: Generator>(
    generator: &G,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
    read: &impl Fn(&Sketch<'_>, &mut Source<'_>) -> Option<Drawn<G::Value>>,
) -> ControlFlow<Option<G::Value>> {
    let Some(model) = source.aside(|source| generator.generate(source)) else { return Break(None) };
    let text = match Document::parse(&format!("{model:?}")) {
        Ok(model) => overlaid(sketch, &model.root()),
        Err(_) => sketch.text().to_owned(),
    };
    let Ok(document) = Document::to_fill(&text) else { return Break(None) };
    let mut was_read = false;
    let value = source.aside(|source| {
        let value = read(&document.root(), source);
        was_read = value.is_some();
        value.unwrap_or(Err(Stop))
    });
    match value {
        Some(value) if accepted(generator, &value) == Ok(true) => Break(Some(value)),
        _ if was_read => Continue(()),
        _ => Break(None),
    }
}

// Forward.

/// Runs the body of `generator` inside its bracket, as [`Source::call`] does. With too little room
/// on the stack the generator is asked anew, so that its body is compiled once.
#[inline(always)]
pub fn call<'a, G: Generator>(
    generator: &G,
    site: &'static Site,
    source: &mut Source<'a>,
    body: impl FnOnce(&mut Source<'a>) -> Drawn<G::Value>,
) -> Drawn<G::Value> {
    source.call_again(site, &|| form_of(generator), |source| generator.generate(source), body)
}

/// Passes the whole job on to another generator: nothing comes after it.
#[inline(always)]
pub fn freely<G: Generator>(generator: &G, source: &mut Source<'_>) -> Drawn<G::Value> {
    source.freely(|| form_of(generator), |source| generator.generate(source))
}

/// What is known of a generator function: its place, and what identifies its arguments.
#[inline(always)]
pub fn facts<G: Generator>(
    generator: &G,
    wanted: Wanted,
    site: &'static Site,
    identity: impl FnOnce() -> Option<u64>,
) -> Facts {
    Facts::ONE_NODE.known(generator, wanted, || match identity() {
        Some(identity) => (Form::of(&(std::ptr::from_ref(site) as usize, identity)), Some(identity)),
        None => (Form::Unknown, None),
    })
}

// Backward.

fn is_same<T: PartialEq + ?Sized>(one: &T, other: &T) -> bool {
    #[expect(
        clippy::eq_op,
        reason = "a value that is not equal to itself, such as NaN, is the same as another such value"
    )]
    let is_unequal_to_itself = |value: &T| value != value;
    one == other || (is_unequal_to_itself(one) && is_unequal_to_itself(other))
}

/// Compares a part of the value with what the generator puts there. `what` names it: ``(the
/// argument `lo`)``.
#[inline]
pub fn compared_with_tail<T: PartialEq + Debug + ?Sized>(
    reflector: &mut Reflector,
    path: &[Segment],
    part: &T,
    expected: &T,
    what: &str,
) -> Reflected {
    if is_same(part, expected) {
        return Ok(());
    }
    mismatch(reflector, path, &part, &format_args!("expected {expected:?}{what}, not {part:?}"))
}

/// Runs a way that notes nothing; `?` and `return` in it end the way.
#[inline(always)]
pub fn plainly(reflector: &mut Reflector, way: impl FnOnce(&mut Reflector) -> Reflected) -> Reflected {
    way(reflector)
}

/// Says why a part cannot be made, at its place.
#[inline]
pub fn mismatch(reflector: &mut Reflector, path: &[Segment], part: &dyn Debug, reason: &dyn Display) -> Reflected {
    reflector.mismatch_at(path, part, reason)
}

/// What a pointer points to. It is looked at soon, but other parts come first: if it is not in the
/// cache, it is fetched meanwhile.
#[inline(always)]
pub fn pointed<T: ?Sized>(part: &T) -> &T {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: this reads nothing; an address that cannot be read would do as well.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(part).cast()) };
    }
    part
}

/// Says that an arm is absent, if it is.
#[inline]
pub fn check_weight(reflector: &mut Reflector, value: &dyn Debug, label: &str, weight: u32) -> Reflected {
    if weight != 0 {
        return Ok(());
    }
    reflector.mismatch(value, || format!("the arm `{label}` weighs 0 here, so it is absent"))
}

/// What lies where a focus points.
#[inline]
pub fn focus<T>(
    reflector: &mut Reflector,
    value: &dyn Debug,
    name: &str,
    focus: impl FnOnce() -> Option<T>,
) -> Result<T, Mismatch> {
    match focus() {
        Some(focus) => Ok(focus),
        None => Err(failed(reflector, value, || format!("the focus of `{name}` is not defined here"))),
    }
}

/// What an inverse gives.
#[inline]
pub fn inverse<V: Debug, T>(
    reflector: &mut Reflector,
    value: &V,
    inverse: impl FnOnce(&V) -> Option<T>,
) -> Result<T, Mismatch> {
    match inverse(value) {
        Some(names) => Ok(names),
        None => Err(failed(reflector, value, || "the `#[inverse]` gives nothing here".to_owned())),
    }
}

fn failed(reflector: &mut Reflector, value: &dyn Debug, reason: impl FnOnce() -> String) -> Mismatch {
    reflector.mismatch(value, reason).err().unwrap_or(Mismatch)
}

// Completion.

/// Tries the ways to complete a sketch: in order if nothing is left open, so that what is read is
/// always the same, and from a random one on otherwise.
///
/// What is drawn for a hole may not go with what comes later in the sketch, as in `(_, 3)` for a
/// pair in order; the same is true of what is drawn under a focus, which no sketch tells (`blind`
/// names it). So then all of it is tried several times.
pub fn complete_ways<'a, T>(
    source: &mut Source<'a>,
    sketch: &Sketch<'_>,
    count: usize,
    blind: &str,
    mut way: impl FnMut(&mut Source<'a>, usize) -> Drawn<T>,
) -> Drawn<T> {
    if count == 0 {
        return Err(source.not_made(sketch.text(), || "nothing is ever made here".to_owned()));
    }
    let (has_holes, start) = (sketch.has_holes(), source.place_in_weights());
    let is_random = has_holes || !blind.is_empty();
    let tries = if is_random { TRIES } else { 1 };
    let reasons = source.set_reasons_aside();
    source.nested_ways += u32::from(is_random);
    let made = source.tries(tries, |source, _| {
        let before = source.chance();
        let first = if count > 1 && has_holes { (source.dice() % count as u64) as usize } else { 0 };
        let (earlier, mut are_closed) = (source.set_reasons_aside(), true);
        for place in 0..count {
            let begun = source.chance();
            let value = way(source, (first + place) % count);
            if value.is_ok() {
                return Break(value);
            }
            // Where nothing was drawn before it failed, it fails every time.
            are_closed &= source.take_closed() || begun.is_some() && begun == source.chance();
            source.back_to(start);
        }
        // Then so does what this is a part of, whatever the reasons of earlier tries.
        if let (Some(before), true) = (before, are_closed) {
            source.set_chance(before);
        } else {
            source.add_reasons(earlier);
        }
        Continue(())
    });
    source.nested_ways -= u32::from(is_random);
    let count = match made {
        Ok(made) => {
            source.restore_reasons(reasons);
            return made;
        }
        Err(count) => count,
    };
    if is_random && count > 0 {
        source.tried_fillings(count, has_holes, blind);
    }
    source.add_reasons(reasons);
    Err(Stop)
}

/// What a focus finds in a sketch that has holes, if it is there already: the holes are filled with
/// anything that the type allows (`fill`), and the focus looks at that. What depends on the holes
/// is a guess, and small: some attempts go without, more of them where there are many. So do those
/// deep inside large sketches, where guessing at each level would take the square of the time.
pub fn guess<V, T>(
    source: &mut Source<'_>,
    sketch: &Sketch<'_>,
    fill: impl FnOnce(&Sketch<'_>, &mut Source<'_>) -> Option<Drawn<V>>,
    focus: impl FnOnce(&V) -> Option<T>,
) -> Option<T> {
    let is_outer = source.nested_ways <= 1;
    let dice = source.dice();
    let goes_without = dice.is_multiple_of(if is_outer { 2 } else { 4 });
    if goes_without || !(is_outer || sketch.text().len() <= LONGEST_GUESSED) {
        return None;
    }
    // Small, since it is thrown away.
    let size = (dice >> 32) as u32 % 4;
    let filled = source.aside(|source| source.resized(size, |source| fill(sketch, source).unwrap_or(Err(Stop))))?;
    focus(&filled)
}

/// Sketches whose text is longer are guessed at only where they begin.
const LONGEST_GUESSED: usize = 4_000;

/// How often something random is tried.
const TRIES: u32 = 100;

/// Says why a part of a sketch cannot be made, at its place.
pub fn not_made(source: &mut Source<'_>, path: &[Segment], sketch: &Sketch<'_>, reason: &dyn Display) -> Stop {
    source.at_path(path, |source| source.not_made(sketch.text(), || reason.to_string()))
}

/// Compares a sketch with what was drawn without a look at it, because an `#[inverse]` recalls it.
pub fn fits_drawn(source: &mut Source<'_>, sketch: &Sketch<'_>, drawn: &dyn Debug, can_read: bool) -> Drawn<()> {
    if sketch.is_hole() || sketch.matches_debug(drawn) {
        return Ok(());
    }
    let reason = match can_read {
        true => "nothing that was drawn looks like it, and an `#[inverse]` reads no text",
        false => {
            "an `#[inverse]` reads no text; derive `Generate` for the type of this value, by which it is read then, \
             or say how to read it with `with_reader`"
        }
    };
    Err(not_made(source, &[], sketch, &reason))
}

/// Compares a part of a sketch with what the generator puts there.
pub fn fits(
    source: &mut Source<'_>,
    path: &[Segment],
    sketch: &Sketch<'_>,
    expected: &dyn Debug,
    what: &str,
) -> Drawn<()> {
    if sketch.is_hole() || sketch.matches_debug(expected) {
        return Ok(());
    }
    Err(not_made(source, path, sketch, &format_args!("expected {expected:?}{what}, not {}", sketch.text())))
}

/// The parts of a sketch of a tuple or tuple variant; those of a hole are holes.
pub fn tuple_sketch<'d, const N: usize>(sketch: &Sketch<'d>, name: &str) -> Option<[Sketch<'d>; N]> {
    if sketch.is_hole() { Some([*sketch; N]) } else { sketch.tuple::<N>(name) }
}

/// The fields of a sketch of a struct or a variant with named fields.
pub fn record_sketch<'d, const N: usize>(
    sketch: &Sketch<'d>,
    name: &str,
    fields: &[&str; N],
) -> Option<[Sketch<'d>; N]> {
    if sketch.is_hole() { Some([*sketch; N]) } else { sketch.record::<N>(name, fields) }
}

/// The items of a sketch of a list of known length.
pub fn list_sketch<'d, const N: usize>(sketch: &Sketch<'d>) -> Option<[Sketch<'d>; N]> {
    if sketch.is_hole() {
        return Some([*sketch; N]);
    }
    spread(sketch.items()?)
}

/// The first of several sketches of the same thing that says something.
pub fn known_sketch<'d>(sketches: &[Sketch<'d>]) -> Sketch<'d> {
    *sketches.iter().find(|sketch| !sketch.is_hole()).unwrap_or(&sketches[0])
}

/// How a part is written in another place: `..`, which stands for parts that are not written, is a
/// hole there.
pub fn written<'d>(sketch: &Sketch<'d>) -> &'d str {
    if sketch.is_hole() { "_" } else { sketch.text() }
}

/// Completes something whose parts stand at different places of the value: `text` is how it would
/// be written in one place.
pub fn complete_text<'a, T>(
    source: &mut Source<'a>,
    whole: &Sketch<'_>,
    text: &str,
    complete: impl FnOnce(&mut Source<'a>, &Sketch<'_>) -> Drawn<T>,
) -> Drawn<T> {
    match whole.reads(text) {
        Ok(document) => complete(source, &document.root()),
        Err(_) => Err(source.not_made(text, || "it cannot be put together from its parts".to_owned())),
    }
}

/// Completes a part that is no call of a generator.
pub fn complete_sub<'a, T>(
    source: &mut Source<'a>,
    path: &[Segment],
    complete: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
) -> Drawn<T> {
    source.shown_part(|source| source.at_path(path, complete))
}

/// Tells that the sketch shows this arm.
pub fn shown_arm(source: &mut Source<'_>, site: &'static Site, arm: usize) {
    source.shown_arm(site, arm);
}

/// The weight of an arm that a sketch asks for, which must not be 0.
pub fn weigh_arm(source: &mut Source<'_>, sketch: &Sketch<'_>, label: &str, weight: u32) -> Drawn<()> {
    if weight != 0 {
        return Ok(());
    }
    Err(source.not_made(sketch.text(), || format!("the arm `{label}` weighs 0 here, so it is absent")))
}

// Forward generators and derived ones.

/// What a generator without an inverse says of a value.
pub fn has_no_inverse(reflector: &mut Reflector, value: &dyn Debug, name: &str) -> Reflected {
    reflector.forward_only(value, || forward_reason(name))
}

/// What a generator without an inverse says of a sketch.
pub fn has_no_completion<T>(source: &mut Source<'_>, sketch: &Sketch<'_>, name: &str) -> Drawn<T> {
    Err(source.not_made(sketch.text(), || forward_reason(name)))
}

fn forward_reason(name: &str) -> String {
    format!("`{name}` is a forward generator: it has no inverse (#[generator(forward)])")
}

// Parts are made, looked at and read by functions of their generator, and not by a closure for each
// place where one is drawn: those were most of what a generator costs to compile.

/// Makes a field at a size of its own.
#[inline]
pub fn generate_field<G: Generator>(
    generator: &G,
    size: u32,
    is_free: bool,
    source: &mut Source<'_>,
) -> Drawn<G::Value> {
    source.resized(size, |source| match is_free {
        true => free_part(generator, source),
        false => part(generator, source),
    })
}

/// Looks at a field at a size of its own.
#[inline]
pub fn reflect_field<G: Generator>(
    generator: &G,
    value: &G::Value,
    segment: Segment,
    size: u32,
    reflector: &mut Reflector,
) -> Reflected {
    reflector.resized(size, |reflector| generator.reflect_part(value, &[segment], reflector))
}

/// Reads a field, its holes at a size of its own. `is_tried` if that is done by [`complete_ways`].
pub fn complete_field<G: Generator>(
    generator: &G,
    sketch: &Sketch<'_>,
    segment: Segment,
    size: u32,
    is_tried: bool,
    source: &mut Source<'_>,
) -> Drawn<G::Value> {
    source.resized(size, |source| {
        let before = before_part(source);
        let value = generator.complete_part(sketch, &[segment], source);
        if is_tried { independent(source, &before, value) } else { value }
    })
}

/// What `#[derive(Generate)]` writes: the three directions of a type's own generator.
pub trait Derived: Generate {
    fn site() -> &'static Site;
    fn variants() -> &'static Variants;
    fn generate(source: &mut Source<'_>) -> Drawn<Self>;
    fn reflect(value: &Self, reflector: &mut Reflector) -> Reflected;
    fn complete(sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self>;
}

/// The generator of a type that derives [`Generate`].
pub struct DerivedGenerator<T>(PhantomData<fn() -> T>);

impl<T> DerivedGenerator<T> {
    #[expect(clippy::new_without_default, reason = "called by the macros only")]
    pub const fn new() -> DerivedGenerator<T> {
        DerivedGenerator(PhantomData)
    }
}

impl<T: Derived> Generator for DerivedGenerator<T> {
    type Value = T;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: T::variants().extent, ..Facts::UNKNOWN }
            .known(self, wanted, || (Form::of(&("derived", std::any::type_name::<T>())), None))
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        T::generate(source)
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        T::reflect(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        if sketch.is_hole() { T::generate(source) } else { T::complete(sketch, source) }
    }
}

impl<T> Clone for DerivedGenerator<T> {
    fn clone(&self) -> DerivedGenerator<T> {
        *self
    }
}

impl<T> Copy for DerivedGenerator<T> {}

impl<T> Debug for DerivedGenerator<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "any::<{}>()", std::any::type_name::<T>())
    }
}
