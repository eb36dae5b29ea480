use retrospect::prelude::*;

struct Words(Vec<String>);

impl Words {
    #[generator]
    fn one(&self) -> usize {
        draw(0..self.0.len())
    }

    #[generator]
    fn all() -> Self {
        Self(draw(any::<Vec<String>>()))
    }
}

impl Words {
    #[generator]
    fn associated() -> u8 {
        draw(0..9)
    }
}

fn main() {}
