use std::collections::BTreeSet;
use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, RwLock};

/// A place in a generator's source that opens a bracket or makes a choice: its name and, for a
/// pick, the labels of its arms.
///
/// The macros make one `static` site for each generator function and for each `pick` in it; the
/// combinators make one for each place that calls them. A recorded choice points at its site, so a
/// choice tree knows the names and labels behind its numbers without storing them again for every
/// choice.
///
/// ```
/// use retrospect::choice::Site;
/// static COIN: Site = Site::pick("my_crate::coin", &["heads", "tails"], file!(), line!());
/// assert_eq!(COIN.name(), "coin");
/// assert_eq!(COIN.label(1), Some("tails"));
/// ```
pub struct Site {
    path: &'static str,
    labels: &'static [&'static str],
    file: &'static str,
    line: u32,
    /// 0 unless the site was made by [`Site::at`]: two combinators may stand in the same line.
    column: u32,
    /// 0 until the site is first recorded; then one more than its place in [`REGISTERED`].
    id: AtomicU32,
}

impl Site {
    /// The site of a whole generator. `path` is its full path, such as `my_crate::trees::bst`.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static SITE: Site = Site::call("my_crate::trees::bst", file!(), line!());
    /// assert_eq!(SITE.name(), "bst");
    /// ```
    pub const fn call(path: &'static str, file: &'static str, line: u32) -> Site {
        Site { path, labels: &[], file, line, column: 0, id: AtomicU32::new(0) }
    }

    /// The site of a pick among labelled arms.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static SITE: Site = Site::pick("my_crate::trees::bst", &["leaf", "node"], file!(), line!());
    /// assert_eq!(SITE.labels(), ["leaf", "node"]);
    /// ```
    pub const fn pick(path: &'static str, labels: &'static [&'static str], file: &'static str, line: u32) -> Site {
        Site { path, labels, file, line, column: 0, id: AtomicU32::new(0) }
    }

    /// The site of a combinator called at `place`: the same one for every call from that place with
    /// those labels.
    ///
    /// Such a site lives for the rest of the program; there are as many as there are places in the
    /// source that make one.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// let place = std::panic::Location::caller();
    /// assert!(std::ptr::eq(Site::at("one_of", &[], place), Site::at("one_of", &[], place)));
    /// ```
    pub fn at(name: &'static str, labels: &[&'static str], place: &'static Location<'static>) -> &'static Site {
        static PLACES: Mutex<Vec<&'static Site>> = Mutex::new(Vec::new());
        let mut places = PLACES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (file, line, column) = (place.file(), place.line(), place.column());
        if let Some(site) = places.iter().find(|site| site.is(name, labels, file, line, column)) {
            return site;
        }
        let labels: &[_] = Box::leak(Box::<[_]>::from(labels));
        let site = Site { column, ..Site::pick(name, labels, file, line) };
        let site = Box::leak(Box::new(site));
        places.push(site);
        site
    }

    /// Like [`Site::at`], for a name and labels that are known only when the program runs, such as
    /// those of a grammar. They live as long as the site.
    #[cfg(feature = "text")]
    pub(crate) fn kept(name: &str, labels: &[&str], place: &'static Location<'static>) -> &'static Site {
        let labels: Vec<&'static str> = labels.iter().map(|label| kept(label)).collect();
        Site::at(kept(name), &labels, place)
    }

    /// The generator's own name: the last part of its path.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static SITE: Site = Site::call("my_crate::trees::bst", file!(), line!());
    /// assert_eq!(SITE.name(), "bst");
    /// assert_eq!(Site::call("bst", file!(), line!()).name(), "bst");
    /// ```
    pub fn name(&self) -> &'static str {
        self.path.rfind(':').map_or(self.path, |colon| &self.path[colon + 1..])
    }

    /// The full path of the generator this site belongs to. Two brackets with the same path were
    /// made by the same generator.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static CALL: Site = Site::call("my_crate::trees::bst", file!(), line!());
    /// static PICK: Site = Site::pick("my_crate::trees::bst", &["leaf", "node"], file!(), line!());
    /// assert_eq!(CALL.path(), PICK.path());
    /// ```
    pub fn path(&self) -> &'static str {
        self.path
    }

    /// The labels of the arms, in order; empty if this is no pick or its arms have no names.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static CALL: Site = Site::call("bst", file!(), line!());
    /// static PICK: Site = Site::pick("bst", &["leaf", "node"], file!(), line!());
    /// assert!(CALL.labels().is_empty());
    /// assert_eq!(PICK.labels(), ["leaf", "node"]);
    /// ```
    pub fn labels(&self) -> &'static [&'static str] {
        self.labels
    }

    /// The label of one arm; none if there is no such arm or the arms have no names.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static SITE: Site = Site::pick("bst", &["leaf", "node"], file!(), line!());
    /// assert_eq!(SITE.label(1), Some("node"));
    /// assert_eq!(SITE.label(2), None);
    /// ```
    pub fn label(&self, arm: usize) -> Option<&'static str> {
        self.labels.get(arm).copied()
    }

    /// Where it stands in the source, as `file:line`.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// static SITE: Site = Site::call("bst", "src/trees.rs", 12);
    /// assert_eq!(SITE.place(), "src/trees.rs:12");
    /// ```
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The line it stands in.
    ///
    /// ```
    /// # use retrospect::choice::Site;
    /// let site = Site::at("one_of", &[], std::panic::Location::caller());
    /// assert_eq!(site.line(), line!() - 1);
    /// ```
    pub fn line(&self) -> u32 {
        self.line
    }

    /// What a place is called where its choices are counted: by its path or, if a combinator made
    /// it, by its name and where that stands. It is the same on every machine.
    pub(crate) fn label_of_place(&self) -> String {
        match self.column {
            0 => self.path.to_owned(),
            column => format!("{} ({}:{}:{column})", self.path, portable(self.file), self.line),
        }
    }

    pub(crate) fn file(&self) -> &'static str {
        self.file
    }

    pub(crate) fn column(&self) -> u32 {
        self.column
    }

    /// The site that another process of this program described. If this process has not used it
    /// yet, it gets one that lives as long as the program does.
    pub(crate) fn described(
        path: &'static str,
        labels: Vec<&'static str>,
        file: &'static str,
        line: u32,
        column: u32,
    ) -> &'static Site {
        // Two threads may describe one site twice, which does no harm.
        let registered = REGISTERED.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(site) = registered.iter().find(|site| site.is(path, &labels, file, line, column)) {
            return site;
        }
        drop(registered);
        let site = Site { column, ..Site::pick(path, Vec::leak(labels), file, line) };
        let site: &'static Site = Box::leak(Box::new(site));
        site.id();
        site
    }

    fn is(&self, path: &str, labels: &[&str], file: &str, line: u32, column: u32) -> bool {
        (self.line, self.column) == (line, column) && self.path == path && self.labels == labels && self.file == file
    }

    /// A small number that stands for this site inside recorded entries, the same one throughout
    /// the program's run.
    #[inline]
    pub(crate) fn id(&'static self) -> u32 {
        match self.id.load(Ordering::Relaxed) {
            0 => self.register(),
            id => id,
        }
    }

    /// The same, but 0 if nobody asked for it yet: then there is no entry with it.
    #[inline]
    pub(crate) fn known_id(&self) -> u32 {
        self.id.load(Ordering::Relaxed)
    }

    #[cold]
    fn register(&'static self) -> u32 {
        let mut registered = REGISTERED.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Another thread may have registered this site while we waited for the lock.
        let id = self.id.load(Ordering::Relaxed);
        if id != 0 {
            return id;
        }
        registered.push(self);
        let id = u32::try_from(registered.len()).expect("fewer than 2^28 sites in a program");
        self.id.store(id, Ordering::Relaxed);
        id
    }

    pub(crate) fn by_id(id: u32) -> Option<&'static Site> {
        let registered = REGISTERED.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        registered.get((id as usize).checked_sub(1)?).copied()
    }
}

/// A text for the rest of the program's run. Each is kept once.
pub(crate) fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = all.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(Box::from(text));
    all.insert(text);
    text
}

/// A file as it is called everywhere: one of another crate is compiled by its absolute path, of
/// which only what is inside its sources is the same elsewhere.
fn portable(file: &str) -> String {
    let file = file.replace('\\', "/");
    let is_absolute = file.starts_with('/') || file.get(1..3) == Some(":/");
    match file.rfind("/src/").filter(|_| is_absolute) {
        Some(sources) => file[sources + "/src/".len()..].to_owned(),
        None => file,
    }
}

/// What stands inside a bracket of this site is not shrunk.
pub(crate) static NO_SHRINK: Site = Site::call("no_shrink", file!(), line!());

/// The bracket of a number of 128 bits: its high and its low half.
pub(crate) static WIDE: Site = Site::call("wide", file!(), line!());

/// The numbers inside a bracket of this site are steps of shrinking that were taken: each says
/// which of the values that were offered, counted from 1, and a 0 ends them. Shrinking takes more
/// of them.
pub(crate) static STEPS: Site = Site::call("steps", file!(), line!());

/// The most steps that such a bracket holds. All are taken anew for each candidate, so the work
/// grows with their square.
pub(crate) const MOST_STEPS: u64 = 1000;

static REGISTERED: RwLock<Vec<&'static Site>> = RwLock::new(Vec::new());

impl fmt::Debug for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}:{})", self.path, self.file, self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::portable;

    #[test]
    fn a_file_is_called_the_same_on_every_machine() {
        assert_eq!(portable("src/trees.rs"), "src/trees.rs");
        assert_eq!(portable("crates\\trees\\src\\lib.rs"), "crates/trees/src/lib.rs");
        assert_eq!(portable("/there/registry/src/x-1/trees-0.1.0/src/text/json.rs"), "text/json.rs");
        assert_eq!(portable("C:\\trees\\src\\lib.rs"), "lib.rs");
        assert_eq!(portable("/there/build.rs"), "/there/build.rs");
    }
}
