//! The first half of an MD5 sum, by which LLVM refers to a list of file names.

/// As a number, little endian.
pub fn half(bytes: &[u8]) -> u64 {
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    for block in message.chunks_exact(64) {
        round(&mut state, block);
    }
    u64::from(state[0]) | u64::from(state[1]) << 32
}

fn round(state: &mut [u32; 4], block: &[u8]) {
    const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let word = |at: usize| u32::from_le_bytes([block[4 * at], block[4 * at + 1], block[4 * at + 2], block[4 * at + 3]]);
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64_usize {
        let (mixed, at) = match step / 16 {
            0 => (b & c | !b & d, step),
            1 => (d & b | !d & c, (5 * step + 1) % 16),
            2 => (b ^ c ^ d, (3 * step + 5) % 16),
            _ => (c ^ (b | !d), 7 * step % 16),
        };
        let constant = ((step as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(mixed).wrapping_add(constant).wrapping_add(word(at));
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(SHIFTS[step / 16][step % 4])));
    }
    for (part, more) in state.iter_mut().zip([a, b, c, d]) {
        *part = part.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn sums_that_are_known() {
        let of = |text: &str| half(text.as_bytes()).to_le_bytes().map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(of(""), "d41d8cd98f00b204");
        assert_eq!(of("abc"), "900150983cd24fb0");
        assert_eq!(of(&"1234567890".repeat(8)), "57edf4a22be3c955");
    }
}
