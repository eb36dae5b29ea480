use retrospect::prelude::*;

#[property]
#[should_panic]
fn panics(x: u8) {}

#[property]
#[generator]
fn generates(x: u8) -> u8 {
    draw(0..x)
}

#[property(cases = 3)]
#[property(size = 3)]
fn twice(x: u8) {}

#[property]
async fn without_runtime(x: u8) {}

#[property]
#[test]
async fn with_a_test_that_has_none(x: u8) {}

#[property]
#[async_std::test]
async fn with_one_that_cannot(x: u8) {}

#[property]
#[tokio::test]
#[actix_rt::test]
async fn with_two(x: u8) {}

fn main() {}
