//! ETNA's search trees: 8 mutants, 18 properties, 53 tasks.

use super::{Approach, Task, measure_task};
use retrospect::prelude::*;

/// A search tree from keys to values.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Empty,
    Node(Box<Tree>, i32, i32, Box<Tree>),
}

use Tree::{Empty, Node};

/// What is wrong with the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    None,
    Insert1,
    Insert2,
    Insert3,
    Delete4,
    Delete5,
    Union6,
    Union7,
    Union8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    InsertValid,
    DeleteValid,
    UnionValid,
    InsertPost,
    DeletePost,
    UnionPost,
    InsertModel,
    DeleteModel,
    UnionModel,
    InsertInsert,
    InsertDelete,
    InsertUnion,
    DeleteInsert,
    DeleteDelete,
    DeleteUnion,
    UnionDeleteInsert,
    UnionUnionIdem,
    UnionUnionAssoc,
}

use Mutant::{Delete4, Delete5, Insert1, Insert2, Insert3, Union6, Union7, Union8};
use Property::{
    DeleteDelete, DeleteInsert, DeleteModel, DeletePost, DeleteUnion, DeleteValid, InsertDelete, InsertInsert,
    InsertModel, InsertPost, InsertUnion, InsertValid, UnionDeleteInsert, UnionModel, UnionPost, UnionUnionAssoc,
    UnionUnionIdem, UnionValid,
};

pub const PROPERTIES: [Property; 18] = [
    InsertValid,
    DeleteValid,
    UnionValid,
    InsertPost,
    DeletePost,
    UnionPost,
    InsertModel,
    DeleteModel,
    UnionModel,
    InsertInsert,
    InsertDelete,
    InsertUnion,
    DeleteInsert,
    DeleteDelete,
    DeleteUnion,
    UnionDeleteInsert,
    UnionUnionIdem,
    UnionUnionAssoc,
];

/// Each mutant with the properties it breaks: 53 tasks.
pub const TASKS: [(Mutant, &[Property]); 8] = [
    (Insert1, &[InsertPost, InsertModel, DeleteInsert, InsertInsert, InsertUnion, UnionDeleteInsert]),
    (Insert2, &[InsertPost, InsertModel, DeleteInsert, InsertInsert, InsertUnion, UnionDeleteInsert, InsertDelete]),
    (Insert3, &[InsertPost, InsertModel, InsertDelete, InsertInsert, InsertUnion, UnionDeleteInsert]),
    (Delete4, &[DeleteModel, DeletePost, DeleteDelete, DeleteInsert, DeleteUnion, InsertDelete, UnionDeleteInsert]),
    (Delete5, &[DeleteModel, DeletePost, DeleteDelete, DeleteInsert, DeleteUnion, UnionDeleteInsert]),
    (
        Union6,
        &[
            UnionValid,
            UnionPost,
            UnionModel,
            DeleteUnion,
            InsertUnion,
            UnionDeleteInsert,
            UnionUnionAssoc,
            UnionUnionIdem,
        ],
    ),
    (Union7, &[UnionValid, UnionPost, UnionModel, DeleteUnion, InsertUnion, UnionDeleteInsert, UnionUnionAssoc]),
    (Union8, &[UnionPost, UnionModel, DeleteUnion, InsertUnion, UnionDeleteInsert, UnionUnionAssoc]),
];

/// What a property is about: trees, and numbers for the keys and values it names. What it does not
/// name is not drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    pub trees: Vec<Tree>,
    pub numbers: Vec<i32>,
}

/// How many trees a property is about, and how many numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arity {
    trees: usize,
    numbers: usize,
}

impl Property {
    pub fn arity(self) -> Arity {
        let (trees, numbers) = match self {
            InsertValid | InsertModel => (1, 2),
            DeleteValid | DeleteModel => (1, 1),
            UnionValid | UnionModel => (2, 0),
            InsertPost | InsertDelete | DeleteInsert => (1, 3),
            DeletePost | DeleteDelete => (1, 2),
            UnionPost | DeleteUnion => (2, 1),
            InsertInsert => (1, 4),
            InsertUnion | UnionDeleteInsert => (2, 2),
            UnionUnionIdem => (1, 0),
            UnionUnionAssoc => (3, 0),
        };
        Arity { trees, numbers }
    }

    /// Whether the property holds for valid trees with these operations.
    pub fn holds(self, mutant: Mutant, Arguments { trees, numbers }: &Arguments) -> bool {
        let insert = |key: i32, value: i32, tree: &Tree| insert(mutant, key, value, tree);
        let delete = |key: i32, tree: &Tree| delete(mutant, key, tree);
        let union = |left: &Tree, right: &Tree| union(mutant, left, right);
        let same = |left: &Tree, right: &Tree| left.entries() == right.entries();
        match (self, &trees[..], &numbers[..]) {
            (InsertValid, [t], &[k, v]) => insert(k, v, t).is_valid(),
            (DeleteValid, [t], &[k]) => delete(k, t).is_valid(),
            (UnionValid, [t, u], []) => union(t, u).is_valid(),
            (InsertPost, [t], &[k, other, v]) => {
                insert(k, v, t).find(other) == if k == other { Some(v) } else { t.find(other) }
            }
            (DeletePost, [t], &[k, other]) => delete(k, t).find(other) == if k == other { None } else { t.find(other) },
            (UnionPost, [t, u], &[k]) => union(t, u).find(k) == t.find(k).or(u.find(k)),
            (InsertModel, [t], &[k, v]) => insert(k, v, t).entries() == with(without(t.entries(), k), k, v),
            (DeleteModel, [t], &[k]) => delete(k, t).entries() == without(t.entries(), k),
            (UnionModel, [t, u], []) => {
                let both = t.entries().into_iter().fold(u.entries(), |all, (k, v)| with(without(all, k), k, v));
                union(t, u).entries() == both
            }
            (InsertInsert, [t], &[k, other, v, w]) => {
                let right = if k == other { insert(k, v, t) } else { insert(other, w, &insert(k, v, t)) };
                same(&insert(k, v, &insert(other, w, t)), &right)
            }
            (InsertDelete, [t], &[k, other, v]) => {
                let right = if k == other { insert(k, v, t) } else { delete(other, &insert(k, v, t)) };
                same(&insert(k, v, &delete(other, t)), &right)
            }
            (InsertUnion, [t, u], &[k, v]) => same(&insert(k, v, &union(t, u)), &union(&insert(k, v, t), u)),
            (DeleteInsert, [t], &[k, other, w]) => {
                let right = if k == other { delete(k, t) } else { insert(other, w, &delete(k, t)) };
                same(&delete(k, &insert(other, w, t)), &right)
            }
            (DeleteDelete, [t], &[k, other]) => same(&delete(k, &delete(other, t)), &delete(other, &delete(k, t))),
            (DeleteUnion, [t, u], &[k]) => same(&delete(k, &union(t, u)), &union(&delete(k, t), &delete(k, u))),
            (UnionDeleteInsert, [t, u], &[k, v]) => {
                same(&union(&delete(k, t), &insert(k, v, u)), &insert(k, v, &union(t, u)))
            }
            (UnionUnionIdem, [t], []) => same(&union(t, t), t),
            (UnionUnionAssoc, [t, u, w], []) => union(&union(t, u), w) == union(t, &union(u, w)),
            (_, trees, numbers) => panic!("{self:?} is not about {} trees and {} numbers", trees.len(), numbers.len()),
        }
    }
}

fn node(left: Tree, key: i32, value: i32, right: Tree) -> Tree {
    Node(Box::new(left), key, value, Box::new(right))
}

fn insert(mutant: Mutant, key: i32, value: i32, tree: &Tree) -> Tree {
    let Node(left, k, v, right) = tree else {
        return node(Empty, key, value, Empty);
    };
    let again = |tree| insert(mutant, key, value, tree);
    let (l, r) = (|| (**left).clone(), || (**right).clone());
    match (mutant, key.cmp(k)) {
        (Insert1, _) => node(Empty, key, value, Empty),
        (Insert2, std::cmp::Ordering::Greater) => node(l(), *k, value, r()),
        (_, std::cmp::Ordering::Less) => node(again(left), *k, *v, r()),
        (_, std::cmp::Ordering::Greater) => node(l(), *k, *v, again(right)),
        (Insert3, std::cmp::Ordering::Equal) => node(l(), *k, *v, r()),
        (_, std::cmp::Ordering::Equal) => node(l(), *k, value, r()),
    }
}

fn delete(mutant: Mutant, key: i32, tree: &Tree) -> Tree {
    let Node(left, k, v, right) = tree else {
        return Empty;
    };
    let again = |tree| delete(mutant, key, tree);
    let order = if mutant == Delete5 { k.cmp(&key) } else { key.cmp(k) };
    match (mutant, order) {
        (_, std::cmp::Ordering::Equal) => join(left, right),
        (Delete4, std::cmp::Ordering::Less) => again(left),
        (Delete4, std::cmp::Ordering::Greater) => again(right),
        (_, std::cmp::Ordering::Less) => node(again(left), *k, *v, (**right).clone()),
        (_, std::cmp::Ordering::Greater) => node((**left).clone(), *k, *v, again(right)),
    }
}

fn join(left: &Tree, right: &Tree) -> Tree {
    match (left, right) {
        (Empty, other) | (other, Empty) => other.clone(),
        (Node(l, k, v, r), Node(other_l, other_k, other_v, other_r)) => {
            node((**l).clone(), *k, *v, node(join(r, other_l), *other_k, *other_v, (**other_r).clone()))
        }
    }
}

fn union(mutant: Mutant, left: &Tree, right: &Tree) -> Tree {
    let (Node(l, k, v, r), Node(other_l, other_k, other_v, other_r)) = (left, right) else {
        return if *left == Empty { right.clone() } else { left.clone() };
    };
    let again = |left: &Tree, right: &Tree| union(mutant, left, right);
    let in_a_row = || node((**l).clone(), *k, *v, node(again(r, other_l), *other_k, *other_v, (**other_r).clone()));
    match (mutant, k.cmp(other_k)) {
        (Union6, _) => in_a_row(),
        (Union7 | Union8, std::cmp::Ordering::Equal) => node(again(l, other_l), *k, *v, again(r, other_r)),
        (Union7, std::cmp::Ordering::Less) => in_a_row(),
        (Union8, std::cmp::Ordering::Less) => {
            let above = node(other_l.above(*k), *other_k, *other_v, (**other_r).clone());
            node(again(l, &other_l.below(*k)), *k, *v, again(r, &above))
        }
        (Union7 | Union8, std::cmp::Ordering::Greater) => again(right, left),
        _ => node(again(l, &right.below(*k)), *k, *v, again(r, &right.above(*k))),
    }
}

impl Tree {
    /// The part with smaller keys.
    fn below(&self, key: i32) -> Tree {
        match self {
            Empty => Empty,
            Node(l, k, ..) if key <= *k => l.below(key),
            Node(l, k, v, r) => node((**l).clone(), *k, *v, r.below(key)),
        }
    }

    /// The part with larger keys.
    fn above(&self, key: i32) -> Tree {
        match self {
            Empty => Empty,
            Node(_, k, _, r) if key >= *k => r.above(key),
            Node(l, k, v, r) => node(l.above(key), *k, *v, (**r).clone()),
        }
    }

    fn find(&self, key: i32) -> Option<i32> {
        match self {
            Empty => None,
            Node(_, k, v, _) if *k == key => Some(*v),
            Node(l, k, _, r) => if key < *k { l } else { r }.find(key),
        }
    }

    fn entries(&self) -> Vec<(i32, i32)> {
        match self {
            Empty => Vec::new(),
            Node(l, k, v, r) => [l.entries(), vec![(*k, *v)], r.entries()].concat(),
        }
    }

    pub fn is_valid(&self) -> bool {
        self.entries().is_sorted_by(|left, right| left.0 < right.0)
    }

    fn nodes(&self) -> usize {
        match self {
            Empty => 0,
            Node(l, _, _, r) => 1 + l.nodes() + r.nodes(),
        }
    }
}

fn without(mut entries: Vec<(i32, i32)>, key: i32) -> Vec<(i32, i32)> {
    entries.retain(|(other, _)| *other != key);
    entries
}

/// A sorted list with one entry more.
fn with(mut entries: Vec<(i32, i32)>, key: i32, value: i32) -> Vec<(i32, i32)> {
    let place = entries.partition_point(|(other, _)| *other < key);
    entries.insert(place, (key, value));
    entries
}

/// Keys and values are few enough to meet again.
const HIGHEST: i32 = 20;

/// Trees whose keys lie between those of their ancestors, by construction.
#[generator]
pub fn search_tree(low: i32, high: i32, depth: u32) -> Tree {
    if low > high {
        return Tree::Empty;
    }
    match pick() {
        "empty" => Tree::Empty,
        #[weight(if depth > 0 { 2 } else { 0 })]
        "node" => {
            let key = draw(low..=high);
            let value = draw(0..=HIGHEST);
            let left = draw(search_tree(low, key - 1, depth - 1));
            let right = draw(search_tree(key + 1, high, depth - 1));
            Tree::Node(Box::new(left), key, value, Box::new(right))
        }
    }
}

/// Trees of the type, whatever their keys; few of them are search trees.
#[generator]
pub fn any_tree(depth: u32) -> Tree {
    match pick() {
        "empty" => Tree::Empty,
        #[weight(if depth > 0 { 1 } else { 0 })]
        "node" => {
            let left = draw(any_tree(depth - 1));
            let key = draw(0..=HIGHEST);
            let value = draw(0..=HIGHEST);
            let right = draw(any_tree(depth - 1));
            Tree::Node(Box::new(left), key, value, Box::new(right))
        }
    }
}

/// Arguments with valid trees.
#[generator]
pub fn valid_arguments(how_many: Arity) -> Arguments {
    let trees = draw(vec_of(search_tree(0, HIGHEST, 5), how_many.trees));
    let numbers = draw(vec_of(0..=HIGHEST, how_many.numbers));
    Arguments { trees, numbers }
}

/// Arguments of the right types.
#[generator]
pub fn any_arguments(how_many: Arity) -> Arguments {
    let trees = draw(vec_of(any_tree(4), how_many.trees));
    let numbers = draw(vec_of(0..=HIGHEST, how_many.numbers));
    Arguments { trees, numbers }
}

/// A property fails that should hold, on valid trees.
fn fails(mutant: Mutant, property: Property, arguments: &Arguments) -> bool {
    arguments.trees.iter().all(Tree::is_valid) && !property.holds(mutant, arguments)
}

/// All 53 tasks.
pub fn tasks() -> Vec<Task> {
    let pairs = TASKS.iter().flat_map(|(mutant, properties)| properties.iter().map(|property| (*mutant, *property)));
    pairs.map(|(mutant, property)| task(mutant, property)).collect()
}

fn task(mutant: Mutant, property: Property) -> Task {
    let measure = move |approach: Approach, trials: u64, on_start: &mut dyn FnMut(u64)| {
        let least = least_that_fail(mutant, property);
        let fails = |arguments: &Arguments| fails(mutant, property, arguments);
        match approach {
            Approach::ByConstruction => {
                measure_task(&valid_arguments(property.arity()), fails, Arguments::nodes, &least, trials, on_start)
            }
            Approach::ByType => {
                measure_task(&any_arguments(property.arity()), fails, Arguments::nodes, &least, trials, on_start)
            }
        }
    };
    Task { name: format!("{mutant:?} {property:?}"), measure: Box::new(measure) }
}

impl Arguments {
    fn nodes(&self) -> usize {
        self.trees.iter().map(Tree::nodes).sum()
    }
}

/// All arguments with as few nodes as possible that fail, keys from 0 to 4, values 0 and 1.
fn least_that_fail(mutant: Mutant, property: Property) -> Vec<Arguments> {
    let by_nodes: Vec<Vec<Tree>> = (0..=5).map(|nodes| trees_of(nodes, 0, 4)).collect();
    let Arity { trees, numbers } = property.arity();
    let all_numbers = tuples_of(numbers, &[0, 1, 2, 3, 4]);
    for nodes in 0..by_nodes.len() {
        let mut least = Vec::new();
        for trees in forests_of(trees, nodes, &by_nodes) {
            for numbers in &all_numbers {
                let arguments = Arguments { trees: trees.clone(), numbers: numbers.clone() };
                if !property.holds(mutant, &arguments) {
                    least.push(arguments);
                }
            }
        }
        if !least.is_empty() {
            return least;
        }
    }
    panic!("{mutant:?} passes {property:?} on all small trees")
}

/// All search trees of exactly so many nodes.
fn trees_of(nodes: usize, low: i32, high: i32) -> Vec<Tree> {
    if nodes == 0 {
        return vec![Empty];
    }
    let mut trees = Vec::new();
    for key in low..=high {
        for on_the_left in 0..nodes {
            let rights = trees_of(nodes - 1 - on_the_left, key + 1, high);
            for left in trees_of(on_the_left, low, key - 1) {
                for right in &rights {
                    trees.extend([0, 1].map(|value| node(left.clone(), key, value, right.clone())));
                }
            }
        }
    }
    trees
}

/// All ways to have so many trees with so many nodes together.
fn forests_of(count: usize, nodes: usize, by_nodes: &[Vec<Tree>]) -> Vec<Vec<Tree>> {
    if count == 0 {
        return if nodes == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let mut forests = Vec::new();
    for in_the_last in 0..=nodes {
        for forest in forests_of(count - 1, nodes - in_the_last, by_nodes) {
            let longer = |tree: &Tree| [&forest[..], std::slice::from_ref(tree)].concat();
            forests.extend(by_nodes[in_the_last].iter().map(longer));
        }
    }
    forests
}

fn tuples_of(count: usize, items: &[i32]) -> Vec<Vec<i32>> {
    (0..count).fold(vec![Vec::new()], |tuples, _| {
        let longer = |tuple: &Vec<i32>| items.iter().map(|item| [&tuple[..], &[*item]].concat()).collect::<Vec<_>>();
        tuples.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mutated_passes_all_properties() {
        for property in PROPERTIES {
            let arguments = valid_arguments(property.arity());
            for arguments in arguments.samples(3).take(2000) {
                assert!(arguments.trees.iter().all(Tree::is_valid), "{arguments:?}");
                assert!(property.holds(Mutant::None, &arguments), "{property:?}: {arguments:?}");
            }
        }
    }

    #[test]
    fn mutants_break_their_properties_and_no_others() {
        let mutants = [Insert1, Insert2, Insert3, Delete4, Delete5, Union6, Union7, Union8];
        assert_eq!(TASKS.iter().map(|(_, properties)| properties.len()).sum::<usize>(), 53);
        for (mutant, (listed, broken)) in mutants.iter().zip(&TASKS) {
            assert_eq!(mutant, listed);
            for property in PROPERTIES {
                let found = valid_arguments(property.arity())
                    .samples(9)
                    .take(3000)
                    .any(|arguments| fails(*mutant, property, &arguments));
                assert_eq!(found, broken.contains(&property), "{mutant:?} {property:?}");
            }
        }
    }

    #[test]
    fn all_small_trees_are_listed() {
        // 5 keys, 2 values; two of five keys in two shapes.
        assert_eq!(trees_of(1, 0, 4).len(), 10);
        assert_eq!(trees_of(2, 0, 4).len(), 10 * 2 * 4);
        assert!(trees_of(3, 0, 4).iter().all(|tree| tree.is_valid() && tree.nodes() == 3));
    }
}
