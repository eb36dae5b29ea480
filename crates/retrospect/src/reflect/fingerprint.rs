//! What tells two values apart that do not lie anywhere for long.

use crate::stack;
use std::fmt::{self, Debug, Write};

/// Two independent hashes of what `Debug` prints, and how much was printed. No hashes if it prints
/// more than `most` bytes or takes much stack, or says itself that something is left out.
///
/// It is assumed of *values* that `Debug` tells them apart. That is asked of them anyway:
/// counterexamples are saved and read by what it prints.
pub(super) fn fingerprint(value: &dyn Debug, most: usize) -> (Option<Fingerprint>, usize) {
    let mut text = Hashed { hashes: [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344], left: most, low: 0 };
    text.low = stack::address().saturating_sub(MOST_STACK);
    let is_whole = write!(text, "{value:?}").is_ok();
    (is_whole.then_some(Fingerprint(text.hashes)), most - text.left)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u64; 2]);

/// A derived `Debug` recurses as deep as the value, and who calls made sure of room for one more
/// level only.
const MOST_STACK: usize = 128 << 10;

struct Hashed {
    hashes: [u64; 2],
    left: usize,
    low: usize,
}

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_too_long = text.len() > self.left;
        self.left = self.left.saturating_sub(text.len());
        if is_too_long || stack::address() < self.low || leaves_something_out(text) {
            return Err(fmt::Error);
        }
        for chunk in text.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(bytes), 0x9E37_79B9_7F4A_7C15);
        }
        // Texts of other lengths are others, however they are filled up.
        self.mix(text.len() as u64, 0xBF58_476D_1CE4_E5B9);
        Ok(())
    }
}

impl Hashed {
    fn mix(&mut self, number: u64, salt: u64) {
        const FACTORS: [u64; 2] = [0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB];
        for (hash, factor) in self.hashes.iter_mut().zip(FACTORS) {
            let product = u128::from(*hash ^ number ^ salt) * u128::from(factor);
            *hash = ((product >> 64) as u64 ^ product as u64).wrapping_add(factor);
        }
    }
}

/// What `finish_non_exhaustive` writes, and what is commonly written for "and so on".
fn leaves_something_out(text: &str) -> bool {
    text.ends_with(".. }") || text.ends_with("..)") || text.ends_with("..]") || text.contains('…')
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use std::fmt::Debug;

    fn of(value: impl Debug) -> Option<([u64; 2], usize)> {
        let (fingerprint, length) = fingerprint(&value, 1_000);
        fingerprint.map(|fingerprint| (fingerprint.0, length))
    }

    #[test]
    fn equal_values_have_one_fingerprint_and_others_another() {
        let texts = ["", "a", "b", "aa", "a\0", "\0a", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaa"];
        for one in texts {
            for other in texts {
                assert_eq!(of(one).unwrap().0 == of(other).unwrap().0, one == other, "{one:?} and {other:?}");
            }
        }
        assert_ne!(of((1, 23)), of((12, 3)));
        assert_ne!(of([0.0]), of([-0.0]));
        assert_eq!(of(vec![Some("x")]), of([Some("x")]));
    }

    #[test]
    fn what_is_too_long_or_says_that_it_is_not_all_has_none() {
        struct Hidden;
        impl Debug for Hidden {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.debug_struct("Hidden").field("shown", &1).finish_non_exhaustive()
            }
        }
        assert_eq!(of(Hidden), None);
        assert_eq!(of(vec![Hidden]), None);
        assert_eq!(of("x".repeat(998)).map(|(_, length)| length), Some(1_000));
        assert_eq!(of("x".repeat(999)), None);
        assert_eq!(fingerprint(&"x".repeat(2_000), 1_000).1, 1_000);
        assert!(of(0..3).is_some() && of((.., 0..)).is_some());
    }

    #[test]
    fn a_deep_value_does_not_exhaust_the_stack() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "printed only")]
        struct Chain(Option<Box<Chain>>);
        let mut chain = Chain(None);
        for _ in 0..1_000_000 {
            chain = Chain(Some(Box::new(chain)));
        }
        let (fingerprint, length) = fingerprint(&chain, usize::MAX);
        assert!(fingerprint.is_none() && length < 100_000);
        crate::with_deep_stack(move || drop(chain));
    }
}
