//! Descriptions of generators, themselves generated: an ordinary derived type, which is built into
//! a generator of [`Dyn`].

use super::condition::Condition;
use super::fixed::{Which, fixed};
use super::value::{Dyn, Number, Stream, Table};
use retrospect::generator::{
    Itself, Lengths, ShrinkTree, bound_of, from_shrink_tree, held_in, range_of, shrink_to, stream_of,
};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::{Bound, RangeInclusive};

/// What every composition is built into.
pub type Built = Boxed<'static, Dyn>;

/// A generator, described.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Spec {
    Unit,
    Bool,
    Int(Range),
    Uniform(Range),
    Within(Range),
    Skewed(Range, #[generate(with = element_of([0.25, 1.0, 4.0]))] f64, bool),
    AnyInt,
    Float(Floats),
    Char(Chars),
    StringOf(Chars, Length),
    AnyText,
    Text(Grammar),
    Ints(Range, Length),
    Bytes(Length),
    Fixed(Which, Weight),
    Exact(u8),
    Just(u8),
    ElementOf(#[generate(with = 1..=5usize)] usize),
    SubsequenceOf(#[generate(with = 0..=5usize)] usize),
    PermutationOf(#[generate(with = 0..=5usize)] usize),
    ShrinkTo(#[generate(with = 0..=20usize)] usize),
    FromShrinkTree(#[generate(with = 0..=20u8)] u8),
    /// The recursive generator around, counted from the innermost. The unit where there is none.
    #[generate(weight = 4)]
    Itself(#[generate(with = 0..=1usize)] usize),

    Maybe(Box<Spec>),
    Either(Box<Spec>, Box<Spec>),
    Pair(Box<Spec>, Box<Spec>),
    #[generate(weight = 2)]
    Node(Vec<Spec>),
    #[generate(weight = 2)]
    List(Box<Spec>, Length),
    Array(Box<Spec>),
    Set(Box<Spec>, Length),
    Map(Box<Spec>, Box<Spec>, Length),
    HashSet(Box<Spec>, Length),
    HashMap(Box<Spec>, Box<Spec>, Length),
    Ends(Range),
    Bound(Range),
    Sequence(Steps, Box<Spec>, Length),
    Function(Box<Spec>),
    Stream(Box<Spec>),
    /// What is left after a first choice.
    After(Box<Spec>, #[generate(with = 0..=2usize)] usize),
    OneOf(Box<Spec>, Vec<Spec>),
    Frequency(Box<Spec>, Box<Spec>, Weight),
    Labelled(Box<Spec>, Box<Spec>),
    WithDefault(u8, Box<Spec>),
    /// What ends and what may go on, with its weight.
    #[generate(weight = 3)]
    Recursive(Box<Spec>, Weight, Box<Spec>),
    Lazy(Box<Spec>),
    Sized(Box<Spec>),
    Resize(Box<Spec>, #[generate(with = 0..=30u32)] u32),
    Named(Box<Spec>),
    NoShrink(Box<Spec>),
    ShrinkWith(Box<Spec>),
    #[generate(weight = 2)]
    Filter(Box<Spec>, Condition),
    #[generate(weight = 2)]
    Satisfying(Box<Spec>, Condition),
    /// A condition that panics where another one holds.
    FilterPanics(Box<Spec>, Condition),
    MapForward(Box<Spec>),
    MapPanics(Box<Spec>, Condition),
    MapWithInverse(Box<Spec>),
    MapWithFocus(Box<Spec>),
    /// Forward only: as many items as a value has parts.
    FlatMap(Box<Spec>, Box<Spec>),
    FilterMap(Box<Spec>, Condition),
    /// As many items as a number that was drawn before.
    BindLength(#[generate(with = 0..=6usize)] usize, Box<Spec>),
    /// A pair whose second depends on the first.
    BindPair(Box<Spec>, Box<Spec>),
    ReadBy(Box<Spec>),
    Weights(Box<Spec>, #[generate(with = 1..=5usize)] usize),
    TunedLike(Box<Spec>, #[generate(with = 1..=5usize)] usize),
    TunedUnlike(Box<Spec>, #[generate(with = 1..=5usize)] usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Range {
    Digit,
    Bit,
    One,
    Signed,
    Hundred,
    Thousand,
    Far,
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Length {
    Any,
    UpTo(#[generate(with = 0..=5usize)] usize),
    Exactly(#[generate(with = 0..=4usize)] usize),
    From(#[generate(with = 1..=3usize)] usize),
}

/// Weights of recursive arms.
#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Weight {
    One,
    Two,
    Three,
    Ten,
    Thousand,
    HundredThousand,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Floats {
    Unit,
    Any,
    Finite,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Chars {
    Letter,
    Any,
    Escaped,
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Grammar {
    Sums,
    Json,
    Brackets,
    LeftRecursion,
    Regex,
    Words,
}

/// How the next item of a sequence depends on those before.
#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Steps {
    Rising,
    Stack,
    Limited(#[generate(with = 0..=4usize)] usize),
}

impl Range {
    fn ends(self) -> RangeInclusive<i64> {
        match self {
            Range::Digit => 0..=9,
            Range::Bit => 0..=1,
            Range::One => 7..=7,
            Range::Signed => -5..=20,
            Range::Hundred => 0..=100,
            Range::Thousand => 0..=1000,
            Range::Far => 1_000_000..=1_000_300,
            Range::Full => i64::MIN..=i64::MAX,
        }
    }
}

impl Length {
    pub fn least(self) -> usize {
        match self {
            Length::Exactly(least) | Length::From(least) => least,
            Length::Any | Length::UpTo(_) => 0,
        }
    }
}

impl From<Length> for Lengths {
    fn from(length: Length) -> Lengths {
        match length {
            Length::Any => (..).into(),
            Length::UpTo(most) => (..=most).into(),
            Length::Exactly(count) => count.into(),
            Length::From(least) => (least..).into(),
        }
    }
}

impl Weight {
    fn number(self) -> u32 {
        match self {
            Weight::One => 1,
            Weight::Two => 2,
            Weight::Three => 3,
            Weight::Ten => 10,
            Weight::Thousand => 1000,
            Weight::HundredThousand => 100_000,
        }
    }
}

/// What the text of a user's panic begins with.
pub const USER: &str = "user:";

/// The recursive generators around, the innermost last.
type Around = Vec<Itself<'static, Dyn>>;

impl Spec {
    /// The generator that this describes.
    pub fn build(&self) -> Built {
        self.build_in(&Vec::new())
    }

    fn build_in(&self, around: &Around) -> Built {
        let inner = |spec: &Spec| spec.build_in(around);
        match self {
            Spec::Unit => exact(Dyn::Unit).boxed(),
            Spec::Bool => booleans().boxed(),
            Spec::Int(range) => integers(range.ends()).boxed(),
            Spec::Uniform(range) => integers(uniform(range.ends())).boxed(),
            Spec::Within(range) => integers(within(range.ends())).boxed(),
            Spec::Skewed(range, skew, is_from_the_end) => {
                let origin = if *is_from_the_end { *range.ends().end() } else { *range.ends().start() };
                integers(within(range.ends()).origin(origin).skewed(*skew)).boxed()
            }
            Spec::AnyInt => integers(any::<i64>()).boxed(),
            Spec::Float(Floats::Unit) => numbers(floats().between(0.0..=1.0)).boxed(),
            Spec::Float(Floats::Any) => numbers(any::<f64>()).boxed(),
            Spec::Float(Floats::Finite) => numbers(floats().finite()).boxed(),
            Spec::Char(chars) => characters(chars.build()).boxed(),
            Spec::StringOf(chars, length) => texts(string_of(chars.build(), *length)).boxed(),
            Spec::AnyText => texts(any::<String>()).boxed(),
            Spec::Text(grammar) => texts(grammar.build()).boxed(),
            Spec::Ints(range, length) => integer_lists(vec_of(range.ends(), *length)).boxed(),
            Spec::Bytes(length) => byte_lists(vec_of(any::<u8>(), *length)).boxed(),
            Spec::Fixed(which, weight) => fixed_types(*which, weight.number()).boxed(),
            Spec::Exact(number) => exact(Dyn::Int(i64::from(*number))).boxed(),
            Spec::Just(number) => just(Dyn::Int(i64::from(*number))).boxed(),
            Spec::ElementOf(count) => element_of(items(*count)).boxed(),
            Spec::SubsequenceOf(count) => lists(subsequence_of(items(*count), ..)).boxed(),
            Spec::PermutationOf(count) => lists(permutation_of(items(*count))).boxed(),
            Spec::ShrinkTo(count) => shrink_to(Dyn::Int(99), items(*count)).boxed(),
            Spec::FromShrinkTree(height) => {
                let halves = |value: &Dyn| -> Vec<Dyn> {
                    let Dyn::Int(number) = value else { return Vec::new() };
                    if *number == 0 { Vec::new() } else { vec![Dyn::Int(number / 2), Dyn::Int(number - 1)] }
                };
                from_shrink_tree(ShrinkTree::unfold(Dyn::Int(i64::from(*height)), halves)).boxed()
            }
            Spec::Itself(levels) => match around.len().checked_sub(levels + 1) {
                Some(place) => around[place].clone().boxed(),
                None => exact(Dyn::Unit).boxed(),
            },

            Spec::Maybe(some) => options(option_of(held_in::<Box<Dyn>, _>(inner(some)))).boxed(),
            Spec::Either(ok, err) => {
                results(result_of(held_in::<Box<Dyn>, _>(inner(ok)), held_in::<Box<Dyn>, _>(inner(err)))).boxed()
            }
            Spec::Pair(one, other) => pairs(inner(one), inner(other)).boxed(),
            Spec::Node(parts) => match parts.as_slice() {
                [] => node_0().boxed(),
                [one] => node_1(inner(one)).boxed(),
                [one, two] => node_2(inner(one), inner(two)).boxed(),
                [one, two, three, ..] => node_3(inner(one), inner(two), inner(three)).boxed(),
            },
            Spec::List(item, length) => lists(vec_of(inner(item), *length)).boxed(),
            Spec::Array(item) => node_of_array(array_of::<3, _>(inner(item))).boxed(),
            Spec::Set(item, length) => sets(set_of(inner(item), *length)).boxed(),
            Spec::Map(key, value, length) => maps(map_of(inner(key), inner(value), *length)).boxed(),
            Spec::HashSet(item, length) => {
                let make = |items: HashSet<Dyn>| Dyn::Set(items.into_iter().collect());
                let inverse = |value: &Dyn| {
                    if let Dyn::Set(items) = value { Some(items.iter().cloned().collect()) } else { None }
                };
                hash_set_of(inner(item), *length).map_with_inverse(make, inverse).boxed()
            }
            Spec::HashMap(key, value, length) => {
                let make = |entries: HashMap<Dyn, Dyn>| Dyn::Map(entries.into_iter().collect());
                let inverse = |value: &Dyn| match value {
                    Dyn::Map(entries) => {
                        Some(entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
                    }
                    _ => None,
                };
                hash_map_of(inner(key), inner(value), *length).map_with_inverse(make, inverse).boxed()
            }
            Spec::Ends(range) => {
                let make = |range: std::ops::Range<i64>| Dyn::Ints(vec![range.start, range.end]);
                let inverse = |value: &Dyn| match value {
                    Dyn::Ints(ends) if ends.len() == 2 => Some(ends[0]..ends[1]),
                    _ => None,
                };
                range_of(range.ends()).map_with_inverse(make, inverse).boxed()
            }
            Spec::Bound(range) => {
                let make = |bound: Bound<i64>| match bound {
                    Bound::Unbounded => Dyn::Unit,
                    Bound::Included(end) => Dyn::Ints(vec![end]),
                    Bound::Excluded(end) => Dyn::Int(end),
                };
                let inverse = |value: &Dyn| match value {
                    Dyn::Unit => Some(Bound::Unbounded),
                    Dyn::Ints(ends) if ends.len() == 1 => Some(Bound::Included(ends[0])),
                    Dyn::Int(end) => Some(Bound::Excluded(*end)),
                    _ => None,
                };
                bound_of(range.ends()).map_with_inverse(make, inverse).boxed()
            }
            Spec::Sequence(steps, item, length) => sequence(*steps, inner(item), *length),
            Spec::Function(output) => functions(function_of::<Dyn, Dyn>(inner(output))).boxed(),
            Spec::Stream(item) => streams(stream_of(inner(item))).boxed(),
            // The first choices are tried out. `sized` recalls one size for a value, and that may
            // be another.
            Spec::After(spec, _) if !around.is_empty() || spec.has(|spec| spec.panics() || spec.is_sized()) => {
                inner(spec)
            }
            Spec::After(spec, place) => {
                let after = inner(spec).gradient().nth(*place).map(|(_, after)| after.boxed());
                // No value may begin with that choice, as no set of two has equal items.
                let is_possible = |after: &Built| after.try_replay(&Choices::default()).is_ok();
                after.filter(is_possible).unwrap_or_else(|| inner(spec))
            }
            Spec::OneOf(first, others) => {
                one_of(std::iter::once(&**first).chain(others).map(inner).collect::<Vec<Built>>()).boxed()
            }
            Spec::Frequency(one, other, weight) => {
                frequency(((1, inner(one)), (weight.number(), inner(other)))).boxed()
            }
            Spec::Labelled(one, other) => labelled((("one", inner(one)), ("other", inner(other)))).boxed(),
            Spec::WithDefault(number, other) => inner(other).with_default(Dyn::Int(i64::from(*number))).boxed(),
            Spec::Recursive(end, weight, step) => {
                let (end, weight) = (inner(end), weight.number());
                recursive(|itself| {
                    let mut around = around.clone();
                    around.push(itself);
                    frequency(((1, end), (weight, step.build_in(&around))))
                })
                .boxed()
            }
            Spec::Lazy(spec) => {
                let built = inner(spec);
                lazy(move || built.clone()).boxed()
            }
            Spec::Sized(spec) => {
                let built = inner(spec);
                sized(move |size| lists(vec_of(built.clone(), ..=size.min(6) as usize))).boxed()
            }
            Spec::Resize(spec, size) => inner(spec).resize(*size).boxed(),
            Spec::Named(spec) => inner(spec).named("named").boxed(),
            Spec::NoShrink(spec) => inner(spec).no_shrink().boxed(),
            Spec::ShrinkWith(spec) => {
                inner(spec).shrink_with(|value| value.children().into_iter().cloned().collect::<Vec<Dyn>>()).boxed()
            }
            Spec::Filter(spec, condition) => {
                let condition = condition.clone();
                inner(spec).filter(move |value| condition.holds(value)).boxed()
            }
            Spec::Satisfying(spec, condition) => {
                let condition = condition.clone();
                inner(spec).satisfying(move |value| condition.holds(value)).boxed()
            }
            Spec::FilterPanics(spec, condition) => {
                let condition = condition.clone();
                let is_kept = move |value: &Dyn| {
                    assert!(!condition.holds(value), "{USER} a condition panics");
                    true
                };
                inner(spec).filter(is_kept).boxed()
            }
            Spec::MapForward(spec) => inner(spec).map(|value| Dyn::Node(vec![value])).boxed(),
            Spec::FlatMap(first, item) => {
                let item = inner(item);
                inner(first).flat_map(move |value| lists(vec_of(item.clone(), value.size().min(4)))).boxed()
            }
            Spec::FilterMap(spec, condition) => {
                let condition = condition.clone();
                let make = move |value| if condition.holds(&value) { Some(Dyn::Node(vec![value])) } else { None };
                inner(spec).filter_map(make).boxed()
            }
            Spec::MapPanics(spec, condition) => {
                let condition = condition.clone();
                let make = move |value: Dyn| {
                    assert!(!condition.holds(&value), "{USER} a map panics");
                    Dyn::Node(vec![value])
                };
                let inverse = |value: &Dyn| match value {
                    Dyn::Node(items) if items.len() == 1 => Some(items[0].clone()),
                    _ => None,
                };
                inner(spec).map_with_inverse(make, inverse).boxed()
            }
            Spec::MapWithInverse(spec) => {
                let inverse = |value: &Dyn| match value {
                    Dyn::Node(items) if items.len() == 2 && items[0] == Dyn::Unit => Some(items[1].clone()),
                    _ => None,
                };
                inner(spec).map_with_inverse(|value| Dyn::Node(vec![Dyn::Unit, value]), inverse).boxed()
            }
            Spec::MapWithFocus(spec) => {
                inner(spec).map_with_focus(|value| Dyn::Maybe(Some(Box::new(value))), inside_of_maybe).boxed()
            }
            Spec::BindLength(most, item) => {
                let item = inner(item);
                let then = move |count: &usize| lists(vec_of(item.clone(), *count));
                let focus = |value: &Dyn| if let Dyn::List(items) = value { Some(items.len()) } else { None };
                (0..=*most).bind_with_focus(then, focus).boxed()
            }
            Spec::BindPair(first, second) => {
                let second = inner(second);
                let then = move |value: &Dyn| pairs(exact(value.clone()).boxed(), second.clone());
                let focus = |value: &Dyn| if let Dyn::Pair(one, _) = value { Some((**one).clone()) } else { None };
                inner(first).bind_with_focus(then, focus).boxed()
            }
            Spec::ReadBy(spec) => {
                let make = |value| Dyn::Node(vec![Dyn::Unit, value]);
                let inverse = |value: &Dyn| match value {
                    Dyn::Node(items) if items.len() == 2 && items[0] == Dyn::Unit => Some(items[1].clone()),
                    _ => None,
                };
                let reader = node_2(exact(Dyn::Unit).boxed(), inner(spec));
                inner(spec).map_with_inverse(make, inverse).with_reader(reader).boxed()
            }
            // Whether weights fit is tried out on values.
            Spec::Weights(spec, _) if spec.has(Spec::panics) => inner(spec),
            Spec::Weights(spec, count) => {
                let weights = inner(spec).weights_of(&examples(spec, around, *count)).ok();
                match weights.map(|weights| inner(spec).with_weights(weights)) {
                    Some(Ok(tuned)) => tuned.boxed(),
                    _ => inner(spec),
                }
            }
            Spec::TunedLike(spec, count) => match inner(spec).tuned_like(&examples(spec, around, *count)) {
                Ok(tuned) => tuned.boxed(),
                Err(_) => inner(spec),
            },
            Spec::TunedUnlike(spec, count) => match inner(spec).tuned_unlike(&examples(spec, around, *count)) {
                Ok(tuned) => tuned.boxed(),
                Err(_) => inner(spec),
            },
        }
    }

    /// This description and all inside it.
    pub fn all(&self) -> Vec<&Spec> {
        let mut all = vec![self];
        let mut place = 0;
        while place < all.len() {
            let children = all[place].children();
            all.extend(children);
            place += 1;
        }
        all
    }

    fn children(&self) -> Vec<&Spec> {
        match self {
            Spec::Maybe(one)
            | Spec::List(one, _)
            | Spec::Array(one)
            | Spec::Set(one, _)
            | Spec::HashSet(one, _)
            | Spec::ReadBy(one)
            | Spec::Weights(one, _)
            | Spec::Sequence(_, one, _)
            | Spec::Function(one)
            | Spec::Stream(one)
            | Spec::After(one, _)
            | Spec::FilterMap(one, _)
            | Spec::WithDefault(_, one)
            | Spec::Lazy(one)
            | Spec::Sized(one)
            | Spec::Resize(one, _)
            | Spec::Named(one)
            | Spec::NoShrink(one)
            | Spec::ShrinkWith(one)
            | Spec::Filter(one, _)
            | Spec::Satisfying(one, _)
            | Spec::FilterPanics(one, _)
            | Spec::MapForward(one)
            | Spec::MapPanics(one, _)
            | Spec::MapWithInverse(one)
            | Spec::MapWithFocus(one)
            | Spec::BindLength(_, one)
            | Spec::TunedLike(one, _)
            | Spec::TunedUnlike(one, _) => vec![one],
            Spec::Either(one, other)
            | Spec::Pair(one, other)
            | Spec::Map(one, other, _)
            | Spec::HashMap(one, other, _)
            | Spec::Frequency(one, other, _)
            | Spec::Labelled(one, other)
            | Spec::Recursive(one, _, other)
            | Spec::FlatMap(one, other)
            | Spec::BindPair(one, other) => vec![one, other],
            Spec::Node(parts) => parts.iter().collect(),
            Spec::OneOf(first, others) => std::iter::once(&**first).chain(others).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it may panic by itself.
    pub fn panics(&self) -> bool {
        matches!(self, Spec::MapPanics(..) | Spec::FilterPanics(..))
    }

    /// Whether a value of it goes forward only.
    pub fn is_forward(&self) -> bool {
        matches!(self, Spec::MapForward(_) | Spec::FlatMap(..) | Spec::FilterMap(..))
    }

    /// Whether it makes functions, which cannot be compared.
    pub fn is_function(&self) -> bool {
        matches!(self, Spec::Function(_) | Spec::Stream(_))
    }

    fn is_sized(&self) -> bool {
        matches!(self, Spec::Sized(_))
    }

    /// What it draws from and what it keeps, if it has a condition.
    pub fn condition(&self) -> Option<(&Spec, &Condition)> {
        match self {
            Spec::Filter(inside, condition)
            | Spec::Satisfying(inside, condition)
            | Spec::FilterMap(inside, condition) => Some((inside, condition)),
            _ => None,
        }
    }

    /// Whether a description like this stands in it.
    pub fn has(&self, is_like: impl Fn(&Spec) -> bool) -> bool {
        self.all().into_iter().any(is_like)
    }
}

fn inside_of_maybe(value: &Dyn) -> Option<&Dyn> {
    match value {
        Dyn::Maybe(Some(inside)) => Some(inside),
        _ => None,
    }
}

/// Examples for tuning. None where a generator refers to one around it, which does not exist yet.
fn examples(spec: &Spec, around: &Around, count: usize) -> Vec<Dyn> {
    if !around.is_empty() || spec.has(Spec::panics) {
        return Vec::new();
    }
    let built = spec.build();
    let draw = |seed| {
        let mut source = retrospect::source::Source::random(seed).with_size(10);
        built.generate(&mut source).ok()
    };
    (0..count as u64).filter_map(draw).collect()
}

fn items(count: usize) -> Vec<Dyn> {
    // Two of them are equal.
    (0..count).map(|number| Dyn::Int(if number == 3 { 1 } else { number as i64 })).collect()
}

impl Chars {
    fn build(self) -> Boxed<'static, char> {
        match self {
            Chars::Letter => ('a'..='e').boxed(),
            Chars::Any => any::<char>().boxed(),
            Chars::Escaped => {
                element_of(['\'', '"', '\\', '\n', '\u{1b}', ';', '\0', 'é', '\u{202e}', '$', '`']).boxed()
            }
        }
    }
}

impl Grammar {
    fn build(self) -> Boxed<'static, String> {
        match self {
            Grammar::Sums => text::grammar!(
                r#"sum = number { sign number } ; sign = 3 plus: "+" | minus: "-" ; number = [1-9] [0-9]{,2} ;"#
            )
            .boxed(),
            Grammar::Json => text::json().boxed(),
            Grammar::Brackets => text::grammar!(r#"all = group* ; group = "(" all ")" ;"#).boxed(),
            Grammar::LeftRecursion => text::recursive("sum", |sum| {
                text::choice([
                    text::arm("number", 2, text::repeat(text::class(["1-90"]), 1..=3)),
                    text::arm("plus", 1, text::sequence([sum, "+".into(), text::class(["0-9"])])),
                ])
            })
            .boxed(),
            Grammar::Regex => text::regex("[a-c]{1,3}(-x*)?|q+").expect("the pattern is right").boxed(),
            Grammar::Words => text::separated_by(text::repeat(text::chars('a'..='c'), 1..), " ", 1..).boxed(),
        }
    }
}

fn sequence(steps: Steps, item: Built, length: Length) -> Built {
    // A sequence that ends by itself has no least length.
    let length = match (steps, length) {
        (Steps::Limited(most), Length::Exactly(count)) => Length::UpTo(count.min(most)),
        (Steps::Limited(most), Length::From(_)) => Length::UpTo(most),
        (_, length) => length,
    };
    match steps {
        Steps::Rising => {
            let next = |least: &i64| Some(integers(*least..=30));
            let state = |_, item: &Dyn| if let Dyn::Int(number) = item { *number } else { 0 };
            lists(sequence_of(0, length, next, state)).boxed()
        }
        Steps::Stack => {
            let push = item.map_with_focus(|value| Dyn::Maybe(Some(Box::new(value))), inside_of_maybe).boxed();
            let next = move |height: &i64| {
                Some(frequency(((2, push.clone()), (i32::from(*height > 0), exact(Dyn::Maybe(None))))))
            };
            let state = |height, item: &Dyn| if *item == Dyn::Maybe(None) { height - 1 } else { height + 1 };
            lists(sequence_of(0, length, next, state)).boxed()
        }
        Steps::Limited(most) => {
            let next = move |count: &usize| (*count < most).then(|| item.clone());
            lists(sequence_of(0, length, next, |count, _| count + 1)).boxed()
        }
    }
}

macro_rules! wrapped {
    ($($name:ident: $type:ty => $variant:ident;)*) => { $(
        /// Values of one generator as one kind of [`Dyn`], which can be read.
        #[generator]
        fn $name(inside: impl Generator<Value = $type> + Clone) -> Dyn {
            let value = draw(inside.clone());
            Dyn::$variant(value)
        }
    )* };
}

wrapped! {
    integers: i64 => Int;
    characters: char => Char;
    texts: String => Text;
    integer_lists: Vec<i64> => Ints;
    byte_lists: Vec<u8> => Bytes;
    options: Option<Box<Dyn>> => Maybe;
    results: Result<Box<Dyn>, Box<Dyn>> => Either;
    lists: Vec<Dyn> => List;
    sets: BTreeSet<Dyn> => Set;
    maps: BTreeMap<Dyn, Dyn> => Map;
}

#[generator]
fn booleans() -> Dyn {
    Dyn::Bool(draw(any::<bool>()))
}

#[generator]
fn numbers(inside: impl Generator<Value = f64> + Clone) -> Dyn {
    Dyn::Float(Number(draw(inside.clone())))
}

#[generator]
fn functions(inside: impl Generator<Value = Function<Dyn, Dyn>> + Clone) -> Dyn {
    Dyn::Function(Table(draw(inside.clone())))
}

#[generator]
fn streams(inside: impl Generator<Value = Function<u64, Dyn>> + Clone) -> Dyn {
    Dyn::Stream(Stream(draw(inside.clone())))
}

#[generator]
fn fixed_types(which: Which, weight: u32) -> Dyn {
    Dyn::Fixed(draw(fixed(which, weight)))
}

#[generator]
fn pairs(one: Built, other: Built) -> Dyn {
    let one = draw(one.clone());
    let other = draw(other.clone());
    Dyn::Pair(Box::new(one), Box::new(other))
}

#[generator]
fn node_0() -> Dyn {
    Dyn::Node(vec![])
}

#[generator]
fn node_1(one: Built) -> Dyn {
    let one = draw(one.clone());
    Dyn::Node(vec![one])
}

#[generator]
fn node_2(one: Built, two: Built) -> Dyn {
    let one = draw(one.clone());
    let two = draw(two.clone());
    Dyn::Node(vec![one, two])
}

#[generator]
fn node_3(one: Built, two: Built, three: Built) -> Dyn {
    let (one, two, three) = draw((one.clone(), two.clone(), three.clone()));
    Dyn::Node(vec![one, two, three])
}

#[generator]
fn node_of_array(inside: impl Generator<Value = [Dyn; 3]> + Clone) -> Dyn {
    let [one, two, three] = draw(inside.clone());
    Dyn::Node(vec![one, two, three])
}
