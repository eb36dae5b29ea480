//! What must not stand inside an expression of a generator's body, each with the way out.

use super::shape::{is_item, list_items};
use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprMatch, Lit, LitStr, Macro, Pat};

/// Whether an expression draws or picks, or returns, outside closures.
#[derive(Default)]
pub(crate) struct Survey {
    pub(crate) chooses: bool,
    pub(crate) returns: bool,
}

impl Survey {
    pub(crate) fn of(expression: &Expr) -> Survey {
        let mut survey = Survey::default();
        survey.visit_expr(expression);
        survey
    }

    pub(crate) fn of_block(block: &syn::Block) -> Survey {
        let mut survey = Survey::default();
        survey.visit_block(block);
        survey
    }
}

impl<'ast> Visit<'ast> for Survey {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.chooses |= matches!(expression, Expr::Call(call) if is_choice(&call.func));
        self.returns |= matches!(expression, Expr::Return(_));
        match expression {
            Expr::Closure(_) | Expr::Async(_) => {}
            Expr::Macro(call) => list_items(call).iter().flatten().for_each(|item| self.visit_expr(item)),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

fn is_choice(function: &Expr) -> bool {
    is_item(function, "draw") || is_item(function, "pick")
}

/// Whether this is `match pick() { … }`.
pub(crate) fn is_pick(node: &ExprMatch) -> bool {
    matches!(&*node.expr, Expr::Call(call) if is_item(&call.func, "pick") && call.args.is_empty())
}

/// Reports what must not stand inside a plain expression.
pub(crate) fn check_plain(expression: &Expr, errors: &mut Errors) {
    Checker { errors, inside: Vec::new(), is_forward: false }.visit_expr(expression);
}

/// Reports what must not stand inside a plain statement.
pub(crate) fn check_statement(statement: &syn::Stmt, errors: &mut Errors) {
    Checker { errors, inside: Vec::new(), is_forward: false }.visit_stmt(statement);
}

/// Reports what must not stand in the body of a forward generator, where draws may stand almost
/// anywhere.
pub(crate) fn check_forward(block: &syn::Block, errors: &mut Errors) {
    Checker { errors, inside: Vec::new(), is_forward: true }.visit_block(block);
}

/// Reports `#[weight]`, `#[focus]` and `#[inverse]` where they mean nothing.
pub(crate) fn check_attributes(attributes: &[Attribute], allowed: &[&str], errors: &mut Errors) {
    for attribute in attributes {
        let Some(name) = attribute.path().get_ident().map(ToString::to_string) else { continue };
        let place = match name.as_str() {
            "weight" => "`#[weight(…)]` belongs on an arm of `match pick() { … }`",
            "focus" => "`#[focus(…)]` belongs on a `let` that draws: `#[focus(type_of(it)?)] let ty = draw(types());`",
            "inverse" => "`#[inverse(…)]` belongs on a tail, or on the arm whose tail it inverts",
            _ => continue,
        };
        if !allowed.contains(&name.as_str()) {
            errors.on(attribute, place);
        }
    }
}

/// Checks the arms of a `pick`, and gives their labels: one for each arm, right or wrong.
pub(crate) fn check_arms(node: &ExprMatch, errors: &mut Errors) -> Vec<LitStr> {
    if node.arms.is_empty() {
        errors.on(node, "this `pick` has no arms: write at least one, `\"label\" => …`");
    }
    let mut labels: Vec<LitStr> = Vec::new();
    for arm in &node.arms {
        check_attributes(&arm.attrs, &["weight", "inverse"], errors);
        check_weight(&arm.attrs, errors);
        if let Some((_, guard)) = &arm.guard {
            errors.on(
                guard,
                "an arm of a `pick` has no guard: `#[weight(if condition { 1 } else { 0 })]` makes an arm absent",
            );
        }
        let label = label(&arm.pat, &labels, errors);
        labels.push(label.unwrap_or_else(|| LitStr::new("", arm.pat.span())));
    }
    labels
}

fn check_weight(attributes: &[Attribute], errors: &mut Errors) {
    let mut weights = attributes.iter().filter(|attribute| attribute.path().is_ident("weight"));
    let Some(first) = weights.next() else { return };
    if first.parse_args::<Expr>().is_err() {
        errors.on(first, "write the weight as an expression: `#[weight(3)]`");
    }
    if let Some(second) = weights.next() {
        errors.on(second, "this arm has a weight already");
    }
}

/// The weight on an arm.
pub(crate) fn written_weight(attributes: &[Attribute]) -> Option<Expr> {
    attributes.iter().find(|attribute| attribute.path().is_ident("weight"))?.parse_args().ok()
}

fn label(pattern: &Pat, known: &[LitStr], errors: &mut Errors) -> Option<LitStr> {
    if let Pat::Lit(literal) = pattern
        && let Lit::Str(label) = &literal.lit
    {
        if known.iter().any(|other| other.value() == label.value()) {
            let twice = label.value();
            errors.on(
                label,
                format!("the label {twice:?} stands twice: labels tell the arms apart, so give this one another name"),
            );
        }
        return Some(label.clone());
    }
    let message = match pattern {
        Pat::Wild(_) | Pat::Ident(_) => {
            "a `pick` takes no other arm than those it lists: give this one a label, `\"label\" => …`"
        }
        Pat::Or(_) => "each arm of a `pick` has one label: write the second as an arm of its own",
        _ => "the arms of a `pick` are labelled with string literals: `\"label\" => …`",
    };
    errors.on(pattern, message);
    None
}

struct Checker<'e> {
    errors: &'e mut Errors,
    inside: Vec<Inside>,
    is_forward: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Closure,
    Async,
    Loop(&'static str),
    Labelled,
}

impl Checker<'_> {
    fn within<T: ?Sized>(&mut self, inside: Inside, node: &T, visit: impl FnOnce(&mut Self, &T)) {
        self.inside.push(inside);
        visit(self, node);
        self.inside.pop();
    }

    fn is_in_function(&self) -> bool {
        self.inside.iter().any(|inside| matches!(inside, Inside::Closure | Inside::Async))
    }

    fn stray_draw(&mut self, code: &Expr) {
        let is_loop = |inside: &&Inside| matches!(inside, Inside::Loop(_));
        if self.is_in_function() {
            self.errors.on(
                code,
                "`draw` inside a closure cannot be inverted: draw before it and use the drawn name inside, \
                 or use a combinator such as `vec_of` or `map_with_inverse`",
            );
        } else if let (Some(Inside::Loop(kind)), false) = (self.inside.iter().find(is_loop), self.is_forward) {
            self.errors.on(
                code,
                format!(
                    "`draw` inside a `{kind}` loop cannot be inverted, because the loop cannot be run backwards: use \
                     `vec_of(generator, lengths)` for independent items or `sequence_of` where each depends on those before it"
                ),
            );
        } else if self.inside.contains(&Inside::Labelled) && !self.is_forward {
            self.errors.on(
                code,
                "`draw` inside a labelled block cannot be inverted, because `break` cannot be followed backwards: use `if` and \
                 `else`, or a generator of its own with `return`",
            );
        } else if !self.is_forward {
            self.errors.on(
                code,
                "what is drawn here cannot be recalled from the middle of an expression: bind it first, \
                 `let name = draw(…);`, and use the name",
            );
        }
    }

    fn stray_pick(&mut self, code: &Expr) {
        let message = if self.is_in_function() {
            "`pick` inside a closure cannot be inverted: pick before it, or use `one_of`"
        } else if self.inside.iter().any(|inside| matches!(inside, Inside::Loop(_))) {
            "`pick` inside a loop cannot be inverted: use `vec_of(generator, lengths)` with a generator that picks"
        } else {
            "`pick()` is always matched at once: `match pick() { \"label\" => …, \"other\" => … }`, as the tail or as what a \
             `let` binds"
        };
        self.errors.on(code, message);
    }
}

impl<'ast> Visit<'ast> for Checker<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Call(call) if is_item(&call.func, "draw") => {
                match call.args.len() {
                    1 => self.stray_draw(expression),
                    _ => self.errors.on(expression, "`draw` takes one generator: `draw(0..10)`"),
                }
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Match(node) if self.is_forward && is_pick(node) && !self.is_in_function() => {
                check_arms(node, self.errors);
                node.arms.iter().for_each(|arm| self.visit_expr(&arm.body));
            }
            Expr::Call(call) if is_item(&call.func, "pick") => self.stray_pick(expression),
            Expr::Path(_) if is_item(expression, "draw") && !self.inside.contains(&Inside::Closure) => {
                self.errors.on(
                    expression,
                    "`draw` is read by the macro and is no function to pass on: call it, `draw(generator)`",
                );
            }
            Expr::Closure(closure) => {
                self.within(Inside::Closure, closure, |checker, node| visit::visit_expr_closure(checker, node))
            }
            Expr::Async(block) => {
                self.within(Inside::Async, block, |checker, node| visit::visit_expr_async(checker, node))
            }
            Expr::ForLoop(node) => {
                self.visit_expr(&node.expr);
                self.within(Inside::Loop("for"), &node.body, |checker, node| checker.visit_block(node));
            }
            Expr::While(node) => {
                self.within(Inside::Loop("while"), node, |checker, node| visit::visit_expr_while(checker, node))
            }
            Expr::Loop(node) => {
                self.within(Inside::Loop("loop"), node, |checker, node| visit::visit_expr_loop(checker, node))
            }
            Expr::Block(node) if node.label.is_some() => {
                self.within(Inside::Labelled, &node.block, |checker, node| checker.visit_block(node));
            }
            Expr::Try(node) => {
                if !self.is_in_function() {
                    self.errors.at(
                        node.question_token.span(),
                        "`?` does not work in a generator: its function returns the value itself. Use `let … else { return … }`, \
                         `match`, or `unwrap_or`",
                    );
                }
                self.visit_expr(&node.expr);
            }
            Expr::Await(node) if !self.inside.contains(&Inside::Async) => {
                self.errors.at(node.await_token.span(), "a generator cannot wait: `.await` does not work in it");
                self.visit_expr(&node.base);
            }
            Expr::Return(node) if !self.is_in_function() && !self.is_forward => {
                self.errors.on(
                    node,
                    "this `return` cannot be followed backwards: use it as a statement, `if … { return …; }`, or as an arm of \
                     the `match` that a `let` binds",
                );
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        // A generator written inside another draws for itself.
        if call.path.segments.last().is_some_and(|last| last.ident == "generator_of" || last.ident == "generator") {
            return;
        }
        if let Some(token) = choice_in(call.tokens.clone()) {
            self.errors.on(
                &token,
                format!(
                    "the macro cannot see `{token}` inside `{}!`: bind it first, `let name = draw(…);`, and use the name there",
                    super::names::shown(&call.path)
                ),
            );
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let allowed: &[&str] = if self.is_forward { &["weight"] } else { &[] };
        check_attributes(std::slice::from_ref(attribute), allowed, self.errors);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// A call of `draw` or `pick` among the tokens of a macro.
fn choice_in(tokens: TokenStream) -> Option<proc_macro2::Ident> {
    let mut last: Option<proc_macro2::Ident> = None;
    let mut after_dot = false;
    for token in tokens {
        let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        match token {
            TokenTree::Group(group) => {
                if let (Some(name), proc_macro2::Delimiter::Parenthesis) = (last.take(), group.delimiter()) {
                    return Some(name);
                }
                if let Some(name) = choice_in(group.stream()) {
                    return Some(name);
                }
            }
            TokenTree::Ident(ident) if !after_dot && (ident == "draw" || ident == "pick") => {
                last = Some(ident);
                after_dot = false;
                continue;
            }
            _ => {}
        }
        last = None;
        after_dot = is_dot;
    }
    None
}
