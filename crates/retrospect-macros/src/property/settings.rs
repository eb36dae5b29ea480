//! The settings in the attribute, each of which becomes one call on the library's `Settings`.

use super::duration;
use crate::errors::Errors;
use crate::nearest::{listed, unknown};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, Token};

/// What kind of value a setting has.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Duration,
    /// `true` if it stands alone.
    Flag,
    Text,
    /// Names of health checks, in parentheses.
    Checks,
}

/// Every setting, and how it is written.
const SETTINGS: [(&str, Kind, &str); 18] = [
    ("cases", Kind::Number, "cases = 500"),
    ("max_cases", Kind::Number, "max_cases = 50"),
    ("time", Kind::Duration, "time = \"2s\""),
    ("seed", Kind::Number, "seed = 0x7f3a"),
    ("size", Kind::Number, "size = 50"),
    ("max_depth", Kind::Number, "max_depth = 200"),
    ("exhaustive", Kind::Flag, "exhaustive"),
    ("isolate", Kind::Flag, "isolate"),
    ("timeout", Kind::Duration, "timeout = \"1s\""),
    ("expect_failure", Kind::Flag, "expect_failure"),
    ("shrink_time", Kind::Duration, "shrink_time = \"1s\""),
    ("shrink_runs", Kind::Number, "shrink_runs = 100"),
    ("verbose", Kind::Number, "verbose = 1"),
    ("save", Kind::Flag, "save = false"),
    ("all_failures", Kind::Flag, "all_failures"),
    ("allow", Kind::Checks, "allow(discards, slow)"),
    ("regressions", Kind::Text, "regressions = \"folder\""),
    ("weights", Kind::Text, "weights = \"weights.toml\""),
];

/// The health checks that can be silenced, and their names in the library.
const CHECKS: [(&str, &str); 4] =
    [("discards", "Discards"), ("slow", "Slow"), ("large", "Large"), ("nondeterminism", "Nondeterminism")];

/// The settings of one property.
pub(crate) struct Settings {
    /// `.cases(500)`, in the order in which they are written.
    pub(crate) calls: Vec<TokenStream>,
}

impl Settings {
    pub(crate) fn read(tokens: TokenStream, errors: &mut Errors) -> Settings {
        let mut calls = Vec::new();
        let result = (|input: ParseStream<'_>| read_all(input, &mut calls, errors)).parse2(tokens);
        if let Err(error) = result {
            errors.push(error);
        }
        Settings { calls }
    }
}

fn read_all(input: ParseStream<'_>, calls: &mut Vec<TokenStream>, errors: &mut Errors) -> syn::Result<()> {
    let mut seen = Vec::new();
    while !input.is_empty() {
        let name = Ident::parse_any(input).map_err(|error| {
            syn::Error::new(error.span(), "a setting is written `name = value`, such as `cases = 500`")
        })?;
        let written = Written::parse(input)?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        if seen.contains(&name) {
            errors.at(name.span(), format!("`{name}` is set twice: leave one of them out"));
            continue;
        }
        match SETTINGS.iter().find(|(known, ..)| name == known) {
            Some((_, kind, form)) => match call(&name, *kind, form, written) {
                Ok(call) => calls.push(call),
                Err(error) => errors.push(error),
            },
            None => errors.at(name.span(), unknown("setting", &name.to_string(), &SETTINGS.map(|(known, ..)| known))),
        }
        seen.push(name);
    }
    Ok(())
}

/// What follows the name of a setting.
enum Written {
    Nothing,
    Value(Expr),
    List(Span, TokenStream),
}

impl Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Written> {
        if input.parse::<Option<Token![=]>>()?.is_some() {
            return input.parse().map(Written::Value);
        }
        if !input.peek(syn::token::Paren) {
            return Ok(Written::Nothing);
        }
        let list;
        let parentheses = syn::parenthesized!(list in input);
        Ok(Written::List(parentheses.span.join(), list.parse()?))
    }
}

/// The call that makes a setting.
fn call(name: &Ident, kind: Kind, form: &str, written: Written) -> syn::Result<TokenStream> {
    let value = match written {
        Written::List(span, list) if kind == Kind::Checks => return checks(name, span, list),
        Written::Nothing if kind == Kind::Flag => quote!(true),
        Written::Value(value) if kind != Kind::Checks => {
            check_literal(name, kind, form, &value)?;
            match (kind, &value) {
                (Kind::Duration, Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => literal_duration(name, text)?,
                _ => quote!(#value),
            }
        }
        Written::Nothing => {
            return Err(syn::Error::new(name.span(), format!("`{name}` needs a value: `{form}`")));
        }
        Written::List(span, _) => return Err(syn::Error::new(span, format!("this is written `{form}`"))),
        Written::Value(value) => return Err(syn::Error::new_spanned(value, format!("this is written `{form}`"))),
    };
    Ok(quote!(.#name(#value)))
}

/// Refuses what is plain to see: literals of another kind, and numbers that make no sense. Other
/// expressions are for the compiler to judge.
fn check_literal(name: &Ident, kind: Kind, form: &str, value: &Expr) -> syn::Result<()> {
    let Expr::Lit(ExprLit { lit, .. }) = value else { return Ok(()) };
    let problem = match (kind, lit) {
        (Kind::Number, Lit::Int(number)) => match (name.to_string().as_str(), number.base10_parse::<u64>()) {
            ("cases", Ok(0)) => "0 cases test nothing: give a larger number, or leave `cases` out".to_owned(),
            ("max_depth", Ok(0..8)) => "`max_depth` is at least 8".to_owned(),
            ("verbose", Ok(3..)) => "`verbose` is 0, 1 or 2".to_owned(),
            _ => return Ok(()),
        },
        (Kind::Duration, Lit::Int(_) | Lit::Float(_)) => {
            format!("a duration has a unit: `{name} = \"{}s\"`", quote!(#lit))
        }
        (Kind::Duration | Kind::Text, Lit::Str(_)) | (Kind::Flag, Lit::Bool(_)) => return Ok(()),
        (Kind::Flag, _) => format!("`{name}` is `true` or `false`"),
        (Kind::Number, _) => format!("`{name}` is a whole number: `{form}`"),
        (Kind::Duration, _) => format!("`{name}` is a duration: `{form}`"),
        (Kind::Text | Kind::Checks, _) => format!("`{name}` is a text: `{form}`"),
    };
    Err(syn::Error::new(lit.span(), problem))
}

fn literal_duration(name: &Ident, text: &syn::LitStr) -> syn::Result<TokenStream> {
    let duration = duration::read(&text.value()).map_err(|problem| syn::Error::new(text.span(), problem))?;
    if duration.is_zero() && name == "time" {
        return Err(syn::Error::new(
            text.span(),
            "this leaves no time to test anything: give it some, or leave `time` out",
        ));
    }
    if duration.is_zero() && name == "timeout" {
        return Err(syn::Error::new(
            text.span(),
            "every case takes longer than this: give it some time, or leave `timeout` out",
        ));
    }
    let (seconds, nanoseconds) = (duration.as_secs(), duration.subsec_nanos());
    Ok(quote_spanned!(text.span() => ::core::time::Duration::new(#seconds, #nanoseconds)))
}

/// `allow(discards, slow)`, one call for each.
fn checks(name: &Ident, span: Span, list: TokenStream) -> syn::Result<TokenStream> {
    let known = CHECKS.map(|(known, _)| known);
    let written = Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list).map_err(|error| {
        syn::Error::new(error.span(), format!("`allow` takes names of health checks: {}", listed(known)))
    })?;
    if written.is_empty() {
        return Err(syn::Error::new(span, format!("say what to allow: {}", listed(known))));
    }
    let mut calls = TokenStream::new();
    for (place, check) in written.iter().enumerate() {
        if written.iter().take(place).any(|earlier| earlier == check) {
            return Err(syn::Error::new(check.span(), format!("`{check}` is allowed already: leave one of them out")));
        }
        let Some((_, variant)) = CHECKS.iter().find(|(known, _)| check == known) else {
            let problem = unknown("health check", &check.to_string(), &known);
            return Err(syn::Error::new(check.span(), problem));
        };
        let variant = Ident::new(variant, check.span());
        calls.extend(quote!(.#name(::retrospect::macros::Health::#variant)));
    }
    Ok(calls)
}
