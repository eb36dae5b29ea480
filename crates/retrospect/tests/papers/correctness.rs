//! *Reflecting on Random Generation*, section 4: what makes a reflective generator correct.

use retrospect::generator::shrink_to;
use retrospect::laws::{Law, Laws};
use retrospect::prelude::*;
use retrospect::reflect::{Reflected, Reflector};
use retrospect::sketch::Sketch;
use retrospect::source::{Distribution, Drawn, Source};

fn law_broken<G: Generator>(generator: &G) -> Option<Law> {
    Laws::default().without_reading().verify(generator).err().map(|broken| broken.law())
}

/// The second arm names an origin of another value.
fn with_a_second_way_to_another() -> impl Generator<Value = i32> {
    one_of((0..10, (0..5).map_with_inverse(|number| number + 1, |number| Some(*number))))
}

#[test]
fn all_ways_project_or_a_law_is_broken() {
    let broken = Laws::default().without_reading().verify(&with_a_second_way_to_another()).unwrap_err();
    assert_eq!(broken.law(), Law::Projection);
    assert_eq!(broken.problem(), "one of the ways to make it, 1:(0), makes 1");
    let right = one_of((0..10, (0..5).map_with_inverse(|number| number + 1, |number| Some(number - 1))));
    assert_eq!(law_broken(&right), None);
}

#[test]
fn ways_to_other_values_do_not_count() {
    let numbers = with_a_second_way_to_another();
    // 5 is made by the second arm, whose inverse does not find it.
    for (number, overlap) in [(3, "1"), (5, "1"), (9, "1"), (10, "0")] {
        assert_eq!(numbers.ways_of(&number).count().to_string(), overlap, "{number}");
    }
    let error = numbers.ways_of(&0).probability().unwrap_err();
    assert_eq!(error.reason(), "one of the ways to make it, 1:(0), makes 1 (`laws::check` finds such inverses)");
    assert_eq!(numbers.ways_of(&9).probability().unwrap().to_string(), "1/20");
}

/// A digit, by hand.
struct Digit {
    /// Whether it refuses the odd digits where it is asked how likely they are.
    refuses_to_weigh: bool,
}

impl Generator for Digit {
    type Value = u64;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<u64> {
        source.number(9, Distribution::Uniform)
    }

    fn reflect(&self, value: &u64, reflector: &mut Reflector) -> Reflected {
        let is_refused = self.refuses_to_weigh && reflector.is_weighing() && value % 2 == 1;
        if *value > 9 || is_refused {
            return reflector.mismatch(value, || "it is no digit".to_owned());
        }
        reflector.number(*value, 9, Distribution::Uniform)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<u64> {
        (0..10u64).complete(sketch, source)
    }
}

#[test]
fn what_is_accepted_has_a_probability_unless_it_is_dormant() {
    assert_eq!(law_broken(&Digit { refuses_to_weigh: false }), None);
    assert_eq!(law_broken(&Digit { refuses_to_weigh: true }), Some(Law::Complete));
    // An arm, numbers and lengths that are accepted and not drawn.
    laws::check(&labelled((("usual", drawn_if(true, 1), 0..10), ("never", drawn_if(false, 1), 10..20))));
    laws::check(&shrink_to(30, [1, 5, 10]));
    laws::check(&vec_of(0..10, ..));
}
