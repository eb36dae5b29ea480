//! `#[derive(Generate)]`: writes the generator one would have written.

mod emit;
mod read;

use crate::errors::Errors;
use proc_macro2::TokenStream;
use syn::DeriveInput;

/// Expands the derive.
pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    match read::Input::read(input, &mut errors) {
        Some(input) if errors.is_empty() => emit::emit(&input),
        _ => errors.into_tokens(),
    }
}
