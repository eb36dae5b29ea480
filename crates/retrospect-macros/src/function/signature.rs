//! The signature of a generator function, and the struct that is made of it.

use super::names::mentioned;
use crate::errors::Errors;
use proc_macro2::Span;
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, FnArg, GenericParam, Generics, Ident, Lifetime, LifetimeParam, Pat, ReturnType, Type, TypeParam,
    Visibility, WherePredicate, parse_quote,
};

/// What is known of a generator function from its head.
pub(crate) struct Signature {
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// Doc comments and the like, for the function.
    pub(crate) attributes: Vec<Attribute>,
    /// The user's, with names for elided lifetimes and for `impl Trait` arguments.
    pub(crate) generics: Generics,
    pub(crate) arguments: Vec<Argument>,
    /// The type it makes.
    pub(crate) value: Type,
}

pub(crate) struct Argument {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) is_mutable: bool,
}

impl Signature {
    pub(crate) fn read(
        attributes: Vec<Attribute>,
        visibility: Visibility,
        signature: &syn::Signature,
        errors: &mut Errors,
    ) -> Signature {
        refuse_kinds(signature, errors);
        let mut generics = signature.generics.clone();
        let mut namer = Namer::default();
        let mut arguments = Vec::new();
        for input in &signature.inputs {
            arguments.extend(argument(input, &mut namer, errors));
        }
        let value = value_type(signature, &generics, &namer, errors);
        let named_lifetimes = generics.lifetimes().count();
        for lifetime in namer.lifetimes {
            generics.params.insert(named_lifetimes, GenericParam::Lifetime(LifetimeParam::new(lifetime)));
        }
        generics.params.extend(namer.types.into_iter().map(GenericParam::Type));
        Signature { visibility, name: signature.ident.clone(), attributes, generics, arguments, value }
    }

    /// The attributes that decide whether an item exists.
    pub(crate) fn conditions(&self) -> Vec<&Attribute> {
        self.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
    }

    /// The attributes that set lints.
    pub(crate) fn lints(&self) -> Vec<&Attribute> {
        let is_lint = |attribute: &&Attribute| {
            ["allow", "warn", "deny", "expect"].iter().any(|lint| attribute.path().is_ident(lint))
        };
        self.attributes.iter().filter(is_lint).collect()
    }

    /// The names of the constant parameters.
    pub(crate) fn constants(&self) -> Vec<Ident> {
        self.generics.const_params().map(|parameter| parameter.ident.clone()).collect()
    }

    /// The name of the type it makes.
    pub(crate) fn value_name(&self) -> Option<Ident> {
        match &self.value {
            Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.clone()),
            _ => None,
        }
    }

    /// The generics with `Clone` for the arguments whose types have parameters: the body gets a
    /// clone of each argument.
    pub(crate) fn cloning_generics(&self) -> Generics {
        let mut generics = self.generics.clone();
        let parameters: Vec<Ident> = generics.type_params().map(|parameter| parameter.ident.clone()).collect();
        let mut predicates: Vec<WherePredicate> = Vec::new();
        for argument in &self.arguments {
            let names = mentioned(&argument.ty);
            let is_generic = parameters.iter().any(|parameter| names.contains(&parameter.to_string()));
            if is_generic && !matches!(argument.ty, Type::Reference(_)) {
                let ty = &argument.ty;
                predicates.push(parse_quote!(#ty: ::core::clone::Clone));
            }
        }
        if !predicates.is_empty() {
            generics.make_where_clause().predicates.extend(predicates);
        }
        generics
    }

    /// A phantom that uses every parameter.
    pub(crate) fn phantom(&self) -> Type {
        let parts = self.generics.params.iter().filter_map(|parameter| -> Option<Type> {
            match parameter {
                GenericParam::Lifetime(parameter) => {
                    let lifetime = &parameter.lifetime;
                    Some(parse_quote!(&#lifetime ()))
                }
                GenericParam::Type(parameter) => {
                    let name = &parameter.ident;
                    Some(parse_quote!(::core::marker::PhantomData<#name>))
                }
                GenericParam::Const(_) => None,
            }
        });
        let parts: Punctuated<Type, syn::Token![,]> = parts.collect();
        let comma = (parts.len() == 1).then(<syn::Token![,]>::default);
        parse_quote!(::core::marker::PhantomData<fn() -> (#parts #comma)>)
    }

    /// Whether two generators of this function may differ in more than their arguments.
    pub(crate) fn has_type_parameters(&self) -> bool {
        self.generics.type_params().next().is_some() || self.generics.const_params().next().is_some()
    }
}

fn refuse_kinds(signature: &syn::Signature, errors: &mut Errors) {
    let kinds = [
        (signature.constness.to_token_stream(), "`const`"),
        (signature.asyncness.to_token_stream(), "`async`"),
        (signature.unsafety.to_token_stream(), "`unsafe`"),
        (signature.abi.to_token_stream(), "`extern`"),
        (signature.variadic.to_token_stream(), "variadic"),
    ];
    for (token, kind) in kinds {
        if !token.is_empty() {
            errors.on(&token, format!("a generator is an ordinary function: it cannot be {kind}"));
        }
    }
}

fn argument(input: &FnArg, namer: &mut Namer, errors: &mut Errors) -> Option<Argument> {
    match input {
        FnArg::Receiver(receiver) => {
            errors.on(
                receiver,
                "a generator becomes a struct beside its function, so it cannot be a method: move it out of the `impl` and pass \
                 what it needs as an argument",
            );
            None
        }
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
                let mut ty = (*typed.ty).clone();
                namer.visit_type_mut(&mut ty);
                Some(Argument { name: pattern.ident.clone(), ty, is_mutable: pattern.mutability.is_some() })
            }
            pattern => {
                errors.on(
                    pattern,
                    "an argument of a generator is a plain name, since it becomes a field: take it apart in the body with a `let`",
                );
                None
            }
        },
    }
}

fn value_type(signature: &syn::Signature, generics: &Generics, namer: &Namer, errors: &mut Errors) -> Type {
    let ReturnType::Type(_, ty) = &signature.output else {
        errors.on(&signature.ident, format!("a generator says what it makes: `fn {}(…) -> Type`", signature.ident));
        return parse_quote!(());
    };
    if let Type::ImplTrait(ty) = &**ty {
        errors.on(ty, "a generator says which type it makes: `impl Trait` hides what going backward has to take apart");
        return parse_quote!(());
    }
    let mut ty = (**ty).clone();
    let mut inputs = generics.lifetimes().map(|parameter| parameter.lifetime.clone()).chain(namer.lifetimes.clone());
    let only = match (inputs.next(), inputs.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    let mut filler = Filler { only, elided: None };
    filler.visit_type_mut(&mut ty);
    if let Some(span) = filler.elided {
        errors.at(span, "name this lifetime: which of the arguments it comes from cannot be told");
    }
    ty
}

/// Gives names to elided lifetimes and to `impl Trait`.
#[derive(Default)]
struct Namer {
    lifetimes: Vec<Lifetime>,
    types: Vec<TypeParam>,
}

impl Namer {
    fn lifetime(&mut self, span: Span) -> Lifetime {
        let lifetime = Lifetime::new(&format!("'__{}", self.lifetimes.len()), span);
        self.lifetimes.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for Namer {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.lifetime(reference.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.lifetime(lifetime.span());
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::ImplTrait(bounds) = ty {
            let name = format_ident!("__T{}", self.types.len(), span = bounds.span());
            let bounds = &bounds.bounds;
            self.types.push(parse_quote!(#name: #bounds));
            *ty = parse_quote!(#name);
        }
    }

    // Lifetimes elided in `fn(&T)` and `Fn(&T)` are bound there.
    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}

/// Fills elided lifetimes of the return type.
struct Filler {
    only: Option<Lifetime>,
    elided: Option<Span>,
}

impl VisitMut for Filler {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            match &self.only {
                Some(only) => reference.lifetime = Some(only.clone()),
                None => self.elided = Some(reference.and_token.span),
            }
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            match &self.only {
                Some(only) => *lifetime = only.clone(),
                None => self.elided = Some(lifetime.span()),
            }
        }
    }

    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}
