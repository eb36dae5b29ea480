//! The page itself. `npm run build` in `page/` writes these files; `cargo xtask test` checks that
//! they are what the sources build to.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

pub const INDEX: &str = include_str!("../../page/index.html");
pub const SCRIPT: &str = include_str!("../../page/app.js");
pub const STYLE: &str = include_str!("../../page/app.css");

pub const ASSETS: [Asset; 4] = [
    Asset { path: "/", kind: "text/html; charset=utf-8", text: INDEX },
    Asset { path: "/app.js", kind: "text/javascript; charset=utf-8", text: SCRIPT },
    Asset { path: "/app.css", kind: "text/css; charset=utf-8", text: STYLE },
    Asset { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("../../page/icon.svg") },
];
