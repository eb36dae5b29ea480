//! A backward interpretation that uses nothing but what the crate gives to its users, as appendix D
//! of *Reflecting on Random Generation* has forward ones.

use retrospect::choice::{Choices, Node, Nodes, Site};
use retrospect::prelude::*;
use retrospect::reflect::{EndlessWays, FoldWays, Forest, Reflector};
use std::collections::BTreeSet;

fn forest_of<G: Generator>(generator: &G, value: &G::Value) -> Forest {
    let mut reflector = Reflector::all_ways();
    generator.reflect(value, &mut reflector).expect("it can be made");
    reflector.into_forest()
}

/// All ways as texts: what `Ways::iter` gives, written down by hand.
struct Texts;

fn joined(first: BTreeSet<String>, second: BTreeSet<String>) -> BTreeSet<String> {
    let both = |one: &String| second.iter().map(move |other| format!("{one} {other}")).collect::<Vec<_>>();
    first.iter().flat_map(both).collect()
}

fn each(texts: BTreeSet<String>, write: impl Fn(&str) -> String) -> BTreeSet<String> {
    texts.iter().map(|text| write(text.trim())).collect()
}

impl FoldWays for Texts {
    type Output = BTreeSet<String>;

    fn nothing(&mut self) -> BTreeSet<String> {
        [String::new()].into()
    }

    fn number(&mut self, index: u64, bound: u64) -> BTreeSet<String> {
        [format!("{index}/{bound}")].into()
    }

    fn pick(&mut self, site: Option<&'static Site>, arm: usize, body: BTreeSet<String>) -> BTreeSet<String> {
        let label = site.and_then(|site| site.label(arm)).unwrap_or_default();
        each(body, |body| format!("{arm}:{label}({body})"))
    }

    fn repeat(&mut self, count: u64, items: BTreeSet<String>) -> BTreeSet<String> {
        each(items, |items| format!("{count}[{items}]"))
    }

    fn call(&mut self, _site: Option<&'static Site>, inside: BTreeSet<String>) -> BTreeSet<String> {
        each(inside, |inside| format!("({inside})"))
    }

    fn both(&mut self, first: BTreeSet<String>, second: BTreeSet<String>) -> BTreeSet<String> {
        joined(first, second)
    }

    fn either(&mut self, mut one: BTreeSet<String>, mut other: BTreeSet<String>) -> BTreeSet<String> {
        one.append(&mut other);
        one
    }
}

/// The same of one way that is known.
fn text_of(way: &Choices) -> String {
    fn of(nodes: Nodes<'_>) -> String {
        let mut texts = Vec::new();
        for node in nodes {
            texts.push(match node {
                Node::Number { index, bound } => format!("{index}/{bound}"),
                Node::Pick(pick) => format!("{}:{}({})", pick.arm, pick.label.unwrap_or_default(), of(pick.body)),
                Node::Repeat { items } => format!("{}[{}]", items.len(), of(items)),
                Node::Call { children, .. } => format!("({})", of(children)),
            });
        }
        texts.join(" ")
    }
    of(way.nodes())
}

#[track_caller]
fn folds_to_all_ways<G: Generator>(generator: &G, value: &G::Value) {
    let by_fold = forest_of(generator, value).fold(&mut Texts).unwrap().expect("there is a way");
    // Brackets around one part come and go with what stands in it, so they are left out.
    let plain =
        |text: &str| text.replace(['(', ')'], " ").replace('[', "[ ").split_whitespace().collect::<Vec<_>>().join(" ");
    let by_fold: BTreeSet<String> = by_fold.iter().map(|text| plain(text)).collect();
    let by_ways: BTreeSet<String> = generator.ways_of(value).iter().map(|way| plain(&text_of(&way))).collect();
    assert_eq!(by_fold, by_ways);
}

#[test]
fn the_ways_of_a_fold_are_the_reflections() {
    folds_to_all_ways(&one_of((0..=5, 3..=9)), &4);
    folds_to_all_ways(&vec_of(one_of((0..=5, 3..=9)), ..), &vec![4, 1, 9, 3]);
    folds_to_all_ways(
        &tuple((any::<Option<bool>>(), one_of((0..3, 1..4)), any::<String>())),
        &(Some(true), 2, "ab".into()),
    );
    folds_to_all_ways(&any::<Vec<Option<u8>>>(), &vec![None, Some(3)]);
    folds_to_all_ways(
        &text::grammar(r#"list = item | list "," list ; item = [a-c] ;"#).unwrap(),
        &"a,b,c,a".to_owned(),
    );
}

#[test]
fn endless_ways_are_an_error_and_no_way_is_none() {
    #[generator]
    fn zero() -> u8 {
        match pick() {
            "now" => 0,
            "later" => {
                let same = draw(zero());
                same
            }
        }
    }
    assert_eq!(forest_of(&zero(), &0).fold(&mut Texts), Err(EndlessWays { cycle: "zero".to_owned() }));
    let mut reflector = Reflector::all_ways();
    assert!((0..3).reflect(&7, &mut reflector).is_err());
    assert_eq!(one_of((0..5, 3..9)).ways_of(&12).iter().count(), 0);
}
