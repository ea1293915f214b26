//! A version of a program: what the user calls it, and where its files come from.

use super::git;
use super::versions::Versions;
use crate::explore::programs::Targets;
use crate::flags::Diff;
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

fn one<F: Versions>(
    flags: &Diff,
    wanted: Option<&Path>,
    class_path: Option<&str>,
) -> Result<Version<F>, String> {
    let here = PathBuf::from(".");
    let source = flags.source.as_ref();
    let (folder, name, sources) = match wanted {
        // A revision may have the name of a file; with --source it is a revision.
        Some(wanted) if source.is_none() && wanted.exists() => {
            let program = opened::<F>(flags, wanted, class_path)?;
            let name = wanted.display().to_string();
            return Ok(Version { name, program, sources: vec![wanted.to_path_buf()], _folder: None });
        }
        Some(wanted) => {
            let (place, name) = (source.unwrap_or(&here), wanted.to_string_lossy());
            if source.is_none() && !git::is_revision(place, &name) {
                return Err(format!(
                    "{name}: no such file or folder, and no revision of a git repository here"
                ));
            }
            (git::revision(place, &name, F::SOURCES)?, name.into_owned(), vec![place.clone()])
        }
        None => match source {
            Some(place) => {
                (git::work_tree(place, F::SOURCES)?, "the work tree".to_string(), vec![place.clone()])
            }
            None if !flags.old.exists() && git::is_revision(&here, &flags.old.to_string_lossy()) => {
                (git::work_tree(&here, F::SOURCES)?, "the work tree".to_string(), vec![here])
            }
            None => {
                return Err("the new version is missing\n\
                     help: evergreen diff OLD NEW, or a revision of the sources in --source"
                    .into());
            }
        },
    };
    let program = opened::<F>(flags, folder.path(), class_path).map_err(|why| {
        // The folder is ours, and deleted before the message is read.
        format!("{name}: {}", why.replace(&format!("{}/", folder.path().display()), ""))
    })?;
    Ok(Version { name, program, sources, _folder: Some(folder) })
}

fn opened<F: Versions>(flags: &Diff, place: &Path, class_path: Option<&str>) -> Result<F::Program, String> {
    let method = flags.method.as_deref();
    F::open(&Targets { files: &[place.to_path_buf()], class_path, method, inputs: &flags.inputs })
}
