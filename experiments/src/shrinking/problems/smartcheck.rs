//! The five programs of SmartCheck, at their smallest sizes, from values that came with no choices.
//!
//! The heap, the five lists, the calculator and the reversed list are among the challenges too;
//! here they begin with a text that is read, or with a value written down by hand.

use super::challenges::{FiveLists, Heap, Term, differs_reversed, heap, term, wraps};
use super::{Family, Problem, Start};
use retrospect::prelude::*;

pub(super) fn family() -> Family {
    Family {
        name: "The five of SmartCheck, from values without choices",
        about: "A failing value is drawn, printed by `Debug`, read back from the text, and shrunk: nothing but the value is known. \
                Those called *by hand* begin with a value written down by hand.",
        problems: problems(),
    }
}

fn problems() -> Vec<Problem> {
    let short = vec_of(any::<i16>(), ..=10);
    let five = || tuple((short, short, short, short, short));
    let lists = || vec_of(any::<i64>(), ..);
    let mangled = "Lang { modules: [], functions: [Function { name: \"a\", arguments: [Binary(Or, Bool(false), Bool(false))], statements: [] }] }";
    let divided = "Divide(Number(0), Add(Number(0), Number(0)))";
    vec![
        problem("parser", lang(), Lang::fails, Lang::size, Start::Text).ends_at(mangled, 120.0, 600),
        shown("heap", heap(0, 20), Heap::fails, Heap::show, Heap::size, Start::Text).ends_at(
            "(0 - (0 (0 - -) (1 - -)))",
            130.0,
            400,
        ),
        problem("calculator, as text", term(6), Term::fails, Term::size, Start::Text).ends_at(divided, 54.0, 200),
        problem("bound5, up to ten each", five(), wraps, numbers_in_all, Start::Text).ends_at(
            "([], [], [], [-1], [-32768])",
            200.0,
            1000,
        ),
        problem("reverse, as text", lists(), |list| differs_reversed(list), Vec::len, Start::Text)
            .ends_at("[0, 1]", 15.0, 30),
        problem("parser, by hand", lang(), Lang::fails, Lang::size, Start::Value(Box::new(|_| hand_written_program())))
            .ends_at(mangled, 120.0, 120)
            .at_most(1),
        shown(
            "heap, by hand",
            heap(0, 20),
            Heap::fails,
            Heap::show,
            Heap::size,
            Start::Value(Box::new(|_| hand_written_heap())),
        )
        .ends_at("(0 - (0 (0 - -) (1 - -)))", 130.0, 130)
        .at_most(1),
        problem(
            "calculator, by hand",
            term(6),
            Term::fails,
            Term::size,
            Start::Value(Box::new(|_| hand_written_term())),
        )
        .ends_at(divided, 54.0, 54)
        .at_most(1),
        problem("bound5, by hand", five(), wraps, numbers_in_all, Start::Value(Box::new(|_| hand_written_lists())))
            .ends_at("([], [], [], [-1], [-32768])", 200.0, 200)
            .at_most(1),
        problem(
            "reverse, by hand",
            lists(),
            |list| differs_reversed(list),
            Vec::len,
            Start::Value(Box::new(|_| vec![7, -3, 7, 7])),
        )
        .ends_at("[0, 1]", 15.0, 15)
        .at_most(1),
    ]
}

fn problem<G: Generator + 'static>(
    name: &'static str,
    generator: G,
    fails: impl Fn(&G::Value) -> bool + 'static,
    size: fn(&G::Value) -> usize,
    start: Start<G::Value>,
) -> Problem {
    shown(name, generator, fails, |value| format!("{value:?}"), size, start)
}

fn shown<G: Generator + 'static>(
    name: &'static str,
    generator: G,
    fails: impl Fn(&G::Value) -> bool + 'static,
    show: impl Fn(&G::Value) -> String + 'static,
    size: fn(&G::Value) -> usize,
    start: Start<G::Value>,
) -> Problem {
    Problem::sized(name, generator, fails, show, Some(size), start)
}

pub(crate) fn numbers_in_all((a, b, c, d, e): &FiveLists) -> usize {
    [a, b, c, d, e].map(Vec::len).iter().sum()
}

fn hand_written_program() -> Lang {
    let and = Expression::Binary(Operator::And, Box::new(Expression::Int(4)), Box::new(Expression::Bool(true)));
    let sum =
        Expression::Binary(Operator::Add, Box::new(Expression::Not(Box::new(and))), Box::new(Expression::Int(-70)));
    let main = Function {
        name: "abc1".to_owned(),
        arguments: vec![Expression::Int(3)],
        statements: vec![Statement::Assign("b".to_owned(), Expression::Bool(true)), Statement::Return(sum)],
    };
    let module = Module { imports: vec!["a1".to_owned(), "b2".to_owned()], exports: vec!["abc1".to_owned()] };
    Lang { modules: vec![module], functions: vec![main] }
}

fn hand_written_heap() -> Heap {
    fn node(key: i64, left: Heap, right: Heap) -> Heap {
        Heap::Node(key, Box::new(left), Box::new(right))
    }
    let leaf = |key| node(key, Heap::Empty, Heap::Empty);
    node(5, node(8, leaf(30), leaf(12)), node(9, leaf(11), leaf(90)))
}

fn hand_written_term() -> Term {
    fn add(left: Term, right: Term) -> Term {
        Term::Add(Box::new(left), Box::new(right))
    }
    let zero = add(Term::Number(250), add(Term::Number(-200), Term::Number(-50)));
    add(Term::Number(7), Term::Divide(Box::new(add(Term::Number(1), Term::Number(2))), Box::new(zero)))
}

fn hand_written_lists() -> FiveLists {
    (vec![-20_000, 5, -12_000], vec![17], vec![], vec![-32_768, 40, 2], vec![-1, 1, 1])
}

impl Heap {
    pub(crate) fn size(&self) -> usize {
        match self {
            Heap::Empty => 1,
            Heap::Node(_, left, right) => 1 + left.size() + right.size(),
        }
    }
}

impl Term {
    pub(crate) fn size(&self) -> usize {
        match self {
            Term::Number(_) => 1,
            Term::Add(left, right) | Term::Divide(left, right) => 1 + left.size() + right.size(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lang {
    pub modules: Vec<Module>,
    pub functions: Vec<Function>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    pub imports: Vec<String>,
    pub exports: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub arguments: Vec<Expression>,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Return(Expression),
    Assign(String, Expression),
    Allocate(String, Expression),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Bool(bool),
    Int(i32),
    Not(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    And,
    Or,
}

#[generator]
pub fn lang() -> Lang {
    let modules = draw(vec_of(module(), ..=5));
    let functions = draw(vec_of(function(), ..=5));
    Lang { modules, functions }
}

#[generator]
pub fn module() -> Module {
    let imports = draw(vec_of(name(), ..=5));
    let exports = draw(vec_of(name(), ..=5));
    Module { imports, exports }
}

#[generator]
pub fn function() -> Function {
    let name = draw(name());
    let arguments = draw(vec_of(expression(6), ..=5));
    let statements = draw(vec_of(statement(), ..=5));
    Function { name, arguments, statements }
}

#[generator]
pub fn statement() -> Statement {
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

pub fn name() -> impl Generator<Value = String> + Clone {
    string_of(element_of(['a', 'b', 'c', '1', '2', '3']), 1..=6)
}

#[generator]
pub fn expression(size: u32) -> Expression {
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
    /// What the wrong parser makes of the printed form: the arguments of `And` and `Or` change
    /// places, and `Or` becomes `And`.
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

    pub fn fails(&self) -> bool {
        self.expressions().any(|expression| expression.mangled() != *expression)
    }

    pub fn size(&self) -> usize {
        let names: usize = self.modules.iter().map(|module| module.imports.len() + module.exports.len()).sum();
        let statements: usize = self.functions.iter().map(|function| function.statements.len()).sum();
        names + statements + self.expressions().map(Expression::size).sum::<usize>()
    }
}
