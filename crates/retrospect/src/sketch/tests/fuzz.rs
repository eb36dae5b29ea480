//! Texts that nobody wrote: valid ones, damaged at random. The seed is fixed, so a failure repeats.
//!
//! A longer run: `RETROSPECT_FUZZ_SECONDS=600 cargo test --release -p retrospect --lib
//! sketch::tests::fuzz -- --nocapture`.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::super::{Document, SketchKind};
use super::invariants::{Random, check};
use super::parts_of;

#[test]
fn damaged_texts_are_read_or_refused() {
    const USUAL_CASES: u64 = 10_000;
    let budget = std::env::var("RETROSPECT_FUZZ_SECONDS").ok().map(|seconds| match seconds.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => panic!("RETROSPECT_FUZZ_SECONDS={seconds} is not a whole number of seconds"),
    });
    let started = Instant::now();
    let mut random = Random(20);
    let mut texts: Vec<String> = SEEDS.iter().map(|&text| text.to_owned()).collect();
    let mut shapes = HashSet::new();
    let (mut n_cases, mut n_read, mut slowest) = (0u64, 0u64, (Duration::ZERO, String::new()));
    while budget.map_or(n_cases < USUAL_CASES, |budget| started.elapsed() < budget) {
        let text = damaged(&texts, &mut random);
        let case_started = Instant::now();
        let shown = ShownOnPanic(&text);
        let document = check(&text, &mut random);
        drop(shown);
        slowest = slowest.max((case_started.elapsed(), text.clone()));
        n_cases += 1;
        if let Some(document) = document {
            n_read += 1;
            // A text of a new shape is a place to go on from; more than this many only dilute the
            // rare ones.
            if shapes.insert(shape(&document)) {
                let place = random.below(2000);
                if texts.len() < 2000 {
                    texts.push(text);
                } else if place >= SEEDS.len() {
                    texts[place] = text;
                }
            }
        }
    }
    assert!(n_read > n_cases / 20, "only {n_read} of {n_cases} texts could be read, so little was checked");
    if budget.is_some() {
        println!(
            "{n_cases} texts, {n_read} read, {} shapes, the slowest took {:?}: {:?}",
            shapes.len(),
            slowest.0,
            slowest.1
        );
    }
}

#[test]
fn every_prefix_of_a_valid_text_is_read_or_refused() {
    for text in SEEDS {
        for (cut, _) in text.char_indices() {
            let _shown = ShownOnPanic(&text[..cut]);
            check(&text[..cut], &mut Random(cut as u64));
        }
        assert!(check(text, &mut Random(0)).is_some(), "{text} cannot be read");
    }
}

/// All of what Debug prints, and all of what else is read, in short.
const SEEDS: &[&str] = &[
    "{_ => false}",
    "{3 => true, [4, 1] => _, {1: 2} => {_ => 1}, 1.. => Some(_), _ => drawn(18),}",
    "{\"=>\"=>'='\n,_=>{a, b}}",
    "_",
    "Leaf",
    "Node(Node(_, 1, Leaf), -5, Node(Leaf, 9, Leaf))",
    "Tree::Node(Box::new(Leaf), 1_000i64, crate::tree::Rc::new(_))",
    "Point { x: 1.5e-7, y: NaN, z: -inf }",
    "Person {\n    name: \"Ada\",\n    age: Some(\n        36,\n    ),\n    tags: [],\n    r#type: 'x',\n}",
    "Mutex { data: 5, poisoned: false, .. }",
    "Thread { id: ThreadId(1), name: Some(\"main\"), .. }",
    "Foo { .. }",
    "Foo {}",
    "Foo()",
    "()",
    "(1,)",
    "(1)",
    "((1, 2), [3, _], {4, 5}, {6: 7, 8: _})",
    "{}",
    "{\"a\": [1, 2], \"b\": {\"c\": _}}",
    "{{1, {_, 2}}, {{3}, _}, {}}",
    "{Some(_), Some(1), None, (_, 1), (1, _)}",
    "{1: _, _: 2, _: _, 3: 4}",
    "{(1, [2]): 'a', (3, []): '\\''}",
    "1..2",
    "[1.., ..2, ..=3, .., 'a'..='z', _.._]",
    "(1, 2)..(3, 4)",
    "((1..2)..3)..=(4..5)",
    "{..: 1.., ::..::1: ::}",
    "[2..=2 (exhausted), 'a'..='a' (exhausted)]",
    "\"\\n\\r\\t\\\\\\\"\\'\\0\\u{301}\\x7f é 漢字 👍🏽 e\u{301}\"",
    "[\"f\\xFFé\", b\"\\xff\", c\"a\", r\"\\n\", br#\"a\"b\"#]",
    "(\"a\".to_string(), String::from(\"b\"), \"c\".into(), String::new(), Vec::new(), HashMap::new())",
    "['a', '\"', '\\'', '\\u{301}', '漢', '\\n']",
    "[127.0.0.1, ::1, 127.0.0.1:80, [::1]:8080, [fe80::1%3]:443, ::, fe80::]",
    "{::: ::, [::1]:80: [::1], [::1]: 1}",
    "[1.5s, 2µs, 100ns, 0x7ffd, 2024-01-01T00:00:00Z]",
    "(PhantomData<(u8, alloc::string::String)>, PhantomData<fn(u8) -> u8>, OnceCell(<uninit>))",
    "Option::<Vec<u8>>::Some::<u8>(&[&1, &mut 2])",
    "vec![vec![0xff, 0b1, 0o7, -1_0], vec![]]",
    "Foo{a:\"b\",c:[1]}",
    "\u{feff}[\u{a0}1,\u{2003}2]",
];

/// Pieces that mean something to the reader.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "=>",
    " => ",
    "_ => ",
    ":",
    ": ",
    "::",
    ".",
    "..",
    "..=",
    "_",
    " ",
    "\n",
    "\t",
    "\0",
    "\"",
    "'",
    "\\",
    "\\u{",
    "\\x",
    "\\n",
    "r#\"",
    "\"#",
    "b\"",
    "&",
    "&mut ",
    "<",
    ">",
    "->",
    "::<",
    "r#",
    "vec![",
    "Box::new(",
    "String::new()",
    "Vec::new()",
    ".to_string()",
    ".into()",
    " (exhausted)",
    "Name",
    "Name(",
    "Name {",
    "a: ",
    "{ .. }",
    ", .. }",
    "Mutex { ",
    "1",
    "-1",
    "0x",
    "1_0u8",
    "1.5",
    "[::1]:80",
    "::1",
    "é",
    "漢",
    "👍",
    "\u{301}",
    "\u{a0}",
    "\u{feff}",
    ";",
    "=",
    "!",
    "#",
    "@",
    "%",
    "`",
    "\u{7f}",
    "\r",
];

/// A text made from one or two others.
fn damaged(texts: &[String], random: &mut Random) -> String {
    if random.below(50) == 0 {
        return (0..random.below(40)).map(|_| random.pick(PIECES)).collect();
    }
    let mut text = texts[random.below(texts.len())].clone();
    for _ in 0..1 + random.below(4) {
        let from = boundary(&text, random);
        let to = boundary(&text, random);
        let (from, to) = (from.min(to), from.max(to));
        match random.below(9) {
            // A piece is put in, or takes the place of what follows.
            0 | 1 => text.insert_str(from, random.pick(PIECES)),
            2 => text.replace_range(from..next_boundary(&text, from), random.pick(PIECES)),
            3 => text.replace_range(from..next_boundary(&text, from), ""),
            4 => text.replace_range(from..to, ""),
            5 => {
                let again = text[from..floor(&text, to, from + 30)].to_owned();
                text.insert_str(from, &again);
            }
            6 => text.truncate(to),
            // A whole other text takes the place of a part, which mostly makes a valid one.
            7 => replace_part(&mut text, &texts[random.below(texts.len())], random),
            _ => {
                let other = &texts[random.below(texts.len())];
                let [start, end] = [boundary(other, random), boundary(other, random)];
                text.insert_str(from, &other[start.min(end)..start.max(end)]);
            }
        }
        if text.len() > 600 {
            let cut = floor(&text, 600, 600);
            text.truncate(cut);
        }
    }
    text
}

fn replace_part(text: &mut String, by: &str, random: &mut Random) {
    let Ok(document) = Document::parse(text) else { return };
    let mut part = document.root();
    while let parts = parts_of(part)
        && !parts.is_empty()
        && random.below(3) > 0
    {
        part = random.pick(&parts);
    }
    text.replace_range(part.span(), by);
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let offset = random.below(text.len() + 1);
    floor(text, offset, offset)
}

fn next_boundary(text: &str, from: usize) -> usize {
    text[from..].chars().next().map_or(from, |character| from + character.len_utf8())
}

/// The boundary of a character at or before the smaller of two offsets.
fn floor(text: &str, one: usize, other: usize) -> usize {
    (0..=one.min(other).min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// What kinds of parts a text has inside each other; two texts of one shape test nearly the same.
fn shape(document: &Document) -> Vec<u8> {
    let mut shape = Vec::new();
    let mut open = vec![(document.root(), 0)];
    while let Some((sketch, depth)) = open.pop() {
        let kind = match sketch.kind() {
            SketchKind::Hole => b'_',
            SketchKind::Word(word) if word.contains("::") => b':',
            SketchKind::Word(_) => b'w',
            SketchKind::Text => b'"',
            SketchKind::Char => b'\'',
            SketchKind::Unit => b'u',
            SketchKind::Tuple { name: "", .. } => b't',
            SketchKind::Tuple { .. } => b'n',
            SketchKind::Record { open, .. } => b'r' + u8::from(open),
            SketchKind::List { .. } => b'l',
            SketchKind::Set { .. } => b's',
            SketchKind::Map { .. } => b'm',
            SketchKind::Table { .. } => b'>',
            SketchKind::Range => b'.',
        };
        shape.push(kind);
        if depth < 4 {
            open.extend(parts_of(sketch).into_iter().take(4).map(|part| (part, depth + 1)));
        }
    }
    shape
}

/// Shows the text whose check failed.
struct ShownOnPanic<'t>(&'t str);

impl Drop for ShownOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the text was {:?}", self.0);
        }
    }
}
