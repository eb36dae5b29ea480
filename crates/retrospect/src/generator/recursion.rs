//! Generators that refer to themselves.

use super::reading::read_once;
use super::{Facts, Generator, Wanted};
use crate::choice::Site;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Drawn, Form, Source, Stop, Why};
use std::fmt::{self, Debug};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// A generator that refers to itself: `build` is called once, with a handle that stands for the
/// generator it returns.
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug, PartialEq)]
/// enum Tree {
///     Leaf,
///     Node(Box<Tree>, u8, Box<Tree>),
/// }
/// let trees = recursive(|tree| {
///     let node = tuple((tree.clone(), 0..10, tree));
///     one_of((
///         exact(Tree::Leaf),
///         node.map_with_inverse(
///             |(l, x, r)| Tree::Node(Box::new(l), x, Box::new(r)),
///             |tree| match tree {
///                 Tree::Node(l, x, r) => Some(((**l).clone(), *x, (**r).clone())),
///                 Tree::Leaf => None,
///             },
///         ),
///     ))
/// });
/// let tree = trees.sample(5);
/// assert_eq!(trees.replay(&trees.choices_of(&tree).unwrap()), tree);
/// assert_eq!(trees.replay(&Choices::default()), Tree::Leaf);
/// ```
///
/// **It ends.** Put first what needs no further level: that is the simplest arm, to which shrinking
/// goes. What is drawn at random ends by this rule: the outermost level has the size of the source,
/// each level inside it half the size of the one around it. At size 0 lists without an upper limit
/// are empty and [`one_of`](super::one_of) draws only arms that end. And since a list may hold many
/// levels, after 4 levels for each unit of size the rest ends as soon as it can. As every generator
/// it keeps to the [depth](crate::source::Source::with_max_depth) of the source. Replay and
/// reflection know no such limits.
///
/// **It shares.** Backward, the same part of a value is looked at once, however many ways lead to
/// it, if the parts are reached by reference ([`map_with_focus`](Generator::map_with_focus), lists,
/// tuples); parts that an inverse computes are looked at each time.
///
/// Generators that are shared by threads can be built this way, as nearly all can. The handle is a
/// cheap clone, and must not outlive the generator: what it would make then is an error that says
/// so.
#[track_caller]
pub fn recursive<'a, T, G, F>(build: F) -> Recursive<'a, T>
where
    T: Debug,
    G: Generator<Value = T> + Send + Sync + 'a,
    F: FnOnce(Itself<'a, T>) -> G,
{
    static IDENTITIES: AtomicU64 = AtomicU64::new(1);
    let site = Site::at(enclosing_path::<F>(), &[], Location::caller());
    let level = Arc::new_cyclic(|level| Level {
        body: Box::new(build(Itself { level: Weak::clone(level), site })),
        site,
        // Not an address: another generator may be made at the same one while a value is looked at.
        identity: IDENTITIES.fetch_add(1, Ordering::Relaxed),
    });
    Recursive { level }
}

/// The generator made by [`recursive`].
///
/// ```
/// use retrospect::generator::Recursive;
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug)]
/// struct Folder(Vec<Folder>);
/// fn folders() -> Recursive<'static, Folder> {
///     recursive(|folder| vec_of(folder, ..).map_with_focus(Folder, |folder| Some(&folder.0)))
/// }
/// assert!(folders().accepts(&Folder(vec![Folder(vec![])])));
/// ```
pub struct Recursive<'a, T> {
    level: Arc<Level<'a, T>>,
}

/// A handle to a generator inside itself; see [`recursive`].
///
/// ```
/// use retrospect::generator::Itself;
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug)]
/// struct Folder(Vec<Folder>);
/// fn inside(folder: Itself<'static, Folder>) -> impl Generator<Value = Folder> {
///     vec_of(folder, ..=1).map_with_focus(Folder, |folder| Some(&folder.0))
/// }
/// let chains = recursive(inside);
/// assert!(chains.accepts(&Folder(vec![Folder(vec![])])));
/// assert!(!chains.accepts(&Folder(vec![Folder(vec![]), Folder(vec![])])));
/// ```
pub struct Itself<'a, T> {
    level: Weak<Level<'a, T>>,
    site: &'static Site,
}

struct Level<'a, T> {
    body: Box<dyn Generator<Value = T> + Send + Sync + 'a>,
    site: &'static Site,
    identity: u64,
}

impl<T: Debug> Level<'_, T> {
    fn known(&self) -> (Form, Option<u64>) {
        (Form::of(&("recursive", self.identity)), Some(self.identity))
    }

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        source.call(self.site, |source| source.level(false, |source| self.body.generate(source)))
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        reflector.call(
            self.site,
            || Some(self.identity),
            address,
            |reflector| reflector.level(false, |reflector| self.body.reflect(value, reflector)),
        )
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        read_once(self.site, Some(self.identity), sketch, source, |source| self.body.complete(sketch, source))
    }
}

impl<T: Debug> Generator for Recursive<'_, T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        self.level.generate(source)
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || self.level.known())
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        self.level.reflect(value, reflector)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        self.level.complete(sketch, source)
    }
}

impl<'a, T> Itself<'a, T> {
    fn level(&self) -> Result<Arc<Level<'a, T>>, String> {
        self.level.upgrade().ok_or_else(|| {
            format!(
                "a handle of the recursive generator `{}` ({}) is used while that generator does not exist: keep what `recursive` returns",
                self.site.name(),
                self.site.place()
            )
        })
    }
}

impl<T: Debug> Generator for Itself<'_, T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        if source.is_probing() {
            return Err(Stop);
        }
        match self.level() {
            Ok(level) => level.generate(source),
            Err(reason) => Err(source.stop(Why::Invalid(reason))),
        }
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || self.level().map_or((Form::Unknown, None), |level| level.known()))
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        match self.level() {
            Ok(level) => level.reflect(value, reflector),
            Err(reason) => reflector.mismatch(value, || reason),
        }
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        match self.level() {
            Ok(level) => level.complete(sketch, source),
            Err(reason) => Err(source.stop(Why::Invalid(reason))),
        }
    }
}

impl<T> Clone for Recursive<'_, T> {
    fn clone(&self) -> Self {
        Recursive { level: Arc::clone(&self.level) }
    }
}

impl<T> Clone for Itself<'_, T> {
    fn clone(&self) -> Self {
        Itself { level: Weak::clone(&self.level), site: self.site }
    }
}

impl<T> Debug for Recursive<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "recursive {:?}", self.level.site)
    }
}

impl<T> Debug for Itself<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "itself in {:?}", self.site)
    }
}

/// A generator that is built when it is used, each time: for functions that return generators and
/// call each other.
///
/// ```
/// use retrospect::prelude::*;
/// #[derive(Clone, Debug, PartialEq)]
/// struct Folder(Vec<Folder>);
///
/// fn folders() -> impl Generator<Value = Folder> {
///     vec_of(lazy(folders), ..).map_with_focus(Folder, |folder| Some(&folder.0))
/// }
/// let folder = folders().sample(5);
/// assert_eq!(folders().choices_of(&folder).unwrap(), folders().sample_choices(5));
/// ```
///
/// It ends by the rule of [`recursive`]; the function around it is the outermost level. Give it a
/// function or a closure that captures nothing: then the same part of a value is looked at once,
/// and a generator that calls itself on the same part is found out.
#[track_caller]
pub fn lazy<F, G>(build: F) -> Lazy<F, G::Value>
where
    F: Fn() -> G,
    G: Generator,
{
    Lazy {
        build,
        site: Site::at(enclosing_path::<F>(), &[], Location::caller()),
        generate: |build, source| build().generate(source),
        reflect: |build, value, reflector| build().reflect(value, reflector),
        complete: |build, sketch, source| build().complete(sketch, source),
    }
}

/// The generator made by [`lazy`].
///
/// It knows how to use the generator that is built, not its type: a type that contained itself
/// would have no end.
///
/// ```
/// use retrospect::generator::Lazy;
/// use retrospect::prelude::*;
/// fn digits() -> std::ops::Range<u8> {
///     0..10
/// }
/// fn later() -> Lazy<fn() -> std::ops::Range<u8>, u8> {
///     lazy(digits)
/// }
/// assert!(later().accepts(&9) && !later().accepts(&10));
/// ```
#[derive(Clone)]
pub struct Lazy<F, T> {
    build: F,
    site: &'static Site,
    generate: fn(&F, &mut Source<'_>) -> Drawn<T>,
    reflect: fn(&F, &T, &mut Reflector) -> Reflected,
    complete: fn(&F, &Sketch<'_>, &mut Source<'_>) -> Drawn<T>,
}

impl<F, T> Lazy<F, T> {
    /// What tells it apart from other generators. A closure that captures nothing is known by its
    /// code: where two have the same, they build the same.
    fn identity(&self) -> Option<u64> {
        (size_of::<F>() == 0).then_some(self.generate as usize as u64)
    }
}

impl<F, T: Debug> Generator for Lazy<F, T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<T> {
        if source.is_probing() {
            return Err(Stop);
        }
        source.call(self.site, |source| source.level(true, |source| (self.generate)(&self.build, source)))
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || {
            let identity = self.identity();
            (identity.map_or(Form::Unknown, |identity| Form::of(&("lazy", identity))), identity)
        })
    }

    #[inline]
    fn reflect(&self, value: &T, reflector: &mut Reflector) -> Reflected {
        let address = std::ptr::from_ref(value).cast();
        let body = |reflector: &mut Reflector| {
            reflector.level(true, |reflector| (self.reflect)(&self.build, value, reflector))
        };
        reflector.call(self.site, || self.identity(), address, body)
    }

    #[inline]
    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<T> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let body = |source: &mut Source<'_>| (self.complete)(&self.build, sketch, source);
        read_once(self.site, self.identity(), sketch, source, body)
    }
}

impl<F, T> Debug for Lazy<F, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lazy {:?}", self.site)
    }
}

/// The path of a function, or of the function that a closure stands in: the name under which a
/// generator made there appears in choices and messages.
fn enclosing_path<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    path.find("::{{closure}}").map_or(path, |end| &path[..end])
}
