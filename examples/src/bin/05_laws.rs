//! Testing a generator: the laws find an inverse that is wrong, and an examination shows what
//! samples miss.

use examples::avl::avl;
use retrospect::laws::{Examination, Laws};
use retrospect::prelude::*;

fn main() {
    println!("A generator whose inverse is right:");
    let celsius =
        (-40..=50).map_with_inverse(|degrees: i32| degrees * 10, |tenths| (tenths % 10 == 0).then_some(tenths / 10));
    report(&celsius);

    println!("One whose inverse rounds. It says that 15 is made of 1, but 1 makes 10:");
    let rounded = (-40..=50).map_with_inverse(|degrees: i32| degrees * 10, |tenths| Some(tenths / 10));
    report(&rounded);
    println!("  On its own samples nothing shows. Asked about another value it is found out:");
    if let Err(broken) = Laws::default().verify_value(&rounded, &15) {
        println!("  {}", broken.to_string().replace('\n', "\n  "));
    }

    println!("One that forgets the sign is found out by its own samples:");
    report(&(-40..=50).map_with_inverse(|degrees: i32| degrees * 10, |tenths| Some(tenths.abs() / 10)));

    println!("A generator can be right and still miss what matters:");
    let lopsided = labelled((("common", 1_000_000, 0..=99), ("rare", 1, 100..=999)));
    println!("  never made in 1000 samples: {:?}", Examination::of(&lopsided, 1000, 0).arms_never_taken());
    println!("  the same for balanced trees: {:?}", Examination::of(&avl(0, 60), 1000, 0).arms_never_taken());
}

fn report<G: Generator>(generator: &G) {
    match Laws::default().without_reading().verify(generator) {
        Ok(()) => println!("  obeys the laws"),
        Err(broken) => println!("  {}", broken.to_string().replace('\n', "\n  ")),
    }
}
