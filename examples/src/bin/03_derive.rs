//! A generator for a type, derived: every value can be made, and some fields say more precisely
//! which.

use retrospect::prelude::*;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Shape {
    Point,
    Circle {
        #[generate(with = 1..=100)]
        radius: u32,
    },
    Group(Vec<Shape>),
}

fn main() {
    let shapes = any::<Shape>();

    println!("It refers to itself, and ends all the same:");
    for seed in [1, 4, 27, 59] {
        println!("  {:?}", shapes.sample(seed));
    }

    println!("The name of a variant stands in the choices:");
    let shape = Shape::Group(vec![Shape::Point, Shape::Circle { radius: 10 }]);
    println!("  {shape:?} is made by {}", shapes.choices_of(&shape).expect("every shape can be made"));

    println!("But not every radius:");
    let too_large = Shape::Group(vec![Shape::Circle { radius: 101 }]);
    match shapes.choices_of(&too_large) {
        Ok(choices) => println!("  {choices}"),
        Err(error) => println!("  {error}"),
    }

    println!("What is derived can be used wherever a generator can:");
    let pairs = tuple((shapes, any::<bool>()));
    println!("  {:?} is the simplest pair", pairs.replay(&Choices::default()));
}
