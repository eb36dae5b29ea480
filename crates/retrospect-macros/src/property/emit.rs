//! The test that a property becomes.

use super::Function;
use super::arguments::{Argument, Arguments, Drawn, Passed, hidden_at, without_generators};
use super::attributes::Attributes;
use super::examples::Example;
use super::settings::Settings;
use crate::function::{mentioned, plain};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned;

pub(crate) fn emit(
    function: &Function,
    settings: &Settings,
    arguments: &Arguments,
    attributes: &Attributes,
    examples: &[Example],
) -> TokenStream {
    // Names of ours that arguments of the same name neither see nor hide.
    let hidden = Span::mixed_site();
    let case = Ident::new("case", hidden);
    let property = Ident::new("property", hidden);

    let Attributes { outer, runtime, .. } = attributes;
    let test = (!attributes.is_test).then(|| quote!(#[::core::prelude::v1::test]));
    let (visibility, body) = (&function.visibility, &function.body);
    let name = &function.signature.ident;
    let signature = without_generators(&function.signature, arguments);
    // As the test harness calls it, for which `r#old` is `old` and `r#type` is `r#type`.
    let title = plain(name);
    let title = if syn::parse_str::<Ident>(&title).is_ok() { title } else { name.to_string() };
    let count = examples.len();
    let settings = &settings.calls;
    let has_free_arguments = has_free_arguments(arguments);
    let draws = arguments.drawn().enumerate().map(|(place, drawn)| {
        let values: Vec<&syn::Expr> = examples.iter().map(|example| &example.values[place]).collect();
        draw(drawn, &values)
    });
    let passed = arguments.all.iter().map(|argument| match argument {
        Argument::Case => case.to_token_stream(),
        Argument::Drawn(drawn) => pass(drawn),
    });
    // Where the compiler says that this is nothing a property can return.
    let returned = match &function.signature.output {
        ReturnType::Default => hidden,
        ReturnType::Type(_, ty) => hidden_at(ty.span()),
    };
    let run = Ident::new("property", returned);
    let outcome = quote_spanned!(returned => ::retrospect::macros::outcome_of(#run(#(#passed),*)));

    // The body is a function of its own, so that `return` and `?` in it mean what they say.
    quote_spanned! { hidden =>
        #(#outer)*
        #test
        #visibility fn #name() {
            #runtime
            #signature #body

            let #property = #name;
            ::retrospect::macros::run_property(
                &::retrospect::macros::Definition {
                    path: ::core::concat!(::core::module_path!(), "::", #title),
                    crate_directory: ::core::env!("CARGO_MANIFEST_DIR"),
                    examples: #count,
                    number: 0,
                    has_free_arguments: #has_free_arguments,
                },
                ::retrospect::macros::Settings::new() #(#settings)*,
                &mut |#case: &mut ::retrospect::macros::Case<'_>| -> ::retrospect::macros::Outcome {
                    #(#draws)*
                    match #case.is_ready() {
                        true => #outcome,
                        false => ::retrospect::macros::outcome_of(()),
                    }
                },
            )
        }
    }
}

/// Whether no generator mentions an argument before it.
fn has_free_arguments(arguments: &Arguments) -> bool {
    let mut before: Vec<String> = Vec::new();
    for drawn in arguments.drawn() {
        let names = mentioned(&drawn.generator);
        if before.iter().any(|name| names.contains(name)) {
            return false;
        }
        before.push(drawn.name.to_string());
    }
    true
}

/// Draws one argument and binds it. All of it is located at the user's code, so that the compiler's
/// messages are.
fn draw(drawn: &Drawn, examples: &[&syn::Expr]) -> TokenStream {
    let Drawn { label, name, generator, ty, passed, converted_to } = drawn;
    let mutable = (*passed == Passed::BorrowedMutably).then(|| quote!(mut));
    let ty = ty.as_ref().map(|ty| quote!(: #ty));
    let span = hidden_at(generator.span());
    let case = Ident::new("case", span);
    if examples.is_empty() && !cfg!(feature = "serde") {
        return quote_spanned!(span => let #mutable #name #ty = #case.argument(#label, #generator););
    }
    let arms = examples.iter().enumerate().map(|(number, value)| {
        let span = hidden_at(value.span());
        let value = match converted_to {
            Some(ty) => quote_spanned!(span => <#ty as ::core::convert::From<_>>::from(#value)),
            None => value.to_token_stream(),
        };
        quote_spanned!(span => #number => ::core::option::Option::Some(#value),)
    });
    let example = quote_spanned! { span =>
        |example: usize| match example {
            #(#arms)*
            _ => ::core::option::Option::None,
        }
    };
    if !cfg!(feature = "serde") {
        return quote_spanned!(span => let #mutable #name #ty = #case.argument_or_example(#label, #generator, #example););
    }
    quote_spanned! { span =>
        let #mutable #name #ty = {
            use ::retrospect::macros::{WithJson as _, WithoutJson as _};
            let generator = #generator;
            let read_json = (&&::retrospect::macros::AsJson::of(&generator)).reader();
            #case.argument_or_json(#label, generator, #example, read_json)
        };
    }
}

fn pass(drawn: &Drawn) -> TokenStream {
    let name = &drawn.name;
    match drawn.passed {
        Passed::Owned => quote!(#name),
        Passed::Borrowed => quote!(&#name),
        Passed::BorrowedMutably => quote!(&mut #name),
    }
}
