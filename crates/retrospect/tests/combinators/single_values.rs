use super::*;

#[derive(Clone, Debug)]
#[expect(dead_code, reason = "it is only printed")]
struct Opaque(f64);

#[test]
fn an_exact_value_makes_no_choice() {
    recalls(&exact("x"));
    assert_eq!(exact(5).sample_choices(1).to_string(), "");
    assert_eq!(reason(&exact(5), &6), (String::new(), "it is not 5".to_owned()));
    assert_eq!(vec_of(exact(5), 2).sample_choices(1).to_string(), "[{} {}]");
}

#[test]
fn just_compares_what_is_printed() {
    assert!(just(Opaque(f64::NAN)).accepts(&Opaque(f64::NAN)));
    assert_eq!(reason(&just(Opaque(1.0)), &Opaque(1.5)).1, "it is not Opaque(1.0)");
    // A prefix and an extension of the text are different values.
    assert!(!just("ab".to_owned()).accepts(&"a".to_owned()));
    assert!(!just(vec![1]).accepts(&vec![1, 2]));
    assert!(!exact(f64::NAN).accepts(&f64::NAN));
}
