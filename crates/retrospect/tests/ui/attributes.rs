use retrospect::prelude::*;

#[generator]
fn misplaced(x: u8) -> u8 {
    #[weight(3)]
    let y = draw(0..x);
    #[focus(*it)]
    let plain = 5;
    match x {
        #[weight(2)]
        0 => y,
        _ => match pick() {
            #[weight]
            "a" => y,
            #[weight(1)]
            #[weight(2)]
            "b" => y,
        },
    }
}

#[generator]
fn inverses() -> u8 {
    let x = draw(0..9u8);
    #[inverse(x)]
    #[inverse(3)]
    (x + 1)
}

#[generator]
fn nothing_drawn() -> u8 {
    #[inverse(|it| Some(()))]
    (3 + 1)
}

#[generator]
fn found_by_a_focus() -> String {
    #[focus(it.len())]
    let count = draw(0..9usize);
    #[inverse(|it| Some(it.len()))]
    "x".repeat(count)
}

fn main() {}
