//! A worker, as its parent sees it.

use super::launch::Launch;
use super::mailbox::{Mailbox, Next, Piece};
use super::wire::Answer;
use crate::runner::threads;
use std::io::{self, PipeReader, Read, Write};
use std::process::{self, ChildStdin, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{thread, vec};

/// How often it is asked whether the process is still there: its output may be held open by processes of its own.
const HEARTBEAT: Duration = Duration::from_millis(100);

/// How long the last words of a process may take to arrive, on a machine that has much else to do. Usually they are followed by the end of its output.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How much of what was printed is kept: the end.
const MOST_PRINTED: usize = 1 << 16;

/// A running worker. It is gone when this is dropped.
pub(crate) struct Child {
    process: process::Child,
    requests: Option<ChildStdin>,
    heard: Arc<Mailbox>,
    /// What was taken out of it, and not looked at.
    taken: vec::IntoIter<Piece>,
    /// What was printed since the last request, without what was too much.
    printed: Vec<u8>,
}

/// What the worker is heard of.
pub(super) enum Heard {
    Answer(Answer),
    /// It has ended.
    Ended(ExitStatus),
    /// The time is over.
    Nothing,
    /// An answer that is none: somebody wrote into it.
    Garbled,
}

impl Child {
    /// Starts a worker, in the first of the ways that leads to the property. That way is then the only one.
    pub(crate) fn start(launch: &mut Launch, longest: Duration) -> Result<Child, String> {
        let mut reasons = String::new();
        for way in 0..launch.n_ways() {
            match Child::start_by(launch, way, longest) {
                Ok(child) => {
                    launch.keep_only(way);
                    return Ok(child);
                }
                Err(reason) => reasons += &format!("\n  {}\n      {reason}", launch.text(way)),
            }
        }
        Err(format!(
            "`isolate` runs the cases in a process of the same program, which is to come to this property by itself, but it did not:{reasons}\n\
             call the property in a #[test] of the usual harness, or in `main`, with no condition before it; or do without `isolate`"
        ))
    }

    fn start_by(launch: &Launch, way: usize, longest: Duration) -> Result<Child, String> {
        let mark = fresh_mark();
        let mut child = Child::spawn(launch, way, &mark).map_err(|error| format!("could not be started: {error}"))?;
        // If it does not listen, it will not answer either.
        let _ = child.send(&mark);
        let started = Instant::now();
        match child.hear(longest) {
            Heard::Answer(Answer::Hello) => Ok(child),
            Heard::Ended(status) => Err(format!(
                "ended ({status}) without coming to it; the last that it printed:\n      {}",
                child.last_lines(5, 6)
            )),
            _ => Err(format!("had not come to it after {:?}", started.elapsed())),
        }
    }

    fn spawn(launch: &Launch, way: usize, mark: &[u8]) -> io::Result<Child> {
        // Both outputs in one pipe: what is printed stays in order, and what was printed before an answer has come before it.
        let (output, input) = io::pipe()?;
        let mut command = launch.command(way)?;
        let mut process = command.stdin(Stdio::piped()).stdout(input.try_clone()?).stderr(input).spawn()?;
        // It holds the writing ends, and would keep the pipe open.
        drop(command);
        let requests = process.stdin.take();
        let heard = Arc::new(Mailbox::default());
        let tell = Arc::clone(&heard);
        let mark = mark.to_vec();
        let child = Child { process, requests, heard, taken: Vec::new().into_iter(), printed: Vec::new() };
        threads::spawn("retrospect", Box::new(move || listen(output, &mark, &tell)))?;
        Ok(child)
    }

    /// Sends a request. An error means that the process is gone, or does not listen.
    pub(super) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.printed.clear();
        let Some(requests) = &mut self.requests else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let mut message = (request.len() as u32).to_le_bytes().to_vec();
        message.extend_from_slice(request);
        requests.write_all(&message)
    }

    /// Waits for an answer.
    pub(super) fn hear(&mut self, longest: Duration) -> Heard {
        let started = Instant::now();
        loop {
            let left = longest.saturating_sub(started.elapsed());
            // Also if there is more to hear: a case may print, or draw, without end.
            if left.is_zero() {
                return Heard::Nothing;
            }
            match self.heard.take(&mut self.taken, left.min(HEARTBEAT)) {
                Next::Piece(Piece::Printed(bytes)) => self.keep(&bytes),
                Next::Piece(Piece::Message(bytes)) => {
                    return Answer::read(&bytes).map_or(Heard::Garbled, Heard::Answer);
                }
                Next::Nothing if left <= HEARTBEAT => return Heard::Nothing,
                Next::Nothing => {
                    if let Ok(Some(status)) = self.process.try_wait() {
                        return self.ended(status);
                    }
                }
                // Its outputs are closed; if it did that by itself, nothing more will be heard of it.
                Next::Closed => match self.process.try_wait() {
                    Ok(Some(status)) => return self.ended(status),
                    _ => thread::sleep(Duration::from_micros(200)),
                },
            }
        }
    }

    /// The last lines that were printed since the request.
    pub(super) fn last_lines(&self, count: usize, indent: usize) -> String {
        let text = String::from_utf8_lossy(&self.printed);
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines() {
            if !line.trim_end().is_empty() {
                lines.push(line.trim_end());
            }
        }
        let mut last = String::new();
        for line in &lines[lines.len().saturating_sub(count)..] {
            if !last.is_empty() {
                last += &format!("\n{:indent$}", "");
            }
            last += line.char_indices().nth(200).map_or(*line, |(end, _)| &line[..end]);
        }
        last
    }

    /// What was printed since the request.
    pub(super) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }

    /// The process is gone, but what it said before may still be on its way: messages are heard first. If its output is held open by a process that goes
    /// on, there is no end to wait for.
    fn ended(&mut self, status: ExitStatus) -> Heard {
        let found = Instant::now();
        loop {
            match self.heard.take(&mut self.taken, LAST_WORDS.saturating_sub(found.elapsed())) {
                Next::Piece(Piece::Printed(bytes)) if found.elapsed() < LAST_WORDS => self.keep(&bytes),
                Next::Piece(Piece::Message(bytes)) => {
                    return Answer::read(&bytes).map_or(Heard::Garbled, Heard::Answer);
                }
                _ => return Heard::Ended(status),
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.printed.extend_from_slice(bytes);
        if self.printed.len() > 2 * MOST_PRINTED {
            self.printed.drain(..self.printed.len() - MOST_PRINTED);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.heard.leave();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Takes apart what comes from the worker, until it has ended.
fn listen(mut output: PipeReader, mark: &[u8], tell: &Mailbox) {
    let mut buffer = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = match output.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        buffer.extend_from_slice(&chunk[..count]);
        while let Some(piece) = next_piece(&mut buffer, mark, count == 0) {
            if !tell.put(piece) {
                return;
            }
        }
        if count == 0 {
            return tell.close();
        }
    }
}

/// What the buffer begins with, taken out of it; nothing if more must be read before that can be said.
fn next_piece(buffer: &mut Vec<u8>, mark: &[u8], is_all: bool) -> Option<Piece> {
    let mut begin = 0;
    while begin < buffer.len() {
        let rest = &buffer[begin..];
        if rest[0] == mark[0] && (rest.starts_with(mark) || (!is_all && mark.starts_with(rest))) {
            break;
        }
        begin += 1;
    }
    if begin > 0 {
        let rest = buffer.split_off(begin);
        return Some(Piece::Printed(std::mem::replace(buffer, rest)));
    }
    let length = buffer.get(mark.len()..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes) as usize);
    let start = mark.len() + 4;
    // With the line end behind it.
    match length
        .and_then(|length| buffer.get(start..=start + length))
        .map(|message| message[..message.len() - 1].to_vec())
    {
        Some(message) => {
            buffer.drain(..start + message.len() + 1);
            Some(Piece::Message(message))
        }
        None if is_all && !buffer.is_empty() => Some(Piece::Printed(std::mem::take(buffer))),
        None => None,
    }
}

/// What no program prints by chance: it begins with a byte that is in no text.
fn fresh_mark() -> Vec<u8> {
    use std::hash::{BuildHasher, RandomState};
    let mut mark = vec![0xff];
    mark.extend_from_slice(&RandomState::new().hash_one(process::id()).to_le_bytes());
    mark
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pieces, whatever the chunks are in which the bytes come.
    fn pieces(bytes: &[u8], chunk: usize) -> (String, Vec<Vec<u8>>) {
        let (mut printed, mut messages, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
        let mut take = |buffer: &mut Vec<u8>, is_all| {
            while let Some(piece) = next_piece(buffer, b"\xffmark", is_all) {
                match piece {
                    Piece::Printed(bytes) => printed.extend(bytes),
                    Piece::Message(bytes) => messages.push(bytes),
                }
            }
        };
        for chunk in bytes.chunks(chunk) {
            buffer.extend_from_slice(chunk);
            take(&mut buffer, false);
        }
        take(&mut buffer, true);
        (String::from_utf8_lossy(&printed).into_owned(), messages)
    }

    #[test]
    fn messages_are_found_among_what_is_printed() {
        let mut bytes =
            b"running 1 test\ntest x ... \xffmark\x03\0\0\0a\nb\nno newline\xffmark\0\0\0\0\n\xffmarathon".to_vec();
        bytes.extend_from_slice(b"\xffmark\x05\0\0\0cut");
        for chunk in 1..bytes.len() {
            let (printed, messages) = pieces(&bytes, chunk);
            assert_eq!(messages, [b"a\nb".to_vec(), Vec::new()], "in chunks of {chunk}");
            assert!(printed.starts_with("running 1 test\ntest x ... no newline\u{fffd}marathon"), "{printed}");
        }
    }
}
