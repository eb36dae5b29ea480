use super::json::{entry, items, some_string, space, string};
use crate::text::{Text, sequence};
use std::sync::LazyLock;

/// A `package.json` with the fields that nearly every one has, in the usual order: `name`, `description`, `scripts` (`start`, `build`, `test`), `repository`
/// (`type`, `url`), `keywords`, `author`, `license`, `devDependencies`, `dependencies`.
///
/// It is the example of a document that nobody generated, and that shrinks all the same, with its form kept:
///
/// ```
/// use retrospect::prelude::*;
/// let document = r#"{
///     "name": "tides", "description": "When the harbour can be entered",
///     "scripts": {"start": "node server.js", "build": "esbuild main.ts", "test": "vitest run"},
///     "repository": {"type": "git", "url": "https://example.org/tides.git"},
///     "keywords": ["tides", "ships"], "author": "The harbour office", "license": "MIT",
///     "devDependencies": {"vitest": "^1.6.0"}, "dependencies": {"express": "^4.15.3", "pg": "^8.12.0"}
/// }"#;
/// let fails = |text: &String| text.replace(": ", ":").contains(r#""express":"^4.15.3""#);
/// assert_eq!(
///     text::package_json().shrink(document.to_owned(), fails).unwrap().value,
///     r#"{"name":"a","description":"a","scripts":{"start":"a","build":"a","test":"a"},"repository":{"type":"a","url":"a"},"keywords":[],"author":"a","license":"a","devDependencies":{},"dependencies":{"express":"^4.15.3"}}"#
/// );
/// ```
///
/// Texts are not empty, names of packages may be. White space may stand wherever it may in [`json`](super::json).
pub fn package_json() -> Text {
    static PACKAGE: LazyLock<Text> = LazyLock::new(document);
    PACKAGE.clone()
}

fn document() -> Text {
    let packages = || braces(items(entry(string(), some_string())));
    let keywords = sequence(["[".into(), space(), items(sequence([some_string(), space()])), "]".into()]);
    let text = some_string;
    let document = fields(&[
        ("name", text()),
        ("description", text()),
        ("scripts", fields(&[("start", text()), ("build", text()), ("test", text())])),
        ("repository", fields(&[("type", text()), ("url", text())])),
        ("keywords", keywords),
        ("author", text()),
        ("license", text()),
        ("devDependencies", packages()),
        ("dependencies", packages()),
    ]);
    sequence([space(), document, space()])
}

/// An object with exactly these fields.
fn fields(fields: &[(&str, Text)]) -> Text {
    let mut parts = Vec::new();
    for (place, (name, value)) in fields.iter().enumerate() {
        if place > 0 {
            parts.push(sequence([",".into(), space()]));
        }
        parts.push(entry(format!("\"{name}\"").into(), value.clone()));
    }
    braces(sequence(parts))
}

fn braces(inside: Text) -> Text {
    sequence(["{".into(), space(), inside, "}".into()])
}
