//! An experiment that a signal ends leaves nothing in the folder for temporary files.

use crate::common::{Folder, PATIENCE, lab};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const SOURCE: &str = "public class Good { public static int f(int x) { return x > 3 ? 1 : 2; } }";

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.flat_map(|entry| std::iter::once(entry.path()).chain(below(&entry.path()))).collect()
}

#[test]
fn while_sources_are_compiled() {
    let folder = Folder::new();
    let (source, place) = (folder.file("Good.java", SOURCE), folder.path("tmp"));
    std::fs::create_dir_all(&place).expect("a folder");
    let mut command = lab();
    command.arg("mutate").arg(source).arg("--out").arg(folder.path("mutants")).env("TMPDIR", &place);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let deadline = Instant::now() + PATIENCE;
    while !below(&place).iter().any(|path| path.ends_with("evergreen/Sym.java")) {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none() && Instant::now() < deadline, "no source: {ended:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    // SAFETY: a plain system call on a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    let status = child.wait().expect("an end");
    assert_eq!(status.signal(), Some(libc::SIGTERM), "{status:?}");
    assert_eq!(below(&place), Vec::<PathBuf>::new());
}
