//! Values of 100,000 levels, on the stack of a test thread: whatever the library makes, compares,
//! prints or drops itself has room for it.

use retrospect::laws::Laws;
use retrospect::prelude::*;
use retrospect::runner::settings::Settings;
use retrospect::with_deep_stack;
use std::mem::ManuallyDrop;

const LEVELS: usize = 100_000;

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

#[generator]
fn trees() -> Tree {
    match pick() {
        "leaf" => Tree::Leaf,
        "node" => {
            let left = draw(trees());
            let number = draw(any::<u8>());
            let right = draw(trees());
            Tree::Node(Box::new(left), number, Box::new(right))
        }
    }
}

fn deep(levels: usize) -> Tree {
    let node = |tree, level| Tree::Node(Box::new(tree), level as u8, Box::new(Tree::Leaf));
    (0..levels).fold(Tree::Leaf, node)
}

/// A value that is dropped where there is room, also if a test fails.
struct Roomy<T>(ManuallyDrop<T>);

impl<T> Roomy<T> {
    fn new(value: T) -> Roomy<T> {
        Roomy(ManuallyDrop::new(value))
    }
}

impl<T> Drop for Roomy<T> {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        let value = unsafe { ManuallyDrop::take(&mut self.0) };
        with_deep_stack(move || drop(value));
    }
}

fn depth(tree: &Tree) -> usize {
    std::iter::successors(Some(tree), |tree| if let Tree::Node(left, ..) = tree { Some(&**left) } else { None }).count()
}

#[test]
fn looking_at_a_deep_value() {
    let value = Roomy::new(deep(LEVELS));
    assert!(trees().accepts(&value.0));
    assert_eq!(trees().choices_of(&value.0).unwrap().choice_count(), 3 * LEVELS + 1);
    assert_eq!(trees().ways_of(&value.0).count().to_string(), "1");
    assert_eq!(trees().ways_of(&value.0).iter().take(2).count(), 1);
    assert!(trees().ways_of(&value.0).probability().is_err());
    let even = trees().filter(|tree| depth(tree) % 2 == 1);
    assert!(even.accepts(&value.0));
    let pairs = tuple((trees(), 0..5u8));
    let pair = Roomy::new((deep(LEVELS), 9));
    assert!(pairs.choices_of(&pair.0).unwrap_err().to_string().contains("9 is not in 0..5"));
}

#[test]
fn making_a_deep_value() {
    let choices = trees().choices_of(&Roomy::new(deep(LEVELS)).0).unwrap();
    for made in
        [trees().replay(&choices), trees().try_replay(&choices).unwrap().0, trees().replay_exact(&choices).unwrap().0]
    {
        assert_eq!(depth(&Roomy::new(made).0), LEVELS + 1);
    }
    let refused = trees().filter(|_| false);
    assert!(refused.try_replay(&choices).is_err());
    assert!(tuple((trees(), 0..5u8)).replay_exact(&format!("({choices} 9)").parse().unwrap()).is_err());
    let text = with_deep_stack(|| format!("{:?}", *Roomy::new(deep(LEVELS)).0));
    assert_eq!(depth(&Roomy::new(trees().read(&text).unwrap()).0), LEVELS + 1);
    let with_hole = text.replacen("Leaf", "_", 1);
    assert!(depth(&Roomy::new(trees().fill(&with_hole, 1).unwrap()).0) > LEVELS);
    assert!(tuple((trees(), 0..5u8)).read(&format!("({text}, 9)")).is_err());
}

#[test]
fn shrinking_a_deep_value() {
    let smallest = trees().shrink(deep(LEVELS), |tree| depth(tree) > 3).unwrap();
    assert_eq!(depth(&smallest.value), 4);
    assert!(trees().shrink(deep(LEVELS), |_| false).is_err());
    let small = trees().filter(|tree| depth(tree) < 10);
    assert!(small.shrink(deep(LEVELS), |_| true).is_err());
    let by_hand = trees().shrink_with(|tree| match tree {
        Tree::Node(left, ..) => vec![(**left).clone()],
        Tree::Leaf => vec![],
    });
    with_deep_stack(|| drop(by_hand.shrink(deep(1_000), |tree| depth(tree) > 990).unwrap()));
}

#[test]
fn tuning_and_mutating_by_a_deep_value() {
    let value = Roomy::new(deep(LEVELS));
    let examples = std::slice::from_ref(&*value.0);
    trees().weights_of(examples).unwrap();
    let tuned = trees().tuned_like(examples).unwrap();
    assert!(depth(&tuned.sample(1)) < 200);
    trees().tuned_unlike(examples).unwrap().sample(1);
    drop(Roomy::new(trees().mutate(&value.0, 1).unwrap()));
    for mutant in trees().mutants(&value.0, 1).unwrap().take(3) {
        drop(Roomy::new(mutant));
    }
    drop(Roomy::new(trees().splice(&value.0, &value.0, 1).unwrap()));
}

/// As deep as it is told to be.
#[generator]
fn levels(count: usize) -> Tree {
    if count == 0 {
        return Tree::Leaf;
    }
    let left = draw(levels(count - 1));
    let number = draw(any::<u8>());
    Tree::Node(Box::new(left), number, Box::new(Tree::Leaf))
}

#[test]
fn laws_of_a_generator_of_deep_values() {
    Laws::default().cases(1).check(&levels(3_000));
    let value = Roomy::new(deep(LEVELS));
    Laws::default().verify_value(&trees(), &value.0).unwrap();
    laws::complete_for(&trees(), [deep(LEVELS)], |tree| depth(tree) > 5);
}

#[test]
fn a_saved_case_may_be_deep() {
    let text = with_deep_stack(|| format!("{:?}", *Roomy::new(deep(LEVELS)).0));
    let folder = std::env::temp_dir().join(format!("retrospect-deep-{}", std::process::id()));
    let settings = || Settings::new().regressions(&folder).seed(1).shrink_runs(20);
    // The body drops its value.
    let run =
        |most: usize| Check::new().with(settings()).named("deep::saved").failure(trees(), |tree| depth(&tree) <= most);
    assert!(run(2).is_some());
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let saved = std::fs::read_to_string(&file).unwrap();
    let value = saved.split_once("value = ").unwrap().1.lines().next().unwrap();
    std::fs::write(&file, saved.replace(value, &text)).unwrap();
    let report = run(1_000).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(report.contains("saved case"), "{}", &report[..report.len().min(2_000)]);
}

#[property(save = false, cases = 10)]
fn are_shallow(#[from(trees())] tree: Tree) {
    assert!(depth(&tree) < 1_000, "it is deep");
}

#[test]
fn a_given_value_may_be_deep() {
    let text = with_deep_stack(|| format!("{:?}", *Roomy::new(deep(LEVELS)).0));
    let file = std::env::temp_dir().join(format!("retrospect-deep-value-{}", std::process::id()));
    std::fs::write(&file, format!("tree = {text}")).unwrap();
    let mut run = std::process::Command::new(std::env::current_exe().unwrap());
    run.args(["--exact", "are_shallow"]).env("RETROSPECT_VALUE_FILE", &file).env("RETROSPECT_SHRINK_RUNS", "20");
    let output = run.output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(101), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("it is deep"), "{said}");
}
