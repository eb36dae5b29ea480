//! Reads a type and its `#[generate(…)]` attributes.

use crate::errors::Errors;
use crate::function::plain;
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Expr, Generics, Ident, Member, Type};

/// A type that derives `Generate`.
pub(crate) struct Input {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) is_enum: bool,
    /// The variants that are made; a struct has one.
    pub(crate) variants: Vec<Variant>,
    /// The variants that are left out.
    pub(crate) skipped: Vec<Ident>,
}

pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) weight: Option<Expr>,
    pub(crate) fields: Vec<Field>,
    pub(crate) is_tuple: bool,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    /// What later fields call it: its own name, or `_0` in a tuple.
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) from: From,
}

/// Where a field's value comes from.
pub(crate) enum From {
    /// The generator of its type.
    Any,
    /// A generator that the user names.
    With(Expr),
    /// It is always the same.
    Default(Option<Expr>),
}

impl Input {
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Input> {
        for attribute in ours(&input.attrs) {
            errors.on(attribute, "`#[generate(…)]` belongs on a field or a variant");
        }
        let mut skipped = Vec::new();
        let mut variants = Vec::new();
        match &input.data {
            Data::Struct(data) => variants.push(variant(&input.ident, &data.fields, None, errors)),
            Data::Enum(data) => {
                for case in &data.variants {
                    let (weight, is_skipped) = variant_options(&case.attrs, errors);
                    match is_skipped {
                        true => skipped.push(case.ident.clone()),
                        false => variants.push(variant(&case.ident, &case.fields, weight, errors)),
                    }
                }
            }
            Data::Union(data) => {
                errors.at(
                    data.union_token.span,
                    "a union cannot tell which of its fields it holds, so it cannot be read backwards: use an enum",
                );
                return None;
            }
        }
        if variants.is_empty() {
            let message = match skipped.is_empty() {
                true => "an enum without variants has no values, so there is nothing to generate: add a variant",
                false => "every variant is skipped, so there is nothing to generate: leave one in",
            };
            errors.on(&input.ident, message);
            return None;
        }
        let is_enum = matches!(input.data, Data::Enum(_));
        Some(Input { name: input.ident.clone(), generics: input.generics.clone(), is_enum, variants, skipped })
    }

    pub(crate) fn has_type_parameters(&self) -> bool {
        self.generics.type_params().next().is_some() || self.generics.const_params().next().is_some()
    }
}

fn variant(name: &Ident, fields: &syn::Fields, weight: Option<Expr>, errors: &mut Errors) -> Variant {
    let mut read = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        let (member, name) = match &field.ident {
            Some(name) => (Member::Named(name.clone()), name.clone()),
            None => (Member::Unnamed(place.into()), format_ident!("_{place}", span = field.ty.span())),
        };
        read.push(Field { member, name, ty: field.ty.clone(), from: field_options(&field.attrs, errors) });
    }
    Variant { name: name.clone(), weight, fields: read, is_tuple: matches!(fields, syn::Fields::Unnamed(_)) }
}

fn ours(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("generate"))
}

fn field_options(attributes: &[Attribute], errors: &mut Errors) -> From {
    let known = "a field takes `with = generator`, `default` or `default = value`";
    let mut from = From::Any;
    for attribute in ours(attributes) {
        let result = attribute.parse_nested_meta(|meta| {
            if !matches!(from, From::Any) {
                return Err(meta.error("this field has its generator already: give one of `with` and `default`"));
            }
            if meta.path.is_ident("with") {
                from = From::With(meta.value().map_err(|_| meta.error("write `with = generator`"))?.parse()?);
                Ok(())
            } else if meta.path.is_ident("default") {
                let value = if meta.input.peek(syn::Token![=]) { Some(meta.value()?.parse()?) } else { None };
                from = From::Default(value);
                Ok(())
            } else if meta.path.is_ident("weight") || meta.path.is_ident("skip") {
                Err(meta.error(format!("this option belongs on a variant; {known}")))
            } else {
                Err(meta.error(format!("unknown option: {known}")))
            }
        });
        if let Err(error) = result {
            errors.push(error);
        }
    }
    from
}

fn variant_options(attributes: &[Attribute], errors: &mut Errors) -> (Option<Expr>, bool) {
    let known = "a variant takes `weight = number` or `skip`";
    let mut weight = None;
    let mut is_skipped = false;
    for attribute in ours(attributes) {
        let result = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("weight") {
                weight = Some(meta.value().map_err(|_| meta.error("write `weight = number`"))?.parse()?);
                Ok(())
            } else if meta.path.is_ident("skip") {
                is_skipped = true;
                Ok(())
            } else if meta.path.is_ident("with") || meta.path.is_ident("default") {
                Err(meta.error(format!("this option belongs on a field; {known}")))
            } else {
                Err(meta.error(format!("unknown option: {known}")))
            }
        });
        if let Err(error) = result {
            errors.push(error);
        }
    }
    (weight, is_skipped)
}

impl Variant {
    /// As `Debug` prints it.
    pub(crate) fn label(&self) -> String {
        plain(&self.name)
    }
}
