use retrospect::prelude::*;

fn share_after_the_condition(list: &[u8]) {
    cover!(list.is_empty(), 0.05, "empty");
}

fn share_in_percent(list: &[u8]) {
    cover!(5, list.is_empty());
}

fn main() {}
