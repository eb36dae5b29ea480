//! What types are made of, so that derived generators of recursive types end and have sensible
//! sizes.
//!
//! A derived generator must know which of its variants ends soonest (that one is the simplest,
//! arm 0) and which fields lead back to the type itself (those get a smaller size). Neither can
//! be read off one type's definition when several types refer to each other, so each type
//! describes itself at run time and the graph is solved once.

use crate::choice::Site;
use crate::source::{DORMANT, Extent};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// The types met so far and what they are made of; see [`Generate::shape`](super::Generate::shape).
#[derive(Debug, Default)]
pub struct Shapes {
    nodes: Vec<Node>,
    named: HashMap<&'static str, Shape>,
}

/// A type in [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape(usize);

#[derive(Debug)]
enum Node {
    /// Ends at once.
    Leaf,
    /// May be empty, like a list or an option: ends at once, but leads to its items.
    Optional(Shape),
    /// Needs all of these.
    All(Vec<Shape>),
    /// Needs all fields of one of its variants.
    Variants(Vec<Vec<Shape>>),
}

/// How many levels of variants the smallest value has.
type Height = Option<u32>;

impl Shapes {
    /// A type without parts.
    pub fn leaf(&mut self) -> Shape {
        self.add(Node::Leaf)
    }

    /// A type that may hold no item at all.
    pub fn optional(&mut self, item: Shape) -> Shape {
        self.add(Node::Optional(item))
    }

    /// A type that holds all these parts.
    pub fn all(&mut self, parts: Vec<Shape>) -> Shape {
        self.add(Node::All(parts))
    }

    /// A type with a name, described once however often it is met: `variants` gives the fields of
    /// each of its variants.
    pub fn named<T: ?Sized>(&mut self, variants: fn(&mut Shapes) -> Vec<Vec<Shape>>) -> Shape {
        self.described(std::any::type_name::<T>(), variants)
    }

    fn described(&mut self, name: &'static str, variants: fn(&mut Shapes) -> Vec<Vec<Shape>>) -> Shape {
        if let Some(shape) = self.named.get(name) {
            return *shape;
        }
        let shape = self.add(Node::Leaf);
        self.named.insert(name, shape);
        let variants = variants(self);
        self.nodes[shape.0] = Node::Variants(variants);
        shape
    }

    fn add(&mut self, node: Node) -> Shape {
        self.nodes.push(node);
        Shape(self.nodes.len() - 1)
    }

    /// The height of every type: the least solution, found by repeating until nothing changes.
    fn heights(&self) -> Vec<Height> {
        let mut heights: Vec<Height> = vec![None; self.nodes.len()];
        loop {
            let mut has_changed = false;
            for (place, node) in self.nodes.iter().enumerate() {
                let height = match node {
                    Node::Leaf | Node::Optional(_) => Some(0),
                    Node::All(parts) => highest(parts, &heights),
                    Node::Variants(variants) => {
                        variants.iter().filter_map(|fields| highest(fields, &heights)).min().map(|height| height + 1)
                    }
                };
                if height != heights[place] {
                    heights[place] = height;
                    has_changed = true;
                }
            }
            if !has_changed {
                return heights;
            }
        }
    }

    /// How much a value of this type holds: of an enum, a variant on average. A type that is met
    /// inside itself counts once.
    fn extent(&self, shape: Shape, known: &mut [Option<Extent>]) -> Extent {
        if let Some(extent) = known[shape.0] {
            return extent;
        }
        known[shape.0] = Some(Extent::UNKNOWN);
        let mut all = |parts: &[Shape]| {
            let extents = parts.iter().map(|part| self.extent(*part, known));
            extents.reduce(Extent::and).unwrap_or(Extent::NUMBER)
        };
        let extent = match &self.nodes[shape.0] {
            Node::Leaf => Extent::UNKNOWN,
            Node::Optional(_) => Extent::LIST,
            Node::All(parts) => all(parts),
            Node::Variants(variants) => {
                let (mut n_parts, mut grows) = (0u64, false);
                for fields in variants {
                    let extent = all(fields);
                    n_parts += u64::from(extent.n_parts);
                    grows |= extent.grows;
                }
                let n_parts = n_parts / (variants.len() as u64).max(1);
                Extent { n_parts: u32::try_from(n_parts).unwrap_or(u32::MAX).max(1), grows }
            }
        };
        known[shape.0] = Some(extent);
        extent
    }

    /// How a value of type `from` can lead to one of type `to`.
    fn role(&self, from: Shape, to: Shape) -> Role {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending = vec![(from, Role::Direct)];
        let mut role = Role::Plain;
        while let Some((shape, so_far)) = pending.pop() {
            if shape == to {
                role = role.max(so_far);
                continue;
            }
            if std::mem::replace(&mut seen[shape.0], true) {
                continue;
            }
            match &self.nodes[shape.0] {
                Node::Leaf => {}
                Node::Optional(item) => pending.push((*item, Role::ThroughContainer)),
                Node::All(parts) => pending.extend(parts.iter().map(|part| (*part, so_far))),
                Node::Variants(variants) => {
                    for parts in variants {
                        pending.extend(parts.iter().map(|part| (*part, so_far)));
                    }
                }
            }
        }
        role
    }
}

fn highest(parts: &[Shape], heights: &[Height]) -> Height {
    parts.iter().try_fold(0, |highest, part| Some(heights[part.0]?.max(highest)))
}

/// Whether a field leads back to the type it is a field of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Plain,
    Direct,
    ThroughContainer,
}

/// Where a type without parameters keeps its [`Variants`].
#[derive(Debug)]
pub struct KnownVariants(OnceLock<&'static Variants>);

impl KnownVariants {
    /// Nothing is known yet.
    #[expect(clippy::new_without_default, reason = "called by the macros only")]
    pub const fn new() -> KnownVariants {
        KnownVariants(OnceLock::new())
    }

    /// What [`Variants::of`] says, worked out once.
    #[inline]
    pub fn of<T: super::Generate>(&self, site: &'static Site, labels: &'static [&'static str]) -> &'static Variants {
        match self.0.get() {
            Some(variants) => variants,
            None => self.keep(Variants::of::<T>(site, labels)),
        }
    }

    #[cold]
    fn keep(&self, variants: &'static Variants) -> &'static Variants {
        self.0.get_or_init(|| variants)
    }
}

/// What a derived generator knows of its type's variants.
#[derive(Debug)]
pub struct Variants {
    /// The site of the pick, its labels in the order of the arms.
    pub site: &'static Site,
    /// The variant behind each arm: the one that ends soonest first.
    pub order: Box<[usize]>,
    /// The arm of each variant.
    pub arm_of: Box<[usize]>,
    /// How much a value holds.
    pub extent: Extent,
    /// By variant and field.
    roles: Box<[Box<[Role]>]>,
}

impl Variants {
    /// The variants of a type that derives `Generate`, in the order of its arms.
    pub fn of<T: super::Generate>(site: &'static Site, labels: &'static [&'static str]) -> &'static Variants {
        Variants::known_as(std::any::type_name::<T>(), T::shape, site, labels)
    }

    /// All that depends on the type is handed in, so that this is compiled once and not for each.
    fn known_as(
        type_name: &'static str,
        shape: fn(&mut Shapes) -> Shape,
        site: &'static Site,
        labels: &'static [&'static str],
    ) -> &'static Variants {
        static KNOWN: Mutex<Option<HashMap<(&'static str, &'static str), &'static Variants>>> = Mutex::new(None);
        let key = (type_name, site.path());
        let known = |known: &mut Option<HashMap<_, _>>| known.get_or_insert_default().get(&key).copied();
        if let Some(variants) = known(&mut KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())) {
            return variants;
        }
        let variants: &'static Variants = Box::leak(Box::new(Variants::describe(shape, site, labels)));
        let mut guard = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        guard.get_or_insert_default().entry(key).or_insert(variants)
    }

    fn describe(shape: fn(&mut Shapes) -> Shape, site: &Site, labels: &[&'static str]) -> Variants {
        let mut shapes = Shapes::default();
        let shape = shape(&mut shapes);
        let heights = shapes.heights();
        let Node::Variants(variants) = &shapes.nodes[shape.0] else {
            unreachable!("a derived type describes itself by its variants")
        };
        let mut order: Vec<usize> = (0..variants.len()).collect();
        // Stable: among variants of the same height the order of the definition stays. One without
        // end comes last.
        order.sort_by_key(|variant| highest(&variants[*variant], &heights).unwrap_or(u32::MAX));
        let mut arm_of = vec![0; order.len()];
        for (arm, variant) in order.iter().enumerate() {
            arm_of[*variant] = arm;
        }
        let sorted_labels: Vec<&'static str> =
            order.iter().filter_map(|variant| labels.get(*variant).copied()).collect();
        let site = Box::leak(Box::new(Site::pick(
            site.path(),
            Box::leak(sorted_labels.into_boxed_slice()),
            site.file(),
            site.line(),
        )));
        let roles =
            variants.iter().map(|fields| fields.iter().map(|field| shapes.role(*field, shape)).collect()).collect();
        let extent = shapes.extent(shape, &mut vec![None; shapes.nodes.len()]);
        Variants { site, order: order.into(), arm_of: arm_of.into(), extent, roles }
    }

    /// Writes the weights of the arms at a size into `weights`, given those of the variants as
    /// written. A variant that leads back to its own type is drawn more often while there is size
    /// left, and not at all after that; it can be made all the same.
    pub fn weigh(&self, written: &[u32], size: u32, weights: &mut [u32]) {
        for (arm, weight) in weights.iter_mut().enumerate() {
            let variant = self.order[arm];
            *weight = match (self.leads_back(variant), size) {
                (true, 0) if written[variant] != 0 && written.len() > 1 => DORMANT,
                (true, _) => written[variant].saturating_mul(3).min(DORMANT - 1),
                _ => written[variant],
            };
        }
    }

    /// The size at which a field of a variant is drawn.
    pub fn field_size(&self, variant: usize, field: usize, size: u32) -> u32 {
        let leading_back = self.roles[variant].iter().filter(|role| **role != Role::Plain).count() as u32;
        match self.roles[variant][field] {
            Role::Plain => size,
            // A chain may be as long as the size; the branches of a tree share it.
            Role::Direct if leading_back == 1 => size.saturating_sub(1),
            Role::Direct => size / leading_back,
            Role::ThroughContainer => size / (2 * leading_back),
        }
    }

    fn leads_back(&self, variant: usize) -> bool {
        self.roles[variant].contains(&Role::Direct)
    }
}
