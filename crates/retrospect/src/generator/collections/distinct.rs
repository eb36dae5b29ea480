//! What sets and maps share: items that must differ, and an order for those that have none.

use super::Lengths;
use crate::choice::STEPS;
use crate::generator::{Generator, form_of, part};
use crate::reflect::{Reflector, add_key};
use crate::source::{
    Bracket, Chooser, Distribution, Drawn, ENOUGH_DUPLICATES, Form, MAX_TRIES, NumberRequest, PickRequest,
    RepeatRequest, Rng, Source, Why,
};

/// How many items a set or map may have: no more than there are different ones, where these are few
/// and known to be. Otherwise most sets of few items would be full.
#[inline]
pub(super) fn lengths_of<G: Generator>(item: &G, lengths: Lengths) -> Lengths {
    match form_of(item) {
        Form::Number { max } if max < FEW as u64 => {
            Lengths { max: lengths.max.min(max as usize + 1).max(lengths.min), ..lengths }
        }
        _ => lengths,
    }
}

/// More items are not few: small sizes would not make small sets of them.
const FEW: usize = 32;

/// Adds `count` items, or as many as can be found but not fewer than the least. `add` draws one in
/// a part of its own and says whether it is new; the choices of one that is not are forgotten.
///
/// A random source is asked again. One that would give the same answer again, such as a replay, is
/// not: its duplicates are dropped. If that leaves too few, the missing items are improvised, so
/// that the simplest choices make a set too. Only what must differ is: the values of a map, which
/// may hold the map itself, end as the source ends them.
#[inline]
pub(super) fn add_distinct(
    source: &mut Source<'_>,
    lengths: Lengths,
    count: usize,
    mut add: impl FnMut(&mut Source<'_>, Item) -> Drawn<bool>,
) -> Drawn<usize> {
    let may_retry = source.may_retry();
    let least = source.fixed_count().unwrap_or(lengths.min);
    let (mut asked, mut kept, mut duplicates) = (0, 0, 0);
    let refused_before = source.refused();
    while kept < count && (may_retry || asked < count) {
        asked += 1;
        let (mark, n_ended) = (source.mark(), source.n_ended());
        if add(source, Item::Drawn)? {
            kept += 1;
            duplicates = 0;
            source.keep(refused_before);
            continue;
        }
        source.forget(mark);
        source.note_correction();
        duplicates += 1;
        let is_content = duplicates >= ENOUGH_DUPLICATES && (kept >= least || !source.is_patient());
        // An item that had to end would mostly be the same again.
        let is_over = is_content || source.n_ended() != n_ended || !source.refuse();
        if may_retry && is_over {
            break;
        }
    }
    let (mut tries, mut in_vain) = (0, 0);
    while kept < least {
        if tries == MAX_TRIES || !source.refuse() || !source.may_improvise() {
            let min = least;
            let message = format!(
                "only {kept} different items were found where at least {min} are needed: {tries} more tries gave only duplicates"
            );
            return Err(source.stop(Why::Invalid(message)));
        }
        tries += 1;
        let mark = source.mark();
        if add(source, Item::Improvised { tries, in_vain })? {
            kept += 1;
            in_vain = 0;
            source.keep(refused_before);
        } else {
            in_vain += 1;
            source.forget(mark);
        }
    }
    Ok(kept)
}

/// How an item that must differ from others is made.
#[derive(Clone, Copy)]
pub(super) enum Item {
    Drawn,
    /// With answers that are made up, others in each try.
    Improvised {
        tries: u32,
        /// How many tries in a row gave only duplicates.
        in_vain: u32,
    },
}

impl Item {
    #[inline]
    pub(super) fn make<G: Generator>(self, generator: &G, source: &mut Source<'_>) -> Drawn<G::Value> {
        match self {
            Item::Drawn => part(generator, source),
            Item::Improvised { tries, in_vain } => {
                source.improvised_by(&mut Improvising::new(tries, in_vain), |source| part(generator, source))
            }
        }
    }
}

/// Answers that differ from try to try, simple ones first.
struct Improvising {
    tries: u32,
    /// Whether numbers count upward. Otherwise they are random.
    counts: bool,
    /// Whether a hand-written shrinker asks which steps it takes.
    is_stepping: bool,
    rng: Rng,
    picks_left: u32,
}

/// Numbers count upward until so many tries in a row gave only duplicates.
const MAX_COUNTED_IN_VAIN: u32 = 256;

/// So many tries keep to the size. A small size may leave too few different items: one string, one
/// tree.
const SIZED_TRIES: u32 = 64;

/// After so many picks and items a try takes the simplest arms, and lists have the fewest items.
const MAX_PICKS: u32 = 256;

/// So many picks of a try that does not keep to the size may take an arm that goes on.
const WIDE_PICKS: u32 = 16;

impl Improvising {
    #[inline]
    fn new(tries: u32, in_vain: u32) -> Improvising {
        let counts = in_vain < MAX_COUNTED_IN_VAIN;
        Improvising { tries, counts, is_stepping: false, rng: Rng::new(tries.into()), picks_left: MAX_PICKS }
    }
}

impl Chooser for Improvising {
    #[inline]
    fn open(&mut self, bracket: Bracket) -> Result<(), String> {
        self.is_stepping = matches!(bracket, Bracket::Call(site) if site.id() == STEPS.id());
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        self.is_stepping = false;
    }

    #[inline]
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        if self.counts {
            // A step of a hand-written shrinker may be refused, and leads to what was already made.
            if self.is_stepping {
                return Ok(0);
            }
            // From the start again where there are no more: what is drawn beside it may differ.
            return Ok(u64::from(self.tries) % request.max.saturating_add(1));
        }
        Ok(Distribution::Mixed.draw(request.max, &mut self.rng))
    }

    #[inline]
    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        self.picks_left = self.picks_left.saturating_sub(1);
        if self.picks_left == 0 {
            return Ok(request.possible_arms().next().unwrap_or(0));
        }
        if self.tries > SIZED_TRIES && self.picks_left > MAX_PICKS - WIDE_PICKS {
            let last = request.possible_arms().count().saturating_sub(1);
            let place = self.rng.at_most(last as u64) as usize;
            return Ok(request.possible_arms().nth(place).unwrap_or(0));
        }
        Ok(request.random(&mut self.rng))
    }

    #[inline]
    fn repeat(&mut self, request: &RepeatRequest) -> Result<usize, String> {
        // The items may hold lists themselves, without a pick between.
        let more = self.rng.at_most(self.tries.min(8).min(self.picks_left).into()) as usize;
        self.picks_left = self.picks_left.saturating_sub(1 + more as u32);
        let max = if self.tries > SIZED_TRIES { request.max } else { request.likely_max };
        Ok(request.min.saturating_add(more).min(max))
    }
}

/// Items in the order of the choices that make them, so that a hash table, whose own order is
/// arbitrary, is recalled the same way every time. Items that cannot be made come last.
#[inline]
pub(super) fn by_choices<'v, G: Generator, X: Copy>(
    generator: &G,
    items: impl Iterator<Item = (&'v G::Value, X)>,
) -> Vec<(&'v G::Value, X)>
where
    G::Value: 'v,
{
    let items: Vec<_> = items.collect();
    // The keys of all items in one row, each with its end, so that there is no list for each item.
    let (mut keys, mut ends) = (Vec::new(), Vec::with_capacity(items.len()));
    let mut reflector = Reflector::first_way();
    for (item, _) in &items {
        reflector.restart();
        match generator.reflect(item, &mut reflector) {
            Ok(()) => add_key(reflector.choices().entries(), &mut keys),
            Err(_) => keys.push(u8::MAX),
        }
        ends.push(keys.len());
    }
    let mut start = 0;
    let mut order: Vec<(&[u8], usize)> = Vec::with_capacity(items.len());
    for (place, end) in ends.into_iter().enumerate() {
        order.push((&keys[start..end], place));
        start = end;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, place)| items[place]).collect()
}
