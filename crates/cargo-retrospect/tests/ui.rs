//! The server of the page: the real program, spoken to by hand.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server on a port of its own, which ends with this value.
struct Server {
    child: Child,
    address: String,
    key: String,
}

impl Server {
    fn start(paths: &[&Path], root: &Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-retrospect"));
        command.args(["ui", "--no-open", "--port", "0", "--root"]).arg(root).args(paths).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let (address, key) = said.trim().strip_prefix("http://").unwrap().split_once("/#key=").unwrap();
        let server = Server { child, address: address.to_owned(), key: key.to_owned() };
        // Until all is read.
        while !server.get("/api/overview").1.contains("\"loaded\":true") {
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Sends these bytes and nothing more.
    fn send_only(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends these bytes, and gives the status and the body.
    fn send(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // It may have answered and closed before it has read all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, body.to_owned())
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let (host, length) = (&self.address, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.send(request.as_bytes())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.request("GET", path, "", "")
    }

    fn post(&self, path: &str, key: &str, body: &str) -> (u16, String) {
        let headers = format!("Content-Type: application/json\r\nX-Retrospect-Key: {key}\r\n");
        self.request("POST", path, &headers, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(property: &str, n: usize) -> String {
    format!(
        "{{\"type\":\"test_case\",\"property\":\"{property}\",\"run_start\":1.5,\"status\":\"passed\",\"status_reason\":\"\",\
         \"representation\":\"value {n}\",\"arguments\":{{}},\"how_generated\":\"random\",\"features\":{{\"n\":{n}}},\
         \"coverage\":{{\"src/lib.rs\":[1]}},\"timing\":{{}},\"metadata\":{{}}}}\n"
    )
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn bad_requests_are_refused_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/lib.rs"), "fn inside() {}\n").unwrap();
    fs::write(folder.path().join("secret.rs"), "secret").unwrap();
    let file = root.join("a.jsonl");
    fs::write(&file, (0..50).map(|n| line("p", n)).collect::<String>()).unwrap();
    let server = Server::start(&[&file], &root);

    // Who asks.
    let with_host = |host: &str| {
        server.send(format!("GET /api/overview HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
    };
    assert_eq!(with_host(&server.address).0, 200);
    assert_eq!(with_host("evil.example").0, 403);
    assert_eq!(with_host("127.0.0.1").0, 403);
    assert_ne!(server.send(b"GET /api/overview HTTP/1.1\r\nConnection: close\r\n\r\n").0, 200);
    assert_eq!(server.request("GET", "/api/overview", "Origin: http://evil.example\r\n", "").0, 403);

    // What is asked.
    assert!(server.get("/api/view?property=p").1.contains("\"generated\":50"));
    for (query, status) in [
        ("property=none", 404),
        ("property=p&run=99", 404),
        ("property=p&run=soon", 400),
        ("property=p&filters=nonsense", 400),
        ("property=p&most=-1", 400),
        ("", 404),
    ] {
        assert_eq!(server.get(&format!("/api/view?{query}")).0, status, "{query}");
    }
    // Filters that make no sense meet no case, and break nothing.
    for filter in [
        r#"[{"on":"range","name":"n","ranges":[[9e999,-9e999],[5,1]],"special":["?"]}]"#,
        r#"[{"on":"feature","name":"none","values":["x"]}]"#,
        r#"[{"on":"cases","from":99999999999,"to":0}]"#,
        r#"[{"on":"line","file":"../secret.rs","line":4294967295}]"#,
        r#"[{"on":"cluster","id":"zz"}]"#,
        r#"[{"on":"status","values":["fish"]}]"#,
        r#"[{"on":"time","ranges":[]}]"#,
    ] {
        let (status, body) = server.get(&format!("/api/view?property=p&filters={}", encoded(filter)));
        assert!(status == 400 || body.contains("\"selected\":{\"generated\":0"), "{filter}: {status} {body}");
    }
    assert_eq!(server.get("/api/line?property=p&case=50").0, 404);
    assert!(server.get("/api/line?property=p&case=49").1.contains("value 49"));
    assert_eq!(server.get("/api/grid?property=p&x=n&y=none").0, 404);
    assert!(server.get("/api/examples?property=p&offset=18446744073709551615&limit=9").1.contains("\"examples\":[]"));
    assert_eq!(server.get("/api/examples?property=p&order=sideways").0, 400);

    // Files.
    assert!(server.get("/api/source?property=p&file=src/lib.rs").1.contains("fn inside"));
    for file in ["../secret.rs", "src/../../secret.rs", "a.jsonl", "/etc/passwd"] {
        assert_eq!(server.get(&format!("/api/source?property=p&file={file}")).0, 404, "{file}");
    }
    for path in ["/a.jsonl", "/src/lib.rs", "/../secret.rs", "/%2e%2e/secret.rs", "//etc/passwd", "/api", "/api/none"] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }

    // Running tests.
    let wish = r#"{"property":"p","direction":"more"}"#;
    assert_eq!(server.request("POST", "/api/steer", "Content-Type: application/json\r\n", wish).0, 403);
    assert_eq!(server.post("/api/steer", "", wish).0, 403);
    assert_eq!(server.post("/api/steer", &server.key[1..], wish).0, 403);
    assert_eq!(server.get("/api/steer").0, 405);
    let (status, body) = server.post("/api/steer", &server.key, wish);
    assert_eq!((status, body.contains("only tests of retrospect can be steered")), (409, true), "{body}");
    assert_eq!(server.post("/api/steer", &server.key, "{").0, 400);
    assert_eq!(server.post("/api/keep", &server.key, r#"{"property":"p"}"#).0, 409);

    // What is no request at all.
    for bytes in [&b"\0\xff\xfe\r\n\r\n"[..], b"GET", b"\r\n\r\n", &[b'x'; 200_000]] {
        let answer = server.send_only(bytes);
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    assert!(server.post("/api/steer", &server.key, &"[".repeat(100_000)).0 >= 400);
    assert_eq!(server.get("/api/overview").0, 200);
}

/// The file says where its crate is; cargo is not run in a place that was not given.
#[test]
fn a_crate_outside_of_the_root_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
    fs::create_dir_all(root.join("events")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("Cargo.toml"), "[package]").unwrap();
    fs::write(root.join("a.jsonl"), line("p", 1)).unwrap();
    let started = format!(
        "{{\"event\":\"run_started\",\"property\":\"p\",\"run_start\":1.5,\"test\":\"t\",\"crate_directory\":{:?}}}\n",
        outside.display().to_string()
    );
    fs::write(root.join("events/a.jsonl"), started).unwrap();
    let server = Server::start(&[&root], &root);
    let (status, body) = server.post("/api/steer", &server.key, r#"{"property":"p","direction":"fewer"}"#);
    assert_eq!((status, body.contains("is not a crate in")), (409, true), "{body}");
}

#[test]
fn without_a_browser_the_address_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-retrospect"));
    command.args(["ui", "--port", "0"]).arg(folder.path()).stdout(Stdio::piped());
    // Nothing to open it with, and nowhere to.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("PATH", "");
    let mut child = command.spawn().unwrap();
    let said: Vec<String> =
        BufReader::new(child.stdout.as_mut().unwrap()).lines().take(4).map(|line| line.unwrap()).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said[0].starts_with("http://127.0.0.1:") && said[0].contains("/#key="), "{said:?}");
    assert_eq!(said[1], format!("  shows {}", folder.path().display()));
    assert_eq!(said[2..], ["  ends with Ctrl-C", "  no browser was found: open the address above"]);
}

#[test]
fn what_cannot_be_served_says_why() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-retrospect")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.jsonl").display().to_string();
    assert_eq!(
        run(&["ui", "--no-open", &missing]),
        (
            Some(2),
            format!(
                "error: {missing} is not there: name a file of observations (*.jsonl), or a directory with such files\n"
            )
        )
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let here = folder.path().display().to_string();
    let (code, said) = run(&["ui", "--no-open", "--port", &port, &here]);
    assert_eq!(code, Some(2));
    assert!(said.starts_with(&format!("error: port {port} cannot be used: ")), "{said}");
    let (code, said) = run(&["report", &here, "-o", &missing]);
    assert_eq!(
        (code, said),
        (Some(2), format!("error: there are no cases in {here}: run `cargo retrospect test` first\n"))
    );
}
