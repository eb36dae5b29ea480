use retrospect::prelude::*;

#[generator]
fn question_mark(text: &str) -> u8 {
    let number: u8 = text.parse()?;
    number
}

#[generator]
fn waiting(number: u8) -> u8 {
    std::future::ready(number).await
}

#[generator]
fn labelled() -> u8 {
    'block: {
        let x = draw(0..9);
        if x > 3 {
            break 'block 3;
        }
        x
    }
}

#[generator]
fn return_in_choice() -> (u8, u8) {
    let x = match pick() {
        "a" => return (0, 0),
        "b" => draw(0..9),
    };
    (x, 1)
}

#[generator]
fn return_in_expression(flag: bool) -> u8 {
    let x = 3 + if flag { return 0 } else { 1 };
    x
}

#[generator]
fn no_value() -> u8 {
    let x = draw(0..9);
}

#[generator]
fn after_return() -> u8 {
    return 3;
    let x = 5;
}

fn main() {}
