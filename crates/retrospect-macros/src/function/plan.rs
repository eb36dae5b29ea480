//! How one way is run backward: where each drawn name stands in the value, and when the rest of the
//! tail is compared.

use super::body::{Bind, Body, Step, Tail, TailKind, What};
use super::names::{Names, bound_by, bound_by_condition, mentioned, shown};
use super::paths::{Element, Head, Path, paths};
use super::shape::{Fields, Shape};
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident, Lit, Pat};

/// How one way is run backward.
pub(crate) struct Plan<'b> {
    pub(crate) path: Path<'b>,
    /// The places of the tail that hold a name or something to compare, in the order in which
    /// taking it apart meets them.
    pub(crate) leaves: Vec<Leaf<'b>>,
    /// The leaf that each drawn name is read from.
    pub(crate) places: Vec<((usize, String), usize)>,
    /// The drawn names that an `#[inverse]` recalls, in order.
    pub(crate) recalled: Vec<(usize, Ident)>,
    /// What is mentioned from each element on, and in the end.
    later: Vec<Names>,
}

/// A place of the tail.
pub(crate) struct Leaf<'b> {
    pub(crate) kind: LeafKind<'b>,
    /// The steps from the value to it.
    pub(crate) segments: Vec<TokenStream>,
    pub(crate) meaning: Meaning,
}

#[derive(Clone, Copy)]
pub(crate) enum LeafKind<'b> {
    Name(&'b Ident),
    Computed(&'b Expr),
}

pub(crate) enum Meaning {
    /// A drawn name is read from here.
    Read,
    /// The same drawn name as at another leaf.
    SameAs(usize),
    /// Compared, once this many elements have been replayed. `is_outer`: a name from outside the
    /// body.
    Compare { after: usize, is_outer: bool },
}

/// A name from outside the body: an argument, or a name around a sub-generator.
#[derive(Clone)]
pub(crate) struct Outer {
    pub(crate) name: Ident,
    pub(crate) is_mutable: bool,
    pub(crate) is_argument: bool,
}

/// Where a name comes from.
#[derive(Clone, Copy)]
enum Origin {
    Drawn {
        bind: usize,
        after: usize,
    },
    /// Bound by the element before this place, and perhaps changed later.
    Plain {
        after: usize,
        is_mutable: bool,
    },
}

/// The plans of all ways through a body.
pub(crate) fn plans<'b>(body: &'b Body, outer: &[Outer], errors: &mut Errors) -> Vec<Plan<'b>> {
    let mut reported = Vec::new();
    paths(body).into_iter().map(|path| plan(path, outer, errors, &mut reported)).collect()
}

/// Plans a body and all sub-generators in it, only to find what is wrong with them.
pub(crate) fn check(body: &Body, outer: &[Outer], errors: &mut Errors) {
    const MOST_PATHS: usize = 2000;
    let plans = plans(body, outer, errors);
    if plans.len() > MOST_PATHS {
        let message = format!(
            "there are {} ways through this body, too many to write out: move a part of it into a generator of its own",
            plans.len()
        );
        errors.at(proc_macro2::Span::call_site(), message);
    }
    for_each_sub(body, &mut |sub| check(sub, outer, errors));
}

fn for_each_sub<'b>(body: &'b Body, visit: &mut impl FnMut(&'b Body)) {
    for_each_bind(body, &mut |bind| {
        if let What::Sub { body, .. } = &bind.what {
            visit(body);
        }
    });
}

/// Visits the binds of a body, without those of its sub-generators.
pub(crate) fn for_each_bind<'b>(body: &'b Body, visit: &mut impl FnMut(&'b Bind)) {
    use super::body::{End, Flow};
    fn flow<'b>(node: &'b Flow, visit: &mut impl FnMut(&'b Bind)) {
        match node {
            Flow::If { then, otherwise, .. } => {
                for_each_bind(then, visit);
                for_each_bind(otherwise, visit);
            }
            Flow::Match { arms, .. } => arms.iter().for_each(|arm| for_each_bind(&arm.body, visit)),
            Flow::Pick(pick) => pick.arms.iter().for_each(|arm| for_each_bind(&arm.body, visit)),
            Flow::Block(body) => for_each_bind(body, visit),
        }
    }
    for step in &body.steps {
        match step {
            Step::Bind(bind) => visit(bind),
            Step::Flow(node) | Step::LetFlow { flow: node, .. } => flow(node, visit),
            Step::LetElse { otherwise, .. } => for_each_bind(otherwise, visit),
            Step::Plain(_) => {}
        }
    }
    if let End::Flow(node) = &body.end {
        flow(node, visit);
    }
}

fn plan<'b>(path: Path<'b>, outer: &[Outer], errors: &mut Errors, reported: &mut Vec<(usize, String)>) -> Plan<'b> {
    let mut scope = Scope::default();
    let mut binds = Vec::new();
    for (place, element) in path.elements.iter().enumerate() {
        scope.enter(element, place + 1, &mut binds);
    }
    let last_decision =
        path.elements.iter().rposition(|element| !matches!(element, Element::Bind(_))).map_or(0, |place| place + 1);

    let mut leaves = Vec::new();
    if let (TailKind::Value(shape), None) = (&path.tail.kind, &path.tail.inverse) {
        collect_leaves(shape, &mut Vec::new(), &mut leaves);
    }
    let mut places = Vec::new();
    for (place, leaf) in leaves.iter_mut().enumerate() {
        let kind = leaf.kind;
        let drawn = match kind {
            LeafKind::Name(name) => scope.drawn(name),
            LeafKind::Computed(_) => None,
        };
        leaf.meaning = match (drawn, kind) {
            (Some(bind), LeafKind::Name(name)) => match place_in(&places, bind, name) {
                Some(first) => Meaning::SameAs(first),
                None => {
                    places.push(((bind, name.to_string()), place));
                    Meaning::Read
                }
            },
            _ => Meaning::Compare {
                after: scope.comparable_after(kind, last_decision, outer),
                is_outer: matches!(kind, LeafKind::Name(name) if scope.origin(&name.to_string()).is_none()),
            },
        };
    }

    let wanted = binds.iter().filter(|bind| bind.focus.is_none());
    let wanted: Vec<(usize, Ident)> =
        wanted.flat_map(|bind| bind.names.iter().map(|bound| (bind.id, bound.name.clone()))).collect();
    let mut recalled = Vec::new();
    if let Some(inverse) = &path.tail.inverse {
        if wanted.is_empty() {
            let nothing = match binds.is_empty() {
                true => "nothing is drawn on the way to this tail",
                false => "all that is drawn on the way to this tail is found by a `#[focus]`",
            };
            errors.on(inverse, format!("{nothing}, so there is nothing to recall: remove the `#[inverse]`"));
        }
        recalled = wanted;
    } else {
        let mut is_missing = |(bind, name): &(usize, Ident)| {
            let key = (*bind, name.to_string());
            let is_new = place_in(&places, *bind, name).is_none() && !reported.contains(&key);
            if is_new {
                reported.push(key);
            }
            is_new
        };
        let missing: Vec<Ident> = wanted.into_iter().filter(|name| is_missing(name)).map(|(_, name)| name).collect();
        report_missing(&missing, &path, &leaves, errors);
    }

    let later = later(&path, &leaves);
    Plan { path, leaves, places, recalled, later }
}

/// The leaf that a drawn name is read from.
fn place_in(places: &[((usize, String), usize)], bind: usize, name: &Ident) -> Option<usize> {
    let is_wanted = |((other, other_name), _): &&((usize, String), usize)| *other == bind && name == other_name;
    places.iter().find(is_wanted).map(|(_, place)| *place)
}

impl Plan<'_> {
    /// Whether a name is mentioned after this many elements.
    pub(crate) fn is_used_after(&self, place: usize, name: &Ident) -> bool {
        self.later[place].contains(&name.to_string())
    }

    /// Everything that is mentioned on the way.
    pub(crate) fn mentions(&self) -> &Names {
        &self.later[0]
    }

    /// The leaf that a drawn name is read from.
    pub(crate) fn place_of(&self, bind: &Bind, name: &Ident) -> Option<usize> {
        place_in(&self.places, bind.id, name)
    }

    /// Whether completing this way has to draw something that no sketch tells.
    pub(crate) fn is_blind(&self) -> bool {
        fn has_focus(elements: &[Element<'_>]) -> bool {
            elements.iter().any(|element| match element {
                Element::Bind(bind) => bind.focus.is_some(),
                Element::Through(_, _, inner) => has_focus(inner),
                _ => false,
            })
        }
        self.path.tail.inverse.is_some() || has_focus(&self.path.elements)
    }

    /// The names that are found by a focus, in the quotes in which a message has them.
    pub(crate) fn blind_names(&self) -> Vec<String> {
        fn add(elements: &[Element<'_>], names: &mut Vec<String>) {
            for element in elements {
                match element {
                    Element::Bind(bind) if bind.focus.is_some() => {
                        names.extend(bind.names.iter().map(|bound| format!("`{}`", bound.name)));
                    }
                    Element::Through(_, _, inner) => add(inner, names),
                    _ => {}
                }
            }
        }
        let mut names = Vec::new();
        add(&self.path.elements, &mut names);
        names
    }
}

/// What is mentioned from each element on; one more entry than there are elements.
fn later(path: &Path<'_>, leaves: &[Leaf<'_>]) -> Vec<Names> {
    let mut names = Names::new();
    match (&path.tail.kind, &path.tail.inverse) {
        (_, Some(inverse)) => {
            names.extend(mentioned(inverse));
            names.extend(mentioned(&path.tail.expression));
        }
        (TailKind::Draw(generator), None) => names.extend(mentioned(generator)),
        (TailKind::Value(_), None) => {
            for leaf in leaves.iter().filter(|leaf| matches!(leaf.meaning, Meaning::Compare { .. })) {
                match leaf.kind {
                    LeafKind::Name(name) => names.extend(mentioned(name)),
                    LeafKind::Computed(expression) => names.extend(mentioned(expression)),
                }
            }
        }
    }
    let mut later = vec![names];
    for element in path.elements.iter().rev() {
        let mut names = element.mentions();
        names.extend(later[later.len() - 1].clone());
        later.push(names);
    }
    later.reverse();
    later
}

fn report_missing(missing: &[Ident], path: &Path<'_>, leaves: &[Leaf<'_>], errors: &mut Errors) {
    let mut left: Vec<&Ident> = missing.iter().filter(|name| !name.to_string().starts_with("__drawn")).collect();
    for leaf in leaves {
        let LeafKind::Computed(expression) = leaf.kind else { continue };
        let mentions = mentioned(expression);
        let (inside, outside): (Vec<&Ident>, Vec<&Ident>) =
            left.into_iter().partition(|name| mentions.contains(&name.to_string()));
        left = outside;
        if inside.is_empty() {
            continue;
        }
        let names: Vec<String> = inside.iter().map(|name| format!("`{name}`")).collect();
        let were = if inside.len() == 1 { "was" } else { "were" };
        errors.on(
            expression,
            format!(
                "{} {were} drawn and cannot be read back from `{}`, so this tail cannot be inverted. A tail is made of variants, \
                 struct literals, tuples, arrays, `vec![…]`, `Box::new(…)` and drawn names. Ways out: write \
                 `#[inverse(|it| Some(…))]` on the tail to recall what was drawn, or `#[generator(forward)]` for a generator that \
                 only goes forward",
                names.join(" and "),
                shown(expression)
            ),
        );
    }
    for name in left {
        errors.at(
            name.span(),
            format!(
                "`{name}` is drawn, but the tail `{}` does not contain it, so it could not be recalled from a value. Put it into \
                 the tail, or say how to find it with `#[focus(…)]` on this `let`, an expression of `it`, the value looked at",
                shown(&path.tail.expression)
            ),
        );
    }
}

/// The names in scope at the end of a path.
#[derive(Default)]
struct Scope(Vec<(String, Origin)>);

impl Scope {
    fn enter<'b>(&mut self, element: &Element<'b>, after: usize, binds: &mut Vec<&'b Bind>) {
        match element {
            Element::Plain(syn::Stmt::Local(local)) => self.plain(&local.pat, after),
            Element::Plain(_) => {}
            Element::Bind(bind) => {
                binds.push(bind);
                for bound in &bind.names {
                    // What a focus finds is compared where it stands in the tail, like everything
                    // that the tail need not tell.
                    let origin = match bind.focus {
                        None => Origin::Drawn { bind: bind.id, after },
                        Some(_) => Origin::Plain { after, is_mutable: bound.is_mutable },
                    };
                    self.0.push((bound.name.to_string(), origin));
                }
            }
            Element::LetFlow(local, _) | Element::LetElse(local) => self.plain(&local.pat, after),
            Element::Enter(Head::Match { arms, arm, .. }) => self.plain(&arms[*arm].pattern, after),
            Element::Enter(Head::If(condition, true)) => {
                for bound in bound_by_condition(condition) {
                    self.0.push((bound.name.to_string(), Origin::Plain { after, is_mutable: bound.is_mutable }));
                }
            }
            Element::Enter(_) => {}
            Element::Through(_, _, inner) => {
                let outside = self.0.len();
                inner.iter().for_each(|element| self.enter(element, after, binds));
                self.0.truncate(outside);
            }
        }
    }

    fn plain(&mut self, pattern: &Pat, after: usize) {
        for bound in bound_by(pattern) {
            self.0.push((bound.name.to_string(), Origin::Plain { after, is_mutable: bound.is_mutable }));
        }
    }

    fn origin(&self, name: &str) -> Option<Origin> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, origin)| *origin)
    }

    fn drawn(&self, name: &Ident) -> Option<usize> {
        match self.origin(&name.to_string()) {
            Some(Origin::Drawn { bind, .. }) => Some(bind),
            _ => None,
        }
    }

    /// How many elements must have been replayed before something is compared: as few as possible,
    /// since what fails early fails cheaply. A literal or a name that does not change is known at
    /// once; an expression may rely on the conditions before it (`10 / x` after `if x == 0 { return
    /// … }`), so it waits for all of them.
    fn comparable_after(&self, kind: LeafKind<'_>, last_decision: usize, outer: &[Outer]) -> usize {
        match kind {
            LeafKind::Name(name) => match self.origin(&name.to_string()) {
                Some(Origin::Plain { after, is_mutable: false }) => after,
                Some(_) => last_decision,
                None => {
                    let changes = outer.iter().any(|outer| outer.name == *name && outer.is_mutable);
                    if changes { last_decision } else { 0 }
                }
            },
            LeafKind::Computed(expression) if is_literal(expression) => 0,
            LeafKind::Computed(expression) => {
                let names = mentioned(expression);
                let bound = names.iter().filter_map(|name| match self.origin(name)? {
                    Origin::Drawn { after, .. } | Origin::Plain { after, .. } => Some(after),
                });
                bound.max().unwrap_or(0).max(last_decision)
            }
        }
    }
}

pub(crate) fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Verbatim(_)),
        Expr::Unary(node) => matches!(node.op, syn::UnOp::Neg(_)) && is_literal(&node.expr),
        Expr::Paren(node) => is_literal(&node.expr),
        _ => false,
    }
}

fn collect_leaves<'b>(shape: &'b Shape, segments: &mut Vec<TokenStream>, leaves: &mut Vec<Leaf<'b>>) {
    let leaf = |kind| Leaf { kind, segments: segments.clone(), meaning: Meaning::Read };
    match shape {
        Shape::Name(name) => leaves.push(leaf(LeafKind::Name(name))),
        Shape::Computed(expression) => leaves.push(leaf(LeafKind::Computed(expression))),
        Shape::Pointer(inner) => collect_leaves(inner, segments, leaves),
        _ => {
            for (segment, part) in parts(shape) {
                segments.push(segment);
                collect_leaves(part, segments, leaves);
                segments.pop();
            }
        }
    }
}

/// The direct parts of a shape, with the steps to them.
pub(crate) fn parts(shape: &Shape) -> Vec<(TokenStream, &Shape)> {
    match shape {
        Shape::Tuple(parts) => numbered(parts, |place| quote!(::retrospect::macros::Segment::Position(#place))),
        Shape::Array(parts) | Shape::List(parts) => {
            numbered(parts, |place| quote!(::retrospect::macros::Segment::Item(#place)))
        }
        Shape::Constructor { constructor, fields: Fields::Tuple(parts) } => {
            let name = constructor.name();
            numbered(parts, |place| match constructor.is_variant {
                true => quote!(::retrospect::macros::Segment::VariantPosition(#name, #place)),
                false => quote!(::retrospect::macros::Segment::Position(#place)),
            })
        }
        Shape::Constructor { constructor, fields: Fields::Named(parts) } => {
            let name = constructor.name();
            let segment = |member: &syn::Member| {
                let field = member_name(member);
                match constructor.is_variant {
                    true => quote!(::retrospect::macros::Segment::VariantField(#name, #field)),
                    false => quote!(::retrospect::macros::Segment::Field(#field)),
                }
            };
            parts.iter().map(|(member, part)| (segment(member), part)).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => super::names::plain(name),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

fn numbered(parts: &[Shape], segment: impl Fn(usize) -> TokenStream) -> Vec<(TokenStream, &Shape)> {
    parts.iter().enumerate().map(|(place, part)| (segment(place), part)).collect()
}

/// How a tail is called in messages: ``Tree::Node(..)``.
pub(crate) fn tail_name(tail: &Tail) -> String {
    match &tail.kind {
        TailKind::Value(shape) => match shape_name(shape) {
            Some(name) => name,
            None => shown(&tail.expression),
        },
        TailKind::Draw(generator) => format!("draw({})", shown(generator)),
    }
}

/// How a constructor is called in messages.
pub(crate) fn shape_name(shape: &Shape) -> Option<String> {
    let Shape::Constructor { constructor, fields } = shape else { return None };
    let name = constructor.full_name();
    Some(match fields {
        Fields::Unit => name,
        Fields::Tuple(_) => format!("{name}(..)"),
        Fields::Named(_) => format!("{name} {{ .. }}"),
    })
}
