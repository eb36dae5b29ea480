//! Texts that depend on what was written before, and texts that show a value.

use super::{Part, Text};
use crate::generator::{Generator, accepted};
use crate::reflect::{Reflected, Reflector};
use crate::source::{Drawn, Source};
use std::sync::Arc;

/// What follows a text, by what was written.
pub(super) type Follow = dyn Fn(&str) -> Text + Send + Sync;

impl Text {
    /// This text, and then the one that `then` makes of what was written: a checksum, a part as
    /// long as a number says, a tag that is closed by its name.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// // Two to nine letters, with their number before them.
    /// let counted = text::chars('2'..='9').bind(|digit| text::repeat(text::chars('a'..='z'), digit.parse::<usize>().unwrap()));
    /// assert!(counted.accepts(&"3abc".to_owned()) && !counted.accepts(&"3ab".to_owned()));
    /// assert_eq!(counted.choices_of(&"2ab".to_owned()).unwrap().to_string(), "0 [0 1]");
    ///
    /// let digits = text::repeat(text::chars('0'..='9'), 4);
    /// let checked = digits.bind(|digits| (digits.bytes().map(u64::from).sum::<u64>() % 10).to_string().into());
    /// assert!(checked.accepts(&checked.sample(1)));
    /// assert!(checked.accepts(&"12342".to_owned()) && !checked.accepts(&"12343".to_owned()));
    /// ```
    ///
    /// `then` must depend on nothing else, and is called often: backward, for everything that this
    /// text could have been.
    pub fn bind<F>(&self, then: F) -> Text
    where
        F: Fn(&str) -> Text + Send + Sync + 'static,
    {
        Text::new(Part::Bind { first: self.clone(), then: Arc::new(then) })
    }
}

/// The values of a generator, shown as text: `show` writes a value, `read` reads one back, or says
/// `None`.
///
/// What is read counts if the generator can make it and `show` writes it in the same way;
/// everything else is not this text.
///
/// ```
/// use retrospect::prelude::*;
/// let percents = text::computed(0..=100u8, |number| format!("{number}"), |text| text.parse().ok()).then('%');
/// assert!(percents.accepts(&"42%".to_owned()));
/// assert!(["101%", "042%", "x%"].iter().all(|text| !percents.accepts(&text.to_string())));
/// assert_eq!(percents.choices_of(&"42%".to_owned()).unwrap().to_string(), "42");
/// ```
///
/// Backward, `read` is asked about every stretch of the text that could be it, so in the middle of
/// a long text it is better to say the form as a text, and to compute only what needs it.
pub fn computed<G, S, R>(generator: G, show: S, read: R) -> Text
where
    G: Generator + Send + Sync + 'static,
    S: Fn(&G::Value) -> String + Send + Sync + 'static,
    R: Fn(&str) -> Option<G::Value> + Send + Sync + 'static,
{
    Text::new(Part::Computed(Arc::new(Computed { generator, show, read })))
}

/// A generator whose values are shown as text.
pub(super) trait Shown: Send + Sync {
    fn write(&self, source: &mut Source<'_>) -> Drawn<String>;
    fn accepts(&self, text: &str) -> bool;
    fn reflect(&self, text: &str, reflector: &mut Reflector) -> Reflected;
}

struct Computed<G, S, R> {
    generator: G,
    show: S,
    read: R,
}

impl<G, S, R> Computed<G, S, R>
where
    G: Generator,
    S: Fn(&G::Value) -> String,
    R: Fn(&str) -> Option<G::Value>,
{
    fn value_of(&self, text: &str) -> Option<G::Value> {
        (self.read)(text).filter(|value| (self.show)(value) == text)
    }
}

impl<G, S, R> Shown for Computed<G, S, R>
where
    G: Generator + Send + Sync,
    S: Fn(&G::Value) -> String + Send + Sync,
    R: Fn(&str) -> Option<G::Value> + Send + Sync,
{
    fn write(&self, source: &mut Source<'_>) -> Drawn<String> {
        self.generator.generate(source).map(|value| (self.show)(&value))
    }

    fn accepts(&self, text: &str) -> bool {
        self.value_of(text).is_some_and(|value| accepted(&self.generator, &value) == Ok(true))
    }

    fn reflect(&self, text: &str, reflector: &mut Reflector) -> Reflected {
        match self.value_of(text) {
            Some(value) => {
                reflector.on_temporary_value(&value, |reflector, value| self.generator.reflect(value, reflector))
            }
            None => reflector.mismatch(&text, || "it does not show a value".to_owned()),
        }
    }
}
