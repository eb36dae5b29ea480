//! What the functions of a run were asked, and the choices that say just that.
//!
//! Whoever runs a property and wants to shrink what fails watches the run: functions that are made
//! meanwhile are noted, and remember what they are asked. Afterwards their nodes in the tree are
//! written anew, from what was asked alone. The run would have gone the same way with these.

use super::definition::{Definition, Rest};
use super::{ENTRY, FUNCTION};
use crate::choice::{Choices, Kind};
use crate::generator::adapt::Boxed;
use crate::generator::part;
use crate::shrink::compare;
use crate::source::{Replay, Source};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::atomic::{self, AtomicBool};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the functions of a run were asked, each in the order of first use; for the next run, which
/// is nearly the same.
pub(crate) type Asked = Vec<Arc<Order>>;

/// Different inputs in the order of first use.
#[derive(Clone, Default)]
pub(crate) struct Order {
    list: Vec<u64>,
    places: HashMap<u64, u32>,
}

impl Order {
    pub(super) fn add(&mut self, identity: u64) {
        self.places.insert(identity, self.list.len() as u32);
        self.list.push(identity);
    }

    pub(in crate::generator) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn place(&self, identity: u64) -> Option<usize> {
        self.places.get(&identity).map(|place| *place as usize)
    }

    pub(super) fn at(&self, place: usize) -> Option<u64> {
        self.list.get(place).copied()
    }
}

/// A function of whatever type that was made while somebody watched, and what it was asked.
pub(crate) struct Used {
    /// What the same function was asked in the run before this one.
    pub(super) before: Option<Arc<Order>>,
    seed: Option<u32>,
    inputs: Vec<String>,
    /// The choices of the simplest output, if it has no default.
    simplest: Option<Choices>,
    uses: Mutex<Vec<Use>>,
    /// Whether it was asked for an output whose generator panicked.
    is_interrupted: AtomicBool,
}

/// An input that was asked for, and where its output came from.
pub(super) struct Use {
    pub(super) identity: u64,
    pub(super) input: String,
    pub(super) origin: Origin,
}

pub(super) enum Origin {
    Entry(usize),
    Default,
    /// Drawn by these choices, in which these functions were made.
    Drawn {
        choices: Choices,
        made: Vec<Arc<Used>>,
    },
}

impl Used {
    pub(super) fn note(&self, asked: Use) {
        self.uses().push(asked);
    }

    pub(super) fn interrupt(&self) {
        self.is_interrupted.store(true, atomic::Ordering::Relaxed);
    }

    fn uses(&self) -> MutexGuard<'_, Vec<Use>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes the functions that this thread makes, until it ends.
pub(crate) struct Watch {
    outer: Option<Scope>,
}

struct Scope {
    made: Vec<Arc<Used>>,
    before: Asked,
}

thread_local! {
    static SCOPE: RefCell<Option<Scope>> = const { RefCell::new(None) };
}

impl Watch {
    /// Functions follow those of the run before, if there is one.
    pub(crate) fn begin(before: Option<&Asked>) -> Watch {
        let scope = Scope { made: Vec::new(), before: before.cloned().unwrap_or_default() };
        Watch { outer: SCOPE.replace(Some(scope)) }
    }

    /// The functions that were made, in the order in which they were finished.
    pub(crate) fn end(mut self) -> Vec<Arc<Used>> {
        let scope = SCOPE.replace(self.outer.take());
        std::mem::forget(self);
        scope.map_or_else(Vec::new, |scope| scope.made)
    }
}

/// Also if what was watched panics.
impl Drop for Watch {
    fn drop(&mut self) {
        SCOPE.set(self.outer.take());
    }
}

/// Notes a function, if somebody watches.
pub(super) fn watch_over<B: Clone + Debug>(definition: &mut Definition<B>) {
    let before = SCOPE.with_borrow(|scope| scope.as_ref().map(|scope| scope.before.get(scope.made.len()).cloned()));
    let Some(before) = before else { return };
    let (seed, simplest) = match definition.rest {
        Rest::Default(_) => (None, None),
        Rest::Drawn { seed } => (Some(seed), simplest(&definition.outputs)),
    };
    let mut inputs = Vec::with_capacity(definition.entries.len());
    definition.entries.iter().for_each(|entry| inputs.push(entry.input.clone()));
    let used = Arc::new(Used {
        before,
        seed,
        inputs,
        simplest,
        uses: Mutex::default(),
        is_interrupted: AtomicBool::new(false),
    });
    definition.used = Some(Arc::clone(&used));
    SCOPE.with_borrow_mut(|scope| scope.iter_mut().for_each(|scope| scope.made.push(Arc::clone(&used))));
}

fn simplest<B: Debug>(outputs: &Boxed<'static, B>) -> Option<Choices> {
    let nothing = Choices::default();
    let mut replay = Replay::lenient(&nothing);
    let mut source = Source::asking(&mut replay);
    // Functions that are made here are nobody's.
    let watch = Watch::begin(None);
    let made = part(outputs, &mut source);
    watch.end();
    made.ok().map(|_| source.into_choices())
}

/// What the functions were asked.
pub(crate) fn asked(made: &[Arc<Used>]) -> Asked {
    let mut asked = Vec::with_capacity(made.len());
    for function in made {
        let mut order = Order::default();
        function.uses().iter().for_each(|asked| order.add(asked.identity));
        asked.push(Arc::new(order));
    }
    asked
}

/// Whether one of the functions was drawn.
pub(crate) fn has_drawn(made: &[Arc<Used>]) -> bool {
    made.iter().any(|function| function.seed.is_some())
}

/// The choices of a run in which these functions were made, each function as a table of what it was
/// asked and no more. Of all tables that answer the same, it is the simplest: the default is the
/// output that makes most entries needless. If an output was not made, no table says so: they stay
/// as they are.
pub(crate) fn settled(choices: Choices, made: &[Arc<Used>]) -> Choices {
    if made.is_empty() || made.iter().any(|function| function.is_interrupted.load(atomic::Ordering::Relaxed)) {
        return choices;
    }
    Settling::new(&choices, made).nodes(0..choices.len())
}

struct Settling<'c> {
    choices: &'c Choices,
    /// The functions of the tree: where each stands, and what it was asked.
    functions: Vec<(usize, &'c Used)>,
}

impl<'c> Settling<'c> {
    fn new(choices: &'c Choices, made: &'c [Arc<Used>]) -> Settling<'c> {
        let is_function = |at: &usize| {
            let entry = choices.entries()[*at];
            entry.kind() == Kind::Pick && entry.site().is_some_and(|site| std::ptr::eq(site, &FUNCTION))
        };
        let mut places: Vec<usize> = (0..choices.len()).filter(is_function).collect();
        // In the order in which they were finished: what stands inside another one comes before it.
        places.sort_by_key(|at| (choices.end_of(*at), std::cmp::Reverse(*at)));
        // Some may have been made and thrown away again by a filter.
        let mut made = made.iter();
        let mut functions = Vec::with_capacity(places.len());
        for at in places {
            if let Some(function) = made.by_ref().find(|function| is_made_by(choices, at, function)) {
                functions.push((at, &**function));
            }
        }
        functions.sort_by_key(|(at, _)| *at);
        Settling { choices, functions }
    }

    /// Some whole nodes, in which every function is settled.
    fn nodes(&self, nodes: Range<usize>) -> Choices {
        let mut grafts = Vec::new();
        let mut next = nodes.start;
        let first = self.functions.partition_point(|(at, _)| *at < nodes.start);
        for (at, function) in &self.functions[first..] {
            if *at >= nodes.end {
                break;
            }
            // What stands inside another function is that one's business.
            if *at >= next
                && let Some(table) = self.table(*at, function)
            {
                next = self.choices.end_of(*at);
                grafts.push((*at - nodes.start..next - nodes.start, table));
            }
        }
        let mut copy = Choices::default();
        copy.append_nodes(self.choices, nodes);
        if grafts.is_empty() { copy } else { copy.grafted(&grafts) }
    }

    /// The simplest table that answers what was asked.
    fn table(&self, at: usize, function: &Used) -> Option<Choices> {
        let mut children = self.choices.children(at);
        let default = children.next()?;
        let entries: Vec<usize> = self.choices.children(children.next()?).collect();
        let mut outputs: Vec<(String, Choices)> = Vec::new();
        for Use { input, origin, .. } in function.uses().iter() {
            let output = match origin {
                Origin::Entry(place) => {
                    let entry = *entries.get(*place)?;
                    self.nodes(entry + 1..self.choices.end_of(entry))
                }
                Origin::Default => self.nodes(default..self.choices.end_of(default)),
                Origin::Drawn { choices, made } => Settling::new(choices, made).nodes(0..choices.len()),
            };
            outputs.push((input.clone(), output));
        }
        let default = match best_default(&outputs) {
            Some(place) => outputs[place].1.clone(),
            None if function.seed.is_some() => function.simplest.clone()?,
            None => self.nodes(default..self.choices.end_of(default)),
        };
        let mut table = Choices::default();
        let whole = table.open_call(&FUNCTION);
        table.push_pick(&FUNCTION, 0, 2);
        table.append_nodes(&default, 0..default.len());
        outputs.retain(|(_, output)| *output != default);
        let list = table.open_repeat(outputs.len());
        for (input, output) in &outputs {
            let entry = table.open_call(&ENTRY);
            table.push_key(input);
            table.append_nodes(output, 0..output.len());
            table.close(entry);
        }
        table.close(list);
        table.close(whole);
        Some(table)
    }
}

/// Whether this function was made by the node at `at`.
fn is_made_by(choices: &Choices, at: usize, function: &Used) -> bool {
    let mut children = choices.children(at);
    let (Some(rest), Some(list)) = (children.next(), children.next()) else { return false };
    let is_drawn = choices.entries()[at].arm() == 1;
    match function.seed {
        Some(seed) if !is_drawn || choices.entries()[rest + 1].index() != u64::from(seed) => return false,
        None if is_drawn => return false,
        _ => {}
    }
    let mut entries = choices.children(list);
    function.inputs.iter().all(|input| {
        let key = entries.next().and_then(|entry| choices.label_of(choices.entries()[entry]));
        key == Some(input.as_str())
    }) && entries.next().is_none()
}

/// Which output as the default leaves the simplest table.
fn best_default(outputs: &[(String, Choices)]) -> Option<usize> {
    let mut places: Vec<usize> = (0..outputs.len()).collect();
    let order = |one: &usize, other: &usize| compare(&outputs[*one].1, &outputs[*other].1);
    places.sort_by(order);
    let mut best: Option<(usize, u64)> = None;
    let mut start = 0;
    while start < places.len() {
        let mut end = start + 1;
        while end < places.len() && order(&places[start], &places[end]) == Ordering::Equal {
            end += 1;
        }
        // Each entry that is not needed saves an item and what is not the simplest in its output;
        // the default costs the latter once.
        let weight = weight(&outputs[places[start]].1);
        let saved = (end - start) as u64 * (1 + weight) - weight;
        // Of several that save as much, the simplest comes first.
        if best.is_none_or(|(_, most)| saved > most) {
            best = Some((places[start], saved));
        }
        start = end;
    }
    best.map(|(place, _)| place)
}

/// How many choices are not the simplest.
fn weight(choices: &Choices) -> u64 {
    let mut weight = 0;
    for entry in choices.entries() {
        weight += match entry.kind() {
            Kind::Number => u64::from(entry.index() > 0),
            Kind::Pick => u64::from(entry.arm() > 0),
            Kind::Repeat => entry.index(),
            Kind::Call | Kind::Part => 0,
        };
    }
    weight
}
