//! Bytes that are read here and there: a file, or memory. And the error for a failing file system.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Why a class path, jar or image could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error: lower case, no full stop.
    pub what: String,
}

impl PathError {
    pub(crate) fn new(path: &Path, what: impl ToString) -> PathError {
        PathError { path: path.to_path_buf(), what: what.to_string() }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for PathError {}

/// Where an archive's bytes are. Files are read piece by piece: opening an image of
/// 140 MB costs microseconds.
pub(crate) enum Source {
    File { file: File, path: PathBuf, size: u64 },
    Memory(Vec<u8>),
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Source, PathError> {
        let fail = |e: io::Error| PathError::new(path, e);
        let file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(PathError::new(path, "is a folder, not a file"));
        }
        Ok(Source::File { file, path: path.to_path_buf(), size: about.len() })
    }

    pub(crate) fn size(&self) -> u64 {
        match self {
            Source::File { size, .. } => *size,
            Source::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// An error about this source.
    pub(crate) fn error(&self, what: impl ToString) -> PathError {
        match self {
            Source::File { path, .. } => PathError::new(path, what),
            Source::Memory(_) => PathError::new(Path::new("memory"), what),
        }
    }

    /// The `size` bytes at `offset`. Nothing is allocated before it is known that they exist.
    pub(crate) fn read(&self, offset: u64, size: u64) -> Result<Vec<u8>, PathError> {
        if offset.checked_add(size).is_none_or(|end| end > self.size()) {
            let what = format!("damaged: it wants {size} bytes at {offset} and has {}", self.size());
            return Err(self.error(what));
        }
        match self {
            Source::File { file, .. } => {
                let mut bytes = vec![0; size as usize];
                read_exact_at(file, &mut bytes, offset).map_err(|e| self.error(e))?;
                Ok(bytes)
            }
            Source::Memory(bytes) => Ok(bytes[offset as usize..(offset + size) as usize].to_vec()),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
