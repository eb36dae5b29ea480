//! Writes the three directions of a type's own generator.

use super::read::{Field, From, Input, Variant};
use crate::function::{mentioned, plain};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Member};

/// The implementations of `Generate` and of what stands behind it.
pub(crate) fn emit(input: &Input) -> TokenStream {
    let name = &input.name;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(::retrospect::macros::Generate));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let shapes = hidden("__shapes");
    let fields = input.variants.iter().map(|variant| {
        let fields = variant.fields.iter().map(|field| match &field.from {
            From::Any => {
                let ty = &field.ty;
                quote_spanned!(ty.span()=> <#ty as ::retrospect::macros::Generate>::shape(#shapes))
            }
            From::With(_) | From::Default(_) => quote!(#shapes.leaf()),
        });
        quote!(::std::vec![#(#fields),*])
    });
    let shared = shared(input);
    let (generate, reflect, complete) = (generate(input), reflect(input), complete(input));
    let (source, reflector, value, sketch) =
        (hidden("__source"), hidden("__reflector"), hidden("__value"), hidden("__sketch"));
    let allowed = quote!(#[allow(
        clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, unused, unreachable_patterns, deprecated, non_snake_case
    )]);
    quote! {
        #[automatically_derived]
        #allowed
        impl #impl_generics ::retrospect::macros::Generate for #name #type_generics #where_clause {
            type Generator = ::retrospect::macros::DerivedGenerator<Self>;

            fn generator() -> Self::Generator {
                ::retrospect::macros::DerivedGenerator::new()
            }

            fn shape(#shapes: &mut ::retrospect::macros::Shapes) -> ::retrospect::macros::Shape {
                #shapes.named::<Self>(|#shapes| ::std::vec![#(#fields),*])
            }
        }

        #[automatically_derived]
        #[doc(hidden)]
        #allowed
        impl #impl_generics ::retrospect::macros::Derived for #name #type_generics #where_clause {
            #shared

            fn generate(#source: &mut ::retrospect::macros::Source<'_>) -> ::retrospect::macros::Drawn<Self> {
                ::retrospect::macros::call(&::retrospect::macros::DerivedGenerator::<Self>::new(), Self::site(), #source, |#source| { #generate })
            }

            fn reflect(#value: &Self, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
                #reflect
            }

            fn complete(
                #sketch: &::retrospect::macros::Sketch<'_>,
                #source: &mut ::retrospect::macros::Source<'_>,
            ) -> ::retrospect::macros::Drawn<Self> {
                #source.call(Self::site(), |#source| { #complete })
            }
        }
    }
}

fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

fn field_name(place: usize) -> Ident {
    format_ident!("__field{place}", span = Span::mixed_site())
}

/// The site of the type and what is known of its variants.
fn shared(input: &Input) -> TokenStream {
    let path = format!("::{}", plain(&input.name));
    let path = quote!(::core::concat!(::core::module_path!(), #path));
    let line = input.name.span().unwrap().start().line() as u32;
    let labels = input.variants.iter().map(Variant::label);
    let labels = quote!(&[#(#labels),*]);
    let variants = match input.has_type_parameters() {
        true => quote!(::retrospect::macros::Variants::of::<Self>(Self::site(), #labels)),
        false => quote! {
            static VARIANTS: ::retrospect::macros::KnownVariants = ::retrospect::macros::KnownVariants::new();
            VARIANTS.of::<Self>(Self::site(), #labels)
        },
    };
    quote! {
        fn site() -> &'static ::retrospect::macros::Site {
            static SITE: ::retrospect::macros::Site = ::retrospect::macros::Site::call(#path, ::core::file!(), #line);
            &SITE
        }

        fn variants() -> &'static ::retrospect::macros::Variants {
            #variants
        }
    }
}

/// The weights of the arms at the present size.
fn weights(input: &Input, asked: &Ident) -> TokenStream {
    let weights = input.variants.iter().enumerate().map(|(place, variant)| match &variant.weight {
        None => quote!(1u32),
        Some(weight) => quote_spanned! {weight.span()=>
            #asked.weight(__variants.site, __variants.arm_of[#place], #weight)?
        },
    });
    quote! {
        let __written = [#(#weights),*];
        let mut __weights = __written;
        __variants.weigh(&__written, __size, &mut __weights);
    }
}

fn constructor(input: &Input, variant: &Variant) -> TokenStream {
    let name = &variant.name;
    if input.is_enum { quote!(Self::#name) } else { quote!(Self) }
}

/// The whole variant, built of its fields.
fn built(input: &Input, variant: &Variant) -> TokenStream {
    let constructor = constructor(input, variant);
    let members = variant.fields.iter().map(|field| &field.member);
    let fields = (0..variant.fields.len()).map(field_name);
    quote!(#constructor { #(#members: #fields),* })
}

/// The earlier fields that an expression mentions, by their names, as references.
fn earlier(variant: &Variant, place: usize, expression: &impl ToTokens, are_references: bool) -> TokenStream {
    let mentions = mentioned(expression);
    let bindings = variant.fields[..place].iter().enumerate().filter_map(|(place, field)| {
        let (name, part) = (named_in(expression, &field.name)?, field_name(place));
        mentions.contains(&field.name.to_string()).then(|| match are_references {
            true => quote!(let #name = #part;),
            false => quote!(let #name = &#part;),
        })
    });
    quote!(#(#bindings)*)
}

/// Whether no later field is made by an expression that mentions this one.
fn is_free(variant: &Variant, place: usize) -> bool {
    let name = variant.fields[place].name.to_string();
    variant.fields[place + 1..].iter().all(|later| match &later.from {
        From::Any => true,
        From::With(expression) => !mentioned(expression).contains(&name),
        From::Default(value) => !mentioned(value).contains(&name),
    })
}

/// A field's name as it stands in the user's expression.
fn named_in(expression: &impl ToTokens, name: &Ident) -> Option<Ident> {
    fn find(tokens: TokenStream, name: &Ident) -> Option<Ident> {
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(ident) if ident == *name => Some(ident),
            proc_macro2::TokenTree::Group(group) => find(group.stream(), name),
            _ => None,
        })
    }
    find(expression.to_token_stream(), name).or_else(|| Some(name.clone()))
}

fn default_of(field: &Field, value: &Option<syn::Expr>) -> TokenStream {
    let ty = &field.ty;
    match value {
        Some(value) => quote!(#value),
        None => quote_spanned!(ty.span()=> <#ty as ::core::default::Default>::default()),
    }
}

fn generate(input: &Input) -> TokenStream {
    let source = hidden("__source");
    let arms = input.variants.iter().enumerate().map(|(place, variant)| {
        let fields = variant.fields.iter().enumerate().map(|(field_place, field)| {
            let (part, ty) = (field_name(field_place), &field.ty);
            let value = match &field.from {
                From::Any => {
                    let is_free = is_free(variant, field_place);
                    quote_spanned! {ty.span()=>
                        ::retrospect::macros::generate_field(&::retrospect::macros::any::<#ty>(), __variants.field_size(#place, #field_place, __size), #is_free, #source)?
                    }
                }
                From::With(generator) => {
                    let earlier = earlier(variant, field_place, generator, false);
                    let made = match is_free(variant, field_place) {
                        true => quote_spanned!(generator.span()=> ::retrospect::macros::free_part(&(#generator), #source)?),
                        false => quote_spanned!(generator.span()=> ::retrospect::macros::part(&(#generator), #source)?),
                    };
                    quote_spanned! {generator.span()=> {
                        #earlier
                        #made
                    }}
                }
                From::Default(value) => {
                    let value = default_of(field, value);
                    let earlier = earlier(variant, field_place, &value, false);
                    quote!({ #earlier #value })
                }
            };
            quote!(let #part: #ty = #value;)
        });
        let built = built(input, variant);
        quote!({ #(#fields)* ::core::result::Result::Ok(#built) })
    });
    let start = quote! {
        let __size = #source.size();
        let __variants = Self::variants();
    };
    if !input.is_enum {
        return quote!(#start #(#arms)*);
    }
    let weights = weights(input, &source);
    let last = input.variants.len() - 1;
    let arms =
        arms.enumerate().map(|(place, body)| if place == last { quote!(_ => #body) } else { quote!(#place => #body) });
    quote! {
        #start
        #weights
        let __arm = #source.pick(__variants.site, &__weights)?;
        match __variants.order[__arm] { #(#arms)* }
    }
}

fn segment(input: &Input, variant: &Variant, field: &Field) -> TokenStream {
    let name = variant.label();
    match (&field.member, input.is_enum) {
        (Member::Named(field), true) => {
            let field = plain(field);
            quote!(::retrospect::macros::Segment::VariantField(#name, #field))
        }
        (Member::Named(field), false) => {
            let field = plain(field);
            quote!(::retrospect::macros::Segment::Field(#field))
        }
        (Member::Unnamed(place), true) => {
            let place = place.index as usize;
            quote!(::retrospect::macros::Segment::VariantPosition(#name, #place))
        }
        (Member::Unnamed(place), false) => {
            let place = place.index as usize;
            quote!(::retrospect::macros::Segment::Position(#place))
        }
    }
}

fn reflect(input: &Input) -> TokenStream {
    let (reflector, value) = (hidden("__reflector"), hidden("__value"));
    let arms = input.variants.iter().enumerate().map(|(place, variant)| {
        let pattern = built(input, variant);
        let label = variant.label();
        let pick = input.is_enum.then(|| {
            quote! {
                let __arm = __variants.arm_of[#place];
                ::retrospect::macros::check_weight(#reflector, #value, #label, __weights[__arm])?;
                #reflector.pick(__variants.site, &__weights, __arm)?;
            }
        });
        let fields = variant.fields.iter().enumerate().map(|(field_place, field)| {
            let (part, ty, segment) = (field_name(field_place), &field.ty, segment(input, variant, field));
            match &field.from {
                From::Any => quote_spanned! {ty.span()=>
                    ::retrospect::macros::reflect_field(&::retrospect::macros::any::<#ty>(), #part, #segment, __variants.field_size(#place, #field_place, __size), #reflector)?;
                },
                From::With(generator) => {
                    let earlier = earlier(variant, field_place, generator, true);
                    quote_spanned! {generator.span()=> {
                        #earlier
                        ::retrospect::macros::Generator::reflect_part(&(#generator), #part, &[#segment], #reflector)?;
                    }}
                }
                From::Default(value) => {
                    let value = default_of(field, value);
                    let earlier = earlier(variant, field_place, &value, true);
                    quote_spanned! {ty.span()=> {
                        #earlier
                        ::retrospect::macros::compared_with_tail(#reflector, &[#segment], #part, &(#value), " (the default)")?;
                    }}
                }
            }
        });
        quote!(#pattern => { #pick #(#fields)* ::core::result::Result::Ok(()) })
    });
    let skipped = input.skipped.iter().map(|name| {
        let reason = format!("`{}` is left out by `#[generate(skip)]`", plain(name));
        quote! {
            Self::#name { .. } => {
                ::retrospect::macros::mismatch(#reflector, &[], #value, &#reason)
            }
        }
    });
    let weights = input.is_enum.then(|| weights(input, &reflector));
    let identity = match input.has_type_parameters() {
        true => quote!(::retrospect::macros::finish_identity(::retrospect::macros::identity_of_type::<Self>())),
        false => quote!(::core::option::Option::Some(0)),
    };
    quote! {
        #reflector.call_again(
            Self::site(),
            || #identity,
            ::retrospect::macros::address_of(#value),
            |#reflector| <Self as ::retrospect::macros::Derived>::reflect(#value, #reflector),
            |#reflector| {
                let __size = #reflector.size();
                let __variants = Self::variants();
                #weights
                match #value { #(#arms)* #(#skipped)* }
            },
        )
    }
}

fn complete(input: &Input) -> TokenStream {
    let (source, sketch) = (hidden("__source"), hidden("__sketch"));
    let tries = input.variants.iter().enumerate().map(|(place, variant)| {
        let (label, count) = (variant.label(), variant.fields.len());
        let opened = match variant.is_tuple || variant.fields.is_empty() {
            true => quote!(#sketch.tuple::<#count>(#label)),
            false => {
                let names = variant.fields.iter().map(|field| plain(&field.name));
                quote!(#sketch.record::<#count>(#label, &[#(#names),*]))
            }
        };
        let sketches: Vec<Ident> =
            (0..count).map(|place| format_ident!("__sketch{place}", span = Span::mixed_site())).collect();
        let weighed = variant.weight.as_ref().map(|weight| {
            quote_spanned! {weight.span()=>
                let __weight = #source.weight(__variants.site, __variants.arm_of[#place], #weight)?;
                ::retrospect::macros::weigh_arm(#source, #sketch, #label, __weight)?;
            }
        });
        // A struct is not picked.
        let shown = input.is_enum.then(|| {
            quote!(::retrospect::macros::shown_arm(#source, __variants.site, __variants.arm_of[#place]);)
        });
        // What is drawn for a hole may not go with a later field.
        let is_tried = (0..count).any(|place| !is_free(variant, place));
        let fields = variant.fields.iter().enumerate().map(|(field_place, field)| {
            let (part, ty, segment) = (field_name(field_place), &field.ty, segment(input, variant, field));
            let sketch = &sketches[field_place];
            let value = match &field.from {
                From::Any => quote_spanned! {ty.span()=>
                    ::retrospect::macros::complete_field(&::retrospect::macros::any::<#ty>(), &#sketch, #segment, __variants.field_size(#place, #field_place, __size), #is_tried, #source)?
                },
                From::With(generator) => {
                    let earlier = earlier(variant, field_place, generator, false);
                    let completed = quote_spanned! {generator.span()=>
                        ::retrospect::macros::Generator::complete_part(&(#generator), &#sketch, &[#segment], #source)
                    };
                    match is_tried && earlier.is_empty() {
                        true => quote!({
                            let __before = ::retrospect::macros::before_part(#source);
                            let __value = #completed;
                            ::retrospect::macros::independent(#source, &__before, __value)?
                        }),
                        false => quote!({
                            #earlier
                            #completed?
                        }),
                    }
                }
                From::Default(value) => {
                    let value = default_of(field, value);
                    let earlier = earlier(variant, field_place, &value, false);
                    quote!({
                        #earlier
                        let __default: #ty = #value;
                        ::retrospect::macros::fits(#source, &[#segment], &#sketch, &__default, " (the default)")?;
                        __default
                    })
                }
            };
            quote!(let #part: #ty = #value;)
        });
        let built = built(input, variant);
        let mut completed = quote! {
            #shown
            #weighed
            #(#fields)*
            ::core::result::Result::Ok(#built)
        };
        if is_tried {
            completed = quote! {
                ::retrospect::macros::complete_ways(#source, #sketch, 1, "", |#source, _| { #completed })
            };
        }
        quote! {
            if let ::core::option::Option::Some([#(#sketches),*]) = #opened {
                return { #completed };
            }
        }
    });
    let parts = input.variants.iter().map(|variant| {
        let (label, count) = (variant.label(), variant.fields.len());
        let names = variant.fields.iter().filter(|_| !variant.is_tuple).map(|field| plain(&field.name));
        quote!((#label, &[#(#names),*], #count))
    });
    quote! {
        let __size = #source.size();
        let __variants = Self::variants();
        #(#tries)*
        ::core::result::Result::Err(
            ::retrospect::macros::looks_otherwise(#sketch, &[#(#parts),*], #source)
        )
    }
}
