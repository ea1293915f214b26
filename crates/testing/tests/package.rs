//! Every crate can be packaged: it has the name and metadata that a registry asks for, its path dependencies
//! carry a version, no file that it includes lies outside of it, and `cargo package` takes it. That the
//! packages compile by themselves takes minutes: `scripts/package.sh --verify`.

use evergreen_testing::tools::repository;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Development only: never published.
const UNPUBLISHED: [&str; 2] = ["lab", "testing"];

/// Published, and not yet complete without the repository.
const INCOMPLETE: &[&str] = &[];

/// The crates' folders with their manifests.
fn crates() -> BTreeMap<String, String> {
    let folders = std::fs::read_dir(repository().join("crates")).unwrap();
    folders
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
            (entry.file_name().into_string().unwrap(), manifest)
        })
        .collect()
}

/// The part of a manifest below a heading.
fn table<'a>(manifest: &'a str, heading: &str) -> &'a str {
    let inside = manifest.split_once(&format!("{heading}\n")).map_or("", |(_, after)| after);
    inside.split_once("\n[").map_or(inside, |(table, _)| table)
}

/// What a key is set to, as it is written.
fn value<'a>(table: &'a str, key: &str) -> Option<&'a str> {
    let line =
        table.lines().find(|line| line.starts_with(key) && line[key.len()..].starts_with([' ', '.']))?;
    line.split_once(" = ").map(|(_, value)| value)
}

fn words(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn published_crates_carry_what_a_registry_asks_for() {
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    for (folder, manifest) in crates() {
        let package = table(&manifest, "[package]");
        let is_published = value(package, "publish") != Some("false");
        assert_eq!(is_published, !UNPUBLISHED.contains(&folder.as_str()), "crate {folder}");
        if !is_published {
            continue;
        }
        for key in ["version", "edition", "rust-version", "license", "repository"] {
            assert_eq!(value(package, key), Some("true"), "crate {folder}: {key}.workspace");
        }
        let name = value(package, "name").unwrap_or_default().trim_matches('"');
        assert!(name == "evergreen-smt" || name.starts_with("evergreen-smt-"), "crate {folder}: {name}");
        let description = value(package, "description").unwrap_or_default();
        assert!((20..300).contains(&description.len()), "crate {folder}: {description}");
        let readme = value(package, "readme").unwrap_or_default().trim_matches('"');
        let file = repository().join("crates").join(&folder).join(readme);
        assert!(file.is_file(), "crate {folder}: no {}", file.display());
        for (key, most, longest) in [("keywords", 5, 20), ("categories", 5, 60)] {
            let inherited = value(table(&workspace, "[workspace.package]"), key);
            let list = value(package, key).map(|list| if list == "true" { inherited } else { Some(list) });
            let list = words(list.flatten().unwrap_or_else(|| panic!("crate {folder}: no {key}")));
            assert!((1..=most).contains(&list.len()), "crate {folder}: {list:?}");
            assert!(list.iter().all(|word| word.len() <= longest), "crate {folder}: {list:?}");
        }
    }
}

#[test]
fn path_dependencies_carry_the_name_and_version_of_their_crate() {
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let version = value(table(&workspace, "[workspace.package]"), "version").unwrap();
    let crates = crates();
    let mut seen = 0;
    let shared = table(&workspace, "[workspace.dependencies]");
    for line in shared.lines().filter(|line| line.contains("path = ")) {
        let field = |key: &str| {
            let (_, after) = line.split_once(&format!("{key} = \""))?;
            after.split('"').next()
        };
        let folder = field("path").and_then(|path| path.strip_prefix("crates/")).unwrap();
        let name = value(table(&crates[folder], "[package]"), "name").unwrap();
        assert_eq!(field("package"), Some(name.trim_matches('"')), "{line}");
        // Without a version cargo leaves a development dependency out of a package.
        let left_out = UNPUBLISHED.contains(&folder) || line.contains("-in-tests = ");
        let expected = (!left_out).then_some(version.trim_matches('"'));
        assert_eq!(field("version"), expected, "{line}");
        seen += 1;
    }
    assert!(seen > 15, "{seen} path dependencies");
    for (folder, manifest) in crates {
        let own = manifest.lines().find(|line| line.contains("path = \"../"));
        assert_eq!(own, None, "crate {folder}: path dependencies are named in the workspace");
        if !UNPUBLISHED.contains(&folder.as_str()) {
            let dependencies = table(&manifest, "[dependencies]");
            assert!(!dependencies.contains("-in-tests"), "crate {folder} needs what its package leaves out");
            for other in UNPUBLISHED {
                assert!(
                    !dependencies.contains(&format!("evergreen-{other} ")),
                    "crate {folder} needs {other}"
                );
            }
        }
    }
}

#[test]
fn cargo_packages_every_published_crate() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["package", "--workspace", "--offline", "--allow-dirty", "--no-verify", "--target-dir"]);
    command.arg(&target).current_dir(repository());
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let version = value(table(&workspace, "[workspace.package]"), "version").unwrap().trim_matches('"');
    let mut files = Vec::new();
    for (folder, manifest) in crates() {
        let name = value(table(&manifest, "[package]"), "name").unwrap().trim_matches('"');
        if UNPUBLISHED.contains(&folder.as_str()) {
            command.args(["--exclude", name]);
        } else {
            files.push(target.join(format!("package/{name}-{version}.crate")));
        }
    }
    let _ = std::fs::remove_dir_all(&target);
    let output = command.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in files {
        let bytes = std::fs::metadata(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())).len();
        // The registry takes 10 MB.
        assert!((1_000..10 << 20).contains(&bytes), "{}: {bytes} bytes", file.display());
    }
}

/// Files that sources include, with the file that does.
fn included(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            included(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for macro_name in ["include_str!(", "include_bytes!("] {
                for part in text.split(macro_name).skip(1) {
                    let Some(name) = part.trim_start().strip_prefix('"') else { continue };
                    let name = name.split('"').next().unwrap();
                    found.push((path.clone(), name.to_string()));
                }
            }
        }
    }
}

/// A path without `..`, by its text.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn crates_include_only_files_of_their_own() {
    let mut all = 0;
    for folder in crates().into_keys().filter(|folder| !UNPUBLISHED.contains(&folder.as_str())) {
        let root = repository().join("crates").join(&folder);
        let mut found = Vec::new();
        included(&root.join("src"), &mut found);
        all += found.len();
        let outside = found.iter().find_map(|(source, name)| {
            let file = plain(&source.parent().unwrap().join(name));
            assert!(file.is_file(), "{} includes {name}", source.display());
            // Tests are no part of a package, so what they include may be there.
            let is_packaged = file.starts_with(&root) || source.ends_with("tests.rs");
            (!is_packaged).then(|| format!("{} includes {name}", source.display()))
        });
        match outside {
            Some(what) => assert!(INCOMPLETE.contains(&folder.as_str()), "{what}"),
            None => assert!(!INCOMPLETE.contains(&folder.as_str()), "{folder} needs no exception any more"),
        }
    }
    assert!(all > 10, "{all} included files");
}
