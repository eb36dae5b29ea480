use retrospect::prelude::*;

const LABEL: &str = "b";

#[generator]
fn not_matched() -> &'static str {
    let label = pick();
    label
}

#[generator]
fn arms(flag: bool) -> u8 {
    match pick() {
        "a" => 0,
        "a" => 1,
        LABEL => 2,
        3 => 3,
        "b" | "c" => 4,
        "d" if flag => 5,
        _ => 6,
    }
}

#[generator]
fn no_arms() -> u8 {
    match pick() {}
}

fn main() {}
