//! `#[generator]`: reads the function, checks it, and writes its three directions.
//!
//! | file | what |
//! | --- | --- |
//! | `signature` | the head of the function: arguments, generics, what it makes |
//! | `body`, `read` | the body as steps and ends, and how it is read |
//! | `shape` | tails: expressions that are also patterns |
//! | `check` | what must not stand inside expressions |
//! | `paths` | the ways through a body, each ending in one tail |
//! | `plan` | for one way: where drawn names stand in the value, when the rest is compared |
//! | `emit` | forward, backward, completion, and the items around them |

mod binding;
mod body;
mod check;
mod emit;
mod names;
mod paths;
mod plan;
mod read;
mod shape;
mod signature;

use crate::errors::Errors;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use read::Reader;
use signature::Signature;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Ident, ItemFn};

pub(crate) use names::{mentioned, plain, shown};

/// `#[generator]` or `#[generator(forward)]`.
#[derive(Default)]
pub(crate) struct Options {
    is_forward: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Options> {
        if input.is_empty() {
            return Ok(Options::default());
        }
        let unknown =
            "the only option is `forward`: `#[generator(forward)]` makes a generator that is never run backwards";
        let option: Ident = input.parse().map_err(|_| input.error(unknown))?;
        if option != "forward" || !input.is_empty() {
            return Err(syn::Error::new(option.span(), unknown));
        }
        Ok(Options { is_forward: true })
    }
}

/// Expands a generator function.
pub(crate) fn expand(options: &Options, function: ItemFn) -> TokenStream {
    let mut errors = Errors::default();
    refuse_self(&function, &mut errors);
    let signature = Signature::read(function.attrs, function.vis, &function.sig, &mut errors);
    refuse_impl(&function.sig, &mut errors);
    let mut reader = Reader::new(signature.name.span(), signature.constants(), signature.value_name());
    reader.errors = errors;
    if options.is_forward {
        check::check_forward(&function.block, &mut reader.errors);
        let mut sites = std::mem::take(&mut reader.sites);
        let items = emit::emit_forward_only(&signature, &function.block, &mut sites);
        return if reader.errors.is_empty() { items } else { reader.errors.into_tokens() };
    }
    let body = reader.function(&function.block);
    if reader.errors.is_empty() {
        let outer: Vec<plan::Outer> = signature
            .arguments
            .iter()
            .map(|argument| plan::Outer {
                name: argument.name.clone(),
                is_mutable: argument.is_mutable,
                is_argument: true,
            })
            .collect();
        plan::check(&body, &outer, &mut reader.errors);
    }
    if !reader.errors.is_empty() {
        return reader.errors.into_tokens();
    }
    emit::emit(&signature, &body, &reader.sites)
}

/// A function that speaks of `Self` stands in an `impl`, where no struct can be defined.
fn refuse_self(function: &ItemFn, errors: &mut Errors) {
    fn find(tokens: TokenStream) -> Option<Ident> {
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(ident) if ident == "Self" => Some(ident),
            proc_macro2::TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
    }
    if let Some(place) = find(function.to_token_stream()) {
        errors.at(
            place.span(),
            "a generator becomes a struct beside its function, so it cannot stand in an `impl`: move it out, and write the \
             type's own name instead of `Self`",
        );
    }
}

/// A function in an `impl` that does not speak of `Self`. A macro is not told where it stands, but
/// may look: if it begins a line, the next line above that is indented less opens what it stands
/// in. Where there is no file, as in editors, the compiler says it in its own words.
fn refuse_impl(signature: &syn::Signature, errors: &mut Errors) {
    let attribute = Span::call_site().unwrap();
    if !errors.is_empty() || attribute.column() == 1 {
        return;
    }
    let Some(text) = attribute.local_file().and_then(|file| std::fs::read_to_string(file).ok()) else { return };
    let lines: Vec<&str> = text.lines().take(attribute.line()).collect();
    let Some((line, above)) = lines.split_last() else { return };
    let indent = |line: &str| line.len() - line.trim_start().len();
    if !line.trim_start().starts_with("#[") || indent(line) + 1 != attribute.column() {
        return;
    }
    let is_less = |other: &&&str| {
        let code = other.trim_start();
        !code.is_empty() && !code.starts_with("//") && indent(other) < indent(line)
    };
    let is_impl = |code: &str| (code.starts_with("impl ") || code.starts_with("impl<")) && code.ends_with('{');
    if above.iter().rev().find(is_less).is_some_and(|around| is_impl(around.trim())) {
        errors.at(
            signature.ident.span(),
            "a generator becomes a struct beside its function, so it cannot stand in an `impl`: move it out; an associated \
             function may call it",
        );
    }
}

/// What cannot be a generator function at all.
pub(crate) fn not_a_function(item: &TokenStream) -> TokenStream {
    let span = item.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    syn::Error::new(span, "`#[generator]` belongs on a function: `#[generator] fn name(…) -> Type { … }`")
        .into_compile_error()
}

/// `generator_of!(|lo: i64, hi: i64| -> Tree { … })` or `generator_of!(-> Tree { … })`.
pub(crate) struct Inline {
    function: ItemFn,
    has_arguments: bool,
}

impl Parse for Inline {
    fn parse(input: ParseStream<'_>) -> syn::Result<Inline> {
        let form = "write `generator_of!(-> Type { … })`, or with arguments `generator_of!(|lo: i64, hi: i64| -> Type { … })(0, 9)`";
        let mut inputs = syn::punctuated::Punctuated::<syn::FnArg, syn::Token![,]>::new();
        let has_arguments = input.peek(syn::Token![|]) || input.peek(syn::Token![||]);
        if input.parse::<Option<syn::Token![||]>>()?.is_none() && has_arguments {
            input.parse::<syn::Token![|]>()?;
            while !input.peek(syn::Token![|]) {
                let name: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), form))?;
                let colon: syn::Token![:] = input.parse().map_err(|error| {
                    syn::Error::new(
                        error.span(),
                        format!("say the type of `{name}`: it becomes a field of the generator; {form}"),
                    )
                })?;
                let ty: syn::Type = input.call(syn::Type::without_plus)?;
                inputs.push(syn::parse_quote!(#name #colon #ty));
                if !input.peek(syn::Token![|]) {
                    input.parse::<syn::Token![,]>()?;
                }
            }
            input.parse::<syn::Token![|]>()?;
        }
        let arrow = input.parse::<syn::Token![->]>().map_err(|error| syn::Error::new(error.span(), form))?;
        let ty: syn::Type = input.parse()?;
        let block: syn::Block = input.parse().map_err(|error| syn::Error::new(error.span(), form))?;
        let name = Ident::new("inline", arrow.span());
        let function = syn::parse_quote!(fn #name(#inputs) #arrow #ty #block);
        Ok(Inline { function, has_arguments })
    }
}

/// Expands a generator that is written where it is used.
pub(crate) fn expand_inline(inline: Inline) -> TokenStream {
    let name = inline.function.sig.ident.clone();
    let items = expand(&Options::default(), inline.function);
    match inline.has_arguments {
        true => quote::quote!({ #items #name }),
        false => quote::quote!({ #items #name() }),
    }
}
