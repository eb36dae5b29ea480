use retrospect::prelude::*;

#[derive(Debug)]
struct Plain;

#[derive(Debug, Generate)]
struct Holder {
    plain: Plain,
}

fn main() {}
