use retrospect_grammar::nearest;
use std::collections::HashSet;
use std::fmt::{self, Debug, Write};

/// Why a generator cannot make a value: which part of it, and what is wrong with that part.
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = tuple((0..=10, vec_of(0..=10, ..)));
/// let error = pairs.choices_of(&(3, vec![4, 12])).unwrap_err();
/// assert_eq!(error.path(), ".1[1]");
/// assert_eq!(error.part(), "12");
/// assert_eq!(error.reason(), "12 is not in 0..=10");
/// assert_eq!(error.to_string(), "this generator cannot make the part `.1[1]`, which is 12: 12 is not in 0..=10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotGenerated {
    path: String,
    part: String,
    reason: String,
}

impl NotGenerated {
    /// The way from the whole value to the part that cannot be made: `.1.0` in tuples, `Node.2` in
    /// a variant, `.name` in a struct, `[3]` in a list; empty if it is the whole value.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let nested = tuple((0..=9, tuple((0..=9, 0..=9))));
    /// assert_eq!(nested.choices_of(&(1, (2, 30))).unwrap_err().path(), ".1.1");
    /// assert_eq!((0..=9).choices_of(&30).unwrap_err().path(), "");
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The part itself, as `Debug` prints it, cut off after some 200 characters.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let error = vec_of(string_of('a'..='z', ..), ..).choices_of(&vec!["ok".to_owned(), "No".to_owned()]).unwrap_err();
    /// assert_eq!((error.path(), error.part()), ("[1][0]", "'N'"));
    /// let error = vec_of(0..=9, ..5).choices_of(&vec![1; 1000]).unwrap_err();
    /// assert!(error.part().len() < 210);
    /// ```
    pub fn part(&self) -> &str {
        &self.part
    }

    /// What is wrong with it. If several ways failed at this part, the reasons of up to four of
    /// them, and how many more there are.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// let error = one_of((0..=3, 7..=9)).choices_of(&5).unwrap_err();
    /// assert_eq!(error.reason(), "5 is not in 0..=3; and 5 is not in 7..=9");
    /// ```
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for NotGenerated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotGenerated { path, part, reason } = self;
        match path.as_str() {
            "" => write!(formatter, "this generator cannot make {part}: {reason}"),
            path => write!(formatter, "this generator cannot make the part `{path}`, which is {part}: {reason}"),
        }
    }
}

impl std::error::Error for NotGenerated {}

/// One step from a value to a part of it. `Display` writes it the way it stands in
/// [`NotGenerated::path`].
///
/// ```
/// use retrospect::Segment;
/// assert_eq!(Segment::Field("name").to_string(), ".name");
/// assert_eq!(Segment::VariantPosition("Node", 2).to_string(), "Node.2");
/// assert_eq!(Segment::Key(3).to_string(), "[3].key");
/// assert_eq!(Segment::Whole.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A position in a tuple or tuple struct: `.0`.
    Position(usize),
    /// A field of a struct: `.name`.
    Field(&'static str),
    /// A position in a variant: `Node.2`.
    VariantPosition(&'static str, usize),
    /// A field of a variant: `Node.left`.
    VariantField(&'static str, &'static str),
    /// An item of a list or a set, or a character of a string: `[3]`.
    Item(usize),
    /// The key of a map's entry: `[3].key`.
    Key(usize),
    /// The value of a map's entry: `[3].value`.
    Value(usize),
    /// What a function gives for all inputs without an entry: `[_].value`.
    Default,
    /// Something that is no part of the value but was worked out from it, by the name it was drawn
    /// under: `.<ty>`.
    Focus(&'static str),
    /// The value itself, as the second part of a bind: no step at all.
    Whole,
}

impl fmt::Display for Segment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Position(position) => write!(formatter, ".{position}"),
            Segment::Field(field) => write!(formatter, ".{field}"),
            Segment::VariantPosition(variant, position) => write!(formatter, "{variant}.{position}"),
            Segment::VariantField(variant, field) => write!(formatter, "{variant}.{field}"),
            Segment::Item(item) => write!(formatter, "[{item}]"),
            Segment::Key(entry) => write!(formatter, "[{entry}].key"),
            Segment::Value(entry) => write!(formatter, "[{entry}].value"),
            Segment::Default => formatter.write_str("[_].value"),
            Segment::Focus(name) => write!(formatter, ".<{name}>"),
            Segment::Whole => Ok(()),
        }
    }
}

/// Collects what went wrong while a value is looked at. Of all the ways that failed, the one that
/// got deepest into the value is the one to report: a `Node` that is out of range says more than
/// "this is not a `Leaf`".
#[derive(Debug, Default)]
pub(crate) struct Explanation {
    path: Vec<Segment>,
    best: Option<Best>,
    /// What was tried in vain around all that.
    tried: Option<String>,
}

#[derive(Debug)]
struct Best {
    /// How many steps lead there, and the last of them.
    depth: usize,
    path: Vec<Segment>,
    part: String,
    /// What the part is none of.
    unlike: Option<Unlike>,
    reasons: Vec<String>,
    /// Reasons that are not listed.
    more: HashSet<String>,
}

/// The structs and variants that a text might show, and what it shows instead.
#[derive(Debug)]
pub(crate) struct Unlike {
    /// The name that the text shows, or nothing.
    pub(crate) name: String,
    /// What the text shows, described.
    pub(crate) shown: String,
    /// The name of each, and how it is written.
    pub(crate) expected: Vec<(String, String)>,
}

impl Unlike {
    fn add(&mut self, other: Unlike) {
        for expected in other.expected {
            if !self.expected.contains(&expected) {
                self.expected.push(expected);
            }
        }
    }

    fn reason(&self) -> String {
        const MAX_LISTED: usize = 6;
        let Unlike { name, shown, expected } = self;
        let mut looks: Vec<String> = expected.iter().take(MAX_LISTED).map(|(_, look)| look.clone()).collect();
        match expected.len().saturating_sub(MAX_LISTED) {
            0 => {}
            1 => looks.push("one other".to_owned()),
            count => looks.push(format!("one of {count} others")),
        }
        let last = looks.pop().unwrap_or_default();
        let or = if looks.is_empty() { "" } else { " or " };
        let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
        // Numbers and names of one or two letters are like anything.
        let is_misspelt = name.len() > 2 && name.starts_with(char::is_alphabetic) && !names.contains(&name.as_str());
        let guess = match nearest(name, names) {
            Some(near) if is_misspelt => format!("; did you mean `{near}`?"),
            _ => String::new(),
        };
        format!("expected {}{or}{last}, not {shown}{guess}", looks.join(", "))
    }
}

/// What was noted until something was set aside; see [`Explanation::set_aside`].
#[derive(Debug)]
pub(crate) struct Noted(Option<Best>);

/// More reasons than this for one part are not listed.
const MAX_REASONS: usize = 4;
/// More reasons than this are not counted.
const MAX_COUNTED: usize = 1_000;
/// The end of a very long way says where; its beginning is the same step over and over. More steps
/// than this are not kept.
const MAX_STEPS: usize = 40;

impl Best {
    fn add(&mut self, reason: String) {
        if self.reasons.contains(&reason) {
            return;
        }
        match self.reasons.len() < MAX_REASONS {
            true => self.reasons.push(reason),
            false if self.more.len() < MAX_COUNTED => {
                self.more.insert(reason);
            }
            false => {}
        }
    }

    fn add_unlike(&mut self, unlike: Unlike) {
        match &mut self.unlike {
            Some(known) => known.add(unlike),
            None => self.unlike = Some(unlike),
        }
    }

    /// What is wrong with the part, in one sentence.
    fn reason(&self) -> String {
        let unlike = self.unlike.as_ref().map(Unlike::reason);
        let mut reasons: Vec<String> = unlike.into_iter().chain(self.reasons.iter().cloned()).collect();
        match self.more.len() {
            0 => {}
            1 => reasons.push("one more reason".to_owned()),
            MAX_COUNTED.. => reasons.push("many more reasons".to_owned()),
            count => reasons.push(format!("{count} more reasons")),
        }
        reasons.join("; and ")
    }
}

impl Explanation {
    /// What follows is about a part this many steps further inside.
    #[cold]
    pub(crate) fn enter_all(&mut self, path: &[Segment]) {
        self.path.extend_from_slice(path);
    }

    #[cold]
    pub(crate) fn leave_all(&mut self, path: &[Segment]) {
        self.path.truncate(self.path.len() - path.len());
    }

    pub(crate) fn note(&mut self, part: &dyn Debug, reason: String) {
        if let Some(best) = self.best_here(part) {
            best.add(reason);
        }
    }

    /// Notes that the part is none of some structs and variants.
    pub(crate) fn note_unlike(&mut self, part: &dyn Debug, unlike: Unlike) {
        if let Some(best) = self.best_here(part) {
            best.add_unlike(unlike);
        }
    }

    /// Where reasons for this part are kept, unless a part further inside is the one to report.
    fn best_here(&mut self, part: &dyn Debug) -> Option<&mut Best> {
        let depth = self.path.len();
        let path = &self.path[depth.saturating_sub(MAX_STEPS)..];
        match &self.best {
            Some(best) if best.depth == depth && best.path == path => {}
            Some(best) if best.depth >= depth => return None,
            _ => {
                let (path, part) = (path.to_vec(), shortened(part));
                self.best = Some(Best { depth, path, part, unlike: None, reasons: Vec::new(), more: HashSet::new() });
            }
        }
        self.best.as_mut()
    }

    /// Notes what was tried; of several such notes the last is the outermost.
    pub(crate) fn tried(&mut self, what: Option<String>) {
        self.tried = what;
    }

    /// Sets aside what was noted so far, before several ways are tried: if one of them fits, what
    /// the others noted says nothing.
    pub(crate) fn set_aside(&mut self) -> Noted {
        Noted(self.best.take())
    }

    /// A way fits: what was noted since then is forgotten.
    pub(crate) fn restore(&mut self, before: Noted) {
        self.best = before.0;
    }

    /// No way fits: what was noted since then counts beside what was noted before.
    pub(crate) fn add(&mut self, before: Noted) {
        let Some(mut before) = before.0 else { return };
        match self.best.take() {
            Some(best) if best.depth > before.depth => self.best = Some(best),
            Some(best) if best.depth == before.depth && best.path == before.path => {
                for reason in best.reasons.into_iter().chain(best.more) {
                    before.add(reason);
                }
                if let Some(unlike) = best.unlike {
                    before.add_unlike(unlike);
                }
                self.best = Some(before);
            }
            _ => self.best = Some(before),
        }
    }

    pub(crate) fn into_error(self) -> NotGenerated {
        let tried = self.tried.map_or_else(String::new, |tried| format!(" ({tried})"));
        match self.best {
            None => NotGenerated {
                path: String::new(),
                part: "this value".to_owned(),
                reason: format!("no way of making it was found{tried}"),
            },
            Some(best) => {
                let reason = best.reason() + &tried;
                NotGenerated { path: written(best.depth, &best.path), part: best.part, reason }
            }
        }
    }
}

/// `Node.2Node.0` would be hard to read: a variant after anything gets a dot before it.
fn written(depth: usize, path: &[Segment]) -> String {
    let skipped = depth - path.len();
    let mut text = if skipped > 0 { format!("…{skipped} steps…") } else { String::new() };
    for segment in path {
        let is_variant = matches!(segment, Segment::VariantPosition(..) | Segment::VariantField(..));
        if is_variant && !text.is_empty() {
            text.push('.');
        }
        let _ = write!(text, "{segment}");
    }
    text
}

/// The `Debug` text of a part, cut off before it gets long. Printing stops there, so a value of a
/// million items or levels costs no more.
pub(crate) fn shortened(part: &dyn Debug) -> String {
    limited(format_args!("{part:?}"), 200)
}

/// The text, cut off after about so many bytes. What is cut off is not written at all.
pub(crate) fn limited(text: fmt::Arguments<'_>, max_bytes: usize) -> String {
    struct Limited(String, usize);
    impl Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.0.len() + text.len() <= self.1 {
                self.0.push_str(text);
                return Ok(());
            }
            for character in text.chars() {
                if self.0.len() >= self.1 {
                    self.0.push('…');
                    return Err(fmt::Error);
                }
                self.0.push(character);
            }
            Ok(())
        }
    }
    let mut limited = Limited(String::new(), max_bytes);
    let _ = limited.write_fmt(text);
    limited.0
}
