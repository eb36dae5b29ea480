//! Values that satisfy a condition, where hardly any value does: found by editing those that are
//! known.

use retrospect::prelude::*;

fn main() {
    println!("Of 20 numbers that are drawn, one list in 20! is sorted. Three that are:");
    let sorted = vec_of(0..1_000_000_u32, 20).satisfying(|list| list.is_sorted());
    for list in sorted.samples(7).take(3) {
        println!("  {:?} … {:?}", &list[..3], &list[17..]);
    }

    println!("What it cost to find 100 balanced rows of brackets, each another one:");
    let brackets = vec_of(element_of(['(', ')', '[', ']']), 0..=16).satisfying(|row| is_balanced(row));
    let mut search = brackets.search(7);
    let longest = search.by_ref().take(100).map(String::from_iter).max_by_key(String::len).unwrap_or_default();
    let counts = search.counts();
    println!(
        "  {} values were made, {:.0} % of them valid; one of the longest is {longest}",
        counts.runs,
        counts.valid_share() * 100.0
    );

    println!("It is a generator like any other. A value is known by the choices of the plain one:");
    let row: Vec<char> = "([])".chars().collect();
    println!("  {}", brackets.choices_of(&row).expect("it is balanced"));
    println!("  {}", brackets.choices_of(&vec![')', '(']).expect_err("it is not"));

    println!("A property builds on what it has found, and what fails shrinks:");
    let report = Check::new().named("brackets::are_shallow").seed(7).cases(1_000).save(false).failure_of_case(|case| {
        let row = vec_of(element_of(['(', ')', '[', ']']), 0..=16).satisfying(|row| is_balanced(row));
        let row = case.draw_named("row", row);
        assert!(depth(&row) < 2);
    });
    for line in report.unwrap_or_default().lines().filter(|line| line.starts_with("      let")) {
        println!("{line}");
    }

    println!("A condition that nothing satisfies ends with counts:");
    let mut source = retrospect::source::Source::random(7);
    let _ = within(0..10_u32).satisfying(|number| *number > 20).generate(&mut source);
    for line in source.why().map(ToString::to_string).unwrap_or_default().lines() {
        println!("  {line}");
    }
}

fn is_balanced(row: &[char]) -> bool {
    let mut open = Vec::new();
    for bracket in row {
        match bracket {
            '(' => open.push(')'),
            '[' => open.push(']'),
            _ if open.pop() != Some(*bracket) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

fn depth(row: &[char]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for bracket in row {
        match bracket {
            '(' | '[' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        deepest = deepest.max(depth);
    }
    deepest
}
