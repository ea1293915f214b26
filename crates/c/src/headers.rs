//! The harness headers and the runtimes: embedded, and written out for the time of one compile.

use crate::CompileError;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Names below the folder, and texts.
const FILES: [(&str, &str); 4] = [
    ("include/evergreen.h", include_str!("../include/evergreen.h")),
    ("include/klee/klee.h", include_str!("../include/klee/klee.h")),
    ("replay.c", include_str!("../runtime/replay.c")),
    ("start.c", include_str!("../runtime/start.c")),
];

/// A folder of its own for one compile; deleted on drop.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// With the headers in it. The name is unpredictable: in a folder that all users can write to, another
    /// user could put headers there first.
    pub(crate) fn new() -> Result<Scratch, CompileError> {
        let place = tempfile::env::temp_dir();
        let folder = tempfile::Builder::new()
            .prefix("evergreen-")
            .tempdir_in(&place)
            .map_err(|e| CompileError::io(&place, e))?;
        let klee = folder.path().join("include/klee");
        std::fs::create_dir_all(&klee).map_err(|e| CompileError::io(&klee, e))?;
        for (name, text) in FILES {
            let file = folder.path().join(name);
            std::fs::write(&file, text).map_err(|e| CompileError::io(&file, e))?;
        }
        Ok(Scratch(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// For the include path.
    pub(crate) fn include(&self) -> PathBuf {
        self.path().join("include")
    }

    /// The beginning of programs for WebAssembly.
    pub(crate) fn start(&self) -> PathBuf {
        self.path().join("start.c")
    }

    /// The runtime of native programs.
    pub(crate) fn runtime(&self) -> PathBuf {
        self.path().join("replay.c")
    }
}
