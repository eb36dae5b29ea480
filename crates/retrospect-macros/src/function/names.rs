//! Which names a piece of code mentions and binds.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Pat};

/// A set of names, in their order. They are few, and a tree of the standard library takes longer to
/// compile than any of this.
#[derive(Clone, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn new() -> Names {
        Names::default()
    }

    /// `false` if it was there already.
    pub(crate) fn insert(&mut self, name: String) -> bool {
        let Err(place) = self.0.binary_search(&name) else { return false };
        self.0.insert(place, name);
        true
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
    }

    pub(crate) fn extend(&mut self, more: Names) {
        for name in more.0 {
            self.insert(name);
        }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, String> {
        self.0.iter()
    }
}

/// The names that a piece of code mentions. Too many rather than too few: a name counted by mistake
/// costs one clone.
pub(crate) fn mentioned(code: &impl ToTokens) -> Names {
    let mut names = Names::new();
    collect(code.to_token_stream(), &mut names);
    names
}

fn collect(tokens: TokenStream, names: &mut Names) {
    // After a single dot stands a field or a method; after two, a name.
    let mut dots = 0;
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Ident(ident) if dots != 1 => {
                names.insert(ident.to_string());
            }
            TokenTree::Literal(literal) => names_in_format_string(&literal.to_string(), names),
            TokenTree::Punct(punct) if punct.as_char() == '.' => {
                dots = if punct.spacing() == Spacing::Joint || dots > 0 { 2 } else { 1 };
                continue;
            }
            _ => {}
        }
        dots = 0;
    }
}

/// `"{x}"` mentions `x`, as far as can be told without knowing the macro that gets the string.
fn names_in_format_string(literal: &str, names: &mut Names) {
    if !literal.ends_with('"') {
        return;
    }
    for piece in literal.split('{').skip(1) {
        let end = piece.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(piece.len());
        if end > 0 {
            names.insert(piece[..end].to_owned());
        }
    }
}

/// A name that a pattern binds.
#[derive(Clone)]
pub(crate) struct Bound {
    pub(crate) name: Ident,
    pub(crate) is_mutable: bool,
}

/// The names that a pattern binds, in order. A lone name that begins with a capital letter is a
/// constant or a variant.
pub(crate) fn bound_by(pattern: &Pat) -> Vec<Bound> {
    let mut bound = Vec::new();
    if let Pat::Ident(pattern) = pattern {
        let is_name = !pattern.ident.to_string().starts_with(char::is_uppercase);
        if is_name || pattern.subpat.is_some() || pattern.mutability.is_some() {
            bound.push(Bound { name: pattern.ident.clone(), is_mutable: pattern.mutability.is_some() });
        }
    }
    for inner in patterns_inside(pattern) {
        bound.extend(bound_by(inner));
    }
    bound
}

/// The patterns directly inside a pattern, in order.
///
/// A visitor of `syn` would do, but it comes with the code to walk through everything that can
/// stand in Rust, for each visitor again. The same is why the visitors here say what they do not
/// look into.
pub(crate) fn patterns_inside(pattern: &Pat) -> Vec<&Pat> {
    match pattern {
        Pat::Ident(node) => node.subpat.iter().map(|(_, inner)| &**inner).collect(),
        Pat::Or(node) => node.cases.iter().collect(),
        Pat::Paren(node) => vec![&node.pat],
        Pat::Reference(node) => vec![&node.pat],
        Pat::Slice(node) => node.elems.iter().collect(),
        Pat::Struct(node) => node.fields.iter().map(|field| &*field.pat).collect(),
        Pat::Tuple(node) => node.elems.iter().collect(),
        Pat::TupleStruct(node) => node.elems.iter().collect(),
        Pat::Type(node) => vec![&node.pat],
        _ => Vec::new(),
    }
}

/// The names that the patterns inside an `if` condition bind: `if let Some(x) = …`.
pub(crate) fn bound_by_condition(condition: &syn::Expr) -> Vec<Bound> {
    match condition {
        syn::Expr::Let(binding) => bound_by(&binding.pat),
        syn::Expr::Binary(binary) => {
            let mut names = bound_by_condition(&binary.left);
            names.extend(bound_by_condition(&binary.right));
            names
        }
        _ => Vec::new(),
    }
}

/// A name as it is printed, without the `r#` of a raw identifier.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// Code as the user wrote it, on one line, cut off if it is long.
pub(crate) fn shown(code: &impl ToTokens) -> String {
    let mut writer = Writer { text: String::new(), end: None };
    writer.write(code.to_token_stream());
    match writer.text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &writer.text[..end]),
        None => writer.text,
    }
}

/// Puts a space between two tokens where there was one, which their places tell.
struct Writer {
    text: String,
    end: Option<(usize, usize)>,
}

impl Writer {
    fn write(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::None => ("", ""),
                    };
                    // The span of a rebuilt group is the whole of it, so only its outer ends can be
                    // relied on.
                    let (start, end) = (group.span_open().unwrap().start(), group.span_close().unwrap().end());
                    let (start, end) = ((start.line(), start.column()), (end.line(), end.column()));
                    self.push(open, start, (start.0, start.1 + open.len()));
                    self.write(group.stream());
                    self.push(close, (end.0, end.1.saturating_sub(close.len())), end);
                }
                token => {
                    let (start, end) = (token.span().unwrap().start(), token.span().unwrap().end());
                    self.push(&token.to_string(), (start.line(), start.column()), (end.line(), end.column()));
                }
            }
        }
    }

    fn push(&mut self, token: &str, start: (usize, usize), end: (usize, usize)) {
        let is_apart = self.end.is_some_and(|before| before != start);
        if is_apart && !self.text.is_empty() && !token.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(token);
        self.end = Some(end);
    }
}
