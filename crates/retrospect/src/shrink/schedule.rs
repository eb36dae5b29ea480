//! Which pass comes when.

use super::door::{Door, Over};
use super::{
    arms, control, delete, draws, exhaust, floats, hoist, merge, numbers, pairs, rearrange, relations, reorder,
    replace, steps, transplant, value, zero,
};
use std::collections::HashMap;

/// A pass: it proposes candidates until it knows no more. If it made no progress, it would make
/// none if it were run again at once.
struct Pass {
    name: &'static str,
    run: fn(&mut Door<'_>) -> Result<(), Over>,
}

const fn pass(name: &'static str, run: fn(&mut Door<'_>) -> Result<(), Over>) -> Pass {
    Pass { name, run }
}

/// What makes the tree smaller comes first, since everything after it takes time with its size.
const STRUCTURE: &[Pass] = &[
    pass("delete large", delete::delete_large),
    pass("delete between equals", delete::delete_between_equals),
    pass("delete", delete::delete),
    pass("delete turns", draws::delete_turns),
    pass("delete counted", draws::delete_counted),
    pass("control", control::control),
    pass("hoist", hoist::hoist),
    pass("minimize items", zero::minimize_items),
    pass("arm", arms::earlier_arm),
    pass("merge", merge::merge),
    pass("delete neighbours", delete::delete_neighbours),
    pass("step", steps::steps),
];

/// What makes the choices that are left simpler.
const VALUES: &[Pass] = &[
    pass("zero all", zero::zero_all),
    pass("zero field", zero::zero_fields),
    pass("minimize", zero::minimize),
    pass("rank", numbers::rank),
    pass("zero", zero::zero_runs),
    pass("equal", pairs::equal),
    pass("few together", pairs::few_together),
    pass("round", floats::round),
    pass("characters", numbers::characters),
    pass("number", numbers::number),
    pass("together", pairs::together),
];

/// What brings the rest into one form.
const POLISH: &[Pass] = &[
    pass("sort", reorder::sort),
    pass("sort turns", draws::sort_turns),
    pass("swap", reorder::swap),
    pass("transfer", pairs::transfer),
    pass("delete and shift", delete::delete_and_shift),
];

/// What is dear, or rarely of use: only when nothing else helps any more.
const LAST: &[Pass] = &[
    pass("delete draws", draws::delete_draws),
    pass("control two", control::control_two),
    pass("way", value::way),
    pass("value", value::value),
    pass("transplant", transplant::transplant),
    pass("trade", pairs::trade),
    pass("delete two", delete::delete_two),
    pass("fuse", delete::fuse),
    pass("balance", pairs::balance),
    pass("translate", pairs::translate),
    pass("floats together", floats::together),
    pass("later arm", arms::later_arm),
    pass("number to arm", arms::number_to_arm),
    pass("alike", replace::alike),
    pass("insert", reorder::insert),
    pass("other place", reorder::other_place),
    pass("exchange equal", reorder::exchange_equal),
    pass("mirrored", reorder::mirrored),
    pass("to a later list", reorder::to_a_later_list),
    pass("hoist and shift", hoist::hoist_and_shift),
    pass("graft", hoist::graft),
];

/// Searches that may be in vain, as far as there are runs to spare.
const SEARCHES: &[Pass] = &[
    pass("rearrange", rearrange::rearrange),
    pass("delete both ends", delete::delete_both_ends),
    pass("delete and lower", delete::delete_and_lower),
    pass("delete some draws", draws::delete_some_draws),
    pass("delete and give", delete::delete_and_give),
    pass("relations", relations::relations),
    pass("delete between some", delete::delete_between_some),
    pass("two alike", replace::two_alike),
    pass("relabel", replace::relabel),
    pass("neighbours", replace::neighbours),
    pass("arm and number", arms::arm_and_number),
    pass("delete and rename", replace::delete_and_rename),
];

/// The pass that leaves nothing out, when no other knows more.
const EVERYTHING: Pass = pass("everything", exhaust::everything);

/// How often in a row a pass may take runs without helping before it is put off until nothing else
/// helps. One that did not come to its end is put off at once.
const PATIENCE: u32 = 2;

/// Runs passes until none of them helps.
pub(super) fn run(door: &mut Door<'_>) -> Result<(), Over> {
    let mut schedule = Schedule { door, records: HashMap::new() };
    schedule.run(&pass("simplest", zero::simplest))?;
    schedule.run(&pass("zero all", zero::zero_all))?;
    schedule.run(&pass("rank all", numbers::rank_all))?;
    // A few runs for a list, however long it is.
    schedule.run(&pass("zero field", zero::zero_fields))?;
    loop {
        while schedule.run_round(STRUCTURE)? {}
        // Deleting makes the tree smaller, so this comes before runs are spent on numbers.
        let helped = schedule.run(&pass("delete and raise", delete::delete_and_raise))?;
        if schedule.run_round(VALUES)? | schedule.run_round(POLISH)? | helped {
            continue;
        }
        // Every pass must have had its say on this very tree, those that were put off first.
        let all = [STRUCTURE, VALUES, POLISH, LAST];
        let mut helped = false;
        for pass in all.into_iter().flatten() {
            if schedule.run(pass)? {
                helped = true;
                break;
            }
        }
        if !helped && !try_everything(&mut schedule)? {
            return Ok(());
        }
    }
}

/// Whether something simpler was found by searches, or when nothing was left out, as far as there
/// was time.
fn try_everything(schedule: &mut Schedule<'_, '_>) -> Result<bool, Over> {
    schedule.door.begin_search();
    let mut helped = Ok(false);
    for pass in SEARCHES {
        schedule.door.allot(false);
        helped = schedule.run(pass);
        if !matches!(helped, Ok(false)) {
            break;
        }
    }
    if matches!(helped, Ok(false)) {
        schedule.door.allot(true);
        // No pass knows more, so nobody was interrupted.
        helped = match schedule.run(&EVERYTHING) {
            Err(Over::Stopped) => Ok(false),
            helped => helped,
        };
    }
    schedule.door.end_search();
    helped
}

struct Schedule<'d, 't> {
    door: &'d mut Door<'t>,
    records: HashMap<&'static str, Record>,
}

/// What is known of a pass.
#[derive(Default)]
struct Record {
    /// How often in a row it took runs and did not help.
    idle: u32,
    /// The version of the tree for which it knows no more.
    done: Option<usize>,
}

impl Schedule<'_, '_> {
    /// Whether one of the passes helped; those that no longer pay are left out.
    fn run_round(&mut self, passes: &[Pass]) -> Result<bool, Over> {
        let mut helped = false;
        for pass in passes {
            let is_put_off = self.records.get(pass.name).is_some_and(|record| record.idle >= PATIENCE);
            helped |= !is_put_off && self.run(pass)?;
        }
        Ok(helped)
    }

    /// Whether it helped.
    fn run(&mut self, pass: &Pass) -> Result<bool, Over> {
        let record = self.records.entry(pass.name).or_default();
        let (before, runs) = (self.door.version(), self.door.runs);
        if record.done == Some(before) {
            return Ok(false);
        }
        self.door.begin(pass.name);
        // What makes the tree smaller pays in the end, and searches have a limit of their own.
        if ![STRUCTURE, SEARCHES, &[EVERYTHING]].into_iter().flatten().any(|other| other.name == pass.name) {
            self.door.limit_idle_runs();
        }
        let result = (pass.run)(self.door);
        let is_cut = matches!(result, Err(Over::Enough));
        match is_cut {
            // That not everything was tried needs no other words.
            true if pass.name == EVERYTHING.name => {}
            true => self.door.cut_short(),
            false => result?,
        }
        let helped = self.door.version() != before;
        self.door.end(runs);
        if helped {
            *record = Record::default();
        } else {
            record.done = Some(before);
            record.idle += if is_cut { PATIENCE } else { u32::from(self.door.runs > runs) };
        }
        Ok(helped)
    }
}
