//! Suites on disk: `shop/Cart.suite` below a folder, and `tests/shop/CartTest.java` made from it.
//!
//! A rename replaces a file as a whole: a killed process leaves the old suite or the new one. A file that
//! would not change is not touched.

use crate::{Flaw, Suite, SuiteError};
use evergreen_replay::{Junit, JunitOptions, TestCase, class_beside, junit_named};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The mark in the generated sources.
const MARK: &str = "Written by Evergreen.";

/// A folder of suites.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    /// Classes of the program that sources must not name, see [`JunitOptions::misread`].
    misread: Vec<String>,
}

/// The JUnit sources of a suite.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Names below the folder of sources, and texts. A class with very many tests has several.
    pub files: Vec<(PathBuf, String)>,
}

impl Folder {
    /// The folder, which need not exist yet.
    pub fn new(root: &Path) -> Folder {
        Folder { root: root.to_path_buf(), misread: Vec::new() }
    }

    /// The same for a program in which these classes have names that Java would read as something else.
    pub fn avoiding(mut self, misread: Vec<String>) -> Folder {
        self.misread = misread;
        self
    }

    /// Where the suite of a class is.
    pub fn file(&self, class: &str) -> PathBuf {
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let parts = package.split('.').filter(|part| !part.is_empty());
        let folder = parts.fold(self.root.clone(), |folder, part| folder.join(file_name(part)));
        folder.join(format!("{}.suite", file_name(name)))
    }

    /// The suite of a class, if there is one.
    pub fn read(&self, class: &str) -> Result<Option<Suite>, SuiteError> {
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
            return Err(flaw(
                2,
                format!("the class \"{}\" in the file of the class \"{class}\"", suite.class),
            ));
        }
        Ok(Some(suite))
    }

    /// Writes the suite of a class and its sources; a suite without tests has none. Whether
    /// the suite's file changed.
    pub fn write(&self, suite: &Suite, version: Junit) -> Result<bool, SuiteError> {
        let file = self.file(&suite.class);
        let changed = match suite.tests().next() {
            Some(_) => replace(&file, &suite.write())?,
            None => remove(&file)?,
        };
        self.write_sources(&suite.class, &Sources::of(suite, version, &self.misread))?;
        Ok(changed)
    }

    /// Writes the sources of a suite, and removes those that it no longer has.
    fn write_sources(&self, class: &str, sources: &Sources) -> Result<(), SuiteError> {
        let root = self.root.join("tests");
        for (name, text) in &sources.files {
            let file = root.join(name);
            if std::fs::read(&file).is_ok_and(|old| !is_ours(&old)) {
                let error = std::io::Error::new(
                    std::io::ErrorKind::AlreadyExists,
                    "Evergreen did not write this file; move it away, or keep the suite in another folder",
                );
                return Err(SuiteError::Io { file, error });
            }
            replace(&file, text)?;
        }
        for number in sources.files.len().. {
            let stale = root.join(source_name(class, number));
            match std::fs::read(&stale) {
                Ok(text) if is_ours(&text) => remove(&stale)?,
                _ => return Ok(()),
            };
        }
        Ok(())
    }
}

impl Sources {
    /// The sources of a suite: its tests under their names, in their order.
    pub fn of(suite: &Suite, version: Junit, misread: &[String]) -> Sources {
        let (package, name) = class_beside(&suite.class, "Test");
        let options = JunitOptions { version, package, class_name: name, misread: misread.to_vec() };
        let cases: Vec<TestCase> = suite.tests().map(|test| test.case.clone()).collect();
        let names: Vec<String> = suite.tests().map(|test| test.name.clone()).collect();
        let written = junit_named(&cases, &names, &options);
        let file =
            |(at, written): (usize, evergreen_replay::Suite)| (source_name(&suite.class, at), written.source);
        Sources { files: written.into_iter().enumerate().map(file).collect() }
    }
}

/// The longest name of a file that is made of one of Java: with prefix and suffix, file systems accept it.
const NAME_BOUND: usize = 200;

/// Part of the name of a class as that of a file. Letters, digits and what people write in names stand for
/// themselves; the bytes of the rest, and those of a percent sign, are written as in addresses. So different
/// classes have different files, and no name leads outside the folder. Very long names are cut and numbered.
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

/// The file of the test class with this number, from 0.
fn source_name(class: &str, number: usize) -> PathBuf {
    let (package, name) = class_beside(class, "Test");
    let number = if number == 0 { String::new() } else { (number + 1).to_string() };
    let folder: PathBuf = package.split('.').collect();
    folder.join(format!("{name}{number}.java"))
}

/// Whether a source was made here.
fn is_ours(text: &[u8]) -> bool {
    text.windows(MARK.len()).any(|part| part == MARK.as_bytes())
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
