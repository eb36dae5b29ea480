//! Backward: each way takes the value apart by its tail, then replays its steps: conditions
//! checked, draws reflected, picks noted.

use super::forward::Forward;
use super::{
    Vocabulary, allowed_in_copies, bind_outer, bind_weights, closed_because, closed_by_let, comparison_label, hidden,
    is_in_tail, let_of, literal_weight, part_name, rebuilt, scope_with, site, written_weights,
};
use crate::errors::Errors;
use crate::function::body::{Bind, Body, Tail, TailKind, What};
use crate::function::names::{bound_by, bound_by_condition, plain};
use crate::function::paths::{Element, Head};
use crate::function::plan::{LeafKind, Meaning, Outer, Plan, parts, plans, shape_name, tail_name};
use crate::function::shape::{Constructor, Fields, Shape};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

pub(super) struct Backward<'v> {
    pub(super) words: &'v Vocabulary,
    pub(super) style: Style,
}

/// What is wanted of the code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Everything the reflector can do: choices, all ways, reasons with their places.
    Noting,
    /// Whether there is a way, and nothing else: for a reflector that
    /// [`goes_plainly`](fn@retrospect::reflect::Reflector::goes_plainly).
    Plain,
}

impl Backward<'_> {
    /// An expression that says whether, and how, the body makes the value.
    pub(super) fn body(&self, body: &Body, outer: &[Outer]) -> TokenStream {
        let (reflector, value, way) = (&self.words.reflector, &self.words.value, &self.words.way);
        // What is wrong was reported before.
        let plans = plans(body, outer, &mut Errors::default());
        match &plans[..] {
            [] if self.style == Style::Plain => quote!(::core::result::Result::Err(::retrospect::macros::Mismatch)),
            [] => quote! {
                ::retrospect::macros::mismatch(#reflector, &[], #value, &"nothing is ever made here")
            },
            [plan] => self.way(plan, outer),
            [before @ .., last] if self.style == Style::Plain => {
                let before: Vec<&Plan<'_>> = before.iter().collect();
                let (before, last) = (self.plain_ways(&before, last, outer), self.way(last, outer));
                quote!(#before #last)
            }
            plans => {
                let (first, count, ways) = (self.first_way(plans), plans.len(), self.ways(plans, outer));
                quote!(#reflector.ways_from(#first, #count, |#reflector, #way| #ways))
            }
        }
    }

    /// The methods that look at the value of a whole generator. Its ways are a method of their own,
    /// to be compiled into the two places where they are tried.
    pub(super) fn whole(&self, body: &Body, outer: &[Outer], made: &syn::Type) -> TokenStream {
        let (reflector, value, way) = (&self.words.reflector, &self.words.value, &self.words.way);
        let copies = allowed_in_copies();
        let plans = plans(body, outer, &mut Errors::default());
        if plans.len() < 2 {
            let body = self.body(body, outer);
            return quote! {
                #copies
                #[inline(always)]
                fn __backward(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
                    #body
                }
            };
        }
        let (first, count, ways) = (self.first_way(&plans), plans.len(), self.ways(&plans, outer));
        quote! {
            #copies
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn __way(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector, #way: usize) -> ::retrospect::macros::Reflected {
                #ways
            }

            #copies
            #[inline(always)]
            fn __backward(&self, #value: &#made, #reflector: &mut ::retrospect::macros::Reflector) -> ::retrospect::macros::Reflected {
                #reflector.ways_again(
                    #first,
                    #count,
                    move |#reflector, #way| self.__way(#value, #reflector, #way),
                    move |#reflector, #way| self.__way(#value, #reflector, #way),
                )
            }
        }
    }

    /// Which way it is, and what it does.
    fn ways(&self, plans: &[Plan<'_>], outer: &[Outer]) -> TokenStream {
        let (way, count) = (&self.words.way, plans.len());
        let ways = plans.iter().enumerate().map(|(place, plan)| {
            let body = self.way(plan, outer);
            if place + 1 == count { quote!(_ => { #body }) } else { quote!(#place => { #body }) }
        });
        quote!(match #way { #(#ways)* })
    }

    /// The ways of a whole generator in the plain style, in two pieces: first those that need
    /// nothing but a few comparisons, each of which returns if it fits, so that a leaf is accepted
    /// before a frame is built for a node; then an expression for the others.
    pub(super) fn in_two(&self, body: &Body, outer: &[Outer]) -> (TokenStream, TokenStream) {
        let plans = plans(body, outer, &mut Errors::default());
        let (shallow, deep): (Vec<&Plan<'_>>, Vec<&Plan<'_>>) = plans.iter().partition(|plan| is_shallow(plan));
        let first = shallow.into_iter().map(|plan| self.tried(plan, outer));
        let mut rest = TokenStream::new();
        match deep.split_last() {
            None => rest.extend(quote!(::core::result::Result::Err(::retrospect::macros::Mismatch))),
            Some((last, before)) => {
                rest.extend(self.plain_ways(before, last, outer));
                rest.extend(self.way(last, outer));
            }
        }
        (quote!(#(#first)*), rest)
    }

    /// One way after the other, without a loop: which one it is shows in the outermost variant, so
    /// nearly all of them end at once. `last` comes after them.
    fn plain_ways(&self, plans: &[&Plan<'_>], last: &Plan<'_>, outer: &[Outer]) -> TokenStream {
        let (reflector, before) = (&self.words.reflector, hidden("__before"));
        let mut code = TokenStream::new();
        for (place, plan) in plans.iter().enumerate() {
            let tried = self.tried(plan, outer);
            let mut others = plans[place + 1..].iter().copied().chain([last]);
            let may_be_another = others.any(|other| may_be_of_one_variant(plan, other));
            code.extend(match may_be_another && looks_at_parts(plan) {
                // What was looked at in vain may be looked at again.
                true => quote! {
                    let #before = #reflector.calls();
                    #tried
                    #reflector.count_waste(#before);
                },
                false => tried,
            });
        }
        code
    }

    /// Returns if this way fits.
    fn tried(&self, plan: &Plan<'_>, outer: &[Outer]) -> TokenStream {
        let (reflector, way) = (&self.words.reflector, self.way(plan, outer));
        quote! {
            if ::retrospect::macros::plainly(#reflector, |#reflector| { #way }).is_ok() {
                return ::core::result::Result::Ok(());
            }
        }
    }

    /// The first way whose tail may be the value, told by its outermost variant alone: it saves
    /// beginning the ways before.
    fn first_way(&self, plans: &[Plan<'_>]) -> TokenStream {
        let (value, count) = (&self.words.value, plans.len());
        let mut arms = TokenStream::new();
        for (place, plan) in plans.iter().enumerate() {
            let tail = plan.path.tail;
            let (constructor, fields) = match &tail.kind {
                // Items of the body, such as `use`, may be what gives the variant its name.
                TailKind::Value(Shape::Constructor { constructor, fields })
                    if plan.path.items.is_empty() && tail.inverse.is_none() =>
                {
                    (constructor, fields)
                }
                _ => return quote!(match #value { #arms _ => #place }),
            };
            let path = pattern_path(constructor);
            let fields = match fields {
                Fields::Unit => TokenStream::new(),
                Fields::Tuple(_) => quote!((..)),
                Fields::Named(_) => quote!({ .. }),
            };
            arms.extend(quote!(#path #fields => #place,));
        }
        quote!(match #value { #arms _ => #count })
    }

    fn way(&self, plan: &Plan<'_>, outer: &[Outer]) -> TokenStream {
        let items = &plan.path.items;
        let tail = plan.path.tail;
        let arguments = bind_outer(outer, plan.mentions());
        let way = Way { words: self.words, style: self.style, plan, outer, tail_name: tail_name(tail) };
        let apart = way.take_apart(tail);
        let checks = way.comparisons(0);
        let steps = way.elements(&plan.path.elements, 0, outer.to_vec());
        quote!(#(#items)* #apart #arguments #checks #steps)
    }
}

/// Takes a value apart by the shape of a tail, giving the parts at its leaves their names. `closed`
/// writes what to do if it has another shape.
pub(super) fn take_apart(
    shape: &Shape,
    place: TokenStream,
    segments: &mut Vec<TokenStream>,
    next_leaf: &mut usize,
    closed: &dyn Fn(&[TokenStream], &TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    if let Shape::Name(_) | Shape::Computed(_) = shape {
        let part = part_name(*next_leaf);
        *next_leaf += 1;
        return quote!(let #part = #place;);
    }
    if let Shape::Pointer(inner) = shape {
        return take_apart(inner, quote!(::retrospect::macros::pointed(&**#place)), segments, next_leaf, closed);
    }
    let base = hidden("__base");
    let fields: Vec<Ident> =
        (0..parts(shape).len()).map(|field| format_ident!("__field{field}", span = Span::mixed_site())).collect();
    let opened = match shape {
        Shape::Tuple(_) => quote!(let (#(#fields,)*) = #base;),
        Shape::Array(_) => quote!(let [#(#fields),*] = #base;),
        Shape::List(_) => {
            let count = fields.len();
            let reason = quote!(::core::format_args!("its length {} is not {}", #base.len(), #count));
            let closed = closed(segments, &quote!(#base), reason);
            quote!(let [#(#fields),*] = ::std::vec::Vec::as_slice(#base) else { #closed };)
        }
        Shape::Constructor { constructor, fields: kind } => {
            let name = shape_name(shape).unwrap_or_default();
            let reason = format!("this is not `{name}`");
            let closed = closed(segments, &quote!(#base), quote!(#reason));
            let path = pattern_path(constructor);
            let pattern = match kind {
                Fields::Unit => quote!(#path),
                Fields::Tuple(_) => quote!(#path(#(#fields),*)),
                Fields::Named(named) => {
                    let members = named.iter().map(|(member, _)| member);
                    quote!(#path { #(#members: #fields),* })
                }
            };
            quote!(let #pattern = #base else { #closed };)
        }
        Shape::Name(_) | Shape::Computed(_) | Shape::Pointer(_) => unreachable!("handled above"),
    };
    let mut code = quote!(let #base = #place; #opened);
    // Inner levels use the same names again, so each level first puts its fields into names of its
    // own.
    let level = segments.len();
    let own: Vec<Ident> =
        (0..fields.len()).map(|field| format_ident!("__level{level}_{field}", span = Span::mixed_site())).collect();
    code.extend(quote!(#(let #own = #fields;)*));
    for ((segment, part), field) in parts(shape).into_iter().zip(&own) {
        segments.push(segment);
        code.extend(take_apart(part, quote!(#field), segments, next_leaf, closed));
        segments.pop();
    }
    code
}

/// The path of a struct or a variant, as a pattern begins with it.
fn pattern_path(constructor: &Constructor) -> TokenStream {
    let path = &constructor.path;
    match &constructor.qself {
        Some(qself) => {
            let qself = Some(qself.clone());
            syn::ExprPath { attrs: Vec::new(), qself, path: path.clone() }.to_token_stream()
        }
        None => quote!(#path),
    }
}

/// One way while it is written.
struct Way<'w> {
    words: &'w Vocabulary,
    style: Style,
    plan: &'w Plan<'w>,
    outer: &'w [Outer],
    tail_name: String,
}

impl Way<'_> {
    fn closed(&self, segments: &[TokenStream], part: &TokenStream, reason: TokenStream) -> TokenStream {
        if self.style == Style::Plain {
            return quote!(return ::core::result::Result::Err(::retrospect::macros::Mismatch););
        }
        let reflector = &self.words.reflector;
        quote!(return ::retrospect::macros::mismatch(#reflector, &[#(#segments),*], #part, &#reason);)
    }

    /// What is written where this way does not lead on.
    fn closed_here(&self, reason: &str) -> TokenStream {
        let value = &self.words.value;
        self.closed(&[], &quote!(#value), quote!(#reason))
    }

    fn take_apart(&self, tail: &Tail) -> TokenStream {
        let value = &self.words.value;
        match (&tail.kind, &tail.inverse) {
            (TailKind::Value(shape), None) => {
                let closed = |segments: &[_], part: &_, reason| self.closed(segments, part, reason);
                take_apart(shape, quote!(#value), &mut Vec::new(), &mut 0, &closed)
            }
            _ => TokenStream::new(),
        }
    }

    /// Recalls what was drawn by the inverse of the tail, if this element is the first to need it:
    /// the closure may mention everything bound before.
    fn recalled(&self, elements: &[Element<'_>], done: usize) -> TokenStream {
        let all = &self.plan.path.elements;
        let Some(inverse) = &self.plan.path.tail.inverse else { return TokenStream::new() };
        if !elements.first().is_some_and(draws) || all[..done].iter().any(draws) {
            return TokenStream::new();
        }
        let (value, reflector) = (&self.words.value, &self.words.reflector);
        let names: Vec<Ident> = self.plan.recalled.iter().map(|(bind, name)| recalled_name(*bind, name)).collect();
        let pattern = match &names[..] {
            [only] => quote!(#only),
            names => quote!((#(#names),*)),
        };
        quote_spanned!(inverse.span()=> let #pattern = ::retrospect::macros::inverse(#reflector, #value, #inverse)?;)
    }

    /// The comparisons that are due after this many elements. Both styles call the same function,
    /// or what cannot be compared would be reported twice.
    fn comparisons(&self, done: usize) -> TokenStream {
        let reflector = &self.words.reflector;
        let mut code = TokenStream::new();
        for (place, leaf) in self.plan.leaves.iter().enumerate() {
            let part = part_name(place);
            let segments = if self.style == Style::Plain { &[] } else { &leaf.segments[..] };
            match (&leaf.meaning, leaf.kind) {
                (Meaning::Compare { after, .. }, kind) if *after == done => {
                    let label = comparison_label(leaf, self.outer);
                    let expected: &dyn ToTokens = match kind {
                        LeafKind::Name(name) => name,
                        LeafKind::Computed(expression) => expression,
                    };
                    code.extend(quote_spanned! {expected.span()=>
                        ::retrospect::macros::compared_with_tail(#reflector, &[#(#segments),*], #part, &(#expected), #label)?;
                    });
                }
                (Meaning::SameAs(first), LeafKind::Name(name)) if done == 0 => {
                    let first = part_name(*first);
                    let label = format!(" (`{name}`)");
                    code.extend(quote_spanned! {name.span()=>
                        ::retrospect::macros::compared_with_tail(#reflector, &[#(#segments),*], #part, #first, #label)?;
                    });
                }
                _ => {}
            }
        }
        code
    }

    /// The elements from `done` on, and the end.
    fn elements(&self, elements: &[Element<'_>], done: usize, scope: Vec<Outer>) -> TokenStream {
        let Some((element, rest)) = elements.split_first() else { return self.end() };
        let recalled = self.recalled(elements, done);
        let go_on = |scope| {
            let comparisons = self.comparisons(done + 1);
            let rest = self.elements(rest, done + 1, scope);
            quote!(#comparisons #rest)
        };
        match element {
            Element::Enter(head) => {
                let scope = scope_with(&scope, &bound_by_head(*head));
                self.entered(*head, go_on(scope))
            }
            element => {
                let (code, scope) = self.step(element, done, scope);
                let rest = go_on(scope);
                quote!(#recalled #code #rest)
            }
        }
    }

    /// An element that does not nest what follows, and the names in scope after it.
    fn step(&self, element: &Element<'_>, done: usize, scope: Vec<Outer>) -> (TokenStream, Vec<Outer>) {
        match element {
            Element::Plain(statement) => {
                let scope = match statement {
                    syn::Stmt::Local(local) => scope_with(&scope, &bound_by(&local.pat)),
                    _ => scope,
                };
                (quote!(#statement), scope)
            }
            Element::Bind(bind) => (self.bind(bind, done, &scope), scope_with(&scope, &bind.names)),
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
                let mut code = quote!(#(#items)*);
                code.extend(self.through(inner, done, scope_with(&scope, &bound_by_head(*head))));
                (self.entered(*head, code), scope)
            }
            Element::Enter(_) => unreachable!("nests what follows"),
        }
    }

    /// The elements inside a block that is left again.
    fn through(&self, elements: &[Element<'_>], done: usize, scope: Vec<Outer>) -> TokenStream {
        let Some((element, rest)) = elements.split_first() else { return TokenStream::new() };
        match element {
            Element::Enter(head) => {
                let inner = self.through(rest, done, scope_with(&scope, &bound_by_head(*head)));
                self.entered(*head, inner)
            }
            element => {
                let (code, scope) = self.step(element, done, scope);
                let rest = self.through(rest, done, scope);
                quote!(#code #rest)
            }
        }
    }

    /// Enters a block if its condition holds.
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
            Head::Pick(pick, arm) => {
                let (reflector, value, place) = (&self.words.reflector, &self.words.value, site(pick.site));
                let name = hidden("__weights");
                let weights = bind_weights(
                    &name,
                    &written_weights(pick),
                    |arm, weight| quote_spanned!(weight.span()=> #reflector.weight(#place, #arm, #weight)?),
                );
                let label = &pick.arms[arm].label;
                if self.style == Style::Plain {
                    return quote!({
                        #weights
                        if #name[#arm] == 0 { #closed }
                        #inner
                    });
                }
                quote!({
                    #weights
                    ::retrospect::macros::check_weight(#reflector, #value, #label, #name[#arm])?;
                    #reflector.pick(#place, #name, #arm)?;
                    #inner
                })
            }
        }
    }

    fn bind(&self, bind: &Bind, done: usize, scope: &[Outer]) -> TokenStream {
        let reflector = &self.words.reflector;
        let whole = hidden("__whole");
        let is_used = bind.names.iter().any(|bound| self.plan.is_used_after(done + 1, &bound.name));
        if let Some(focus) = &bind.focus {
            return self.focused(bind, focus, scope);
        }
        if !is_in_tail(self.plan, bind) {
            // Recalled by an inverse: the values are our own.
            let value = rebuilt(&bind.pattern, &|name| recalled_name(bind.id, name).into_token_stream());
            let looked_at = self.part_at(&[], &bind.what, quote!(#whole), scope);
            let bound = let_of(bind, &whole.to_token_stream());
            return quote! {
                let #whole = #value;
                #reflector.on_temporary_value(&#whole, |#reflector, #whole| #looked_at)?;
                #bound
            };
        }
        let place = |name: &Ident| self.plan.place_of(bind, name).unwrap_or_default();
        if let Some(name) = bind.single_name() {
            let place = place(name);
            let (part, segments) = (part_name(place), &self.plan.leaves[place].segments);
            let looked_at = self.part_at(segments, &bind.what, quote!(#part), scope);
            let bound =
                is_used.then(|| let_of(bind, &quote_spanned!(name.span()=> ::core::clone::Clone::clone(#part))));
            return quote! {
                #looked_at?;
                #bound
            };
        }
        let value = rebuilt(&bind.pattern, &|name| {
            let part = part_name(place(name));
            quote_spanned!(name.span()=> ::core::clone::Clone::clone(#part))
        });
        let looked_at = self.part_at(&[], &bind.what, quote!(#whole), scope);
        let bound = is_used.then(|| let_of(bind, &whole.to_token_stream()));
        quote! {
            let #whole = #value;
            #reflector.on_temporary_value(&#whole, |#reflector, #whole| #looked_at)?;
            #bound
        }
    }

    fn focused(&self, bind: &Bind, focus: &Expr, scope: &[Outer]) -> TokenStream {
        let (reflector, value, whole) = (&self.words.reflector, &self.words.value, hidden("__whole"));
        let it = ident_in(focus, "it");
        let name = bind.names.first().map_or_else(|| "_".to_owned(), |bound| plain(&bound.name));
        let segment = quote!(::retrospect::macros::Segment::Focus(#name));
        let looked_at = self.part_at(&[segment], &bind.what, quote!(#whole), scope);
        let bound = let_of(bind, &whole.to_token_stream());
        let found = quote_spanned! {focus.span()=>
            ::retrospect::macros::focus(#reflector, #value, #name, || ::core::option::Option::Some(#focus))?
        };
        quote! {
            let #whole = {
                let #it = #value;
                #found
            };
            #reflector.on_temporary_value(&#whole, |#reflector, #whole| #looked_at)?;
            #bound
        }
    }

    /// Looks at a part with what draws it, makes that one node of the choices, and gives it its
    /// place.
    fn part_at(&self, segments: &[TokenStream], what: &What, part: TokenStream, scope: &[Outer]) -> TokenStream {
        let reflector = &self.words.reflector;
        match (self.style, what) {
            (Style::Plain, _) => self.looked_at(what, part, scope),
            // A function of the generator, and not a closure for each place where it is drawn: that
            // is much less to compile.
            (Style::Noting, What::Draw(generator)) => quote_spanned! {generator.span()=>
                ::retrospect::macros::Generator::reflect_part(&(#generator), #part, &[#(#segments),*], #reflector)
            },
            (Style::Noting, What::Sub { .. }) => {
                let looked_at = self.looked_at(what, part, scope);
                quote!(#reflector.part_at(&[#(#segments),*], |#reflector| #looked_at))
            }
        }
    }

    /// The same without a node of its own.
    fn looked_at(&self, what: &What, part: TokenStream, scope: &[Outer]) -> TokenStream {
        let (reflector, value) = (&self.words.reflector, &self.words.value);
        match what {
            What::Draw(generator) => quote_spanned! {generator.span()=>
                ::retrospect::macros::Generator::reflect(&(#generator), #part, #reflector)
            },
            What::Sub { site: place, body, .. } => {
                let place = site(*place);
                // The arguments are bound already, under their names.
                let outer: Vec<Outer> =
                    scope.iter().map(|outer| Outer { is_argument: false, ..outer.clone() }).collect();
                let body = Backward { words: self.words, style: self.style }.body(body, &outer);
                if self.style == Style::Plain {
                    return quote!({
                        let #value = #part;
                        ::retrospect::macros::plainly(#reflector, |#reflector| { #body })
                    });
                }
                quote!({
                    let #value = #part;
                    #reflector.call(
                        #place,
                        || ::core::option::Option::None,
                        ::retrospect::macros::address_of(#value),
                        |#reflector| { #body },
                    )
                })
            }
        }
    }

    fn end(&self) -> TokenStream {
        let (reflector, value) = (&self.words.reflector, &self.words.value);
        let tail = self.plan.path.tail;
        match (&tail.kind, &tail.inverse) {
            (TailKind::Draw(generator), _) => quote_spanned! {generator.span()=>
                ::retrospect::macros::Generator::reflect(&(#generator), #value, #reflector)
            },
            (_, Some(_)) => {
                let (rebuilt, expression) = (hidden("__rebuilt"), &tail.expression);
                quote!({
                    #[allow(unused_imports)]
                    use ::retrospect::macros::{CompareRebuilt as _, TrustRebuilt as _};
                    let #rebuilt = #expression;
                    (&::retrospect::macros::Rebuilt(#value)).compare(&#rebuilt, #reflector)
                })
            }
            (_, None) => quote!(::core::result::Result::Ok(())),
        }
    }
}

/// Whether a way is a matter of a few comparisons: it draws nothing, and runs nothing of the user's
/// but its conditions.
fn is_shallow(plan: &Plan<'_>) -> bool {
    fn is_condition(element: &Element<'_>) -> bool {
        match element {
            Element::Enter(Head::Pick(pick, _)) => {
                written_weights(pick).into_iter().flatten().all(|weight| literal_weight(weight).is_some())
            }
            Element::Enter(Head::If(..) | Head::Block) => true,
            Element::Through(Head::If(..) | Head::Block, items, inner) => {
                items.is_empty() && inner.iter().all(is_condition)
            }
            _ => false,
        }
    }
    let tail = plan.path.tail;
    let is_plain = matches!(tail.kind, TailKind::Value(_)) && tail.inverse.is_none();
    is_plain && plan.path.items.is_empty() && plan.path.elements.iter().all(is_condition)
}

/// Whether two ways may both make a value, as far as the outermost variants tell.
fn may_be_of_one_variant(one: &Plan<'_>, other: &Plan<'_>) -> bool {
    let variant = |plan: &Plan<'_>| match &plan.path.tail.kind {
        TailKind::Value(Shape::Constructor { constructor, .. }) if plan.path.tail.inverse.is_none() => {
            constructor.path.segments.last().map(|segment| segment.ident.clone())
        }
        _ => None,
    };
    match (variant(one), variant(other)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// Whether a way asks other generators.
fn looks_at_parts(plan: &Plan<'_>) -> bool {
    fn binds(element: &Element<'_>) -> bool {
        match element {
            Element::Bind(_) => true,
            Element::Through(_, _, inner) => inner.iter().any(binds),
            _ => false,
        }
    }
    matches!(plan.path.tail.kind, TailKind::Draw(_)) || plan.path.elements.iter().any(binds)
}

/// Whether an element draws something that is not found by a focus.
fn draws(element: &Element<'_>) -> bool {
    match element {
        Element::Bind(bind) => bind.focus.is_none(),
        Element::Through(_, _, inner) => inner.iter().any(draws),
        _ => false,
    }
}

/// The names that entering a block binds.
pub(super) fn bound_by_head(head: Head<'_>) -> Vec<crate::function::names::Bound> {
    match head {
        Head::If(condition, true) => bound_by_condition(condition),
        Head::Match { arms, arm, .. } => bound_by(&arms[arm].pattern),
        _ => Vec::new(),
    }
}

/// A `match` in which only one arm leads on.
pub(super) fn match_arm(
    scrutinee: &Expr,
    arms: &[crate::function::body::Arm],
    arm: usize,
    inner: TokenStream,
    closed: TokenStream,
) -> TokenStream {
    let head = |arm: &crate::function::body::Arm| {
        let (attributes, pattern) = (&arm.attributes, &arm.pattern);
        let guard = arm.guard.as_ref().map(|guard| quote!(if #guard));
        quote!(#(#attributes)* #pattern #guard)
    };
    let before = arms[..arm].iter().map(head);
    let this = head(&arms[arm]);
    quote! {
        match #scrutinee {
            #(#before => { #closed })*
            #this => { #inner }
            _ => { #closed }
        }
    }
}

/// What an inverse recalls for a name.
fn recalled_name(bind: usize, name: &Ident) -> Ident {
    format_ident!("__recalled{bind}_{}", plain(name), span = Span::mixed_site())
}

/// A name as it stands in a piece of the user's code, so that binding it there is what that code
/// sees.
pub(super) fn ident_in(code: &Expr, wanted: &str) -> Ident {
    fn find(tokens: TokenStream, wanted: &str) -> Option<Ident> {
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(ident) if ident == wanted => Some(ident),
            proc_macro2::TokenTree::Group(group) => find(group.stream(), wanted),
            _ => None,
        })
    }
    find(code.to_token_stream(), wanted).unwrap_or_else(|| Ident::new(wanted, Span::call_site()))
}
