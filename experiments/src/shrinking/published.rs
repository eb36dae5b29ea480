//! Table 1 of *Reflecting on Random Generation*: the same failing values unshrunk, shrunk by the
//! structure of their type as QuickCheck's `genericShrink` does, by the three passes of the paper
//! on trees of bits, and by ours.

use super::measure::{first_failure, shrink};
use super::problems::challenges::{FiveLists, Heap, Term, differs_reversed, wraps};
use super::problems::smartcheck::{Expression, Function, Lang, Module, Operator, Statement, numbers_in_all};
use crate::measure::Table;
use retrospect::Segment;
use retrospect::choice::{Choices, Node, Nodes, Site};
use retrospect::prelude::*;
use retrospect::reflect::{Mismatch, Reflected, Reflector};
use retrospect::sketch::Sketch;
use retrospect::source::{Chooser, Drawn, NumberRequest, PickRequest, RepeatRequest, Source};
use std::cmp::Ordering;

/// The table, from so many starts.
pub fn run(starts: u64) -> String {
    let mut table = Table::new(&["problem", "starts", "unshrunk", "generic", "as published", "ours"]);
    let mut row = |name: &str, columns: [Vec<usize>; 4]| {
        let mut cells = vec![name.to_owned(), columns[0].len().to_string()];
        cells.extend(columns.iter().map(|sizes| mean_and_range(sizes)));
        table.row(cells);
    };
    let number = || -30..=30i64;
    let five =
        || tuple((cons(any::<i16>()), cons(any::<i16>()), cons(any::<i16>()), cons(any::<i16>()), cons(any::<i16>())));
    row("binheap", columns(&heap(0, 30), Heap::fails, Heap::size, starts));
    row("bound5", columns(&five(), wraps, numbers_in_all, starts));
    row("calculator", columns(&term(5), Term::fails, Term::size, starts));
    row("parser", columns(&lang(), Lang::fails, Lang::size, starts));
    row("reverse", columns(&cons(number()), |list| differs_reversed(list), Vec::len, starts));
    format!(
        "## Table 1 of *Reflecting on Random Generation*\n\n\
         The mean size of what is left, and two standard deviations to both sides. All four begin with the same failing values, drawn by the paper's \
         generators at sizes up to 30: numbers from -30 to 30, 16 bits in bound5, lists as an item and a rest. *As published*: `subTrees`, `zeroDraws` and \
         `swapBits` on trees of bits, each until it finds nothing.\n\n{}",
        table.to_markdown()
    )
}

/// The sizes of the starts, and of what the three shrinkers make of them.
fn columns<G: Generator>(
    generator: &G,
    fails: fn(&G::Value) -> bool,
    size: fn(&G::Value) -> usize,
    starts: u64,
) -> [Vec<usize>; 4]
where
    G::Value: Generic,
{
    let mut columns = [const { Vec::new() }; 4];
    for seed in 0..starts {
        let Some(start) = first_failure(generator, fails, seed) else { continue };
        let unshrunk = generator.replay(&start);
        let by_type = shrink_by_type(generator, unshrunk.clone(), fails);
        let published = shrink_bits(generator, &start, fails);
        let ours = generator.replay(&shrink(generator, &start, fails).choices);
        for (column, value) in columns.iter_mut().zip([unshrunk, by_type, published, ours]) {
            assert!(fails(&value), "{value:?} does not fail");
            column.push(size(&value));
        }
    }
    columns
}

fn mean_and_range(sizes: &[usize]) -> String {
    let count = sizes.len().max(1) as f64;
    let mean = sizes.iter().sum::<usize>() as f64 / count;
    let variance = sizes.iter().map(|size| (*size as f64 - mean).powi(2)).sum::<f64>() / count;
    let range = 2.0 * variance.sqrt();
    format!("{mean:.2} ({:.2}–{:.2})", (mean - range).max(0.0), mean + range)
}

/// A tree of bits: the paper's `Choices`.
#[derive(Clone, Debug)]
enum Bits {
    Bit(bool),
    Draw(Vec<Bits>),
}

impl Bits {
    fn of(choices: &Choices) -> Bits {
        let mut bits = Vec::new();
        push_nodes(choices.nodes(), &mut bits);
        Bits::Draw(bits)
    }

    fn flat(&self) -> Vec<bool> {
        match self {
            Bits::Bit(bit) => vec![*bit],
            Bits::Draw(parts) => parts.iter().flat_map(Bits::flat).collect(),
        }
    }
}

fn push_nodes(nodes: Nodes<'_>, bits: &mut Vec<Bits>) {
    for node in nodes {
        match node {
            Node::Number { index, bound } => push_number(index, bound, bits),
            Node::Pick(pick) => {
                let mut draw = Vec::new();
                push_number(pick.arm as u64, pick.arms as u64 - 1, &mut draw);
                push_nodes(pick.body, &mut draw);
                bits.push(Bits::Draw(draw));
            }
            Node::Call { children, .. } => {
                let mut draw = Vec::new();
                push_nodes(children, &mut draw);
                bits.push(Bits::Draw(draw));
            }
            Node::Repeat { .. } => unreachable!("the paper's generators have lists of an item and a rest"),
        }
    }
}

fn push_number(number: u64, most: u64, bits: &mut Vec<Bits>) {
    bits.extend((0..width(most)).rev().map(|place| Bits::Bit(number >> place & 1 == 1)));
}

fn width(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// Answers by bits, from the first on. Those that are left over count for nothing.
struct ByBits<'b> {
    bits: std::slice::Iter<'b, bool>,
}

impl ByBits<'_> {
    fn number(&mut self, most: u64) -> Result<u64, String> {
        let mut number = 0;
        for _ in 0..width(most) {
            let bit = self.bits.next().ok_or("the bits end")?;
            number = number << 1 | u64::from(*bit);
        }
        if number <= most { Ok(number) } else { Err("there are not so many".to_owned()) }
    }
}

impl Chooser for ByBits<'_> {
    fn number(&mut self, request: &NumberRequest) -> Result<u64, String> {
        ByBits::number(self, request.max)
    }

    fn pick(&mut self, request: &PickRequest<'_>) -> Result<usize, String> {
        ByBits::number(self, request.weights.len() as u64 - 1).map(|arm| arm as usize)
    }

    fn repeat(&mut self, _request: &RepeatRequest) -> Result<usize, String> {
        Err("the paper has no such lists".to_owned())
    }
}

fn made_of<G: Generator>(generator: &G, bits: &[bool]) -> Option<G::Value> {
    let mut chooser = ByBits { bits: bits.iter() };
    generator.generate(&mut Source::asking(&mut chooser)).ok()
}

/// Three passes, each until it finds nothing, none of them twice.
fn shrink_bits<G: Generator>(generator: &G, start: &Choices, fails: fn(&G::Value) -> bool) -> G::Value {
    let passes: [fn(&Bits) -> Vec<Bits>; 3] = [sub_trees, zero_draws, swap_bits];
    let mut best = Bits::of(start);
    for pass in passes {
        loop {
            let now = best.flat();
            let mut candidates: Vec<(Vec<bool>, Bits)> =
                pass(&best).into_iter().map(|candidate| (candidate.flat(), candidate)).collect();
            candidates.retain(|(bits, _)| shortlex(bits, &now) == Ordering::Less);
            candidates.sort_by(|(one, _), (other, _)| shortlex(one, other));
            let failing = |(bits, _): &(Vec<bool>, Bits)| made_of(generator, bits).is_some_and(|value| fails(&value));
            match candidates.into_iter().find(failing) {
                Some((_, candidate)) => best = candidate,
                None => break,
            }
        }
    }
    made_of(generator, &best.flat()).unwrap_or_else(|| generator.replay(start))
}

fn shortlex(one: &[bool], other: &[bool]) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

/// Every tree inside of it.
fn sub_trees(bits: &Bits) -> Vec<Bits> {
    let Bits::Draw(parts) = bits else { return Vec::new() };
    let draws = parts.iter().filter(|part| matches!(part, Bits::Draw(_)));
    draws.flat_map(|draw| std::iter::once(draw.clone()).chain(sub_trees(draw))).collect()
}

/// Every tree in which one draw is zeros, as many as there were bits or fewer.
fn zero_draws(bits: &Bits) -> Vec<Bits> {
    let Bits::Draw(parts) = bits else { return Vec::new() };
    let length = bits.flat().len();
    let mut zeroed: Vec<Bits> = (0..=length).map(|length| Bits::Draw(vec![Bits::Bit(false); length])).collect();
    for (place, part) in parts.iter().enumerate() {
        for changed in zero_draws(part) {
            let mut parts = parts.clone();
            parts[place] = changed;
            zeroed.push(Bits::Draw(parts));
        }
    }
    zeroed
}

/// Every row of bits in which one that is followed by a zero has changed places with it.
fn swap_bits(bits: &Bits) -> Vec<Bits> {
    let flat = bits.flat();
    let mut swapped = Vec::new();
    for place in 1..flat.len() {
        if flat[place - 1] && !flat[place] {
            let mut bits = flat.clone();
            bits.swap(place - 1, place);
            swapped.push(Bits::Draw(bits.into_iter().map(Bits::Bit).collect()));
        }
    }
    swapped
}

/// The first that fails of what a value's type makes of it, until none does. What the generator
/// cannot make does not count, as the paper has it.
fn shrink_by_type<G: Generator>(generator: &G, start: G::Value, fails: fn(&G::Value) -> bool) -> G::Value
where
    G::Value: Generic,
{
    let mut best = start;
    while let Some(simpler) =
        best.simpler().into_iter().find(|candidate| fails(candidate) && generator.accepts(candidate))
    {
        best = simpler;
    }
    best
}

/// QuickCheck's `genericShrink`: the parts of the same type, then the value with one part simpler.
trait Generic: Clone + std::fmt::Debug {
    fn simpler(&self) -> Vec<Self>;
}

macro_rules! integers {
    ($($integer:ty)*) => { $(impl Generic for $integer {
        fn simpler(&self) -> Vec<$integer> {
            let mut simpler = Vec::new();
            simpler.extend((*self < 0).then(|| self.checked_neg()).flatten());
            let mut half = *self;
            while half != 0 {
                simpler.push(*self - half);
                half /= 2;
            }
            simpler
        }
    })* };
}
integers!(i16 i32 i64);

impl Generic for bool {
    fn simpler(&self) -> Vec<bool> {
        if *self { vec![false] } else { Vec::new() }
    }
}

impl Generic for char {
    fn simpler(&self) -> Vec<char> {
        "abc123".chars().take_while(|simpler| simpler != self).collect()
    }
}

impl Generic for String {
    fn simpler(&self) -> Vec<String> {
        let characters: Vec<char> = self.chars().collect();
        characters.simpler().into_iter().map(|characters| characters.into_iter().collect()).collect()
    }
}

impl<T: Generic> Generic for Vec<T> {
    fn simpler(&self) -> Vec<Vec<T>> {
        let mut simpler = Vec::new();
        let mut length = self.len();
        while length > 0 {
            for from in (0..self.len()).step_by(length) {
                let to = (from + length).min(self.len());
                simpler.push([&self[..from], &self[to..]].concat());
            }
            length /= 2;
        }
        for (place, item) in self.iter().enumerate() {
            for item in item.simpler() {
                let mut list = self.clone();
                list[place] = item;
                simpler.push(list);
            }
        }
        simpler
    }
}

impl Generic for FiveLists {
    fn simpler(&self) -> Vec<FiveLists> {
        let (a, b, c, d, e) = self.clone();
        let lists = vec![a, b, c, d, e];
        let mut simpler = Vec::new();
        for (place, list) in lists.iter().enumerate() {
            for list in list.simpler() {
                let mut lists = lists.clone();
                lists[place] = list;
                let [a, b, c, d, e] = <[Vec<i16>; 5]>::try_from(lists).expect("there are five");
                simpler.push((a, b, c, d, e));
            }
        }
        simpler
    }
}

impl<T: Generic> Generic for Box<T> {
    fn simpler(&self) -> Vec<Box<T>> {
        (**self).simpler().into_iter().map(Box::new).collect()
    }
}

impl Generic for Operator {
    fn simpler(&self) -> Vec<Operator> {
        Vec::new()
    }
}

/// The values with one field simpler.
macro_rules! fields {
    ($make:expr; $($field:ident),*) => {{
        let mut simpler = Vec::new();
        fields!(@each simpler, $make, [$($field)*], [$($field)*]);
        simpler
    }};
    (@each $simpler:ident, $make:expr, [$first:ident $($rest:ident)*], $all:tt) => {
        for $first in $first.simpler() {
            $simpler.push(fields!(@call $make, $all));
        }
        fields!(@each $simpler, $make, [$($rest)*], $all);
    };
    (@each $simpler:ident, $make:expr, [], $all:tt) => {};
    (@call $make:expr, [$($field:ident)*]) => { $make($($field.clone()),*) };
}

impl Generic for Heap {
    fn simpler(&self) -> Vec<Heap> {
        match self {
            Heap::Empty => Vec::new(),
            Heap::Node(key, left, right) => {
                let mut simpler = vec![(**left).clone(), (**right).clone()];
                simpler.append(&mut fields!(Heap::Node; key, left, right));
                simpler
            }
        }
    }
}

impl Generic for Term {
    fn simpler(&self) -> Vec<Term> {
        let (left, right, mut changed) = match self {
            Term::Number(number) => return fields!(Term::Number; number),
            Term::Add(left, right) => (left, right, fields!(Term::Add; left, right)),
            Term::Divide(left, right) => (left, right, fields!(Term::Divide; left, right)),
        };
        let mut simpler = vec![(**left).clone(), (**right).clone()];
        simpler.append(&mut changed);
        simpler
    }
}

impl Generic for Expression {
    fn simpler(&self) -> Vec<Expression> {
        match self {
            Expression::Bool(value) => fields!(Expression::Bool; value),
            Expression::Int(value) => fields!(Expression::Int; value),
            Expression::Not(inner) => {
                let mut simpler = vec![(**inner).clone()];
                simpler.append(&mut fields!(Expression::Not; inner));
                simpler
            }
            Expression::Binary(operator, left, right) => {
                let mut simpler = vec![(**left).clone(), (**right).clone()];
                simpler.append(&mut fields!(Expression::Binary; operator, left, right));
                simpler
            }
        }
    }
}

impl Generic for Statement {
    fn simpler(&self) -> Vec<Statement> {
        match self {
            Statement::Return(expression) => fields!(Statement::Return; expression),
            Statement::Assign(name, expression) => fields!(Statement::Assign; name, expression),
            Statement::Allocate(name, expression) => fields!(Statement::Allocate; name, expression),
        }
    }
}

impl Generic for Module {
    fn simpler(&self) -> Vec<Module> {
        let Module { imports, exports } = self;
        fields!(|imports, exports| Module { imports, exports }; imports, exports)
    }
}

impl Generic for Function {
    fn simpler(&self) -> Vec<Function> {
        let Function { name, arguments, statements } = self;
        fields!(|name, arguments, statements| Function { name, arguments, statements }; name, arguments, statements)
    }
}

impl Generic for Lang {
    fn simpler(&self) -> Vec<Lang> {
        let Lang { modules, functions } = self;
        fields!(|modules, functions| Lang { modules, functions }; modules, functions)
    }
}

/// A list as an item and a rest, which is how the paper's generators have it: with no choice for
/// the length.
fn cons<G: Generator + Clone>(item: G) -> Cons<G> {
    Cons { item }
}

#[derive(Clone, Debug)]
struct Cons<G> {
    item: G,
}

static CONS: Site = Site::pick("cons", &["end", "more"], file!(), line!());

impl<G: Generator> Cons<G> {
    fn weights(size: u32) -> [u32; 2] {
        [1, size]
    }

    fn draw_rest(&self, list: &mut Vec<G::Value>, source: &mut Source<'_>, size: u32) -> Drawn<()> {
        source.call(&CONS, |source| {
            if source.pick(&CONS, &Cons::<G>::weights(size))? == 1 {
                list.push(source.part(|source| self.item.generate(source))?);
                source.part(|source| self.draw_rest(list, source, size - 1))?;
            }
            Ok(())
        })
    }

    fn reflect_rest(&self, list: &[G::Value], reflector: &mut Reflector, size: u32) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.pick(&CONS, &Cons::<G>::weights(size), usize::from(!list.is_empty()))?;
            let [first, rest @ ..] = list else { return Ok(()) };
            if size == 0 {
                return Err(Mismatch);
            }
            reflector.part(Segment::Position(0), |reflector| self.item.reflect(first, reflector))?;
            reflector.part(Segment::Position(1), |reflector| self.reflect_rest(rest, reflector, size - 1))
        };
        reflector.call(&CONS, || None, list.as_ptr().cast(), body)
    }
}

/// The longest list there is.
const LONGEST: u32 = 30;

impl<G: Generator> Generator for Cons<G> {
    type Value = Vec<G::Value>;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        let mut list = Vec::new();
        self.draw_rest(&mut list, source, LONGEST)?;
        Ok(list)
    }

    fn reflect(&self, value: &Vec<G::Value>, reflector: &mut Reflector) -> Reflected {
        self.reflect_rest(value, reflector, LONGEST)
    }

    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Vec<G::Value>> {
        self.generate(source)
    }
}

#[generator]
fn heap(least: i64, size: u32) -> Heap {
    match pick() {
        "empty" => Heap::Empty,
        #[weight(if size > 0 && least <= 30 { 7 } else { 0 })]
        "node" => {
            let key = draw(least..=30);
            let left = draw(heap(key, size / 2));
            let right = draw(heap(key, size / 2));
            Heap::Node(key, Box::new(left), Box::new(right))
        }
    }
}

#[generator]
fn term(depth: u32) -> Term {
    match pick() {
        "number" => {
            let number = draw(-30..=30i64);
            Term::Number(number)
        }
        #[weight(if depth > 0 { 3 } else { 0 })]
        "add" => {
            let left = draw(term(depth - 1));
            let right = draw(term(depth - 1));
            Term::Add(Box::new(left), Box::new(right))
        }
        #[weight(if depth > 0 { 3 } else { 0 })]
        "divide" => {
            let left = draw(term(depth - 1));
            let right = draw(term(depth - 1));
            Term::Divide(Box::new(left), Box::new(right))
        }
    }
}

#[generator]
fn lang() -> Lang {
    let modules = draw(cons(module()));
    let functions = draw(cons(function()));
    Lang { modules, functions }
}

#[generator]
fn module() -> Module {
    let imports = draw(cons(name()));
    let exports = draw(cons(name()));
    Module { imports, exports }
}

fn name() -> impl Generator<Value = String> + Clone {
    let letters = tuple((element_of(LETTERS), cons(element_of(LETTERS))));
    letters.map_with_inverse(
        |(first, rest)| std::iter::once(first).chain(rest).collect::<String>(),
        |name: &String| Some((name.chars().next()?, name.chars().skip(1).collect::<Vec<char>>())),
    )
}

const LETTERS: [char; 6] = ['a', 'b', 'c', '1', '2', '3'];

#[generator]
fn function() -> Function {
    let name = draw(name());
    let arguments = draw(cons(expression(5)));
    let statements = draw(cons(statement()));
    Function { name, arguments, statements }
}

#[generator]
fn statement() -> Statement {
    match pick() {
        "assign" => {
            let name = draw(name());
            let expression = draw(expression(5));
            Statement::Assign(name, expression)
        }
        "allocate" => {
            let name = draw(name());
            let expression = draw(expression(5));
            Statement::Allocate(name, expression)
        }
        "return" => {
            let expression = draw(expression(5));
            Statement::Return(expression)
        }
    }
}

#[generator]
fn expression(size: u32) -> Expression {
    match pick() {
        "bool" => {
            let value = draw(any::<bool>());
            Expression::Bool(value)
        }
        "int" => {
            let value = draw(-30..=30i32);
            Expression::Int(value)
        }
        #[weight(if size > 1 { 10 } else { 0 })]
        "not" => {
            let inner = draw(expression(size - 1));
            Expression::Not(Box::new(inner))
        }
        #[weight(if size > 1 { 600 } else { 0 })]
        "binary" => {
            let operator = draw(any::<Operator>());
            let left = draw(expression(size / 2));
            let right = draw(expression(size / 2));
            Expression::Binary(operator, Box::new(left), Box::new(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree as the paper writes it, such as `(10(1(100)0))`.
    fn bits(text: &str) -> Bits {
        let mut open = vec![Vec::new()];
        for character in text.chars() {
            match character {
                '(' => open.push(Vec::new()),
                ')' => {
                    let draw = Bits::Draw(open.pop().unwrap());
                    open.last_mut().unwrap().push(draw);
                }
                bit => open.last_mut().unwrap().push(Bits::Bit(bit == '1')),
            }
        }
        open.pop().unwrap().pop().unwrap()
    }

    fn texts(all: &[Bits]) -> Vec<String> {
        let flat = |bits: &Bits| bits.flat().into_iter().map(|bit| if bit { '1' } else { '0' }).collect();
        all.iter().map(flat).collect()
    }

    /// Figures 8 and 9.
    #[test]
    fn the_passes_do_what_the_paper_shows() {
        let tree = bits("(10(1(100)0))");
        assert_eq!(texts(&sub_trees(&tree)), ["11000", "100"]);
        let zeroed = texts(&zero_draws(&bits("(10(100))")));
        for shown in ["10000", "1000", "100", "10"] {
            assert!(zeroed.contains(&shown.to_owned()), "{shown}: {zeroed:?}");
        }
        assert_eq!(texts(&swap_bits(&bits("(1(10)0)"))), ["1010"]);
    }

    #[test]
    fn bits_make_what_they_were_made_of() {
        fn check<G: Generator<Value: PartialEq>>(generator: &G) {
            for seed in 0..200 {
                let choices = generator.sample_choices(seed);
                assert_eq!(made_of(generator, &Bits::of(&choices).flat()), Some(generator.replay(&choices)));
            }
        }
        check(&heap(0, 30));
        check(&term(5));
        check(&lang());
        check(&tuple((cons(any::<i16>()), cons(-30..=30i64))));
        let example = one_of((exact(1), exact(2), exact(3)));
        assert_eq!(texts(&[Bits::of(&example.choices_of(&2).unwrap())]), ["01"]);
    }

    /// The paper's table, at fewer starts: bound5 is where the types alone do worst; ours is the
    /// smallest everywhere.
    #[test]
    fn ours_is_never_larger_and_all_are_smaller_than_the_start() {
        let mean = |sizes: &Vec<usize>| sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        let check = |columns: [Vec<usize>; 4], least: f64| {
            let [unshrunk, by_type, published, ours] = columns.each_ref().map(mean);
            assert!(unshrunk >= by_type && unshrunk >= published, "{columns:?}");
            assert!(ours <= by_type && ours <= published && ours == least, "{columns:?}");
        };
        check(columns(&heap(0, 30), Heap::fails, Heap::size, 10), 9.0);
        check(columns(&term(5), Term::fails, Term::size, 10), 5.0);
        check(columns(&cons(-30..=30i64), |list| differs_reversed(list), Vec::len, 10), 2.0);
    }
}
