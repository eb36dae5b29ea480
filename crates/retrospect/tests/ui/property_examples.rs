use retrospect::prelude::*;

#[property]
#[example(first = 1, secnd = 2)]
fn unknown(first: u8, second: u8) {}

#[property]
#[example(first = 1)]
fn missing(first: u8, second: u8, third: u8) {}

#[property]
#[example(first = 1, first = 2, second = 3)]
fn twice(first: u8, second: u8) {}

#[property]
#[example]
fn bare(first: u8, (a, b): (u8, u8)) {}

#[property]
#[example()]
fn empty(first: u8) {}

#[property]
#[example(1)]
fn only_a_value(first: u8) {}

#[property]
#[example(first, second = 2)]
fn no_value(first: u8, second: u8) {}

#[property]
#[example(first = 1, a = 2)]
fn part_of_a_pattern(first: u8, (a, b): (u8, u8)) {}

#[property]
#[example(case = 1)]
fn the_case(case: &mut Case) {}

fn main() {}
