//! `evergreen store`: look at a store, move it, clean it.

use crate::config::Settings;
use crate::flags::{StoreTask, StoreVerb, Trusted};
use crate::{progress, tally};
use evergreen::store::{
    Accept, Bucket, Choice, Key, Merged, Mode, OpenOptions, Origin, PruneLimits, SafeStores, Store, Taking,
    default_path, expand, export, import, merge, open, prune, verify,
};
use evergreen::{Record, check_core, check_record, identity};
use evergreen_java::has_evidence;
use evergreen_java::{HeapEntry, heap_entry};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;

type Done = Result<ExitCode, String>;

/// Runs one verb.
pub(crate) fn task(task: &StoreTask) -> Done {
    let spec = match &task.store {
        Some(spec) => spec.clone(),
        None => match std::env::var("EVERGREEN_STORE").ok().filter(|s| !s.is_empty()) {
            Some(layers) => layers.split(',').next().unwrap_or_default().trim().to_string(),
            None => default_path().map_err(|e| e.to_string())?.to_string_lossy().into_owned(),
        },
    };
    if let StoreVerb::Path = task.verb {
        crate::say::say(&spec);
        return Ok(ExitCode::SUCCESS);
    }
    let safe = Settings::load()?.safe();
    let open_one = |spec: &str, mode: Mode| open_one(spec, mode, &safe);
    let writes =
        matches!(task.verb, StoreVerb::Import { .. } | StoreVerb::Merge { .. } | StoreVerb::Prune { .. });
    let mode = if writes { Mode::ReadWrite } else { Mode::ReadOnly };
    let store = progress::watched(open_one(&spec, mode)?);
    match &task.verb {
        StoreVerb::Path => unreachable!("answered above"),
        StoreVerb::Stats => stats(&store, &spec, task.json),
        StoreVerb::Export { file } => {
            let place = file.display().to_string();
            // Written beside the target and moved there when complete: an interrupted export leaves nothing
            // half.
            let partial = file.with_extension("partial");
            let target = File::create(&partial).map_err(|e| format!("{place}: {e}"))?;
            let mut out = BufWriter::new(target);
            let count = export(&*store, &place, &mut out).map_err(|e| e.to_string())?;
            out.flush().map_err(|e| format!("{place}: {e}"))?;
            std::fs::rename(&partial, file).map_err(|e| format!("{place}: {e}"))?;
            say(task.json, json!({ "exported": count }), &format!("exported {count} entries to {place}"))
        }
        StoreVerb::Import { file, trust } => {
            let place = file.display().to_string();
            let source = BufReader::new(File::open(file).map_err(|e| format!("{place}: {e}"))?);
            let merged = import(&*store, &place, source, taking(*trust), &mut prefer);
            let merged = merged.map_err(|e| e.to_string())?;
            store.flush().map_err(|e| e.to_string())?;
            say_merged(task.json, &merged, &place)
        }
        StoreVerb::Merge { from, trust } => {
            // Where every entry needs evidence, it does not matter who could write it.
            let anyone = SafeStores::read(["*"]);
            let accept = taking(*trust).accept;
            let safe = if accept == Accept::WithEvidence { &anyone } else { &safe };
            let other = self::open_one(from, Mode::ReadOnly, safe)?;
            let merged = merge(&*store, &*other, taking(*trust), &mut prefer).map_err(|e| e.to_string())?;
            store.flush().map_err(|e| e.to_string())?;
            // An address may have a password in it.
            let from = if from.contains("://") { other.describe() } else { from.clone() };
            say_merged(task.json, &merged, &from)
        }
        StoreVerb::Prune { max_bytes, older_than_days } => {
            let limits = PruneLimits { max_bytes: *max_bytes, unused_days: *older_than_days };
            let pruned = prune(&*store, &limits).map_err(|e| e.to_string())?;
            store.flush().map_err(|e| e.to_string())?;
            say(
                task.json,
                json!({
                    "removed": pruned.removed, "kept": pruned.kept, "removed_bytes": pruned.removed_bytes,
                    "kept_bytes": pruned.kept_bytes, "old": pruned.old.entries, "old_bytes": pruned.old.bytes,
                }),
                &format!(
                    "removed {} entries of earlier builds ({} bytes) and {} others ({} bytes), kept {} ({} \
                     bytes)",
                    pruned.old.entries,
                    pruned.old.bytes,
                    pruned.removed,
                    pruned.removed_bytes,
                    pruned.kept,
                    pruned.kept_bytes
                ),
            )
        }
        StoreVerb::Verify => check(&store, task.json),
    }
}

/// Opens one store. Where nothing is to be written, a folder that is not there is a mistake, not an empty
/// store.
fn open_one(spec: &str, mode: Mode, safe: &SafeStores) -> Result<Arc<dyn Store>, String> {
    let is_path = spec != "memory:" && !spec.contains("://");
    if mode == Mode::ReadOnly && is_path && !expand(spec).exists() {
        return Err(format!(
            "{spec}: there is no store\nhelp: name one with --store; one is made when the first answer is \
             recorded"
        ));
    }
    let options = OpenOptions { mode, safe: safe.clone(), ..OpenOptions::default() };
    open(spec, &options).map_err(|e| e.to_string())
}

fn say(as_json: bool, object: serde_json::Value, text: &str) -> Done {
    if as_json {
        crate::say::say_json(&object)
    } else {
        crate::say::say(text)
    }
    Ok(ExitCode::SUCCESS)
}

/// How entries of a source are taken over that is trusted as much as this.
fn taking(trust: Trusted) -> Taking<'static> {
    let accept = match trust {
        Trusted::All => Accept::AsTheSourceSays,
        Trusted::Local | Trusted::None => Accept::WithEvidence,
    };
    Taking { accept, has_evidence: &has_evidence }
}

fn say_merged(as_json: bool, merged: &Merged, from: &str) -> Done {
    let mut text = format!(
        "from {from}: {} added, {} replaced, {} kept, {} the same",
        merged.added, merged.replaced, merged.kept, merged.same
    );
    if merged.with_evidence + merged.without_evidence > 0 {
        text.push_str(&format!(
            "\n{} carry evidence, which is checked before they are used; {} carry none and are solved again",
            merged.with_evidence, merged.without_evidence
        ));
    }
    if merged.old > 0 {
        text.push_str(&format!("\n{} are of earlier builds and were not taken", merged.old));
    }
    say(
        as_json,
        json!({
            "added": merged.added, "replaced": merged.replaced, "kept": merged.kept, "same": merged.same,
            "with_evidence": merged.with_evidence, "without_evidence": merged.without_evidence,
            "old": merged.old,
        }),
        &text,
    )
}

/// Of two records of one key the one that says more stays; of equals the one that is there. A longer number
/// says no more.
fn prefer(_: &Key, old: &[u8], new: &[u8]) -> Choice {
    let is_count = |r: &Record| matches!(r.verdict, evergreen::RecordedVerdict::Count(_));
    match (Record::decode(old), Record::decode(new)) {
        (None, Some(_)) => Choice::New,
        (Some(o), Some(n)) if is_count(&o) || is_count(&n) => Choice::Old,
        (Some(o), Some(n)) if o.is_sat() == n.is_sat() && new.len() > old.len() => Choice::New,
        _ => Choice::Old,
    }
}

fn is_known(bytes: &[u8]) -> bool {
    check_record(bytes)
        || check_core(bytes)
        || identity::check_bytes(bytes)
        || heap_entry(bytes).is_some()
        || evergreen::is_settled(bytes)
}

fn stats(store: &Arc<dyn Store>, spec: &str, as_json: bool) -> Done {
    let (mut sat, mut models, mut unsat, mut cores, mut proofs) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let (mut members, mut counts, mut other, mut micros) = (0u64, 0u64, 0u64, 0u64);
    let (mut prefixes, mut bounds) = (0u64, 0u64);
    let (mut imported, mut unproved) = (0u64, 0u64);
    let visited = store.visit_from(&mut |key, bytes, origin| {
        use evergreen::RecordedVerdict::{Count, Sat, Unsat};
        if origin == Origin::Imported {
            imported += 1;
            unproved += u64::from(!has_evidence(key, bytes));
        }
        if Bucket::of(key, bytes).is_some() {
            members += 1;
            return ControlFlow::Continue(());
        }
        if let Some(entry) = heap_entry(bytes) {
            prefixes += u64::from(entry == HeapEntry::Verdict);
            bounds += u64::from(entry == HeapEntry::Bounds);
            return ControlFlow::Continue(());
        }
        match Record::decode(bytes) {
            Some(record) => {
                micros = micros.saturating_add(record.micros);
                match record.verdict {
                    Sat(model) => {
                        sat += 1;
                        models += u64::from(model.is_some());
                    }
                    Unsat { core, certificate } => {
                        unsat += 1;
                        cores += u64::from(core.is_some());
                        proofs += u64::from(certificate.is_some());
                    }
                    Count(_) => counts += 1,
                }
            }
            None => other += 1,
        }
        ControlFlow::Continue(())
    });
    visited.map_err(|e| e.to_string())?;
    let s = store.stats().map_err(|e| e.to_string())?;
    let old = store.old_entries().map_err(|e| e.to_string())?;
    let object = json!({
        "store": store.describe(), "entries": s.entries, "bytes": s.bytes,
        "sat": sat, "with_model": models, "unsat": unsat, "with_core": cores, "with_certificate": proofs,
        "counts": counts, "in_buckets": members, "heap_prefixes": prefixes, "heap_bounds": bounds,
        "other": other,
        "imported": imported, "imported_without_evidence": unproved, "old": old.entries,
        "old_bytes": old.bytes,
        "solve_time_ms": micros as f64 / 1e3,
        "ladder": tally::load(spec),
    });
    let text = format!(
        "{}\n  entries {}  bytes {}\n  sat {sat} ({models} with a model)  unsat {unsat} ({cores} with a \
         core, {proofs} \
         with a certificate)  counts {counts}\n  in buckets {members}  heap prefixes {prefixes}  heap \
         bounds {bounds}  other {other}\n  \
         imported {imported} ({unproved} without evidence, not used)  of earlier builds, not used: {} ({} \
         bytes)\n  \
         its answers took {:.1} s to solve",
        store.describe(),
        s.entries,
        s.bytes,
        old.entries,
        old.bytes,
        micros as f64 / 1e6
    );
    let ladder = tally::load(spec).map(|all| format!("\n{}", tally::table(&all))).unwrap_or_default();
    say(as_json, object, &format!("{text}{ladder}"))
}

fn check(store: &Arc<dyn Store>, as_json: bool) -> Done {
    let verified = verify(&**store, &mut |key, bytes| {
        if is_known(bytes) || Bucket::of(key, bytes).is_some() {
            Ok(())
        } else {
            Err("not a record of this version".into())
        }
    })
    .map_err(|e| e.to_string())?;
    let object = json!({
        "entries": verified.entries, "damaged": verified.damaged.len(), "refused": verified.refused.len(),
        "faults": verified.faults, "clean": verified.is_clean(), "old": verified.old.entries,
    });
    let mut text = format!(
        "{} entries, {} damaged, {} not understood",
        verified.entries,
        verified.damaged.len(),
        verified.refused.len()
    );
    if verified.old.entries > 0 {
        let old = verified.old.entries;
        text.push_str(&format!(
            "\n{old} entries of earlier builds are not used; `evergreen store prune` removes them"
        ));
    }
    for fault in &verified.faults {
        text.push_str(&format!("\n{fault}"));
    }
    say(as_json, object, &text)?;
    Ok(ExitCode::from(u8::from(!verified.is_clean())))
}
