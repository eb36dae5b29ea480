//! What one thread leaves for another.
//!
//! The channels of the standard library do the same for any number of threads, at the price of some six thousand lines to compile.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::vec;

/// The side that is shared. Nobody waits while a lock is held for longer than a move takes.
#[derive(Default)]
pub(super) struct Mailbox {
    mail: Mutex<Mail>,
    has_news: Condvar,
}

#[derive(Default)]
struct Mail {
    pieces: Vec<Piece>,
    /// Nothing more comes.
    is_closed: bool,
    /// Nothing more is wanted.
    is_left: bool,
}

pub(super) enum Piece {
    Printed(Vec<u8>),
    Message(Vec<u8>),
}

/// What there is to take.
pub(super) enum Next {
    Piece(Piece),
    /// Not yet.
    Nothing,
    Closed,
}

impl Mailbox {
    /// `false` if nobody is there any more to take it.
    pub(super) fn put(&self, piece: Piece) -> bool {
        let mut mail = self.lock();
        mail.pieces.push(piece);
        self.has_news.notify_one();
        !mail.is_left
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.has_news.notify_one();
    }

    pub(super) fn leave(&self) {
        self.lock().is_left = true;
    }

    /// The next piece; `taken` are those that were taken out before and not looked at.
    pub(super) fn take(&self, taken: &mut vec::IntoIter<Piece>, longest: Duration) -> Next {
        if let Some(piece) = taken.next() {
            return Next::Piece(piece);
        }
        let started = Instant::now();
        let mut mail = self.lock();
        loop {
            *taken = std::mem::take(&mut mail.pieces).into_iter();
            if let Some(piece) = taken.next() {
                return Next::Piece(piece);
            }
            if mail.is_closed {
                return Next::Closed;
            }
            let left = longest.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Next::Nothing;
            }
            mail = self.has_news.wait_timeout(mail, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
