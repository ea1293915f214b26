//! The manual holds together: SUMMARY.md has every page once, links and anchors lead somewhere, lines are
//! wrapped.

use evergreen_testing::manual::{anchors, blocks, links, pages, read};
use evergreen_testing::tools::repository;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// `docs/studies/../ci.md` as `docs/ci.md`.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = Path::new("docs/SUMMARY.md");
    let listed: Vec<PathBuf> =
        links(&read(summary)).into_iter().map(|(_, target)| Path::new("docs").join(target)).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is in the summary twice");
    let pages: Vec<PathBuf> = pages().into_iter().filter(|page| page != summary).collect();
    for page in &pages {
        // A book calls it index.html, and links to it break.
        assert!(!page.ends_with("README.md"), "{}: give it another name", page.display());
        assert!(once.contains(page), "{} is not in docs/SUMMARY.md", page.display());
    }
    for page in &listed {
        assert!(pages.contains(page), "docs/SUMMARY.md names {}, which does not exist", page.display());
    }
}

/// Links lead to files, and anchors to headings. Those of the manual stay in it: outside, a built book has
/// nothing.
#[test]
fn links_lead_somewhere() {
    let outside = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"];
    let mut wrong = Vec::new();
    for page in outside.iter().map(PathBuf::from).chain(pages()) {
        let text = read(&page);
        for (line, link) in links(&text) {
            let (file, anchor) = link.split_once('#').map_or((&*link, None), |(f, a)| (f, Some(a)));
            let folder = page.parent().unwrap_or(Path::new(""));
            let target = if file.is_empty() { page.clone() } else { without_dots(&folder.join(file)) };
            let place = format!("{}:{line}: {link}", page.display());
            if page.starts_with("docs") && !target.starts_with("docs") {
                wrong.push(format!("{place} leads out of the manual"));
            } else if !repository().join(&target).exists() {
                wrong.push(format!("{place} leads to no file"));
            } else if anchor.is_some_and(|anchor| !anchors(&read(&target)).contains(anchor)) {
                wrong.push(format!("{place} leads to no heading"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prose is wrapped at 120. Tables and blocks are as wide as they must be; pages of studies are written by
/// programs.
#[test]
fn prose_is_wrapped() {
    let outside = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"];
    let outside = outside.map(PathBuf::from);
    let mut wide = Vec::new();
    for page in outside.into_iter().chain(pages()).filter(|page| !page.starts_with("docs/studies")) {
        let (_, prose) = blocks(&read(&page));
        for (number, line) in prose.lines().enumerate() {
            if line.chars().count() > 120 && !line.starts_with(['|', '!']) {
                wide.push(format!("{}:{}", page.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "wider than 120: {}", wide.join(" "));
}

/// Sentences have a subject: these words stood where a technical noun belongs.
#[test]
fn prose_names_its_subjects() {
    let outside = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"];
    let outside = outside.map(PathBuf::from);
    let mut found = Vec::new();
    for page in outside.into_iter().chain(pages()) {
        let (_, prose) = blocks(&read(&page));
        // Inline code is quoted from programs.
        let prose: String = prose.split('`').step_by(2).collect();
        for (number, line) in prose.lines().enumerate() {
            let words = line.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
            let riddles = ["nobody", "somebody", "whoever", "told", "tells"];
            for word in words.filter(|word| riddles.contains(&word.as_str())) {
                found.push(format!("{}:{}: {word}", page.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
