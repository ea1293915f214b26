//! Where in the user's sources a finding is shown.

use crate::{Finding, MethodRef, Program};
use evergreen_classfile::ClassFile;
use evergreen_service::report::sarif::Location;
use evergreen_structures::text::is_active;
use std::path::{Path, PathBuf};

/// Where a finding is shown: where the program's own code threw, or called what threw; or else where the
/// method begins. `targets` are what the user named to be explored.
pub fn located(program: &Program, targets: &[PathBuf], method: &MethodRef, finding: &Finding) -> Location {
    let classes = program.classes();
    let is_own = |class: &str| classes.iter().any(|own| *own.name == *class);
    // An exception thrown in the JDK is shown where the program called the JDK.
    let thrown = finding.place().filter(|place| is_own(&place.unit));
    let place = thrown.or_else(|| finding.end.stops.iter().map(|s| &s.place).rfind(|p| is_own(&p.unit)));
    let (class, file, line) = match place {
        Some(place) => (&*place.unit, place.file.as_ref().map(|file| file.to_string()), place.line),
        None => {
            let declared = declared_at(classes, &method.class, &method.name, &method.descriptor);
            (&*method.class, declared.as_ref().map(|at| at.0.clone()), declared.map(|at| at.1))
        }
    };
    (file.map(|file| source_of(targets, class, &file)), line)
}

/// How many folders above a class file or jar sources are looked for: `target/classes/shop/Cart.class`.
const ABOVE: usize = 8;

/// Where the source of a class is, among what was given to be explored: a file as it was named, one below a
/// folder, or the place where its package says that it is. Class files say what they like of their source:
/// what is no name of a file is not used.
pub fn source_of(targets: &[PathBuf], class: &str, file: &str) -> PathBuf {
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    let usual = format!("{}.java", name.split('$').find(|part| !part.is_empty()).unwrap_or("Unknown"));
    let file = if is_file_name(file) { file } else { &usual };
    let own: PathBuf = Path::new(package).join(file);
    for target in targets {
        if target.is_file() && target.file_name().is_some_and(|name| name == file) {
            return target.clone();
        }
        let roots = ["", "src/main/java", "src"].map(|root| target.join(root).join(&own));
        if let Some(found) = roots.into_iter().find(|place| place.is_file()) {
            return found;
        }
    }
    targets.iter().find_map(|target| beside(target, &own)).unwrap_or(own)
}

/// The source of compiled classes: build tools put both below the folder of the project.
fn beside(target: &Path, own: &Path) -> Option<PathBuf> {
    let is_compiled = target.is_dir() || target.extension().is_some_and(|e| e == "class" || e == "jar");
    let above = target.ancestors().skip(1).filter(|_| is_compiled).take(ABOVE);
    let roots = above.flat_map(|folder| ["src/main/java", "src"].map(|root| folder.join(root).join(own)));
    roots.into_iter().find(|place| place.is_file())
}

/// Whether a text is the name of a file and nothing more: no folder, on no system, and no address.
fn is_file_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(|c: char| "/\\:".contains(c) || is_active(c))
}

/// The first line of a method, and its file.
pub fn declared_at(
    classes: &[ClassFile],
    class: &str,
    name: &str,
    descriptor: &str,
) -> Option<(String, u32)> {
    let class = classes.iter().find(|own| *own.name == *class)?;
    let line = class.method(name, descriptor)?.code.as_ref()?.lines.iter().map(|(_, line)| *line).min()?;
    Some((class.source_file.as_ref()?.to_string(), line.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_in_the_project_of_class_files() {
        let project = tempfile::tempdir().unwrap();
        let source = project.path().join("src/main/java/shop/Cart.java");
        std::fs::create_dir_all(source.parent().unwrap()).unwrap();
        std::fs::write(&source, "").unwrap();
        for target in ["target/classes/shop/Cart.class", "target/shop.jar"] {
            let target = project.path().join(target);
            assert_eq!(source_of(&[target], "shop/Cart$Item", "Cart.java"), source);
        }
        let other = project.path().join("target/readme.txt");
        assert_eq!(source_of(&[other], "shop/Cart", "Cart.java"), Path::new("shop/Cart.java"));
    }

    #[test]
    fn a_class_file_does_not_say_where_files_are() {
        let of = |file: &str| source_of(&[PathBuf::from("/")], "shop/Cart$Item", file);
        assert_eq!(of("Carts.java"), Path::new("shop/Carts.java"));
        for file in [
            "../../x",
            "/etc/passwd",
            "..",
            ".",
            "",
            "a/b",
            "..\\x",
            "c:x",
            "http://e/x",
            "x\0",
            "\u{202e}x",
            "\n",
        ] {
            assert_eq!(of(file), Path::new("shop/Cart.java"), "{file:?}");
        }
        assert_eq!(of("100%2e.java"), Path::new("shop/100%2e.java"));
    }
}
