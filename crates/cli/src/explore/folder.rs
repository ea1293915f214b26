//! What `--out` leaves: `tests/` (of Java, JUnit sources), `paths.jsonl`, `findings.json`, `summary.json`.

use super::programs::{CaseOf, EntryOf, TestFiles};
use evergreen_service::report::{Again, RunEnd, json, line};
use evergreen_service::{EntryEnd, Frontend, Language, PathEnd, Sink, TestId};
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes of paths that are written at once.
const BUFFER: usize = 1 << 18;

/// The folder of a run.
pub(super) struct Folder<L: Language> {
    root: PathBuf,
    paths: BufWriter<File>,
    findings: Vec<Value>,
    again: Again<L>,
}

fn trouble(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |e| format!("{path}: {e}")
}

impl<L: Language> Folder<L> {
    /// Makes it.
    pub(super) fn create(root: &Path, again: Again<L>) -> Result<Folder<L>, String> {
        std::fs::create_dir_all(root).map_err(trouble(root))?;
        let file = root.join("paths.jsonl");
        let paths = BufWriter::with_capacity(BUFFER, File::create(&file).map_err(trouble(&file))?);
        Ok(Folder { root: root.to_path_buf(), paths, findings: Vec::new(), again })
    }

    /// Writes the rest.
    pub(super) fn finish(mut self, tests: &TestFiles, end: &RunEnd<'_, L>) -> Result<(), String> {
        self.paths.flush().map_err(trouble(&self.root.join("paths.jsonl")))?;
        let findings = self.root.join("findings.json");
        let text = serde_json::to_string_pretty(&Value::Array(self.findings)).unwrap_or_default();
        std::fs::write(&findings, text + "\n").map_err(trouble(&findings))?;
        let summary = self.root.join("summary.json");
        std::fs::write(&summary, format!("{:#}\n", json::summary(end))).map_err(trouble(&summary))?;
        tests.write(&self.root.join("tests"))?;
        if let Some(left_out) = &tests.left_out {
            crate::say::warn(left_out);
        }
        Ok(())
    }
}

impl<F: Frontend> Sink<F> for Folder<F::Language> {
    fn path(
        &mut self,
        entry: &EntryOf<F>,
        path: &PathEnd<F::Language>,
        _: Option<(TestId, &CaseOf<F>)>,
    ) -> Result<(), String> {
        line::write(&mut self.paths, entry, path).map_err(|e| trouble(&self.root.join("paths.jsonl"))(e))
    }

    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        for finding in end.findings {
            let again = self.again.of(entry, finding);
            self.findings.push(json::finding(entry, finding, again.as_deref()));
        }
        Ok(())
    }
}
