use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What is remembered of calls: which generator found that it can or cannot make which part, and which calls are under way.
///
/// It is filled only once looking at a value gets expensive or deep. Without it an ambiguous generator looks at the same parts again and
/// again, exponentially often, and a generator that calls itself on the same part never comes back.
#[derive(Debug, Default)]
pub(super) struct Memory {
    states: HashMap<Key, State, BuildHasherDefault<Mixer>>,
    shared: HashMap<Key, usize, BuildHasherDefault<Mixer>>,
    /// Distinguishes temporaries, which may reuse an address: 0 is the value itself.
    temporary: u32,
    temporaries: u32,
    /// The outermost call under way that a failure found since then depended on; failures below it hold only while it is under way.
    depends_on: Option<u32>,
}

/// A generator and the part of the value it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) site: u32,
    pub(super) identity: u64,
    pub(super) address: usize,
    pub(super) temporary: u32,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Made,
    Failed,
    UnderWay { depth: u32 },
}

pub(super) enum Recalled {
    Nothing,
    Made,
    Failed,
    UnderWay,
}

impl Memory {
    pub(super) fn recall(&mut self, key: &Key) -> Recalled {
        match self.states.get(key) {
            None => Recalled::Nothing,
            Some(State::Made) => Recalled::Made,
            Some(State::Failed) => Recalled::Failed,
            Some(State::UnderWay { depth }) => {
                self.depends_on = Some(self.depends_on.map_or(*depth, |outermost| outermost.min(*depth)));
                Recalled::UnderWay
            }
        }
    }

    /// A call begins. Returns what failures before it depended on, to hand to [`end`](Memory::end): what the call itself finds is judged alone.
    pub(super) fn begin(&mut self, key: Key, depth: u32) -> Option<u32> {
        self.states.insert(key, State::UnderWay { depth });
        self.depends_on.take()
    }

    pub(super) fn end(&mut self, key: Key, depth: u32, is_made: bool, outer: Option<u32>) {
        // A failure that came from cutting a cycle at a call further out is true only inside that call.
        let inner = self.depends_on.filter(|outermost| *outermost < depth && !is_made);
        match is_made {
            true => self.states.insert(key, State::Made),
            false if inner.is_some() => self.states.remove(&key),
            false => self.states.insert(key, State::Failed),
        };
        self.depends_on = match (inner, outer) {
            (Some(inner), Some(outer)) => Some(inner.min(outer)),
            (inner, outer) => inner.or(outer),
        };
    }

    pub(super) fn shared(&self, key: &Key) -> Option<usize> {
        self.shared.get(key).copied()
    }

    pub(super) fn share(&mut self, key: Key, node: usize) {
        self.shared.insert(key, node);
    }

    pub(super) fn temporary(&self) -> u32 {
        self.temporary
    }

    pub(super) fn begin_temporary(&mut self) -> u32 {
        self.temporaries += 1;
        std::mem::replace(&mut self.temporary, self.temporaries)
    }

    pub(super) fn end_temporary(&mut self, before: u32) {
        self.temporary = before;
    }
}

/// A fast hash for keys that nobody chooses in order to collide.
#[derive(Debug, Default)]
struct Mixer(u64);

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

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number ^ 0x9E37_79B9_7F4A_7C15) * 0xA076_1D64_78BD_642F;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
