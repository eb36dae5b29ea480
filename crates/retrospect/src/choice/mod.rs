//! The choice tree: what a generator chose, as data.
//!
//! One type, [`Choices`], serves recording, replay, shrinking, mutation, tuning, storage. It is
//! kept flat: the nodes stand in one vector in the order they were made, each bracket knows how
//! many entries lie inside it. A subtree is a slice, a copy is a `memcpy`, dropping a tree that is
//! a million levels deep needs no stack, and recording costs 16 bytes a node.
//!
//! This module knows nothing of generators, sources or values.
//!
//! ```
//! use retrospect::choice::{Choices, Node};
//! let choices: Choices = "1:node([3 5] 0:leaf)".parse().unwrap();
//! let Some(Node::Pick(node)) = choices.nodes().next() else { panic!("the root is a pick") };
//! assert_eq!((node.label, node.body.len()), (Some("node"), 2));
//! assert_eq!(choices.choice_count(), 5);
//! assert_eq!(choices.to_string(), "1:node([3 5] 0:leaf)");
//! ```

mod answer;
mod cursor;
mod edit;
mod left_out;
mod noting;
mod site;
mod text;
mod tree;
mod unfinished;

pub use answer::{Choice, NotAChoice};
pub(crate) use cursor::Cursor;
pub(crate) use edit::{Exchange, Marker, Splice, differ};
pub(crate) use left_out::LeftOut;
pub use site::Site;
pub(crate) use site::{MOST_STEPS, NO_SHRINK, STEPS, WIDE, kept};
pub use text::ChoicesError;
#[cfg(all(test, feature = "text"))]
pub(crate) use tree::MOVED;
pub(crate) use tree::Mark;
pub use tree::{Choices, Node, Nodes, PickNode};
pub(crate) use tree::{Entry, Frame, Kind};
