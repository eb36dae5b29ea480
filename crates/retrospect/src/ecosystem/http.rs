//! `http`: methods, status codes, versions, headers and URIs.

use super::numbers::{Numbers, favouring};
use super::words::{Alphabet, Drawing, Short, host_labels, joined, labels, query, segments, split};
use super::{made_of_parts, unexpected};
use crate::choice::Site;
use crate::generator::bools::leaf_picks;
use crate::generator::{
    Any, Generate, Generator, OptionOf, StringOf, VecOf, any, element_of, option_of, string_of, vec_of,
};
use crate::generator::{Facts, Wanted};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Distribution, Drawn, Form, Source, Why};
use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version};
use std::panic::Location;

made_of_parts! {
    /// Methods: `GET` is the simplest. One in eight is none of the nine that are well known.
    ///
    /// Those with other characters than letters, digits and `-` are recalled, but not drawn.
    ///
    /// ```
    /// use http::Method;
    /// use retrospect::prelude::*;
    /// let methods = any::<Method>();
    /// assert_eq!(methods.replay(&Choices::default()), Method::GET);
    /// assert_eq!(methods.choices_of(&Method::POST).unwrap().to_string(), "2:POST");
    /// assert_eq!(methods.read("PURGE").unwrap().as_str(), "PURGE");
    /// ```
    Method {
        parts: MethodName,
        make: |name| Method::from_bytes(name.as_bytes()).unwrap_or_default(),
        parts_of: |method| method.as_str().to_owned(),
        read: |sketch| Method::from_bytes(sketch.text().as_bytes()).ok(),
        expected: "a method such as GET",
    }

    /// Status codes from 100 to 999: 200 is the simplest. Half are well known.
    ///
    /// ```
    /// use http::StatusCode;
    /// use retrospect::prelude::*;
    /// let codes = any::<StatusCode>();
    /// assert_eq!(codes.replay(&Choices::default()), StatusCode::OK);
    /// assert_eq!(codes.shrink(StatusCode::BAD_GATEWAY, |code| code.is_server_error()).unwrap().value, 500);
    /// ```
    StatusCode {
        parts: CODES,
        make: |code| StatusCode::from_u16(code as u16).unwrap_or_default(),
        parts_of: |code| i64::from(code.as_u16()),
        read: |sketch| StatusCode::from_u16(sketch.parsed()?).ok(),
        expected: "a status code from 100 to 999",
    }

    /// Names of headers: `accept` is the simplest. Three in four are well known, the others are
    /// words of what may stand in a name.
    ///
    /// ```
    /// use http::HeaderName;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<HeaderName>().replay(&Choices::default()), "accept");
    /// assert!(any::<HeaderName>().accepts(&HeaderName::from_static("x-request-id")));
    /// ```
    HeaderName {
        parts: Name,
        make: |name| HeaderName::from_bytes(name.as_bytes()).unwrap_or(::http::header::ACCEPT),
        parts_of: |name| name.as_str().to_owned(),
        read: |sketch| HeaderName::from_bytes(&sketch.bytes()?).ok(),
        expected: "the name of a header such as \"accept\"",
    }

    /// Values of headers: an empty one is the simplest, letters are simpler than other characters.
    ///
    /// Most are visible ASCII; all other bytes that may stand in a value are drawn as well, but for
    /// `\`, which `Debug` does not mark as such: values with one are not recalled either. Sensitive
    /// values are recalled, not drawn: `Debug` hides them.
    ///
    /// ```
    /// use http::HeaderValue;
    /// use retrospect::prelude::*;
    /// let values = any::<HeaderValue>();
    /// let smallest = values.shrink(HeaderValue::from_static("text/html; q=0.8"), |value| value.to_str().is_ok_and(|text| text.contains(';')));
    /// assert_eq!(smallest.unwrap().value, ";");
    /// ```
    HeaderValue {
        parts: (VALUE_BYTES.words(..), Numbers::up_from(0, 1, Distribution::Always(0))),
        make: |(text, is_sensitive)| {
            let bytes: Vec<u8> = text.chars().map(|character| character as u8).collect();
            let mut value = HeaderValue::from_bytes(&bytes).unwrap_or(HeaderValue::from_static(""));
            value.set_sensitive(is_sensitive == 1);
            value
        },
        parts_of: |value| {
            let text: String = value.as_bytes().iter().copied().map(char::from).collect();
            (text, i64::from(value.is_sensitive()))
        },
        read: |sketch| HeaderValue::from_bytes(&sketch.bytes()?).ok(),
        expected: "the value of a header in quotes",
    }
}

static METHOD: Site = Site::pick(
    "method",
    &["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "other"],
    file!(),
    line!(),
);
const OTHER_METHOD: usize = 9;
const METHOD_WEIGHTS: [u32; 10] = [7, 7, 7, 7, 7, 7, 7, 7, 7, 9];

/// What may stand in the name of a method. From `_` on a name could not be told from something else
/// in the text of a value.
const METHOD_BYTES: Alphabet = Alphabet {
    bytes: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!#$%&'*+^`|~",
    usual: 26,
    drawn: 63,
};

/// The name of a method.
struct MethodName;

impl Generator for MethodName {
    type Value = String;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<String> {
        source.call(&METHOD, |source| match source.pick(&METHOD, &METHOD_WEIGHTS)? {
            OTHER_METHOD => source.part(|source| Short(METHOD_BYTES.words(1..)).generate(source)),
            arm => Ok(METHOD.labels()[arm].to_owned()),
        })
    }

    #[inline]
    fn reflect(&self, value: &String, reflector: &mut Reflector) -> Reflected {
        let known = METHOD.labels()[..OTHER_METHOD].iter().position(|label| label == value);
        // A word may happen to be one that is known.
        let ways: Vec<usize> = known.into_iter().chain([OTHER_METHOD]).collect();
        let body = |reflector: &mut Reflector| {
            reflector.ways(ways.len(), |reflector, way| {
                reflector.pick(&METHOD, &METHOD_WEIGHTS, ways[way])?;
                match ways[way] {
                    OTHER_METHOD => {
                        let words = Short(METHOD_BYTES.words(1..));
                        reflector.part(Segment::Whole, |reflector| words.reflect(value, reflector))
                    }
                    _ => Ok(()),
                }
            })
        };
        reflector.call(&METHOD, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<String> {
        self.generate(source)
    }
}

const CODES: Numbers = favouring!(100..=999 from 200: &[
    100, 101, 103, 199, 200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 399, 400, 401, 403, 404, 405, 409, 410,
    412, 418, 422, 429, 451, 499, 500, 501, 502, 503, 504, 511, 599, 600, 999,
]);

leaf_picks! {
    /// `HTTP/1.1` is the simplest; all as likely.
    ///
    /// ```
    /// use http::Version;
    /// use retrospect::prelude::*;
    /// assert_eq!(any::<Version>().replay(&Choices::default()), Version::HTTP_11);
    /// assert_eq!(any::<Version>().read("HTTP/2.0").unwrap(), Version::HTTP_2);
    /// ```
    Version, VERSION = "Version" {
        "HTTP/1.1" => Version::HTTP_11,
        "HTTP/2.0" => Version::HTTP_2,
        "HTTP/3.0" => Version::HTTP_3,
        "HTTP/1.0" => Version::HTTP_10,
        "HTTP/0.9" => Version::HTTP_09,
    }
}

static NAME: Site = Site::pick("header_name", &["known", "other"], file!(), line!());
const NAME_WEIGHTS: [u32; 2] = [3, 1];

const KNOWN_NAMES: [&str; 24] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "etag",
    "expect",
    "host",
    "if-none-match",
    "location",
    "origin",
    "range",
    "referer",
    "set-cookie",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-forwarded-for",
];

const NAME_BYTES: Alphabet =
    Alphabet { bytes: b"abcdefghijklmnopqrstuvwxyz0123456789-_.!#$%&'*+^`|~", usual: 37, drawn: 51 };

/// The name of a header.
struct Name;

impl Generator for Name {
    type Value = String;

    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<String> {
        source.call(&NAME, |source| match source.pick(&NAME, &NAME_WEIGHTS)? {
            0 => source.part(|source| element_of(KNOWN_NAMES).generate(source)).map(str::to_owned),
            _ => source.part(|source| NAME_BYTES.words(1..).generate(source)),
        })
    }

    #[inline]
    fn reflect(&self, value: &String, reflector: &mut Reflector) -> Reflected {
        let known = KNOWN_NAMES.iter().find(|name| *name == value);
        // A word may happen to be one that is known.
        let body = |reflector: &mut Reflector| {
            reflector.ways(NAME_WEIGHTS.len(), |reflector, arm| match (arm, known) {
                (0, None) => reflector.mismatch(value, || "it is none of the names that are known".to_owned()),
                (0, Some(name)) => {
                    reflector.pick(&NAME, &NAME_WEIGHTS, 0)?;
                    reflector.part(Segment::Whole, |reflector| element_of(KNOWN_NAMES).reflect(name, reflector))
                }
                _ => {
                    reflector.pick(&NAME, &NAME_WEIGHTS, 1)?;
                    let words = NAME_BYTES.words(1..);
                    reflector.part(Segment::Whole, |reflector| words.reflect(value, reflector))
                }
            })
        };
        reflector.call(&NAME, || None, std::ptr::null(), body)
    }

    #[inline]
    fn complete(&self, _sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<String> {
        self.generate(source)
    }
}

/// The bytes of values: letters, digits, the space, other visible ASCII, the tab, what is beyond
/// ASCII. `Debug` does not mark a `\`, so that a value with one reads as another.
const fn value_bytes() -> [u8; 223] {
    let mut bytes = [0; 223];
    let first = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ";
    let mut count = 0;
    while count < first.len() {
        bytes[count] = first[count];
        count += 1;
    }
    let mut byte = b' ' + 1;
    while byte < 0x7f {
        if !byte.is_ascii_alphanumeric() && byte != b'\\' {
            bytes[count] = byte;
            count += 1;
        }
        byte += 1;
    }
    bytes[count] = b'\t';
    count += 1;
    let mut byte = 0x80u16;
    while byte <= 0xff {
        bytes[count] = byte as u8;
        count += 1;
        byte += 1;
    }
    bytes
}

static VALUES: [u8; 223] = value_bytes();
static VALUE_BYTES: Alphabet = Alphabet { bytes: &VALUES, usual: 94, drawn: 223 };

/// Headers in the order in which they stand in the map, names with several values included: none is
/// the simplest.
///
/// ```
/// use http::HeaderMap;
/// use retrospect::prelude::*;
/// let headers = any::<HeaderMap>().read(r#"{"accept": "a", "accept": "b", "x-id": "7"}"#).unwrap();
/// assert_eq!(headers.get_all("accept").iter().count(), 2);
/// let smallest = any::<HeaderMap>().shrink(headers, |headers| headers.len() > headers.keys_len()).unwrap();
/// assert_eq!(format!("{:?}", smallest.value), r#"{"accept": "", "accept": ""}"#);
/// ```
impl Generate for HeaderMap {
    type Generator = Any<HeaderMap>;
    #[inline]
    fn generator() -> Any<HeaderMap> {
        Any::new()
    }
}

fn entries() -> VecOf<(Any<HeaderName>, Any<HeaderValue>)> {
    vec_of((Any::new(), Any::new()), ..)
}

impl Generator for Any<HeaderMap> {
    type Value = HeaderMap;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<HeaderMap> {
        let mut headers = HeaderMap::new();
        for (name, value) in entries().generate(source)? {
            // A map has room for 24,576 names; those that come after are left out.
            let _ = headers.try_append(name, value);
        }
        Ok(headers)
    }

    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts::ONE_NODE.known(self, wanted, || (Form::Unknown, None))
    }

    fn reflect(&self, value: &HeaderMap, reflector: &mut Reflector) -> Reflected {
        let found: Vec<(HeaderName, HeaderValue)> =
            value.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        if found.len() > 1 {
            reflector.unknown(|| "headers may be added in other orders than the one that is looked at".to_owned());
        }
        reflector.on_temporary(|reflector| entries().reflect(&found, reflector))
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<HeaderMap> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(entries) = sketch.map_entries() else {
            return Err(unexpected("a map of headers", sketch, source));
        };
        let mut headers = HeaderMap::new();
        for (place, (name, value)) in entries.enumerate() {
            let name = source.at(Segment::Key(place), |source| any::<HeaderName>().complete(&name, source))?;
            let value = source.at(Segment::Value(place), |source| any::<HeaderValue>().complete(&value, source))?;
            if headers.try_append(name, value).is_err() {
                return Err(source.not_made(sketch.text(), || "it has more names than a map has room for".to_owned()));
            }
        }
        Ok(headers)
    }
}

static URI: Site = Site::pick("uri", &["path", "absolute", "authority", "asterisk", "text"], file!(), line!());
const URI_WEIGHTS: [u32; 5] = [6, 6, 2, 1, DORMANT];

/// URIs as requests have them: a path with perhaps a query, of which `/` is the simplest; with a
/// scheme and an authority before it; an authority alone; or `*`. Every other URI is recalled by
/// its text.
///
/// What is drawn has only characters that stand in a bare word of the text of a value, since
/// `Debug` prints a URI without quotes. Others are not read, if brackets, commas or quotes are
/// among them.
///
/// ```
/// use http::Uri;
/// use retrospect::prelude::*;
/// let uris = any::<Uri>();
/// assert_eq!(uris.replay(&Choices::default()), "/");
/// let pasted = Uri::from_static("https://docs.example.com:8080/guide/start?page=2");
/// assert_eq!(uris.shrink(pasted, |uri| uri.query().is_some()).unwrap().value, "/?");
/// ```
impl Generate for Uri {
    type Generator = Any<Uri>;
    #[inline]
    fn generator() -> Any<Uri> {
        Any::new()
    }
}

type Words = Short<StringOf<Alphabet>>;
type Lists = Short<VecOf<StringOf<Alphabet>>>;

fn paths() -> (Lists, OptionOf<Words>) {
    (segments(Drawing::Bare), query(Drawing::Bare))
}

fn authorities() -> (Lists, OptionOf<Any<u16>>) {
    (host_labels(), option_of(any::<u16>()))
}

fn texts() -> StringOf<Any<char>> {
    string_of(any::<char>(), ..)
}

fn path_text((segments, query): &(Vec<String>, Option<String>)) -> String {
    let query = query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    joined(segments) + &query
}

fn authority_text((labels, port): &(Vec<String>, Option<u16>)) -> String {
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    labels.join(".") + &port
}

impl Generator for Any<Uri> {
    type Value = Uri;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Uri> {
        source.call(&URI, |source| {
            let text = match source.pick(&URI, &URI_WEIGHTS)? {
                0 => path_text(&source.part(|source| paths().generate(source))?),
                1 => {
                    let scheme = source.part(|source| element_of(["http", "https"]).generate(source))?;
                    let authority = authority_text(&source.part(|source| authorities().generate(source))?);
                    let path = path_text(&source.part(|source| paths().generate(source))?);
                    format!("{scheme}://{authority}{path}")
                }
                2 => authority_text(&source.part(|source| authorities().generate(source))?),
                3 => "*".to_owned(),
                _ => {
                    let text = source.part(|source| texts().generate(source))?;
                    let place = Location::caller();
                    return text.parse().map_err(|_| source.stop(Why::FilteredOut { place, refused: 1 }));
                }
            };
            Ok(text.parse().unwrap_or_default())
        })
    }

    fn reflect(&self, value: &Uri, reflector: &mut Reflector) -> Reflected {
        reflector.unknown(|| "a URI can be made in more ways than are looked for".to_owned());
        let text = value.to_string();
        let body = |reflector: &mut Reflector| match Found::in_uri(value, &text) {
            Some(found) => found.reflect(reflector),
            None if !text.parse::<Uri>().is_ok_and(|uri| uri.to_string() == text) => {
                reflector.mismatch(value, || "its text is that of no URI, or of another".to_owned())
            }
            None => {
                reflector.pick(&URI, &URI_WEIGHTS, 4)?;
                reflector.part(Segment::Whole, |reflector| {
                    reflector.on_temporary(|reflector| texts().reflect(&text, reflector))
                })
            }
        };
        reflector.call(&URI, || None, std::ptr::from_ref(value).cast(), body)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Uri> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        sketch.text().parse().map_err(|_| unexpected("a URI such as http://a/b", sketch, source))
    }
}

/// The parts of a URI.
struct Found {
    scheme: Option<String>,
    authority: Option<(Vec<String>, Option<u16>)>,
    path: Option<(Vec<String>, Option<String>)>,
}

impl Found {
    /// None if parts do not make exactly this text.
    fn in_uri(uri: &Uri, text: &str) -> Option<Found> {
        let scheme = uri.scheme_str().map(str::to_owned);
        if scheme.as_deref().is_some_and(|scheme| !matches!(scheme, "http" | "https")) {
            return None;
        }
        let authority = uri.authority().map(|authority| (labels(authority.host()), authority.port_u16()));
        let path = match (uri.path_and_query(), text) {
            (_, "*") | (None, _) => None,
            (Some(path), _) => Some((split(path.path())?, path.query().map(str::to_owned))),
        };
        let mut made = scheme.as_ref().map(|scheme| format!("{scheme}://")).unwrap_or_default();
        made += &authority.as_ref().map(authority_text).unwrap_or_default();
        made += &path.as_ref().map(path_text).unwrap_or_default();
        let is_made = authority.as_ref().is_none_or(|authority| authorities().accepts(authority))
            && path.as_ref().is_none_or(|path| paths().accepts(path))
            && (made == text || text == "*");
        is_made.then_some(Found { scheme, authority, path })
    }

    fn reflect(&self, reflector: &mut Reflector) -> Reflected {
        let arm = match (&self.scheme, &self.authority, &self.path) {
            (Some(_), Some(_), Some(_)) => 1,
            (None, Some(_), None) => 2,
            (None, None, Some(_)) => 0,
            _ => 3,
        };
        reflector.pick(&URI, &URI_WEIGHTS, arm)?;
        reflector.on_temporary(|reflector| {
            if let Some(scheme) = &self.scheme {
                let schemes = element_of(["http", "https"].map(str::to_owned));
                reflector.part(Segment::Field("scheme"), |reflector| schemes.reflect(scheme, reflector))?;
            }
            if let Some(authority) = &self.authority {
                let generator = authorities();
                reflector.part(Segment::Field("authority"), |reflector| generator.reflect(authority, reflector))?;
            }
            if let Some(path) = &self.path {
                reflector.part(Segment::Field("path"), |reflector| paths().reflect(path, reflector))?;
            }
            Ok(())
        })
    }
}
