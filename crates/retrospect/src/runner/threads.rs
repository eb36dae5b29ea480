//! Threads of the runner's own.

use std::{io, thread};

/// Starts a thread that goes on by itself. A box, so that starting a thread is compiled once.
pub(crate) fn spawn(name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}
