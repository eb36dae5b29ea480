//! Every form in which a property can be written.

use retrospect::prelude::*;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }
}

#[generator]
fn bst(lo: i64, hi: i64) -> Tree {
    if lo > hi {
        return Tree::Leaf;
    }
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let x = draw(lo..=hi);
            let l = draw(bst(lo, x - 1));
            let r = draw(bst(x + 1, hi));
            Tree::Node(Box::new(l), x, Box::new(r))
        }
    }
}

mod arguments {
    use super::*;

    #[property]
    fn come_from_their_types(number: u8, text: String, map: BTreeMap<u8, Option<bool>>) {
        assert!(number < u8::MAX || text.chars().count() < usize::MAX || map.is_empty());
    }

    #[property]
    fn come_from_a_generator(#[from(bst(0, 100))] tree: Tree, key: i64) {
        let keys = tree.keys();
        assert!(keys.is_sorted() && keys.iter().all(|found| (0..=100).contains(found)));
        assert_eq!(keys.contains(&key), keys.binary_search(&key).is_ok());
    }

    #[property]
    fn literals_take_the_type_of_the_argument(#[from(0..10)] small: u8, #[from(-5..=5)] around: i128) {
        assert!(small < 10 && (-5..=5).contains(&around));
    }

    #[property]
    fn later_ones_may_use_earlier_ones(
        #[from(1..20)] length: usize,
        #[from(vec_of(any::<u8>(), length))] items: Vec<u8>,
        #[from(0..items.len())] index: usize,
        #[from(element_of(items.clone()))] item: u8,
    ) {
        assert_eq!(items.len(), length);
        assert!(index < length);
        assert!(items.contains(&item));
    }

    #[property]
    fn may_be_mutable(mut items: Vec<u8>, #[from(0..3)] mut times: usize) {
        let before = items.len();
        while times > 0 {
            items.push(0);
            times -= 1;
        }
        assert!(items.len() <= before + 2);
    }

    #[property]
    fn may_be_patterns((low, high): (u8, u8), #[from(tuple((0..5, 5..10)))] (a, mut b): (i32, i32), _: String) {
        b += 1;
        assert!(a < b && low.max(high) >= low);
    }

    struct Point {
        x: u8,
        y: u8,
    }

    impl std::fmt::Debug for Point {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(formatter, "Point {{ x: {}, y: {} }}", self.x, self.y)
        }
    }

    #[property]
    fn may_be_patterns_of_structs(
        #[from(tuple((0..9_u8, 0..9_u8)).map(|(x, y)| Point { x, y }))] Point { x, y }: Point,
        #[from(any::<[u8; 3]>())] [first, .., last]: [u8; 3],
        #[from(any::<(bool, bool)>())] &(left, right): &(bool, bool),
    ) {
        assert!(x < 9 && y < 9);
        assert_eq!((first < last) == left, left == (last > first), "{right}");
    }

    #[property]
    fn may_be_references(
        text: &str,
        items: &[u16],
        path: &Path,
        name: &OsStr,
        foreign: &CStr,
        tree: &BTreeMap<u8, u8>,
    ) {
        assert!(text.len() >= text.chars().count());
        assert!(items.iter().all(|item| items.contains(item)));
        assert_eq!(path.as_os_str().is_empty(), path == Path::new(""));
        assert_eq!(name.len(), name.to_owned().len());
        assert_eq!(foreign.to_bytes().len() + 1, foreign.to_bytes_with_nul().len());
        assert_eq!(tree.len(), tree.keys().count());
    }

    #[property]
    fn may_be_mutable_references(number: &mut u64, items: &mut Vec<u8>, slice: &mut [u8], text: &mut str) {
        *number = number.wrapping_add(1);
        items.push(1);
        slice.sort_unstable();
        text.make_ascii_lowercase();
        assert!(slice.is_sorted() && items.ends_with(&[1]));
        assert!(!text.contains('A'));
    }

    #[property]
    fn may_be_references_to_what_a_generator_makes(
        #[from(vec_of(0..10, 1..5_usize))] items: &[u8],
        #[from(element_of(items.clone()))] item: &u8,
        #[from(string_of('a'..='z', ..))] text: &str,
        #[from(bst(0, 9))] tree: &mut Tree,
    ) {
        assert!(items.contains(item));
        assert!(text.chars().all(|letter| letter.is_ascii_lowercase()));
        *tree = Tree::Leaf;
    }

    #[property]
    fn may_live_for_ever(#[from(element_of(["one", "two"]))] word: &'static str) {
        assert_eq!(word.len(), 3);
    }

    #[property]
    fn may_be_of_any_type_that_a_generator_makes(#[from(0..9_u8)] number: impl Into<u64> + Copy) {
        assert!(number.into() < 9);
    }

    #[property]
    fn may_be_called_anything(case: u8, property: bool, example: &str, r#type: u8, argument_0: u8, (a, b): (u8, u8)) {
        let _ = (case, property, example, r#type, argument_0, a, b);
    }

    // An argument that has the name of the property.
    #[property]
    fn itself(itself: u8) -> bool {
        itself.checked_add(1).is_none_or(|next| next > itself)
    }

    macro_rules! for_types {
        ($($name:ident: $type:ty),*) => {
            $(
                #[property(cases = 10)]
                fn $name(value: $type, again: &$type) {
                    assert_eq!(value.clone(), value);
                    assert_eq!(*again, again.to_owned());
                }
            )*
        };
    }

    for_types!(may_come_from_a_macro: u8, may_be_long_types: Vec<(u8, String)>);

    #[property]
    fn may_be_the_case(case: &mut Case) {
        let length = case.draw(0..10_usize);
        let items: Vec<u8> = (0..length).map(|_| case.draw(any::<u8>())).collect();
        assert_eq!(items.len(), length);
    }

    #[property]
    fn may_be_the_case_beside_others(#[from(1..10_usize)] length: usize, case: &mut Case<'_>, items: &[u8]) {
        assert!(case.draw(0..length) < length);
        assert!(items.len() <= items.len() + length);
    }
}

mod bodies {
    use super::*;

    #[property]
    fn may_return_a_bool(xs: Vec<u8>) -> bool {
        let mut sorted = xs.clone();
        sorted.sort_unstable();
        sorted.len() == xs.len()
    }

    #[property]
    fn may_return_a_result(number: i64) -> Result<(), Box<dyn std::error::Error>> {
        let read: i64 = number.to_string().parse()?;
        assert_eq!(read, number);
        Ok(())
    }

    #[property]
    fn may_return_a_result_of_a_bool(number: u16) -> Result<bool, std::num::TryFromIntError> {
        let wide = u32::from(number);
        Ok(u16::try_from(wide)? == number)
    }

    #[property]
    fn may_return_early(numbers: &[i32]) {
        let Some(first) = numbers.first() else { return };
        if *first == 0 {
            return;
        }
        assert_ne!(*first, 0);
    }

    #[property(expect_failure, save = false)]
    fn that_are_false_fail(number: u8) -> bool {
        number == 255 && number == 0
    }

    #[property(expect_failure, save = false)]
    fn that_are_errors_fail(number: u8) -> Result<(), std::num::ParseIntError> {
        format!("{number}x").parse::<u8>()?;
        Ok(())
    }

    #[property(expect_failure = true, save = false)]
    fn that_panic_fail(number: u8) {
        assert_eq!(number, 3, "not three");
    }
}

mod examples {
    use super::*;

    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[property(cases = 5)]
    #[example(number = 3, text = "three".to_owned())]
    #[allow(clippy::ptr_arg)]
    #[example(text = String::new(), number = 4)]
    fn run_first(number: u8, text: &String) {
        match RUNS.fetch_add(1, Ordering::Relaxed) {
            0 => assert_eq!((number, text.as_str()), (3, "three")),
            1 => assert_eq!((number, text.as_str()), (4, "")),
            _ => {}
        }
    }

    #[property]
    #[example(text = "abc", items = [1, 2], path = "a/b", more = vec![], number = 3, tree = Tree::Leaf)]
    #[example(text = String::from("abc"), items = &[1, 2][..], path = Path::new("a/b"), more = [7; 3], number = 5, tree = Tree::Leaf)]
    fn are_written_like_the_argument(
        text: &str,
        items: &[u16],
        path: &Path,
        more: &mut [u64],
        number: &u64,
        #[from(bst(0, 9))] tree: &Tree,
    ) {
        let _ = (text, items, path, more, number, tree);
    }

    #[property]
    #[example((a, b) = (1, 2), _1 = true, count = 9, r#type = 1)]
    #[example(count = 8, _1 = false, r#type = 1, (a, b) = (3, 4))]
    fn name_patterns_by_their_text((a, b): (u8, u8), _: bool, mut count: u64, r#type: u8) {
        count /= 2;
        let _ = (a, b, count, r#type);
    }

    #[property]
    #[example(number = 4)]
    fn leave_the_case_out(number: u64, case: &mut Case) {
        assert!(case.draw(0..=number) <= number);
    }
}

mod settings {
    use super::*;

    const CASES: u64 = 7;
    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[property(cases = CASES * 2)]
    fn counted(_: u64) {
        RUNS.fetch_add(1, Ordering::Relaxed);
    }

    // The property also runs by itself, perhaps at the same time.
    #[test]
    fn may_be_expressions() {
        counted();
        assert!((14..100).contains(&RUNS.load(Ordering::Relaxed)));
    }

    #[property(time = "20ms")]
    fn take_time(number: u64) {
        let _ = number;
    }

    #[property(time = Duration::from_millis(10) * 2, timeout = "1.5 s")]
    fn take_time_as_an_expression(number: u64) {
        let _ = number;
    }

    #[property(exhaustive)]
    fn run_everything(flag: bool, #[from(0..4_u8)] number: u8) {
        assert!(flag || number < 4);
    }

    #[property(
        cases = 30,
        seed = 0x7f3a,
        size = 50,
        exhaustive = false,
        isolate = false,
        timeout = "1m",
        expect_failure = false,
        shrink_time = "50ms",
        shrink_runs = 100,
        verbose = 0,
        save = false,
        all_failures,
        allow(discards, slow, large, nondeterminism),
        regressions = "target/regressions"
    )]
    fn may_all_be_given(number: u64) {
        let _ = number;
    }

    #[property(max_cases = 3)]
    fn may_limit_the_cases(number: u64) {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        assert!(COUNT.fetch_add(1, Ordering::Relaxed) < 3, "{number}");
    }

    #[property(isolate = cfg!(any()), save)]
    fn may_be_flags_with_a_value(number: u64) {
        let _ = number;
    }
}

mod attributes {
    use super::*;

    /// Documentation stays.
    #[property]
    #[allow(unused_variables, clippy::needless_return)]
    fn set_lints_in_the_body(number: u8) {
        let unused = 3;
        return;
    }

    #[property]
    #[test]
    fn may_say_that_it_is_a_test(number: u8) {
        let _ = number;
    }

    #[cfg(any())]
    #[property]
    fn may_leave_it_out(number: TypeThatDoesNotExist) {}

    #[property]
    #[cfg(any())]
    fn may_leave_it_out_from_below(number: TypeThatDoesNotExist) {}

    #[property]
    pub(super) fn keep_the_visibility(number: u8) {
        let _ = number;
    }

    #[property]
    fn of_arguments_stay(
        #[allow(unused_variables)] number: u8,
        #[from(0..3)]
        #[allow(unused)]
        mut other: u8,
    ) {
    }
}

mod asynchronous {
    use super::*;

    async fn double(number: u32) -> u64 {
        tokio::task::yield_now().await;
        u64::from(number) * 2
    }

    #[property]
    #[tokio::test]
    async fn under_tokio(number: u32, text: &str) {
        let before = text.len();
        assert_eq!(double(number).await, u64::from(number) + u64::from(number));
        assert_eq!(text.len(), before);
    }

    #[property(cases = 20)]
    #[tokio::test(flavor = "current_thread")]
    async fn with_the_options_of_the_runtime(#[from(0..3)] milliseconds: u64) {
        tokio::time::sleep(Duration::from_micros(milliseconds)).await;
    }

    #[property]
    #[tokio::test]
    #[example(number = 7)]
    async fn with_a_result(number: u32) -> Result<bool, std::num::TryFromIntError> {
        Ok(u32::try_from(double(number).await / 2)? == number)
    }

    #[property]
    #[tokio::test]
    async fn with_the_case(case: &mut Case<'_>) {
        let number = case.draw(0..1000);
        assert!(double(number).await < 2000);
    }

    #[property(expect_failure, save = false)]
    #[tokio::test]
    async fn that_fails(number: u32) {
        assert_eq!(double(number).await, 1);
    }
}

mod fragments {
    use super::*;

    macro_rules! property_of {
        ($name:ident, $argument:ident: $type:ty, $body:block) => {
            #[property]
            fn $name($argument: $type) $body
        };
    }

    property_of!(may_be_a_block_of_a_macro, number: u8, {
        assert!(u32::from(number) < 256);
    });

    #[property]
    #[deny(unused_variables)]
    fn may_use_an_argument_for_another_alone(length: u8, #[from(vec_of(0..10, usize::from(length)))] list: Vec<u8>) {
        assert!(list.len() < 256);
    }
}
