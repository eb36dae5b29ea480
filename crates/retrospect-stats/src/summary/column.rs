//! What one feature was in each case.

use super::index::Dictionary;
use std::borrow::Cow;

/// One value of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    Number(f64),
    Text(Cow<'v, str>),
}

/// The values of a feature. Cases that have none take no room.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub name: Box<str>,
    /// Which cases have a value; `None`: the first ones, all of them.
    cases: Option<Vec<u32>>,
    pub values: Values,
}

/// Values of one kind. What does not fit makes texts of them all.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Numbers(Vec<f64>),
    Texts { numbers: Vec<u32>, dictionary: Dictionary },
}

impl Column {
    pub fn new(name: &str) -> Column {
        Column { name: name.into(), cases: None, values: Values::Numbers(Vec::new()) }
    }

    pub fn of_texts(name: &str) -> Column {
        let values = Values::Texts { numbers: Vec::new(), dictionary: Dictionary::default() };
        Column { values, ..Column::new(name) }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds the value of a case behind all that have one. A second value for a case is left out.
    pub fn push(&mut self, case: usize, value: Value<'_>) {
        let at = self.len();
        match &mut self.cases {
            Some(cases) if cases.last() == Some(&(case as u32)) => return,
            Some(cases) => cases.push(case as u32),
            None if case + 1 == at => return,
            None if case != at => {
                let mut cases: Vec<u32> = (0..at as u32).collect();
                cases.push(case as u32);
                self.cases = Some(cases);
            }
            None => {}
        }
        match (&mut self.values, value) {
            (Values::Numbers(numbers), Value::Number(number)) => numbers.push(number),
            (values, value) => {
                let (numbers, dictionary) = values.as_texts();
                numbers.push(match value {
                    Value::Number(number) => dictionary.number(&number.to_string()),
                    Value::Text(text) => dictionary.number(&text),
                });
            }
        }
    }

    /// Adds another column behind this one; its first case is that of number `offset`.
    pub fn append(&mut self, mut other: Column, offset: usize) {
        let at = self.len();
        if self.cases.is_none() && (other.cases.is_some() || offset != at) && other.len() > 0 {
            self.cases = Some((0..at as u32).collect());
        }
        if let Some(cases) = &mut self.cases {
            match other.cases.take() {
                Some(others) => cases.extend(others.iter().map(|case| case + offset as u32)),
                None => cases.extend((0..other.len() as u32).map(|case| case + offset as u32)),
            }
        }
        match (&mut self.values, &mut other.values) {
            (_, values) if values.len() == 0 => {}
            (values, others) if values.len() == 0 => *values = std::mem::replace(others, Values::Numbers(Vec::new())),
            (Values::Numbers(numbers), Values::Numbers(others)) => numbers.extend_from_slice(others),
            (values, others) => {
                let (numbers, dictionary) = values.as_texts();
                let (other_numbers, other_dictionary) = others.as_texts();
                let map = dictionary.take_over(other_dictionary);
                numbers.extend(other_numbers.iter().map(|number| map[*number as usize]));
            }
        }
    }

    /// Calls with each case and the place of its value.
    pub fn each(&self, mut call: impl FnMut(usize, usize)) {
        match &self.cases {
            None => (0..self.len()).for_each(|at| call(at, at)),
            Some(cases) => cases.iter().enumerate().for_each(|(at, case)| call(*case as usize, at)),
        }
    }

    /// The place of the value of a case.
    pub fn place(&self, case: usize) -> Option<usize> {
        match &self.cases {
            None => (case < self.len()).then_some(case),
            Some(cases) => cases.binary_search(&(case as u32)).ok(),
        }
    }

    /// The text of a case, of a column of texts.
    pub fn text(&self, case: usize) -> Option<&str> {
        let Values::Texts { numbers, dictionary } = &self.values else { return None };
        Some(dictionary.text(numbers[self.place(case)?]))
    }

    /// The number of a case, of a column of numbers.
    pub fn number(&self, case: usize) -> Option<f64> {
        let Values::Numbers(numbers) = &self.values else { return None };
        Some(numbers[self.place(case)?])
    }

    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Numbers(numbers) => numbers.len() * 8,
            Values::Texts { numbers, dictionary } => numbers.len() * 4 + dictionary.bytes(),
        };
        values + self.cases.as_ref().map_or(0, |cases| cases.len() * 4) + self.name.len()
    }

    pub fn shrink_to_fit(&mut self) {
        if let Some(cases) = &mut self.cases {
            cases.shrink_to_fit();
        }
        match &mut self.values {
            Values::Numbers(numbers) => numbers.shrink_to_fit(),
            Values::Texts { numbers, .. } => numbers.shrink_to_fit(),
        }
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Texts { numbers, .. } => numbers.len(),
        }
    }

    fn as_texts(&mut self) -> (&mut Vec<u32>, &mut Dictionary) {
        let mut dictionary = Dictionary::default();
        let texts = match self {
            Values::Texts { numbers, dictionary } => return (numbers, dictionary),
            Values::Numbers(numbers) => numbers.iter().map(|n| dictionary.number(&n.to_string())).collect(),
        };
        *self = Values::Texts { numbers: texts, dictionary };
        match self {
            Values::Texts { numbers, dictionary } => (numbers, dictionary),
            _ => unreachable!("they were just made texts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(column: &Column) -> Vec<(usize, String)> {
        let mut shown = Vec::new();
        column.each(|case, at| {
            let text = match &column.values {
                Values::Numbers(numbers) => numbers[at].to_string(),
                Values::Texts { numbers, dictionary } => format!("'{}'", dictionary.text(numbers[at])),
            };
            shown.push((case, text));
        });
        shown
    }

    fn column(values: &[(usize, Value<'_>)]) -> Column {
        let mut column = Column::new("x");
        for (case, value) in values {
            column.push(*case, value.clone());
        }
        column
    }

    #[test]
    fn gaps_and_mixtures() {
        use Value::{Number, Text};
        let text = |text: &'static str| Text(text.into());
        assert_eq!(shown(&column(&[(0, Number(1.0)), (1, Number(2.0))])), [(0, "1".into()), (1, "2".into())]);
        assert_eq!(shown(&column(&[(0, Number(1.0)), (3, Number(2.0))])), [(0, "1".into()), (3, "2".into())]);
        assert_eq!(shown(&column(&[(2, Number(1.0)), (3, text("a"))])), [(2, "'1'".into()), (3, "'a'".into())]);
        // A second value for a case is left out.
        assert_eq!(shown(&column(&[(0, Number(1.0)), (0, Number(2.0)), (1, Number(3.0))])).len(), 2);
    }

    /// Whatever is cut in two and put together is what it was.
    #[test]
    fn append_is_push_of_all() {
        use Value::{Number, Text};
        let values = [
            (0, Number(1.0)),
            (1, Number(2.0)),
            (2, Text("a".into())),
            (5, Text("b".into())),
            (6, Number(7.0)),
            (7, Text("a".into())),
        ];
        for end in 0..=values.len() {
            let whole = column(&values[..end]);
            for middle in 0..=end {
                let mut first = column(&values[..middle]);
                let offset = if middle < end { values[middle].0 } else { 9 };
                let second: Vec<_> = values[middle..end].iter().map(|(c, v)| (c - offset.min(*c), v.clone())).collect();
                first.append(column(&second), offset);
                assert_eq!(shown(&first), shown(&whole), "{middle} of {end}");
            }
        }
    }
}
