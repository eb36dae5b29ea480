//! Writes the three directions of a generator.

mod backward;
mod complete;
mod forward;
mod forward_only;
mod item;

pub(crate) use item::{emit, emit_forward_only};

use super::body::Pick;
use super::names::{Names, shown};
use super::paths::Head;
use super::plan::{Leaf, LeafKind, Meaning, Outer, Plan};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Ident, Lit, Pat};

/// The names that the written code uses. The user's code cannot see or shadow them.
pub(super) struct Vocabulary {
    pub(super) source: Ident,
    pub(super) reflector: Ident,
    pub(super) value: Ident,
    pub(super) sketch: Ident,
    pub(super) way: Ident,
}

impl Vocabulary {
    fn new() -> Vocabulary {
        Vocabulary {
            source: hidden("__source"),
            reflector: hidden("__reflector"),
            value: hidden("__value"),
            sketch: hidden("__sketch"),
            way: hidden("__way"),
        }
    }
}

/// A name that only the written code sees.
pub(super) fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The part of the value at a leaf of the tail.
pub(super) fn part_name(leaf: usize) -> Ident {
    format_ident!("__part{leaf}", span = Span::mixed_site())
}

/// The sketch of the part at a leaf of the tail.
pub(super) fn sketch_name(leaf: usize) -> Ident {
    format_ident!("__sketch{leaf}", span = Span::mixed_site())
}

/// One of the generator's sites.
pub(super) fn site(place: usize) -> TokenStream {
    quote!(&Self::__sites()[#place])
}

/// The lints that the written code sets off without being at fault. The forward direction keeps
/// those that concern the user's own code.
pub(super) fn allowed_everywhere() -> TokenStream {
    quote!(#[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)])
}

/// Backward and in completion the user's code stands again, taken apart.
pub(super) fn allowed_in_copies() -> TokenStream {
    quote!(#[allow(
        clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, unused, irrefutable_let_patterns, unreachable_code,
        unreachable_patterns, non_snake_case, let_underscore_drop
    )])
}

/// Binds the weights of a pick to a name. `weigh` writes the call that checks one that is no plain
/// number.
pub(super) fn bind_weights(
    name: &Ident,
    weights: &[Option<&Expr>],
    weigh: impl Fn(usize, &Expr) -> TokenStream,
) -> TokenStream {
    let weights = weights.iter().enumerate().map(|(arm, weight)| match weight {
        None => quote!(1u32),
        Some(weight) => match literal_weight(weight) {
            Some(number) => quote!(#number),
            None => weigh(arm, weight),
        },
    });
    // A reference to constants is itself one, so plain numbers are not built up on the stack.
    quote!(let #name: &[u32] = &[#(#weights),*];)
}

/// The weights of a pick as they are written.
pub(super) fn written_weights(pick: &Pick) -> Vec<Option<&Expr>> {
    pick.arms.iter().map(|arm| arm.weight.as_ref()).collect()
}

/// A weight that is written as a plain number.
pub(super) fn literal_weight(weight: &Expr) -> Option<u32> {
    let Expr::Lit(literal) = weight else { return None };
    let Lit::Int(number) = &literal.lit else { return None };
    number.base10_parse::<u32>().ok().filter(|number| number.checked_add(1).is_some())
}

/// What a message calls something that is compared: ``" (the argument `lo`)"``.
pub(super) fn comparison_label(leaf: &Leaf<'_>, outer: &[Outer]) -> String {
    let is_outer = matches!(leaf.meaning, Meaning::Compare { is_outer: true, .. });
    match leaf.kind {
        LeafKind::Name(name) => match outer.iter().rev().find(|outer| outer.name == *name) {
            Some(outer) if is_outer && outer.is_argument => format!(" (the argument `{name}`)"),
            _ => format!(" (`{name}`)"),
        },
        LeafKind::Computed(expression) if super::plan::is_literal(expression) => String::new(),
        LeafKind::Computed(expression) => format!(" (`{}`)", shown(expression)),
    }
}

/// Why a way is closed when its condition does not hold.
pub(super) fn closed_because(head: Head<'_>, tail: &str) -> String {
    match head {
        Head::If(condition, true) => format!("`{tail}` is made only if `{}`", shown(condition)),
        Head::If(condition, false) => format!("`{tail}` is not made if `{}`", shown(condition)),
        Head::Match { scrutinee, arms, arm } => {
            let arm = &arms[arm];
            let guard = arm.guard.as_ref().map(|guard| format!(" if {}", shown(guard))).unwrap_or_default();
            format!("`{tail}` is made only if `{}` is `{}{guard}`", shown(scrutinee), shown(&arm.pattern))
        }
        Head::Else(local) => {
            let value = local.init.as_ref().map(|init| shown(&init.expr)).unwrap_or_default();
            format!("`{tail}` is not made if `{value}` is `{}`", shown(&local.pat))
        }
        Head::Pick(..) | Head::Block => String::new(),
    }
}

/// Why a way is closed when a `let … else` does not match.
pub(super) fn closed_by_let(local: &syn::Local, tail: &str) -> String {
    let value = local.init.as_ref().map(|init| shown(&init.expr)).unwrap_or_default();
    match local.init.as_ref().is_some_and(|init| init.diverge.is_some()) {
        true => format!("`{tail}` is made only if `{value}` is `{}`", shown(&local.pat)),
        false => format!("`{tail}` is not made where `{value}` returns"),
    }
}

/// Clones of the names from outside that a way mentions, so that it may do with them what it likes.
pub(super) fn bind_outer(outer: &[Outer], mentions: &Names) -> TokenStream {
    let mut seen = Names::new();
    let mut bindings = Vec::new();
    for Outer { name, is_mutable, is_argument } in outer.iter().rev() {
        if !mentions.contains(&name.to_string()) || !seen.insert(name.to_string()) {
            continue;
        }
        let mutable = is_mutable.then(|| quote!(mut));
        let from = if *is_argument { quote!(self.#name) } else { quote!(#name) };
        bindings.push(quote!(let #mutable #name = ::core::clone::Clone::clone(&#from);));
    }
    bindings.reverse();
    quote!(#(#bindings)*)
}

/// A pattern as the expression that builds what it takes apart, with `name` for the names in it.
pub(super) fn rebuilt(pattern: &Pat, name: &impl Fn(&Ident) -> TokenStream) -> TokenStream {
    let all = |patterns: &syn::punctuated::Punctuated<Pat, syn::Token![,]>| -> Vec<TokenStream> {
        patterns.iter().map(|pattern| rebuilt(pattern, name)).collect()
    };
    match pattern {
        Pat::Ident(pattern) => name(&pattern.ident),
        Pat::Paren(pattern) => rebuilt(&pattern.pat, name),
        Pat::Tuple(pattern) => {
            let parts = all(&pattern.elems);
            quote!((#(#parts,)*))
        }
        Pat::TupleStruct(pattern) => {
            let (path, parts) = (&pattern.path, all(&pattern.elems));
            quote!(#path(#(#parts),*))
        }
        Pat::Slice(pattern) => {
            let parts = all(&pattern.elems);
            quote!([#(#parts),*])
        }
        Pat::Struct(pattern) => {
            let path = &pattern.path;
            let fields = pattern.fields.iter().map(|field| {
                let (member, part) = (&field.member, rebuilt(&field.pat, name));
                quote!(#member: #part)
            });
            quote!(#path { #(#fields),* })
        }
        _ => quote!(::core::unreachable!()),
    }
}

/// How a pattern's value would be written by `Debug`, with a `{}` for each name.
pub(super) fn debug_format(pattern: &Pat, names: &mut Vec<Ident>) -> String {
    fn list<'p>(patterns: impl Iterator<Item = &'p Pat>, names: &mut Vec<Ident>) -> String {
        let parts: Vec<String> = patterns.map(|pattern| debug_format(pattern, names)).collect();
        parts.join(", ")
    }
    let last = |path: &syn::Path| path.segments.last().map(|last| super::names::plain(&last.ident)).unwrap_or_default();
    match pattern {
        Pat::Ident(pattern) => {
            names.push(pattern.ident.clone());
            "{}".to_owned()
        }
        Pat::Paren(pattern) => debug_format(&pattern.pat, names),
        Pat::Tuple(pattern) => {
            let comma = if pattern.elems.len() == 1 { "," } else { "" };
            format!("({}{comma})", list(pattern.elems.iter(), names))
        }
        Pat::TupleStruct(pattern) => format!("{}({})", last(&pattern.path), list(pattern.elems.iter(), names)),
        Pat::Slice(pattern) => format!("[{}]", list(pattern.elems.iter(), names)),
        Pat::Struct(pattern) => {
            let fields: Vec<String> = pattern
                .fields
                .iter()
                .map(|field| {
                    format!("{}: {}", super::plan::member_name(&field.member), debug_format(&field.pat, names))
                })
                .collect();
            format!("{} {{{{ {} }}}}", last(&pattern.path), fields.join(", "))
        }
        _ => "_".to_owned(),
    }
}

/// The names in scope for sub-generators after some elements of a way.
pub(super) fn scope_with(outer: &[Outer], names: &[super::names::Bound]) -> Vec<Outer> {
    let inner =
        names.iter().map(|bound| Outer { name: bound.name.clone(), is_mutable: bound.is_mutable, is_argument: false });
    outer.iter().cloned().chain(inner).collect()
}

/// A `let` with its attributes and type.
pub(super) fn let_of(bind: &super::body::Bind, value: &TokenStream) -> TokenStream {
    let (attributes, pattern) = (&bind.attributes, &bind.pattern);
    let ty = bind.ty.as_ref().map(|ty| quote!(: #ty));
    quote!(#(#attributes)* let #pattern #ty = #value;)
}

/// Whether every name of a bind is read from the tail.
pub(super) fn is_in_tail(plan: &Plan<'_>, bind: &super::body::Bind) -> bool {
    bind.focus.is_none() && bind.names.iter().all(|bound| plan.place_of(bind, &bound.name).is_some())
}
