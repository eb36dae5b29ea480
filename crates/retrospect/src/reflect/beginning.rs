//! Ways that begin with given choices.

use super::forest::Item;
use super::{Forest, Mode, Reflected, Reflector};
use crate::choice::{Choice, Choices, Entry, Kind};
use crate::source::{Drawn, Replay, Source};

/// How many steps a search for ways takes before it is given up: where a generator can call itself
/// on the same part, the ways have no end.
const MOST_STEPS: usize = 1_000_000;

impl Forest {
    /// The ways that begin with these choices, in order, but no more than `most`.
    pub(crate) fn ways_beginning(&self, beginning: &[Choice], most: usize) -> Vec<Choices> {
        let mut found = Vec::new();
        let mut states = vec![State { pending: vec![(&self.root, 0)], matched: 0, chosen: Vec::new() }];
        let mut steps = 0;
        while let Some(mut state) = states.pop() {
            steps += 1;
            if found.len() == most || steps > MOST_STEPS {
                break;
            }
            match self.run_on(&mut state, beginning, &mut steps) {
                Next::Mismatch => {}
                Next::Node(node) => {
                    for (place, alternative) in self.alternatives(node).enumerate().rev() {
                        let mut next = state.clone();
                        next.chosen.push(place);
                        next.pending.push((alternative, 0));
                        states.push(next);
                    }
                }
                Next::End if state.matched == beginning.len() => {
                    let mut chosen = state.chosen.iter().copied();
                    let way = &mut |_: usize, _: u32| Some((chosen.next()?, Vec::new()));
                    found.extend(self.numbered_way(u64::MAX, Vec::new(), way));
                }
                Next::End => {}
            }
        }
        found
    }

    /// Goes on up to the next node that has alternatives.
    fn run_on(&self, state: &mut State<'_>, beginning: &[Choice], steps: &mut usize) -> Next {
        while let Some((items, next)) = state.pending.last_mut() {
            *steps += 1;
            let Some(item) = items.get(*next) else {
                state.pending.pop();
                continue;
            };
            *next += 1;
            let choice = match item {
                Item::Node(node) => return Next::Node(*node),
                Item::Choice(entry) | Item::Open(entry) => choice_of(*entry),
                Item::Pick { site, arm, .. } => {
                    let arm = *arm as usize;
                    Some(Choice::Arm { arm, label: site.label(arm).map(Box::from) })
                }
                Item::Key(key) => Some(Choice::Arm { arm: 0, label: Some(self.keys[*key].clone()) }),
                _ => None,
            };
            if let (Some(choice), Some(wanted)) = (choice, beginning.get(state.matched)) {
                if !choice.is_same(wanted) {
                    return Next::Mismatch;
                }
                state.matched += 1;
            }
        }
        Next::End
    }
}

/// A way as far as it has been followed.
#[derive(Clone)]
struct State<'f> {
    pending: Vec<(&'f [Item], usize)>,
    matched: usize,
    /// The alternative of each node that was met, in order.
    chosen: Vec<usize>,
}

enum Next {
    Mismatch,
    Node(usize),
    End,
}

fn choice_of(entry: Entry) -> Option<Choice> {
    match entry.kind() {
        Kind::Number => Some(Choice::Number(entry.index())),
        Kind::Repeat => Some(Choice::Count(entry.index() as usize)),
        Kind::Pick => {
            let label = entry.site().and_then(|site| site.label(entry.arm())).map(Box::from);
            Some(Choice::Arm { arm: entry.arm(), label })
        }
        Kind::Call | Kind::Part => None,
    }
}

impl Reflector {
    /// Whether all ways are wanted.
    pub(crate) fn wants_all_ways(&self) -> bool {
        self.mode == Mode::AllWays
    }

    /// Notes the choices that `generate` makes, which are these without the first `count`.
    pub(crate) fn without_first(
        &mut self,
        count: usize,
        choices: &Choices,
        generate: &dyn Fn(&mut Source<'_>) -> Drawn<()>,
    ) -> Reflected {
        if self.is_accepting() {
            return Ok(());
        }
        let mut replay = Replay::strict(choices);
        let mut source = Source::asking_without(&mut replay, count);
        if self.mode == Mode::Record {
            source.exchange_record(&mut self.record);
        }
        let is_made = generate(&mut source).is_ok();
        match self.mode {
            Mode::Record => source.exchange_record(&mut self.record),
            _ => self.add_tree(&source.into_choices()),
        }
        match is_made {
            true => Ok(()),
            false => self.mismatch(&format_args!("it"), || "its choices make something else".to_owned()),
        }
    }

    fn add_tree(&mut self, choices: &Choices) {
        let mut ends: Vec<usize> = Vec::new();
        for (at, entry) in choices.entries().iter().enumerate() {
            while ends.pop_if(|end| *end == at).is_some() {
                self.builder().close();
            }
            match entry.kind() {
                Kind::Number => self.builder().push(*entry),
                _ => {
                    self.builder().open(*entry);
                    ends.push(at + 1 + entry.extent());
                }
            }
        }
        for _ in ends {
            self.builder().close();
        }
    }
}
