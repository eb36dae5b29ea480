//! From tokens to rules.

use crate::error::{Fault, GrammarError};
use crate::names::Names;
use crate::nearest::nearest;
use crate::tokens::{Token, TokenKind, tokens};
use crate::{Alternative, DEEPEST, Expression, Kind, LONGEST_TEXT, Rule};

/// The rules of a text, every name in them defined.
pub(crate) fn read(text: &str) -> Result<Vec<Rule>, GrammarError> {
    if text.len() > LONGEST_TEXT {
        let message = format!("the grammar is {} bytes long; at most {LONGEST_TEXT} are read", text.len());
        return Err(GrammarError::one(Fault::of_all(message, "take what is not needed out of it")));
    }
    let tokens = tokens(text).map_err(GrammarError::one)?;
    let mut reader = Reader { text, tokens, at: 0, names: Names::new(), uses: Vec::new(), classes: Vec::new() };
    let definitions = reader.rules().map_err(GrammarError::one)?;
    reader.resolve(definitions)
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    /// The index of the next token.
    at: usize,
    names: Names<'t>,
    /// Offset and number of each name that is used in a rule. Up to the end, [`Kind::Rule`] holds
    /// the number of a name.
    uses: Vec<(usize, usize)>,
    /// Offset and text of classes that could be meant as `[ part ]`.
    classes: Vec<(usize, &'t str)>,
}

/// A rule whose names are numbers of names.
struct Definition {
    name: usize,
    offset: usize,
    rule: Rule,
}

impl<'t> Reader<'t> {
    fn rules(&mut self) -> Result<Vec<Definition>, Fault> {
        let mut definitions = Vec::new();
        while *self.peek() != TokenKind::End {
            definitions.push(self.rule()?);
        }
        if definitions.is_empty() {
            let message = match self.text.is_empty() {
                true => "there is no rule: the text is empty",
                false => "there is no rule: the text is only white space and comments",
            };
            return Err(Fault::of_all(message, "write at least one, as in `greeting = \"hello\" ;`"));
        }
        Ok(definitions)
    }

    fn rule(&mut self) -> Result<Definition, Fault> {
        let (offset, place) = (self.token().offset, self.token().place);
        let TokenKind::Name(name) = *self.peek() else {
            let message = format!("expected the name of a rule, found {}", self.peek().describe());
            let way_out = match self.peek() {
                TokenKind::Sign(')' | ']' | '}') => "remove it, or add the opening bracket that it belongs to",
                TokenKind::Sign(';') => "one `;` is enough",
                _ => "a rule is written `name = … ;`",
            };
            return Err(self.fault(message, way_out));
        };
        self.at += 1;
        if !matches!(self.peek(), TokenKind::Defines(_)) {
            let message = format!("expected `=` after the name of a rule, found {}", self.peek().describe());
            let way_out = "a rule is written `name = … ;`; `::=`, `:=` and `->` mean the same";
            return Err(self.fault(message, way_out));
        }
        self.at += 1;
        let body = self.choice(0)?;
        if *self.peek() == TokenKind::Sign(';') {
            self.at += 1;
        } else if *self.peek() != TokenKind::End && !self.is_at_rule() {
            return Err(self.unexpected_after_part());
        }
        let rule = Rule { name: name.to_owned(), place, body };
        Ok(Definition { name: self.names.number(name), offset, rule })
    }

    /// Whether the next tokens are the beginning of a rule.
    fn is_at_rule(&self) -> bool {
        matches!(self.peek(), TokenKind::Name(_)) && matches!(self.peek_after(1), TokenKind::Defines(_))
    }

    /// Alternatives, `depth` brackets deep.
    fn choice(&mut self, depth: usize) -> Result<Expression, Fault> {
        let place = self.token().place;
        let start = self.at;
        let mut alternatives: Vec<Alternative> = Vec::new();
        let mut labels = None;
        let mut has_note = false;
        loop {
            let place = self.token().place;
            let (weight, label) = self.weight_and_label(&mut labels)?;
            has_note |= weight.is_some() || label.is_some();
            let body = self.sequence(depth)?;
            alternatives.push(Alternative { place, weight: weight.unwrap_or(1), label, body });
            if *self.peek() != TokenKind::Sign('|') {
                break;
            }
            self.at += 1;
        }
        if alternatives.iter().all(|alternative| alternative.weight == 0) {
            let message = match alternatives.len() {
                1 => "this alternative has the weight 0, and there is no other",
                _ => "all these alternatives have the weight 0",
            };
            let way_out = "an alternative of weight 0 is never taken: give at least one of them a weight above 0";
            return Err(Fault::at(self.text, self.tokens[start].offset, message, way_out));
        }
        if alternatives.len() == 1 && !has_note {
            return Ok(alternatives.remove(0).body);
        }
        Ok(Expression { place, kind: Kind::Choice(alternatives) })
    }

    /// `2:`, `label:` or `2 label:`, if there is one of them. `labels` are those of the
    /// alternatives before.
    fn weight_and_label(&mut self, labels: &mut Option<Names<'t>>) -> Result<(Option<u32>, Option<String>), Fault> {
        let mut length = 0;
        let mut weight = None;
        if let TokenKind::Number(number) = *self.peek() {
            weight = Some(number);
            length = 1;
        }
        let mut label = None;
        if let TokenKind::Name(name) = *self.peek_after(length) {
            label = Some(name);
            length += 1;
        }
        if length == 0 || *self.peek_after(length) != TokenKind::Sign(':') {
            return Ok((None, None));
        }
        if let Some(label) = label {
            let labels = labels.get_or_insert_with(Names::new);
            if labels.find(label).is_some() {
                self.at += length - 1;
                let message = format!("the label `{label}` stands before two alternatives of this choice");
                return Err(self.fault(message, "choose another one: labels tell alternatives apart"));
            }
            labels.number(label);
        }
        self.at += length + 1;
        Ok((weight, label.map(str::to_owned)))
    }

    /// Parts that follow each other.
    fn sequence(&mut self, depth: usize) -> Result<Expression, Fault> {
        let place = self.token().place;
        let mut parts = vec![self.separated(depth)?];
        while self.is_at_part() {
            parts.push(self.separated(depth)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(Expression { place, kind: Kind::Sequence(parts) })
    }

    fn is_at_part(&self) -> bool {
        match self.peek() {
            TokenKind::Name(_) => !self.is_at_rule() && *self.peek_after(1) != TokenKind::Sign(':'),
            TokenKind::Quoted(_) | TokenKind::Class(..) => true,
            TokenKind::Sign(sign) => matches!(sign, '(' | '[' | '{' | '.'),
            _ => false,
        }
    }

    /// `item % separator`, or just an item.
    fn separated(&mut self, depth: usize) -> Result<Expression, Fault> {
        let item = self.repeated(depth)?;
        if *self.peek() != TokenKind::Sign('%') {
            return Ok(item);
        }
        self.at += 1;
        let separator = self.repeated(depth)?;
        if *self.peek() == TokenKind::Sign('%') {
            let way_out = "say by brackets what is separated: `(cell % \",\") % \"\\n\"`";
            return Err(self.fault("a second `%`", way_out));
        }
        let place = item.place;
        Ok(Expression { place, kind: Kind::Separated { item: Box::new(item), separator: Box::new(separator) } })
    }

    /// A part and how often it stands there: `a`, `a?`, `a*`, `a+`, `a{2,5}`.
    fn repeated(&mut self, depth: usize) -> Result<Expression, Fault> {
        let item = self.part(depth)?;
        let place = item.place;
        let kind = match *self.peek() {
            TokenKind::Sign('?') => Kind::Optional(Box::new(item)),
            TokenKind::Sign('*') => Kind::Repeat { item: Box::new(item), least: 0, most: None },
            TokenKind::Sign('+') => Kind::Repeat { item: Box::new(item), least: 1, most: None },
            _ if self.is_at_count() => {
                let (least, most) = self.count()?;
                Kind::Repeat { item: Box::new(item), least, most }
            }
            _ => return Ok(item),
        };
        // For a count, this is its `}`.
        self.at += 1;
        if matches!(self.peek(), TokenKind::Sign('?' | '*' | '+')) || self.is_at_count() {
            let way_out = "one is enough; if both are meant, put brackets around the first: `(a+)?`";
            return Err(self.fault("a repetition of a repetition", way_out));
        }
        Ok(Expression { place, kind })
    }

    /// Whether a `{` follows that is not a repeated part but a count.
    fn is_at_count(&self) -> bool {
        let is_number = |token: &TokenKind<'_>| matches!(token, TokenKind::Number(_));
        if *self.peek() != TokenKind::Sign('{') {
            return false;
        }
        match self.peek_after(1) {
            TokenKind::Sign(',') => true,
            first if is_number(first) => matches!(self.peek_after(2), TokenKind::Sign('}' | ',')),
            _ => false,
        }
    }

    /// `{3}`, `{3,}`, `{,5}` or `{3,5}`, up to the closing brace.
    fn count(&mut self) -> Result<(usize, Option<usize>), Fault> {
        let start = self.token().offset;
        self.at += 1;
        let least = self.count_number();
        let mut most = least;
        if *self.peek() == TokenKind::Sign(',') {
            self.at += 1;
            most = self.count_number();
            if least.is_none() && most.is_none() {
                return Err(self.fault("expected a number", "write how often: `{3}`, `{2,}`, `{,5}` or `{2,5}`"));
            }
        }
        if *self.peek() != TokenKind::Sign('}') {
            let message = format!("expected `}}` after this count, found {}", self.peek().describe());
            return Err(self.fault(message, "write how often: `{3}`, `{2,}`, `{,5}` or `{2,5}`"));
        }
        if let (Some(least), Some(most)) = (least, most)
            && most < least
        {
            let message = format!("at least {least} times and at most {most} times");
            let way_out = format!("write the smaller number first: `{{{most},{least}}}`");
            return Err(Fault::at(self.text, start, message, way_out));
        }
        Ok((least.unwrap_or(0), most))
    }

    fn count_number(&mut self) -> Option<usize> {
        let TokenKind::Number(number) = *self.peek() else {
            return None;
        };
        self.at += 1;
        Some(number as usize)
    }

    /// A quoted text, a class, a name, or something in brackets.
    fn part(&mut self, depth: usize) -> Result<Expression, Fault> {
        let Token { offset, place, .. } = *self.token();
        let is_count = self.is_at_count();
        if self.is_at_rule() {
            let way_out = "write `\"\"` for the empty text, and close all brackets before a rule ends";
            return Err(
                self.fault(format!("expected a part, found {} of the next rule", self.peek().describe()), way_out)
            );
        }
        let kind = match &mut self.tokens[self.at].kind {
            TokenKind::Quoted(text) => Kind::Literal(std::mem::take(text)),
            TokenKind::Class(class, written) => {
                if !class.is_negated {
                    self.classes.push((offset, written));
                }
                Kind::Class(class.clone())
            }
            TokenKind::Sign('.') => Kind::AnyCharacter,
            TokenKind::Name(name) => {
                let number = self.names.number(name);
                self.uses.push((offset, number));
                Kind::Rule(number)
            }
            TokenKind::Sign(bracket @ ('(' | '[' | '{')) if !is_count => {
                let bracket = *bracket;
                return self.bracketed(bracket, depth);
            }
            _ => return Err(self.expected_part()),
        };
        self.at += 1;
        if *self.peek() == TokenKind::Sign('.') && *self.peek_after(1) == TokenKind::Sign('.') && is_character(&kind) {
            return Err(self.fault("there are no ranges of quoted characters", "write a class: `[a-z]`"));
        }
        Ok(Expression { place, kind })
    }

    fn bracketed(&mut self, bracket: char, depth: usize) -> Result<Expression, Fault> {
        let Token { offset, place, .. } = *self.token();
        if depth == DEEPEST {
            let way_out = "give the inner parts names: rules of their own";
            return Err(self.fault(format!("more than {DEEPEST} brackets in each other"), way_out));
        }
        self.at += 1;
        let closing = match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        if *self.peek() == TokenKind::Sign(closing) {
            let way_out = match bracket {
                '[' => "write `\" \"` for a space, and `\"\"` for the empty text",
                _ => "write `\"\"` for the empty text",
            };
            return Err(Fault::at(self.text, offset, "there is nothing in these brackets", way_out));
        }
        let inside = self.choice(depth + 1)?;
        match self.peek() {
            TokenKind::Sign(sign) if *sign == closing => self.at += 1,
            TokenKind::Sign(sign @ (')' | ']' | '}')) => {
                let message = format!("this `{sign}` does not close the `{bracket}` before it");
                return Err(self.fault(message, format!("close that with `{closing}` first")));
            }
            TokenKind::End | TokenKind::Sign(';') | TokenKind::Name(_) | TokenKind::Defines(_)
                if *self.peek_after(1) != TokenKind::Sign(':') =>
            {
                let message = format!("this `{bracket}` is never closed");
                let way_out =
                    format!("close it with `{closing}` before the rule ends; what is meant as text is quoted");
                return Err(Fault::at(self.text, offset, message, way_out));
            }
            _ => return Err(self.unexpected_after_part()),
        }
        let item = Box::new(inside);
        Ok(match bracket {
            '(' => *item,
            '[' => Expression { place, kind: Kind::Optional(item) },
            _ => Expression { place, kind: Kind::Repeat { item, least: 0, most: None } },
        })
    }

    /// Where a part should begin, something else does.
    fn expected_part(&self) -> Fault {
        let message = format!("expected a part, found {}", self.peek().describe());
        match self.peek() {
            TokenKind::Sign(sign @ ('?' | '*' | '+')) => {
                let way_out = format!("it is written after what is repeated; the sign itself is quoted: `\"{sign}\"`");
                self.fault(format!("there is nothing before this `{sign}`"), way_out)
            }
            TokenKind::Sign('{') => {
                self.fault("there is nothing before this count", "it is written after what is repeated: `digit{2,5}`")
            }
            TokenKind::Number(_) => self.stray_number(),
            TokenKind::Sign(':') => self.fault(message, "a colon follows a weight or a label: `2 minus: \"-\"`"),
            TokenKind::Sign(',') => self.fault(message, PARTS_FOLLOW),
            TokenKind::Sign('%') => self.fault(message, "a list is written `item % \",\"`"),
            TokenKind::Sign('|') => self.fault(message, "write `\"\"` for the empty text, or remove the `|`"),
            _ => self.fault(message, "write `\"\"` for the empty text"),
        }
    }

    /// Where a part could follow, the rule could end or a bracket be closed, something else stands.
    fn unexpected_after_part(&self) -> Fault {
        let message = format!("unexpected {}", self.peek().describe());
        match self.peek() {
            TokenKind::Sign(',') => self.fault(message, PARTS_FOLLOW),
            TokenKind::Sign(':') | TokenKind::Name(_) => {
                let way_out = "a label or a weight stands at the start of an alternative: `minus: \"-\" | none: \"\"`; a rule is defined by `=`";
                self.fault("a colon can only follow the weight or the label of an alternative", way_out)
            }
            TokenKind::Number(_) => self.stray_number(),
            TokenKind::Sign(')' | ']' | '}') => {
                self.fault("this bracket closes nothing", "remove it, or add the opening bracket that it belongs to")
            }
            TokenKind::Defines(_) => self.fault(message, "end the rule before with `;`, and write a name before this"),
            _ => self.fault(message, "what is meant as text is quoted: `\"…\"`"),
        }
    }

    fn stray_number(&self) -> Fault {
        let way_out = "a count follows what is repeated, in braces: `digit{3}`; a weight stands before an alternative, with a colon: `3: digit`; what is meant as text is quoted";
        self.fault(format!("{} belongs to nothing", self.peek().describe()), way_out)
    }

    /// Replaces the numbers of names by the indices of rules, or says what is wrong with names.
    fn resolve(self, definitions: Vec<Definition>) -> Result<Vec<Rule>, GrammarError> {
        // Enough to be told at once; finding out what was meant takes time.
        const ENOUGH: usize = 20;
        let mut faults: Vec<Fault> = Vec::new();
        let mut rule_of_name: Vec<Option<usize>> = vec![None; self.names.names.len()];
        for (index, definition) in definitions.iter().enumerate() {
            match rule_of_name[definition.name] {
                None => rule_of_name[definition.name] = Some(index),
                Some(first) if faults.len() < ENOUGH => {
                    let message = format!("the rule `{}` is defined twice", definition.rule.name);
                    let line = definitions[first].rule.place.line;
                    let way_out =
                        format!("it is also defined in line {line}: give one another name, or join them with `|`");
                    insert(&mut faults, Fault::at(self.text, definition.offset, message, way_out));
                }
                Some(_) => {}
            }
        }
        let mut told: Vec<usize> = Vec::new();
        for (offset, number) in &self.uses {
            if rule_of_name[*number].is_some() || faults.len() >= ENOUGH || told.contains(number) {
                continue;
            }
            told.push(*number);
            let name = self.names.names[*number];
            let known = definitions.iter().map(|definition| definition.rule.name.as_str());
            let way_out = match nearest(name, known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if matches!(name, "ε" | "epsilon" | "empty" | "EMPTY") => {
                    "write `\"\"` for the empty text".to_owned()
                }
                None if name.chars().count() == 3 && name.chars().nth(1) == Some('-') => {
                    format!("write `[{name}]`, without a space after the bracket, for the characters")
                }
                None => format!("define it, as in `{name} = … ;`; what is meant as text is quoted"),
            };
            insert(&mut faults, Fault::at(self.text, *offset, format!("there is no rule `{name}`"), way_out));
        }
        for (offset, written) in &self.classes {
            for word in written.split_whitespace() {
                let is_rule = self.names.find(word).is_some_and(|number| rule_of_name[number].is_some());
                if is_rule && faults.len() < ENOUGH {
                    let message = format!("a class of the characters of {word:?}, which is also the name of a rule");
                    let way_out = format!(
                        "write `[ {written} ]`, with a space after the bracket, for a part that may be missing; for the characters, put them in another order"
                    );
                    insert(&mut faults, Fault::at(self.text, *offset, message, way_out));
                    break;
                }
            }
        }
        GrammarError::of(faults)?;
        let mut rules = Vec::with_capacity(definitions.len());
        for mut definition in definitions {
            name_rules(&mut definition.rule.body, &rule_of_name);
            rules.push(definition.rule);
        }
        Ok(rules)
    }

    fn token(&self) -> &Token<'t> {
        &self.tokens[self.at]
    }

    fn peek(&self) -> &TokenKind<'t> {
        &self.token().kind
    }

    /// The token so many after the next, or the last.
    fn peek_after(&self, count: usize) -> &TokenKind<'t> {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    /// A fault at the next token.
    fn fault(&self, message: impl Into<String>, way_out: impl Into<String>) -> Fault {
        Fault::at(self.text, self.token().offset, message, way_out)
    }
}

const PARTS_FOLLOW: &str =
    "parts that follow each other are written side by side, without a `,`; a comma in the text is quoted";

/// Adds a fault where it belongs by the order of the text.
fn insert(faults: &mut Vec<Fault>, fault: Fault) {
    let at = faults.partition_point(|other| other.offset() <= fault.offset());
    faults.insert(at, fault);
}

fn is_character(kind: &Kind) -> bool {
    matches!(kind, Kind::Literal(text) if text.chars().count() == 1)
}

/// Numbers of names become indices of rules. The depth is limited by [`DEEPEST`].
fn name_rules(expression: &mut Expression, rule_of_name: &[Option<usize>]) {
    match &mut expression.kind {
        Kind::Literal(_) | Kind::Class(_) | Kind::AnyCharacter => {}
        Kind::Rule(number) => *number = rule_of_name[*number].expect("undefined names were told"),
        Kind::Sequence(parts) => {
            for part in parts {
                name_rules(part, rule_of_name);
            }
        }
        Kind::Choice(alternatives) => {
            for alternative in alternatives {
                name_rules(&mut alternative.body, rule_of_name);
            }
        }
        Kind::Optional(item) | Kind::Repeat { item, .. } => name_rules(item, rule_of_name),
        Kind::Separated { item, separator } => {
            name_rules(item, rule_of_name);
            name_rules(separator, rule_of_name);
        }
    }
}
