//! The arguments of a property: what each is drawn from, under which name, and how it reaches the
//! body.

use crate::errors::Errors;
use crate::function::{mentioned, plain, shown};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, Ident, Meta, Pat, PatType, Signature, Token, Type, TypeReference, parse_quote};

/// The arguments, in order.
pub(crate) struct Arguments {
    pub(crate) all: Vec<Argument>,
}

pub(crate) enum Argument {
    /// `&mut Case`: the body gets the case itself.
    Case,
    Drawn(Box<Drawn>),
}

/// An argument that is drawn.
pub(crate) struct Drawn {
    /// What reports and examples call it.
    pub(crate) label: String,
    /// What it is bound to. The user's name, which later generators may use; for a pattern, a name
    /// that nobody sees.
    pub(crate) name: Ident,
    /// The expression that makes the generator.
    pub(crate) generator: TokenStream,
    /// The type, where it is known; it makes the compiler's messages point at the argument.
    pub(crate) ty: Option<TokenStream>,
    pub(crate) passed: Passed,
    /// The type that values in examples are turned into, where they may be written as something
    /// else.
    pub(crate) converted_to: Option<TokenStream>,
}

/// How a drawn value is passed to the body.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Passed {
    Owned,
    Borrowed,
    BorrowedMutably,
}

impl Arguments {
    pub(crate) fn read(signature: &Signature, errors: &mut Errors) -> Arguments {
        let mut all = Vec::new();
        for (place, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => errors.on(
                    receiver,
                    "a property is a function of its own: move it out of the `impl`, and take the value as an argument",
                ),
                FnArg::Typed(typed) => all.extend(argument(place, typed, errors)),
            }
        }
        let cases = signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(typed) if is_case(typed)));
        for second in cases.skip(1) {
            errors.on(second, "there is only one case: take it once");
        }
        if signature.inputs.is_empty() {
            errors.on(
                &signature.ident,
                "a property needs an argument: without one, all its cases are the same and an ordinary `#[test]` would do; to draw \
                 inside the body, take `case: &mut Case`",
            );
        }
        Arguments { all }
    }

    pub(crate) fn drawn(&self) -> impl Iterator<Item = &Drawn> {
        self.all.iter().filter_map(|argument| match argument {
            Argument::Drawn(drawn) => Some(&**drawn),
            Argument::Case => None,
        })
    }
}

/// The arguments as the body has them: as they are written, without `#[from]`. The body need not
/// use those that the generators of others use.
pub(crate) fn without_generators(signature: &Signature, arguments: &Arguments) -> Signature {
    let mut signature = signature.clone();
    let is_used = |name: &String| arguments.drawn().any(|drawn| mentioned(&drawn.generator).contains(name));
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.retain(|attribute| !is_from(attribute));
            if let Pat::Ident(pattern) = &*typed.pat
                && is_used(&pattern.ident.to_string())
            {
                typed.attrs.push(parse_quote!(#[allow(unused_variables)]));
            }
        }
    }
    signature
}

/// What a pattern is called.
pub(crate) fn label_of(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(name) => plain(&name.ident),
        pattern => shown(pattern),
    }
}

fn is_from(attribute: &Attribute) -> bool {
    attribute.path().is_ident("from")
}

/// What one may have learned elsewhere to write for it.
fn is_like_from(attribute: &Attribute) -> bool {
    ["with", "generator", "strategy"].iter().any(|name| attribute.path().is_ident(name))
}

/// `&mut Case`. One that has a generator is a type of the user's own that happens to have this
/// name.
fn is_case(typed: &PatType) -> bool {
    let Type::Reference(TypeReference { mutability: Some(_), elem, .. }) = bare(&typed.ty) else { return false };
    is_named(elem, "Case") && !typed.attrs.iter().any(is_from)
}

fn argument(place: usize, typed: &PatType, errors: &mut Errors) -> Option<Argument> {
    if is_case(typed) {
        return Some(Argument::Case);
    }
    let mut generators = typed.attrs.iter().filter(|attribute| is_from(attribute));
    let generator = generators.next();
    for second in generators {
        errors.on(
            second,
            "this argument has its generator already: leave one `#[from(…)]` out, or combine them with `one_of`",
        );
    }
    if let Some(other) = typed.attrs.iter().find(|attribute| is_like_from(attribute)) {
        errors.on(other, "the generator of an argument is named by `#[from(…)]`");
        return None;
    }
    let (name, label) = match &*typed.pat {
        Pat::Ident(pattern) => (pattern.ident.clone(), plain(&pattern.ident)),
        pattern => {
            let name = format_ident!("argument_{place}", span = hidden_at(pattern.span()));
            (name, if matches!(pattern, Pat::Wild(_)) { format!("_{place}") } else { shown(pattern) })
        }
    };
    let drawn = match generator {
        Some(attribute) => from_generator(attribute, &typed.ty, errors),
        None => from_type(&typed.ty, errors),
    };
    let Source { generator, ty, passed, converted_to } = drawn?;
    Some(Argument::Drawn(Box::new(Drawn { label, name, generator, ty, passed, converted_to })))
}

/// Where the value of an argument comes from.
struct Source {
    generator: TokenStream,
    ty: Option<TokenStream>,
    passed: Passed,
    converted_to: Option<TokenStream>,
}

/// `#[from(generator)] name: Type`.
fn from_generator(attribute: &Attribute, ty: &Type, errors: &mut Errors) -> Option<Source> {
    let generator = match generator_in(attribute) {
        Ok(generator) => generator.into_token_stream(),
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let passed = passed(ty);
    // What is behind a reference may be made from many types (`&str` from a `String`), and `impl
    // Trait` is not written anywhere else.
    let is_known = passed == Passed::Owned && !mentions_impl(ty);
    Some(Source { generator, ty: is_known.then(|| ty.to_token_stream()), passed, converted_to: None })
}

fn generator_in(attribute: &Attribute) -> syn::Result<Expr> {
    let form = "name the generator in parentheses: `#[from(0..10)]`";
    match &attribute.meta {
        Meta::List(list) if !list.tokens.is_empty() => {
            attribute.parse_args_with(|input: ParseStream<'_>| {
                let generator = input.parse()?;
                input.parse::<Option<Token![,]>>()?;
                match input.is_empty() {
                    true => Ok(generator),
                    false => Err(input
                        .error("an argument has one generator: for several values, take several arguments or a tuple")),
                }
            })
        }
        _ => Err(syn::Error::new_spanned(attribute, form)),
    }
}

/// `name: Type`, from the type's own generator.
fn from_type(ty: &Type, errors: &mut Errors) -> Option<Source> {
    if mentions_impl(ty) {
        errors.on(ty, "`impl Trait` does not say which values to draw: name a type, or a generator with `#[from(…)]`");
        return None;
    }
    let passed = passed(ty);
    let (owner, converted_to) = match bare(ty) {
        Type::Reference(reference) if passed == Passed::Owned => {
            let referred = &reference.elem;
            errors.on(
                &reference.lifetime,
                format!(
                    "a drawn value lives for one case: write `&{0}`, or name a generator of `&'static {0}` with `#[from(…)]`",
                    shown(referred)
                ),
            );
            return None;
        }
        Type::Reference(reference) => owner(&reference.elem),
        ty => (ty.to_token_stream(), false),
    };
    let generator = quote_spanned!(hidden_at(ty.span()) => ::retrospect::macros::any::<#owner>());
    let converted_to = converted_to.then(|| owner.clone());
    Some(Source { generator, ty: None, passed, converted_to })
}

/// The type that is drawn for a reference, and whether values of another type are usually written
/// for it: a text for a `String`.
fn owner(referred: &Type) -> (TokenStream, bool) {
    let span = hidden_at(referred.span());
    match bare(referred) {
        Type::Slice(slice) => {
            let item = &slice.elem;
            (quote_spanned!(span => ::std::vec::Vec<#item>), true)
        }
        // By way of the trait, so that a type of the user's own that is called `Path` is itself.
        ty if ["str", "Path", "OsStr", "CStr"].iter().any(|name| is_named(ty, name)) => {
            (quote_spanned!(span => <#ty as ::std::borrow::ToOwned>::Owned), true)
        }
        ty => (quote!(#ty), false),
    }
}

/// References are made for the time of one case; one that lives for ever is a value like any other.
fn passed(ty: &Type) -> Passed {
    match bare(ty) {
        Type::Reference(reference)
            if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") =>
        {
            Passed::Owned
        }
        Type::Reference(reference) if reference.mutability.is_some() => Passed::BorrowedMutably,
        Type::Reference(_) => Passed::Borrowed,
        _ => Passed::Owned,
    }
}

/// A type without the parentheses around it, or the invisible ones of a `macro_rules!` parameter.
fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Paren(inner) => &inner.elem,
            Type::Group(inner) => &inner.elem,
            ty => return ty,
        }
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(bare(ty), Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

fn mentions_impl(ty: &Type) -> bool {
    fn find(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "impl",
            TokenTree::Group(group) => find(group.stream()),
            _ => false,
        })
    }
    find(ty.to_token_stream())
}

/// The place of the user's code, for messages, with names that the user's code does not see.
pub(crate) fn hidden_at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
