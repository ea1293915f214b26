//! Pictures as SVG: curves, boxes with whiskers, stacked bars, and Venn diagrams of three sets.

use std::fmt::Write as _;

/// Distinguishable for the colour-blind [Okabe Ito 2008].
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000"];

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 160.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

/// How numbers are laid along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// From 0 on.
    Linear,
    /// By powers of ten; what is not above 0 lies at the lower end.
    Log,
}

/// Numbers on the way from one end of an axis to the other.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Axis {
    fn of(scale: Scale, values: impl Iterator<Item = f64>) -> Axis {
        let values: Vec<f64> = values.filter(|v| v.is_finite()).collect();
        let high = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        match scale {
            Scale::Linear => Axis { scale, low: 0.0, high: nice(high) },
            Scale::Log => {
                let low = values.iter().copied().filter(|v| *v > 0.0).fold(high, f64::min);
                let (low, high) = (low.log10().floor(), high.log10().ceil());
                Axis { scale, low, high: if high > low { high } else { low + 1.0 } }
            }
        }
    }

    /// From 0 to 1.
    fn at(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Log if value > 0.0 => value.log10(),
            Scale::Log => self.low,
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => (0..=4).map(|i| self.high * f64::from(i) / 4.0).collect(),
            Scale::Log => (self.low as i32..=self.high as i32).map(|power| 10f64.powi(power)).collect(),
        }
    }
}

/// The next 1, 2, 4, 5 or 8 times a power of ten.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let found = [1.0, 2.0, 4.0, 5.0, 8.0, 10.0].into_iter().find(|m| m * power >= value * 0.999_999);
    found.unwrap_or(10.0) * power
}

fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        format!("{:.3}", value / 1e6).trim_end_matches('0').trim_end_matches('.').to_string() + "M"
    } else if size >= 10.0 || value.fract() == 0.0 {
        format!("{value:.0}")
    } else if size >= 0.01 {
        format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        format!("{value:.0e}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn begin(title: &str, x: &str, y: &str) -> String {
    let (width, height) = (LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"14\">{}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n\
         <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        escaped(title),
        LEFT + WIDTH,
        TOP + HEIGHT + 34.0,
        escaped(x),
        TOP + HEIGHT / 2.0,
        escaped(y)
    )
}

fn vertical(svg: &mut String, axis: &Axis) {
    for tick in axis.ticks() {
        let y = TOP + HEIGHT * (1.0 - axis.at(tick));
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}h{WIDTH}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            number(tick)
        );
    }
    let _ = writeln!(svg, "<path d=\"M{LEFT} {TOP}v{HEIGHT}h{WIDTH}\" fill=\"none\" stroke=\"#333\"/>");
}

fn legend(svg: &mut String, at: usize, name: &str) {
    let y = TOP + 10.0 + 17.0 * at as f64;
    let x = LEFT + WIDTH + 12.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{x} {y}h16\" stroke=\"{}\" stroke-width=\"6\"/><text x=\"{}\" y=\"{}\">{}</text>",
        COLOURS[at % COLOURS.len()],
        x + 22.0,
        y + 4.0,
        escaped(name)
    );
}

/// Lines through points, one for each name.
pub(super) fn curves(
    title: &str,
    (x_name, y_name): (&str, &str),
    (x_scale, y_scale): (Scale, Scale),
    lines: &[(String, Vec<(f64, f64)>)],
) -> String {
    let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let (xs, ys) = (Axis::of(x_scale, points().map(|p| p.0)), Axis::of(y_scale, points().map(|p| p.1)));
    let mut svg = begin(title, x_name, y_name);
    vertical(&mut svg, &ys);
    for tick in xs.ticks() {
        let x = LEFT + WIDTH * xs.at(tick);
        let y = TOP + HEIGHT;
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {y}v4\" stroke=\"#333\"/><text x=\"{x:.1}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text>",
            y + 17.0,
            number(tick)
        );
    }
    for (at, (name, points)) in lines.iter().enumerate() {
        let place = |(x, y): &(f64, f64)| {
            format!("{:.1} {:.1}", LEFT + WIDTH * xs.at(*x), TOP + HEIGHT * (1.0 - ys.at(*y)))
        };
        let path: Vec<String> = points.iter().map(place).collect();
        if !path.is_empty() {
            let colour = COLOURS[at % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
                path.join("L")
            );
        }
        legend(&mut svg, at, name);
    }
    svg + "</svg>\n"
}

/// The value at a share of the way through sorted values, between the two nearest.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

/// A box for each name: quartiles, the median, whiskers to the extremes.
pub(super) fn boxes(title: &str, y_name: &str, scale: Scale, columns: &[(String, Vec<f64>)]) -> String {
    let ys = Axis::of(scale, columns.iter().flat_map(|(_, values)| values.iter().copied()));
    let mut svg = begin(title, "", y_name);
    vertical(&mut svg, &ys);
    let step = WIDTH / columns.len().max(1) as f64;
    let y = |value: f64| TOP + HEIGHT * (1.0 - ys.at(value));
    for (at, (name, values)) in columns.iter().enumerate() {
        let middle = LEFT + step * (at as f64 + 0.5);
        let half = (step * 0.3).min(24.0);
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            TOP + HEIGHT + 17.0,
            escaped(name)
        );
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        if sorted.is_empty() {
            continue;
        }
        let [low, first, median, third, high] = [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| y(quantile(&sorted, q)));
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<path d=\"M{middle:.1} {low:.1}V{first:.1}M{middle:.1} {third:.1}V{high:.1}\" \
             stroke=\"{colour}\"/>\
             <rect x=\"{:.1}\" y=\"{third:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\" \
             fill-opacity=\"0.25\" stroke=\"{colour}\"/>\
             <path d=\"M{:.1} {median:.1}h{:.1}\" stroke=\"{colour}\" stroke-width=\"2.5\"/>",
            middle - half,
            2.0 * half,
            (first - third).max(0.5),
            middle - half,
            2.0 * half
        );
    }
    svg + "</svg>\n"
}

/// A bar for each name, of parts that lie on each other; `parts` names them from below.
pub(super) fn bars(title: &str, y_name: &str, parts: &[&str], columns: &[(String, Vec<f64>)]) -> String {
    let ys = Axis::of(Scale::Linear, columns.iter().map(|(_, values)| values.iter().sum()));
    let mut svg = begin(title, "", y_name);
    vertical(&mut svg, &ys);
    let step = WIDTH / columns.len().max(1) as f64;
    for (at, (name, values)) in columns.iter().enumerate() {
        let width = (step * 0.7).min(60.0);
        let x = LEFT + step * (at as f64 + 0.5) - width / 2.0;
        let mut base = TOP + HEIGHT;
        for (part, value) in values.iter().enumerate() {
            let height = HEIGHT * ys.at(*value);
            base -= height;
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{base:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 fill=\"{}\"/>",
                COLOURS[part % COLOURS.len()]
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x + width / 2.0,
            TOP + HEIGHT + 17.0,
            escaped(name)
        );
    }
    for (at, name) in parts.iter().enumerate() {
        legend(&mut svg, at, name);
    }
    svg + "</svg>\n"
}

/// Three sets as circles, with the number in each region. Regions by their members: bit 0 is the first set,
/// so `regions[0b011]` lies in the first and the second only; `regions[0]` is outside of all.
pub(super) fn venn(title: &str, names: [&str; 3], regions: [u64; 8]) -> String {
    let circles = [(150.0, 120.0), (230.0, 120.0), (190.0, 190.0)];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 380 300\" width=\"380\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"18\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    for (at, (x, y)) in circles.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"78\" fill=\"{0}\" fill-opacity=\"0.22\" stroke=\"{0}\"/>",
            COLOURS[at]
        );
    }
    let labels = [(70.0, 48.0, "end"), (310.0, 48.0, "start"), (190.0, 288.0, "middle")];
    for ((x, y, anchor), name) in labels.into_iter().zip(names) {
        let x = if anchor == "end" {
            x + 30.0
        } else if anchor == "start" {
            x - 30.0
        } else {
            x
        };
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>", escaped(name));
    }
    let places = [
        (0b001, 110.0, 100.0),
        (0b010, 270.0, 100.0),
        (0b011, 190.0, 92.0),
        (0b100, 190.0, 235.0),
        (0b101, 138.0, 172.0),
        (0b110, 242.0, 172.0),
        (0b111, 190.0, 148.0),
    ];
    for (region, x, y) in places {
        let count = regions[region];
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{count}</text>");
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0.7, 3.0, 5.0, 81.0].map(nice), [0.8, 4.0, 5.0, 100.0]);
        let axis = Axis::of(Scale::Log, [0.03, 20.0].into_iter());
        assert_eq!((axis.low, axis.high, axis.at(0.0), axis.at(100.0)), (-2.0, 2.0, 0.0, 1.0));
    }

    #[test]
    fn quartiles_lie_between_values() {
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|q| quantile(&[1.0, 2.0, 4.0], q)), [1.0, 1.5, 2.0, 4.0]);
    }
}
