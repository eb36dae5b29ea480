use super::fingerprint::{Fingerprint, fingerprint};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hasher};

/// What is remembered of calls: which generator found that it can or cannot make which part, and
/// which calls are under way.
///
/// It is filled only once looking at a value gets expensive or deep. Without it an ambiguous
/// generator looks at the same parts again and again, exponentially often, and a generator that
/// calls itself on the same part never comes back. A text that is read is remembered in the same
/// way.
#[derive(Default)]
pub(crate) struct Memory {
    states: HashMap<Key, State, BuildHasherDefault<Mixer>>,
    /// How often a part was looked at by calls of a generator that were not the same.
    looks: HashMap<Part, u32, BuildHasherDefault<Mixer>>,
    /// How many looks were not the first at their part, by generators whose arguments cannot be
    /// told apart.
    again: u64,
    /// The temporary that is looked at, if not the value itself.
    temporary: Temporary,
    temporaries: u32,
    /// The first temporary of each fingerprint.
    known: HashMap<Fingerprint, u32, BuildHasherDefault<Mixer>>,
    /// How much more may be printed to know temporaries again.
    worth: Worth,
    /// The outermost call under way that a failure found since then depended on; failures below it
    /// hold only while it is under way.
    depends_on: Option<u32>,
}

/// A value made on the way, or (numbered 0) the value itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Temporary {
    /// Distinguishes temporaries, which may reuse an address.
    number: u32,
    /// The number of the first temporary that is equal to it, if that was found out: what lies
    /// directly in them is equal too.
    same_as: u32,
    /// Where it lies. What it points to lies elsewhere.
    start: u64,
    size: u64,
}

impl Temporary {
    fn is_copy(&self) -> bool {
        self.same_as > 0 && self.same_as < self.number
    }
}

/// Temporaries are printed to know them again. It is worth it as long as that happens: a value that
/// is taken apart bit by bit, each of them new, should not be printed from each of its places on.
struct Worth(usize);

impl Default for Worth {
    fn default() -> Worth {
        Worth(16 << 20)
    }
}

/// As long as there are few temporaries, none of them needs to be known again.
const FEW_TEMPORARIES: u32 = 256;

/// Marks the address of a part by its place in a temporary.
const INSIDE: u64 = 1 << 63;

/// A generator and the part of the value it looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) site: u32,
    pub(crate) identity: u64,
    /// The address of the part, or the number of a text and the part's number in it.
    pub(crate) address: u64,
    pub(crate) temporary: u32,
    /// The size at which it is looked at, where that matters.
    pub(crate) context: u64,
}

impl Key {
    pub(super) fn new(part: Part, identity: u64, context: u64) -> Key {
        let Part { site, address, temporary } = part;
        Key { site, identity, address, temporary, context }
    }
}

/// A part of the value and the place of the generator that looks at it, whatever its arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub(super) site: u32,
    pub(super) address: u64,
    pub(super) temporary: u32,
}

impl Part {
    /// Whether it lies somewhere. Values of no size need not: all of those in a list have one
    /// address, which is a small number, and so has what is known by value alone.
    fn has_place(&self) -> bool {
        self.address >= 4096
    }
}

/// How often was looked.
pub(super) struct Looks {
    pub(super) at_part: u32,
    /// Whether the part belongs to a temporary that is equal to one before it.
    pub(super) is_copied: bool,
    again: u64,
    parts: usize,
}

impl Looks {
    /// How often each part was looked at again by generators whose arguments cannot be told apart.
    /// As long as it is about few parts, that says nothing.
    pub(super) fn again_on_average(&self) -> u32 {
        (self.again / (self.parts as u64 + 1_000)) as u32
    }
}

#[derive(Clone, Copy)]
enum State {
    Made,
    Failed,
    UnderWay {
        depth: u32,
    },
    /// The node of its ways, where all of them are looked for.
    Node(u32),
}

pub(crate) enum Recalled {
    Nothing,
    Made,
    Failed,
    UnderWay,
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    Made,
    Failed,
    /// The next time it may end differently.
    Unknown,
}

impl Memory {
    pub(crate) fn recall(&mut self, key: &Key) -> Recalled {
        match self.states.get(key) {
            None | Some(State::Node(_)) => Recalled::Nothing,
            Some(State::Made) => Recalled::Made,
            Some(State::Failed) => Recalled::Failed,
            Some(State::UnderWay { depth }) => {
                self.depends_on = outermost(self.depends_on, Some(*depth));
                Recalled::UnderWay
            }
        }
    }

    /// A call begins. Returns what failures before it depended on, to hand to [`end`](Memory::end):
    /// what the call itself finds is judged alone.
    pub(crate) fn begin(&mut self, key: Key, depth: u32) -> Option<u32> {
        self.states.insert(key, State::UnderWay { depth });
        self.depends_on.take()
    }

    pub(crate) fn end(&mut self, key: Key, depth: u32, outcome: Outcome, outer: Option<u32>) {
        // A failure that came from cutting a cycle at a call further out is true only inside that
        // call.
        let inner = self.depends_on.filter(|outermost| *outermost < depth && outcome != Outcome::Made);
        match outcome {
            Outcome::Made => self.states.insert(key, State::Made),
            Outcome::Failed if inner.is_none() => self.states.insert(key, State::Failed),
            Outcome::Failed | Outcome::Unknown => self.states.remove(&key),
        };
        self.depends_on = outermost(inner, outer);
    }

    pub(super) fn shared(&self, key: &Key) -> Option<usize> {
        match self.states.get(key) {
            Some(State::Node(node)) => Some(*node as usize),
            _ => None,
        }
    }

    pub(super) fn share(&mut self, key: Key, node: usize) {
        self.states.insert(key, State::Node(node as u32));
    }

    /// Counts a look at a part.
    pub(super) fn look(&mut self, part: Part, is_told_apart: bool) -> Looks {
        let mut looks = Looks { at_part: 1, is_copied: false, again: self.again, parts: self.looks.len() };
        if part.temporary > 0 && part.temporary != self.temporary.same_as && self.temporary.is_copy() {
            // It lies elsewhere than the part of an equal temporary that was looked at before, so
            // nobody can tell that it is the same.
            self.again += 1;
            looks.at_part = 2;
            looks.is_copied = true;
        } else if part.has_place() {
            let at_part = self.looks.entry(part).or_default();
            *at_part = at_part.saturating_add(1);
            self.again += u64::from(!is_told_apart && *at_part > 1);
            looks.at_part = *at_part;
        }
        looks
    }

    /// What a part is known by.
    pub(super) fn part(&self, site: u32, address: u64) -> Part {
        let Temporary { number, same_as, start, size } = self.temporary;
        match address.checked_sub(start) {
            Some(place) if same_as > 0 && (place < size || place == 0) => {
                Part { site, address: INSIDE | place, temporary: same_as }
            }
            _ => Part { site, address, temporary: number },
        }
    }

    #[inline]
    pub(super) fn begin_temporary(&mut self) -> Temporary {
        self.temporaries += 1;
        std::mem::replace(&mut self.temporary, Temporary { number: self.temporaries, ..Temporary::default() })
    }

    /// The same for a temporary that may be known again by what it prints.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_known_temporary(&mut self, value: &dyn Debug, start: u64, size: u64) -> Temporary {
        let before = self.begin_temporary();
        let number = self.temporaries;
        if number <= FEW_TEMPORARIES {
            return before;
        }
        let (fingerprint, length) = fingerprint(value, self.worth.0);
        self.worth.0 -= length;
        if let Some(fingerprint) = fingerprint {
            let same_as = *self.known.entry(fingerprint).or_insert(number);
            if same_as < number {
                self.worth.0 += 3 * length;
            }
            self.temporary = Temporary { number, same_as, start, size };
        }
        before
    }

    pub(super) fn end_temporary(&mut self, before: Temporary) {
        self.temporary = before;
    }
}

fn outermost(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// A fast hash for keys that nobody chooses in order to collide.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number ^ 0x9E37_79B9_7F4A_7C15) * 0xA076_1D64_78BD_642F;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
