//! What the text form of a choice tree leaves out.

use super::site::Site;
use super::text::write_entries;
use super::tree::{Choices, Entry, Kind};

/// What the nodes of a tree have that its text form leaves out: the place of the site in a list of
/// sites, counted from 1, or 0; and the bound, the number of arms or the number of items.
///
/// Nodes of the same kind are mostly alike, so they have a list for each [`Kind`], and equal ones
/// in a row are one with its count: a list of a million bytes has few.
pub(crate) type LeftOut = Vec<Vec<((usize, u64), usize)>>;

impl Choices {
    /// What another process of this program needs to make the same tree, since shrinking uses sites
    /// and bounds: the text form without the labels of sites, the sites, each once, and the rest
    /// that is left out.
    pub(crate) fn for_another_process(&self) -> (String, (Vec<&'static Site>, LeftOut)) {
        let mut text = String::new();
        let label_of = |entry: Entry| if entry.site().is_none() { self.label_of(entry) } else { None };
        let _ = write_entries(self, 0, self.len(), &label_of, &mut text);
        let (mut sites, mut left_out) = (Vec::new(), vec![Vec::new(); 5]);
        for &entry in self.entries() {
            let place = entry.site().map_or(0, |site| 1 + place_of(site, &mut sites));
            let number = match entry.kind() {
                Kind::Number => entry.bound(),
                Kind::Pick => entry.arms() as u64,
                Kind::Repeat => entry.index(),
                Kind::Call | Kind::Part => 0,
            };
            let left_out = &mut left_out[entry.kind() as usize];
            match left_out.last_mut() {
                Some((last, count)) if *last == (place, number) => *count += 1,
                _ => left_out.push(((place, number), 1)),
            }
        }
        (text, (sites, left_out))
    }

    /// The tree that was read from such a text, with all the rest; none if that is of another.
    pub(crate) fn with_left_out(mut self, sites: &[&'static Site], left_out: LeftOut) -> Option<Choices> {
        let each = |(fact, count)| std::iter::repeat_n(fact, count);
        let mut left_out: Vec<_> = left_out.into_iter().map(|left_out| left_out.into_iter().flat_map(each)).collect();
        for entry in self.entries_mut() {
            let (place, number) = left_out.get_mut(entry.kind() as usize)?.next()?;
            let site = if place == 0 { 0 } else { sites.get(place - 1)?.id() };
            match entry.kind() {
                Kind::Number => *entry = Entry::number(entry.index(), number),
                Kind::Repeat => entry.set_index(number),
                // The label is one that was read from text in the other process too.
                Kind::Pick if entry.name_id() != 0 => {}
                Kind::Pick => *entry = Entry::pick(site, entry.arm(), number as usize).reaching(entry.reach()),
                kind => *entry = Entry::bracket(kind, site).reaching(entry.reach()),
            }
        }
        left_out.into_iter().all(|mut left_out| left_out.next().is_none()).then_some(self)
    }
}

fn place_of(site: &'static Site, sites: &mut Vec<&'static Site>) -> usize {
    sites.iter().position(|known| known.id() == site.id()).unwrap_or_else(|| {
        sites.push(site);
        sites.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// All that a tree holds, names and bounds as well.
    fn all_of(choices: &Choices) -> Vec<String> {
        let all = |&entry: &Entry| {
            let site = entry.site().map(|site| (site.path(), site.place(), site.column(), site.labels()));
            let label = choices.label_of(entry);
            let numbers = match entry.kind() {
                Kind::Number => (entry.index(), entry.bound()),
                Kind::Pick => (entry.arm() as u64, entry.arms() as u64),
                _ => (entry.index(), 0),
            };
            format!("{:?} {} {numbers:?} {label:?} {site:?}", entry.kind(), entry.extent())
        };
        choices.entries().iter().map(all).collect()
    }

    fn read_again(choices: &Choices) -> Option<Choices> {
        let (text, (sites, left_out)) = choices.for_another_process();
        text.parse::<Choices>().unwrap().with_left_out(&sites, left_out)
    }

    fn samples() -> impl Iterator<Item = Choices> {
        let tree =
            recursive(|tree| one_of((just(0_u64), tuple((any::<u64>(), vec_of(tree, ..4))).map(|(number, _)| number))));
        let numbers = tuple((any::<u64>(), any::<i8>(), any::<f64>(), 0..=0_u8));
        let texts = tuple((any::<String>(), any::<Option<char>>(), vec_of(any::<(bool, Vec<bool>)>(), ..)));
        let read = ["3:λ(0:+ 1:\"two words\")", "[(1) {} 0:]", "", "4294967295:x"].map(|text| text.parse().unwrap());
        let of_seed = move |seed| [tree.sample_choices(seed), numbers.sample_choices(seed), texts.sample_choices(seed)];
        (0..40).flat_map(of_seed).chain(read)
    }

    #[test]
    fn a_tree_comes_back_with_its_bounds_and_sites() {
        for choices in samples() {
            let back = read_again(&choices).unwrap();
            assert_eq!(all_of(&back), all_of(&choices));
            assert_eq!(back.bytes(), choices.bytes());
        }
    }

    #[test]
    fn a_tree_in_parts_is_the_same_tree() {
        for choices in samples().filter(|choices| choices.len() < 1000) {
            let mut whole = choices.clone();
            whole.append(choices.clone());
            let mut back = read_again(&choices).unwrap();
            back.append(read_again(&choices).unwrap());
            assert_eq!(all_of(&back), all_of(&whole));
        }
    }

    #[test]
    fn what_another_tree_leaves_out_are_refused() {
        let (text, (sites, left_out)) =
            any::<Vec<bool>>().choices_of(&vec![true, false]).unwrap().for_another_process();
        let other = |text: &str| text.parse::<Choices>().unwrap().with_left_out(&sites, left_out.clone());
        assert_eq!(text, "[1: 0:]");
        assert!(other(&text).is_some());
        assert!(other("[1: 0: 0:]").is_none());
        assert!(other("[1:]").is_none());
        assert!("1:".parse::<Choices>().unwrap().with_left_out(&[], left_out.clone()).is_none());
    }

    #[test]
    fn a_list_of_a_million_bytes_leaves_little_out() {
        let choices = vec_of(any::<u8>(), 1_000_000).sample_choices(1);
        let (_, (_, left_out)) = choices.for_another_process();
        assert_eq!(left_out.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1, 0, 0]);
    }
}
