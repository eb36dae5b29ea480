use retrospect::prelude::*;

#[generator]
fn sums() -> u8 {
    let x = draw(0..9);
    let y = draw(0..9);
    x + y
}

struct Point {
    x: u8,
    y: u8,
}

#[generator]
fn points(base: Point) -> Point {
    let x = draw(0..9);
    Point { x, ..base }
}

#[generator]
fn texts() -> String {
    let x = draw(0..9);
    format!("{x}")
}

fn main() {}
