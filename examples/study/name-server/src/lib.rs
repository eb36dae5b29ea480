//! A name server with a hash table of its own answers like a simple one.

use retrospect::prelude::*;
use std::collections::BTreeMap;
use study_support::Fault::{self, HeldOut, Shown};
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "name_server",
    shown: &[
        "a name that was removed hides those behind it in the table",
        "a name that is registered again keeps its address",
        "an alias of an alias is not followed",
        "removing a name removes what its alias leads to",
        "the table does not grow, and a name is lost if it is full",
    ],
    held_out: &[
        "`find`: `0..slots.len()` is `1..slots.len()`",
        "`find`: `(start + step) % slots.len()` is `(start + step) / slots.len()`",
        "`put`: `slots[at] = Full(name, entry)` is left out for a name that is there",
        "`put`: `0..slots.len()` is `1..slots.len()`",
        "`put`: `(start + step) % slots.len()` is `(start + step) / slots.len()`",
        "`grow`: `if let Full(name, entry) = slot` never matches",
        "`remove`: `let Some(at) = find(name)` never matches",
        "`lookup`: the arm for an address is left out",
    ],
    run,
};

#[derive(Clone, Debug, Generate)]
enum Request {
    Register(String, u16),
    Alias(String, String),
    Remove(String),
    Lookup(String),
}
use Request::{Alias, Lookup, Register, Remove};

/// Requests about the names that `names` makes.
#[generator]
fn requests<G: Generator<Value = String> + Clone>(names: G) -> Request {
    match pick() {
        "register" => {
            let name = draw(names.clone());
            let address = draw(any::<u16>());
            Register(name, address)
        }
        "alias" => {
            let name = draw(names.clone());
            let target = draw(names.clone());
            Alias(name, target)
        }
        "remove" => Remove(draw(names.clone())),
        "lookup" => Lookup(draw(names.clone())),
    }
}

/// Names such as `www.example.org`.
#[generator]
fn host_names() -> String {
    let host = draw(string_of('a'..='z', 1..=8));
    let domain = draw(element_of(DOMAINS));
    #[inverse(|it| {
        let (host, domain) = it.split_once('.')?;
        Some((host.to_owned(), *DOMAINS.iter().find(|known| **known == domain)?))
    })]
    format!("{host}.{domain}")
}

const DOMAINS: [&str; 3] = ["example.com", "example.net", "example.org"];

const MAX_REQUESTS: usize = 60;
const MAX_NAMES: usize = 12;

fn run(quality: Quality, fault: Fault, check: Check) -> Option<String> {
    match quality {
        // Few names or many, drawn first, so that requests are about the same ones.
        Quality::Good => check.failure_of_case(|case| {
            let names = case.draw_named("names", set_of(any::<String>(), 1..=MAX_NAMES));
            let names: Vec<String> = names.into_iter().collect();
            let all = case.draw_named("requests", vec_of(requests(element_of(names)), 0..=MAX_REQUESTS));
            answers_like_the_simple_one(&all, fault);
        }),
        // The oversight: each name looks real, but is drawn afresh. Two requests are rarely about
        // the same one.
        Quality::Flawed => check.failure_of_case(|case| {
            let all = case.draw_named("requests", vec_of(requests(host_names()), 0..=MAX_REQUESTS));
            answers_like_the_simple_one(&all, fault);
        }),
        // There is no precondition: any text is a name.
        Quality::Poor => check.failure_of_case(|case| {
            let all = case.draw_named("requests", any::<Vec<Request>>());
            answers_like_the_simple_one(&all, fault);
        }),
    }
}

fn answers_like_the_simple_one(requests: &[Request], fault: Fault) {
    let mut simple = Simple::default();
    let mut server = Server::new(fault);
    let (mut answered, mut unanswered, mut followed) = (0, 0, 0);
    for request in requests {
        match request {
            Register(name, address) => {
                simple.entries.insert(name.clone(), Entry::Address(*address));
                server.put(name, Entry::Address(*address));
            }
            Alias(name, target) => {
                simple.entries.insert(name.clone(), Entry::Alias(target.clone()));
                server.put(name, Entry::Alias(target.clone()));
            }
            Remove(name) => {
                simple.entries.remove(name);
                server.remove(name);
            }
            Lookup(name) => {
                let (expected, aliases) = simple.lookup(name);
                *if expected.is_some() { &mut answered } else { &mut unanswered } += 1;
                followed = followed.max(aliases);
                assert_eq!(server.lookup(name), expected, "{name}");
            }
        }
    }
    // The size of the input and of the state at its end.
    event!("requests", requests.len());
    event!("entries", simple.entries.len());
    // The two answers that are specified, and the depth, whose limit is specified.
    event!("lookups answered", answered);
    event!("lookups unanswered", unanswered);
    event!("aliases followed", followed);
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Address(u16),
    Alias(String),
}

/// The number of aliases that a lookup follows at most.
const MAX_ALIASES: usize = 4;

// The specification.

#[derive(Default)]
struct Simple {
    entries: BTreeMap<String, Entry>,
}

impl Simple {
    /// The address, if there is one, and the number of aliases that were followed.
    fn lookup(&self, name: &str) -> (Option<u16>, usize) {
        let mut name = name;
        for aliases in 0..=MAX_ALIASES {
            match self.entries.get(name) {
                None => return (None, aliases),
                Some(Entry::Address(address)) => return (Some(*address), aliases),
                Some(Entry::Alias(target)) => name = target,
            }
        }
        (None, MAX_ALIASES)
    }
}

// The code under test: from here to the end.

/// A hash table in which a name is in the slot of its hash or in one of those behind it.
struct Server {
    slots: Vec<Slot>,
    fault: Fault,
}

#[derive(Clone, Debug, PartialEq)]
enum Slot {
    Empty,
    Removed,
    Full(String, Entry),
}

impl Server {
    fn new(fault: Fault) -> Server {
        Server { slots: vec![Slot::Empty; 4], fault }
    }

    fn hash(&self, name: &str) -> usize {
        let hash = name.bytes().fold(7, |hash: usize, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        hash % self.slots.len()
    }

    fn find(&self, name: &str) -> Option<usize> {
        let start = self.hash(name);
        for step in usize::from(self.fault == HeldOut(0))..self.slots.len() {
            let at = match self.fault {
                HeldOut(1) => (start + step) / self.slots.len(),
                _ => (start + step) % self.slots.len(),
            };
            match &self.slots[at] {
                Slot::Full(other, _) if other == name => return Some(at),
                Slot::Empty => return None,
                Slot::Removed if self.fault == Shown(0) => return None,
                _ => {}
            }
        }
        None
    }

    fn put(&mut self, name: &str, entry: Entry) {
        if let Some(at) = self.find(name) {
            let keeps = self.fault == Shown(1)
                && matches!((&self.slots[at], &entry), (Slot::Full(_, Entry::Address(_)), Entry::Address(_)));
            if !keeps && self.fault != HeldOut(2) {
                self.slots[at] = Slot::Full(name.to_owned(), entry);
            }
            return;
        }
        let used = self.slots.iter().filter(|slot| **slot != Slot::Empty).count();
        if used + 1 >= self.slots.len() && self.fault != Shown(4) {
            self.grow();
        }
        let start = self.hash(name);
        for step in usize::from(self.fault == HeldOut(3))..self.slots.len() {
            let at = match self.fault {
                HeldOut(4) => (start + step) / self.slots.len(),
                _ => (start + step) % self.slots.len(),
            };
            if !matches!(self.slots[at], Slot::Full(..)) {
                self.slots[at] = Slot::Full(name.to_owned(), entry);
                return;
            }
        }
    }

    fn grow(&mut self) {
        let larger = vec![Slot::Empty; self.slots.len() * 2];
        let slots = std::mem::replace(&mut self.slots, larger);
        for slot in slots {
            if let Slot::Full(name, entry) = slot
                && self.fault != HeldOut(5)
            {
                self.put(&name, entry);
            }
        }
    }

    fn remove(&mut self, name: &str) {
        let Some(at) = self.find(name).filter(|_| self.fault != HeldOut(6)) else { return };
        if let (Shown(3), Slot::Full(_, Entry::Alias(target))) = (self.fault, self.slots[at].clone())
            && let Some(other) = self.find(&target)
        {
            self.slots[other] = Slot::Removed;
        }
        self.slots[at] = Slot::Removed;
    }

    fn lookup(&self, name: &str) -> Option<u16> {
        let mut name = name.to_owned();
        let max_aliases = if self.fault == Shown(2) { 1 } else { MAX_ALIASES };
        for _ in 0..=max_aliases {
            match &self.slots[self.find(&name)?] {
                Slot::Full(_, Entry::Address(_)) if self.fault == HeldOut(7) => return None,
                Slot::Full(_, Entry::Address(address)) => return Some(*address),
                Slot::Full(_, Entry::Alias(target)) => name = target.clone(),
                _ => return None,
            }
        }
        None
    }
}
