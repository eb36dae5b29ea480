//! An enumerator of search trees as one writes it for them alone.

use examples::bst::Tree;

/// What is done with each tree; `false` if that was enough.
type Visit<'v> = dyn FnMut(Tree) -> bool + 'v;

/// All search trees with keys from 1 to `largest`, by their nodes; of one size first those with
/// small keys at the root, of those first the ones with few nodes to the left.
pub(super) fn search_trees(largest: i64, visit: &mut Visit<'_>) {
    for nodes in 0..=largest {
        if !of_size(1, largest, nodes, visit) {
            return;
        }
    }
}

fn of_size(lo: i64, hi: i64, nodes: i64, visit: &mut Visit<'_>) -> bool {
    if nodes == 0 {
        return visit(Tree::Leaf);
    }
    for key in lo..=hi {
        // No more nodes than keys on either side.
        let fewest = (nodes - 1 - (hi - key)).max(0);
        let most = (nodes - 1).min(key - lo);
        for left_nodes in fewest..=most {
            let goes_on = of_size(lo, key - 1, left_nodes, &mut |left| {
                of_size(key + 1, hi, nodes - 1 - left_nodes, &mut |right| {
                    visit(Tree::Node(Box::new(left.clone()), key, Box::new(right)))
                })
            });
            if !goes_on {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_are_search_trees() {
        let mut count = 0;
        search_trees(6, &mut |tree| {
            assert!(tree.is_within(1, 6));
            count += 1;
            true
        });
        assert_eq!(count, 731);
    }
}
