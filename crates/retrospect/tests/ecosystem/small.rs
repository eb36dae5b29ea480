//! `bytes`, `rust_decimal`, `uuid`.

use super::{check, refuses, shrunk};
use retrospect::prelude::*;

#[cfg(feature = "bytes")]
#[test]
fn buffers() {
    use bytes::{Bytes, BytesMut};
    check(any::<Bytes>(), "b\"\"", [Bytes::from_static(b"\0\xff\"\\\r\n\t'a"), Bytes::from(vec![0; 100])]);
    check(any::<BytesMut>(), "b\"\"", [BytesMut::from(&b"\0\xff\"\\\r\n"[..])]);
    refuses(any::<Bytes>(), &[("7", "expected a byte string such as b\"abc\", not the number `7`")]);
    assert_eq!(
        shrunk(any::<Bytes>(), r#"b"PUT / HTTP/1.1\r\n""#, |bytes| bytes.windows(2).any(|two| two == b"\r\n")),
        r#"b"\r\n""#
    );
}

#[cfg(feature = "rust_decimal")]
#[test]
fn decimals() {
    use rust_decimal::Decimal;
    let negative_zero = -Decimal::ZERO;
    assert!(negative_zero.is_sign_negative());
    let values = [
        Decimal::MAX,
        Decimal::MIN,
        Decimal::new(0, 28),
        Decimal::new(-1, 28),
        Decimal::new(150, 2),
        Decimal::new(15, 1),
        negative_zero,
    ];
    check(any::<Decimal>(), "0", values);
    let expected = "expected a decimal number such as 1.50, not the";
    for text in ["1.", ".5", "--1", "1e5", "NaN"] {
        refuses(any::<Decimal>(), &[(text, &format!("{expected} word `{text}`"))]);
    }
    for text in ["79228162514264337593543950336", "0.00000000000000000000000000001"] {
        refuses(any::<Decimal>(), &[(text, "there is no such decimal number")]);
    }
    assert_eq!(shrunk(any::<Decimal>(), "-1234.5678", |number| *number < Decimal::new(-15, 1)), "-2");
    assert_eq!(shrunk(any::<Decimal>(), "1234.5678", |number| number.scale() > 1), "0.00");
    let drawn: Vec<Decimal> = any::<Decimal>().samples(1).take(2000).collect();
    assert!(drawn.iter().any(|number| number.mantissa() == Decimal::MAX.mantissa()));
    assert!(drawn.contains(&Decimal::ZERO) && drawn.iter().any(|number| number.mantissa() == 1));
    assert!(drawn.iter().any(|number| number.scale() == 28) && drawn.iter().any(Decimal::is_sign_negative));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    use uuid::{Uuid, Variant};
    let known: Uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8".parse().unwrap();
    check(any::<Uuid>(), "00000000-0000-0000-0000-000000000000", [Uuid::nil(), Uuid::max(), known]);
    refuses(
        any::<Uuid>(),
        &[("67e5", "expected a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8, not the word `67e5`")],
    );
    let drawn: Vec<Uuid> = any::<Uuid>().samples(1).take(2000).collect();
    let random = drawn.iter().filter(|uuid| uuid.get_version_num() == 4 && uuid.get_variant() == Variant::RFC4122);
    assert!(random.count() > 600);
    assert!(drawn.contains(&Uuid::nil()) && drawn.contains(&Uuid::max()));
    assert_eq!(
        shrunk(any::<Uuid>(), "67e55044-10b1-426f-9247-bb680e5fe0c8", |uuid| uuid.as_bytes()[8] >= 0x80),
        "00000000-0000-0000-8000-000000000000"
    );
}
