//! Products and quotients in which nothing is divided by zero: a rule that no context-free grammar
//! can state about values.

use retrospect::prelude::*;

/// A product or quotient.
#[derive(Debug, Clone, PartialEq, Generate)]
pub enum Term {
    /// A number.
    Factor(Factor),
    /// A term times a number.
    Times(Box<Term>, Factor),
    /// A term divided by a number.
    Over(Box<Term>, Factor),
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
pub enum Factor {
    /// 0
    Zero,
    /// 1
    One,
}

/// Terms that can be evaluated. Where a division by zero would come out, it is a product instead,
/// so products with zero are made in two ways.
#[generator]
pub fn terms() -> Term {
    match pick() {
        "factor" => Term::Factor(draw(any::<Factor>())),
        "times" => {
            let left = draw(terms());
            let right = draw(any::<Factor>());
            Term::Times(Box::new(left), right)
        }
        "over" => {
            let left = draw(terms());
            let right = draw(any::<Factor>());
            if right == Factor::Zero { Term::Times(Box::new(left), right) } else { Term::Over(Box::new(left), right) }
        }
    }
}

impl Term {
    /// What it is, unless something is divided by zero.
    pub fn value(&self) -> Option<i64> {
        let number = |factor: &Factor| i64::from(*factor == Factor::One);
        match self {
            Term::Factor(factor) => Some(number(factor)),
            Term::Times(left, right) => Some(left.value()? * number(right)),
            Term::Over(left, right) => left.value()?.checked_div(number(right)),
        }
    }
}
