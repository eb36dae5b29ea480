use super::*;

/// The changed tree, and what was done to it.
fn edited(choices: &Choices, other: Option<&Choices>, kinds: &[Edit], rng: &mut Rng) -> Option<(Choices, Edit)> {
    let (mut plan, mut tree) = (Plan::default(), choices.clone());
    let edit = super::edit(choices, other, &Edits::only(kinds), rng, &mut plan)?;
    let changed = plan.made_in(&mut tree);
    let edited = changed.choices.clone();
    drop(changed);
    assert_eq!(tree, *choices, "as it was");
    Some((edited, edit))
}

fn choices(text: &str) -> Choices {
    text.parse().unwrap()
}

/// Every text that an edit of this kind makes of the tree, each once, in order.
fn all(edit: Edit, text: &str) -> Vec<String> {
    let tree = choices(text);
    let mut found: Vec<String> = (0..2000)
        .filter_map(|seed| edited(&tree, Some(&tree), &[edit], &mut Rng::new(seed)))
        .map(|(edited, _)| shown(&edited))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The text of a tree, where markers are shown: `?` is drawn, `!` is the simplest.
fn shown(choices: &Choices) -> String {
    let mut tree = choices.clone();
    for at in 0..tree.len() {
        let number = match tree.entries()[at].marker() {
            Some(Marker::Anew | Marker::Redrawn) => 777,
            Some(Marker::Simplest) => 888,
            None => continue,
        };
        let mut exchange = Exchange::default();
        exchange.set(at..at + 1, &[Entry::number(number, u64::MAX)]);
        tree.exchange(&mut exchange);
    }
    tree.to_string().replace("777", "?").replace("888", "!")
}

#[test]
fn a_part_is_drawn_anew() {
    assert_eq!(all(Edit::Reroll, "(3 [4 5])"), ["(3 ?)", "(3 [4 ?])", "(3 [? 5])", "(? [4 5])", "?"]);
}

#[test]
fn two_parts_of_a_kind_exchange_their_places() {
    assert_eq!(all(Edit::Swap, "[1 2 3]"), ["[1 3 2]", "[2 1 3]", "[3 2 1]"]);
    assert_eq!(all(Edit::Swap, "1:node(0:leaf 1:node(0:leaf 0:leaf))"), ["1:node(1:node(0:leaf 0:leaf) 0:leaf)"]);
}

#[test]
fn a_part_is_lowered_zeroed_or_replaced_by_one_inside_it() {
    assert_eq!(all(Edit::Shrink, "9"), ["0", "4", "8"]);
    assert_eq!(
        all(Edit::Shrink, "[1:node(7 1:node(0))]"),
        [
            "!",
            "[!]",
            "[0:(7 1:node(0))]",
            "[1:node(0 1:node(0))]",
            "[1:node(0)]",
            "[1:node(3 1:node(0))]",
            "[1:node(6 1:node(0))]",
            "[1:node(7 !)]",
            "[1:node(7 0:(0))]"
        ]
    );
}

#[test]
fn a_number_becomes_another_one_near_it() {
    let near = all(Edit::Number, "5");
    for step in ["1", "2", "3", "4", "6", "7", "8", "9"] {
        assert!(near.contains(&step.to_owned()), "{near:?}");
    }
    assert!(!near.contains(&"5".to_owned()));
}

#[test]
fn an_arm_becomes_another_one_and_keeps_what_is_inside() {
    assert_eq!(all(Edit::Arm, "1:node(3)"), ["0:(3)", "2:(3)"]);
}

#[test]
fn items_come_go_and_move() {
    assert_eq!(all(Edit::Insert, "([] 5)"), ["([?] 5)"]);
    assert_eq!(all(Edit::Insert, "[1 (2)]"), ["[1 (2) ?]", "[1 ? (2)]", "[? 1 (2)]"]);
    assert_eq!(all(Edit::Duplicate, "[1 (2)]"), ["[(2) 1 (2)]", "[1 (2) (2)]", "[1 (2) 1]", "[1 1 (2)]"]);
    assert_eq!(all(Edit::Delete, "[1 (2) 3]"), ["[(2) 3]", "[1 (2)]", "[1 3]"]);
    assert_eq!(all(Edit::Move, "[1 (2) 3]"), ["[(2) 1 3]", "[(2) 3 1]", "[1 3 (2)]", "[3 1 (2)]"]);
    assert_eq!(all(Edit::Move, "[1]"), Vec::<String>::new());
}

#[test]
fn a_part_comes_from_elsewhere() {
    let (tree, other) = (choices("[1:node(7)]"), choices("1:node([] 9)"));
    let made: Vec<String> = (0..100)
        .filter_map(|seed| edited(&tree, Some(&other), &[Edit::Splice], &mut Rng::new(seed)))
        .map(|(edited, _)| edited.to_string())
        .collect();
    for expected in ["[1:node([] 9)]", "[1:node(9)]", "[]"] {
        assert!(made.iter().any(|made| made == expected), "{expected} in {made:?}");
    }
    assert!(edited(&tree, None, &[Edit::Splice], &mut Rng::new(1)).is_none());
}

#[test]
fn where_nothing_can_be_changed_nothing_is() {
    assert!(edited(&Choices::default(), None, &Edit::ALL, &mut Rng::new(1)).is_none());
    assert!(edited(&choices("5"), None, &[Edit::Insert, Edit::Arm], &mut Rng::new(1)).is_none());
}

#[test]
fn every_kind_of_edit_occurs() {
    let tree = choices("1:node([3 4 5] 1:node([] 2:more(7)))");
    let mut seen: Vec<Edit> = Vec::new();
    for seed in 0..500 {
        let (_, edit) = edited(&tree, Some(&tree), &Edit::ALL, &mut Rng::new(seed)).unwrap();
        if !seen.contains(&edit) {
            seen.push(edit);
        }
    }
    assert_eq!(seen.len(), Edit::ALL.len(), "{seen:?}");
}

#[test]
fn a_list_that_counts_what_is_not_there_is_edited_all_the_same() {
    // As if there were three items: the bracket and what is in it are taken for two.
    let mut tree = choices("([(1) 2] 3)");
    let mut exchange = Exchange::default();
    exchange.set(1..2, &[tree.entries()[1].with_index(3)]);
    tree.exchange(&mut exchange);
    for edit in [Edit::Insert, Edit::Duplicate, Edit::Delete, Edit::Move] {
        for seed in 0..200 {
            if let Some((edited, _)) = edited(&tree, None, &[edit], &mut Rng::new(seed)) {
                assert!((0..edited.len()).all(|at| edited.end_of(at) <= edited.len()), "{edit:?}: {edited}");
            }
        }
    }
}

#[test]
fn kinds_are_tried_as_often_as_they_weigh_however_often_they_are_named() {
    let times = |kinds: &[Edit], edit: Edit| {
        let edits = Edits::only(kinds);
        edits.slots[..edits.count].iter().filter(|kind| **kind == edit).count()
    };
    assert_eq!(Edits::ALL.count, SLOTS);
    for edit in Edit::ALL {
        assert_eq!(times(&Edit::ALL, edit), edit.weight());
        assert_eq!(times(&[edit, edit], edit), edit.weight());
    }
    assert_eq!(times(&[Edit::Move, Edit::Number], Edit::Swap), 0);
    assert_eq!((Edits::ALL.alone, Edits::ALL.without(Edit::Number).count), (SLOTS - 3, SLOTS - 3));
    let possible = |text: &str| Edits::ALL.possible_in(&choices(text));
    assert_eq!((possible("[1 2]").count, possible("[1 2]").alone), (SLOTS - 2, SLOTS - 5));
    assert_eq!(possible("(5 1:node)").count, SLOTS - 4);
    assert_eq!(possible("[0:leaf]").count, SLOTS - 3);
}
