//! Compile errors, collected so that one run of the compiler shows all of them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// An error at one place.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// An error that underlines a whole piece of code.
    pub(crate) fn on(&mut self, code: &impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(code, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// `compile_error!`s for all of them.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(|errors| errors.into_compile_error()).unwrap_or_default()
    }
}
