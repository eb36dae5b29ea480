//! An interpretation of all ways by a user: what each choice means, and how meanings are combined.

use super::forest::{Forest, Item};
use crate::choice::{Kind, Site};
use std::fmt;

/// A meaning for all ways to make a value, given by that of each choice: a backward interpretation.
///
/// Forward, a [`Chooser`](crate::source::Chooser) says what each choice is; backward, this says
/// what each choice is worth. [`Forest::fold`] works it out, and asks once for each part, in
/// however many ways the part is used.
///
/// ```
/// use retrospect::choice::Site;
/// use retrospect::prelude::*;
/// use retrospect::reflect::{FoldWays, Reflector};
///
/// /// The fewest digits in which the numbers of a way can be written.
/// struct Digits;
/// impl FoldWays for Digits {
///     type Output = u32;
///     fn nothing(&mut self) -> u32 {
///         0
///     }
///     fn number(&mut self, index: u64, _bound: u64) -> u32 {
///         index.checked_ilog10().unwrap_or(0) + 1
///     }
///     fn both(&mut self, first: u32, second: u32) -> u32 {
///         first + second
///     }
///     fn either(&mut self, one: u32, other: u32) -> u32 {
///         one.min(other)
///     }
/// }
///
/// let numbers = vec_of(one_of((0..=500, 99..=500)), ..); // 100 is 100 or, from 99 on, 1.
/// let mut reflector = Reflector::all_ways();
/// numbers.reflect(&vec![100, 7], &mut reflector).unwrap();
/// assert_eq!(reflector.into_forest().fold(&mut Digits), Ok(Some(2)));
/// ```
pub trait FoldWays {
    /// What a part of a way, or several ways of a part, mean.
    type Output: Clone;

    /// No choice at all.
    fn nothing(&mut self) -> Self::Output;

    /// A number from 0 to a bound.
    fn number(&mut self, index: u64, bound: u64) -> Self::Output;

    /// A pick, with what was chosen in the arm. By default it means no more than that.
    fn pick(&mut self, site: Option<&'static Site>, arm: usize, body: Self::Output) -> Self::Output {
        let _ = (site, arm);
        body
    }

    /// A list of so many items, with what was chosen for them. By default it means no more than
    /// that.
    fn repeat(&mut self, count: u64, items: Self::Output) -> Self::Output {
        let _ = count;
        items
    }

    /// All that one generator chose for one part. By default it means no more than that.
    fn call(&mut self, site: Option<&'static Site>, inside: Self::Output) -> Self::Output {
        let _ = site;
        inside
    }

    /// One after the other.
    fn both(&mut self, first: Self::Output, second: Self::Output) -> Self::Output;

    /// Two ways, or sets of ways, to make the same part. The one that a generator tries first is
    /// the first.
    fn either(&mut self, one: Self::Output, other: Self::Output) -> Self::Output;
}

/// There are infinitely many ways, so that they have no meaning by [`FoldWays`].
///
/// ```
/// use retrospect::reflect::EndlessWays;
/// let endless = EndlessWays { cycle: "tree".to_owned() };
/// assert_eq!(endless.to_string(), "infinitely many ways: `tree` can call itself on the same part");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessWays {
    /// The name of a generator that can call itself on the same part.
    pub cycle: String,
}

impl fmt::Display for EndlessWays {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "infinitely many ways: `{}` can call itself on the same part", self.cycle)
    }
}

impl std::error::Error for EndlessWays {}

impl Forest {
    /// What all ways mean by this interpretation; `None` if there is no way. Ways that were not
    /// followed to their end are missing.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::reflect::{FoldWays, Reflector};
    /// /// In how many ways it is made: what `Ways::count` says.
    /// struct Count;
    /// impl FoldWays for Count {
    ///     type Output = u64;
    ///     fn nothing(&mut self) -> u64 { 1 }
    ///     fn number(&mut self, _: u64, _: u64) -> u64 { 1 }
    ///     fn both(&mut self, first: u64, second: u64) -> u64 { first * second }
    ///     fn either(&mut self, one: u64, other: u64) -> u64 { one + other }
    /// }
    /// let mut reflector = Reflector::all_ways();
    /// vec_of(one_of((0..=5, 3..=9)), ..).reflect(&vec![4; 10], &mut reflector).unwrap();
    /// assert_eq!(reflector.into_forest().fold(&mut Count), Ok(Some(1024)));
    /// ```
    pub fn fold<F: FoldWays>(&self, fold: &mut F) -> Result<Option<F::Output>, EndlessWays> {
        let order = self.children_first().map_err(|node| EndlessWays { cycle: self.name_of(node) })?;
        let mut meanings: Vec<Option<F::Output>> = vec![None; self.node_count()];
        // Meanings may be large: those that nobody needs any more are dropped.
        let mut uses = vec![0u32; self.node_count()];
        for child in self.children_of_root().chain(order.iter().flat_map(|node| self.children(*node))) {
            uses[child] += 1;
        }
        for node in order {
            let mut all = None;
            for alternative in self.alternatives(node) {
                if let Some(meaning) = folded(alternative, &meanings, fold) {
                    all = Some(match all {
                        Some(before) => fold.either(before, meaning),
                        None => meaning,
                    });
                }
            }
            meanings[node] = all;
            for child in self.children(node) {
                uses[child] -= 1;
                if uses[child] == 0 {
                    meanings[child] = None;
                }
            }
        }
        Ok(folded(&self.root, &meanings, fold))
    }
}

/// A bracket that is open, with what was chosen in it so far.
struct Open<O> {
    bracket: Bracket,
    inside: Option<O>,
}

enum Bracket {
    /// What stands in no bracket.
    Outside,
    Call(Option<&'static Site>),
    Repeat(u64),
    /// Ends with the bracket around it.
    Pick(&'static Site, usize),
}

/// What a sequence means, if all nodes in it can be made.
fn folded<F: FoldWays>(items: &[Item], meanings: &[Option<F::Output>], fold: &mut F) -> Option<F::Output> {
    let mut open = vec![Open { bracket: Bracket::Outside, inside: None }];
    for item in items {
        let meaning = match item {
            Item::Choice(entry) if entry.kind() == Kind::Pick => {
                let body = fold.nothing();
                fold.pick(entry.site(), entry.arm(), body)
            }
            Item::Choice(entry) => fold.number(entry.index(), entry.bound()),
            Item::Open(entry) => {
                let bracket = match entry.kind() {
                    Kind::Repeat => Bracket::Repeat(entry.index()),
                    _ => Bracket::Call(entry.site()),
                };
                open.push(Open { bracket, inside: None });
                continue;
            }
            Item::Pick { site, arm, .. } => {
                open.push(Open { bracket: Bracket::Pick(site, *arm as usize), inside: None });
                continue;
            }
            Item::More(more) => {
                let lists = open.iter_mut().rev().filter_map(|open| match &mut open.bracket {
                    Bracket::Repeat(count) => Some(count),
                    _ => None,
                });
                lists.take(1).for_each(|count| *count += u64::from(*more));
                continue;
            }
            Item::Close => closed(&mut open, fold),
            Item::Node(node) => meanings[*node].clone()?,
            Item::Key(_)
            | Item::BeginPart
            | Item::EndPart
            | Item::Chance(_)
            | Item::Distinct(_)
            | Item::Unknown(_)
            | Item::Level { .. }
            | Item::Counted(_) => continue,
        };
        add(&mut open, meaning, fold);
    }
    Some(closed(&mut open, fold))
}

/// Closes the innermost bracket, and the picks in it that end there.
fn closed<F: FoldWays>(open: &mut Vec<Open<F::Output>>, fold: &mut F) -> F::Output {
    loop {
        let Some(Open { bracket, inside }) = open.pop() else { return fold.nothing() };
        let inside = inside.unwrap_or_else(|| fold.nothing());
        match bracket {
            Bracket::Outside => return inside,
            Bracket::Call(site) => return fold.call(site, inside),
            Bracket::Repeat(count) => return fold.repeat(count, inside),
            Bracket::Pick(site, arm) => {
                let pick = fold.pick(Some(site), arm, inside);
                add(open, pick, fold);
            }
        }
    }
}

fn add<F: FoldWays>(open: &mut [Open<F::Output>], meaning: F::Output, fold: &mut F) {
    if let Some(Open { inside, .. }) = open.last_mut() {
        *inside = Some(match inside.take() {
            Some(before) => fold.both(before, meaning),
            None => meaning,
        });
    }
}
