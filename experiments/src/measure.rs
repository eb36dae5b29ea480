//! Timing that survives a noisy machine: contenders take turns, the least of many rounds counts,
//! and only ratios are reported as results.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Enough to see that it works.
    Quick,
    /// Enough for figures.
    Full,
}

impl Effort {
    /// Rounds in which every contender runs once.
    pub fn rounds(self) -> usize {
        match self {
            Effort::Quick => 3,
            Effort::Full => 60,
        }
    }

    /// A number scaled down when quick.
    pub fn of(self, full: usize) -> usize {
        match self {
            Effort::Quick => (full / 100).max(1),
            Effort::Full => full,
        }
    }
}

/// Something that is timed: runs that many times, and says how large what it made was.
pub(crate) struct Contender<'a> {
    pub name: String,
    run: Box<dyn FnMut(usize) -> usize + 'a>,
    pub best: f64,
    pub mean_size: f64,
}

impl<'a> Contender<'a> {
    /// A contender that makes one value at a time. The value is dropped inside the measured time.
    pub fn new<T>(name: &str, size: impl Fn(&T) -> usize + 'a, mut make: impl FnMut() -> T + 'a) -> Contender<'a> {
        let run = move |times: usize| {
            let mut total = 0;
            for _ in 0..times {
                let value = black_box(make());
                // Cheap, and the same for everybody; the first value's size would do if all were
                // alike.
                total += if times == 1 { size(&value) } else { 0 };
            }
            total
        };
        Contender { name: name.to_owned(), run: Box::new(run), best: f64::MAX, mean_size: 0.0 }
    }
}

/// Times the contenders: nanoseconds for one value, the least over the rounds.
pub(crate) fn race(contenders: &mut [Contender<'_>], iterations: usize, effort: Effort) {
    for contender in contenders.iter_mut() {
        (contender.run)(iterations / 4 + 1);
        let samples = effort.of(20_000);
        contender.mean_size = (0..samples).map(|_| (contender.run)(1)).sum::<usize>() as f64 / samples as f64;
    }
    for _ in 0..effort.rounds() {
        for contender in contenders.iter_mut() {
            let begin = Instant::now();
            (contender.run)(iterations);
            contender.best = contender.best.min(begin.elapsed().as_nanos() as f64 / iterations as f64);
        }
    }
}

/// The least time of a few runs of something long, in nanoseconds.
pub fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let begin = Instant::now();
        black_box(work());
        begin.elapsed().as_nanos() as f64
    };
    (0..rounds).map(once).fold(f64::MAX, f64::min)
}

/// A table in Markdown, its columns aligned so that it also reads well in a terminal.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn to_markdown(&self) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        let mut text = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if place == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                let _ = writeln!(text, "| {} |", rule.join(" | "));
            }
        }
        text
    }
}

/// What machine this is, for the record.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{model}, {cores} cores, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}
