use retrospect::prelude::*;

fn use_it() {
    let limit = 5;
    let numbers = generator_of!(-> u8 { draw(0..limit) });
    let untyped = generator_of!(|limit| -> u8 { draw(0..limit) });
    let no_type = generator_of!(|limit: u8| { draw(0..limit) });
}

fn main() {}
