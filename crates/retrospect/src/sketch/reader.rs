//! From text to nodes, in one pass, with the open brackets on an explicit stack.

use super::arena::{Arena, NodeKind};
use super::error::{Fault, Problem};
use super::lexis;
use super::names::{Call, known_call, plain_name};

/// Texts longer than this are refused: an offset has to fit into a node.
pub(super) const LONGEST_TEXT: usize = 64 * 1024 * 1024;

/// How many brackets may be open at once.
pub(super) const DEEPEST_NESTING: usize = 1_000_000;

/// Reads one value; gives its nodes and the position at which it stands. `takes_rests` says whether
/// `..` in a list, a set or a map is a hole for any number of items.
pub(super) fn read(text: &str, takes_rests: bool) -> Result<(Arena, u32), Fault> {
    if text.len() > LONGEST_TEXT {
        return Err(Fault::new(Problem::TooLong { length: text.len(), limit: LONGEST_TEXT }, 0));
    }
    let mut reader =
        Reader { text, bytes: text.as_bytes(), at: 0, arena: Arena::default(), open: Vec::new(), takes_rests };
    loop {
        let Some(mut position) = reader.part()? else {
            continue;
        };
        loop {
            match reader.after(position)? {
                After::Part => break,
                After::Closed(outer) => position = outer,
                After::End => return Ok((reader.arena, position)),
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    arena: Arena,
    open: Vec<Open>,
    takes_rests: bool,
}

/// A bracket that is not closed yet, or a range that waits for its end.
struct Open {
    node: u32,
    /// The offset of the bracket, for the message if it is never closed.
    bracket: u32,
    count: u32,
    stage: Stage,
    has_holes: bool,
}

/// What the next part is, for the bracket that contains it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TuplePart,
    ListItem,
    /// `{` begins a set or a map: the first separator tells which.
    SetItemOrKey,
    SetItem,
    Key,
    Value,
    /// An input of a table, whose output follows `=>`.
    Input,
    Output,
    /// What `_ =>` gives: the last output of a table.
    DefaultOutput,
    AfterDefault,
    Field,
    FieldValue,
    RangeEnd,
}

impl Stage {
    fn closing(self) -> u8 {
        match self {
            Stage::TuplePart => b')',
            Stage::ListItem => b']',
            _ => b'}',
        }
    }
}

/// What comes after a complete part.
enum After {
    /// A separator: another part follows.
    Part,
    /// The part was the last one of another part, which is now complete and stands at this
    /// position.
    Closed(u32),
    /// The end of the text.
    End,
}

impl Reader<'_> {
    /// Reads a part up to its end, or only its opening bracket: then `None`, and its first part
    /// comes next.
    fn part(&mut self) -> Result<Option<u32>, Fault> {
        self.skip_space();
        if self.stage() == Some(Stage::AfterDefault) && !matches!(self.peek(), None | Some(b'}')) {
            return Err(self.fault(Problem::DefaultNotLast));
        }
        if self.stage() == Some(Stage::Field)
            && let Some(record) = self.field_name()?
        {
            return Ok(Some(record));
        }
        // `&x` and `&mut x` print as `x`.
        while self.peek() == Some(b'&') {
            self.at += 1;
            if self.rest().starts_with(b"mut ") {
                self.at += 4;
            }
            self.skip_space();
        }
        let start = self.at;
        match self.peek() {
            None => Err(self.ended()),
            Some(b'(') => self.open_bracket(NodeKind::Tuple, Stage::TuplePart, start),
            Some(b'[') => match lexis::socket_address_end(self.bytes, start) {
                Some(end) => Ok(Some(self.leaf(NodeKind::Word, start, end))),
                None => self.open_bracket(NodeKind::List, Stage::ListItem, start),
            },
            Some(b'{') => self.open_bracket(NodeKind::Set, Stage::SetItemOrKey, start),
            Some(closing @ (b')' | b']' | b'}')) => self.close_before_part(closing),
            Some(b'\'') => self.character().map(Some),
            Some(b'.') if self.is_rest_of_items() => Ok(Some(self.rest_of_items())),
            Some(b'.') if self.rest().starts_with(b"..") => self.range(None),
            Some(b'"' | b'b' | b'c' | b'r') => match lexis::string_opening(self.bytes, start) {
                Some(opening) => self.string(opening).map(Some),
                None => self.word(),
            },
            Some(_) => self.word(),
        }
    }

    /// Whether the next item of a list, a tuple, a set or a map is `..`, and stands for any number
    /// of items.
    fn is_rest_of_items(&self) -> bool {
        let items = [Stage::ListItem, Stage::TuplePart, Stage::SetItemOrKey, Stage::SetItem, Stage::Key];
        let Some(stage) = self.stage().filter(|stage| items.contains(stage)) else { return false };
        let next = self.bytes.get(lexis::skip_space(self.bytes, self.at + 2));
        self.takes_rests
            && self.rest().starts_with(b"..")
            && next.is_some_and(|next| *next == b',' || *next == stage.closing())
    }

    /// Reads it. In a map it stands for entries, and so is a key and a value.
    fn rest_of_items(&mut self) -> u32 {
        let start = self.at;
        if self.stage() == Some(Stage::Key) {
            self.leaf(NodeKind::Hole, start, start + 2);
            self.set_stage(Stage::Value);
        }
        self.leaf(NodeKind::Hole, start, start + 2)
    }

    /// Reads what may follow the complete part at `position`.
    fn after(&mut self, position: u32) -> Result<After, Fault> {
        self.skip_space();
        if self.rest().starts_with(b"..") {
            let node = self.arena.node(position);
            if node.starts_range() || node.is_range() || self.stage() == Some(Stage::RangeEnd) {
                return Err(self.fault(Problem::RangeOfRange));
            }
            return Ok(self.range(Some(position))?.map_or(After::Part, After::Closed));
        }
        let has_holes = self.arena.node(self.arena.resolve(position)).has_holes();
        let byte = self.peek();
        let Some(open) = self.open.last_mut() else {
            return match byte {
                None => Ok(After::End),
                Some(b')' | b']' | b'}') => Err(self.fault(Problem::ClosesNothing)),
                Some(_) => Err(self.fault(Problem::MoreText)),
            };
        };
        let stage = open.stage;
        let is_input = matches!(stage, Stage::SetItemOrKey | Stage::Input) && self.bytes[self.at..].starts_with(b"=>");
        if is_input {
            return self.arrow(position, has_holes).map(|()| After::Part);
        }
        open.has_holes |= has_holes;
        if stage == Stage::RangeEnd {
            return Ok(After::Closed(self.close_range(Some(position))));
        }
        if byte == Some(b':') {
            open.stage = match stage {
                Stage::SetItemOrKey | Stage::Key => Stage::Value,
                Stage::SetItem => return Err(self.fault(Problem::UnexpectedEntry)),
                Stage::Input => return Err(self.fault(Problem::ExpectedArrow)),
                _ => return Err(self.expected_separator()),
            };
            self.at += 1;
            return Ok(After::Part);
        }
        if stage == Stage::Key && byte.is_some() {
            return Err(self.fault(Problem::ExpectedKeyColon));
        }
        if stage == Stage::Input && byte.is_some() {
            return Err(self.fault(Problem::ExpectedArrow));
        }
        match byte {
            None => Err(self.ended()),
            Some(b',') => {
                open.count += 1;
                open.stage = match stage {
                    Stage::SetItemOrKey => Stage::SetItem,
                    Stage::Value => Stage::Key,
                    Stage::Output => Stage::Input,
                    Stage::DefaultOutput => Stage::AfterDefault,
                    Stage::FieldValue => Stage::Field,
                    other => other,
                };
                self.at += 1;
                Ok(After::Part)
            }
            Some(b'}') if stage == Stage::Output => Err(self.fault(Problem::NoDefault)),
            Some(b'=') if stage == Stage::SetItem && self.bytes[self.at..].starts_with(b"=>") => {
                Err(self.fault(Problem::UnexpectedArrow))
            }
            Some(byte) if byte == stage.closing() => {
                open.count += 1;
                Ok(After::Closed(self.close(false)))
            }
            Some(_) => Err(self.expected_separator()),
        }
    }

    /// Reads the `=>` after the input at `position`, or after the `_` that stands for all other
    /// inputs.
    fn arrow(&mut self, position: u32, has_holes: bool) -> Result<(), Fault> {
        // What `..` hides at the end of a record is hidden whenever that input is printed.
        let is_hole = |index: u32| self.arena.node(index).kind() == NodeKind::Hole;
        let is_written = |index: u32| match self.arena.node(index).kind() {
            NodeKind::Hole => self.bytes[self.arena.node(index).start()] == b'_',
            NodeKind::List => self.arena.parts_of(index).any(is_hole),
            _ => false,
        };
        let stage = match self.arena.node(position).kind() {
            NodeKind::Hole => Stage::DefaultOutput,
            _ if has_holes && (position..self.arena.len()).any(is_written) => {
                return Err(Fault::new(Problem::HoleInInput, self.arena.node(position).start()));
            }
            _ => Stage::Output,
        };
        if stage == Stage::DefaultOutput {
            self.arena.node_mut(position).set_default_key();
        }
        self.set_stage(stage);
        self.at += 2;
        Ok(())
    }

    /// Reads a word, and the bracket that makes it the name of a tuple or a record.
    fn word(&mut self) -> Result<Option<u32>, Fault> {
        let start = self.at;
        let mut end = lexis::word_end(self.bytes, start)?;
        // A word ends before the arrow of an entry, as it does before the colon.
        if let Some(arrow) = self.text[start..end].find("=>") {
            end = start + arrow;
            // Its `>` closes nothing: what is left must be a word by itself.
            lexis::word_end(&self.bytes[..end], start)?;
        }
        end = lexis::number_end(self.bytes, start, end);
        let word = &self.bytes[start..end];
        let glued = self.bytes.get(end);
        let brace = lexis::skip_space(self.bytes, end);
        let has_fields = self.bytes.get(brace) == Some(&b'{');
        // Some types print a name before a list or a map that they hold: `Array [1, 2]`, `Object
        // {"a": 1}`.
        let has_items = self.bytes.get(brace) == Some(&b'[') && word.first().is_some_and(u8::is_ascii_alphabetic);
        let has_keys = has_fields && self.bytes.get(lexis::skip_space(self.bytes, brace + 1)) == Some(&b'"');
        match word {
            b"" => Err(self.unexpected()),
            b"_" if has_fields || glued == Some(&b'(') => Err(self.fault(Problem::HoleWithParts)),
            b"_" => Ok(Some(self.leaf(NodeKind::Hole, start, end))),
            b"vec!" if glued == Some(&b'[') => self.open_bracket(NodeKind::List, Stage::ListItem, end),
            _ if glued == Some(&b'(') => self.open_bracket(NodeKind::NamedTuple, Stage::TuplePart, end),
            _ if has_items && glued == Some(&b' ') => self.open_bracket(NodeKind::List, Stage::ListItem, brace),
            _ if has_keys => self.open_bracket(NodeKind::Set, Stage::SetItemOrKey, brace),
            _ if has_fields => self.open_bracket(NodeKind::Record, Stage::Field, brace),
            _ => Ok(Some(self.leaf(NodeKind::Word, start, end))),
        }
    }

    /// Reads `name:`, or what ends a record; then the record is complete.
    fn field_name(&mut self) -> Result<Option<u32>, Fault> {
        let start = self.at;
        if self.peek() == Some(b'}') {
            return Ok(Some(self.close(true)));
        }
        if self.rest().starts_with(b"..") {
            self.leaf(NodeKind::Hole, start, start + 2);
            self.skip_space();
            return match self.peek() {
                Some(b'}') => Ok(Some(self.close_open_record())),
                Some(_) => Err(self.fault(Problem::RestNotLast)),
                None => Err(self.ended()),
            };
        }
        let end = lexis::word_end(self.bytes, start)?;
        if end == start || &self.bytes[start..end] == b"_" {
            return Err(if self.peek().is_none() { self.ended() } else { self.fault(Problem::ExpectedFieldName) });
        }
        self.leaf(NodeKind::Word, start, end);
        self.skip_space();
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                self.set_stage(Stage::FieldValue);
                self.skip_space();
                Ok(None)
            }
            Some(_) => Err(self.fault(Problem::ExpectedFieldColon)),
            None => Err(self.ended()),
        }
    }

    fn string(&mut self, opening: lexis::StringOpening) -> Result<u32, Fault> {
        let start = self.at;
        let (_, end) = lexis::string_end(self.bytes, start, opening)?;
        let node = self.leaf(NodeKind::Text, start, end);
        // What makes a `String` of a literal in Rust.
        for conversion in [".to_string()", ".to_owned()", ".into()", ".to_vec()"] {
            if self.rest().starts_with(conversion.as_bytes()) {
                self.at += conversion.len();
                break;
            }
        }
        Ok(node)
    }

    fn character(&mut self) -> Result<u32, Fault> {
        let start = self.at;
        let content = start + 1;
        let after = match self.bytes.get(content) {
            None => return Err(self.fault(Problem::EndlessCharacter)),
            Some(b'\'') => return Err(self.fault(Problem::EmptyCharacter)),
            Some(b'\\') => match lexis::escape(self.bytes, content, start) {
                Ok((lexis::Escaped::Nothing, _)) => {
                    return Err(Fault::new(Problem::UnknownEscape('\n'), content));
                }
                // In a string, a backslash before the end of the text means that the string does
                // not end.
                Err(Fault { problem: Problem::EndlessString, .. }) => return Err(self.fault(Problem::EndlessCharacter)),
                other => other?.1,
            },
            Some(_) => content + lexis::decode(self.bytes, content).1,
        };
        match self.bytes.get(after) {
            Some(b'\'') => Ok(self.leaf(NodeKind::Char, start, after + 1)),
            _ => Err(self.fault(Problem::EndlessCharacter)),
        }
    }

    /// Reads `..` or `..=` after the part at `start`, if there is one. Gives the position of the
    /// range if it has no end.
    fn range(&mut self, start: Option<u32>) -> Result<Option<u32>, Fault> {
        let operator = self.at;
        let is_inclusive = self.rest().starts_with(b"..=");
        let kind = if is_inclusive { NodeKind::InclusiveRange } else { NodeKind::Range };
        let text_start = start.map_or(operator, |position| self.arena.node(position).start());
        let range = self.leaf(kind, text_start, operator + if is_inclusive { 3 } else { 2 });
        let mut has_holes = false;
        if let Some(position) = start {
            has_holes = self.arena.node(self.arena.resolve(position)).has_holes();
            self.arena.node_mut(position).set_starts_range();
            self.arena.node_mut(range).set_range_start(position);
        }
        self.push_open(Open { node: range, bracket: operator as u32, count: 0, stage: Stage::RangeEnd, has_holes })?;

        let after_operator = self.at;
        self.skip_space();
        let has_end = !matches!(self.peek(), None | Some(b',' | b')' | b']' | b'}'))
            && !self.rest().starts_with(b"=>")
            && !lexis::separates_key(self.bytes, self.at);
        if has_end {
            if self.rest().starts_with(b"..") {
                return Err(self.fault(Problem::RangeOfRange));
            }
            return Ok(None);
        }
        self.at = after_operator;
        if is_inclusive {
            return Err(self.fault(Problem::RangeWithoutEnd));
        }
        Ok(Some(self.close_range(None)))
    }

    /// Completes the innermost range; gives the position at which it stands.
    fn close_range(&mut self, end: Option<u32>) -> u32 {
        let Some(open) = self.open.pop() else { unreachable!("a range is on the stack until its end has been read") };
        let next = self.arena.len();
        let mut text_end = end.map_or(self.at, |position| self.arena.node(position).end());
        let node = self.arena.node_mut(open.node);
        // What the standard library prints for an inclusive range that has been iterated to its
        // end.
        if node.kind() == NodeKind::InclusiveRange && self.bytes[self.at..].starts_with(b"(exhausted)") {
            self.at += b"(exhausted)".len();
            text_end = self.at;
            node.set_kind(NodeKind::ExhaustedRange);
        }
        node.close(text_end, next, open.has_holes);
        node.range_start().unwrap_or(open.node)
    }

    fn open_bracket(&mut self, kind: NodeKind, stage: Stage, bracket: usize) -> Result<Option<u32>, Fault> {
        let node = self.arena.push_leaf(kind, self.at, self.at);
        self.push_open(Open { node, bracket: bracket as u32, count: 0, stage, has_holes: false })?;
        self.at = bracket + 1;
        Ok(None)
    }

    fn push_open(&mut self, open: Open) -> Result<(), Fault> {
        if self.open.len() == DEEPEST_NESTING {
            return Err(Fault::new(Problem::TooDeep { limit: DEEPEST_NESTING }, open.bracket as usize));
        }
        self.open.push(open);
        Ok(())
    }

    /// Closes a bracket where a part could have begun: it is empty, or a comma comes before.
    fn close_before_part(&mut self, closing: u8) -> Result<Option<u32>, Fault> {
        match self.stage() {
            None => Err(self.fault(Problem::ClosesNothing)),
            Some(Stage::Value | Stage::Output | Stage::DefaultOutput | Stage::FieldValue | Stage::RangeEnd) => {
                Err(self.fault(Problem::ExpectedPart))
            }
            Some(Stage::Input) if closing == b'}' => Err(self.fault(Problem::NoDefault)),
            Some(stage) if stage.closing() != closing => {
                Err(self.fault(Problem::ExpectedPartOrClosing { closing: stage.closing() as char }))
            }
            Some(_) => Ok(Some(self.close(true))),
        }
    }

    /// Closes the innermost bracket, whose closing bracket is next.
    fn close(&mut self, is_empty_or_after_comma: bool) -> u32 {
        let Some(open) = self.open.pop() else { unreachable!("only called for a bracket that is on the stack") };
        self.at += 1;
        let next = self.arena.len();
        let node = self.arena.node_mut(open.node);
        node.close(self.at, next, open.has_holes);
        node.set_count(open.count);
        match node.kind() {
            NodeKind::Set if matches!(open.stage, Stage::Key | Stage::Value) => node.set_kind(NodeKind::Map),
            NodeKind::Set if matches!(open.stage, Stage::DefaultOutput | Stage::AfterDefault) => {
                node.set_kind(NodeKind::Table);
            }
            // `(x,)` is a tuple, `(x)` is `x`.
            NodeKind::Tuple if open.count == 1 && !is_empty_or_after_comma => self.make_wrapper(open.node),
            NodeKind::NamedTuple => {
                let path = &self.text[node.start()..open.bracket as usize];
                match known_call(path, open.count) {
                    Some(Call::Transparent) => self.make_wrapper(open.node),
                    Some(Call::EmptyList) => node.set_kind(NodeKind::List),
                    Some(Call::EmptyBraces) => node.set_kind(NodeKind::Set),
                    Some(Call::EmptyText) => node.set_kind(NodeKind::Text),
                    None => {}
                }
            }
            _ => {}
        }
        open.node
    }

    fn make_wrapper(&mut self, node: u32) {
        let target = self.arena.resolve(node + 1);
        self.arena.node_mut(node).set_target(target);
    }

    /// Closes a record that ends in `..`.
    fn close_open_record(&mut self) -> u32 {
        let Some(open) = self.open.last_mut() else { unreachable!("only called inside a record") };
        let start = self.arena.node(open.node).start();
        let name = lexis::word_end(self.bytes, start).map_or("", |end| plain_name(&self.text[start..end]));
        // These two print `..` after all that there is to know.
        let shows = |field: &str| {
            let mut keys = self.arena.parts_from(open.node + 1, 2 * open.count).step_by(2);
            keys.any(|key| &self.text[self.arena.node(key).start()..self.arena.node(key).end()] == field)
        };
        let is_lock = matches!(name, "Mutex" | "RwLock") && open.count == 2;
        let hides_nothing = is_lock && shows("data") && shows("poisoned");
        open.has_holes |= !hides_nothing;
        let node = self.close(true);
        self.arena.node_mut(node).set_kind(NodeKind::OpenRecord);
        node
    }

    fn leaf(&mut self, kind: NodeKind, start: usize, end: usize) -> u32 {
        self.at = end;
        self.arena.push_leaf(kind, start, end)
    }

    fn stage(&self) -> Option<Stage> {
        self.open.last().map(|open| open.stage)
    }

    fn set_stage(&mut self, stage: Stage) {
        if let Some(open) = self.open.last_mut() {
            open.stage = stage;
        }
    }

    fn skip_space(&mut self) {
        self.at = lexis::skip_space(self.bytes, self.at);
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn fault(&self, problem: Problem) -> Fault {
        Fault::new(problem, self.at)
    }

    /// The text ended where something should have followed.
    fn ended(&self) -> Fault {
        if let Some(open) = self.open.iter().rev().find(|open| open.stage != Stage::RangeEnd) {
            Fault::new(Problem::NeverClosed, open.bracket as usize)
        } else if lexis::skip_space(self.bytes, 0) < self.bytes.len() {
            self.fault(Problem::ExpectedPart)
        } else {
            Fault::new(Problem::Nothing { is_empty: self.bytes.is_empty() }, 0)
        }
    }

    /// A byte with which no part begins.
    fn unexpected(&self) -> Fault {
        match self.peek() {
            Some(b',' | b';' | b':') => self.fault(Problem::ExpectedPart),
            Some(b'=') if self.rest().starts_with(b"=>") => self.fault(Problem::ExpectedPart),
            _ => self.fault(Problem::UnexpectedCharacter(lexis::decode(self.bytes, self.at).0)),
        }
    }

    fn expected_separator(&self) -> Fault {
        let closing = self.stage().map_or(b')', Stage::closing) as char;
        self.fault(Problem::ExpectedSeparator { closing })
    }
}
