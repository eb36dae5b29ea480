//! A program without branches, compiled to a machine with a stack, does what it says.

use retrospect::prelude::*;
use study_support::Fault::{self, HeldOut, Shown};
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "interpreter",
    shown: &[
        "the operands of a subtraction are exchanged",
        "a variable that is assigned again keeps its first value",
        "a number that is negative loses its sign",
    ],
    held_out: &[
        "`compile`: `code.push(Store)` is left out",
        "`compile_expression`: `code.push(Load)` is left out",
        "`compile_expression`: a sum is `Subtract`",
        "`compile_expression`: a difference is `Multiply`",
        "`compile_expression`: a product is `Add`",
        "`compile_expression`: the right operand is left out",
        "`execute`: `variables[name] = stack.pop()` is left out",
        "`execute`: `wrapping_sub` is `wrapping_add`",
        "`execute`: `stack.push(result)` is left out",
    ],
    run,
};

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Name {
    A,
    B,
    C,
    D,
    E,
}

const NAMES: [Name; 5] = [Name::A, Name::B, Name::C, Name::D, Name::E];

#[derive(Clone, Debug, PartialEq, Generate)]
enum Expression {
    Number(i64),
    Variable(Name),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
}
use Expression::{Difference, Number, Product, Sum, Variable};

#[derive(Clone, Debug, PartialEq, Generate)]
struct Assignment {
    target: Name,
    expression: Expression,
}

/// What each variable is at the end, if it was assigned.
type Values = [Option<i64>; NAMES.len()];

const MAX_LINES: usize = 10;
const MAX_DEPTH: u32 = 3;

/// Expressions in the variables that are known; if there are none, of numbers alone.
#[generator]
fn expressions(known: Vec<Name>, depth: u32) -> Expression {
    let operator = if depth > 0 { 1 } else { 0 };
    match pick() {
        "number" => Number(draw(any::<i64>())),
        #[weight(if known.is_empty() { 0 } else { 1 })]
        "variable" => Variable(draw(element_of(known.clone()))),
        #[weight(operator)]
        "sum" => {
            let left = draw(expressions(known.clone(), depth - 1));
            let right = draw(expressions(known.clone(), depth - 1));
            Sum(Box::new(left), Box::new(right))
        }
        #[weight(operator)]
        "difference" => {
            let left = draw(expressions(known.clone(), depth - 1));
            let right = draw(expressions(known.clone(), depth - 1));
            Difference(Box::new(left), Box::new(right))
        }
        #[weight(operator)]
        "product" => {
            let left = draw(expressions(known.clone(), depth - 1));
            let right = draw(expressions(known.clone(), depth - 1));
            Product(Box::new(left), Box::new(right))
        }
    }
}

fn run(quality: Quality, fault: Fault, check: Check) -> Option<String> {
    match quality {
        // Each line assigns any variable, and may use those of the lines before.
        Quality::Good => check.failure_of_case(|case| {
            let mut program = Vec::new();
            let mut known = Vec::new();
            for _ in 0..case.draw_named("lines", 0..=MAX_LINES) {
                let expression = case.draw_named("expression", expressions(known.clone(), MAX_DEPTH));
                let target = case.draw_named("target", any::<Name>());
                if !known.contains(&target) {
                    known.push(target);
                }
                program.push(Assignment { target, expression });
            }
            compiled_code_agrees(&program, fault);
        }),
        // The oversight, which is the study's: expressions without variables are always valid, and
        // no others are drawn.
        Quality::Flawed => check.failure_of_case(|case| {
            let mut program = Vec::new();
            for _ in 0..case.draw_named("lines", 0..=MAX_LINES) {
                let expression = case.draw_named("expression", expressions(Vec::new(), MAX_DEPTH));
                let target = case.draw_named("target", any::<Name>());
                program.push(Assignment { target, expression });
            }
            compiled_code_agrees(&program, fault);
        }),
        Quality::Poor => check.failure_of_case(|case| {
            let program = case.draw_named("program", any::<Vec<Assignment>>());
            assume!(assigns_before_it_uses(&program));
            compiled_code_agrees(&program, fault);
        }),
    }
}

fn compiled_code_agrees(program: &[Assignment], fault: Fault) {
    // The size, the depth, and the parts of the grammar.
    event!("lines", program.len());
    event!("depth", program.iter().map(|line| depth(&line.expression)).max().unwrap_or(0));
    event!("operators", program.iter().map(|line| operators(&line.expression)).sum::<usize>());
    // The event of the study.
    event!("variable uses", program.iter().map(|line| variables(&line.expression).len()).sum::<usize>());
    let mut expected: Values = [None; NAMES.len()];
    for Assignment { target, expression } in program {
        expected[*target as usize] = Some(value(expression, &expected));
    }
    assert_eq!(execute(&compile(program, fault), fault), expected);
}

// The specification.

fn assigns_before_it_uses(program: &[Assignment]) -> bool {
    let mut known = Vec::new();
    program.iter().all(|line| {
        let is_valid = variables(&line.expression).iter().all(|name| known.contains(name));
        known.push(line.target);
        is_valid
    })
}

fn value(expression: &Expression, variables: &Values) -> i64 {
    match expression {
        Number(number) => *number,
        Variable(name) => variables[*name as usize].expect("it is assigned before"),
        Sum(left, right) => value(left, variables).wrapping_add(value(right, variables)),
        Difference(left, right) => value(left, variables).wrapping_sub(value(right, variables)),
        Product(left, right) => value(left, variables).wrapping_mul(value(right, variables)),
    }
}

fn variables(expression: &Expression) -> Vec<Name> {
    match expression {
        Number(_) => Vec::new(),
        Variable(name) => vec![*name],
        Sum(left, right) | Difference(left, right) | Product(left, right) => {
            [variables(left), variables(right)].concat()
        }
    }
}

fn operators(expression: &Expression) -> usize {
    match expression {
        Number(_) | Variable(_) => 0,
        Sum(left, right) | Difference(left, right) | Product(left, right) => 1 + operators(left) + operators(right),
    }
}

fn depth(expression: &Expression) -> usize {
    match expression {
        Number(_) | Variable(_) => 0,
        Sum(left, right) | Difference(left, right) | Product(left, right) => 1 + depth(left).max(depth(right)),
    }
}

// The code under test: from here to the end.

#[derive(Debug)]
enum Instruction {
    Push(i64),
    Load(Name),
    Store(Name),
    Add,
    Subtract,
    Multiply,
}

fn compile(program: &[Assignment], fault: Fault) -> Vec<Instruction> {
    let mut code = Vec::new();
    for (at, Assignment { target, expression }) in program.iter().enumerate() {
        if fault == Shown(1) && program[..at].iter().any(|line| line.target == *target) {
            continue;
        }
        compile_expression(expression, &mut code, fault);
        if fault != HeldOut(0) {
            code.push(Instruction::Store(*target));
        }
    }
    code
}

fn compile_expression(expression: &Expression, code: &mut Vec<Instruction>, fault: Fault) {
    let (left, right, instruction) = match expression {
        Number(number) => {
            return code.push(Instruction::Push(if fault == Shown(2) { number.wrapping_abs() } else { *number }));
        }
        Variable(_) if fault == HeldOut(1) => return,
        Variable(name) => return code.push(Instruction::Load(*name)),
        Sum(left, right) if fault == HeldOut(2) => (left, right, Instruction::Subtract),
        Sum(left, right) => (left, right, Instruction::Add),
        Difference(left, right) if fault == Shown(0) => (right, left, Instruction::Subtract),
        Difference(left, right) if fault == HeldOut(3) => (left, right, Instruction::Multiply),
        Difference(left, right) => (left, right, Instruction::Subtract),
        Product(left, right) if fault == HeldOut(4) => (left, right, Instruction::Add),
        Product(left, right) => (left, right, Instruction::Multiply),
    };
    compile_expression(left, code, fault);
    if fault != HeldOut(5) {
        compile_expression(right, code, fault);
    }
    code.push(instruction);
}

fn execute(code: &[Instruction], fault: Fault) -> Values {
    let mut variables: Values = [None; NAMES.len()];
    let mut stack: Vec<i64> = Vec::new();
    for instruction in code {
        let result = match instruction {
            Instruction::Push(number) => *number,
            Instruction::Load(name) => variables[*name as usize].expect("it is assigned before"),
            Instruction::Store(_) if fault == HeldOut(6) => continue,
            Instruction::Store(name) => {
                variables[*name as usize] = stack.pop();
                continue;
            }
            Instruction::Add => {
                let (left, right) = operands(&mut stack);
                left.wrapping_add(right)
            }
            Instruction::Subtract => {
                let (left, right) = operands(&mut stack);
                if fault == HeldOut(7) { left.wrapping_add(right) } else { left.wrapping_sub(right) }
            }
            Instruction::Multiply => {
                let (left, right) = operands(&mut stack);
                left.wrapping_mul(right)
            }
        };
        if fault != HeldOut(8) {
            stack.push(result);
        }
    }
    variables
}

fn operands(stack: &mut Vec<i64>) -> (i64, i64) {
    let right = stack.pop().expect("a right operand");
    let left = stack.pop().expect("a left operand");
    (left, right)
}
