//! Opening the browser.

use std::process::{Command, Stdio};

/// Tries to show the address; false if there is nothing to show it with.
pub fn open(url: &str) -> bool {
    let openers: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
        // A browser in the terminal would take it over.
        &[]
    } else {
        &[&["xdg-open"], &["gio", "open"], &["x-www-browser"]]
    };
    let starts = |opener: &&[&str]| {
        let mut command = Command::new(opener[0]);
        command.args(&opener[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    };
    openers.iter().any(starts)
}
