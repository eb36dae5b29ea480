//! The smallest types: `bool`, `()`, [`PhantomData`], [`Ordering`], [`RangeFull`].

use super::any::Generate;
use super::{Any, Generator};
use crate::choice::Site;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeFull;

/// Types with a few values, each an arm of one pick without anything inside.
macro_rules! leaf_picks {
    ($($(#[$doc:meta])* $type:ty, $site:ident = $name:literal { $($label:literal => $made:expr,)+ })*) => {$(
        static $site: Site = Site::pick($name, &[$($label),+], file!(), line!());

        $(#[$doc])*
        impl Generate for $type {
            type Generator = Any<$type>;
            #[inline]
            fn generator() -> Any<$type> {
                Any::new()
            }
        }

        impl Generator for Any<$type> {
            type Value = $type;
            #[inline(always)]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<$type> {
                const VALUES: &[$type] = &[$($made),+];
                const WEIGHTS: &[u32] = &[1; VALUES.len()];
                Ok(VALUES[source.pick_leaf(&$site, WEIGHTS)?])
            }
            #[inline(always)]
            fn facts(&self, wanted: $crate::generator::Wanted) -> $crate::generator::Facts {
                let facts = $crate::generator::Facts { is_one_node: false, ..$crate::generator::Facts::NUMBER };
                facts.known(self, wanted, || ($crate::source::Form::of(&std::any::type_name::<$type>()), None))
            }
            #[inline(always)]
            fn reflect(&self, value: &$type, reflector: &mut Reflector) -> Reflected {
                const VALUES: &[$type] = &[$($made),+];
                const WEIGHTS: &[u32] = &[1; VALUES.len()];
                let arm = VALUES.iter().position(|other| other == value).unwrap_or(0);
                reflector.pick_leaf(&$site, WEIGHTS, arm)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<$type> {
                if sketch.is_hole() {
                    return self.generate(source);
                }
                match sketch.word() {
                    $(Some($label) => Ok($made),)+
                    _ => Err(source.not_made(sketch.text(), || {
                        format!("expected {}, not {}", [$($label),+].join(" or "), sketch.kind().describe())
                    })),
                }
            }
        }
    )*};
}

#[cfg(any(feature = "chrono", feature = "http", feature = "jiff"))]
pub(crate) use leaf_picks;

leaf_picks! {
    /// `false`, the simplest, and `true`, both as likely.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<bool>().choices_of(&true).unwrap().to_string(), "1:true");
    /// ```
    bool, BOOL = "bool" {
        "false" => false,
        "true" => true,
    }
    /// `Equal` is the simplest, then `Less` and `Greater`; all as likely.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use std::cmp::Ordering;
    /// assert_eq!(any::<Ordering>().replay(&Choices::default()), Ordering::Equal);
    /// ```
    Ordering, ORDERING = "Ordering" {
        "Equal" => Ordering::Equal,
        "Less" => Ordering::Less,
        "Greater" => Ordering::Greater,
    }
}

/// Types with a single value: nothing is chosen.
macro_rules! single_values {
    ($([$($parameter:ident)?] $type:ty = $value:expr;)*) => {$(
        impl<$($parameter)?> Generate for $type {
            type Generator = Any<$type>;
            #[inline]
            fn generator() -> Any<$type> {
                Any::new()
            }
        }

        impl<$($parameter)?> Generator for Any<$type> {
            type Value = $type;
            #[inline(always)]
            fn generate(&self, _source: &mut Source<'_>) -> Drawn<$type> {
                Ok($value)
            }
            #[inline(always)]
            fn reflect(&self, _value: &$type, _reflector: &mut Reflector) -> Reflected {
                Ok(())
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<$type> {
                let value: $type = $value;
                complete_single(value, sketch, source)
            }
        }
    )*};
}

#[inline]
fn complete_single<T: Debug>(value: T, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
    if sketch.is_hole() || sketch.matches_debug(&value) {
        return Ok(value);
    }
    Err(source.not_made(sketch.text(), || format!("expected {value:?}, not {}", sketch.kind().describe())))
}

single_values! {
    [] () = ();
    [] RangeFull = ..;
    [T] PhantomData<T> = PhantomData;
}
