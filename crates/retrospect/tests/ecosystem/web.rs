//! `http` and `url`.

use super::{check, refuses, shrunk};
use retrospect::prelude::*;

#[cfg(feature = "url")]
#[test]
fn urls() {
    use url::Url;
    let texts = [
        "https://ada:secret@docs.example.com:8080/guide/index.html?page=2&x#top",
        "http://a/",
        "http://a//",
        "http://a/b/",
        "http://a/?",
        "http://a/#",
        "http://[2001:db8::1]:80/",
        "http://[2001:db8::1]:81/",
        "http://192.168.0.1/%20",
        "file:///C:/a b",
        "file://host/a",
        "mailto:ada@example.com",
        "data:text/plain,a%20b",
        "foo:/.//a",
        "foo://",
        "foo:",
        "foo://a:1",
        "javascript:alert(1)",
        "http://xn--bcher-kva.example/ü?ü#ü",
    ];
    check(
        any::<Url>(),
        r#"Url { scheme: "http", cannot_be_a_base: false, username: "", password: None, host: Some(Domain("a")), port: None, path: "/", query: None, fragment: None }"#,
        texts.map(|text| Url::parse(text).unwrap()),
    );
    refuses(
        any::<Url>(),
        &[
            ("\"http://a/\"", "expected Url { scheme: …, … }, not a string"),
            (
                r#"Url { scheme: "http", cannot_be_a_base: true, username: "", password: None, host: None, port: None, path: "", query: None, fragment: None }"#,
                "there is no such URL",
            ),
        ],
    );
    let shrink = |text: &str, fails: &dyn Fn(&Url) -> bool| {
        any::<Url>().shrink(Url::parse(text).unwrap(), |url| fails(url)).unwrap().value.to_string()
    };
    assert_eq!(shrink(texts[0], &|url| url.fragment().is_some()), "http://a/#");
    assert_eq!(shrink(texts[0], &|url| url.port().is_some_and(|port| port > 1000)), "http://a:1001/");
    assert_eq!(shrink(texts[0], &|url| url.path().contains("index")), "http://a/index");
    assert_eq!(shrink(texts[0], &|url| url.host_str().is_some_and(|host| host.contains('.'))), "http://127.0.0.1/");
    assert_eq!(shrink("mailto:ada@example.com", &|url| url.cannot_be_a_base()), "mailto:a@a");
    let filled = any::<Url>().fill(
        r#"Url { scheme: _, cannot_be_a_base: _, username: "ada", password: _, host: Some(_), port: Some(7), path: "/x", query: _, fragment: None }"#,
        1,
    );
    let filled = filled.unwrap();
    assert_eq!((filled.username(), filled.port(), filled.path()), ("ada", Some(7), "/x"));
}

/// Slashes that are not part of the path are not in the text that `Debug` prints.
#[cfg(feature = "url")]
#[test]
fn urls_without_a_host_are_read_back() {
    use url::Url;
    let read_back = |url: Url| assert_eq!(any::<Url>().read(&format!("{url:?}")).unwrap(), url);
    for text in ["a:/b", "unix:/run/x", "non-spec:/.//p", "a:b", "file:///a", "http://a//b", "a://b/c", "a://?b"] {
        read_back(Url::parse(text).unwrap());
    }
    any::<Url>().samples(1).take(2_000).for_each(read_back);
}

#[cfg(feature = "http")]
mod of_http {
    use super::*;
    use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version};

    #[test]
    fn methods_codes_and_versions() {
        let others = ["PURGE", "x", "a-b", "M-SEARCH"].map(|name| name.parse().unwrap());
        check(any::<Method>(), "GET", [Method::GET, Method::TRACE].into_iter().chain(others));
        let odd: Method = "_!#$%&'*+.^`|~".parse().unwrap();
        assert_eq!(any::<Method>().replay(&any::<Method>().choices_of(&odd).unwrap()), odd);
        assert_eq!(shrunk(any::<Method>(), "PURGE", |method| !method.is_safe()), "POST");
        assert_eq!(
            shrunk(any::<Method>(), "PURGE", |method| method.as_str().starts_with('P') && *method != Method::PUT),
            "POST"
        );
        check(any::<StatusCode>(), "200", [100, 199, 201, 300, 999].map(|code| StatusCode::from_u16(code).unwrap()));
        refuses(any::<StatusCode>(), &[("99", "expected a status code from 100 to 999, not the number `99`")]);
        assert_eq!(shrunk(any::<StatusCode>(), "418", |code| code.is_client_error()), "400");
        check(any::<Version>(), "HTTP/1.1", [Version::HTTP_09, Version::HTTP_3]);
    }

    #[test]
    fn headers() {
        let longest = HeaderName::from_bytes("a".repeat(65_535).as_bytes()).unwrap();
        assert!(any::<HeaderName>().accepts(&longest));
        let names = ["host", "x-a", "!#$%&'*+.^_`|~"].map(|name| HeaderName::from_bytes(name.as_bytes()).unwrap());
        check(any::<HeaderName>(), "\"accept\"", names);
        let value = |bytes: &[u8]| HeaderValue::from_bytes(bytes).unwrap();
        check(any::<HeaderValue>(), "\"\"", [value(b"a \"b\"\t"), value(b"\x80\xff"), value(b" ")]);
        let mut secret = value(b"s 41");
        secret.set_sensitive(true);
        let again = any::<HeaderValue>().replay(&any::<HeaderValue>().choices_of(&secret).unwrap());
        assert!(again == secret && again.is_sensitive());
        refuses(any::<HeaderName>(), &[("\"a b\"", "expected the name of a header such as \"accept\", not a string")]);

        let mut map = HeaderMap::new();
        for (name, text) in [("b", "1"), ("accept", "2"), ("b", "3")] {
            map.append(name, text.parse().unwrap());
        }
        check(any::<HeaderMap>(), "{}", [map.clone(), HeaderMap::new()]);
        map.remove("b");
        check(any::<HeaderMap>(), "{}", [map]);
        refuses(
            any::<HeaderMap>(),
            &[(
                "{\"a\": \"b\", \"c\": 7}",
                "the part `[1].value`, which is 7: expected the value of a header in quotes, not the number `7`",
            )],
        );
        assert!(any::<HeaderMap>().fill("{\"host\": _}", 1).unwrap().contains_key("host"));
    }

    #[test]
    fn more_names_than_there_is_room_for() {
        let names: Vec<String> = (0..30_000)
            .map(|number| format!("(1:other([{} {} {}]) ([] 0))", number % 30, number / 30 % 30, number / 900))
            .collect();
        let choices: Choices = format!("[{}]", names.join(" ")).parse().unwrap();
        assert_eq!(any::<HeaderMap>().replay(&choices).len(), 24_576);
    }

    #[test]
    fn uris() {
        let texts = [
            "/",
            "*",
            "http://a/",
            "https://docs.example.com:8080/guide/start?page=2",
            "example.com:443",
            "a",
            "/a//b/?",
            "ftp://x/y",
            "http://a:/",
            "/a?b?c",
        ];
        check(any::<Uri>(), "/", texts.map(|text| text.parse().unwrap()));
        for text in ["/a(b)", "http://[::1]/", "/a/../b", "HTTP://A/", "http://u:p@a/b"] {
            let uri: Uri = text.parse().unwrap();
            let again = any::<Uri>().replay(&any::<Uri>().choices_of(&uri).unwrap());
            assert_eq!(again.to_string(), uri.to_string());
        }
        assert_eq!(shrunk(any::<Uri>(), texts[3], |uri| uri.host().is_some()), "a");
        assert_eq!(shrunk(any::<Uri>(), texts[3], |uri| uri.path().contains("start")), "/start");
        refuses(any::<Uri>(), &[("http://", "expected a URI such as http://a/b, not the word `http://`")]);
    }
}
