//! The five programs of SmartCheck, at their smallest sizes, from values that came with no choices.
//!
//! The heap, the five lists, the calculator and the reversed list are among the challenges too; here they begin with a value alone.

use super::challenges::{Heap, Term, heap, term, wraps};
use super::measure::seeds;
use retrospect::prelude::*;

#[derive(Clone, Debug, PartialEq)]
struct Lang {
    modules: Vec<Module>,
    functions: Vec<Function>,
}

#[derive(Clone, Debug, PartialEq)]
struct Module {
    imports: Vec<String>,
    exports: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Function {
    name: String,
    arguments: Vec<Expression>,
    statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
enum Statement {
    Return(Expression),
    Assign(String, Expression),
    Allocate(String, Expression),
}

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Bool(bool),
    Int(i32),
    Not(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    And,
    Or,
}

#[generator]
fn lang() -> Lang {
    let modules = draw(vec_of(module(), ..=5));
    let functions = draw(vec_of(function(), ..=5));
    Lang { modules, functions }
}

#[generator]
fn module() -> Module {
    let imports = draw(vec_of(name(), ..=5));
    let exports = draw(vec_of(name(), ..=5));
    Module { imports, exports }
}

#[generator]
fn function() -> Function {
    let name = draw(name());
    let arguments = draw(vec_of(expression(6), ..=5));
    let statements = draw(vec_of(statement(), ..=5));
    Function { name, arguments, statements }
}

#[generator]
fn statement() -> Statement {
    match pick() {
        "return" => {
            let expression = draw(expression(6));
            Statement::Return(expression)
        }
        "assign" => {
            let name = draw(name());
            let expression = draw(expression(6));
            Statement::Assign(name, expression)
        }
        "allocate" => {
            let name = draw(name());
            let expression = draw(expression(6));
            Statement::Allocate(name, expression)
        }
    }
}

fn name() -> impl Generator<Value = String> + Clone {
    string_of(element_of(['a', 'b', 'c', '1', '2', '3']), 1..=6)
}

#[generator]
fn expression(size: u32) -> Expression {
    match pick() {
        "bool" => {
            let value = draw(any::<bool>());
            Expression::Bool(value)
        }
        "int" => {
            let value = draw(any::<i32>());
            Expression::Int(value)
        }
        #[weight(if size > 1 { 1 } else { 0 })]
        "not" => {
            let inner = draw(expression(size - 1));
            Expression::Not(Box::new(inner))
        }
        #[weight(if size > 1 { 10 } else { 0 })]
        "binary" => {
            let operator = draw(any::<Operator>());
            let left = draw(expression(size / 2));
            let right = draw(expression(size / 2));
            Expression::Binary(operator, Box::new(left), Box::new(right))
        }
    }
}

impl Expression {
    /// What the wrong parser makes of the printed form: the arguments of `And` and `Or` change places, and `Or` becomes `And`.
    fn mangled(&self) -> Expression {
        match self {
            Expression::Not(inner) => Expression::Not(Box::new(inner.mangled())),
            Expression::Binary(Operator::And | Operator::Or, left, right) => {
                Expression::Binary(Operator::And, Box::new(right.mangled()), Box::new(left.mangled()))
            }
            Expression::Binary(operator, left, right) => {
                Expression::Binary(*operator, Box::new(left.mangled()), Box::new(right.mangled()))
            }
            other => other.clone(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Expression::Bool(_) | Expression::Int(_) => 1,
            Expression::Not(inner) => 1 + inner.size(),
            Expression::Binary(_, left, right) => 1 + left.size() + right.size(),
        }
    }
}

impl Statement {
    fn expression(&self) -> &Expression {
        match self {
            Statement::Return(expression) | Statement::Assign(_, expression) | Statement::Allocate(_, expression) => {
                expression
            }
        }
    }
}

impl Lang {
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.functions
            .iter()
            .flat_map(|function| function.arguments.iter().chain(function.statements.iter().map(Statement::expression)))
    }

    fn fails(&self) -> bool {
        self.expressions().any(|expression| expression.mangled() != *expression)
    }

    fn size(&self) -> usize {
        let names: usize = self.modules.iter().map(|module| module.imports.len() + module.exports.len()).sum();
        let statements: usize = self.functions.iter().map(|function| function.statements.len()).sum();
        names + statements + self.expressions().map(Expression::size).sum::<usize>()
    }
}

/// Shrinks values that fail, each begun with nothing but itself; all of them must end at one value of the least size.
fn assert_smallest<G: Generator>(
    name: &str,
    generator: &G,
    fails: impl Fn(&G::Value) -> bool,
    size: impl Fn(&G::Value) -> usize,
    (least, mean): (usize, u64),
) {
    let mut results = std::collections::BTreeSet::new();
    let (mut runs, mut count) = (0, 0);
    for value in generator.samples(5).skip(20).filter(&fails).take(seeds() as usize) {
        let smallest = generator.shrink(value, &fails).unwrap();
        assert_eq!(size(&smallest.value), least, "{name}: {:?}", smallest.value);
        results.insert(format!("{:?}", smallest.value));
        (runs, count) = (runs + smallest.runs, count + 1);
    }
    println!("{name}: {} runs on average over {count}", runs / count);
    assert_eq!(results.len(), 1, "{name}: {results:#?}");
    assert!(runs / count <= mean, "{name}: {} runs on average", runs / count);
}

#[test]
fn parser() {
    assert_smallest("parser", &lang(), Lang::fails, Lang::size, (3, 120));
}

#[test]
fn binary_heap() {
    fn size(heap: &Heap) -> usize {
        match heap {
            Heap::Empty => 1,
            Heap::Node(_, left, right) => 1 + size(left) + size(right),
        }
    }
    assert_smallest("heap", &heap(0, 20), Heap::fails, size, (9, 130));
}

#[test]
fn calculator() {
    fn size(term: &Term) -> usize {
        match term {
            Term::Number(_) => 1,
            Term::Add(left, right) | Term::Divide(left, right) => 1 + size(left) + size(right),
        }
    }
    assert_smallest("calculator", &term(6), Term::fails, size, (5, 54));
}

#[test]
fn five_lists() {
    let short = vec_of(any::<i16>(), ..=10);
    let five = tuple((short, short, short, short, short));
    assert_smallest("bound5", &five, wraps, |(a, b, c, d, e)| [a, b, c, d, e].map(Vec::len).iter().sum(), (2, 200));
}

#[test]
fn reverse() {
    let fails = |list: &Vec<i64>| list.iter().ne(list.iter().rev());
    assert_smallest("reverse", &vec_of(any::<i64>(), ..), fails, Vec::len, (2, 15));
}
