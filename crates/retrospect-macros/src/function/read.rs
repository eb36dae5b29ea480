//! Reads the syntax of a body into steps, and refuses what cannot be inverted.

use super::body::*;
use super::check::{Survey, check_arms, check_attributes, check_plain, check_statement, written_weight};
use super::names::{bound_by, patterns_inside, plain};
use super::shape::{Surroundings, drawn_generator, is_item, shape_of};
use crate::errors::Errors;
use proc_macro2::Span;
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, ExprMatch, Ident, Item, Local, Pat, Stmt};

/// Reads one generator.
pub(crate) struct Reader {
    pub(crate) errors: Errors,
    /// The sites of the generator: its own call first.
    pub(crate) sites: Vec<Site>,
    constants: Vec<Ident>,
    made_type: Option<Ident>,
    next_bind: usize,
    /// The names of the `let`s of the sub-generators around.
    suffix: String,
}

/// What the value of a block is for.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// It is the value of the generator.
    Value,
    /// It is the value of a sub-generator, from which nothing can return.
    Sub,
    /// It is the value of a plain `let`.
    Let,
    /// It has none.
    Statement,
}

impl Reader {
    pub(crate) fn new(name_span: Span, constants: Vec<Ident>, made_type: Option<Ident>) -> Reader {
        let call = Site { suffix: String::new(), labels: None, span: name_span };
        Reader {
            errors: Errors::default(),
            sites: vec![call],
            constants,
            made_type,
            next_bind: 0,
            suffix: String::new(),
        }
    }

    /// The body of the whole function.
    pub(crate) fn function(&mut self, block: &Block) -> Body {
        self.block(block, Position::Value, None)
    }

    fn block(&mut self, block: &Block, position: Position, mut inverse: Option<Expr>) -> Body {
        let mut body = Body { items: Vec::new(), steps: Vec::new(), end: End::Fall };
        let mut is_over = false;
        for (place, statement) in block.stmts.iter().enumerate() {
            let is_last = place + 1 == block.stmts.len();
            if is_over {
                self.errors.on(statement, "nothing after a `return` is run: remove it");
                break;
            }
            match statement {
                Stmt::Item(item) => self.item(item, &mut body),
                Stmt::Local(local) => self.local(local, position, &mut body),
                Stmt::Expr(expression, semicolon) => {
                    let is_tail = is_last && semicolon.is_none() && position != Position::Statement;
                    is_over = self.expression(expression, is_tail, position, inverse.take_if(|_| is_last), &mut body);
                }
                Stmt::Macro(call) => {
                    let expression = Expr::Macro(syn::ExprMacro { attrs: call.attrs.clone(), mac: call.mac.clone() });
                    let is_tail = is_last && call.semi_token.is_none() && position != Position::Statement;
                    if is_last && is_panic(&expression) {
                        check_plain(&expression, &mut self.errors);
                        body.end = End::Never(expression);
                        is_over = true;
                    } else if is_tail {
                        self.end(&expression, position, inverse.take(), &mut body);
                        is_over = true;
                    } else {
                        check_statement(statement, &mut self.errors);
                        body.steps.push(Step::Plain(statement.clone()));
                    }
                }
            }
        }
        if !is_over && position != Position::Statement {
            let message = "this block ends without a value: end it with the value that the generator makes";
            match block.stmts.last() {
                Some(last) => self.errors.on(last, message),
                None => self.errors.at(block.brace_token.span.join(), message),
            }
        }
        body
    }

    /// A statement that is an expression. True if nothing follows it.
    fn expression(
        &mut self,
        expression: &Expr,
        is_tail: bool,
        position: Position,
        inverse: Option<Expr>,
        body: &mut Body,
    ) -> bool {
        if is_tail || matches!(expression, Expr::Return(_)) {
            self.end(expression, position, inverse, body);
            return true;
        }
        if is_panic(expression) {
            check_plain(expression, &mut self.errors);
            body.end = End::Never(expression.clone());
            return true;
        }
        let survey = Survey::of(expression);
        if drawn_generator(expression).is_some() {
            self.errors.on(
                expression,
                "what is drawn here is thrown away, so it could not be recalled: bind it, `let name = draw(…);`, or remove it",
            );
        } else if (survey.chooses || survey.returns) && is_flow(expression) {
            let flow = self.flow(expression, Position::Statement);
            if position == Position::Sub && survey.returns {
                self.return_in_sub(expression);
            }
            body.steps.push(Step::Flow(flow));
        } else {
            check_plain(expression, &mut self.errors);
            let semicolon =
                (!matches!(expression, Expr::Block(_) | Expr::If(_) | Expr::Match(_))).then(Default::default);
            body.steps.push(Step::Plain(Stmt::Expr(expression.clone(), semicolon)));
        }
        false
    }

    fn return_in_sub(&mut self, code: &impl ToTokens) {
        self.errors.on(
            code,
            "`return` inside a `let` that chooses would leave the whole generator: make the choice the tail of the function, \
             or move it into a generator of its own",
        );
    }

    /// The last expression of a block, or what is returned.
    fn end(&mut self, expression: &Expr, position: Position, inverse: Option<Expr>, body: &mut Body) {
        let mut expression = expression.clone();
        let mut inverse = inverse;
        while let Some(attribute) = take_attribute(&mut expression, "inverse") {
            match inverse {
                None => inverse = self.inverse(&attribute),
                Some(_) => self.errors.on(&attribute, "this tail has an inverse already"),
            }
        }
        match &expression {
            Expr::Return(_) if position == Position::Sub => self.return_in_sub(&expression),
            Expr::Return(returned) => match &returned.expr {
                // From here on it is the value of the generator, whatever block it stands in.
                Some(value) => self.end(value, Position::Value, inverse, body),
                None => self.errors.on(&expression, "this `return` gives no value: return what the generator makes"),
            },
            Expr::Paren(inner) if inner.attrs.is_empty() && position != Position::Let => {
                self.end(&inner.expr, position, inverse, body);
            }
            Expr::Macro(_) if is_panic(&expression) => {
                check_plain(&expression, &mut self.errors);
                body.end = End::Never(expression);
            }
            _ if position == Position::Let => match is_flow(&expression) && Survey::of(&expression).returns {
                true => body.end = End::Flow(Box::new(self.flow(&expression, Position::Let))),
                false => {
                    check_plain(&expression, &mut self.errors);
                    body.end = End::Give(expression);
                }
            },
            _ if is_flow(&expression) => {
                let flow = self.flow_with_inverse(&expression, position, inverse);
                body.end = End::Flow(Box::new(flow));
            }
            _ => self.tail(expression, inverse, body),
        }
    }

    fn tail(&mut self, mut expression: Expr, inverse: Option<Expr>, body: &mut Body) {
        if let Some(generator) = drawn_generator(&expression) {
            check_plain(&generator, &mut self.errors);
            if let Some(inverse) = &inverse {
                self.errors
                    .on(inverse, "this tail passes the whole value on to another generator, which inverts it itself");
            }
            let kind = TailKind::Draw(generator);
            body.end = End::Tail(Box::new(Tail { expression, kind, inverse: None }));
            return;
        }
        if is_item_call(&expression, "pick") {
            check_plain(&expression, &mut self.errors);
        }
        let mut around = TailReader { reader: self, hoisted: Vec::new(), has_inverse: inverse.is_some() };
        let shape = shape_of(&mut expression, &mut around);
        let hoisted = around.hoisted;
        body.steps.extend(hoisted.into_iter().map(|bind| Step::Bind(Box::new(bind))));
        body.end = End::Tail(Box::new(Tail { expression, kind: TailKind::Value(shape), inverse }));
    }

    fn inverse(&mut self, attribute: &Attribute) -> Option<Expr> {
        let form = "write `#[inverse(|it| Some((x, y)))]`: a closure from the value to the names that were drawn, in order, \
                    or to `None` if the value cannot be made this way";
        match attribute.parse_args::<Expr>() {
            Ok(inverse @ Expr::Closure(_)) | Ok(inverse @ Expr::Path(_)) => {
                check_plain(&inverse, &mut self.errors);
                Some(inverse)
            }
            _ => {
                self.errors.on(attribute, form);
                None
            }
        }
    }

    fn flow(&mut self, expression: &Expr, position: Position) -> Flow {
        self.flow_with_inverse(expression, position, None)
    }

    fn flow_with_inverse(&mut self, expression: &Expr, position: Position, inverse: Option<Expr>) -> Flow {
        match expression {
            Expr::If(node) => {
                check_plain(&node.cond, &mut self.errors);
                let then = self.block(&node.then_branch, position, inverse.clone());
                let otherwise = match &node.else_branch {
                    Some((_, otherwise)) => self.arm_body(otherwise, position, inverse),
                    None => Body { items: Vec::new(), steps: Vec::new(), end: End::Fall },
                };
                if node.else_branch.is_none() && position != Position::Statement {
                    self.errors.on(node, "this `if` gives the value, so it needs an `else`");
                }
                Flow::If { condition: (*node.cond).clone(), then: Box::new(then), otherwise: Box::new(otherwise) }
            }
            Expr::Match(node) if is_item_call(&node.expr, "pick") => self.pick(node, position, inverse),
            Expr::Match(node) => {
                check_plain(&node.expr, &mut self.errors);
                let mut arms = Vec::new();
                for arm in &node.arms {
                    check_attributes(&arm.attrs, &["inverse"], &mut self.errors);
                    let (attributes, inverse) = self.arm_attributes(&arm.attrs, inverse.clone());
                    let guard = arm.guard.as_ref().map(|(_, guard)| (**guard).clone());
                    guard.iter().for_each(|guard| check_plain(guard, &mut self.errors));
                    let body = self.arm_body(&arm.body, position, inverse);
                    arms.push(Arm { attributes, pattern: arm.pat.clone(), guard, body });
                }
                Flow::Match { attributes: node.attrs.clone(), scrutinee: (*node.expr).clone(), arms }
            }
            Expr::Block(node) => Flow::Block(Box::new(self.block(&node.block, position, inverse))),
            _ => unreachable!("`is_flow` knows only these"),
        }
    }

    fn arm_attributes(
        &mut self,
        attributes: &[Attribute],
        mut inverse: Option<Expr>,
    ) -> (Vec<Attribute>, Option<Expr>) {
        let mut kept = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident("inverse") {
                inverse = self.inverse(attribute);
            } else if !attribute.path().is_ident("weight") {
                kept.push(attribute.clone());
            }
        }
        (kept, inverse)
    }

    /// The body of an arm, which need not be a block.
    fn arm_body(&mut self, expression: &Expr, position: Position, inverse: Option<Expr>) -> Body {
        if let Expr::Block(node) = expression
            && node.label.is_none()
            && node.attrs.is_empty()
        {
            return self.block(&node.block, position, inverse);
        }
        let mut body = Body { items: Vec::new(), steps: Vec::new(), end: End::Fall };
        let is_value = position != Position::Statement;
        self.expression(expression, is_value, position, inverse, &mut body);
        body
    }

    fn pick(&mut self, node: &ExprMatch, position: Position, inverse: Option<Expr>) -> Flow {
        let site = self.sites.len();
        let suffix = self.suffix.clone();
        self.sites.push(Site { suffix, labels: Some(Vec::new()), span: node.match_token.span });
        if position == Position::Let {
            self.return_in_sub(&node.expr);
        }
        let labels = check_arms(node, &mut self.errors);
        let mut arms = Vec::new();
        for (arm, label) in node.arms.iter().zip(&labels) {
            let weight = self.weight(&arm.attrs);
            let (_, inverse) = self.arm_attributes(&arm.attrs, inverse.clone());
            let body = self.arm_body(&arm.body, position, inverse);
            arms.push(PickArm { label: label.clone(), weight, body });
        }
        self.sites[site].labels = Some(labels);
        Flow::Pick(Pick { site, arms })
    }

    fn weight(&mut self, attributes: &[Attribute]) -> Option<Expr> {
        let weight = written_weight(attributes)?;
        check_plain(&weight, &mut self.errors);
        Some(weight)
    }

    fn local(&mut self, local: &Local, position: Position, body: &mut Body) {
        check_attributes(&local.attrs, &["focus"], &mut self.errors);
        let focus = local.attrs.iter().find(|attribute| attribute.path().is_ident("focus"));
        let chosen =
            local.init.as_ref().filter(|init| Survey::of(&init.expr).chooses || Survey::of(&init.expr).returns);
        let Some(init) = chosen else {
            if let Some(focus) = focus {
                self.errors
                    .on(focus, "`#[focus(…)]` says where a drawn value is found, and nothing is drawn here: remove it");
            }
            return self.plain_local(local, position, body);
        };
        let survey = Survey::of(&init.expr);
        if survey.returns {
            if position == Position::Sub {
                self.return_in_sub(&init.expr);
            } else if is_flow(&init.expr) && init.diverge.is_none() {
                let flow = self.flow(&init.expr, Position::Let);
                body.steps.push(Step::LetFlow { local: Box::new(local.clone()), flow });
            } else {
                check_plain(&init.expr, &mut self.errors);
            }
            return;
        }
        if let Some((token, _)) = &init.diverge {
            self.errors.at(
                token.span,
                "a drawn value is matched after it is bound: `let name = draw(…);`, then `let … = name else { … }`",
            );
            return;
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => ((*typed.pat).clone(), Some((*typed.ty).clone())),
            pattern => (pattern.clone(), None),
        };
        let what = match drawn_generator(&init.expr) {
            Some(generator) => {
                check_plain(&generator, &mut self.errors);
                What::Draw(generator)
            }
            None => self.sub(&pattern, &init.expr),
        };
        let mut bind = Bind::new(self.new_id(), pattern, ty, what);
        bind.attributes = local.attrs.iter().filter(|attribute| !attribute.path().is_ident("focus")).cloned().collect();
        if let Some(attribute) = focus {
            match attribute.parse_args::<Expr>() {
                Ok(focus) => bind.focus = Some(focus),
                Err(_) => self.errors.on(
                    attribute,
                    "write what was drawn as an expression of `it`, the value looked at: `#[focus(type_of(it)?)]`",
                ),
            }
        } else {
            check_drawn_pattern(&bind.pattern, &mut self.errors);
        }
        body.steps.push(Step::Bind(Box::new(bind)));
    }

    fn plain_local(&mut self, local: &Local, position: Position, body: &mut Body) {
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref()).map(|(_, otherwise)| &**otherwise);
        if let Some(Expr::Block(node)) = otherwise
            && let survey = Survey::of_block(&node.block)
            && (survey.returns || survey.chooses)
        {
            if position == Position::Sub {
                return self.return_in_sub(&node);
            }
            if let Some(init) = &local.init {
                check_plain(&init.expr, &mut self.errors);
            }
            let otherwise = self.block(&node.block, Position::Statement, None);
            body.steps.push(Step::LetElse { local: Box::new(local.clone()), otherwise });
            return;
        }
        let mut kept = local.clone();
        kept.attrs.retain(|attribute| !attribute.path().is_ident("focus"));
        let statement = Stmt::Local(kept);
        check_statement(&statement, &mut self.errors);
        body.steps.push(Step::Plain(statement));
    }

    fn sub(&mut self, pattern: &Pat, expression: &Expr) -> What {
        let name = bound_by(pattern).first().map_or_else(|| "part".to_owned(), |bound| plain(&bound.name));
        let outer = self.suffix.clone();
        self.suffix = format!("{outer}::{name}");
        let site = self.sites.len();
        let span = bound_by(pattern).first().map_or_else(|| pattern.span(), |bound| bound.name.span());
        self.sites.push(Site { suffix: self.suffix.clone(), labels: None, span });
        let body = self.arm_body(expression, Position::Sub, None);
        self.suffix = outer;
        What::Sub { site, body: Box::new(body), code: expression.to_token_stream() }
    }

    fn item(&mut self, item: &Item, body: &mut Body) {
        match item {
            Item::Use(_) | Item::Const(_) | Item::Fn(_) | Item::Type(_) | Item::Static(_) | Item::Macro(_) => {
                body.items.push(item.clone());
            }
            _ => self.errors.on(
                item,
                "the body is written out for each direction, so this item would be defined several times: move it out",
            ),
        }
    }

    fn new_id(&mut self) -> usize {
        self.next_bind += 1;
        self.next_bind
    }
}

struct TailReader<'r> {
    reader: &'r mut Reader,
    hoisted: Vec<Bind>,
    has_inverse: bool,
}

impl Surroundings for TailReader<'_> {
    fn hoist(&mut self, generator: Expr, span: Span) -> Ident {
        check_plain(&generator, &mut self.reader.errors);
        let id = self.reader.new_id();
        let name = format_ident!("__drawn{id}", span = span.resolved_at(Span::mixed_site()));
        let pattern = syn::parse_quote!(#name);
        self.hoisted.push(Bind::new(id, pattern, None, What::Draw(generator)));
        name
    }

    fn is_const(&self, name: &Ident) -> bool {
        self.reader.constants.contains(name)
    }

    fn made_type(&self) -> Option<&Ident> {
        self.reader.made_type.as_ref()
    }

    fn check(&mut self, expression: &Expr) {
        check_plain(expression, &mut self.reader.errors);
    }

    fn refuse(&mut self, span: Span, message: &str) {
        if !self.has_inverse {
            self.reader.errors.at(span, message);
        }
    }
}

/// Refuses patterns from which a drawn value cannot be put together again.
fn check_drawn_pattern(pattern: &Pat, errors: &mut Errors) {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => errors.on(
            pattern,
            "what stands for this could not be recalled going backward: give it a name and put that into the tail, \
             or say where it is found with `#[focus(…)]` on the `let`",
        ),
        Pat::Ident(name) if name.mutability.is_some() => errors.on(
            pattern,
            "a drawn name is not `mut`: going backward it is read off the tail, so it must be there as it was drawn. Change \
             it in the tail, with `#[inverse(…)]` above it that says how to undo the change, or write \
             `#[generator(forward)]` for a generator that is never run backwards",
        ),
        Pat::Ident(name) if name.by_ref.is_some() || name.subpat.is_some() => {
            errors.on(pattern, "a drawn name is a plain name: without `ref` and without `@`");
        }
        Pat::Ident(_) => {}
        Pat::Struct(node) if node.rest.is_some() => errors.on(
            &node.rest,
            "the fields behind `..` could not be recalled going backward: name them all and put them into the tail",
        ),
        Pat::Tuple(_) | Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Slice(_) | Pat::Paren(_) => {
            for inner in patterns_inside(pattern) {
                check_drawn_pattern(inner, errors);
            }
        }
        _ => errors.on(
            pattern,
            "a drawn value is bound to a name, or taken apart into names: `let (a, b) = draw(…);`",
        ),
    }
}

fn is_flow(expression: &Expr) -> bool {
    match expression {
        Expr::If(_) | Expr::Match(_) => true,
        Expr::Block(node) => node.label.is_none(),
        _ => false,
    }
}

fn is_item_call(expression: &Expr, name: &str) -> bool {
    matches!(expression, Expr::Call(call) if is_item(&call.func, name) && call.args.is_empty())
}

fn is_panic(expression: &Expr) -> bool {
    let Expr::Macro(call) = expression else { return false };
    call.mac
        .path
        .segments
        .last()
        .is_some_and(|last| ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| last.ident == name))
}

/// Takes an attribute off an expression. The parser puts those of `a + b` on `a`.
fn take_attribute(expression: &mut Expr, name: &str) -> Option<Attribute> {
    macro_rules! attributes {
        ($($kind:ident),*) => {
            match expression {
                $(Expr::$kind(node) => &mut node.attrs,)*
                _ => return None,
            }
        };
    }
    if let Expr::Binary(node) = expression
        && let Some(attribute) = take_attribute(&mut node.left, name)
    {
        return Some(attribute);
    }
    if let Expr::Cast(node) = expression
        && let Some(attribute) = take_attribute(&mut node.expr, name)
    {
        return Some(attribute);
    }
    let attributes = attributes!(
        Array, Binary, Block, Call, Cast, Closure, Field, If, Index, Lit, Macro, Match, MethodCall, Paren, Path, Range,
        Reference, Repeat, Return, Struct, Tuple, Unary
    );
    let place = attributes.iter().position(|attribute| attribute.path().is_ident(name))?;
    Some(attributes.remove(place))
}
