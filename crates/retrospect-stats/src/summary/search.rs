//! Values by a part of their text. Texts stay in the files, which are read from end to end for it;
//! so what was found is kept, since a page asks for the same several times, and who types one
//! letter more asks for a part of what was found before.

use super::cases::Place;
use super::filter::{Filter, Selection};
use super::{Run, Store};
use crate::read::lines::representation;
use memchr::memmem;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// So many bytes of a file are read at a time: what a processor can keep near.
const CHUNK: u64 = 256 << 10;
/// So many searches are kept.
const KEPT: usize = 8;

/// What was searched for lately, and what is being searched for just now.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<Vec<Search>>);

/// Conditions, the text among them, and the cases that meet them.
#[derive(Clone, Debug)]
struct Search {
    filters: Vec<Filter>,
    found: Arc<OnceLock<Selection>>,
}

impl Searches {
    /// The cases that meet the filters; `search` is called if nobody has asked before, with what is
    /// known to be all that is possible.
    pub fn find(&self, filters: &[Filter], search: impl FnOnce(Option<&Selection>) -> Selection) -> Selection {
        let (found, within) = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let known = kept.iter().position(|one| one.filters == filters);
            let this = known.map(|at| kept.remove(at));
            let this = this.unwrap_or_else(|| Search { filters: filters.to_vec(), found: Arc::default() });
            let within = kept.iter().rev().find(|one| is_part(filters, &one.filters) && one.found.get().is_some());
            let within = within.map(|one| one.found.clone());
            kept.push(this.clone());
            let too_many = kept.len().saturating_sub(KEPT);
            kept.drain(..too_many);
            (this.found, within)
        };
        // Who asks for the same meanwhile waits for this answer.
        found.get_or_init(|| search(within.as_ref().and_then(|found| found.get()))).clone()
    }

    pub fn bytes(&self) -> usize {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().filter_map(|one| one.found.get()).map(Selection::bytes).sum()
    }
}

/// Whether what meets these filters meets the others too: they are the same, but for a longer text.
fn is_part(filters: &[Filter], of: &[Filter]) -> bool {
    filters.len() == of.len()
        && filters.iter().zip(of).all(|(one, other)| match (one, other) {
            (Filter::Text { contains: longer }, Filter::Text { contains: shorter }) => {
                longer.to_lowercase().contains(&shorter.to_lowercase())
            }
            _ => one == other,
        })
}

impl Run {
    /// The cases of `among` whose value contains the text, in capitals or not.
    pub(crate) fn containing(&self, store: &Store, text: &str, among: &Selection) -> Selection {
        let mut found = Selection::none(self.n_cases());
        if text.is_empty() {
            return among.clone();
        }
        let needle = Needle::new(text);
        // Each value is looked at once: in the line of its first case.
        let samples = &self.cases.samples;
        let mut wanted = vec![false; samples.len()];
        among.each(|case| wanted[self.cases.sample[case] as usize] = true);
        let mut numbers: Vec<u32> = Vec::new();
        for number in 0..wanted.len() as u32 {
            if wanted[number as usize] && !samples.is_unknown(number) {
                numbers.push(number);
            }
        }
        let n_threads = thread::available_parallelism().map_or(1, usize::from).min(8);
        let share = numbers.len().div_ceil(n_threads).max(1000);
        let mut has = vec![false; wanted.len()];
        let parts: Vec<Vec<u32>> = thread::scope(|scope| {
            let search = |part: &[u32]| self.search(store, &needle, part);
            let handles: Vec<_> = numbers.chunks(share).map(|part| scope.spawn(move || search(part))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
        });
        parts.into_iter().flatten().for_each(|sample| has[sample as usize] = true);
        among.each(|case| {
            if has[self.cases.sample[case] as usize] {
                found.add(case);
            }
        });
        found
    }

    /// Lines lie one behind the other, so a file is read in large pieces; but not beyond the last
    /// line that is wanted.
    fn search(&self, store: &Store, needle: &Needle, samples: &[u32]) -> Vec<u32> {
        let place_of = |sample: u32| self.cases.place(self.cases.samples.first[sample as usize] as usize);
        let mut found = Vec::new();
        let mut piece: Vec<u8> = Vec::new();
        let mut rest = samples;
        while let Some(first) = rest.first() {
            let Place { file, offset: from, length } = place_of(*first);
            let mut to = from + u64::from(length);
            let mut n_lines = 1;
            for sample in &rest[1..] {
                let place = place_of(*sample);
                let end = place.offset + u64::from(place.length);
                if place.file != file || place.offset < to || end > from + CHUNK {
                    break;
                }
                to = end;
                n_lines += 1;
            }
            // What cannot be read any more is not found.
            let _ = store.sources.read(file, from, to, &mut piece);
            for sample in &rest[..n_lines] {
                let place = place_of(*sample);
                let start = (place.offset - from) as usize;
                let line = piece.get(start..start + place.length as usize).unwrap_or_default();
                if needle.is_in(line, self.cases.samples.text_within(*sample, line)) {
                    found.push(*sample);
                }
            }
            rest = &rest[n_lines..];
        }
        found
    }
}

/// What is searched for.
struct Needle {
    /// In small letters.
    text: String,
    raw: Option<Raw>,
}

/// How to look for its bytes, if it has no letters but those of English: capitals of others are not
/// found byte by byte.
enum Raw {
    /// It has no letters at all.
    Exact(Box<memmem::Finder<'static>>),
    /// By the rarest of its bytes, which is at this place.
    Letters { word: Vec<u8>, rarest: usize },
}

impl Needle {
    fn new(text: &str) -> Needle {
        let text = text.to_lowercase();
        let word = text.as_bytes();
        let raw = match (text.is_ascii(), word.iter().any(u8::is_ascii_alphabetic)) {
            (false, _) => None,
            (true, false) => Some(Raw::Exact(Box::new(memmem::Finder::new(word).into_owned()))),
            (true, true) => {
                let rarest = (0..word.len()).min_by_key(|at| frequency(word[*at])).unwrap_or_default();
                Some(Raw::Letters { word: word.to_vec(), rarest })
            }
        };
        Needle { text, raw }
    }

    /// Whether it is in the value, which is in the line as it is written.
    fn is_in(&self, line: &[u8], written: Option<&[u8]>) -> bool {
        match (&self.raw, written) {
            (Some(raw), Some(written)) if memchr::memchr(b'\\', written).is_none() => raw.is_in(written),
            _ => representation(line).is_some_and(|text| text.to_lowercase().contains(&self.text)),
        }
    }
}

impl Raw {
    fn is_in(&self, text: &[u8]) -> bool {
        match self {
            Raw::Exact(finder) => finder.find(text).is_some(),
            Raw::Letters { word, rarest } => {
                let behind = word.len() - rarest;
                if text.len() < word.len() {
                    return false;
                }
                let (small, capital) = (word[*rarest], word[*rarest].to_ascii_uppercase());
                let places = &text[*rarest..text.len() - behind + 1];
                memchr::memchr2_iter(small, capital, places)
                    .any(|at| text[at..at + word.len()].eq_ignore_ascii_case(word))
            }
        }
    }
}

/// How often a byte stands in the text of a value, about.
fn frequency(byte: u8) -> usize {
    const FREQUENT_LAST: &[u8] = b"zqjxkvwybpgfumdchlnosirate9876543 210,";
    FREQUENT_LAST.iter().position(|known| *known == byte).unwrap_or(10)
}

#[cfg(test)]
mod tests {
    use super::{Needle, Searches, is_part};
    use crate::summary::filter::{Filter, Selection};

    fn text(contains: &str) -> Filter {
        Filter::Text { contains: contains.to_owned() }
    }

    #[test]
    fn texts_are_found_wherever_they_are() {
        let all = "Frame { kind: Data, bytes: [37, 8] } ä";
        let written = format!("\"{all}\"");
        for from in 0..all.len() {
            for to in from + 1..=all.len() {
                let Some(part) = all.get(from..to) else { continue };
                for part in [part.to_owned(), part.to_uppercase(), part.to_lowercase()] {
                    let line = format!("{{\"representation\": {written}}}");
                    let inside = &written.as_bytes()[1..written.len() - 1];
                    assert!(Needle::new(&part).is_in(line.as_bytes(), Some(inside)), "{part:?}");
                    assert!(Needle::new(&part).is_in(line.as_bytes(), None), "{part:?}");
                    assert!(!Needle::new(&format!("{part}~")).is_in(line.as_bytes(), Some(inside)), "{part:?}");
                }
            }
        }
    }

    #[test]
    fn what_was_found_is_kept_and_narrowed_down() {
        let searches = Searches::default();
        let find = |wanted: &str, search: &dyn Fn(Option<&Selection>) -> usize| {
            let filters = [Filter::Seen { before: false }, text(wanted)];
            searches.find(&filters, |within| Selection::all(search(within))).count()
        };
        assert_eq!(find("cl", &|within| if within.is_none() { 70 } else { 0 }), 70);
        assert_eq!(find("cl", &|_| unreachable!()), 70);
        assert_eq!(find("CLo", &|within| within.unwrap().count() - 1), 69);
        // The last of those that hold it all, and not what is something else.
        assert_eq!(find("clos", &|within| within.unwrap().count() - 1), 68);
        assert_eq!(find("ping", &|within| if within.is_none() { 5 } else { 0 }), 5);
        for other in 0..super::KEPT {
            find(&format!("{other}"), &|_| 1);
        }
        assert_eq!(find("cl", &|within| if within.is_none() { 3 } else { 0 }), 3);
        assert!(!is_part(&[text("close")], &[Filter::Seen { before: false }, text("cl")]));
        assert!(!is_part(&[text("cl")], &[text("close")]));
    }
}
