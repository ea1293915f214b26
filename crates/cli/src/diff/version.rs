//! A version of a program: what the user calls it, and where its classes come from.

use super::git;
use crate::flags::Diff;
use evergreen_java::Program;
use evergreen_java::classfile::find_jdk;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A version that can be explored.
pub(super) struct Version {
    /// As the user calls it.
    pub name: String,
    /// Its classes.
    pub program: Program,
    /// Where its sources are, for reports that point into them.
    pub sources: Vec<PathBuf>,
    /// Sources that were read from git; deleted on drop.
    _folder: Option<TempDir>,
}

/// Opens both versions.
pub(super) fn open(flags: &Diff) -> Result<(Version, Version), String> {
    let old_path = flags.old_class_path.as_deref().or(flags.class_path.as_deref());
    let old = one(flags, Some(&flags.old), old_path)?;
    let new = one(flags, flags.new.as_deref(), flags.class_path.as_deref())?;
    Ok((old, new))
}

fn one(flags: &Diff, wanted: Option<&Path>, class_path: Option<&str>) -> Result<Version, String> {
    let here = PathBuf::from(".");
    let source = flags.source.as_ref();
    let (folder, name, sources) = match wanted {
        // A revision may have the name of a file; with --source it is a revision.
        Some(wanted) if source.is_none() && wanted.exists() => {
            let program = opened(wanted, class_path)?;
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
            (git::revision(place, &name)?, name.into_owned(), vec![place.clone()])
        }
        None => match source {
            Some(place) => (git::work_tree(place)?, "the work tree".to_string(), vec![place.clone()]),
            None if !flags.old.exists() && git::is_revision(&here, &flags.old.to_string_lossy()) => {
                (git::work_tree(&here)?, "the work tree".to_string(), vec![here])
            }
            None => {
                return Err("the new version is missing\n\
                     help: evergreen diff OLD NEW, or a revision of the sources in --source"
                    .into());
            }
        },
    };
    let program = opened(folder.path(), class_path).map_err(|why| {
        // The folder is ours, and deleted before the message is read.
        format!("{name}: {}", why.replace(&format!("{}/", folder.path().display()), ""))
    })?;
    Ok(Version { name, program, sources, _folder: Some(folder) })
}

fn opened(place: &Path, class_path: Option<&str>) -> Result<Program, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    Program::open(&[place.to_path_buf()], class_path, jdk).map_err(|e| e.to_string())
}
