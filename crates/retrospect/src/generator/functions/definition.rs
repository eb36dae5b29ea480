//! What a function is made of, and what it answers.

use super::used::{Order, Origin, Use, Used, Watch};
use crate::generator::adapt::Boxed;
use crate::generator::{Generator, part, why};
use crate::sketch::fingerprint;
use crate::source::{DEFAULT_SIZE, Rng, Source};
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// A function: the inputs with an output of their own, and what all others give.
pub(super) struct Definition<B> {
    pub(super) entries: Entries<B>,
    pub(super) rest: Rest<B>,
    pub(super) outputs: Boxed<'static, B>,
    /// Only while somebody wants to know what it is asked.
    pub(super) used: Option<Arc<Used>>,
    answered: Mutex<Answered<B>>,
}

pub(super) enum Rest<B> {
    Default(B),
    /// Outputs are drawn one by one, each from the seed and its input.
    Drawn {
        seed: u32,
    },
}

pub(super) struct Entry<B> {
    /// As `Debug` prints it.
    pub(super) input: String,
    pub(super) output: B,
}

/// The inputs that have an output of their own, each once.
pub(super) struct Entries<B> {
    list: Vec<Entry<B>>,
    places: HashMap<u64, u32>,
}

/// The answers so far, in the order of first use.
struct Answered<B> {
    order: Order,
    outputs: Vec<B>,
}

impl<B> Default for Entries<B> {
    fn default() -> Entries<B> {
        Entries { list: Vec::new(), places: HashMap::new() }
    }
}

impl<B> Entries<B> {
    /// Whether the entry is new; otherwise the first one stays.
    pub(super) fn add(&mut self, entry: Entry<B>) -> bool {
        let identity = fingerprint(&entry.input);
        if self.places.contains_key(&identity) {
            return false;
        }
        self.places.insert(identity, self.list.len() as u32);
        self.list.push(entry);
        true
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Entry<B>> {
        self.list.iter()
    }

    fn place(&self, identity: u64) -> Option<usize> {
        self.places.get(&identity).map(|place| *place as usize)
    }
}

impl<B> Definition<B> {
    pub(super) fn new(entries: Entries<B>, rest: Rest<B>, outputs: Boxed<'static, B>) -> Definition<B> {
        let answered = Mutex::new(Answered { order: Order::default(), outputs: Vec::new() });
        Definition { entries, rest, outputs, used: None, answered }
    }
}

impl<B: Clone + Debug> Definition<B> {
    /// The output for the input that prints like this, or why there is none.
    pub(super) fn answer(&self, input: String) -> Result<B, String> {
        let identity = fingerprint(&input);
        if let (None, Rest::Default(default)) = (&self.used, &self.rest) {
            let own = self.entries.place(identity).map(|place| &self.entries.list[place].output);
            return Ok(own.unwrap_or(default).clone());
        }
        // Nothing below panics while half of it is done, so what a panic left behind can be used.
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = answered.order.place(identity) {
            return Ok(answered.outputs[place].clone());
        }
        let own = self.own_entry(identity, &answered.order);
        let (output, origin) = match (own, &self.rest) {
            (Some(place), _) => (self.entries.list[place].output.clone(), Origin::Entry(place)),
            (None, Rest::Default(default)) => (default.clone(), Origin::Default),
            (None, Rest::Drawn { seed }) => self.draw(*seed, identity).map_err(|problem| {
                format!("a generated function has no output for {input}, since it cannot be drawn: {problem}")
            })?,
        };
        answered.order.add(identity);
        answered.outputs.push(output.clone());
        if let Some(used) = &self.used {
            used.note(Use { identity, input, origin });
        }
        Ok(output)
    }

    /// The entry for an input. While a case is shrunk, other arguments change and inputs with them:
    /// one that is new takes the entry of the input that came at its place in the run before,
    /// unless that one still comes.
    fn own_entry(&self, identity: u64, asked: &Order) -> Option<usize> {
        self.entries.place(identity).or_else(|| {
            let before = self.used.as_ref()?.before.as_ref()?;
            let old = before.at(asked.len()).filter(|_| before.place(identity).is_none())?;
            if asked.place(old).is_some() { None } else { self.entries.place(old) }
        })
    }

    fn draw(&self, seed: u32, identity: u64) -> Result<(B, Origin), String> {
        let mut rng = Rng::new(u64::from(seed) << 32 ^ identity);
        let stream = rng.next();
        // One function in four has few outputs, so that two inputs have the same one.
        let stream =
            if seed.is_multiple_of(4) { Rng::new(u64::from(seed) + stream % FEW_OUTPUTS).next() } else { stream };
        let size = seed % (DEFAULT_SIZE + 1);
        let Some(used) = &self.used else {
            let mut source = Source::random(stream).with_size(size);
            let output = self.outputs.generate(&mut source).map_err(|_| why(&source).to_string())?;
            return Ok((output, Origin::Default));
        };
        let interruption = Interruption(used);
        let watch = Watch::begin(None);
        let mut source = Source::recording(stream).with_size(size);
        let drawn = part(&self.outputs, &mut source);
        let made = watch.end();
        std::mem::forget(interruption);
        match drawn {
            Ok(output) => Ok((output, Origin::Drawn { choices: source.into_choices(), made })),
            Err(_) => Err(why(&source).to_string()),
        }
    }
}

/// Dropped only if the generator of an output panics.
struct Interruption<'u>(&'u Used);

impl Drop for Interruption<'_> {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}

/// How many different outputs a function has that has few.
const FEW_OUTPUTS: u64 = 3;
