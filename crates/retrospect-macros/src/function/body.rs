//! The body of a generator, read into steps and ends.

use super::names::{Bound, bound_by};
use super::shape::Shape;
use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Expr, Ident, Item, LitStr, Local, Pat, Stmt, Type};

/// A block: what happens in order, and how it ends.
pub(crate) struct Body {
    pub(crate) items: Vec<Item>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

pub(crate) enum Step {
    /// A statement without choices or `return`, taken over as it is.
    Plain(Stmt),
    /// A `let` whose value is chosen.
    Bind(Box<Bind>),
    /// An `if`, `match`, `pick` or block in which something is chosen or returned.
    Flow(Flow),
    /// A plain `let` in whose `if` or `match` some arms return.
    LetFlow { local: Box<Local>, flow: Flow },
    /// A plain `let … else` whose other side returns.
    LetElse { local: Box<Local>, otherwise: Body },
}

pub(crate) enum End {
    /// The value of the generator, or of the sub-generator that this body belongs to.
    Tail(Box<Tail>),
    /// It depends.
    Flow(Box<Flow>),
    /// The value of a plain `let`.
    Give(Expr),
    /// Goes on after this block.
    Fall,
    /// Panics.
    Never(Expr),
}

pub(crate) enum Flow {
    If { condition: Expr, then: Box<Body>, otherwise: Box<Body> },
    Match { attributes: Vec<Attribute>, scrutinee: Expr, arms: Vec<Arm> },
    Pick(Pick),
    Block(Box<Body>),
}

pub(crate) struct Arm {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: Pat,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Body,
}

pub(crate) struct Pick {
    /// Which of the generator's sites it is.
    pub(crate) site: usize,
    pub(crate) arms: Vec<PickArm>,
}

pub(crate) struct PickArm {
    pub(crate) label: LitStr,
    pub(crate) weight: Option<Expr>,
    pub(crate) body: Body,
}

/// A `let` whose value is chosen.
pub(crate) struct Bind {
    /// Tells binds apart.
    pub(crate) id: usize,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: Pat,
    pub(crate) names: Vec<Bound>,
    pub(crate) ty: Option<Type>,
    pub(crate) what: What,
    /// How to find the drawn value in the whole, if the tail does not hold it.
    pub(crate) focus: Option<Expr>,
}

pub(crate) enum What {
    Draw(Expr),
    /// An anonymous sub-generator: a body of its own.
    Sub {
        site: usize,
        body: Box<Body>,
        code: TokenStream,
    },
}

impl Bind {
    pub(crate) fn new(id: usize, pattern: Pat, ty: Option<Type>, what: What) -> Bind {
        let names = bound_by(&pattern);
        Bind { id, attributes: Vec::new(), pattern, names, ty, what, focus: None }
    }

    /// The name, if that is all the pattern is.
    pub(crate) fn single_name(&self) -> Option<&Ident> {
        match &self.pattern {
            Pat::Ident(pattern) if pattern.subpat.is_none() => Some(&pattern.ident),
            _ => None,
        }
    }
}

/// Where a body gives its value.
pub(crate) struct Tail {
    /// The expression, with names for what was drawn inside it.
    pub(crate) expression: Expr,
    pub(crate) kind: TailKind,
    /// How to recall what was drawn from the value, if the tail itself does not tell.
    pub(crate) inverse: Option<Expr>,
}

pub(crate) enum TailKind {
    /// `draw(generator)`: the whole job is passed on.
    Draw(Expr),
    Value(Shape),
}

/// A place that makes choices.
pub(crate) struct Site {
    /// What is added to the generator's own path.
    pub(crate) suffix: String,
    /// The labels, if it is a pick.
    pub(crate) labels: Option<Vec<LitStr>>,
    pub(crate) span: Span,
}
