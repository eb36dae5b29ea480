//! What the compiler says when a generator or a property is written wrongly: each message names the
//! way out.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
