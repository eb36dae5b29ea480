//! The figure: how many mutants are valid, and how many are valid, new and near.

use crate::svg::Svg;

/// One kind of values.
pub(super) struct Row {
    pub name: &'static str,
    pub series: Vec<Series>,
}

/// One mutator on it; shares of all mutants, from 0 to 1.
pub(super) struct Series {
    pub name: &'static str,
    pub valid: f64,
    pub near: f64,
}

const LABELS: f64 = 140.0;
const PANEL: f64 = 300.0;
const GAP: f64 = 70.0;
const WIDTH: f64 = LABELS + 2.0 * PANEL + GAP + 60.0;
const TOP: f64 = 96.0;
/// From one bar to the next, and from one kind to the next.
const STEP: f64 = 10.0;
const BETWEEN: f64 = 14.0;
const COLOURS: [&str; 5] = ["#1f6f8b", "#6fa8bd", "#9cc3a5", "#c7c9a0", "#d9944a"];

/// Draws it as an SVG document.
pub(super) fn draw(rows: &[Row]) -> String {
    let names: Vec<&str> = rows.first().map_or(Vec::new(), |row| row.series.iter().map(|series| series.name).collect());
    let height = names.len() as f64 * STEP + BETWEEN;
    let bottom = TOP + rows.len() as f64 * height;
    let mut svg = Svg::default();
    svg.text(20.0, 28.0, "start", 16.0, "#222", "Mutation: valid mutants, and those that are also new and near");
    let mut x = 20.0;
    for (name, colour) in names.iter().zip(COLOURS) {
        svg.bar(x, 42.0, 12.0, colour);
        svg.text(x + 17.0, 52.0, "start", 12.0, "#222", name);
        x += 34.0 + 7.2 * name.len() as f64;
    }
    let panels =
        [(LABELS, "valid"), (LABELS + PANEL + GAP, "valid, new, and differing in at most a quarter of the nodes")];
    for (left, title) in panels {
        svg.text(left, TOP - 12.0, "start", 11.0, "#666", title);
        for percent in [0.0, 50.0, 100.0] {
            let x = left + PANEL * percent / 100.0;
            svg.line(x, TOP, bottom);
            svg.text(x, bottom + 15.0, "middle", 11.0, "#666", &format!("{percent} %"));
        }
    }
    for (place, row) in rows.iter().enumerate() {
        let y = TOP + height * place as f64 + BETWEEN / 2.0;
        svg.text(LABELS - 8.0, y + (height - BETWEEN) / 2.0 + 4.0, "end", 12.0, "#222", row.name);
        for (nth, (series, colour)) in row.series.iter().zip(COLOURS).enumerate() {
            for ((left, _), share) in panels.iter().zip([series.valid, series.near]) {
                let y = y + STEP * nth as f64;
                svg.rectangle(*left, y, PANEL * share, colour);
                svg.text(left + PANEL * share + 4.0, y + 8.0, "start", 9.0, "#444", &format!("{:.0}", share * 100.0));
            }
        }
    }
    svg.document(WIDTH, bottom + 30.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutator_has_two_bars_for_each_kind() {
        let row = |name| Row {
            name,
            series: vec![
                Series { name: "one", valid: 1.0, near: 0.5 },
                Series { name: "other", valid: 0.25, near: 0.0 },
            ],
        };
        let svg = draw(&[row("trees"), row("lists")]);
        // The background, two squares that explain, and the bars.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 2 * 2 * 2);
        assert!(svg.contains("width=\"300.0\"") && svg.contains("width=\"75.0\""));
        assert!(svg.contains("trees") && svg.contains("other"));
    }
}
