//! The owner of a store's directory: a directory that another user owns or can write to is
//! refused, as by ssh and git.
//!
//! Answers on disk are used without evidence, because this user's own processes wrote them. That holds only
//! where no other user can write. The guard checks the directory and each file that is read, the files by
//! their open descriptor, so that swapping them after the check changes nothing. It does not check parents: a
//! user who can write to a parent can move the directory away and put another in its place, but the files in
//! it would have to be this user's own, with this user's content. Only a link could lead to such files: to an
//! unpacked artifact, say. So links in the name must have a trusted owner, too.
//!
//! Trusted owners are the user and root, who can read and write everything anyway; under `sudo` also the user
//! who called it, as in git. Where user ids differ for another reason (a container, a share of several
//! machines), the directory is named as safe: [`SafeStores`].

use std::path::PathBuf;
#[cfg(feature = "disk")]
use std::{fs::Metadata, os::unix::fs::MetadataExt, path::Path};

use crate::expand;
#[cfg(feature = "disk")]
use crate::{ErrorKind, StoreError};

/// Directories that are used whatever their owner and permissions are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SafeStores {
    paths: Vec<PathBuf>,
    all: bool,
}

impl SafeStores {
    /// Reads names of directories; `*` means every one.
    pub fn read(names: impl IntoIterator<Item = impl AsRef<str>>) -> SafeStores {
        let mut safe = SafeStores::default();
        for name in names {
            match name.as_ref().trim() {
                "" => {}
                "*" => safe.all = true,
                name => safe.paths.push(expand(name)),
            }
        }
        safe
    }

    #[cfg(feature = "disk")]
    /// Whether a directory may be used: an error says why not.
    pub fn check(&self, directory: &Path) -> Result<(), StoreError> {
        let canonical = directory
            .canonicalize()
            .map_err(|error| StoreError::io(directory.display(), "open the directory", &error))?;
        Guard::of(directory, &canonical, self).map(|_| ())
    }

    #[cfg(feature = "disk")]
    fn has(&self, directory: &Path) -> bool {
        let same = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == directory);
        self.all || self.paths.iter().any(same)
    }
}

#[cfg(feature = "disk")]
/// Whether owners and modes of a store's files matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Files of others are not read.
    Strict,
    /// The user has named the directory as safe.
    Off,
}

#[cfg(feature = "disk")]
impl Guard {
    /// Looks at a directory, by the name that was given and by its canonical path.
    pub(crate) fn of(named: &Path, directory: &Path, safe: &SafeStores) -> Result<Guard, StoreError> {
        if safe.has(directory) {
            return Ok(Guard::Off);
        }
        for path in named.ancestors() {
            if let Ok(data) = std::fs::symlink_metadata(path)
                && data.is_symlink()
                && !is_trusted(data.uid())
            {
                let what = format!("'{}' is a link of user {}", path.display(), data.uid());
                return Err(refuse(directory, &what, "name the directory itself"));
            }
        }
        let data = std::fs::metadata(directory)
            .map_err(|error| StoreError::io(directory.display(), "open the directory", &error))?;
        Guard::Strict.check(directory, &data).map(|()| Guard::Strict)
    }

    /// Refuses a file or directory that another user owns or can write to.
    pub(crate) fn check(self, path: &Path, data: &Metadata) -> Result<(), StoreError> {
        let place = path.display();
        let (what, help) = match self.doubt(data) {
            None => return Ok(()),
            Some(Doubt::Owner(owner)) => (
                format!("it belongs to user {owner}, not to you (user {})", user()),
                format!("take it over (chown -R {} '{place}')", user()),
            ),
            Some(Doubt::Mode(mode)) => (
                format!("other users can write to it (mode {mode:04o})"),
                format!("if only you have written to it: chmod go-w '{place}'"),
            ),
        };
        Err(refuse(path, &what, &help))
    }

    /// Whether a file may be read.
    pub(crate) fn allows(self, data: &Metadata) -> bool {
        self.doubt(data).is_none()
    }

    fn doubt(self, data: &Metadata) -> Option<Doubt> {
        let mode = data.mode() & 0o7777;
        if self == Guard::Off {
            None
        } else if !is_trusted(data.uid()) {
            Some(Doubt::Owner(data.uid()))
        } else if mode & 0o022 != 0 {
            // Access lists too: the bits of the group are the most that a list grants.
            Some(Doubt::Mode(mode))
        } else {
            None
        }
    }
}

#[cfg(feature = "disk")]
fn refuse(path: &Path, what: &str, help: &str) -> StoreError {
    let error = StoreError::new(ErrorKind::Unsafe, path.display(), format!("the store is not used: {what}"));
    let way = "or set EVERGREEN_SAFE_STORE to the directory if you trust all who can write there";
    error.help(format!("{help}, {way}"))
}

#[cfg(feature = "disk")]
/// Why a file is not read.
enum Doubt {
    Owner(u32),
    Mode(u32),
}

#[cfg(feature = "disk")]
fn user() -> u32 {
    // SAFETY: a plain system call that cannot fail.
    unsafe { libc::geteuid() }
}

#[cfg(feature = "disk")]
fn is_trusted(owner: u32) -> bool {
    let caller = || std::env::var("SUDO_UID").ok().and_then(|text| text.parse().ok());
    owner == 0 || owner == user() || (user() == 0 && caller() == Some(owner))
}

#[cfg(feature = "disk")]
/// Creates a directory that only this user can use, and its parents the same way.
pub(crate) fn create_directory(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}
