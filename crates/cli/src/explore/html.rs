//! `--report`: the page of a run as a file.

use super::programs::Programs;
use crate::shell::quoted;
use evergreen_service::Language;
use evergreen_service::report::html::{About, Page};
use evergreen_service::report::{Again, RunEnd, TestNames};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A page, and where it is written.
pub(super) struct HtmlFile<L: Language> {
    file: PathBuf,
    /// The page.
    pub page: Page<L>,
}

impl<L: Language> HtmlFile<L> {
    /// An empty report, to be written to `file`.
    ///
    /// # Errors
    /// The file cannot be written: this is an error before anything is explored.
    pub(super) fn create<F: Programs<Language = L>>(
        file: &Path,
        targets: &[PathBuf],
        again: Again<L>,
    ) -> Result<HtmlFile<L>, String> {
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        opened.map_err(|e| format!("{}: {e}", file.display()))?;
        let name = |target: &PathBuf| {
            target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned()
        };
        let words: Vec<String> = std::env::args_os().skip(1).map(without_password).map(quoted).collect();
        let about = About {
            title: targets.iter().map(name).collect::<Vec<_>>().join(", "),
            command: format!("evergreen {}", words.join(" ")),
            writes_all: Some("--out"),
        };
        let page = Page::new(about, again);
        let page = match F::pictures() {
            Some(pictures) => page.drawing(pictures),
            None => page,
        };
        Ok(HtmlFile { file: file.to_path_buf(), page })
    }

    /// Writes it.
    pub(super) fn finish(self, end: &RunEnd<'_, L>, names: &TestNames) -> Result<(), String> {
        let text = self.page.render(end, names);
        std::fs::write(&self.file, text).map_err(|e| format!("{}: {e}", self.file.display()))
    }
}

/// An argument without the password of an address: reports are shared.
fn without_password(word: OsString) -> OsString {
    let hidden = word.to_str().and_then(|text| {
        let (scheme, rest) = text.split_once("://")?;
        rest.rsplit_once('@').map(|(_, host)| format!("{scheme}://{host}").into())
    });
    hidden.unwrap_or(word)
}

#[cfg(test)]
mod tests;
