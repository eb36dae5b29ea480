use super::{MOST_OFFERED, take_steps};
use crate::choice::{Choices, STEPS};
use crate::generator::Generator;
use crate::generator::shrinking::candidates;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::{Sketch, printed};
use crate::source::{Distribution, Drawn, Source, Why};
use std::collections::{HashSet, VecDeque};
use std::fmt::{self, Debug};
use std::sync::Arc;

/// A value, and below it the values that shrinking may try instead, each with those below it. What
/// is below a value is made when it is asked for, so a tree may be endless.
///
/// [`from_shrink_tree`] makes a generator of one; [`shrink_tree`](Generator::shrink_tree) shows the
/// one that a generator has.
///
/// ```
/// use retrospect::generator::ShrinkTree;
/// use retrospect::prelude::*;
/// let halves = ShrinkTree::unfold(12, |number| (*number > 0).then_some(number / 2));
/// let below = halves.children().next().unwrap();
/// assert_eq!(*below.value(), 6);
/// let fixed = ShrinkTree::new("two words", || [ShrinkTree::leaf("two"), ShrinkTree::leaf("words")]);
/// assert_eq!(fixed.children().map(|tree| *tree.value()).collect::<Vec<_>>(), ["two", "words"]);
/// ```
pub struct ShrinkTree<'a, V> {
    value: V,
    children: Arc<Children<'a, V>>,
}

/// What makes the trees below a value.
type Children<'a, V> = dyn Fn(&V) -> Box<dyn Iterator<Item = ShrinkTree<'a, V>> + 'a> + Send + Sync + 'a;

/// What makes the values below a value.
type Shrink<'a, V> = dyn Fn(&V) -> Box<dyn Iterator<Item = V> + 'a> + Send + Sync + 'a;

impl<'a, V: 'a> ShrinkTree<'a, V> {
    /// A value that shrinks to nothing else.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// assert_eq!(ShrinkTree::leaf(5).children().count(), 0);
    /// ```
    pub fn leaf(value: V) -> ShrinkTree<'a, V> {
        ShrinkTree { value, children: Arc::new(|_| Box::new(std::iter::empty())) }
    }

    /// A value above others. `children` is called whenever they are asked for, and must make the
    /// same each time.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// let tree = ShrinkTree::new(true, || [ShrinkTree::leaf(false)]);
    /// assert!(*tree.value() && !tree.children().next().unwrap().value());
    /// ```
    pub fn new<F, I>(value: V, children: F) -> ShrinkTree<'a, V>
    where
        F: Fn() -> I + Send + Sync + 'a,
        I: IntoIterator<Item = ShrinkTree<'a, V>>,
        I::IntoIter: 'a,
    {
        ShrinkTree { value, children: Arc::new(move |_| Box::new(children().into_iter())) }
    }

    /// The value above those that `shrink` makes of it, and so on for each of them: a shrinker in
    /// the manner of QuickCheck as a tree.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// let lists = ShrinkTree::unfold(vec![1, 2], |list| (0..list.len()).map(|place| {
    ///     let mut shorter = list.clone();
    ///     shorter.remove(place);
    ///     shorter
    /// }).collect::<Vec<_>>());
    /// let below: Vec<Vec<i32>> = lists.children().map(|tree| tree.into_value()).collect();
    /// assert_eq!(below, [[2], [1]]);
    /// ```
    pub fn unfold<F, I>(value: V, shrink: F) -> ShrinkTree<'a, V>
    where
        F: Fn(&V) -> I + Send + Sync + 'a,
        I: IntoIterator<Item = V>,
        I::IntoIter: 'a,
    {
        unfold_by(value, Arc::new(move |value| Box::new(shrink(value).into_iter())))
    }

    /// The value on top.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// assert_eq!(ShrinkTree::leaf(5).value(), &5);
    /// ```
    pub fn value(&self) -> &V {
        &self.value
    }

    /// The value on top, without what is below it.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// assert_eq!(ShrinkTree::leaf("five".to_owned()).into_value(), "five");
    /// ```
    pub fn into_value(self) -> V {
        self.value
    }

    /// What is directly below the value, in the order in which it is tried; made one by one.
    ///
    /// ```
    /// use retrospect::generator::ShrinkTree;
    /// use retrospect::prelude::*;
    /// // The way along the first ones.
    /// let mut tree = ShrinkTree::unfold(100, |number| (*number > 0).then_some(number / 3));
    /// let mut path = vec![*tree.value()];
    /// while let Some(below) = tree.children().next() {
    ///     tree = below;
    ///     path.push(*tree.value());
    /// }
    /// assert_eq!(path, [100, 33, 11, 3, 1, 0]);
    /// ```
    pub fn children(&self) -> impl Iterator<Item = ShrinkTree<'a, V>> + use<'a, V> {
        (self.children)(&self.value)
    }
}

fn unfold_by<'a, V: 'a>(value: V, shrink: Arc<Shrink<'a, V>>) -> ShrinkTree<'a, V> {
    let children = move |value: &V| -> Box<dyn Iterator<Item = ShrinkTree<'a, V>> + 'a> {
        let (values, shrink) = (shrink(value), Arc::clone(&shrink));
        Box::new(values.map(move |value| unfold_by(value, Arc::clone(&shrink))))
    };
    ShrinkTree { value, children: Arc::new(children) }
}

impl<V: Clone> Clone for ShrinkTree<'_, V> {
    fn clone(&self) -> Self {
        ShrinkTree { value: self.value.clone(), children: Arc::clone(&self.children) }
    }
}

/// The value on top; what is below it may be endless.
impl<V: Debug> Debug for ShrinkTree<'_, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ShrinkTree").field("value", &self.value).finish_non_exhaustive()
    }
}

/// The tree of what shrinking tries when it begins with these choices; see
/// [`Generator::shrink_tree`].
pub(in crate::generator) fn tree_of_choices<'g, G: Generator + Sync>(
    generator: &'g G,
    value: G::Value,
    choices: Choices,
) -> ShrinkTree<'g, G::Value> {
    let children = move |_: &G::Value| -> Box<dyn Iterator<Item = ShrinkTree<'g, G::Value>> + 'g> {
        let found = candidates(generator, &choices).into_iter();
        Box::new(found.filter_map(move |candidate| {
            let (value, made) = generator.try_replay(&candidate).ok()?;
            Some(tree_of_choices(generator, value, made))
        }))
    };
    ShrinkTree { value, children: Arc::new(children) }
}

/// Makes the value on top of a tree, which shrinks to one of those directly below it, then to one
/// of those below that, and so on: the first that fails each time.
///
/// ```
/// use retrospect::generator::{ShrinkTree, from_shrink_tree};
/// use retrospect::prelude::*;
/// let tree = ShrinkTree::unfold(1000, |number| vec![number / 2, number - number / 10]);
/// let numbers = from_shrink_tree(tree);
/// assert_eq!(numbers.sample(1), 1000);
/// assert_eq!(numbers.shrink(1000, |number| *number >= 90).unwrap().value, 90);
/// ```
///
/// Where that ends, other values of the tree are tried too, if they are found.
///
/// **Backward.** A value is looked for from the top, level by level, among the first 10,000; the
/// first way to it is noted and it alone counts in `Ways::count`. The choices are the steps taken:
/// which of the values below, counted from 1, and a 0 at the end.
///
/// ```
/// # use retrospect::generator::{ShrinkTree, from_shrink_tree};
/// # use retrospect::prelude::*;
/// # let numbers = from_shrink_tree(ShrinkTree::unfold(1000, |number| vec![number / 2, number - number / 10]));
/// assert_eq!(numbers.choices_of(&450).unwrap().to_string(), "(1 2 0)");
/// assert_eq!(numbers.choices_of(&999).unwrap_err().reason(), "it is not among the first 10000 values of the shrink tree");
/// ```
///
/// **Simplest.** A tree may be endless, so there may be nothing at its bottom: what the simplest
/// choices make is the value on top. At most 1,000 steps are taken, and at most 10,000 values below
/// one value are seen.
pub fn from_shrink_tree<'a, V: Clone + Debug + PartialEq>(tree: ShrinkTree<'a, V>) -> FromShrinkTree<'a, V> {
    FromShrinkTree { tree }
}

/// The generator made by [`from_shrink_tree`].
///
/// ```
/// use retrospect::generator::{FromShrinkTree, ShrinkTree, from_shrink_tree};
/// use retrospect::prelude::*;
/// fn numbers() -> FromShrinkTree<'static, u8> {
///     from_shrink_tree(ShrinkTree::unfold(200, |number| number.checked_sub(1)))
/// }
/// assert_eq!(numbers().shrink(200, |number| *number > 7).unwrap().value, 8);
/// ```
pub struct FromShrinkTree<'a, V> {
    tree: ShrinkTree<'a, V>,
}

impl<V: Clone> Clone for FromShrinkTree<'_, V> {
    fn clone(&self) -> Self {
        FromShrinkTree { tree: self.tree.clone() }
    }
}

impl<V: Debug> Debug for FromShrinkTree<'_, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "from_shrink_tree({:?}, …)", self.tree.value)
    }
}

/// How many values of a tree are looked at.
const MOST_LOOKED_AT: usize = 10_000;

impl<'a, V: Clone + Debug + PartialEq + 'a> FromShrinkTree<'a, V> {
    /// The steps to the first value for which `is_wanted` holds, and that value; or how many were
    /// looked at.
    fn find(&self, is_wanted: &mut dyn FnMut(&V) -> bool) -> Result<(Vec<u64>, V), Looked> {
        // Each with the place of the one above it and the step from there.
        let mut seen: Vec<(usize, u64)> = vec![(0, 0)];
        let mut pending = VecDeque::from([(0, self.tree.clone())]);
        // Many ways in a tree lead to one value, mostly with the same values below it: so a value
        // that was met before waits.
        let mut met = HashSet::new();
        let mut waiting = VecDeque::new();
        while let Some((place, tree)) = pending.pop_front().or_else(|| waiting.pop_front()) {
            if is_wanted(&tree.value) {
                let mut steps = Vec::new();
                let mut at = place;
                while at > 0 {
                    steps.push(seen[at].1);
                    at = seen[at].0;
                }
                steps.reverse();
                return Ok((steps, tree.value));
            }
            for (step, below) in (1..).zip(tree.children().take(MOST_OFFERED)) {
                if seen.len() == MOST_LOOKED_AT {
                    break;
                }
                let is_new = met.insert(printed(&below.value).unwrap_or_default());
                if is_new { &mut pending } else { &mut waiting }.push_back((seen.len(), below));
                seen.push((place, step));
            }
        }
        Err(Looked { all: seen.len() < MOST_LOOKED_AT })
    }
}

/// The search ended without success.
struct Looked {
    /// Whether the whole tree was looked at.
    all: bool,
}

impl Looked {
    fn reason(self) -> String {
        match self.all {
            true => "it is not in the shrink tree".to_owned(),
            false => format!("it is not among the first {MOST_LOOKED_AT} values of the shrink tree"),
        }
    }
}

impl<'a, V: Clone + Debug + PartialEq + 'a> Generator for FromShrinkTree<'a, V> {
    type Value = V;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<V> {
        let offer = |tree: &ShrinkTree<'a, V>, keep: &mut dyn FnMut(ShrinkTree<'a, V>) -> bool| {
            let _ = tree.children().all(keep);
        };
        match take_steps(source, self.tree.clone(), &offer, &mut |_, _| true)? {
            Some(tree) => Ok(tree.value),
            None => Err(source.stop(Why::Other("a step of a shrink tree was refused".to_owned()))),
        }
    }

    #[inline]
    fn reflect(&self, value: &V, reflector: &mut Reflector) -> Reflected {
        let steps = match self.find(&mut |other| other == value) {
            Ok((steps, _)) => steps,
            Err(looked) => return reflector.mismatch(value, || looked.reason()),
        };
        let address = std::ptr::from_ref(value).cast();
        // How many values each step could choose from is noted when the choices are replayed.
        reflector.call(
            &STEPS,
            || None,
            address,
            |reflector| {
                for step in &steps {
                    reflector.number(*step, *step, Distribution::Always(0))?;
                }
                reflector.number(0, 0, Distribution::Always(0))
            },
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<V> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        // Many ways in a tree may lead to one value.
        let mut seen = HashSet::new();
        let mut is_wanted = |value: &V| {
            let text = printed(value).unwrap_or_default();
            let is_wanted = !seen.contains(&text) && sketch.matches_printed(&text);
            seen.insert(text);
            is_wanted
        };
        match self.find(&mut is_wanted) {
            Ok((_, value)) => Ok(value),
            Err(looked) => Err(source.not_made(sketch.text(), || looked.reason())),
        }
    }
}
