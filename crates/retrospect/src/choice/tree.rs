use super::{STEPS, Site};
use std::fmt;
use std::ops::Range;

/// A choice tree: everything a generator chose on the way to one value.
///
/// Made by recording ([`sample_choices`](crate::Generator::sample_choices)), by reflection
/// ([`choices_of`](crate::Generator::choices_of)) or by reading the text form, which `Display`
/// writes and `FromStr` reads.
///
/// ```
/// use retrospect::prelude::*;
/// let pairs = tuple((0..=9u8, any::<bool>()));
/// let choices = pairs.choices_of(&(7, true)).unwrap();
/// assert_eq!(choices.to_string(), "(7 1:true)");
/// assert_eq!(pairs.replay(&choices), (7, true));
/// assert_eq!("(7 1:true)".parse::<Choices>().unwrap(), choices);
/// ```
#[derive(Clone, Default)]
pub struct Choices {
    pub(super) entries: Vec<Entry>,
    /// Labels read from text. Their sites may not exist in this program, so the tree keeps them
    /// itself.
    labels: Vec<Box<str>>,
    /// Picks whose body runs to the end of the bracket they stand in, while that bracket is still
    /// open.
    pub(super) open_picks: Vec<u32>,
}

/// One node of a choice tree.
///
/// ```
/// use retrospect::choice::{Choices, Node};
/// let choices: Choices = "[4 2]".parse().unwrap();
/// let Some(Node::Repeat { items }) = choices.nodes().next() else { panic!() };
/// assert_eq!(items.len(), 2);
/// ```
#[derive(Clone, Copy)]
pub enum Node<'c> {
    /// A number below or equal to a bound; 0 is the simplest.
    Number {
        /// What was chosen.
        index: u64,
        /// The largest index there was. Bounds of 2^61 and more, and those of trees read from text,
        /// are reported as `u64::MAX`.
        bound: u64,
    },
    /// One of several arms, with the choices made inside it.
    Pick(PickNode<'c>),
    /// A list of parts, each exactly one node.
    Repeat {
        /// The parts.
        items: Nodes<'c>,
    },
    /// A bracket: everything one generator chose for one part of the value.
    Call {
        /// The generator, unless the tree was read from text or the bracket has no name of its own.
        site: Option<&'static Site>,
        /// What it chose, in order.
        children: Nodes<'c>,
    },
}

/// A pick among arms; see [`Node::Pick`].
///
/// ```
/// use retrospect::choice::{Choices, Node};
/// let choices: Choices = "1:node(4 0:leaf)".parse().unwrap();
/// let Some(Node::Pick(pick)) = choices.nodes().next() else { panic!("it is a pick") };
/// assert_eq!((pick.arm, pick.label), (1, Some("node")));
/// assert_eq!(pick.body.len(), 2);
/// assert_eq!(pick.arms, 0); // The text does not say how many there were.
/// ```
#[derive(Clone, Copy)]
pub struct PickNode<'c> {
    /// The arm that was taken; 0 is the simplest.
    pub arm: usize,
    /// How many arms there were; 0 if the tree was read from text.
    pub arms: usize,
    /// The name of the arm, if it has one.
    pub label: Option<&'c str>,
    /// Where the pick stands in the source, unless the tree was read from text.
    pub site: Option<&'static Site>,
    /// What was chosen inside the arm.
    pub body: Nodes<'c>,
}

/// The nodes of one level of a choice tree, in order.
///
/// ```
/// use retrospect::choice::Choices;
/// let choices: Choices = "(1 (2 3) 4)".parse().unwrap();
/// assert_eq!(choices.nodes().len(), 1);
/// ```
#[derive(Clone, Copy)]
pub struct Nodes<'c> {
    choices: &'c Choices,
    next: usize,
    end: usize,
}

impl Choices {
    /// The nodes at the top: usually one.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// let choices: Choices = "(1 2) 3".parse().unwrap();
    /// assert_eq!(choices.nodes().len(), 2); // What lies inside the bracket is a level of its own.
    /// assert_eq!(Choices::default().nodes().len(), 0);
    /// ```
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes { choices: self, next: 0, end: self.entries.len() }
    }

    /// How many choices were made: numbers, picks and repeats; brackets are none, nor are the steps
    /// of a shrinker that was written by hand.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// assert_eq!("(3 1:node(4) [0 0])".parse::<Choices>().unwrap().choice_count(), 6);
    /// ```
    pub fn choice_count(&self) -> usize {
        let (mut count, mut steps_end) = (0, 0);
        for (at, entry) in self.entries.iter().enumerate() {
            match entry.kind() {
                Kind::Call if entry.name_id() == STEPS.id() => steps_end = at + 1 + entry.extent(),
                Kind::Number | Kind::Pick | Kind::Repeat if at >= steps_end => count += 1,
                _ => {}
            }
        }
        count
    }

    /// Whether nothing was chosen, not even a bracket.
    ///
    /// ```
    /// use retrospect::choice::Choices;
    /// assert!(Choices::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes of memory that this tree needs: 16 for each node, and labels that were read from
    /// text.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// assert_eq!(vec_of(0..10, 3).sample_choices(1).bytes(), 4 * 16);
    /// ```
    pub fn bytes(&self) -> usize {
        let labels: usize = self.labels.iter().map(|label| label.len() + size_of::<Box<str>>()).sum();
        self.entries.len() * size_of::<Entry>() + labels
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    /// Puts whole nodes in the place of others that are as long together.
    pub(crate) fn overwrite(&mut self, at: usize, nodes: &[Entry]) {
        self.entries[at..at + nodes.len()].copy_from_slice(nodes);
    }

    pub(super) fn insert(&mut self, at: usize, entry: Entry) {
        self.entries.insert(at, entry);
    }

    pub(super) fn remove_one(&mut self, at: usize) -> Entry {
        self.entries.remove(at)
    }

    pub(super) fn splice(&mut self, place: Range<usize>, by: &[Entry]) {
        let kept = self.entries.len() - place.end;
        if by.len() > place.len() {
            let last = self.entries.len() + by.len() - place.len();
            self.entries.resize(last, Entry::number(0, 0));
        }
        self.entries.copy_within(place.end..place.end + kept, place.start + by.len());
        self.entries.truncate(place.start + by.len() + kept);
        self.entries[place.start..place.start + by.len()].copy_from_slice(by);
    }

    /// Other entries, whose labels are those of this tree.
    pub(crate) fn sharing(&self, entries: Vec<Entry>) -> Choices {
        Choices { entries, labels: self.labels.clone(), open_picks: Vec::new() }
    }

    /// A number that stands for the name of a pick: its site, or the label that the tree keeps
    /// itself.
    pub(crate) fn name_hash(&self, entry: Entry) -> u32 {
        match entry.local_label() {
            Some(label) => self.labels[label]
                .bytes()
                .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)),
            None => entry.name_id(),
        }
    }

    pub(crate) fn label_of(&self, entry: Entry) -> Option<&str> {
        match entry.local_label() {
            Some(label) => self.labels.get(label).map(|label| &**label),
            None => entry.site().and_then(|site| site.label(entry.arm())),
        }
    }
}

// Recording.
impl Choices {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.labels.clear();
        self.open_picks.clear();
    }

    /// An empty tree with room for so many entries.
    pub(crate) fn with_room(entries: usize) -> Choices {
        Choices { entries: Vec::with_capacity(entries), ..Choices::default() }
    }

    /// Becomes a copy of another tree, in the room that it has.
    pub(crate) fn copy_from(&mut self, other: &Choices) {
        self.clear();
        self.entries.extend_from_slice(&other.entries);
        self.labels.extend_from_slice(&other.labels);
    }

    #[inline(always)]
    pub(crate) fn push_number(&mut self, index: u64, bound: u64) {
        self.entries.push(Entry::number(index, bound));
    }

    /// Notes numbers with the same bound. Where their count is known beforehand, it is not asked
    /// for each whether there is room for it.
    #[inline(always)]
    pub(crate) fn push_numbers(&mut self, bound: u64, mut indices: impl Iterator<Item = u64>) {
        let known = indices.size_hint().0;
        let mut numbers = self.numbers_to_come(known, bound);
        for _ in 0..known {
            numbers.note(indices.next().unwrap_or(0));
        }
        drop(numbers);
        for index in indices {
            self.push_number(index, bound);
        }
    }

    /// Opens the bracket of a generator's whole run.
    #[inline]
    pub(crate) fn open_call(&mut self, site: &'static Site) -> Frame {
        self.open(Entry::bracket(Kind::Call, site.id()))
    }

    /// Opens the bracket of a part that will be several nodes.
    #[cfg(feature = "text")]
    #[inline]
    pub(crate) fn open_part(&mut self) -> Frame {
        self.open(Entry::bracket(Kind::Part, 0))
    }

    #[inline]
    pub(crate) fn open_repeat(&mut self, count: usize) -> Frame {
        self.open(Entry::repeat(count))
    }

    /// The same with room for that many items of one entry each, unless they are very many.
    #[inline]
    pub(crate) fn open_counted(&mut self, count: usize) -> Frame {
        self.entries.reserve(count.min(1 << 16) + 1);
        self.open(Entry::repeat(count))
    }

    #[inline]
    pub(crate) fn open(&mut self, entry: Entry) -> Frame {
        let frame = Frame { at: self.entries.len() as u32 };
        self.entries.push(entry);
        frame
    }

    /// Notes a pick. Its body is whatever follows in the innermost bracket that is open; if that
    /// bracket is a call in which nothing was chosen yet, the pick takes the call's place: a
    /// generator that begins by picking *is* that pick, and costs one node instead of two.
    #[inline]
    pub(crate) fn push_pick(&mut self, site: &'static Site, arm: usize, arms: usize) {
        let entry = Entry::pick(site.id(), arm, arms).opened();
        match self.entries.last_mut() {
            Some(last) if last.is_open_call() => *last = entry,
            _ => self.push_further_pick(entry),
        }
    }

    /// Notes a pick that does not begin a call.
    #[inline(never)]
    fn push_further_pick(&mut self, entry: Entry) {
        self.open_picks.push(self.entries.len() as u32);
        self.entries.push(entry);
    }

    /// A pick without a body, such as a bool.
    #[inline]
    pub(crate) fn push_leaf_pick(&mut self, site: &'static Site, arm: usize, arms: usize) {
        self.entries.push(Entry::pick(site.id(), arm, arms));
    }

    /// Notes the key of an entry: a pick of the only arm there is, whose label this tree keeps
    /// itself. It takes the place of the call it begins, and weighs nothing.
    pub(crate) fn push_key(&mut self, key: &str) {
        let entry = Entry::pick_with_local_label(self.add_label(key), 0).opened();
        match self.entries.last_mut() {
            Some(last) if last.is_open_call() => *last = entry,
            _ => self.push_further_pick(entry),
        }
    }

    #[inline]
    pub(crate) fn close(&mut self, frame: Frame) {
        if !self.open_picks.is_empty() {
            self.close_picks(frame);
        }
        self.set_extent(frame.at as usize);
    }

    /// Closes the picks inside a bracket.
    #[inline(never)]
    fn close_picks(&mut self, frame: Frame) {
        while let Some(pick) = self.open_picks.pop_if(|pick| *pick > frame.at) {
            self.set_extent(pick as usize);
        }
    }

    /// Ends a part that began at `start`. A part is exactly one node, so that the parts of a
    /// sequence can be told apart by counting: what made no choice, or several outside any bracket,
    /// is bracketed now.
    #[inline]
    pub(crate) fn close_part(&mut self, start: usize) {
        let is_one_node = self.entries.get(start).is_some_and(|first| start + 1 + first.extent() == self.entries.len());
        if !is_one_node {
            self.bracket_part(start);
        }
    }

    #[cold]
    fn bracket_part(&mut self, start: usize) {
        for pick in &mut self.open_picks {
            if *pick >= start as u32 {
                *pick += 1;
            }
        }
        #[cfg(test)]
        MOVED.set(MOVED.get() + self.entries.len() - start);
        self.entries.insert(start, Entry::bracket(Kind::Part, 0));
        self.close(Frame { at: start as u32 });
    }

    /// Closes what is still open at the end of a recording.
    pub(crate) fn finish(&mut self) {
        while let Some(pick) = self.open_picks.pop() {
            self.set_extent(pick as usize);
        }
    }

    /// How far the recording has come, to [`rewind`](Choices::rewind) to.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        let open_call = match self.entries.last() {
            Some(last) if last.is_open_call() => last.notes,
            _ => 0,
        };
        Mark { len: self.entries.len(), open_call }
    }

    /// Forgets everything recorded since `mark`.
    #[inline]
    pub(crate) fn rewind(&mut self, mark: Mark) {
        if self.entries.len() != mark.len {
            self.entries.truncate(mark.len);
            while self.open_picks.pop_if(|pick| *pick >= mark.len as u32).is_some() {}
        }
        // A pick may have taken the place of the call that was open then.
        if mark.open_call != 0
            && let Some(last) = self.entries.last_mut()
        {
            *last = Entry { notes: mark.open_call, payload: 0 };
        }
    }

    /// Adds the nodes of another tree behind those of this one.
    pub(crate) fn append(&mut self, other: Choices) {
        self.append_nodes(&other, 0..other.len());
    }

    /// Adds whole nodes of another tree behind those of this one.
    pub(crate) fn append_nodes(&mut self, other: &Choices, nodes: Range<usize>) {
        let adopted = self.adopted(other, nodes);
        self.entries.extend(adopted);
    }

    /// Whole nodes of another tree, as they stand in this one, which keeps their labels from now
    /// on.
    pub(crate) fn adopted(&mut self, other: &Choices, nodes: Range<usize>) -> Vec<Entry> {
        let mut entries = other.entries[nodes].to_vec();
        for entry in &mut entries {
            if let Some(label) = entry.local_label() {
                let label = self.add_label(&other.labels[label]);
                *entry = Entry::pick_with_local_label(label, entry.arm()).reaching(entry.reach());
            }
        }
        entries
    }

    pub(crate) fn set_repeat_count(&mut self, frame: Frame, count: usize) {
        let entry = &mut self.entries[frame.at as usize];
        if entry.kind() == Kind::Repeat {
            entry.payload = count as u64;
        }
    }

    /// Says that a repeat has so many items more than it was said to have.
    pub(crate) fn add_to_repeat_count(&mut self, frame: Frame, more: u64) {
        self.entries[frame.at as usize].payload += more;
    }

    /// The same tree with one thing wrong, for finding out what a generator does with it: a number
    /// or an arm changed, or the end cut off.
    pub(crate) fn damaged(&self, dice: u64) -> Choices {
        let mut damaged = self.clone();
        if self.is_empty() {
            return damaged;
        }
        let at = (dice >> 32) as usize % self.entries.len();
        let entry = &mut damaged.entries[at];
        match (entry.kind(), dice & 3) {
            (Kind::Number, 0) => entry.payload = 0,
            (Kind::Number, 1) => entry.payload = u64::MAX,
            (Kind::Number, _) => entry.payload = entry.payload.wrapping_add(dice & 7).wrapping_sub(3),
            // Arms are found by label first; without one the number decides.
            (Kind::Pick, _) => *entry = Entry::pick(0, (dice >> 8) as usize & 7, 0).reaching(entry.reach()),
            _ => {
                damaged.entries.truncate(at);
                for (place, entry) in damaged.entries.iter_mut().enumerate() {
                    if entry.kind() != Kind::Number {
                        entry.set_extent(entry.reach().min((at - place - 1) as u32));
                    }
                }
            }
        }
        damaged
    }

    /// The same tree with other answers at some places, which are in rising order. An arm loses its
    /// body: it was made by another.
    pub(crate) fn answered(&self, answers: &[(usize, u64)]) -> Choices {
        let mut edited = self.clone();
        // What hangs below an arm that is exchanged is taken out at the end, so that places stay
        // true until then.
        let mut stale: Vec<(usize, usize)> = Vec::new();
        for &(at, answer) in answers {
            if stale.last().is_some_and(|(start, count)| at < start + count) {
                continue;
            }
            let entry = &mut edited.entries[at];
            match entry.kind() {
                Kind::Number => entry.payload = answer,
                Kind::Repeat => entry.payload = answer,
                Kind::Pick if entry.arm() as u64 != answer => {
                    let site = if entry.head() & LOCAL_LABEL == 0 { entry.head() } else { 0 };
                    stale.push((at + 1, entry.extent()));
                    *entry = Entry::pick(site, answer as usize, entry.arms()).reaching(entry.reach());
                }
                Kind::Pick | Kind::Call | Kind::Part => {}
            }
        }
        for (start, count) in stale.into_iter().rev() {
            edited.remove(start, count);
        }
        edited
    }

    /// Takes out whole nodes, and corrects the brackets around them.
    fn remove(&mut self, start: usize, count: usize) {
        self.entries.drain(start..start + count);
        for (place, entry) in self.entries[..start].iter_mut().enumerate() {
            if entry.kind() != Kind::Number && place + entry.extent() >= start {
                entry.set_extent(entry.reach() - count as u32);
            }
        }
    }

    pub(crate) fn add_label(&mut self, label: &str) -> usize {
        self.labels.push(label.into());
        self.labels.len() - 1
    }

    #[inline]
    pub(super) fn set_extent(&mut self, at: usize) {
        let extent = self.entries.len() - at - 1;
        self.entries[at].set_extent(extent as u32);
    }
}

#[cfg(test)]
thread_local! {
    /// How many entries were moved to put brackets around them.
    pub(crate) static MOVED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A place in a recording, to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    /// The notes of the last entry, if that is a call in which nothing was chosen yet; otherwise 0.
    open_call: u64,
}

impl fmt::Debug for Mark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Mark({})", self.len)
    }
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) at: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Number = 0,
    Pick = 1,
    Repeat = 2,
    Call = 3,
    /// A bracket around a part that opened none itself.
    Part = 4,
}

/// One node in 16 bytes.
///
/// | kind | upper 3 bits of the notes | next 29 bits | lower 32 bits | payload |
/// | --- | --- | --- | --- | --- |
/// | number | 0 | upper bits of the bound | lower bits of the bound | the index |
/// | pick | 1 | site or local label | entries inside | arm, number of arms |
/// | repeat | 2 | – | entries inside | number of items |
/// | call, part | 3, 4 | site | entries inside | – |
///
/// Two words and not three: what was just written is read again at once, and that is quick only in
/// the same pieces.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(super) notes: u64,
    pub(super) payload: u64,
}

const KIND_SHIFT: u32 = 61;
const HEAD_SHIFT: u32 = 32;
const HEAD_MASK: u32 = (1 << (KIND_SHIFT - HEAD_SHIFT)) - 1;
const LOCAL_LABEL: u32 = 1 << (KIND_SHIFT - HEAD_SHIFT - 1);
/// The extent of a bracket that is still open.
const OPEN: u32 = u32::MAX;
/// Bounds are kept in 61 bits; this one means "at least that".
const LARGE_BOUND: u64 = (1 << KIND_SHIFT) - 1;

impl Entry {
    /// A number is the kind 0, so that its notes are its bound.
    #[inline(always)]
    pub(crate) fn number(index: u64, bound: u64) -> Entry {
        Entry { notes: bound.min(LARGE_BOUND), payload: index }
    }

    #[inline(always)]
    fn new(kind: Kind, head: u32, extent: u32, payload: u64) -> Entry {
        let kind = (kind as u64) << KIND_SHIFT;
        Entry { notes: kind | u64::from(head & HEAD_MASK) << HEAD_SHIFT | u64::from(extent), payload }
    }

    #[inline]
    pub(crate) fn pick(head: u32, arm: usize, arms: usize) -> Entry {
        Entry::new(Kind::Pick, head, 0, (arm as u64) | ((arms as u64) << 32))
    }

    pub(crate) fn pick_with_local_label(label: usize, arm: usize) -> Entry {
        Entry::pick(LOCAL_LABEL | label as u32, arm, 0)
    }

    #[inline]
    pub(crate) fn repeat(count: usize) -> Entry {
        Entry::new(Kind::Repeat, 0, OPEN, count as u64)
    }

    #[inline]
    pub(crate) fn bracket(kind: Kind, site: u32) -> Entry {
        Entry::new(kind, site, OPEN, 0)
    }

    fn opened(self) -> Entry {
        self.reaching(OPEN)
    }

    /// The same with so many entries inside.
    #[inline(always)]
    pub(super) fn reaching(mut self, extent: u32) -> Entry {
        self.set_extent(extent);
        self
    }

    /// How many entries lie inside a bracket, or that it is open.
    #[inline(always)]
    pub(super) fn reach(self) -> u32 {
        self.notes as u32
    }

    /// The site or the label of what has one.
    #[inline(always)]
    fn head(self) -> u32 {
        (self.notes >> HEAD_SHIFT) as u32 & HEAD_MASK
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.notes >> KIND_SHIFT {
            0 => Kind::Number,
            1 => Kind::Pick,
            2 => Kind::Repeat,
            3 => Kind::Call,
            _ => Kind::Part,
        }
    }

    /// Whether it is a bracket that was not closed.
    pub(super) fn is_open(self) -> bool {
        self.kind() != Kind::Number && self.reach() == OPEN
    }

    #[inline(always)]
    fn is_open_call(self) -> bool {
        let all_but_head = !(u64::from(HEAD_MASK) << HEAD_SHIFT);
        self.notes & all_but_head == Entry::bracket(Kind::Call, 0).notes
    }

    #[inline(always)]
    pub(super) fn set_extent(&mut self, extent: u32) {
        self.notes = self.notes >> HEAD_SHIFT << HEAD_SHIFT | u64::from(extent);
    }

    /// Sets the index of a number or the count of a repeat.
    pub(super) fn set_index(&mut self, index: u64) {
        self.payload = index;
    }

    /// Sets the arm of a pick. A label read from text belongs to the arm that was, and goes.
    pub(super) fn set_arm(&mut self, arm: usize) {
        let site = if self.local_label().is_some() { 0 } else { self.head() };
        *self = Entry::pick(site, arm, self.arms()).reaching(self.reach());
    }

    /// The number by which the site of a pick or a call is known, or the label read from text.
    pub(crate) fn name_id(self) -> u32 {
        if self.kind() == Kind::Number { 0 } else { self.head() }
    }

    /// The number by which the site of a pick or a call is known; 0 if it was read from text.
    pub(crate) fn site_id(self) -> u32 {
        if self.local_label().is_some() { 0 } else { self.name_id() }
    }

    /// How many entries lie inside.
    #[inline(always)]
    pub(crate) fn extent(self) -> usize {
        if self.notes >> KIND_SHIFT == Kind::Number as u64 { 0 } else { self.reach() as usize }
    }

    /// Whether it is the bracket of a generator, or the pick that is one.
    #[inline(always)]
    pub(crate) fn is_call(self) -> bool {
        matches!(self.kind(), Kind::Call | Kind::Pick)
    }

    /// The index of a number, the count of a repeat.
    #[inline(always)]
    pub(crate) fn index(self) -> u64 {
        self.payload
    }

    #[inline(always)]
    pub(crate) fn arm(self) -> usize {
        self.payload as u32 as usize
    }

    pub(crate) fn arms(self) -> usize {
        (self.payload >> 32) as usize
    }

    pub(crate) fn bound(self) -> u64 {
        let bound = self.notes & LARGE_BOUND;
        if bound == LARGE_BOUND { u64::MAX } else { bound }
    }

    pub(crate) fn site(self) -> Option<&'static Site> {
        match self.kind() {
            Kind::Pick if self.head() & LOCAL_LABEL != 0 => None,
            Kind::Pick | Kind::Call => Site::by_id(self.head()),
            _ => None,
        }
    }

    #[inline]
    fn local_label(self) -> Option<usize> {
        let is_local = self.kind() == Kind::Pick && self.head() & LOCAL_LABEL != 0;
        is_local.then_some((self.head() & !LOCAL_LABEL) as usize)
    }
}

impl<'c> Nodes<'c> {
    /// Whether every choice here has its simplest answer.
    pub(crate) fn is_simplest(self) -> bool {
        let entries = &self.choices.entries[self.next..self.end];
        entries.iter().all(|entry| match entry.kind() {
            Kind::Number | Kind::Repeat => entry.index() == 0,
            Kind::Pick => entry.arm() == 0,
            Kind::Call | Kind::Part => true,
        })
    }

    /// Each of these nodes as a level of its own.
    pub(crate) fn each_alone(self) -> impl Iterator<Item = Nodes<'c>> {
        let Nodes { choices, mut next, end } = self;
        std::iter::from_fn(move || {
            let at = next;
            (at < end).then(|| {
                next = at + 1 + choices.entries[at].extent();
                Nodes { choices, next: at, end: next }
            })
        })
    }

    pub(super) fn inside(choices: &'c Choices, at: usize) -> Nodes<'c> {
        Nodes { choices, next: at + 1, end: at + 1 + choices.entries[at].extent() }
    }
}

impl<'c> Iterator for Nodes<'c> {
    type Item = Node<'c>;

    fn next(&mut self) -> Option<Node<'c>> {
        if self.next >= self.end {
            return None;
        }
        let (choices, at) = (self.choices, self.next);
        let entry = choices.entries[at];
        self.next = at + 1 + entry.extent();
        Some(match entry.kind() {
            Kind::Number => Node::Number { index: entry.index(), bound: entry.bound() },
            Kind::Repeat => Node::Repeat { items: Nodes::inside(choices, at) },
            Kind::Call | Kind::Part => Node::Call { site: entry.site(), children: Nodes::inside(choices, at) },
            Kind::Pick => Node::Pick(PickNode {
                arm: entry.arm(),
                arms: entry.arms(),
                label: choices.label_of(entry),
                site: entry.site(),
                body: Nodes::inside(choices, at),
            }),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let mut count = 0;
        let mut next = self.next;
        while next < self.end {
            next += 1 + self.choices.entries[next].extent();
            count += 1;
        }
        (count, Some(count))
    }
}

impl ExactSizeIterator for Nodes<'_> {}

/// Two trees are equal if they make the same choices in the same shape. Names and bounds are notes
/// beside the choices and do not count, so a tree equals what is read back from its text.
impl PartialEq for Choices {
    fn eq(&self, other: &Choices) -> bool {
        let has_labels = !self.labels.is_empty();
        let same = |mine: &Entry, theirs: &Entry| {
            // Nearly always there is no difference at all.
            let is_same = mine.payload == theirs.payload && mine.notes == theirs.notes;
            is_same && (!has_labels || mine.local_label().is_none()) || self.means_same(*mine, other, *theirs)
        };
        self.entries.len() == other.entries.len()
            && self.entries.iter().zip(&other.entries).all(|(mine, theirs)| same(mine, theirs))
    }
}

impl Eq for Choices {}

impl Choices {
    /// Whether an entry of this tree makes the same choice as one of the other.
    fn means_same(&self, mine: Entry, other: &Choices, theirs: Entry) -> bool {
        let bracket = |entry: Entry| matches!(entry.kind(), Kind::Call | Kind::Part);
        if bracket(mine) && bracket(theirs) {
            return mine.reach() == theirs.reach();
        }
        mine.kind() == theirs.kind()
            && match mine.kind() {
                Kind::Number => mine.payload == theirs.payload,
                Kind::Pick => {
                    mine.arm() == theirs.arm()
                        && mine.reach() == theirs.reach()
                        && ((mine.head() == theirs.head() && mine.local_label().is_none())
                            || self.label_of(mine) == other.label_of(theirs))
                }
                _ => mine.payload == theirs.payload && mine.reach() == theirs.reach(),
            }
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Choices({self})")
    }
}

impl fmt::Debug for Nodes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::text::write_entries(self.choices, self.next, self.end, &|entry| self.choices.label_of(entry), formatter)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Number { index, bound } => write!(formatter, "{index} of 0..={bound}"),
            Node::Pick(pick) => pick.fmt(formatter),
            Node::Repeat { items } => write!(formatter, "[{items:?}]"),
            Node::Call { children, .. } => write!(formatter, "({children:?})"),
        }
    }
}

impl fmt::Debug for PickNode<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}({:?})", self.arm, self.label.unwrap_or_default(), self.body)
    }
}
