//! Mutation of values: reflection gives the choices, an edit changes them, and the generator makes a value of what comes out.

use super::{Generator, why};
use crate::choice::Choices;
use crate::mismatch::NotGenerated;
use crate::mutate::{self, Edit, Edits, Plan};
use crate::reflect::Reflector;
use crate::source::{Brackets, Recovery, Rng, Source, Stop, Why};
use crate::stack::with_deep_stack;
use std::cell::Cell;

/// Values near a value, on every generator.
///
/// The choices behind the value are changed at one place ([`Edit`]), and the generator makes a value of them again: what does not fit any more is
/// drawn. So a mutant is always a value that the generator can make, however strict it is; mostly it is near, and nearly always another one.
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Debug, Clone, PartialEq)]
/// enum Tree {
///     Leaf,
///     Node(Box<Tree>, i64, Box<Tree>),
/// }
///
/// #[generator]
/// fn search_trees(low: i64, high: i64) -> Tree {
///     if low > high {
///         return Tree::Leaf;
///     }
///     match pick() {
///         "leaf" => Tree::Leaf,
///         "node" => {
///             let key = draw(low..=high);
///             let left = draw(search_trees(low, key - 1));
///             let right = draw(search_trees(key + 1, high));
///             Tree::Node(Box::new(left), key, Box::new(right))
///         }
///     }
/// }
///
/// let trees = search_trees(0, 100);
/// let tree = trees.read("Node(Node(Leaf, 3, Leaf), 40, Node(Leaf, 70, Leaf))").unwrap();
/// let mutants: Vec<Tree> = trees.mutants(&tree, 7).unwrap().take(100).collect();
/// assert!(mutants.iter().all(|mutant| trees.accepts(mutant) && *mutant != tree));
/// // The root moved a little, and everything else stayed in its place.
/// assert!(mutants.contains(&trees.read("Node(Node(Leaf, 3, Leaf), 42, Node(Leaf, 70, Leaf))").unwrap()));
/// ```
pub trait Mutate: Generator {
    /// A value near `value`, the same one for the same seed.
    ///
    /// It is another value if one is found in some attempts; the only value of a generator is given back as it is. Whether two values are the same is
    /// told by their choices: where a value can be made in several ways, a mutant may be the same value made in another way.
    ///
    /// # Panics
    ///
    /// If the generator cannot make `value` again from its own choices, which [`laws::check`](crate::laws::check) would tell.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(0..100, 3..=5);
    /// let mutant = lists.mutate(&vec![10, 20, 30], 4).unwrap();
    /// assert_ne!(mutant, [10, 20, 30]);
    /// assert!(lists.accepts(&mutant));
    /// assert_eq!(exact(5).mutate(&5, 4).unwrap(), 5);
    /// assert_eq!((0..10).mutate(&12, 4).unwrap_err().reason(), "12 is not in 0..10");
    /// ```
    #[track_caller]
    fn mutate(&self, value: &Self::Value, seed: u64) -> Result<Self::Value, NotGenerated> {
        let mut room = Room::kept();
        let mut reflector = Reflector::first_way_in(std::mem::take(&mut room.first));
        if self.reflect(value, &mut reflector).is_err() {
            // Once more, to learn why.
            return self.choices_of(value).map(|choices| self.replay(&choices));
        }
        let mut choices = reflector.into_choices();
        let (value, _) = made(mutant(self, &mut choices, None, &Edits::ALL, &mut Rng::new(seed), &mut room, false));
        room.first = choices;
        room.keep();
        Ok(value)
    }

    /// A value like `value`, in which a part is replaced by one of the same generator from `other`; if none fits, another mutant.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lists = vec_of(string_of('a'..='z', 1..=3), ..);
    /// let (one, other) = (vec!["a".to_owned(), "b".to_owned()], vec!["xyz".to_owned()]);
    /// assert!((0..20).any(|seed| lists.splice(&one, &other, seed).unwrap() == ["a", "xyz"]));
    /// ```
    #[track_caller]
    fn splice(&self, value: &Self::Value, other: &Self::Value, seed: u64) -> Result<Self::Value, NotGenerated> {
        let mut mutants = self.mutants(value, seed)?.splicing(other)?;
        let room = &mut Room::default();
        let edits = std::mem::replace(&mut mutants.edits, Edits::only(&[Edit::Splice]));
        let (value, edit) = made(mutants.next_in(room, false));
        if edit.is_some() {
            return Ok(value);
        }
        mutants.edits = edits;
        Ok(made(mutants.next_in(room, false)).0)
    }

    /// Endlessly many values near `value`, each made of `value` and not of the one before. The choices are looked for once, so this is cheaper than
    /// [`mutate`](Mutate::mutate) for each of them.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let near: Vec<u32> = (0..1000).mutants(&500, 7).unwrap().take(50).collect();
    /// assert!(near.contains(&499) && near.contains(&501) && !near.contains(&500));
    /// ```
    fn mutants(&self, value: &Self::Value, seed: u64) -> Result<Mutants<'_, Self>, NotGenerated> {
        Ok(self.mutants_of_choices(&self.choices_of(value)?, seed))
    }

    /// Like [`mutate`](Mutate::mutate), for the value that these choices make, with the choices of the mutant. Nothing is looked at backwards, so it is
    /// for every generator, also for one that goes only forward.
    ///
    /// An error says why no value can be made of the choices, whatever is changed: a filter refuses everything, or the simplest value never ends.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let squares = within(0..100u32).map(|number| number * number);
    /// let choices = squares.sample_choices(1);
    /// let mutant = squares.mutate_choices(&choices, 7).unwrap();
    /// assert_ne!(mutant.value, squares.sample(1));
    /// assert_eq!(squares.replay(&mutant.choices), mutant.value);
    /// ```
    fn mutate_choices(&self, choices: &Choices, seed: u64) -> Result<Mutated<Self::Value>, Why> {
        let mut room = Room::kept();
        let mut first = std::mem::take(&mut room.first);
        first.copy_from(choices);
        let (value, edit) = mutant(self, &mut first, None, &Edits::ALL, &mut Rng::new(seed), &mut room, true)?;
        room.first = first;
        let choices = room.made.clone();
        room.keep();
        Ok(Mutated { value, choices, edit })
    }

    /// Like [`mutants`](Mutate::mutants), for the value that these choices make.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let lengths = vec_of(any::<u8>(), ..).map(|list| list.len());
    /// let mut mutants = lengths.mutants_of_choices(&"[1 2 3]".parse().unwrap(), 7);
    /// assert!(mutants.by_ref().take(100).any(|length| length == 4));
    /// assert!(mutants.take(100).any(|length| length == 2));
    /// ```
    fn mutants_of_choices(&self, choices: &Choices, seed: u64) -> Mutants<'_, Self> {
        let edits = Edits::ALL.possible_in(choices);
        Mutants { generator: self, choices: choices.clone(), other: None, edits, rng: Rng::new(seed) }
    }
}

impl<G: Generator + ?Sized> Mutate for G {}

/// A value near another one, and how it came about; see [`Mutate::mutate_choices`].
///
/// ```
/// use retrospect::mutate::Edit;
/// use retrospect::prelude::*;
/// let mutant: Mutated<u8> = (0..10u8).mutants(&5, 7).unwrap().only(&[Edit::Number]).next_mutant().unwrap();
/// assert_eq!(mutant.edit, Some(Edit::Number));
/// assert_eq!(mutant.choices.to_string(), mutant.value.to_string());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mutated<V> {
    /// The value.
    pub value: V,
    /// The choices that make it.
    pub choices: Choices,
    /// What was done to the choices of the first value; `None` if nothing led to other choices, so that it is the same value.
    pub edit: Option<Edit>,
}

/// The values of [`Mutate::mutants`].
///
/// ```
/// use retrospect::prelude::*;
/// let bytes = any::<u8>();
/// let mut near: Mutants<'_, Any<u8>> = bytes.mutants(&100, 7).unwrap();
/// assert_ne!(near.next(), Some(100));
/// ```
#[derive(Debug)]
pub struct Mutants<'g, G: ?Sized> {
    generator: &'g G,
    choices: Choices,
    other: Option<Choices>,
    edits: Edits,
    rng: Rng,
}

impl<'g, G: Generator + ?Sized> Mutants<'g, G> {
    /// Only mutants by these kinds of edits. Where none of them leads to another value in some attempts, the value itself comes back.
    ///
    /// ```
    /// use retrospect::mutate::Edit;
    /// use retrospect::prelude::*;
    /// let lists = vec_of(0..10, ..);
    /// let orders = lists.mutants(&vec![1, 2, 3], 7).unwrap().only(&[Edit::Swap, Edit::Move]);
    /// assert!(orders.take(100).all(|list| list.len() == 3 && list.iter().sum::<i32>() == 6));
    /// ```
    #[must_use]
    pub fn only(mut self, edits: &[Edit]) -> Mutants<'g, G> {
        self.edits = Edits::only(edits).possible_in(&self.choices);
        self
    }

    /// The same, where parts of `other` may come in too.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let lists = vec_of(0..1000, ..);
    /// let mut mixed = lists.mutants(&vec![1, 2], 7).unwrap().splicing(&vec![555]).unwrap();
    /// assert!(mixed.any(|list| list == [555, 2]));
    /// ```
    pub fn splicing(mut self, other: &G::Value) -> Result<Mutants<'g, G>, NotGenerated> {
        let other = self.generator.choices_of(other)?;
        let entries = self.choices.adopted(&other, 0..other.len());
        self.other = Some(self.choices.sharing(entries));
        Ok(self)
    }

    /// The choices that are mutated.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!((0..10).mutants(&5, 7).unwrap().choices().to_string(), "5");
    /// ```
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The next value, with its choices and what was done, or why no value can be made; see [`Mutate::mutate_choices`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let lists = vec_of(0..100, ..);
    /// // A walk: each value is near the one before.
    /// let mut list = vec![50, 60];
    /// for seed in 0..10 {
    ///     let mutant = lists.mutants(&list, seed).unwrap().next_mutant().unwrap();
    ///     assert_eq!(lists.choices_of(&mutant.value).unwrap(), mutant.choices);
    ///     list = mutant.value;
    /// }
    /// ```
    pub fn next_mutant(&mut self) -> Result<Mutated<G::Value>, Why> {
        let mut room = Room::kept();
        let (value, edit) = self.next_in(&mut room, true)?;
        let choices = room.made.clone();
        room.keep();
        Ok(Mutated { value, choices, edit })
    }

    fn next_in(&mut self, room: &mut Room, is_recorded: bool) -> Result<(G::Value, Option<Edit>), Why> {
        mutant(self.generator, &mut self.choices, self.other.as_ref(), &self.edits, &mut self.rng, room, is_recorded)
    }
}

impl<G: Generator + ?Sized> Iterator for Mutants<'_, G> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        let mut room = Room::kept();
        let (value, _) = made(self.next_in(&mut room, false));
        room.keep();
        Some(value)
    }
}

/// How many edits are tried until one leads to other choices.
const TRIES: usize = 10;

/// How many choices a mutant has at most, if the value has no more itself. Mutants grow a little
/// more often than they shrink, so those of mutants would have no end.
const MAX_SIZE: usize = 10_000;

/// Room for trees and brackets, so that it need not be found anew for each mutant.
#[derive(Default)]
struct Room {
    /// The choices of the value that is mutated, where they had to be looked for or are not ours to change.
    first: Choices,
    plan: Plan,
    /// The choices of the mutant.
    made: Choices,
    /// What a mutant that may be the same value leads to.
    reflected: Choices,
    brackets: Brackets,
}

impl Room {
    /// What the last mutation of this thread left.
    fn kept() -> Box<Room> {
        ROOM.take().unwrap_or_default()
    }

    /// For the next one on this thread.
    fn keep(self: Box<Room>) {
        if self.first.len().max(self.made.len()) <= MOST_KEPT {
            ROOM.set(Some(self));
        }
    }
}

/// Room for trees of more nodes is given back.
const MOST_KEPT: usize = 1 << 16;

thread_local! {
    /// Large pieces of memory are dear where many small ones come and go.
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

/// A value near the one that these choices make, and what was done to them. Its own choices are left in the room if they are to be recorded. The choices
/// are changed only until it is made.
///
/// Mostly no record is needed to know that it is another value: all choices before the change are what they were, so it is enough that the first one that
/// was changed was taken as it stands. Where it may be drawn as it was, and after an attempt in which it was not taken, all choices are compared.
fn mutant<G: Generator + ?Sized>(
    generator: &G,
    choices: &mut Choices,
    other: Option<&Choices>,
    edits: &Edits,
    rng: &mut Rng,
    room: &mut Room,
    is_recorded: bool,
) -> Result<(G::Value, Option<Edit>), Why> {
    // What is not taken is dropped here.
    match choices.is_deep() || other.is_some_and(Choices::is_deep) {
        true => with_deep_stack(|| mutant_here(generator, choices, other, edits, rng, room, is_recorded)),
        false => mutant_here(generator, choices, other, edits, rng, room, is_recorded),
    }
}

fn mutant_here<G: Generator + ?Sized>(
    generator: &G,
    choices: &mut Choices,
    other: Option<&Choices>,
    edits: &Edits,
    rng: &mut Rng,
    room: &mut Room,
    is_recorded: bool,
) -> Result<(G::Value, Option<Edit>), Why> {
    let Room { plan, made, brackets, reflected, .. } = room;
    let mut is_undecided = false;
    for _ in 0..TRIES {
        // None of the kinds fits at the places that were thrown; mostly another place is found.
        let Some(edit) = mutate::edit(choices, other, edits, rng, plan) else { continue };
        let max_size = choices.len().max(MAX_SIZE);
        let is_compared = is_undecided || !plan.is_choice;
        let changed = plan.made_in(choices);
        let size = changed.choices.len();
        // What comes out may be too large.
        let is_large = size + changed.plan.growth as usize > max_size;
        let is_recorded = is_recorded || is_compared || is_large;
        let record = is_recorded.then_some(&mut *made);
        let mut source = recovering(changed.choices, changed.plan, rng.next(), record, brackets);
        let value = generator.generate(&mut source);
        let is_taken = changed.plan.is_choice && source.has_taken(changed.plan.at);
        source.give_back(is_recorded.then_some(&mut *made), brackets);
        drop(source);
        drop(changed);
        let Ok(value) = value else { continue };
        if is_large && made.len() > max_size {
            continue;
        }
        if is_taken || (is_compared && *made != *choices) {
            let size = if is_compared { made.len() } else { size };
            let may_be_same = size == choices.len() && may_be_reordered(edit) && !generator.has_one_way();
            if !may_be_same || !is_same(generator, &value, choices, reflected) {
                return Ok((value, Some(edit)));
            }
        }
        is_undecided |= !is_taken;
    }
    // There is nothing else, or nothing was found.
    let record = Choices::with_room(choices.len());
    let mut source = Source::recovering(Recovery::new(choices, rng.next()), record, true);
    match generator.generate(&mut source) {
        Ok(value) => {
            source.give_back(Some(made), brackets);
            Ok((value, None))
        }
        Err(Stop) => Err(why(&source)),
    }
}

/// A source that makes a value of an edited tree, and takes its room from where it will give it back. It records if there is room for that.
fn recovering<'c>(
    edited: &'c Choices,
    plan: &Plan,
    seed: u64,
    made: Option<&mut Choices>,
    brackets: &mut Brackets,
) -> Source<'c> {
    let recovery = Recovery::in_room(edited, seed, std::mem::take(brackets));
    let recovery = recovery.with_growth(plan.growth).with_move(plan.moved);
    let mut source = Source::recovering(recovery, Choices::default(), made.is_some());
    if !edited.is_deep() {
        source = source.limited_as_mutant();
    }
    if let Some(made) = made {
        source.record_in(made, edited.len() + plan.growth.min(MOST_SPARE) as usize);
    }
    source
}

/// How many entries there is room for beyond those that are known.
const MOST_SPARE: u32 = 16;

/// Whether perhaps nothing but the order changed, which means nothing in a hash table.
fn may_be_reordered(edit: Edit) -> bool {
    matches!(edit, Edit::Swap | Edit::Move | Edit::Insert | Edit::Duplicate | Edit::Delete)
}

/// Whether the value is the one that these choices make: looked at backwards, it leads to them. What it leads to needs room.
fn is_same<G: Generator + ?Sized>(generator: &G, value: &G::Value, choices: &Choices, room: &mut Choices) -> bool {
    let mut reflector = Reflector::first_way_in(std::mem::take(room));
    let is_same = generator.reflect(value, &mut reflector).is_ok() && reflector.choices() == choices;
    *room = reflector.into_choices();
    is_same
}

#[track_caller]
fn made<M>(mutant: Result<M, Why>) -> M {
    match mutant {
        Ok(mutant) => mutant,
        Err(reason) => panic!("cannot make a value again from its own choices: {reason}"),
    }
}
