use retrospect::prelude::*;

#[property]
struct NotAFunction;

#[property]
fn no_arguments() {}

#[property]
fn generic<T: Generate>(value: T) {}

#[property]
fn constant<const N: usize>(value: [u8; N]) {}

#[property]
fn lifetime<'a>(text: &'a str) {}

#[property]
fn lives_for_ever(text: &'static str) {}

#[property]
fn hidden_type(value: impl Into<u64>) {}

#[property]
fn hidden_inside(values: &[impl Into<u64>]) {}

#[property]
const fn at_compile_time(x: u8) {}

#[property]
unsafe fn dangerous(x: u8) {}

#[property]
extern "C" fn foreign(x: u8) {}

#[property]
fn two_cases(one: &mut Case, x: u8, other: &mut Case<'_>) {}

struct Holder;

impl Holder {
    #[property]
    fn method(&self, x: u8) {}
}

trait Trait {
    #[property]
    fn no_body(x: u8);
}

fn main() {}
