//! Whole queries among ever more recorded answers: measured, printed, drawn.

use super::growth::{heap_bytes, sizes};
use super::growth_engine::{ASKED, Cost, Recorded, SETTINGS, Setting};
use super::growth_fit::{Fit, fit};
use super::growth_plot::{Curve, Panel, Plot};
use super::samples::show;
use crate::flags::GrowthBench;
use serde_json::{Value, json};
use std::path::PathBuf;

/// One setting at all sizes.
struct Growth {
    setting: Setting,
    sizes: Vec<Measured>,
}

/// What each kind of query cost at one size, and what recording took before.
struct Measured {
    size: usize,
    seconds: f64,
    bytes: Option<f64>,
    costs: [Cost; ASKED.len()],
}

/// An engine with so many recorded answers.
struct Stage {
    size: usize,
    recorded: Recorded,
    seconds: f64,
    /// What the process allocated for it.
    bytes: Option<f64>,
    costs: [Cost; ASKED.len()],
}

impl Stage {
    fn done(self) -> Measured {
        Measured { size: self.size, seconds: self.seconds, bytes: self.bytes, costs: self.costs }
    }
}

/// Measures what the flags ask for; prints unless `quiet`.
pub(super) fn run(flags: &GrowthBench, quiet: bool) -> Result<Value, String> {
    if flags.answers == 0 {
        return Ok(Value::Null);
    }
    let mut grown = Vec::new();
    for setting in chosen(flags)? {
        let growth = grow(flags, setting)?;
        // As soon as it is there: the later settings take long.
        if !quiet {
            print(&growth);
        }
        grown.push(growth);
        if let Some(file) = &flags.svg {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let file: PathBuf = file.with_file_name(format!("{stem}-queries.svg"));
            std::fs::write(&file, plot(flags, &grown)).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    Ok(to_json(&grown))
}

/// The settings that the flags name, or all of them.
fn chosen(flags: &GrowthBench) -> Result<Vec<Setting>, String> {
    let named = |name: &String| {
        let setting = SETTINGS.into_iter().find(|setting| setting.name == name);
        let names = SETTINGS.map(|setting| format!("'{}'", setting.name)).join(", ");
        setting.ok_or_else(|| format!("no setting '{name}'\nhelp: use one of {names}"))
    };
    if flags.setting.is_empty() { Ok(SETTINGS.to_vec()) } else { flags.setting.iter().map(named).collect() }
}

/// So many queries of each kind are asked at one size before the next has its turn.
const TURN: u64 = 50;

/// An engine of each size first; then all are asked in turns, so that what else the machine does falls on all
/// sizes and kinds.
fn grow(flags: &GrowthBench, setting: Setting) -> Result<Growth, String> {
    let folder = tempfile::env::temp_dir().join(format!("evergreen-growth-{}", std::process::id()));
    let mut stages: Vec<Stage> = Vec::new();
    for size in sizes(flags.answers) {
        let (start, before) = (cpu_seconds(), heap_bytes());
        let mut recorded = Recorded::new(setting, &folder.join(size.to_string()), flags.seed)?;
        recorded.grow(size as u64)?;
        let seconds = cpu_seconds() - start;
        let bytes = heap_bytes().zip(before).map(|(now, before)| now.saturating_sub(before) as f64);
        crate::say::note(&format!(
            "{}: {size} recorded answers in {seconds:.1} s of processor time",
            setting.name
        ));
        let costs = <[Cost; ASKED.len()]>::default();
        stages.push(Stage { size, recorded, seconds, bytes, costs });
    }
    for from in (0..flags.queries).step_by(TURN as usize) {
        for stage in &mut stages {
            for ((asked, _), cost) in ASKED.iter().zip(&mut stage.costs) {
                stage.recorded.measure(*asked, from, TURN.min(flags.queries - from), cost)?;
            }
        }
    }
    let sizes = stages.into_iter().map(Stage::done).collect();
    let _ = std::fs::remove_dir_all(&folder);
    Ok(Growth { setting, sizes })
}

impl Growth {
    fn points(&self, value: impl Fn(&Measured) -> f64) -> Vec<(f64, f64)> {
        self.sizes.iter().map(|at| (at.size as f64, value(at))).collect()
    }

    fn medians(&self, place: usize) -> Vec<(f64, f64)> {
        self.points(|at| at.costs[place].samples.median() as f64 / 1e3)
    }

    fn median_steps(&self, place: usize) -> Vec<(f64, f64)> {
        self.points(|at| at.costs[place].median_steps() as f64)
    }
}

/// What the process, all its threads together, has used of processors. (Others may use the machine too.)
fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a structure of the right type that lives across the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn print(growth: &Growth) {
    crate::say::say(&format!(
        "\nwhole queries, {}, native core off: median, p95, answered without solving; recording in \
         processor time",
        growth.setting.name
    ));
    let names: String = ASKED.iter().map(|(_, name)| format!("{name:>27}")).collect();
    crate::say::say(&format!("{:>10}{:>12}{:>10}{names}", "answers", "recorded in", "bytes per"));
    for at in &growth.sizes {
        let bytes = at.bytes.map_or("?".into(), |bytes| format!("{:.0}", bytes / at.size as f64));
        let mut row = format!("{:>10}{:>10.1} s{bytes:>10}", at.size, at.seconds);
        for cost in &at.costs {
            let share = cost.hits as f64 * 100.0 / cost.samples.len().max(1) as f64;
            let [median, p95] = [50, 95].map(|share| show(cost.samples.percentile(share)));
            row += &format!("{median:>10}{p95:>10}{share:>6.0}%");
        }
        crate::say::say(&row);
    }
    crate::say::say(&format!("{:<28}{}", "medians: a + b log2 n", Fit::HEAD));
    for (place, (_, name)) in ASKED.iter().enumerate() {
        for (what, points) in [("µs", growth.medians(place)), ("steps", growth.median_steps(place))] {
            let row = fit(&points).map_or(String::new(), |fit| fit.row());
            crate::say::say(&format!("{:<28}{row}", format!("{name}, {what}")));
        }
    }
}

fn to_json(grown: &[Growth]) -> Value {
    let mut rows = Vec::new();
    for growth in grown {
        for at in &growth.sizes {
            for ((_, name), cost) in ASKED.iter().zip(&at.costs) {
                let times = cost.samples.to_json();
                rows.push(json!({ "setting": growth.setting.name, "answers": at.size,
                    "recorded_in_s": at.seconds, "bytes": at.bytes, "asked": name, "query": times,
                    "steps_median": cost.median_steps(), "hits": cost.hits }));
            }
        }
    }
    Value::Array(rows)
}

fn plot(flags: &GrowthBench, grown: &[Growth]) -> String {
    let panel = |growth: &Growth| {
        let curve = |place: usize| Curve {
            name: format!("{}, median", ASKED[place].1),
            dashed: false,
            colour: place,
            points: growth.medians(place),
        };
        let curves = (0..ASKED.len()).map(curve).collect();
        Panel { y_label: format!("µs per query ({})", growth.setting.name), logarithmic: false, curves }
    };
    Plot {
        title: format!("Whole queries as recorded answers grow (seed {})", flags.seed),
        x_label: "recorded answers".into(),
        panels: grown.iter().map(panel).collect(),
    }
    .to_svg()
}
