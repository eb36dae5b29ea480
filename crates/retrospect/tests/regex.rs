//! Texts from regular expressions, compared with the `regex` crate.
#![cfg(all(feature = "regex", feature = "macros"))]

use regex::Regex;
use retrospect::prelude::*;
use retrospect::text::Text;

/// What a pattern may be made of, in a form that the library can draw.
#[derive(Clone, Debug, PartialEq, Generate)]
enum Pattern {
    Empty,
    Character(#[generate(with = element_of(CHARACTERS))] char),
    Class(#[generate(with = element_of(CLASSES))] &'static str),
    Then(Box<Pattern>, Box<Pattern>),
    Or(Box<Pattern>, Box<Pattern>),
    Repeated(Box<Pattern>, #[generate(with = element_of(REPETITIONS))] &'static str),
    Group(Box<Pattern>, #[generate(with = element_of(GROUPS))] &'static str),
}

/// Repetitions in each other multiply, and this is about what is written, not about how much.
const SIZE: u32 = 4;
const CHARACTERS: [char; 9] = ['a', 'b', 'B', '0', ' ', 'é', 'ß', 'ſ', '\n'];
const CLASSES: [&str; 18] = [
    ".",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    "[a-c]",
    "[^a-c]",
    r"[^\d\s]",
    r"\p{Greek}",
    r"\PL",
    "[[:alpha:]&&[^b]]",
    "[a-z--b]",
    "(?-u:[a-b])",
    "(?i:[b-é])",
    r"\x61",
    r"[\W\w]",
];
const REPETITIONS: [&str; 11] = ["?", "*", "+", "??", "*?", "+?", "{2}", "{1,}", "{0,3}", "{2,3}?", "{0}"];
const GROUPS: [&str; 6] = ["(", "(?:", "(?i:", "(?s:", "(?<name>", "(?i-s:"];

impl Pattern {
    /// Names may be given only once, so `names` counts them.
    fn write(&self, pattern: &mut String, names: &mut usize) {
        match self {
            Pattern::Empty => {}
            Pattern::Character(character) => *pattern += &regex::escape(&character.to_string()),
            Pattern::Class(class) => *pattern += class,
            Pattern::Then(one, two) => {
                one.write_alone(pattern, names);
                two.write_alone(pattern, names);
            }
            Pattern::Or(one, two) => {
                one.write(pattern, names);
                pattern.push('|');
                two.write(pattern, names);
            }
            Pattern::Repeated(item, repetition) => {
                item.write_alone(pattern, names);
                *pattern += repetition;
            }
            Pattern::Group(inside, group) => {
                *names += 1;
                *pattern += &group.replace("name", &format!("name{names}"));
                inside.write(pattern, names);
                pattern.push(')');
            }
        }
    }

    fn write_alone(&self, pattern: &mut String, names: &mut usize) {
        *pattern += "(?:";
        self.write(pattern, names);
        pattern.push(')');
    }

    fn text(&self) -> String {
        let mut pattern = String::new();
        self.write(&mut pattern, &mut 0);
        pattern
    }
}

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap()
}

fn texts(pattern: &str) -> Text {
    text::regex(pattern).unwrap_or_else(|error| panic!("{error}"))
}

#[property(cases = 100)]
fn what_is_written_matches(pattern: Pattern, seed: u64) {
    let pattern = pattern.text();
    note!("{pattern}");
    let texts = texts(&pattern);
    let sample = texts.clone().resize(SIZE).sample(seed);
    assume!(sample.chars().count() < 200);
    assert!(whole(&pattern).is_match(&sample), "{sample:?}");
    assert!(texts.accepts(&sample), "{sample:?}");
    // Such patterns can match a long string in so many ways that choosing one of them takes
    // seconds.
    if sample.chars().count() < 12 {
        let choices = texts.choices_of(&sample).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(texts.replay(&choices), sample);
    }
    assert!(whole(&pattern).is_match(&texts.replay(&Choices::default())));
}

#[property(cases = 100)]
fn what_matches_is_read(
    pattern: Pattern,
    seed: u64,
    place: usize,
    #[from(option_of(element_of(CHARACTERS)))] added: Option<char>,
) {
    let pattern = pattern.text();
    note!("{pattern}");
    let texts = texts(&pattern);
    let mut near: Vec<char> = texts.clone().resize(SIZE).sample(seed).chars().take(40).collect();
    let place = place % (near.len() + 1);
    match added {
        Some(character) => near.insert(place, character),
        None if place < near.len() => drop(near.remove(place)),
        None => {}
    }
    let near: String = near.into_iter().collect();
    let is_match = whole(&pattern).is_match(&near);
    cover!(0.1, is_match);
    cover!(0.1, !is_match);
    assert_eq!(texts.accepts(&near), is_match, "{near:?}");
}

#[test]
fn patterns_as_users_write_them() {
    let patterns = [
        r"^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])$",
        r"[[:alnum:]._%+-]+@[a-z0-9.-]+\.[a-z]{2,}",
        r"(?i)(true|false|yes|no)",
        r"\A(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\z",
        r#""(?:[^"\\]|\\.)*""#,
        r"(?x) [a-f]+ # letters
          \s? (?<rest> .* )",
        r"(?m)^line$",
        r"(^|,)a(,|$)",
        r"\p{Lu}\p{Ll}*( \p{Lu}\p{Ll}*)*",
        r"(a|ab)(c|bcd)(d*)",
        r"(a*)*b",
        r"(|a)+",
        "😀{2,3}",
        "",
    ];
    for pattern in patterns {
        let texts = texts(pattern);
        laws::Laws::default().cases(20).check(&texts.clone().resize(SIZE));
        for seed in 0..50 {
            let sample = texts.sample(seed);
            // The verbose pattern ends in a comment that would take the bracket with it.
            let whole = Regex::new(&format!("\\A(?:{pattern}\n)\\z")).unwrap();
            let whole = if pattern.starts_with("(?x)") { whole } else { self::whole(pattern) };
            assert!(whole.is_match(&sample), "{pattern}: {sample:?}");
        }
    }
}

#[test]
fn simple_characters_come_first() {
    for (pattern, simplest) in [
        (r"\w", "a"),
        (r"\d", "0"),
        (r"\s", " "),
        (".", "a"),
        (r"\W", " "),
        (r"\D", "a"),
        ("[0-9A-F]", "A"),
        ("(?i)k", "k"),
        (r"[^a-zA-Z0-9 ]", "!"),
        (r"\p{Greek}", "Ͱ"),
        ("(b|a){2}", "aa"),
        ("foo|ba", "foo"),
        ("a??", ""),
        (r"[\x00-\x1f]", "\0"),
    ] {
        assert_eq!(texts(pattern).replay(&Choices::default()), simplest, "{pattern}");
    }
}

#[test]
fn repetitions_of_repetitions_are_one() {
    for (pattern, same) in [
        ("(a+)*", "a*"),
        ("((?:a*)+)?", "a*"),
        ("(a+){2,5}", "a{2,}"),
        ("(a?){3}", "a{0,3}"),
        ("(a{0,2}){3,}", "a*"),
        ("(a{2}){3}", "(a{2}){3}"),
        ("(a*){0}", "a{0}"),
    ] {
        let (nested, plain) = (texts(pattern), texts(same));
        for length in 0..10 {
            let string = "a".repeat(length);
            assert_eq!(nested.accepts(&string), plain.accepts(&string), "{pattern} on {string}");
            assert_eq!(nested.ways_of(&string).count(), plain.ways_of(&string).count(), "{pattern} on {string}");
        }
        // However long it is.
        assert!((0..20).all(|seed| nested.accepts(&nested.sample(seed))), "{pattern}");
    }
    // A name is seen.
    assert_eq!(texts("(?<word>a+)*").ways_of(&"aaa".to_owned()).count().to_string(), "4");
}

#[test]
fn a_named_group_is_a_rule() {
    let date = texts(r"(?<year>\d{4})-(?<month>0[1-9]|1[0-2])");
    assert_eq!(date.choices_of(&"2024-11".to_owned()).unwrap().to_string(), "([2 0 2 4]) 1:(1)");
}

#[test]
fn what_is_refused() {
    let mut all = String::new();
    for pattern in [
        r"a\bc",
        r"\Bx",
        r"\b{start}x",
        "a^b",
        "a$b",
        r"x\Ay",
        r"x\zy",
        "(^a)*",
        "(a$)+",
        "a*^b",
        "($|,)y",
        "(?=a)b",
        r"(.)\1",
        "a(b",
        "a)b",
        "[b-a]",
        "[a",
        "a{3,2}",
        "*a",
        r"\p{Klingon}",
        r"(?-u)\xff",
        r"(?-u:\W)",
        "[a&&b]",
        "(?:[a&&b])+",
        "(?:a{1000}){1001}",
        "(?:(?:a{1000000000})?)*",
        "x\n\\b",
        "日本\\b",
    ] {
        let error = text::regex(pattern).expect_err(pattern);
        all += &format!("{pattern:?}\n{error}\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn arms_that_match_nothing_are_left_out() {
    assert_eq!(texts("[a&&b]|c").sample(1), "c");
    assert_eq!(texts("[a&&b]*c").sample(1), "c");
    assert_eq!(texts("[a&&b]{0,2}").sample(1), "");
}

#[property]
fn no_pattern_does_harm(pattern: String) {
    let _ = text::regex(&pattern).map(|text| text.accepts(&pattern));
}

#[property(cases = 2000)]
fn signs_in_any_order(
    #[from(vec_of(element_of(["a", "(", ")", "[", "]", "^", "$", "|", "*", "+", "?", "{2", ",3}", "}", "\\", "b", "-", "&&", "(?", "i", ":", ".", "é"]), ..))]
    signs: Vec<&str>,
) {
    let pattern = signs.concat();
    if let Err(error) = text::regex(&pattern) {
        assert!(pattern.is_char_boundary(error.offset()) && !error.message().is_empty() && !error.way_out().is_empty());
    } else {
        assert!(Regex::new(&pattern).is_ok());
    }
}

#[test]
fn very_deep_and_very_long_patterns() {
    for sign in ["(", "[", "(?:a|", "a", "a|", "a?", "\\w", "(a)", "^", "a{2}", "|"] {
        let _ = text::regex(&sign.repeat(3_000)).map(|text| text.sample(1));
    }
    assert_eq!(
        text::regex(&"[".repeat(100_000_000)).unwrap_err().to_string(),
        "the pattern is 100000000 bytes long; at most 1048576 are read\ntake what is not needed out of it"
    );
}

#[test]
fn groups_may_be_nested_deep() {
    let groups = text::regex(&format!("{}a{}", "(".repeat(200), ")".repeat(200))).unwrap();
    assert!(groups.accepts(&"a".to_owned()) && !groups.accepts(&"b".to_owned()));
    let repeats = text::regex(&format!("{}a{}", "(".repeat(80), "b)?".repeat(80))).unwrap();
    assert!(repeats.accepts(&format!("a{}", "b".repeat(80))) && repeats.accepts(&repeats.sample(1)));
}

/// All parts are the same, and each may end in four places: they are looked for once at each place
/// of the text.
#[test]
fn a_long_row_of_bounded_repetitions_is_read() {
    let rows = text::regex(&"[a-z]{2,5}".repeat(400)).unwrap();
    let text = rows.sample(1);
    assert!(rows.accepts(&text));
    assert_eq!(rows.replay(&rows.choices_of(&text).unwrap()), text);
    assert!(!rows.accepts(&"a".repeat(799)) && !rows.accepts(&"a".repeat(2001)));
}
