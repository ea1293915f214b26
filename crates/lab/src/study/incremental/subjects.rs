//! The subjects of `evergreen-lab study incremental`, and their versions.

/// What is explored: a method of a subject, in several versions.
pub(super) struct Subject {
    /// Its folder.
    pub folder: &'static str,
    /// `Class.method`.
    pub method: &'static str,
    /// The most rounds of a loop.
    pub loops: Option<u32>,
    /// Versions beyond [`KINDS`]: folders.
    pub others: &'static [&'static str],
}

const fn subject(folder: &'static str, method: &'static str, others: &'static [&'static str]) -> Subject {
    Subject { folder, method, loops: None, others }
}

/// The base of every subject.
pub(super) const BASE: &str = "v0";

/// What every subject has, beside its base: folders called by the kind of change.
pub(super) const KINDS: [&str; 5] = ["addition", "deletion", "modification", "refactoring", "renaming"];

/// The subjects.
pub(super) const SUBJECTS: [Subject; 13] = [
    subject("figure2", "Figure2.m", &["v1"]),
    subject("trityp", "TriTyp.classify", &["v1", "v2"]),
    Subject { loops: Some(5), ..subject("euclid", "Euclid.gcd", &["v1"]) },
    subject("tcas", "Tcas.advise", &["v1", "v2", "v3", "v4", "v5"]),
    subject("wbs", "WbsDriver.step2", &["v1"]),
    subject("bintree", "BinTreeDriver.operations4", &["v1", "v2", "v3"]),
    subject("treemap", "TreeMapDriver.operations4", &["v1", "v2"]),
    subject("binomialheap", "BinomialHeapDriver.operations4", &["v1"]),
    subject("arbiter", "ArbiterDriver.events2", &["v1"]),
    subject("sortedlist", "SortedListDriver.insert5", &["v1"]),
    subject("account", "AccountDriver.operations3", &["v1"]),
    subject("intervalset", "IntervalSetDriver.add3", &["v1"]),
    subject("dates", "Dates.nextDay", &["v1"]),
];

impl Subject {
    /// Its versions beside the base, in order: the base itself (nothing changed), then every kind, then
    /// others.
    pub(super) fn versions(&self) -> Vec<&'static str> {
        [BASE].iter().chain(&KINDS).chain(self.others).copied().collect()
    }
}
