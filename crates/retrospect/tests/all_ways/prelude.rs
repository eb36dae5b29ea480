//! Every generator of the standard library's types.

use crate::sampled::check;
use retrospect::generator::{range_of, shrink_to};
use retrospect::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use std::time::{Duration, SystemTime};

#[test]
fn small_types_are_drawn_as_often_as_said() {
    check! { [0, 100];
        any::<bool>(); any::<()>(); any::<std::cmp::Ordering>(); any::<char>();
        any::<u8>(); any::<i16>(); any::<u32>(); any::<i64>(); any::<usize>(); any::<i128>();
        any::<std::num::NonZero<u16>>(); any::<std::num::Wrapping<i8>>();
        any::<Duration>(); any::<SystemTime>();
        any::<std::net::IpAddr>(); any::<std::net::SocketAddr>(); any::<std::net::SocketAddrV6>();
        any::<Option<bool>>(); any::<Result<bool, Option<u8>>>();
        any::<std::ops::Bound<bool>>();
        range_of::<std::ops::Range<u8>, _>(0..4); range_of::<std::ops::RangeInclusive<char>, _>('a'..='e'); any::<std::ops::RangeInclusive<bool>>();
        any::<Box<u8>>(); any::<std::rc::Rc<bool>>(); any::<std::cell::Cell<bool>>(); any::<std::sync::Mutex<bool>>();
        any::<std::cmp::Reverse<bool>>(); any::<Cow<'static, str>>();
        'a'..='z'; within('\0'..); (0.0..1.0); any::<(bool, u8)>(); any::<[bool; 3]>();
        exact(3); any::<Function<bool, bool>>(); function_of::<u8, _>(exact(7));
        shrink_to(5, [3, 5]); shrink_to(5, [3, 3]); shrink_to(5, [5; 20]);
    }
}

#[test]
fn holders_are_drawn_as_often_as_said() {
    check! { [0, 1, 3];
        any::<Vec<bool>>(); any::<VecDeque<bool>>(); any::<LinkedList<bool>>(); any::<Box<[bool]>>();
        any::<BTreeSet<bool>>(); hash_set_of(any::<bool>(), ..=1); any::<BTreeMap<bool, bool>>(); hash_map_of(any::<bool>(), exact(()), ..=1);
        any::<String>(); any::<Box<str>>(); any::<std::ffi::CString>(); any::<std::ffi::OsString>();
        vec_of(0..3, ..); array_of::<2, _>(0..3); string_of('a'..='c', ..=2); option_of(0..3); result_of(0..3, exact('!'));
        element_of([1, 2, 2]); subsequence_of([1, 2, 2], ..); permutation_of([1, 2, 2]);
        vec_of(vec_of(any::<bool>(), ..), ..); any::<Option<Vec<Option<bool>>>>();
        one_of((0..3, 2..5)); frequency(((1, 0..3), (2, exact(7))));
    }
}
