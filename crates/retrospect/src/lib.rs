//! Property-based testing in which **every generator can be read backwards**.
//!
//! ```
//! use retrospect::prelude::*;
//!
//! #[derive(Debug, Clone, PartialEq)]
//! enum Tree {
//!     Leaf,
//!     Node(Box<Tree>, i64, Box<Tree>),
//! }
//!
//! #[generator]
//! fn bst(lo: i64, hi: i64) -> Tree {
//!     if lo > hi {
//!         return Tree::Leaf;
//!     }
//!     match pick() {
//!         "leaf" => Tree::Leaf,
//!         #[weight(5)]
//!         "node" => {
//!             let x = draw(lo..=hi);
//!             let l = draw(bst(lo, x - 1));
//!             let r = draw(bst(x + 1, hi));
//!             Tree::Node(Box::new(l), x, Box::new(r))
//!         }
//!     }
//! }
//!
//! // Forward: choices make a value.
//! let tree = bst(0, 100).sample(7);
//! // Backward: the value recalls its choices, whoever made it.
//! let choices = bst(0, 100).choices_of(&tree).unwrap();
//! assert_eq!(bst(0, 100).replay(&choices), tree);
//! // A value that cannot be made says which part, and why.
//! let error = bst(0, 100).read("Node(Leaf, 5, Node(Leaf, 3, Leaf))").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "this generator cannot make the part `Node.2.Node.1`, which is 3: 3 is not in 6..=100"
//! );
//! // Holes are filled.
//! assert!(matches!(bst(0, 100).fill("Node(_, 5, _)", 1), Ok(Tree::Node(_, 5, _))));
//! ```
//!
//! There are no lenses and no annotations in `bst`: in Rust a constructor expression is also a
//! pattern, so `Tree::Node(Box::new(l), x, Box::new(r))` builds going forward and destructures
//! going backward.
//!
//! # Contents
//!
//! * Writing generators: `#[generator]`, `#[derive(Generate)]`, or the
//!   [combinators](mod@generator).
//! * What can be called on every generator: [`Generator`].
//! * The choices behind a value, as data and as text: [`choice`].
//! * Answering choices differently: [`source`]. Looking at values differently: [`reflect`].
//! * Reading `Debug` text: [`sketch`]. Text of one's own form, written and parsed: `text`.
//! * From a failing value to the smallest one: [`Generator::shrink`], and [`mod@shrink`] for
//!   choices alone.
//! * Testing one's own generators: [`laws`].
//! * Types of other crates, and bridges to other testing crates: [`ecosystem`].
//!
//! # Features
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `macros` (default) | `#[property]`, `#[generator]`, `generator_of!`, `#[derive(Generate)]` |
//! | `text` (default) | `text`: strings that are written forward and parsed backward, and grammars |
//! | `regex` | `text::regex`: the strings that a regular expression matches |
//! | `bytes`, `chrono`, `http`, `jiff`, `rust_decimal`, `serde_json`, `url`, `uuid` | generators for the types of the crate of that name |
//! | `serde` | values of any `Deserialize` type can be given as JSON |
//! | `arbitrary`, `proptest`, `quickcheck` | generators from the crate of that name; with `arbitrary`, our generators in fuzz targets |
//!
//! # Limits
//!
//! * Values must be `Debug`.
//! * A generator that uses `map`, or `#[generator(forward)]`, generates but does not reflect.
//! * Recursion on data grows the stack up to 768 MB; a value nested deeper is an error.

// The macros' code names this crate `retrospect`, also inside it.
extern crate self as retrospect;

pub mod choice;
pub mod ecosystem;
pub mod generator;
pub mod laws;
mod mismatch;
pub mod mutate;
mod natural;
pub mod reflect;
pub mod runner;
pub mod shrink;
pub mod sketch;
pub mod source;
mod stack;
#[cfg(feature = "text")]
pub mod text;
mod toml;

pub use generator::{Generate, Generator};
pub use mismatch::{NotGenerated, Segment};
#[cfg(feature = "macros")]
pub use retrospect_macros::{Generate, generator_of, property};
pub use stack::with_deep_stack;

/// A generator written where it is used: the inline form of `#[generator]`.
///
/// The prelude has the attribute under this name, so write the path, or `generator_of!`, which is
/// the same and is in the prelude. What the body needs from outside is passed as arguments; see
/// [`generator_of!`] for the rules.
///
/// ```
/// use retrospect::prelude::*;
/// let ordered = retrospect::generator!(|highest: u8| -> (u8, u8) {
///     let low = draw(0..=highest);
///     let high = draw(low..=highest);
///     (low, high)
/// })(9);
/// assert!(ordered.accepts(&(3, 5)) && !ordered.accepts(&(5, 3)));
/// ```
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! generator {
    ($($body:tt)*) => { $crate::generator_of!($($body)*) };
}

/// Everything a test needs: `use retrospect::prelude::*;`.
///
/// It has the functions that make generators, the traits that have their methods, and the macros.
/// The types that adapters return are in [`generator`](mod@generator): their names are common
/// words, such as `Map` and `Filter`, and tests have types of these names of their own.
///
/// ```
/// use retrospect::prelude::*;
/// assert!(vec_of(0..10, ..).accepts(&vec![1, 2, 3]));
/// ```
pub mod prelude {
    pub use crate::choice::Choices;
    #[cfg(feature = "arbitrary")]
    pub use crate::ecosystem::from_arbitrary;
    #[cfg(feature = "quickcheck")]
    pub use crate::ecosystem::from_quickcheck;
    #[cfg(feature = "proptest")]
    pub use crate::ecosystem::from_strategy;
    #[cfg(feature = "macros")]
    pub use crate::generator::macro_support::{draw, pick};
    pub use crate::generator::{
        Boxed, Ends, Explore, ForwardOnly, Function, Generate, Generator, GeneratorOf, Mutate, Tune, any, array_of,
        element_of, exact, floats, frequency, function_of, hash_map_of, hash_set_of, just, labelled, lazy, map_of,
        one_of, option_of, permutation_of, reader, recursive, result_of, sequence_of, set_of, sized, string_of,
        subsequence_of, tuple, uniform, vec_of, within,
    };
    pub use crate::laws;
    pub use crate::runner::{Case, Check, Outcome, check, check_case};
    pub use crate::source::{Weights, drawn_if};
    #[cfg(feature = "text")]
    pub use crate::text;
    pub use crate::{assume, classify, cover, event, note, target};
    #[cfg(feature = "macros")]
    pub use retrospect_macros::{Generate, generator, generator_of, property};
}

/// What the macros' code calls. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod macros {
    pub use crate::choice::Site;
    #[cfg(feature = "serde")]
    pub use crate::ecosystem::{AsJson, WithJson, WithoutJson};
    pub use crate::generator::macro_support::*;
    pub use crate::generator::reading::{BeforePart, before_part, independent, read_once};
    pub use crate::generator::shape::{KnownVariants, Shape, Shapes, Variants};
    pub use crate::generator::unlike::{Parts, looks_otherwise, not_this};
    pub use crate::generator::{Facts, Generate, Generator, Wanted, any, free_part, part};
    pub use crate::mismatch::Segment;
    pub use crate::reflect::{Mismatch, Reflected, Reflector};
    pub use crate::runner::settings::{Health, Settings};
    pub use crate::runner::{Case, Definition, Outcome, outcome_of, run_property};
    pub use crate::sketch::Sketch;
    pub use crate::source::{Drawn, Form, Source, Stop};
    #[cfg(feature = "text")]
    pub use crate::text::checked_grammar;
}

/// The README's example is run with the other examples.
#[cfg(all(doctest, feature = "macros"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
