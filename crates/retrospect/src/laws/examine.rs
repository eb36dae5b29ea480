use crate::choice::{Choices, Node, Nodes, Site};
use crate::generator::Generator;
use crate::source::{DEFAULT_SIZE, Rng, Source, Stop};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::time::{Duration, Instant};

/// Prints how 1,000 samples cover the space of a generator, and returns the same as a value: which
/// arms were never taken, which tenths of ranges and lengths were reached, how many samples were
/// duplicates, how many choices and how much time one value takes.
///
/// ```
/// use retrospect::prelude::*;
/// let examination = laws::examine(&frequency(((1000, 0..=9), (1, 10..=19))));
/// assert!(examination.samples() == 1000);
/// ```
#[inline]
pub fn examine<G: Generator>(generator: &G) -> Examination {
    let examination = Examination::of(generator, 1000, 0);
    println!("{examination}");
    examination
}

/// What [`examine`] found.
///
/// Printed, it is a table of what was covered.
///
/// ```
/// use retrospect::prelude::*;
/// use retrospect::laws::Examination;
/// let examination = Examination::of(&any::<bool>(), 100, 0);
/// assert!(examination.to_string().starts_with("100 samples, 98 duplicates"));
/// ```
#[derive(Clone, Debug)]
pub struct Examination {
    samples: u32,
    stopped: u32,
    duplicates: u32,
    choices: u64,
    time: Duration,
    picks: BTreeMap<Place, Vec<u64>>,
    numbers: BTreeMap<Place, Tenths>,
    lengths: BTreeMap<Place, Lengths>,
    labels: BTreeMap<Place, &'static Site>,
}

/// Where choices are made: the bracket they stand in, and which of its children.
type Place = (String, usize);

#[derive(Clone, Copy, Debug, Default)]
struct Tenths {
    counts: [u64; 10],
    /// The widest bound met; a narrow range has no tenths to miss.
    bound: u64,
}

#[derive(Clone, Debug, Default)]
struct Lengths {
    seen: BTreeMap<usize, u64>,
}

impl Examination {
    /// Looks at `samples` values of growing size, beginning at a seed, without printing.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use retrospect::laws::Examination;
    /// let examination = Examination::of(&one_of((exact(1), exact(2))), 100, 0);
    /// assert_eq!(examination.arms_never_taken(), Vec::<String>::new());
    /// assert_eq!(examination.duplicates(), 98);
    /// ```
    #[inline]
    pub fn of<G: Generator>(generator: &G, samples: u32, seed: u64) -> Examination {
        let mut examination = Examination {
            samples,
            stopped: 0,
            duplicates: 0,
            choices: 0,
            time: Duration::ZERO,
            picks: BTreeMap::new(),
            numbers: BTreeMap::new(),
            lengths: BTreeMap::new(),
            labels: BTreeMap::new(),
        };
        let mut rng = Rng::new(seed);
        let mut seen = HashSet::new();
        for sample in 0..samples {
            let (seed, size) = (rng.next(), (sample * DEFAULT_SIZE).div_ceil(samples));
            let begin = Instant::now();
            let result = generator.generate(&mut Source::random(seed).with_size(size));
            examination.time += begin.elapsed();
            drop(result);
            let mut source = Source::recording(seed).with_size(size);
            match generator.generate(&mut source) {
                Ok(_) => {
                    let choices = source.into_choices();
                    examination.note(&choices);
                    if !seen.insert(choices.to_string()) {
                        examination.duplicates += 1;
                    }
                }
                Err(Stop) => examination.stopped += 1,
            }
        }
        examination
    }

    /// How many values were looked at.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Examination;
    /// assert_eq!(Examination::of(&any::<u8>(), 50, 0).samples(), 50);
    /// ```
    #[inline]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// How many of them had been made before.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Examination;
    /// assert_eq!(Examination::of(&exact(5), 50, 0).duplicates(), 49);
    /// ```
    #[inline]
    pub fn duplicates(&self) -> u32 {
        self.duplicates
    }

    /// The arms that no sample took, as `generator: arm`.
    ///
    /// ```
    /// # use retrospect::prelude::*;
    /// # use retrospect::laws::Examination;
    /// let lopsided = labelled((("usual", 4_000_000_000u32, 0..9), ("rare", 1, 9..10)));
    /// assert_eq!(Examination::of(&lopsided, 50, 0).arms_never_taken(), ["labelled: `rare`"]);
    /// ```
    #[inline]
    pub fn arms_never_taken(&self) -> Vec<String> {
        let mut never = Vec::new();
        for (place, counts) in &self.picks {
            for (arm, _) in counts.iter().enumerate().filter(|(_, count)| **count == 0) {
                never.push(format!("{}: {}", place.0, self.arm_name(place, arm)));
            }
        }
        never
    }

    #[inline]
    fn note(&mut self, choices: &Choices) {
        self.choices += choices.choice_count() as u64;
        // An explicit stack: a value may be deeper than ours.
        let mut pending: Vec<(String, Nodes<'_>)> = vec![("the value".to_owned(), choices.nodes())];
        while let Some((name, nodes)) = pending.pop() {
            for (position, node) in nodes.enumerate() {
                match node {
                    Node::Number { index, bound } => {
                        self.numbers.entry((name.clone(), position)).or_default().note(index, bound)
                    }
                    Node::Pick(pick) => {
                        let name = pick.site.map_or_else(|| name.clone(), |site| site.name().to_owned());
                        let place = (name.clone(), pick.site.map_or(0, |site| site.line() as usize));
                        let counts = self.picks.entry(place.clone()).or_insert_with(|| vec![0; pick.arms]);
                        counts.resize(counts.len().max(pick.arms), 0);
                        counts[pick.arm] += 1;
                        if let Some(site) = pick.site {
                            self.labels.insert(place, site);
                        }
                        let inside = pick
                            .label
                            .map_or_else(|| format!("{name} {}", pick.arm), |label| format!("{name} `{label}`"));
                        pending.push((inside, pick.body));
                    }
                    Node::Repeat { items } => {
                        let inside = format!("an item in {name}");
                        *self
                            .lengths
                            .entry((name.clone(), position))
                            .or_default()
                            .seen
                            .entry(items.len())
                            .or_insert(0) += 1;
                        // All items are the same place, whatever their position.
                        for item in items.each_alone() {
                            pending.push((inside.clone(), item));
                        }
                    }
                    Node::Call { site, children } => {
                        let inside = site.map_or_else(|| name.clone(), |site| site.name().to_owned());
                        pending.push((inside, children));
                    }
                }
            }
        }
    }

    #[inline]
    fn arm_name(&self, place: &Place, arm: usize) -> String {
        let label = self.labels.get(place).and_then(|site| site.label(arm));
        label.map_or_else(|| format!("arm {arm}"), |label| format!("`{label}`"))
    }
}

impl Tenths {
    #[inline]
    fn note(&mut self, index: u64, bound: u64) {
        let tenth = (u128::from(index) * 10 / (u128::from(bound) + 1)) as usize;
        self.counts[tenth.min(9)] += 1;
        self.bound = self.bound.max(bound);
    }
}

impl fmt::Display for Examination {
    #[inline]
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.samples - self.stopped;
        let per_value = |total: f64| total / f64::from(made.max(1));
        writeln!(
            formatter,
            "{} samples, {} duplicates, {:.1} choices and {:.0} ns per value",
            self.samples,
            self.duplicates,
            per_value(self.choices as f64),
            per_value(self.time.as_nanos() as f64),
        )?;
        if self.stopped > 0 {
            writeln!(
                formatter,
                "  {} samples gave no value: a filter refused too much, or the generator is wrong",
                self.stopped
            )?;
        }
        for (place, counts) in &self.picks {
            let total: u64 = counts.iter().sum();
            write!(formatter, "  pick in {}:", place.0)?;
            for (arm, count) in counts.iter().enumerate().take(12) {
                let share = *count as f64 * 100.0 / total as f64;
                match count {
                    0 => write!(formatter, "  {} NEVER", self.arm_name(place, arm))?,
                    _ => write!(formatter, "  {} {share:.1} %", self.arm_name(place, arm))?,
                }
            }
            if counts.len() > 12 {
                let never = counts.iter().filter(|count| **count == 0).count();
                write!(formatter, "  … {} arms, {never} of them never", counts.len())?;
            }
            writeln!(formatter)?;
        }
        for (place, tenths) in self.numbers.iter().filter(|(_, tenths)| tenths.bound >= 9) {
            let total: u64 = tenths.counts.iter().sum();
            let missed = tenths.counts.iter().filter(|count| **count == 0).count();
            write!(formatter, "  number {} in {}, by tenths of its range: {}", place.1, place.0, bars(&tenths.counts))?;
            match missed {
                0 => writeln!(formatter)?,
                _ => writeln!(formatter, "  {missed} of 10 tenths never reached in {total} draws")?,
            }
        }
        for (place, lengths) in &self.lengths {
            let total: u64 = lengths.seen.values().sum();
            let longest = lengths.seen.keys().next_back().copied().unwrap_or(0);
            let mut tenths = [0; 10];
            for (length, count) in &lengths.seen {
                tenths[(length * 10 / (longest + 1)).min(9)] += count;
            }
            let mut below = 0;
            let median = lengths.seen.iter().find(|(_, count)| {
                below += **count;
                below * 2 >= total
            });
            writeln!(
                formatter,
                "  length {} in {}: {} to {longest}, median {}, by tenths: {}",
                place.1,
                place.0,
                lengths.seen.keys().next().copied().unwrap_or(0),
                median.map_or(0, |(length, _)| *length),
                bars(&tenths),
            )?;
        }
        Ok(())
    }
}

/// One character for each count, as high as its share of the largest; a space only where there is
/// nothing.
#[inline]
fn bars(counts: &[u64]) -> String {
    let largest = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |count: &u64| match count {
        0 => '·',
        count => ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][((count * 8).div_ceil(largest) as usize).clamp(1, 8) - 1],
    };
    counts.iter().map(bar).collect()
}
