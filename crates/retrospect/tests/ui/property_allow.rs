use retrospect::prelude::*;

#[property(allow(discard))]
fn unknown(x: u8) {}

#[property(allow(slow, large, slow))]
fn twice(x: u8) {}

#[property(allow())]
fn nothing(x: u8) {}

#[property(allow)]
fn bare(x: u8) {}

#[property(allow = slow)]
fn value(x: u8) {}

#[property(allow("slow"))]
fn text(x: u8) {}

fn main() {}
