//! The program `evergreen`, which experiments start as a user does.

use std::path::PathBuf;

/// The program: what a flag names, else `evergreen` beside this program, else the one on `PATH`.
///
/// # Errors
/// If there is none.
pub(crate) fn find(flag: Option<PathBuf>) -> Result<PathBuf, String> {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join("evergreen")).filter(|f| f.is_file());
    let on_path = || evergreen::solver::find_program("evergreen");
    let found = flag.or_else(beside).or_else(on_path);
    found.ok_or_else(|| {
        "evergreen: not found\nhelp: cargo build --release -p evergreen-smt-cli -p evergreen-smt-lab".into()
    })
}
