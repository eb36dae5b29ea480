//! Mutation of values: reflection gives the choices, an edit changes them, and the generator makes
//! a value of what comes out.

use super::{Generator, Wanted, why};
use crate::choice::Choices;
use crate::mismatch::NotGenerated;
use crate::mutate::{self, Edit, Edits, Plan};
use crate::reflect::Reflector;
use crate::source::{Replay, Rng, Source, Stop, Why};
use crate::stack::with_deep_stack;

/// Values near a value, on every generator.
///
/// The choices behind the value are changed at one place ([`Edit`]), and the generator makes a
/// value of them again: what does not fit any more is drawn. So a mutant is always a value that the
/// generator can make, however strict it is; mostly it is near, and nearly always another one.
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
    /// It is another value if one is found in some attempts; the only value of a generator is given
    /// back as it is. Whether two values are the same is told by their choices: where a value can
    /// be made in several ways, a mutant may be the same value made in another way.
    ///
    /// # Panics
    ///
    /// If the generator cannot make `value` again from its own choices, which
    /// [`laws::check`](crate::laws::check) would tell.
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
        let mut choices = self.choices_of(value)?;
        Ok(made(mutant(self, &mut choices, None, &Edits::ALL, &mut Rng::new(seed))).value)
    }

    /// A value like `value`, in which a part is replaced by one of the same generator from `other`;
    /// if none fits, another mutant.
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
        let edits = std::mem::replace(&mut mutants.edits, Edits::only(&[Edit::Splice]));
        let spliced = made(mutants.next_mutant());
        if spliced.edit.is_some() {
            return Ok(spliced.value);
        }
        mutants.edits = edits;
        Ok(made(mutants.next_mutant()).value)
    }

    /// Endlessly many values near `value`, each made of `value` and not of the one before. The
    /// choices are looked for once, so this is cheaper than [`mutate`](Mutate::mutate) for each of
    /// them.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// let near: Vec<u32> = (0..1000).mutants(&500, 7).unwrap().take(50).collect();
    /// assert!(near.contains(&499) && near.contains(&501) && !near.contains(&500));
    /// ```
    fn mutants(&self, value: &Self::Value, seed: u64) -> Result<Mutants<'_, Self>, NotGenerated> {
        Ok(self.mutants_of_choices(&self.choices_of(value)?, seed))
    }

    /// Like [`mutate`](Mutate::mutate), for the value that these choices make, with the choices of
    /// the mutant. Nothing is looked at backwards, so it is for every generator, also for one that
    /// goes only forward.
    ///
    /// An error says why no value can be made of the choices, whatever is changed: a filter refuses
    /// everything, or the simplest value never ends.
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
        mutant(self, &mut choices.clone(), None, &Edits::ALL, &mut Rng::new(seed))
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
/// use retrospect::generator::Mutated;
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
    /// What was done to the choices of the first value; `None` if nothing led to other choices, so
    /// that it is the same value.
    pub edit: Option<Edit>,
}

/// The values of [`Mutate::mutants`].
///
/// ```
/// use retrospect::generator::{Any, Mutants};
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
    /// Only mutants by these kinds of edits. Where none of them leads to another value in some
    /// attempts, the value itself comes back.
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

    /// The next value, with its choices and what was done, or why no value can be made; see
    /// [`Mutate::mutate_choices`].
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
        mutant(self.generator, &mut self.choices, self.other.as_ref(), &self.edits, &mut self.rng)
    }
}

impl<G: Generator + ?Sized> Iterator for Mutants<'_, G> {
    type Item = G::Value;

    #[track_caller]
    fn next(&mut self) -> Option<G::Value> {
        Some(made(self.next_mutant()).value)
    }
}

/// How many edits are tried until one leads to other choices.
const TRIES: usize = 10;

/// How many choices a mutant has at most, if the value has no more itself. Mutants grow a little
/// more often than they shrink, so those of mutants would have no end.
const MAX_SIZE: usize = 10_000;

/// A value near the one that these choices make. The choices are changed only until it is made.
fn mutant<G: Generator + ?Sized>(
    generator: &G,
    choices: &mut Choices,
    other: Option<&Choices>,
    edits: &Edits,
    rng: &mut Rng,
) -> Result<Mutated<G::Value>, Why> {
    // Values that are not taken are dropped here.
    match choices.is_deep() || other.is_some_and(Choices::is_deep) {
        true => with_deep_stack(|| mutant_here(generator, choices, other, edits, rng)),
        false => mutant_here(generator, choices, other, edits, rng),
    }
}

fn mutant_here<G: Generator + ?Sized>(
    generator: &G,
    choices: &mut Choices,
    other: Option<&Choices>,
    edits: &Edits,
    rng: &mut Rng,
) -> Result<Mutated<G::Value>, Why> {
    let max_size = choices.len().max(MAX_SIZE);
    let mut plan = Plan::default();
    for _ in 0..TRIES {
        // None of the kinds fits at the places that were drawn; mostly another place is found.
        let Some(edit) = mutate::edit(choices, other, edits, rng, &mut plan) else { continue };
        let changed = plan.made_in(choices);
        let mut replay = Replay::drawing(changed.choices, rng.next());
        replay = replay.with_growth(changed.plan.growth).with_move(changed.plan.moved);
        let mutated = made_of(generator, &mut replay, changed.choices);
        drop(changed);
        let Ok((value, made)) = mutated else { continue };
        if made.len() > max_size || made == *choices {
            continue;
        }
        let may_be_same =
            made.len() == choices.len() && may_be_reordered(edit) && !generator.facts(Wanted::Shape).has_one_way;
        if !may_be_same || !is_same(generator, &value, choices) {
            return Ok(Mutated { value, choices: made, edit: Some(edit) });
        }
    }
    // There is nothing else, or nothing was found.
    let (value, choices) = made_of(generator, &mut Replay::drawing(choices, rng.next()), choices)?;
    Ok(Mutated { value, choices, edit: None })
}

/// The value that a replay of these choices makes, with its own choices.
fn made_of<G: Generator + ?Sized>(
    generator: &G,
    replay: &mut Replay<'_>,
    choices: &Choices,
) -> Result<(G::Value, Choices), Why> {
    let mut source = Source::asking(replay).recording_in(Choices::with_room(choices.len() + SPARE));
    if !choices.is_deep() {
        source = source.limited_as_mutant();
    }
    match generator.generate(&mut source) {
        Ok(value) => Ok((value, source.into_choices())),
        Err(Stop) => Err(why(&source)),
    }
}

/// Entries that there is room for beyond those that are known.
const SPARE: usize = 16;

/// Whether perhaps nothing but the order changed, which means nothing in a hash table.
fn may_be_reordered(edit: Edit) -> bool {
    matches!(edit, Edit::Swap | Edit::Move | Edit::Insert | Edit::Duplicate | Edit::Delete)
}

/// Whether the value is the one that these choices make: reflection leads to them.
fn is_same<G: Generator + ?Sized>(generator: &G, value: &G::Value, choices: &Choices) -> bool {
    let mut reflector = Reflector::first_way();
    generator.reflect(value, &mut reflector).is_ok() && reflector.choices() == choices
}

#[track_caller]
fn made<M>(mutant: Result<M, Why>) -> M {
    match mutant {
        Ok(mutant) => mutant,
        Err(reason) => panic!("cannot make a value again from its own choices: {reason}"),
    }
}
