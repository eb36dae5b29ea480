//! The flat form of a text: nodes in one vector, which know what may begin them, what may follow
//! them, and how the next character decides.

use super::Text;
use super::class::{CharSet, Class};
use super::computed::{Follow, Shown};
use super::rules::RuleSet;
use crate::choice::Site;
use crate::source::Form;
use std::sync::Arc;

pub(super) struct Grammar {
    pub(super) nodes: Vec<Node>,
    pub(super) root: u32,
    /// Grammars with the same number are the same.
    pub(super) identity: u64,
    /// Going forward, how many texts lie around it that were made of what was written.
    pub(super) depth: u32,
    /// Why nothing can be written or read.
    pub(super) fault: Option<Box<str>>,
}

pub(super) struct Node {
    pub(super) kind: Kind,
    /// The name of the rule that this is.
    pub(super) name: Option<Box<str>>,
    /// Whether it makes no choice: literals alone.
    pub(super) is_silent: bool,
    /// Whether each turn of it is a level of recursion.
    pub(super) is_level: bool,
    pub(super) is_nullable: bool,
    pub(super) first: CharSet,
    pub(super) follow: CharSet,
    /// How many picks and rules its shallowest text is deep; [`ENDLESS`] if it has none.
    pub(super) height: u32,
    pub(super) decision: Decision,
    /// The literal that every text of this arm begins with, where the next character decides among
    /// arms.
    pub(super) lead: Box<str>,
    /// Whether the next character decides here and everywhere below.
    pub(super) is_plain: bool,
    /// What becomes of the size in a repetition.
    pub(super) share: Share,
}

/// What becomes of the size in a repetition without a limit, so that texts in which repetitions
/// stand in each other are no larger than other values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Share {
    /// Its items are as many as the size says: no text of the grammar holds repetitions in
    /// repetitions, or comes back to a rule.
    All,
    /// It holds no other, but stands in a text of several: a quarter of the size is left for it.
    Part,
    /// Its items grow themselves: they are as many as the root of the size, and each has half of
    /// it.
    Root,
}

impl Share {
    /// The size that says how many items there are, and the size of each.
    pub(super) fn of(self, size: u32) -> (u32, u32) {
        match self {
            Share::All => (size, size),
            Share::Part => (size.div_ceil(4), size),
            Share::Root => (size.isqrt(), size / 2),
        }
    }
}

pub(super) const ENDLESS: u32 = u32::MAX;

pub(super) enum Kind {
    Literal(Box<str>),
    Class(Class),
    Sequence {
        parts: Box<[u32]>,
        /// Whether more than one of them makes choices, so that each is a part of its own.
        has_parts: bool,
    },
    Choice {
        site: &'static Site,
        weights: Box<[u32]>,
        /// The weights where a recursion has used up its size.
        at_rest: Box<[u32]>,
        arms: Box<[u32]>,
    },
    Repeat {
        item: u32,
        separator: Option<u32>,
        min: usize,
        max: usize,
    },
    Rule {
        site: &'static Site,
        body: u32,
    },
    Bind {
        first: u32,
        then: Arc<Follow>,
        scope: Scope,
    },
    Computed(Arc<dyn Shown>),
}

/// What the names in a text that is made later stand for.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) set: Option<Arc<RuleSet>>,
    /// The recursive texts around it.
    pub(super) recursives: Vec<Text>,
}

impl Scope {
    /// Whether there is nothing that a text could come back to.
    pub(super) fn is_empty(&self) -> bool {
        self.set.is_none() && self.recursives.is_empty()
    }
}

/// How the next character decides which way to go.
pub(super) enum Decision {
    /// There is nothing to decide.
    Nothing,
    /// It does not.
    Undecided,
    /// By it, an arm: of each ASCII character, and of the end.
    Arm(Box<[u16; 129]>),
    /// By whether it begins another item.
    More,
}

/// No arm begins with the character.
pub(super) const NO_ARM: u16 = u16::MAX;
/// Several arms do, and are told apart by the literals they begin with.
pub(super) const SEVERAL: u16 = u16::MAX - 1;

impl Node {
    pub(super) fn new(kind: Kind) -> Node {
        Node {
            kind,
            name: None,
            is_silent: false,
            is_level: false,
            is_nullable: false,
            first: CharSet::default(),
            follow: CharSet::default(),
            height: ENDLESS,
            decision: Decision::Nothing,
            lead: "".into(),
            is_plain: false,
            share: Share::All,
        }
    }
}

impl Grammar {
    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// What is known of the choices of a node.
    pub(super) fn form(&self, node: u32) -> Form {
        match &self.node(node).kind {
            Kind::Class(class) => Form::Number { max: class.last() },
            _ => Form::of(&(self.identity, node)),
        }
    }

    /// Whether the next character does not even decide how a node begins.
    pub(super) fn is_undecided(&self, node: u32) -> bool {
        match &self.node(node).kind {
            Kind::Rule { body, .. } => matches!(self.node(*body).decision, Decision::Undecided),
            _ => matches!(self.node(node).decision, Decision::Undecided),
        }
    }
}

/// The literal that every text of a node begins with; empty if there is none.
pub(super) fn lead(nodes: &[Node], node: u32) -> String {
    let mut text = String::new();
    add_lead(nodes, node, 0, &mut text);
    text
}

/// Adds the leading literal; says whether the node is nothing but it.
fn add_lead(nodes: &[Node], node: u32, depth: usize, text: &mut String) -> bool {
    match &nodes[node as usize].kind {
        Kind::Literal(literal) => {
            text.push_str(literal);
            true
        }
        Kind::Sequence { parts, .. } if depth < 16 => parts.iter().all(|part| add_lead(nodes, *part, depth + 1, text)),
        Kind::Rule { body, .. } if depth < 16 => add_lead(nodes, *body, depth + 1, text),
        _ => false,
    }
}

/// The nodes inside a node that count: arms of weight 0 do not.
pub(super) fn children(node: &Node, mut visit: impl FnMut(u32)) {
    match &node.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::Computed(_) => {}
        Kind::Sequence { parts, .. } => parts.iter().for_each(|part| visit(*part)),
        Kind::Choice { arms, weights, .. } => {
            for (arm, weight) in arms.iter().zip(weights) {
                if *weight != 0 {
                    visit(*arm);
                }
            }
        }
        Kind::Repeat { item, separator, .. } => {
            visit(*item);
            separator.iter().for_each(|separator| visit(*separator));
        }
        Kind::Rule { body, .. } => visit(*body),
        Kind::Bind { first, .. } => visit(*first),
    }
}
