//! Problems in which one choice says what another may be: the additions of 2026 to the shrinking
//! challenge, after their definitions there.

use super::{Family, Problem, Start};
use retrospect::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn family() -> Family {
    Family {
        name: "Dependent choices, and a machine",
        about: "Added to the shrinking challenge in 2026 (`nesevis/shrinking-challenge`), with its domains. Its own least forms compare the numbers of a result one \
                by one; ours count the choices that are not the simplest first, so some differ. The figures of Hypothesis are its share at *its* least form.",
        problems: problems(),
    }
}

fn problems() -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(nested_flat_maps());
    let modular =
        (0..=1000u32).map_with_inverse(|number| number * 37 % 1001, |value| Some(value * MODULAR_INVERSE % 1001));
    problems.push(
        Problem::new("modular mapping", modular, |value| *value >= 900)
            .ends_at("925", 100.0, 250)
            .published(32.0, 12, 20.6),
    );
    problems.push(
        Problem::with("2x + y + z = 20", tuple((0..=20u32, 0..=20u32, 0..=20u32)), weighs_twenty, debug, Start::Drawn)
            .ends_at("(10, 0, 0)", 120.0, 200)
            .elsewhere("(0, 0, 20)")
            .published(15.0, 8, 53.8),
    );
    for (name, modulus, least, percent, distinct, calls) in [
        ("hash collision, modulus 10", 10, "([(0, 0)], 10, 1)", 14.0, 10, 75.1),
        ("hash collision, modulus 100", 100, "([(0, 0)], 100, 1)", 20.0, 8, 132.0),
        ("hash collision, modulus 1000", 1000, "([(0, 0)], 1000, 1)", 22.0, 9, 771.4),
    ] {
        let keys = 0..=10 * modulus - 1;
        let puts = tuple((vec_of((keys.clone(), 0..=9u32), ..=20), keys, 0..=9u32));
        problems.push(
            Problem::new(name, puts, move |(before, key, value)| overwrites_another(modulus, before, *key, *value))
                .ends_at(least, 250.0, 400)
                // Of all the keys with that remainder, the least is far from the next: only trying
                // them one by one finds it.
                .at_least(if modulus == 10 { 1.0 } else { 0.25 })
                .published(percent, distinct, calls),
        );
    }
    problems.push(
        Problem::with("invoice discount", invoice(), Invoice::is_rounded_wrongly, Invoice::show, Start::Drawn)
            .ends_at("Invoice(28, 36, 1)", 180.0, 300)
            .elsewhere("Invoice(10, 100, 1)")
            .published(4.0, 22, 61.5),
    );
    problems.push(
        Problem::with("refund allocation", refund(), |refund| refund.is_unfair(), Refund::show, Start::Drawn)
            .ends_at("Refund([33, 31], 2)", 100.0, 250)
            .elsewhere("Refund([31, 33], 4)")
            .published(5.0, 5, 175.7),
    );
    problems.push(
        Problem::with("chunked UTF-8", transmission(), Transmission::is_garbled, Transmission::show, Start::Drawn)
            .ends_at("(text, \"\\u{80}\", [1, 1])", 100.0, 250)
            .published(100.0, 1, 50.1),
    );
    let commands =
        sequence_of(Snapshots::default(), ..=50, |known| Some(command(known.live.clone())), Snapshots::after);
    problems.push(
        Problem::with(
            "snapshot store",
            commands,
            |commands| loses_a_version(commands),
            |commands| show_commands(commands),
            Start::Drawn,
        )
        .ends_at("put(0, 0), s0 = snapshot, put(0, 0), s1 = snapshot, compact, read(s0, 0)", 150.0, 300)
        .published(37.0, 21, 431.3),
    );
    problems
}

/// 37 times this is 1 modulo 1001.
const MODULAR_INVERSE: u32 = 487;

fn debug<V: std::fmt::Debug>(value: &V) -> String {
    format!("{value:?}")
}

pub fn weighs_twenty((x, y, z): &(u32, u32, u32)) -> bool {
    2 * x + y + z == 20
}

/// Numbers of which each is at most the one before, and as many zeros and ones as their product, or
/// sum, says.
fn nested_flat_maps() -> Vec<Problem> {
    const SEQUENCES: [(&str, &str, &str, f64, u32, f64); 5] = [
        ("flat maps, product of 2 as length", "(6, 4, 23 × 0, 1 × 1)", "(6, 4, 23 × 0, 1 × 1)", 39.0, 3, 71.5),
        ("flat maps, product of 3 as length", "(6, 4, 1, 23 × 0, 1 × 1)", "(4, 3, 2, 23 × 0, 1 × 1)", 21.0, 6, 86.9),
        (
            "flat maps, product of 4 as length",
            "(6, 4, 1, 1, 23 × 0, 1 × 1)",
            "(3, 2, 2, 2, 23 × 0, 1 × 1)",
            12.0,
            8,
            80.5,
        ),
        (
            "flat maps, product of 5 as length",
            "(6, 4, 1, 1, 1, 23 × 0, 1 × 1)",
            "(3, 2, 2, 2, 1, 23 × 0, 1 × 1)",
            4.0,
            17,
            64.5,
        ),
        (
            "flat maps, product of 6 as length",
            "(6, 4, 1, 1, 1, 1, 23 × 0, 1 × 1)",
            "(3, 2, 2, 2, 1, 1, 23 × 0, 1 × 1)",
            5.0,
            20,
            62.9,
        ),
    ];
    const PRODUCTS: [(&str, &str, &str, f64); 5] = [
        ("flat maps, product of 2", "[5, 5]", "[5, 5]", 18.8),
        ("flat maps, product of 3", "[5, 5, 1]", "[3, 3, 3]", 22.1),
        ("flat maps, product of 4", "[5, 5, 1, 1]", "[3, 2, 2, 2]", 24.3),
        ("flat maps, product of 5", "[5, 5, 1, 1, 1]", "[2, 2, 2, 2, 2]", 26.2),
        ("flat maps, product of 6", "[5, 5, 1, 1, 1, 1]", "[2, 2, 2, 2, 2, 1]", 28.1),
    ];
    const SUMS: [(&str, &str); 5] = [
        ("flat maps, sum of 2 as length", "(23, 1, 23 × 0, 1 × 1)"),
        ("flat maps, sum of 3 as length", "(22, 1, 1, 23 × 0, 1 × 1)"),
        ("flat maps, sum of 4 as length", "(21, 1, 1, 1, 23 × 0, 1 × 1)"),
        ("flat maps, sum of 5 as length", "(20, 1, 1, 1, 1, 23 × 0, 1 × 1)"),
        ("flat maps, sum of 6 as length", "(19, 1, 1, 1, 1, 1, 23 × 0, 1 × 1)"),
    ];
    let mut problems = Vec::new();
    for (depth, (name, least, elsewhere, percent, distinct, calls)) in (2..).zip(SEQUENCES) {
        let problem = Problem::with(name, counted(depth, 10, false), is_long_with_a_one, show_counted, Start::Drawn);
        let problem = problem.ends_at(least, 80.0, 150).published(percent, distinct, calls);
        problems.push(if elsewhere == least { problem } else { problem.elsewhere(elsewhere) });
    }
    for (depth, (name, least, elsewhere, calls)) in (2..).zip(PRODUCTS) {
        let problem = Problem::new(name, falling(depth, 10), |numbers| numbers.iter().product::<u32>() >= 24);
        let problem = problem.ends_at(least, 40.0, 60).published(100.0, 1, calls);
        problems.push(if elsewhere == least { problem } else { problem.elsewhere(elsewhere) });
    }
    for (depth, (name, least)) in (2..).zip(SUMS) {
        let problem = Problem::with(name, counted(depth, 100, true), is_long_with_a_one, show_counted, Start::Drawn);
        let problem = problem.ends_at(least, 300.0, 600);
        problems.push(match depth {
            4 => problem.elsewhere("(6, 6, 6, 6, 23 × 0, 1 × 1)").published(100.0, 1, 162.3),
            _ => problem,
        });
    }
    problems
}

/// So many numbers, from 1 to the one before.
fn falling(count: usize, highest: u32) -> impl Generator<Value = Vec<u32>> + Clone {
    sequence_of(highest, count, |highest| Some(1..=*highest), |_, number| *number)
}

type Counted = (Vec<u32>, Vec<u8>);

#[generator]
fn counted(count: usize, highest: u32, by_sum: bool) -> Counted {
    let numbers = draw(falling(count, highest));
    let length = if by_sum { numbers.iter().sum::<u32>() } else { numbers.iter().product::<u32>() };
    let bits = draw(vec_of(0..=1u8, length as usize));
    (numbers, bits)
}

fn is_long_with_a_one((_, bits): &Counted) -> bool {
    bits.len() >= 24 && bits.contains(&1)
}

fn show_counted((numbers, bits): &Counted) -> String {
    let runs = bits.chunk_by(|left, right| left == right).map(|run| format!("{} × {}", run.len(), run[0]));
    let parts: Vec<String> = numbers.iter().map(u32::to_string).chain(runs).collect();
    format!("({})", parts.join(", "))
}

/// A table that takes keys of one remainder for the same key: does a put change what another key
/// gives?
pub fn overwrites_another(modulus: u32, before: &[(u32, u32)], key: u32, value: u32) -> bool {
    let table: BTreeMap<u32, u32> = before.iter().map(|(key, value)| (key % modulus, *value)).collect();
    let shares_the_place = before.iter().any(|(other, _)| *other != key && other % modulus == key % modulus);
    shares_the_place && table.get(&(key % modulus)) != Some(&value)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Invoice {
    price: u32,
    quantity: u32,
    discount: u32,
}

/// Prices in cents. Only large invoices have a discount, in percent.
#[generator]
fn invoice() -> Invoice {
    let price = draw(1..=1000u32);
    let quantity = draw(1..=100u32);
    let discount = draw(0..=if price * quantity >= 1000 { 50u32 } else { 0 });
    Invoice { price, quantity, discount }
}

impl Invoice {
    /// The discount of each piece is rounded, not that of the whole.
    fn is_rounded_wrongly(&self) -> bool {
        let kept = 100 - self.discount;
        self.price * kept / 100 * self.quantity != self.price * self.quantity * kept / 100
    }

    fn show(&self) -> String {
        format!("Invoice({}, {}, {})", self.price, self.quantity, self.discount)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Refund {
    /// What was paid in each charge, in cents; `FEE` of each is not given back.
    paid: Vec<i64>,
    refund: i64,
}

const FEE: i64 = 30;

#[generator]
fn refund() -> Refund {
    let paid = draw(vec_of(FEE + 1..=i64::MAX, 1..=20));
    let most = paid.iter().map(|paid| i128::from(paid - FEE)).sum::<i128>().min(i128::from(i64::MAX)) as i64;
    let refund = draw(0..=most);
    Refund { paid, refund }
}

impl Refund {
    /// What was paid serves as weight, fee and all, instead of what can be given back. It is unfair
    /// if the shares differ.
    fn is_unfair(&self) -> bool {
        let whole: Vec<i128> = self.paid.iter().map(|paid| i128::from(*paid)).collect();
        let net: Vec<i128> = whole.iter().map(|paid| paid - i128::from(FEE)).collect();
        self.by_weight(&whole) != self.by_weight(&net)
    }

    /// Shares by weight, rounded down; what is left goes to the largest remainders, the earlier
    /// first.
    fn by_weight(&self, weights: &[i128]) -> Vec<i128> {
        let (total, refund) = (weights.iter().sum::<i128>(), i128::from(self.refund));
        let mut shares: Vec<i128> = weights.iter().map(|weight| refund * weight / total).collect();
        let left = (refund - shares.iter().sum::<i128>()) as usize;
        let mut places: Vec<usize> = (0..weights.len()).collect();
        places.sort_by_key(|place| std::cmp::Reverse(refund * weights[*place] % total));
        places.iter().take(left).for_each(|place| shares[*place] += 1);
        shares
    }

    fn show(&self) -> String {
        format!("Refund({:?}, {})", self.paid, self.refund)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Message {
    Binary(Vec<u8>),
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
struct Transmission {
    message: Message,
    /// Between which bytes it is cut.
    cuts: Vec<bool>,
}

#[generator]
fn message() -> Message {
    match pick() {
        "binary" => {
            let bytes = draw(vec_of(any::<u8>(), ..=64));
            Message::Binary(bytes)
        }
        "text" => {
            let text = draw(string_of(any::<char>(), ..=16));
            Message::Text(text)
        }
    }
}

#[generator]
fn transmission() -> Transmission {
    let message = draw(message());
    let cuts = draw(vec_of(any::<bool>(), message.bytes().len().saturating_sub(1)));
    Transmission { message, cuts }
}

impl Message {
    fn bytes(&self) -> &[u8] {
        match self {
            Message::Binary(bytes) => bytes,
            Message::Text(text) => text.as_bytes(),
        }
    }
}

impl Transmission {
    fn chunks(&self) -> Vec<&[u8]> {
        let (mut chunks, mut rest) = (Vec::new(), self.message.bytes());
        let mut length = 0;
        for is_cut in &self.cuts {
            length += 1;
            if *is_cut {
                let (chunk, after) = rest.split_at(length);
                chunks.push(chunk);
                (rest, length) = (after, 0);
            }
        }
        chunks.push(rest);
        chunks
    }

    /// Each chunk of a text is decoded by itself.
    fn is_garbled(&self) -> bool {
        let Message::Text(text) = &self.message else {
            return false;
        };
        self.chunks().into_iter().map(String::from_utf8_lossy).collect::<String>() != *text
    }

    fn show(&self) -> String {
        let lengths: Vec<usize> = self.chunks().iter().map(|chunk| chunk.len()).collect();
        match &self.message {
            Message::Binary(bytes) => format!("(binary, {bytes:?}, {lengths:?})"),
            Message::Text(text) => format!("(text, {text:?}, {lengths:?})"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Put(u32, u32),
    Get(u32),
    Snapshot,
    Read(usize, u32),
    Release(usize),
    Compact,
}

/// What can be done while these snapshots are live.
#[generator]
fn command(live: Vec<usize>) -> Command {
    match pick() {
        "put" => {
            let key = draw(0..=9u32);
            let value = draw(0..=9u32);
            Command::Put(key, value)
        }
        "get" => {
            let key = draw(0..=9u32);
            Command::Get(key)
        }
        "snapshot" => Command::Snapshot,
        #[weight(if live.is_empty() { 0 } else { 1 })]
        "read" => {
            let snapshot = draw(element_of(live));
            let key = draw(0..=9u32);
            Command::Read(snapshot, key)
        }
        #[weight(if live.is_empty() { 0 } else { 1 })]
        "release" => {
            let snapshot = draw(element_of(live));
            Command::Release(snapshot)
        }
        "compact" => Command::Compact,
    }
}

/// How many snapshots were taken, and which of them are not released.
#[derive(Clone, Debug, Default)]
struct Snapshots {
    taken: usize,
    live: Vec<usize>,
}

impl Snapshots {
    fn after(mut self, command: &Command) -> Snapshots {
        match command {
            Command::Snapshot => {
                self.live.push(self.taken);
                self.taken += 1;
            }
            Command::Release(snapshot) => self.live.retain(|other| other != snapshot),
            _ => {}
        }
        self
    }
}

/// A store of versions that is compacted back to the newest live snapshot instead of the oldest:
/// does a read miss what its snapshot saw?
fn loses_a_version(commands: &[Command]) -> bool {
    let mut versions: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
    let mut written: Vec<(u32, u32)> = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    let mut live = BTreeSet::new();
    let latest =
        |written: &[(u32, u32)], key| written.iter().rev().find(|(other, _)| *other == key).map(|(_, value)| *value);
    let stored = |versions: &BTreeMap<u32, Vec<(usize, u32)>>, key, until| {
        versions.get(&key)?.iter().rev().find(|(time, _)| *time <= until).map(|(_, value)| *value)
    };
    for command in commands {
        match command {
            Command::Put(key, value) => {
                written.push((*key, *value));
                versions.entry(*key).or_default().push((written.len(), *value));
            }
            Command::Get(key) => {
                if stored(&versions, *key, usize::MAX) != latest(&written, *key) {
                    return true;
                }
            }
            Command::Snapshot => {
                live.insert(taken.len());
                taken.push(written.len());
            }
            Command::Read(snapshot, key) => {
                let until = taken[*snapshot];
                if stored(&versions, *key, until) != latest(&written[..until], *key) {
                    return true;
                }
            }
            Command::Release(snapshot) => {
                live.remove(snapshot);
            }
            Command::Compact => {
                let horizon = live.iter().map(|snapshot: &usize| taken[*snapshot]).max().unwrap_or(written.len());
                for versions in versions.values_mut() {
                    let seen = versions.iter().rposition(|(time, _)| *time <= horizon).unwrap_or(0);
                    versions.drain(..seen);
                }
            }
        }
    }
    false
}

fn show_commands(commands: &[Command]) -> String {
    let mut taken = 0;
    let show = |command: &Command| match command {
        Command::Put(key, value) => format!("put({key}, {value})"),
        Command::Get(key) => format!("get({key})"),
        Command::Snapshot => {
            taken += 1;
            format!("s{} = snapshot", taken - 1)
        }
        Command::Read(snapshot, key) => format!("read(s{snapshot}, {key})"),
        Command::Release(snapshot) => format!("release(s{snapshot})"),
        Command::Compact => "compact".to_owned(),
    };
    commands.iter().map(show).collect::<Vec<_>>().join(", ")
}
