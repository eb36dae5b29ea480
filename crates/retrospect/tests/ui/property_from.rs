use retrospect::prelude::*;

#[property]
fn bare(#[from] x: u8) {}

#[property]
fn empty(#[from()] x: u8) {}

#[property]
fn with_an_equals_sign(#[from = 0..10] x: u8) {}

#[property]
fn twice(#[from(0..10)] #[from(20..30)] x: u8) {}

#[property]
fn two_generators(#[from(0..10, 20..30)] x: u8) {}

#[property]
fn by_another_name(#[with(0..10)] x: u8) {}

#[property]
fn several_at_once(#[from] x: u8, y: impl Clone, #[from()] z: u8) {}

fn main() {}
