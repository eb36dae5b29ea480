//! The tree-edit distance of Zhang and Shasha: how many nodes must be relabelled, put in or taken
//! out to turn one tree into another.

/// An ordered tree with labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// What stands in the node.
    pub label: String,
    /// What hangs below it, in order.
    pub children: Vec<Labelled>,
}

impl Labelled {
    /// A node.
    pub fn new(label: impl Into<String>, children: Vec<Labelled>) -> Labelled {
        Labelled { label: label.into(), children }
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Labelled::size).sum::<usize>()
    }
}

/// The fewest changes of one node each that turn one tree into the other.
pub fn distance(one: &Labelled, other: &Labelled) -> usize {
    let (one, other) = (Flat::of(one), Flat::of(other));
    let mut between_subtrees = vec![vec![0; other.labels.len()]; one.labels.len()];
    for &root in &one.key_roots {
        for &other_root in &other.key_roots {
            forests(&one, &other, root, other_root, &mut between_subtrees);
        }
    }
    between_subtrees[one.labels.len() - 1][other.labels.len() - 1]
}

/// A tree in the order in which children come before their parents.
struct Flat<'t> {
    labels: Vec<&'t str>,
    /// For each node the leaf that is reached by going down on the left.
    leftmost: Vec<usize>,
    /// The root, and all nodes that have a sibling on their left.
    key_roots: Vec<usize>,
}

impl<'t> Flat<'t> {
    fn of(tree: &'t Labelled) -> Flat<'t> {
        let mut flat = Flat { labels: Vec::new(), leftmost: Vec::new(), key_roots: Vec::new() };
        flat.add(tree);
        let count = flat.labels.len();
        // Of all nodes with the same leftmost leaf, the highest.
        flat.key_roots = (0..count).filter(|node| !flat.leftmost[node + 1..].contains(&flat.leftmost[*node])).collect();
        flat
    }

    fn add(&mut self, tree: &'t Labelled) -> usize {
        let mut leftmost = None;
        for child in &tree.children {
            let below = self.add(child);
            leftmost.get_or_insert(below);
        }
        let leftmost = leftmost.unwrap_or(self.labels.len());
        self.labels.push(&tree.label);
        self.leftmost.push(leftmost);
        leftmost
    }
}

/// Works out the distances between all subtrees that share their leftmost leaves with these two.
fn forests(one: &Flat<'_>, other: &Flat<'_>, root: usize, other_root: usize, between_subtrees: &mut [Vec<usize>]) {
    let (first, other_first) = (one.leftmost[root], other.leftmost[other_root]);
    let (rows, columns) = (root - first + 2, other_root - other_first + 2);
    let mut between = vec![vec![0; columns]; rows];
    for (row, distances) in between.iter_mut().enumerate() {
        distances[0] = row;
    }
    between[0] = (0..columns).collect();
    for row in 1..rows {
        for column in 1..columns {
            let (node, other_node) = (first + row - 1, other_first + column - 1);
            let without = (between[row - 1][column] + 1).min(between[row][column - 1] + 1);
            let are_trees = one.leftmost[node] == first && other.leftmost[other_node] == other_first;
            let with = if are_trees {
                between[row - 1][column - 1] + usize::from(one.labels[node] != other.labels[other_node])
            } else {
                let (before, other_before) = (one.leftmost[node] - first, other.leftmost[other_node] - other_first);
                between[before][other_before] + between_subtrees[node][other_node]
            };
            between[row][column] = without.min(with);
            if are_trees {
                between_subtrees[node][other_node] = between[row][column];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrospect::prelude::*;

    fn leaf(label: &str) -> Labelled {
        Labelled::new(label, Vec::new())
    }

    #[test]
    fn the_example_of_zhang_and_shasha() {
        let one = Labelled::new(
            "f",
            vec![Labelled::new("d", vec![leaf("a"), Labelled::new("c", vec![leaf("b")])]), leaf("e")],
        );
        let other = Labelled::new(
            "f",
            vec![Labelled::new("c", vec![Labelled::new("d", vec![leaf("a"), leaf("b")])]), leaf("e")],
        );
        assert_eq!(distance(&one, &other), 2);
    }

    #[generator]
    fn trees(depth: u32) -> Labelled {
        let label = draw(string_of('a'..='c', 1));
        let children = draw(vec_of(trees(depth.saturating_sub(1)), if depth == 0 { 0..=0 } else { 0..=3 }));
        Labelled { label, children }
    }

    /// The definition itself, in exponential time: the last tree of one forest goes, that of the
    /// other comes, or they meet.
    fn by_definition(one: &[Labelled], other: &[Labelled]) -> usize {
        let size = |forest: &[Labelled]| forest.iter().map(Labelled::size).sum::<usize>();
        let (Some((last, before)), Some((other_last, other_before))) = (one.split_last(), other.split_last()) else {
            return size(one) + size(other);
        };
        let without = by_definition(&[before, &last.children].concat(), other) + 1;
        let other_without = by_definition(one, &[other_before, &other_last.children].concat()) + 1;
        let met = by_definition(before, other_before)
            + by_definition(&last.children, &other_last.children)
            + usize::from(last.label != other_last.label);
        without.min(other_without).min(met)
    }

    #[property(cases = 200)]
    fn it_is_what_its_definition_says(#[from(trees(2))] one: Labelled, #[from(trees(2))] other: Labelled) {
        assume!(one.size() + other.size() <= 12);
        assert_eq!(distance(&one, &other), by_definition(&[one], &[other]));
    }

    #[property(cases = 100)]
    fn it_is_a_distance(#[from(trees(3))] one: Labelled, #[from(trees(3))] other: Labelled) {
        assert_eq!(distance(&one, &other), distance(&other, &one));
        assert_eq!(distance(&one, &other) == 0, one == other);
        assert!(distance(&one, &other) <= one.size() + other.size());
    }
}
