//! How soon each part of a grammar ends, and which rules never do.

use crate::error::{Fault, GrammarError, offset_of};
use crate::{Expression, Kind, LARGEST_SIMPLEST, Rule};

/// How the simplest text of a rule or a part is made: by rules that call each other so deep, of so
/// many parts.
///
/// The order is that of simplicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ending {
    depth: u32,
    parts: usize,
}

/// What is not known to end.
const NEVER: Ending = Ending { depth: u32::MAX, parts: usize::MAX };

/// The endings of all rules. It is an error if one never ends, or only with a very long text.
///
/// Rules that need no other end first, then those that need only these, and so on. So a rule's
/// depth is known as soon as it ends at all, and it is looked at again only when one that it needs
/// has ended.
pub(crate) fn find(text: &str, rules: &[Rule]) -> Result<Vec<Ending>, GrammarError> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); rules.len()];
    for (index, rule) in rules.iter().enumerate() {
        let user = index as u32;
        each_rule(&rule.body, &mut |used| {
            if users[used].last() != Some(&user) {
                users[used].push(user);
            }
        });
    }
    let mut endings = vec![NEVER; rules.len()];
    let mut candidates: Vec<u32> = (0..rules.len() as u32).collect();
    // Rules may need each other in layers, in which a rule that is looked at twice has its users
    // looked at four times.
    let mut is_candidate = vec![false; rules.len()];
    while !candidates.is_empty() {
        let mut ended = Vec::new();
        for &candidate in &candidates {
            is_candidate[candidate as usize] = false;
            let ending = of(&rules[candidate as usize].body, &endings);
            if ending != NEVER {
                let ending = Ending { depth: ending.depth + 1, parts: ending.parts };
                ended.push((candidate as usize, ending));
            }
        }
        candidates.clear();
        // Only now: a rule that ended in this round must not end others in it.
        for &(index, ending) in &ended {
            endings[index] = ending;
        }
        for &(index, _) in &ended {
            for &user in &users[index] {
                let is_known = std::mem::replace(&mut is_candidate[user as usize], true);
                if endings[user as usize] == NEVER && !is_known {
                    candidates.push(user);
                }
            }
        }
    }
    if let Some(first) = endings.iter().position(|ending| *ending == NEVER) {
        return Err(GrammarError::one(never_ends(text, rules, &endings, first)));
    }
    for rule in rules {
        if let Some(part) = too_large(&rule.body, &endings) {
            let message = format!("even the simplest text of this has more than {LARGEST_SIMPLEST} parts");
            let way_out = "lower the counts (`{…}`) in it, or in the rules that it uses";
            return Err(GrammarError::one(Fault::at(text, offset_of(text, part.place), message, way_out)));
        }
    }
    Ok(endings)
}

/// A part whose simplest text is too large to be made, although another may be taken in its place.
fn too_large<'e>(expression: &'e Expression, endings: &[Ending]) -> Option<&'e Expression> {
    let inside = match &expression.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::AnyCharacter | Kind::Rule(_) => None,
        Kind::Sequence(parts) => parts.iter().find_map(|part| too_large(part, endings)),
        Kind::Choice(alternatives) => alternatives.iter().find_map(|one| too_large(&one.body, endings)),
        Kind::Optional(item) | Kind::Repeat { item, .. } => too_large(item, endings),
        Kind::Separated { item, separator } => too_large(item, endings).or_else(|| too_large(separator, endings)),
    };
    inside.or_else(|| (of(expression, endings).parts > LARGEST_SIMPLEST).then_some(expression))
}

/// The ending of a part, from what is known of the rules.
pub(crate) fn of(expression: &Expression, endings: &[Ending]) -> Ending {
    match &expression.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::AnyCharacter => Ending { depth: 0, parts: 1 },
        Kind::Rule(index) => endings[*index],
        Kind::Sequence(parts) => {
            let mut all = Ending { depth: 0, parts: 0 };
            for part in parts {
                let ending = of(part, endings);
                if ending == NEVER {
                    return NEVER;
                }
                all.depth = all.depth.max(ending.depth);
                all.parts = all.parts.saturating_add(ending.parts).min(usize::MAX - 1);
            }
            all
        }
        Kind::Choice(alternatives) => {
            let mut best = NEVER;
            for alternative in alternatives {
                if alternative.weight > 0 {
                    best = best.min(of(&alternative.body, endings));
                }
            }
            best
        }
        Kind::Optional(_) | Kind::Repeat { least: 0, .. } => Ending { depth: 0, parts: 1 },
        Kind::Repeat { item, least, .. } => {
            let ending = of(item, endings);
            if ending == NEVER {
                return NEVER;
            }
            Ending { depth: ending.depth, parts: ending.parts.saturating_mul(*least).min(usize::MAX - 1) }
        }
        Kind::Separated { item, .. } => of(item, endings),
    }
}

/// Calls `found` for each rule that a part names.
fn each_rule(expression: &Expression, found: &mut dyn FnMut(usize)) {
    match &expression.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::AnyCharacter => {}
        Kind::Rule(index) => found(*index),
        Kind::Sequence(parts) => {
            for part in parts {
                each_rule(part, found);
            }
        }
        Kind::Choice(alternatives) => {
            for alternative in alternatives {
                each_rule(&alternative.body, found);
            }
        }
        Kind::Optional(item) | Kind::Repeat { item, .. } => each_rule(item, found),
        Kind::Separated { item, separator } => {
            each_rule(item, found);
            each_rule(separator, found);
        }
    }
}

/// Says which rules need each other for ever.
fn never_ends(text: &str, rules: &[Rule], endings: &[Ending], first: usize) -> Fault {
    let mut chain: Vec<usize> = Vec::new();
    let mut place_in_chain: Vec<Option<usize>> = vec![None; rules.len()];
    let mut next = first;
    while place_in_chain[next].is_none() {
        place_in_chain[next] = Some(chain.len());
        chain.push(next);
        next = needed(&rules[next].body, endings).unwrap_or(first);
    }
    let circle = &chain[place_in_chain[next].unwrap_or(0)..];
    let name = &rules[circle[0]].name;
    let message = match circle {
        [_] => format!("the rule `{name}` never ends: however it is written, it needs itself again"),
        _ => {
            let mut through = String::new();
            // A long circle is not made clearer by all its names.
            for index in circle[1..].iter().take(5) {
                through += &format!("{}`{}`", if through.is_empty() { "" } else { ", " }, rules[*index].name);
            }
            if circle.len() > 6 {
                through += ", …";
            }
            format!("the rule `{name}` never ends: however it is written, it needs itself again, through {through}")
        }
    };
    let offset = offset_of(text, rules[circle[0]].place);
    Fault::at(text, offset, message, "add an alternative that does not, such as `| \"\"`")
}

/// A rule that never ends, and without which the part cannot end.
fn needed(expression: &Expression, endings: &[Ending]) -> Option<usize> {
    match &expression.kind {
        Kind::Rule(index) => (endings[*index] == NEVER).then_some(*index),
        Kind::Sequence(parts) => parts.iter().find_map(|part| needed(part, endings)),
        Kind::Choice(alternatives) => {
            alternatives.iter().filter(|one| one.weight > 0).find_map(|one| needed(&one.body, endings))
        }
        Kind::Repeat { item, least, .. } if *least > 0 => needed(item, endings),
        Kind::Separated { item, .. } => needed(item, endings),
        _ => None,
    }
}
