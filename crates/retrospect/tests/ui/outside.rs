use retrospect::prelude::*;

fn main_test() {
    let x: u8 = draw(0..9);
    let label = pick();
}

fn helper() -> u8 {
    match pick() {
        "a" => 1,
        _ => draw(0..9),
    }
}

fn main() {}
