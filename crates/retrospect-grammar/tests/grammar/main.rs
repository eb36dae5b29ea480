//! What is read, what is said about what cannot be read, and that no text whatever does any harm.

mod bad_input;
mod messages;
mod reading;
mod round_trip;
mod writing;
