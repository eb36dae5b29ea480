//! The lines of real runs are valid.

#[path = "../../../retrospect-stats/tests/schema/validator.rs"]
mod validator;

use crate::observed;

#[test]
fn lines_of_real_runs_are_valid() {
    let schemas = validator::schemas();
    for property in
        ["passes", "discards", "fails", "fails_at_its_example", "draws_in_its_body", "strange_texts", "huge"]
    {
        let (_, lines, _) = observed(property, &[]);
        assert!(!lines.is_empty(), "{property}");
        for line in &lines {
            for schema in &schemas {
                assert_eq!(validator::problem(line, schema), None, "{line}");
            }
        }
    }
}
