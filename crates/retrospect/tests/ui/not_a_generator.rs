use retrospect::prelude::*;

#[generator]
fn wrong() -> (u8, u8) {
    let x = draw(3u8);
    (x, draw("text"))
}

fn main() {}

fn filtered() -> impl GeneratorOf<u8> {
    (0..10_u8).filter(|number| number % 2 == 0)
}

fn pattern() -> impl Generator<Value = String> {
    "[a-z]{1,3}"
}
