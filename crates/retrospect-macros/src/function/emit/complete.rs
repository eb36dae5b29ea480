//! Completion: each way takes the sketch apart by its tail, then runs forward, completing each draw
//! with its part of the sketch.

use super::backward::{bound_by_head, ident_in, match_arm, take_apart};
use super::forward::{Ends, Forward};
use super::{
    Vocabulary, bind_outer, closed_because, closed_by_let, comparison_label, debug_format, hidden, is_in_tail, let_of,
    literal_weight, part_name, scope_with, site, sketch_name,
};
use crate::errors::Errors;
use crate::function::body::{Bind, Body, TailKind, What};
use crate::function::names::{bound_by, mentioned};
use crate::function::paths::{Element, Head};
use crate::function::plan::{LeafKind, Meaning, Outer, Plan, is_literal, parts, plans, tail_name};
use crate::function::shape::{Fields, Shape};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lit, Type};

pub(super) struct Complete<'v> {
    pub(super) words: &'v Vocabulary,
    /// The type of the whole value, unless this is an anonymous sub-generator, whose type nobody
    /// wrote down.
    pub(super) made: Option<&'v Type>,
}

impl Complete<'_> {
    /// An expression that completes a sketch, which is no hole, with this body.
    pub(super) fn body(&self, body: &Body, outer: &[Outer]) -> TokenStream {
        let (source, sketch, way) = (&self.words.source, &self.words.sketch, &self.words.way);
        let plans = plans(body, outer, &mut Errors::default());
        let count = plans.len();
        let blind = blind(&plans);
        let ways = plans.iter().enumerate().map(|(place, plan)| {
            let body = self.way(plan, outer);
            if place + 1 == count { quote!(_ => { #body }) } else { quote!(#place => { #body }) }
        });
        let ways = match count {
            0 => quote!(_ => ::core::result::Result::Err(::retrospect::macros::Stop)),
            _ => quote!(#(#ways)*),
        };
        quote! {
            ::retrospect::macros::complete_ways(#source, #sketch, #count, #blind, |#source, #way| match #way { #ways })
        }
    }

    fn way(&self, plan: &Plan<'_>, outer: &[Outer]) -> TokenStream {
        let items = &plan.path.items;
        let tail = plan.path.tail;
        let arguments = bind_outer(outer, plan.mentions());
        let way = Way { words: self.words, made: self.made, plan, outer, tail_name: tail_name(tail) };
        let sketch = &self.words.sketch;
        let apart = match (&tail.kind, &tail.inverse) {
            (TailKind::Value(shape), None) => way.take_sketch_apart(shape, quote!(#sketch), &mut Vec::new(), &mut 0),
            _ => TokenStream::new(),
        };
        let early = way.early_comparisons();
        let steps = way.elements(&plan.path.elements, outer.to_vec());
        quote!(#(#items)* #apart #arguments #early #steps)
    }
}

/// What is drawn without a look at the sketch, as a sentence names it; nothing if there is nothing
/// of the kind.
fn blind(plans: &[Plan<'_>]) -> String {
    let mut names: Vec<String> = Vec::new();
    for plan in plans.iter().filter(|plan| plan.is_blind()) {
        let found = plan.blind_names();
        names.extend(if found.is_empty() { vec!["the parts that an `#[inverse]` returns".to_owned()] } else { found });
    }
    names.sort();
    names.dedup();
    names.join(", ")
}

struct Way<'w> {
    words: &'w Vocabulary,
    made: Option<&'w Type>,
    plan: &'w Plan<'w>,
    outer: &'w [Outer],
    tail_name: String,
}

impl Way<'_> {
    fn closed(&self, segments: &[TokenStream], sketch: &TokenStream, reason: TokenStream) -> TokenStream {
        let source = &self.words.source;
        quote! {
            return ::core::result::Result::Err(
                ::retrospect::macros::not_made(#source, &[#(#segments),*], #sketch, &#reason)
            );
        }
    }

    fn closed_here(&self, reason: &str) -> TokenStream {
        let sketch = &self.words.sketch;
        self.closed(&[], &quote!(#sketch), quote!(#reason))
    }

    /// Gives the sketches of the parts at the leaves their names.
    fn take_sketch_apart(
        &self,
        shape: &Shape,
        place: TokenStream,
        segments: &mut Vec<TokenStream>,
        next_leaf: &mut usize,
    ) -> TokenStream {
        if let Shape::Name(_) | Shape::Computed(_) = shape {
            let part = sketch_name(*next_leaf);
            *next_leaf += 1;
            return quote!(let #part = *#place;);
        }
        if let Shape::Pointer(inner) = shape {
            return self.take_sketch_apart(inner, place, segments, next_leaf);
        }
        let level = segments.len();
        let count = parts(shape).len();
        let fields: Vec<Ident> =
            (0..count).map(|field| format_ident!("__level{level}_{field}", span = Span::mixed_site())).collect();
        let (opened, closed) = match shape {
            Shape::Tuple(_) => {
                let reason = format!("this is no tuple of {count}");
                (
                    quote!(::retrospect::macros::tuple_sketch::<#count>(#place, "")),
                    self.closed(segments, &place, quote!(#reason)),
                )
            }
            Shape::Array(_) | Shape::List(_) => {
                let reason = format!("this is no list of {count}");
                (
                    quote!(::retrospect::macros::list_sketch::<#count>(#place)),
                    self.closed(segments, &place, quote!(#reason)),
                )
            }
            Shape::Constructor { constructor, fields: kind } => {
                let name = constructor.name();
                let names: Vec<String> = match kind {
                    Fields::Named(named) => {
                        named.iter().map(|(member, _)| crate::function::plan::member_name(member)).collect()
                    }
                    _ => Vec::new(),
                };
                let opened = match names.is_empty() {
                    true => quote!(::retrospect::macros::tuple_sketch::<#count>(#place, #name)),
                    false => quote!(::retrospect::macros::record_sketch::<#count>(#place, #name, &[#(#names),*])),
                };
                let source = &self.words.source;
                let closed = quote! {
                    return ::core::result::Result::Err(::retrospect::macros::not_this(
                        #source, &[#(#segments),*], #place, (#name, &[#(#names),*], #count),
                    ));
                };
                (opened, closed)
            }
            Shape::Name(_) | Shape::Computed(_) | Shape::Pointer(_) => unreachable!("handled above"),
        };
        let mut code = quote!(let ::core::option::Option::Some([#(#fields),*]) = #opened else { #closed };);
        for ((segment, part), field) in parts(shape).into_iter().zip(&fields) {
            segments.push(segment);
            code.extend(self.take_sketch_apart(part, quote!(&#field), segments, next_leaf));
            segments.pop();
        }
        code
    }

    /// What is known before anything is drawn: literals and arguments. Everything else is compared
    /// when the value is made.
    fn early_comparisons(&self) -> TokenStream {
        let source = &self.words.source;
        let mut code = TokenStream::new();
        for (place, leaf) in self.plan.leaves.iter().enumerate().filter(|(_, leaf)| is_early(&leaf.meaning, leaf.kind))
        {
            let (sketch, segments) = (sketch_name(place), &leaf.segments);
            let label = comparison_label(leaf, self.outer);
            let expected = match leaf.kind {
                LeafKind::Name(name) => name.to_token_stream(),
                LeafKind::Computed(expression) => widened(expression),
            };
            code.extend(quote! {
                ::retrospect::macros::fits(#source, &[#(#segments),*], &#sketch, &(#expected), #label)?;
            });
        }
        code
    }

    fn elements(&self, elements: &[Element<'_>], scope: Vec<Outer>) -> TokenStream {
        let Some((element, rest)) = elements.split_first() else { return self.end() };
        match element {
            Element::Enter(head) => {
                let rest = self.elements(rest, scope_with(&scope, &bound_by_head(*head)));
                self.entered(*head, rest)
            }
            element => {
                let (code, scope) = self.step(element, scope);
                let rest = self.elements(rest, scope);
                quote!(#code #rest)
            }
        }
    }

    fn through(&self, elements: &[Element<'_>], scope: Vec<Outer>) -> TokenStream {
        let Some((element, rest)) = elements.split_first() else { return TokenStream::new() };
        match element {
            Element::Enter(head) => {
                let rest = self.through(rest, scope_with(&scope, &bound_by_head(*head)));
                self.entered(*head, rest)
            }
            element => {
                let (code, scope) = self.step(element, scope);
                let rest = self.through(rest, scope);
                quote!(#code #rest)
            }
        }
    }

    fn step(&self, element: &Element<'_>, scope: Vec<Outer>) -> (TokenStream, Vec<Outer>) {
        match element {
            Element::Plain(statement) => {
                let scope = match statement {
                    syn::Stmt::Local(local) => scope_with(&scope, &bound_by(&local.pat)),
                    _ => scope,
                };
                (quote!(#statement), scope)
            }
            Element::Bind(bind) => (self.bind(bind, &scope), scope_with(&scope, &bind.names)),
            Element::LetFlow(local, flow) => {
                let closed = self.closed_here(&closed_by_let(local, &self.tail_name));
                let code = Forward::closing(self.words, quote!({ #closed })).let_flow(local, flow);
                (code, scope_with(&scope, &bound_by(&local.pat)))
            }
            Element::LetElse(local) => {
                let closed = self.closed_here(&closed_by_let(local, &self.tail_name));
                let (attributes, pattern) = (&local.attrs, &local.pat);
                let value = local.init.as_ref().map(|init| &init.expr);
                let code = quote!(#(#attributes)* let #pattern = #value else { #closed };);
                (code, scope_with(&scope, &bound_by(&local.pat)))
            }
            Element::Through(head, items, inner) => {
                let inner = self.through(inner, scope_with(&scope, &bound_by_head(*head)));
                (self.entered(*head, quote!(#(#items)* #inner)), scope)
            }
            Element::Enter(_) => unreachable!("nests what follows"),
        }
    }

    fn entered(&self, head: Head<'_>, inner: TokenStream) -> TokenStream {
        let closed = self.closed_here(&closed_because(head, &self.tail_name));
        match head {
            Head::Block => quote!({ #inner }),
            Head::If(condition, true) => quote!(if #condition { #inner } else { #closed }),
            Head::If(condition, false) => quote!(if #condition { #closed } else { #inner }),
            Head::Match { scrutinee, arms, arm } => match_arm(scrutinee, arms, arm, inner, closed),
            Head::Else(local) => {
                let (pattern, value) = (&local.pat, local.init.as_ref().map(|init| &init.expr));
                quote!(if let #pattern = #value { #closed } else { #inner })
            }
            Head::Pick(pick, place) => {
                let (source, sketch) = (&self.words.source, &self.words.sketch);
                let arm = &pick.arms[place];
                let weighed = arm.weight.as_ref().map(|weight| {
                    let label = &arm.label;
                    let weight = match literal_weight(weight) {
                        Some(number) => quote!(#number),
                        None => {
                            let site = site(pick.site);
                            quote_spanned!(weight.span()=> #source.weight(#site, #place, #weight)?)
                        }
                    };
                    let weight_name = hidden("__weight");
                    quote! {
                        let #weight_name = #weight;
                        ::retrospect::macros::weigh_arm(#source, #sketch, #label, #weight_name)?;
                    }
                });
                let site = site(pick.site);
                quote!({ ::retrospect::macros::shown_arm(#source, #site, #place); #weighed #inner })
            }
        }
    }

    fn bind(&self, bind: &Bind, scope: &[Outer]) -> TokenStream {
        let source = &self.words.source;
        if !is_in_tail(self.plan, bind) {
            return self.guessed(bind).unwrap_or_else(|| Forward::new(self.words).bind(bind));
        }
        let place = |name: &Ident| self.plan.place_of(bind, name).unwrap_or_default();
        if let Some(name) = bind.single_name() {
            let place = place(name);
            let segments = &self.plan.leaves[place].segments;
            let sketch = self.known_sketch(place);
            let completed = self.completed(&bind.what, quote!(&#sketch), scope);
            return let_of(
                bind,
                &match &bind.what {
                    What::Draw(generator) => {
                        let mentions = mentioned(generator);
                        let is_independent =
                            scope[self.outer.len()..].iter().all(|bound| !mentions.contains(&bound.name.to_string()));
                        let completed = quote_spanned! {generator.span()=>
                            ::retrospect::macros::Generator::complete_part(&(#generator), &#sketch, &[#(#segments),*], #source)
                        };
                        if is_independent { independent(source, &completed) } else { quote!(#completed?) }
                    }
                    What::Sub { .. } => {
                        quote!(::retrospect::macros::complete_sub(#source, &[#(#segments),*], |#source| #completed)?)
                    }
                },
            );
        }
        // Its parts stand at different places: read it as if it were written in one.
        let mut names = Vec::new();
        let format = debug_format(&bind.pattern, &mut names);
        let texts = names.iter().map(|name| {
            let sketch = self.known_sketch(place(name));
            quote!(::retrospect::macros::written(&#sketch))
        });
        let sketch = &self.words.sketch;
        let completed = self.completed(&bind.what, quote!(#sketch), scope);
        let value = quote! {
            ::retrospect::macros::complete_text(
                #source, #sketch, &::std::format!(#format, #(#texts),*), |#source, #sketch| #completed,
            )?
        };
        let_of(bind, &value)
    }

    /// Something that only a focus finds: as far as the sketch tells it, it is what the focus finds
    /// there, and otherwise it is drawn.
    fn guessed(&self, bind: &Bind) -> Option<TokenStream> {
        let (source, sketch) = (&self.words.source, &self.words.sketch);
        let (Some(made), Some(focus), What::Draw(generator)) = (self.made, &bind.focus, &bind.what) else {
            return None;
        };
        let it = ident_in(focus, "it");
        let (whole, drawn) = (hidden("__whole"), hidden("__generator"));
        let found = quote_spanned!(focus.span()=> |#it: &#made| ::core::option::Option::Some(#focus));
        let asked = quote_spanned! {generator.span()=>
            match #generator {
                #drawn => match #whole {
                    ::core::option::Option::Some(#whole) if ::retrospect::macros::Generator::accepts(&#drawn, &#whole) => #whole,
                    _ => ::retrospect::macros::Generator::generate(&#drawn, #source)?,
                }
            }
        };
        let value = quote!({
            let #whole = {
                use ::retrospect::macros::{CannotReadStructure as _, ReadStructure as _};
                ::retrospect::macros::guess(
                    #source,
                    #sketch,
                    |#sketch, #source| (&::retrospect::macros::Structure::<#made>::new()).read(#sketch, #source),
                    #found,
                )
            };
            #asked
        });
        Some(let_of(bind, &value))
    }

    /// The sketch of a drawn name, from whichever of the places where it stands tells something.
    fn known_sketch(&self, place: usize) -> TokenStream {
        let same = |leaf: &Meaning| matches!(leaf, Meaning::SameAs(first) if *first == place);
        let others: Vec<Ident> = self
            .plan
            .leaves
            .iter()
            .enumerate()
            .filter(|(_, leaf)| same(&leaf.meaning))
            .map(|(place, _)| sketch_name(place))
            .collect();
        let first = sketch_name(place);
        match others.is_empty() {
            true => quote!(#first),
            false => quote!(::retrospect::macros::known_sketch(&[#first, #(#others),*])),
        }
    }

    fn completed(&self, what: &What, part: TokenStream, scope: &[Outer]) -> TokenStream {
        let (source, sketch) = (&self.words.source, &self.words.sketch);
        match what {
            What::Draw(generator) => quote_spanned! {generator.span()=>
                ::retrospect::macros::Generator::complete(&(#generator), #part, #source)
            },
            What::Sub { site: place, body, .. } => {
                let place = site(*place);
                let outer: Vec<Outer> =
                    scope.iter().map(|outer| Outer { is_argument: false, ..outer.clone() }).collect();
                let forward = Forward::new(self.words).body(body, Ends::Here);
                let arguments = bind_outer(&outer, &crate::function::names::mentioned(&forward));
                let completed = Complete { words: self.words, made: None }.body(body, &outer);
                quote!({
                    let #sketch = #part;
                    #source.call(#place, |#source| {
                        if #sketch.is_hole() { #arguments #forward } else { #completed }
                    })
                })
            }
        }
    }

    fn end(&self) -> TokenStream {
        let (source, sketch) = (&self.words.source, &self.words.sketch);
        let tail = self.plan.path.tail;
        let expression = &tail.expression;
        let made = hidden("__made");
        match (&tail.kind, &tail.inverse) {
            (TailKind::Draw(generator), _) => quote_spanned! {generator.span()=>
                ::retrospect::macros::Generator::complete(&(#generator), #sketch, #source)
            },
            (_, Some(_)) => {
                let can_read = self.made.map(|made| {
                    quote!({
                        use ::retrospect::macros::{CannotReadStructure as _, ReadStructure as _};
                        (&::retrospect::macros::Structure::<#made>::new()).can_read()
                    })
                });
                let can_read = can_read.unwrap_or_else(|| quote!(true));
                quote!({
                    let #made = #expression;
                    ::retrospect::macros::fits_drawn(#source, #sketch, &#made, #can_read)?;
                    ::core::result::Result::Ok(#made)
                })
            }
            (TailKind::Value(shape), None) => {
                let late = self.late_comparisons();
                if late.is_empty() {
                    return quote_spanned!(expression.span()=> ::core::result::Result::Ok(#expression));
                }
                let impossible = |_: &[TokenStream], _: &TokenStream, _: TokenStream| {
                    quote!(::core::unreachable!("a value has the shape it was made in"))
                };
                let apart = take_apart(shape, quote!(&#made), &mut Vec::new(), &mut 0, &impossible);
                quote!({
                    let #made = #expression;
                    { #apart #late }
                    ::core::result::Result::Ok(#made)
                })
            }
        }
    }

    fn late_comparisons(&self) -> TokenStream {
        let source = &self.words.source;
        let mut code = TokenStream::new();
        for (place, leaf) in self.plan.leaves.iter().enumerate() {
            if matches!(leaf.meaning, Meaning::Read) || is_early(&leaf.meaning, leaf.kind) {
                continue;
            }
            let (sketch, part, segments) = (sketch_name(place), part_name(place), &leaf.segments);
            let label = comparison_label(leaf, self.outer);
            code.extend(quote! {
                ::retrospect::macros::fits(#source, &[#(#segments),*], &#sketch, #part, #label)?;
            });
        }
        code
    }
}

/// A part whose generator mentions nothing that is drawn: if it cannot be completed, no other try
/// can.
fn independent(source: &Ident, completed: &TokenStream) -> TokenStream {
    let (before, value) = (hidden("__before"), hidden("__value"));
    quote!({
        let #before = ::retrospect::macros::before_part(#source);
        let #value = #completed;
        ::retrospect::macros::independent(#source, &#before, #value)?
    })
}

/// Whether something can be compared before anything is drawn, and its type is known without the
/// tail around it.
fn is_early(meaning: &Meaning, kind: LeafKind<'_>) -> bool {
    let Meaning::Compare { after: 0, .. } = meaning else { return false };
    match kind {
        LeafKind::Name(_) => true,
        LeafKind::Computed(expression) => is_literal(expression),
    }
}

/// A literal that prints the same whatever type the tail would give it.
fn widened(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Paren(node) => widened(&node.expr),
        Expr::Unary(node) => {
            let inner = widened(&node.expr);
            quote!(-(#inner))
        }
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) if matches!(number.suffix(), "f32" | "f64") => quote!(#number),
            Lit::Int(number) => {
                let number = syn::LitInt::new(&format!("{}i128", number.base10_digits()), Span::call_site());
                quote!(#number)
            }
            literal => quote!(#literal),
        },
        expression => quote!(#expression),
    }
}
