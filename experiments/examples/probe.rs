use retrospect::prelude::*;
use retrospect::source::Source;
#[derive(Clone, Debug, PartialEq)]
enum T {
    Leaf,
    Three(Box<T>, Box<T>, Box<T>),
    Many(Vec<T>),
}
#[generator]
fn t() -> T {
    match pick() {
        "leaf" => T::Leaf,
        "three" => {
            let (a, b, c) = draw((t(), t(), t()));
            T::Three(Box::new(a), Box::new(b), Box::new(c))
        }
        "many" => T::Many(draw(vec_of(t(), ..))),
    }
}
fn main() {
    for size in [1, 2, 5, 8, 30] {
        let mut n = 0;
        let mut first = None;
        for seed in 0..300 {
            let a = t().generate(&mut Source::random(seed).with_size(size)).unwrap();
            let b = t().generate(&mut Source::recording(seed).with_size(size)).unwrap();
            if a != b {
                n += 1;
                first.get_or_insert(seed);
            }
        }
        println!("size {size}: {n} differ, {first:?}");
    }
}
