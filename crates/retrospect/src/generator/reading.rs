//! What is remembered while a text is read, so that an ambiguous generator does not read the same
//! part again and again, and one that calls itself on the same part comes back.

use super::room::with_room_for_text;
use super::{Generator, why};
use crate::choice::Site;
use crate::reflect::memory::{Key, Memory, Outcome, Recalled};
use crate::sketch::{Document, ReadError, Sketch};
use crate::source::{ChanceAt, Drawn, Source, Stop, Why, with_limited_ways};
use std::cell::RefCell;

/// See [`Generator::read`].
pub(super) fn read<G: Generator + ?Sized>(generator: &G, text: &str) -> Result<G::Value, ReadError> {
    let document = Document::parse(text)?;
    if document.root().has_holes() {
        return Err(if document.has_underscores() { ReadError::Holes } else { ReadError::LeftOut });
    }
    let value = with_room_for_text(text, || completed(generator, &document, 0));
    // What is no range in a list may have been meant for `fill`.
    let is_to_fill = || Document::to_fill(text).is_ok_and(|document| document.root().has_holes());
    value.map_err(|error| if is_to_fill() { ReadError::LeftOut } else { error })
}

/// See [`Generator::fill`].
pub(super) fn fill<G: Generator + ?Sized>(generator: &G, text: &str, seed: u64) -> Result<G::Value, ReadError> {
    let document = Document::to_fill(text)?;
    with_room_for_text(text, || completed(generator, &document, seed))
}

/// The value that a text shows, or why this generator cannot make it.
fn completed<G: Generator + ?Sized>(generator: &G, document: &Document, seed: u64) -> Result<G::Value, ReadError> {
    let complete = |source: &mut Source<'_>| {
        let root = document.root();
        with_limited_ways(root.text().len(), || generator.complete(&root, source))
    };
    let mut source = Source::random(seed);
    if let Ok(value) = complete(&mut source) {
        return Ok(value);
    }
    if let Some(why @ Why::Other(_)) = source.why() {
        return Err(ReadError::Stopped(why.clone()));
    }
    // Once more, the same way, to learn why.
    let mut source = Source::random(seed).explaining();
    match complete(&mut source) {
        Ok(value) => Ok(value),
        Err(Stop) => match why(&source) {
            Why::NotMade => {
                let explanation = source.take_explanation().unwrap_or_default();
                Err(ReadError::NotGenerated(explanation.into_error()))
            }
            why => Err(ReadError::Stopped(why)),
        },
    }
}

/// Where chance stood before a part was completed.
#[derive(Debug)]
pub struct BeforePart(ChanceAt);

pub fn before_part(source: &Source<'_>) -> BeforePart {
    BeforePart(source.chance())
}

/// Looks at a part whose generator is made of nothing that was drawn before. If completing it
/// failed and nothing was drawn for it, no value of any hole helps: the way is closed.
pub fn independent<T>(source: &mut Source<'_>, before: &BeforePart, value: Drawn<T>) -> Drawn<T> {
    if value.is_err() && before.0.is_some() && before.0 == source.chance() {
        source.close_way();
    }
    value
}

/// Reads a part of a text inside a generator's bracket, but not inside the reading of the same part
/// by the same generator, and not again if that is known to fail. `identity` tells two generators
/// of the same site apart; without one nothing is known of them.
pub fn read_once<'a, T>(
    site: &'static Site,
    identity: Option<u64>,
    sketch: &Sketch<'_>,
    source: &mut Source<'a>,
    body: impl FnOnce(&mut Source<'a>) -> Drawn<T>,
) -> Drawn<T> {
    let Some(identity) = identity else {
        return source.call(site, body);
    };
    let (document, part) = sketch.place();
    let Some(entered) =
        Entered::enter(Key { site: site.id(), identity, address: document, temporary: part, context: 0 })
    else {
        return Err(source.stop(Why::NotMade));
    };
    let result = source.call(site, body);
    // With holes another attempt may draw something else.
    let is_final = result.is_err() && !sketch.has_holes() && matches!(source.why(), None | Some(Why::NotMade));
    entered.leave(is_final);
    result
}

/// What the recursive generators of this thread are reading. It is forgotten when nothing is under
/// way any more.
#[derive(Default)]
struct Readings {
    memory: Memory,
    under_way: u32,
}

thread_local! {
    static READINGS: RefCell<Readings> = RefCell::default();
}

/// A reading under way; it ends when this is dropped, even by a panic.
struct Entered {
    key: Key,
    outer: Option<u32>,
    outcome: Outcome,
}

impl Entered {
    fn enter(key: Key) -> Option<Entered> {
        READINGS.with_borrow_mut(|readings| {
            let Recalled::Nothing = readings.memory.recall(&key) else {
                return None;
            };
            readings.under_way += 1;
            let outer = readings.memory.begin(key, readings.under_way);
            Some(Entered { key, outer, outcome: Outcome::Unknown })
        })
    }

    fn leave(mut self, is_final: bool) {
        if is_final {
            self.outcome = Outcome::Failed;
        }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        READINGS.with_borrow_mut(|readings| {
            readings.memory.end(self.key, readings.under_way, self.outcome, self.outer);
            readings.under_way -= 1;
            if readings.under_way == 0 {
                *readings = Readings::default();
            }
        });
    }
}
