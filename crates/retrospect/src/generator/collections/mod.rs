//! Lists, maps and sets; choices among given items.

mod arrays;
mod choose;
mod distinct;
mod lengths;
mod list;
mod maps;
mod sequence;
mod sets;

pub use arrays::{ArrayOf, array_of};
pub use choose::{ElementOf, Items, PermutationOf, SubsequenceOf, element_of, permutation_of, subsequence_of};
pub use lengths::Lengths;
pub(super) use lengths::length_problem;
pub use list::{ListAs, ListLike, VecOf, vec_of};
pub(super) use list::{MAX_RESERVED, too_many};
pub use maps::{MapLike, MapOf, hash_map_of, map_of};
pub use sequence::{SequenceOf, sequence_of};
pub use sets::{SetLike, SetOf, hash_set_of, set_of};
