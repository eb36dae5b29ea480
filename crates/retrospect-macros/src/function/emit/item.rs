//! The struct, the function and the implementations that a generator function becomes.

use super::backward::{Backward, Style};
use super::complete::Complete;
use super::forward::{Ends, Forward};
use super::{Vocabulary, allowed_everywhere, allowed_in_copies, forward_only, hidden};
use crate::function::body::{Body, Site, What};
use crate::function::names::{Names, plain};
use crate::function::plan::{Outer, for_each_bind, plans};
use crate::function::signature::Signature;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Block;

/// Everything for a generator that goes in all directions.
pub(crate) fn emit(signature: &Signature, body: &Body, sites: &[Site]) -> TokenStream {
    let words = Vocabulary::new();
    let (source, reflector, value, sketch) = (&words.source, &words.reflector, &words.value, &words.sketch);
    let outer = outer_names(signature);
    let made = &signature.value;
    let copies = allowed_in_copies();
    let arguments = forward_arguments(signature, body);
    let forward = Forward::of(&words, body).whole(body, made);
    let backward = Backward { words: &words, style: Style::Noting }.whole(body, &outer, made);
    let (at_once, plainly) = Backward { words: &words, style: Style::Plain }.in_two(body, &outer);
    let complete = Complete { words: &words, made: Some(made) }.body(body, &outer);
    let read = quote!((&::retrospect::macros::Structure::<#made>::new()).read(#sketch, #source));
    let structural = is_blind(body, &outer).then(|| {
        let filled = has_inverse(body, &outer).then(|| {
            quote! {
                else if let ::core::option::Option::Some(#value) =
                    ::retrospect::macros::filled_by(self, #sketch, #source, |#sketch, #source| #read)
                {
                    return ::core::result::Result::Ok(#value);
                }
            }
        });
        quote! {
            use ::retrospect::macros::{CannotReadStructure as _, ReadStructure as _};
            if !#sketch.has_holes() {
                if let ::core::option::Option::Some(#value) = #read {
                    return ::retrospect::macros::checked_by(self, #value?, #sketch, #source);
                }
            } #filled
        }
    });
    let identity = identity(signature);
    let methods = quote! {
        #backward

        #copies
        #[inline(always)]
        fn __at_once(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
            #at_once
            ::core::result::Result::Err(::retrospect::macros::Mismatch)
        }

        #copies
        #[inline(never)]
        fn __plainly(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
            #plainly
        }

        #[inline(never)]
        fn __noting(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
            #reflector.call_again(
                &Self::__sites()[0],
                move || #identity,
                ::retrospect::macros::address_of(#value),
                move |#reflector| self.__noting(#value, #reflector),
                move |#reflector| self.__backward(#value, #reflector),
            )
        }

        #copies
        fn __complete(
            &self,
            #sketch: &::retrospect::macros::Sketch<'_>,
            #source: &mut ::retrospect::macros::Source<'_>,
        ) -> ::retrospect::macros::Drawn<#made> {
            #structural
            #complete
        }
    };
    let directions = quote! {
        #[inline(always)]
        fn facts(&self, wanted: ::retrospect::macros::Wanted) -> ::retrospect::macros::Facts {
            ::retrospect::macros::facts(self, wanted, &Self::__sites()[0], || #identity)
        }

        fn reflect(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
            // No more than a jump, unless the value is accepted at once.
            if !#reflector.goes_plainly() {
                return self.__noting(#value, #reflector);
            }
            match self.__at_once(#value, #reflector) {
                ::core::result::Result::Ok(()) => ::core::result::Result::Ok(()),
                ::core::result::Result::Err(_) => self.__plainly(#value, #reflector),
            }
        }

        fn complete(
            &self,
            #sketch: &::retrospect::macros::Sketch<'_>,
            #source: &mut ::retrospect::macros::Source<'_>,
        ) -> ::retrospect::macros::Drawn<#made> {
            if #sketch.is_hole() {
                return ::retrospect::macros::Generator::generate(self, #source);
            }
            ::retrospect::macros::read_once(
                &Self::__sites()[0],
                #identity,
                #sketch,
                #source,
                |#source| self.__complete(#sketch, #source),
            )
        }
    };
    items(signature, sites, &words, quote!(#arguments #forward), methods, directions)
}

/// Everything for a generator that only goes forward.
pub(crate) fn emit_forward_only(signature: &Signature, block: &Block, sites: &mut Vec<Site>) -> TokenStream {
    let words = Vocabulary::new();
    let (source, reflector, value, sketch) = (&words.source, &words.reflector, &words.value, &words.sketch);
    let made = &signature.value;
    let name = plain(&signature.name);
    let arguments = all_arguments(signature);
    let forward = forward_only::rewrite(block, &words, sites);
    let directions = quote! {
        fn reflect(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
            ::retrospect::macros::has_no_inverse(#reflector, #value, #name)
        }

        fn complete(
            &self,
            #sketch: &::retrospect::macros::Sketch<'_>,
            #source: &mut ::retrospect::macros::Source<'_>,
        ) -> ::retrospect::macros::Drawn<#made> {
            if #sketch.is_hole() {
                return ::retrospect::macros::Generator::generate(self, #source);
            }
            ::retrospect::macros::has_no_completion(#source, #sketch, #name)
        }
    };
    items(signature, sites, &words, quote!(#arguments #forward), TokenStream::new(), directions)
}

fn items(
    signature: &Signature,
    sites: &[Site],
    words: &Vocabulary,
    forward: TokenStream,
    methods: TokenStream,
    directions: TokenStream,
) -> TokenStream {
    let Signature { visibility, name, attributes, generics, value, .. } = signature;
    // The name of the type, which stands here often, is not where editors look for the function.
    let mut made_by = name.clone();
    made_by.set_span(name.span().located_at(Span::call_site()));
    let (conditions, lints) = (signature.conditions(), signature.lints());
    let everywhere = allowed_everywhere();
    let source = &words.source;
    let cloning = signature.cloning_generics();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let (cloning_impl_generics, _, cloning_where) = cloning.split_for_impl();
    let fields: Vec<_> = signature.arguments.iter().map(|argument| &argument.name).collect();
    let types: Vec<_> = signature.arguments.iter().map(|argument| &argument.ty).collect();
    let (phantom, marker) = (signature.phantom(), hidden("__marker"));
    let plain_name = plain(name);
    let doc = format!("The generator made by [`{plain_name}`](fn@{plain_name}).");
    let statics = statics(&plain_name, sites);
    let count = sites.len();
    let fn_attributes = attributes.iter().filter(|attribute| !attribute.path().is_ident("expect"));
    let shown = fields.iter().map(|field| quote!(.field((&::retrospect::macros::Shown(&self.#field)).shown())));
    let turbofish = type_generics.as_turbofish();
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
        #[must_use = "a generator makes nothing until it is asked to, for example with `sample`"]
        #visibility struct #made_by #impl_generics #where_clause {
            #(#fields: #types,)*
            #marker: #phantom,
        }

        #(#fn_attributes)*
        #[allow(clippy::multiple_bound_locations)]
        #visibility fn #name #cloning_impl_generics (#(#fields: #types),*) -> #made_by #type_generics #cloning_where {
            #made_by #turbofish { #(#fields,)* #marker: ::core::marker::PhantomData }
        }

        #(#conditions)*
        #[automatically_derived]
        #everywhere
        impl #cloning_impl_generics ::core::clone::Clone for #made_by #type_generics #cloning_where {
            fn clone(&self) -> Self {
                #made_by { #(#fields: ::core::clone::Clone::clone(&self.#fields),)* #marker: ::core::marker::PhantomData }
            }
        }

        #(#conditions)*
        #[automatically_derived]
        #everywhere
        impl #impl_generics ::core::fmt::Debug for #made_by #type_generics #where_clause {
            fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #[allow(unused_imports)]
                use ::retrospect::macros::{ShowDebug as _, ShowNothing as _};
                __formatter.debug_tuple(#plain_name)#(#shown)*.finish()
            }
        }

        #(#conditions)*
        #[doc(hidden)]
        #[allow(dead_code)]
        #everywhere
        #(#lints)*
        impl #cloning_impl_generics #made_by #type_generics #cloning_where {
            #[inline(always)]
            fn __sites() -> &'static [::retrospect::macros::Site; #count] {
                static SITES: [::retrospect::macros::Site; #count] = [#(#statics),*];
                &SITES
            }

            #[inline(always)]
            fn __forward(&self, #source: &mut ::retrospect::macros::Source<'_>) -> ::retrospect::macros::Drawn<#value> {
                #forward
            }

            #methods
        }

        #(#conditions)*
        #[automatically_derived]
        #everywhere
        impl #cloning_impl_generics ::retrospect::macros::Generator for #made_by #type_generics #cloning_where {
            type Value = #value;

            #[inline]
            fn generate(&self, #source: &mut ::retrospect::macros::Source<'_>) -> ::retrospect::macros::Drawn<#value> {
                ::retrospect::macros::call(self, &Self::__sites()[0], #source, |#source| self.__forward(#source))
            }

            #directions
        }
    }
}

fn statics<'s>(name: &'s str, sites: &'s [Site]) -> impl Iterator<Item = TokenStream> + 's {
    sites.iter().map(move |site| {
        let suffix = format!("::{name}{}", site.suffix);
        let path = quote!(::core::concat!(::core::module_path!(), #suffix));
        let line = site.span.unwrap().start().line() as u32;
        match &site.labels {
            None => quote_spanned!(site.span=> ::retrospect::macros::Site::call(#path, ::core::file!(), #line)),
            Some(labels) => quote_spanned! {site.span=>
                ::retrospect::macros::Site::pick(#path, &[#(#labels),*], ::core::file!(), #line)
            },
        }
    })
}

fn outer_names(signature: &Signature) -> Vec<Outer> {
    let outer = |argument: &crate::function::signature::Argument| Outer {
        name: argument.name.clone(),
        is_mutable: argument.is_mutable,
        is_argument: true,
    };
    signature.arguments.iter().map(outer).collect()
}

/// The arguments for the forward direction: those that the body mentions.
fn forward_arguments(signature: &Signature, body: &Body) -> TokenStream {
    let words = Vocabulary::new();
    let code = Forward::new(&words).body(body, Ends::Here);
    super::bind_outer(&outer_names(signature), &crate::function::names::mentioned(&code))
}

fn all_arguments(signature: &Signature) -> TokenStream {
    let mut names = Names::new();
    for argument in &signature.arguments {
        names.insert(argument.name.to_string());
    }
    super::bind_outer(&outer_names(signature), &names)
}

/// Tells two generators of this function apart by their arguments.
fn identity(signature: &Signature) -> TokenStream {
    if signature.arguments.is_empty() && !signature.has_type_parameters() {
        return quote!(::core::option::Option::Some(0));
    }
    let start = match signature.has_type_parameters() {
        true => quote!(::retrospect::macros::identity_of_type::<Self>()),
        false => quote!(::retrospect::macros::empty_identity()),
    };
    let fields = signature.arguments.iter().map(|argument| &argument.name);
    quote!({
        #[allow(unused_imports)]
        use ::retrospect::macros::{BitsIdentity as _, GeneratorIdentity as _, HashIdentity as _, NoIdentity as _};
        let __identity = #start;
        #(let __identity = (&&&&::retrospect::macros::Identity(&self.#fields)).add_to(__identity);)*
        ::retrospect::macros::finish_identity(__identity)
    })
}

/// Whether a value is recalled by an inverse.
fn has_inverse(body: &Body, outer: &[Outer]) -> bool {
    plans(body, outer, &mut crate::errors::Errors::default()).iter().any(|plan| plan.path.tail.inverse.is_some())
}

/// Whether something is drawn that no sketch tells.
fn is_blind(body: &Body, outer: &[Outer]) -> bool {
    let mut has_blind_sub = false;
    for_each_bind(body, &mut |bind| {
        if let What::Sub { body, .. } = &bind.what {
            has_blind_sub |= is_blind(body, outer);
        }
    });
    has_blind_sub || plans(body, outer, &mut crate::errors::Errors::default()).iter().any(|plan| plan.is_blind())
}
