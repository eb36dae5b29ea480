//! Every measurement the project reports, and the problems that its tests of quality share with them.

pub mod core;
pub mod measure;
pub mod properties;
pub mod shrinking;
pub mod table2;
