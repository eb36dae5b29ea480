use super::ranged::{Ends, Ranged, Spread, complete_in, empty_range};
use super::skew::Skew;
use super::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source, Why};

/// A range with a simplest value or a distribution of its own: the generator made by
/// [`Ends::origin`] and [`Ends::skewed`].
///
/// ```
/// use retrospect::generator::Skewed;
/// use retrospect::prelude::*;
/// fn around_noon() -> Skewed<std::ops::Range<u32>> {
///     (0..24).origin(12).skewed(1.5)
/// }
/// assert_eq!(around_noon().replay(&Choices::default()), 12);
/// assert!(around_noon().samples(1).take(1000).filter(|hour| (10..=14).contains(hour)).count() > 500);
/// assert!(around_noon().accepts(&0) && !around_noon().accepts(&24));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Skewed<R: Ends> {
    range: R,
    origin: Option<R::Item>,
    spread: Spread,
}

impl<R: Ends> Skewed<R> {
    #[inline]
    pub(super) fn new(range: R, spread: Spread) -> Skewed<R> {
        Skewed { range, origin: None, spread }
    }

    /// With another simplest value; see [`Ends::origin`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let percents = (0..=100).skewed(2.0).origin(50);
    /// assert_eq!(percents.choices_of(&50).unwrap().to_string(), "0");
    /// assert_eq!((0..=100).origin(150).choices_of(&50).unwrap_err().reason(), "the origin 150 is not in 0..=100");
    /// ```
    #[inline]
    pub fn origin(self, origin: R::Item) -> Skewed<R> {
        Skewed { origin: Some(origin), ..self }
    }

    /// With another skew; see [`Ends::skewed`].
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let percents = (0..=100).origin(50).skewed(-3.0);
    /// assert!(percents.samples(1).take(100).filter(|percent| (20..80).contains(percent)).count() < 30);
    /// assert_eq!(
    ///     percents.skewed(f64::NAN).choices_of(&50).unwrap_err().reason(),
    ///     "the skew of 0..=100 is NaN, which is not a finite number"
    /// );
    /// ```
    #[inline]
    pub fn skewed(self, skew: f64) -> Skewed<R> {
        Skewed { spread: Spread::Skewed(Skew::new(skew)), ..self }
    }

    /// The ends, or what is wrong.
    #[inline]
    fn checked(&self) -> Result<(R::Item, R::Item), String> {
        let Some((low, high)) = self.range.ends() else { return Err(empty_range(&self.range)) };
        if let Spread::Skewed(skew) = self.spread
            && !skew.get().is_finite()
        {
            return Err(format!("the skew of {:?} is {:?}, which is not a finite number", self.range, skew.get()));
        }
        match self.origin {
            Some(origin) if !origin.is_between(low, high) => {
                Err(format!("the origin {origin:?} is not in {:?}", self.range))
            }
            _ => Ok((low, high)),
        }
    }
}

impl<R: Ends> Generator for Skewed<R> {
    type Value = R::Item;

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { has_one_way: false, identity: None, ..super::ranged::facts_of_range(self, &self.range, wanted) }
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<R::Item> {
        match (self.checked(), self.origin) {
            (Ok((low, high)), Some(origin)) => R::Item::generate_from(origin, low, high, self.spread, source),
            (Ok((low, high)), None) => R::Item::generate_between(low, high, self.spread, source),
            (Err(problem), _) => Err(source.stop(Why::Invalid(problem))),
        }
    }

    #[inline]
    fn reflect(&self, value: &R::Item, reflector: &mut Reflector) -> Reflected {
        match (self.checked(), self.origin) {
            (Ok((low, high)), _) if !value.is_between(low, high) => {
                reflector.mismatch(value, || format!("{value:?} is not in {:?}", self.range))
            }
            (Ok((low, high)), Some(origin)) => value.reflect_from(origin, low, high, self.spread, reflector),
            (Ok((low, high)), None) => value.reflect_between(low, high, self.spread, reflector),
            (Err(problem), _) => reflector.mismatch(value, || problem),
        }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<R::Item> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        match self.checked() {
            Ok(_) => complete_in(&self.range, Spread::Usual, sketch, source),
            Err(problem) => Err(source.not_made(sketch.text(), || problem)),
        }
    }
}
