//! The address, the routes, who may ask.

use super::answers;
use super::bundle::{ASSETS, Asset};
use super::follow::Followed;
use super::steering::Steering;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Where the page is, if nobody says otherwise.
const PORT: u16 = 7357;
/// So many ports are tried.
const TRIED: u16 = 50;

/// Scripts, styles and data come from here and nowhere else, and nobody may put the page into a
/// frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How the page is served.
#[derive(Debug)]
pub struct Settings {
    /// Whoever has it may run tests.
    pub key: String,
    /// Sources outside of it are not shown.
    pub root: PathBuf,
    /// For `cargo test`.
    pub cargo: Vec<String>,
}

/// What every answer needs.
#[derive(Clone, Debug)]
pub struct Shared {
    pub followed: Followed,
    pub settings: Arc<Settings>,
    pub steering: Steering,
    /// One answer is worked out at a time: they would share the processors anyway, and each needs
    /// room for all cases while it is worked out.
    pub turn: Arc<Semaphore>,
}

/// Takes the port, of this machine alone.
pub fn listen(wanted: Option<u16>) -> Result<TcpListener, String> {
    let bind = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    if let Some(port) = wanted {
        return bind(port).map_err(|error| {
            format!("port {port} cannot be used: {error}\nleave --port out to take the next one that is free")
        });
    }
    let mut problem = String::new();
    for port in PORT..PORT + TRIED {
        match bind(port) {
            Ok(listener) => return Ok(listener),
            Err(error) => problem = error.to_string(),
        }
    }
    // Any that is free.
    bind(0).map_err(|error| format!("no port of this machine can be used: {error} (and before: {problem})"))
}

/// 128 bits that nobody can guess: the standard library seeds its hash maps from the system.
pub fn new_key() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

/// Serves until the process ends.
pub fn serve(listener: TcpListener, followed: Followed, settings: Settings) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let steering = Steering::new(followed.clone());
    let shared = Shared { steering, followed, settings: Arc::new(settings), turn: Arc::new(Semaphore::new(1)) };
    runtime.block_on(async {
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        axum::serve(listener, router(shared, port)).await.map_err(|error| error.to_string())
    })
}

/// All there is to ask for.
fn router(shared: Shared, port: u16) -> Router {
    let mut router = Router::new();
    for asset in ASSETS {
        router = router.route(asset.path, get(move || async move { file(asset) }));
    }
    router
        .route("/api/overview", get(answers::overview))
        .route("/api/view", get(answers::view))
        .route("/api/grid", get(answers::grid))
        .route("/api/examples", get(answers::examples))
        .route("/api/line", get(answers::line))
        .route("/api/compare", get(answers::compare))
        .route("/api/source", get(answers::source))
        .route("/api/events", get(answers::events))
        .route("/api/steering", get(answers::steering))
        .route("/api/steer", post(answers::steer))
        .route("/api/keep", post(answers::keep))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(middleware::from_fn_with_state(port, guard))
        .with_state(shared)
}

fn file(asset: Asset) -> Response {
    ([(header::CONTENT_TYPE, asset.kind)], asset.text).into_response()
}

/// Answers only what was asked of this address, by a page of this address or by no page.
async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), port) {
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

/// A page of another origin may make a browser ask us, and a name of its own may lead here.
fn refusal(headers: &HeaderMap, port: u16) -> Option<&'static str> {
    let own = |host: &str| ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| host == format!("{name}:{port}"));
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if !text("host").is_some_and(own) {
        return Some("this page is served to this machine alone, by the address that was printed");
    }
    if headers.get_all("host").iter().count() > 1 {
        return Some("there is more than one Host");
    }
    if text("origin").is_some_and(|origin| !origin.strip_prefix("http://").is_some_and(own)) {
        return Some("pages of other origins may not ask");
    }
    // Links from elsewhere may lead to the page, but nothing else.
    if text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"))
        && text("sec-fetch-mode") != Some("navigate")
    {
        return Some("pages of other origins may not ask");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(headers: &[(&'static str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        refusal(&map, 7357).is_some()
    }

    #[test]
    fn only_this_machine_and_its_own_page_may_ask() {
        assert!(!refused(&[("host", "127.0.0.1:7357")]));
        assert!(!refused(&[("host", "localhost:7357"), ("origin", "http://localhost:7357")]));
        assert!(refused(&[]));
        assert!(refused(&[("host", "evil.example:7357")]));
        assert!(refused(&[("host", "127.0.0.1")]));
        assert!(refused(&[("host", "127.0.0.1:7358")]));
        assert!(refused(&[("host", "127.0.0.1:7357"), ("host", "evil.example")]));
        assert!(refused(&[("host", "127.0.0.1:7357"), ("origin", "http://evil.example")]));
        assert!(refused(&[("host", "127.0.0.1:7357"), ("origin", "null")]));
        assert!(refused(&[("host", "127.0.0.1:7357"), ("origin", "https://127.0.0.1:7357")]));
        assert!(refused(&[
            ("host", "127.0.0.1:7357"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "no-cors")
        ]));
        assert!(!refused(&[
            ("host", "127.0.0.1:7357"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate")
        ]));
    }

    #[test]
    fn a_port_that_is_taken_is_said_or_passed_over() {
        let taken = listen(Some(0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let problem = listen(Some(port)).unwrap_err();
        assert!(problem.starts_with(&format!("port {port} cannot be used: ")), "{problem}");
        assert!(problem.contains("leave --port out"));
        let (first, second) = (listen(None).unwrap(), listen(None).unwrap());
        assert_ne!(first.local_addr().unwrap(), second.local_addr().unwrap());
        assert!(first.local_addr().unwrap().ip().is_loopback());
    }

    #[test]
    fn keys_differ() {
        let (one, other) = (new_key(), new_key());
        assert_ne!(one, other);
        assert_eq!(one.len(), 32);
    }
}
