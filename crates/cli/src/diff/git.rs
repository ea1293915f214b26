//! The sources of a git revision, or of the work tree, in a folder of their own.
//!
//! Objects are read one by one (`git cat-file`), so nothing is checked out, no lock is taken and no attribute
//! leaves files out or edits them, as `git archive` would. Only sources and invariants are wanted.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Whether a name is a revision of the repository of a folder.
pub(super) fn is_revision(source: &Path, name: &str) -> bool {
    commit(source, name).is_ok()
}

/// The sources of a revision, below `source`.
pub(super) fn revision(source: &Path, name: &str, endings: &[&str]) -> Result<TempDir, String> {
    let commit = commit(source, name)?;
    let listed = git(source, &["ls-tree", "-r", "-z", &commit])?;
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        // `100644 blob 0123…<tab>path`; links and modules are no sources.
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let (front, path) = (String::from_utf8_lossy(&line[..tab]), &line[tab + 1..]);
        let path = Path::new(OsStr::from_bytes(path));
        let mut words = front.split(' ');
        if words.next().is_some_and(|mode| mode.starts_with("100"))
            && words.next() == Some("blob")
            && let Some(object) = words.next()
            && is_wanted(path, endings)
        {
            files.push((object.into(), path.to_path_buf()));
        }
    }
    let what = format!("no sources at revision \"{name}\" in {}", source.display());
    let folder = folder_of(&files, what)?;
    read_objects(source, &files, folder.path())?;
    Ok(folder)
}

/// The sources of the work tree below `source`: those that git knows and new ones that it does not ignore.
pub(super) fn work_tree(source: &Path, endings: &[&str]) -> Result<TempDir, String> {
    let listed = git(source, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let paths = names.map(|name| PathBuf::from(OsStr::from_bytes(name)));
    // A file that was deleted without `git rm` is gone.
    let files: Vec<((), PathBuf)> = paths
        .filter(|path| is_wanted(path, endings) && source.join(path).is_file())
        .map(|path| ((), path))
        .collect();
    let folder = folder_of(&files, format!("no sources in {}", source.display()))?;
    for (_, path) in &files {
        let content = std::fs::read(source.join(path)).map_err(|e| format!("{}: {e}", path.display()))?;
        write(folder.path(), path, &content)?;
    }
    Ok(folder)
}

fn folder_of<T>(files: &[(T, PathBuf)], nothing: String) -> Result<TempDir, String> {
    if files.is_empty() {
        return Err(format!("{nothing}\nhelp: --source is the folder where packages begin"));
    }
    tempfile::Builder::new()
        .prefix("evergreen-version-")
        .tempdir()
        .map_err(|e| format!("a temporary folder: {e}"))
}

/// The id of the commit that a name stands for.
fn commit(source: &Path, name: &str) -> Result<String, String> {
    let wanted = format!("{name}^{{commit}}");
    let said =
        git(source, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).map_err(|why| {
            match why.trim() {
                "" => format!("{}: no revision \"{name}\"", source.display()),
                why => format!("{}: no revision \"{name}\": {why}", source.display()),
            }
        })?;
    Ok(String::from_utf8_lossy(&said).trim().to_string())
}

fn is_wanted(path: &Path, endings: &[&str]) -> bool {
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    inside && path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending))
}

fn git(source: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(source).args(arguments).stdin(Stdio::null());
    let done = command.output().map_err(|e| format!("git does not start: {e}\nhelp: install git"))?;
    if done.status.success() {
        Ok(done.stdout)
    } else {
        Err(String::from_utf8_lossy(&done.stderr).trim_end().to_string())
    }
}

/// Reads objects and writes them to their places.
fn read_objects(source: &Path, files: &[(String, PathBuf)], root: &Path) -> Result<(), String> {
    let trouble = |e: std::io::Error| format!("git cat-file: {e}");
    let mut child = Command::new("git")
        .arg("-C")
        .arg(source)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(trouble)?;
    let mut asking = child.stdin.take();
    let names: String = files.iter().map(|(object, _)| format!("{object}\n")).collect();
    let asker = std::thread::spawn(move || asking.as_mut().map(|pipe| pipe.write_all(names.as_bytes())));
    let mut answers = BufReader::new(child.stdout.take().ok_or("git cat-file: no pipe")?);
    for (object, path) in files {
        let mut head = String::new();
        answers.read_line(&mut head).map_err(trouble)?;
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let size = size.ok_or_else(|| format!("git cat-file: {}: {}", object, head.trim_end()))?;
        let mut content = vec![0; size];
        answers.read_exact(&mut content).map_err(trouble)?;
        answers.read_exact(&mut [0]).map_err(trouble)?;
        write(root, path, &content)?;
    }
    drop(answers);
    let _ = asker.join();
    child.wait().map_err(trouble)?;
    Ok(())
}

fn write(root: &Path, path: &Path, content: &[u8]) -> Result<(), String> {
    let file = root.join(path);
    let parent = file.parent().unwrap_or(root);
    std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    std::fs::write(&file, content).map_err(|e| format!("{}: {e}", file.display()))
}
