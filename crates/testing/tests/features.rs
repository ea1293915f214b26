//! The library can be built small, and its documentation names what can be left out.
//!
//! That every combination compiles is checked by `scripts/features.sh`: it takes too long for a test.

use evergreen_testing::tools::repository;
use std::collections::BTreeSet;
use std::process::Command;

/// The most crates of others that the library may need without its features.
const MOST: usize = 24;

/// The names of the crates of others that a crate is made of.
fn foreign_crates(features: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none"]);
    command.args(["--package", "evergreen-smt", "--format", "{p}"]).args(features);
    let output = command.current_dir(repository()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let own = format!("({}/", repository().display());
    let lines = text.lines().filter(|line| !line.is_empty() && !line.contains(&own));
    lines.map(|line| line.trim_end_matches(" (*)").to_string()).collect()
}

#[test]
fn the_library_without_features_is_a_small_tree() {
    let small = foreign_crates(&["--no-default-features"]);
    assert!(small.len() <= MOST, "{} crates: {small:?}", small.len());
    let has = |crates: &BTreeSet<String>, name: &str| {
        crates.iter().any(|line| line.split(' ').next() == Some(name))
    };
    // What it has to have, and what only features bring.
    assert!(has(&small, "num-bigint") && has(&small, "blake3"), "{small:?}");
    let brought = [
        ("disk", "heed"),
        ("redis", "redis"),
        ("tls", "rustls"),
        ("cloud", "opendal"),
        ("processes", "libc"),
    ];
    for (feature, brings) in brought {
        assert!(!has(&small, brings), "{brings} without {feature}");
        let with = foreign_crates(&["--no-default-features", "--features", feature]);
        assert!(has(&with, brings), "{feature} brings no {brings}: {with:?}");
        assert_eq!(has(&with, "rustls"), ["tls", "cloud"].contains(&feature), "{feature}: {with:?}");
    }
}

/// The names in a table of a manifest.
fn features_of(krate: &str) -> BTreeSet<String> {
    let manifest =
        std::fs::read_to_string(repository().join("crates").join(krate).join("Cargo.toml")).unwrap();
    let table = manifest.split("[features]\n").nth(1).expect("a table of features");
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.to_string()).collect()
}

#[test]
fn the_documentation_names_every_feature() {
    for krate in ["evergreen", "store", "solver"] {
        let features = features_of(krate);
        assert!(features.contains("default"), "{krate}: {features:?}");
        let head =
            std::fs::read_to_string(repository().join("crates").join(krate).join("src/lib.rs")).unwrap();
        let section = head.split("//! # Features\n").nth(1).expect("a section on features");
        let section: String = section.lines().take_while(|line| line.starts_with("//!")).collect();
        for feature in features.iter().filter(|feature| *feature != "default") {
            assert!(section.contains(&format!("`{feature}`")), "crate {krate}: {feature} is not explained");
        }
    }
}
