//! Random recursive generators as properties, in a test thread and without optimisation: no value
//! is too deep for ordinary recursive code. `RECURSIVE_GENERATORS=10000` tries that many of them,
//! and `RECURSIVE_FROM=5000` begins later.

use retrospect::choice::Site;
use retrospect::prelude::*;
use retrospect::reflect::{Reflected, Reflector};
use retrospect::runner::settings::{Health, Settings};
use retrospect::sketch::Sketch;
use retrospect::source::{Distribution, Drawn, Rng, Source};
use std::fmt::{self, Write as _};

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Leaf(u8),
    One(Box<Value>),
    Some { items: Vec<Value> },
}

impl Value {
    fn of(mut items: Vec<Value>) -> Value {
        match items.len() {
            0 => Value::Leaf(0),
            1 => Value::One(Box::new(items.remove(0))),
            _ => Value::Some { items },
        }
    }

    fn size(&self) -> usize {
        match self {
            Value::Leaf(_) => 1,
            Value::One(value) => 1 + value.size(),
            Value::Some { items } => 1 + items.iter().map(Value::size).sum::<usize>(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Value::Leaf(_) => 1,
            Value::One(value) => 1 + value.depth(),
            Value::Some { items } => 1 + items.iter().map(Value::depth).max().unwrap_or(0),
        }
    }
}

/// Text of which the rest is thrown away: a long one takes long to indent.
struct Short(usize);

impl fmt::Write for Short {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.0 += piece.len();
        if self.0 > 100_000 { Err(fmt::Error) } else { Ok(()) }
    }
}

/// What ordinary code does with a value.
fn used(value: &Value) -> usize {
    let copy = value.clone();
    assert_eq!(&copy, value);
    let _ = write!(Short(0), "{copy:#?}");
    assert!(copy.size() > 0);
    copy.depth()
}

/// Rules that refer to each other.
#[derive(Clone, Debug)]
struct Rules {
    rules: &'static [Rule],
    start: usize,
}

#[derive(Debug)]
struct Rule {
    site: &'static Site,
    weights: Vec<u32>,
    arms: Vec<Vec<Part>>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Number,
    Rule(usize),
    List { of: usize, min: usize, max: usize },
}

impl Generator for Rules {
    type Value = Value;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Value> {
        let rule = &self.rules[self.start];
        source.call(rule.site, |source| {
            let arm = source.pick(rule.site, &rule.weights)?;
            let mut items = Vec::new();
            for part in &rule.arms[arm] {
                items.push(source.part(|source| match *part {
                    Part::Number => source.number(255, Distribution::Uniform).map(|number| Value::Leaf(number as u8)),
                    Part::Rule(start) => Rules { start, ..self.clone() }.generate(source),
                    Part::List { of, min, max } => {
                        let inner = Rules { start: of, ..self.clone() };
                        vec_of(inner, min..=max).generate(source).map(Value::of)
                    }
                })?);
            }
            Ok(Value::of(items))
        })
    }

    fn reflect(&self, value: &Value, reflector: &mut Reflector) -> Reflected {
        reflector.mismatch(value, || "it goes forward only".to_owned())
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Value> {
        match sketch.is_hole() {
            true => self.generate(source),
            false => Err(source.not_made(sketch.text(), || "it goes forward only".to_owned())),
        }
    }
}

fn weight(rng: &mut Rng) -> u32 {
    10u32.pow(rng.at_most(5) as u32)
}

/// Up to four rules of up to four arms. The last rule has an arm that ends, and each other one an
/// arm that leads to later rules only, anywhere among its arms.
fn rules(rng: &mut Rng) -> Rules {
    let count = 1 + rng.at_most(3) as usize;
    let mut rules = Vec::new();
    for (at, site) in SITES.iter().enumerate().take(count) {
        let mut arms: Vec<Vec<Part>> = Vec::new();
        for _ in 0..=rng.at_most(2) {
            let part = |rng: &mut Rng| match (rng.at_most(5), rng.at_most(count as u64 - 1) as usize) {
                (0, _) => Part::Number,
                (1, of) => Part::List { of, min: rng.at_most(2) as usize, max: 2 + rng.at_most(3) as usize },
                (_, rule) => Part::Rule(rule),
            };
            arms.push((0..rng.at_most(3)).map(|_| part(rng)).collect());
        }
        let later = |rng: &mut Rng| Part::Rule(at + 1 + rng.at_most((count - at) as u64 - 2) as usize);
        let ending = if at + 1 == count { vec![Part::Number] } else { vec![later(rng), later(rng)] };
        arms.insert(rng.at_most(arms.len() as u64) as usize, ending);
        let weights = arms.iter().map(|_| weight(rng)).collect();
        rules.push(Rule { site, weights, arms });
    }
    Rules { rules: Box::leak(rules.into_boxed_slice()), start: 0 }
}

static SITES: [Site; 4] = [
    Site::pick("first", &["a", "b", "c", "d"], file!(), 1),
    Site::pick("second", &["a", "b", "c", "d"], file!(), 2),
    Site::pick("third", &["a", "b", "c", "d"], file!(), 3),
    Site::pick("fourth", &["a", "b", "c", "d"], file!(), 4),
];

/// One rule by combinators.
fn by_combinators(rng: &mut Rng) -> impl Generator<Value = Value> + use<> {
    let (weights, at) = ([0; 3].map(|_| weight(rng)), rng.at_most(3) as usize);
    recursive(move |value| {
        let mut arms = vec![
            (weights[0], value.clone().map(|value| Value::One(Box::new(value))).boxed()),
            (
                weights[1],
                tuple((value.clone(), value.clone(), value.clone())).map(|(a, b, c)| Value::of(vec![a, b, c])).boxed(),
            ),
            (weights[2], vec_of(value, 2..).map(Value::of).boxed()),
        ];
        arms.insert(at, (1, any::<u8>().map(Value::Leaf).boxed()));
        frequency(arms)
    })
}

#[generator(forward)]
fn by_function(weights: [u32; 3]) -> Value {
    match pick() {
        #[weight(weights[0])]
        "two" => {
            let left = draw(by_function(weights));
            let right = draw(by_other_function(weights));
            Value::of(vec![left, right])
        }
        "leaf" => Value::Leaf(draw(any::<u8>())),
        #[weight(weights[1])]
        "list" => Value::of(draw(vec_of(by_function(weights), ..))),
    }
}

#[generator(forward)]
fn by_other_function(weights: [u32; 3]) -> Value {
    match pick() {
        #[weight(weights[2])]
        "same" => Value::One(Box::new(draw(by_other_function(weights)))),
        "other" => Value::One(Box::new(draw(by_function(weights)))),
    }
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Derived {
    Three(Box<Derived>, Box<Derived>, Box<Derived>),
    List(Vec<Derived>),
    Leaf(u8),
}

impl From<Derived> for Value {
    fn from(derived: Derived) -> Value {
        match derived {
            Derived::Leaf(number) => Value::Leaf(number),
            Derived::List(items) => Value::of(items.into_iter().map(Value::from).collect()),
            Derived::Three(a, b, c) => Value::of(vec![(*a).into(), (*b).into(), (*c).into()]),
        }
    }
}

fn lazily() -> impl Generator<Value = Value> {
    let three = tuple((lazy(lazily), lazy(lazily), lazy(lazily)));
    frequency(((100_000, three.map(|(a, b, c)| Value::of(vec![a, b, c]))), (1, any::<u8>().map(Value::Leaf))))
}

fn holds_or_is_shrunk<G: Generator<Value = Value>>(seed: u64, generator: G) {
    let settings = Settings::new().seed(seed).cases(5).shrink_runs(20).save(false).exhaustive(false);
    // Every third one fails, so that it is shrunk.
    let most = if seed.is_multiple_of(3) { 20 } else { usize::MAX };
    let check = Check::new().with(settings.allow(Health::Large).allow(Health::Slow).allow(Health::Discards));
    check.failure(&generator, |value| used(&value) < most);
    let value = generator.sample(seed);
    assert!(used(&value) <= 400, "seed {seed}: {} levels", value.depth());
}

#[test]
fn values_of_random_recursive_generators_are_not_too_deep() {
    let number = |name, default| std::env::var(name).map_or(default, |number| number.parse().expect("a number"));
    for seed in number("RECURSIVE_FROM", 0)..number("RECURSIVE_GENERATORS", 60) {
        // An overflow leaves nothing else.
        println!("seed {seed}");
        let mut rng = Rng::new(seed);
        match seed % 8 {
            0..4 => holds_or_is_shrunk(seed, rules(&mut rng)),
            4 => holds_or_is_shrunk(seed, by_combinators(&mut rng)),
            5 | 6 => holds_or_is_shrunk(seed, by_function([0; 3].map(|_| weight(&mut rng)))),
            _ if seed % 16 == 7 => holds_or_is_shrunk(seed, any::<Derived>().map(Value::from)),
            _ => holds_or_is_shrunk(seed, lazily()),
        }
    }
}
