//! Files of Markdown; the text is that of [`evergreen_structures::markdown`].

use std::io::Write as _;
use std::path::Path;

pub use evergreen_structures::markdown::{block, code, plain, table};

/// Appends to a file, as `$GITHUB_STEP_SUMMARY` wants it; steps before us may have written there.
pub fn append(file: &Path, text: &str) -> Result<(), String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", file.display());
    let mut open = std::fs::OpenOptions::new().create(true).append(true).open(file).map_err(trouble)?;
    open.write_all(text.as_bytes()).map_err(trouble)
}
