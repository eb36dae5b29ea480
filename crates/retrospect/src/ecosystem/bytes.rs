//! `bytes`: buffers of bytes.

use super::made_of_parts;
use crate::generator::{Any, VecOf, vec_of};
use ::bytes::{Bytes, BytesMut};

made_of_parts! {
    /// Bytes, as `Vec<u8>` has them: none is the simplest.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use retrospect::prelude::*;
    /// let buffers = any::<Bytes>();
    /// assert_eq!(buffers.read(r#"b"GET /\r\n""#).unwrap(), "GET /\r\n");
    /// let smallest = buffers.shrink(Bytes::from("a=1&b=2"), |bytes| bytes.contains(&b'=')).unwrap();
    /// assert_eq!(smallest.value, "=");
    /// ```
    Bytes {
        parts: lists(),
        make: Bytes::from,
        parts_of: |bytes| bytes.to_vec(),
        read: |sketch| sketch.bytes().map(Bytes::from),
        expected: "a byte string such as b\"abc\"",
    }

    /// Bytes, as `Vec<u8>` has them: none is the simplest.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use retrospect::prelude::*;
    /// let choices = any::<BytesMut>().choices_of(&BytesMut::from("\x03\x01")).unwrap();
    /// assert_eq!(choices.to_string(), "[3 1]");
    /// ```
    BytesMut {
        parts: lists(),
        make: |bytes| BytesMut::from(&bytes[..]),
        parts_of: |bytes| bytes.to_vec(),
        read: |sketch| sketch.bytes().map(|bytes| BytesMut::from(&bytes[..])),
        expected: "a byte string such as b\"abc\"",
    }
}

fn lists() -> VecOf<Any<u8>> {
    vec_of(Any::new(), ..)
}
