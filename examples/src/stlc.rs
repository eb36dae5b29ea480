//! The simply typed lambda calculus: well-typed terms by construction.
//!
//! A term is generated *from* its type. Going backward the type is not given; `#[focus]` recovers
//! it from the term.

use retrospect::prelude::*;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Generate)]
pub enum Type {
    /// Whole numbers.
    Int,
    /// Functions.
    Fun(Box<Type>, Box<Type>),
}

/// A term. Variables are counted from the innermost lambda outward.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Term {
    /// A number.
    Int(i64),
    /// A variable.
    Var(usize),
    /// A sum.
    Add(Box<Term>, Box<Term>),
    /// A function of a parameter of that type.
    Lam(Type, Box<Term>),
    /// A call.
    App(Box<Term>, Box<Term>),
}

/// Types with arrows nested at most `depth` deep.
#[generator]
pub fn types(depth: u32) -> Type {
    match pick() {
        #[weight(2)]
        "int" => Type::Int,
        #[weight(if depth == 0 { 0 } else { 1 })]
        "fun" => {
            let from = draw(types(depth - 1));
            let to = draw(types(depth - 1));
            Type::Fun(Box::new(from), Box::new(to))
        }
    }
}

/// Closed terms of any type, at most `depth` levels deep.
#[generator]
pub fn terms(depth: u32) -> Term {
    #[focus(type_of(&[], it)?)]
    let wanted = draw(types(2));
    draw(term_of(&[], &wanted, depth))
}

/// Terms of the type `wanted` whose variables have the types `variables`, innermost first.
#[generator]
pub fn term_of(variables: &[Type], wanted: &Type, depth: u32) -> Term {
    match pick() {
        #[weight(if *wanted == Type::Int { 2 } else { 0 })]
        "int" => {
            let number = draw(0..=9);
            Term::Int(number)
        }
        #[weight(if variables.contains(wanted) { 3 } else { 0 })]
        "variable" => {
            let fitting: Vec<usize> = (0..variables.len()).filter(|index| variables[*index] == *wanted).collect();
            let index = draw(element_of(fitting));
            Term::Var(index)
        }
        #[weight(if matches!(wanted, Type::Fun(..)) { 3 } else { 0 })]
        "lambda" => {
            let Type::Fun(parameter, result) = wanted else { unreachable!("it weighs nothing otherwise") };
            let inside = [std::slice::from_ref(&**parameter), variables].concat();
            let body = draw(term_of(&inside, result, depth.saturating_sub(1)));
            Term::Lam((**parameter).clone(), Box::new(body))
        }
        #[weight(if *wanted == Type::Int && depth > 0 { 1 } else { 0 })]
        "add" => {
            let left = draw(term_of(variables, wanted, depth - 1));
            let right = draw(term_of(variables, wanted, depth - 1));
            Term::Add(Box::new(left), Box::new(right))
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "apply" => {
            #[focus(argument_type(variables, it)?)]
            let parameter = draw(types(2));
            let function_type = Type::Fun(Box::new(parameter), Box::new(wanted.clone()));
            let Type::Fun(parameter, _) = &function_type else { unreachable!("it was just made") };
            let function = draw(term_of(variables, &function_type, depth - 1));
            let argument = draw(term_of(variables, parameter, depth - 1));
            Term::App(Box::new(function), Box::new(argument))
        }
    }
}

/// The type of a term, if it has one.
pub fn type_of(variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        Term::Int(_) => Some(Type::Int),
        Term::Var(index) => variables.get(*index).cloned(),
        Term::Add(left, right) => {
            let both = [left, right].into_iter().all(|side| type_of(variables, side) == Some(Type::Int));
            both.then_some(Type::Int)
        }
        Term::Lam(parameter, body) => {
            let inside = [std::slice::from_ref(parameter), variables].concat();
            let result = type_of(&inside, body)?;
            Some(Type::Fun(Box::new(parameter.clone()), Box::new(result)))
        }
        Term::App(function, argument) => match type_of(variables, function)? {
            Type::Fun(parameter, result) if *parameter == type_of(variables, argument)? => Some(*result),
            _ => None,
        },
    }
}

fn argument_type(variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        Term::App(_, argument) => type_of(variables, argument),
        _ => None,
    }
}
