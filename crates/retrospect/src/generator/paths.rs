use super::Generator;
use super::any::{Any, Generate};
use super::options::unexpected;
use super::strings::{StringOf, string_of};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Source};
use std::path::{Path, PathBuf};

/// Paths, made of components with `/` between them: relative ones, the simplest, or absolute ones.
///
/// The simplest is the empty path. Half of the components are names of up to eight letters, digits,
/// `_`, `-` and `.`; the others are `.`, `..`, and names of any characters but `/` (which may be
/// empty, so that slashes stand side by side). At random there are up to eight components. Every
/// path that is valid UTF-8 is recalled, whatever its length; others are neither made nor recalled.
///
/// ```
/// use retrospect::prelude::*;
/// use std::path::PathBuf;
/// let paths = any::<PathBuf>();
/// assert_eq!(paths.replay(&Choices::default()), PathBuf::new());
/// let choices = paths.choices_of(&"/b/..".into()).unwrap();
/// assert_eq!(choices.to_string(), "1:absolute([0:name([1]) 2:parent])");
/// ```
impl Generate for PathBuf {
    type Generator = Any<PathBuf>;
    #[inline]
    fn generator() -> Any<PathBuf> {
        Any::new()
    }
}

/// Like `PathBuf`.
///
/// ```
/// use retrospect::prelude::*;
/// use std::path::Path;
/// assert!(any::<Box<Path>>().accepts(&Path::new("src/main.rs").into()));
/// ```
impl Generate for Box<Path> {
    type Generator = Any<Box<Path>>;
    #[inline]
    fn generator() -> Any<Box<Path>> {
        Any::new()
    }
}

static PATH: Site = Site::pick("path", &["relative", "absolute"], file!(), line!());
static COMPONENT: Site = Site::pick("component", &["name", "current", "parent", "other"], file!(), line!());

const PATH_WEIGHTS: [u32; 2] = [1, 1];
const COMPONENT_WEIGHTS: [u32; 4] = [4, 1, 1, 2];
/// The most components and the most characters of a name that are drawn at random.
const USUAL_LENGTH: u32 = 8;

/// The characters of an ordinary name, the simplest first.
const NAME: &[u8; 65] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

#[inline]
fn generate_path(source: &mut Source<'_>) -> Drawn<String> {
    source.call(&PATH, |source| {
        let arm = source.pick(&PATH, &PATH_WEIGHTS)?;
        let components = source.part(|source| {
            let size = source.size();
            source.resized(size.min(USUAL_LENGTH), |source| {
                source.repeat(0, usize::MAX, |source, count| {
                    let mut components = String::new();
                    for place in 0..count {
                        if place > 0 {
                            components.push('/');
                        }
                        components.push_str(&source.part(generate_component)?);
                    }
                    Ok((components, count))
                })
            })
        })?;
        Ok(if arm == 0 { components } else { format!("/{components}") })
    })
}

#[inline]
fn generate_component(source: &mut Source<'_>) -> Drawn<String> {
    source.call(&COMPONENT, |source| match source.pick(&COMPONENT, &COMPONENT_WEIGHTS)? {
        0 => source.part(|source| name().generate(source)),
        1 => Ok(".".to_owned()),
        2 => Ok("..".to_owned()),
        _ => source.part(|source| other().generate(source)),
    })
}

#[inline]
fn name() -> StringOf<NameChar> {
    string_of(NameChar, 1..)
}

#[inline]
fn other() -> StringOf<NoSlash> {
    string_of(NoSlash, ..)
}

/// The components of a path without its first slash: none if there is nothing.
#[inline]
fn components(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.split('/').take(if path.is_empty() { 0 } else { usize::MAX })
}

#[inline]
fn reflect_path(path: &Path, reflector: &mut Reflector) -> Reflected {
    reflector.unknown(|| "a path can be made in more ways than are looked for".to_owned());
    let Some(text) = path.to_str() else {
        return reflector.mismatch(&path, || "it is not valid UTF-8".to_owned());
    };
    reflector.call(
        &PATH,
        || None,
        std::ptr::null(),
        |reflector| {
            let (arm, rest) = text.strip_prefix('/').map_or((0, text), |rest| (1, rest));
            reflector.pick(&PATH, &PATH_WEIGHTS, arm)?;
            reflector.part(Segment::Position(0), |reflector| {
                reflector.repeat(components(rest).count(), 0, usize::MAX, &path, |reflector| {
                    for (place, component) in components(rest).enumerate() {
                        reflector.part(Segment::Item(place), |reflector| reflect_component(component, reflector))?;
                    }
                    Ok(())
                })
            })
        },
    )
}

#[inline]
fn reflect_component(component: &str, reflector: &mut Reflector) -> Reflected {
    reflector.call(
        &COMPONENT,
        || None,
        std::ptr::null(),
        |reflector| {
            let is_name = !component.is_empty() && component.bytes().all(|byte| NAME.contains(&byte));
            match component {
                "." => reflector.pick(&COMPONENT, &COMPONENT_WEIGHTS, 1),
                ".." => reflector.pick(&COMPONENT, &COMPONENT_WEIGHTS, 2),
                component if is_name => {
                    reflector.pick(&COMPONENT, &COMPONENT_WEIGHTS, 0)?;
                    reflector.part(Segment::Position(0), |reflector| name().reflect_str(component, reflector))
                }
                component => {
                    reflector.pick(&COMPONENT, &COMPONENT_WEIGHTS, 3)?;
                    reflector.part(Segment::Position(0), |reflector| other().reflect_str(component, reflector))
                }
            }
        },
    )
}

/// The characters of ordinary names.
#[derive(Clone, Copy, Debug)]
struct NameChar;

impl Generator for NameChar {
    type Value = char;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<char> {
        let index = source.number(NAME.len() as u64 - 1, crate::source::Distribution::Uniform)?;
        Ok(char::from(NAME[index as usize]))
    }
    #[inline]
    fn reflect(&self, value: &char, reflector: &mut Reflector) -> Reflected {
        match NAME.iter().position(|byte| char::from(*byte) == *value) {
            Some(index) => reflector.number(index as u64, NAME.len() as u64 - 1, crate::source::Distribution::Uniform),
            None => reflector.mismatch(value, || format!("{value:?} does not stand in ordinary names")),
        }
    }
    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<char> {
        self.generate(source)
    }
}

/// All characters but `/`. Where that would be, there is `_`.
#[derive(Clone, Copy, Debug)]
struct NoSlash;

impl Generator for NoSlash {
    type Value = char;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<char> {
        let character = Any::<char>::new().generate(source)?;
        Ok(if character == '/' { '_' } else { character })
    }
    #[inline]
    fn reflect(&self, value: &char, reflector: &mut Reflector) -> Reflected {
        Any::<char>::new().reflect(value, reflector)
    }
    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<char> {
        self.generate(source)
    }
}

macro_rules! path_generators {
    ($($type:ty),*) => {$(
        impl Generator for Any<$type> {
            type Value = $type;
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<$type> {
                generate_path(source).map(|path| PathBuf::from(path).into())
            }
            #[inline]
            fn reflect(&self, value: &$type, reflector: &mut Reflector) -> Reflected {
                reflect_path(value, reflector)
            }
            #[inline]
            fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<$type> {
                if sketch.is_hole() {
                    return self.generate(source);
                }
                match sketch.string() {
                    Some(path) => Ok(PathBuf::from(path).into()),
                    None => Err(unexpected("a path in quotes", sketch, source)),
                }
            }
        }
    )*};
}

path_generators! { PathBuf, Box<Path> }
