//! Tails: the expressions that build a value going forward and take it apart going backward.

use super::names::plain;
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprMacro, ExprPath, ExprStruct, Ident, Member, Path, QSelf, Token};

/// What a tail is made of.
pub(crate) enum Shape {
    /// A name: a drawn one is bound to the part, any other is compared with it.
    Name(Ident),
    /// Something without drawn names of its own, worked out and compared.
    Computed(Expr),
    /// A struct or a variant.
    Constructor {
        constructor: Constructor,
        fields: Fields,
    },
    Tuple(Vec<Shape>),
    Array(Vec<Shape>),
    /// `vec![…]`.
    List(Vec<Shape>),
    /// `Box::new(…)`, `Rc::new(…)`, `Arc::new(…)`.
    Pointer(Box<Shape>),
}

/// The path of a struct or variant.
pub(crate) struct Constructor {
    pub(crate) qself: Option<QSelf>,
    pub(crate) path: Path,
    /// Whether it is a variant rather than a struct, as far as the path tells.
    pub(crate) is_variant: bool,
}

impl Constructor {
    /// The last part of the path, as `Debug` prints it.
    pub(crate) fn name(&self) -> String {
        self.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default()
    }

    /// The path without type arguments.
    pub(crate) fn full_name(&self) -> String {
        let segments: Vec<String> = self.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        segments.join("::")
    }
}

pub(crate) enum Fields {
    Unit,
    Tuple(Vec<Shape>),
    Named(Vec<(Member, Shape)>),
}

/// What reading a tail needs to know of its surroundings.
pub(crate) trait Surroundings {
    /// A `draw(generator)` inside the tail: gives the name it is hoisted under.
    fn hoist(&mut self, generator: Expr, span: Span) -> Ident;
    /// Whether a name is a constant parameter of the generator.
    fn is_const(&self, name: &Ident) -> bool;
    /// The name of the type the generator makes, if it has one.
    fn made_type(&self) -> Option<&Ident>;
    /// Looks for what must not stand inside an expression.
    fn check(&mut self, expression: &Expr);
    /// Something that cannot be inverted.
    fn refuse(&mut self, span: Span, message: &str);
}

/// Reads a tail. Draws inside it are hoisted: `expression` is changed to mention their names
/// instead.
pub(crate) fn shape_of(expression: &mut Expr, around: &mut impl Surroundings) -> Shape {
    if let Some(generator) = drawn_generator(expression) {
        let name = around.hoist(generator, expression.span());
        *expression = syn::parse_quote!(#name);
        return Shape::Name(name);
    }
    match expression {
        Expr::Paren(inner) => shape_of(&mut inner.expr, around),
        Expr::Group(inner) => shape_of(&mut inner.expr, around),
        Expr::Call(call) if is_pointer(call) => Shape::Pointer(Box::new(shape_of(&mut call.args[0], around))),
        Expr::Call(call) => match constructor(&call.func, around) {
            Some(constructor) => {
                let fields = call.args.iter_mut().map(|field| shape_of(field, around)).collect();
                Shape::Constructor { constructor, fields: Fields::Tuple(fields) }
            }
            None => computed(expression, around),
        },
        Expr::Struct(literal) => struct_shape(literal, around),
        Expr::Tuple(tuple) => Shape::Tuple(tuple.elems.iter_mut().map(|item| shape_of(item, around)).collect()),
        Expr::Array(array) => Shape::Array(array.elems.iter_mut().map(|item| shape_of(item, around)).collect()),
        Expr::Macro(call) => match list_items(call) {
            Some(mut items) => {
                let shapes = items.iter_mut().map(|item| shape_of(item, around)).collect();
                call.mac.tokens = quote::quote!(#items);
                Shape::List(shapes)
            }
            None => computed(expression, around),
        },
        // `x.clone()` is the same value as `x`.
        Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => {
            match name_of(&call.receiver, around) {
                Some(name) => Shape::Name(name),
                None => computed(expression, around),
            }
        }
        Expr::Path(_) => match name_of(expression, around) {
            Some(name) => Shape::Name(name),
            None => match constructor(expression, around) {
                Some(constructor) if !is_constant(&constructor.path) => {
                    Shape::Constructor { constructor, fields: Fields::Unit }
                }
                _ => computed(expression, around),
            },
        },
        _ => computed(expression, around),
    }
}

fn computed(expression: &Expr, around: &mut impl Surroundings) -> Shape {
    around.check(expression);
    Shape::Computed(expression.clone())
}

fn struct_shape(literal: &mut ExprStruct, around: &mut impl Surroundings) -> Shape {
    if let Some(rest) = &literal.rest {
        around.refuse(
            rest.span(),
            "the fields behind `..` cannot be told apart going backward: write all fields of the tail, \
             or use #[inverse(…)] or #[generator(forward)]",
        );
    }
    let is_variant = is_variant(&literal.path, around);
    let constructor = Constructor { qself: literal.qself.clone(), path: literal.path.clone(), is_variant };
    let mut fields = Vec::new();
    for field in &mut literal.fields {
        let shape = shape_of(&mut field.expr, around);
        // `Point { x }` with a hoisted or renamed `x` is no longer a shorthand.
        field.colon_token.get_or_insert_default();
        fields.push((field.member.clone(), shape));
    }
    Shape::Constructor { constructor, fields: Fields::Named(fields) }
}

/// The argument of `draw(…)`.
pub(crate) fn drawn_generator(expression: &Expr) -> Option<Expr> {
    let Expr::Call(call) = expression else { return None };
    (is_item(&call.func, "draw") && call.args.len() == 1).then(|| call.args[0].clone())
}

/// Whether an expression names an item of the prelude.
pub(crate) fn is_item(expression: &Expr, name: &str) -> bool {
    let Expr::Path(ExprPath { qself: None, path, .. }) = expression else { return false };
    let is_last = path.segments.last().is_some_and(|segment| segment.ident == name);
    is_last && (path.segments.len() == 1 || path.segments[0].ident == "retrospect")
}

fn name_of(expression: &Expr, around: &impl Surroundings) -> Option<Ident> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = expression else { return None };
    let name = path.get_ident()?;
    let is_name = !name.to_string().starts_with(char::is_uppercase) && !around.is_const(name);
    is_name.then(|| name.clone())
}

fn constructor(expression: &Expr, around: &impl Surroundings) -> Option<Constructor> {
    let Expr::Path(ExprPath { qself, path, .. }) = expression else { return None };
    let last = &path.segments.last()?.ident;
    let is_constructor = plain(last).starts_with(char::is_uppercase);
    let is_const_parameter = path.get_ident().is_some_and(|name| around.is_const(name));
    (is_constructor && !is_const_parameter).then(|| Constructor {
        qself: qself.clone(),
        path: path.clone(),
        is_variant: is_variant(path, around),
    })
}

/// `Tree::Leaf` and `Some` are variants; `Point` and `geometry::Point` are structs if that is what
/// the generator makes.
fn is_variant(path: &Path, around: &impl Surroundings) -> bool {
    let Some(last) = path.segments.last() else { return false };
    match path.segments.iter().rev().nth(1) {
        Some(before) if plain(&before.ident).starts_with(char::is_uppercase) => true,
        Some(_) => false,
        None => around.made_type() != Some(&last.ident) && last.ident != "Self",
    }
}

/// Constants are written in capitals; `Z` alone is taken for a variant.
fn is_constant(path: &Path) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let name = plain(&last.ident);
    name.chars().count() > 1 && !name.chars().any(char::is_lowercase)
}

fn is_pointer(call: &ExprCall) -> bool {
    let Expr::Path(ExprPath { path, .. }) = &*call.func else { return false };
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (new, pointer) = (names.next(), names.next());
    call.args.len() == 1 && new.as_deref() == Some("new") && matches!(pointer.as_deref(), Some("Box" | "Rc" | "Arc"))
}

/// The items of `vec![a, b, c]`.
pub(crate) fn list_items(call: &ExprMacro) -> Option<Punctuated<Expr, Token![,]>> {
    if !call.mac.path.is_ident("vec") {
        return None;
    }
    call.mac.parse_body_with(Punctuated::parse_terminated).ok()
}
