use super::sequence::sketched_items;
use crate::choice::Site;
use crate::generator::shape::{Shape, Shapes};
use crate::generator::{Facts, Generate, Generator, Wanted, free_part};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Form, Source};

static ARRAY: Site = Site::call("array", file!(), line!());

/// Arrays of items from one generator. The choices are a bracket with one part for each item, like
/// those of a tuple.
///
/// ```
/// use retrospect::prelude::*;
/// let triples = array_of::<3, _>(0..10);
/// assert_eq!(triples.replay(&Choices::default()), [0, 0, 0]);
/// assert_eq!(triples.choices_of(&[4, 2, 1]).unwrap().to_string(), "(4 2 1)");
/// ```
pub fn array_of<const N: usize, G: Generator>(item: G) -> ArrayOf<G, N> {
    ArrayOf { item }
}

/// The generator made by [`array_of`].
///
/// ```
/// use retrospect::generator::{Any, ArrayOf};
/// use retrospect::prelude::*;
/// fn colours() -> ArrayOf<Any<u8>, 3> {
///     array_of(any::<u8>())
/// }
/// assert!(colours().accepts(&[255, 128, 0]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ArrayOf<G, const N: usize> {
    item: G,
}

impl<G: Generator, const N: usize> Generator for ArrayOf<G, N> {
    type Value = [G::Value; N];

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<[G::Value; N]> {
        source.call(&ARRAY, |source| filled(|| free_part(&self.item, source)))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        let item = self.item.facts(wanted);
        Facts { extent: item.extent.times(N), is_one_node: true, ..item }
            .known(self, wanted, || (Form::made_of("array", &[item.form, Form::of(&N)]), item.identity))
    }

    #[inline]
    fn reflect(&self, value: &[G::Value; N], reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &ARRAY,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                for (place, item) in value.iter().enumerate() {
                    reflector.part(Segment::Item(place), |reflector| self.item.reflect(item, reflector))?;
                }
                Ok(())
            },
        )
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<[G::Value; N]> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let mut items = sketched_items(N.into(), sketch, source)?.into_iter().enumerate();
        source.shown_call(&ARRAY, |source| {
            filled(|| match items.next() {
                Some((place, item)) => self.item.complete_part(&item, &[Segment::Item(place)], source),
                None => self.item.generate(source),
            })
        })
    }
}

/// As many values as the array has places; see [`array_of`].
///
/// ```
/// use retrospect::prelude::*;
/// assert_eq!(any::<[bool; 2]>().choices_of(&[true, false]).unwrap().to_string(), "(1:true 0:false)");
/// ```
impl<T: Generate, const N: usize> Generate for [T; N] {
    type Generator = ArrayOf<T::Generator, N>;
    fn generator() -> ArrayOf<T::Generator, N> {
        array_of(T::generator())
    }
    fn shape(shapes: &mut Shapes) -> Shape {
        if N == 0 { shapes.leaf() } else { T::shape(shapes) }
    }
}

/// An array, made item by item.
#[inline(always)]
fn filled<T, const N: usize>(mut make: impl FnMut() -> Drawn<T>) -> Drawn<[T; N]> {
    let mut items = [const { None }; N];
    for item in &mut items {
        *item = Some(make()?);
    }
    Ok(items.map(|item| item.expect("every item was made")))
}
