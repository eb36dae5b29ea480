//! Generators that are not known by their type, for what need not be fast: it is compiled once
//! instead of once for each.

use super::{Facts, Generator, Wanted};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::cell::RefCell;
use std::fmt::{self, Debug};

/// Reads a value from JSON, or says what is wrong.
pub type ReadJson<T> = fn(&str) -> Result<T, String>;

/// A generator together with the value that it made last.
pub(crate) struct Keeper<'g, G: Generator> {
    generator: &'g G,
    value: RefCell<Option<G::Value>>,
    /// How values are read from JSON, where they can be.
    read_json: Option<ReadJson<G::Value>>,
}

impl<'g, G: Generator> Keeper<'g, G> {
    pub(crate) fn new(generator: &'g G, value: Option<G::Value>) -> Keeper<'g, G> {
        Keeper { generator, value: RefCell::new(value), read_json: None }
    }

    /// Values may be given as JSON.
    #[cfg(feature = "serde")]
    pub(crate) fn with_json(self, read_json: Option<ReadJson<G::Value>>) -> Keeper<'g, G> {
        Keeper { read_json, ..self }
    }

    pub(crate) fn into_value(self) -> Option<G::Value> {
        self.value.into_inner()
    }
}

/// What a [`Keeper`] does whatever its value is. As a generator ([`Kept`]) it makes `()`: what it
/// makes it keeps, and what it reflects on is what it keeps.
pub(crate) trait Keeps {
    fn has_value(&self) -> bool;
    /// Shows the value, if there is one, and whether it may be deep: it is not where it owns
    /// nothing.
    fn show(&self, see: &mut dyn FnMut(&dyn Debug, bool));
    fn generate(&self, source: &mut Source<'_>) -> Drawn<()>;
    fn reflect(&self, reflector: &mut Reflector) -> Reflected;
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<()>;
    /// Reads a value from JSON, if that is possible.
    fn read_json(&self, text: &str) -> Option<Result<(), String>>;
    fn facts(&self, wanted: Wanted) -> Facts;
}

impl<G: Generator> Keeps for Keeper<'_, G> {
    fn has_value(&self) -> bool {
        self.value.borrow().is_some()
    }

    fn show(&self, see: &mut dyn FnMut(&dyn Debug, bool)) {
        if let Some(value) = &*self.value.borrow() {
            see(value, std::mem::needs_drop::<G::Value>());
        }
    }

    fn generate(&self, source: &mut Source<'_>) -> Drawn<()> {
        let value = self.generator.generate(source)?;
        self.value.replace(Some(value));
        Ok(())
    }

    fn reflect(&self, reflector: &mut Reflector) -> Reflected {
        match &*self.value.borrow() {
            Some(value) => self.generator.reflect(value, reflector),
            None => reflector.mismatch(&format_args!("nothing"), || "there is no value yet".to_owned()),
        }
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<()> {
        let value = self.generator.complete(sketch, source)?;
        self.value.replace(Some(value));
        Ok(())
    }

    fn read_json(&self, text: &str) -> Option<Result<(), String>> {
        let value = self.read_json?(text);
        Some(value.map(|value| drop(self.value.replace(Some(value)))))
    }

    fn facts(&self, wanted: Wanted) -> Facts {
        self.generator.facts(wanted)
    }
}

/// A [`Keeper`] as a generator.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'k>(pub(crate) &'k dyn Keeps);

impl Generator for Kept<'_> {
    type Value = ();

    fn generate(&self, source: &mut Source<'_>) -> Drawn<()> {
        self.0.generate(source)
    }

    fn reflect(&self, (): &(), reflector: &mut Reflector) -> Reflected {
        self.0.reflect(reflector)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<()> {
        self.0.complete(sketch, source)
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        self.0.facts(wanted)
    }
}

impl Debug for Kept<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut result = formatter.write_str("a generator of ");
        self.0.show(&mut |value, _| result = result.and_then(|()| write!(formatter, "{value:?}")));
        result
    }
}
