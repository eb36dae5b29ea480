//! The macros of retrospect: [`#[generator]`](macro@generator), [`generator_of!`] and [`#[derive(Generate)]`](derive@Generate).
//!
//! They parse, check and write code; everything that can be a function is one, in the library.

mod derive;
mod errors;
mod function;

use proc_macro::TokenStream;

/// Makes a generator out of a function whose body draws and picks, and writes it in all three directions.
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
/// The function becomes a small struct of the same name, with the arguments as its fields, and a function that makes it: no boxing and no
/// allocation, also when it calls itself. Generics, lifetimes, `impl Generator` arguments, visibility and documentation work as usual. The body gets a clone of
/// each argument.
///
/// # The body
///
/// | what | how |
/// | --- | --- |
/// | draw a value | `let x = draw(0..10);`, also into a pattern: `let (a, b) = draw(pairs());` |
/// | pass the whole job on | `draw(other())` as the tail |
/// | choose among arms | `match pick() { "label" => …, #[weight(3)] "other" => … }`; the first arm is the simplest |
/// | leave an arm out | a weight is any integer expression; 0 means absent, in every direction |
/// | choose a part | `let op = match pick() { … };`, `let y = if c { draw(a) } else { 0 };` |
/// | everything else | `if`, `match`, `if let`, `let … else`, plain `let`s and statements, early `return` |
///
/// Draws may stand inside the tail: `Some(draw(0..10))` is `let x = draw(0..10); Some(x)`.
///
/// # The tail
///
/// A constructor expression is also a pattern, and that is what makes the body run backwards. A tail is made of variants, struct literals, tuples, arrays,
/// `vec![…]`, `Box::new`, `Rc::new` and `Arc::new` around *drawn names*. Whatever else stands in it – literals, arguments, plain `let`s, and any
/// expression of names that are known from elsewhere – is worked out again going backward and compared (`PartialEq`).
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
/// A drawn name that the tail does not contain needs a **focus**: an expression of `it`, a reference to the value looked at, that finds what was drawn. `?` in it means that
/// there is nothing to find.
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
/// A tail that is no constructor needs an **inverse**: a closure from the value to `Some` of the names that were drawn on the way, in order (one name alone without
/// a tuple), or to `None`. It stands on the tail, or on the arm that ends in it. Going backward the tail is then worked out again and compared, if the type has
/// `PartialEq`.
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
/// ```
///
/// `#[generator(forward)]` makes a generator that is never run backwards. Draws may then stand in loops and in the middle of expressions; the generator shrinks from its
/// own recorded choices, but reflects nothing.
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
/// Each with a message that names the way out: loops around `draw` (`vec_of`, `sequence_of`), `draw` and `pick` in closures and in macros other than `vec!`,
/// drawn names that cannot be recalled, wildcards and `mut` in drawn patterns, `?` and `.await`, `return` inside a `let` that chooses, methods.
/// Items in the body may be `use`, `const`, `static`, `fn` and `type`: the body is written out once for each direction.
///
/// # Good to know
///
/// - Backward, a drawn value is checked by its own generator before later code sees it, so `x - 1` above never runs on a value out of range. A name that later code uses is
///   cloned for it; one that only stands in the tail is borrowed.
/// - A path in capitals (`Limits::MAX`) is taken for a constant and compared; any other path that ends in a capitalised name is taken for a constructor.
/// - A part that depends on how a *later* part was filled cannot be known while a hole is filled: `fill` then tries a hundred times. What is found by a focus is drawn
///   in the same way, unless the type derives `Generate`: then text without holes is read by the type alone and checked afterwards.
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
/// It cannot capture the variables around it, since it becomes a struct: list what it needs as arguments, with their types, and pass them. Without that the compiler says "can't
/// capture dynamic environment in a fn item".
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

/// Gives a struct or an enum a generator of its own, `any::<Type>()`: the one you would have written.
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
/// An enum picks a variant; the one that ends soonest is the simplest, wherever it is written. Fields are drawn in order from the generators of their types. Recursive and mutually
/// recursive types end: fields that lead back to the type get a smaller size. Type parameters need `Generate` themselves. The type needs `Debug`, and
/// never `Clone`.
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
