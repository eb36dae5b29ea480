//! A program without branches, compiled to a machine with a stack, does what it says.

use retrospect::prelude::*;
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "interpreter",
    faults: &[
        "the operands of a subtraction are exchanged",
        "a variable that is assigned again keeps its first value",
        "reading the last variable reads the first",
        "a number that is negative loses its sign",
        "a product with a variable on its left is a sum",
    ],
    run,
};

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Number(i64),
    Variable(usize),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
}
use Expression::{Difference, Number, Product, Sum, Variable};

/// The variable that is assigned, and what.
type Program = Vec<(usize, Expression)>;

/// Expressions in so many variables that are known; with none, of numbers alone.
#[generator]
fn expressions(variables: usize, levels: u32) -> Expression {
    match pick() {
        "number" => Number(draw(-20..20_i64)),
        #[weight(if variables > 0 { 2 } else { 0 })]
        "variable" => Variable(draw(0..variables)),
        #[weight(if levels > 0 { 1 } else { 0 })]
        "sum" => {
            let left = draw(expressions(variables, levels - 1));
            let right = draw(expressions(variables, levels - 1));
            Sum(Box::new(left), Box::new(right))
        }
        #[weight(if levels > 0 { 1 } else { 0 })]
        "difference" => {
            let left = draw(expressions(variables, levels - 1));
            let right = draw(expressions(variables, levels - 1));
            Difference(Box::new(left), Box::new(right))
        }
        #[weight(if levels > 0 { 1 } else { 0 })]
        "product" => {
            let left = draw(expressions(variables, levels - 1));
            let right = draw(expressions(variables, levels - 1));
            Product(Box::new(left), Box::new(right))
        }
    }
}

const VARIABLES: usize = 5;

fn run(quality: Quality, fault: Option<usize>, check: Check) -> Option<String> {
    match quality {
        // Each line may use the variables of the lines before, and assign one of them or the next one.
        Quality::Good => check.failure_of_case(|case| {
            let mut program = Program::new();
            let mut known = 0;
            for _ in 0..case.draw_named("lines", 0..10_u32) {
                let expression = case.draw_named("expression", expressions(known, 3));
                let target = case.draw_named("target", 0..(known + 1).min(VARIABLES));
                known = known.max(target + 1);
                program.push((target, expression));
            }
            compiled_code_agrees(&program, fault);
        }),
        // Every variable is assigned once.
        Quality::Flawed => check.failure_of_case(|case| {
            let mut program = Program::new();
            for target in 0..case.draw_named("lines", 0..VARIABLES) {
                program.push((target, case.draw_named("expression", expressions(target, 2))));
            }
            compiled_code_agrees(&program, fault);
        }),
        // A line or none, and any variable in it: only lines without one can be used.
        Quality::Poor => check.failure_of_case(|case| {
            let program = case.draw_named("program", vec_of(tuple((0..VARIABLES, expressions(VARIABLES, 3))), 0..2));
            let mut known = [false; VARIABLES];
            for (target, expression) in &program {
                assume!(variables(expression).iter().all(|variable| known[*variable]));
                known[*target] = true;
            }
            compiled_code_agrees(&program, fault);
        }),
    }
}

fn compiled_code_agrees(program: &Program, fault: Option<usize>) {
    let uses: usize = program.iter().map(|(_, expression)| variables(expression).len()).sum();
    let assigned: Vec<usize> = program.iter().map(|(target, _)| *target).collect();
    let again = assigned.iter().enumerate().filter(|(at, target)| assigned[..*at].contains(target)).count();
    event!("lines", program.len());
    event!("uses of variables", uses);
    event!("assigned again", again);
    event!("operators", program.iter().map(|(_, expression)| operators(expression)).sum::<usize>());
    let mut expected = [None; VARIABLES + 1];
    for (target, expression) in program {
        expected[*target] = Some(value(expression, &expected));
    }
    assert_eq!(execute(&compile(program, fault)), expected);
}

fn value(expression: &Expression, variables: &[Option<i64>]) -> i64 {
    match expression {
        Number(number) => *number,
        Variable(variable) => variables[*variable].expect("it is assigned before"),
        Sum(left, right) => value(left, variables).wrapping_add(value(right, variables)),
        Difference(left, right) => value(left, variables).wrapping_sub(value(right, variables)),
        Product(left, right) => value(left, variables).wrapping_mul(value(right, variables)),
    }
}

fn variables(expression: &Expression) -> Vec<usize> {
    match expression {
        Number(_) => Vec::new(),
        Variable(variable) => vec![*variable],
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

#[derive(Debug)]
enum Instruction {
    Push(i64),
    Load(usize),
    Store(usize),
    Add,
    Subtract,
    Multiply,
}

fn compile(program: &Program, fault: Option<usize>) -> Vec<Instruction> {
    let mut code = Vec::new();
    let mut assigned: Vec<usize> = Vec::new();
    for (target, expression) in program {
        compile_expression(expression, &assigned, fault, &mut code);
        // The value is left where nothing reads it.
        let is_lost = fault == Some(1) && assigned.contains(target);
        code.push(Instruction::Store(if is_lost { VARIABLES + 1 } else { *target }));
        assigned.push(*target);
    }
    code
}

fn compile_expression(expression: &Expression, assigned: &[usize], fault: Option<usize>, code: &mut Vec<Instruction>) {
    let (left, right, instruction) = match expression {
        Number(number) => return code.push(Instruction::Push(if fault == Some(3) { number.abs() } else { *number })),
        Variable(variable) => {
            let is_last = fault == Some(2) && assigned.last() == Some(variable);
            return code.push(Instruction::Load(if is_last { assigned[0] } else { *variable }));
        }
        Sum(left, right) => (left, right, Instruction::Add),
        Difference(left, right) if fault == Some(0) => (right, left, Instruction::Subtract),
        Difference(left, right) => (left, right, Instruction::Subtract),
        Product(left, right) if fault == Some(4) && matches!(**left, Variable(_)) => (left, right, Instruction::Add),
        Product(left, right) => (left, right, Instruction::Multiply),
    };
    compile_expression(left, assigned, fault, code);
    compile_expression(right, assigned, fault, code);
    code.push(instruction);
}

fn execute(code: &[Instruction]) -> [Option<i64>; VARIABLES + 1] {
    let mut variables = [None; VARIABLES + 2];
    let mut stack: Vec<i64> = Vec::new();
    for instruction in code {
        let mut both = || {
            let right = stack.pop().expect("two operands");
            (stack.pop().expect("two operands"), right)
        };
        let result = match instruction {
            Instruction::Push(number) => *number,
            Instruction::Load(variable) => variables[*variable].expect("it is assigned before"),
            Instruction::Store(variable) => {
                variables[*variable] = stack.pop();
                continue;
            }
            Instruction::Add => both().map_pair(i64::wrapping_add),
            Instruction::Subtract => both().map_pair(i64::wrapping_sub),
            Instruction::Multiply => both().map_pair(i64::wrapping_mul),
        };
        stack.push(result);
    }
    let mut shown = [None; VARIABLES + 1];
    shown.copy_from_slice(&variables[..=VARIABLES]);
    shown
}

trait MapPair {
    fn map_pair(self, operation: fn(i64, i64) -> i64) -> i64;
}

impl MapPair for (i64, i64) {
    fn map_pair(self, operation: fn(i64, i64) -> i64) -> i64 {
        operation(self.0, self.1)
    }
}
