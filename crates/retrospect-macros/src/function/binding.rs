//! Which drawn names something hangs on that is asked later.

use super::body::{Body, End, Flow, Step, TailKind, What};
use super::names::{Names, mentioned};
use quote::ToTokens;

/// The names that the code of a body mentions outside of its tails: what is asked may hang on them.
/// A name that stands only in tails is built into the value and nothing else, so its draw is free.
/// Too many names rather than too few: a draw that is free by right and not known to be so is only
/// counted more slowly.
pub(crate) fn binding_names(body: &Body) -> Names {
    let mut names = Names::new();
    of_body(body, &mut names);
    names
}

fn of_body(body: &Body, names: &mut Names) {
    for item in &body.items {
        add(item, names);
    }
    for step in &body.steps {
        match step {
            Step::Plain(statement) => add(statement, names),
            Step::Bind(bind) => match &bind.what {
                What::Draw(generator) => add(generator, names),
                What::Sub { body, .. } => of_body(body, names),
            },
            Step::Flow(flow) => of_flow(flow, names),
            Step::LetFlow { flow, .. } => of_flow(flow, names),
            Step::LetElse { local, otherwise } => {
                add(&local.init.as_ref().map(|init| &init.expr), names);
                of_body(otherwise, names);
            }
        }
    }
    match &body.end {
        End::Tail(tail) => {
            if let TailKind::Draw(generator) = &tail.kind {
                add(generator, names);
            }
        }
        End::Flow(flow) => of_flow(flow, names),
        End::Give(expression) | End::Never(expression) => add(expression, names),
        End::Fall => {}
    }
}

fn of_flow(flow: &Flow, names: &mut Names) {
    match flow {
        Flow::If { condition, then, otherwise } => {
            add(condition, names);
            of_body(then, names);
            of_body(otherwise, names);
        }
        Flow::Match { scrutinee, arms, .. } => {
            add(scrutinee, names);
            for arm in arms {
                add(&arm.guard, names);
                of_body(&arm.body, names);
            }
        }
        Flow::Pick(pick) => {
            for arm in &pick.arms {
                add(&arm.weight, names);
                of_body(&arm.body, names);
            }
        }
        Flow::Block(body) => of_body(body, names),
    }
}

fn add(code: &impl ToTokens, names: &mut Names) {
    names.extend(mentioned(code));
}
