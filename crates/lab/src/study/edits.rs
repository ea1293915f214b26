//! `evergreen-lab study edits`: what is solved again after an edit, with real verifiers and for path queries.
//!
//! A store is filled by a program. Then the program is edited, and what the edited one asks is answered over
//! a copy of that store. Verifiers number what they generate, so that an edit at one end of a file renames
//! half of what they write about the other end; what counts is how many conditions of methods that the edit
//! cannot affect are solved again. In pure additions, renamings and reorderings the aim is none.
//!
//! Dafny and Boogie run as users have them, with the command `evergreen` under the name of z3. Their prover
//! log says what they asked: it is fed to a session once more, condition by condition, to know *which* ones
//! were solved, and to the bare solver, whose verdicts must be the same, for the processor time.

mod boogie;
mod dafny;
mod edit;
mod generated;
mod java;
mod paths;
mod report;
mod verifier;

use super::table::Row;
use crate::flags::EditsStudy;
use std::process::ExitCode;
use verifier::Outcome;

/// Runs, prints, and fails when an old condition is solved again where none should be, or two runs differ.
pub(super) fn run(flags: &EditsStudy) -> Result<ExitCode, String> {
    let (verified, explored) = study(flags)?;
    if verified.is_empty() && explored.is_empty() {
        return Err(
            "no edit is called so\nhelp: --client dafny, boogie, dafny-generated, boogie-generated or java"
                .into(),
        );
    }
    report::print(flags, &verified, &explored)?;
    Ok(ExitCode::from(u8::from(is_wrong(&verified, &explored))))
}

/// A line for each client, as another study shows it, and whether something is not as it must be.
pub(super) fn summary(flags: &EditsStudy) -> Result<(Vec<Row>, bool), String> {
    let (verified, explored) = study(flags)?;
    Ok((report::sums(&verified, &explored), is_wrong(&verified, &explored)))
}

fn is_wrong(verified: &[Outcome], explored: &[paths::Outcome]) -> bool {
    verified.iter().any(Outcome::is_wrong) || explored.iter().any(paths::Outcome::is_wrong)
}

fn study(flags: &EditsStudy) -> Result<(Vec<Outcome>, Vec<paths::Outcome>), String> {
    let mut verified = Vec::new();
    for client in [&dafny::CLIENT, &boogie::CLIENT, &generated::DAFNY, &generated::BOOGIE] {
        if flags.wants(client.name) {
            verified.extend(verifier::study(flags, client)?);
        }
    }
    let explored = if flags.wants("java") { paths::study(flags)? } else { Vec::new() };
    Ok((verified, explored))
}
