use retrospect::prelude::*;

#[generator]
fn lists() -> Vec<u8> {
    let items = (0..3).map(|_| draw(0..9)).collect();
    items
}

#[generator]
fn numbers() -> u8 {
    let choose = || match pick() {
        "a" => 1,
        "b" => 2,
    };
    choose()
}

fn main() {}
