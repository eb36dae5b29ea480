//! Which lines of source the cases reached.

use super::Run;
use super::filter::Selection;
use super::view::Prepared;
use crate::Status;

/// Sets of lines that have so much in common are one cluster.
const ALIKE: f64 = 0.75;
/// So many of the most frequent sets are compared; the rest is left out.
const MOST_SETS: usize = 400;
/// So many clusters are shown.
const MOST_CLUSTERS: usize = 12;

/// A file of which lines were reached.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct CoveredFile {
    /// As it is called in the lines.
    pub file: String,
    /// How many of its lines any case reached.
    pub lines: u64,
    /// How many of them those cases reached that are meant.
    pub selected: u64,
}

/// How many cases reached a line.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LineHits {
    /// From 1.
    pub line: u32,
    /// Of those that are meant: passed.
    pub passed: u64,
    /// Of those that are meant: failed.
    pub failed: u64,
    /// How much more often failing cases reach it than passing ones: 0 to 1, and 0.5 if there is no
    /// difference. Nothing if no case fails, or none passes.
    pub suspicion: Option<f64>,
}

/// Cases that reached about the same lines.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Cluster {
    /// For a filter.
    pub id: String,
    /// How many cases.
    pub all: u64,
    /// How many of those that are meant.
    pub selected: u64,
    /// How many of all fail.
    pub failed: u64,
    /// Lines that nearly all of these reach, and few others: `file:line`.
    pub lines: Vec<String>,
    /// Places of some cases in the run.
    pub cases: Vec<usize>,
}

/// To which cluster each set of lines belongs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clusters {
    of_set: Vec<Option<u16>>,
    ids: Vec<String>,
}

impl Run {
    pub(crate) fn covered_files(&self, selected: &Selection) -> Vec<CoveredFile> {
        let coverage = &self.cases.coverage;
        let hits = self.hits_of_lines(selected);
        let mut files: Vec<CoveredFile> = (0..coverage.files.len())
            .map(|file| CoveredFile { file: coverage.files.text(file as u32).to_owned(), lines: 0, selected: 0 })
            .collect();
        for ((file, _), hits) in coverage.lines.iter().zip(&hits) {
            files[*file as usize].lines += 1;
            files[*file as usize].selected += u64::from(hits.iter().sum::<u64>() > 0);
        }
        files.sort_by_key(|file| std::cmp::Reverse(file.lines));
        files
    }

    /// The lines of a file that any case reached, in order, with how many of those that are meant
    /// did. The measure of suspicion is Tarantula's.
    ///
    /// ```
    /// # use retrospect_stats::summary::Store;
    /// let mut store = Store::default();
    /// let case = |status, lines| {
    ///     format!(r#"{{"type": "test_case", "property": "p", "run_start": 1, "status": "{status}", "coverage": {{"a.rs": {lines}}}}}"#)
    /// };
    /// store.read_text(&[case("passed", "[1]"), case("passed", "[1]"), case("failed", "[1, 2]")].join("\n"));
    /// let run = store.latest("p").unwrap();
    /// let hits = run.lines_of(&run.select(&store, &[]), "a.rs");
    /// assert_eq!((hits[0].passed, hits[0].failed, hits[0].suspicion), (2, 1, Some(0.5)));
    /// assert_eq!((hits[1].passed, hits[1].failed, hits[1].suspicion), (0, 1, Some(1.0)));
    /// ```
    pub fn lines_of(&self, selected: &Selection, file: &str) -> Vec<LineHits> {
        let coverage = &self.cases.coverage;
        let Some(file) = coverage.files.find(file) else { return Vec::new() };
        let (mut n_passed, mut n_failed) = (0_u64, 0_u64);
        selected.each(|case| match (coverage.of(case), self.cases.status[case]) {
            (Some(_), Status::Passed) => n_passed += 1,
            (Some(_), Status::Failed) => n_failed += 1,
            _ => {}
        });
        let hits = self.hits_of_lines(selected);
        let mut lines = Vec::new();
        for ((of_file, line), [passed, failed, _]) in coverage.lines.iter().zip(hits) {
            if *of_file != file {
                continue;
            }
            let suspicion = (n_passed > 0 && n_failed > 0 && passed + failed > 0).then(|| {
                let (fails, passes) = (failed as f64 / n_failed as f64, passed as f64 / n_passed as f64);
                fails / (fails + passes)
            });
            lines.push(LineHits { line: *line, passed, failed, suspicion });
        }
        lines.sort_by_key(|hits| hits.line);
        lines
    }

    /// For each line how many of the cases reached it, by status.
    fn hits_of_lines(&self, selected: &Selection) -> Vec<[u64; 3]> {
        let coverage = &self.cases.coverage;
        let mut by_set = vec![[0_u64; 3]; coverage.sets.len()];
        if !by_set.is_empty() {
            selected.each(|case| {
                if let Some(set) = coverage.of(case) {
                    by_set[set as usize][self.cases.status[case] as usize] += 1;
                }
            });
        }
        let mut by_line = vec![[0_u64; 3]; coverage.lines.len()];
        for (set, counts) in coverage.sets.iter().zip(by_set) {
            if counts != [0; 3] {
                for line in set {
                    (0..3).for_each(|at| by_line[*line as usize][at] += counts[at]);
                }
            }
        }
        by_line
    }

    pub(crate) fn clusters(&self, selected: &Selection) -> Vec<Cluster> {
        let prepared = self.prepared();
        let clusters = self.all_clusters(&prepared);
        let coverage = &self.cases.coverage;
        let n_clusters = clusters.ids.len();
        if n_clusters == 0 {
            return Vec::new();
        }
        let mut found: Vec<Cluster> = Vec::new();
        for id in &clusters.ids {
            found.push(Cluster {
                id: id.clone(),
                all: 0,
                selected: 0,
                failed: 0,
                lines: Vec::new(),
                cases: Vec::new(),
            });
        }
        // How many cases of each cluster reach each line.
        let mut of_sets = vec![0_u64; coverage.sets.len()];
        for case in 0..self.n_cases() {
            let Some(set) = coverage.of(case) else { continue };
            of_sets[set as usize] += 1;
            let Some(at) = clusters.of_set[set as usize] else { continue };
            let cluster = &mut found[usize::from(at)];
            cluster.all += 1;
            cluster.selected += u64::from(selected.has(case));
            cluster.failed += u64::from(self.cases.status[case] == Status::Failed);
            if cluster.cases.len() < 5 && !self.cases.is_duplicate(case) {
                cluster.cases.push(case);
            }
        }
        let mut reached = vec![0_u64; n_clusters * coverage.lines.len()];
        let mut in_all = vec![0_u64; coverage.lines.len()];
        for (set, count) in of_sets.iter().enumerate() {
            for line in &coverage.sets[set] {
                in_all[*line as usize] += count;
                if let Some(cluster) = clusters.of_set[set] {
                    reached[usize::from(cluster) * in_all.len() + *line as usize] += count;
                }
            }
        }
        let n_covered: u64 = of_sets.iter().sum();
        for (at, cluster) in found.iter_mut().enumerate() {
            let mut typical: Vec<(f64, usize)> = Vec::new();
            for (line, in_all) in in_all.iter().enumerate() {
                let here = reached[at * coverage.lines.len() + line];
                let (share, elsewhere) = (here as f64 / cluster.all as f64, (in_all - here) as f64);
                let others = elsewhere / (n_covered - cluster.all).max(1) as f64;
                if share > 0.9 && others < 0.5 {
                    typical.push((share - others, line));
                }
            }
            typical.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (_, line) in typical.iter().take(6) {
                let (file, line) = coverage.lines[*line];
                cluster.lines.push(format!("{}:{line}", coverage.files.text(file)));
            }
        }
        found.sort_by_key(|cluster| std::cmp::Reverse(cluster.all));
        found
    }

    /// Which sets of lines belong to a cluster.
    pub(crate) fn sets_of_cluster(&self, id: &str) -> Vec<bool> {
        let prepared = self.prepared();
        let clusters = self.all_clusters(&prepared);
        let wanted = clusters.ids.iter().position(|known| known == id);
        clusters.of_set.iter().map(|of| wanted.is_some() && of.map(usize::from) == wanted).collect()
    }

    fn all_clusters<'p>(&self, prepared: &'p Prepared) -> &'p Clusters {
        prepared.clusters.get_or_init(|| self.find_clusters())
    }

    /// The most frequent set leads; what is like it follows; of the rest the most frequent leads
    /// the next.
    fn find_clusters(&self) -> Clusters {
        let coverage = &self.cases.coverage;
        let mut counts = vec![0_u64; coverage.sets.len()];
        (0..self.n_cases()).filter_map(|case| coverage.of(case)).for_each(|set| counts[set as usize] += 1);
        let mut order: Vec<usize> = (0..counts.len()).filter(|set| counts[*set] > 0).collect();
        order.sort_by_key(|set| (std::cmp::Reverse(counts[*set]), *set));
        order.truncate(MOST_SETS);
        let mut clusters = Clusters { of_set: vec![None; coverage.sets.len()], ids: Vec::new() };
        let mut leaders: Vec<usize> = Vec::new();
        for set in order {
            let lines = &coverage.sets[set];
            let alike = leaders.iter().position(|leader| alike(&coverage.sets[*leader], lines) >= ALIKE);
            let cluster = match alike {
                Some(cluster) => cluster,
                None if leaders.len() < MOST_CLUSTERS => {
                    leaders.push(set);
                    clusters.ids.push(self.id_of_set(set));
                    leaders.len() - 1
                }
                None => continue,
            };
            clusters.of_set[set] = Some(cluster as u16);
        }
        if leaders.len() < 2 {
            return Clusters { of_set: vec![None; coverage.sets.len()], ids: Vec::new() };
        }
        clusters
    }

    /// The same for the same lines, however the run goes on.
    fn id_of_set(&self, set: usize) -> String {
        let coverage = &self.cases.coverage;
        let mut lines: Vec<String> = Vec::new();
        for line in &coverage.sets[set] {
            let (file, line) = coverage.lines[*line as usize];
            lines.push(format!("{}:{line}", coverage.files.text(file)));
        }
        lines.sort();
        format!("{:016x}", super::index::hash(lines.join("\n").as_bytes()))
    }
}

/// What two sets have in common, as a share of what either has.
fn alike(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    let either = a.len() + b.len() - common;
    if either == 0 { 1.0 } else { common as f64 / either as f64 }
}
