//! `uuid`: UUIDs.

use super::made_of_parts;
use crate::choice::Site;
use crate::generator::Generator;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{CustomLaw, Law, Rng};
use crate::source::{Drawn, Source};
use ::uuid::Uuid;

made_of_parts! {
    /// UUIDs of any kind, by the upper and the lower half of their number: the nil UUID is the simplest.
    ///
    /// Half look like version 4, some like version 7; zeros, ones and numbers without a version are among the others.
    ///
    /// ```
    /// use retrospect::prelude::*;
    /// use uuid::Uuid;
    /// let uuids = any::<Uuid>();
    /// assert_eq!(uuids.replay(&Choices::default()), Uuid::nil());
    /// let pasted = uuids.read("67e55044-10b1-426f-9247-bb680e5fe0c8").unwrap();
    /// let smallest = uuids.shrink(pasted, |uuid| uuid.get_version_num() == 4).unwrap();
    /// assert_eq!(smallest.value.to_string(), "00000000-0000-4000-0000-000000000000");
    /// ```
    Uuid {
        parts: Halves,
        make: |(high, low)| Uuid::from_u64_pair(high, low),
        parts_of: |uuid| uuid.as_u64_pair(),
        read: |sketch| sketch.text().parse().ok(),
        expected: "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
    }
}

/// The two halves of a UUID.
struct Halves;

static UUID: Site = Site::call("uuid", file!(), line!());
const HIGH: Law = Law::Custom(CustomLaw { draw: draw_high, parameters: [0; 4] });
const LOW: Law = Law::Custom(CustomLaw { draw: draw_low, parameters: [0; 4] });

fn draw_high(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let (dice, bits) = (rng.next() & 15, rng.next());
    // The version stands in bits 12 to 15.
    let version = |number: u64| bits & !0xf000 | number << 12;
    match dice {
        0..=7 => version(4),
        8 | 9 => version(7),
        10 => 0,
        11 => max,
        12 => version(1),
        _ => Law::Mixed.draw(max, rng),
    }
}

fn draw_low(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let (dice, bits) = (rng.next() & 15, rng.next());
    match dice {
        // The variant stands in the two uppermost bits.
        0..=11 => bits >> 2 | 1 << 63,
        12 => 0,
        13 => max,
        _ => Law::Mixed.draw(max, rng),
    }
}

impl Generator for Halves {
    type Value = (u64, u64);

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<(u64, u64)> {
        source.call(&UUID, |source| {
            let high = source.part(|source| source.number(u64::MAX, HIGH))?;
            let low = source.part(|source| source.number(u64::MAX, LOW))?;
            Ok((high, low))
        })
    }

    #[inline]
    fn reflect(&self, &(high, low): &(u64, u64), reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            reflector.part(Segment::Position(0), |reflector| reflector.number(high, u64::MAX, HIGH))?;
            reflector.part(Segment::Position(1), |reflector| reflector.number(low, u64::MAX, LOW))
        };
        reflector.call(&UUID, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<(u64, u64)> {
        self.generate(source)
    }
}
