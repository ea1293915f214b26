//! A program as bytes, so that workers explore exactly the classes that the submitter has: jars as they are,
//! of folders the class files.
//!
//! The bytes are a line of JSON that lists the contents, and then the files one after the other. They depend
//! on names and contents only, so that a program that was sent once is not sent again. The JDK is not sent: a
//! worker has the same version or leaves the job alone.

use evergreen_java::classfile::Jdk;
use evergreen_java::{Program, ProgramError};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;

/// The name of the format in the first line.
const FORMAT: &str = "evergreen program 1";
/// A server takes no more under one key.
const MOST_BYTES: u64 = 500 << 20;

#[derive(Serialize, Deserialize)]
struct Contents {
    format: String,
    /// Internal names of the classes that are explored.
    classes: Vec<String>,
    /// Where classes are found, in order.
    places: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// A jar of so many bytes.
    Jar(u64),
    /// Files and their lengths.
    Folder(Vec<(String, u64)>),
}

/// Packs a program.
pub(crate) fn pack(program: &Program) -> Result<Vec<u8>, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    let (mut places, mut total) = (Vec::new(), 0);
    let length = |file: &Path| std::fs::metadata(file).map(|m| m.len()).map_err(|e| cannot(file, &e));
    for place in &program.places {
        if !place.is_dir() {
            total += length(place)?;
            places.push(Place::Jar(length(place)?));
            files.push(place.clone());
            continue;
        }
        let mut listed = Vec::new();
        for file in class_files(place)? {
            let inside = file.strip_prefix(place).unwrap_or(&file);
            let name: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            total += length(&file)?;
            listed.push((name.join("/"), length(&file)?));
            files.push(file);
        }
        places.push(Place::Folder(listed));
    }
    if total > MOST_BYTES {
        return Err(format!(
            "the program is too large for a queue: {} MB of classes\n\
             help: remove what it does not need from --class-path",
            total >> 20
        ));
    }
    let classes = program.classes().iter().map(|class| class.name.to_string()).collect();
    let contents = Contents { format: FORMAT.into(), classes, places };
    let mut bytes = serde_json::to_vec(&contents).map_err(|e| e.to_string())?;
    bytes.push(b'\n');
    for file in files {
        bytes.extend(std::fs::read(&file).map_err(|e| cannot(&file, &e))?);
    }
    Ok(bytes)
}

fn cannot(file: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", file.display())
}

/// The class files below a folder, sorted.
fn class_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for file in std::fs::read_dir(&folder).map_err(|e| cannot(&folder, &e))? {
            let file = file.map_err(|e| cannot(&folder, &e))?;
            let path = file.path();
            // A link to a folder above would never end.
            if file.file_type().is_ok_and(|of| of.is_dir()) {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "class") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A program that was unpacked, and the folder where it lies until the end.
pub(crate) struct Unpacked {
    folder: TempDir,
    places: Vec<PathBuf>,
    classes: Vec<String>,
}

/// Unpacks a program into a folder of its own. The bytes come from a network: names that lead out of the
/// folder are refused.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Unpacked, String> {
    let odd = |what: &str| format!("not a program of Evergreen's: {what}");
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| odd("no first line"))?;
    let contents: Contents = serde_json::from_slice(&bytes[..end]).map_err(|e| odd(&e.to_string()))?;
    if contents.format != FORMAT {
        return Err(odd(&format!("its format is '{}'", contents.format)));
    }
    let folder =
        TempDir::with_prefix("evergreen-work-").map_err(|e| format!("a folder for a program: {e}"))?;
    let mut rest = &bytes[end + 1..];
    let mut take = |length: u64| {
        let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
        let (file, others) = rest.split_at(length.ok_or_else(|| odd("it is cut off"))?);
        rest = others;
        Ok::<&[u8], String>(file)
    };
    let write = |file: &Path, content: &[u8]| std::fs::write(file, content).map_err(|e| cannot(file, &e));
    let mut places = Vec::new();
    for (number, place) in contents.places.iter().enumerate() {
        match place {
            Place::Jar(length) => {
                let file = folder.path().join(format!("{number}.jar"));
                write(&file, take(*length)?)?;
                places.push(file);
            }
            Place::Folder(files) => {
                let root = folder.path().join(number.to_string());
                std::fs::create_dir(&root).map_err(|e| cannot(&root, &e))?;
                for (name, length) in files {
                    let inside = Path::new(name);
                    if !inside.components().all(|part| matches!(part, Component::Normal(_))) {
                        return Err(odd(&format!("a file called '{name}'")));
                    }
                    let file = root.join(inside);
                    let parent = file.parent().unwrap_or(&root);
                    std::fs::create_dir_all(parent).map_err(|e| cannot(parent, &e))?;
                    write(&file, take(*length)?)?;
                }
                places.push(root);
            }
        }
    }
    Ok(Unpacked { folder, places, classes: contents.classes })
}

impl Unpacked {
    /// Opens the program. The folder has to outlive it.
    pub(crate) fn open(&self, jdk: Jdk) -> Result<Program, ProgramError> {
        debug_assert!(self.places.iter().all(|place| place.starts_with(self.folder.path())));
        Program::of_places(self.places.clone(), self.classes.clone(), jdk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(contents: &str, files: &[u8]) -> Vec<u8> {
        [contents.as_bytes(), b"\n", files].concat()
    }

    fn refused(bytes: &[u8]) -> String {
        unpack(bytes).err().expect("it is unpacked")
    }

    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        let text = concat!(
            r#"{"format":"evergreen program 1","classes":["a/B"],"#,
            r#""places":[{"folder":[["a/B.class",3],["C.class",0]]},{"jar":2}]}"#
        );
        let unpacked = unpack(&bytes(text, b"abcJJ")).unwrap();
        let (folder, jar) = (&unpacked.places[0], &unpacked.places[1]);
        assert_eq!(std::fs::read(folder.join("a/B.class")).unwrap(), b"abc");
        assert_eq!(std::fs::read(folder.join("C.class")).unwrap(), b"");
        assert_eq!(std::fs::read(jar).unwrap(), b"JJ");
        assert_eq!(unpacked.classes, ["a/B"]);
        assert_eq!(class_files(folder).unwrap(), [folder.join("C.class"), folder.join("a/B.class")]);
    }

    #[test]
    fn names_that_lead_elsewhere_and_files_that_are_cut_off_are_refused() {
        for name in ["../x.class", "/tmp/x.class", "a/../../x.class", ""] {
            let text = format!(
                r#"{{"format":"evergreen program 1","classes":[],"places":[{{"folder":[["{name}",1]]}}]}}"#
            );
            let error = refused(&bytes(&text, b"x"));
            assert!(error.contains("a file called") || name.is_empty(), "{name}: {error}");
        }
        let text = r#"{"format":"evergreen program 1","classes":[],"places":[{"jar":3}]}"#;
        assert!(refused(&bytes(text, b"xx")).contains("cut off"));
        let text = r#"{"format":"evergreen program 2","classes":[],"places":[]}"#;
        assert!(refused(&bytes(text, b"")).contains("'evergreen program 2'"));
        assert!(refused(b"nothing").contains("no first line"));
        assert!(refused(b"{}\n").contains("not a program"));
    }
}
