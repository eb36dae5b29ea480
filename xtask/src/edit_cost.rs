//! `cargo xtask edit-cost`: what tests written with the library cost to compile, in CPU time,
//! beside the same tests written with others.
//!
//! A dependency is compiled once; tests are compiled at every edit. What is generic in the library,
//! and what its macros write, is compiled there.

use crate::build_cost::{EmptyFolder, children_user_seconds, finished, plain_cargo};
use std::path::Path;

/// How often the tests of a contender stand in its crate, each time with types of their own.
const COPIES: usize = 40;
/// Edits that are measured; the least counts.
const EDITS: usize = 3;

struct Contender {
    name: &'static str,
    dependencies: &'static str,
    prelude: &'static str,
    /// What is written [`COPIES`] times, `#` for the number of the copy.
    copy: String,
}

/// A struct of four fields and an enum of five variants.
fn types(derived: &str) -> String {
    "
#[derive(Debug, Clone, PartialEq DERIVED)]
pub struct Point# { pub x: i32, pub y: i32, pub label: String, pub tags: Vec<u8> }
#[derive(Debug, Clone, PartialEq DERIVED)]
pub enum Shape# { Empty, Dot(Point#), Line(Point#, Point#), Many(Vec<Point#>), Named { name: String, weight: Option<u32> } }
"
    .replace(" DERIVED", derived)
}

/// Two properties of these types and of lists, each begun by `attribute`.
fn properties(attribute: &str) -> String {
    r#"
ATTRIBUTE
fn shapes_#(shape: Shape#, numbers: Vec<i64>, number: u8) {
    assert!(format!("{shape:?}").len() + numbers.len() + usize::from(number) > 0);
}
ATTRIBUTE
fn lists_#(list: Vec<u32>, text: String) {
    let twice: Vec<u32> = list.iter().rev().rev().copied().collect();
    assert_eq!(list, twice);
    assert!(text.len() < 1 << 20);
}
"#
    .replace("ATTRIBUTE", attribute)
}

fn contenders() -> [Contender; 4] {
    [
    Contender {
        name: "retrospect, derived",
        dependencies: "retrospect = { path = \"ROOT/crates/retrospect\" }",
        prelude: "use retrospect::prelude::*;",
        copy: types(", Generate") + &properties("#[property]"),
    },
    Contender {
        name: "proptest, derived",
        dependencies: "proptest = \"1\"\nproptest-derive = \"0.5\"",
        prelude: "use proptest::prelude::*;\nuse proptest_derive::Arbitrary;",
        copy: types(", Arbitrary") + "proptest! {" + &properties("#[test]") + "}",
    },
    Contender {
        name: "quickcheck, by hand",
        dependencies: "quickcheck = { version = \"1.1\", default-features = false }\nquickcheck_macros = \"1\"",
        prelude: "use quickcheck::{Arbitrary, Gen};\nuse quickcheck_macros::quickcheck;",
        copy: types("") + &properties("#[quickcheck]") + "
impl Arbitrary for Point# {
    fn arbitrary(g: &mut Gen) -> Self {
        Point# { x: Arbitrary::arbitrary(g), y: Arbitrary::arbitrary(g), label: Arbitrary::arbitrary(g), tags: Arbitrary::arbitrary(g) }
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let parts = (self.x, self.y, self.label.clone(), self.tags.clone());
        Box::new(parts.shrink().map(|(x, y, label, tags)| Point# { x, y, label, tags }))
    }
}
impl Arbitrary for Shape# {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 5 {
            0 => Shape#::Empty,
            1 => Shape#::Dot(Arbitrary::arbitrary(g)),
            2 => Shape#::Line(Arbitrary::arbitrary(g), Arbitrary::arbitrary(g)),
            3 => Shape#::Many(Arbitrary::arbitrary(g)),
            _ => Shape#::Named { name: Arbitrary::arbitrary(g), weight: Arbitrary::arbitrary(g) },
        }
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        match self {
            Shape#::Empty => quickcheck::empty_shrinker(),
            Shape#::Dot(at) => Box::new(at.shrink().map(Shape#::Dot)),
            Shape#::Line(from, to) => Box::new((from.clone(), to.clone()).shrink().map(|(from, to)| Shape#::Line(from, to))),
            Shape#::Many(points) => Box::new(points.shrink().map(Shape#::Many)),
            Shape#::Named { name, weight } => {
                Box::new((name.clone(), *weight).shrink().map(|(name, weight)| Shape#::Named { name, weight }))
            }
        }
    }
}
",
    },
    Contender {
        name: "retrospect, two `#[generator]`s and a property",
        dependencies: "retrospect = { path = \"ROOT/crates/retrospect\" }",
        prelude: "use retrospect::prelude::*;
#[derive(Debug, Clone, PartialEq)]
pub enum Tree { Leaf, Node(Box<Tree>, i32, Box<Tree>) }
#[derive(Debug, Clone, PartialEq)]
pub enum Json { Null, Bool(bool), Number(i32), Text(String), List(Vec<Json>), Object(Vec<(String, Json)>) }
",
        copy: r#"
#[generator]
fn tree_#(low: i32, high: i32) -> Tree {
    if low > high { return Tree::Leaf; }
    match pick() {
        "leaf" => Tree::Leaf,
        #[weight(3)]
        "node" => {
            let key = draw(low..=high);
            let left = draw(tree_#(low, key - 1));
            let right = draw(tree_#(key + 1, high));
            Tree::Node(Box::new(left), key, Box::new(right))
        }
    }
}
#[generator]
fn json_#(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => { let value = draw(any::<bool>()); Json::Bool(value) }
        "number" => { let value = draw(any::<i32>()); Json::Number(value) }
        "text" => { let value = draw(string_of('a'..='z', 0..=8)); Json::Text(value) }
        #[weight(if depth == 0 { 0 } else { 1 })]
        "list" => { let items = draw(vec_of(json_#(depth.saturating_sub(1)), 0..=4)); Json::List(items) }
        #[weight(if depth == 0 { 0 } else { 1 })]
        "object" => {
            let items = draw(vec_of(tuple((string_of('a'..='z', 0..=8), json_#(depth.saturating_sub(1)))), 0..=4));
            Json::Object(items)
        }
    }
}
#[property]
fn values_#(#[from(tree_#(0, 100))] tree: Tree, #[from(json_#(3))] json: Json) {
    assert!(!format!("{tree:?} {json:?}").is_empty());
}
"#.to_owned(),
    },
]
}

/// Compiles the tests of each contender from nothing and after an edit, and prints a table.
pub fn run(root: &Path) -> Result<(), String> {
    let mut rows = Vec::new();
    for (at, contender) in contenders().iter().enumerate() {
        let folder = EmptyFolder::new(&format!("edit-{at}"))?;
        let cost = measured(contender, root, &folder.0).map_err(|problem| format!("{}: {problem}", contender.name))?;
        rows.push((contender.name, cost));
    }
    print!("\n{}", table(&rows));
    Ok(())
}

/// User CPU seconds.
struct Cost {
    from_nothing: f64,
    after_an_edit: f64,
}

fn measured(contender: &Contender, root: &Path, folder: &Path) -> Result<Cost, String> {
    let sources = folder.join("src/lib.rs");
    let written = tests_of(contender);
    write(&folder.join("Cargo.toml"), &manifest_of(contender, root))?;
    write(&sources, &written)?;
    // The dependencies, and the crate once: that it compiles at all.
    compile(folder)?;
    // What the compiler knows of earlier times.
    let known = folder.join("target/debug/incremental");
    std::fs::remove_dir_all(&known).map_err(|error| format!("{}: {error}", known.display()))?;
    write(&sources, &format!("{written}\n// Again.\n"))?;
    let from_nothing = compile(folder)?;
    let mut after_an_edit = f64::INFINITY;
    for edit in 0..EDITS {
        // In the body of the first test.
        let edited = written.replacen("assert!(", &format!("let _ = {edit};\n    assert!("), 1);
        write(&sources, &edited)?;
        after_an_edit = compile(folder)?.min(after_an_edit);
    }
    Ok(Cost { from_nothing, after_an_edit })
}

fn compile(folder: &Path) -> Result<f64, String> {
    let before = children_user_seconds()?;
    let mut cargo = plain_cargo(folder, &["test", "--no-run", "--quiet"]);
    finished(cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("CARGO_INCREMENTAL"))?;
    Ok(children_user_seconds()? - before)
}

fn manifest_of(contender: &Contender, root: &Path) -> String {
    let dependencies = contender.dependencies.replace("ROOT", &root.display().to_string());
    format!(
        "[package]\nname = \"edit-cost\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n[workspace]\n\n[dev-dependencies]\n{dependencies}\n"
    )
}

fn tests_of(contender: &Contender) -> String {
    let mut written = format!("#[cfg(test)]\nmod tests {{\n{}\n", contender.prelude);
    for number in 0..COPIES {
        // Attributes begin with the same sign.
        let copy = contender.copy.replace("#[", "\0").replace('#', &number.to_string());
        written += &copy.replace('\0', "#[");
    }
    written + "}\n"
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn table(rows: &[(&str, Cost)]) -> String {
    let heading = format!("{COPIES} copies, user CPU");
    let width = rows.iter().fold(heading.len(), |width, (name, _)| width.max(name.len()));
    let mut out = format!("{heading:<width$}  from nothing  after an edit\n");
    for (name, cost) in rows {
        out += &format!("{name:<width$}  {:>10.2} s  {:>11.2} s\n", cost.from_nothing, cost.after_an_edit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_copy_has_types_and_tests_of_its_own() {
        for contender in &contenders() {
            let written = tests_of(contender);
            let last = COPIES - 1;
            assert!(written.contains(&format!("_{last}(")) && !written.contains(&format!("_{COPIES}(")), "{written}");
            assert!(!["ATTRIBUTE", "DERIVED", "_#", "Point#"].iter().any(|word| written.contains(word)), "{written}");
        }
        let derived = tests_of(&contenders()[0]);
        assert!(derived.contains("#[derive(Debug, Clone, PartialEq, Generate)]\npub struct Point7 {"), "{derived}");
        assert!(derived.contains("#[property]\nfn lists_7(list: Vec<u32>"), "{derived}");
    }

    #[test]
    fn the_table_has_a_row_for_each() {
        let rows = [("a", Cost { from_nothing: 1.234, after_an_edit: 0.5 })];
        let expected = "40 copies, user CPU  from nothing  after an edit\n\
                        a                          1.23 s         0.50 s\n";
        assert_eq!(table(&rows), expected);
    }
}
