//! C programs for the command. The front end is not built in yet: this is where it is plugged in.
//!
//! Each function becomes a call for its front end: [`super::run`], [`crate::diff::run`],
//! [`crate::work::ready::ready`].

use crate::again::Given;
use crate::flags::{Diff, Explore};
use crate::work::ready::{Job, Place};
use crate::work::spec::Spec;
use std::process::ExitCode;

/// What is said in place of results.
pub(crate) const MISSING: &str = "C programs are not built in yet";

/// `evergreen explore` of C programs.
pub(crate) fn explore(_flags: &Explore, _given: &Given) -> Result<ExitCode, String> {
    Err(MISSING.into())
}

/// `evergreen diff` of C programs.
pub(crate) fn diff(_flags: &Diff, _given: &Given) -> Result<ExitCode, String> {
    Err(MISSING.into())
}

/// The program of a job in C.
pub(crate) fn job(_spec: &Spec, _place: &Place<'_>) -> Result<Box<dyn Job>, String> {
    Err(MISSING.into())
}
