use std::borrow::Cow;
use std::collections::BTreeMap;

/// How often each category was met.
#[derive(Default)]
pub(super) struct Categories {
    counts: BTreeMap<Cow<'static, str>, u64>,
    total: u64,
    has_more: bool,
}

/// How many different categories are told apart. Who has more meant a number, or the whole value.
const MOST_DISTINCT: usize = 1000;

/// Longer texts are cut off, and are one category if they begin alike.
const LONGEST: usize = 204;

impl Categories {
    pub(super) fn add(&mut self, text: Cow<'static, str>) {
        self.add_many(text, 1);
    }

    pub(super) fn merge(&mut self, other: Categories) {
        let known = other.counts.values().sum::<u64>();
        for (text, count) in other.counts {
            self.add_many(text, count);
        }
        self.total += other.total - known;
        self.has_more |= other.has_more;
    }

    fn add_many(&mut self, text: Cow<'static, str>, count: u64) {
        self.total += count;
        let text = shortened(text);
        if let Some(known) = self.counts.get_mut(&text) {
            *known += count;
        } else if self.counts.len() < MOST_DISTINCT {
            self.counts.insert(text, count);
        } else {
            self.has_more = true;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The most frequent ones first, those that are equally frequent by name.
    pub(super) fn top(&self, most: usize) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> = self.counts.iter().map(|(text, count)| (text.as_ref(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all.truncate(most);
        all
    }

    /// How many different ones there are, and whether there are more.
    pub(super) fn distinct(&self) -> (usize, bool) {
        (self.counts.len(), self.has_more)
    }
}

fn shortened(text: Cow<'static, str>) -> Cow<'static, str> {
    if text.len() <= LONGEST {
        return text;
    }
    let mut end = LONGEST - '…'.len_utf8();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}…", &text[..end]))
}
