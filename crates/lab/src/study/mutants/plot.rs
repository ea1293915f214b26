//! Solver calls and time per mutant, sorted: two panels for each subject, as Figure 3 of [Visser FSE'12] has
//! them.

use super::report::saved;
use super::{Outcome, Subject};
use std::fmt::Write;

/// Distinguishable for the colour-blind [Okabe Ito 2008].
const STORE: &str = "#e69f00";
const BOTH: &str = "#0072b2";
const WIDTH: f64 = 230.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 66.0;
const GAP: f64 = 62.0;
const BELOW: f64 = 62.0;
/// Subjects side by side.
const COLUMNS: usize = 2;

/// The picture.
pub(super) fn svg(subjects: &[Subject]) -> String {
    let rows = subjects.len().div_ceil(COLUMNS);
    let panels = (2 * COLUMNS.min(subjects.len().max(1))) as f64;
    let width = LEFT + panels * (WIDTH + GAP);
    let height = TOP + rows as f64 * (HEIGHT + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">Mutants, explored with what is known of the \
         original</text>\n"
    );
    legend(&mut svg, LEFT, STORE, "its store");
    legend(&mut svg, LEFT + 110.0, BOTH, "its store and its tests");
    for (at, subject) in subjects.iter().enumerate() {
        let left = LEFT + (at % COLUMNS) as f64 * 2.0 * (WIDTH + GAP);
        let top = TOP + (at / COLUMNS) as f64 * (HEIGHT + BELOW);
        let calls = |run| sorted(subject, |outcome| saved(outcome, run));
        let title = format!("{}: solver calls saved", subject.name);
        panel(&mut svg, (left, top), &title, 1.0, [calls(1), calls(2)]);
        let times = |run| sorted(subject, |outcome| ratio(outcome, run));
        let (store, both) = (times(1), times(2));
        let most = if store.iter().chain(&both).any(|time| *time > 1.0) { 2.0 } else { 1.0 };
        let title = format!("{}: time, of that without reuse", subject.name);
        panel(&mut svg, (left + WIDTH + GAP, top), &title, most, [store, both]);
    }
    svg.push_str("</svg>\n");
    svg
}

fn legend(svg: &mut String, x: f64, colour: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<path d=\"M{x:.0} 38h24\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{:.0}\" \
         y=\"42\">{text}</text>",
        x + 30.0
    );
}

/// Time with reuse, of that without.
fn ratio(outcome: &Outcome, run: usize) -> Option<f64> {
    let none = outcome.runs[0].time.as_secs_f64();
    (none > 0.0).then(|| outcome.runs[run].time.as_secs_f64() / none)
}

fn sorted(subject: &Subject, of: impl Fn(&Outcome) -> Option<f64>) -> Vec<f64> {
    let mut values: Vec<f64> = subject.outcomes.iter().filter_map(of).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// One pair of axes with two curves over mutants; what is above the top is drawn at the top.
fn panel(svg: &mut String, at: (f64, f64), title: &str, most: f64, curves: [Vec<f64>; 2]) {
    let _ = writeln!(svg, "<g transform=\"translate({:.0} {:.0})\">", at.0, at.1);
    let _ = writeln!(svg, "<text x=\"0\" y=\"-8\">{title}</text>");
    for tick in 0..=4 {
        let y = HEIGHT * (1.0 - f64::from(tick) / 4.0);
        let value = most * f64::from(tick) / 4.0;
        let _ = writeln!(
            svg,
            "<path d=\"M0 {y:.1}H{WIDTH}\" stroke=\"#dddddd\"/>\
             <text x=\"-6\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>",
            y + 4.0
        );
    }
    let _ = writeln!(svg, "<path d=\"M0 0V{HEIGHT}H{WIDTH}\" fill=\"none\" stroke=\"#333333\"/>");
    let count = curves.iter().map(Vec::len).max().unwrap_or(0);
    let _ = writeln!(
        svg,
        "<text x=\"{WIDTH}\" y=\"{}\" text-anchor=\"end\">{count} mutants, sorted</text>",
        HEIGHT + 16.0
    );
    for (values, colour) in curves.iter().zip([STORE, BOTH]) {
        let x = |i: usize| WIDTH * i as f64 / (values.len().max(2) - 1) as f64;
        let y = |value: f64| HEIGHT * (1.0 - value.clamp(0.0, most) / most);
        let points: Vec<String> =
            values.iter().enumerate().map(|(i, value)| format!("{:.1} {:.1}", x(i), y(*value))).collect();
        if !points.is_empty() {
            let path = points.join("L");
            let _ =
                writeln!(svg, "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>");
        }
    }
    svg.push_str("</g>\n");
}
