//! Figure 7, drawn: the lengths of samples, and the divergences of their characters.

use super::{Group, quantile};
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 380);
const COLOURS: [RGBColor; 6] = [
    RGBColor(90, 90, 90),
    RGBColor(217, 148, 74),
    RGBColor(31, 111, 139),
    RGBColor(160, 70, 120),
    RGBColor(190, 120, 60),
    RGBColor(20, 80, 110),
];

/// Draws both halves as an SVG document.
pub(super) fn draw(groups: &[Group]) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = root.fill(&WHITE).and_then(|()| {
            let (left, right) = root.split_horizontally(SIZE.0 / 2);
            let lengths: Vec<(usize, Vec<f64>)> = groups
                .iter()
                .enumerate()
                .map(|(place, group)| {
                    (place, group.lengths.iter().map(|length| (*length as f64).max(1.0).log10()).collect())
                })
                .collect();
            // The examples themselves have no divergence worth drawing.
            let divergences: Vec<(usize, Vec<f64>)> =
                groups.iter().enumerate().skip(1).map(|(place, group)| (place, group.divergences.clone())).collect();
            half(&left, "characters of a document", groups, &lengths, 4.0, |place| {
                format!("{:.0}", 10f64.powf(*place))
            })?;
            half(&right, "divergence of its characters from the examples", groups, &divergences, 0.7, |place| {
                format!("{place:.1}")
            })
        });
        drawn.and_then(|()| root.present()).expect("a string takes everything that is drawn");
    }
    svg
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// A strip for each group: every sample is a pale dot, the middle half is a bar, the median a line.
fn half<'a>(
    area: &Area<'a>,
    caption: &str,
    groups: &[Group],
    strips: &[(usize, Vec<f64>)],
    most: f64,
    label: impl Fn(&f64) -> String,
) -> Drawn<'a> {
    let rows = strips.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 15))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(112)
        .build_cartesian_2d(0.0..most, 0.0..rows)?;
    let name = |row: &f64| {
        let at = (rows - 0.5 - row).round();
        let is_middle = (rows - 0.5 - row - at).abs() < 0.01;
        strips
            .get(at as usize)
            .filter(|_| is_middle)
            .map_or_else(String::new, |(place, _)| groups[*place].name.to_owned())
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(RGBColor(245, 245, 245))
        .bold_line_style(RGBColor(228, 228, 228))
        .x_labels(6)
        .x_label_formatter(&label)
        .y_labels(2 * strips.len() + 1)
        .y_label_formatter(&name)
        .label_style(("sans-serif", 12))
        .draw()?;
    for (row, (place, values)) in strips.iter().enumerate() {
        let (middle, colour) = (rows - 0.5 - row as f64, COLOURS[place % COLOURS.len()]);
        // Spread by a fixed pattern, so that the same samples give the same picture.
        let spread = |number: usize| ((number * 37) % 100) as f64 / 100.0 * 0.6 - 0.3;
        chart.draw_series(values.iter().enumerate().map(|(number, value)| {
            Circle::new((value.min(most), middle + spread(number)), 1, colour.mix(0.25).filled())
        }))?;
        let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(values, share));
        chart.draw_series([Rectangle::new([(low, middle - 0.1), (high, middle + 0.1)], colour.mix(0.55).filled())])?;
        chart.draw_series([PathElement::new(
            vec![(median, middle - 0.3), (median, middle + 0.3)],
            colour.stroke_width(3),
        )])?;
    }
    Ok(())
}
