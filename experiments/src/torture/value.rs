//! The values of compositions: one dynamic type, with ordinary recursive code for `Clone`, `Debug`,
//! `PartialEq`, `Ord` and `Drop`.

use super::fixed::Fixed;
use retrospect::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

/// A value of any shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dyn {
    Unit,
    Bool(bool),
    Int(i64),
    Float(Number),
    Char(char),
    Text(String),
    Ints(Vec<i64>),
    Bytes(Vec<u8>),
    Maybe(Option<Box<Dyn>>),
    Either(Result<Box<Dyn>, Box<Dyn>>),
    Pair(Box<Dyn>, Box<Dyn>),
    List(Vec<Dyn>),
    Set(BTreeSet<Dyn>),
    Map(BTreeMap<Dyn, Dyn>),
    Node(Vec<Dyn>),
    Function(Table),
    Stream(Stream),
    Fixed(Fixed),
}

/// A float that equals itself.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

/// A generated function. Functions cannot be compared, so all are equal.
#[derive(Clone, Debug)]
pub struct Table(pub Function<Dyn, Dyn>);

/// A generated stream. All are equal, as functions are.
#[derive(Clone, Debug)]
pub struct Stream(pub Function<u64, Dyn>);

impl Dyn {
    /// The values inside, without those of fixed types.
    pub fn children(&self) -> Vec<&Dyn> {
        match self {
            Dyn::Maybe(Some(one)) | Dyn::Either(Ok(one) | Err(one)) => vec![one],
            Dyn::Pair(one, other) => vec![one, other],
            Dyn::List(items) | Dyn::Node(items) => items.iter().collect(),
            Dyn::Set(items) => items.iter().collect(),
            Dyn::Map(entries) => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
            _ => Vec::new(),
        }
    }

    /// How many parts there are, this one included.
    pub fn size(&self) -> usize {
        let own = match self {
            Dyn::Text(text) => text.chars().count(),
            Dyn::Ints(items) => items.len(),
            Dyn::Bytes(items) => items.len(),
            Dyn::Fixed(fixed) => fixed.size(),
            _ => 0,
        };
        1 + own + self.children().into_iter().map(Dyn::size).sum::<usize>()
    }

    /// How many levels there are, this one included.
    pub fn depth(&self) -> usize {
        let own = if let Dyn::Fixed(fixed) = self { fixed.depth() } else { 0 };
        1 + own + self.children().into_iter().map(Dyn::depth).max().unwrap_or(0)
    }

    /// All integers in it, in order.
    pub fn integers(&self) -> Vec<i64> {
        match self {
            Dyn::Int(number) => vec![*number],
            Dyn::Ints(items) => items.clone(),
            _ => self.children().into_iter().flat_map(Dyn::integers).collect(),
        }
    }

    /// The name of the variant.
    pub fn kind(&self) -> &'static str {
        match self {
            Dyn::Unit => "Unit",
            Dyn::Bool(_) => "Bool",
            Dyn::Int(_) => "Int",
            Dyn::Float(_) => "Float",
            Dyn::Char(_) => "Char",
            Dyn::Text(_) => "Text",
            Dyn::Ints(_) => "Ints",
            Dyn::Bytes(_) => "Bytes",
            Dyn::Maybe(_) => "Maybe",
            Dyn::Either(_) => "Either",
            Dyn::Pair(..) => "Pair",
            Dyn::List(_) => "List",
            Dyn::Set(_) => "Set",
            Dyn::Map(_) => "Map",
            Dyn::Node(_) => "Node",
            Dyn::Function(_) => "Function",
            Dyn::Stream(_) => "Stream",
            Dyn::Fixed(_) => "Fixed",
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

macro_rules! all_equal {
    ($($name:ident)*) => { $(
        impl Hash for $name {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }

        impl PartialEq for $name {
            fn eq(&self, _: &$name) -> bool {
                true
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, _: &$name) -> Ordering {
                Ordering::Equal
            }
        }
    )* };
}

all_equal! { Table Stream }
