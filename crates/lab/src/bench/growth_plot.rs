//! Curves over a logarithmic axis, as SVG that reads well on light and dark pages.

use std::fmt::Write;

/// Panels that share their x axis, side by side.
pub(super) struct Plot {
    pub title: String,
    pub x_label: String,
    pub panels: Vec<Panel>,
}

/// One pair of axes.
pub(super) struct Panel {
    pub y_label: String,
    /// Is the y axis logarithmic? Otherwise it begins at 0.
    pub logarithmic: bool,
    pub curves: Vec<Curve>,
}

/// One line.
pub(super) struct Curve {
    pub name: String,
    pub dashed: bool,
    /// Which of the colours.
    pub colour: usize,
    pub points: Vec<(f64, f64)>,
}

/// Distinguishable for the colour-blind [Okabe Ito 2008].
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const GAP: f64 = 90.0;
const BELOW: f64 = 60.0;
const LEGEND_LINE: f64 = 18.0;

/// From values to places.
struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    length: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, logarithmic: bool, length: f64) -> Axis {
        let least = values.clone().fold(f64::INFINITY, f64::min).max(1e-3);
        let greatest = values.fold(0.0, f64::max).max(least * 1.001);
        if logarithmic {
            let (low, high) = (10_f64.powf(least.log10().floor()), 10_f64.powf(greatest.log10().ceil()));
            return Axis { low, high: high.max(low * 10.0), logarithmic, length };
        }
        let step = 10_f64.powf(greatest.log10().floor()) / 2.0;
        Axis { low: 0.0, high: (greatest / step).ceil() * step, logarithmic, length }
    }

    fn place(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share * self.length
    }

    /// Where a line and a number go.
    fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return (0..=5).map(|tick| self.low + (self.high - self.low) * f64::from(tick) / 5.0).collect();
        }
        let decades = (self.high / self.low).log10().round() as i32;
        (0..=decades).map(|decade| self.low * 10_f64.powi(decade)).collect()
    }
}

impl Plot {
    /// The picture.
    pub(super) fn to_svg(&self) -> String {
        let lines = self.panels.iter().map(|panel| panel.curves.len()).max().unwrap_or(0);
        let panels = self.panels.len() as f64;
        let width = LEFT + panels * WIDTH + (panels - 1.0) * GAP + 30.0;
        let height = TOP + HEIGHT + BELOW + lines as f64 * LEGEND_LINE + 10.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">{}</text>\n",
            escape(&self.title)
        );
        for (place, panel) in self.panels.iter().enumerate() {
            let left = LEFT + place as f64 * (WIDTH + GAP);
            let _ = writeln!(svg, "<g transform=\"translate({left:.0} {TOP:.0})\">");
            self.draw(panel, &mut svg);
            svg.push_str("</g>\n");
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw(&self, panel: &Panel, svg: &mut String) {
        let points = || panel.curves.iter().flat_map(|curve| &curve.points);
        let x = Axis::new(points().map(|point| point.0), true, WIDTH);
        let y = Axis::new(points().map(|point| point.1), panel.logarithmic, HEIGHT);
        for tick in x.ticks() {
            let at = x.place(tick);
            let _ = writeln!(svg, "<path d=\"M{at:.1} 0V{HEIGHT}\" stroke=\"#dddddd\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                HEIGHT + 18.0,
                number(tick)
            );
        }
        for tick in y.ticks() {
            let at = HEIGHT - y.place(tick);
            let _ = writeln!(svg, "<path d=\"M0 {at:.1}H{WIDTH}\" stroke=\"#dddddd\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                at + 4.0,
                number(tick)
            );
        }
        let _ = writeln!(svg, "<path d=\"M0 0V{HEIGHT}H{WIDTH}\" fill=\"none\" stroke=\"#333333\"/>");
        let middle = (WIDTH / 2.0, HEIGHT / 2.0);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(-50 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            middle.0,
            HEIGHT + 40.0,
            escape(&self.x_label),
            middle.1,
            escape(&panel.y_label)
        );
        for (line, curve) in panel.curves.iter().enumerate() {
            curve.draw(&x, &y, HEIGHT + BELOW + line as f64 * LEGEND_LINE, svg);
        }
    }
}

impl Curve {
    fn draw(&self, x: &Axis, y: &Axis, legend: f64, svg: &mut String) {
        let colour = COLOURS[self.colour % COLOURS.len()];
        let dash = if self.dashed {
            " stroke-dasharray=\"5 4\" stroke-width=\"1.2\""
        } else {
            " stroke-width=\"2\""
        };
        let place = |point: &(f64, f64)| (x.place(point.0), HEIGHT - y.place(point.1));
        let path: Vec<String> =
            self.points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if !path.is_empty() {
            let _ =
                writeln!(svg, "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\"{dash}/>", path.join("L"));
        }
        if !self.dashed {
            for (x, y) in self.points.iter().map(place) {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
            }
        }
        let last = self.points.last().map_or(String::new(), |point| format!(" ({:.1} at the end)", point.1));
        let _ = writeln!(
            svg,
            "<path d=\"M0 {legend:.1}h28\" fill=\"none\" stroke=\"{colour}\"{dash}/>\
             <text x=\"36\" y=\"{:.1}\">{}{last}</text>",
            legend + 4.0,
            escape(&self.name)
        );
    }
}

fn number(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v => format!("{}", (v * 100.0).round() / 100.0),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_span_what_they_show() {
        let x = Axis::new([1_000.0, 1e6].into_iter(), true, 300.0);
        assert_eq!((x.place(1_000.0), x.place(1e6), x.ticks().len()), (0.0, 300.0, 4));
        assert!((x.place(10_000.0) - 100.0).abs() < 1e-6);
        let y = Axis::new([230.0, 331.0].into_iter(), false, 100.0);
        assert_eq!((y.low, y.high), (0.0, 350.0));
    }

    #[test]
    fn curves_and_their_names_are_drawn() {
        let curve =
            Curve { name: "a < b".into(), dashed: false, colour: 7, points: vec![(1e3, 2.0), (1e4, 3.0)] };
        let panel = Panel { y_label: "µs".into(), logarithmic: true, curves: vec![curve] };
        let svg = Plot { title: "growth".into(), x_label: "sets".into(), panels: vec![panel] }.to_svg();
        assert!(svg.contains("a &lt; b (3.0 at the end)") && svg.matches("<circle").count() == 2);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
