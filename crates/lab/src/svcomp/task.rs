//! The tasks of a folder: `NAME.yml` names sources, properties and the expected verdict.

use std::path::{Path, PathBuf};

/// One task, with the property that no assertion fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Its path below the folder, without `.yml`: `algorithms/Tsp-FunSat01`.
    pub name: String,
    /// Folders of sources, in the order of the file.
    pub sources: Vec<PathBuf>,
    /// Whether no assertion can fail.
    pub expected: bool,
}

/// All tasks below a folder, by name.
///
/// # Errors
/// A folder or file cannot be read.
pub(super) fn all(folder: &Path) -> Result<Vec<Task>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(inside) = open.pop() {
        let wrong = |e: std::io::Error| format!("{}: {e}", inside.display());
        for entry in std::fs::read_dir(&inside).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "yml") {
                let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                found.extend(read(folder, &path, &text));
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Reads the few lines of YAML that tasks are written in; `None` if the task has another property.
fn read(folder: &Path, path: &Path, text: &str) -> Option<Task> {
    let mut sources = Vec::new();
    let (mut is_asserting, mut expected, mut is_list) = (false, None, false);
    for line in text.lines().map(|line| line.split(" #").next().unwrap_or(line)) {
        let item = line.trim().strip_prefix("- ").map(str::trim);
        match (line.trim().split_once(':'), item) {
            (Some(("- property_file", file)), _) => is_asserting = file.trim().ends_with("assert_java.prp"),
            (Some(("expected_verdict", verdict)), _) if is_asserting => {
                expected = verdict.trim().parse::<bool>().ok();
                is_asserting = false;
            }
            (Some((key, _)), None) => is_list = key == "input_files",
            (None, Some(source)) if is_list => {
                sources.push(path.parent()?.join(source.trim_matches(['"', '\''])));
            }
            _ => {}
        }
    }
    let name = path.strip_prefix(folder).ok()?.with_extension("").to_string_lossy().into_owned();
    Some(Task { name, sources, expected: expected? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_read_from_its_lines() {
        let text = "format_version: \"2.0\"\ninput_files:\n  - ../common/\n  - Two/\nproperties:\n  \
                    - property_file: ../properties/assert_java.prp\n    expected_verdict: false\n  \
                    - property_file: ../properties/runtime-exception.prp\n    expected_verdict: true\n";
        let read = |text: &str| read(Path::new("all"), Path::new("all/few/Two.yml"), text);
        let task = read(text).expect("a task");
        assert_eq!((task.name.as_str(), task.expected), ("few/Two", false));
        assert_eq!(task.sources, [Path::new("all/few/../common/"), Path::new("all/few/Two/")]);
        assert_eq!(read(&text.replace("assert_java", "valid")), None);
    }
}
