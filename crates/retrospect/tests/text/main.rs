//! Texts forward and backward, against what is found by trying everything.

mod bad_input;
mod enumeration;
mod oracle;
mod probability;
mod sizes;

use retrospect::prelude::*;
use retrospect::reflect::{Overlap, Reflector};
use retrospect::text::{Rules, Text};

fn accepts(text: &Text, string: &str) -> bool {
    text.accepts(&string.to_owned())
}

fn overlap(text: &Text, string: &str) -> String {
    text.ways_of(&string.to_owned()).count().to_string()
}

fn digit() -> Text {
    text::chars('0'..='9')
}

/// Left-recursive arithmetic, with precedence.
fn arithmetic() -> Text {
    let mut rules = Rules::new();
    let binary = |left: &str, operator: &str, right: &str| {
        text::sequence([Rules::reference(left), operator.into(), Rules::reference(right)])
    };
    rules.define("sum", text::one_of([binary("sum", "+", "product"), Rules::reference("product")]));
    rules.define("product", text::one_of([binary("product", "*", "factor"), Rules::reference("factor")]));
    let inside = text::sequence(["(".into(), Rules::reference("sum"), ")".into()]);
    rules.define("factor", text::one_of([inside, text::repeat(digit(), 1..)]));
    rules.start("sum").unwrap()
}

fn palindromes() -> Text {
    text::recursive("palindrome", |inner| {
        let around = |letter: &str| text::sequence([letter.into(), inner.clone(), letter.into()]);
        text::one_of([text::empty(), "a".into(), "b".into(), around("a"), around("b")])
    })
}

#[test]
fn laws_hold() {
    laws::check(&text::literal("null"));
    laws::check(&text::empty());
    laws::check(&text::any_char());
    laws::check(&text::none_of(["a-z"]));
    laws::check(&text::repeat(digit(), ..));
    laws::check(&text::repeat("ab", 2..=4));
    laws::check(&text::optional(digit()).then(text::optional(digit())));
    laws::check(&text::separated_by(digit(), ", ", ..));
    laws::check(&text::separated_by(digit(), text::repeat(" ", ..).then(",").then(text::optional(" ")), ..=5));
    laws::check(&text::separated_by("x", text::repeat(" ", ..), ..=5));
    laws::check(&text::rule("number", text::repeat(digit(), 1..)));
}

/// A part that holds nothing but another part is that part: whichever of the two makes no choices,
/// the other must not be a part inside of the part around both.
#[test]
fn laws_hold_whichever_of_item_and_separator_makes_choices() {
    let comma = || text::class([",;"]);
    let separators = [
        ",".into(),
        text::literal(",").then(" "),
        comma(),
        text::one_of([",", ", "]),
        text::one_of([comma(), comma().then(text::optional(" "))]),
        text::repeat(comma(), 1..=3),
        text::repeat(",", 1..=3),
        text::sequence([comma(), text::optional(" ")]),
        text::sequence(["-".into(), comma(), "-".into()]),
        text::rule("separator", comma().then(text::optional(" "))),
        text::optional(","),
        comma().bind(|comma| comma.repeat(2).into()),
        text::computed(0..10u8, |number| format!(",{number}"), |text| text.strip_prefix(',')?.parse().ok()),
    ];
    for separator in &separators {
        for item in ["()".into(), digit(), digit().then(digit())] {
            for list in [
                text::separated_by(&item, separator, ..=4),
                // Where the next character does not decide.
                text::one_of([text::separated_by(&item, separator, ..=4), text::separated_by(&item, separator, 2..)]),
            ] {
                laws::Laws::default().cases(20).check(&list);
                for sample in list.samples(1).take(10) {
                    let choices = list.choices_of(&sample).unwrap();
                    assert_eq!(list.replay_exact(&choices).unwrap(), (sample, 0), "{list:?}");
                    let way = list.ways_of(&list.replay(&choices)).iter().next().unwrap();
                    assert_eq!(way, choices, "{list:?}");
                }
            }
        }
    }
    let list = text::grammar("list = \"()\" % (comma space) ; comma = [,;] ; space = \" \"? ;").unwrap();
    let choices = list.choices_of(&"(), ()".to_owned()).unwrap();
    assert_eq!(choices.to_string(), "([{} {(0) 1:some}])");
    assert_eq!(list.replay(&choices), "(), ()");
}

#[test]
fn laws_hold_for_recursive_texts() {
    laws::check(&arithmetic());
    laws::check(&palindromes());
}

#[test]
fn panics_around_a_text_can_be_caught() {
    let counted = digit().bind(|digit| if digit == "3" { panic!("no three") } else { ".".into() });
    assert!(std::panic::catch_unwind(|| counted.accepts(&"3.".to_owned())).is_err());
    // And it is as good as before.
    assert!(counted.accepts(&"2.".to_owned()));
    assert!(std::panic::catch_unwind(move || counted.accepts(&"2.".to_owned())).unwrap());
}

#[test]
fn laws_hold_for_computed_texts() {
    let counted = digit().bind(|digit| text::repeat(text::chars('a'..='z'), digit.parse::<usize>().unwrap()));
    laws::check(&counted);
    let checked =
        text::repeat(digit(), ..).bind(|digits| (digits.bytes().map(u64::from).sum::<u64>() % 10).to_string().into());
    laws::check(&checked);
    laws::check(&text::computed(0..1000u32, |number| number.to_string(), |text| text.parse().ok()).then("%"));
    laws::check(&text::separated_by(digit(), ",", ..).bytes());
}

#[test]
fn left_recursion() {
    let arithmetic = arithmetic();
    for good in ["1", "1+2", "1+2*3", "(1+2)*3", "((7))", "1+1+1+1*2*2"] {
        assert!(accepts(&arithmetic, good), "{good}");
        assert_eq!(overlap(&arithmetic, good), "1");
    }
    for bad in ["", "+", "1+", "(1", "1)", "1 + 2"] {
        assert!(!accepts(&arithmetic, bad), "{bad}");
    }
}

/// Each level of a left recursion may end wherever a later one does. Gone through at each level,
/// those ends are millions here, and each was looked at on a stack of its own.
#[test]
fn long_left_recursion() {
    let sums = text::recursive("sum", |sum| {
        let product = text::recursive("product", |product| {
            text::one_of([text::sequence([product, "*".into(), digit()]), digit()])
        });
        text::one_of([text::sequence([sum, text::one_of(["+", "-"]), product.clone()]), product])
    });
    let long = vec!["1*2"; 4_000].join("+");
    let choices = sums.choices_of(&long).unwrap();
    assert_eq!(sums.replay(&choices), long);
    assert_eq!(overlap(&sums, &long), "1");
}

/// What can be divided in many ways takes more steps than it is long, and is still read.
#[test]
fn long_texts_that_are_ambiguous() {
    let word = text::repeat(text::chars('a'..='z'), 1..);
    let words = text::repeat(word.then(text::optional(" ")), ..);
    let long = "a".repeat(700);
    assert_eq!(words.replay(&words.choices_of(&long).unwrap()), long);
    let sums = text::recursive("sum", |sum| text::one_of([digit(), text::sequence([sum.clone(), "+".into(), sum])]));
    let long = vec!["1"; 250].join("+");
    assert_eq!(sums.replay(&sums.choices_of(&long).unwrap()), long);
}

#[test]
fn not_decided_by_the_next_character() {
    let palindromes = palindromes();
    assert!(accepts(&palindromes, "abbabba") && !accepts(&palindromes, "abbab"));
    let stars = text::repeat("a", ..).then(text::repeat("a", ..));
    assert_eq!(overlap(&stars, "aaaa"), "5");
    assert_eq!(stars.choices_of(&"aa".to_owned()).unwrap().to_string(), "[] [{} {}]");
}

#[test]
fn infinitely_many_ways_are_a_cycle() {
    let empties = text::repeat(text::optional("a"), ..);
    assert!(accepts(&empties, "aa"));
    assert!(overlap(&empties, "aa").starts_with("infinitely many"));
    let itself = text::recursive("loop", |itself| text::one_of([itself, "a".into()]));
    assert!(accepts(&itself, "a"));
    assert_eq!(overlap(&itself, "a"), "infinitely many: `loop` can call itself on the same part");
    assert_eq!(itself.choices_of(&"a".to_owned()).unwrap().to_string(), "0:");
}

#[test]
fn empty_items_that_can_be_repeated_for_ever_are_listed() {
    let empties = text::grammar("r = (\"\" | \"a\")+ ;").unwrap();
    let ways: Vec<String> =
        empties.ways_of(&"a".to_owned()).iter().take(12).map(|way| way.to_string().replace("empty", "")).collect();
    insta::assert_snapshot!(ways.join("\n"), @r"
    ([1:a])
    ([0: 1:a])
    ([1:a 0:])
    ([0: 0: 1:a])
    ([0: 1:a 0:])
    ([1:a 0: 0:])
    ([0: 0: 0: 1:a])
    ([0: 0: 1:a 0:])
    ([0: 1:a 0: 0:])
    ([1:a 0: 0: 0:])
    ([0: 0: 0: 0: 1:a])
    ([0: 0: 0: 1:a 0:])
    ");
    // Of n items, two are `a`, or one is `aa`.
    let texts = text::repeat(text::one_of(["", "a", "aa"]), ..);
    let mut counts = [0; 7];
    for way in texts.ways_of(&"aa".to_owned()).iter().take(1 + 3 + 6 + 10 + 15 + 21) {
        counts[way.to_string().matches(':').count()] += 1;
    }
    assert_eq!(counts, [0, 1, 3, 6, 10, 15, 21]);
    let samples = [
        text::repeat(text::one_of(["", "a", "aa"]), ..),
        text::repeat(text::one_of(["", "a"]), 3..),
        text::repeat(text::repeat("a", ..), ..),
        text::separated_by(text::repeat("a", ..), text::optional(","), 1..),
        text::repeat(text::empty(), 2..).then("aa"),
    ];
    for texts in samples {
        let mut seen = std::collections::HashSet::new();
        let ways = texts.ways_of(&"aa".to_owned()).iter();
        let mut longest = 0;
        for way in ways.take(300) {
            assert_eq!(texts.replay_exact(&way).unwrap(), ("aa".to_owned(), 0), "{way} of {texts:?}");
            longest = longest.max(way.to_string().len());
            assert!(seen.insert(way.to_string()), "{way} of {texts:?} twice");
        }
        assert!(seen.len() == 300 && longest > 20, "{texts:?}");
        assert!(overlap(&texts, "aa").starts_with("infinitely many"), "{texts:?}");
    }
}

#[test]
fn an_arm_of_weight_0_is_absent() {
    let words = text::choice([text::arm("no", 0, "no"), text::arm("yes", 1, "yes")]);
    assert!(accepts(&words, "yes") && !accepts(&words, "no"));
    assert_eq!(words.sample(1), "yes");
    laws::check(&words);
}

#[test]
fn the_simplest_text_ends() {
    // The first arm would go on for ever; the one that ends soonest is put before it.
    let sums = arithmetic();
    assert_eq!(sums.replay(&Choices::default()), "0");
    let lists = text::recursive("list", |list| {
        text::choice([
            text::arm("pair", 5, list.then(",").then(list.clone())),
            text::arm("brackets", 5, text::literal("[").then(list).then("]")),
            text::arm("item", 1, "x"),
        ])
    });
    assert_eq!(lists.replay(&Choices::default()), "x");
    assert_eq!(lists.choices_of(&"[x]".to_owned()).unwrap().to_string(), "2:brackets(0:item)");
    // And what is drawn ends, however heavy the arms that go on.
    assert!(lists.samples(1).take(100).all(|text| text.len() < 1_000_000));
    laws::check(&lists);
}

#[test]
fn the_first_arm_that_fits_is_the_first_way() {
    let words = text::one_of(["a", "ab", "abc"]).then(text::one_of(["c", "bc", ""]));
    assert_eq!(words.choices_of(&"abc".to_owned()).unwrap().to_string(), "0: 1:");
    assert_eq!(overlap(&words, "abc"), "3");
    assert_eq!(words.ways_of(&"ab".to_owned()).simplest().unwrap().to_string(), "1: 2:");
}

/// Where one way is wanted, only that one is looked for; it is the first of all ways nevertheless.
#[test]
fn the_first_of_all_ways_is_the_first_way() {
    let words = text::repeat(text::chars('a'..='b'), 1..);
    let phrase = words.then(text::repeat(' ', ..));
    let texts = [
        text::repeat(phrase.clone(), ..),
        text::repeat(phrase.clone(), 2..=4),
        text::separated_by(text::repeat(text::one_of(["a", "b", " ", "ab"]), 2..), text::optional(" "), 3..),
        text::repeat(text::repeat(text::one_of(["a", "b", " "]), ..), ..),
        text::repeat(text::repeat(text::one_of(["a", "b", " "]), ..), 3..),
        arithmetic(),
        text::recursive("word", |word| text::one_of([text::sequence([word.clone(), word]), text::class(["ab "])])),
        text::recursive("itself", |itself| text::one_of([itself, "a b".into(), "ab".into()])),
    ];
    for text in texts {
        for string in ["", "a", "ab", "a b", "ab ba", "aab  b a", "aaaabbb", "1+2*3", "(1)+(2)"] {
            let string = string.to_owned();
            let mut reflector = Reflector::all_ways();
            let all = text.reflect(&string, &mut reflector).ok().map(|()| reflector.into_forest());
            let first = text.choices_of(&string).ok();
            match all {
                // Of infinitely many, any that ends.
                Some(all) if !matches!(all.overlap(), Overlap::Finite(_)) => {
                    assert_eq!(first.map(|first| text.replay(&first)), Some(string), "{text:?}");
                }
                all => assert_eq!(first, all.and_then(|all| all.first_way()), "{text:?} on {string:?}"),
            }
        }
    }
    // All ways of this are too many to be looked at.
    let long = "ab".repeat(100);
    assert!(text::repeat(phrase, ..).choices_of(&long).is_ok_and(|choices| choices.choice_count() > 200));
}

#[test]
fn keywords_that_begin_alike_are_told_apart() {
    let words = text::separated_by(text::one_of(["true", "try", "trust", "für", "fühlen"]), " ", ..);
    assert!(accepts(&words, "try trust true fühlen für") && !accepts(&words, "tru"));
    laws::check(&words);
}

#[test]
fn shrinking_follows_the_grammar() {
    let arithmetic = arithmetic();
    let smallest = |value: &str, fails: &dyn Fn(&str) -> bool| {
        arithmetic.shrink(value.to_owned(), |value| fails(value)).unwrap().value
    };
    assert_eq!(smallest("(17+4*(3+88))*2+(9)", &|value| value.contains('*')), "0*0");
    assert_eq!(smallest("(17+4*(3+88))*2+(9)", &|value| value.contains('(')), "(0)");
    assert_eq!(smallest("1+2*3+17", &|value| value.contains("7")), "7");
    assert_eq!(smallest("1+2*3+17", &|value| value.matches('+').count() > 1), "0+0+0");
    let spaced = text::separated_by(
        text::repeat(digit(), 1..),
        text::repeat(" ", 1..).then(",").then(text::repeat(" ", ..)),
        ..,
    );
    let smallest = spaced.shrink("12  ,3 ,  4  ,775".to_owned(), |value| value.contains('7')).unwrap();
    assert_eq!(smallest.value, "7");
}

#[test]
fn what_follows_may_refer_to_the_rules_around() {
    let tags = text::recursive("element", |element| {
        text::repeat(text::chars('a'..='c'), 1..=3).bind(move |name| {
            let name = name.to_owned();
            text::sequence([
                ">".into(),
                text::repeat(text::literal("<").then(element.clone()), ..=2),
                format!("</{name}>").into(),
            ])
        })
    });
    let document = text::literal("<").then(tags);
    assert!(accepts(&document, "<a><b></b><ca></ca></a>"));
    assert!(!accepts(&document, "<a><b></a></b>"));
    laws::check(&document.resize(4));
    let mut rules = Rules::new();
    rules.define(
        "value",
        text::chars('0'..='9').bind(|digit| text::repeat(Rules::reference("value"), digit.parse::<usize>().unwrap())),
    );
    let trees = rules.start("value").unwrap();
    assert!(accepts(&trees, "2010") && !accepts(&trees, "20"));
    assert_eq!(overlap(&trees, "2010"), "1");
}

/// Elements with attributes of a name, which closes them. In the second it is written without a
/// look at the first.
fn elements(is_bound: bool) -> Text {
    text::recursive("element", move |element| {
        let name = text::repeat(text::chars('a'..='c'), 1..=3);
        let inside = move |name: Text| {
            text::sequence([">".into(), text::repeat(element.clone(), ..), "</".into(), name, ">".into()])
        };
        let rest = match is_bound {
            true => name.bind(move |name| inside(name.into())),
            false => name.then(inside(name.clone())),
        };
        text::literal("<").then(rest)
    })
}

#[test]
fn texts_that_depend_on_what_was_written_are_no_longer_than_others() {
    let median = |elements: &Text| {
        let mut lengths: Vec<usize> = elements.samples(1).take(101).map(|text| text.len()).collect();
        lengths.sort_unstable();
        lengths[50]
    };
    let (bound, plain) = (median(&elements(true)), median(&elements(false)));
    assert!(bound < 2 * plain && plain < 2 * bound, "{bound} with bind, {plain} without");
    // The same through a set of rules, and where an arm comes back.
    let mut rules = Rules::new();
    let name = text::repeat(text::chars('a'..='c'), 1..=3);
    let tag = |name: &str| {
        text::sequence([">".into(), text::repeat(Rules::reference("value"), 1..), "</".into(), name.into(), ">".into()])
    };
    rules.define("value", text::one_of(["x".into(), text::literal("<").then(name.bind(tag))]));
    let values = rules.start("value").unwrap();
    assert!(values.samples(1).take(100).all(|text| text.len() < 100_000));
    laws::Laws::default().cases(50).check(&values);
}

#[test]
fn several_values_may_be_shown_by_one_text() {
    let numbers = text::computed(0..100u32, |number| number.to_string(), |text| text.parse().ok());
    let pairs = numbers.then(&numbers);
    assert_eq!(overlap(&pairs, "123"), "2");
    assert_eq!(overlap(&pairs, "1234"), "1");
    assert_eq!(overlap(&pairs, "12345"), "0");
    let named = text::computed(
        one_of((0..3u8, 2..5u8)),
        |number| format!("n{number}"),
        |text| text.strip_prefix('n')?.parse().ok(),
    );
    assert_eq!(overlap(&named, "n2"), "2");
    assert_eq!(named.choices_of(&"n4".to_owned()).unwrap().to_string(), "1:(2)");
}

#[test]
fn holes_in_a_text() {
    let object = text::recursive("object", |object| {
        let value = text::one_of([text::repeat(digit(), 1..=3), object]);
        let member = text::sequence(["\"".into(), text::chars('a'..='z'), "\":".into(), value]);
        text::sequence(["{".into(), text::separated_by(member, ",", ..), "}".into()])
    });
    for seed in 0..50 {
        let filled = object.fill_text(&["{\"a\":", ",\"b\":", "}"], seed).unwrap();
        assert!(object.accepts(&filled), "{filled}");
        assert!(filled.starts_with("{\"a\":") && filled.contains(",\"b\":"), "{filled}");
        // Without holes it is what it is; with nothing but a hole it is anything.
        assert_eq!(object.fill_text(&["{\"x\":7}"], seed).unwrap(), "{\"x\":7}");
        assert!(object.accepts(&object.fill_text(&["", ""], seed).unwrap()));
    }
    let lengths: std::collections::BTreeSet<usize> =
        (0..50).map(|seed| object.fill_text(&["{", "}"], seed).unwrap().len()).collect();
    assert!(lengths.len() > 10, "{lengths:?}");
    assert_eq!(
        object.fill_text(&["{\"a\"", ";"], 1).unwrap_err().reason(),
        "line 1, column 5, at `{\"a\"_▸;`: expected [0-9], `{`, `,`, `}`, `\"`, [a-z] or 2 others"
    );
    assert!(object.fill_text(&[], 1).is_err());
}

#[test]
fn holes_beside_computed_parts() {
    let checked =
        text::repeat(digit(), 4).bind(|digits| (digits.bytes().map(u64::from).sum::<u64>() % 10).to_string().into());
    let filled = checked.fill_text(&["12", "4", ""], 3).unwrap();
    assert!(checked.accepts(&filled) && filled.starts_with("12") && filled.len() == 5);
    let percent = text::computed(0..=100u8, |number| number.to_string(), |text| text.parse().ok()).then("%");
    assert!(percent.accepts(&percent.fill_text(&["", "%"], 1).unwrap()));
    assert_eq!(percent.fill_text(&["42", ""], 1).unwrap(), "42%");
}

/// What the first text cannot be is not asked for, holes or not.
#[test]
fn what_follows_is_asked_of_what_was_written_alone() {
    let counted = text::chars('1'..='9').bind(|digit| text::repeat("x", digit.parse::<usize>().unwrap()));
    for seed in 0..20 {
        let filled = counted.fill_text(&["", "xx"], seed).unwrap();
        assert!(counted.accepts(&filled) && filled.ends_with("xx"), "{filled}");
        assert_eq!(counted.fill_text(&["2", ""], seed).unwrap(), "2xx");
    }
}

#[test]
fn a_long_text_before_a_hole_is_kept() {
    // The items of a list are found from the last to the first, and need each other the other way
    // round.
    let measured = |text: &str| text::literal(format!(",\"length\":{}}}", text.len()));
    let checked = text::literal("{\"payload\":").then(text::json().bind(measured));
    for length in [10, 100, 1000, 10_000] {
        let payload = format!("[\"{}\",{}1]", "word ".repeat(length / 5), "12,".repeat(length / 3));
        let filled = checked.fill_text(&[&format!("{{\"payload\":{payload},\"length\":"), "}"], 1).unwrap();
        assert!(filled.contains(&payload) && checked.accepts(&filled));
    }
}
