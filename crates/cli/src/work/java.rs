//! Java programs for a queue: jars as they are, of folders the class files. The JDK is not sent: a worker has
//! the same version or leaves the job alone.

use super::package::{Package, Part, Unpacked, cannot};
use super::sent::Sent;
use crate::explore::programs::Known;
use crate::language::Written;
use evergreen_java::classfile::find_jdk;
use evergreen_java::{JavaFrontend, Program};
use std::path::{Path, PathBuf};

impl Sent for JavaFrontend {
    const WRITTEN: Written = Written::Java;

    fn platform(front: &JavaFrontend) -> String {
        front.program().jdk_version.clone()
    }

    fn check_platform(wanted: &str) -> Result<(), String> {
        same_jdk(wanted, &find_jdk().map_err(|e| e.to_string())?.version)
    }

    fn known(front: &JavaFrontend) -> Known {
        let all = front.jvm.options.lazy.iter().flat_map(|lazy| &lazy.invariants);
        all.map(|known| (known.class.clone(), known.text.clone(), known.origin.clone())).collect()
    }

    fn packed(front: &JavaFrontend) -> Result<Package, String> {
        let program = front.program();
        let part = |place: &PathBuf| match place.is_dir() {
            true => Ok(Part::Folder(place.clone(), class_files(place)?)),
            false => Ok(Part::Jar(place.clone())),
        };
        let parts = program.places.iter().map(part).collect::<Result<_, String>>()?;
        let units = program.classes().iter().map(|class| class.name.to_string()).collect();
        Ok(Package { units, parts })
    }

    fn unpacked(unpacked: &Unpacked) -> Result<Program, String> {
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        Program::of_places(unpacked.places().to_vec(), unpacked.units().to_vec(), jdk)
            .map_err(|e| e.to_string())
    }
}

fn same_jdk(wanted: &str, here: &str) -> Result<(), String> {
    match wanted == here {
        true => Ok(()),
        false => Err(format!("it is for JDK {wanted}, the one here is {here}")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_jdk_is_left_to_others() {
        assert_eq!(same_jdk("21", "21"), Ok(()));
        assert_eq!(same_jdk("17.0.1", "21").unwrap_err(), "it is for JDK 17.0.1, the one here is 21");
    }

    #[test]
    fn class_files_are_found_at_every_depth() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("a")).unwrap();
        for file in ["a/B.class", "C.class", "notes.txt"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        assert_eq!(class_files(root).unwrap(), [root.join("C.class"), root.join("a/B.class")]);
    }
}
