use retrospect::prelude::*;

#[property(time = 2)]
fn number(x: u8) {}

#[property(timeout = 1.5)]
fn fraction(x: u8) {}

#[property(time = "2")]
fn no_unit(x: u8) {}

#[property(time = "2 days")]
fn unknown_unit(x: u8) {}

#[property(time = "soon", timeout = "")]
fn words(x: u8) {}

#[property(time = "0s", timeout = "0 ms")]
fn nothing(x: u8) {}

#[property(shrink_time = true)]
fn flag(x: u8) {}

#[property(time)]
fn no_value(x: u8) {}

fn main() {}
