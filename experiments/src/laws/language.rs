//! The language of the artifact's parser example.

use super::small::{by_size, lists, pairs};
use super::{Row, Subject};
use crate::measure::Effort;
use crate::shrinking::problems::smartcheck::{
    Expression, Function, Lang, Module, Operator, Statement, expression, function, lang, module, name, statement,
};

pub(super) fn rows(effort: Effort) -> Vec<Row> {
    const SOUND_ONLY: &str = "sound; projection given up";
    const SLOW: &str = "too slow to test";
    vec![
        Subject::new("names", name())
            .valid(|name| is_name(name))
            .candidates(lists(3, &["a", "3", "d", "abc12"]).into_iter().map(|pieces| pieces.concat()))
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("expressions", expression(6))
            .valid(|expression| fits(expression, 6))
            .candidates(expressions(7))
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("statements", statement())
            .valid(is_statement)
            .candidates(statements())
            .artifact(SOUND_ONLY)
            .check(effort),
        Subject::new("modules", module()).valid(is_module).candidates(modules()).artifact(SOUND_ONLY).check(effort),
        Subject::new("functions", function()).valid(is_function).candidates(functions()).artifact(SLOW).check(effort),
        Subject::new("programs", lang())
            .valid(|lang| {
                let is_short = lang.modules.len() <= 5 && lang.functions.len() <= 5;
                is_short && lang.modules.iter().all(is_module) && lang.functions.iter().all(is_function)
            })
            .candidates(programs())
            .artifact(SLOW)
            .check(effort),
    ]
}

fn is_name(name: &str) -> bool {
    (1..=6).contains(&name.len()) && name.chars().all(|letter| "abc123".contains(letter))
}

/// Whether the size, which each step lowers, lasts to the end of the expression.
fn fits(expression: &Expression, size: u32) -> bool {
    match expression {
        Expression::Bool(_) | Expression::Int(_) => true,
        Expression::Not(inner) => size > 1 && fits(inner, size - 1),
        Expression::Binary(_, left, right) => size > 1 && fits(left, size / 2) && fits(right, size / 2),
    }
}

fn is_statement(statement: &Statement) -> bool {
    match statement {
        Statement::Return(expression) => fits(expression, 6),
        Statement::Assign(name, expression) | Statement::Allocate(name, expression) => {
            is_name(name) && fits(expression, 6)
        }
    }
}

fn is_module(module: &Module) -> bool {
    [&module.imports, &module.exports].iter().all(|names| names.len() <= 5 && names.iter().all(|name| is_name(name)))
}

fn is_function(function: &Function) -> bool {
    is_name(&function.name)
        && function.arguments.len() <= 5
        && function.statements.len() <= 5
        && function.arguments.iter().all(|argument| fits(argument, 6))
        && function.statements.iter().all(is_statement)
}

fn expressions(most: usize) -> Vec<Expression> {
    by_size(most, |size, table: &[Vec<Expression>]| match size {
        0 => vec![],
        1 => vec![Expression::Bool(true), Expression::Int(-7)],
        size => {
            let not = |inner: &Expression| Expression::Not(Box::new(inner.clone()));
            let both = |(left, right): (Expression, Expression)| {
                [Operator::Add, Operator::Or]
                    .map(|operator| Expression::Binary(operator, Box::new(left.clone()), Box::new(right.clone())))
            };
            table[size - 1].iter().map(not).chain(pairs(size - 1, table).into_iter().flat_map(both)).collect()
        }
    })
}

fn names() -> Vec<String> {
    ["a", "", "c32", "d", "abc1231"].map(str::to_owned).to_vec()
}

fn statements() -> Vec<Statement> {
    let with_name = |expression: &Expression| {
        let named = |name: String| {
            [Statement::Assign(name.clone(), expression.clone()), Statement::Allocate(name, expression.clone())]
        };
        names().into_iter().flat_map(named).chain([Statement::Return(expression.clone())]).collect::<Vec<_>>()
    };
    expressions(4).iter().flat_map(with_name).collect()
}

fn modules() -> Vec<Module> {
    let some = lists(2, &names());
    let with = |imports: &Vec<String>| {
        some.iter().map(|exports| Module { imports: imports.clone(), exports: exports.clone() }).collect::<Vec<_>>()
    };
    some.iter().flat_map(with).collect()
}

fn functions() -> Vec<Function> {
    let (arguments, statements) = (lists(2, &expressions(3)), statements());
    let with = |(place, arguments): (usize, Vec<Expression>)| Function {
        name: names()[place % 5].clone(),
        arguments,
        statements: statements.iter().skip(place * 7 % statements.len()).take(place % 8).cloned().collect(),
    };
    arguments.into_iter().enumerate().map(with).collect()
}

fn programs() -> Vec<Lang> {
    let (modules, functions) = (modules(), functions());
    let with = |place: usize| Lang {
        modules: modules.iter().skip(place * 11 % modules.len()).take(place % 7).cloned().collect(),
        functions: functions.iter().skip(place * 5 % functions.len()).take(place % 3).cloned().collect(),
    };
    (0..300).map(with).collect()
}
