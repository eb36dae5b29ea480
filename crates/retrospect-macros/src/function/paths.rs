//! The ways through a body. Each ends in one tail; going backward they are tried one after the
//! other.

use super::body::{Arm, Bind, Body, End, Flow, Pick, Step, Tail, What};
use super::names::{Names, mentioned};
use syn::{Expr, Item, Local, Stmt};

/// One way through a body.
pub(crate) struct Path<'b> {
    pub(crate) items: Vec<&'b Item>,
    pub(crate) elements: Vec<Element<'b>>,
    pub(crate) tail: &'b Tail,
}

/// One step on the way.
#[derive(Clone)]
pub(crate) enum Element<'b> {
    Plain(&'b Stmt),
    Bind(&'b Bind),
    /// Everything that follows is inside.
    Enter(Head<'b>),
    /// Goes in and comes out again.
    Through(Head<'b>, Vec<&'b Item>, Vec<Element<'b>>),
    /// A plain `let`, in which none of the arms that return was taken.
    LetFlow(&'b Local, &'b Flow),
    /// A plain `let … else` that matched.
    LetElse(&'b Local),
}

/// The condition under which a block is entered.
#[derive(Clone, Copy)]
pub(crate) enum Head<'b> {
    If(&'b Expr, bool),
    Match {
        scrutinee: &'b Expr,
        arms: &'b [Arm],
        arm: usize,
    },
    Pick(&'b Pick, usize),
    /// The `else` of a `let`.
    Else(&'b Local),
    Block,
}

struct Sequence<'b> {
    items: Vec<&'b Item>,
    elements: Vec<Element<'b>>,
    ending: Ending<'b>,
}

enum Ending<'b> {
    Tail(&'b Tail),
    Fall,
    Give,
}

/// All ways through a body that end in a tail, in the order in which they are written.
pub(crate) fn paths(body: &Body) -> Vec<Path<'_>> {
    let to_path = |Sequence { items, elements, ending }| match ending {
        Ending::Tail(tail) => Some(Path { items, elements, tail }),
        Ending::Fall | Ending::Give => None,
    };
    sequences(body).into_iter().filter_map(to_path).collect()
}

fn sequences(body: &Body) -> Vec<Sequence<'_>> {
    let items: Vec<&Item> = body.items.iter().collect();
    let mut open: Vec<Vec<Element<'_>>> = vec![Vec::new()];
    let mut done = Vec::new();
    for step in &body.steps {
        match step {
            Step::Plain(statement) => push(&mut open, Element::Plain(statement)),
            Step::Bind(bind) => push(&mut open, Element::Bind(bind)),
            Step::Flow(flow) => {
                let mut next = Vec::new();
                for prefix in open {
                    for (head, inner) in alternatives(flow) {
                        match inner.ending {
                            Ending::Fall => {
                                let through = Element::Through(head, inner.items, inner.elements);
                                next.push(extended(&prefix, [through]));
                            }
                            _ => done.push(entered(&items, &prefix, head, inner)),
                        }
                    }
                }
                open = next;
            }
            Step::LetFlow { local, flow } => {
                for prefix in &open {
                    for (head, inner) in alternatives(flow) {
                        if matches!(inner.ending, Ending::Tail(_)) {
                            done.push(entered(&items, prefix, head, inner));
                        }
                    }
                }
                push(&mut open, Element::LetFlow(local, flow));
            }
            Step::LetElse { local, otherwise } => {
                for prefix in &open {
                    for inner in sequences(otherwise) {
                        done.push(entered(&items, prefix, Head::Else(local), inner));
                    }
                }
                push(&mut open, Element::LetElse(local));
            }
        }
    }
    for prefix in open {
        let ending = match &body.end {
            End::Tail(tail) => Ending::Tail(tail),
            End::Fall => Ending::Fall,
            End::Give(_) => Ending::Give,
            End::Never(_) => continue,
            End::Flow(flow) => {
                for (head, inner) in alternatives(flow) {
                    done.push(entered(&items, &prefix, head, inner));
                }
                continue;
            }
        };
        done.push(Sequence { items: items.clone(), elements: prefix, ending });
    }
    done
}

fn push<'b>(open: &mut [Vec<Element<'b>>], element: Element<'b>) {
    open.iter_mut().for_each(|elements| elements.push(element.clone()));
}

fn extended<'b>(prefix: &[Element<'b>], more: impl IntoIterator<Item = Element<'b>>) -> Vec<Element<'b>> {
    prefix.iter().cloned().chain(more).collect()
}

fn entered<'b>(items: &[&'b Item], prefix: &[Element<'b>], head: Head<'b>, inner: Sequence<'b>) -> Sequence<'b> {
    let elements = extended(prefix, std::iter::once(Element::Enter(head)).chain(inner.elements));
    Sequence { items: items.iter().copied().chain(inner.items).collect(), elements, ending: inner.ending }
}

fn alternatives(flow: &Flow) -> Vec<(Head<'_>, Sequence<'_>)> {
    let of = |head, body| sequences(body).into_iter().map(move |sequence| (head, sequence));
    match flow {
        Flow::If { condition, then, otherwise } => {
            of(Head::If(condition, true), then).chain(of(Head::If(condition, false), otherwise)).collect()
        }
        Flow::Match { scrutinee, arms, .. } => {
            let arm = |(arm, body): (usize, _)| of(Head::Match { scrutinee, arms, arm }, body);
            arms.iter().map(|arm| &arm.body).enumerate().flat_map(arm).collect()
        }
        Flow::Pick(pick) => {
            pick.arms.iter().enumerate().flat_map(|(arm, body)| of(Head::Pick(pick, arm), &body.body)).collect()
        }
        Flow::Block(body) => of(Head::Block, body).collect(),
    }
}

impl Element<'_> {
    /// The names this step mentions.
    pub(crate) fn mentions(&self) -> Names {
        match self {
            Element::Plain(statement) => mentioned(statement),
            Element::Bind(bind) => bind.mentions(),
            Element::Enter(head) => head.mentions(),
            Element::Through(head, _, inner) => {
                let mut names = head.mentions();
                inner.iter().for_each(|element| names.extend(element.mentions()));
                names
            }
            Element::LetFlow(local, _) | Element::LetElse(local) => mentioned(local),
        }
    }
}

impl Head<'_> {
    fn mentions(&self) -> Names {
        match self {
            Head::If(condition, _) => mentioned(condition),
            Head::Match { scrutinee, arms, arm } => {
                let mut names = mentioned(scrutinee);
                for arm in &arms[..=*arm] {
                    names.extend(mentioned(&arm.pattern));
                    arm.guard.iter().for_each(|guard| names.extend(mentioned(guard)));
                }
                names
            }
            Head::Pick(pick, _) => {
                let mut names = Names::new();
                for arm in &pick.arms {
                    arm.weight.iter().for_each(|weight| names.extend(mentioned(weight)));
                }
                names
            }
            Head::Else(local) => mentioned(local),
            Head::Block => Names::new(),
        }
    }
}

impl Bind {
    fn mentions(&self) -> Names {
        let mut names = match &self.what {
            What::Draw(generator) => mentioned(generator),
            What::Sub { code, .. } => mentioned(code),
        };
        self.focus.iter().for_each(|focus| names.extend(mentioned(focus)));
        names
    }
}
