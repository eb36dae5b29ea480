//! The other attributes on a property: which belong to the test, which to us, and which runtime an
//! `async` one has.

use super::Function;
use crate::errors::Errors;
use crate::function::shown;
use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Meta, Path};

/// The attributes of a property, sorted.
pub(crate) struct Attributes {
    /// For the test. Lints hold for what is inside it as well.
    pub(crate) outer: Vec<Attribute>,
    /// Whether one of those makes it a test.
    pub(crate) is_test: bool,
    pub(crate) examples: Vec<Attribute>,
    /// What makes an ordinary function out of an `async` one: `#[tokio::main(…)]`.
    pub(crate) runtime: Option<TokenStream>,
}

impl Attributes {
    pub(crate) fn read(function: &Function, errors: &mut Errors) -> Attributes {
        let mut read = Attributes { outer: Vec::new(), is_test: false, examples: Vec::new(), runtime: None };
        let is_async = function.signature.asyncness.is_some();
        for attribute in &function.attributes {
            let path = attribute.path();
            if path.is_ident("example") {
                read.examples.push(attribute.clone());
            } else if path.is_ident("should_panic") {
                errors.on(
                    attribute,
                    "a property that is to fail is written `#[property(expect_failure)]`: it fails if no case does, and shows the \
                     smallest that did",
                );
            } else if ends_in(path, "generator") {
                errors.on(attribute, "a function is a generator or a property: write the generator apart and draw from it with `#[from(…)]`");
            } else if ends_in(path, "property") {
                errors.on(attribute, "`#[property]` is written twice: put the settings of both into one");
            } else if ends_in(path, "test") && is_async {
                read.take_runtime(attribute, errors);
            } else {
                read.is_test |= ends_in(path, "test");
                read.outer.push(attribute.clone());
            }
        }
        if let (Some(word), None, true) = (function.signature.asyncness, &read.runtime, errors.is_empty()) {
            errors.on(
                &word,
                "an `async` property needs a runtime: write its test attribute below, such as `#[property] #[tokio::test]`, or an \
                 ordinary `fn` that calls `block_on` in its body",
            );
        }
        read
    }

    /// `#[tokio::test(…)]` makes a test without arguments; what we need is its `#[tokio::main(…)]`,
    /// which runs any function, arguments and all.
    fn take_runtime(&mut self, attribute: &Attribute, errors: &mut Errors) {
        let mut path = attribute.path().clone();
        let Some(runtime) = path.segments.first().filter(|_| path.segments.len() > 1) else {
            // Plain `#[test]`, which knows no runtime. What is missing is said for all such
            // functions.
            return;
        };
        if let Some(function) = blocking_function(&runtime.ident) {
            errors.on(
                attribute,
                format!(
                    "`{}` runs no function with arguments: write an ordinary `fn` that calls `{function}` in its body",
                    shown(&path)
                ),
            );
            return;
        }
        if self.runtime.is_some() {
            errors.on(attribute, "this property has its runtime already: leave one test attribute out");
            return;
        }
        let is_tokio = path.segments.iter().any(|segment| segment.ident == "tokio");
        if let Some(last) = path.segments.last_mut() {
            last.ident = Ident::new("main", last.ident.span());
        }
        let options = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        // The two attributes of tokio differ in which runtime they start unless told.
        let flavor = (is_tokio && !mentions_flavor(&options)).then(|| quote!(flavor = "current_thread",));
        self.runtime = Some(quote_spanned!(attribute.span() => #[#path(#flavor #options)]));
    }
}

fn ends_in(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// Runtimes whose `main` refuses all functions but that of this name, and what they have instead.
fn blocking_function(runtime: &Ident) -> Option<&'static str> {
    match runtime.to_string().as_str() {
        "async_std" => Some("async_std::task::block_on"),
        "smol_potat" => Some("smol::block_on"),
        _ => None,
    }
}

fn mentions_flavor(options: &TokenStream) -> bool {
    options.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "flavor"))
}
