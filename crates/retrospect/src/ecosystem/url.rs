//! `url`: URLs.

use super::unexpected;
use super::words::{Alphabet, Drawing, Short, host_labels, joined, labels, query, segments, split};
use crate::choice::Site;
use crate::generator::{
    Any, ElementOf, Generate, Generator, OptionOf, StringOf, VecOf, any, element_of, option_of, string_of,
};
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{DORMANT, Drawn, Source, Why};
use ::url::{Host, Url};
use std::panic::Location;

static URL: Site = Site::pick("url", &["parts", "special", "text"], file!(), line!());

/// URLs: `http://a/` is the simplest.
///
/// Most are drawn by their parts: a scheme of the web, perhaps a user, a host, perhaps a port, a
/// path, perhaps a query and a fragment. Some are of other kinds: files, addresses of machines,
/// mail, data. Every other URL is recalled by its text.
///
/// ```
/// use retrospect::prelude::*;
/// use url::Url;
/// let urls = any::<Url>();
/// assert_eq!(urls.replay(&Choices::default()).as_str(), "http://a/");
/// let pasted = Url::parse("https://ada@docs.example.com:8080/guide/index.html?page=2#top").unwrap();
/// let smallest = urls.shrink(pasted, |url| url.path_segments().is_some_and(|segments| segments.count() > 1)).unwrap();
/// assert_eq!(smallest.value.as_str(), "http://a//");
/// ```
///
/// The text that `Debug` prints is read, and fields in it may be holes:
///
/// ```
/// # use retrospect::prelude::*;
/// # use url::Url;
/// let text = r#"Url { scheme: "http", cannot_be_a_base: false, username: "", password: None,
///     host: Some(Domain("a")), port: _, path: "/b", query: None, fragment: None }"#;
/// let url = any::<Url>().fill(text, 1).unwrap();
/// assert_eq!((url.host_str(), url.path()), (Some("a"), "/b"));
/// ```
impl Generate for Url {
    type Generator = Any<Url>;
    #[inline]
    fn generator() -> Any<Url> {
        Any::new()
    }
}

const WEIGHTS: [u32; 3] = [15, 1, DORMANT];

/// Kinds that have other parts, and hosts that are no names.
const SPECIAL: [&str; 12] = [
    "file:///a",
    "mailto:a@a",
    "data:,a",
    "urn:a:a",
    "about:blank",
    "a:/b",
    "http://localhost/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "https://xn--bcher-kva.example/",
    "http://a/%C3%BC",
    "blob:http://a/b",
];

const USER: Alphabet =
    Alphabet { bytes: b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%", usual: 26, drawn: 67 };

type Words = Short<StringOf<Alphabet>>;
type User = (String, Option<String>);
/// The scheme, the user, the labels of the host and the port; the path, the query and the fragment.
type Parts = ((String, Option<User>, Vec<String>, Option<u16>), (Vec<String>, Option<String>, Option<String>));
type Lists = Short<VecOf<StringOf<Alphabet>>>;
type PartsOf = (
    (ElementOf<Vec<String>>, OptionOf<(Words, OptionOf<Words>)>, Lists, OptionOf<Any<u16>>),
    (Lists, OptionOf<Words>, OptionOf<Words>),
);

fn parts() -> PartsOf {
    let schemes: Vec<String> = ["http", "https", "ws", "wss", "ftp"].map(str::to_owned).into();
    let words = Short(USER.words(1..));
    (
        (element_of(schemes), option_of((words, option_of(words))), host_labels(), option_of(any::<u16>())),
        (segments(Drawing::All), query(Drawing::All), query(Drawing::All)),
    )
}

/// The text of a URL with these parts. Where they make none, because no host has such a name, it is
/// `http://a/`.
fn made(parts: &Parts) -> Url {
    let ((scheme, user, host, port), (segments, query, fragment)) = parts;
    let mut text = format!("{scheme}://");
    if let Some((name, password)) = user {
        text.push_str(name);
        if let Some(password) = password {
            text.push(':');
            text.push_str(password);
        }
        text.push('@');
    }
    text.push_str(&host.join("."));
    if let Some(port) = port {
        text.push_str(&format!(":{port}"));
    }
    text.push_str(&joined(segments));
    for (mark, part) in [('?', query), ('#', fragment)] {
        if let Some(part) = part {
            text.push(mark);
            text.push_str(part);
        }
    }
    Url::parse(&text).unwrap_or_else(|_| parsed("http://a/").expect("it is a URL"))
}

fn parts_of(url: &Url) -> Option<Parts> {
    let password = url.password().map(str::to_owned);
    let user = match (url.username(), password) {
        ("", None) => None,
        (name, password) => Some((name.to_owned(), password)),
    };
    let own = |part: Option<&str>| part.map(str::to_owned);
    Some((
        (url.scheme().to_owned(), user, labels(url.host_str()?), url.port()),
        (split(url.path())?, own(url.query()), own(url.fragment())),
    ))
}

fn parsed(text: &str) -> Option<Url> {
    Url::parse(text).ok()
}

fn texts() -> StringOf<Any<char>> {
    string_of(any::<char>(), ..)
}

impl Generator for Any<Url> {
    type Value = Url;

    fn generate(&self, source: &mut Source<'_>) -> Drawn<Url> {
        source.call(&URL, |source| match source.pick(&URL, &WEIGHTS)? {
            0 => source.part(|source| parts().generate(source)).map(|parts| made(&parts)),
            1 => {
                let text = source.part(|source| element_of(SPECIAL).generate(source))?;
                Ok(parsed(text).expect("it is a URL"))
            }
            _ => {
                let text = source.part(|source| texts().generate(source))?;
                let place = Location::caller();
                parsed(&text).ok_or_else(|| source.stop(Why::FilteredOut { place, refused: 1 }))
            }
        })
    }

    fn reflect(&self, value: &Url, reflector: &mut Reflector) -> Reflected {
        reflector.unknown(|| "a URL can be made in more ways than are looked for".to_owned());
        let by_parts = parts_of(value).filter(|found| parts().accepts(found) && made(found) == *value);
        let body = |reflector: &mut Reflector| {
            if let Some(found) = SPECIAL.iter().find(|text| **text == value.as_str()) {
                reflector.pick(&URL, &WEIGHTS, 1)?;
                return reflector.part(Segment::Whole, |reflector| element_of(SPECIAL).reflect(found, reflector));
            }
            if let Some(found) = &by_parts {
                reflector.pick(&URL, &WEIGHTS, 0)?;
                return reflector.part(Segment::Whole, |reflector| {
                    reflector.on_temporary(|reflector| parts().reflect(found, reflector))
                });
            }
            if parsed(value.as_str()).as_ref() != Some(value) {
                return reflector.mismatch(value, || "its text is that of no URL, or of another".to_owned());
            }
            reflector.pick(&URL, &WEIGHTS, 2)?;
            let text = value.as_str().to_owned();
            reflector
                .part(Segment::Whole, |reflector| reflector.on_temporary(|reflector| texts().reflect(&text, reflector)))
        };
        reflector.call(&URL, || None, std::ptr::from_ref(value).cast(), body)
    }

    fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Url> {
        if sketch.is_hole() {
            return self.generate(source);
        }
        let Some(fields) = sketch.record("Url", &FIELDS) else {
            return Err(unexpected("Url { scheme: …, … }", sketch, source));
        };
        // What a hole leaves open is taken from other URLs, until it fits the rest.
        for _ in 0..if sketch.has_holes() { MOST_TRIES } else { 1 } {
            let mark = source.mark();
            let other =
                if sketch.has_holes() { self.generate(source)? } else { parsed("http://a/").expect("it is a URL") };
            let texts = written(&fields, &other).unwrap_or_default().into_iter();
            let found = texts.filter_map(|text| parsed(&text)).find(|url| sketch.matches_debug(url));
            if let Some(url) = found {
                return Ok(url);
            }
            source.forget(mark);
        }
        Err(source.not_made(sketch.text(), || "there is no such URL".to_owned()))
    }
}

const MOST_TRIES: u32 = 1000;

const FIELDS: [&str; 9] =
    ["scheme", "cannot_be_a_base", "username", "password", "host", "port", "path", "query", "fragment"];

/// Schemes after which two slashes stand even where there is no host.
const WITH_SLASHES: [&str; 6] = ["http", "https", "ws", "wss", "ftp", "file"];

/// The texts of which one is the URL with these fields, the likeliest first: whether there are
/// slashes before the path is not in them. `other` has what is left open.
fn written(fields: &[Sketch<'_>; 9], other: &Url) -> Option<Vec<String>> {
    let [scheme, _, username, password, host, port, path, query, fragment] = fields;
    let text = |field: &Sketch<'_>, otherwise: &str| match field.is_hole() {
        true => Some(otherwise.to_owned()),
        false => field.string(),
    };
    let optional = |field: &Sketch<'_>, otherwise: Option<&str>| match field.tuple("Some") {
        Some([some]) => text(&some, otherwise.unwrap_or("a")).map(Some),
        None if field.is_hole() => Some(otherwise.map(str::to_owned)),
        None => field.tuple::<0>("None").map(|[]| None),
    };
    let (scheme, username, path) =
        (text(scheme, other.scheme())?, text(username, other.username())?, text(path, other.path())?);
    let (password, query, fragment) =
        (optional(password, other.password())?, optional(query, other.query())?, optional(fragment, other.fragment())?);
    let port = match port.tuple("Some") {
        Some([some]) if !some.is_hole() => Some(some.parsed::<u16>()?),
        _ if port.has_holes() => other.port(),
        _ => None,
    };
    let mut authority = username;
    if let Some(password) = password {
        authority.push_str(&format!(":{password}"));
    }
    if !authority.is_empty() {
        authority.push('@');
    }
    let host = read_host(host, other.host_str())?;
    authority.push_str(host.as_deref().unwrap_or_default());
    if let Some(port) = port {
        authority.push_str(&format!(":{port}"));
    }
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    let before_path = match host.is_some() || WITH_SLASHES.contains(&&*scheme) {
        true => vec![format!("//{authority}"), String::new()],
        // A path that begins with two slashes would be a host.
        false => vec![String::new(), "/.".to_owned(), format!("//{authority}")],
    };
    let written = |before_path: &String| format!("{scheme}:{before_path}{path}{query}{fragment}");
    Some(before_path.iter().map(written).collect())
}

/// `None`, or `Some(Domain("a"))`, `Some(Ipv4(127.0.0.1))`, `Some(Ipv6(::1))`, as it stands in a
/// URL.
fn read_host(field: &Sketch<'_>, otherwise: Option<&str>) -> Option<Option<String>> {
    if field.has_holes() {
        return Some(otherwise.map(str::to_owned));
    }
    if field.tuple::<0>("None").is_some() {
        return Some(None);
    }
    let [host] = field.tuple("Some")?;
    let host = match (host.tuple("Domain"), host.tuple("Ipv4"), host.tuple("Ipv6")) {
        (Some([name]), ..) => Host::Domain(name.string()?),
        (_, Some([address]), _) => Host::Ipv4(address.text().parse().ok()?),
        (.., Some([address])) => Host::Ipv6(address.text().parse().ok()?),
        _ => return None,
    };
    Some(Some(host.to_string()))
}
