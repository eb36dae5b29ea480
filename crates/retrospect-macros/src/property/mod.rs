//! `#[property]`: reads the function and its settings, checks them, and writes a test that hands
//! the body to the runner.
//!
//! | file | what |
//! | --- | --- |
//! | `settings`, `duration` | what stands in the attribute: `#[property(cases = 500, time = "2s")]` |
//! | `arguments` | what each argument is drawn from and how it is passed |
//! | `attributes` | what the other attributes on the function mean, and the runtime of an `async` one |
//! | `examples` | `#[example(…)]` |
//! | `emit` | the test |
//!
//! The body is never parsed: its tokens are passed on as they are, so that an editor works in it
//! while it is half written.

mod arguments;
mod attributes;
mod duration;
mod emit;
mod examples;
mod settings;

use crate::errors::Errors;
use arguments::Arguments;
use attributes::Attributes;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use settings::Settings;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, GenericParam, Signature, Visibility};

/// A function whose body is left as it is.
struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Function> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse()?;
        let body = body_in(input.parse()?)?;
        Ok(Function { attributes, visibility, signature, body })
    }
}

/// The braces, or those inside the invisible group that stands for a `block` parameter of
/// `macro_rules!`.
fn body_in(token: TokenTree) -> syn::Result<Group> {
    let refused = syn::Error::new(token.span(), "a property has a body: `{ … }`");
    match token {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => Ok(body),
        TokenTree::Group(invisible) if invisible.delimiter() == Delimiter::None => {
            let mut inside = invisible.stream().into_iter();
            match (inside.next(), inside.next()) {
                (Some(token), None) => body_in(token),
                _ => Err(refused),
            }
        }
        _ => Err(refused),
    }
}

/// Expands a property.
pub(crate) fn expand(settings: TokenStream, item: TokenStream) -> TokenStream {
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => function,
        Err(error) if is_function(&item) => return error.into_compile_error(),
        Err(_) => return not_a_function(&item),
    };
    let mut errors = Errors::default();
    let settings = Settings::read(settings, &mut errors);
    check_signature(&function.signature, &mut errors);
    let arguments = Arguments::read(&function.signature, &mut errors);
    let attributes = Attributes::read(&function, &mut errors);
    let examples = examples::read(&attributes.examples, &arguments, &mut errors);
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    emit::emit(&function, &settings, &arguments, &attributes, &examples)
}

/// Whether this was meant to be a function, so that the parser's own message helps.
fn is_function(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))
}

fn not_a_function(item: &TokenStream) -> TokenStream {
    let span = item.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    syn::Error::new(span, "`#[property]` belongs on a function: `#[property] fn name(argument: Type) { … }`")
        .into_compile_error()
}

fn check_signature(signature: &Signature, errors: &mut Errors) {
    let kinds = [
        (signature.constness.to_token_stream(), "cannot be `const`"),
        (signature.unsafety.to_token_stream(), "cannot be `unsafe`: write an `unsafe` block in its body"),
        (signature.abi.to_token_stream(), "cannot be `extern`"),
        (signature.variadic.to_token_stream(), "cannot be variadic"),
    ];
    for (token, problem) in kinds {
        if !token.is_empty() {
            errors.on(&token, format!("a property is an ordinary function: it {problem}"));
        }
    }
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(lifetime) => errors.on(
                lifetime,
                "a drawn value is borrowed for one case, which needs no name: leave the lifetime out and write `&T`",
            ),
            GenericParam::Type(_) | GenericParam::Const(_) => errors.on(
                parameter,
                "a property runs on values, so all its types are known: write the type here, and for several types call one \
                 generic function from several properties",
            ),
        }
    }
}
