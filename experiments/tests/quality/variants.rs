//! Variants of the problems whose constants are drawn must end at the simplest too.

use experiments::shrinking::variants::variants;

/// Other variants than those of the tables, one of each family. Nine of ten starts are enough, and
/// one variant of ten may fall short.
#[test]
fn variants_that_nobody_chose() {
    let variants = variants(1, 1);
    let mut missed = Vec::new();
    for variant in &variants {
        let measured = variant.problem.measure(5, &mut |_| {});
        if measured.share(&variant.problem.normal_form) < 0.9 {
            missed.push((variant.problem.name, measured.results));
        }
    }
    assert!(missed.len() * 10 <= variants.len(), "{missed:#?}");
}
