use retrospect::prelude::*;
use retrospect::source::*;
fn main() {
    let c: Choices = "{}".parse().unwrap();
    let mut r = Replay::strict(&c);
    let mut s = Source::asking(&mut r);
    println!("{:?}", part(&exact(1u8).map(|x| x + 1), &mut s));
    drop(s);
    println!("{}", r.left_over());
    let mut r = Replay::strict(&c);
    let mut s = Source::asking(&mut r);
    println!("{:?}", s.part(|s| exact(1u8).map(|x| x + 1).generate(s)));
    drop(s);
    println!("{}", r.left_over());
}
