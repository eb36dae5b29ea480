//! Forward: the user's code, with a source in place of `draw` and `pick`.

use super::{Vocabulary, bind_weights, hidden, let_of, site, written_weights};
use crate::function::binding::binding_names;
use crate::function::body::*;
use crate::function::names::Names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// What the end of a block does.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ends {
    /// It is the last expression of the function or sub-generator.
    Here,
    /// The same, without saying that all went well: that is said of all ends at once.
    Bare,
    /// It stands somewhere inside, so it returns.
    ByReturning,
}

pub(super) struct Forward<'v> {
    words: &'v Vocabulary,
    /// The names that something hangs on which is asked later, if that is known.
    binding: Option<Names>,
    /// What is written instead of each tail when only the ways that go on are wanted.
    closed: Option<TokenStream>,
}

impl<'v> Forward<'v> {
    pub(super) fn new(words: &'v Vocabulary) -> Forward<'v> {
        Forward { words, binding: None, closed: None }
    }

    /// For the whole body of a generator: what is drawn for tails alone is free.
    pub(super) fn of(words: &'v Vocabulary, body: &Body) -> Forward<'v> {
        Forward { words, binding: Some(binding_names(body)), closed: None }
    }

    /// Writes plain code in which every tail is replaced: the way does not end there.
    pub(super) fn closing(words: &'v Vocabulary, closed: TokenStream) -> Forward<'v> {
        Forward { words, binding: None, closed: Some(closed) }
    }

    /// The whole body of a generator. Where it has several ends that build values, these are built
    /// in one place, and it is said of that place that all went well. A value that is built in each
    /// end and then put into a `Result` is moved piece by piece, in pieces that do not fit.
    pub(super) fn whole(&self, body: &Body, made: &Type) -> TokenStream {
        if !matches!(body.end, End::Flow(_)) || !builds_values(body) {
            return self.body(body, Ends::Here);
        }
        let (built, body) = (hidden("__built"), self.body(body, Ends::Bare));
        quote! {
            let #built: #made = { #body };
            ::core::result::Result::Ok(#built)
        }
    }

    /// The statements of a body and its end.
    pub(super) fn body(&self, body: &Body, ends: Ends) -> TokenStream {
        let items = &body.items;
        if let (Some(closed), End::Tail(_)) = (&self.closed, &body.end) {
            return quote!(#closed;);
        }
        let steps = body.steps.iter().map(|step| self.step(step));
        let end = match &body.end {
            End::Tail(tail) => {
                let value = self.tail(tail);
                match (ends, &tail.kind) {
                    (Ends::Bare, TailKind::Value(_)) => tail.expression.to_token_stream(),
                    (Ends::Bare, TailKind::Draw(_)) => quote!(#value?),
                    (Ends::Here, _) => value,
                    (Ends::ByReturning, _) => quote!(return #value;),
                }
            }
            End::Flow(flow) => self.flow(flow, ends),
            End::Give(expression) | End::Never(expression) => quote!(#expression),
            End::Fall => TokenStream::new(),
        };
        quote!(#(#items)* #(#steps)* #end)
    }

    fn tail(&self, tail: &Tail) -> TokenStream {
        match &tail.kind {
            TailKind::Draw(generator) => {
                let source = &self.words.source;
                quote_spanned!(generator.span()=> ::retrospect::macros::freely(&(#generator), #source))
            }
            TailKind::Value(_) => {
                let expression = &tail.expression;
                quote_spanned!(expression.span()=> ::core::result::Result::Ok(#expression))
            }
        }
    }

    fn step(&self, step: &Step) -> TokenStream {
        match step {
            Step::Plain(statement) => quote!(#statement),
            Step::Bind(bind) => self.bind(bind),
            Step::Flow(flow) => {
                let flow = self.flow(flow, Ends::ByReturning);
                quote!(#flow)
            }
            Step::LetFlow { local, flow } => self.let_flow(local, flow),
            Step::LetElse { local, otherwise } => {
                let otherwise = self.body(otherwise, Ends::ByReturning);
                let (attributes, pattern) = (&local.attrs, &local.pat);
                let value = local.init.as_ref().map(|init| &init.expr);
                quote!(#(#attributes)* let #pattern = #value else { #otherwise };)
            }
        }
    }

    pub(super) fn let_flow(&self, local: &syn::Local, flow: &Flow) -> TokenStream {
        let (attributes, pattern) = (&local.attrs, &local.pat);
        let value = self.flow(flow, Ends::ByReturning);
        quote!(#(#attributes)* let #pattern = #value;)
    }

    pub(super) fn bind(&self, bind: &Bind) -> TokenStream {
        let source = &self.words.source;
        let is_free = self
            .binding
            .as_ref()
            .is_some_and(|binding| bind.names.iter().all(|bound| !binding.contains(&bound.name.to_string())));
        let part = match &bind.what {
            What::Draw(generator) if is_free => {
                quote_spanned!(generator.span()=> ::retrospect::macros::free_part(&(#generator), #source))
            }
            What::Draw(generator) => {
                quote_spanned!(generator.span()=> ::retrospect::macros::part(&(#generator), #source))
            }
            What::Sub { .. } => {
                let made = self.chosen(&bind.what);
                match is_free {
                    true => quote!(#source.free_part(|| ::retrospect::macros::Form::Unknown, |#source| #made)),
                    false => quote!(#source.part(|#source| #made)),
                }
            }
        };
        // What was drawn keeps its place until the end of the block instead of being moved to
        // another at once, as it is by `?`.
        let drawn = hidden("__drawn");
        let value = let_of(
            bind,
            &quote!(match #drawn {
                ::core::result::Result::Ok(__value) => __value,
                ::core::result::Result::Err(__stop) => return ::core::result::Result::Err(__stop),
            }),
        );
        quote!(let #drawn = #part; #value)
    }

    /// What makes the value of a bind.
    pub(super) fn chosen(&self, what: &What) -> TokenStream {
        match what {
            What::Draw(generator) => self.generate(generator),
            What::Sub { site: place, body, .. } => {
                let (source, site) = (&self.words.source, site(*place));
                let body = self.body(body, Ends::Here);
                quote!(#source.call(#site, |#source| { #body }))
            }
        }
    }

    pub(super) fn generate(&self, generator: &Expr) -> TokenStream {
        let source = &self.words.source;
        quote_spanned!(generator.span()=> ::retrospect::macros::Generator::generate(&(#generator), #source))
    }

    fn flow(&self, flow: &Flow, ends: Ends) -> TokenStream {
        match flow {
            Flow::If { condition, then, otherwise } => {
                let then = self.body(then, ends);
                let is_missing = matches!(otherwise.end, End::Fall) && otherwise.steps.is_empty();
                let otherwise = (!is_missing).then(|| {
                    let otherwise = self.body(otherwise, ends);
                    quote!(else { #otherwise })
                });
                quote!(if #condition { #then } #otherwise)
            }
            Flow::Match { attributes, scrutinee, arms } => {
                let arms = arms.iter().map(|arm| {
                    let (attributes, pattern) = (&arm.attributes, &arm.pattern);
                    let guard = arm.guard.as_ref().map(|guard| quote!(if #guard));
                    let body = self.body(&arm.body, ends);
                    quote!(#(#attributes)* #pattern #guard => { #body })
                });
                quote!(#(#attributes)* match #scrutinee { #(#arms)* })
            }
            Flow::Pick(pick) => {
                let (source, place) = (&self.words.source, site(pick.site));
                let name = hidden("__weights");
                let weights = bind_weights(
                    &name,
                    &written_weights(pick),
                    |arm, weight| quote_spanned!(weight.span()=> #source.weight(#place, #arm, #weight)?),
                );
                let last = pick.arms.len().saturating_sub(1);
                let arms = pick.arms.iter().enumerate().map(|(place, arm)| {
                    let body = self.body(&arm.body, ends);
                    if place == last { quote!(_ => { #body }) } else { quote!(#place => { #body }) }
                });
                quote! {
                    match {
                        #weights
                        #source.pick(#place, #name)?
                    } { #(#arms)* }
                }
            }
            Flow::Block(body) => {
                let body = self.body(body, ends);
                quote!({ #body })
            }
        }
    }
}

/// Whether all ends of a body build values, and none passes the job on.
fn builds_values(body: &Body) -> bool {
    match &body.end {
        End::Tail(tail) => matches!(tail.kind, TailKind::Value(_)),
        End::Flow(flow) => match &**flow {
            Flow::If { then, otherwise, .. } => builds_values(then) && builds_values(otherwise),
            Flow::Match { arms, .. } => arms.iter().all(|arm| builds_values(&arm.body)),
            Flow::Pick(pick) => pick.arms.iter().all(|arm| builds_values(&arm.body)),
            Flow::Block(body) => builds_values(body),
        },
        End::Never(_) => true,
        End::Give(_) | End::Fall => false,
    }
}
