//! A program as bytes, so that workers explore exactly what the submitter has: the classes of a Java program,
//! the module of a C program.
//!
//! The bytes are a line of JSON that lists the contents, and then the files one after the other. They depend
//! on names and contents only, so that a program that was sent once is not sent again.

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
    /// Names of the units that are explored; internal names of classes.
    classes: Vec<String>,
    /// Where they are found, in order.
    places: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// A jar of so many bytes.
    Jar(u64),
    /// A WebAssembly module of so many bytes.
    Module(u64),
    /// Files and their lengths.
    Folder(Vec<(String, u64)>),
}

/// A part of a program that is sent.
pub(crate) enum Part {
    /// A jar.
    Jar(PathBuf),
    /// A WebAssembly module.
    Module(Vec<u8>),
    /// A folder, and the files in it that are sent.
    Folder(PathBuf, Vec<PathBuf>),
}

/// A program that is sent.
pub(crate) struct Package {
    /// Names of the units that are explored.
    pub units: Vec<String>,
    /// Its files, in the order in which they are searched.
    pub parts: Vec<Part>,
}

impl Package {
    /// As bytes.
    pub(crate) fn write(self) -> Result<Vec<u8>, String> {
        let (mut places, mut total) = (Vec::new(), 0);
        let length = |file: &Path| std::fs::metadata(file).map(|m| m.len()).map_err(|e| cannot(file, &e));
        for part in &self.parts {
            places.push(match part {
                Part::Jar(file) => Place::Jar(length(file)?),
                Part::Module(bytes) => Place::Module(bytes.len() as u64),
                Part::Folder(root, files) => {
                    let listed = |file: &PathBuf| Ok((name_in(root, file), length(file)?));
                    Place::Folder(files.iter().map(listed).collect::<Result<_, String>>()?)
                }
            });
            total += places.last().map_or(0, Place::bytes);
        }
        if total > MOST_BYTES {
            return Err(format!(
                "the program is too large for a queue: {} MB of classes\n\
                 help: remove what it does not need from --class-path",
                total >> 20
            ));
        }
        let contents = Contents { format: FORMAT.into(), classes: self.units, places };
        let mut bytes = serde_json::to_vec(&contents).map_err(|e| e.to_string())?;
        bytes.push(b'\n');
        let read = |file: &PathBuf| std::fs::read(file).map_err(|e| cannot(file, &e));
        for part in self.parts {
            match part {
                Part::Jar(file) => bytes.extend(read(&file)?),
                Part::Module(module) => bytes.extend(module),
                Part::Folder(_, files) => {
                    for file in files {
                        bytes.extend(read(&file)?);
                    }
                }
            }
        }
        Ok(bytes)
    }
}

impl Place {
    fn bytes(&self) -> u64 {
        match self {
            Place::Jar(length) | Place::Module(length) => *length,
            Place::Folder(files) => files.iter().map(|(_, length)| length).sum(),
        }
    }
}

/// The name of a file below a folder, the same on every system.
fn name_in(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap_or(file);
    let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

pub(super) fn cannot(file: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", file.display())
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
            Place::Jar(length) | Place::Module(length) => {
                let ending = if matches!(place, Place::Jar(_)) { "jar" } else { "wasm" };
                let file = folder.path().join(format!("{number}.{ending}"));
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
    /// Where the parts of the program are, in order. The folder has to outlive what is made of them.
    pub(crate) fn places(&self) -> &[PathBuf] {
        debug_assert!(self.places.iter().all(|place| place.starts_with(self.folder.path())));
        &self.places
    }

    /// Names of the units that are explored.
    pub(crate) fn units(&self) -> &[String] {
        &self.classes
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
    }

    #[test]
    fn what_is_packed_is_what_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let (root, jar) = (folder.path().join("classes"), folder.path().join("x.jar"));
        std::fs::create_dir_all(root.join("a")).unwrap();
        let files = vec![root.join("C.class"), root.join("a/B.class")];
        std::fs::write(&files[0], "").unwrap();
        std::fs::write(&files[1], "abc").unwrap();
        std::fs::write(&jar, "JJ").unwrap();
        let parts = vec![Part::Folder(root, files), Part::Jar(jar), Part::Module(b"\0asm".to_vec())];
        let sent = Package { units: vec!["a/B".into()], parts }.write().unwrap();
        let text = concat!(
            r#"{"format":"evergreen program 1","classes":["a/B"],"#,
            r#""places":[{"folder":[["C.class",0],["a/B.class",3]]},{"jar":2},{"module":4}]}"#
        );
        assert_eq!(sent, bytes(text, b"abcJJ\0asm"));
        let unpacked = unpack(&sent).unwrap();
        assert_eq!(std::fs::read(unpacked.places()[0].join("a/B.class")).unwrap(), b"abc");
        let module = &unpacked.places()[2];
        assert!(module.ends_with("2.wasm"));
        assert_eq!(std::fs::read(module).unwrap(), b"\0asm");
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
