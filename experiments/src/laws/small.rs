//! Small values, all of them, written down by loops that know nothing of generators; and larger
//! ones, made by insertion.

/// For each size up to `most`, what `make` makes of all smaller ones: `table[size]`.
pub fn by_size<T>(most: usize, make: impl Fn(usize, &[Vec<T>]) -> Vec<T>) -> Vec<T> {
    let mut table: Vec<Vec<T>> = Vec::new();
    for size in 0..=most {
        let made = make(size, &table);
        table.push(made);
    }
    table.into_iter().flatten().collect()
}

/// All pairs whose sizes are `total` together.
pub fn pairs<T: Clone>(total: usize, table: &[Vec<T>]) -> Vec<(T, T)> {
    let mut pairs = Vec::new();
    for left in 0..=total {
        let (Some(lefts), Some(rights)) = (table.get(left), table.get(total - left)) else { continue };
        for left in lefts {
            pairs.extend(rights.iter().map(|right| (left.clone(), right.clone())));
        }
    }
    pairs
}

/// All binary trees of up to `most` nodes, with each of `keys` in each node.
pub fn trees<T: Clone, K: Copy>(most: usize, keys: &[K], leaf: &T, node: impl Fn(T, K, T) -> T) -> Vec<T> {
    by_size(most, |size, table| match size {
        0 => vec![leaf.clone()],
        size => {
            let mut trees = Vec::new();
            for (left, right) in pairs(size - 1, table) {
                trees.extend(keys.iter().map(|key| node(left.clone(), *key, right.clone())));
            }
            trees
        }
    })
}

/// All lists of up to `most` of these items.
pub fn lists<T: Clone>(most: usize, items: &[T]) -> Vec<Vec<T>> {
    by_size(most, |size, table: &[Vec<Vec<T>>]| match size {
        0 => vec![vec![]],
        size => {
            let longer = |list: &Vec<T>| {
                items.iter().map(|item| [list.as_slice(), std::slice::from_ref(item)].concat()).collect::<Vec<_>>()
            };
            table[size - 1].iter().flat_map(longer).collect()
        }
    })
}

/// So many lists of distinct numbers from `0` to `most`, in no order, for `insert` to make
/// something of.
pub fn inserted<T>(times: usize, most: u32, empty: &T, insert: impl Fn(T, u32) -> T) -> Vec<T>
where
    T: Clone,
{
    let mut random = fastrand::Rng::with_seed(4);
    let one = |_| {
        let mut keys: Vec<u32> = (0..=most).collect();
        random.shuffle(&mut keys);
        keys.truncate(random.usize(0..=keys.len()));
        keys.into_iter().fold(empty.clone(), &insert)
    };
    (0..times).map(one).collect()
}
