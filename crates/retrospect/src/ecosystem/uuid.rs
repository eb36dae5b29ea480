//! `uuid`: UUIDs.

use super::made_of_parts;
use crate::choice::Site;
use crate::generator::Generator;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Rng};
use crate::source::{Drawn, Source};
use ::uuid::Uuid;

made_of_parts! {
    /// UUIDs of any kind, by their first 48 bits, the 16 bits with the version, and the 64 bits
    /// with the variant: the nil UUID is the simplest.
    ///
    /// Half look like version 4, some like version 7; zeros, ones and numbers without a version are
    /// among the others.
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
        parts: Fields,
        make: |[first, version, variant]| Uuid::from_u64_pair(first << 16 | version, variant),
        parts_of: fields_of,
        read: |sketch| sketch.text().parse().ok(),
        expected: "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
    }
}

/// The first 48 bits, the 16 bits that begin with the version, and the 64 bits that begin with the
/// variant.
struct Fields;

static UUID: Site = Site::call("uuid", file!(), line!());
const FIRST: Distribution =
    Distribution::Custom(CustomDistribution { draw: draw_first, parameters: [0; 4], chance: Some(chance_of_first) });
const VERSION: Distribution = Distribution::Custom(CustomDistribution {
    draw: draw_version,
    parameters: [0; 4],
    chance: Some(chance_of_version),
});
const VARIANT: Distribution = Distribution::Custom(CustomDistribution {
    draw: draw_variant,
    parameters: [0; 4],
    chance: Some(chance_of_variant),
});
const FIELDS: [(&str, u64, Distribution); 3] =
    [("first", (1 << 48) - 1, FIRST), ("version", (1 << 16) - 1, VERSION), ("variant", u64::MAX, VARIANT)];

fn draw_first(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    match rng.next() & 15 {
        0 | 1 => 0,
        2 => max,
        3 | 4 => Distribution::Mixed.draw(max, rng),
        _ => rng.at_most(max),
    }
}

fn draw_version(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let (dice, bits) = (rng.next() & 15, rng.at_most(0xfff));
    match dice {
        0..=8 => 0x4000 | bits,
        9 | 10 => 0x7000 | bits,
        11 => 0x1000 | bits,
        12 | 13 => 0,
        14 => max,
        _ => rng.at_most(max),
    }
}

fn draw_variant(max: u64, _: [u64; 4], rng: &mut Rng) -> u64 {
    let (dice, bits) = (rng.next() & 15, rng.next());
    match dice {
        // It stands in the two uppermost bits.
        0..=11 => bits >> 2 | 1 << 63,
        12 | 13 => 0,
        14 => max,
        _ => Distribution::Mixed.draw(max, rng),
    }
}

fn chance_of_first(first: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let ends = [(2, Chance::sure_if(first == 0)), (1, Chance::sure_if(first == max))];
    Chance::mixture(
        16,
        &[
            ends[0],
            ends[1],
            (2, Distribution::Mixed.chance(first, max)?),
            (11, Distribution::Uniform.chance(first, max)?),
        ],
    )
}

fn chance_of_version(field: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let version = match field >> 12 {
        4 => 9,
        7 => 2,
        1 => 1,
        _ => 0,
    };
    let ends = [(2, Chance::sure_if(field == 0)), (1, Chance::sure_if(field == max))];
    Chance::mixture(
        16,
        &[(version, Chance::new(1, 1 << 12)), ends[0], ends[1], (1, Distribution::Uniform.chance(field, max)?)],
    )
}

fn chance_of_variant(field: u64, max: u64, _: [u64; 4]) -> Option<Chance> {
    let usual = Chance::new(u128::from(field >> 62 == 2), 1 << 62);
    let ends = [(2, Chance::sure_if(field == 0)), (1, Chance::sure_if(field == max))];
    Chance::mixture(16, &[(12, usual), ends[0], ends[1], (1, Distribution::Mixed.chance(field, max)?)])
}

fn fields_of(uuid: &Uuid) -> [u64; 3] {
    let (high, low) = uuid.as_u64_pair();
    [high >> 16, high & 0xffff, low]
}

impl Generator for Fields {
    type Value = [u64; 3];

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<[u64; 3]> {
        source.call(&UUID, |source| {
            let mut fields = [0; 3];
            for (field, (_, max, distribution)) in fields.iter_mut().zip(FIELDS) {
                *field = source.number_part(max, distribution)?;
            }
            Ok(fields)
        })
    }

    #[inline]
    fn reflect(&self, fields: &[u64; 3], reflector: &mut Reflector) -> Reflected {
        let body = |reflector: &mut Reflector| {
            for (field, (name, max, distribution)) in fields.iter().zip(FIELDS) {
                reflector.part(Segment::Field(name), |reflector| reflector.number(*field, max, distribution))?;
            }
            Ok(())
        };
        reflector.call(&UUID, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<[u64; 3]> {
        self.generate(source)
    }
}
