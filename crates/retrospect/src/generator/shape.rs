//! What types are made of, so that derived generators of recursive types end and have sensible sizes.
//!
//! A derived generator must know which of its variants ends soonest (that one is the simplest, arm 0) and which fields lead back to the type itself (those get a smaller size).
//! Neither can be read off one type's definition when several types refer to each other, so each type describes itself at run time and the graph is
//! solved once.

use crate::choice::Site;
use crate::source::DORMANT;
use std::collections::HashMap;
use std::sync::Mutex;

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

    /// A type with a name, described once however often it is met: `variants` gives the fields of each of its variants.
    pub fn named<T: ?Sized>(&mut self, variants: impl FnOnce(&mut Shapes) -> Vec<Vec<Shape>>) -> Shape {
        let name = std::any::type_name::<T>();
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

/// What a derived generator knows of its type's variants, worked out once.
#[derive(Debug)]
pub struct Variants {
    /// The site of the pick, its labels in the order of the arms.
    pub site: &'static Site,
    /// The variant behind each arm: the one that ends soonest first.
    pub order: Box<[usize]>,
    /// The arm of each variant.
    pub arm_of: Box<[usize]>,
    /// By variant and field.
    roles: Box<[Box<[Role]>]>,
}

impl Variants {
    /// The variants of a type that derives `Generate`, in the order of its arms. `describe` is the type's own description.
    pub fn of<T: super::Generate>(
        path: &'static str,
        labels: &'static [&'static str],
        file: &'static str,
        line: u32,
    ) -> &'static Variants {
        static KNOWN: Mutex<Option<HashMap<(&'static str, &'static str), &'static Variants>>> = Mutex::new(None);
        let key = (std::any::type_name::<T>(), path);
        let known = |known: &mut Option<HashMap<_, _>>| known.get_or_insert_default().get(&key).copied();
        if let Some(variants) = known(&mut KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())) {
            return variants;
        }
        let variants: &'static Variants = Box::leak(Box::new(Variants::describe::<T>(path, labels, file, line)));
        let mut guard = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        guard.get_or_insert_default().entry(key).or_insert(variants)
    }

    fn describe<T: super::Generate>(
        path: &'static str,
        labels: &'static [&'static str],
        file: &'static str,
        line: u32,
    ) -> Variants {
        let mut shapes = Shapes::default();
        let shape = T::shape(&mut shapes);
        let heights = shapes.heights();
        let Node::Variants(variants) = &shapes.nodes[shape.0] else {
            unreachable!("a derived type describes itself by its variants")
        };
        let mut order: Vec<usize> = (0..variants.len()).collect();
        // Stable: among variants of the same height the order of the definition stays. One without end comes last.
        order.sort_by_key(|variant| highest(&variants[*variant], &heights).unwrap_or(u32::MAX));
        let mut arm_of = vec![0; order.len()];
        for (arm, variant) in order.iter().enumerate() {
            arm_of[*variant] = arm;
        }
        let sorted_labels: Vec<&'static str> =
            order.iter().filter_map(|variant| labels.get(*variant).copied()).collect();
        let site = Box::leak(Box::new(Site::pick(path, Box::leak(sorted_labels.into_boxed_slice()), file, line)));
        let roles =
            variants.iter().map(|fields| fields.iter().map(|field| shapes.role(*field, shape)).collect()).collect();
        Variants { site, order: order.into(), arm_of: arm_of.into(), roles }
    }

    /// The weights of the arms at a size, given those of the variants as written. A variant that leads back to its own type is drawn more often while there is size left, and not at
    /// all after that; it can be made all the same.
    pub fn weights<const N: usize>(&self, written: [u32; N], size: u32) -> [u32; N] {
        let mut weights = [0; N];
        for (arm, weight) in weights.iter_mut().enumerate() {
            let variant = self.order[arm];
            *weight = match (self.leads_back(variant), size) {
                (true, 0) if written[variant] != 0 && N > 1 => DORMANT,
                (true, _) => written[variant].saturating_mul(3).min(DORMANT - 1),
                _ => written[variant],
            };
        }
        weights
    }

    /// The size at which a field of a variant is drawn.
    pub fn field_size(&self, variant: usize, field: usize, size: u32) -> u32 {
        let leading_back = self.roles[variant].iter().filter(|role| **role != Role::Plain).count() as u32;
        match self.roles[variant][field] {
            Role::Plain => size,
            // A chain may be as long as the size; the branches of a tree share it.
            Role::Direct if leading_back == 1 => size.saturating_sub(1),
            Role::Direct => size / leading_back,
            Role::ThroughContainer => size / (4 * leading_back),
        }
    }

    fn leads_back(&self, variant: usize) -> bool {
        self.roles[variant].contains(&Role::Direct)
    }
}
