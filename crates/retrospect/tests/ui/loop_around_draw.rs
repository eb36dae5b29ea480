use retrospect::prelude::*;

#[generator]
fn lists() -> Vec<u8> {
    let mut items = Vec::new();
    for _ in 0..3 {
        items.push(draw(0..9));
    }
    while items.len() < 5 {
        let item = draw(0..9);
        items.push(item);
    }
    items
}

fn main() {}
