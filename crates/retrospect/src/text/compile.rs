//! From a text to its flat form.

use super::analysis;
use super::class::{CharSet, END};
use super::grammar::{ENDLESS, Grammar, Kind, Node, Scope, children};
use super::rules::{RuleError, RuleSet, names};
use super::sharing::share_what_is_the_same;
use super::{Choice, Part, Text};
use crate::choice::Site;
use crate::stack::{MAX_STACK, Stack, grow};
use std::collections::HashMap;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) fn compile(text: &Text) -> Grammar {
    static GRAMMARS: AtomicU64 = AtomicU64::new(0);
    compile_in(text, &Scope::default(), CharSet::of(END), GRAMMARS.fetch_add(1, Ordering::Relaxed))
}

/// The flat form of a text that stands in a scope and is followed by one of these characters.
pub(super) fn compile_in(text: &Text, scope: &Scope, follow: CharSet, identity: u64) -> Grammar {
    let mut compiler = Compiler::new(scope.clone(), scope.clone());
    let mut root = compiler.node_of(text);
    let fault = compiler.finish(&mut root, follow);
    let fault = fault.map(|(rule, fault)| match rule {
        Some(rule) => fault.in_rule(rule).to_string().into_boxed_str(),
        None => fault.in_no_rule().into_boxed_str(),
    });
    Grammar { nodes: compiler.nodes, root, identity, depth: 0, fault }
}

/// What is wrong with a set of rules, wherever it starts.
pub(super) fn check_rules(set: &Arc<RuleSet>) -> Result<(), RuleError> {
    let mut compiler = Compiler::new(Scope { set: Some(set.clone()), recursives: Vec::new() }, Scope::default());
    let mut roots = Vec::new();
    for rule in 0..set.rules.len() {
        roots.push(compiler.rule_of_set(set, rule));
    }
    let mut all = compiler.push(Kind::Sequence { parts: roots.into(), has_parts: true });
    match compiler.finish(&mut all, CharSet::of(END)) {
        Some((rule, fault)) => Err(fault.in_rule(rule.unwrap_or_default())),
        None => Ok(()),
    }
}

enum Fault {
    Undefined { name: String, defined: Vec<String> },
    Endless,
    Reason(String),
}

impl Fault {
    fn in_rule(self, rule: String) -> RuleError {
        match self {
            Fault::Undefined { name, defined } => RuleError::Undefined { rule: Some(rule), name, defined },
            Fault::Endless => RuleError::Endless { rule },
            Fault::Reason(reason) => RuleError::Faulty { rule, reason },
        }
    }

    fn in_no_rule(self) -> String {
        match self {
            Fault::Undefined { name, .. } => {
                format!("`{name}` is the name of a rule, and stands outside of the rules that define it")
            }
            Fault::Endless => "this text never ends: every way through it comes back to itself".to_owned(),
            Fault::Reason(reason) => reason,
        }
    }
}

/// How many repetitions may stand in each other with no choice and no rule between them: only there
/// it is seen whether the stack has room.
const MOST_REPEATS: u32 = 256;

struct Compiler {
    nodes: Vec<Node>,
    scope: Scope,
    /// What is around the whole text, if it was made of what was written. It is come back to from
    /// there.
    around: Scope,
    /// The nodes of texts that were met before, by their place in memory, the rules around them,
    /// and which of these they are.
    known: HashMap<(usize, usize, usize), u32>,
    /// What will be the sites of choices, once the order of their arms is known.
    choices: Vec<Draft>,
    /// The rules under way, and how many choices each has so far.
    under_way: Vec<(Box<str>, usize)>,
    /// Those of them that a text which is made later may come back to.
    open: Vec<u32>,
    faults: Vec<(Option<String>, Fault)>,
    /// The repetitions and texts that others are made of around the present one, up to the next
    /// choice or rule.
    repeats: u32,
    stack: Stack,
}

struct Draft {
    node: u32,
    name: String,
    labels: Vec<Box<str>>,
    place: &'static Location<'static>,
}

/// Where a node is still missing.
static UNDER_WAY: Site = Site::call("text", file!(), line!());

impl Compiler {
    fn new(scope: Scope, around: Scope) -> Compiler {
        Compiler {
            nodes: Vec::new(),
            scope,
            around,
            known: HashMap::new(),
            choices: Vec::new(),
            under_way: Vec::new(),
            open: Vec::new(),
            faults: Vec::new(),
            repeats: 0,
            stack: Stack::here(),
        }
    }

    fn push(&mut self, kind: Kind) -> u32 {
        self.nodes.push(Node::new(kind));
        self.nodes.len() as u32 - 1
    }

    fn fault(&mut self, fault: Fault) -> Kind {
        let rule = self.under_way.last().map(|(name, _)| name.to_string());
        self.faults.push((rule, fault));
        Kind::Literal("".into())
    }

    fn scope_key(&self) -> usize {
        self.scope.set.as_ref().map_or(0, |set| Arc::as_ptr(set).addr())
    }

    /// The node of a text, where there is room on the stack: texts are nested as deep as users nest
    /// them, and rules as deep as they call each other.
    fn node_of(&mut self, text: &Text) -> u32 {
        if !self.stack.is_low() {
            return self.node_here(text);
        }
        let mut node = None;
        let mut work = |compiler: &mut Compiler| node = Some(compiler.node_here(text));
        let is_done = grow(self, |compiler| &mut compiler.stack, &mut work).is_some();
        match node.filter(|_| is_done) {
            Some(node) => node,
            None => {
                let reason = format!("texts are nested too deep: this takes more than {} MB of stack", MAX_STACK >> 20);
                let kind = self.fault(Fault::Reason(reason));
                self.push(kind)
            }
        }
    }

    /// What stands inside a text that is nothing but what is inside of it, to the eyes of the
    /// stack.
    fn inside_repeat(&mut self, text: &Text) -> u32 {
        self.repeats += 1;
        if self.repeats == MOST_REPEATS {
            let reason = format!(
                "more than {MOST_REPEATS} repetitions stand in each other: put a `text::rule` around one of them"
            );
            self.fault(Fault::Reason(reason));
        }
        let node = self.node_of(text);
        self.repeats -= 1;
        node
    }

    fn node_here(&mut self, text: &Text) -> u32 {
        let key = (Arc::as_ptr(&text.inner).addr(), self.scope_key(), 0);
        if let Some(node) = self.known.get(&key) {
            return *node;
        }
        let node = match text.part() {
            Part::Rule { name, body, place } => return self.rule(key, name, body, place, false),
            Part::Recursive { name, body, place, .. } => {
                self.scope.recursives.push(text.clone());
                let node = self.rule(key, name, body, place, true);
                self.scope.recursives.pop();
                return node;
            }
            Part::Itself { identity, name } => return self.itself(*identity, name),
            Part::Reference(name) => {
                let set = self.scope.set.clone();
                match set.as_ref().and_then(|set| set.find(name).map(|rule| (set, rule))) {
                    Some((set, rule)) => {
                        let node = self.rule_of_set(set, rule);
                        let is_around = self.around.set.as_ref().is_some_and(|around| Arc::ptr_eq(around, set));
                        self.nodes[node as usize].is_level |= is_around;
                        return node;
                    }
                    None => {
                        let defined = set.map_or_else(Vec::new, |set| names(&set));
                        let kind = self.fault(Fault::Undefined { name: name.to_string(), defined });
                        self.push(kind)
                    }
                }
            }
            Part::Rules(set, start) => {
                let outer = self.scope.set.replace(set.clone());
                let node = self.rule_of_set(set, *start);
                self.scope.set = outer;
                return node;
            }
            Part::Choice(choice) => {
                let name = match self.under_way.last_mut() {
                    Some((rule, choices)) => {
                        *choices += 1;
                        format!("{rule}.{choices}")
                    }
                    None => choice.name.to_owned(),
                };
                let node = self.push(Kind::Literal("".into()));
                self.choice(node, choice, name, choice.place);
                node
            }
            Part::Literal(literal) => self.push(Kind::Literal(literal.clone())),
            Part::Class(class) => self.push(Kind::Class(class.clone())),
            Part::Sequence(texts) => {
                let mut parts = Vec::new();
                self.add_parts(texts, &mut parts);
                match parts[..] {
                    [part] => part,
                    _ => self.push(Kind::Sequence { parts: parts.into(), has_parts: false }),
                }
            }
            Part::Repeat { item, separator, lengths } => {
                let item = self.inside_repeat(item);
                let separator = separator.as_ref().map(|separator| self.inside_repeat(separator));
                let kind = match lengths.min <= lengths.max {
                    true => Kind::Repeat { item, separator, min: lengths.min, max: lengths.max },
                    false => {
                        let reason = format!("the range of repetitions {}..={} is empty", lengths.min, lengths.max);
                        self.fault(Fault::Reason(reason))
                    }
                };
                self.push(kind)
            }
            Part::Bind { first, then } => {
                let first = self.inside_repeat(first);
                let scope = self.scope.clone();
                // What follows may come back to them. If they were no levels here, each turn of
                // them in there would be the outermost level, and as large.
                for rule in &self.open {
                    self.nodes[*rule as usize].is_level = true;
                }
                self.push(Kind::Bind { first, then: then.clone(), scope })
            }
            Part::Computed(shown) => self.push(Kind::Computed(shown.clone())),
            Part::Fault(reason) => {
                let kind = self.fault(Fault::Reason(reason.to_string()));
                self.push(kind)
            }
        };
        self.known.insert(key, node);
        node
    }

    /// A sequence inside a sequence is part of it.
    fn add_parts(&mut self, texts: &[Text], parts: &mut Vec<u32>) {
        let mut pending = vec![texts.iter()];
        while let Some(texts) = pending.last_mut() {
            let Some(text) = texts.next() else {
                pending.pop();
                continue;
            };
            match text.part() {
                Part::Sequence(inner) => pending.push(inner.iter()),
                Part::Literal(literal) if literal.is_empty() => {}
                _ => {
                    let part = self.node_of(text);
                    parts.push(part);
                }
            }
        }
    }

    fn rule_of_set(&mut self, set: &Arc<RuleSet>, rule: usize) -> u32 {
        let key = (0, Arc::as_ptr(set).addr(), 1 + rule);
        if let Some(node) = self.known.get(&key) {
            return *node;
        }
        let defined = &set.rules[rule];
        self.rule(key, &defined.name, &defined.body, defined.place, true)
    }

    fn itself(&mut self, identity: u64, name: &str) -> u32 {
        let is_it = |text: &&Text| matches!(text.part(), Part::Recursive { identity: other, .. } if *other == identity);
        match self.scope.recursives.iter().find(is_it).cloned() {
            Some(text) => {
                let node = self.node_of(&text);
                self.nodes[node as usize].is_level |= self.around.recursives.iter().any(|text| is_it(&text));
                node
            }
            None => {
                let reason = format!("`{name}` is used outside of the recursive text that it stands for");
                let kind = self.fault(Fault::Reason(reason));
                self.push(kind)
            }
        }
    }

    fn rule(
        &mut self,
        key: (usize, usize, usize),
        name: &str,
        body: &Text,
        place: &'static Location<'static>,
        is_open: bool,
    ) -> u32 {
        let node = self.push(Kind::Literal("".into()));
        self.known.insert(key, node);
        self.nodes[node as usize].name = Some(name.into());
        self.under_way.push((name.into(), 0));
        if is_open {
            self.open.push(node);
        }
        let repeats = std::mem::take(&mut self.repeats);
        match body.part() {
            Part::Choice(choice) => self.choice(node, choice, name.to_owned(), place),
            _ => {
                let body = self.node_of(body);
                self.nodes[node as usize].kind = Kind::Rule { site: Site::kept(name, &[], place), body };
            }
        }
        self.repeats = repeats;
        self.under_way.pop();
        if is_open {
            self.open.pop();
        }
        node
    }

    fn choice(&mut self, node: u32, choice: &Choice, name: String, place: &'static Location<'static>) {
        let at = || format!("(`{}` at {}:{})", choice.name, choice.place.file(), choice.place.line());
        if let Some(fault) = &choice.fault {
            self.fault(Fault::Reason(format!("{fault} {}", at())));
        } else if choice.arms.is_empty() {
            self.fault(Fault::Reason(format!("a choice has no arms {}", at())));
        } else if choice.weights.iter().all(|weight| *weight == 0) {
            self.fault(Fault::Reason(format!("all {} arms of a choice weigh 0 {}", choice.arms.len(), at())));
        }
        let repeats = std::mem::take(&mut self.repeats);
        let mut arms = Vec::new();
        for arm in &choice.arms {
            arms.push(self.node_of(arm));
        }
        self.repeats = repeats;
        let weights: Box<[u32]> = choice.weights.clone().into();
        self.nodes[node as usize].kind =
            Kind::Choice { site: &UNDER_WAY, at_rest: weights.clone(), weights, arms: arms.into() };
        self.choices.push(Draft { node, name, labels: choice.labels.clone(), place });
    }

    /// Finds out all there is to know of the nodes, or the first thing that is wrong.
    fn finish(&mut self, root: &mut u32, follow: CharSet) -> Option<(Option<String>, Fault)> {
        if !self.faults.is_empty() {
            return Some(self.faults.swap_remove(0));
        }
        let nodes = &mut self.nodes;
        analysis::measure(nodes);
        if let Some(endless) = endless(nodes, *root) {
            let rule = nodes[endless as usize].name.as_ref().map(|name| name.to_string());
            return Some((rule, Fault::Endless));
        }
        let orders = analysis::put_the_simplest_first(nodes);
        analysis::find_levels(nodes, *root);
        analysis::share_the_size(nodes);
        analysis::look_ahead(nodes, *root, follow);
        *root = share_what_is_the_same(nodes, *root);
        for draft in &self.choices {
            let Kind::Choice { site, .. } = &mut self.nodes[draft.node as usize].kind else { continue };
            let order = orders.iter().find(|(node, _)| *node == draft.node).map_or(0, |(_, first)| *first);
            let mut labels: Vec<&str> = draft.labels.iter().map(|label| &**label).collect();
            if !labels.is_empty() {
                labels[..=order].rotate_right(1);
            }
            *site = Site::kept(&draft.name, &labels, draft.place);
        }
        None
    }
}

/// A node that has no text: a rule that comes back to itself, if there is one.
fn endless(nodes: &[Node], root: u32) -> Option<u32> {
    let mut seen = vec![false; nodes.len()];
    let mut pending = vec![root];
    let mut found = None;
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        let inner = &nodes[node as usize];
        if inner.height == ENDLESS && inner.name.is_some() {
            if comes_back(nodes, node) {
                return Some(node);
            }
            found = Some(node);
        }
        children(inner, |child| pending.push(child));
    }
    found.or_else(|| (nodes[root as usize].height == ENDLESS).then_some(root))
}

fn comes_back(nodes: &[Node], to: u32) -> bool {
    let mut seen = vec![false; nodes.len()];
    let mut pending = Vec::new();
    children(&nodes[to as usize], |child| pending.push(child));
    while let Some(node) = pending.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node as usize], true) {
            children(&nodes[node as usize], |child| pending.push(child));
        }
    }
    false
}
