use std::borrow::Cow;

/// How often each category was met.
#[derive(Default)]
pub(super) struct Categories {
    /// In the order of the texts.
    counts: Vec<(Cow<'static, str>, u64)>,
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
        self.total += other.total;
        for (text, count) in other.counts {
            self.total -= count;
            self.add_many(text, count);
        }
        self.has_more |= other.has_more;
    }

    fn add_many(&mut self, text: Cow<'static, str>, count: u64) {
        self.total += count;
        let text = shortened(text);
        match self.counts.binary_search_by(|(known, _)| (**known).cmp(&*text)) {
            Ok(place) => self.counts[place].1 += count,
            Err(place) if self.counts.len() < MOST_DISTINCT => self.counts.insert(place, (text, count)),
            Err(_) => self.has_more = true,
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The most frequent ones first, those that are equally frequent by name.
    pub(super) fn top(&self, most: usize) -> Vec<(&str, u64)> {
        let mut top: Vec<(&str, u64)> = Vec::new();
        for (text, count) in &self.counts {
            let mut place = top.len();
            while place > 0 && top[place - 1].1 < *count {
                place -= 1;
            }
            if place < most {
                top.insert(place, (text, *count));
                top.truncate(most);
            }
        }
        top
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
