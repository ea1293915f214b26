//! Queries as text, for messages.

use evergreen_reuse::{Contradiction, Verdict};
use evergreen_smtlib::{print_declarations, print_term};
use evergreen_term::{TermId, Terms};

/// A contradiction that an audit found, for people: what differs, which rungs answered, and the query.
pub fn describe_contradiction(terms: &Terms, found: &Contradiction) -> String {
    let verdict = |verdict: &Verdict| match verdict {
        Verdict::Sat => "sat",
        Verdict::Unsat => "unsat",
        Verdict::Unknown(_) => "unknown",
    };
    let rungs: Vec<&str> = found.rungs.iter().map(|rung| rung.name()).collect();
    let entries = match &found.kept {
        None if found.dropped == 1 => "1 entry was removed from the store".to_string(),
        None => format!("{} entries were removed from the store", found.dropped),
        Some(why) => format!("its entries could not be removed from the store: {why}"),
    };
    format!(
        "audit: reused \"{}\", but the solver says \"{}\" (rungs: {}); {entries}\n{}help: the solver's \
         answer was \
         given; keep this query and report it, and begin with an empty store",
        verdict(&found.reused),
        verdict(&found.solved),
        rungs.join(", "),
        describe_query(terms, &found.constraints),
    )
}

/// A query as a script that can be pasted into a file.
pub fn describe_query(terms: &Terms, constraints: &[TermId]) -> String {
    let mut text = print_declarations(terms, constraints).unwrap_or_default();
    for &c in constraints {
        text.push_str(&format!("(assert {})\n", print_term(terms, c)));
    }
    text + "(check-sat)\n"
}
