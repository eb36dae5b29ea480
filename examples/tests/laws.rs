//! Every example obeys every law, and accepts exactly what a check written by hand accepts.

use examples::avl::{Avl, avl};
use examples::bst::{Tree, bst};
use examples::division;
use examples::heap::{Heap, heap};
use examples::json::json;
use examples::red_black::{RedBlack, red_black};
use examples::sorted::sorted;
use examples::stlc::{Term, terms, type_of, types};
use examples::system_f;
use retrospect::laws::{Law, Laws};
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
fn terms_of_system_f() {
    laws::check(&system_f::types(0));
    laws::check(&system_f::terms(3));
    laws::sound_for(&system_f::terms(3), |term| system_f::type_of(term).is_some());
    agrees(&system_f::terms(0), &any::<system_f::Term>(), |term| system_f::type_of(term).is_some());
    // A type without terms is never asked for, but a term may use it: from what has every type,
    // everything follows.
    let bottom = "ForAll(Var(0))";
    for text in [
        format!("Lam({bottom}, Var(0))"),
        format!("Lam({bottom}, TypeLam(TypeApp(Var(0), Var(0))))"),
        format!("Lam({bottom}, App(TypeApp(Var(0), Fun({bottom}, Bool)), Var(0)))"),
        "TypeApp(TypeLam(Lam(Var(0), TypeLam(Lam(Var(0), Var(1))))), ForAll(Fun(Var(0), Var(0))))".to_owned(),
    ] {
        let term = system_f::terms(2).read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(system_f::terms(0).accepts(&term) && system_f::type_of(&term).is_some(), "{text}");
    }
}

#[test]
fn terms_that_do_not_divide_by_zero() {
    laws::check(&division::terms());
    laws::sound_for(&division::terms(), |term| term.value().is_some());
    agrees(&division::terms(), &any::<division::Term>(), |term| term.value().is_some());
}

/// Search trees with keys from `lo` to `hi`, with mistakes: keys on the left are at most `left`
/// more than the key, those on the right at least `right` less.
#[generator]
fn shifted_bst(lo: i64, hi: i64, left: i64, right: i64) -> Tree {
    match pick() {
        // A key that may come again below itself would go on for ever, were it not for this.
        #[weight(2)]
        "leaf" => Tree::Leaf,
        #[weight(if lo <= hi { 1 } else { 0 })]
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(shifted_bst(lo, x - 1 + left, left, right));
            let r = draw(shifted_bst(x + 1 - right, hi, left, right));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

/// Trees of a few keys in any order.
#[generator]
fn unordered() -> Tree {
    match pick() {
        #[weight(3)]
        "leaf" => Tree::Leaf,
        #[weight(2)]
        "node" => Tree::Node(Box::new(draw(unordered())), draw(0..=4), Box::new(draw(unordered()))),
    }
}

#[test]
fn a_bound_that_is_off_by_one_breaks_the_law_that_it_should() {
    let broken = |(lo, hi, left, right)| {
        let generator = shifted_bst(lo, hi, left, right);
        let laws = Laws::default();
        let is_valid = |tree: &Tree| tree.is_within(1, 3);
        let anything = unordered();
        let candidates = anything.samples(0).take(3000);
        let law = |result: Result<(), retrospect::laws::Broken>| result.err().map(|broken| broken.law());
        (
            law(laws.verify_sound_for(&generator, is_valid)),
            law(laws.verify_complete_for(&generator, candidates, is_valid)),
        )
    };
    assert_eq!(broken((1, 3, 0, 0)), (None, None));
    for too_wide in [(0, 3, 0, 0), (1, 4, 0, 0), (1, 3, 1, 0), (1, 3, 0, 1)] {
        assert_eq!(broken(too_wide), (Some(Law::SoundFor), None), "{too_wide:?}");
    }
    for too_narrow in [(2, 3, 0, 0), (1, 2, 0, 0), (1, 3, -1, 0), (1, 3, 0, -1)] {
        assert_eq!(broken(too_narrow), (None, Some(Law::CompleteFor)), "{too_narrow:?}");
    }
}

#[test]
fn json_documents() {
    laws::check(&json(3));
}

/// On values from a generator that knows nothing of the rules, the generator accepts just what the
/// check by hand accepts, and what it accepts obeys the laws.
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
