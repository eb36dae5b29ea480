//! What a generator declares about itself.

use super::Generator;
use crate::reflect::{Reflected, Reflector};
use crate::source::{Extent, Form};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a generator declares about itself; see [`Generator::facts`].
///
/// Lists, reflection and counting rely on it. [`Law::Declared`](crate::laws::Law::Declared) checks
/// that it is true.
///
/// ```
/// use retrospect::generator::{Facts, Wanted};
/// use retrospect::prelude::*;
/// use retrospect::source::Form;
/// let facts = (0..10).facts(Wanted::All);
/// assert_eq!(Facts { form: Form::Unknown, identity: None, ..facts }, Facts::NUMBER);
/// assert_eq!(facts.form, Form::Number { max: 9 });
/// assert_ne!(facts.identity, (0..11).facts(Wanted::All).identity);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How much a value holds, as far as that is known before one is drawn. It decides how long a
    /// list of such values is.
    pub extent: Extent,
    /// Whether the choices of every value are one node of the tree: a number, a call or a repeat.
    /// Such a part needs no bracket. A pick without a call does: weights are learned by brackets.
    pub is_one_node: bool,
    /// Whether every value is made in one way only: other choices make another value.
    pub has_one_way: bool,
    /// What is known of the questions it asks; for counting and listing values.
    pub form: Form,
    /// A hash that identifies this generator: generators with the same identity reflect alike.
    pub identity: Option<u64>,
}

/// Which facts are asked for.
///
/// ```
/// use retrospect::generator::Wanted;
/// use retrospect::prelude::*;
/// assert_eq!(any::<u8>().facts(Wanted::Shape).identity, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All but the form and the identity. This is asked for with each value, and folds to a
    /// constant.
    Shape,
    /// The form and the identity too, which are hashed.
    All,
}

impl Facts {
    /// Nothing is known.
    pub const UNKNOWN: Facts =
        Facts { extent: Extent::UNKNOWN, is_one_node: false, has_one_way: false, form: Form::Unknown, identity: None };

    /// One node of unknown content, such as a call.
    pub const ONE_NODE: Facts = Facts { is_one_node: true, ..Facts::UNKNOWN };

    /// One number, each of which makes another value.
    pub const NUMBER: Facts = Facts { extent: Extent::NUMBER, has_one_way: true, ..Facts::ONE_NODE };

    /// Adds the form of `generator`, and its identity given a hash of what it holds. A generator
    /// that holds nothing is identified by its code.
    ///
    /// ```
    /// use retrospect::generator::{Facts, Wanted};
    /// use retrospect::prelude::*;
    /// use retrospect::source::Form;
    /// let facts = Facts::NUMBER.known(&any::<u8>(), Wanted::All, || (Form::Number { max: 255 }, None));
    /// assert!(facts.identity.is_some());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn known<G: Generator + ?Sized>(
        self,
        generator: &G,
        wanted: Wanted,
        by: impl FnOnce() -> (Form, Option<u64>),
    ) -> Facts {
        match wanted {
            Wanted::Shape => self,
            Wanted::All => {
                let (form, held) = by();
                Facts { form, identity: identity(generator, held), ..self }
            }
        }
    }

    /// One part after the other, each a part on its own, in one bracket.
    #[inline(always)]
    pub(super) fn of_tuple<G: Generator, const N: usize>(generator: &G, parts: [Facts; N], wanted: Wanted) -> Facts {
        let (mut extent, mut has_one_way, mut place) = (parts[0].extent, parts[0].has_one_way, 1);
        while place < N {
            extent = extent.and(parts[place].extent);
            has_one_way &= parts[place].has_one_way;
            place += 1;
        }
        Facts { extent, has_one_way, ..Facts::ONE_NODE }.known(generator, wanted, || {
            (Form::made_of("tuple", &parts.map(|part| part.form)), hash_of_all(&parts.map(|part| part.identity)))
        })
    }
}

/// The form of a generator.
pub(crate) fn form_of<G: Generator + ?Sized>(generator: &G) -> Form {
    generator.facts(Wanted::All).form
}

/// The extent of a generator.
#[inline(always)]
pub(crate) fn extent_of<G: Generator + ?Sized>(generator: &G) -> Extent {
    generator.facts(Wanted::Shape).extent
}

/// A hash of the parts that identify a generator, if all are known.
pub(crate) fn hash_of_all(parts: &[Option<u64>]) -> Option<u64> {
    let mut hash = DefaultHasher::new();
    for part in parts {
        (*part)?.hash(&mut hash);
    }
    Some(hash.finish())
}

/// The address of `reflect` if the generator holds nothing, else its type and what it holds.
fn identity<G: Generator + ?Sized>(generator: &G, held: Option<u64>) -> Option<u64> {
    if size_of_val(generator) == 0 {
        let reflect: fn(&G, &G::Value, &mut Reflector) -> Reflected = G::reflect;
        return Some(reflect as usize as u64);
    }
    let mut hash = DefaultHasher::new();
    (std::any::type_name::<G>(), held?).hash(&mut hash);
    Some(hash.finish())
}
