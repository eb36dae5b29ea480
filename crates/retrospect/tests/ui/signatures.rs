use retrospect::prelude::*;

#[generator]
fn no_type() {
    draw(0..9)
}

#[generator]
async fn asynchronous() -> u8 {
    draw(0..9)
}

#[generator]
unsafe fn dangerous() -> u8 {
    draw(0..9)
}

#[generator]
const fn constant() -> u8 {
    draw(0..9)
}

#[generator]
extern "C" fn foreign() -> u8 {
    draw(0..9)
}

#[generator]
fn hidden() -> impl std::fmt::Debug {
    draw(0..9)
}

#[generator]
fn patterns((low, high): (u8, u8)) -> u8 {
    draw(low..high)
}

#[generator]
fn elided(one: &str, other: &str) -> &str {
    one
}

fn main() {}
