//! What stands above `unsafe`.

use super::{File, Finding, Rule};
use crate::rust_source::{tokens, without_comments_and_literals};

pub(super) const SAFETY_COMMENTS: Rule = Rule {
    name: "safety-comments",
    rule: "Every `unsafe` block and every `unsafe impl` has a comment `// SAFETY: …` directly above it.",
    why: "The compiler has stopped checking there; the next reader needs to know what is true instead, and why.",
    way_out: "Write `// SAFETY: …`: what the operation requires, and what guarantees it here. If that is hard, do without.",
    check: |tree| {
        let mut findings = Vec::new();
        for file in tree.with_extension("rs") {
            let code = without_comments_and_literals(&file.text);
            let lines: Vec<&str> = code.lines().collect();
            for pair in tokens(&code).windows(2) {
                if pair[0].text == "unsafe"
                    && matches!(pair[1].text, "{" | "impl")
                    && !is_explained(file, &lines, pair[0].line)
                {
                    findings.push(Finding::new(&file.path, pair[0].line, "`unsafe` without a SAFETY comment"));
                }
            }
        }
        findings
    },
};

/// Looks upwards from the line, through comments, attributes and the beginning of the same
/// statement.
fn is_explained(file: &File, code: &[&str], line: usize) -> bool {
    let raw: Vec<&str> = file.text.lines().collect();
    let mut at = line - 1;
    loop {
        let comment = raw[at].split_once("//").map_or("", |(_, comment)| comment);
        if comment.contains("SAFETY:") {
            return true;
        }
        if at == 0 {
            return false;
        }
        at -= 1;
        let above = code[at].trim();
        let is_comment = above.is_empty() && !raw[at].trim().is_empty();
        let is_attribute = above.starts_with("#[") && above.ends_with(']');
        let is_same_statement = !above.is_empty() && !above.ends_with([';', '{', '}', ',']);
        if !is_comment && !is_attribute && !is_same_statement {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::SAFETY_COMMENTS;

    fn check(text: &str) -> Vec<String> {
        places(&SAFETY_COMMENTS, &[("a.rs", text)])
    }

    #[test]
    fn an_unexplained_block_is_found() {
        assert_eq!(check("fn f() {\n    unsafe { g() }\n}\n"), ["a.rs:2"]);
        assert_eq!(check("unsafe impl Send for X {}\n"), ["a.rs:1"]);
        assert_eq!(check("// quite safe\nunsafe { g() }\n"), ["a.rs:2"]);
        assert_eq!(check("// SAFETY: far away.\n\nunsafe { g() }\n"), ["a.rs:3"]);
        assert_eq!(check("// SAFETY: of another.\nlet a = b;\nunsafe { g() }\n"), ["a.rs:3"]);
        assert_eq!(check("let a = \"SAFETY:\"; unsafe { g() }\n"), ["a.rs:1"]);
        assert_eq!(check("// SAFETY: one.\nunsafe { g() };\nunsafe { g() }\n"), ["a.rs:3"]);
    }

    #[test]
    fn an_explained_block_is_not() {
        for text in [
            "// SAFETY: g needs nothing.\nunsafe { g() }\n",
            "// SAFETY: g needs\n// nothing.\nunsafe { g() }\n",
            "// SAFETY: g needs nothing.\n#[allow(x)]\nlet a =\n    unsafe { g() };\n",
            "unsafe { g() } // SAFETY: g needs nothing.\n",
            "/// A function that asks something of its caller.\nunsafe fn f();\n",
            "// unsafe { g() }\nlet a = \"unsafe { g() }\";\n",
        ] {
            assert!(check(text).is_empty(), "{text}");
        }
    }
}
