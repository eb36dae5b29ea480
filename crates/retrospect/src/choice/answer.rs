use super::text::write_label;
use super::{Choices, Kind};
use std::fmt;
use std::str::FromStr;

/// One choice: the answer to one question of a generator.
///
/// A choice tree is a sequence of choices in the order in which they were asked for, with brackets
/// around what belongs together; [`Choices::sequence`] leaves the brackets out. The count of a list
/// is *one* choice, asked for before the items: that is how generators ask, and how likely each
/// count is can be said at once. Whether there is one more item is no question by itself.
///
/// The text form: a number is its index, an arm is its number, a colon and its label if it has one,
/// a count stands in brackets.
///
/// ```
/// use retrospect::choice::{Choice, Choices};
/// let choices: Choices = "1:node([7 7] 0:leaf)".parse().unwrap();
/// let texts: Vec<String> = choices.sequence().iter().map(Choice::to_string).collect();
/// assert_eq!(texts, ["1:node", "[2]", "7", "7", "0:leaf"]);
/// assert_eq!("1:node".parse::<Choice>().unwrap(), choices.sequence()[0]);
/// assert!("node".parse::<Choice>().unwrap_err().to_string().starts_with("`node` is not a choice"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The index of a number; 0 is the simplest.
    Number(u64),
    /// One of several arms; 0 is the simplest.
    Arm {
        /// Which one, counted from 0.
        arm: usize,
        /// What it is called. Where both sides know a name, it counts more than the number.
        label: Option<Box<str>>,
    },
    /// How many items there are.
    Count(usize),
}

impl Choice {
    /// An arm known by its number alone.
    ///
    /// ```
    /// use retrospect::choice::Choice;
    /// assert_eq!(Choice::arm(2).to_string(), "2:");
    /// ```
    pub fn arm(arm: usize) -> Choice {
        Choice::Arm { arm, label: None }
    }

    /// Whether both mean the same answer: arms are compared by their labels if both have one, and
    /// by their numbers otherwise.
    ///
    /// ```
    /// use retrospect::choice::Choice;
    /// let node: Choice = "1:node".parse().unwrap();
    /// assert!(node.is_same(&Choice::arm(1)) && !node.is_same(&Choice::arm(0)));
    /// assert!(!node.is_same(&Choice::Number(1)));
    /// ```
    pub fn is_same(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Arm { arm, label: None }, Choice::Arm { arm: other, .. })
            | (Choice::Arm { arm, .. }, Choice::Arm { arm: other, label: None }) => arm == other,
            (Choice::Arm { label, .. }, Choice::Arm { label: other, .. }) => label == other,
            _ => self == other,
        }
    }
}

impl Choices {
    /// The choices without the brackets around them, in the order in which they were asked for.
    ///
    /// ```
    /// use retrospect::choice::Choice;
    /// use retrospect::prelude::*;
    /// let choices = tuple((any::<bool>(), vec_of(0..10, ..))).choices_of(&(true, vec![4])).unwrap();
    /// assert_eq!(choices.to_string(), "(1:true [4])");
    /// assert_eq!(choices.sequence(), ["1:true".parse().unwrap(), Choice::Count(1), Choice::Number(4)]);
    /// ```
    pub fn sequence(&self) -> Vec<Choice> {
        let mut sequence = Vec::new();
        for entry in self.entries() {
            sequence.push(match entry.kind() {
                Kind::Number => Choice::Number(entry.index()),
                Kind::Pick => Choice::Arm { arm: entry.arm(), label: self.label_of(*entry).map(Box::from) },
                Kind::Repeat => Choice::Count(usize::try_from(entry.index()).unwrap_or(usize::MAX)),
                Kind::Call | Kind::Part => continue,
            });
        }
        sequence
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Number(index) => write!(formatter, "{index}"),
            Choice::Count(count) => write!(formatter, "[{count}]"),
            Choice::Arm { arm, label } => {
                write!(formatter, "{arm}:")?;
                label.as_ref().map_or(Ok(()), |label| write_label(label, formatter))
            }
        }
    }
}

/// Why a text is no [`Choice`].
///
/// ```
/// use retrospect::choice::Choice;
/// assert_eq!(
///     "3 4".parse::<Choice>().unwrap_err().to_string(),
///     "`3 4` is not a choice: expected a number such as `7`, an arm such as `1:node`, or a count such as `[3]`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAChoice {
    text: String,
}

impl fmt::Display for NotAChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = "expected a number such as `7`, an arm such as `1:node`, or a count such as `[3]`";
        write!(formatter, "`{}` is not a choice: {expected}", self.text)
    }
}

impl std::error::Error for NotAChoice {}

impl FromStr for Choice {
    type Err = NotAChoice;

    fn from_str(text: &str) -> Result<Choice, NotAChoice> {
        let wrong = || NotAChoice { text: text.chars().take(60).collect() };
        let text = text.trim();
        if let Some(count) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
            return count.parse().ok().filter(|_| is_number).map(Choice::Count).ok_or_else(wrong);
        }
        // Everything else is the text of a tree of one node.
        let choices: Choices = text.parse().map_err(|_| wrong())?;
        match (choices.len(), choices.sequence().pop()) {
            (1, Some(choice)) if !matches!(choice, Choice::Count(_)) => Ok(choice),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        let arm = |label: &str| Choice::Arm { arm: 3, label: Some(label.into()) };
        let choices = [
            Choice::Number(0),
            Choice::Number(u64::MAX),
            Choice::Count(usize::MAX),
            Choice::arm(7),
            arm("node"),
            arm("a b"),
            arm("quote \" and \\ and : and \n"),
            arm("λ"),
        ];
        for choice in choices {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "-1", "+1", "[", "[]", "[x]", "1:a b", "1:\"open", "x:node", "18446744073709551616", "1 2", "(1)"]
        {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }
}
