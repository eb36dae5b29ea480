//! The words that addresses are made of: characters of a list, hosts, paths.

use crate::generator::{Facts, Generator, Lengths, OptionOf, StringOf, VecOf, Wanted, option_of, string_of, vec_of};
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Extent, Form, Rng, Source};

/// The characters of a list, the first being the simplest. It only makes parts of a value: text is
/// read by the type that has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alphabet {
    /// One byte each: characters up to `\u{ff}`.
    pub(super) bytes: &'static [u8],
    /// How many of the first make up nearly all that is drawn.
    pub(super) usual: usize,
    /// How many of the first are drawn at all. The others are recalled.
    pub(super) drawn: usize,
}

impl Alphabet {
    /// Words of these characters.
    pub(super) fn words(self, lengths: impl Into<Lengths>) -> StringOf<Alphabet> {
        string_of(self, lengths)
    }

    fn distribution(self) -> Distribution {
        Distribution::Custom(CustomDistribution {
            draw: draw_character,
            parameters: [self.usual as u64, self.drawn as u64, 0, 0],
            chance: Some(chance_of_character),
        })
    }

    fn last(self) -> u64 {
        self.bytes.len() as u64 - 1
    }
}

fn draw_character(_: u64, [usual, drawn, ..]: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 15 {
        0 => rng.at_most(drawn - 1),
        _ => rng.at_most(usual - 1),
    }
}

fn chance_of_character(index: u64, _: u64, [usual, drawn, ..]: [u64; 4]) -> Option<Chance> {
    let [drawn, usual] = [drawn, usual].map(|count| Distribution::Uniform.chance(index, count - 1));
    Chance::mixture(16, &[(1, drawn?), (15, usual?)])
}

impl Generator for Alphabet {
    type Value = char;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<char> {
        let index = source.number(self.last(), self.distribution())?;
        Ok(char::from(self.bytes[index as usize]))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: Extent::UNKNOWN, ..Facts::NUMBER }
            .known(self, wanted, || (Form::Number { max: self.last() }, None))
    }

    #[inline]
    fn reflect(&self, value: &char, reflector: &mut Reflector) -> Reflected {
        match self.bytes.iter().position(|byte| char::from(*byte) == *value) {
            Some(index) => reflector.number(index as u64, self.last(), self.distribution()),
            None => reflector.mismatch(value, || format!("{value:?} cannot stand here")),
        }
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<char> {
        self.generate(source)
    }
}

/// The longest word that is drawn at random, and the most parts of a host or a path.
const USUAL_LENGTH: u32 = 6;

/// The same generator at no more than a small size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Short<G>(pub(super) G);

impl<G: Generator> Generator for Short<G> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<G::Value> {
        let size = source.size().min(USUAL_LENGTH);
        source.resized(size, |source| self.0.generate(source))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: Extent::UNKNOWN, identity: None, ..self.0.facts(wanted) }
    }

    #[inline]
    fn reflect(&self, value: &G::Value, reflector: &mut Reflector) -> Reflected {
        let size = reflector.size().min(USUAL_LENGTH);
        reflector.resized(size, |reflector| self.0.reflect(value, reflector))
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<G::Value> {
        self.0.complete(sketch, source)
    }
}

const LABELS: Alphabet = Alphabet { bytes: b"abcdefghijklmnopqrstuvwxyz0123456789-_", usual: 26, drawn: 37 };

/// The labels of a host name, at least one: those that go with dots between them.
pub(super) fn host_labels() -> Short<VecOf<StringOf<Alphabet>>> {
    Short(vec_of(LABELS.words(1..), 1..))
}

/// The characters of paths, queries and the like. Those from `.` on are not drawn where they would
/// make the text of a value unreadable.
const PATH_BYTES: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~=&+@:%!$*.,;()'/?";

/// Which characters are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawing {
    /// All that may stand there.
    #[cfg(feature = "url")]
    All,
    /// Those that a bare word in the text of a value may have.
    #[cfg(feature = "http")]
    Bare,
}

const fn path_characters(drawing: Drawing, bytes: &'static [u8]) -> Alphabet {
    let drawn = match drawing {
        #[cfg(feature = "url")]
        Drawing::All => bytes.len(),
        #[cfg(feature = "http")]
        Drawing::Bare => 68,
    };
    Alphabet { bytes, usual: 26, drawn }
}

/// The parts of a path between its slashes.
pub(super) fn segments(drawing: Drawing) -> Short<VecOf<StringOf<Alphabet>>> {
    let (bytes, _) = PATH_BYTES.split_at(PATH_BYTES.len() - 2);
    Short(vec_of(path_characters(drawing, bytes).words(..), ..))
}

/// What may follow a path.
pub(super) fn query(drawing: Drawing) -> OptionOf<Short<StringOf<Alphabet>>> {
    option_of(Short(path_characters(drawing, PATH_BYTES).words(..)))
}

/// The path that these parts make.
pub(super) fn joined(segments: &[String]) -> String {
    format!("/{}", segments.join("/"))
}

/// The parts of a path that begins with a slash.
pub(super) fn split(path: &str) -> Option<Vec<String>> {
    let path = path.strip_prefix('/')?;
    Some(match path {
        "" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    })
}

/// The labels of a host.
pub(super) fn labels(host: &str) -> Vec<String> {
    host.split('.').map(str::to_owned).collect()
}
