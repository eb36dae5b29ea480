use retrospect::prelude::*;
use retrospect::source::Source;
fn main() {
    let g = map_of(0..=100i64, shrink_to(99, [0, 1]), 2..);
    for seed in 0..3000 {
        let v = g.generate(&mut Source::random(seed).with_size(8)).unwrap();
        let sum = |m: &std::collections::BTreeMap<i64, i64>| (m.keys().sum::<i64>() + m.values().sum::<i64>()) % 6 == 3;
        let s = v.clone();
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = g.mutants(&v, seed).map(|m| m.take(5).count());
        }));
        if r.is_err() {
            println!("mutants {seed} {s:?}");
            break;
        }
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = g.shrink(v.clone(), |m| sum(m) == sum(&v));
        }));
        if r.is_err() {
            println!("shrink {seed} {s:?} {}", g.choices_of(&s).unwrap());
            break;
        }
    }
}
