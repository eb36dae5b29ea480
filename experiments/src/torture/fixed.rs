//! Types as users write them: derived and by `#[generator]`, with linear, binary, three-way and
//! mutual recursion and with weighted recursive arms.

use retrospect::prelude::*;
use std::collections::BTreeMap;

/// A value of one of the fixed types.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fixed {
    Chain(Chain),
    Tree(Tree),
    Ternary(Ternary),
    Statement(Statement),
    Heavy(Heavy),
    Record(Record),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Chain {
    End,
    Link(u8, Box<Chain>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Tree {
    A,
    N(Box<Tree>),
    B(Box<Tree>, Box<Tree>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Ternary {
    Leaf(i8),
    Three(Box<Ternary>, Box<Ternary>, Box<Ternary>),
    Many(Vec<Ternary>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Statement {
    Skip,
    Do(Expression),
    Block(Vec<Statement>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Expression {
    Literal(u8),
    Negative(Box<Expression>),
    Lambda { body: Box<Statement>, result: Option<Box<Expression>> },
}

/// The recursive arm is far more likely than the one that ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub enum Heavy {
    Leaf,
    #[generate(weight = 100_000)]
    Node(Box<Heavy>, u8, Box<Heavy>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Generate)]
pub struct Record {
    pub name: String,
    #[generate(with = vec_of(string_of('a'..='z', ..=3), ..=4))]
    pub tags: Vec<String>,
    pub flag: Option<(u8, bool)>,
    #[generate(with = map_of(any::<u8>(), any::<char>(), ..=3))]
    pub entries: BTreeMap<u8, char>,
}

/// The same type as [`Heavy`], by a function, with a weight that is an argument.
#[generator]
fn heavy(weight: u32) -> Heavy {
    match pick() {
        "leaf" => Heavy::Leaf,
        #[weight(weight)]
        "node" => {
            let left = draw(heavy(weight));
            let key = draw(any::<u8>());
            let right = draw(heavy(weight));
            Heavy::Node(Box::new(left), key, Box::new(right))
        }
    }
}

/// Lists by a function that calls itself: the recursive arm is an argument's weight.
#[generator]
fn chain(weight: u32, most: u8) -> Chain {
    match pick() {
        "end" => Chain::End,
        #[weight(weight)]
        "link" => {
            let first = draw(0..=most);
            let rest = draw(chain(weight, most));
            Chain::Link(first, Box::new(rest))
        }
    }
}

/// Sorted lists: the range of an item depends on the item before it.
#[generator]
fn rising(least: u8) -> Chain {
    match pick() {
        "end" => Chain::End,
        #[weight(3)]
        "link" => {
            let first = draw(least..=u8::MAX);
            let rest = draw(rising(first));
            Chain::Link(first, Box::new(rest))
        }
    }
}

/// Three calls of itself, weighted.
#[generator]
fn ternary(weight: u32) -> Ternary {
    match pick() {
        "leaf" => Ternary::Leaf(draw(any::<i8>())),
        #[weight(weight)]
        "three" => {
            let (one, two, three) = draw((ternary(weight), ternary(weight), ternary(weight)));
            Ternary::Three(Box::new(one), Box::new(two), Box::new(three))
        }
        "many" => Ternary::Many(draw(vec_of(ternary(weight), ..))),
    }
}

#[generator]
pub fn fixed(which: Which, weight: u32) -> Fixed {
    match which {
        Which::DerivedChain => Fixed::Chain(draw(any::<Chain>())),
        Which::DerivedTree => Fixed::Tree(draw(any::<Tree>())),
        Which::DerivedTernary => Fixed::Ternary(draw(any::<Ternary>())),
        Which::DerivedMutual => Fixed::Statement(draw(any::<Statement>())),
        Which::DerivedHeavy => Fixed::Heavy(draw(any::<Heavy>())),
        Which::DerivedRecord => Fixed::Record(draw(any::<Record>())),
        Which::Chain => Fixed::Chain(draw(chain(weight, 20))),
        Which::Rising => Fixed::Chain(draw(rising(0))),
        Which::Ternary => Fixed::Ternary(draw(ternary(weight))),
        Which::Heavy => Fixed::Heavy(draw(heavy(weight))),
    }
}

/// Which generator of a fixed type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Generate)]
pub enum Which {
    DerivedChain,
    DerivedTree,
    DerivedTernary,
    DerivedMutual,
    DerivedHeavy,
    DerivedRecord,
    Chain,
    Rising,
    Ternary,
    Heavy,
}

/// Size and depth by ordinary recursion.
trait Measured {
    fn parts(&self) -> Vec<&dyn Measured>;

    fn size(&self) -> usize {
        1 + self.parts().iter().map(|part| part.size()).sum::<usize>()
    }

    fn depth(&self) -> usize {
        1 + self.parts().iter().map(|part| part.depth()).max().unwrap_or(0)
    }
}

impl Fixed {
    fn measured(&self) -> &dyn Measured {
        match self {
            Fixed::Chain(value) => value,
            Fixed::Tree(value) => value,
            Fixed::Ternary(value) => value,
            Fixed::Statement(value) => value,
            Fixed::Heavy(value) => value,
            Fixed::Record(value) => value,
        }
    }

    pub fn size(&self) -> usize {
        self.measured().size()
    }

    pub fn depth(&self) -> usize {
        self.measured().depth()
    }
}

impl Measured for Chain {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Chain::End => vec![],
            Chain::Link(_, rest) => vec![&**rest],
        }
    }
}

impl Measured for Tree {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Tree::A => vec![],
            Tree::N(one) => vec![&**one],
            Tree::B(one, other) => vec![&**one, &**other],
        }
    }
}

impl Measured for Ternary {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Ternary::Leaf(_) => vec![],
            Ternary::Three(one, two, three) => vec![&**one, &**two, &**three],
            Ternary::Many(items) => items.iter().map(|item| item as &dyn Measured).collect(),
        }
    }
}

impl Measured for Statement {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Statement::Skip => vec![],
            Statement::Do(expression) => vec![expression],
            Statement::Block(items) => items.iter().map(|item| item as &dyn Measured).collect(),
        }
    }
}

impl Measured for Expression {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Expression::Literal(_) => vec![],
            Expression::Negative(one) => vec![&**one],
            Expression::Lambda { body, result } => {
                let mut parts: Vec<&dyn Measured> = vec![&**body];
                parts.extend(result.iter().map(|result| &**result as &dyn Measured));
                parts
            }
        }
    }
}

impl Measured for Heavy {
    fn parts(&self) -> Vec<&dyn Measured> {
        match self {
            Heavy::Leaf => vec![],
            Heavy::Node(left, _, right) => vec![&**left, &**right],
        }
    }
}

impl Measured for Record {
    fn parts(&self) -> Vec<&dyn Measured> {
        Vec::new()
    }

    fn size(&self) -> usize {
        1 + self.name.len() + self.tags.len() + self.entries.len()
    }
}
