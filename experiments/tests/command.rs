//! The command, run as one would type it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn experiments(arguments: &[&str], folder: &str) -> (Output, PathBuf) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    // What an earlier run wrote must not be taken for what this one writes.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_experiments")).args(arguments).current_dir(&folder).output().unwrap();
    (output, folder)
}

#[test]
fn shrinking_writes_its_tables_and_its_figure() {
    let (output, folder) = experiments(&["--quick", "shrinking", "--write"], "written");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/shrinking.md")).unwrap();
    for part in
        ["## The shrinking challenges", "## Nothing simpler fails", "## ETNA", "## A document that nobody generated"]
    {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(page.lines().all(|line| line == line.trim_end()) && page.ends_with("|\n"), "{page}");
    let figure = std::fs::read_to_string(folder.join("docs/figures/shrinking.svg")).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("replacement"));
}

#[test]
fn mutation_writes_its_tables_and_its_figure() {
    let (output, folder) = experiments(&["--quick", "mutation", "--write"], "mutation");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/mutation.md")).unwrap();
    for part in ["## Validity and distance", "## Cost", "plain data, rejected", "mutate_choices"] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let figure = std::fs::read_to_string(folder.join("docs/figures/mutation.svg")).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("AVL tree"));
}

#[test]
fn table2_writes_its_tables_and_its_figures() {
    let (output, folder) = experiments(&["--quick", "table2", "--write"], "table2");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/table2.md")).unwrap();
    for part in ["## With 2000 values made", "## In 0.01 s", "| BST ", "| STLC ", "| SORTED 20 "] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(page.lines().all(|line| line == line.trim_end()) && page.ends_with("|\n"), "{page}");
    for figure in ["satisfying-unique.svg", "satisfying-diversity.svg"] {
        let figure = std::fs::read_to_string(folder.join("docs/figures").join(figure)).unwrap();
        assert!(figure.starts_with("<svg") && figure.contains("RBT") && figure.contains("<polyline"));
    }
    let (output, _) = experiments(&["table2", "--seconds", "-1"], "no-time");
    assert!(!output.status.success());
}

#[test]
fn what_cannot_be_measured_is_said() {
    let (output, _) = experiments(&["shrinking", "--seeds", "0"], "no-seeds");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("0 is not in 1.."), "{error}");
    let (output, _) = experiments(&["--quick", "shrinking", "--document", "nowhere.json"], "no-document");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("nowhere.json"), "{error}");
}

#[test]
fn laws_hold_and_are_written() {
    let (output, folder) = experiments(&["--quick", "laws", "--write"], "laws");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/laws.md")).unwrap();
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| -") && !line.starts_with("| generator");
    let rows: Vec<&str> = page.lines().filter(is_row).collect();
    assert!(rows.len() >= 32, "{page}");
    // What the paper calls impossible.
    let system_f = rows.iter().find(|row| row.starts_with("| terms of System F")).expect("it is there");
    assert_eq!(system_f.matches('✓').count(), 4, "{system_f}");
    assert!(page.ends_with(&format!("\n{} generators, and none breaks a law.\n", rows.len())), "{page}");
    assert!(page.lines().all(|line| line == line.trim_end()), "{page}");
}

#[test]
fn tuning_writes_its_tables_and_its_figure() {
    let (output, folder) = experiments(&["--quick", "tuning", "--write"], "tuned");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/tuning.md")).unwrap();
    assert!(
        page.contains("## Figure 7")
            && page.contains("| tuned_unlike ")
            && page.contains("## Drawing by learned weights"),
        "{page}"
    );
    let figure = std::fs::read_to_string(folder.join("docs/figures/tuning.svg")).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("tuned_like"));
    let (output, _) = experiments(&["--quick", "tuning", "--documents", "nowhere"], "no-documents");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("nowhere"), "{error}");
}

#[test]
fn text_is_measured_with_the_memory_it_takes() {
    let (output, folder) = experiments(&["--quick", "text", "--write"], "text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/text.md")).unwrap();
    assert!(page.contains("## A JSON text, read backward"), "{page}");
    if cfg!(target_os = "linux") {
        assert!(!page.contains("not known"), "{page}");
    }
}

#[test]
fn enumeration_writes_its_tables() {
    let (output, folder) = experiments(&["--quick", "enumeration", "--write"], "enumeration");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/enumeration.md")).unwrap();
    for part in
        ["## All search trees, by size", "| keys from 1 to 12 ", "## Without going there", "`bst(1, 20).cardinality()`"]
    {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(page.lines().all(|line| line == line.trim_end()), "{page}");
}

#[test]
fn the_core_is_measured() {
    let (output, folder) = experiments(&["--quick", "core", "--write"], "core");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("docs/results/core.md")).unwrap();
    assert!(page.starts_with("# The core, measured\n") && page.contains("\n## "), "{page}");
}

#[test]
fn properties_are_measured() {
    let (output, folder) = experiments(&["--quick", "properties", "--write"], "properties");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    let file = printed.lines().find_map(|line| line.strip_prefix("written to ")).expect("it was written");
    let page = std::fs::read_to_string(folder.join(file)).unwrap();
    assert!(page.contains("## What differs"), "{page}");
}
