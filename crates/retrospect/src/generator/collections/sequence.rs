use super::{Lengths, length_problem};
use crate::generator::Generator;
use crate::generator::adapt::debug_by_place;
use crate::generator::options::unexpected;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{ChanceAt, Drawn, Extent, Source, Stop, Why};
use std::panic::Location;

/// Lists whose next item depends on what came before: traces, programs, sequences of commands.
///
/// A state is carried along, beginning with `initial`. `next_item` says what may come next in a
/// state, `next_state` what the state is after an item. Backward, the states are replayed along the
/// list. This is a stack machine's program that never pops from an empty stack:
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug, PartialEq)]
/// enum Op {
///     Push(u8),
///     Pop,
/// }
/// let programs = sequence_of(
///     0, // the height of the stack
///     ..=20,
///     |height| {
///         let push = any::<u8>().map_with_inverse(Op::Push, |op| if let Op::Push(number) = op { Some(*number) } else { None });
///         Some(frequency(((2, push), (i32::from(*height > 0), exact(Op::Pop)))))
///     },
///     |height, op| if *op == Op::Pop { height - 1 } else { height + 1 },
/// );
/// assert!(programs.accepts(&vec![Op::Push(7), Op::Pop]));
/// let error = programs.choices_of(&vec![Op::Push(7), Op::Pop, Op::Pop]).unwrap_err();
/// assert_eq!(error.path(), "[2]");
/// ```
///
/// If `next_item` returns `None` nothing can follow, and the list ends there, however long it was
/// meant to be. If it is then shorter than the least length, that is an error with this place and
/// both lengths. The generators for different states must have one type; where they differ,
/// [`boxed`](Generator::boxed) makes them alike.
#[track_caller]
pub fn sequence_of<S, G, N, A>(
    initial: S,
    lengths: impl Into<Lengths>,
    next_item: N,
    next_state: A,
) -> SequenceOf<S, N, A>
where
    S: Clone,
    G: Generator,
    N: Fn(&S) -> Option<G>,
    A: Fn(S, &G::Value) -> S,
{
    SequenceOf { initial, lengths: lengths.into(), next_item, next_state, place: Location::caller() }
}

/// The generator made by [`sequence_of`].
///
/// ```
/// use retrospect::generator::SequenceOf;
/// use retrospect::prelude::*;
/// use std::ops::RangeInclusive;
/// type Climb = SequenceOf<u8, fn(&u8) -> Option<RangeInclusive<u8>>, fn(u8, &u8) -> u8>;
/// fn rising() -> Climb {
///     sequence_of(0, .., |least| Some(*least..=99), |_, item| *item)
/// }
/// assert!(rising().accepts(&vec![3, 3, 8]) && !rising().accepts(&vec![3, 2]));
/// ```
#[derive(Clone)]
pub struct SequenceOf<S, N, A> {
    initial: S,
    lengths: Lengths,
    next_item: N,
    next_state: A,
    place: &'static Location<'static>,
}

/// How often completion fills holes anew when what filled them leads to a state in which the next
/// item that is given cannot follow, and how often it begins anew altogether.
const TRIES: u32 = 200;
const BEGINNINGS: u32 = 10;

impl<S, N, A> SequenceOf<S, N, A> {
    #[inline]
    fn ended(&self, count: usize) -> String {
        let (file, line) = (self.place.file(), self.place.line());
        format!("in `sequence_of` ({file}:{line}) nothing can follow after {count} items")
    }
}

impl<S, G, N, A> SequenceOf<S, N, A>
where
    S: Clone,
    G: Generator,
    N: Fn(&S) -> Option<G>,
    A: Fn(S, &G::Value) -> S,
{
    /// Completes the items piece by piece. A piece ends with an item that is given whole, so what
    /// filled the holes before it is tried against it at once.
    #[inline]
    fn complete_items(
        &self,
        sketch: &Sketch<'_>,
        items: &[Sketch<'_>],
        source: &mut Source<'_>,
        begun: &ChanceAt,
    ) -> Drawn<Vec<G::Value>> {
        let before = source.chance();
        let mut state = self.initial.clone();
        let mut values = Vec::with_capacity(items.len());
        while values.len() < items.len() {
            let first = values.len();
            let given = items[first..].iter().position(|item| !item.has_holes());
            let last = given.map_or(items.len(), |given| first + given + 1);
            let tries = if given == Some(0) { 1 } else { TRIES };
            let made = source.tries_of_way(sketch.text(), tries, |source, _| {
                values.truncate(first);
                self.complete_piece(&items[first..last], state.clone(), &mut values, source)
            });
            match made {
                Ok(next) => state = next?,
                Err(_) => {
                    // What is given before any rest does not depend on how long that is.
                    if sketch
                        .items()
                        .is_some_and(|items| values.len() < items.take_while(|item| !item.is_rest()).count())
                    {
                        source.failed_independently(&before, begun);
                    }
                    return Err(Stop);
                }
            }
        }
        Ok(values)
    }

    #[inline]
    fn complete_piece(
        &self,
        items: &[Sketch<'_>],
        mut state: S,
        values: &mut Vec<G::Value>,
        source: &mut Source<'_>,
    ) -> Drawn<S> {
        for item in items {
            let (place, next) = (values.len(), (self.next_item)(&state));
            let value = source.at(Segment::Item(place), |source| match &next {
                Some(next) => next.complete(item, source),
                None => Err(source.not_made(item.text(), || self.ended(place))),
            })?;
            state = (self.next_state)(state, &value);
            values.push(value);
        }
        Ok(state)
    }
}

/// What is known of an item before the state is.
const ITEM: Extent = Extent::UNKNOWN;

impl<S, G, N, A> Generator for SequenceOf<S, N, A>
where
    S: Clone,
    G: Generator,
    N: Fn(&S) -> Option<G>,
    A: Fn(S, &G::Value) -> S,
{
    type Value = Vec<G::Value>;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        let Lengths { min, max } = self.lengths;
        let size = ITEM.kept_item_size(source.size(), min, max);
        source.repeat_of(ITEM, min, max, |source, count| {
            let mut state = self.initial.clone();
            let mut items = Vec::new();
            for place in 0..count {
                let Some(next) = (self.next_item)(&state) else {
                    if place < min {
                        let reason = format!("{}, and there must be at least {min}", self.ended(place));
                        return Err(source.stop(Why::Invalid(reason)));
                    }
                    break;
                };
                let item = source.part(|source| source.resized(size, |source| next.generate(source)))?;
                state = (self.next_state)(state, &item);
                items.push(item);
            }
            let count = items.len();
            Ok((items, count))
        })
    }

    #[inline]
    fn reflect(&self, value: &Vec<G::Value>, reflector: &mut Reflector) -> Reflected {
        let Lengths { min, max } = self.lengths;
        let size = ITEM.kept_item_size(reflector.size(), min, max);
        reflector.repeat_of(ITEM, (value.len(), min, max), value, |reflector| {
            let mut state = self.initial.clone();
            for (place, item) in value.iter().enumerate() {
                let next = (self.next_item)(&state);
                reflector.part(Segment::Item(place), |reflector| match &next {
                    Some(next) => reflector.resized(size, |reflector| next.reflect(item, reflector)),
                    None => reflector.mismatch(item, || self.ended(place)),
                })?;
                // Only now: it may rely on what the generator of the item makes.
                state = (self.next_state)(state, item);
            }
            // A sequence that ends by itself is what every larger number of items leads to.
            if reflector.is_weighing() && (self.next_item)(&state).is_none() {
                reflector.weigh_again(reflector.likely_max(ITEM, min, max) - value.len() + 1);
            }
            Ok(())
        })
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        // Each time fewer items are drawn for `..`, since not everything can be reached in many
        // steps.
        let complete = |source: &mut Source<'_>, time: u32| {
            let begun = source.chance();
            let size = source.size() >> time;
            let items = source.resized(size, |source| sketched_items(self.lengths, sketch, source))?;
            self.complete_items(sketch, &items, source, &begun)
        };
        if !sketch.has_holes() {
            return complete(source, 0);
        }
        match source.tries_of_way(sketch.text(), BEGINNINGS, complete) {
            Ok(made) => made,
            Err(count) => {
                if count > 0 {
                    source.tried_fillings(count, true, "");
                }
                Err(Stop)
            }
        }
    }
}

debug_by_place! { "sequence_of" SequenceOf<S, N, A>; }

/// The items of a sketch of a list that has an allowed length. Each `..` becomes as many holes as
/// are drawn for it.
#[inline]
pub(super) fn sketched_items<'d>(
    lengths: Lengths,
    sketch: &Sketch<'d>,
    source: &mut Source<'_>,
) -> Drawn<Vec<Sketch<'d>>> {
    let Some(items) = sketch.items() else {
        return Err(unexpected("a list", sketch, source));
    };
    let mut items: Vec<Sketch<'d>> = items.collect();
    if sketch.has_holes() && items.iter().any(Sketch::is_rest) {
        items = with_rests(items, Sketch::is_rest, lengths, sketch, source)?;
    }
    match length_problem(items.len(), lengths) {
        Some(problem) => Err(source.not_made(sketch.text(), || problem)),
        None => Ok(items),
    }
}

/// Holes in place of each `..`, as many as make the list as long as one that is drawn.
pub(super) fn with_rests<T: Copy>(
    items: Vec<T>,
    is_rest: impl Fn(&T) -> bool,
    lengths: Lengths,
    sketch: &Sketch<'_>,
    source: &mut Source<'_>,
) -> Drawn<Vec<T>> {
    let Lengths { min, max } = lengths;
    let rests = items.iter().filter(|item| is_rest(item)).count();
    let given = items.len() - rests;
    let Some(most) = max.checked_sub(given) else {
        return Err(
            source.not_made(sketch.text(), || format!("its length is at least {given}, which is not in {min}..={max}"))
        );
    };
    let least = min.saturating_sub(given);
    let more = least + source.dice() as usize % (most - least).min(source.size() as usize).saturating_add(1);
    let mut counts = vec![0usize; rests];
    for _ in 0..more {
        counts[source.dice() as usize % rests] += 1;
    }
    let mut counts = counts.into_iter();
    let times = |item: &T| if is_rest(item) { counts.next().unwrap_or(0) } else { 1 };
    Ok(items.iter().copied().zip(items.iter().map(times)).flat_map(|(item, n)| std::iter::repeat_n(item, n)).collect())
}
