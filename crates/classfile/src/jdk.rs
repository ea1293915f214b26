//! Finds an installed JDK and opens its classes.

use crate::jimage::{Jimage, Listed};
use crate::path::{Found, Origin};
use crate::source::PathError;
use crate::zip::Zip;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An installed JDK (or a Java runtime without compiler).
pub struct Jdk {
    /// Its folder, with `bin` and `lib` in it.
    pub home: PathBuf,
    /// Its version as it names it: `17.0.15`.
    pub version: String,
    /// The first number of the version: `17`.
    pub feature: u16,
    library: Library,
}

enum Library {
    Image(Jimage),
    /// Module name and archive; classes are below `classes/`.
    Jmods(Vec<(Arc<str>, Zip)>),
}

impl Jdk {
    /// Opens the JDK in `home`: its `lib/modules` image, or its `jmods` where there is no image.
    pub fn open(home: &Path) -> Result<Jdk, PathError> {
        let image = home.join("lib/modules");
        let jmods = home.join("jmods");
        let library = if image.is_file() {
            Library::Image(Jimage::open(&image)?)
        } else if jmods.is_dir() {
            Library::Jmods(open_jmods(&jmods)?)
        } else {
            return Err(PathError::new(
                home,
                "no JDK 9 or later: neither 'lib/modules' nor 'jmods' is there",
            ));
        };
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = release
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION="))
            .map(|v| v.trim_matches('"').to_owned())
            .ok_or_else(|| PathError::new(&home.join("release"), "does not say JAVA_VERSION"))?;
        let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
        let feature = digits
            .parse()
            .map_err(|_| PathError::new(&home.join("release"), format!("odd JAVA_VERSION '{version}'")))?;
        Ok(Jdk { home: home.to_path_buf(), version, feature, library })
    }

    /// Finds a class by internal name.
    pub fn find(&self, name: &str) -> Result<Option<Found>, PathError> {
        match &self.library {
            Library::Image(image) => image.find(name),
            Library::Jmods(modules) => {
                let entry = format!("classes/{name}.class");
                for (module, zip) in modules {
                    if let Some(bytes) = zip.find(&entry)? {
                        return Ok(Some(Found { bytes, origin: Origin::Jdk(module.clone()) }));
                    }
                }
                Ok(None)
            }
        }
    }

    /// A resource by its module and path, `/java.base/sun/text/resources/WordBreakIteratorData`.
    pub fn resource(&self, path: &str) -> Result<Option<Vec<u8>>, PathError> {
        match &self.library {
            Library::Image(image) => image.resource(path),
            Library::Jmods(modules) => {
                let Some((module, entry)) = path.strip_prefix('/').and_then(|rest| rest.split_once('/'))
                else {
                    return Ok(None);
                };
                match modules.iter().find(|(name, _)| **name == *module) {
                    Some((_, zip)) => zip.find(&format!("classes/{entry}")),
                    None => Ok(None),
                }
            }
        }
    }

    /// Every class, sorted by module and name.
    pub fn classes(&self) -> Result<Vec<Listed>, PathError> {
        match &self.library {
            Library::Image(image) => image.classes(),
            Library::Jmods(modules) => {
                let mut found = Vec::new();
                for (module, zip) in modules {
                    let classes =
                        zip.names().filter_map(|n| n.strip_prefix("classes/")?.strip_suffix(".class"));
                    found.extend(classes.map(|name| Listed { module: module.clone(), name: name.into() }));
                }
                found.sort();
                Ok(found)
            }
        }
    }

    /// The path of one of its programs (`java`, `javac`), if it has it.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let file = self.home.join("bin").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        file.is_file().then_some(file)
    }
}

fn open_jmods(folder: &Path) -> Result<Vec<(Arc<str>, Zip)>, PathError> {
    let mut modules = Vec::new();
    for file in std::fs::read_dir(folder).map_err(|e| PathError::new(folder, e))? {
        let path = file.map_err(|e| PathError::new(folder, e))?.path();
        if path.extension().is_some_and(|e| e == "jmod") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            modules.push((Arc::from(&*name), Zip::open(&path)?));
        }
    }
    // The one that nearly every look-up ends in comes first.
    modules.sort_by(|a, b| (&*a.0 != "java.base", &a.0).cmp(&(&*b.0 != "java.base", &b.0)));
    Ok(modules)
}

/// No JDK was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JdkError {
    /// Each place that was looked at, and why it would not do.
    pub looked: Vec<String>,
}

impl fmt::Display for JdkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no JDK found")?;
        for place in &self.looked {
            write!(f, "\n  {place}")?;
        }
        f.write_str("\nhelp: install a JDK (17 or later) or set JAVA_HOME to one")
    }
}

impl std::error::Error for JdkError {}

/// Finds a JDK: `JAVA_HOME`, else the `javac` or `java` on `PATH` (through links), else the
/// newest in `/usr/lib/jvm`.
pub fn find_jdk() -> Result<Jdk, JdkError> {
    let mut looked = Vec::new();
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    chosen_jdk(home, &path, &mut looked)
        .or_else(|| jdks_in(Path::new("/usr/lib/jvm"), &mut looked).into_iter().max_by_key(|jdk| jdk.feature))
        .ok_or(JdkError { looked })
}

/// All JDKs that [`find_jdk`] looks at, each once: the one it finds first, then the others by version.
pub fn installed_jdks() -> Vec<Jdk> {
    let mut found = jdks_in(Path::new("/usr/lib/jvm"), &mut Vec::new());
    found.sort_by_key(|jdk| jdk.feature);
    if let Ok(first) = find_jdk() {
        let same = |jdk: &Jdk| jdk.home.canonicalize().ok() == first.home.canonicalize().ok();
        found.retain(|jdk| !same(jdk));
        found.insert(0, first);
    }
    found
}

fn chosen_jdk(home: Option<PathBuf>, path: &OsStr, looked: &mut Vec<String>) -> Option<Jdk> {
    match home.filter(|home| !home.as_os_str().is_empty()) {
        Some(home) => match Jdk::open(&home) {
            Ok(jdk) => return Some(jdk),
            Err(e) => looked.push(format!("JAVA_HOME: {e}")),
        },
        None => looked.push("JAVA_HOME is not set".into()),
    }
    for program in ["javac", "java"] {
        let file = std::env::split_paths(path)
            .map(|folder| folder.join(program).with_extension(std::env::consts::EXE_EXTENSION))
            .find(|file| file.is_file());
        let real = file.and_then(|file| file.canonicalize().ok());
        match real.as_deref().and_then(|file| file.parent()?.parent()) {
            Some(home) => match Jdk::open(home) {
                Ok(jdk) => return Some(jdk),
                Err(e) => looked.push(format!("{program} on PATH: {e}")),
            },
            None => looked.push(format!("'{program}' is not on PATH")),
        }
    }
    None
}

/// The JDKs that are folders of `folder`, each once though links may lead to it.
fn jdks_in(folder: &Path, looked: &mut Vec<String>) -> Vec<Jdk> {
    let Ok(homes) = std::fs::read_dir(folder) else {
        looked.push(format!("{} is not there", folder.display()));
        return Vec::new();
    };
    let homes = homes.filter_map(|home| home.ok()?.path().canonicalize().ok());
    let homes: BTreeSet<PathBuf> = homes.filter(|home| home.is_dir()).collect();
    let mut found = Vec::new();
    for home in homes {
        match Jdk::open(&home) {
            Ok(jdk) => found.push(jdk),
            Err(e) => looked.push(e.to_string()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_it_looked() {
        let mut looked = Vec::new();
        let nowhere = Some(PathBuf::from("/no/such/jdk"));
        assert!(chosen_jdk(nowhere, OsStr::new("/no/such/bin"), &mut looked).is_none());
        assert!(jdks_in(Path::new("/no/such/folder"), &mut looked).is_empty());
        let error = JdkError { looked }.to_string();
        assert_eq!(
            error,
            "no JDK found\n  \
             JAVA_HOME: /no/such/jdk: no JDK 9 or later: neither 'lib/modules' nor 'jmods' is there\n  \
             'javac' is not on PATH\n  'java' is not on PATH\n  /no/such/folder is not there\n\
             help: install a JDK (17 or later) or set JAVA_HOME to one"
        );
    }

    #[test]
    fn finds_each_jdk_once() {
        let found = installed_jdks();
        let mut homes: Vec<PathBuf> = found.iter().map(|jdk| jdk.home.canonicalize().unwrap()).collect();
        assert!(!homes.is_empty());
        homes.sort();
        assert!(homes.windows(2).all(|w| w[0] != w[1]), "{homes:?}");
        assert_eq!(find_jdk().unwrap().home, found[0].home);
    }
}
