//! The tables of the study.

use super::paths;
use super::verifier::Outcome;
use crate::flags::EditsStudy;
use crate::study::table::{Row, aligned, markdown};
use serde_json::{Value, json};

/// Prints the tables, or JSON, and writes the page.
pub(super) fn print(
    flags: &EditsStudy,
    verified: &[Outcome],
    explored: &[paths::Outcome],
) -> Result<(), String> {
    if flags.json {
        verified.iter().for_each(|outcome| crate::say::say_json(&to_json(outcome)));
        explored.iter().for_each(|outcome| crate::say::say_json(&path_to_json(outcome)));
    } else {
        for table in tables(verified, explored) {
            crate::say::say(&format!("{}\n\n{}", table.0, aligned(&table.1)));
        }
    }
    for (client, edit, what) in faults(verified, explored) {
        crate::say::warn(&format!("{client}, {edit}: {what}"));
    }
    if let Some(page) = &flags.page {
        crate::study::file::write(page, self::page(verified, explored).as_bytes())?;
    }
    Ok(())
}

fn faults(verified: &[Outcome], explored: &[paths::Outcome]) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for outcome in verified {
        let again = outcome.solved_old.iter().filter(|_| outcome.kind.is_pure());
        let again = again.map(|name| format!("{name} is solved again"));
        let told = outcome.faults.iter().cloned().chain(again);
        all.extend(told.map(|what| (outcome.client.to_string(), outcome.edit.to_string(), what)));
    }
    for outcome in explored.iter().filter(|outcome| outcome.is_wrong()) {
        let again = (outcome.old > 0).then(|| format!("{} old questions are solved again", outcome.old));
        let told = outcome.faults.iter().cloned().chain(again);
        all.extend(told.map(|what| ("java".to_string(), outcome.edit.to_string(), what)));
    }
    all
}

/// Titles and rows.
fn tables(verified: &[Outcome], explored: &[paths::Outcome]) -> Vec<(String, Vec<Row>)> {
    let mut tables = Vec::new();
    for own in verified.chunk_by(|a, b| a.client == b.client) {
        tables.push((own[0].title.to_string(), verified_rows(own)));
    }
    if !explored.is_empty() {
        tables.push(("Java paths".to_string(), path_rows(explored)));
    }
    tables
}

fn verified_rows(own: &[Outcome]) -> Vec<Row> {
    let head = [
        "edit",
        "kind",
        "conditions",
        "new or affected",
        "solved",
        "old solved again",
        "bare s",
        "cold s",
        "warm s",
        "after s",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    let seconds = |used: crate::run::Used| format!("{:.2}", used.all());
    for outcome in own {
        rows.push(vec![
            outcome.edit.into(),
            outcome.kind.name().into(),
            outcome.conditions.to_string(),
            outcome.touched.to_string(),
            (outcome.solved_touched + outcome.solved_old.len()).to_string(),
            outcome.solved_old.len().to_string(),
            seconds(outcome.bare),
            seconds(outcome.cold),
            seconds(outcome.warm),
            seconds(outcome.after),
        ]);
    }
    rows
}

fn path_rows(explored: &[paths::Outcome]) -> Vec<Row> {
    let head = ["edit", "kind", "paths", "calls cold", "calls after", "of old methods", "with native cores"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for outcome in explored {
        rows.push(vec![
            outcome.edit.into(),
            outcome.kind.name().into(),
            outcome.paths.to_string(),
            outcome.cold.to_string(),
            (outcome.touched + outcome.old).to_string(),
            outcome.old.to_string(),
            outcome.native.to_string(),
        ]);
    }
    rows
}

/// A row for each client: all its edits together. Of conditions that an edit affects as many may be solved as
/// it affects; what is counted as *old* is all that an addition, a reordering, a renaming or a removal
/// leaves.
pub(super) fn sums(verified: &[Outcome], explored: &[paths::Outcome]) -> Vec<Row> {
    let head =
        ["client", "edits", "questions", "new or affected", "solved", "old solved again", "cold", "after"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for own in verified.chunk_by(|a, b| a.client == b.client) {
        let sum = |of: fn(&Outcome) -> usize| own.iter().map(of).sum::<usize>().to_string();
        let seconds = |of: fn(&Outcome) -> crate::run::Used| own.iter().map(|o| of(o).all()).sum::<f64>();
        let ratio = |of| format!("{:.2}x", seconds(of) / seconds(|o| o.bare).max(1e-9));
        rows.push(vec![
            own[0].title.to_string(),
            own.len().to_string(),
            sum(|o| o.conditions),
            sum(|o| o.touched),
            sum(|o| o.solved_touched + o.solved_old.len()),
            sum(|o| if o.kind.is_pure() { o.solved_old.len() } else { 0 }),
            ratio(|o| o.cold),
            ratio(|o| o.after),
        ]);
    }
    if !explored.is_empty() {
        let sum = |of: fn(&paths::Outcome) -> u64| explored.iter().map(of).sum::<u64>().to_string();
        rows.push(vec![
            "Java paths".to_string(),
            explored.len().to_string(),
            sum(|o| o.cold),
            "–".to_string(),
            sum(|o| o.touched + o.old),
            sum(|o| if o.kind.is_pure() { o.old } else { 0 }),
            "–".to_string(),
            "–".to_string(),
        ]);
    }
    rows
}

fn to_json(outcome: &Outcome) -> Value {
    json!({
        "client": outcome.client, "edit": outcome.edit, "kind": outcome.kind.name(),
        "conditions": outcome.conditions, "touched": outcome.touched,
        "solved_touched": outcome.solved_touched, "solved_old": outcome.solved_old,
        "starts": outcome.starts, "bare_s": outcome.bare.all(), "cold_s": outcome.cold.all(),
        "warm_s": outcome.warm.all(), "after_s": outcome.after.all(), "faults": outcome.faults,
    })
}

fn path_to_json(outcome: &paths::Outcome) -> Value {
    json!({
        "client": "java", "edit": outcome.edit, "kind": outcome.kind.name(), "paths": outcome.paths,
        "calls_cold": outcome.cold, "calls_touched": outcome.touched, "calls_old": outcome.old,
        "calls_native": outcome.native, "faults": outcome.faults,
    })
}

const INTRODUCTION: &str = "\
# Edits

What is solved again after a program was edited? `evergreen-lab study edits` fills a store with the answers
that a program needs, edits the program, and runs the client again over a copy of the store. Dafny and
Boogie run as users have them, with `evergreen` under the name of z3. The programs are in `subjects/edits`,
the edits in `crates/lab/src/study/edits`. In additions, renamings, reorderings and removals no condition of
an old method that the edit cannot affect may be solved again; the command ends with 1 if one is.

Counts are the same on each run, times are processor seconds of one run. *Bare* is z3 alone on what the
client asked, *cold* begins with an empty store, *warm* has all answers, *after* has those of the program
before the edit. *Solved* are calls of the solver after the edit; *new or affected* is what they may be
about.
";

const PATHS: &str = "\
Paths of a Java class, explored over the store of the class before the edit. *Calls* are questions to the
solver where no native core decides anything; the last column has them as users do.
";

const DEVELOPMENT: &str = "\
The times below are those of a development build, in which our own share is about twice that of a release.
";

fn page(verified: &[Outcome], explored: &[paths::Outcome]) -> String {
    let mut text = INTRODUCTION.to_string();
    if cfg!(debug_assertions) {
        text.push_str(DEVELOPMENT);
    }
    for (title, rows) in tables(verified, explored) {
        text.push_str(&format!("\n## {title}\n"));
        if title.starts_with("Java") {
            text.push_str(PATHS);
            text.push('\n');
        }
        text.push_str(&markdown(&rows));
    }
    text
}
