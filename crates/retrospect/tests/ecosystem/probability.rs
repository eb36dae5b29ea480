//! How likely the values of other crates' types are.

use crate::sampled::check;
use retrospect::prelude::*;

#[test]
#[cfg(feature = "bytes")]
fn bytes() {
    check! { [1]; any::<bytes::Bytes>(); any::<bytes::BytesMut>(); }
}

#[test]
#[cfg(feature = "chrono")]
fn chrono() {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
    check! { [100];
        any::<NaiveDate>(); any::<NaiveTime>(); any::<NaiveDateTime>(); any::<FixedOffset>();
        any::<DateTime<Utc>>(); any::<DateTime<FixedOffset>>(); any::<chrono::Weekday>(); any::<chrono::Month>();
    }
    // What is beyond the ends becomes the end.
    assert!(any::<TimeDelta>().ways_of(&TimeDelta::zero()).probability().is_ok());
    assert!(any::<TimeDelta>().ways_of(&TimeDelta::MAX).probability().unwrap_err().reason().contains("more ways"));
}

#[test]
#[cfg(feature = "http")]
fn http() {
    use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version};
    check! { [1, 20]; any::<Method>(); any::<StatusCode>(); any::<HeaderName>(); any::<HeaderValue>(); any::<Version>(); }
    check! { [1]; any::<HeaderMap>(); }
    // A word that happens to be a name.
    assert!(any::<Method>().ways_of(&Method::GET).count().to_string() == "2");
    let error = any::<Uri>().ways_of(&Uri::from_static("/")).probability().unwrap_err();
    assert_eq!(error.reason(), "a URI can be made in more ways than are looked for");
    let mut headers = HeaderMap::new();
    headers.append("a", HeaderValue::from_static("1"));
    headers.append("b", HeaderValue::from_static("2"));
    assert!(any::<HeaderMap>().ways_of(&headers).probability().unwrap_err().reason().contains("other orders"));
}

#[test]
#[cfg(feature = "jiff")]
fn jiff() {
    use jiff::civil::{Date, DateTime, Time, Weekday};
    use jiff::{SignedDuration, Span, Timestamp, tz::Offset};
    check! { [100]; any::<Date>(); any::<Time>(); any::<DateTime>(); any::<Offset>(); any::<Weekday>(); }
    // What is beyond the ends becomes the end, and nothing has no sign.
    assert!(any::<Timestamp>().ways_of(&Timestamp::UNIX_EPOCH).probability().is_ok());
    assert!(any::<Timestamp>().ways_of(&Timestamp::MAX).probability().unwrap_err().reason().contains("more ways"));
    assert!(any::<SignedDuration>().ways_of(&SignedDuration::from_secs(-1)).probability().is_ok());
    assert!(
        any::<SignedDuration>()
            .ways_of(&SignedDuration::ZERO)
            .probability()
            .unwrap_err()
            .reason()
            .contains("more ways")
    );
    assert!(any::<Span>().ways_of(&Span::new().days(1)).probability().is_ok());
    assert!(any::<Span>().ways_of(&Span::new()).probability().unwrap_err().reason().contains("more ways"));
}

#[test]
#[cfg(feature = "rust_decimal")]
fn rust_decimal() {
    check! { [100]; any::<rust_decimal::Decimal>(); }
}

#[test]
#[cfg(feature = "serde_json")]
fn serde_json() {
    use serde_json::{Map, Number, Value};
    check! { [0, 1, 3, 8]; any::<Number>(); }
    check! { [0, 1, 3]; any::<Value>(); }
    check! { [0, 1]; any::<Map<String, Value>>(); }
}

#[test]
#[cfg(feature = "url")]
fn url() {
    let url = url::Url::parse("http://a/").unwrap();
    let error = any::<url::Url>().ways_of(&url).probability().unwrap_err();
    assert_eq!(error.reason(), "a URL can be made in more ways than are looked for");
}

#[test]
#[cfg(feature = "uuid")]
fn uuid() {
    check! { [100]; any::<uuid::Uuid>(); }
}
