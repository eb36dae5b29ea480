//! The figure: runs of the property, ours beside those of Hypothesis, and how often each ends at
//! the normal form.

use crate::svg::Svg;

/// One problem.
pub(super) struct Row {
    pub name: String,
    pub ours: Bar,
    pub theirs: Bar,
}

/// One tool on one problem.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    /// Mean runs after the first failure.
    pub runs: f64,
    /// From 0 to 1.
    pub share: f64,
}

const LABELS: f64 = 260.0;
const RUNS: f64 = 420.0;
const GAP: f64 = 70.0;
const SHARES: f64 = 150.0;
const WIDTH: f64 = LABELS + RUNS + GAP + SHARES + 50.0;
const TOP: f64 = 84.0;
const STEP: f64 = 26.0;
const OURS: &str = "#1f6f8b";
const THEIRS: &str = "#d9944a";

/// Draws it as an SVG document.
pub(super) fn draw(rows: &[Row]) -> String {
    let most = rows.iter().map(|row| row.ours.runs.max(row.theirs.runs)).fold(10.0, f64::max);
    let decades = most.log10().ceil();
    // Runs are compared by their ratio, so equal ratios are equal lengths.
    let length = |runs: f64| RUNS * runs.max(1.0).log10() / decades;
    let bottom = TOP + STEP * rows.len() as f64;
    let mut svg = Svg::default();
    svg.text(
        20.0,
        28.0,
        "start",
        16.0,
        "#222",
        "Shrinking: runs after the first failure, and how often it ends at the normal form",
    );
    svg.bar(20.0, 42.0, 12.0, OURS);
    svg.text(38.0, 52.0, "start", 12.0, "#222", "retrospect");
    svg.bar(120.0, 42.0, 12.0, THEIRS);
    svg.text(138.0, 52.0, "start", 12.0, "#222", "Hypothesis (stored figures)");
    svg.text(LABELS, TOP - 10.0, "start", 11.0, "#666", "mean runs, logarithmic");
    let shares = LABELS + RUNS + GAP;
    svg.text(shares, TOP - 10.0, "start", 11.0, "#666", "at the normal form");
    for decade in 0..=decades as i32 {
        let x = LABELS + length(10f64.powi(decade));
        svg.line(x, TOP, bottom);
        svg.text(x, bottom + 15.0, "middle", 11.0, "#666", &10f64.powi(decade).to_string());
    }
    for percent in [0.0, 50.0, 100.0] {
        let x = shares + SHARES * percent / 100.0;
        svg.line(x, TOP, bottom);
        svg.text(x, bottom + 15.0, "middle", 11.0, "#666", &format!("{percent} %"));
    }
    for (place, row) in rows.iter().enumerate() {
        let y = TOP + STEP * place as f64 + 4.0;
        svg.text(LABELS - 8.0, y + 13.0, "end", 12.0, "#222", &row.name);
        for (offset, bar, colour) in [(0.0, row.ours, OURS), (9.0, row.theirs, THEIRS)] {
            svg.rectangle(LABELS, y + offset, length(bar.runs).max(1.0), colour);
            svg.text(
                LABELS + length(bar.runs) + 4.0,
                y + offset + 8.0,
                "start",
                9.0,
                "#444",
                &format!("{:.0}", bar.runs),
            );
            svg.rectangle(shares, y + offset, SHARES * bar.share, colour);
        }
    }
    svg.document(WIDTH, bottom + 30.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_its_bars() {
        let row = |name: &str| Row {
            name: name.to_owned(),
            ours: Bar { runs: 10.0, share: 1.0 },
            theirs: Bar { runs: 100.0, share: 0.5 },
        };
        let svg = draw(&[row("a < b"), row("c")]);
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
        // Two squares that explain, the background, and four bars for each.
        assert_eq!(svg.matches("<rect").count(), 2 + 1 + 2 * 4);
        // A tenth of the runs is half as long where the axis ends at a hundred.
        assert!(svg.contains("width=\"210.0\"") && svg.contains("width=\"420.0\""));
    }
}
