//! Every measurement the project reports, and the problems that its tests of quality share with
//! them.

mod beside;
pub mod core;
pub mod enumeration;
pub mod laws;
pub mod measure;
pub mod mutation;
pub mod properties;
pub mod shrinking;
mod svg;
pub mod table2;
pub mod text;
pub mod torture;
pub mod tuning;
