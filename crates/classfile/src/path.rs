//! The class path: the JDK first, as the JVM's class loaders ask their parents first; then
//! folders and jars in order.

use crate::jdk::Jdk;
use crate::source::PathError;
use crate::zip::Zip;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where classes are looked for.
#[derive(Default)]
pub struct ClassPath {
    jdk: Option<Jdk>,
    places: Vec<Place>,
}

enum Place {
    Folder(PathBuf),
    Jar {
        zip: Zip,
        path: PathBuf,
        /// The folders of `META-INF/versions`, newest first; empty unless the manifest
        /// says `Multi-Release: true`.
        versions: Vec<u16>,
    },
}

/// A class that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The bytes of its class file.
    pub bytes: Vec<u8>,
    /// Where it was.
    pub origin: Origin,
}

/// Where a class was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In this module of the JDK.
    Jdk(Arc<str>),
    /// In the folder or jar that was added as number so-and-so.
    Path(usize),
}

impl ClassPath {
    /// An empty class path.
    pub fn new() -> ClassPath {
        ClassPath::default()
    }

    /// Looks into this JDK first. Its version also chooses among the versions in multi-release jars.
    pub fn set_jdk(&mut self, jdk: Jdk) {
        self.jdk = Some(jdk);
    }

    /// Opens the JDK in `home` and looks there first.
    pub fn add_jdk(&mut self, home: &Path) -> Result<(), PathError> {
        self.set_jdk(Jdk::open(home)?);
        Ok(())
    }

    /// The JDK, if one was added.
    pub fn jdk(&self) -> Option<&Jdk> {
        self.jdk.as_ref()
    }

    /// Adds a folder of class files.
    pub fn add_dir(&mut self, folder: &Path) -> Result<(), PathError> {
        if !folder.is_dir() {
            return Err(PathError::new(folder, "no such folder"));
        }
        self.places.push(Place::Folder(folder.to_path_buf()));
        Ok(())
    }

    /// Adds a jar.
    pub fn add_jar(&mut self, path: &Path) -> Result<(), PathError> {
        let zip = Zip::open(path)?;
        let manifest = zip.find("META-INF/MANIFEST.MF")?.unwrap_or_default();
        let versions = if is_multi_release(&manifest) { versions(&zip) } else { Vec::new() };
        self.places.push(Place::Jar { zip, path: path.to_path_buf(), versions });
        Ok(())
    }

    /// Adds what `path` is: a folder, a jar, or `folder/*` for all its jars.
    pub fn add(&mut self, path: &Path) -> Result<(), PathError> {
        if path.file_name().is_some_and(|name| name == "*") {
            let folder = path.parent().unwrap_or(Path::new("."));
            let files = std::fs::read_dir(folder).map_err(|e| PathError::new(folder, e))?;
            let mut files: Vec<PathBuf> = files.filter_map(|f| Some(f.ok()?.path())).collect();
            files.retain(|f| f.extension().is_some_and(|e| e.eq_ignore_ascii_case("jar")));
            files.sort();
            return files.iter().try_for_each(|jar| self.add_jar(jar));
        }
        if path.is_dir() { self.add_dir(path) } else { self.add_jar(path) }
    }

    /// Adds the parts of a class path as `java -cp` takes it; as there, missing files are left out.
    pub fn add_all(&mut self, paths: &str) -> Result<(), PathError> {
        for path in std::env::split_paths(paths) {
            let path = if path.as_os_str().is_empty() { PathBuf::from(".") } else { path };
            if path.exists() || path.file_name().is_some_and(|name| name == "*") {
                self.add(&path)?;
            }
        }
        Ok(())
    }

    /// The folders and jars, in the order that [`Origin::Path`] counts.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().map(|place| match place {
            Place::Folder(path) | Place::Jar { path, .. } => path.as_path(),
        })
    }

    /// Finds a class by internal name, `java/lang/Object`.
    pub fn find(&self, name: &str) -> Result<Option<Found>, PathError> {
        if !is_class_name(name) {
            return Ok(None);
        }
        if let Some(jdk) = &self.jdk
            && let Some(found) = jdk.find(name)?
        {
            return Ok(Some(found));
        }
        let release = self.jdk.as_ref().map_or(u16::MAX, |jdk| jdk.feature);
        for (index, place) in self.places.iter().enumerate() {
            if let Some(bytes) = place.find(name, release)? {
                return Ok(Some(Found { bytes, origin: Origin::Path(index) }));
            }
        }
        Ok(None)
    }

    /// The bytes of a resource in the folders and jars, `com/example/words.txt`; of at most `most` bytes.
    pub fn resource(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, PathError> {
        if name.is_empty() || name.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(PathError::new(Path::new(name), "no name of a resource"));
        }
        let release = self.jdk.as_ref().map_or(u16::MAX, |jdk| jdk.feature);
        for place in &self.places {
            if let Some(bytes) = place.read(name, release)? {
                return match bytes.len() <= most {
                    true => Ok(Some(bytes)),
                    false => Err(PathError::new(Path::new(name), "a resource that is too large")),
                };
            }
        }
        Ok(None)
    }

    /// The internal names of all classes outside the JDK, sorted.
    pub fn classes(&self) -> Result<Vec<String>, PathError> {
        let mut found = BTreeSet::new();
        for place in &self.places {
            place.list(&mut found)?;
        }
        Ok(found.into_iter().collect())
    }

    /// The internal names of the classes of one package (`java/util`, or the empty
    /// one), JDK included, sorted.
    pub fn package(&self, package: &str) -> Result<Vec<String>, PathError> {
        let mut found: BTreeSet<String> = self.classes()?.into_iter().collect();
        if let Some(jdk) = &self.jdk {
            found.extend(jdk.classes()?.into_iter().map(|listed| listed.name.to_string()));
        }
        let own = |name: &String| name.rsplit_once('/').map_or("", |(p, _)| p) == package;
        Ok(found.into_iter().filter(own).collect())
    }
}

impl Place {
    fn find(&self, name: &str, release: u16) -> Result<Option<Vec<u8>>, PathError> {
        self.read(&format!("{name}.class"), release)
    }

    fn read(&self, name: &str, release: u16) -> Result<Option<Vec<u8>>, PathError> {
        match self {
            Place::Folder(folder) => {
                let file = folder.join(name);
                match std::fs::read(&file) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(e) if missing(&e) => Ok(None),
                    Err(e) => Err(PathError::new(&file, e)),
                }
            }
            Place::Jar { zip, versions, .. } => {
                for version in versions.iter().filter(|&&v| v <= release) {
                    let entry = format!("META-INF/versions/{version}/{name}");
                    if zip.contains(&entry) {
                        return zip.find(&entry);
                    }
                }
                zip.find(name)
            }
        }
    }

    fn list(&self, found: &mut BTreeSet<String>) -> Result<(), PathError> {
        match self {
            Place::Folder(folder) => list_folder(folder, "", found),
            Place::Jar { zip, .. } => {
                let classes = zip.names().filter(|n| !n.starts_with("META-INF/"));
                found.extend(classes.filter_map(|n| Some(n.strip_suffix(".class")?.to_owned())));
                Ok(())
            }
        }
    }
}

/// Whether the error only reports a missing file.
fn missing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::*;
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | InvalidFilename)
}

fn list_folder(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) -> Result<(), PathError> {
    // Deeper than any package: a circle of links.
    if prefix.matches('/').count() > 64 {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).map_err(|e| PathError::new(folder, e))? {
        let path = entry.map_err(|e| PathError::new(folder, e))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            list_folder(&path, &format!("{prefix}{name}/"), found)?;
        } else if let Some(class) = name.strip_suffix(".class") {
            found.insert(format!("{prefix}{class}"));
        }
    }
    Ok(())
}

/// Names come out of class files: one that would leave the folder it is looked for in names no class.
fn is_class_name(name: &str) -> bool {
    // A backslash is a letter like others, where it does not part folders.
    let parts_folders = cfg!(windows) && name.contains('\\');
    name.split('/').all(|part| !part.is_empty()) && !name.contains(['.', ';', '[', '\0']) && !parts_folders
}

/// Main attributes end at the first empty line; their names do not care for case.
fn is_multi_release(manifest: &[u8]) -> bool {
    let text = String::from_utf8_lossy(manifest);
    let mut main = text.lines().take_while(|line| !line.trim_end().is_empty());
    main.any(|line| {
        line.split_once(':').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
        })
    })
}

fn versions(zip: &Zip) -> Vec<u16> {
    let number = |name: &str| name.strip_prefix("META-INF/versions/")?.split_once('/')?.0.parse().ok();
    let found: BTreeSet<u16> = zip.names().filter_map(number).filter(|&v| v >= 9).collect();
    found.into_iter().rev().collect()
}
