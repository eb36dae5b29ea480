//! `#[derive(Generate)]`.
#![deny(warnings, missing_docs, clippy::all)]
#![forbid(unsafe_code)]

use retrospect::prelude::*;
use retrospect::source::Source;
use std::fmt::Debug;

fn check<T: Generate + PartialEq>() {
    let generator = any::<T>();
    for seed in 0..200 {
        let value = generator.sample(seed);
        let choices = generator.sample_choices(seed);
        assert_eq!(generator.choices_of(&value).as_ref(), Ok(&choices), "seed {seed}: {value:?}");
        assert_eq!(generator.replay(&choices), value, "seed {seed}");
        let text = format!("{value:?}");
        assert_eq!(generator.replay_exact(&choices).unwrap(), (value, 0), "seed {seed}");
        let value = generator.sample(seed);
        assert_eq!(generator.read(&text).unwrap(), value);
        assert_eq!(generator.read(&format!("{value:#?}")).unwrap(), value);
    }
}

fn refused<T: Generate>(value: &T) -> (String, String) {
    let error = any::<T>().choices_of(value).unwrap_err();
    (error.path().to_owned(), error.reason().to_owned())
}

#[derive(Debug, PartialEq, Generate)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, PartialEq, Generate)]
struct Meters(u64);

#[derive(Debug, PartialEq, Generate)]
struct Nothing;

#[derive(Debug, PartialEq, Generate)]
struct Empty {}

#[derive(Debug, PartialEq, Generate)]
struct Window {
    #[generate(with = 0..=20usize)]
    length: usize,
    #[generate(with = 0..=*length)]
    start: usize,
}

/// What is drawn for a hole must go with a later field; if it does not, it is drawn again.
#[test]
fn holes_before_fields_that_hang_on_them_are_filled() {
    for seed in 0..100 {
        let slice = any::<Window>().fill("Window { length: _, start: 15 }", seed).unwrap();
        assert!(slice.start == 15 && slice.length >= 15);
    }
    let error = any::<Window>().fill("Window { length: _, start: 25 }", 1).unwrap_err().to_string();
    assert!(error.contains("25 is not in 0..=") && error.contains("tried 100 times"), "{error}");
    let error = any::<Window>().fill("Window { length: 3, start: 5 }", 1).unwrap_err().to_string();
    assert_eq!(error, "this generator cannot make the part `.start`, which is 5: 5 is not in 0..=3");
}

#[test]
fn structs() {
    check::<Point>();
    check::<Meters>();
    check::<Nothing>();
    check::<Empty>();
    check::<(Point, Meters)>();
    assert_eq!(any::<Point>().choices_of(&Point { x: 1, y: -1 }).unwrap().to_string(), "(1 2)");
    assert_eq!(any::<Point>().fill("Point { x: 4, y: _ }", 1).unwrap().x, 4);
    assert_eq!(
        any::<Point>().read("Circle(1)").unwrap_err().to_string(),
        "this generator cannot make Circle(1): expected `Point { x, y }`, not `Circle` with 1 part"
    );
    assert_eq!(
        any::<Point>().read("Point { x: 1, z: 2 }").unwrap_err().to_string(),
        "this generator cannot make Point { x: 1, z: 2 }: there is no field `z`; `y` is missing"
    );
}

#[derive(Debug, PartialEq, Generate)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

#[derive(Debug, PartialEq, Generate)]
enum Tree {
    Node { left: Box<Tree>, key: u8, right: Box<Tree> },
    Leaf,
}

#[test]
fn recursive_enums() {
    check::<Json>();
    check::<Tree>();
    // The variant that ends is the simplest, wherever it is written.
    assert_eq!(any::<Tree>().replay(&Choices::default()), Tree::Leaf);
    assert_eq!(any::<Tree>().choices_of(&Tree::Leaf).unwrap().to_string(), "0:Leaf");
    let tree = Tree::Node { left: Box::new(Tree::Leaf), key: 3, right: Box::new(Tree::Leaf) };
    assert_eq!(any::<Tree>().choices_of(&tree).unwrap().to_string(), "1:Node(0:Leaf 3 0:Leaf)");
    let filled = any::<Tree>().fill("Node { left: _, key: 9, right: Leaf }", 3).unwrap();
    assert!(matches!(filled, Tree::Node { key: 9, .. }));
    assert_eq!(
        any::<Tree>().read("Node { left: Leaf, key: 300, right: Leaf }").unwrap_err().to_string(),
        "this generator cannot make the part `Node.key`, which is 300: 300 is not in 0..=255"
    );
}

#[derive(Debug, PartialEq, Generate)]
enum Expression {
    Literal(i8),
    Block(Box<Statement>),
}

#[derive(Debug, PartialEq, Generate)]
enum Statement {
    Both(Box<Statement>, Box<Statement>),
    Do(Expression),
}

#[test]
fn mutually_recursive_types() {
    check::<Expression>();
    check::<Statement>();
}

#[derive(Debug, PartialEq, Generate)]
struct Pair<A, B = A> {
    first: A,
    second: B,
}

#[derive(Debug, PartialEq, Generate)]
enum Chain<T> {
    End,
    Link(T, Box<Chain<T>>),
}

#[derive(Debug, PartialEq, Generate)]
struct Grid<const WIDTH: usize, const HEIGHT: usize>([[bool; WIDTH]; HEIGHT]);

#[derive(Debug, PartialEq, Generate)]
struct Bounded<T>
where
    T: Copy,
{
    value: T,
}

#[test]
fn generic_types() {
    check::<Pair<u8, bool>>();
    check::<Pair<Pair<u8>, Option<i64>>>();
    check::<Chain<u8>>();
    check::<Chain<Chain<bool>>>();
    check::<Grid<2, 3>>();
    check::<Bounded<u16>>();
}

#[derive(Debug, PartialEq, Generate)]
struct Wide {
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: u8,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
    q: u8,
    r: u8,
    s: u8,
    t: u8,
}

#[derive(Debug, PartialEq, Generate)]
struct Slice {
    #[generate(with = 0..=20usize)]
    length: usize,
    #[generate(with = 0..=*length)]
    start: usize,
    #[generate(with = vec_of(any::<bool>(), *length - *start))]
    items: Vec<bool>,
    #[generate(default)]
    note: String,
    #[generate(default = *length * 2)]
    double: usize,
}

#[derive(Debug, PartialEq, Generate)]
struct Ordered(#[generate(with = 0..100u8)] u8, #[generate(with = *_0..100)] u8);

#[test]
fn dependent_fields() {
    check::<Wide>();
    check::<Slice>();
    check::<Ordered>();
    let slice = |start, double| Slice { length: 2, start, items: vec![true], note: String::new(), double };
    assert!(any::<Slice>().accepts(&slice(1, 4)));
    assert_eq!(refused(&slice(3, 4)), (".start".to_owned(), "3 is not in 0..=2".to_owned()));
    assert_eq!(refused(&slice(1, 5)), (".double".to_owned(), "expected 4 (the default), not 5".to_owned()));
    assert_eq!(refused(&slice(2, 4)), (".items".to_owned(), "its length 1 is not 0".to_owned()));
    assert_eq!(refused(&Ordered(5, 4)), (".1".to_owned(), "4 is not in 5..100".to_owned()));
}

#[derive(Debug, PartialEq, Generate)]
enum Weighted {
    #[generate(weight = 0)]
    Never,
    #[generate(weight = 9)]
    Often,
    Seldom,
    #[generate(skip)]
    Skipped(std::marker::PhantomData<dyn Send>),
}

#[test]
fn weights_and_skips() {
    let count = (0..1000).filter(|seed| any::<Weighted>().sample(*seed) == Weighted::Often).count();
    assert!((850..950).contains(&count), "{count}");
    assert_eq!(refused(&Weighted::Never), (String::new(), "the arm `Never` weighs 0 here, so it is absent".to_owned()));
    assert!(any::<Weighted>().read("Never").is_err());
    assert_eq!(any::<Weighted>().read("Seldom").unwrap(), Weighted::Seldom);
    let skipped = Weighted::Skipped(std::marker::PhantomData);
    assert_eq!(refused(&skipped).1, "`Skipped` is left out by `#[generate(skip)]`");
}

#[derive(Debug, PartialEq, Generate)]
#[allow(non_camel_case_types)]
enum Raw {
    r#type { r#fn: u8 },
}

#[test]
fn raw_names() {
    check::<Raw>();
}

#[derive(Debug, PartialEq, Generate)]
enum Many {
    V0,
    V1,
    V2,
    V3,
    V4,
    V5,
    V6,
    V7,
    V8,
    V9,
    V10,
    V11,
    V12,
    V13,
    V14,
    V15,
    V16,
    V17,
    V18,
    V19,
    V20,
    V21,
    V22,
    V23,
    V24,
    V25,
    V26,
    V27,
    V28,
    V29,
    V30,
    V31,
    V32,
    V33,
    V34,
    V35,
    V36,
    V37,
    V38,
    V39,
    V40,
    V41,
    V42,
    V43,
    V44,
    V45,
    V46,
    V47,
    V48,
    V49,
    V50,
    V51,
    V52,
    V53,
    V54,
    V55,
    V56,
    V57,
    V58,
    V59,
    V60,
    V61,
    V62,
    V63,
    V64,
    V65,
    V66,
    V67,
    V68,
    V69,
    V70,
    V71,
    V72,
    V73,
    V74,
    V75,
    V76,
    V77,
    V78,
    V79,
    V80,
    V81,
    V82,
    V83,
    V84,
    V85,
    V86,
    V87,
    V88,
    V89,
    V90,
    V91,
    V92,
    V93,
    V94,
    V95,
    V96,
    V97,
    V98,
    V99,
    V100,
    V101,
    V102,
    V103,
    V104,
    V105,
    V106,
    V107,
    V108,
    V109,
    V110,
    V111,
    V112,
    V113,
    V114,
    V115,
    V116,
    V117,
    V118,
    V119,
    With(u8),
}

#[test]
fn many_variants() {
    check::<Many>();
    assert_eq!(
        any::<Many>().read("V120").unwrap_err().to_string(),
        "this generator cannot make V120: expected `V0`, `V1`, `V2`, `V3`, `V4`, `V5` or one of 115 others, \
         not the word `V120`; did you mean `V10`?"
    );
}

/// Types with lifetimes work where their fields have generators.
#[derive(Debug, PartialEq, Generate)]
struct Marked<'a> {
    #[generate(with = marks())]
    word: &'a str,
    length: u8,
}

#[generator]
fn marks<'a>() -> &'a str {
    match pick() {
        "short" => "a",
        "long" => "abc",
    }
}

#[test]
fn lifetimes() {
    check::<Marked<'static>>();
}

#[test]
fn laws_hold() {
    laws::check(&any::<Point>());
    laws::check(&any::<Json>());
    laws::check(&any::<Tree>());
    laws::check(&any::<Expression>());
    laws::check(&any::<Statement>());
    laws::check(&any::<Chain<Chain<bool>>>());
    laws::check(&any::<Slice>());
    laws::check(&any::<Weighted>());
    laws::check(&any::<Many>());
}

/// A `Debug` written by hand that hides a part: what is read is another value that prints the same.
#[derive(Generate)]
struct Account {
    name: u8,
    secret: Option<bool>,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Account").field("name", &self.name).field("secret", &None::<bool>).finish()
    }
}

#[test]
fn a_value_that_is_read_back_as_another_one_breaks_a_law() {
    let broken = laws::Laws::default().telling_alike_apart().verify(&any::<Account>()).unwrap_err();
    assert_eq!(broken.law(), laws::Law::ReadBack);
    assert!(broken.problem().starts_with("its text is read back as another value that prints the same"), "{broken}");
    assert!(broken.to_string().contains("`Laws::default().without_reading().check(&…)`"), "{broken}");
    assert_eq!(laws::Laws::default().without_reading().verify(&any::<Account>()), Ok(()));
}

#[derive(Debug, Generate)]
struct Endless {
    next: Box<Endless>,
}

#[test]
fn a_struct_without_an_end_is_named_at_once() {
    let mut source = Source::random(1);
    assert!(any::<Endless>().generate(&mut source).is_err());
    let why = source.why().expect("a reason").to_string();
    assert!(why.contains("Endless") && why.contains("no pick decides whether it does"), "{why}");
}
