//! Counting what a [`Grammar`] makes, and going through it by size.
//!
//! Within one size the order is that of LeanCheck's tiers: productions in their order (arms and
//! numbers from the simplest on), then the size of the first part from small to large, then its
//! values in their order, and for each of them those of the second part.

use super::grammar::{Grammar, Item, Production, Run, STREAM, Trouble, Wheels, number_size, numbers_of_size};
use crate::natural::Natural;

/// One way through a region.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    region: usize,
    size: u32,
    /// The production, or the index of the number.
    at: u64,
    /// One for each free part of the production.
    parts: Vec<Cursor>,
}

/// How many ways there are in all.
#[derive(Clone, Debug)]
pub(crate) enum Total {
    Exactly(Natural),
    /// Counting was given up.
    AtLeast(Natural),
    Infinite,
}

/// Beyond this size there is nothing that could be looked at.
const LARGEST: u32 = 1_000_000;

impl Grammar {
    /// How many ways of this size there are through a region.
    pub(crate) fn count(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<Natural, Trouble> {
        self.find_count(run, region, size)?;
        Ok(self.known_count(region, size).cloned().unwrap_or_default())
    }

    fn known_count(&self, region: usize, size: u32) -> Option<&Natural> {
        self.regions[region].counts.get(size as usize)?.as_ref()
    }

    fn is_any(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<bool, Trouble> {
        self.find_count(run, region, size)?;
        Ok(self.known_count(region, size).is_some_and(|count| !count.is_zero()))
    }

    fn find_count(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<(), Trouble> {
        if self.known_count(region, size).is_some() {
            return Ok(());
        }
        if size > LARGEST {
            return Err(self.too_much());
        }
        if let Some(max) = self.regions[region].number {
            let count = numbers_of_size(size, max)
                .map_or_else(Natural::default, |(first, last)| Natural::from(last - first) + Natural::from(1));
            self.keep_count(region, size, count);
            return Ok(());
        }
        if self.regions[region].counting.contains(&size) {
            return Err(Trouble::Endless(self.regions[region].site));
        }
        self.learn(run, region, size)?;
        self.regions[region].counting.push(size);
        let counted = self.sum(run, region, size);
        self.regions[region].counting.pop();
        self.keep_count(region, size, counted?);
        Ok(())
    }

    fn sum(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<Natural, Trouble> {
        let mut sum = Natural::default();
        for place in 0..self.regions[region].productions.len() {
            sum += &self.production_count(run, region, place, size)?;
        }
        Ok(sum)
    }

    fn keep_count(&mut self, region: usize, size: u32, count: Natural) {
        let counts = &mut self.regions[region].counts;
        if counts.len() <= size as usize {
            counts.resize(size as usize + 1, None);
        }
        counts[size as usize] = Some(count);
    }

    /// How many ways of this size one production has.
    fn production_count(&mut self, run: Run<'_>, region: usize, place: usize, size: u32) -> Result<Natural, Trouble> {
        match size.checked_sub(self.regions[region].productions[place].size) {
            Some(left) => self.ways(run, region, place, 0, left),
            None => Ok(Natural::default()),
        }
    }

    /// How many ways the parts of a production from `part` on have together, if their sizes add up
    /// to `size`.
    fn ways(&mut self, run: Run<'_>, region: usize, place: usize, part: usize, size: u32) -> Result<Natural, Trouble> {
        let production = &self.regions[region].productions[place];
        let Some(&first) = production.parts.get(part) else {
            return Ok(Natural::from(u64::from(size == 0)));
        };
        if part + 1 == production.parts.len() {
            return self.count(run, first, size);
        }
        if let Some(Some(ways)) = production.ways[part].get(size as usize) {
            return Ok(ways.clone());
        }
        let mut sum = Natural::default();
        for first_size in 0..=size {
            // What comes first may be nothing at most sizes; what comes after it is then not of
            // interest.
            let ways = self.count(run, first, first_size)?;
            if !ways.is_zero() {
                sum += &(&ways * &self.ways(run, region, place, part + 1, size - first_size)?);
            }
        }
        let known = &mut self.regions[region].productions[place].ways[part];
        if known.len() <= size as usize {
            known.resize(size as usize + 1, None);
        }
        known[size as usize] = Some(sum.clone());
        Ok(sum)
    }

    fn is_any_way(
        &mut self,
        run: Run<'_>,
        region: usize,
        place: usize,
        part: usize,
        size: u32,
    ) -> Result<bool, Trouble> {
        let production = &self.regions[region].productions[place];
        // Without a copy, if it is known.
        if part + 1 == production.parts.len() {
            let last = production.parts[part];
            return self.is_any(run, last, size);
        }
        if let Some(Some(ways)) = production.ways.get(part).and_then(|ways| ways.get(size as usize)) {
            return Ok(!ways.is_zero());
        }
        self.ways(run, region, place, part, size).map(|ways| !ways.is_zero())
    }

    /// The first way of this size through a region.
    pub(crate) fn first(&mut self, run: Run<'_>, region: usize, size: u32) -> Result<Option<Cursor>, Trouble> {
        if !self.is_any(run, region, size)? {
            return Ok(None);
        }
        if let Some(max) = self.regions[region].number {
            return Ok(numbers_of_size(size, max).map(|(first, _)| Cursor {
                region,
                size,
                at: first,
                parts: Vec::new(),
            }));
        }
        self.first_from(run, region, size, 0)
    }

    /// The first way of this size whose production is not before `place`.
    pub(super) fn first_from(
        &mut self,
        run: Run<'_>,
        region: usize,
        size: u32,
        place: usize,
    ) -> Result<Option<Cursor>, Trouble> {
        for place in place..self.regions[region].productions.len() {
            let Some(left) = size.checked_sub(self.regions[region].productions[place].size) else { continue };
            if self.is_any_way(run, region, place, 0, left)? {
                let mut cursor = Cursor { region, size, at: place as u64, parts: Vec::new() };
                self.fill(run, &mut cursor, left)?;
                return Ok(Some(cursor));
            }
        }
        Ok(None)
    }

    /// Adds the first way through each part that is missing; their sizes add up to `left`.
    fn fill(&mut self, run: Run<'_>, cursor: &mut Cursor, mut left: u32) -> Result<(), Trouble> {
        let (region, place) = (cursor.region, cursor.at as usize);
        while let Some(&part) = self.regions[region].productions[place].parts.get(cursor.parts.len()) {
            let Some(way) = self.first_part(run, cursor, part, 0, left)? else { break };
            left -= way.size;
            cursor.parts.push(way);
        }
        Ok(())
    }

    /// The first way through the next part that is not smaller than `least` and leaves something
    /// that the later parts can use up.
    fn first_part(
        &mut self,
        run: Run<'_>,
        cursor: &Cursor,
        part: usize,
        least: u32,
        left: u32,
    ) -> Result<Option<Cursor>, Trouble> {
        let (region, place, next) = (cursor.region, cursor.at as usize, cursor.parts.len() + 1);
        let is_last = next == self.regions[region].productions[place].parts.len();
        let least = if is_last { least.max(left) } else { least };
        for size in least..=left {
            if self.is_any(run, part, size)? && (is_last || self.is_any_way(run, region, place, next, left - size)?) {
                return self.first(run, part, size);
            }
        }
        Ok(None)
    }

    /// Turns to the next way of the same size; `false` if there is none.
    pub(crate) fn advance(&mut self, run: Run<'_>, cursor: &mut Cursor) -> Result<bool, Trouble> {
        if let Some(max) = self.regions[cursor.region].number {
            let is_last = numbers_of_size(cursor.size, max).is_none_or(|(_, last)| cursor.at >= last);
            cursor.at += u64::from(!is_last);
            return Ok(!is_last);
        }
        if self.advance_parts(run, cursor)? {
            return Ok(true);
        }
        match self.first_from(run, cursor.region, cursor.size, cursor.at as usize + 1)? {
            Some(next) => *cursor = next,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Turns to the next way of the same production.
    pub(super) fn advance_parts(&mut self, run: Run<'_>, cursor: &mut Cursor) -> Result<bool, Trouble> {
        // What is left for the parts from the present one on.
        let mut left = 0;
        while let Some(mut last) = cursor.parts.pop() {
            left += last.size;
            let size = last.size;
            let part = last.region;
            if self.advance(run, &mut last)? {
                cursor.parts.push(last);
                self.fill(run, cursor, left - size)?;
                return Ok(true);
            }
            if let Some(larger) = self.first_part(run, cursor, part, size + 1, left)? {
                let rest = left - larger.size;
                cursor.parts.push(larger);
                self.fill(run, cursor, rest)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The answers of a way, in the order in which they are asked for.
    pub(crate) fn answers(&self, cursor: &Cursor, answers: &mut Vec<u64>) {
        let region = &self.regions[cursor.region];
        if region.number.is_some() {
            answers.push(cursor.at);
            return;
        }
        for item in &region.productions[cursor.at as usize].items {
            match item {
                Item::Answer(answer) => answers.push(*answer),
                Item::Part(part) => self.answers(&cursor.parts[*part], answers),
            }
        }
    }

    /// The way of this size that has so many before it. There must be more than those.
    pub(crate) fn way_at(
        &mut self,
        run: Run<'_>,
        region: usize,
        size: u32,
        mut before: Natural,
    ) -> Result<Cursor, Trouble> {
        if let Some(max) = self.regions[region].number {
            let first = numbers_of_size(size, max).map_or(0, |(first, _)| first);
            let at = first + before.to_u64().unwrap_or(0);
            return Ok(Cursor { region, size, at, parts: Vec::new() });
        }
        self.find_count(run, region, size)?;
        let mut place = 0;
        loop {
            let count = self.production_count(run, region, place, size)?;
            if before < count {
                break;
            }
            before -= &count;
            place += 1;
        }
        self.way_of(run, region, place, size, before)
    }

    /// The way of this size through one production that has so many before it. There must be more
    /// than those.
    pub(super) fn way_of(
        &mut self,
        run: Run<'_>,
        region: usize,
        place: usize,
        size: u32,
        mut before: Natural,
    ) -> Result<Cursor, Trouble> {
        let mut left = size - self.regions[region].productions[place].size;
        let mut cursor = Cursor { region, size, at: place as u64, parts: Vec::new() };
        while let Some(&part) = self.regions[region].productions[place].parts.get(cursor.parts.len()) {
            let mut part_size = 0;
            loop {
                let ways = self.count(run, part, part_size)?;
                if !ways.is_zero() {
                    let rest = self.ways(run, region, place, cursor.parts.len() + 1, left - part_size)?;
                    let block = &ways * &rest;
                    if before < block {
                        let (whole, remainder) = before.divided_by(&rest);
                        before = remainder;
                        cursor.parts.push(self.way_at(run, part, part_size, whole)?);
                        break;
                    }
                    before -= &block;
                }
                part_size += 1;
            }
            left -= part_size;
        }
        Ok(cursor)
    }

    /// The largest size of a region, if that is known by now.
    pub(crate) fn most(&mut self, region: usize) -> Option<u32> {
        self.walk += 1;
        self.most_in_walk(region)
    }

    fn most_in_walk(&mut self, region: usize) -> Option<u32> {
        let known = &self.regions[region];
        if let Some(max) = known.number {
            return Some(number_size(max));
        }
        if !known.is_complete || known.most.0 == self.walk {
            // A region that is met again while it is looked at has itself inside: there is no
            // largest size.
            return if known.is_complete { known.most.1 } else { None };
        }
        self.regions[region].most = (self.walk, None);
        let mut most = 0;
        for place in 0..self.regions[region].productions.len() {
            most = most.max(self.most_of_production(region, place)?);
        }
        self.regions[region].most = (self.walk, Some(most));
        Some(most)
    }

    /// Makes this the one production of the stream.
    pub(super) fn show(&mut self, production: Production) {
        self.regions[STREAM].productions.clear();
        self.regions[STREAM].productions.push(production);
    }

    /// How many ways of this size the production has that is shown.
    pub(super) fn count_shown(&mut self, run: Run<'_>, size: u32) -> Result<Natural, Trouble> {
        self.production_count(run, STREAM, 0, size)
    }

    /// The largest size of the production that is shown, if that is known by now.
    pub(super) fn most_shown(&mut self) -> Option<u32> {
        self.walk += 1;
        self.most_of_production(STREAM, 0)
    }

    fn most_of_production(&mut self, region: usize, place: usize) -> Option<u32> {
        let mut most = self.regions[region].productions[place].size;
        for part in 0..self.regions[region].productions[place].parts.len() {
            let part = self.regions[region].productions[place].parts[part];
            most = most.checked_add(self.most_in_walk(part)?)?;
        }
        Some(most)
    }

    /// How many ways there are through a region, of all sizes.
    pub(crate) fn total(&mut self, run: Run<'_>, region: usize) -> Result<Total, Trouble> {
        if let Some(max) = self.regions[region].number {
            return Ok(Total::Exactly(Natural::from(max) + Natural::from(1)));
        }
        if let Some(total) = &self.regions[region].total {
            return Ok(total.clone());
        }
        // If it is met again inside itself, there is no end.
        self.regions[region].total = Some(Total::Infinite);
        let total = self.total_sum(run, region);
        self.regions[region].total = total.as_ref().ok().cloned();
        total
    }

    fn total_sum(&mut self, run: Run<'_>, region: usize) -> Result<Total, Trouble> {
        let (mut sum, mut is_exact) = (Natural::default(), true);
        let mut wheels = Wheels::default();
        loop {
            let production = match self.production(run, region, &mut wheels, None) {
                Ok(Some(production)) => production,
                Ok(None) => break,
                Err(Trouble::TooMuch(_)) => {
                    is_exact = false;
                    break;
                }
                Err(trouble) => return Err(trouble),
            };
            // Items that nothing hangs on: if there may be one more than the fewest, there may be
            // any number.
            let is_longer = production.is_longer && !production.parts.is_empty();
            let mut product = Total::Exactly(Natural::from(1));
            for part in production.parts {
                product = match (product, self.total(run, part)?) {
                    (_, Total::Exactly(zero)) | (Total::Exactly(zero), _) if zero.is_zero() => {
                        product = Total::Exactly(zero);
                        break;
                    }
                    (Total::Infinite, _) | (_, Total::Infinite) => Total::Infinite,
                    (Total::Exactly(one), Total::Exactly(other)) => Total::Exactly(&one * &other),
                    (Total::Exactly(one) | Total::AtLeast(one), Total::Exactly(other) | Total::AtLeast(other)) => {
                        Total::AtLeast(&one * &other)
                    }
                };
            }
            match product {
                Total::Infinite => return Ok(Total::Infinite),
                Total::Exactly(count) | Total::AtLeast(count) if is_longer && !count.is_zero() => {
                    return Ok(Total::Infinite);
                }
                Total::Exactly(count) => sum += &count,
                Total::AtLeast(count) => {
                    is_exact = false;
                    sum += &count;
                }
            }
        }
        Ok(if is_exact { Total::Exactly(sum) } else { Total::AtLeast(sum) })
    }
}
