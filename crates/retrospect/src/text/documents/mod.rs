//! Documents: texts of well-known forms, made of the parts of [`text`](super).

mod checksum;
mod json;
mod package;

pub use checksum::with_checksum;
pub use json::json;
pub use package::package_json;
