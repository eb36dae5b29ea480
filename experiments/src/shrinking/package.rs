//! A configuration file that somebody sends with a bug report: no generator made it, and yet it
//! shrinks.
//!
//! The program is wrong for one version of one package. The document is read twice: as a
//! `package.json` with its fixed fields, and as any JSON.

use crate::beside::data_beside;
use crate::measure::Table;
use retrospect::prelude::*;
use serde_json::Value;
use std::cmp::Ordering;
use std::path::Path;

/// The fields of a `package.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    name: String,
    description: String,
    scripts: Scripts,
    repository: Repository,
    keywords: Vec<String>,
    author: String,
    license: String,
    dev_dependencies: Vec<(String, String)>,
    dependencies: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Scripts {
    start: String,
    build: String,
    test: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Repository {
    kind: String,
    url: String,
}

/// Any JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The document that comes with the project.
pub const OWN: &str = include_str!("../../data/package.json");

/// What the paper shows as the result for its document.
const PUBLISHED: &str = r#"{"name":"a","description":"a","scripts":{"start":"a","build":"a","test":"a"},"repository":{"type":"a","url":"a"},"keywords":[],"author":"a","license":"a","devDependencies":{},"dependencies":{"express":"^4.15.3"}}"#;

/// Text that is not empty.
fn words() -> impl Generator<Value = String> + Clone {
    string_of(' '..='~', 1..)
}

fn versions() -> impl Generator<Value = Vec<(String, String)>> + Clone {
    vec_of((words(), words()), ..)
}

#[generator]
pub fn package() -> Package {
    let name = draw(words());
    let description = draw(words());
    let scripts = draw(scripts());
    let repository = draw(repository());
    let keywords = draw(vec_of(words(), ..));
    let author = draw(words());
    let license = draw(words());
    let dev_dependencies = draw(versions());
    let dependencies = draw(versions());
    Package { name, description, scripts, repository, keywords, author, license, dev_dependencies, dependencies }
}

#[generator]
fn scripts() -> Scripts {
    let start = draw(words());
    let build = draw(words());
    let test = draw(words());
    Scripts { start, build, test }
}

#[generator]
fn repository() -> Repository {
    let kind = draw(words());
    let url = draw(words());
    Repository { kind, url }
}

#[generator]
pub fn json(depth: u32) -> Json {
    match pick() {
        "null" => Json::Null,
        "bool" => Json::Bool(draw(any::<bool>())),
        "number" => Json::Number(draw(any::<i64>())),
        "string" => Json::String(draw(string_of(' '..='~', ..))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "array" => Json::Array(draw(vec_of(json(depth - 1), ..))),
        #[weight(if depth == 0 { 0 } else { 2 })]
        "object" => Json::Object(draw(vec_of((string_of(' '..='~', ..), json(depth - 1)), ..))),
    }
}

/// Whether the text has the version that is not handled.
fn fails(compact: &str) -> bool {
    compact.contains(r#""express":"^4.15.3""#)
}

impl Package {
    /// Reads it; what has other fields is no such document.
    pub fn read(text: &str) -> Option<Package> {
        let value: Value = serde_json::from_str(text).ok()?;
        let text_at = |path: &str| value.pointer(path)?.as_str().map(str::to_owned);
        let entries = |field: &str| {
            let entries = value.get(field)?.as_object()?.iter();
            entries
                .map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned())))
                .collect::<Option<Vec<_>>>()
        };
        let keywords = value.get("keywords")?.as_array()?.iter();
        Some(Package {
            name: text_at("/name")?,
            description: text_at("/description")?,
            scripts: Scripts {
                start: text_at("/scripts/start")?,
                build: text_at("/scripts/build")?,
                test: text_at("/scripts/test")?,
            },
            repository: Repository { kind: text_at("/repository/type")?, url: text_at("/repository/url")? },
            keywords: keywords.map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?,
            author: text_at("/author")?,
            license: text_at("/license")?,
            dev_dependencies: entries("devDependencies")?,
            dependencies: entries("dependencies")?,
        })
    }

    /// The document on one line.
    pub fn to_text(&self) -> String {
        let text = |text: &str| Json::String(text.to_owned());
        let entries = |entries: &[(String, String)]| {
            Json::Object(entries.iter().map(|(name, version)| (name.clone(), text(version))).collect())
        };
        let object = |fields: Vec<(&str, Json)>| {
            Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        };
        let Scripts { start, build, test } = &self.scripts;
        let document = object(vec![
            ("name", text(&self.name)),
            ("description", text(&self.description)),
            ("scripts", object(vec![("start", text(start)), ("build", text(build)), ("test", text(test))])),
            ("repository", object(vec![("type", text(&self.repository.kind)), ("url", text(&self.repository.url))])),
            ("keywords", Json::Array(self.keywords.iter().map(|word| text(word)).collect())),
            ("author", text(&self.author)),
            ("license", text(&self.license)),
            ("devDependencies", entries(&self.dev_dependencies)),
            ("dependencies", entries(&self.dependencies)),
        ]);
        document.to_text()
    }
}

impl Json {
    /// Reads any JSON whose numbers are whole.
    pub fn read(text: &str) -> Option<Json> {
        fn convert(value: &Value) -> Option<Json> {
            Some(match value {
                Value::Null => Json::Null,
                Value::Bool(value) => Json::Bool(*value),
                Value::Number(number) => Json::Number(number.as_i64()?),
                Value::String(text) => Json::String(text.clone()),
                Value::Array(items) => Json::Array(items.iter().map(convert).collect::<Option<Vec<_>>>()?),
                Value::Object(fields) => {
                    let fields = fields.iter().map(|(name, value)| Some((name.clone(), convert(value)?)));
                    Json::Object(fields.collect::<Option<Vec<_>>>()?)
                }
            })
        }
        convert(&serde_json::from_str(text).ok()?)
    }

    /// The document on one line.
    pub fn to_text(&self) -> String {
        match self {
            Json::Null => "null".to_owned(),
            Json::Bool(value) => value.to_string(),
            Json::Number(number) => number.to_string(),
            Json::String(text) => Value::from(text.as_str()).to_string(),
            Json::Array(items) => {
                format!("[{}]", items.iter().map(Json::to_text).collect::<Vec<_>>().join(","))
            }
            Json::Object(fields) => {
                let field =
                    |(name, value): &(String, Json)| format!("{}:{}", Value::from(name.as_str()), value.to_text());
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// A document shrunk in both ways: what became of it, and in how many runs.
#[derive(Debug)]
pub struct Shrunk {
    pub as_package: (String, u64),
    pub as_json: (String, u64),
}

/// Shrinks a document, or says why not.
pub fn shrink(text: &str) -> Result<Shrunk, String> {
    let read = Package::read(text).ok_or("it lacks a field of a package.json, or has one of another type")?;
    let smallest = package().shrink(read, |package| fails(&package.to_text())).map_err(|error| error.to_string())?;
    let as_package = (smallest.value.to_text(), smallest.runs - smallest.searched);
    let read = Json::read(text).ok_or("it has a number that is not whole")?;
    let smallest = json(8).shrink(read, |json| fails(&json.to_text())).map_err(|error| error.to_string())?;
    Ok(Shrunk { as_package, as_json: (smallest.value.to_text(), smallest.runs - smallest.searched) })
}

/// The section of the report: all documents at hand, and one more if there is one.
pub(super) fn run(more: Option<&Path>) -> std::io::Result<String> {
    let mut documents = documents()?;
    if let Some(path) = more {
        documents.push(read(path)?);
    }
    let mut table = Table::new(&["document", "bytes", "read as", "result", "beside the paper's", "runs"]);
    for (name, text) in &documents {
        let shrunk =
            shrink(text).map_err(|reason| std::io::Error::other(format!("{name} was not shrunk: {reason}")))?;
        for (kind, (result, runs)) in [("package.json", shrunk.as_package), ("any JSON", shrunk.as_json)] {
            let beside = match result.len().cmp(&PUBLISHED.len()) {
                _ if result == PUBLISHED => "the same",
                Ordering::Less => "shorter",
                Ordering::Equal | Ordering::Greater => "not shorter",
            };
            let (bytes, result) = (text.len().to_string(), format!("`{result}`"));
            table.row(vec![name.clone(), bytes, kind.to_owned(), result, beside.to_owned(), runs.to_string()]);
        }
    }
    Ok(format!(
        "## A document that nobody generated\n\n\
         A `package.json` as a user would send it, wrong because of one version of one package (`\"express\":\"^4.15.3\"`). The paper's reflective shrinker keeps the \
         fixed fields and makes every other text `a`. Here it is read twice: as those fields, and as any JSON, of which less needs to stay.\n\n{}",
        table.to_markdown()
    ))
}

/// The name and the text of our own document, and of the paper's where it is at hand.
fn documents() -> std::io::Result<Vec<(String, String)>> {
    let mut documents = vec![("the project's own".to_owned(), OWN.to_owned())];
    if let Some(path) = data_beside("package-json/demo.json") {
        let (_, text) = read(&path)?;
        documents.push(("that of the paper".to_owned(), text));
    }
    Ok(documents)
}

fn read(path: &Path) -> std::io::Result<(String, String)> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_and_written() {
        let package = Package::read(OWN).unwrap();
        assert_eq!(Package::read(&package.to_text()), Some(package));
        let json = Json::read(OWN).unwrap();
        assert_eq!(Json::read(&json.to_text()), Some(json));
        assert_eq!(Package::read("{}"), None);
        assert_eq!(Json::read("{"), None);
    }

    #[test]
    fn a_document_shrinks_to_what_the_paper_shows() {
        for (name, text) in documents().unwrap() {
            let shrunk = shrink(&text).unwrap();
            assert_eq!(shrunk.as_package.0, PUBLISHED, "{name}");
            assert_eq!(shrunk.as_json.0, r#"{"express":"^4.15.3"}"#, "{name}");
        }
    }

    #[test]
    fn what_is_no_package_says_so() {
        assert_eq!(shrink("[]").unwrap_err(), "it lacks a field of a package.json, or has one of another type");
        let fine = OWN.replace("^4.15.3", "^4.15.4");
        assert_eq!(shrink(&fine).unwrap_err(), "this value does not fail, so there is nothing to shrink");
    }
}
