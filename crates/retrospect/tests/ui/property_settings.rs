use retrospect::prelude::*;

#[property(case = 500)]
fn unknown(x: u8) {}

#[property(parallel, size = 3)]
fn unknown_and_unlike(x: u8) {}

#[property(cases = 500, seed = 1, cases = 3)]
fn twice(x: u8) {}

#[property(cases = 0)]
fn no_cases(x: u8) {}

#[property(cases)]
fn no_value(x: u8) {}

#[property(cases(500))]
fn parentheses(x: u8) {}

#[property(cases = "500", save = 1, regressions = 3, seed = 1.5)]
fn other_kinds(x: u8) {}

#[property(verbose = 3)]
fn too_verbose(x: u8) {}

#[property(500)]
fn only_a_value(x: u8) {}

#[property(cases = 500 seed = 3)]
fn no_comma(x: u8) {}

#[property(cases = )]
fn unfinished(x: u8) {}

fn main() {}
