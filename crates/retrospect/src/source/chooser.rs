use super::{Distribution, Rng};
use crate::choice::Site;

/// Something that answers choices: a forward interpretation of generators.
///
/// A generator never knows who answers. Random numbers are built into [`Source`](super::Source);
/// everything else — a recorded tree, a prefix that is fixed, an enumerator, learned weights, a
/// fuzzer's bytes — implements this trait and is handed to
/// [`Source::asking`](super::Source::asking).
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::source::{Bracket, Chooser, NumberRequest, PickRequest, RepeatRequest, Source};
///
/// /// Takes the largest of everything.
/// struct Largest;
/// impl Chooser for Largest {
///     fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
///         Ok(request.max)
///     }
///     fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
///         Ok(request.possible_arms().last().unwrap())
///     }
///     fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
///         Ok(request.likely_max)
///     }
/// }
///
/// let mut chooser = Largest;
/// let mut source = Source::asking(&mut chooser);
/// let value = vec_of(tuple((0..=9u8, any::<bool>())), 0..=2).generate(&mut source);
/// assert_eq!(value.unwrap(), [(9, true), (9, true)]);
/// ```
pub trait Chooser {
    /// An index from 0 to `request.max`. An error stops generation with that message.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Chooser, Distribution, NumberRequest, Replay};
    /// let choices: Choices = "300".parse().unwrap();
    /// let request = NumberRequest { max: 9, distribution: Distribution::Uniform };
    /// assert_eq!(Replay::lenient(&choices).number(&request), Ok(9));
    /// assert!(Replay::strict(&choices).number(&request).is_err());
    /// ```
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String>;

    /// One of `request`'s arms, whose weight must not be 0; or [`PickRequest::ENDING`] for any arm
    /// that leads to an end.
    ///
    /// ```
    /// use retrospect::choice::{Choices, Site};
    /// use retrospect::source::{Chooser, PickRequest, Replay};
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// let choices: Choices = "0:node".parse().unwrap();
    /// let request = |weights| PickRequest::new(&TREE, weights);
    /// assert_eq!(Replay::lenient(&choices).pick(&request(&[1, 1])), Ok(1)); // The label counts.
    /// assert_eq!(Replay::lenient(&choices).pick(&request(&[1, 0])), Ok(0)); // That arm is absent.
    /// ```
    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String>;

    /// How many items, from `request.min` to `request.max`. The items follow, each in a
    /// [`Bracket::Part`] unless it is known to be one node, and then [`close`](Chooser::close).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Chooser, RepeatRequest, Replay};
    /// let choices: Choices = "[5 6 7]".parse().unwrap();
    /// let request = |max| RepeatRequest { min: 0, max, likely_max: 1 };
    /// assert_eq!(Replay::lenient(&choices).repeat(&request(9)), Ok(3)); // More than likely, but allowed.
    /// assert_eq!(Replay::lenient(&choices).repeat(&request(2)), Ok(2));
    /// ```
    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String>;

    /// A bracket opens: what follows belongs to one generator's run or one part of a sequence.
    ///
    /// ```
    /// use retrospect::choice::{Choices, Site};
    /// use retrospect::source::{Bracket, Chooser, Replay};
    /// static PAIR: Site = Site::call("pair", file!(), line!());
    /// let choices: Choices = "(3 4)".parse().unwrap();
    /// assert_eq!(Replay::strict(&choices).open(Bracket::Call(&PAIR)), Ok(()));
    /// assert!(Replay::strict(&Choices::default()).open(Bracket::Call(&PAIR)).is_err());
    /// ```
    fn open(&mut self, _bracket: Bracket) -> Result<(), String> {
        Ok(())
    }

    /// The innermost bracket, or the innermost repeat, ends. This cannot fail: a chooser that minds
    /// how a bracket ends says so when it is asked next.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Bracket, Chooser, Replay};
    /// let choices: Choices = "{3 4}".parse().unwrap();
    /// let mut replay = Replay::strict(&choices);
    /// replay.open(Bracket::Part).unwrap();
    /// replay.close();
    /// let error = replay.open(Bracket::Part).unwrap_err();
    /// assert_eq!(error, "the choices hold the number 3 at node 1, which nothing asked for");
    /// ```
    fn close(&mut self) {}

    /// What is asked from here to [`end_free`](Chooser::end_free) is free: nothing that is asked
    /// after it hangs on its answers, nor whether a value is made. `form` says what is known of the
    /// questions. See [`Source::free_part`](super::Source::free_part).
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Chooser, Form, NumberRequest, PickRequest, RepeatRequest, Source};
    /// /// The simplest answers; counts what is free.
    /// #[derive(Default)]
    /// struct Free(u32);
    /// impl Chooser for Free {
    ///     fn number(&mut self, _: &NumberRequest) -> Result<u64, String> {
    ///         Ok(0)
    ///     }
    ///     fn pick(&mut self, _: &PickRequest<'_>) -> Result<usize, String> {
    ///         Ok(0)
    ///     }
    ///     fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
    ///         Ok(request.min)
    ///     }
    ///     fn begin_free(&mut self, _: &dyn Fn() -> Form) {
    ///         self.0 += 1;
    ///     }
    ///     fn wants_parts(&self) -> bool {
    ///         true
    ///     }
    /// }
    /// let mut free = Free::default();
    /// tuple((0..10, any::<bool>())).generate(&mut Source::asking(&mut free)).unwrap();
    /// assert_eq!(free.0, 2);
    /// // Whether the filter keeps the pair hangs on both.
    /// let mut free = Free::default();
    /// tuple((0..10, 0..10)).filter(|(one, other)| one <= other).generate(&mut Source::asking(&mut free)).unwrap();
    /// assert_eq!(free.0, 0);
    /// ```
    fn begin_free(&mut self, _form: &dyn Fn() -> super::Form) {}

    /// What is free ends. See [`begin_free`](Chooser::begin_free).
    ///
    /// ```
    /// use retrospect::source::{Chooser, Form, Odometer};
    /// let mut odometer = Odometer::new();
    /// odometer.begin_free(&|| Form::Unknown);
    /// odometer.end_free(); // It need not know: all combinations are tried anyway.
    /// assert_eq!(odometer.estimate(), 1);
    /// ```
    fn end_free(&mut self) {}

    /// The key of the entry whose bracket was just opened, if it has one: the input for which a
    /// generated function gives an output of its own.
    ///
    /// Nobody can make up a key, since it is the text of a value that the function is called with;
    /// it is known only from an earlier run.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Bracket, Chooser, Odometer, Replay};
    /// # use retrospect::choice::Site;
    /// static ENTRY: Site = Site::call("entry", file!(), line!());
    /// let choices: Choices = "0:\"Some(3)\"(1:true)".parse().unwrap();
    /// let mut replay = Replay::lenient(&choices);
    /// replay.open(Bracket::Call(&ENTRY)).unwrap();
    /// assert_eq!(replay.key().unwrap().as_deref(), Some("Some(3)"));
    /// assert_eq!(Odometer::new().key().unwrap(), None);
    /// ```
    fn key(&mut self) -> Result<Option<String>, String> {
        Ok(None)
    }

    /// Whether asking again may give other answers. A filter tries again only then: a replay would
    /// answer with the choices of the next part.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::source::{Replay, Source, Why};
    /// let choices: Choices = "3".parse().unwrap();
    /// let mut replay = Replay::lenient(&choices);
    /// let mut source = Source::asking(&mut replay);
    /// assert!(within(0..10).filter(|number| *number != 3).generate(&mut source).is_err());
    /// assert!(matches!(source.why(), Some(Why::FilteredOut { refused: 1, .. })));
    /// ```
    fn may_retry(&self) -> bool {
        false
    }

    /// Many numbers at once, the items of a list: as many as there is room for.
    ///
    /// ```
    /// use retrospect::source::{Chooser, Distribution, NumberRequest, Replay};
    /// let choices = "1 2 3".parse().unwrap();
    /// let mut numbers = [0; 3];
    /// Replay::strict(&choices).numbers(&NumberRequest { max: 9, distribution: Distribution::Uniform }, &mut numbers).unwrap();
    /// assert_eq!(numbers, [1, 2, 3]);
    /// ```
    fn numbers(&mut self, request: &NumberRequest, numbers: &mut [u64]) -> Result<(), String> {
        for number in numbers {
            *number = self.number(request)?;
        }
        Ok(())
    }

    /// From here to [`end_weights`](Chooser::end_weights) chance would go by these weights. Says
    /// whether that is of interest.
    #[doc(hidden)]
    fn begin_weights(&mut self, _weights: &std::sync::Arc<super::Weights>) -> bool {
        false
    }

    #[doc(hidden)]
    fn end_weights(&mut self) {}

    /// An answer was dropped or changed, since what it makes cannot be kept: a duplicate in a set.
    #[doc(hidden)]
    fn corrected(&mut self) {}

    /// Whether it answers like a random source. Then it is a random source's limits that end what
    /// grows too large: past them it is offered only the simplest arm of each pick, and the fewest
    /// items of each list.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// use retrospect::source::{Chooser, Replay};
    /// assert!(!Replay::lenient(&Choices::default()).is_random()); // Choices know no limits.
    /// ```
    fn is_random(&self) -> bool {
        false
    }

    /// Whether it is told of every part and of what is [free](Chooser::begin_free). Otherwise it is
    /// told of the brackets of parts only where they may be more than one node.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// use retrospect::source::{Chooser, Replay};
    /// assert!(!Replay::lenient(&Choices::default()).wants_parts());
    /// ```
    fn wants_parts(&self) -> bool {
        false
    }
}

/// What opens; see [`Chooser::open`].
///
/// ```
/// use retrospect::choice::{Choices, Site};
/// use retrospect::source::{Bracket, Chooser, Replay};
/// static PAIR: Site = Site::call("pair", file!(), line!());
/// let choices: Choices = "5".parse().unwrap();
/// // A part may be a bare number, the run of a generator is a bracket or a pick.
/// assert!(Replay::strict(&choices).open(Bracket::Part).is_ok());
/// assert!(Replay::strict(&choices).open(Bracket::Call(&PAIR)).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Bracket {
    /// The run of one generator.
    Call(&'static Site),
    /// One part of a sequence: an item, a field, a drawn name.
    Part,
    /// Another attempt at what was answered last, because a filter refused what came of it. Only a
    /// chooser that [may be asked again](Chooser::may_retry) is told so; other answers are wanted,
    /// and none that belong to what follows.
    Again,
}

/// A request for a number.
///
/// ```
/// use retrospect::source::{Distribution, NumberRequest, Rng};
/// let request = NumberRequest { max: 9, distribution: Distribution::Always(4) };
/// // The distribution says what is drawn at random; every index up to `max` is a right answer.
/// assert_eq!(request.random(&mut Rng::new(1)), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NumberRequest {
    /// The largest index; 0 is the smallest and the simplest.
    pub max: u64,
    /// How a random source would draw it.
    pub distribution: Distribution,
}

impl NumberRequest {
    /// The answer of a random source.
    ///
    /// ```
    /// use retrospect::source::{Distribution, NumberRequest, Rng};
    /// let mut rng = Rng::new(1);
    /// let request = NumberRequest { max: 9, distribution: Distribution::Uniform };
    /// assert!((0..100).all(|_| request.random(&mut rng) <= 9));
    /// ```
    #[inline(always)]
    pub fn random(&self, rng: &mut Rng) -> u64 {
        self.distribution.draw(self.max, rng)
    }
}

/// A request for one of several arms.
///
/// ```
/// use retrospect::choice::Site;
/// use retrospect::source::{PickRequest, Rng};
/// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
/// let request = PickRequest::new(&TREE, &[0, 5]);
/// let arm = request.random(&mut Rng::new(1));
/// assert_eq!(request.site.label(arm), Some("node"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PickRequest<'r> {
    /// Where the pick stands, with its labels.
    pub site: &'static Site,
    /// The weight of each arm. An arm of weight 0 is absent; one of weight [`DORMANT`] can be made
    /// but is not drawn at random.
    pub weights: &'r [u32],
    /// Whether the value is deeper here than random values get.
    pub is_deep: bool,
    /// Whether an earlier pick of this value had to take an arm that ends.
    pub is_ending: bool,
}

/// The weight of an arm that exists, in every direction, but that a random source does not draw at
/// the present size. Users write [`drawn_if`].
///
/// ```
/// use retrospect::choice::Site;
/// use retrospect::source::{DORMANT, PickRequest, Rng};
/// static SITE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
/// let request = PickRequest::new(&SITE, &[1, DORMANT]);
/// assert_eq!(request.random(&mut Rng::new(1)), 0);
/// assert_eq!(request.possible_arms().count(), 2);
/// ```
pub const DORMANT: u32 = u32::MAX;

/// The first possible arm from here on has so many possible ones before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KnownArm {
    pub(crate) before: u64,
    pub(crate) from: usize,
}

impl<'r> PickRequest<'r> {
    /// The answer for an arm that leads to an end; the source finds one. A chooser that makes up
    /// answers gives it where the value would otherwise grow too large.
    pub const ENDING: usize = usize::MAX;

    /// A request for an arm of `site`.
    ///
    /// ```
    /// use retrospect::choice::Site;
    /// use retrospect::source::PickRequest;
    /// static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// assert!(PickRequest::new(&TREE, &[1, 0]).is_possible(0));
    /// ```
    #[inline(always)]
    pub fn new(site: &'static Site, weights: &'r [u32]) -> PickRequest<'r> {
        PickRequest { site, weights, is_deep: false, is_ending: false }
    }

    /// The arms that are not absent, simplest first.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// use retrospect::source::{DORMANT, PickRequest};
    /// # static TREE: Site = Site::pick("tree", &["leaf", "two", "three"], file!(), line!());
    /// let request = PickRequest::new(&TREE, &[0, 5, DORMANT]);
    /// assert_eq!(request.possible_arms().collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub fn possible_arms(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0).map(|(arm, _)| arm)
    }

    /// The possible arm that has so many others before it, and from where on to look for it the
    /// next time: whoever goes through a million arms in order is not to begin with the first each
    /// time.
    pub(crate) fn nth_arm(&self, before: u64, known: &mut KnownArm) -> Option<usize> {
        if before < known.before {
            *known = KnownArm::default();
        }
        let mut arms = (known.from..self.weights.len()).filter(|arm| self.is_possible(*arm));
        let arm = arms.nth(usize::try_from(before - known.before).ok()?)?;
        *known = KnownArm { before, from: arm };
        Some(arm)
    }

    /// Whether there is such an arm and its weight is not 0.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// use retrospect::source::{DORMANT, PickRequest};
    /// # static TREE: Site = Site::pick("tree", &["leaf", "two", "three"], file!(), line!());
    /// let request = PickRequest::new(&TREE, &[0, 5, DORMANT]);
    /// assert!(!request.is_possible(0) && request.is_possible(2));
    /// assert!(!request.is_possible(3)); // There is no such arm.
    /// ```
    pub fn is_possible(&self, arm: usize) -> bool {
        self.weights.get(arm).is_some_and(|weight| *weight != 0)
    }

    /// The answer of a random source: each arm as often as it weighs. If all arms are dormant or
    /// absent, the simplest that can be made.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// use retrospect::source::{DORMANT, PickRequest, Rng};
    /// # static TREE: Site = Site::pick("tree", &["leaf", "node"], file!(), line!());
    /// let mut rng = Rng::new(1);
    /// let request = PickRequest::new(&TREE, &[1, 3]);
    /// let nodes: usize = (0..1000).map(|_| request.random(&mut rng)).sum();
    /// assert!((650..850).contains(&nodes));
    /// assert_eq!(PickRequest::new(&TREE, &[0, DORMANT]).random(&mut rng), 1);
    /// ```
    #[inline(always)]
    pub fn random(&self, rng: &mut Rng) -> usize {
        let weight = |weight: &u32| if *weight == DORMANT { 0 } else { u64::from(*weight) };
        let total: u64 = self.weights.iter().map(weight).sum();
        if total == 0 {
            return self.possible_arms().next().unwrap_or(0);
        }
        let drawn = rng.at_most(total - 1);
        // Without branches or an early end, so that it unrolls and folds where the weights are
        // constants.
        let (mut arm, mut sum) = (0, 0);
        for before in &self.weights[..self.weights.len() - 1] {
            sum += weight(before);
            arm += usize::from(drawn >= sum);
        }
        arm
    }
}

/// A request for a number of items.
///
/// ```
/// use retrospect::source::{RepeatRequest, Rng};
/// let mut rng = Rng::new(1);
/// let request = RepeatRequest { min: 2, max: usize::MAX, likely_max: 5 };
/// assert!((0..100).all(|_| (2..=5).contains(&request.random(&mut rng))));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RepeatRequest {
    /// The fewest there may be.
    pub min: usize,
    /// The most there may be; `usize::MAX` if there is no limit.
    pub max: usize,
    /// The most a random source draws, which depends on the size if there is no limit.
    pub likely_max: usize,
}

impl RepeatRequest {
    /// The answer of a random source: from `min` to `likely_max`, each as likely.
    ///
    /// ```
    /// use retrospect::source::{RepeatRequest, Rng};
    /// let mut rng = Rng::new(1);
    /// let mut drawn = |likely_max| RepeatRequest { min: 2, max: 9, likely_max }.random(&mut rng);
    /// assert_eq!(drawn(2), 2);
    /// let counts: Vec<usize> = (0..100).map(|_| drawn(4)).collect();
    /// assert!((2..=4).all(|count| counts.contains(&count)));
    /// ```
    #[inline(always)]
    pub fn random(&self, rng: &mut Rng) -> usize {
        self.min + rng.at_most((self.likely_max - self.min) as u64) as usize
    }
}

/// A weight as users write it: any integer. The error says what is wrong, so that it can be shown
/// with the place of the arm.
///
/// ```
/// use retrospect::source::{DORMANT, Weight};
/// fn total(weights: &[impl Weight]) -> Result<u32, String> {
///     weights.iter().map(|weight| weight.weight()).sum()
/// }
/// assert_eq!(total(&[1u8, 5]), Ok(6));
/// assert!(total(&[1i64, -5]).is_err());
/// assert!(DORMANT.weight().is_err()); // Reserved: nobody writes it by accident.
/// ```
pub trait Weight: std::fmt::Display + Copy {
    /// The weight, if it is one: 0 or more, and not too large.
    ///
    /// ```
    /// use retrospect::source::Weight;
    /// assert_eq!((5i32.small(), (-5i32).small()), (Some(5), None));
    /// ```
    fn small(self) -> Option<u32>;

    /// The weight, or what is wrong with it.
    ///
    /// ```
    /// use retrospect::source::Weight;
    /// assert_eq!(5i32.weight(), Ok(5));
    /// assert_eq!((-5i64).weight().unwrap_err(), "-5 is negative: a weight is 0 or more");
    /// assert_eq!(u64::MAX.weight().unwrap_err(), "18446744073709551615 is too large: a weight is at most 4294967294");
    /// ```
    fn weight(self) -> Result<u32, String> {
        self.small().ok_or_else(|| {
            let text = self.to_string();
            match text.starts_with('-') {
                true => format!("{text} is negative: a weight is 0 or more"),
                false => format!("{text} is too large: a weight is at most {}", DORMANT - 1),
            }
        })
    }
}

macro_rules! weights {
    ($($integer:ty)*) => {$(
        impl Weight for $integer {
            #[inline(always)]
            fn small(self) -> Option<u32> {
                u32::try_from(self).ok().filter(|weight| *weight != DORMANT)
            }
        }
    )*};
}

weights! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

/// The weight of an arm that can be made always, but is drawn at random only under a condition. A
/// weight of 0 still means absent.
///
/// A plain `if deep { 0 } else { 3 }` takes the arm away, in every direction: deep values are then
/// refused as well. This one only keeps them from being drawn.
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Debug, PartialEq)]
/// enum Chain {
///     End,
///     Link(Box<Chain>),
/// }
/// #[generator]
/// fn chains(likely: u32) -> Chain {
///     match pick() {
///         "end" => Chain::End,
///         #[weight(drawn_if(likely > 0, 3))]
///         "link" => Chain::Link(Box::new(draw(chains(likely.saturating_sub(1))))),
///     }
/// }
/// assert!(chains(1).samples(0).take(100).all(|chain| format!("{chain:?}").matches("Link").count() <= 1));
/// assert!(chains(1).accepts(&Chain::Link(Box::new(Chain::Link(Box::new(Chain::End))))));
/// ```
///
/// If the conditions of all arms are false, the first arm whose weight is not 0 is drawn. Shrinking
/// and replay may take any arm whose weight is not 0, so each of them should end whatever its
/// condition is.
///
/// Where one branch of an `if` is a plain number, write `0.into()` there.
pub fn drawn_if(is_drawn: bool, weight: u32) -> DrawnIf {
    DrawnIf { is_drawn, weight }
}

/// The weight made by [`drawn_if`].
///
/// ```
/// use retrospect::source::{DORMANT, DrawnIf, Weight, drawn_if};
/// let weights: [DrawnIf; 3] = [drawn_if(true, 3), drawn_if(false, 3), drawn_if(false, 0)];
/// assert_eq!(weights.map(|weight| weight.weight()), [Ok(3), Ok(DORMANT), Ok(0)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnIf {
    is_drawn: bool,
    weight: u32,
}

/// A weight that is always drawn, for the other branch of an `if`:
///
/// ```
/// use retrospect::source::{DrawnIf, drawn_if};
/// let weight = |depth: u32| -> DrawnIf { if depth < 3 { drawn_if(depth > 0, 2) } else { 0.into() } };
/// assert_eq!(weight(5), drawn_if(true, 0));
/// ```
impl From<u32> for DrawnIf {
    fn from(weight: u32) -> DrawnIf {
        drawn_if(true, weight)
    }
}

impl std::fmt::Display for DrawnIf {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.weight.fmt(formatter)
    }
}

impl Weight for DrawnIf {
    #[inline(always)]
    fn small(self) -> Option<u32> {
        match self.weight.small() {
            Some(weight) if weight != 0 && !self.is_drawn => Some(DORMANT),
            weight => weight,
        }
    }
}
