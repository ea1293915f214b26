//! A version of a program: what the user calls it, and where its files come from.

use super::git;
use super::versions::Versions;
use crate::explore::programs::Targets;
use crate::flags::{Diff, InputFlags};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A version that can be explored.
pub(super) struct Version<F: Versions> {
    /// As the user calls it.
    pub name: String,
    /// The program.
    pub program: F::Program,
    /// Where its sources are, for reports that point into them.
    pub sources: Vec<PathBuf>,
    /// Sources that were read from git; deleted on drop.
    _folder: Option<TempDir>,
}

/// Opens both versions.
pub(super) fn open<F: Versions>(flags: &Diff) -> Result<(Version<F>, Version<F>), String> {
    let old_path = flags.old_class_path.as_deref().or(flags.class_path.as_deref());
    let old = one(flags, Some(&flags.old), old_path)?;
    let new = one(flags, flags.new.as_deref(), flags.class_path.as_deref())?;
    Ok((old, new))
}

/// Where versions come from, if they are revisions.
struct Source {
    /// A folder of a git repository.
    place: PathBuf,
    /// The files in it that are meant; none if all are.
    only: Option<Vec<PathBuf>>,
}

impl Source {
    fn of<F: Versions>(flags: &Diff) -> Source {
        let Some(source) = &flags.source else { return Source { place: PathBuf::from("."), only: None } };
        let Some(files) = F::listed(source) else { return Source { place: source.clone(), only: None } };
        // Files are named from the folder that has all of them.
        let folder = |file: &PathBuf| file.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut place = files.first().map(folder).unwrap_or_default();
        while !files.iter().all(|file| file.starts_with(&place)) && place.pop() {}
        let only = files.iter().map(|file| file.strip_prefix(&place).unwrap_or(file).to_path_buf()).collect();
        let place = if place.as_os_str().is_empty() { PathBuf::from(".") } else { place };
        Source { place, only: Some(only) }
    }
}

fn one<F: Versions>(
    flags: &Diff,
    wanted: Option<&Path>,
    class_path: Option<&str>,
) -> Result<Version<F>, String> {
    let source = Source::of::<F>(flags);
    let is_named = flags.source.is_some();
    let (folder, name) = match wanted {
        // A revision may have the name of a file; with --source it is a revision.
        Some(wanted) if !is_named && (wanted.exists() || F::listed(wanted).is_some()) => {
            let files = F::listed(wanted).unwrap_or_else(|| vec![wanted.to_path_buf()]);
            let files = F::files(&files)?;
            let mut inputs = flags.inputs.clone();
            if wanted.is_dir() {
                // Headers come from the version itself, if it has such a folder.
                let own = |folder: &String| Some(wanted.join(folder)).filter(|own| own.is_dir());
                let include = inputs.c.include.iter();
                let own =
                    |folder: &String| own(folder).map_or(folder.clone(), |own| own.display().to_string());
                inputs.c.include = include.map(own).collect();
            }
            let program = opened::<F>(flags, &files, class_path, &inputs)?;
            let name = wanted.display().to_string();
            return Ok(Version { name, program, sources: files, _folder: None });
        }
        Some(wanted) => {
            let name = wanted.to_string_lossy();
            if !is_named && !git::is_revision(&source.place, &name) {
                return Err(format!(
                    "{name}: no such file or folder, and no revision of a git repository here"
                ));
            }
            (git::revision(&source.place, &name, F::SOURCES)?, name.into_owned())
        }
        None if is_named
            || !flags.old.exists() && git::is_revision(&source.place, &flags.old.to_string_lossy()) =>
        {
            (git::work_tree(&source.place, F::SOURCES)?, "the work tree".to_string())
        }
        None => {
            return Err("the new version is missing\n\
                 help: evergreen diff OLD NEW, or a revision of the sources in --source"
                .into());
        }
    };
    let files = match &source.only {
        Some(only) => only.iter().map(|file| folder.path().join(file)).collect(),
        None => F::files(&[folder.path().to_path_buf()])?,
    };
    let mut inputs = flags.inputs.clone();
    inputs.c.include = moved(&inputs.c.include, &source.place, folder.path());
    let program = opened::<F>(flags, &files, class_path, &inputs).map_err(|why| {
        // The folder is ours, and deleted before the message is read.
        format!("{name}: {}", why.replace(&format!("{}/", folder.path().display()), ""))
    })?;
    Ok(Version { name, program, sources: vec![source.place], _folder: Some(folder) })
}

/// Folders of headers as a revision has them.
fn moved(folders: &[String], from: &Path, to: &Path) -> Vec<String> {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let inside = |folder: &String| {
        let own = whole(Path::new(folder));
        let inside = own.strip_prefix(whole(from)).ok()?;
        Some(to.join(inside).display().to_string())
    };
    folders.iter().map(|folder| inside(folder).unwrap_or_else(|| folder.clone())).collect()
}

fn opened<F: Versions>(
    flags: &Diff,
    files: &[PathBuf],
    class_path: Option<&str>,
    inputs: &InputFlags,
) -> Result<F::Program, String> {
    F::open(&Targets { files, class_path, method: flags.method.as_deref(), inputs })
}
