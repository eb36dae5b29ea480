use retrospect::prelude::*;

#[derive(Debug, Clone)]
struct Opaque(u8);

#[generator]
fn compared(argument: Opaque) -> (u8, Opaque) {
    (draw(0..9), argument)
}

fn main() {}
