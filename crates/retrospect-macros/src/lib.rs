//! The macros of retrospect: [`#[property]`](macro@property), [`#[generator]`](macro@generator),
//! [`generator_of!`] and [`#[derive(Generate)]`](derive@Generate).
//!
//! They parse, check and write code; everything that can be a function is one, in the library.

mod derive;
mod errors;
mod function;
#[cfg(feature = "text")]
mod grammar;
mod nearest;
mod property;

use proc_macro::TokenStream;

/// Makes a generator out of a function whose body draws and picks, and writes it in all three
/// directions.
///
/// ```
/// use retrospect::prelude::*;
///
/// #[derive(Debug, Clone, PartialEq)]
/// enum Tree { Leaf, Node(Box<Tree>, i64, Box<Tree>) }
///
/// #[generator]
/// fn bst(lo: i64, hi: i64) -> Tree {
///     if lo > hi {
///         return Tree::Leaf;
///     }
///     match pick() {
///         "leaf" => Tree::Leaf,
///         #[weight(5)]
///         "node" => {
///             let x = draw(lo..=hi);
///             let l = draw(bst(lo, x - 1));
///             let r = draw(bst(x + 1, hi));
///             Tree::Node(Box::new(l), x, Box::new(r))
///         }
///     }
/// }
///
/// // Forward.
/// let tree = bst(0, 100).sample(7);
/// // Backward: any value, from anywhere.
/// let choices = bst(0, 100).choices_of(&tree).unwrap();
/// assert_eq!(bst(0, 100).replay(&choices), tree);
/// let wrong = Tree::Node(Box::new(Tree::Leaf), 500, Box::new(Tree::Leaf));
/// assert_eq!(
///     bst(0, 100).choices_of(&wrong).unwrap_err().to_string(),
///     "this generator cannot make the part `Node.1`, which is 500: 500 is not in 0..=100"
/// );
/// // From text, with or without holes.
/// assert_eq!(bst(0, 100).read("Node(Leaf, 4, Leaf)").unwrap(), Tree::Node(Box::new(Tree::Leaf), 4, Box::new(Tree::Leaf)));
/// assert!(matches!(bst(0, 100).fill("Node(_, 4, _)", 1).unwrap(), Tree::Node(_, 4, _)));
/// ```
///
/// The function becomes a small struct of the same name, with the arguments as its fields, and a
/// function that makes it: no boxing and no allocation, also when it calls itself. Generics,
/// lifetimes, `impl Generator` arguments, visibility and documentation work as usual. The body gets
/// a clone of each argument.
///
/// # The body
///
/// | what | how |
/// | --- | --- |
/// | draw a value | `let x = draw(0..10);`, also into a pattern: `let (a, b) = draw(pairs());` |
/// | pass the whole job on | `draw(other())` as the tail |
/// | choose among arms | `match pick() { "label" => …, #[weight(3)] "other" => … }`; the first arm is the simplest |
/// | leave an arm out | a weight is any integer expression; 0 means absent, in every direction |
/// | do not draw an arm, but accept what it makes | `#[weight(drawn_if(depth > 0, 3))]` |
/// | choose a part | `let op = match pick() { … };`, `let y = if c { draw(a) } else { 0 };` |
/// | everything else | `if`, `match`, `if let`, `let … else`, plain `let`s and statements, early `return` |
///
/// Draws may stand inside the tail: `Some(draw(0..10))` is `let x = draw(0..10); Some(x)`.
///
/// # The tail
///
/// A constructor expression is also a pattern, and that is what makes the body run backwards. A
/// tail is made of variants, struct literals, tuples, arrays, `vec![…]`, `Box::new`, `Rc::new` and
/// `Arc::new` around *drawn names*. Whatever else stands in it – literals, arguments, plain `let`s,
/// and any expression of names that are known from elsewhere – is worked out again going backward
/// and compared (`PartialEq`).
///
/// ```
/// # use retrospect::prelude::*;
/// #[derive(Debug, PartialEq)]
/// struct Message { version: u8, text: String, length: usize }
///
/// #[generator]
/// fn messages(version: u8) -> Message {
///     let text = draw(any::<String>());
///     let length = text.len();
///     Message { version, text, length }
/// }
///
/// let wrong = Message { version: 1, text: "abc".to_owned(), length: 4 };
/// assert_eq!(messages(1).choices_of(&wrong).unwrap_err().reason(), "expected 3 (`length`), not 4");
/// assert_eq!(messages(2).choices_of(&wrong).unwrap_err().reason(), "expected 2 (the argument `version`), not 1");
/// ```
///
/// # When the tail does not tell
///
/// A drawn name that the tail does not contain needs a **focus**: an expression of `it`, a
/// reference to the value looked at, that finds what was drawn. `?` in it means that there is
/// nothing to find.
///
/// ```
/// # use retrospect::prelude::*;
/// #[generator]
/// fn shouted() -> Vec<u8> {
///     #[focus(it.len())]
///     let length = draw(1..=3usize);
///     draw(vec_of(any::<u8>(), length))
/// }
/// assert!(shouted().accepts(&vec![1, 2]));
/// assert!(!shouted().accepts(&vec![]));
/// ```
///
/// A tail that is no constructor needs an **inverse**: a closure from the value to `Some` of the
/// names that were drawn on the way, in order (one name alone without a tuple), or to `None`. It
/// stands on the tail, or on the arm that ends in it. Going backward the tail is then worked out
/// again and compared, if the type has `PartialEq`.
///
/// An inverse takes a value, so it cannot read text. `read`, `fill` and `RETROSPECT_VALUE` work
/// with such a generator if the type of its values derives `Generate`, or is one of the standard
/// library: the text is read by the type, and then given to the inverse. For other types say how to
/// read them with `with_reader`.
///
/// ```
/// # use retrospect::prelude::*;
/// #[generator]
/// fn two_digits() -> u32 {
///     let tens = draw(1..=9);
///     let ones = draw(0..=9);
///     #[inverse(|it| Some((it / 10, it % 10)))]
///     (10 * tens + ones)
/// }
/// assert_eq!(two_digits().choices_of(&42).unwrap().to_string(), "(3 2)");
/// assert_eq!(two_digits().read("42").unwrap(), 42);
/// ```
///
/// `#[generator(forward)]` makes a generator that is never run backwards. Draws may then stand in
/// loops and in the middle of expressions; the generator shrinks from its own recorded choices, but
/// reflects nothing.
///
/// ```
/// # use retrospect::prelude::*;
/// #[generator(forward)]
/// fn walks() -> Vec<i32> {
///     let mut place = 0;
///     let mut places = Vec::new();
///     while places.len() < 5 {
///         place += draw(-1..=1);
///         places.push(place);
///     }
///     places
/// }
/// assert_eq!(walks().sample(1).len(), 5);
/// assert_eq!(
///     walks().choices_of(&vec![0]).unwrap_err().reason(),
///     "`walks` is a forward generator: it has no inverse (#[generator(forward)])"
/// );
/// ```
///
/// # What is refused
///
/// Each with a message that names the way out: loops around `draw` (`vec_of`, `sequence_of`),
/// `draw` and `pick` in closures and in macros other than `vec!`, drawn names that cannot be
/// recalled, wildcards and `mut` in drawn patterns, `?` and `.await`, `return` inside a `let` that
/// chooses.
///
/// A generator cannot stand in an `impl`, since it becomes a struct beside its function: move it
/// out. An associated function may call it.
///
/// Items in the body may be `use`, `const`, `static`, `fn` and `type`: the body is written out once
/// for each direction.
///
/// # Good to know
///
/// - Backward, a drawn value is checked by its own generator before later code sees it, so `x - 1`
///   above never runs on a value out of range. A name that later code uses is cloned for it; one
///   that only stands in the tail is borrowed.
/// - A path in capitals (`Limits::MAX`) is taken for a constant and compared; any other path that
///   ends in a capitalised name is taken for a constructor.
/// - A part that depends on how a *later* part was filled cannot be known while a hole is filled:
///   `fill` then tries a hundred times.
/// - A name that only a `#[focus]` finds is not in the text. `read` and `fill` read the whole value
///   by its type if the type derives `Generate`, apply the focus to it, and check that this
///   generator can make the value. If the type does not, they draw the name at random, up to a
///   hundred times.
#[proc_macro_attribute]
pub fn generator(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = syn::parse_macro_input!(options as function::Options);
    match syn::parse::<syn::ItemFn>(item.clone()) {
        Ok(function) => function::expand(&options, function).into(),
        Err(_) => function::not_a_function(&item.into()).into(),
    }
}

/// A generator written where it is used, in the language of [`#[generator]`](macro@generator).
///
/// ```
/// use retrospect::prelude::*;
///
/// let pairs = generator_of!(-> (u8, u8) {
///     let low = draw(0..=9);
///     (low, draw(low..=9))
/// });
/// assert!(pairs.accepts(&(3, 5)));
/// ```
///
/// It cannot capture the variables around it, since it becomes a struct: list what it needs as
/// arguments, with their types, and pass them. Without that the compiler says "can't capture
/// dynamic environment in a fn item".
///
/// ```
/// # use retrospect::prelude::*;
/// let (lo, hi) = (3, 5);
/// let maybe = generator_of!(|lo: i64, hi: i64| -> Option<i64> {
///     match pick() {
///         "none" => None,
///         "some" => Some(draw(lo..=hi)),
///     }
/// })(lo, hi);
/// assert!(maybe.accepts(&Some(4)));
/// assert!(!maybe.accepts(&Some(9)));
/// ```
#[proc_macro]
pub fn generator_of(input: TokenStream) -> TokenStream {
    let inline = syn::parse_macro_input!(input as function::Inline);
    function::expand_inline(inline).into()
}

/// Makes a test out of a function: its body must hold for whatever its arguments are.
///
/// ```test_harness
/// use retrospect::prelude::*;
///
/// fn reversed(xs: &[u8]) -> Vec<u8> {
///     xs.iter().rev().copied().collect()
/// }
///
/// #[property]
/// fn reversing_twice_changes_nothing(xs: &[u8]) {
///     assert_eq!(reversed(&reversed(xs)), xs);
/// }
/// ```
///
/// It becomes a `#[test]` of the same name, which runs under `cargo test` like any other: arguments
/// are drawn, the body is run on them, and the smallest values on which it fails are reported. The
/// body returns nothing and panics (`assert!`), or returns a `bool`, or a `Result` so that `?` can
/// be used.
///
/// # Arguments
///
/// | written | drawn from | the body gets |
/// | --- | --- | --- |
/// | `x: T` | `any::<T>()` | the value; `mut x` as usual |
/// | `#[from(generator)] x: T` | that generator | the value; `T` may be `impl Trait` |
/// | `(a, b): (u8, u8)`, `_: T` | as above | the parts; reports call it `(a, b)`, or by its place, counted from 0: `_2` |
/// | `s: &str`, `xs: &[T]`, `path: &Path` | `any::<String>()`, `any::<Vec<T>>()`, `any::<PathBuf>()` | a reference to it |
/// | `x: &T`, `x: &mut T` | `any::<T>()` | a reference to it |
/// | `#[from(generator)] x: &T` | that generator | a reference to what it made: a `&str` to a `String`, a `&[T]` to a `Vec<T>` |
/// | `case: &mut Case` | nothing | the case, to draw from inside the body |
///
/// They are drawn from left to right, and a generator may use the arguments before it. It sees the
/// values that were drawn (a `String`, not a `&str`), and borrows or clones what it needs. The
/// parts of a pattern are not visible to it: give the argument a name there, and take it apart in
/// the body.
///
/// ```test_harness
/// # use retrospect::prelude::*;
/// #[property]
/// fn any_index_splits(
///     xs: &[u8],
///     #[from(0..=xs.len())] index: usize,
/// ) {
///     let (left, right) = xs.split_at(index);
///     assert_eq!([left, right].concat(), xs);
/// }
/// ```
///
/// # Settings
///
/// In parentheses, separated by commas. What is not set here comes from the environment, then from
/// `retrospect.toml`.
///
/// | setting | meaning |
/// | --- | --- |
/// | `cases = 500` | how many cases to run |
/// | `max_cases = 50` | no more cases than this, whatever else is said |
/// | `time = "2s"` | how long to run, instead |
/// | `seed = 0x7f3a` | where the random numbers start |
/// | `size = 50` | the largest size of what is drawn |
/// | `max_depth = 200` | how many generators may stand inside one another in what is drawn |
/// | `exhaustive` | run every value instead of drawing |
/// | `isolate` | run the cases in a child process, so that an abort or an endless loop is a failure like any other |
/// | `timeout = "1s"` | how long one case may take |
/// | `expect_failure` | the property is to fail: it is an error if it holds |
/// | `shrink_time = "1s"`, `shrink_runs = 100` | how long a failing case is made smaller, and in how many runs |
/// | `verbose = 1` | how much is said: 0, 1 or 2 |
/// | `save = false` | do not keep counterexamples in a file |
/// | `regressions = "folder"` | the folder of that file |
/// | `weights = "weights.toml"` | draw by the weights in this file, seen from the crate's folder |
/// | `all_failures` | report every distinct failure, not only the first |
/// | `allow(discards, slow, large, nondeterminism)` | silence these health checks |
///
/// A setting that is on or off may be written alone or with `= true` or `= false`. A value may be
/// any expression; a duration is a text with a unit (`ms`, `s`, `m`, `h`), which is read when the
/// test is compiled, or an expression of type `Duration`.
///
/// ```test_harness
/// # use retrospect::prelude::*;
/// const CASES: u64 = 20;
///
/// #[property(cases = 2 * CASES, timeout = "1.5s", allow(slow))]
/// fn takes_its_time(#[from(0..3)] milliseconds: u64) {
///     std::thread::sleep(std::time::Duration::from_micros(milliseconds));
/// }
/// ```
///
/// Cases are the ends of all choices first, and then random. One random case in five repeats some
/// of its values, or draws others next to them: keys that collide and names that are used twice
/// would hardly ever occur by chance. The shares of `classify!` and `cover!` count these cases too;
/// `samples` and `Ways::probability` know nothing of them, and cases drawn by `weights` do not
/// repeat.
///
/// What holds for all properties stands in one place: `RETROSPECT_MAX_CASES=5 cargo miri test` runs
/// no property more than five times, and so does `max_cases = 5` in a profile of `retrospect.toml`.
///
/// # Several types
///
/// A property has no type parameters, since it runs on values. What holds for several types is a
/// generic function, which properties call:
///
/// ```test_harness
/// # use retrospect::prelude::*;
/// fn sorting_keeps_the_length<T: Ord + Clone>(items: &[T]) {
///     let mut sorted = items.to_vec();
///     sorted.sort();
///     assert_eq!(sorted.len(), items.len());
/// }
///
/// macro_rules! for_types {
///     ($($name:ident: $type:ty),*) => {$(
///         #[property]
///         fn $name(items: &[$type]) {
///             sorting_keeps_the_length(items);
///         }
///     )*};
/// }
/// for_types! { bytes: u8, strings: String }
/// ```
///
/// Without a macro, `check_case` in a generic function does the same, and `Case::draw_named` gives
/// the names that a report shows.
///
/// # Examples
///
/// `#[example(…)]`, once or more often, is a case that runs before all others. It gives every
/// argument a value, by name; a pattern is named by its text.
///
/// ```test_harness
/// # use retrospect::prelude::*;
/// #[property]
/// #[example(text = "ß", times = 2)]
/// #[example(text = "", times = 0)]
/// fn case_does_not_change_the_count(text: &str, #[from(0..4)] times: usize) {
///     let repeated = text.repeat(times);
///     assert_eq!(repeated.chars().count(), text.chars().count() * times);
/// }
/// ```
///
/// A value for a `&str`, a `&[T]` or a `&Path` is anything that its owner (`String`, `Vec<T>`,
/// `PathBuf`) can be made `From`. For other references it is what the reference points to.
///
/// # Drawing inside the body
///
/// ```test_harness
/// # use retrospect::prelude::*;
/// #[property]
/// fn a_stack_gives_back_what_it_got(case: &mut Case) {
///     let mut stack = Vec::new();
///     for _ in 0..case.draw(0..10) {
///         let item = case.draw(any::<u8>());
///         stack.push(item);
///         assert_eq!(stack.last(), Some(&item));
///     }
/// }
/// ```
///
/// # `async`
///
/// The test attribute of the runtime is written *below*; options such as `start_paused` keep their
/// meaning. Each case has a runtime of its own.
///
/// ```ignore
/// #[property]
/// #[tokio::test]
/// async fn messages_arrive(message: String) {
///     let (sender, receiver) = tokio::sync::oneshot::channel();
///     sender.send(message.clone()).unwrap();
///     assert_eq!(receiver.await.unwrap(), message);
/// }
/// ```
///
/// The function is run by the runtime's `main` attribute, so this works where that takes functions
/// with arguments, as those of tokio and actix do. With any other, write an ordinary `fn` that
/// calls `block_on` in its body.
///
/// # Other attributes
///
/// They stay on the test: `ignore`, `cfg`, documentation, and lints, which hold for the body as
/// well. `#[test]` may be written below but need not be. Instead of `#[should_panic]` write
/// `expect_failure`.
///
/// `#[property]` is written above all attributes that have to do with it. What stands above it is
/// out of its sight: `#[tokio::test]` would find a function that still has arguments, and say so;
/// `#[example]` would not be found at all.
///
/// # What is refused
///
/// Each with a message that names the way out: functions without arguments, methods, type
/// parameters and named lifetimes, `const`, `unsafe` and `extern` functions, `impl Trait` without
/// `#[from]`, settings that are unknown, written twice or make no sense.
#[proc_macro_attribute]
pub fn property(settings: TokenStream, item: TokenStream) -> TokenStream {
    property::expand(settings.into(), item.into()).into()
}

/// Gives a struct or an enum a generator of its own, `any::<Type>()`: the one you would have
/// written.
///
/// ```
/// use retrospect::prelude::*;
///
/// #[derive(Debug, PartialEq, Generate)]
/// enum Json {
///     Null,
///     Bool(bool),
///     Number(i64),
///     List(Vec<Json>),
///     Object { keys: Vec<String>, values: Box<Json> },
/// }
///
/// let json = any::<Json>().sample(7);
/// assert!(any::<Json>().accepts(&json));
/// assert_eq!(any::<Json>().read("List([Null, Bool(true)])").unwrap(), Json::List(vec![Json::Null, Json::Bool(true)]));
/// assert_eq!(any::<Json>().choices_of(&Json::Bool(true)).unwrap().to_string(), "1:Bool(1:true)");
/// ```
///
/// An enum picks a variant; the one that ends soonest is the simplest, wherever it is written.
/// Fields are drawn in order from the generators of their types. Recursive and mutually recursive
/// types end: fields that lead back to the type get a smaller size. Type parameters need `Generate`
/// themselves. The type needs `Debug`, and never `Clone`.
///
/// # Attributes
///
/// | on | attribute | meaning |
/// | --- | --- | --- |
/// | a field | `#[generate(with = generator)]` | drawn from that generator; earlier fields are there as references, by name, or as `_0`, `_1` in a tuple |
/// | a field | `#[generate(default)]`, `#[generate(default = value)]` | always that value; compared going backward |
/// | a variant | `#[generate(weight = number)]` | how often, compared with the others (1); 0 means absent |
/// | a variant | `#[generate(skip)]` | never made, never reflected |
///
/// ```
/// # use retrospect::prelude::*;
/// #[derive(Debug, PartialEq, Generate)]
/// struct Slice {
///     #[generate(with = 0..=20usize)]
///     length: usize,
///     #[generate(with = 0..=*length)]
///     start: usize,
///     #[generate(default = "unnamed".to_owned())]
///     name: String,
/// }
///
/// let wrong = Slice { length: 3, start: 4, name: "unnamed".to_owned() };
/// assert_eq!(
///     any::<Slice>().choices_of(&wrong).unwrap_err().to_string(),
///     "this generator cannot make the part `.start`, which is 4: 4 is not in 0..=3"
/// );
/// ```
#[proc_macro_derive(Generate, attributes(generate))]
pub fn derive_generate(input: TokenStream) -> TokenStream {
    derive::expand(&syn::parse_macro_input!(input as syn::DeriveInput)).into()
}

/// The text that a grammar describes, checked when the program is compiled.
///
/// ```
/// use retrospect::prelude::*;
///
/// let sums = text::grammar!(r#"
///     sum    = number { sign number } ;
///     sign   = 3 plus: "+" | minus: "-" ;
///     number = [1-9] [0-9]{,2} ;
/// "#);
/// assert!(sums.accepts(&"1+20-300".to_owned()));
/// assert_eq!(sums.choices_of(&"1-2".to_owned()).unwrap().to_string(), "((0 []) [{1:minus (1 [])}])");
/// ```
///
/// The dialect is that of the function
/// [`text::grammar`](https://docs.rs/retrospect/latest/retrospect/text/fn.grammar.html), and so are
/// the messages: they stand at the literal, with line and column in it.
///
/// ```compile_fail
/// # use retrospect::prelude::*;
/// text::grammar!("list = item { ',' itme } ; item = [a-z]+ ;");
/// ```
///
/// `start = "rule"` begins with another rule than the first. `file = "path"` takes the grammar from
/// a file, by its path from the folder of `Cargo.toml`; the program is compiled again when the file
/// changes.
///
/// ```
/// # use retrospect::prelude::*;
/// let numbers = text::grammar!("sum = number % '+' ; number = [1-9] [0-9]* ;", start = "number");
/// assert!(numbers.accepts(&"42".to_owned()) && !numbers.accepts(&"1+1".to_owned()));
/// ```
///
/// The grammar is read once, when the expression is evaluated for the first time; after that it is
/// a cheap clone.
#[cfg(feature = "text")]
#[proc_macro]
pub fn grammar(input: TokenStream) -> TokenStream {
    grammar::expand(input.into()).into()
}
