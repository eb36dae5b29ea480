//! Every example obeys every law, and accepts exactly what a check written by hand accepts.

use examples::avl::{Avl, avl};
use examples::bst::{Tree, bst};
use examples::heap::{Heap, heap};
use examples::json::json;
use examples::red_black::{RedBlack, red_black};
use examples::sorted::sorted;
use examples::stlc::{Term, terms, type_of, types};
use retrospect::laws::Laws;
use retrospect::prelude::*;

#[test]
fn search_trees() {
    laws::check(&bst(0, 30));
    agrees(&bst(0, 9), &any::<Tree>(), |tree| tree.is_within(0, 9));
}

#[test]
fn red_black_trees() {
    laws::check(&red_black(0, 30));
    agrees(&red_black(0, 63), &any::<RedBlack>(), |tree| tree.is_valid(0, 63));
    for tree in red_black(0, 60).samples(1).take(200) {
        assert!(tree.is_valid(0, 60), "{tree:?}");
    }
}

#[test]
fn avl_trees() {
    laws::check(&avl(0, 20));
    agrees(&avl(0, 20), &any::<Avl>(), |tree| tree.is_valid(0, 20));
    for tree in avl(0, 60).samples(1).take(200) {
        assert!(tree.is_valid(0, 60), "{tree:?}");
    }
}

#[test]
fn heaps() {
    laws::check(&heap(0, 20, 4));
    agrees(&heap(0, 20, 20), &any::<Heap>(), |heap| heap.is_valid(0, 20));
}

#[test]
fn sorted_lists() {
    laws::check(&sorted(0, 50));
    agrees(&sorted(0, 50), &vec_of(0..=60, ..=6), |list| list.is_sorted() && list.iter().all(|item| *item <= 50));
}

#[test]
fn typed_terms() {
    laws::check(&types(3));
    laws::check(&terms(4));
    for term in terms(4).samples(1).take(300) {
        assert!(type_of(&[], &term).is_some(), "{term:?}");
    }
    let ill_typed = |term: &Term| type_of(&[], term).is_none();
    for term in any::<Term>().samples(2).take(500).filter(ill_typed) {
        assert!(!terms(1000).accepts(&term), "{term:?}");
    }
}

#[test]
fn json_documents() {
    laws::check(&json(3));
}

/// On values from a generator that knows nothing of the rules, the generator accepts just what the check by hand accepts, and what it accepts obeys the laws.
fn agrees<G, A>(generator: &G, anything: &A, is_valid: impl Fn(&G::Value) -> bool)
where
    G: Generator,
    A: Generator<Value = G::Value>,
{
    let mut accepted = 0;
    for value in anything.samples(7).take(2000) {
        assert_eq!(generator.accepts(&value), is_valid(&value), "{value:?}");
        accepted += u32::from(is_valid(&value));
        Laws::default().verify_value(generator, &value).unwrap();
    }
    assert!(accepted > 0, "no valid value was among them");
}
