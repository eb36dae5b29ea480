use retrospect::prelude::*;

// What `#[property]` writes for `fn by_value(case: Case)` in a test.
fn main() {
    let _ = any::<Case>();
}
