//! The rules of `cargo xtask tidy` as tests, one each, so that `cargo test --workspace` finds what
//! is out of order.

use xtask::tidy::{RULES, Tree, report};

macro_rules! rules {
    ($($test:ident = $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*

        #[test]
        fn every_rule_is_a_test() {
            let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            assert_eq!(rules, [$($name),*], "left: the rules, right: their tests in this file");
        }
    };
}

rules! {
    dependency_direction = "dependency-direction",
    workspace_fields = "workspace-fields",
    pure_engine = "pure-engine",
    layers = "layers",
    safety_comments = "safety-comments",
    short_files = "short-files",
    comment_width = "comment-width",
    finished_work = "finished-work",
    no_machine_paths = "no-machine-paths",
    clean_ends = "clean-ends",
    documents_exist = "documents-exist",
    links_lead_somewhere = "links-lead-somewhere",
    two_commands = "two-commands",
    references = "references",
    short_pages = "short-pages",
}

#[track_caller]
fn check(name: &str) {
    let rule = RULES.iter().find(|rule| rule.name == name).expect("a rule of that name");
    let findings = (rule.check)(&Tree::load(&xtask::root()).unwrap());
    assert!(findings.is_empty(), "\n{}", report(rule, &findings));
}
