//! Reading what Rust really prints: each test formats values of the standard library or of derived
//! types with `{:?}` and `{:#?}`, and asks the sketch for what went in.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroU8, Wrapping};
use std::ops::Bound;
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::time::Duration;

use retrospect::sketch::{Document, Sketch, SketchKind};

#[test]
fn numbers() {
    for number in [0, 1, -1, i64::MIN, i64::MAX] {
        check_parsed(number);
    }
    check_parsed(u128::MAX);
    check_parsed(i128::MIN);
    for number in [0.0, -0.0, 1.5, 1e300, 1.5e-7, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY] {
        check_parsed(number);
    }
    check(&f64::NAN, |sketch| assert!(sketch.parsed::<f64>().unwrap().is_nan()));
    check(&-f32::NAN, |sketch| assert!(sketch.parsed::<f32>().unwrap().is_nan()));
    check_parsed(NonZeroU8::MIN);
    check_parsed(true);
    check(&Wrapping(-5), |sketch| assert_eq!(sketch.parsed(), Some(-5)));
}

#[test]
fn addresses() {
    for address in ["127.0.0.1", "::1", "::", "fe80::", "dead::beef", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"] {
        check_parsed(IpAddr::from_str(address).unwrap());
    }
    for address in ["127.0.0.1:80", "[::1]:8080", "[::]:1", "[fe80::1%3]:443", "[::ffff:1.2.3.4]:65535"] {
        check_parsed(SocketAddr::from_str(address).unwrap());
    }
}

#[test]
fn addresses_among_other_colons() {
    #[derive(Debug)]
    struct Host {
        #[expect(dead_code, reason = "only printed")]
        address: Ipv6Addr,
        #[expect(dead_code, reason = "only printed")]
        port: u16,
    }
    check(&Host { address: Ipv6Addr::UNSPECIFIED, port: 1 }, |sketch| {
        let [port, address] = sketch.record("Host", &["port", "address"]).unwrap();
        assert_eq!(address.word(), Some("::"));
        assert_eq!(port.word(), Some("1"));
    });

    let (unspecified, localhost) = (Ipv6Addr::UNSPECIFIED, Ipv6Addr::LOCALHOST);
    check(&BTreeMap::from([(unspecified, localhost), (localhost, unspecified)]), |sketch| {
        let entries = sketch.map_entries().unwrap();
        let words: Vec<_> = entries.map(|(key, value)| (key.word().unwrap(), value.word().unwrap())).collect();
        assert_eq!(words, [("::", "::1"), ("::1", "::")]);
    });

    let sockets = BTreeMap::from([(SocketAddr::from_str("[::1]:80").unwrap(), vec![localhost])]);
    check(&sockets, |sketch| {
        let (key, value) = sketch.map_entries().unwrap().next().unwrap();
        assert_eq!(key.word(), Some("[::1]:80"));
        assert_eq!(value.items().unwrap().next().unwrap().word(), Some("::1"));
    });

    // A list as the key of a map is not a socket address, although `[::1]` comes before the colon.
    check(&BTreeMap::from([(vec![localhost], Ipv4Addr::LOCALHOST)]), |sketch| {
        let (key, value) = sketch.map_entries().unwrap().next().unwrap();
        assert_eq!(key.items().unwrap().next().unwrap().word(), Some("::1"));
        assert_eq!(value.word(), Some("127.0.0.1"));
    });
}

#[test]
fn durations_types_and_odd_words() {
    for duration in ["1.5s", "2µs", "100ns", "1.000001ms", "0ns"] {
        assert_eq!(read(duration).root().word(), Some(duration));
    }
    check(&Duration::from_nanos(2000), |sketch| assert_eq!(sketch.word(), Some("2µs")));
    check(&PhantomData::<(u8, String)>, |sketch| {
        assert_eq!(sketch.word(), Some("PhantomData<(u8, alloc::string::String)>"));
        assert!(sketch.tuple::<0>("PhantomData").is_some());
    });
    check(&PhantomData::<fn(u8) -> Vec<u8>>, |sketch| {
        assert_eq!(sketch.word(), Some("PhantomData<fn(u8) -> alloc::vec::Vec<u8>>"));
    });
    check(&(PhantomData::<[u8; 3]>, 1), |sketch| {
        let [phantom, _] = sketch.tuple("").unwrap();
        assert_eq!(phantom.word(), Some("PhantomData<[u8; 3]>"));
    });
    check(&OnceLock::<u8>::new(), |sketch| {
        let [inner] = sketch.tuple("OnceLock").unwrap();
        assert_eq!(inner.word(), Some("<uninit>"));
    });
    check(&Rc::downgrade(&Rc::new(1)), |sketch| assert_eq!(sketch.word(), Some("Weak")));
    check(&std::cmp::Ordering::Less, |sketch| assert!(sketch.tuple::<0>("Less").is_some()));
    check(&std::any::TypeId::of::<u8>(), |sketch| assert!(sketch.tuple::<1>("TypeId").is_some()));
}

#[test]
fn derived_enums_and_structs() {
    let leaf = || Box::new(Tree::Leaf);
    let tree = Tree::Node(Box::new(Tree::Node(leaf(), -1, leaf())), 5, leaf());
    check(&tree, |sketch| {
        let [left, key, right] = sketch.tuple("Node").unwrap();
        assert!(left.tuple::<3>("Node").is_some());
        assert_eq!(key.parsed(), Some(5));
        assert!(right.tuple::<0>("Leaf").is_some());
        assert!(right.tuple::<3>("Node").is_none());
        assert!(sketch.tuple::<3>("Leaf").is_none());
        assert!(sketch.tuple::<2>("Node").is_none());
        assert!(sketch.record("Node", &["left"]).is_none());
    });
    check(&Unit, |sketch| assert!(sketch.tuple::<0>("Unit").is_some()));
    check(&Empty {}, |sketch| assert!(sketch.record("Empty", &[]).is_some()));
    let pair = Pair(-3, "x, y)".to_owned());
    check(&pair, |sketch| {
        let [number, string] = sketch.tuple("Pair").unwrap();
        assert_eq!(number.parsed::<i8>(), Some(pair.0));
        assert_eq!(string.string().unwrap(), pair.1);
    });
    let person = Person { name: "Ada: {}", age: Some(36), r#type: '}', tags: vec!["a", "b"] };
    check(&person, |sketch| {
        let [tags, r#type, name, age] = sketch.record("Person", &["tags", "type", "name", "age"]).unwrap();
        assert_eq!(name.string().unwrap(), person.name);
        assert_eq!(age.tuple::<1>("Some").unwrap()[0].parsed(), person.age);
        assert_eq!(r#type.character(), Some(person.r#type));
        assert_eq!(tags.items().unwrap().len(), person.tags.len());
        assert!(sketch.record("Person", &["name", "age", "type"]).is_none());
        assert!(sketch.record("Person", &["name", "age", "type", "tags", "more"]).is_none());
        assert!(sketch.record("Human", &["name", "age", "type", "tags"]).is_none());
    });
}

#[test]
fn tuples() {
    check(&(), |sketch| {
        assert!(sketch.tuple::<0>("").is_some());
        assert_eq!(sketch.kind(), SketchKind::Unit);
    });
    check(&(1,), |sketch| assert_eq!(sketch.tuple::<1>("").unwrap()[0].parsed(), Some(1)));
    check(&(1, 'a', "b", (2,)), |sketch| {
        let [one, a, b, two] = sketch.tuple("").unwrap();
        assert_eq!(one.parsed(), Some(1));
        assert_eq!(a.character(), Some('a'));
        assert_eq!(b.string().unwrap(), "b");
        assert!(two.tuple::<1>("").is_some());
        assert!(sketch.tuple::<4>("Name").is_none());
    });
    check(&Some(()), |sketch| assert!(sketch.tuple::<1>("").is_none()));
}

#[test]
fn lists() {
    let numbers = [3, 1, 2];
    let check_items = |value: &dyn Debug| {
        check(value, |sketch| {
            let mut items: Vec<i32> = sketch.items().unwrap().map(|item| item.parsed().unwrap()).collect();
            items.sort();
            assert_eq!(items, [1, 2, 3]);
        });
    };
    check_items(&numbers);
    check_items(&numbers.to_vec());
    check_items(&VecDeque::from(numbers));
    check_items(&LinkedList::from(numbers));
    check_items(&BinaryHeap::from(numbers));
    check(&Vec::<u8>::new(), |sketch| assert_eq!(sketch.items().unwrap().len(), 0));
}

#[test]
fn sets_and_maps() {
    let numbers = [3, 1, 2];
    let check_set = |value: &dyn Debug| {
        check(value, |sketch| {
            let items = sketch.set_items().unwrap().map(|item| item.parsed().unwrap()).collect::<BTreeSet<i32>>();
            assert_eq!(items, BTreeSet::from(numbers));
            assert!(sketch.items().is_none() && sketch.map_entries().is_none());
        });
    };
    check_set(&BTreeSet::from(numbers));
    check_set(&HashSet::from(numbers));

    let entries = [("a: 1", vec![(1, 2)]), ("}", vec![]), ("", vec![(3, 4), (5, 6)])];
    let check_map = |value: &dyn Debug| {
        check(value, |sketch| {
            let entries: BTreeMap<_, _> = sketch
                .map_entries()
                .unwrap()
                .map(|(key, value)| (key.string().unwrap(), value.items().unwrap().len()))
                .collect();
            assert_eq!(entries, BTreeMap::from([("".into(), 2), ("a: 1".into(), 1), ("}".into(), 0)]));
            assert!(sketch.items().is_none() && sketch.set_items().is_none());
        });
    };
    check_map(&BTreeMap::from(entries.clone()));
    check_map(&HashMap::from(entries));

    let check_empty = |value: &dyn Debug| {
        check(value, |sketch| {
            assert_eq!(sketch.set_items().unwrap().len(), 0);
            assert_eq!(sketch.map_entries().unwrap().len(), 0);
        });
    };
    check_empty(&HashSet::<u8>::new());
    check_empty(&BTreeMap::<u8, u8>::new());
}

#[test]
fn a_hash_map_matches_itself_in_any_order() {
    // Two maps have different seeds, so with this many entries they print in different orders.
    let numbers = || (0..2000).map(|i| (i, HashSet::from([i, i + 1]))).collect::<HashMap<u32, HashSet<u32>>>();
    let document = read(&format!("{:#?}", numbers()));
    let mut value = numbers();
    assert!(document.root().matches_debug(&value));
    value.insert(1999, HashSet::from([1999, 0]));
    assert!(!document.root().matches_debug(&value));
}

#[test]
fn transparent_and_interior_mutable_types() {
    check(&Rc::new(Arc::new(Box::new(5))), |sketch| assert_eq!(sketch.parsed(), Some(5)));
    check(&Cell::new(5), |sketch| assert!(sketch.record("Cell", &["value"]).is_some()));
    let cell = RefCell::new(5);
    check(&cell, |sketch| assert_eq!(sketch.record("RefCell", &["value"]).unwrap()[0].parsed(), Some(5)));
    let _guard = cell.borrow_mut();
    check(&cell, |sketch| assert_eq!(sketch.record("RefCell", &["value"]).unwrap()[0].word(), Some("<borrowed>")));
    check(&OnceCell::from(5), |sketch| assert!(sketch.tuple::<1>("OnceCell").is_some()));
    check(&Bound::Included(5), |sketch| assert!(sketch.tuple::<1>("Included").is_some()));
    check(&Ok::<_, ()>(5), |sketch| assert!(sketch.tuple::<1>("Ok").is_some()));
}

#[test]
fn records_that_end_in_two_dots() {
    let check_lock = |name: &str, value: &dyn Debug| {
        check(value, |sketch| {
            let [poisoned, data] = sketch.record(name, &["poisoned", "data"]).unwrap();
            assert_eq!(poisoned.parsed(), Some(false));
            assert_eq!(data.parsed(), Some(5));
            assert!(!sketch.has_holes());
            assert!(sketch.record(name, &["data"]).is_none());
        });
    };
    check_lock("Mutex", &Mutex::new(5));
    check_lock("RwLock", &RwLock::new(5));
    check(&std::sync::mpsc::channel::<u8>().0, |sketch| {
        assert!(sketch.has_holes());
        let [anything] = sketch.record("Sender", &["inner"]).unwrap();
        assert!(anything.is_hole() && anything.has_holes());
        assert_eq!(anything.text(), "..");
    });

    assert!(read("Mutex { data: 5, more: false, .. }").root().has_holes(), "not that of the standard library");

    let document = read("Point { x: 1, .. }");
    let [y, x] = document.root().record("Point", &["y", "x"]).unwrap();
    assert!(y.is_hole());
    assert_eq!(x.word(), Some("1"));
    assert!(document.root().record("Point", &["y"]).is_none(), "`x` is one too many");
    assert!(document.root().matches(&read("Point { y: 2, x: 1, z: 3 }").root()));
    assert!(!document.root().matches(&read("Point { y: 2, z: 3 }").root()));
}

#[test]
fn ranges() {
    check(&(1..2), |sketch| {
        let range = sketch.range().unwrap();
        assert_eq!(range.start.unwrap().parsed(), Some(1));
        assert_eq!(range.end.unwrap().parsed(), Some(2));
        assert!(!range.inclusive);
    });
    check(&(-1.5..=2.0), |sketch| {
        let range = sketch.range().unwrap();
        assert_eq!(range.start.unwrap().parsed(), Some(-1.5));
        assert_eq!(range.end.unwrap().parsed(), Some(2.0));
        assert!(range.inclusive);
    });
    check(&('a'..), |sketch| {
        let range = sketch.range().unwrap();
        assert_eq!(range.start.unwrap().character(), Some('a'));
        assert!(range.end.is_none());
    });
    check(&(.."z"), |sketch| {
        let range = sketch.range().unwrap();
        assert!(range.start.is_none());
        assert_eq!(range.end.unwrap().string().unwrap(), "z");
    });
    check(&(..=-5), |sketch| assert_eq!(sketch.range().unwrap().end.unwrap().parsed(), Some(-5)));
    check(&(..), |sketch| {
        let range = sketch.range().unwrap();
        assert!(range.start.is_none() && range.end.is_none() && !range.inclusive);
    });
}

#[test]
fn ranges_among_other_parts() {
    check(&((1, 2)..(3, 4)), |sketch| {
        let range = sketch.range().unwrap();
        assert!(range.start.unwrap().tuple::<2>("").is_some());
        assert_eq!(range.end.unwrap().tuple::<2>("").unwrap()[1].parsed(), Some(4));
    });
    check(&[Some(1..), None], |sketch| assert_eq!(sketch.items().unwrap().len(), 2));
    check(&BTreeMap::from([((1, 2), 3..4)]), |sketch| assert_eq!(sketch.map_entries().unwrap().len(), 1));
    check(&HashMap::from([(.., 1..)]), |sketch| {
        let (key, value) = sketch.map_entries().unwrap().next().unwrap();
        assert!(key.range().is_some() && value.range().is_some());
    });
    check(&Some(Ipv6Addr::UNSPECIFIED..Ipv6Addr::LOCALHOST), |sketch| {
        let range = sketch.tuple::<1>("Some").unwrap()[0].range().unwrap();
        assert_eq!(range.start.unwrap().word(), Some("::"));
        assert_eq!(range.end.unwrap().word(), Some("::1"));
    });

    let document = read("_..=_");
    let range = document.root().range().unwrap();
    assert!(range.start.unwrap().is_hole() && range.end.unwrap().is_hole());
    assert!(document.root().has_holes());
    assert!(read("_..5").root().matches_debug(&(3..5)));
    assert!(!read("_..5").root().matches_debug(&(3..=5)));
    assert!(!read("_..5").root().matches_debug(&(..5)));
    assert!(read("(1..2)..(3..4)").root().matches(&read("((1..2)..(3..4))").root()));
}

#[test]
fn ranges_whose_iteration_is_over() {
    let mut range = 1..=1;
    range.next();
    check(&range, |sketch| {
        assert_eq!(sketch.kind(), SketchKind::Range);
        assert!(sketch.range().is_none());
        assert!(!sketch.matches_debug(&(1..=1)));
    });
    let mut letters = 'a'..='a';
    letters.next();
    check(&[letters], |sketch| {
        assert_eq!(sketch.items().unwrap().next().unwrap().text(), "'a'..='a' (exhausted)");
    });
}

#[test]
fn strings_with_every_kind_of_escape() {
    let strings = [
        "",
        "plain",
        "\n\r\t\\\"'\0",
        "\u{1b}\u{7f}\u{80}\u{200b}\u{feff}\u{10ffff}\u{e000}",
        "e\u{301} x\u{301}\u{302} \u{301}",
        "👍🏽 👩‍👩‍👧 é ß 漢字 עברית",
        "looks like (a, [b], {c: d}) _ .. \\u{41} \\x41",
        "\\",
        "\"",
        "\u{2028}\u{2029}\u{a0}",
    ];
    for string in strings {
        check(&string, |sketch| assert_eq!(sketch.string().as_deref(), Some(string)));
        check(&vec![Some(string)], |sketch| {
            let [inner] = sketch.items().unwrap().next().unwrap().tuple("Some").unwrap();
            assert_eq!(inner.string().as_deref(), Some(string));
        });
        for character in string.chars() {
            check(&character, |sketch| assert_eq!(sketch.character(), Some(character)));
        }
    }
    let every: String = (0..0x3000).filter_map(char::from_u32).collect();
    check(&every, |sketch| assert_eq!(sketch.string().unwrap(), every));
}

#[test]
fn strings_of_bytes() {
    let bytes: Vec<u8> = (1..=255).collect();
    check(&CString::new(bytes.clone()).unwrap(), |sketch| assert_eq!(sketch.bytes().unwrap(), bytes));
    check(&CString::new("é\n").unwrap(), |sketch| assert_eq!(sketch.string().unwrap(), "é\n"));
    check(&PathBuf::from("a b\"c"), |sketch| assert_eq!(sketch.string().unwrap(), "a b\"c"));
    check(&OsString::from("é\n"), |sketch| assert_eq!(sketch.string().unwrap(), "é\n"));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let broken = vec![b'f', 0xff, 0xc3, 0xa9, b'\n', 0];
        check(&OsString::from_vec(broken.clone()), |sketch| {
            assert_eq!(sketch.bytes().unwrap(), broken);
            assert_eq!(sketch.string(), None);
        });
    }
    assert_eq!(read(r#"b"\xff\\a""#).root().bytes().unwrap(), [0xff, b'\\', b'a']);
    assert_eq!(read(r#"c"a""#).root().bytes().unwrap(), [b'a']);
    assert_eq!(read(r#""\x41\xc3\xa9""#).root().string().unwrap(), "Aé");
}

#[test]
fn pasted_constructors() {
    let leaf = || Box::new(Tree::Leaf);
    let pasted = "Tree::Node(Box::new(Tree::Leaf), 1_000i64, Box::new(crate::tree::Tree::Leaf))";
    check_pasted(pasted, &Tree::Node(leaf(), 1000, leaf()));
    check_pasted("Rc::new(std::sync::Arc::new(5))", &5);
    check_pasted("((5))", &5);
    check_pasted("&[&1, &mut 2]", &[1, 2]);
    check_pasted("vec![1, 2,]", &[1, 2]);
    check_pasted("vec![]", &[0u8; 0]);
    check_pasted("Some(Vec::new())", &Some([0u8; 0]));
    check_pasted("HashMap::new()", &HashMap::<u8, u8>::new());
    check_pasted("Option::<u8>::None", &None::<u8>);
    check_pasted("Option::Some::<u8>(1)", &Some(1));
    check_pasted("None::<u8>", &None::<u8>);
    check_pasted("Empty {}", &Empty {});
    check_pasted("Unit()", &Unit);
    let person = Person { name: "", age: None, r#type: 'a', tags: vec![] };
    check_pasted("Person { name: \"\", r#type: 'a', age: None, tags: vec![] }", &person);
    check_pasted("\u{feff}\u{a0}(1,\u{a0}2)\u{2003}", &(1, 2));
}

#[test]
fn pasted_literals() {
    let strings = r#"(String::new(), String::from("a"), "b".to_string(), "c".into(), "d".to_owned())"#;
    check_pasted(strings, &("", "a", "b", "c", "d"));
    check_pasted("[r\"\\n\", r#\"a\"b\"#, \"one \\\n    line\"]", &["\\n", "a\"b", "one line"]);
    check_pasted("[0xff, 0b101, 0o17, -1_0, 5usize]", &[255, 5, 15, -10, 5]);
    check_pasted("[1.5f32, 2_f32]", &[Printed("1.5"), Printed("2")]);

    assert_eq!(read("1_000u64").root().word(), Some("1_000u64"));
    assert_eq!(read("1_000u64").root().parsed(), Some(1000u64));
    assert_eq!(read("-1_0.5_f64").root().parsed(), Some(-10.5));
    assert_eq!(read("300u8").root().parsed::<u8>(), None);
    assert_eq!(read("2001:db8::f32").root().parsed::<f32>(), None);
    assert_eq!(read("_x").root().word(), Some("_x"));
    assert_eq!(read("__").root().word(), Some("__"));
}

#[test]
fn holes_match_anything() {
    assert!(matches("_", "[1, {2: 3}]"));
    assert!(matches("Node(_, 1, _)", "Node(Node(Leaf, 0, Leaf), 1, Leaf)"));
    assert!(!matches("Node(_, 1, _)", "Node(Leaf, 2, Leaf)"));
    assert!(!matches("Node(_, _)", "Node(Leaf, 2, Leaf)"));
    assert!(!matches("[_]", "[]"));
    assert!(!matches("Leaf", "_"), "only a hole matches a hole");
    assert!(matches("[_, 1]", "[_, 1]"));
    assert!(matches("Box::new(_)", "5"));
    assert!(!matches("::1", "fe80::1"));
    assert!(!matches("\"a\"", "'a'"));
    assert!(!matches("PhantomData<u8>", "PhantomData<u16>"));
    assert!(!matches("Left::<u8>", "Right::<u8>"));
}

#[test]
fn holes_inside_sets_and_maps_find_a_partner() {
    // The first item fits both others, the second only one of them.
    assert!(matches("{Some(_), Some(1)}", "{Some(1), Some(2)}"));
    assert!(matches("{(_, 1), (1, _), (_, _)}", "{(1, 1), (2, 1), (3, 3)}"));
    assert!(!matches("{(_, 1), (_, 1), (_, _)}", "{(1, 1), (2, 2), (3, 3)}"));
    assert!(matches("{_, 1, _}", "{3, 2, 1}"));
    assert!(!matches("{_, 1, 1}", "{3, 2, 1}"));
    assert!(matches("{_: 1, 2: _}", "{2: 1, 3: 1}"));
    assert!(!matches("{_: 1, 2: _}", "{2: 1, 3: 4}"));
    assert!(matches("{{_, {1, _}}, {{_}, _}}", "{{{3}, {4}}, {{2, 1}, {5}}}"));
    assert!(!matches("{{_, {1, _}}, {{_}, _}}", "{{{3}, {4}}, {{2, 0}, {5, 6}}}"));
}

#[test]
fn a_hole_needs_no_text_of_the_value() {
    struct Unprintable;
    impl Debug for Unprintable {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("printed")
        }
    }
    assert!(read("_").root().matches_debug(&Unprintable));
    assert!(!read("5").root().matches_debug(&Printed("free text, (unbalanced")));
}

#[test]
fn spans_are_those_of_the_text() {
    let text = " Point {\n x: (1) ,y: Box::new( [ 2 ] ) } ";
    let document = read(text);
    let [x, y] = document.root().record("Point", &["x", "y"]).unwrap();
    assert_eq!(document.root().text(), text.trim());
    assert_eq!(x.text(), "1");
    assert_eq!(y.text(), "[ 2 ]");
    assert_eq!(&text[y.span()], y.text());
    assert_eq!(format!("{x:?}"), "Sketch(\"1\")");
}

#[test]
fn a_million_items() {
    let numbers: Vec<u32> = (0..1_000_000).collect();
    check(&numbers, |sketch| {
        let items = sketch.items().unwrap();
        assert_eq!(items.len(), numbers.len());
        assert!(items.map(|item| item.parsed::<u32>().unwrap()).eq(0..1_000_000));
    });
}

#[derive(Debug)]
enum Tree {
    Leaf,
    #[expect(dead_code, reason = "only printed")]
    Node(Box<Tree>, i64, Box<Tree>),
}

#[derive(Debug)]
struct Unit;

#[derive(Debug)]
struct Empty {}

#[derive(Debug)]
struct Pair(i8, String);

#[derive(Debug)]
struct Person<'a> {
    name: &'a str,
    age: Option<u8>,
    r#type: char,
    tags: Vec<&'a str>,
}

/// Prints as what it holds.
struct Printed(&'static str);

impl Debug for Printed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

/// Checks what is read from both forms of a value, and that each form matches the other and the
/// value.
#[track_caller]
fn check(value: &dyn Debug, expect: impl Fn(&Sketch)) {
    let [compact, pretty] = [format!("{value:?}"), format!("{value:#?}")].map(|text| read(&text));
    expect(&compact.root());
    expect(&pretty.root());
    assert!(compact.root().matches(&pretty.root()), "{compact:?} does not match {pretty:?}");
    assert!(pretty.root().matches(&compact.root()), "{pretty:?} does not match {compact:?}");
    assert!(pretty.root().matches_debug(value), "{pretty:?} does not match its value");
}

/// Checks that a value prints as a single word which parses back to it.
#[track_caller]
fn check_parsed<T: Debug + FromStr + PartialEq>(value: T) {
    check(&value, |sketch| {
        assert_eq!(sketch.word(), Some(format!("{value:?}").as_str()));
        assert_eq!(sketch.parsed::<T>().as_ref(), Some(&value));
    });
}

#[track_caller]
fn check_pasted(pasted: &str, value: &dyn Debug) {
    assert!(read(pasted).root().matches_debug(value), "{pasted} is not {value:?}");
}

#[track_caller]
fn matches(pattern: &str, text: &str) -> bool {
    read(pattern).root().matches(&read(text).root())
}

#[track_caller]
fn read(text: &str) -> Document {
    Document::parse(text).unwrap_or_else(|error| panic!("{text}\ndoes not read: {error}"))
}
