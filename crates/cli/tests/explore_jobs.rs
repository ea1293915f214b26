//! `evergreen explore --jobs`: the files of a run are the same, byte for byte, however many threads explore
//! and whatever the store knows.

use crate::common::{Folder, find, isolated, run, stderr};
use evergreen_testing::tools::repository;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `evergreen explore`, with its own settings.
fn explore(folder: &Folder, store: &Path) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", store).env("XDG_CACHE_HOME", cache);
    command.arg("explore");
    command
}

/// The files below a folder, but for the numbers of the run.
fn files(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for file in std::fs::read_dir(&folder).expect("a folder") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("summary.json") {
                let text = std::fs::read_to_string(&path).expect("a text");
                found.insert(path.strip_prefix(root).expect("below it").to_path_buf(), text);
            }
        }
    }
    found
}

#[test]
fn the_files_are_the_same_however_many_threads_there_are() {
    let subjects: [(&[&str], &[&str]); 4] = [
        (&["subjects/bintree/v1", "crates/replay/java/sym"], &["--method", "BinTreeDriver.add4"]),
        (&["subjects/arbiter/v1", "crates/replay/java/sym"], &["--method", "events2"]),
        (&["crates/java/tests/java/parallel"], &[]),
        (&["subjects/heap"], &["--method", "TreeSet.add", "--heap", "bliss", "--scope", "3"]),
    ];
    for (targets, flags) in subjects {
        let folder = Folder::new();
        let mut first: Option<BTreeMap<PathBuf, String>> = None;
        // The second run finds what the first has left in its store.
        for (at, (jobs, store)) in [("1", "a"), ("4", "a"), ("2", "b")].into_iter().enumerate() {
            let out = folder.path(&format!("out-{at}"));
            let mut command = explore(&folder, &folder.path(store));
            command.args(targets.iter().map(|target| repository().join(target))).args(flags);
            let done = run(command.args(["--no-replay", "--jobs", jobs, "--out"]).arg(&out), "");
            assert!(matches!(done.status.code(), Some(0 | 1)), "{}", stderr(&done));
            let files = files(&out);
            assert!(files.keys().any(|file| file.ends_with("paths.jsonl")), "{targets:?}");
            match &first {
                None => first = Some(files),
                Some(first) => {
                    for (file, text) in first {
                        assert_eq!(Some(text), files.get(file), "{} with --jobs {jobs}", file.display());
                    }
                    assert_eq!(first.len(), files.len());
                }
            }
        }
    }
}

#[test]
fn other_orders_need_one_thread() {
    let folder = Folder::new();
    let mut command = explore(&folder, &folder.path("store"));
    let done =
        run(command.arg(repository().join("subjects/mid")).args(["--jobs", "2", "--order", "bfs"]), "");
    assert_eq!(done.status.code(), Some(2));
    let told = stderr(&done);
    assert!(told.contains("--jobs goes depth first") && told.contains("help: leave --order away"), "{told}");
}
