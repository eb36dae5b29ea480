use retrospect::prelude::*;

#[generator]
fn with_items() -> u8 {
    struct Local;
    impl Local {
        fn number() -> u8 {
            3
        }
    }
    Local::number()
}

fn main() {}
