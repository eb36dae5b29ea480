use retrospect::prelude::*;

#[generator]
fn wildcards() -> u8 {
    let (x, _) = draw((0..9u8, 0..9u8));
    let [y, ..] = draw(array_of::<_, 3>(0..9u8));
    let mut z = draw(0..9);
    let whole @ 0..5 = draw(0..9);
    x + y + z + whole
}

#[generator]
fn let_else() -> u8 {
    let Some(x) = draw(any::<Option<u8>>()) else { return 0 };
    x
}

fn main() {}
