use retrospect::prelude::*;

#[generator]
fn wrong() -> (u8, u8) {
    let x = draw(3u8);
    (x, draw("text"))
}

fn main() {}
