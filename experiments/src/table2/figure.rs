//! Line charts, as the figures 5 and 6 of the paper.

use std::fmt::Write;

/// One chart: its lines, each with a name, a colour and points.
#[derive(Debug)]
pub struct Chart {
    pub title: String,
    pub across: &'static str,
    pub lines: Vec<Line>,
}

#[derive(Debug)]
pub struct Line {
    pub name: String,
    pub colour: &'static str,
    pub is_dashed: bool,
    pub points: Vec<(f64, f64)>,
}

pub const COLOURS: [&str; 3] = ["#777777", "#d9944a", "#1f6f8b"];

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 40.0;
const RIGHT: f64 = 20.0;

/// Draws charts beside each other, two in a row, as an SVG document.
pub fn draw(title: &str, legend: &[(&str, &str)], charts: &[Chart]) -> String {
    let rows = charts.len().div_ceil(2);
    let (width, height) = (WIDTH * 2.0, 60.0 + HEIGHT * rows as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(&mut svg, 20.0, 26.0, "start", 16.0, title);
    for (place, (name, colour)) in legend.iter().enumerate() {
        let x = 20.0 + 120.0 * place as f64;
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"38\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
        text(&mut svg, x + 18.0, 48.0, "start", 12.0, name);
    }
    for (place, chart) in charts.iter().enumerate() {
        let (x, y) = (WIDTH * (place % 2) as f64, 60.0 + HEIGHT * (place / 2) as f64);
        let _ = writeln!(svg, "<g transform=\"translate({x:.0} {y:.0})\">");
        panel(&mut svg, chart);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, chart: &Chart) {
    let all = || chart.lines.iter().flat_map(|line| &line.points);
    let most_across = all().map(|point| point.0).fold(1e-9, f64::max);
    let most_up = all().map(|point| point.1).fold(1e-9, f64::max);
    let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let at = |point: &(f64, f64)| (LEFT + wide * point.0 / most_across, TOP + high * (1.0 - point.1 / most_up));
    text(svg, LEFT, TOP - 12.0, "start", 13.0, &chart.title);
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let (x, y) = at(&(most_across * share, most_up * share));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#e3e3e3\"/>",
            LEFT + wide
        );
        text(svg, LEFT - 6.0, y + 4.0, "end", 10.0, &number(most_up * share));
        text(svg, x, TOP + high + 15.0, "middle", 10.0, &number(most_across * share));
    }
    text(svg, LEFT + wide / 2.0, HEIGHT - 8.0, "middle", 11.0, chart.across);
    for line in &chart.lines {
        let points: Vec<String> = line.points.iter().map(at).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes = if line.is_dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
            line.colour,
            points.join(" ")
        );
        if let Some((x, y)) = line.points.last().map(at).filter(|_| !line.name.is_empty()) {
            text(svg, x - 2.0, y - 4.0, "end", 9.0, &line.name);
        }
    }
}

/// As short as it can be read.
fn number(number: f64) -> String {
    match number {
        _ if number >= 1e6 => format!("{:.1} M", number / 1e6),
        _ if number >= 1e4 => format!("{:.0} k", number / 1e3),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ if number.fract() == 0.0 => format!("{number}"),
        _ => format!("{number:.1}"),
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, size: f64, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"#222\">{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_lines() {
        let line = |points: &[(f64, f64)]| Line {
            name: "a < b".to_owned(),
            colour: COLOURS[0],
            is_dashed: false,
            points: points.to_vec(),
        };
        let lines = vec![line(&[(0.0, 0.0), (5.0, 10.0)]), line(&[(0.0, 5.0)])];
        let svg = draw("t", &[("x", COLOURS[1])], &[Chart { title: "c".to_owned(), across: "s", lines }]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        // From the lower left corner to the upper right.
        assert!(svg.contains("points=\"70.0,220.0 400.0,40.0\""), "{svg}");
        assert!(svg.contains("a &lt; b"));
    }
}
