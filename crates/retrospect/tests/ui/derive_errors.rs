use retrospect::prelude::*;

#[derive(Debug, Generate)]
enum Nothing {}

#[derive(Debug, Generate)]
enum AllSkipped {
    #[generate(skip)]
    One,
}

#[derive(Generate)]
union Bits {
    integer: u32,
    float: f32,
}

#[derive(Debug, Generate)]
#[generate(weight = 3)]
struct OnType(u8);

#[derive(Debug, Generate)]
struct Fields {
    #[generate(skip)]
    a: u8,
    #[generate(unknown)]
    b: u8,
    #[generate(with = 0..3, default)]
    c: u8,
    #[generate(with)]
    d: u8,
}

#[derive(Debug, Generate)]
enum Variants {
    #[generate(with = 3)]
    A,
    #[generate(often)]
    B,
}

fn main() {}
