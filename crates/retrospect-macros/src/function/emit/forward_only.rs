//! The body of a generator that only goes forward: draws may stand almost anywhere, so the code is
//! rewritten in place.

use super::{Vocabulary, bind_weights, hidden, site};
use crate::errors::Errors;
use crate::function::body::Site;
use crate::function::check::{check_arms, is_pick, written_weight};
use crate::function::shape::{drawn_generator, list_items};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMatch, parse_quote};

/// The body as an expression that gives what a source draws.
pub(super) fn rewrite(block: &Block, words: &Vocabulary, sites: &mut Vec<Site>) -> TokenStream {
    let mut block = block.clone();
    Rewriter { words, sites }.visit_block_mut(&mut block);
    let statements = &block.stmts;
    let is_never =
        matches!(statements.last(), Some(syn::Stmt::Expr(Expr::Return(_), _) | syn::Stmt::Expr(Expr::Loop(_), None)));
    match is_never {
        true => quote!(#(#statements)*),
        false => quote!(::core::result::Result::Ok({ #(#statements)* })),
    }
}

struct Rewriter<'r> {
    words: &'r Vocabulary,
    sites: &'r mut Vec<Site>,
}

impl VisitMut for Rewriter<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let source = &self.words.source;
        if let Some(mut generator) = drawn_generator(expression) {
            self.visit_expr_mut(&mut generator);
            *expression = Expr::Verbatim(quote_spanned! {generator.span()=>
                #source.part(|#source| ::retrospect::macros::Generator::generate(&(#generator), #source))?
            });
            return;
        }
        match expression {
            Expr::Closure(_) | Expr::Async(_) => {}
            Expr::Return(node) => {
                if let Some(value) = &mut node.expr {
                    self.visit_expr_mut(value);
                    *value = parse_quote!(::core::result::Result::Ok(#value));
                }
            }
            Expr::Match(node) if is_pick(node) => *expression = self.pick(node),
            Expr::Macro(call) => {
                if let Some(mut items) = list_items(call) {
                    items.iter_mut().for_each(|item| self.visit_expr_mut(item));
                    call.mac.tokens = quote!(#items);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_path_mut(&mut self, _: &mut syn::Path) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}

impl Rewriter<'_> {
    fn pick(&mut self, node: &mut ExprMatch) -> Expr {
        let place = self.sites.len();
        // What is wrong with them was reported before.
        let labels = check_arms(node, &mut Errors::default());
        self.sites.push(Site { suffix: String::new(), labels: Some(labels), span: node.match_token.span });
        let (source, place, name) = (&self.words.source, site(place), hidden("__weights"));
        let written: Vec<Option<Expr>> = node.arms.iter().map(|arm| written_weight(&arm.attrs)).collect();
        let written: Vec<Option<&Expr>> = written.iter().map(Option::as_ref).collect();
        let weights = bind_weights(
            &name,
            &written,
            |arm, weight| quote_spanned!(weight.span()=> #source.weight(#place, #arm, #weight)?),
        );
        let last = node.arms.len().saturating_sub(1);
        let mut arms = Vec::new();
        for (place, arm) in node.arms.iter_mut().enumerate() {
            self.visit_expr_mut(&mut arm.body);
            let body = &arm.body;
            arms.push(if place == last { quote!(_ => { #body }) } else { quote!(#place => { #body }) });
        }
        Expr::Verbatim(quote! {
            match {
                #weights
                #source.pick(#place, #name)?
            } { #(#arms)* }
        })
    }
}
