//! The generators that come with the paper.

use super::small::{by_size, inserted, lists, pairs, trees};
use super::{Row, Subject};
use crate::core::overlap::{Nat, g_1, g_e, g_i};
use crate::measure::Effort;
use crate::shrinking::package::{Json as Value, OWN, Package, json as values, package};
use crate::shrinking::problems::challenges::{Term, term};
use examples::bst::{Tree, bst};
use examples::division::{self, Factor};
use examples::heap::{Heap, heap};
use examples::json::{Json, json};
use examples::stlc::{self, Type};
use examples::system_f;
use retrospect::prelude::*;

const SOUND_ONLY: &str = "sound; projection given up: too few values meet its condition";

pub(super) fn of_section_4_3(effort: Effort) -> Vec<Row> {
    vec![
        Subject::new("terms without division by zero", division::terms())
            .valid(|term| term.value().is_some())
            .candidates(divisions(5))
            .artifact("not tested; by reading, no quotient reflects: its divisor is looked for in the wrong place")
            .check(effort),
        Subject::new("typed lambda terms", stlc::terms(5))
            .valid(|term| is_drawn(&[], term) && stlc::type_of(&[], term).is_some_and(|wanted| depth(&wanted) <= 2))
            .candidates(lambda_terms(5))
            .artifact("not tested; `reflect` ends in an error at `sized`, and by reading only numbers reflect")
            .check(effort),
        Subject::new("terms of System F", system_f::terms(3))
            .valid(|term| system_f::type_of(term).is_some())
            .candidates(polymorphic_terms(5))
            .artifact("sound: known failure; projection: known failure")
            .check(effort),
    ]
}

pub(super) fn others(effort: Effort) -> Vec<Row> {
    let keys = [0, 1, 2, 5, 10, 11];
    let small_trees = || trees(3, &keys, &Tree::Leaf, |l, x, r| Tree::Node(Box::new(l), x, Box::new(r)));
    let grown = || inserted(300, 9, &Tree::Leaf, |tree, key| tree.insert(1 + i64::from(key)));
    let is_search_tree = |tree: &Tree| tree.is_within(1, 10);
    vec![
        Subject::new("search trees", bst(1, 10))
            .valid(is_search_tree)
            .candidates(small_trees())
            .candidates(grown())
            .artifact("sound, projection, valid, complete")
            .check(effort),
        Subject::new("search trees, by combinators", search_trees(1, 10).with_reader(any::<Tree>()))
            .valid(is_search_tree)
            .candidates(small_trees())
            .candidates(grown())
            .artifact("the same as above")
            .check(effort),
        Subject::new("search trees, annotations left out", bst(-10, 10))
            .valid(|tree| tree.is_within(-10, 10))
            .candidates(trees(3, &[-11, -10, 0, 10, 11], &Tree::Leaf, |l, x, r| {
                Tree::Node(Box::new(l), x, Box::new(r))
            }))
            .candidates(inserted(300, 20, &Tree::Leaf, |tree, key| tree.insert(i64::from(key) - 10)))
            .artifact("`undefined` where they belong; not run")
            .check(effort),
        Subject::new("search trees, forward only", forward_search_trees(1, 10))
            .forward_only()
            .valid(is_search_tree)
            .artifact("not tested: not aligned")
            .check(effort),
        Subject::new("trees of zeros", zero_trees())
            .valid(|tree| tree.keys().iter().all(|key| *key == 0))
            .candidates(trees(4, &[0, 1], &Tree::Leaf, |l, x, r| Tree::Node(Box::new(l), x, Box::new(r))))
            .artifact("too slow to test")
            .check(effort),
        Subject::new("unlabelled trees", unlabelled())
            .candidates(trees(6, &[()], &Unlabelled::Leaf, |l, (), r| Unlabelled::Branch(Box::new(l), Box::new(r))))
            .artifact("sound, projection")
            .check(effort),
        Subject::new("heaps", heap(-30, 30, 5))
            .valid(|heap| heap.is_valid(-30, 30))
            .candidates(trees(3, &[-31, -30, 0, 7, 30, 31], &Heap::Empty, |l, x, r| {
                Heap::Node(x, Box::new(l), Box::new(r))
            }))
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("numbers in one way (g1)", g_1())
            .candidates((0..30).map(Nat::of))
            .artifact("not tested")
            .check(effort),
        Subject::new("numbers in exponentially many ways (gE)", g_e())
            .candidates((0..30).map(Nat::of))
            .artifact("not tested; exponential")
            .check(effort),
        Subject::new("numbers in infinitely many ways (gI)", g_i())
            .candidates((0..30).map(Nat::of))
            .artifact("not tested; `reflect` does not end")
            .check(effort),
        Subject::new("one, in one way", exact(1))
            .valid(|number| *number == 1)
            .candidates(0..4)
            .artifact("not tested")
            .check(effort),
        Subject::new("one in two ways, and two", one_of((exact(1), exact(1), exact(2))))
            .valid(|number| (1..=2).contains(number))
            .candidates(0..4)
            .artifact("not tested")
            .check(effort),
        Subject::new("lists in infinitely many ways", looping())
            .valid(|list| list.iter().all(|item| *item <= 10))
            .candidates(lists(3, &[0, 3, 10, 11]))
            .artifact("not tested: it does not stop")
            .check(effort),
        Subject::new("numbers of 16 bits", any::<i16>())
            .candidates([i16::MIN, -300, -1, 0, 1, 255, 256, i16::MAX])
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("five lists (bound5)", any::<FiveLists>())
            .candidates(
                lists(2, &[-32_768, 0, 256])
                    .into_iter()
                    .map(|list| FiveLists(list.clone(), vec![], list, vec![1], vec![])),
            )
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("sums and quotients (calculator)", term(2))
            .valid(|term| levels(term) <= 2)
            .candidates(calculations(7))
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("lists of numbers (reverse)", any::<Numbers>())
            .candidates(lists(4, &[-1, 0, 7]).into_iter().map(Numbers))
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("lists that are not empty", vec_of(0..=9, 1..))
            .valid(|list| !list.is_empty() && list.iter().all(|item| *item <= 9))
            .candidates(lists(3, &[0, 5, 9, 10]))
            .artifact("not tested")
            .check(effort),
        Subject::new("JSON, as a tree", json(3))
            .valid(|json| is_plain(json, 3))
            .candidates(documents(4))
            .artifact("none")
            .check(effort),
        Subject::new("JSON, as text", json_text())
            .valid(|text| read_json(text).is_some_and(|json| is_json_like(&json, 2)))
            .candidates(texts())
            .artifact("sound; projection fails: only a prefix is looked at")
            .check(effort),
        Subject::new("JSON with a checksum", with_checksum())
            .valid(|text| payload_of(text).and_then(read_json).is_some_and(|json| is_json_like(&json, 2)))
            .candidates(
                texts().into_iter().flat_map(|text| [text.clone(), checked(&text), checked(&text).replace(":1", ":2")]),
            )
            .artifact("sound; projection fails: only a prefix is looked at")
            .check(effort),
        Subject::new("package.json, as a struct", package())
            .candidates(Package::read(OWN))
            .artifact("not tested")
            .check(effort),
    ]
}

/// Search trees without the macro: each bind has its focus, as in the paper.
fn search_trees(lo: i64, hi: i64) -> Boxed<'static, Tree> {
    fn root(tree: &Tree) -> Option<i64> {
        match tree {
            Tree::Leaf => None,
            Tree::Node(_, key, _) => Some(*key),
        }
    }
    let node = move |key: &i64| {
        let key = *key;
        tuple((lazy(move || search_trees(lo, key - 1)), lazy(move || search_trees(key + 1, hi)))).map_with_inverse(
            move |(left, right)| Tree::Node(Box::new(left), key, Box::new(right)),
            move |tree| match tree {
                Tree::Node(left, found, right) if *found == key => Some(((**left).clone(), (**right).clone())),
                _ => None,
            },
        )
    };
    let nodes = (lo..=hi).bind_with_focus(node, root);
    frequency(((1, exact(Tree::Leaf)), (if lo <= hi { 5 } else { 0 }, nodes))).boxed()
}

#[generator(forward)]
fn forward_search_trees(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(5)]
        "node" => {
            let key = draw(lo..=hi);
            let left = draw(forward_search_trees(lo, key - 1));
            let right = draw(forward_search_trees(key + 1, hi));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}

/// Trees that are as likely to end as to branch; the artifact's have no size and may not end.
#[generator]
fn zero_trees() -> Tree {
    match pick() {
        #[weight(3)]
        "leaf" => Tree::Leaf,
        #[weight(2)]
        "node" => Tree::Node(Box::new(draw(zero_trees())), 0, Box::new(draw(zero_trees()))),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Unlabelled {
    Leaf,
    Branch(Box<Unlabelled>, Box<Unlabelled>),
}

#[generator]
fn unlabelled() -> Unlabelled {
    match pick() {
        #[weight(3)]
        "leaf" => Unlabelled::Leaf,
        #[weight(2)]
        "branch" => Unlabelled::Branch(Box::new(draw(unlabelled())), Box::new(draw(unlabelled()))),
    }
}

/// The artifact has the arm that leads back first; here the first must end.
#[generator]
fn looping() -> Vec<u8> {
    match pick() {
        "items" => draw(vec_of(0..=10, ..)),
        "again" => draw(looping()),
    }
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct FiveLists(Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>);

#[derive(Clone, Debug, PartialEq, Generate)]
struct Numbers(Vec<i64>);

// Terms, all of them.

fn divisions(most: usize) -> Vec<division::Term> {
    use division::Term;
    let factors = [Factor::Zero, Factor::One];
    by_size(most, |size, table: &[Vec<Term>]| match size {
        0 => factors.map(Term::Factor).to_vec(),
        size => {
            let longer = |term: &Term| {
                factors.map(|right| {
                    [Term::Times(Box::new(term.clone()), right), Term::Over(Box::new(term.clone()), right)]
                })
            };
            table[size - 1].iter().flat_map(longer).flatten().collect()
        }
    })
}

fn calculations(most: usize) -> Vec<Term> {
    by_size(most, |size, table: &[Vec<Term>]| match size {
        0 => vec![],
        1 => [0, 1, -7].map(Term::Number).to_vec(),
        size => {
            let both = |(left, right): (Term, Term)| {
                let (left, right) = (Box::new(left), Box::new(right));
                [Term::Add(left.clone(), right.clone()), Term::Divide(left, right)]
            };
            pairs(size - 1, table).into_iter().flat_map(both).collect()
        }
    })
}

fn levels(term: &Term) -> u32 {
    match term {
        Term::Number(_) => 0,
        Term::Add(left, right) | Term::Divide(left, right) => 1 + levels(left).max(levels(right)),
    }
}

fn lambda_terms(most: usize) -> Vec<stlc::Term> {
    use stlc::Term;
    let types = [Type::Int, Type::Fun(Box::new(Type::Int), Box::new(Type::Int))];
    by_size(most, |size, table: &[Vec<Term>]| match size {
        0 => vec![],
        1 => vec![Term::Int(0), Term::Int(10), Term::Var(0), Term::Var(1)],
        size => {
            let mut terms = Vec::new();
            for body in &table[size - 1] {
                terms.extend(types.iter().map(|parameter| Term::Lam(parameter.clone(), Box::new(body.clone()))));
            }
            for (left, right) in pairs(size - 1, table) {
                let (left, right) = (Box::new(left), Box::new(right));
                terms.extend([Term::Add(left.clone(), right.clone()), Term::App(left, right)]);
            }
            terms
        }
    })
}

/// Whether the generator draws the numbers and the parameters of calls that are in the term.
fn is_drawn(variables: &[Type], term: &stlc::Term) -> bool {
    use stlc::Term;
    match term {
        Term::Int(number) => (0..=9).contains(number),
        Term::Var(_) => true,
        Term::Add(left, right) => is_drawn(variables, left) && is_drawn(variables, right),
        Term::Lam(parameter, body) => is_drawn(&[std::slice::from_ref(parameter), variables].concat(), body),
        Term::App(function, argument) => {
            stlc::type_of(variables, argument).is_some_and(|parameter| depth(&parameter) <= 2)
                && is_drawn(variables, function)
                && is_drawn(variables, argument)
        }
    }
}

fn depth(wanted: &Type) -> u32 {
    match wanted {
        Type::Int => 0,
        Type::Fun(from, to) => 1 + depth(from).max(depth(to)),
    }
}

fn polymorphic_terms(most: usize) -> Vec<system_f::Term> {
    use system_f::{Term, Type};
    let any_type = || Type::ForAll(Box::new(Type::Var(0)));
    let identity = Type::ForAll(Box::new(Type::Fun(Box::new(Type::Var(0)), Box::new(Type::Var(0)))));
    let types = [Type::Unit, Type::Var(0), any_type(), identity];
    by_size(most, |size, table: &[Vec<Term>]| match size {
        0 => vec![],
        1 => vec![Term::Unit, Term::Bool(true), Term::Var(0), Term::Var(1)],
        size => {
            let mut terms = Vec::new();
            for body in &table[size - 1] {
                let body = || Box::new(body.clone());
                terms.push(Term::TypeLam(body()));
                for one in &types {
                    terms.extend([Term::Lam(one.clone(), body()), Term::TypeApp(body(), one.clone())]);
                }
            }
            let calls = pairs(size - 1, table);
            terms.extend(
                calls.into_iter().map(|(function, argument)| Term::App(Box::new(function), Box::new(argument))),
            );
            for condition in 1..size - 1 {
                for (then, otherwise) in pairs(size - 1 - condition, table) {
                    let with = |condition: &Term| {
                        Term::If(Box::new(condition.clone()), Box::new(then.clone()), Box::new(otherwise.clone()))
                    };
                    terms.extend(table[condition].iter().map(with));
                }
            }
            terms
        }
    })
}

// JSON.

fn is_plain(json: &Json, depth: u32) -> bool {
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => true,
        Json::String(text) => text.len() <= 9 && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
        Json::Array(items) => depth > 0 && items.len() <= 4 && items.iter().all(|item| is_plain(item, depth - 1)),
        Json::Object(fields) => {
            let is_name =
                |name: &str| (1..=5).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
            depth > 0
                && fields.len() <= 4
                && fields.iter().all(|(name, item)| is_name(name) && is_plain(item, depth - 1))
        }
    }
}

fn documents(most: usize) -> Vec<Json> {
    by_size(most, |size, table: &[Vec<Json>]| match size {
        0 => vec![],
        1 => {
            let texts = ["", "a b", "\u{7f}", "1234567890"].map(|text| Json::String(text.to_owned()));
            [Json::Null, Json::Bool(true), Json::Number(-1), Json::Array(vec![]), Json::Object(vec![])]
                .into_iter()
                .chain(texts)
                .collect()
        }
        size => {
            let named = |name: &str, item: &Json| Json::Object(vec![(name.to_owned(), item.clone())]);
            let around = |item: &Json| [Json::Array(vec![item.clone()]), named("ab", item), named("A", item)];
            let both = |(one, other): (Json, Json)| Json::Array(vec![one, other]);
            table[size - 1].iter().flat_map(around).chain(pairs(size - 1, table).into_iter().map(both)).collect()
        }
    })
}

/// JSON as compact text. Backward, the text is parsed.
fn json_text() -> impl Generator<Value = String> + Clone {
    values(2).map_with_inverse(|json| json.to_text(), |text| read_json(text)).with_reader(any::<String>())
}

/// JSON that comes with a checksum of its text.
fn with_checksum() -> impl Generator<Value = String> + Clone {
    json_text()
        .map_with_inverse(|text| checked(&text), |whole| payload_of(whole).map(str::to_owned))
        .with_reader(any::<String>())
}

fn checked(payload: &str) -> String {
    format!("{{\"checksum\":{},\"payload\":{payload}}}", checksum(payload))
}

/// The payload, if its checksum is right.
fn payload_of(whole: &str) -> Option<&str> {
    let (_, rest) = whole.split_once(",\"payload\":")?;
    let payload = rest.strip_suffix('}')?;
    (whole == checked(payload)).then_some(payload)
}

fn checksum(text: &str) -> u32 {
    text.bytes().fold(5381, |sum: u32, byte| sum.wrapping_mul(33) ^ u32::from(byte))
}

fn is_json_like(json: &Value, depth: u32) -> bool {
    let is_text = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    match json {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => is_text(text),
        Value::Array(items) => depth > 0 && items.iter().all(|item| is_json_like(item, depth - 1)),
        Value::Object(fields) => {
            depth > 0 && fields.iter().all(|(name, item)| is_text(name) && is_json_like(item, depth - 1))
        }
    }
}

/// What the compact text says, if it is exactly what would be written for it.
fn read_json(text: &str) -> Option<Value> {
    fn value<'t>(text: &'t str) -> Option<(Value, &'t str)> {
        for (word, json) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))] {
            if let Some(rest) = text.strip_prefix(word) {
                return Some((json, rest));
            }
        }
        if text.starts_with('"') {
            return string(text).map(|(text, rest)| (Value::String(text), rest));
        }
        if let Some(rest) = text.strip_prefix('[') {
            return several(rest, ']', value).map(|(items, rest)| (Value::Array(items), rest));
        }
        if let Some(rest) = text.strip_prefix('{') {
            let field = |text: &'t str| {
                let (name, rest) = string(text)?;
                let (json, rest) = value(rest.strip_prefix(':')?)?;
                Some(((name, json), rest))
            };
            return several(rest, '}', field).map(|(fields, rest)| (Value::Object(fields), rest));
        }
        let end = text.find(|letter: char| letter != '-' && !letter.is_ascii_digit()).unwrap_or(text.len());
        Some((Value::Number(text[..end].parse().ok()?), &text[end..]))
    }
    fn string(text: &str) -> Option<(String, &str)> {
        let mut letters = text.strip_prefix('"')?.char_indices();
        let mut read = String::new();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '"' => return Some((read, &text[place + 2..])),
                '\\' => read.push(letters.next()?.1),
                letter => read.push(letter),
            }
        }
        None
    }
    fn several<'t, T>(
        text: &'t str,
        end: char,
        one: impl Fn(&'t str) -> Option<(T, &'t str)>,
    ) -> Option<(Vec<T>, &'t str)> {
        if let Some(rest) = text.strip_prefix(end) {
            return Some((vec![], rest));
        }
        let (mut all, mut rest) = (vec![], text);
        loop {
            let (item, after) = one(rest)?;
            all.push(item);
            match after.strip_prefix(',') {
                Some(after) => rest = after,
                None => return Some((all, after.strip_prefix(end)?)),
            }
        }
    }
    let (json, rest) = value(text)?;
    (rest.is_empty() && json.to_text() == text).then_some(json)
}

/// Texts, of which some are compact JSON.
fn texts() -> Vec<String> {
    let pieces = ["[", "]", "{", "}", "\"a\"", ":", ",", "1", "-", "null", " "];
    let mut texts: Vec<String> = lists(4, &pieces).into_iter().map(|pieces| pieces.concat()).collect();
    let longer = ["{\"a\":[1,2],\"a\":{}}", "[[[1]]]", "\"\\\"\\\\\"", "\"\\n\"", "-0", "01", "{\"a\":[true,false]}x"];
    texts.extend(longer.map(str::to_owned));
    texts
}
