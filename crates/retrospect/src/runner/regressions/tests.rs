use super::*;
use crate::generator::{Generator, any, element_of, string_of, vec_of};
use crate::source::Rng;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

const PROPERTY: &str = "ledger::tests::round_trip";

/// A directory that is removed at the end of the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let directory = std::env::temp_dir().join(format!("retrospect-regressions-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        Place(directory)
    }

    fn file(&self) -> PathBuf {
        file_of(&self.0.join("regressions"), PROPERTY)
    }

    fn holding(name: &str, text: impl AsRef<[u8]>) -> Place {
        let place = Place::new(name);
        fs::create_dir_all(place.0.join("regressions")).unwrap();
        fs::write(place.file(), text).unwrap();
        place
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    /// The names in the directory of the file.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.join("regressions")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// A problem, without the part of the path that differs from run to run.
    fn shown(&self, problem: &FileProblem) -> String {
        problem.to_string().replace(&*self.0.to_string_lossy(), "here")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The id of a case with these values among others.
fn id_for(values: &[(String, String)], others: &[SavedCase]) -> String {
    let case =
        SavedCase { id: String::new(), values: values.to_vec(), choices: None, notes: Vec::new(), is_minimal: true };
    case.free_id(&|id| others.iter().any(|other| other.id == id && other.values != values))
}

fn case(values: &[(&str, &str)]) -> SavedCase {
    let values: Vec<_> = values.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    SavedCase { id: id_for(&values, &[]), values, choices: None, notes: Vec::new(), is_minimal: true }
}

fn tree_case() -> SavedCase {
    SavedCase {
        choices: Some("1:node(0:leaf 4 0:leaf) 4".to_owned()),
        notes: vec!["assertion `left == right` failed, at src/ledger.rs:88:9".to_owned(), "  left: 1".to_owned()],
        ..case(&[("tree", "Node(Leaf, 4, Leaf)"), ("key", "4")])
    }
}

fn cases_in(text: &str) -> Vec<SavedCase> {
    format::entries_of(text).into_iter().filter_map(|entry| entry.content.ok()).collect()
}

fn broken_in(text: &str) -> Vec<Broken> {
    format::entries_of(text).into_iter().filter_map(|entry| entry.content.err()).collect()
}

fn with_case(text: &str, property_path: &str, case: &SavedCase, replaces: Option<&str>) -> String {
    format::with_case(text, property_path, case, replaces).0
}

const TREE_FILE: &str = "\
# Counterexamples of ledger::tests::round_trip, saved by retrospect. They run first on every run.
# Keep this file under version control. It may be edited: an entry is `case`, then `name = value` for each
# argument, indented. Comments stay, but for those directly under `case`.

case a9e7e
  # assertion `left == right` failed, at src/ledger.rs:88:9
  #   left: 1
  tree = Node(Leaf, 4, Leaf)
  key = 4
  choices: 1:node(0:leaf 4 0:leaf) 4
";

#[test]
fn a_file_reads_well() {
    let place = Place::new("reads_well");
    save(&place.file(), PROPERTY, &tree_case(), None).unwrap();
    assert_eq!(place.text(), TREE_FILE);
    let loaded = load(&place.file()).unwrap();
    assert_eq!((loaded.cases, loaded.broken), (vec![tree_case()], vec![]));
    assert_eq!(place.names(), ["ledger.tests.round_trip.txt"], "nothing else lies around");
}

#[test]
fn without_a_file_there_are_no_cases() {
    let place = Place::new("no_file");
    assert_eq!(load(&place.file()).unwrap().cases, []);
    assert!(!place.file().exists() && !place.0.join("regressions").exists());
}

#[test]
fn names_of_files() {
    let name = |path: &str| file_of(Path::new("r"), path).to_string_lossy().replace('\\', "/");
    assert_eq!(name("ledger::tests::round_trip"), "r/ledger.tests.round_trip.txt");
    assert_eq!(name("größe::прüfung"), "r/größe.прüfung.txt");
    assert_eq!(name("a::r#type"), "r/a.type.txt");
    assert_eq!(name("a.b"), "r/a_b-98923899.txt");
    assert_eq!(name("../../x"), "r/______x-be346a3b.txt");
    assert_eq!(name("aux::tests::x"), "r/_aux.tests.x-2cccc958.txt");
    assert_eq!(name(""), "r/-efd01f60.txt");
    assert!(name("::law").starts_with("r/_.law-"), "no file is hidden");
    let [long, longer] = [100, 101].map(|n| name(&"ä::".repeat(n)));
    assert!(long.len() < 150 && longer.len() < 150 && long != longer);
}

#[test]
fn any_text_comes_back() {
    // Every character that means something to the format, and others.
    let marks = element_of(
        ["\n", "\r", " ", "\t", "#", "=", ":", "⟨", "⟩", "⟨⟩", "⟨a⟩", "case", "choices:", "\\", ";", "\0"]
            .map(String::from),
    );
    let odd = element_of(["\u{feff}", "\u{2028}", "\u{85}", "\u{a0}", "\u{202e}", "ß", "0", "x"].map(String::from));
    let texts = vec_of(marks, 0..8);
    let odd_texts = vec_of(odd, 0..4);
    let all = string_of(any::<char>(), 0..20);
    let joined = |seed: u64| match seed % 3 {
        0 => texts.sample(seed).concat(),
        1 => texts.sample(seed).concat() + &odd_texts.sample(seed).concat() + &texts.sample(seed + 1).concat(),
        _ => all.sample(seed),
    };
    let mut text = String::new();
    let mut saved: Vec<SavedCase> = Vec::new();
    for seed in 0..2000_u64 {
        let values: Vec<_> = (0..1 + seed % 3).map(|n| (joined(7 * seed + n), joined(11 * seed + n))).collect();
        let others = if seed % 8 == 0 { Vec::new() } else { saved };
        let case = SavedCase {
            id: id_for(&values, &others),
            values,
            choices: (seed % 2 == 0).then(|| joined(13 * seed)),
            notes: vec![format!("{seed}")],
            is_minimal: seed % 5 > 0,
        };
        if seed % 8 == 0 {
            text = String::new();
        }
        text = with_case(&text, &joined(seed), &case, None);
        saved = others;
        saved.retain(|other| other.values != case.values);
        saved.push(case);
        let (mut found, mut expected) = (cases_in(&text), saved.clone());
        found.sort_by(|a, b| a.id.cmp(&b.id));
        expected.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(found, expected, "\n{text}");
        // What an editor does on saving changes nothing.
        let mut tidied: String = text.lines().map(|line| line.trim_end().to_owned() + "\r\n").collect();
        tidied.insert(0, format::BYTE_ORDER_MARK);
        assert_eq!(cases_in(&tidied), cases_in(&text));
    }
}

#[test]
fn only_what_would_be_swallowed_is_escaped() {
    let values = [
        ("plain", r#"Text { a: "tab\tquote\" ⟨", b: 'x', c: # = ; }"#),
        ("lines", "Text {\n    a: 1,\n\n# b\n}"),
        ("blanks", " \t both ends \t "),
        ("empty", ""),
        ("return", "a\r\nb\u{1b}[0m"),
    ];
    let text = with_case("\n", PROPERTY, &case(&values), None);
    let expected = r#"
  plain = Text { a: "tab\tquote\" ⟨27e8⟩", b: 'x', c: # = ; }
  lines = Text {
      ⟨20⟩   a: 1,
      ⟨⟩
      ⟨23⟩ b
      }
  blanks = ⟨20⟩	 both ends 	⟨20⟩
  empty =
  return = a⟨d⟩
      b⟨1b⟩[0m
"#;
    let (_, entry) = text.split_once("case ").unwrap();
    assert_eq!(&entry[entry.find('\n').unwrap()..], expected);
}

#[test]
fn hand_written_entries() {
    let text =
        "case\n\tkey = ⟨ 4\n\n    # mine\n  tree =\n      Node(\n        Leaf,\n      )\ncase 3F9C unfinished\n  x=1";
    // The last has an id, so a line end is missing.
    assert_eq!(broken_in(text).len(), 1);
    let cases = cases_in(&format!("{text}\n\ncase\n key = 5"));
    let shown: Vec<_> = cases.iter().map(|case| (case.id.as_str(), case.is_minimal, &case.values[..])).collect();
    let value = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(
        shown,
        [
            ("a6c34", true, &[value("key", "⟨ 4\ntree =\nNode(\nLeaf,\n)")][..]),
            ("3f9c", false, &[value("x", "1")][..]),
            ("a2ed2", true, &[value("key", "5")][..]),
        ]
    );
    assert!(cases[1].is_edited() && !cases[2].is_edited());
}

#[test]
fn choices_of_other_values_are_not_used() {
    let edited = TREE_FILE.replace("key = 4", "key = 5");
    let copied = TREE_FILE.to_owned() + "\n" + &edited[edited.find("case a9").unwrap()..];
    assert_eq!(broken_in(&copied), []);
    let choices: Vec<_> = cases_in(&copied).into_iter().map(|case| case.choices.is_some()).collect();
    assert_eq!(choices, [true, false]);
    // Renaming an argument is no edit of its value.
    assert_eq!(cases_in(&TREE_FILE.replace("key", "number"))[0].choices, tree_case().choices);
    // Saved again, the entry has choices of its own, and the id that goes with them.
    let case = SavedCase { choices: Some("1".to_owned()), ..cases_in(&edited).remove(0) };
    let saved = cases_in(&with_case(&edited, PROPERTY, &case, Some(&case.id)));
    assert_eq!(saved, [SavedCase { id: id_for(&case.values, &[]), ..case }]);
}

#[test]
fn ids_are_stable_and_distinct() {
    assert_eq!(tree_case().id, "a9e7e");
    assert_eq!(id_for(&[], &[]), "cefd0");
    // A copied entry whose values were changed is another case.
    let text = "case aaaa\n  x = 1\ncase aaaa\n  x = 2\ncase\n  x = 3\ncase\n  x = 3\n";
    let ids: Vec<_> = cases_in(text).into_iter().map(|case| case.id).collect();
    assert_eq!(ids, ["aaaa", "ed155", "cda20", "cda203"]);
    // An id that another case has grows.
    let taken = SavedCase { id: tree_case().id, ..case(&[("x", "1")]) };
    assert_eq!(id_for(&tree_case().values, std::slice::from_ref(&taken)), "a9e7ea");
    let text = "case a9e7e\n  x = 1\n\ncase\n  y = 2\n";
    let ids: Vec<_> = cases_in(&with_case(text, PROPERTY, &tree_case(), None)).into_iter().map(|c| c.id).collect();
    assert_eq!(ids, ["a9e7e", "ed155", "a9e7ea"]);
    // Whoever saved it is told, and replaces its own entry, not that of the other.
    let (text, id) = format::with_case(text, PROPERTY, &tree_case(), None);
    assert_eq!(id, "a9e7ea");
    let replaced = cases_in(&with_case(&text, PROPERTY, &case(&[("x", "9")]), Some(&id)));
    assert_eq!(replaced.iter().map(|case| &*case.values[0].1).collect::<Vec<_>>(), ["1", "2", "9"]);
    // Even if all digits of the hash are taken.
    let all = tree_case().free_id(&|id| id.len() < 19);
    assert!(all.len() == 19 && all.ends_with("000"));
}

#[test]
fn cases_without_values_have_ids_of_their_own() {
    let case = |choices: &str| SavedCase { id: String::new(), choices: Some(choices.to_owned()), ..case(&[]) };
    let text = with_case(&with_case("", PROPERTY, &case("1"), None), PROPERTY, &case("2"), None);
    let ids: Vec<_> = cases_in(&text).into_iter().map(|case| case.id).collect();
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
    // Not even in two files.
    assert_ne!(cases_in(&with_case("", PROPERTY, &case("2"), None))[0].id, ids[0]);
}

#[test]
fn a_case_is_removed_with_its_blank_line() {
    let both = with_case(&with_case("", PROPERTY, &case(&[("x", "1")]), None), PROPERTY, &case(&[("x", "2")]), None);
    let ids: Vec<_> = cases_in(&both).into_iter().map(|case| case.id).collect();
    let one = with_case("", PROPERTY, &case(&[("x", "1")]), None);
    assert_eq!(format::without_case(&both, &ids[1]).trim_end(), one.trim_end());
    assert_eq!(cases_in(&format::without_case(&both, &ids[0]))[0].id, ids[1]);
    assert_eq!(format::without_case(&both, "abcde"), both);
}

#[test]
fn a_save_changes_its_own_entry_only() {
    let text = "# mine\r\ncase 1111\r\n  x = 1 \r\n\r\n  nonsense\n# above\ncase 2222 unfinished\n  # was\n  x = 2\n  # ticket 12\n# margin\n  y = 3\n\n\n# end\ncase\n x = 9\n# last";
    assert_eq!(broken_in(text).len(), 1);
    let new = SavedCase { notes: vec!["is".to_owned()], ..case(&[("x", "0"), ("y", "0")]) };
    let changed = with_case(text, PROPERTY, &new, Some("2222"));
    let old = "case 2222 unfinished\n  # was\n  x = 2\n  # ticket 12\n# margin\n  y = 3\n";
    let expected = "case ce32a\r\n  # is\r\n  x = 0\r\n  y = 0\r\n  # ticket 12\r\n  # margin\r\n";
    assert_eq!(changed, text.replace(old, expected));
    // Again, or in place of one that is gone: the same values have one entry.
    assert_eq!(with_case(&changed, PROPERTY, &new, Some("2222")), changed);
    assert_eq!(with_case(&changed, PROPERTY, &new, None), changed);
    // Shrinking ends at a case that is there already.
    let both = with_case(TREE_FILE, PROPERTY, &case(&[("x", "8")]), None);
    let longer = both.clone() + "\ncase 7777\n  x = 9\n  # kept\n  choices: 1\n\n# end\n";
    let merged = with_case(&longer, PROPERTY, &case(&[("x", "8")]), Some("7777"));
    assert_eq!(merged, both + "  # kept\n\n# end\n");
}

#[test]
fn broken_entries_say_why() {
    #[track_caller]
    fn check(text: &str, line: usize, shown: &str, reason: &str) {
        let broken = broken_in(text);
        assert_eq!(broken, [Broken { line, text: shown.to_owned(), reason: reason.to_owned() }]);
        let after = with_case(text, PROPERTY, &tree_case(), None);
        assert_eq!(broken_in(&after).len(), 1, "broken entries are kept, and stay broken\n{after}");
        assert!(text.split_inclusive('\n').all(|line| after.contains(line)), "\n{after}");
        assert_eq!(cases_in(&after).len(), cases_in(text).len() + 1);
    }
    check(
        "case 1234\n  tree Node(Leaf)\n  key = 4\ncase\n  x = 1\n",
        2,
        "tree Node(Leaf)",
        "expected `name = value`; the further lines of a value must be indented deeper than its name",
    );
    check(
        "case 12ab\n# no\ncase\n x=1",
        1,
        "case 12ab",
        "this entry has no values; write `name = value` below it, indented",
    );
    let words = "after `case`, expected an id of four or more hex digits, `unfinished`, or nothing";
    check("case 3f9\n  x = 1", 1, "case 3f9", words);
    check("case 3f9c unfin\n  x = 1", 1, "case 3f9c unfin", words);
    check("\n  x = 1\n  y = 2\n", 2, "x = 1", "this line belongs to no entry; write `case` above it");
    check(
        "key = 4\n  x = 1\n",
        1,
        "key = 4",
        "expected `case`; a line that belongs to the entry above must be indented, a comment begins with `#`",
    );
    check(
        "case\n  x = 1\n=======\ncase\n  x = 2\n",
        3,
        "=======",
        "this line is left from a merge; keep the entries of both sides, and remove it",
    );
    check(
        "case\n  x = 1\n  choices: 1\n  choices: 2\n",
        1,
        "case",
        "there are two lines of `choices:` in this entry; remove the wrong one",
    );
    check(
        &TREE_FILE[..TREE_FILE.len() - 1],
        10,
        "choices: 1:node(0:leaf 4 0:leaf) 4",
        "the file was cut off here: the line has no end; if the entry is whole, add a line break",
    );
    let lines = TREE_FILE.find("  key").unwrap();
    check(
        &TREE_FILE[..lines],
        8,
        "tree = Node(Leaf, 4, Leaf)",
        "the file was cut off here or edited: these are not the values that the id was made from; if the entry is whole, \
         remove the id after `case`",
    );
    let broken = &broken_in(&format!("case\n {}\u{1b}", "long ".repeat(30)))[0];
    assert_eq!(
        broken.to_string(),
        "line 2: expected `name = value`; the further lines of a value must be indented deeper than its name\n    \
         long long long long long long long long long long long long long long long long …\n\
         the entry stays in the file, but does not run until it is mended"
    );
}

#[test]
fn a_cut_loses_no_whole_entry_and_makes_no_other() {
    let mut text = String::new();
    let saved = [
        SavedCase { is_minimal: false, ..case(&[("text", "first\n  # second\r\n\nthird ⟨ä⟩"), ("key", "42")]) },
        tree_case(),
        case(&[("only", "12345")]),
        SavedCase { notes: vec!["noted\ntwice".to_owned()], ..case(&[("a", "10"), ("b", "10")]) },
    ];
    let mut ends = Vec::new();
    for case in &saved {
        text = with_case(&text, PROPERTY, case, None);
        ends.push(text.len());
    }
    for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        let (text, broken) = (&text[..cut], broken_in(&text[..cut]));
        let whole = ends.iter().filter(|&&end| end <= cut).count();
        let found = cases_in(text);
        let same = |found: &SavedCase, saved: &SavedCase| found.values == saved.values && found.id == saved.id;
        assert!(found.len() >= whole && found.iter().zip(&saved).all(|(found, saved)| same(found, saved)), "\n{text}");
        assert!(found.len() <= whole + 1 && broken.len() <= 1);
        let in_entry = text.rfind("\nc").is_some_and(|at| at + 1 >= whole.checked_sub(1).map_or(0, |last| ends[last]));
        assert_eq!(found.len() + broken.len(), whole + usize::from(in_entry), "\n{text}");
        // The next save neither mends nor loses it.
        let after = with_case(text, PROPERTY, &case(&[("new", "1")]), None);
        assert_eq!((cases_in(&after).len(), broken_in(&after).len()), (found.len() + 1, broken.len()), "\n{after}");
    }
    let place = Place::holding("cut", &text.as_bytes()[..text.find('ä').unwrap() + 1]);
    assert!(load(&place.file()).unwrap_err().reason.starts_with("is not UTF-8"));
}

#[test]
fn readers_survive_anything() {
    let mut rng = Rng::new(3);
    let mut below = |bound: usize| (rng.next() % bound as u64) as usize;
    let alphabet: Vec<char> = "case 3f9c unfinished\n\n\n    #=:;⟨a⟩()[]{}\"'\\\r\t\u{feff}ä<>".chars().collect();
    let values = "tree = Node(\"a;\\\"\", 'x', [1]); key = 4\nlet z = '\\''";
    for round in 0..6_000 {
        let mut text: Vec<char> = match round % 3 {
            0 => (0..below(60)).map(|_| alphabet[below(alphabet.len())]).collect(),
            1 => TREE_FILE[TREE_FILE.find("case").unwrap()..].chars().collect(),
            _ => values.chars().collect(),
        };
        for _ in 0..below(4) {
            let at = below(text.len() + 1);
            let character = alphabet[below(alphabet.len())];
            match below(3) {
                0 => text.truncate(at),
                1 => text.insert(at, character),
                _ => text.iter_mut().skip(at).take(1).for_each(|place| *place = character),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = parse_values(&text).map_err(|error| error.to_string());
        let entries = format::entries_of(&text);
        let after = with_case(&text, PROPERTY, &case(&[("new", "1")]), None);
        assert_eq!(format::entries_of(&after).len(), entries.len() + 1, "\n{text}\n---\n{after}");
        let reasons = |text| broken_in(text).into_iter().map(|broken| broken.reason).collect::<Vec<_>>();
        assert_eq!(reasons(&after), reasons(&text), "\n{text}\n---\n{after}");
    }
    for text in [
        "(".repeat(100_000),
        "⟨".repeat(100_000),
        "\n (".repeat(100_000),
        "case\n".repeat(100_000),
        "'".repeat(100_000),
    ] {
        let _ = parse_values(&text).map_err(|error| error.to_string());
        format::entries_of(&text);
    }
    let many = format!("[{}]", "1, ".repeat(1_000_000));
    assert_eq!(parse_values(&format!("x = {many}")).unwrap()[0].1.len(), many.len());
    let many: String = (0..100_000).map(|n| format!("case\n  x = {n}\n")).collect();
    assert_eq!(cases_in(&many).len(), 100_000);
}

#[test]
fn threads_at_once_lose_nothing() {
    let place = Place::new("threads");
    let file = place.file();
    thread::scope(|scope| {
        for thread in 0..16 {
            let file = &file;
            scope.spawn(move || save_several(file, thread));
        }
    });
    assert_all_saved(&place, 16);
}

/// Which of two with the same id is saved first must not matter.
#[test]
fn saves_with_the_same_id_do_not_replace_each_other() {
    let with_id_of = |n: usize| case(&[("x", &format!("{n}"))]);
    let mut seen = std::collections::HashMap::new();
    let (one, two) =
        (0..).find_map(|n| seen.insert(with_id_of(n).id, n).map(|before| (with_id_of(before), with_id_of(n)))).unwrap();
    let place = Place::new("same_id");
    let ids = [&one, &two].map(|case| save(&place.file(), PROPERTY, case, None).unwrap());
    assert!(ids[0] == one.id && ids[1].starts_with(&ids[0]) && ids[1].len() > ids[0].len());
    for (id, value) in ids.iter().rev().zip(["second", "first"]) {
        save(&place.file(), PROPERTY, &case(&[("x", value)]), Some(id)).unwrap();
    }
    let values: Vec<_> = load(&place.file()).unwrap().cases.into_iter().map(|case| case.values[0].1.clone()).collect();
    assert_eq!(values, ["first", "second"]);
}

#[test]
fn processes_at_once_lose_nothing() {
    const DIRECTORY: &str = "REGRESSIONS_TEST_FILE";
    const NUMBER: &str = "REGRESSIONS_TEST_NUMBER";
    if let (Some(file), Ok(number)) = (std::env::var_os(DIRECTORY), std::env::var(NUMBER)) {
        return save_several(Path::new(&file), number.parse().unwrap());
    }
    let place = Place::new("processes");
    let name = "runner::regressions::tests::processes_at_once_lose_nothing";
    let children: Vec<_> = (0..3)
        .map(|number| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", name]).env(DIRECTORY, place.file()).env(NUMBER, number.to_string());
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_all_saved(&place, 3);
}

const N_SAVES: usize = 5;

/// Saves as the runner does: first as found, then as shrunk.
fn save_several(file: &Path, who: usize) {
    for n in 0..N_SAVES {
        let found = SavedCase { is_minimal: false, ..case(&[("x", &format!("{who}, {n}, large"))]) };
        let id = save(file, PROPERTY, &found, None).unwrap();
        assert!(load(file).unwrap().broken.is_empty());
        save(file, PROPERTY, &case(&[("x", &format!("{who}, {n}"))]), Some(&id)).unwrap();
    }
}

fn assert_all_saved(place: &Place, n_writers: usize) {
    let loaded = load(&place.file()).unwrap();
    let mut found: Vec<_> = loaded.cases.iter().map(|case| case.values[0].1.clone()).collect();
    let mut expected: Vec<_> = (0..n_writers * N_SAVES).map(|n| format!("{}, {}", n / N_SAVES, n % N_SAVES)).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert!(loaded.cases.iter().all(|case| case.is_minimal) && loaded.broken.is_empty());
    assert_eq!(place.text().matches("# Keep this file").count(), 1);
    assert_eq!(place.names().len(), 1, "no temporary file is left");
}

#[test]
fn what_a_killed_save_left_behind_is_removed_by_the_next_run() {
    let place = Place::holding("unfinished", TREE_FILE);
    let directory = place.file().parent().unwrap().to_owned();
    let left = ["a.txt.4711.0.tmp", ".mine.tmp", ".a.txt.x.0.tmp", ".a.txt.4711.0.tmp", ".b.c.txt.1.99.tmp"];
    for name in left {
        std::fs::write(directory.join(name), "case").unwrap();
    }
    // Somebody saves just now.
    let saving = std::fs::File::open(&directory).unwrap();
    saving.lock().unwrap();
    load(&place.file()).unwrap();
    assert_eq!(place.names().len(), 1 + left.len());
    drop(saving);
    load(&place.file()).unwrap();
    let mut names = place.names();
    names.retain(|name| name.ends_with(".tmp"));
    names.sort();
    assert_eq!(names, [".a.txt.x.0.tmp", ".mine.tmp", "a.txt.4711.0.tmp"]);
}

#[test]
fn a_file_with_windows_line_ends_keeps_them() {
    let place = Place::holding("windows", TREE_FILE.replace('\n', "\r\n"));
    save(&place.file(), "a::b", &case(&[("x", "77")]), None).unwrap();
    let text = place.text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    let empty = Place::holding("windows_empty", "\r\n");
    save(&empty.file(), "a::b", &case(&[("x", "77")]), None).unwrap();
    let text = empty.text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

const NOT_SAVED: &str =
    "the counterexample was not saved, so it is in this report only; make the place writable to keep the next one";

#[test]
fn something_else_in_the_place() {
    let place = Place::new("directory");
    fs::create_dir_all(place.file()).unwrap();
    let expected = "here/regressions/ledger.tests.round_trip.txt: cannot be read: it is a directory\n\
                    counterexamples of the property are saved under this name; move what is there away";
    assert_eq!(place.shown(&load(&place.file()).unwrap_err()).replace('\\', "/"), expected);
    assert_eq!(
        place.shown(&save(&place.file(), PROPERTY, &tree_case(), None).unwrap_err()).replace('\\', "/"),
        expected
    );

    let place = Place::new("file_for_directory");
    fs::write(place.0.join("regressions"), "mine").unwrap();
    let problem = save(&place.file(), PROPERTY, &tree_case(), None).unwrap_err();
    assert!(place.shown(&problem).ends_with(&format!(
        "cannot be written: {} is not a directory\n{NOT_SAVED}",
        Path::new("here").join("regressions").display()
    )));
    let _ = load(&place.file());
    assert_eq!(fs::read_to_string(place.0.join("regressions")).unwrap(), "mine");
}

#[test]
fn a_file_marked_read_only() {
    let place = Place::holding("read_only", TREE_FILE);
    let mut permissions = fs::metadata(place.file()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(place.file(), permissions).unwrap();
    assert_eq!(load(&place.file()).unwrap().cases, [tree_case()]);
    // Nothing to change is no problem.
    save(&place.file(), PROPERTY, &tree_case(), None).unwrap();
    let problem = save(&place.file(), PROPERTY, &case(&[("x", "1")]), None).unwrap_err();
    assert_eq!(problem.reason, "cannot be written: the file is marked read-only");
    assert_eq!((place.text().as_str(), place.names().len()), (TREE_FILE, 1));
}

#[cfg(unix)]
#[test]
fn permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::holding("permissions", TREE_FILE);
    let directory = place.0.join("regressions");
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(&directory, 0o555);
    set_mode(&place.file(), 0o000);
    // Permissions do not bind everybody, so first try whether they bind here.
    if let Err(problem) = load(&place.file()) {
        assert_eq!(problem.reason, "cannot be read: permission denied");
    }
    set_mode(&place.file(), 0o640);
    if let Err(problem) = save(&place.file(), PROPERTY, &case(&[("x", "1")]), None) {
        assert_eq!(problem.reason, "cannot be written: permission denied");
        assert_eq!(place.text(), TREE_FILE);
    }
    set_mode(&directory, 0o755);
    // The mode and the link stay.
    let link = place.0.join("link.txt");
    symlink(place.file(), &link).unwrap();
    save(&link, PROPERTY, &case(&[("x", "2")]), None).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(place.file()).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(load(&place.file()).unwrap().cases.iter().any(|case| case.values[0].1 == "2"));
    // What can never be written, whoever one is.
    let problem = save(Path::new("/dev/null/x.txt"), PROPERTY, &tree_case(), None).unwrap_err();
    assert_eq!(problem.reason, "cannot be written: /dev/null is not a directory");
    assert_eq!(
        load(Path::new("/dev/null")).unwrap_err().reason,
        "cannot be read: it is neither a file nor a directory"
    );
}

#[test]
fn encodings() {
    let utf_16 =
        |mark: &[u8]| [mark, &TREE_FILE.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()].concat();
    let latin_1 = TREE_FILE.replace("Leaf, 4", "Leaf, ä").chars().map(|c| c as u8).collect::<Vec<_>>();
    for (bytes, reason) in [
        (utf_16(&[0xff, 0xfe]), "is UTF-16 text, not UTF-8"),
        (utf_16(&[]), "is UTF-16 text, not UTF-8"),
        (latin_1, "is not UTF-8: line 8 has the byte 0xe4 where no character begins"),
        (b"case\n\0\0\0".to_vec(), "is not text: it has zero bytes"),
        (vec![0; 40], "is not text: it has zero bytes"),
    ] {
        let place = Place::holding("encoding", &bytes);
        let way_out = "nothing in it ran and nothing was changed; save it as UTF-8, or restore it from version control";
        for problem in
            [load(&place.file()).unwrap_err(), save(&place.file(), PROPERTY, &tree_case(), None).unwrap_err()]
        {
            assert_eq!((problem.reason.as_str(), problem.way_out), (reason, way_out));
        }
        assert_eq!(fs::read(place.file()).unwrap(), bytes);
    }
    let place = Place::holding("mark", format!("\u{feff}{}", TREE_FILE.replace('\n', "\r\n")));
    assert_eq!(load(&place.file()).unwrap().cases, [tree_case()]);
    save(&place.file(), PROPERTY, &case(&[("x", "1")]), None).unwrap();
    assert_eq!(load(&place.file()).unwrap().cases.len(), 2);
    assert!(place.text().starts_with("\u{feff}#") && place.text().ends_with("\r\n  x = 1\r\n"));
}

#[test]
fn values_in_one_text() {
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let values = parse_values(text).unwrap_or_else(|error| panic!("{error}"));
        let values: Vec<_> = values.iter().map(|(name, text)| (name.as_deref().unwrap_or(""), text.as_str())).collect();
        assert_eq!(values, expected);
    }
    check("tree = Node(Leaf, 4, Leaf); key = 4", &[("tree", "Node(Leaf, 4, Leaf)"), ("key", "4")]);
    check("tree = Leaf\r\nkey=4;\n\n", &[("tree", "Leaf"), ("key", "4")]);
    check("  let from   = 1;\n  let to =\n 2;", &[("from", "1"), ("to", "2")]);
    check("Node(Leaf, 4, Leaf)", &[("", "Node(Leaf, 4, Leaf)")]);
    check("1..=5", &[("", "1..=5")]);
    check("range = 1..=5; letter = 'x'", &[("range", "1..=5"), ("letter", "'x'")]);
    check("s = \"a;\\\"=\n(\"; t = 1", &[("s", "\"a;\\\"=\n(\""), ("t", "1")]);
    check(
        "c = ';'; d = '\\''; e = '('; f = '\\u{10ffff}'",
        &[("c", "';'"), ("d", "'\\''"), ("e", "'('"), ("f", "'\\u{10ffff}'")],
    );
    check("a = Cow<'a>; b = {\n x: [1;\n 2]}", &[("a", "Cow<'a>"), ("b", "{\n x: [1;\n 2]}")]);
    check("(a, b) = (1, 2); ü = _", &[("(a, b)", "(1, 2)"), ("ü", "_")]);
    check("A { x = 1; }", &[("", "A { x = 1; }")]);
}

#[test]
fn values_that_cannot_be_told_apart() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let error = parse_values(text).unwrap_err().to_string();
        let way_out = "write `name = value` for each argument, with `;` between them, and values as `{:?}` prints them";
        assert_eq!(error.lines().collect::<Vec<_>>(), [expected, &[way_out]].concat(), "\n{error}");
    }
    check("", &["there is no value", "    ", "    ^"]);
    check(" ;\n", &["there is no value", "    ", "    ^"]);
    check(
        "tree = Node(Leaf; key = 4",
        &["this bracket is never closed", "    tree = Node(Leaf; key = 4", "               ^"],
    );
    check("a = 1\nb = [2)\nc = 3", &["this bracket does not close the one that is open", "    b = [2)", "          ^"]);
    check("1)", &["this bracket closes nothing", "    1)", "     ^"]);
    check("a = \"x; b = 2", &["this string is never closed", "    a = \"x; b = 2", "        ^"]);
    check("a = ; b = 2", &["expected a value after `=`", "    a = ; b = 2", "      ^"]);
    check("a =\n", &["expected a value after `=`", "    a =", "      ^"]);
    check(" = 2", &["expected the name of an argument before `=`", "     = 2", "     ^"]);
    check(
        "a = 1;  4",
        &["which argument is this? Only a single value may go without a name", "    a = 1;  4", "            ^"],
    );
    check("a = 1; a = 2", &["this argument has a value already", "    a = 1; a = 2", "           ^"]);
    let long = format!("x = {}), {}", "1, ".repeat(50), "2, ".repeat(50));
    check(
        &long,
        &[
            "this bracket closes nothing",
            "    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ), 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2",
            "                                                                ^",
        ],
    );
}
