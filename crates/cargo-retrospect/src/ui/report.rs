//! The page and its data in one file.

use super::answers::Overview;
use super::follow::News;
use super::{bundle, source};
use clap::Args;
use retrospect_stats::read::Follower;
use retrospect_stats::summary::{Columns, Order, Run, Store};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write what was tested into one HTML file, for a review or an archive. It needs no server and no
/// network.
#[derive(Args, Debug)]
pub struct Report {
    /// Files of observations, and directories with such files (*.jsonl); without any, those that
    /// `ui` shows.
    #[arg(value_name = "FILE OR DIRECTORY")]
    paths: Vec<PathBuf>,
    /// Where to write the report.
    #[arg(short, long, value_name = "FILE", default_value = "retrospect-report.html")]
    output: PathBuf,
    /// How many examples of each property are written down.
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    examples: usize,
    /// Only properties whose path contains this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    property: String,
    /// Where sources are: files outside of it are not written down. Without it: the workspace.
    #[arg(long, value_name = "DIRECTORY")]
    root: Option<PathBuf>,
}

pub fn run(command: &Report) -> ExitCode {
    match write(command) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn write(command: &Report) -> Result<String, String> {
    let root = command.root.clone().unwrap_or_else(super::workspace);
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let paths = super::observed(&command.paths, &root)?;
    let mut store = Store::default();
    Follower::new(paths.clone()).read_into(&mut store);
    let (data, n_properties) = data(&store, &root, command);
    if n_properties == 0 {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let with = if command.property.is_empty() {
            String::new()
        } else {
            format!(" of a property with {:?}", command.property)
        };
        return Err(format!("there are no cases{with} in {}: run `cargo retrospect test` first", paths.join(", ")));
    }
    let html = html(&data);
    fs::write(&command.output, &html).map_err(|error| format!("{}: {error}", command.output.display()))?;
    let properties = if n_properties == 1 { "1 property".to_owned() } else { format!("{n_properties} properties") };
    Ok(format!("{}: {properties}, {} kB", command.output.display(), html.len() / 1000))
}

/// What the page would ask a server for.
fn data(store: &Store, root: &Path, command: &Report) -> (Value, usize) {
    let mut overview = Overview::of(store, "", News { version: 1, loaded: true });
    overview.properties.retain(|row| row.name.contains(&command.property));
    let mut pages = Map::new();
    let mut left = FOR_FILTERS;
    for row in &mut overview.properties {
        let Some(run) = store.latest(&row.name) else { continue };
        // Only the newest run is in the report.
        let newest = row.runs.len().saturating_sub(1);
        row.runs.drain(..newest);
        pages.insert(row.name.clone(), page(store, run, root, command.examples, &mut left));
    }
    let n_properties = pages.len();
    (json!({"overview": overview, "pages": pages}), n_properties)
}

/// So many bytes are spent on what filtering needs, all properties together, those first that need
/// eyes.
const FOR_FILTERS: usize = 12 << 20;

fn page(store: &Store, run: &Run, root: &Path, n_examples: usize, left: &mut usize) -> Value {
    let view = run.view(store, &[], "", 60);
    let mut texts: Map<String, Value> = Map::new();
    for case in view.history.counterexamples.iter().filter_map(|counterexample| counterexample.case) {
        if let Ok(line) = run.line_shown(store, case) {
            texts.insert(case.to_string(), line.into());
        }
    }
    let all = run.select(store, &[]);
    let mut sources = Map::new();
    for file in view.files.iter().take(40) {
        let lines = run.lines_of(&all, &file.file);
        let text = source::read(root, view.history.crate_directory.as_deref(), &file.file).ok();
        sources.insert(file.file.clone(), json!({"lines": lines, "text": text, "problem": null}));
    }
    let grid = match (view.pairs.first(), view.names.as_slice()) {
        (Some((x, y)), _) => run.grid(store, &[], x, y),
        (None, [x, y, ..]) => run.grid(store, &[], x, y),
        _ => None,
    };
    let examples = run.examples(store, &[], Order::Frequent, 0, n_examples);
    let columns = columns(&run.columns(&view, &examples), left);
    json!({"view": view, "examples": examples, "lines": texts, "sources": sources, "grid": grid, "columns": columns})
}

/// As the page reads them; nothing if they are too large.
fn columns(columns: &Columns, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(columns.bytes())?;
    let features: Vec<(&String, String)> = columns.features.iter().map(|(name, bars)| (name, base64(bars))).collect();
    Some(json!({
        "flags": base64(&columns.flags),
        "features": features,
        "reasons": base64(&columns.reasons),
        "how": base64(&columns.how),
        "times": base64(&columns.times),
        "examples": base64(&columns.examples),
    }))
}

/// Bytes as a browser reads them from text.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// Everything in one document. Data is text to the browser, whatever is in it: what could end the
/// element is written as an escape.
fn html(data: &Value) -> String {
    let nonce = super::serve::new_key();
    let data = data.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
    );
    let style = bundle::STYLE.replace("</", "<\\/");
    let script = bundle::SCRIPT.replace("</script", "<\\/script");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>What was tested</title>\n\
         <style nonce=\"{nonce}\">{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         <script type=\"application/json\" id=\"report\">{data}</script>\n\
         <script type=\"module\" nonce=\"{nonce}\">{script}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_browsers_read_them() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u{ff}?>"];
        let written = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "w78/Pg=="];
        assert_eq!(texts.map(|text| base64(text.as_bytes())), written);
    }

    #[test]
    fn markup_in_data_stays_text() {
        let html = html(&json!({"a": "</script><script>alert(1)</script><!-- \u{2028}"}));
        let data = html.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert!(!data.contains('<'), "{data}");
        let read: Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["a"], "</script><script>alert(1)</script><!-- \u{2028}");
    }
}
