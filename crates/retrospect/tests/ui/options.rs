use retrospect::prelude::*;

#[generator(backward)]
fn unknown() -> u8 {
    3
}

#[generator]
struct NotAFunction;

fn main() {}
