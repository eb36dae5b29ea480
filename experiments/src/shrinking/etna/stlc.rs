//! ETNA's simply typed lambda calculus: 10 mutants of substitution, two properties.

use super::{Approach, Task, measure_task};
use retrospect::prelude::*;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Generate)]
pub enum Type {
    Bool,
    Fun(Box<Type>, Box<Type>),
}

/// A term. Variables count the lambdas between them and their own, from 0.
#[derive(Clone, Debug, PartialEq, Generate)]
pub enum Term {
    Bool(bool),
    Var(i32),
    Abs(Type, Box<Term>),
    App(Box<Term>, Box<Term>),
}

use Term::{Abs, App, Var};

/// What is wrong with shifting and substituting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    None,
    ShiftVarNone,
    ShiftVarAll,
    ShiftVarLeq,
    ShiftAbsNoIncr,
    SubstVarAll,
    SubstVarNone,
    SubstAbsNoShift,
    SubstAbsNoIncr,
    SubstTopNoShift,
    SubstTopNoShiftBack,
}

pub const MUTANTS: [Mutant; 10] = [
    Mutant::ShiftVarNone,
    Mutant::ShiftVarAll,
    Mutant::ShiftVarLeq,
    Mutant::ShiftAbsNoIncr,
    Mutant::SubstVarAll,
    Mutant::SubstVarNone,
    Mutant::SubstAbsNoShift,
    Mutant::SubstAbsNoIncr,
    Mutant::SubstTopNoShift,
    Mutant::SubstTopNoShiftBack,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// One parallel step keeps the type.
    SinglePreserve,
    /// So do up to 40.
    MultiPreserve,
}

pub const PROPERTIES: [Property; 2] = [Property::SinglePreserve, Property::MultiPreserve];

impl Property {
    /// Whether it holds for a closed term; it does if the term has no type.
    pub fn holds(self, mutant: Mutant, term: &Term) -> bool {
        let Some(expected) = term.type_in(&mut Vec::new()) else {
            return true;
        };
        let end = match self {
            Property::SinglePreserve => step(mutant, term),
            Property::MultiPreserve => many_steps(mutant, term),
        };
        end.is_none_or(|end| end.type_in(&mut Vec::new()) == Some(expected))
    }
}

impl Term {
    /// The type, where the last of `variables` is the type of variable 0.
    fn type_in(&self, variables: &mut Vec<Type>) -> Option<Type> {
        match self {
            Term::Bool(_) => Some(Type::Bool),
            Var(index) => {
                let place = variables.len().checked_sub(1 + usize::try_from(*index).ok()?)?;
                Some(variables[place].clone())
            }
            Abs(parameter, body) => {
                variables.push(parameter.clone());
                let result = body.type_in(variables);
                variables.pop();
                Some(Type::Fun(Box::new(parameter.clone()), Box::new(result?)))
            }
            App(function, argument) => match function.type_in(variables)? {
                Type::Fun(parameter, result) if *parameter == argument.type_in(variables)? => Some(*result),
                _ => None,
            },
        }
    }

    /// How many constructors there are, those of types included.
    fn size(&self) -> usize {
        match self {
            Term::Bool(_) | Var(_) => 1,
            Abs(parameter, body) => 1 + parameter.size() + body.size(),
            App(function, argument) => 1 + function.size() + argument.size(),
        }
    }
}

impl Type {
    fn size(&self) -> usize {
        match self {
            Type::Bool => 1,
            Type::Fun(from, to) => 1 + from.size() + to.size(),
        }
    }
}

fn shift(mutant: Mutant, by: i32, cutoff: i32, term: &Term) -> Term {
    match term {
        Term::Bool(value) => Term::Bool(*value),
        Var(index) => {
            let is_kept = match mutant {
                Mutant::ShiftVarNone => true,
                Mutant::ShiftVarAll => false,
                Mutant::ShiftVarLeq => *index <= cutoff,
                _ => *index < cutoff,
            };
            Var(if is_kept { *index } else { index + by })
        }
        Abs(parameter, body) => {
            let cutoff = if mutant == Mutant::ShiftAbsNoIncr { cutoff } else { cutoff + 1 };
            Abs(parameter.clone(), Box::new(shift(mutant, by, cutoff, body)))
        }
        App(function, argument) => {
            App(Box::new(shift(mutant, by, cutoff, function)), Box::new(shift(mutant, by, cutoff, argument)))
        }
    }
}

fn substitute(mutant: Mutant, index: i32, by: &Term, term: &Term) -> Term {
    match term {
        Term::Bool(value) => Term::Bool(*value),
        Var(other) => {
            let is_replaced = match mutant {
                Mutant::SubstVarAll => true,
                Mutant::SubstVarNone => false,
                _ => *other == index,
            };
            if is_replaced { by.clone() } else { Var(*other) }
        }
        Abs(parameter, body) => {
            let by = if mutant == Mutant::SubstAbsNoShift { by.clone() } else { shift(mutant, 1, 0, by) };
            let index = if mutant == Mutant::SubstAbsNoIncr { index } else { index + 1 };
            Abs(parameter.clone(), Box::new(substitute(mutant, index, &by, body)))
        }
        App(function, argument) => {
            let part = |term| Box::new(substitute(mutant, index, by, term));
            App(part(function), part(argument))
        }
    }
}

fn substitute_top(mutant: Mutant, by: &Term, term: &Term) -> Term {
    match mutant {
        Mutant::SubstTopNoShift => substitute(mutant, 0, by, term),
        Mutant::SubstTopNoShiftBack => substitute(mutant, 0, &shift(mutant, 1, 0, by), term),
        _ => shift(mutant, -1, 0, &substitute(mutant, 0, &shift(mutant, 1, 0, by), term)),
    }
}

/// All that can be reduced at once, or nothing if nothing can.
fn step(mutant: Mutant, term: &Term) -> Option<Term> {
    match term {
        Term::Bool(_) | Var(_) => None,
        Abs(parameter, body) => Some(Abs(parameter.clone(), Box::new(step(mutant, body)?))),
        App(function, argument) => {
            let stepped = step(mutant, argument);
            if let Abs(_, body) = &**function {
                let body = step(mutant, body).unwrap_or_else(|| (**body).clone());
                return Some(substitute_top(mutant, &stepped.unwrap_or_else(|| (**argument).clone()), &body));
            }
            match (step(mutant, function), stepped) {
                (None, None) => None,
                (function_after, argument_after) => Some(App(
                    Box::new(function_after.unwrap_or_else(|| (**function).clone())),
                    Box::new(argument_after.unwrap_or_else(|| (**argument).clone())),
                )),
            }
        }
    }
}

/// The end after up to 40 steps. A mutant may make terms grow without end: one of more than 2,000
/// constructors counts as not ended.
fn many_steps(mutant: Mutant, term: &Term) -> Option<Term> {
    let mut term = term.clone();
    for _ in 0..40 {
        match step(mutant, &term) {
            Some(next) if next.size() > 2000 => return None,
            Some(next) => term = next,
            None => return Some(term),
        }
    }
    None
}

#[generator]
pub fn types(depth: u32) -> Type {
    match pick() {
        #[weight(2)]
        "bool" => Type::Bool,
        #[weight(if depth == 0 { 0 } else { 1 })]
        "fun" => {
            let from = draw(types(depth - 1));
            let to = draw(types(depth - 1));
            Type::Fun(Box::new(from), Box::new(to))
        }
    }
}

/// Closed terms that have a type.
#[generator]
pub fn typed_terms(depth: u32) -> Term {
    #[focus(it.type_in(&mut Vec::new())?)]
    let wanted = draw(types(3));
    draw(term_of(&[], &wanted, depth))
}

/// Terms of the type `wanted` whose variables have the types `variables`, the innermost last.
#[generator]
pub fn term_of(variables: &[Type], wanted: &Type, depth: u32) -> Term {
    let fitting: Vec<i32> =
        (0..).zip(variables.iter().rev()).filter(|(_, held)| *held == wanted).map(|(index, _)| index).collect();
    match pick() {
        #[weight(if *wanted == Type::Bool { 1 } else { 0 })]
        "bool" => {
            let value = draw(any::<bool>());
            Term::Bool(value)
        }
        #[weight(if fitting.is_empty() { 0 } else { 2 })]
        "variable" => {
            let index = draw(element_of(fitting));
            Term::Var(index)
        }
        #[weight(if matches!(wanted, Type::Fun(..)) { 2 } else { 0 })]
        "lambda" => {
            let (parameter, result) = parts(wanted);
            let inside = [variables, std::slice::from_ref(&parameter)].concat();
            let body = draw(term_of(&inside, &result, depth.saturating_sub(1)));
            Term::Abs(parameter, Box::new(body))
        }
        #[weight(if depth > 0 { 2 } else { 0 })]
        "apply" => {
            #[focus(argument_type(variables, it)?)]
            let parameter = draw(types(2));
            let function_type = Type::Fun(Box::new(parameter.clone()), Box::new(wanted.clone()));
            let function = draw(term_of(variables, &function_type, depth - 1));
            let argument = draw(term_of(variables, &parameter, depth - 1));
            Term::App(Box::new(function), Box::new(argument))
        }
    }
}

fn parts(function: &Type) -> (Type, Type) {
    match function {
        Type::Fun(parameter, result) => ((**parameter).clone(), (**result).clone()),
        Type::Bool => (Type::Bool, Type::Bool),
    }
}

fn argument_type(variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        App(_, argument) => argument.type_in(&mut variables.to_vec()),
        _ => None,
    }
}

/// Terms of any kind; few of them have a type.
#[generator]
pub fn any_terms(depth: u32) -> Term {
    match pick() {
        "bool" => {
            let value = draw(any::<bool>());
            Term::Bool(value)
        }
        "variable" => {
            let index = draw(0..=4i32);
            Term::Var(index)
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "lambda" => {
            let parameter = draw(types(3));
            let body = draw(any_terms(depth - 1));
            Term::Abs(parameter, Box::new(body))
        }
        #[weight(if depth > 0 { 1 } else { 0 })]
        "apply" => {
            let function = draw(any_terms(depth - 1));
            let argument = draw(any_terms(depth - 1));
            Term::App(Box::new(function), Box::new(argument))
        }
    }
}

/// How deep terms are drawn.
const DEPTH: u32 = 5;

/// All 20 tasks.
pub fn tasks() -> Vec<Task> {
    MUTANTS.iter().flat_map(|mutant| PROPERTIES.map(|property| task(*mutant, property))).collect()
}

fn task(mutant: Mutant, property: Property) -> Task {
    let measure = move |approach: Approach, trials: u64, on_start: &mut dyn FnMut(u64)| {
        let least = least_that_fail(mutant, property);
        let fails = |term: &Term| !property.holds(mutant, term);
        match approach {
            Approach::ByConstruction => measure_task(&typed_terms(DEPTH), fails, Term::size, &least, trials, on_start),
            Approach::ByType => measure_task(&any_terms(DEPTH), fails, Term::size, &least, trials, on_start),
        }
    };
    Task { name: format!("{mutant:?} {property:?}"), measure: Box::new(measure) }
}

/// All closed terms of as few constructors as possible that fail.
fn least_that_fail(mutant: Mutant, property: Property) -> Vec<Term> {
    let mut listing = Listing::default();
    for size in 1..=LARGEST {
        let terms = listing.terms(&[], size);
        let least: Vec<Term> =
            terms.iter().map(|(term, _)| term).filter(|term| !property.holds(mutant, term)).cloned().collect();
        if !least.is_empty() {
            return least;
        }
    }
    panic!("{mutant:?} passes {property:?} on all terms of up to {LARGEST} constructors")
}

const LARGEST: usize = 15;

/// Terms and their types, by the types of their variables and their size.
#[derive(Default)]
struct Listing {
    known: HashMap<(Vec<Type>, usize), Typed>,
}

type Typed = Rc<Vec<(Term, Type)>>;

impl Listing {
    fn terms(&mut self, variables: &[Type], size: usize) -> Typed {
        let key = (variables.to_vec(), size);
        if let Some(terms) = self.known.get(&key) {
            return terms.clone();
        }
        let mut terms = Vec::new();
        if size == 1 {
            terms.extend([false, true].map(|value| (Term::Bool(value), Type::Bool)));
            terms.extend((0..).zip(variables.iter().rev()).map(|(index, held)| (Var(index), held.clone())));
        }
        for of_the_type in 1..size.saturating_sub(1) {
            for parameter in types_of(of_the_type) {
                let inside = [variables, std::slice::from_ref(&parameter)].concat();
                for (body, result) in self.terms(&inside, size - 1 - of_the_type).iter() {
                    let kind = Type::Fun(Box::new(parameter.clone()), Box::new(result.clone()));
                    terms.push((Abs(parameter.clone(), Box::new(body.clone())), kind));
                }
            }
        }
        for of_the_function in 1..size.saturating_sub(1) {
            let functions = self.terms(variables, of_the_function);
            let arguments = self.terms(variables, size - 1 - of_the_function);
            for (function, kind) in functions.iter() {
                let Type::Fun(parameter, result) = kind else {
                    continue;
                };
                for (argument, _) in arguments.iter().filter(|(_, kind)| kind == &**parameter) {
                    let term = App(Box::new(function.clone()), Box::new(argument.clone()));
                    terms.push((term, (**result).clone()));
                }
            }
        }
        let terms = Rc::new(terms);
        self.known.insert(key, terms.clone());
        terms
    }
}

/// All types of so many constructors.
fn types_of(size: usize) -> Vec<Type> {
    if size == 1 {
        return vec![Type::Bool];
    }
    let mut types = Vec::new();
    for of_the_parameter in 1..size.saturating_sub(1) {
        for from in types_of(of_the_parameter) {
            let to = types_of(size - 1 - of_the_parameter).into_iter();
            types.extend(to.map(|to| Type::Fun(Box::new(from.clone()), Box::new(to))));
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mutated_keeps_types() {
        for term in typed_terms(DEPTH).samples(1).take(5000) {
            assert!(term.type_in(&mut Vec::new()).is_some(), "{term:?}");
            assert!(PROPERTIES.iter().all(|property| property.holds(Mutant::None, &term)), "{term:?}");
        }
        let mut listing = Listing::default();
        for (term, kind) in (1..=8).flat_map(|size| listing.terms(&[], size).to_vec()) {
            assert_eq!(term.type_in(&mut Vec::new()), Some(kind));
            assert!(PROPERTIES.iter().all(|property| property.holds(Mutant::None, &term)), "{term:?}");
        }
    }

    #[test]
    fn known_faults_are_found() {
        let boxed = Box::new;
        let constant = |body| Abs(Type::Bool, boxed(body));
        let applied = |function, argument| App(boxed(function), boxed(argument));
        let truth = Term::Bool(true);
        let examples = [
            (Mutant::SubstVarNone, applied(constant(Var(0)), truth.clone())),
            (Mutant::ShiftVarAll, applied(constant(constant(Var(0))), truth.clone())),
            (Mutant::ShiftAbsNoIncr, applied(constant(constant(Var(0))), truth.clone())),
            (Mutant::ShiftVarNone, constant(applied(constant(Var(1)), truth.clone()))),
            (Mutant::SubstTopNoShift, constant(applied(constant(Var(1)), truth))),
            (Mutant::SubstTopNoShiftBack, constant(applied(constant(Var(0)), Var(0)))),
        ];
        for (mutant, term) in examples {
            assert!(!Property::SinglePreserve.holds(mutant, &term), "{mutant:?}: {term:?}");
        }
    }
}
