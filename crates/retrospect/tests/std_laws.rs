//! Every generator for a type of the standard library: the laws, the simplest value, values from
//! elsewhere.

use retrospect::generator::{Facts, Wanted, held_in};
use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use retrospect::reflect::{Reflected, Reflector};
use retrospect::sketch::{Document, Sketch};
use retrospect::source::{Drawn, Extent, Form, Source};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

/// How many ways lead to a value.
#[derive(Clone, Copy, PartialEq)]
enum WayCount {
    /// One: what was recorded is what is recalled.
    One,
    /// Several, such as the orders of a set.
    Several,
}
use WayCount::{One, Several};

/// Checks the laws, that the simplest value prints as `simplest`, and that `values` can be made.
#[track_caller]
fn check<G: Generator>(generator: G, ways: WayCount, simplest: &str, values: impl IntoIterator<Item = G::Value>) {
    Laws::default().check(&generator);
    assert_eq!(format!("{:?}", generator.replay(&Choices::default())), simplest);
    for seed in 0..300 {
        let mut source = Source::recording(seed).with_size([0, 1, 5, 30, 100][seed as usize % 5]);
        let value = generator.generate(&mut source).unwrap();
        let recorded = source.into_choices();
        let recalled = generator.choices_of(&value).unwrap();
        if generator.facts(Wanted::Shape).is_one_node {
            assert_eq!([recorded.nodes().len(), recalled.nodes().len()], [1, 1], "{value:?}");
        }
        if ways == One {
            assert_eq!(recalled, recorded, "{value:?}");
        }
        assert!(is_same(&value, &generator.replay(&recalled)), "{value:?}");
    }
    for value in values {
        let choices = generator.choices_of(&value).unwrap_or_else(|error| panic!("{error}"));
        assert!(is_same(&value, &generator.replay(&choices)), "{value:?}");
        Laws::default().verify_value(&generator, &value).unwrap_or_else(|broken| panic!("{broken}"));
        for text in [format!("{value:?}"), format!("{value:#?}")] {
            let read = generator.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(is_same(&value, &read), "{value:?} is read as {read:?}");
        }
        assert_eq!(choices.to_string().parse::<Choices>().unwrap(), choices);
    }
}

fn is_same(one: &dyn Debug, other: &dyn Debug) -> bool {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    one == other || Document::parse(&one).unwrap().root().matches(&Document::parse(&other).unwrap().root())
}

/// That each of the values is refused with its reason, both as a value and as text.
#[track_caller]
fn refuses<G: Generator>(generator: G, refused: impl IntoIterator<Item = (G::Value, &'static str)>) {
    for (value, reason) in refused {
        assert!(!generator.accepts(&value), "{value:?}");
        assert_eq!(generator.choices_of(&value).unwrap_err().reason(), reason);
        let error = generator.read(&format!("{value:?}")).unwrap_err().to_string();
        assert!(error.ends_with(reason), "{error}");
    }
}

#[test]
fn small_types() {
    check(any::<bool>(), One, "false", [false, true]);
    check(any::<()>(), One, "()", [()]);
    check(any::<PhantomData<Vec<u8>>>(), One, "PhantomData<alloc::vec::Vec<u8>>", [PhantomData]);
    check(any::<Ordering>(), One, "Equal", [Ordering::Less, Ordering::Equal, Ordering::Greater]);
    check(any::<RangeFull>(), One, "..", [..]);
}

#[test]
fn integers() {
    macro_rules! each {
        ($($integer:ty)*) => {$({
            const MIN: $integer = <$integer>::MIN;
            const MAX: $integer = <$integer>::MAX;
            check(any::<$integer>(), One, "0", [MIN, MIN + 1, 0, 1, MAX - 1, MAX]);
            let nonzero = |number| NonZero::<$integer>::new(number).unwrap();
            let far = if MIN == 0 { nonzero(2) } else { nonzero(MIN) };
            check(any::<NonZero<$integer>>(), One, "1", [nonzero(1), nonzero(2), far, nonzero(MAX)]);
            let error = any::<NonZero<$integer>>().read("0").unwrap_err().to_string();
            assert_eq!(error, "this generator cannot make 0: 0 is not a non-zero number");
        })*};
    }
    each! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    check(any::<Wrapping<i8>>(), One, "0", [Wrapping(i8::MIN), Wrapping(i8::MAX)]);
    check(any::<Saturating<u128>>(), One, "0", [Saturating(0), Saturating(u128::MAX)]);
}

#[test]
fn ranges_of_integers() {
    macro_rules! each {
        ($($integer:ty)*) => {$({
            const MIN: $integer = <$integer>::MIN;
            const MAX: $integer = <$integer>::MAX;
            check(uniform(MIN..=MAX), One, "0", [MIN, 0, MAX]);
            check(0..MAX, One, "0", [0, 1, MAX - 1]);
            check(3..=100, One, "3", [3 as $integer, 100]);
            check(5.., One, "5", [5, MAX]);
            check(..=5, One, "0", [MIN, 0, 5]);
            check(MAX..=MAX, One, &MAX.to_string(), [MAX]);
            refuses(3..=100, [(2 as $integer, "2 is not in 3..=100"), (101, "101 is not in 3..=100")]);
            check((3..=100).origin(50), One, "50", [3 as $integer, 49, 50, 51, 100]);
            check(within(MIN..=MAX).origin(MAX), One, &MAX.to_string(), [MIN, 0, MAX - 1, MAX]);
            check(uniform(MIN..=MAX).origin(7), One, "7", [MIN, 0, MAX]);
            check((MIN..=MAX).origin(MIN).skewed(1.5), One, &MIN.to_string(), [MIN, 0, MAX]);
            check((MIN..=MAX).skewed(-2.0), One, "0", [MIN, 0, MAX]);
            check((MAX..=MAX).origin(MAX).skewed(9.0), One, &MAX.to_string(), [MAX]);
            refuses((3..=100).origin(50), [(2 as $integer, "2 is not in 3..=100"), (101, "101 is not in 3..=100")]);
        })*};
    }
    each! { u8 i64 u128 i128 }
    check(-3..=5, One, "0", [-3, 5]);
    check(-9..=-3, One, "-3", [-9, -3]);
    check(-9i128..=-3, One, "-3", [-9, -3]);
    check(u128::MAX - 3.., One, &(u128::MAX - 3).to_string(), [u128::MAX]);
    check(1 << 70..=3u128 << 90, One, &(1u128 << 70).to_string(), [3 << 90, 1 << 80]);
    check(uniform(-(1i128 << 64)..=1 << 64), One, "0", [-(1 << 64), 1 << 64, -1]);
}

#[test]
fn integers_of_128_bits_have_two_halves() {
    assert_eq!((0..=9u128).choices_of(&7).unwrap().to_string(), "7");
    assert_eq!(any::<u128>().choices_of(&7).unwrap().to_string(), "(0 7)");
    assert_eq!(any::<u128>().choices_of(&u128::MAX).unwrap().to_string(), format!("({0} {0})", u64::MAX));
    assert_eq!(any::<i128>().choices_of(&-2).unwrap().to_string(), "(0 4)");
    // Even over a range whose halves are not: two thirds lie in the first 2^64.
    let range = uniform(0..3u128 << 63);
    let low = range.samples(1).take(3000).filter(|number| *number < 1 << 64).count();
    assert!((1900..2100).contains(&low), "{low}");
    let small = any::<u128>().samples(1).take(1000).filter(|number| *number < 1 << 64).count();
    assert!((400..700).contains(&small), "{small}");
}

#[test]
fn empty_ranges_say_so() {
    let why = |text: &str| format!("the range {text} is empty: its lower end is above its upper end");
    let mut source = Source::random(1);
    #[expect(clippy::reversed_empty_ranges)]
    let range = 5..=3u128;
    assert!(range.generate(&mut source).is_err());
    assert_eq!(source.why().unwrap().to_string(), why("5..=3"));
    assert_eq!(range.choices_of(&4).unwrap_err().reason(), why("5..=3"));
    assert!((1.0..=f64::NAN).generate(&mut source).is_err());
    assert_eq!(source.why().unwrap().to_string(), why("1.0..=NaN"));
    assert!(('b'..'b').generate(&mut source).is_err());
    assert_eq!(
        source.why().unwrap().to_string(),
        "the range 'b'..'b' is empty: its lower end is not below its upper end"
    );
    assert!(floats().between(f64::INFINITY..).finite().generate(&mut source).is_err());
    assert_eq!(source.why().unwrap().to_string(), "the range inf.. has no float that is not left out");
}

#[test]
fn floats_of_both_kinds() {
    macro_rules! all {
        ($($float:ident)*) => {$({
            use std::$float::consts::PI;
            const TINY: $float = $float::from_bits(1);
            let values = [
                0.0, -0.0, 1.0, -1.0, 0.1, PI, 1e30, -1e-30, $float::MAX, $float::MIN, $float::MIN_POSITIVE, TINY, -TINY,
                $float::EPSILON, $float::INFINITY, $float::NEG_INFINITY, $float::NAN, -$float::NAN,
            ];
            check(any::<$float>(), One, "0.0", values);
            check(floats::<$float>(), One, "0.0", values);
            check(floats::<$float>().finite(), One, "0.0", [$float::MAX, TINY]);
            check(floats::<$float>().finite().with_subnormals(false), One, "0.0", [$float::MAX, -$float::MIN_POSITIVE]);
            check(floats::<$float>().with_infinities(false), One, "0.0", [$float::NAN]);
            check(0.0..=1.0 as $float, One, "0.0", [0.0, 1.0, 0.5, TINY, 0.1]);
            check((0.0..=1.0 as $float).origin(0.3), One, "0.3", [0.0, 1.0, 0.5, TINY, 0.1]);
            check((-9.0..=9.0 as $float).origin(-2.0).skewed(1.5), One, "-2.0", [-9.0, 9.0, 0.0, -0.0, PI]);
            check(($float::NEG_INFINITY..).origin(1e30).skewed(-1.5), One, "1e30", [$float::INFINITY, $float::MIN, 0.0]);
            check((1.0..9.0 as $float).skewed(3.0), One, "1.0", [1.0, 8.5, PI]);
            check((PI..=PI).origin(PI).skewed(1.0), One, &PI.to_string(), [PI]);
            refuses((0.0..1.0 as $float).origin(0.5), [(1.0, "1.0 is not in 0.0..1.0"), (-0.0, "-0.0 is not in 0.0..1.0")]);
            check(uniform(0.0..=1.0 as $float), One, "0.0", [0.0, 1.0, 0.5, TINY, 0.1]);
            check(0.0..1.0 as $float, One, "0.0", [(1.0 as $float).next_down()]);
            check(-2.5..=-0.25 as $float, One, "-1.0", [-2.5, -0.25, -2.0, -PI / 2.0]);
            check(0.3..0.4 as $float, One, "0.375", [0.3, 0.35]);
            check(1.0 as $float.., One, "1.0", [$float::INFINITY, $float::MAX, 1e20]);
            check(..=-1e20 as $float, One, &format!("{:?}", -1e20 as $float), [$float::NEG_INFINITY, $float::MIN]);
            check($float::MIN..=$float::MAX, One, "0.0", [$float::MIN, $float::MAX, TINY]);
            check(TINY..=TINY, One, &format!("{TINY:?}"), [TINY]);
            refuses(0.0..1.0 as $float, [
                (1.0, "1.0 is not in 0.0..1.0"),
                (-0.0, "-0.0 is not in 0.0..1.0"),
                ($float::NAN, "NaN is not in 0.0..1.0"),
            ]);
            refuses(floats::<$float>().finite().with_subnormals(false), [
                ($float::INFINITY, "inf is left out"),
                ($float::NAN, "NaN is left out"),
            ]);
            assert!(!floats::<$float>().with_subnormals(false).accepts(&TINY));
        })*};
    }
    all! { f32 f64 }
    // Other NaNs come back bit for bit.
    for bits in [0x7FF8_0000_0000_0001, 0x7FF0_0000_0000_0001, 0xFFFF_FFFF_FFFF_FFFF, f64::NAN.to_bits()] {
        let choices = any::<f64>().choices_of(&f64::from_bits(bits)).unwrap();
        assert_eq!(any::<f64>().replay(&choices).to_bits(), bits);
    }
}

#[test]
fn floats_are_drawn_where_they_are_expected() {
    let drawn: Vec<f64> = any::<f64>().samples(3).take(10_000).collect();
    let share = |what: fn(&f64) -> bool| drawn.iter().filter(|float| what(float)).count();
    assert!((30..300).contains(&share(|float| float.is_nan())));
    assert!((100..500).contains(&share(|float| float.is_infinite())));
    assert!((1..300).contains(&share(|float| float.is_subnormal())));
    assert!(share(|float| *float == 0.0 && float.is_sign_negative()) > 0);
    assert!(share(|float| *float == float.trunc()) > 3_000);
    let unit: Vec<f64> = uniform(0.0..1.0).samples(3).take(10_000).collect();
    let mean = unit.iter().sum::<f64>() / 10_000.0;
    assert!((0.49..0.51).contains(&mean), "{mean}");
    let usual: Vec<f64> = (0.0..=1.0).samples(3).take(1_000).collect();
    assert!(usual.contains(&0.0) && usual.contains(&1.0) && usual.contains(&0.5));
}

#[test]
fn characters_and_strings() {
    let tricky =
        ['\0', '\n', '\'', '"', '\\', '\u{301}', '\u{202e}', '😀', '\u{d7ff}', '\u{e000}', '\u{ffff}', char::MAX];
    check(any::<char>(), One, "'a'", tricky);
    check(' '..='~', One, "'a'", [' ', '~', 'z']);
    check('b'..'z', One, "'b'", ['b', 'y']);
    check('\u{d000}'..='\u{f000}', One, "'\u{d000}'", ['\u{d7ff}', '\u{e000}']);
    check('\u{10fff0}'.., One, "'\\u{10fff0}'", [char::MAX]);
    check(..='\n', One, "'\\0'", ['\0', '\n']);
    refuses('a'..='z', [('A', "'A' is not in 'a'..='z'")]);
    let strings = ["", "a", "it's \"quoted\" \\", "\0\r\n\t", "e\u{301}", "\u{301}", "日本 😀 \u{10ffff}"];
    check(any::<String>(), One, "\"\"", strings.map(String::from));
    check(any::<Box<str>>(), One, "\"\"", strings.map(Box::from));
    check(any::<Rc<str>>(), One, "\"\"", strings.map(Rc::from));
    check(any::<Arc<str>>(), One, "\"\"", strings.map(Arc::from));
    check(any::<Cow<'static, str>>(), One, "\"\"", strings.map(Cow::from));
    check(any::<OsString>(), One, "\"\"", strings.map(OsString::from));
    check(string_of(' '..='~', 2..5), One, "\"aa\"", ["~~~~", "  "].map(String::from));
    check(string_of('α'..='ω', 3), One, "\"ααα\"", ["ωψχ".to_owned()]);
    refuses(
        string_of(' '..='~', 2..5),
        [("a".to_owned(), "its length 1 is not in 2..=4"), ("ab\n".to_owned(), "'\\n' is not in ' '..='~'")],
    );
    check(any::<CString>(), One, "\"\"", [c"".to_owned(), c"a\xff\x80\n\"'\\".to_owned()]);
    assert!(any::<String>().accepts(&"x".repeat(100_000)));
}

#[test]
fn paths() {
    let paths = ["", "/", "a", "/a/b", "a//b/", "../..", "./.hidden", "…", "///", ".../x y", "a\nb", "C:\\x"];
    check(any::<PathBuf>(), Several, "\"\"", paths.map(PathBuf::from));
    check(any::<Box<Path>>(), Several, "\"\"", paths.map(|path| Path::new(path).into()));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let not_text = OsString::from_vec(vec![b'a', 0xFF]);
        assert_eq!(any::<OsString>().choices_of(&not_text).unwrap_err().reason(), "it is not valid UTF-8");
        assert_eq!(any::<PathBuf>().choices_of(&not_text.into()).unwrap_err().reason(), "it is not valid UTF-8");
    }
}

#[test]
fn lists() {
    check(any::<Vec<u8>>(), One, "[]", [vec![], vec![1; 500]]);
    check(vec_of(0..10, 2..=3), One, "[0, 0]", [vec![9, 9, 9]]);
    check(any::<VecDeque<i8>>(), One, "[]", [VecDeque::from([1, -2])]);
    check(any::<LinkedList<bool>>(), One, "[]", [LinkedList::from([true])]);
    check(any::<BinaryHeap<u8>>(), Several, "[]", [BinaryHeap::from([1, 5, 3, 3])]);
    check(any::<Box<[u8]>>(), One, "[]", [Box::from([1, 2])]);
    check(any::<Rc<[u8]>>(), One, "[]", [Rc::from([1, 2])]);
    check(vec_of(any::<String>(), 0..9).as_type::<Arc<[String]>>(), One, "[]", [Arc::from(["x".to_owned()])]);
    check(any::<Cow<'static, [u8]>>(), One, "[]", [Cow::Borrowed(&[1, 2][..])]);
    check(any::<[u16; 3]>(), One, "[0, 0, 0]", [[1, 2, u16::MAX]]);
    check(any::<[String; 0]>(), One, "[]", [[]]);
    check(array_of::<2, _>(5..=6), One, "[5, 5]", [[5, 6]]);
    check(any::<[(); 2]>(), One, "[(), ()]", [[(), ()]]);
    check(any::<Vec<()>>(), One, "[]", [vec![(); 10]]);
    refuses(array_of::<2, _>(5..=6), [([5, 7], "7 is not in 5..=6")]);
    assert_eq!(
        any::<[u8; 2]>().read("[1]").unwrap_err().to_string(),
        "this generator cannot make [1]: its length 1 is not 2"
    );
}

#[test]
fn lists_and_strings_longer_than_what_is_reserved_at_once() {
    fn long<G: Generator<Value: PartialEq>>(generator: G, length: fn(&G::Value) -> usize) {
        let mut source = Source::recording(7);
        let value = generator.generate(&mut source).unwrap();
        assert_eq!(length(&value), 70_000);
        assert!(value == generator.sample(7));
        let choices = source.into_choices();
        assert!(generator.choices_of(&value).unwrap() == choices);
        assert!(generator.replay(&choices) == value);
    }
    long(vec_of(0..10u8, 70_000..=70_000), Vec::len);
    long(vec_of((any::<bool>(), just(())), 70_000..=70_000), Vec::len);
    long(string_of('a'..='z', 70_000..=70_000), |string| string.chars().count());
    long(string_of('a'..='ß', 70_000..=70_000), |string| string.chars().count());
    long(string_of('ß'..='ß', 70_000..=70_000), |string| string.chars().count());
}

#[test]
fn a_list_that_stops_half_way_drops_what_it_made() {
    let shared = Rc::new(());
    struct Stops(Rc<()>, Cell<u32>, bool);
    impl Generator for Stops {
        type Value = Rc<()>;
        fn generate(&self, source: &mut Source<'_>) -> retrospect::source::Drawn<Rc<()>> {
            self.1.set(self.1.get() + 1);
            match (self.1.get(), self.2) {
                (5, true) => panic!("on purpose"),
                (5, false) => Err(source.stop(retrospect::source::Why::Other("on purpose".to_owned()))),
                _ => Ok(self.0.clone()),
            }
        }
        fn reflect(&self, _: &Rc<()>, _: &mut retrospect::reflect::Reflector) -> retrospect::reflect::Reflected {
            Ok(())
        }
        fn complete(
            &self,
            _: &retrospect::sketch::Sketch<'_>,
            source: &mut Source<'_>,
        ) -> retrospect::source::Drawn<Rc<()>> {
            self.generate(source)
        }
    }
    for panics in [false, true] {
        let stops = || Stops(shared.clone(), Cell::new(0), panics);
        let run = |work: &mut dyn FnMut()| {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        };
        run(&mut || assert!(vec_of(stops(), 9).generate(&mut Source::random(1)).is_err()));
        run(&mut || assert!(array_of::<9, _>(stops()).generate(&mut Source::random(1)).is_err()));
    }
    assert_eq!(Rc::strong_count(&shared), 1);
}

#[test]
fn sets_and_maps() {
    type Fixed = BuildHasherDefault<DefaultHasher>;
    check(any::<BTreeSet<u8>>(), Several, "{}", [BTreeSet::from([3, 1]), (0..=255).collect()]);
    check(any::<HashSet<i64>>(), Several, "{}", [HashSet::from([3, -1, i64::MIN])]);
    check(any::<HashSet<String, Fixed>>(), Several, "{}", [["a", "b"].map(String::from).into_iter().collect()]);
    check(any::<BTreeMap<u8, String>>(), Several, "{}", [BTreeMap::from([(1, "x".to_owned())])]);
    check(
        hash_map_of(any::<String>(), vec_of(any::<u8>(), 0..4), 0..20),
        Several,
        "{}",
        [HashMap::from([(String::new(), vec![1])])],
    );
    check(any::<HashMap<u8, u8, Fixed>>(), Several, "{}", [(0..=255).map(|key| (key, key)).collect()]);
    check(any::<BTreeSet<BTreeSet<bool>>>(), Several, "{}", [BTreeSet::from([BTreeSet::new()])]);
    check(vec_of(hash_set_of(any::<(u8, bool)>(), 0..9), 0..9), Several, "[]", [vec![HashSet::from([(1, true)])]]);
    check(set_of(0..1000, 3..=5), Several, "{0, 1, 2}", [BTreeSet::from([7, 8, 999])]);
    check(set_of(0..10, 10), Several, "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}", []);
    check(
        set_of(any::<(bool, bool)>(), 4),
        Several,
        "{(false, false), (false, true), (true, false), (true, true)}",
        [],
    );
    check(map_of('a'..='z', 0..10, 2..), Several, "{'a': 0, 'b': 0}", [BTreeMap::from([('x', 1), ('b', 9)])]);
    check(
        set_of(string_of('a'..='c', 0..3), 5..),
        Several,
        &format!("{:?}", set_of(string_of('a'..='c', 0..3), 5..).replay(&Choices::default())),
        [],
    );
    refuses(
        set_of(0..10, 1..),
        [(BTreeSet::from([11, 3]), "11 is not in 0..10"), (BTreeSet::new(), "its length 0 is below 1")],
    );
    refuses(
        map_of(0..10, 0..5, ..),
        [(BTreeMap::from([(1, 7)]), "7 is not in 0..5"), (BTreeMap::from([(11, 2)]), "11 is not in 0..10")],
    );
}

#[test]
fn sets_keep_their_lengths_or_say_why_not() {
    for seed in 0..200 {
        assert_eq!(set_of(0..50, 50).sample(seed).len(), 50);
        assert!(hash_set_of(any::<bool>(), 1..=9).sample(seed).len() <= 2);
    }
    let mut source = Source::random(1);
    assert!(set_of(0..3, 4..).generate(&mut source).is_err());
    assert_eq!(
        source.why().unwrap().to_string(),
        "only 3 different items were found where at least 4 are needed: 10000 more tries gave only duplicates"
    );
    // Duplicates in a tree are dropped, and what was kept is what is recorded.
    let (set, made) = set_of(0..10, ..).try_replay(&"[3 3 4 3]".parse().unwrap()).unwrap();
    assert_eq!((set, made.to_string()), (BTreeSet::from([3, 4]), "[3 4]".to_owned()));
    let (map, made) = map_of(0..10, 0..10, ..).try_replay(&"[(3 1) (3 2) (4 5)]".parse().unwrap()).unwrap();
    assert_eq!((map, made.to_string()), (BTreeMap::from([(3, 1), (4, 5)]), "[(3 1) (4 5)]".to_owned()));
}

#[test]
fn hash_tables_are_recalled_in_one_order() {
    // Two sets with the same items and other hashers.
    let (one, other): (HashSet<i32>, HashSet<i32>) = ((-50..50).collect(), (-50..50).rev().collect());
    let sets = hash_set_of(any::<i32>(), ..);
    assert_eq!(sets.choices_of(&one).unwrap(), sets.choices_of(&other).unwrap());
    assert_eq!(sets.choices_of(&HashSet::from([3, -1, 0])).unwrap().to_string(), "[0 2 5]");
}

#[test]
fn holes_in_sets_and_maps_are_filled_with_others() {
    for seed in 0..50 {
        let set = set_of(0..3, ..).fill("{_, 1, _}", seed).unwrap();
        assert_eq!(set, BTreeSet::from([0, 1, 2]));
        let map = map_of(any::<bool>(), 0..9, ..).fill("{_: 5, true: _}", seed).unwrap();
        assert_eq!(map[&false], 5);
    }
    let error = set_of(0..3, ..).fill("{_, 1, _, 2}", 1).unwrap_err().to_string();
    assert!(error.ends_with("it is in the set already"), "{error}");
}

#[test]
fn options_results_and_bounds() {
    check(any::<Option<u8>>(), One, "None", [None, Some(255)]);
    check(any::<Option<Option<()>>>(), One, "None", [None, Some(None), Some(Some(()))]);
    check(any::<Result<u8, String>>(), One, "Ok(0)", [Ok(255), Err("x".to_owned())]);
    check(any::<Bound<i8>>(), One, "Unbounded", [Bound::Unbounded, Bound::Included(-1), Bound::Excluded(3)]);
    check(option_of(3..5), One, "None", [Some(3)]);
    check(result_of(3..5, 7..8), One, "Ok(3)", [Err(7)]);
    refuses(option_of(3..5), [(Some(5), "5 is not in 3..5")]);
    assert_eq!(
        any::<Option<u8>>().read("Ok(3)").unwrap_err().to_string(),
        "this generator cannot make Ok(3): expected None or Some(…), not `Ok` with 1 part"
    );
}

#[test]
fn holders() {
    check(any::<Box<u8>>(), One, "0", [Box::new(7)]);
    check(any::<Rc<u8>>(), One, "0", [Rc::new(7)]);
    check(any::<Arc<(u8, bool)>>(), One, "(0, false)", [Arc::new((7, true))]);
    check(any::<Pin<Box<u8>>>(), One, "0", [Box::pin(7)]);
    check(any::<Cow<'static, u8>>(), One, "0", [Cow::Borrowed(&7), Cow::Owned(8)]);
    check(any::<Cell<u8>>(), One, "Cell { value: 0 }", [Cell::new(7)]);
    check(any::<RefCell<Vec<u8>>>(), One, "RefCell { value: [] }", [RefCell::new(vec![7])]);
    check(any::<Mutex<u8>>(), One, "Mutex { data: 0, poisoned: false, .. }", [Mutex::new(7)]);
    check(any::<RwLock<u8>>(), One, "RwLock { data: 0, poisoned: false, .. }", [RwLock::new(7)]);
    check(any::<Reverse<u8>>(), One, "Reverse(0)", [Reverse(7)]);
    check(held_in::<Rc<u8>, _>(3..5), One, "3", [Rc::new(4)]);
    refuses(held_in::<Reverse<u8>, _>(3..5), [(Reverse(7), "7 is not in 3..5")]);
    let lock = Mutex::new(1u8);
    let guard = lock.lock().unwrap();
    assert_eq!(any::<Mutex<u8>>().choices_of(&lock).unwrap_err().reason(), "it is locked");
    drop(guard);
    assert!(any::<Mutex<u8>>().accepts(&lock));
}

#[test]
fn functions() {
    let read = |text: &str| any::<Function<u8, bool>>().read(text).unwrap();
    check(any::<Function<u8, bool>>(), One, "{_ => false}", [read("{3 => true, _ => false}"), read("{_ => drawn(7)}")]);
    let functions = any::<Function<String, Option<u8>>>();
    check(
        functions.clone(),
        One,
        "{_ => None}",
        [functions.read(r#"{"a" => Some(1), "" => None, _ => None}"#).unwrap()],
    );
    let read = |text: &str| any::<Function<u8, u8>>().read(text).unwrap();
    let refused = [(read("{1 => 7, _ => 3}"), "7 is not in 3..5"), (read("{1 => 4, _ => 2}"), "2 is not in 3..5")];
    refuses(function_of::<u8, u8>(3..5), refused);
}

#[test]
fn ranges_as_values() {
    check(any::<Range<u8>>(), One, "0..0", [0..255, Range { start: 5, end: 3 }]);
    check(any::<RangeInclusive<i64>>(), One, "0..=0", [i64::MIN..=i64::MAX]);
    check(any::<RangeFrom<u8>>(), One, "0..", [7..]);
    check(any::<RangeTo<char>>(), One, "..'a'", [..'z']);
    check(any::<RangeToInclusive<u8>>(), One, "..=0", [..=7]);
    check(any::<Range<Option<u8>>>(), One, "None..None", [None..Some(3)]);
    check(any::<Vec<Range<f64>>>(), One, "[]", [vec![-1.5..2.5, 0.0..f64::INFINITY]]);
    let mut used_up = 1..=2u8;
    used_up.by_ref().for_each(drop);
    assert_eq!(any::<RangeInclusive<u8>>().choices_of(&used_up).unwrap_err().reason(), "it was iterated to its end");
    let valid = any::<Range<u8>>().samples(1).take(1000).filter(|range| range.start <= range.end).count();
    assert!((900..1000).contains(&valid), "{valid}");
}

#[test]
fn times() {
    let durations = [Duration::ZERO, Duration::MAX, Duration::from_nanos(1), Duration::from_millis(1500)];
    check(any::<Duration>(), One, "0ns", durations);
    check(any::<Vec<Duration>>(), One, "[]", [durations.to_vec()]);
    let epoch = SystemTime::UNIX_EPOCH;
    let simplest = format!("{epoch:?}");
    let times = [epoch, epoch + Duration::new(1_700_000_000, 5), epoch - Duration::from_nanos(1), SystemTime::now()];
    check(any::<SystemTime>(), One, &simplest, times);
}

#[test]
fn addresses() {
    let (v4, v6) = (Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
    check(any::<Ipv4Addr>(), One, "0.0.0.0", [v4, Ipv4Addr::BROADCAST]);
    check(any::<Ipv6Addr>(), One, "::", [v6, "fe80::1:2".parse().unwrap(), "::ffff:1.2.3.4".parse().unwrap()]);
    check(any::<IpAddr>(), One, "0.0.0.0", [v4.into(), v6.into()]);
    check(any::<SocketAddrV4>(), One, "0.0.0.0:0", [SocketAddrV4::new(v4, 80)]);
    check(any::<SocketAddrV6>(), One, "[::]:0", [SocketAddrV6::new(v6, 80, 0, 5)]);
    check(any::<SocketAddr>(), One, "0.0.0.0:0", [(v4, 80).into(), (v6, 80).into()]);
    check(any::<Vec<Option<SocketAddr>>>(), One, "[]", [vec![None, Some((v6, 80).into())]]);
    check(any::<BTreeMap<IpAddr, u8>>(), Several, "{}", [BTreeMap::from([(v6.into(), 1), (v4.into(), 2)])]);
    // `Debug` does not print it, but it is recalled.
    let flow = SocketAddrV6::new(v6, 80, 7, 0);
    assert_eq!(any::<SocketAddrV6>().replay(&any::<SocketAddrV6>().choices_of(&flow).unwrap()), flow);
    let local = any::<Ipv4Addr>().samples(1).take(1000).filter(Ipv4Addr::is_loopback).count();
    assert!((20..200).contains(&local), "{local}");
}

/// A generator that declares what it is told to.
struct Declaring<G>(G, Facts);

impl<G: Generator> Generator for Declaring<G> {
    type Value = G::Value;

    fn facts(&self, _: Wanted) -> Facts {
        self.1
    }

    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.0.generate(source)
    }

    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        self.0.reflect(value, reflector)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.0.complete(sketch, source)
    }
}

#[test]
fn a_false_declaration_is_found() {
    fn problem<G: Generator>(generator: G, facts: Facts) -> String {
        let broken = Laws::default().verify(&Declaring(generator, facts)).unwrap_err();
        assert_eq!(broken.law(), Law::Declared, "{broken}");
        broken.to_string()
    }
    let one_way = Facts { has_one_way: true, ..Facts::UNKNOWN };
    assert!(
        problem(one_of((0..3, 2..5)), one_way)
            .ends_with("it has 2 ways, but the generator declares that each value has one")
    );
    assert!(problem(exact(1), Facts::ONE_NODE).ends_with("its choices are 0 nodes, but it declares that they are one"));
    let number = Facts { form: Form::Number { max: 9 }, ..Facts::UNKNOWN };
    assert!(problem(0..9, number).ends_with("it declares that it asks for one number from 0 to 9, but does not"));
    let small = Facts { extent: Extent::NUMBER, ..Facts::UNKNOWN };
    assert!(problem(vec_of(0..9, ..), small).contains("but it declares no growth"));
}

#[test]
fn generators_are_identified_also_where_their_types_are_hidden() {
    fn identity<G: Generator + ?Sized>(generator: &G) -> Option<u64> {
        generator.facts(Wanted::All).identity
    }
    let boxed: [Boxed<'_, u8>; 4] = [(0..5).boxed(), within(0..5).boxed(), (0..6).boxed(), any::<u8>().boxed()];
    let identities: HashSet<u64> = boxed.iter().map(|generator| identity(generator).unwrap()).collect();
    assert_eq!(identities.len(), boxed.len());
    assert_eq!(identity(&boxed[0]), identity(&(0..5u8)));
    let facts = |generator: &dyn Generator<Value = Vec<bool>>| generator.facts(Wanted::All);
    let list = vec_of(any::<bool>(), 2..4);
    assert_eq!(facts(&list.boxed()), facts(&list));
    // What another size makes of it, a closure or a place is not in its identity.
    assert_eq!(identity(&(0..5).resize(3)).or(identity(&within(0..5).map(|number| number))), None);
}
