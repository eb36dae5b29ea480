//! How hard the conditions of a composition are to satisfy.
//!
//! A condition that no value satisfies is the user's own mistake, and is noticed after thousands of
//! values. So is a set that asks for more items than there are. Only compositions whose conditions
//! are easy must be quick and must find values.

use super::property::{Composition, thread_seconds};
use super::spec::Spec;
use super::value::Dyn;
use retrospect::prelude::*;
use retrospect::source::Source;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How hard the conditions of a composition are to satisfy.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Hardness {
    /// At least one value in ten satisfies each of them.
    Easy,
    Hard,
    /// A hard one has another condition inside.
    Nested,
}

impl Composition {
    pub fn hardness(&self) -> Hardness {
        let conditions = self.specs().into_iter().flat_map(Spec::all).rev();
        let hardness = conditions.map(hardness_of);
        hardness.fold(Hardness::Easy, |one, other| if other > one { other } else { one })
    }
}

/// How long values are drawn to find out.
const LONGEST: f64 = 0.1;

fn hardness_of(spec: &Spec) -> Hardness {
    if has_few_items(spec) {
        return Hardness::Hard;
    }
    let Some((inside, condition)) = spec.condition() else { return Hardness::Easy };
    let is_nested = inside.has(|spec| spec.condition().is_some());
    if is_nested && inside.all().into_iter().any(|inside| hardness_of(inside) != Hardness::Easy) {
        return Hardness::Nested;
    }
    let built = inside.build();
    let started = thread_seconds();
    let holds = |seed: &u64| {
        let mut source = Source::random(*seed).with_size((seed % 100) as u32);
        let holds = || built.generate(&mut source).is_ok_and(|value| condition.holds(&value));
        // Parts of it may panic.
        thread_seconds() - started < LONGEST && catch_unwind(AssertUnwindSafe(holds)).unwrap_or(false)
    };
    match (0..100).filter(holds).count() {
        10.. => Hardness::Easy,
        _ if is_nested => Hardness::Nested,
        _ => Hardness::Hard,
    }
}

/// Whether a set or map asks for more items than there are.
fn has_few_items(spec: &Spec) -> bool {
    let (Spec::Set(item, length)
    | Spec::HashSet(item, length)
    | Spec::Map(item, _, length)
    | Spec::HashMap(item, _, length)) = spec
    else {
        return false;
    };
    if length.least() < 2 {
        return false;
    }
    // To draw such items would take long; the set is hard as they are.
    if item.all().into_iter().any(|inside| hardness_of(inside) != Hardness::Easy) {
        return true;
    }
    let built = item.build();
    let started = thread_seconds();
    let draw = |seed: u64| {
        let draw = || built.generate(&mut Source::random(seed).with_size((seed % 100) as u32)).ok();
        let is_over = thread_seconds() - started > LONGEST;
        if is_over { None } else { catch_unwind(AssertUnwindSafe(draw)).ok().flatten() }
    };
    // All functions are equal, whatever they remember of their calls.
    #[allow(clippy::mutable_key_type)]
    let items: BTreeSet<Dyn> = (0..200).filter_map(draw).collect();
    items.len() < length.least() || item.has(|spec| matches!(spec, Spec::Itself(_)))
}
