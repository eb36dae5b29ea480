//! The few shapes that the figures are drawn with.

use std::fmt::Write;

/// What was drawn so far.
#[derive(Default)]
pub(crate) struct Svg(String);

impl Svg {
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, size: f64, colour: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
        );
    }

    /// A square that explains a colour.
    pub fn bar(&mut self, x: f64, y: f64, side: f64, colour: &str) {
        let _ =
            writeln!(self.0, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side}\" height=\"{side}\" fill=\"{colour}\"/>");
    }

    pub fn rectangle(&mut self, x: f64, y: f64, width: f64, colour: &str) {
        let _ =
            writeln!(self.0, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"8\" fill=\"{colour}\"/>");
    }

    pub fn line(&mut self, x: f64, top: f64, bottom: f64) {
        let _ = writeln!(
            self.0,
            "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#e3e3e3\"/>"
        );
    }

    /// The whole document, on white.
    pub fn document(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            self.0
        )
    }
}
