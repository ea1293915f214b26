//! `evergreen bounds`: which values the fields of each label can have in any valid structure of a scope.

use crate::config::Settings;
use crate::flags::BoundsTask;
use crate::say::{say, say_json, unwatch, warn_once, watch};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::{Bounds, FieldId, Invariant, Scope, parse};
use evergreen_java::jvm::ClassInvariant;
use evergreen_java::{HeapStore, Program, built_in, declared};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(500);

/// Runs it.
pub(crate) fn task(flags: &BoundsTask) -> Result<ExitCode, String> {
    let stated = find(&flags.class)?;
    let invariant = parse(&stated.text).map_err(|e| format!("{}:{e}", stated.origin))?;
    let scope = scope(flags, &invariant)?;
    let settings = Settings::load()?.with_stores(&flags.stores);
    let store = settings.open_store()?;
    let stop = crate::interrupt::flag_on_signal();
    let began = Instant::now();
    let mut progress = Progress { told: began, shown: false };
    let mut watch = |calls: u64, open: usize| {
        progress.tell(calls, open);
        !stop.load(Ordering::Relaxed)
    };
    let found = match &store {
        Some(store) => {
            let namespace = settings.namespace.clone().unwrap_or_default();
            let known = HeapStore::new(store.clone(), settings.trust(), &namespace, &stated.text);
            known.known_or_computed(&invariant, &scope, &mut watch)
        }
        None => evergreen_java::heap::bounds::bounds_watched(&invariant, &scope, None, &mut watch),
    };
    let seconds = began.elapsed().as_secs_f64();
    progress.quiet();
    let found = found.map_err(|e| e.to_string())?;
    if let Some(Err(e)) = store.map(|store| store.flush()) {
        warn_once(&e.to_string());
    }
    if flags.json {
        say_json(&to_json(&invariant, &found, seconds));
    } else {
        say(text(&invariant, &found, seconds).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// The invariant that is meant.
fn find(class: &str) -> Result<ClassInvariant, String> {
    let path = Path::new(class);
    if path.extension().is_some_and(|e| e == "inv") {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{class}: {e}"))?;
        return Ok(ClassInvariant { class: class.into(), text, origin: class.into() });
    }
    if !path.exists() {
        return built_in(class).ok_or_else(|| {
            format!(
                "no invariant of \"{class}\"\nhelp: name a file (.inv, .java, .class) or a collection of \
                 the JDK \
                 (java.util.TreeMap, java.util.TreeSet, java.util.LinkedList)"
            )
        });
    }
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(&[PathBuf::from(path)], None, jdk).map_err(|e| e.to_string())?;
    let mut all = declared(&program).map_err(|e| e.to_string())?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let wanted = |known: &ClassInvariant| known.class.rsplit(['.', '$']).next() == Some(stem.as_str());
    let at = all.iter().position(wanted).or((all.len() == 1).then_some(0));
    match at {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(format!(
            "{class}: no invariant\nhelp: write it into {stem}.inv beside the source, or into an annotation \
             @evergreen.Invariant of the class"
        )),
    }
}

/// The scope that the flags give.
fn scope(flags: &BoundsTask, invariant: &Invariant) -> Result<Scope, String> {
    let each = flags.scope.iter().rev().find(|(class, _)| class.is_empty()).map_or(3, |(_, n)| *n);
    let mut scope = Scope::each(invariant, each as usize);
    for (class, n) in flags.scope.iter().filter(|(class, _)| !class.is_empty()) {
        let id = invariant.shape.class(class).ok_or_else(|| {
            let names: Vec<&str> = invariant.shape.classes.iter().map(|c| c.name.as_str()).collect();
            format!("--scope: no class \"{class}\"\nhelp: there are {}", names.join(", "))
        })?;
        scope = scope.with(id, *n as usize);
    }
    Ok(scope)
}

struct Progress {
    told: Instant,
    shown: bool,
}

impl Progress {
    fn tell(&mut self, calls: u64, open: usize) {
        if self.told.elapsed() >= EVERY && std::io::stderr().is_terminal() {
            self.told = Instant::now();
            self.shown = true;
            watch(&format!("bounds: {calls} questions, {open} pairs open"));
        }
    }

    fn quiet(&self) {
        if self.shown {
            unwatch();
        }
    }
}

fn members(set: u64) -> Vec<usize> {
    (0..64).filter(|label| set & (1 << label) != 0).collect()
}

/// The reference fields, in the order of the text.
fn references(invariant: &Invariant) -> impl Iterator<Item = (FieldId, &str)> {
    let fields = invariant.shape.fields.iter().enumerate();
    let ids = fields.map(|(at, field)| (FieldId(at as u8), field.name.as_str()));
    ids.filter(|(id, _)| invariant.shape.target(*id).is_some())
}

fn text(invariant: &Invariant, bounds: &Bounds, seconds: f64) -> String {
    let (kept, all) = bounds.pairs(invariant);
    let mut text = format!(
        "{}: {kept} of {all} pairs, {} sat calls ({} sat), {seconds:.2} s{}\n",
        invariant.shape.classes[0].name,
        bounds.calls,
        bounds.sat,
        if bounds.tightest { "" } else { "; not all were decided, and those are kept" }
    );
    for (id, name) in references(invariant) {
        for (label, to, null) in bounds.rows(invariant, id) {
            let mut values: Vec<String> = members(to).iter().map(usize::to_string).collect();
            if null {
                values.push("null".into());
            }
            // A label that no valid structure has.
            if !values.is_empty() {
                let _ = writeln!(text, "  {label:>2}.{name} -> {}", values.join(" "));
            }
        }
    }
    text
}

fn to_json(invariant: &Invariant, bounds: &Bounds, seconds: f64) -> Value {
    let (kept, all) = bounds.pairs(invariant);
    let field = |(id, name): (FieldId, &str)| {
        let row = |(label, to, or_null): (usize, u64, bool)| {
            json!({ "label": label, "to": members(to),
            "null": or_null })
        };
        let rows: Vec<Value> = bounds.rows(invariant, id).into_iter().map(row).collect();
        json!({ "field": name, "labels": rows })
    };
    json!({
        "class": invariant.shape.classes[0].name, "objects": bounds.scope().total(),
        "pairs": kept, "all_pairs": all, "sat_calls": bounds.calls, "sat": bounds.sat, "seconds": seconds,
        "tightest": bounds.tightest, "fields": references(invariant).map(field).collect::<Vec<Value>>(),
    })
}
