//! The pass that leaves no doubt where it can: all that is simpler is tried.

use super::door::{Door, Made, Over};
use super::order::{Measure, is_simpler};
use super::tree::Tree;
use crate::choice::{Choices, Entry, Kind, Splice};
use std::rc::Rc;

/// Every tree that is simpler than the best is tried. If all were, and none fails, the best is the
/// least there is; see [`End::Minimal`](super::End::Minimal) for what is left out, and why.
///
/// The trees are found from the simplest one by raising its choices one by one, in order, so each
/// is found once. Indices, arms and counts are first at most a few above the simplest, then more
/// and more: no large range keeps the others waiting.
///
/// `(4 0 0)` → `(0 3 0)`
pub(super) fn everything(door: &mut Door<'_>) -> Result<(), Over> {
    let best = door.best();
    if best.choices.is_empty() {
        door.tried_everything();
        return Ok(());
    }
    if !best.frozen.is_empty() || !best.steps.is_empty() || has_table(&best.choices) {
        return Ok(());
    }
    // A number that is alone has as many simpler ones as its index says, in its place or another.
    // Beside more choices than one, all of its range are simpler.
    let largest = match best.measure.weight {
        0..=2 => best.raised.iter().map(|at| best.index(*at)).max().unwrap_or(0),
        _ => u64::MAX,
    };
    let simpler = best.numbers.iter().map(|at| best.entry(*at).bound().min(largest));
    if simpler.fold(0, u64::saturating_add) > door.replays_left() {
        door.take_part();
    }
    let mut furthest = FIRST_FURTHEST;
    loop {
        match walk(door, &best, furthest)? {
            Walked::All => {
                door.tried_everything();
                return Ok(());
            }
            Walked::Near => furthest = furthest.saturating_mul(4),
            Walked::NotAll => return Ok(()),
        }
    }
}

/// How far from the simplest the choices are at most in the first walk.
const FIRST_FURTHEST: u64 = 4;

/// What a walk has seen of the trees that are simpler than the best.
#[derive(PartialEq)]
enum Walked {
    All,
    /// All but those with a choice that is too far from the simplest.
    Near,
    /// Something simpler fails, or may hide behind what was refused.
    NotAll,
}

/// Whether a tree holds the table of a function: what can stand in it is not known before a run
/// asks for it.
fn has_table(choices: &Choices) -> bool {
    choices.entries().iter().any(|entry| entry.kind() == Kind::Pick && entry.site().is_none())
}

/// A tree on the way, and how its choice at a place is raised next. The choices before the place
/// are settled.
struct Draft {
    choices: Rc<Choices>,
    place: usize,
    more: u64,
    /// How many answers in a row were changed by the generator.
    changed: usize,
}

impl Draft {
    fn new(choices: Choices, place: usize) -> Draft {
        Draft { choices: Rc::new(choices), place, more: 1, changed: 0 }
    }

    fn skip_what_is_no_choice(&mut self) {
        let behind = self.choices.entries().iter().skip(self.place);
        self.place += behind.take_while(|entry| matches!(entry.kind(), Kind::Call | Kind::Part)).count();
    }

    fn go_on(&mut self) {
        (self.place, self.more, self.changed) = (self.place + 1, 1, 0);
    }
}

/// Tries the trees that are simpler than the best and whose choices are no further from the
/// simplest than `furthest`.
fn walk(door: &mut Door<'_>, best: &Tree, furthest: u64) -> Result<Walked, Over> {
    let version = door.version();
    let mut walk = Walk { best, version, is_sure: true, has_set: false, is_filled: false, has_tie: false };
    let mut walked = Walked::All;
    let Some(simplest) = walk.visit(door, &Choices::default())? else { return Ok(Walked::NotAll) };
    walk.look_at_rest(&simplest.choices, 0);
    let mut drafts = vec![Draft::new(simplest.choices, 0)];
    while let Some(draft) = drafts.last_mut() {
        let choices = Rc::clone(&draft.choices);
        draft.skip_what_is_no_choice();
        let (place, more) = (draft.place, draft.more);
        // What is settled only grows from place to place.
        if place >= choices.len() || !is_within(&choices.entries()[..place], best) {
            drafts.pop();
            continue;
        }
        draft.more += 1;
        let node = raised_node(&choices, place, more)
            .filter(|node| is_within(&[&choices.entries()[..place], &[*node]].concat(), best));
        let is_far = node.is_some() && more > furthest;
        if is_far {
            walked = Walked::Near;
        }
        let Some(node) = node.filter(|_| !is_far) else {
            draft.go_on();
            continue;
        };
        let changed = with_node(&choices, place, node);
        let Some(made) = walk.visit(door, &changed)? else { return Ok(Walked::NotAll) };
        let is_settled = is_same_up_to(&made.choices, &changed, place);
        if made.is_refused && !(is_settled && is_same_at(&made.choices, &changed, place)) {
            // A list was refused before all of its items were made. No way leads on from there.
            walk.is_sure = false;
        } else if is_same_at(&made.choices, &changed, place) {
            draft.changed = 0;
            // The set had this item already, so another list took its place: shorter ones are left
            // out.
            walk.is_sure &= lists_behind(&made.choices, place) == lists_behind(&changed, place);
            walk.is_sure = walk.is_sure && !walk.has_dropped_too_much(door, &made.choices, &changed, place)?;
            walk.look_at_rest(&made.choices, place + 1);
            drafts.push(Draft::new(made.choices, place + 1));
        } else if node.kind() == Kind::Repeat && is_settled {
            match walk.filled(door, made.choices, place, node.index())? {
                Filled::With(filled) => drafts.push(Draft::new(filled, place + 1)),
                Filled::Never => draft.go_on(),
                Filled::Simpler => return Ok(Walked::NotAll),
            }
        } else {
            // An arm may be absent, or an item be in a set already: then the next answer may do.
            // Of a list without a limit as many answers as there are items may be refused.
            draft.changed += 1;
            if node.kind() == Kind::Repeat && draft.changed > best.choices.len() {
                draft.go_on();
            }
            walk.is_sure = walk.is_sure && !walk.is_told_apart_behind(door, &changed, place)?;
        }
    }
    let is_sure = walk.is_sure && !(walk.has_set && walk.has_tie);
    Ok(if walked == Walked::All && !is_sure { Walked::NotAll } else { walked })
}

/// What a walk meets on its way.
struct Walk<'w> {
    best: &'w Tree,
    version: usize,
    /// Whether every tree was met, but for those that are too far.
    is_sure: bool,
    /// Whether there is a set. Its items are met in some order, not in the one that is compared: so
    /// a tree that measures as much as the best may be the simpler one.
    has_set: bool,
    has_tie: bool,
    /// Whether a set was [filled](Walk::filled): then it is known whether one choice tells its
    /// items apart.
    is_filled: bool,
}

/// What became of a set that was to hold more items than are made by themselves.
enum Filled {
    With(Choices),
    /// There are no more items.
    Never,
    /// On the way, something simpler than the best was found.
    Simpler,
}

impl Walk<'_> {
    /// Makes a tree, and tries it if it is simpler than the best. Nothing if it fails, or is
    /// refused and not known how far it came.
    fn visit(&mut self, door: &mut Door<'_>, candidate: &Choices) -> Result<Option<Made>, Over> {
        let Some(made) = door.made(candidate)? else { return Ok(None) };
        if !made.is_refused {
            if !is_simpler(&made.choices, &self.best.choices) {
                let is_other = || match unordered(&made.choices) {
                    Some(made) => unordered(&self.best.choices) != Some(made),
                    None => true,
                };
                self.has_tie |= Measure::of(made.choices.entries()) == self.best.measure && is_other();
            } else if !door.was_tried(&made.choices) {
                door.consider_made(&made.choices)?;
            }
        }
        Ok(Some(made).filter(|_| door.version() == self.version))
    }

    /// What is not settled yet is the simplest, and is only raised from there. If it is not, lower
    /// answers are left out. In a set that is no loss where one choice tells items apart: another
    /// item has that answer.
    fn look_at_rest(&mut self, choices: &Choices, place: usize) {
        if !self.is_sure {
            return;
        }
        let is_raised = |at: &usize| match chosen(choices.entries()[*at]) {
            (Kind::Number | Kind::Pick, answer) => answer > 0,
            _ => false,
        };
        for at in (place..choices.len()).filter(is_raised) {
            self.is_sure &= item_around(choices, at).is_some_and(|(_, item)| {
                let mut answers = (item..choices.end_of(item)).filter(|at| raised_node(choices, *at, 1).is_some());
                answers.next() == Some(at) && (self.is_filled || answers.next().is_none())
            });
            self.has_set = true;
        }
    }

    /// Whether a set dropped an item that became the same as another one, but has room for one that
    /// ends otherwise behind a place. Sets with both are not met.
    fn has_dropped_too_much(
        &mut self,
        door: &mut Door<'_>,
        made: &Choices,
        changed: &Choices,
        place: usize,
    ) -> Result<bool, Over> {
        let Some((list, item)) = item_around(made, place) else { return Ok(false) };
        let n_items = made.entries()[list].index();
        if n_items >= changed.entries()[list].index() {
            return Ok(false);
        }
        for at in (place + 1..made.end_of(item)).filter(|at| raised_node(made, *at, 1).is_some()) {
            if !matches!(self.one_more(door, made, list, (item, at), n_items + 1)?, Filled::Never) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a set that has an item already, which ends as simple as it can be behind a place,
    /// takes one that ends otherwise. Such sets are not met: the place is never settled.
    fn is_told_apart_behind(&mut self, door: &mut Door<'_>, changed: &Choices, place: usize) -> Result<bool, Over> {
        let end = item_around(changed, place).map_or(place, |(_, item)| changed.end_of(item));
        for at in place + 1..end {
            let Some(node) = raised_node(changed, at, 1) else { continue };
            let other = with_node(changed, at, node);
            let Some(made) = self.visit(door, &other)? else { return Ok(true) };
            if !made.is_refused && is_same_up_to(&made.choices, &other, at + 1) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A set of the simplest items has one, since it drops what it has already. Adds others, each
    /// like one that is there but for one choice.
    ///
    /// If there is none, there are no other items: from the simplest one, all are found by raising
    /// one choice after the other.
    fn filled(&mut self, door: &mut Door<'_>, mut choices: Choices, place: usize, count: u64) -> Result<Filled, Over> {
        (self.has_set, self.is_filled) = (true, true);
        while choices.entries()[place].index() < count {
            let items: Vec<usize> = choices.children(place).collect();
            let mut longer = None;
            for item in items.iter().rev() {
                let raisable = (*item..choices.end_of(*item)).filter(|at| raised_node(&choices, *at, 1).is_some());
                for (nth, at) in raisable.enumerate() {
                    // Where several choices tell items apart, not all sets are met.
                    if longer.is_some() && nth == 0 {
                        continue;
                    }
                    match self.one_more(door, &choices, place, (*item, at), items.len() as u64 + 1)? {
                        Filled::With(found) => {
                            self.is_sure &= nth == 0;
                            longer = longer.or(Some(found));
                        }
                        Filled::Never => {}
                        Filled::Simpler => return Ok(Filled::Simpler),
                    }
                }
                if longer.is_some() {
                    break;
                }
            }
            match longer {
                Some(longer) => choices = longer,
                None => return Ok(Filled::Never),
            }
        }
        Ok(Filled::With(choices))
    }

    /// The same choices with one item more at the end, like `item` but for the choice at `at`,
    /// which is raised until the set has no such item.
    fn one_more(
        &mut self,
        door: &mut Door<'_>,
        choices: &Choices,
        place: usize,
        (item, at): (usize, usize),
        furthest: u64,
    ) -> Result<Filled, Over> {
        let last = choices.children(place).last().unwrap_or(item);
        for more in 1..=furthest {
            let Some(node) = raised_node(choices, at, more) else { break };
            let raised = with_node(choices, at, node);
            let copy = &raised.entries()[item..raised.end_of(item)];
            let by = [&choices.entries()[last..choices.end_of(last)], copy].concat();
            let longer = choices.spliced(&[Splice { place: last..choices.end_of(last), by }]);
            let Some(made) = self.visit(door, &longer)? else { return Ok(Filled::Simpler) };
            if !made.is_refused
                && is_same_up_to(&made.choices, &longer, place)
                && is_same_at(&made.choices, &longer, place)
            {
                return Ok(Filled::With(made.choices));
            }
            // An item that a filter refuses says nothing about those behind it.
            self.is_sure &= !made.is_refused;
        }
        Ok(Filled::Never)
    }
}

/// The innermost list around a node, and the item of it that the node belongs to.
fn item_around(choices: &Choices, at: usize) -> Option<(usize, usize)> {
    let is_around = |list: &usize| choices.entries()[*list].kind() == Kind::Repeat && choices.end_of(*list) > at;
    let list = (0..at).rfind(is_around)?;
    Some((list, choices.children(list).find(|item| choices.end_of(*item) > at)?))
}

/// How long the lists are that stand behind a node in the same list as it.
fn lists_behind(choices: &Choices, at: usize) -> Vec<u64> {
    let is_list = |list: &usize| choices.entries()[*list].kind() == Kind::Repeat;
    let around = (0..at).filter(is_list).find(|list| choices.end_of(*list) > at && choices.children(*list).count() > 1);
    let behind = choices.end_of(at)..around.map_or(0, |list| choices.end_of(list));
    behind.filter(is_list).map(|list| choices.entries()[list].index()).collect()
}

/// What is chosen, with the items of each list in one order, if the tree is not too deep for that.
fn unordered(choices: &Choices) -> Option<Vec<(u8, u64)>> {
    fn add(choices: &Choices, at: usize, all: &mut Vec<(u8, u64)>) {
        let (kind, answer) = chosen(choices.entries()[at]);
        all.push((kind as u8, answer));
        let mut children = Vec::new();
        for child in choices.children(at) {
            let mut inside = Vec::new();
            add(choices, child, &mut inside);
            children.push(inside);
        }
        if kind == Kind::Repeat {
            children.sort();
        }
        all.extend(children.into_iter().flatten());
    }
    if choices.len() > MAX_UNORDERED {
        return None;
    }
    let mut all = Vec::new();
    choices.roots().for_each(|root| add(choices, root, &mut all));
    Some(all)
}

/// The size of trees up to which an order does not count.
const MAX_UNORDERED: usize = 500;

/// Whether two trees choose the same before a place.
fn is_same_up_to(made: &Choices, wanted: &Choices, place: usize) -> bool {
    (0..place).all(|place| is_same_at(made, wanted, place))
}

fn is_same_at(made: &Choices, wanted: &Choices, place: usize) -> bool {
    made.entries().get(place).is_some_and(|entry| chosen(*entry) == chosen(wanted.entries()[place]))
}

/// Whether what is settled is no more than the best: whatever comes after it only adds to it.
fn is_within(settled: &[Entry], best: &Tree) -> bool {
    let settled = Measure::of(settled);
    (settled.weight, settled.magnitude) <= (best.measure.weight, best.measure.magnitude)
}

fn chosen(entry: Entry) -> (Kind, u64) {
    let chosen = match entry.kind() {
        Kind::Number | Kind::Repeat => entry.index(),
        Kind::Pick => entry.arm() as u64,
        Kind::Call | Kind::Part => 0,
    };
    (entry.kind(), chosen)
}

/// The choice at a place, so much further from the simplest and with nothing in it yet; nothing if
/// there is none.
fn raised_node(choices: &Choices, place: usize, more: u64) -> Option<Entry> {
    let node = choices.entries()[place];
    match node.kind() {
        Kind::Number => Some(node.with_index(Some(more).filter(|index| *index <= node.bound())?)),
        Kind::Repeat => Some(node.with_index(node.index().checked_add(more)?).holding(0)),
        Kind::Pick => {
            let arm = usize::try_from(more).ok().and_then(|more| node.arm().checked_add(more))?;
            Some(node.with_arm(Some(arm).filter(|arm| *arm < node.arms())?).holding(0))
        }
        Kind::Call | Kind::Part => None,
    }
}

/// The same choices with another node at a place, without what was in it.
fn with_node(choices: &Choices, place: usize, node: Entry) -> Choices {
    choices.spliced(&[Splice { place: place..choices.end_of(place), by: vec![node] }])
}
