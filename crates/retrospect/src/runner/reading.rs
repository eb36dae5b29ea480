//! Reading files that users name, up to a limit.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The limit for values and documents, which take many times as much memory once they are read.
pub const MAX_VALUE_BYTES: u64 = 256 << 20;
/// The limit for files of weights, settings and saved cases.
pub const MAX_SETTINGS_BYTES: u64 = 16 << 20;

/// Reads a file or pipe, or says why not. Devices are refused, since some have no end.
pub fn read_file(file: &Path, largest: u64) -> Result<Vec<u8>, String> {
    let found = std::fs::metadata(file).map_err(|error| reason_of(&error))?;
    if !found.is_file() && !found.is_dir() && !is_pipe(&found) {
        return Err("it is neither a file nor a pipe".to_owned());
    }
    read_to_limit(File::open(file).map_err(|error| reason_of(&error))?, largest)
}

/// Reads to the end, or says why not.
pub fn read_to_limit(from: impl Read, largest: u64) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    from.take(largest + 1).read_to_end(&mut content).map_err(|error| reason_of(&error))?;
    match content.len() as u64 > largest {
        true => Err(format!("it is longer than {} MB", largest >> 20)),
        false => Ok(content),
    }
}

fn reason_of(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(unix)]
fn is_pipe(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    found.file_type().is_fifo() || found.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_is_not_read_to_its_end() {
        assert_eq!(read_to_limit(&b"abc"[..], 3).unwrap(), b"abc");
        assert_eq!(read_to_limit(std::io::repeat(0), 1 << 20).unwrap_err(), "it is longer than 1 MB");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_file() {
        for device in ["/dev/zero", "/dev/full"] {
            assert_eq!(read_file(Path::new(device), 9).unwrap_err(), "it is neither a file nor a pipe");
        }
        assert_eq!(read_file(Path::new("/"), 9).unwrap_err(), "it is a directory");
        assert_eq!(read_file(Path::new("/no/such"), 9).unwrap_err(), "there is no such file");
    }
}
