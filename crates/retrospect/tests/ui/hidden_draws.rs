use retrospect::prelude::*;

#[generator]
fn in_a_macro() -> String {
    let text = format!("{}", draw(0..9));
    text
}

#[generator]
fn in_an_expression() -> (u8, u8) {
    let x = 1 + draw(0..9);
    (x, double(draw(0..9)))
}

fn double(x: u8) -> u8 {
    2 * x
}

#[generator]
fn thrown_away() -> u8 {
    draw(0..9);
    3
}

#[generator]
fn passed_on() -> Option<u8> {
    let f = draw;
    None
}

#[generator]
fn nested() -> Vec<u8> {
    draw(vec_of(0..9, draw(0..3)))
}

fn main() {}
