//! The torture test: compositions of everything that users compose, and properties over them, none
//! of which may break the library.
//!
//! One seed stands for one [`Composition`]: generators over a dynamic value type, a body that draws
//! from them, and faults. It is an ordinary derived type, so what breaks is shrunk and printed by
//! the library itself.
//!
//! | file | content |
//! | --- | --- |
//! | `value`, `fixed` | the values: one dynamic type, and a few types as users write them |
//! | `condition` | conditions on values, for filters, assumptions and faults |
//! | `spec` | descriptions of generators, and the generators they describe |
//! | `property` | descriptions of properties, and their bodies |
//! | `hardness` | whether the conditions of a composition can be satisfied |
//! | `checks` | the promises that are checked of each composition |
//! | `minimal` | a search for simpler cases than those that are called minimal |
//! | `small_domains` | whether "minimal" is true, by trying all cases of small domains |
//! | `driver` | workers, so that an abort or a hang has a seed; making smaller what was found |

mod checks;
mod condition;
mod driver;
mod fixed;
mod hardness;
mod minimal;
mod property;
mod small_domains;
mod spec;
mod value;

pub use driver::{Found, Plan, Summary, TEST_PREFIX, composition_of, run_test, work};
pub use property::Composition;

use std::time::Duration;

/// Runs the torture test, tells what it finds, and fails if that is anything.
pub fn run(plan: &Plan) -> std::io::Result<()> {
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    println!("compositions from seed {:#x} on, in {} processes, {build} build", plan.seed, plan.jobs);
    let summary = driver::run(plan, &|text| println!("{text}"));
    println!("{summary}");
    match summary.found.len() {
        0 => Ok(()),
        count => Err(std::io::Error::other(format!("{count} promises are broken"))),
    }
}

/// Checks what is called minimal on so many small domains, and fails if it is not.
pub fn run_small_domains(seed: u64, count: u64) -> std::io::Result<()> {
    let summary = small_domains::run(seed, count);
    for found in &summary.found {
        println!("{found}");
    }
    let small_domains::Summary { tried, minimal, simplest, found } = summary;
    println!(
        "{tried} small domains from seed {seed:#x} on: {minimal} results called minimal, {} of them wrongly; of the others {simplest} are the simplest",
        found.len()
    );
    match found.len() {
        0 => Ok(()),
        count => Err(std::io::Error::other(format!("{count} results are called minimal and are not"))),
    }
}

/// `90s`, `10m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.chars().last().unwrap_or_default();
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => 0,
    };
    match text.trim_end_matches(unit).parse::<u64>() {
        Ok(number) if seconds > 0 => Ok(Duration::from_secs(number.saturating_mul(seconds))),
        _ => Err(format!("{text} is no time such as 90s, 10m or 2h")),
    }
}

/// Decimal, or hexadecimal with `0x`.
pub fn seed(text: &str) -> Result<u64, String> {
    let read = text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16));
    read.map_err(|error| error.to_string())
}
