//! The generators of paper 000, section 4.2: one way, exponentially many, infinitely many.

use crate::measure::{Effort, Table, least};
use retrospect::prelude::*;
use retrospect::with_deep_stack;

#[derive(Debug)]
pub(crate) enum Nat {
    Z,
    S(Box<Nat>),
}

impl Nat {
    pub(crate) fn of(number: usize) -> Nat {
        (0..number).fold(Nat::Z, |number, _| Nat::S(Box::new(number)))
    }
}

/// One way: unary numbers.
#[generator]
pub(crate) fn g_1() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => Nat::S(Box::new(draw(g_1()))),
    }
}

/// Exponentially many: sums of ones and twos.
#[generator]
pub(crate) fn g_e() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => Nat::S(Box::new(draw(g_e()))),
        "2" => Nat::S(Box::new(Nat::S(Box::new(draw(g_e()))))),
    }
}

/// Infinitely many: a choice that changes nothing.
#[generator]
pub(crate) fn g_i() -> Nat {
    match pick() {
        "Z" => Nat::Z,
        "S" => Nat::S(Box::new(draw(g_i()))),
        "inf" => draw(g_i()),
    }
}

pub(crate) fn run(effort: Effort) -> String {
    let sizes = [effort.of(1_000), effort.of(10_000), effort.of(100_000)];
    let mut table = Table::new(&["number", "g1: ways", "gE: ways", "gE: µs", "gE: µs per unit", "gI: ways"]);
    for size in sizes {
        let number = Nat::of(size);
        let digits =
            |count: String| if count.len() > 20 { format!("a number of {} digits", count.len()) } else { count };
        let ways = g_e().ways_of(&number).count().to_string();
        // Counting 20,000-digit numbers takes longer the longer they are; the forest itself is what
        // is linear.
        let time = least(5, || {
            let mut reflector = retrospect::reflect::Reflector::all_ways();
            assert!(g_e().reflect(&number, &mut reflector).is_ok());
            reflector.into_forest().node_count()
        }) / 1000.0;
        table.row(vec![
            size.to_string(),
            g_1().ways_of(&number).count().to_string(),
            digits(ways),
            format!("{time:.0}"),
            format!("{:.3}", time / size as f64),
            g_i().ways_of(&number).count().to_string(),
        ]);
        with_deep_stack(move || drop(number));
    }
    format!("## Overlap\n\nGoals: the forest of gE is linear, gI is reported as a cycle.\n\n{}", table.to_markdown())
}
