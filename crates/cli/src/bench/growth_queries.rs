//! Whole queries among ever more recorded answers: measured, printed, drawn.

use super::growth::sizes;
use super::growth_engine::{ASKED, Cost, Recorded, SETTINGS, Setting};
use super::growth_fit::{Fit, fit};
use super::growth_plot::{Curve, Panel, Plot};
use super::samples::show;
use crate::flags::GrowthBench;
use serde_json::{Value, json};
use std::path::PathBuf;

/// One setting at all sizes: for each size what each kind of query cost.
struct Growth {
    setting: Setting,
    sizes: Vec<(usize, [Cost; ASKED.len()])>,
}

/// Measures what the flags ask for; prints unless `quiet`.
pub fn run(flags: &GrowthBench, quiet: bool) -> Result<Value, String> {
    if flags.answers == 0 {
        return Ok(Value::Null);
    }
    let mut grown = Vec::new();
    for setting in SETTINGS.into_iter().filter(|setting| flags.setting.is_empty() || flags.setting.iter().any(|name| *name == setting.name)) {
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

fn grow(flags: &GrowthBench, setting: Setting) -> Result<Growth, String> {
    let folder = std::env::temp_dir().join(format!("evergreen-growth-{}", std::process::id()));
    let mut recorded = Recorded::new(setting, &folder, flags.seed)?;
    let mut growth = Growth { setting, sizes: Vec::new() };
    for size in sizes(flags.answers) {
        let start = std::time::Instant::now();
        recorded.grow(size as u64)?;
        eprintln!(
            "{}: {size} recorded answers, the last in {:.1} s",
            setting.name,
            start.elapsed().as_secs_f64()
        );
        let mut costs = <[Cost; ASKED.len()]>::default();
        // In turns, so that what else the machine does falls on all kinds.
        for from in (0..flags.queries).step_by(100) {
            for ((asked, _), cost) in ASKED.iter().zip(&mut costs) {
                recorded.measure(*asked, from, 100.min(flags.queries - from), cost)?;
            }
        }
        growth.sizes.push((size, costs));
    }
    drop(recorded);
    let _ = std::fs::remove_dir_all(&folder);
    Ok(growth)
}

impl Growth {
    fn medians(&self, place: usize) -> Vec<(f64, f64)> {
        let micros = |cost: &Cost| cost.samples.median() as f64 / 1e3;
        self.sizes.iter().map(|(size, costs)| (*size as f64, micros(&costs[place]))).collect()
    }
}

fn print(growth: &Growth) {
    println!(
        "\nwhole queries, {}, native core off: median, p95, answered without solving",
        growth.setting.name
    );
    print!("{:>10}", "answers");
    ASKED.iter().for_each(|(_, name)| print!("{name:>27}"));
    println!();
    for (size, costs) in &growth.sizes {
        print!("{size:>10}");
        for cost in costs {
            let share = cost.hits as f64 * 100.0 / cost.samples.len().max(1) as f64;
            let [median, p95] = [50, 95].map(|share| show(cost.samples.percentile(share)));
            print!("{median:>10}{p95:>10}{share:>6.0}%");
        }
        println!();
    }
    println!("{:<28}{}", "median, µs: a + b log2 n", Fit::HEAD);
    for (place, (_, name)) in ASKED.iter().enumerate() {
        let row = fit(&growth.medians(place)).map_or(String::new(), |fit| fit.row());
        println!("{name:<28}{row}");
    }
}

fn to_json(grown: &[Growth]) -> Value {
    let mut rows = Vec::new();
    for growth in grown {
        for (size, costs) in &growth.sizes {
            for ((_, name), cost) in ASKED.iter().zip(costs) {
                let times = cost.samples.to_json();
                rows.push(json!({ "setting": growth.setting.name, "answers": size, "asked": name, "query": times, "hits": cost.hits }));
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
        title: format!(
            "Whole queries as recorded answers grow (evergreen bench growth --answers {}, seed {})",
            flags.answers, flags.seed
        ),
        x_label: "recorded answers".into(),
        panels: grown.iter().map(panel).collect(),
    }
    .to_svg()
}
