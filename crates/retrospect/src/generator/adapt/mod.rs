//! What changes a generator, and the smallest generators: filters, maps, binds, sizes.
//!
//! The methods that make these stand on [`Generator`](super::Generator).

mod bind;
mod boxed;
mod exact;
mod filter;
mod forward;
mod map;
mod named;
mod reader;
mod satisfying;
mod size;
mod tuned;

pub use bind::BindWithFocus;
pub use boxed::Boxed;
pub use exact::{Exact, Just, exact, just};
pub use filter::Filter;
pub(super) use filter::go_through;
pub use forward::{FilterMap, FlatMap, ForwardOnly};
pub use map::{Map, MapWithFocus, MapWithInverse};
pub use named::Named;
pub use reader::{TextReader, WithReader, reader};
pub use satisfying::{Satisfying, Search};
pub use size::{BySize, Resize, sized};
pub(crate) use tuned::Tuning;
pub use tuned::{Tune, Tuned};

use std::panic::Location;

/// Where the user's code made an adapter, as messages write it.
pub(super) fn written(place: &'static Location<'static>) -> String {
    format!("{}:{}", place.file(), place.line())
}

/// `Debug` for generators that hold closures: their name and where they were made.
macro_rules! debug_by_place {
    ($($name:literal $generator:ident<$($parameter:ident),*>;)*) => {$(
        impl<$($parameter),*> std::fmt::Debug for $generator<$($parameter),*> {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "{} ({}:{})", $name, self.place.file(), self.place.line())
            }
        }
    )*};
}
pub(super) use debug_by_place;

/// How often completion tries again when what filled a hole does not fit the rest.
pub(in crate::generator) const COMPLETION_TRIES: u32 = 1000;
