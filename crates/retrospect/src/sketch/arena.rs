//! The flat store of nodes behind a [`Document`](super::Document).
//!
//! Nodes stand in the order in which their text begins, and each knows where its subtree ends, so a
//! walk over the parts of a node jumps from sibling to sibling and nothing here ever recurses. Two
//! things bend that order:
//!
//! - A *wrapper* (`Box::new(x)`, `(x)`) is only known to be one at its closing bracket. It stays in
//!   the arena and carries the index of the part it stands for.
//! - A *range* is only known to be one after its start: `a..b` is stored as `a`, then the range,
//!   then `b`. The flag `starts_range` on `a` says that the range, not `a`, stands at this place.
//!
//! Hence the two words used below: a *position* is where the subtrees of a part begin in the arena,
//! and [`Arena::resolve`] turns it into the *index* of the node that stands there.

/// What a node is; the public view of it is [`SketchKind`](super::SketchKind).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum NodeKind {
    Hole,
    Word,
    Text,
    Char,
    Tuple,
    NamedTuple,
    Record,
    /// A record that ends in `..`. Its last node is the hole that stands for the fields that are
    /// not shown.
    OpenRecord,
    List,
    Set,
    Map,
    /// `{a => 1, _ => 0}`. Its last entry is the default, whose key is the word `_`.
    Table,
    Range,
    InclusiveRange,
    /// `1..=1 (exhausted)`: an inclusive range whose iteration is over.
    ExhaustedRange,
    Wrapper,
}

const KINDS: [NodeKind; 16] = [
    NodeKind::Hole,
    NodeKind::Word,
    NodeKind::Text,
    NodeKind::Char,
    NodeKind::Tuple,
    NodeKind::NamedTuple,
    NodeKind::Record,
    NodeKind::OpenRecord,
    NodeKind::List,
    NodeKind::Set,
    NodeKind::Map,
    NodeKind::Table,
    NodeKind::Range,
    NodeKind::InclusiveRange,
    NodeKind::ExhaustedRange,
    NodeKind::Wrapper,
];

// Offsets are at most 64 MiB, which is 2^26: 27 bits hold them, and five are left over for what
// else a node must know.
const OFFSET_BITS: u32 = 27;
const OFFSET_MASK: u32 = (1 << OFFSET_BITS) - 1;
const HAS_HOLES: u32 = 1 << OFFSET_BITS;
const STARTS_RANGE: u32 = 1 << (OFFSET_BITS + 1);

/// One node, 16 bytes: there are up to half as many of them as there are bytes of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    start_and_kind: u32,
    end_and_flags: u32,
    next: u32,
    extra: u32,
}

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    /// A node without parts that takes up `start..end`, to stand at `index`.
    pub(super) fn leaf(kind: NodeKind, index: u32, start: usize, end: usize) -> Node {
        let holes = if kind == NodeKind::Hole { HAS_HOLES } else { 0 };
        Node {
            start_and_kind: start as u32 | (kind as u32) << OFFSET_BITS,
            end_and_flags: end as u32 | holes,
            next: index + 1,
            extra: 0,
        }
    }

    pub(super) fn kind(&self) -> NodeKind {
        KINDS[(self.start_and_kind >> OFFSET_BITS) as usize]
    }

    pub(super) fn start(&self) -> usize {
        (self.start_and_kind & OFFSET_MASK) as usize
    }

    pub(super) fn end(&self) -> usize {
        (self.end_and_flags & OFFSET_MASK) as usize
    }

    /// The position after this node's subtree.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    pub(super) fn has_holes(&self) -> bool {
        self.end_and_flags & HAS_HOLES != 0
    }

    /// How many parts a tuple or list has, how many fields a record, how many entries a map; of a
    /// table the default counts too.
    pub(super) fn count(&self) -> u32 {
        debug_assert!(!self.is_range() && self.kind() != NodeKind::Wrapper);
        self.extra
    }

    pub(super) fn is_range(&self) -> bool {
        matches!(self.kind(), NodeKind::Range | NodeKind::InclusiveRange | NodeKind::ExhaustedRange)
    }

    /// Where the start of a range is in the arena, if it has one.
    pub(super) fn range_start(&self) -> Option<u32> {
        debug_assert!(self.is_range());
        self.extra.checked_sub(1)
    }

    pub(super) fn set_range_start(&mut self, position: u32) {
        self.extra = position + 1;
    }

    pub(super) fn starts_range(&self) -> bool {
        self.end_and_flags & STARTS_RANGE != 0
    }

    pub(super) fn set_starts_range(&mut self) {
        self.end_and_flags |= STARTS_RANGE;
    }

    pub(super) fn set_kind(&mut self, kind: NodeKind) {
        self.start_and_kind = self.start_and_kind & OFFSET_MASK | (kind as u32) << OFFSET_BITS;
    }

    /// Fills in what is known only when the last part has been read.
    pub(super) fn close(&mut self, end: usize, next: u32, has_holes: bool) {
        self.end_and_flags = end as u32 | if has_holes { HAS_HOLES } else { 0 };
        self.next = next;
    }

    pub(super) fn set_count(&mut self, count: u32) {
        self.extra = count;
    }

    /// Makes a hole the key of a default: it stands for all other inputs, and leaves nothing open.
    pub(super) fn set_default_key(&mut self) {
        self.set_kind(NodeKind::Word);
        self.end_and_flags &= !HAS_HOLES;
    }

    /// Makes this node stand for the one at `target`.
    pub(super) fn set_target(&mut self, target: u32) {
        self.set_kind(NodeKind::Wrapper);
        self.extra = target;
    }
}

/// All nodes of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
}

impl Arena {
    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub(super) fn push_leaf(&mut self, kind: NodeKind, start: usize, end: usize) -> u32 {
        let index = self.len();
        self.nodes.push(Node::leaf(kind, index, start, end));
        index
    }

    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    pub(super) fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// The node that stands at a position: past wrappers, and the range where a range begins.
    pub(super) fn resolve(&self, position: u32) -> u32 {
        let node = self.node(position);
        if node.starts_range() { node.next() } else { self.unwrapped(position) }
    }

    /// The part that a range starts with; [`Arena::resolve`] would give the range itself.
    pub(super) fn unwrapped(&self, position: u32) -> u32 {
        let node = self.node(position);
        if node.kind() == NodeKind::Wrapper { node.extra } else { position }
    }

    /// The position after the part at `position`, where its next sibling is if it has one.
    pub(super) fn after(&self, position: u32) -> u32 {
        let node = self.node(position);
        if node.starts_range() { self.node(node.next()).next() } else { node.next() }
    }

    /// The first position that belongs to the subtree of `index`.
    pub(super) fn first_position(&self, index: u32) -> u32 {
        let node = self.node(index);
        if node.is_range() { node.range_start().unwrap_or(index) } else { index }
    }

    pub(super) fn range_end(&self, index: u32) -> Option<u32> {
        let has_end = self.node(index).next() > index + 1;
        has_end.then(|| self.resolve(index + 1))
    }

    /// The nodes of the `count` parts that stand one after the other from `position`.
    pub(super) fn parts_from(&self, position: u32, count: u32) -> Parts<'_> {
        Parts { arena: self, position, left: count }
    }

    /// The nodes of all parts of a tuple, list or set; of a map, table or record keys and values in
    /// turn. None for other nodes.
    pub(super) fn parts_of(&self, index: u32) -> Parts<'_> {
        let node = self.node(index);
        let count = match node.kind() {
            NodeKind::Tuple | NodeKind::NamedTuple | NodeKind::List | NodeKind::Set => node.count(),
            NodeKind::Record | NodeKind::OpenRecord | NodeKind::Map | NodeKind::Table => 2 * node.count(),
            _ => 0,
        };
        self.parts_from(index + 1, count)
    }
}

/// Jumps from sibling to sibling.
#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    arena: &'a Arena,
    position: u32,
    left: u32,
}

impl Iterator for Parts<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let index = self.arena.resolve(self.position);
        self.position = self.arena.after(self.position);
        Some(index)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Parts<'_> {}
