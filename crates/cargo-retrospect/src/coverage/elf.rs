//! The sections of a program in the format ELF, 64 bits, little endian.

/// A section: where it is in memory, and what is in it.
#[derive(Clone, Copy)]
pub struct Section<'b> {
    pub address: u64,
    pub bytes: &'b [u8],
}

/// The section of that name; nothing if there is none, or it is no such program.
pub fn section<'b>(program: &'b [u8], wanted: &str) -> Option<Section<'b>> {
    if program.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let table = number(program, 0x28, 8)? as usize;
    let (size, count) = (number(program, 0x3a, 2)? as usize, number(program, 0x3c, 2)? as usize);
    let names_at = number(program, 0x3e, 2)? as usize;
    let header = |at: usize| program.get(table.checked_add(at.checked_mul(size)?)?..);
    let names = content(program, header(names_at)?)?;
    for at in 0..count {
        let header = header(at)?;
        let name = names.get(number(header, 0, 4)? as usize..)?;
        if name.strip_prefix(wanted.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)) {
            return Some(Section { address: number(header, 0x10, 8)?, bytes: content(program, header)? });
        }
    }
    None
}

fn content<'b>(program: &'b [u8], header: &[u8]) -> Option<&'b [u8]> {
    let (from, length) = (number(header, 0x18, 8)? as usize, number(header, 0x20, 8)? as usize);
    program.get(from..from.checked_add(length)?)
}

/// A number of so many bytes.
pub fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let mut number = 0;
    for byte in bytes.get(at..at.checked_add(length)?)?.iter().rev() {
        number = number << 8 | u64::from(*byte);
    }
    Some(number)
}
