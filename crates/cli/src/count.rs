//! `evergreen count`: how many solutions a script has.

use crate::config::Settings;
use crate::{flags, say, stats, tally};
use evergreen::{Budget, Count, CountScript, Counted, Engine};
use num_bigint::BigUint;
use serde_json::json;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Exit code for "no exact number was found".
const NOT_COUNTED: u8 = 3;

/// Runs it.
pub(crate) fn task(flags: &flags::Count) -> Result<ExitCode, String> {
    let start = Instant::now();
    let settings = Settings::load()?.with_count_flags(flags);
    let (name, text) = read(flags.file.as_deref())?;
    let mut script = CountScript::read(&text, &name).map_err(|e| e.trim_end().to_string())?;
    for (variable, domain) in &flags.domain {
        script.restrict(variable, domain)?;
    }
    let store = settings.open_store()?;
    let mut engine = Engine::new(store.clone(), settings.engine());
    let counted =
        script.count(&mut engine, Budget { steps: flags.steps }).map_err(|e| e.trim_end().to_string())?;
    if let Some(store) = &store
        && let Err(e) = store.flush()
    {
        say::warn_once(&e.to_string());
    }
    if let Some(folder) = settings.tallied() {
        tally::add(&folder, engine.stats());
    }
    let elapsed = start.elapsed();
    if let Some(place) = &settings.stats {
        let session = evergreen::SessionStats { engine: engine.stats().clone(), ..Default::default() };
        stats::append(place, &session, elapsed, &name)?;
    }
    if flags.summary {
        stats::count_summary(engine.stats(), elapsed);
    }
    if flags.json {
        let counts = &engine.stats().counts;
        let mut object = describe(&counted);
        object["file"] = json!(name);
        object["variables"] = json!(script.variables().count());
        object["cases"] = json!(counted.cases);
        object["components"] = json!(counts.components);
        object["reused"] = json!(counts.reused);
        object["sub_counts"] = json!(counts.sub_counts);
        object["sub_reused"] = json!(counts.sub_reused);
        object["time_ms"] = json!(elapsed.as_secs_f64() * 1e3);
        say::say_json(&object);
    }
    let (line, code) = match line(&counted.count, flags, &name) {
        Ok(line) => (line, ExitCode::SUCCESS),
        Err(why) => {
            say::warn(&why);
            // Scripts take the last line for a number: this is none, in any language.
            ("unknown".to_string(), ExitCode::from(NOT_COUNTED))
        }
    };
    if !flags.json {
        say::say(&line);
    }
    Ok(code)
}

fn read(file: Option<&Path>) -> Result<(String, Vec<u8>), String> {
    match file.filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let name = path.display().to_string();
            let text = std::fs::read(path).map_err(|e| format!("{name}: {e}"))?;
            Ok((name, text))
        }
        None => {
            let mut text = Vec::new();
            std::io::stdin().lock().read_to_end(&mut text).map_err(|e| format!("<stdin>: {e}"))?;
            Ok(("<stdin>".to_string(), text))
        }
    }
}

/// The last line, if there is a number or something else that was asked for; otherwise why there is none.
fn line(count: &Count, flags: &flags::Count, name: &str) -> Result<String, String> {
    let number = |n: &BigUint| if flags.log2 { logarithm_text(n) } else { n.to_string() };
    match count {
        Count::Exact(n) => Ok(number(n)),
        Count::Unbounded => Ok("unbounded".to_string()),
        Count::Bounds { lo, hi, .. } if flags.bounds => Ok(format!("{}..{}", number(lo), number(hi))),
        Count::Bounds { lo, hi, .. } => Err(format!(
            "{name}: out of steps: the number lies between {lo} and {hi}\n\
             help: allow more --steps, or accept bounds with --bounds"
        )),
        Count::GaveUp(why) => Err(format!("{name}: not counted: {why}")),
    }
}

fn logarithm_text(n: &BigUint) -> String {
    logarithm(n).map_or("-inf".to_string(), |l| format!("{l:.6}"))
}

/// To base 2; nothing for zero. From the first 64 bits: the others change no digit that is shown.
fn logarithm(n: &BigUint) -> Option<f64> {
    let beyond = n.bits().saturating_sub(64);
    let first = (n >> beyond).iter_u64_digits().next()?;
    Some((first as f64).log2() + beyond as f64)
}

fn describe(counted: &Counted) -> serde_json::Value {
    let text = |n: &BigUint| n.to_string();
    match &counted.count {
        Count::Exact(n) => json!({ "exact": true, "count": text(n), "log2": logarithm(n) }),
        Count::Bounds { lo, hi, .. } => json!({
            "exact": false, "count": null, "lo": text(lo), "hi": text(hi),
            "log2_lo": logarithm(lo), "log2_hi": logarithm(hi),
        }),
        Count::Unbounded => json!({ "exact": true, "count": "unbounded" }),
        Count::GaveUp(why) => json!({ "exact": false, "count": null, "gave_up": why }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        assert_eq!(logarithm(&BigUint::ZERO), None);
        assert_eq!(logarithm(&BigUint::from(1u32)), Some(0.0));
        assert_eq!(logarithm(&BigUint::from(2u32).pow(1000)), Some(1000.0));
        assert_eq!(logarithm_text(&BigUint::from(10u32).pow(100)), "332.192809");
    }
}
