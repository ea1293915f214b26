//! Suites on disk: `shop/Cart.suite` below a folder, and sources made from it, as `tests/shop/CartTest.java`.
//!
//! A file is replaced as a whole, by a rename: a process that is killed leaves the old suite or the new one.
//! A file that would not change is not touched.

use crate::{Flaw, Format, Suite, SuiteError};
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// What the sources that are made from suites say of themselves.
pub const SOURCE_MARK: &str = "Written by Evergreen.";

/// A folder of suites.
#[derive(Clone, Debug)]
pub struct Folder<L: Format> {
    root: PathBuf,
    language: PhantomData<L>,
}

impl<L: Format> Folder<L> {
    /// The folder, which need not exist yet.
    pub fn new(root: &Path) -> Folder<L> {
        Folder { root: root.to_path_buf(), language: PhantomData }
    }

    /// Where the suite of a unit is.
    pub fn file(&self, class: &str) -> PathBuf {
        let mut parts = L::file_parts(class);
        let name = parts.pop().unwrap_or_default();
        // An empty part would be no folder, and another unit may have that file.
        let folder_name = |part: &str| if part.is_empty() { "%".into() } else { file_name(part) };
        let folder = parts.into_iter().fold(self.root.clone(), |folder, part| folder.join(folder_name(part)));
        folder.join(format!("{}.suite", file_name(name)))
    }

    /// The suite of a unit, if there is one.
    pub fn read(&self, class: &str) -> Result<Option<Suite<L>>, SuiteError> {
        let file = self.file(class);
        let text = match std::fs::read(&file) {
            Ok(text) => text,
            Err(e)
                if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(SuiteError::Io { file, error }),
        };
        let flaw = |line, what: String| SuiteError::Text { file: file.clone(), flaw: Flaw { line, what } };
        let text = String::from_utf8(text).map_err(|e| {
            let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            flaw(line, "this is no UTF-8 text".into())
        })?;
        let suite = Suite::parse(&text).map_err(|e| flaw(e.line, e.what))?;
        if suite.class != class {
            let (word, found) = (L::UNIT, &suite.class);
            let what = format!("the {word} \"{found}\" in the file of the {word} \"{class}\"");
            return Err(flaw(2, what));
        }
        Ok(Some(suite))
    }

    /// Writes the suite of a unit and its sources; a suite without tests has none. Whether
    /// the suite's file changed.
    pub fn write(&self, suite: &Suite<L>, options: &L::SourceOptions) -> Result<bool, SuiteError> {
        let file = self.file(&suite.class);
        let changed = match suite.tests().next() {
            Some(_) => replace(&file, &suite.write())?,
            None => remove(&file)?,
        };
        self.write_sources(&suite.class, &L::sources(suite, options))?;
        Ok(changed)
    }

    /// Writes the sources of a suite, and removes those that it no longer has.
    fn write_sources(&self, class: &str, sources: &[String]) -> Result<(), SuiteError> {
        let root = self.root.join("tests");
        for number in 0.. {
            let Some(file) = L::source_file(class, number).map(|name| root.join(name)) else { break };
            let is_foreign = |text: Vec<u8>| !is_ours(&text);
            match sources.get(number) {
                Some(_) if std::fs::read(&file).is_ok_and(is_foreign) => {
                    let error = std::io::Error::new(
                        std::io::ErrorKind::AlreadyExists,
                        "somebody else wrote this file; move it away, or keep the suite in another folder",
                    );
                    return Err(SuiteError::Io { file, error });
                }
                Some(text) => replace(&file, text)?,
                None if std::fs::read(&file).is_ok_and(|text| is_ours(&text)) => remove(&file)?,
                None => break,
            };
        }
        Ok(())
    }
}

/// The longest name of a file that is made of that of a unit: file systems take it with what is put around.
const NAME_BOUND: usize = 200;

/// Part of the name of a unit as that of a file. Letters, digits and what people write in names
/// stand for themselves; the bytes of the rest, and those of a percent sign, are written as in
/// addresses. So different units have different files, and none has one elsewhere. Names of
/// enormous length are cut, and have a number.
fn file_name(part: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$-".contains(c);
    let mut name = String::new();
    for c in part.chars() {
        match is_plain(c) {
            true => name.push(c),
            false => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| name += &format!("%{byte:02X}")),
        }
    }
    if name.len() > NAME_BOUND {
        let digest = part.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let end = (0..=NAME_BOUND - 32).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
        name.truncate(end);
        name += &format!("%{digest:016x}");
    }
    name
}

/// Whether a source was made here.
fn is_ours(text: &[u8]) -> bool {
    text.windows(SOURCE_MARK.len()).any(|part| part == SOURCE_MARK.as_bytes())
}

/// Makes a file have this text; whether it had another.
fn replace(file: &Path, text: &str) -> Result<bool, SuiteError> {
    if std::fs::read(file).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let trouble = |error| SuiteError::Io { file: file.to_path_buf(), error };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(trouble)?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let fresh = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::File::create(&fresh)
        .and_then(|mut new| new.write_all(text.as_bytes()).and_then(|()| new.sync_all()))
        .and_then(|()| std::fs::rename(&fresh, file));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&fresh);
        trouble(error)
    })?;
    Ok(true)
}

/// Removes a file; whether there was one.
fn remove(file: &Path) -> Result<bool, SuiteError> {
    match std::fs::remove_file(file) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(SuiteError::Io { file: file.to_path_buf(), error }),
    }
}
