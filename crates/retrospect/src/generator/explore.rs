//! What else every generator can do: all ways to a value, all values, and going on from a choice.

use super::Generator;
use super::derivative::{After, Gradient, first_question};
use super::enumerate::{Cardinality, Enumerate, Language, UniformBySize, cardinality};
use super::ways::Ways;
use crate::choice::Choice;

/// More that every generator can do: find all ways to a value, list and count what it makes, and go
/// on from a choice.
///
/// It is implemented for all generators and part of the prelude.
///
/// | what | how |
/// | --- | --- |
/// | all ways to make a value, and how likely it is | [`ways_of`](Explore::ways_of) |
/// | all values, from small to large | [`enumerate`](Explore::enumerate) |
/// | the choices that make them | [`language`](Explore::language) |
/// | how many there are | [`cardinality`](Explore::cardinality) |
/// | one of a size, each as likely | [`uniform_by_size`](Explore::uniform_by_size) |
/// | what is left after a choice | [`after`](Explore::after), [`gradient`](Explore::gradient) |
/// | whether anything is left to choose | [`value_if_done`](Explore::value_if_done), [`is_void`](Explore::is_void) |
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = tuple((any::<bool>(), 0..3));
/// assert_eq!(pairs.cardinality().to_string(), "6");
/// assert_eq!(pairs.enumerate().nth(4), Some((true, 1)));
/// assert_eq!(pairs.after(&"1:true".parse().unwrap()).cardinality().to_string(), "3");
/// ```
pub trait Explore: Generator {
    /// All ways to make `value`: the first, the simplest, the shortest, the likeliest, how many
    /// there are, and how likely the value is.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// fn is_rare<G: Generator>(generator: &G, value: &G::Value) -> bool {
    ///     generator.ways_of(value).probability().is_ok_and(|probability| probability.log10() < -3.0)
    /// }
    /// assert!(is_rare(&(0..5000), &7) && !is_rare(&(0..10), &7));
    /// ```
    fn ways_of<'a>(&'a self, value: &'a Self::Value) -> Ways<'a, Self> {
        Ways::new(self, value)
    }

    /// All values, by size. It goes on for ever if there is no end, and makes nothing that is not
    /// asked for.
    ///
    /// **Size.** The simplest value has size 0. An arm other than the first adds 1, each item of a
    /// list beyond the fewest adds 1, and a number adds 1 for every doubling of its index beyond
    /// 15: a small range is like an enum, none of whose variants is larger than another. For a
    /// search tree that is the number of its nodes. Each size has finitely many values, so every
    /// value has its turn, whatever arm, item or bind it hangs on.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let lists: Vec<Vec<bool>> = vec_of(any::<bool>(), ..).enumerate().take(5).collect();
    /// assert_eq!(lists, [vec![], vec![false], vec![true], vec![false, false], vec![false, true]]);
    /// let numbers: Vec<i64> = any::<i64>().enumerate().take(5).collect();
    /// assert_eq!(numbers, [0, 1, -1, 2, -2]);
    /// ```
    ///
    /// **Order.** Of values of one size, those with a simpler arm or a smaller number come first;
    /// of two parts the first begins small, as in LeanCheck's tiers.
    ///
    /// **No duplicates**, as long as no value can be made in two ways ([`Ways::count`]); otherwise
    /// it appears once for each way. [`Enumerate::distinct`] leaves out all but one. Sets and maps
    /// are made of items in any order.
    ///
    /// **What it keeps** does not grow with the values that were made: the productions of the parts
    /// that nothing hangs on, shared by all places where they stand. A filter inside of a list, or
    /// a generator by hand that does not say which of its parts are free
    /// ([`Source::free_part`](crate::source::Source::free_part)), is one production for each of its
    /// values.
    ///
    /// It takes the generator by reference and clones it, so that `(0..10).enumerate()` stays what
    /// it is in all Rust code: an iterator of pairs. Write `within(0..10).enumerate()`.
    ///
    /// # Panics
    ///
    /// [`next`](Iterator::next) panics, with the reason, where it could only go on for ever: the
    /// simplest value has no end, or no filter lets anything through. [`Enumerate::try_next`]
    /// returns it.
    fn enumerate(&self) -> Enumerate<Self>
    where
        Self: Sized + Clone,
    {
        Enumerate::new(self.clone())
    }

    /// All choices that make something, in the order of [`enumerate`](Explore::enumerate).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let pairs = tuple((any::<bool>(), vec_of(0..3, ..=1)));
    /// let texts: Vec<String> = pairs.language().take(4).map(|choices| choices.to_string()).collect();
    /// assert_eq!(texts, ["(0:false [])", "(0:false [0])", "(0:false [1])", "(0:false [2])"]);
    /// assert!(pairs.language().all(|choices| pairs.replay_exact(&choices).is_ok()));
    /// ```
    fn language(&self) -> Language<Self>
    where
        Self: Sized + Clone,
    {
        Language::new(self.clone())
    }

    /// How many ways there are to make a value: as many as values, if none can be made in two ways.
    ///
    /// ```
    /// use retrospect::generator::Cardinality;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<(u64, u64)>().cardinality().to_string(), "340282366920938463463374607431768211456");
    /// assert_eq!(vec_of(any::<bool>(), ..).cardinality(), Cardinality::Infinite);
    /// assert_eq!(within(0..10).filter(|number| number % 2 == 0).cardinality().to_string(), "5");
    /// assert!(matches!(any::<u64>().filter(|number| number % 2 == 0).cardinality(), Cardinality::AtLeast(_)));
    /// ```
    ///
    /// Parts that nothing hangs on are multiplied; everything else is tried out, and given up with
    /// a lower bound when it takes too long.
    ///
    /// # Panics
    ///
    /// If the simplest value has no end.
    #[track_caller]
    fn cardinality(&self) -> Cardinality {
        cardinality(self)
    }

    /// Values of one size, as [`enumerate`](Explore::enumerate) has it, each way to make one as
    /// likely as the others.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// // Of all lists of bits with 3 units of size: three `false`, two items one of which is `true`.
    /// let lists = vec_of(any::<bool>(), ..).uniform_by_size(3);
    /// assert_eq!(lists.count().to_string(), "3");
    /// assert!(["[false, false, false]", "[true, false]", "[false, true]"].contains(&&*format!("{:?}", lists.sample(1))));
    /// ```
    ///
    /// It is the same generator in all other respects: it looks at, reads and shrinks to values of
    /// every size. If there is no value of this size, what it draws is an error that says so.
    fn uniform_by_size(&self, size: u32) -> UniformBySize<Self>
    where
        Self: Sized + Clone,
    {
        UniformBySize::new(self.clone(), size)
    }

    /// What is left after a choice: the derivative. It is a generator of the values whose choices
    /// begin with that one, made by the choices that follow.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let pairs = tuple((0..10, any::<bool>()));
    /// let sevens = pairs.after(&"7".parse().unwrap());
    /// assert_eq!(sevens.sample(1).0, 7);
    /// assert_eq!(sevens.choices_of(&(7, true)).unwrap().to_string(), "({} 1:true)"); // A part whose choices are all made is empty.
    /// assert!(sevens.choices_of(&(6, true)).unwrap_err().reason().contains("begin"));
    /// assert_eq!(sevens.read("(7, true)").unwrap(), (7, true));
    /// assert_eq!(sevens.after(&"1:true".parse().unwrap()).value_if_done(), Some((7, true)));
    /// ```
    ///
    /// A choice that does not fit leaves nothing: [`is_void`](Explore::is_void).
    fn after(&self, choice: &Choice) -> After<Self>
    where
        Self: Sized + Clone,
    {
        After::new(self.clone(), vec![choice.clone()])
    }

    /// The derivatives by all answers to the first question, with those answers, simplest first.
    /// There are none if nothing is asked.
    ///
    /// It is lazy, so a number of 64 bits does no harm: there are as many derivatives, made when
    /// they are asked for.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let options = option_of(0..10);
    /// let choices: Vec<String> = options.gradient().map(|(choice, _)| choice.to_string()).collect();
    /// assert_eq!(choices, ["0:None", "1:Some"]);
    /// let (_, some) = options.gradient().last().unwrap();
    /// assert!(some.accepts(&Some(3)) && !some.accepts(&None));
    /// assert_eq!(any::<u64>().gradient().nth(1_000_000).unwrap().1.value_if_done(), Some(1_000_000));
    /// ```
    fn gradient(&self) -> Gradient<Self>
    where
        Self: Sized + Clone,
    {
        Gradient::new(self.clone())
    }

    /// The value, if there is nothing left to choose.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(exact(5).value_if_done(), Some(5));
    /// assert_eq!((0..10).value_if_done(), None);
    /// assert_eq!((0..10).after(&"3".parse().unwrap()).value_if_done(), Some(3));
    /// ```
    fn value_if_done(&self) -> Option<Self::Value> {
        first_question(self).0.ok()
    }

    /// Whether it is known to make nothing before anything is asked: a choice did not fit, a range
    /// is empty, a filter refused what was made of the choices so far.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let digits = within(0..10).filter(|digit| digit % 2 == 0);
    /// assert!(!digits.is_void());
    /// assert!(!digits.after(&"4".parse().unwrap()).is_void());
    /// assert!(digits.after(&"5".parse().unwrap()).is_void());
    /// assert!(digits.after(&"4".parse().unwrap()).after(&"4".parse().unwrap()).is_void()); // Nothing is asked a second time.
    /// ```
    fn is_void(&self) -> bool {
        matches!(first_question(self), (Err(_), None))
    }
}

impl<G: Generator + ?Sized> Explore for G {}
