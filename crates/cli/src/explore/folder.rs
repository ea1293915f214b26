//! What `--out` leaves: `tests/` (JUnit sources), `paths.jsonl`, `findings.json`, `summary.json`.

use evergreen_java::replay::TestCase;
use evergreen_java::report::{Again, RunEnd, json, line};
use evergreen_java::{EntryEnd, Java, JavaFrontend, MethodRef, PathEnd, Sink, TestId, TestSources};
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes of paths that are written at once.
const BUFFER: usize = 1 << 18;

/// The folder of a run.
pub(super) struct Folder {
    root: PathBuf,
    paths: BufWriter<File>,
    findings: Vec<Value>,
    again: Again<Java>,
}

fn trouble(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |e| format!("{path}: {e}")
}

impl Folder {
    /// Makes it.
    pub(super) fn create(root: &Path, again: Again<Java>) -> Result<Folder, String> {
        std::fs::create_dir_all(root).map_err(trouble(root))?;
        let file = root.join("paths.jsonl");
        let paths = BufWriter::with_capacity(BUFFER, File::create(&file).map_err(trouble(&file))?);
        Ok(Folder { root: root.to_path_buf(), paths, findings: Vec::new(), again })
    }

    /// Writes the rest.
    pub(super) fn finish(mut self, tests: &TestSources, end: &RunEnd<'_, Java>) -> Result<(), String> {
        self.paths.flush().map_err(trouble(&self.root.join("paths.jsonl")))?;
        let findings = self.root.join("findings.json");
        let text = serde_json::to_string_pretty(&Value::Array(self.findings)).unwrap_or_default();
        std::fs::write(&findings, text + "\n").map_err(trouble(&findings))?;
        let summary = self.root.join("summary.json");
        std::fs::write(&summary, format!("{:#}\n", json::summary(end))).map_err(trouble(&summary))?;
        for suite in &tests.files {
            let file = self.root.join("tests").join(&suite.path);
            let parent = file.parent().unwrap_or(&self.root).to_path_buf();
            std::fs::create_dir_all(&parent).map_err(trouble(&parent))?;
            std::fs::write(&file, &suite.source).map_err(trouble(&file))?;
        }
        if tests.left_out > 0 {
            crate::say::warn(&format!(
                "{} tests are not written into the folder: a class has more than 10,000",
                tests.left_out
            ));
        }
        Ok(())
    }
}

impl Sink<JavaFrontend> for Folder {
    fn path(
        &mut self,
        method: &MethodRef,
        path: &PathEnd,
        _: Option<(TestId, &TestCase)>,
    ) -> Result<(), String> {
        line::write(&mut self.paths, method, path).map_err(|e| trouble(&self.root.join("paths.jsonl"))(e))
    }

    fn ends(&mut self, method: &MethodRef, end: &EntryEnd<'_, Java>) -> Result<(), String> {
        for finding in end.findings {
            let again = self.again.of(method, finding);
            self.findings.push(json::finding(method, finding, again.as_deref()));
        }
        Ok(())
    }
}
