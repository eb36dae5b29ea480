//! How likely an answer is where weights stand for chance: what was counted, as exact fractions.
//!
//! A source that draws by the same weights rounds them: to 2^-63 for arms and, since 32 random bits
//! say which range a number or a length is in, to 2^-32 for these.

use super::Probability;
use crate::choice::Site;
use crate::source::{
    Again, Bracket, Chance, DORMANT, Distribution, Followed, MOST_REFUSALS, NEAR, PickRequest, Place, PlaceMark,
    RANGES, RepeatRequest, Weights, ends_of, is_wide, range_of,
};
use std::sync::Arc;

/// The chances of choices by weights, at the place where a generator is.
#[derive(Clone, Debug)]
pub(super) struct ByWeights {
    followed: Followed,
    /// What was worked out of the counts at a place.
    tables: Vec<(Asked, Arc<Shares>)>,
    /// Chances that were asked for before: the letters of a text are few.
    known: Vec<(Asked, Question, Probability)>,
    arms: Vec<Arms>,
}

/// The chances of the arms of a pick that was asked for before.
#[derive(Clone, Debug)]
struct Arms {
    at: (Place, u16),
    weights: Vec<u32>,
    chances: Vec<Probability>,
}

/// Whose chances they are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    place: Place,
    /// The depth for a list.
    depth: Option<u16>,
}

/// What is asked for there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    index: u64,
    max: u64,
    own: Own,
}

/// How the generator draws by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Own {
    Number(Distribution),
    /// From 0 to this one, each as likely.
    Length(u64),
}

/// More chances than that are not kept.
const MOST_KNOWN: usize = 256;

/// How much the numbers of each range count.
#[derive(Debug)]
enum Shares {
    /// Nothing is known.
    Own,
    /// By the first and the last of them; and how much the generator's own chances count. Of some
    /// wide ranges, which numbers come again.
    Like { shares: Vec<(Probability, u64, u64)>, own: Probability, again: Vec<Again> },
    /// How much a number of each range is refused, of how much.
    Unlike { refused: Vec<f64>, of: f64 },
}

/// Brackets, as a source has them.
impl ByWeights {
    pub(super) fn new(weights: Arc<Weights>) -> ByWeights {
        ByWeights { followed: Followed::new(weights), tables: Vec::new(), known: Vec::new(), arms: Vec::new() }
    }

    pub(super) fn is_of(&self, weights: &Arc<Weights>) -> bool {
        self.followed.is_of(weights)
    }

    /// At the beginning again, with the chances that are known.
    pub(super) fn anew(mut self) -> ByWeights {
        self.followed.restart();
        self
    }

    pub(super) fn followed(&mut self) -> &mut Followed {
        &mut self.followed
    }

    pub(super) fn context(&self) -> u64 {
        self.followed.context()
    }

    #[cfg(feature = "text")]
    pub(super) fn context_here(&self) -> u64 {
        self.followed.context_here()
    }

    pub(super) fn mark(&self) -> PlaceMark {
        self.followed.mark()
    }

    pub(super) fn is_again_at(&self, mark: PlaceMark) -> bool {
        self.followed.is_again_at(mark)
    }

    pub(super) fn open(&mut self, bracket: Bracket) {
        self.followed.open(bracket);
    }
}

/// Why a chance is not known.
type Known = Result<Probability, String>;

impl ByWeights {
    /// How likely a number is, and goes on to the next choice.
    pub(super) fn number(&mut self, index: u64, max: u64, distribution: Distribution) -> Known {
        let place = self.followed.number();
        // Where there is nothing to choose, weights have no say.
        if max == 0 || matches!(distribution, Distribution::Always(_)) {
            return distribution.chance(index, max).map(Probability::from).ok_or_else(unknown_law);
        }
        self.number_at(place, index, max, distribution)
    }

    /// The same at a place where the generator is already.
    pub(super) fn number_at(
        &mut self,
        place: Option<Place>,
        index: u64,
        max: u64,
        distribution: Distribution,
    ) -> Known {
        let asked = Asked { place: place.ok_or_else(lost)?, depth: None };
        self.chance(asked, Question { index, max, own: Own::Number(distribution) })
    }

    /// How likely a list has so many items.
    pub(super) fn length_at(&mut self, place: Option<(Place, u16)>, count: usize, request: &RepeatRequest) -> Known {
        let RepeatRequest { min, max, likely_max } = *request;
        if likely_max == min {
            return Ok(request.chance(count).into());
        }
        let (place, depth) = place.ok_or_else(lost)?;
        let own = Own::Length((likely_max - min) as u64);
        let question = Question { index: (count - min) as u64, max: (max - min) as u64, own };
        self.chance(Asked { place, depth: Some(depth) }, question)
    }

    /// The most items that may be drawn at a place.
    pub(super) fn longest_at(&mut self, place: Option<(Place, u16)>, request: &RepeatRequest) -> usize {
        let Some((place, depth)) = place else { return request.likely_max };
        let table = self.table(Asked { place, depth: Some(depth) });
        let mut most = request.likely_max;
        if let Shares::Like { shares, .. } = &*table
            && request.likely_max > request.min
        {
            for (_, first, last) in shares {
                let room = (request.max - request.min) as u64;
                if *first <= room {
                    most = most.max(request.min + room.min(*last) as usize);
                }
            }
        }
        most
    }

    /// How likely an arm is, and goes on into it.
    pub(super) fn pick(&mut self, request: &PickRequest<'_>, arm: usize) -> Known {
        let place = self.followed.pick(request.site, arm).ok_or_else(lost)?;
        Ok(self.arm_at(place, request, arm))
    }

    pub(super) fn place_of_pick(&self, site: &'static Site) -> (Place, u16) {
        self.followed.place_of_pick(site)
    }

    pub(super) fn arm_at(
        &mut self,
        (place, depth): (Place, u16),
        request: &PickRequest<'_>,
        arm: usize,
    ) -> Probability {
        for known in &self.arms {
            if known.at == (place, depth) && known.weights == request.weights {
                return known.chances[arm].clone();
            }
        }
        let chances = self.arms_at((place, depth), request);
        let chance = chances[arm].clone();
        if self.arms.len() < MOST_KNOWN {
            self.arms.push(Arms { at: (place, depth), weights: request.weights.to_vec(), chances });
        }
        chance
    }

    fn arms_at(&self, (place, depth): (Place, u16), request: &PickRequest<'_>) -> Vec<Probability> {
        let counts = self.followed.counted_arms(place, depth, request);
        let (mut total, mut chances) = (Probability::never(), Vec::new());
        let (shares, own) =
            backed_off(counts, self.followed.smoothing()).unwrap_or_else(|| (Vec::new(), Probability::never()));
        for (arm, weight) in request.weights.iter().enumerate() {
            // An arm that is absent stays so, and one that is not drawn at this size is not drawn.
            let mut share = Probability::never();
            if !matches!(*weight, 0 | DORMANT) {
                share = &own * &request.chance(arm).into();
                if let Some(counted) = shares.get(arm) {
                    share = &share + counted;
                }
            }
            total = &total + &share;
            chances.push(share);
        }
        for (arm, chance) in chances.iter_mut().enumerate() {
            *chance = if total.is_zero() { request.chance(arm).into() } else { chance.over(&total) };
        }
        chances
    }

    fn chance(&mut self, asked: Asked, question: Question) -> Known {
        for (other, before, chance) in &self.known {
            if *other == asked && *before == question {
                return Ok(chance.clone());
            }
        }
        let chance = self.table(asked).chance(&question)?.reduced();
        if self.known.len() < MOST_KNOWN {
            self.known.push((asked, question, chance.clone()));
        }
        Ok(chance)
    }

    fn table(&mut self, asked: Asked) -> Arc<Shares> {
        for (other, table) in &self.tables {
            if *other == asked {
                return Arc::clone(table);
            }
        }
        let table = Arc::new(self.shares(asked));
        self.tables.push((asked, Arc::clone(&table)));
        table
    }

    fn shares(&self, asked: Asked) -> Shares {
        let smoothing = self.followed.smoothing();
        let (shares, own) = match asked.depth {
            None => {
                let counted = self.followed.counted_numbers(asked.place);
                (counted.iter().map(|count| Probability::of_count(*count)).collect(), Probability::of_count(smoothing))
            }
            Some(depth) => {
                let counted = self.followed.counted_lengths(asked.place, depth);
                backed_off(counted, smoothing).unwrap_or_else(|| (Vec::new(), Probability::never()))
            }
        };
        match self.followed.is_inverted() {
            true => Shares::unlike(&shares, &own),
            false => {
                let again = if asked.depth.is_none() { self.followed.numbers_again(asked.place) } else { Vec::new() };
                Shares::like(shares, own, again)
            }
        }
    }
}

impl Shares {
    fn like(counts: Vec<Probability>, own: Probability, again: Vec<Again>) -> Shares {
        let mut shares = Vec::new();
        for (range, count) in counts.into_iter().enumerate().take(RANGES) {
            if !count.is_zero() {
                let (first, last) = ends_of(range);
                shares.push((count, first, last));
            }
        }
        if shares.is_empty() {
            return Shares::Own;
        }
        if own.is_zero() {
            return Shares::Like { shares, own, again };
        }
        // Those near each other count together as one more that is any of them.
        for near in NEAR {
            let (from, to) = (near.start as u64, near.end as u64 - 1);
            let mut sum = Probability::never();
            for (share, first, last) in &shares {
                if *first >= from && *last <= to {
                    sum = &sum + share;
                }
            }
            if sum.is_zero() {
                continue;
            }
            let all = &sum + &own;
            for (share, first, last) in &mut shares {
                if *first >= from && *last <= to {
                    *share = (&*share * &sum).over(&all);
                }
            }
            shares.push(((&sum * &own).over(&all), from, to));
        }
        Shares::Like { shares, own, again }
    }

    fn unlike(counts: &[Probability], own: &Probability) -> Shares {
        let mut refused: Vec<f64> = Vec::new();
        for count in counts.iter().take(RANGES) {
            refused.push(count.to_f64().unwrap_or(0.0));
        }
        for near in NEAR {
            let sum: f64 = refused.iter().take(near.end).skip(near.start).sum();
            if sum > 0.0 {
                refused.resize(refused.len().max(near.end), 0.0);
                refused[near].fill(sum);
            }
        }
        let most = refused.iter().copied().fold(0.0, f64::max);
        match most > 0.0 {
            true => Shares::Unlike { refused, of: most + own.to_f64().unwrap_or(0.0) },
            false => Shares::Own,
        }
    }

    fn chance(&self, question: &Question) -> Known {
        let Question { index, max, own: by_itself } = *question;
        match self {
            Shares::Own => by_itself.chance(index, index, max),
            Shares::Like { shares, own, again } => {
                let (mut own, mut total, mut sum) = (own.clone(), own.clone(), Probability::never());
                for (share, first, last) in shares {
                    total = &total + share;
                    let last = max.min(*last);
                    if *first > max {
                        own = &own + share;
                    } else if (*first..=last).contains(&index) {
                        let again = again.iter().find(|again| again.first == *first && is_wide(*first, last));
                        sum = &sum + &(share * &by_itself.chance_within(index, *first, last, again)?);
                    }
                }
                if !own.is_zero() {
                    sum = &sum + &(&own * &by_itself.chance(index, index, max)?);
                }
                Ok(sum.over(&total))
            }
            Shares::Unlike { refused, of } => {
                // How likely any number is refused, and how likely this one is kept.
                let mut again = Probability::never();
                for (range, count) in refused.iter().enumerate() {
                    let (first, last) = ends_of(range);
                    if *count > 0.0 && first <= max {
                        let refused = &by_itself.chance(first, last.min(max), max)? * &Probability::of_count(*count);
                        again = &again + &refused;
                    }
                }
                let of_all = Probability::of_count(*of);
                let again = again.over(&of_all);
                let count = refused.get(range_of(index)).copied().unwrap_or(0.0);
                let kept = Probability::of_count(*of - count).over(&of_all);
                // After so many that were refused the next one is taken whatever it is.
                let (mut tries, mut power) = (Probability::never(), Probability::certain());
                for _ in 0..MOST_REFUSALS {
                    tries = &tries + &power;
                    power = &power * &again;
                }
                Ok(&by_itself.chance(index, index, max)? * &(&(&kept * &tries) + &power))
            }
        }
    }
}

impl Own {
    /// How likely a number of a range is when the range was drawn.
    fn chance_within(self, index: u64, first: u64, last: u64, again: Option<&Again>) -> Known {
        let Some(again) = again else { return self.chance_of_each(first, last) };
        let (mut left, mut counted) = (again.of, 0.0);
        for (number, count) in &again.numbers {
            if *number <= last {
                left -= count;
            }
            if *number == index {
                counted = *count;
            }
        }
        let mut sum = Probability::of_count(counted);
        if left > 0.0 {
            sum = &sum + &(&Probability::of_count(left) * &self.chance_of_each(first, last)?);
        }
        Ok(sum.over(&Probability::of_count(again.of)))
    }

    /// How likely each number of a range is when it is one of these.
    fn chance_of_each(self, first: u64, last: u64) -> Known {
        match self {
            // By the distribution, until it is in the range; how likely that is would be a sum over
            // all of it.
            Own::Number(Distribution::Custom(_)) if is_wide(first, last) => Err(unknown_range()),
            _ => Ok(Chance::new(1, u128::from(last - first) + 1).into()),
        }
    }

    /// How likely the generator by itself draws one of these numbers.
    fn chance(self, first: u64, last: u64, max: u64) -> Known {
        match self {
            Own::Number(distribution) => {
                distribution.chance_between(first, last, max).map(Probability::from).ok_or_else(unknown_law)
            }
            Own::Length(most) if first > most => Ok(Probability::never()),
            Own::Length(most) => Ok(Chance::new(u128::from(last.min(most) - first) + 1, u128::from(most) + 1).into()),
        }
    }
}

/// Shares by what was counted here, to which what was counted in all such places counts as much as
/// `smoothing` examples, and to that in turn the generator's own chances, whose share comes last.
/// `None` if nothing was counted.
fn backed_off(
    (here, all): (Option<Vec<f64>>, Option<Vec<f64>>),
    smoothing: f64,
) -> Option<(Vec<Probability>, Probability)> {
    let exactly =
        |counts: Vec<f64>| -> Vec<Probability> { counts.iter().map(|count| Probability::of_count(*count)).collect() };
    let (here, all) = match (here.map(exactly), all.map(exactly)) {
        (None, None) => return None,
        (Some(here), None) => (here.clone(), here),
        (Some(here), Some(all)) => (here, all),
        (None, Some(all)) => (if smoothing > 0.0 { Vec::new() } else { all.clone() }, all),
    };
    if smoothing == 0.0 {
        return Some((here, Probability::never()));
    }
    let smoothing = Probability::of_count(smoothing);
    let mut total = smoothing.clone();
    for count in &all {
        total = &total + count;
    }
    let mut shares = here;
    shares.resize(shares.len().max(all.len()), Probability::never());
    for (share, count) in shares.iter_mut().zip(&all) {
        *share = &*share + &(&smoothing * count).over(&total);
    }
    Some((shares, (&smoothing * &smoothing).over(&total)))
}

pub(super) fn unknown_law() -> String {
    "a number is drawn by a distribution of its own, which does not say how likely each is".to_owned()
}

fn unknown_range() -> String {
    "a number was learned as one of many that are drawn by a distribution of its own, which does not say how likely these are together"
        .to_owned()
}

fn lost() -> String {
    "it is drawn by weights, and where in them hangs on which of several ways was taken".to_owned()
}
