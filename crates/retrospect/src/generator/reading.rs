//! What is remembered while a text is read, so that an ambiguous generator does not read the same part again and again, and one that calls itself on the same part comes back.

use crate::choice::Site;
use crate::sketch::Sketch;
use crate::source::{Drawn, Source, Why};
use std::cell::RefCell;
use std::collections::HashSet;

/// Reads a part of a text inside a generator's bracket, but not inside the reading of the same part by the same generator, and not again if that is known to fail. `identity` tells two generators
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
    let generator = (std::ptr::from_ref(site).addr(), identity);
    let Some(entered) = Entered::enter(Reading { generator, part: sketch.place() }) else {
        return Err(source.stop(Why::NotMade));
    };
    let result = source.call(site, body);
    // With holes another attempt may draw something else.
    let is_final = result.is_err() && !sketch.has_holes() && matches!(source.why(), None | Some(Why::NotMade));
    entered.leave(is_final);
    result
}

/// A generator, by its site and its arguments, and the part of a text that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Reading {
    generator: (usize, u64),
    part: (u64, u32),
}

/// What the recursive generators of this thread are reading.
#[derive(Default)]
struct Readings {
    under_way: Vec<Reading>,
    /// What could not be read, kept while anything is under way: without it an ambiguous generator reads the same part exponentially often.
    failed: HashSet<Reading>,
    /// The outermost reading under way that a failure found since then depended on.
    depends_on: Option<usize>,
}

thread_local! {
    static READINGS: RefCell<Readings> = RefCell::default();
}

/// A reading under way; it ends when this is dropped, even by a panic.
struct Entered {
    reading: Reading,
    outer: Option<usize>,
    is_final: bool,
}

impl Entered {
    fn enter(reading: Reading) -> Option<Entered> {
        READINGS.with_borrow_mut(|readings| {
            // Readings of the same part stand together at the end.
            let same_part = readings.under_way.iter().rposition(|other| other.part != reading.part);
            let start = same_part.map_or(0, |other| other + 1);
            if let Some(place) = readings.under_way[start..].iter().position(|other| *other == reading) {
                let place = start + place;
                readings.depends_on = Some(readings.depends_on.map_or(place, |outermost| outermost.min(place)));
                return None;
            }
            if readings.failed.contains(&reading) {
                return None;
            }
            readings.under_way.push(reading);
            Some(Entered { reading, outer: readings.depends_on.take(), is_final: false })
        })
    }

    fn leave(mut self, is_final: bool) {
        self.is_final = is_final;
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        READINGS.with_borrow_mut(|readings| {
            readings.under_way.pop();
            let place = readings.under_way.len();
            // A failure that came from cutting a cycle further out is true only inside that one.
            readings.depends_on = readings.depends_on.filter(|outermost| *outermost < place);
            if self.is_final && readings.depends_on.is_none() {
                readings.failed.insert(self.reading);
            }
            readings.depends_on = match (readings.depends_on, self.outer) {
                (Some(inner), Some(outer)) => Some(inner.min(outer)),
                (inner, outer) => inner.or(outer),
            };
            if readings.under_way.is_empty() {
                *readings = Readings::default();
            }
        });
    }
}
