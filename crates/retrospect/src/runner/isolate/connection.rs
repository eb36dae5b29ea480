//! The connection between a worker and its parent.
//!
//! It is a socket of its own, so that the body of a property may read its input, print, and close
//! its descriptors.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[cfg(not(unix))]
use std::net::{TcpListener as Listener, TcpStream as Stream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

/// Where the parent waits for the worker.
pub(super) struct WorkerSocket {
    listener: Listener,
    address: String,
}

impl WorkerSocket {
    pub(super) fn open() -> io::Result<WorkerSocket> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let (listener, address) = listen(&format!("retrospect-{}-{count}", process::id()))?;
        listener.set_nonblocking(true)?;
        Ok(WorkerSocket { listener, address })
    }

    /// What the worker connects to.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The worker, if it has come.
    pub(super) fn accept(&self) -> io::Result<Option<Connection>> {
        match self.listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                Ok(Some(Connection::over(stream)))
            }
            Err(error) if is_early(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// One end of the connection. A message is a line.
pub(super) struct Connection {
    stream: BufReader<Stream>,
    /// The beginning of the next message.
    heard: Vec<u8>,
}

pub(super) enum Next {
    Message(Vec<u8>),
    /// Not yet.
    Nothing,
    /// The other end is closed.
    Closed,
}

impl Connection {
    pub(super) fn to(address: &str) -> io::Result<Connection> {
        Ok(Connection::over(with_high_descriptor(connect(address)?)))
    }

    /// The same connection, for another thread.
    pub(super) fn try_clone(&self) -> Option<Connection> {
        Some(Connection::over(with_high_descriptor(self.stream.get_ref().try_clone().ok()?)))
    }

    fn over(stream: Stream) -> Connection {
        Connection { stream: BufReader::new(stream), heard: Vec::new() }
    }

    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(line.as_bytes())
    }

    /// Waits for a message for as long as that, or without an end.
    pub(super) fn next(&mut self, longest: Option<Duration>) -> Next {
        // A timeout of zero is refused.
        let longest = longest.map(|longest| longest.max(Duration::from_micros(1)));
        if self.stream.get_ref().set_read_timeout(longest).is_err() {
            return Next::Closed;
        }
        match self.stream.read_until(b'\n', &mut self.heard) {
            Ok(_) if self.heard.ends_with(b"\n") => Next::Message(std::mem::take(&mut self.heard)),
            Err(error) if is_early(&error) => Next::Nothing,
            Ok(_) | Err(_) => Next::Closed,
        }
    }
}

/// Moves the stream to a high descriptor if it can: some bodies close all descriptors from 3 to a
/// hundred or so.
#[cfg(target_os = "linux")]
fn with_high_descriptor(stream: Stream) -> Stream {
    use std::ffi::c_int;
    use std::os::fd::{AsRawFd as _, FromRawFd as _};
    const DUPLICATE_FROM: c_int = 1030;
    unsafe extern "C" {
        fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    }
    // Most processes may have 1024.
    for least in [1000 as c_int, 500, 200] {
        // SAFETY: the number that comes back is of a new descriptor, which nobody else has.
        let file = unsafe { fcntl(stream.as_raw_fd(), DUPLICATE_FROM, least) };
        if file >= 0 {
            // SAFETY: as above.
            return unsafe { Stream::from_raw_fd(file) };
        }
    }
    stream
}

#[cfg(not(target_os = "linux"))]
fn with_high_descriptor(stream: Stream) -> Stream {
    stream
}

/// Whether there is nothing yet: systems name it in two ways.
fn is_early(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// A name that is no file, so that nothing is left behind.
#[cfg(target_os = "linux")]
fn listen(name: &str) -> io::Result<(Listener, String)> {
    Ok((Listener::bind_addr(&abstract_address(name)?)?, name.to_owned()))
}

#[cfg(target_os = "linux")]
fn connect(address: &str) -> io::Result<Stream> {
    Stream::connect_addr(&abstract_address(address)?)
}

#[cfg(target_os = "linux")]
fn abstract_address(name: &str) -> io::Result<std::os::unix::net::SocketAddr> {
    use std::os::linux::net::SocketAddrExt as _;
    std::os::unix::net::SocketAddr::from_abstract_name(name)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn listen(name: &str) -> io::Result<(Listener, String)> {
    let file = std::env::temp_dir().join(name).to_string_lossy().into_owned();
    let _ = std::fs::remove_file(&file);
    Ok((Listener::bind(&file)?, file))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn connect(address: &str) -> io::Result<Stream> {
    let stream = Stream::connect(address);
    let _ = std::fs::remove_file(address);
    stream
}

#[cfg(not(unix))]
fn listen(_name: &str) -> io::Result<(Listener, String)> {
    let listener = Listener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    Ok((listener, address))
}

#[cfg(not(unix))]
fn connect(address: &str) -> io::Result<Stream> {
    let stream = Stream::connect(address)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_any_length_come_in_order() {
        let socket = WorkerSocket::open().unwrap();
        assert!(socket.accept().unwrap().is_none());
        let mut worker = Connection::to(socket.address()).unwrap();
        let mut parent = socket.accept().unwrap().expect("the worker has come");
        assert!(matches!(parent.next(Some(Duration::from_millis(1))), Next::Nothing));
        let messages = ["\n".to_owned(), "one\n".to_owned(), "é".repeat(50_000) + "\n", "\t\n".to_owned()];
        let told = messages.clone();
        let teller = std::thread::spawn(move || told.iter().for_each(|message| worker.send(message).unwrap()));
        for message in messages {
            let Next::Message(heard) = parent.next(None) else { panic!("a message was sent") };
            assert!(heard == message.as_bytes());
        }
        teller.join().unwrap();
        assert!(matches!(parent.next(None), Next::Closed));
    }
}
