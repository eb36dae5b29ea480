//! System F, the polymorphic lambda calculus: well-typed terms by construction.
//!
//! Like [`stlc`](crate::stlc), a term is generated from its type, and going backward `#[focus]`
//! recovers the type with the type checker. Two things are new. A term may be used at an *instance*
//! of its type, so there is a generator of all types that a given one is an instance of. And some
//! types have no terms at all: those are not drawn ([`drawn_if`]), but a term that somehow uses one
//! is accepted like any other.

use retrospect::prelude::*;

/// A type. Its variables are counted from the innermost `ForAll` outward.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Generate)]
pub enum Type {
    /// The type of one value.
    Unit,
    /// Truth values.
    Bool,
    /// A variable.
    Var(usize),
    /// Functions.
    Fun(Box<Type>, Box<Type>),
    /// A type for every type.
    ForAll(Box<Type>),
}

/// A term. Variables are counted from the innermost `Lam` outward; `TypeLam` is not counted.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Term {
    /// The value of `Unit`.
    Unit,
    /// A truth value.
    Bool(bool),
    /// A variable.
    Var(usize),
    /// One of two, by a truth value.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A function of a parameter of that type.
    Lam(Type, Box<Term>),
    /// A call.
    App(Box<Term>, Box<Term>),
    /// A term for every type.
    TypeLam(Box<Term>),
    /// The term for one of the types.
    TypeApp(Box<Term>, Type),
}

/// Closed terms of any type. Those drawn are mostly at most `depth` calls deep; all are accepted.
#[generator]
pub fn terms(depth: u32) -> Term {
    #[focus(type_of(it)?)]
    let wanted = draw(goals(0, &[]));
    draw(term_of(0, &[], &wanted, depth))
}

/// Terms of the type `wanted`, where there are `free` type variables, and variables of the types
/// `variables`, innermost first.
#[generator]
pub fn term_of(free: usize, variables: &[Type], wanted: &Type, depth: u32) -> Term {
    let fitting: Vec<usize> = (0..variables.len()).filter(|index| variables[*index] == *wanted).collect();
    let shallower = depth.saturating_sub(1);
    match pick() {
        #[weight(if *wanted == Type::Unit { 2 } else { 0 })]
        "unit" => Term::Unit,
        #[weight(if *wanted == Type::Bool { 2 } else { 0 })]
        "bool" => Term::Bool(draw(any::<bool>())),
        #[weight(if fitting.is_empty() { 0 } else { 3 })]
        "variable" => Term::Var(draw(element_of(fitting))),
        #[weight(drawn_if(is_built_plainly(variables, wanted), if matches!(wanted, Type::Fun(..)) { 3 } else { 0 }))]
        "lambda" => {
            let Type::Fun(parameter, result) = wanted else { unreachable!("it weighs nothing otherwise") };
            let parameter = (**parameter).clone();
            let inner = under(&parameter, variables);
            let body = draw(term_of(free, &inner, result, depth));
            Term::Lam(parameter, Box::new(body))
        }
        #[weight(drawn_if(is_built_plainly(variables, wanted), if matches!(wanted, Type::ForAll(_)) { 3 } else { 0 }))]
        "type lambda" => {
            let Type::ForAll(general) = wanted else { unreachable!("it weighs nothing otherwise") };
            let inner = under_type(variables);
            let body = draw(term_of(free + 1, &inner, general, depth));
            Term::TypeLam(Box::new(body))
        }
        #[weight(drawn_if(depth > 0, 1))]
        "if" => {
            let condition = draw(term_of(free, variables, &Type::Bool, shallower));
            let then = draw(term_of(free, variables, wanted, shallower));
            let otherwise = draw(term_of(free, variables, wanted, shallower));
            Term::If(Box::new(condition), Box::new(then), Box::new(otherwise))
        }
        #[weight(drawn_if(depth > 0, 1))]
        "apply" => {
            #[focus(argument_type(free, variables, it)?)]
            let parameter = draw(goals(free, variables));
            let function_type = Type::Fun(Box::new(parameter.clone()), Box::new(wanted.clone()));
            let function = draw(term_of(free, variables, &function_type, shallower));
            let argument = draw(term_of(free, variables, &parameter, shallower));
            Term::App(Box::new(function), Box::new(argument))
        }
        #[weight(drawn_if(depth > 0, 1))]
        "instantiate" => {
            let argument = draw(arguments(free, wanted));
            #[focus(polymorphic_type(free, variables, it)?)]
            let general = draw(general_goals(variables, wanted, &argument));
            let polymorphic = draw(term_of(free, variables, &general, shallower));
            Term::TypeApp(Box::new(polymorphic), argument)
        }
    }
}

/// Types with variables below `free`.
#[generator]
pub fn types(free: usize) -> Type {
    match pick() {
        #[weight(3)]
        "unit" => Type::Unit,
        #[weight(3)]
        "bool" => Type::Bool,
        #[weight(if free > 0 { 3 } else { 0 })]
        "variable" => Type::Var(draw(0..free)),
        #[weight(2)]
        "fun" => {
            let from = draw(types(free));
            let to = draw(types(free));
            Type::Fun(Box::new(from), Box::new(to))
        }
        "for all" => Type::ForAll(Box::new(draw(types(free + 1)))),
    }
}

/// Types to look for a term of: those drawn have one.
#[generator]
fn goals(free: usize, variables: &[Type]) -> Type {
    match pick() {
        "plain" => draw(types(free).filter(|wanted| has_plain_term(variables, wanted))),
        #[weight(drawn_if(false, 1))]
        "any" => draw(types(free)),
    }
}

/// Types to put in the place of a type variable: those that are in `wanted` already are the
/// interesting ones.
#[generator]
fn arguments(free: usize, wanted: &Type) -> Type {
    let inside = wanted.free_parts();
    match pick() {
        "any" => draw(types(free)),
        #[weight(if inside.is_empty() { 0 } else { 3 })]
        "part" => draw(element_of(inside)),
    }
}

/// Polymorphic types that become `wanted` for the type `argument`: those drawn have a term.
#[generator]
fn general_goals(variables: &[Type], wanted: &Type, argument: &Type) -> Type {
    match pick() {
        "plain" => draw(general(wanted, argument).filter(|general| has_plain_term(variables, general))),
        #[weight(drawn_if(false, 1))]
        "any" => draw(general(wanted, argument)),
    }
}

/// Polymorphic types that become `wanted` for the type `argument`.
#[generator]
fn general(wanted: &Type, argument: &Type) -> Type {
    Type::ForAll(Box::new(draw(generalised(wanted, argument, 0))))
}

/// Types that become `whole` if `argument` takes the place of the variable `index`.
#[generator]
pub fn generalised(whole: &Type, argument: &Type, index: usize) -> Type {
    match pick() {
        "keep" => match whole {
            Type::Unit => Type::Unit,
            Type::Bool => Type::Bool,
            Type::Var(variable) => {
                let variable = variable + usize::from(*variable >= index);
                Type::Var(variable)
            }
            Type::Fun(from, to) => {
                let from = draw(generalised(from, argument, index));
                let to = draw(generalised(to, argument, index));
                Type::Fun(Box::new(from), Box::new(to))
            }
            Type::ForAll(body) => {
                let argument = argument.shifted(0);
                Type::ForAll(Box::new(draw(generalised(body, &argument, index + 1))))
            }
        },
        #[weight(if whole == argument { 1 } else { 0 })]
        "replace" => Type::Var(index),
    }
}

impl Type {
    /// The type one `ForAll` further in: variables from `from` on are counted one further.
    pub fn shifted(&self, from: usize) -> Type {
        match self {
            Type::Unit => Type::Unit,
            Type::Bool => Type::Bool,
            Type::Var(variable) => Type::Var(variable + usize::from(*variable >= from)),
            Type::Fun(parameter, result) => {
                Type::Fun(Box::new(parameter.shifted(from)), Box::new(result.shifted(from)))
            }
            Type::ForAll(body) => Type::ForAll(Box::new(body.shifted(from + 1))),
        }
    }

    /// The type with `argument` in the place of the variable `index`.
    pub fn instance(&self, index: usize, argument: &Type) -> Type {
        match self {
            Type::Unit => Type::Unit,
            Type::Bool => Type::Bool,
            Type::Var(variable) if *variable == index => argument.clone(),
            Type::Var(variable) => Type::Var(variable - usize::from(*variable > index)),
            Type::Fun(parameter, result) => {
                Type::Fun(Box::new(parameter.instance(index, argument)), Box::new(result.instance(index, argument)))
            }
            Type::ForAll(body) => Type::ForAll(Box::new(body.instance(index + 1, &argument.shifted(0)))),
        }
    }

    /// Whether all its variables are below `free`.
    pub fn is_formed(&self, free: usize) -> bool {
        match self {
            Type::Unit | Type::Bool => true,
            Type::Var(variable) => *variable < free,
            Type::Fun(from, to) => from.is_formed(free) && to.is_formed(free),
            Type::ForAll(body) => body.is_formed(free + 1),
        }
    }

    /// The parts of the type that mean the same outside of it, each once.
    fn free_parts(&self) -> Vec<Type> {
        let (mut parts, mut rest) = (vec![], vec![self]);
        while let Some(part) = rest.pop() {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
            if let Type::Fun(from, to) = part {
                rest.extend([&**from, &**to]);
            }
        }
        parts
    }
}

/// Whether there is a term of that type that calls nothing: a variable, or what
/// [`is_built_plainly`] says.
fn has_plain_term(variables: &[Type], wanted: &Type) -> bool {
    variables.contains(wanted) || is_built_plainly(variables, wanted)
}

/// Whether there is a term of that type that calls nothing and is no variable.
fn is_built_plainly(variables: &[Type], wanted: &Type) -> bool {
    match wanted {
        Type::Unit | Type::Bool => true,
        Type::Var(_) => false,
        Type::Fun(parameter, result) => has_plain_term(&under(parameter, variables), result),
        Type::ForAll(body) => has_plain_term(&under_type(variables), body),
    }
}

/// The types of the variables inside a `Lam`.
fn under(parameter: &Type, variables: &[Type]) -> Vec<Type> {
    [std::slice::from_ref(parameter), variables].concat()
}

/// The types of the variables inside a `TypeLam`.
fn under_type(variables: &[Type]) -> Vec<Type> {
    variables.iter().map(|variable| variable.shifted(0)).collect()
}

/// The type of a closed term, if it has one.
pub fn type_of(term: &Term) -> Option<Type> {
    type_in(0, &[], term)
}

/// The type of a term where there are `free` type variables, and variables of the types
/// `variables`; none if the term is wrong.
pub fn type_in(free: usize, variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        Term::Unit => Some(Type::Unit),
        Term::Bool(_) => Some(Type::Bool),
        Term::Var(index) => variables.get(*index).cloned(),
        Term::If(condition, then, otherwise) => {
            let (then, otherwise) = (type_in(free, variables, then)?, type_in(free, variables, otherwise)?);
            (type_in(free, variables, condition)? == Type::Bool && then == otherwise).then_some(then)
        }
        Term::Lam(parameter, body) => {
            let inner = parameter.is_formed(free).then(|| under(parameter, variables))?;
            let result = type_in(free, &inner, body)?;
            Some(Type::Fun(Box::new(parameter.clone()), Box::new(result)))
        }
        Term::App(function, argument) => match type_in(free, variables, function)? {
            Type::Fun(parameter, result) if *parameter == type_in(free, variables, argument)? => Some(*result),
            _ => None,
        },
        Term::TypeLam(body) => Some(Type::ForAll(Box::new(type_in(free + 1, &under_type(variables), body)?))),
        Term::TypeApp(polymorphic, argument) => match type_in(free, variables, polymorphic)? {
            Type::ForAll(body) if argument.is_formed(free) => Some(body.instance(0, argument)),
            _ => None,
        },
    }
}

fn argument_type(free: usize, variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        Term::App(_, argument) => type_in(free, variables, argument),
        _ => None,
    }
}

fn polymorphic_type(free: usize, variables: &[Type], term: &Term) -> Option<Type> {
    match term {
        Term::TypeApp(polymorphic, _) => type_in(free, variables, polymorphic),
        _ => None,
    }
}
