use retrospect::prelude::*;

#[generator]
fn numbers(limit: u8) -> u8 {
    let unused = draw(0..limit);
    let used = draw(0..9);
    used
}

#[generator]
fn delegated() -> u8 {
    let limit = draw(1..9);
    draw(0..limit)
}

#[generator]
fn shadowed() -> (u8, u8) {
    let x = draw(0..9);
    let y = draw(0..x);
    let x = draw(0..y);
    (x, y)
}

fn main() {}
