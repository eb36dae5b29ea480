use retrospect::prelude::*;

#[derive(Generate)]
struct NoDebug(u8);

fn main() {}
