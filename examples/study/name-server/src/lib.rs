//! A name server with a table of its own answers like a simple one.

use retrospect::prelude::*;
use std::collections::BTreeMap;
use study_support::{Quality, Task};

/// The task.
pub const TASK: Task = Task {
    name: "name_server",
    faults: &[
        "a name that was removed hides those behind it in the table",
        "a name that is registered again keeps its address",
        "an alias of an alias is not followed",
        "removing a name removes what its alias leads to",
        "the table does not grow when half of it is full, and a name is lost",
    ],
    run,
};

#[derive(Clone, Debug)]
enum Request {
    Register(String, u16),
    Alias(String, String),
    Remove(String),
    Lookup(String),
}
use Request::{Alias, Lookup, Register, Remove};

/// Requests that speak of names of these lengths, of the letters from `a` to the last.
#[generator]
fn requests(last: char, shortest: usize, longest: usize) -> Request {
    match pick() {
        #[weight(3)]
        "register" => {
            let name = draw(string_of('a'..=last, shortest..=longest));
            let address = draw(any::<u16>());
            Register(name, address)
        }
        #[weight(2)]
        "alias" => {
            let name = draw(string_of('a'..=last, shortest..=longest));
            let target = draw(string_of('a'..=last, shortest..=longest));
            Alias(name, target)
        }
        "remove" => Remove(draw(string_of('a'..=last, shortest..=longest))),
        #[weight(4)]
        "lookup" => Lookup(draw(string_of('a'..=last, shortest..=longest))),
    }
}

fn run(quality: Quality, fault: Option<usize>, check: Check) -> Option<String> {
    match quality {
        Quality::Good => check.failure_of_case(|case| {
            let all = case.draw_named("requests", vec_of(requests('h', 1, 1), 0..40));
            answers_like_the_simple_one(&all, fault);
        }),
        // Two requests rarely speak of the same name.
        Quality::Flawed => check.failure_of_case(|case| {
            let all = case.draw_named("requests", vec_of(requests('p', 2, 2), 0..40));
            answers_like_the_simple_one(&all, fault);
        }),
        // A name or two.
        Quality::Poor => check.failure_of_case(|case| {
            let all = case.draw_named("requests", vec_of(requests('b', 1, 1), 0..3));
            assume!(all.iter().all(|request| matches!(request, Lookup(_))));
            answers_like_the_simple_one(&all, fault);
        }),
    }
}

fn answers_like_the_simple_one(requests: &[Request], fault: Option<usize>) {
    let mut simple = Simple::default();
    let mut server = Server::new(fault);
    let (mut known, mut lookups, mut again) = (0, 0, 0);
    for request in requests {
        match request {
            Register(name, address) => {
                again += usize::from(simple.entries.contains_key(name));
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
                let expected = simple.lookup(name);
                lookups += 1;
                known += usize::from(expected.is_some());
                assert_eq!(server.lookup(name), expected, "{name}");
            }
        }
    }
    event!("requests", requests.len());
    event!("names that are known", simple.entries.len());
    event!("lookups that are answered", known);
    event!("lookups that are not", lookups - known);
    event!("registered again", again);
}

#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Address(u16),
    Alias(String),
}

/// So many aliases are followed.
const MOST_ALIASES: usize = 4;

#[derive(Default)]
struct Simple {
    entries: BTreeMap<String, Entry>,
}

impl Simple {
    fn lookup(&self, name: &str) -> Option<u16> {
        let mut name = name;
        for _ in 0..=MOST_ALIASES {
            match self.entries.get(name)? {
                Entry::Address(address) => return Some(*address),
                Entry::Alias(target) => name = target,
            }
        }
        None
    }
}

/// A table in which a name is at the place of its hash or behind it.
struct Server {
    slots: Vec<Slot>,
    fault: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Slot {
    Empty,
    Removed,
    Full(String, Entry),
}

impl Server {
    fn new(fault: Option<usize>) -> Server {
        Server { slots: vec![Slot::Empty; 4], fault }
    }

    fn hash(&self, name: &str) -> usize {
        name.bytes().fold(7, |hash: usize, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % 4
    }

    fn find(&self, name: &str) -> Option<usize> {
        let start = self.hash(name);
        for step in 0..self.slots.len() {
            let at = (start + step) % self.slots.len();
            match &self.slots[at] {
                Slot::Full(other, _) if other == name => return Some(at),
                Slot::Empty => return None,
                Slot::Removed if self.fault == Some(0) => return None,
                _ => {}
            }
        }
        None
    }

    fn put(&mut self, name: &str, entry: Entry) {
        if let Some(at) = self.find(name) {
            let keeps = self.fault == Some(1)
                && matches!((&self.slots[at], &entry), (Slot::Full(_, Entry::Address(_)), Entry::Address(_)));
            if !keeps {
                self.slots[at] = Slot::Full(name.to_owned(), entry);
            }
            return;
        }
        let full = self.slots.iter().filter(|slot| **slot != Slot::Empty).count();
        if full + 1 >= self.slots.len() && self.fault != Some(4) {
            self.grow();
        }
        let start = self.hash(name);
        for step in 0..self.slots.len() {
            let at = (start + step) % self.slots.len();
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
            if let Slot::Full(name, entry) = slot {
                self.put(&name, entry);
            }
        }
    }

    fn remove(&mut self, name: &str) {
        let Some(at) = self.find(name) else { return };
        if let (Some(3), Slot::Full(_, Entry::Alias(target))) = (self.fault, self.slots[at].clone())
            && let Some(other) = self.find(&target)
        {
            self.slots[other] = Slot::Removed;
        }
        self.slots[at] = Slot::Removed;
    }

    fn lookup(&self, name: &str) -> Option<u16> {
        let mut name = name.to_owned();
        let most = if self.fault == Some(2) { 1 } else { MOST_ALIASES };
        for _ in 0..=most {
            match &self.slots[self.find(&name)?] {
                Slot::Full(_, Entry::Address(address)) => return Some(*address),
                Slot::Full(_, Entry::Alias(target)) => name = target.clone(),
                _ => return None,
            }
        }
        None
    }
}
