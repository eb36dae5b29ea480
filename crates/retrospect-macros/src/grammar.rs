//! `grammar!`: a grammar that is checked when the program is compiled.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use retrospect_grammar::{Grammar, GrammarError};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token};

use crate::errors::Errors;
use crate::nearest::unknown;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match syn::parse2::<Input>(input) {
        Ok(input) => checked(&input).unwrap_or_else(|errors| {
            let errors = errors.into_tokens();
            // An expression is one: several errors need a block.
            quote!({ #errors })
        }),
        Err(error) => error.into_compile_error(),
    }
}

/// `"…"` or `file = "…"`, then perhaps `start = "…"`.
struct Input {
    text: LitStr,
    is_file: bool,
    start: Option<LitStr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Input> {
        const USE: &str = "expected a grammar in quotes: `grammar!(\"…\")`, or its file: `grammar!(file = \"…\")`";
        let is_file = input.peek(Ident) && input.peek2(Token![=]);
        if is_file {
            option(input, &["file"])?;
        }
        let text: LitStr = input.parse().map_err(|error| syn::Error::new(error.span(), USE))?;
        let mut start = None;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        if !input.is_empty() {
            option(input, &["start"])?;
            start = Some(input.parse::<LitStr>()?);
            input.parse::<Option<Token![,]>>()?;
        }
        match input.is_empty() {
            true => Ok(Input { text, is_file, start }),
            false => Err(input.error("unexpected: a grammar is followed by `start = \"rule\"` and nothing else")),
        }
    }
}

/// `name =`, if it is one of these names.
fn option(input: ParseStream<'_>, names: &[&str]) -> syn::Result<()> {
    let name: Ident = input.parse()?;
    if !names.iter().any(|known| name == known) {
        return Err(syn::Error::new(name.span(), unknown("option", &name.to_string(), names)));
    }
    input.parse::<Token![=]>()?;
    Ok(())
}

/// Reads the grammar as the program will, and writes the code that does so, once.
fn checked(input: &Input) -> Result<TokenStream, Errors> {
    let span = input.text.span();
    let written = input.text.value();
    let mut errors = Errors::default();
    let literal = &input.text;
    let (text, name, code) = match input.is_file {
        false => (written, "in this grammar, ".to_owned(), quote!(#literal)),
        true => {
            let path = path_of(&written);
            let text = match std::fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) => {
                    let message = format!("{written} cannot be read: {error}\npaths begin at the folder of Cargo.toml");
                    errors.at(span, message);
                    return Err(errors);
                }
            };
            // `include_str!` also has the program compiled again when the file changes.
            let path = path.to_string_lossy();
            (text, format!("{written}:"), quote_spanned!(span => ::core::include_str!(#path)))
        }
    };
    let start = input.start.as_ref();
    let start_name = start.map(LitStr::value);
    match Grammar::read(&text) {
        Err(error) => tell(&error, span, &name, &mut errors),
        Ok(grammar) => {
            if let (Some(start), Some(name)) = (start, &start_name)
                && let Err(error) = grammar.start_from(name)
            {
                tell(&error, start.span(), "", &mut errors);
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let start = match start {
        Some(start) => quote!(::core::option::Option::Some(#start)),
        None => quote!(::core::option::Option::None),
    };
    Ok(quote! {{
        static GRAMMAR: ::std::sync::LazyLock<::retrospect::text::Text> =
            ::std::sync::LazyLock::new(|| ::retrospect::macros::checked_grammar(#code, #start));
        ::retrospect::text::Text::clone(&GRAMMAR)
    }})
}

/// A compile error for each fault.
fn tell(error: &GrammarError, span: Span, name: &str, errors: &mut Errors) {
    for fault in error.faults() {
        errors.at(span, format!("{name}{fault}"));
    }
}

/// A path from the folder of the manifest of the crate that is compiled.
fn path_of(written: &str) -> std::path::PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    std::path::Path::new(&folder).join(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the compiler is told about a file, or the code.
    fn expanded(file: &str) -> String {
        expand(quote!(file = #file)).to_string()
    }

    #[test]
    fn a_file_is_read_from_the_folder_of_the_manifest() {
        let code = expanded("src/grammar/list.ebnf");
        let folder = env!("CARGO_MANIFEST_DIR");
        assert!(code.contains("include_str"), "{code}");
        assert!(code.contains(folder), "{code}");
    }

    #[test]
    fn faults_of_a_file_begin_with_its_name() {
        let told = expanded("src/grammar/wrong.ebnf");
        let said = "src/grammar/wrong.ebnf:2:14: expected a part, found `|`\\n    item = \\\"x\\\" | | \\\"y\\\" ;";
        assert!(told.contains("compile_error") && told.contains(said), "{told}");
        let told = expanded("src/grammar/no_such_file.ebnf");
        assert!(told.contains("src/grammar/no_such_file.ebnf cannot be read: "), "{told}");
    }
}
