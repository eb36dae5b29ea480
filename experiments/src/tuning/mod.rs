//! Tuning by example: figure 7 of *Reflecting on Random Generation*, and what tuned drawing costs.
//!
//! A generator of JSON documents with a checksum is tuned to a few documents. Are its samples like
//! them? The paper looks at their lengths, and at how far the distribution of their characters is
//! from that of the documents.

mod checksum;
mod cost;
mod figure;

use crate::beside::data_beside;
use crate::measure::{Effort, Table, machine};
use retrospect::prelude::*;
use retrospect::text;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// A folder of JSON documents to tune to, and nothing else.
    pub documents: Option<&'a Path>,
    /// Whether the tables and the figure are written into the repository.
    pub write: bool,
}

/// The documents that come with the project.
const OWN: [&str; 10] = [
    include_str!("../../data/documents/00.json"),
    include_str!("../../data/documents/01.json"),
    include_str!("../../data/documents/02.json"),
    include_str!("../../data/documents/03.json"),
    include_str!("../../data/documents/04.json"),
    include_str!("../../data/documents/05.json"),
    include_str!("../../data/documents/06.json"),
    include_str!("../../data/documents/07.json"),
    include_str!("../../data/documents/08.json"),
    include_str!("../../data/documents/09.json"),
];

/// The grammar of the paper (*Reflecting on Random Generation*, appendix H): every arm is as likely
/// as its neighbours.
const APPENDIX_H: &str = r##"
    start = array: array | object: object;
    object = no_members: "{}" | members: "{" members "}";
    members = pair: pair | pair_members: pair "," members;
    pair = string ":" value;
    array = no_elements: "[]" | elements: "[" elements "]";
    elements = value: value | value_elements: value "," elements;
    value = "false" | string: string | array: array | number: number | "true" | object: object | "null";
    string = no_chars: '""' | chars: '"' chars '"';
    chars = char: char | char_chars: char chars;
    char = letter: letter | digit: digit | unescaped: unescaped | escaped: escaped;
    letter = [a-zA-Z];
    unescaped = [/+:@$!'(,.)#_-];
    escaped = "\\b" | "\\n" | "\\r" | "\\\\" | "\\t" | "\\f";
    number = int: int | int_exp: int exp | int_frac: int frac | int_frac_exp: int frac exp;
    int = nonzero_digits: nonzero digits | digit: digit | minus_digit: "-" digit | minus_digits: "-" digit digits;
    frac = "." digits;
    exp = e digits;
    digits = digit: digit | digit_digits: digit digits;
    digit = nonzero: nonzero | "0";
    nonzero = [1-9];
    e = "e" | "E" | "e-" | "E-" | "e+" | "E+";
"##;

/// As many as in the paper.
const SAMPLES: usize = 1000;

/// Samples of one generator, beside the examples.
pub(crate) struct Group {
    pub name: &'static str,
    /// Characters of each.
    pub lengths: Vec<usize>,
    /// How far the characters of each are from those of the examples.
    pub divergences: Vec<f64>,
    /// How many are `{}` or `[]`.
    pub empty: usize,
}

/// Documents to tune to.
struct Collection {
    /// What they are called in a heading.
    name: &'static str,
    /// What the name of the file of the figure ends in.
    figure: &'static str,
    documents: Vec<String>,
}

/// Tunes, samples, compares, prints and, if asked to, writes.
pub fn run(effort: Effort, wanted: &Wanted<'_>) -> io::Result<()> {
    let collections = collections(wanted.documents)?;
    let mut report = format!(
        "# Tuning by example, measured\n\nPrinted by `cargo run --release -p experiments -- tuning --write`. Machine: {}.\n\n\
         ## Figure 7\n\nA generator of JSON with a checksum is tuned to documents: {} samples of each generator.\n\
         The divergence is that of Jensen and Shannon (natural logarithm, at most {:.3}) between the characters of a sample and those of all\n\
         documents. Goals: the median divergence of tuned samples at most half of the untuned one; at most 5 % of tuned samples are `{{}}` or `[]`.\n\
         The paper shows the same without figures: its tuned samples are as long as the examples where the untuned ones are short, and their\n\
         characters are nearer to those of the examples. Its grammar is that of appendix H: by itself every second sample is empty. Its\n\
         lists are written by right recursion, so a text is as deep as it is long, and at most 128 levels are drawn: the tuned samples\n\
         are shorter than the examples. Without depths and without smoothing, as in the paper.\n\n",
        machine(),
        effort.of(SAMPLES),
        std::f64::consts::LN_2,
    );
    let mut figures = Vec::new();
    for Collection { name, figure, documents } in &collections {
        let groups = groups(documents, effort)?;
        let distinct = documents.iter().collect::<std::collections::BTreeSet<_>>().len();
        let file = format!("tuning{figure}.svg");
        report.push_str(&format!("### With {name}: {}, of which {distinct} are distinct\n\n", documents.len()));
        report.push_str(&table(&groups));
        report.push_str(&format!("\n![Lengths and divergences](../figures/{file})\n\n"));
        figures.push((file, figure::draw(&groups)));
    }
    report.push_str(&cost::run(&collections[0].documents, effort));
    println!("{report}");
    if wanted.write {
        std::fs::create_dir_all("docs/results")?;
        std::fs::create_dir_all("docs/figures")?;
        std::fs::write("docs/results/tuning.md", report.trim_end().to_owned() + "\n")?;
        println!("written to docs/results/tuning.md");
        for (file, figure) in figures {
            std::fs::write(format!("docs/figures/{file}"), figure)?;
            println!("written to docs/figures/{file}");
        }
    }
    Ok(())
}

/// The folder that was named; otherwise the project's own documents and those of the paper, if they
/// are at hand.
fn collections(named: Option<&Path>) -> io::Result<Vec<Collection>> {
    if let Some(folder) = named {
        let documents = read_documents(folder)?;
        return Ok(vec![Collection { name: "the documents of a folder", figure: "", documents }]);
    }
    let documents = OWN.map(|text| text.trim_end().to_owned()).to_vec();
    let mut collections = vec![Collection { name: "the project's own documents", figure: "", documents }];
    if let Some(folder) = data_beside("ifh-json") {
        let documents = read_documents(&folder)?;
        collections.push(Collection { name: "the documents of the paper", figure: "-paper", documents });
    }
    Ok(collections)
}

/// Every document of a folder, by name. Anything else in it is an error, so that nothing is left
/// out by mistake.
fn read_documents(folder: &Path) -> io::Result<Vec<String>> {
    let at = |error: io::Error, path: &Path| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| at(error, folder))? {
        paths.push(entry?.path());
    }
    paths.sort();
    let documents: Vec<String> = paths
        .iter()
        .map(|path| {
            std::fs::read_to_string(path).map(|text| text.trim_end().to_owned()).map_err(|error| at(error, path))
        })
        .collect::<io::Result<_>>()?;
    match documents.is_empty() {
        true => Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: no documents", folder.display()))),
        false => Ok(documents),
    }
}

fn groups(documents: &[String], effort: Effort) -> io::Result<Vec<Group>> {
    let generator = checksum::with_checksum(text::json());
    let error = |error: retrospect::NotGenerated| io::Error::new(io::ErrorKind::InvalidData, error.to_string());
    // The checksum is left for the generator to fill in.
    let with_checksum =
        |document: &String| generator.fill_text(&[&format!("{{\"payload\":{document},\"checksum\":"), "}"], 1);
    let examples: Vec<String> = documents.iter().map(with_checksum).collect::<Result<_, _>>().map_err(error)?;
    let tuned = generator.clone().tuned_like(&examples).map_err(error)?;
    let unlike = generator.clone().tuned_unlike(&examples).map_err(error)?;
    let published = checksum::with_checksum(text::grammar(APPENDIX_H).expect("the grammar is valid"));
    let weights = published.weights_of(&examples).map_err(error)?.without_depths().smoothed(0.0);
    let published_tuned =
        published.clone().with_weights(weights).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let counts = counts(documents.iter().map(String::as_str));
    let count = effort.of(SAMPLES);
    let sampled = |generator: &dyn Fn(u64) -> String| (0..count as u64).map(|seed| payload(&generator(seed))).collect();
    let of = |name, texts: Vec<String>| Group {
        name,
        lengths: texts.iter().map(|text| text.chars().count()).collect(),
        divergences: texts.iter().map(|text| divergence(&self::counts([text.as_str()]), &counts)).collect(),
        empty: texts.iter().filter(|text| *text == "{}" || *text == "[]").count(),
    };
    Ok(vec![
        of("examples", documents.to_vec()),
        of("untuned", sampled(&|seed| generator.sample(seed))),
        of("tuned_like", sampled(&|seed| tuned.sample(seed))),
        of("tuned_unlike", sampled(&|seed| unlike.sample(seed))),
        of("appendix H", sampled(&|seed| published.sample(seed))),
        of("appendix H, tuned", sampled(&|seed| published_tuned.sample(seed))),
    ])
}

/// The document inside of the one with the checksum.
fn payload(text: &str) -> String {
    let inner = text.strip_prefix("{\"payload\":").and_then(|rest| rest.rsplit_once(",\"checksum\":"));
    inner.map_or_else(|| text.to_owned(), |(payload, _)| payload.to_owned())
}

fn table(groups: &[Group]) -> String {
    let mut table = Table::new(&[
        "",
        "length, mean",
        "median",
        "quartiles",
        "divergence, median",
        "divergence, quartiles",
        "`{}` or `[]`",
    ]);
    for group in groups {
        let lengths: Vec<f64> = group.lengths.iter().map(|length| *length as f64).collect();
        table.row(vec![
            group.name.to_owned(),
            format!("{:.0}", mean(&lengths)),
            format!("{:.0}", quantile(&lengths, 0.5)),
            format!("{:.0} to {:.0}", quantile(&lengths, 0.25), quantile(&lengths, 0.75)),
            format!("{:.3}", quantile(&group.divergences, 0.5)),
            format!("{:.3} to {:.3}", quantile(&group.divergences, 0.25), quantile(&group.divergences, 0.75)),
            format!("{:.1} %", 100.0 * group.empty as f64 / group.lengths.len().max(1) as f64),
        ]);
    }
    table.to_markdown()
}

/// The value below which that share lies.
pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(((sorted.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn counts<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeMap<char, f64> {
    let mut counts = BTreeMap::new();
    for character in texts.into_iter().flat_map(str::chars) {
        *counts.entry(character).or_insert(0.0) += 1.0;
    }
    counts
}

/// The divergence of Jensen and Shannon of two distributions of characters, from 0 to ln 2.
fn divergence(one: &BTreeMap<char, f64>, other: &BTreeMap<char, f64>) -> f64 {
    let totals = [one, other].map(|counts| counts.values().sum::<f64>());
    let share = |counts: &BTreeMap<char, f64>, total: f64, character: &char| {
        counts.get(character).map_or(0.0, |count| count / total.max(1.0))
    };
    let term = |share: f64, mean: f64| if share > 0.0 { share * (share / mean).ln() } else { 0.0 };
    let mut sum = 0.0;
    for character in one.keys().chain(other.keys().filter(|character| !one.contains_key(character))) {
        let (left, right) = (share(one, totals[0], character), share(other, totals[1], character));
        let mean = (left + right) / 2.0;
        sum += (term(left, mean) + term(right, mean)) / 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divergence_is_zero_for_the_same_and_ln_2_for_strangers() {
        let of = |text: &str| counts([text]);
        assert!(divergence(&of("abba"), &of("ab")).abs() < 1e-12);
        assert!((divergence(&of("aa"), &of("bbb")) - std::f64::consts::LN_2).abs() < 1e-12);
        // 3/4 ln(3/2) at most: a half of one is all of the other.
        let half = 0.5 * (0.5 * (0.5f64 / 0.75).ln() + 0.5 * (0.5f64 / 0.25).ln()) + 0.5 * (1.0f64 / 0.75).ln();
        assert!((divergence(&of("ab"), &of("a")) - half).abs() < 1e-12);
    }

    #[test]
    fn the_goals_of_figure_7_are_reached_with_all_documents_at_hand() {
        for Collection { name, documents, .. } in collections(None).unwrap() {
            let groups = groups(&documents, Effort::Full).unwrap();
            let median = |place: usize| quantile(&groups[place].divergences, 0.5);
            assert!(median(2) <= median(1) / 2.0, "{name}: {} {}", median(2), median(1));
            assert!(median(3) > median(2), "{name}: {} {}", median(3), median(2));
            assert!(groups[2].empty * 20 <= groups[2].lengths.len(), "{name}: {} are empty", groups[2].empty);
            // Figure 7a: as long as the examples, where the untuned ones of the paper's grammar are
            // mostly empty.
            let lengths =
                |place: usize| -> Vec<f64> { groups[place].lengths.iter().map(|length| *length as f64).collect() };
            let share = mean(&lengths(2)) / mean(&lengths(0));
            assert!((0.5..1.5).contains(&share), "{name}: {share} of the mean length");
            let [untuned, tuned] = [4, 5];
            assert!(groups[untuned].empty * 3 >= groups[untuned].lengths.len(), "{name}: {}", groups[untuned].empty);
            assert!(groups[tuned].empty * 20 <= groups[tuned].lengths.len(), "{name}: {}", groups[tuned].empty);
            assert!(quantile(&lengths(tuned), 0.5) >= 10.0 * quantile(&lengths(untuned), 0.5), "{name}");
            assert!(median(tuned) <= median(untuned) / 2.0, "{name}: {} {}", median(tuned), median(untuned));
        }
    }
}
