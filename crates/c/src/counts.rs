//! What the machine counts: which instructions were executed, and with debug information which lines.

use crate::harness::Sizes;
use evergreen_service::report::{Cell, More, Table};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A line of a source: file and number.
type LineOf = (Arc<str>, u32);

/// Which of a program's instructions belong to which line of its sources.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// By instruction.
    pub(crate) of: Vec<Option<LineOf>>,
}

/// What was executed.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// By instruction.
    executed: Vec<bool>,
    lines: Option<Arc<Lines>>,
    /// How large the inputs are that a harness makes.
    sizes: Option<Sizes>,
    /// Whether an input could have had one more object of a type.
    pub(crate) is_scoped: bool,
    /// Names that the user has set something for, and whether an input had each.
    pub(crate) named: BTreeMap<String, bool>,
}

impl evergreen_service::Counts for Counts {
    fn add(&mut self, other: &Counts) {
        if self.executed.len() < other.executed.len() {
            self.executed.resize(other.executed.len(), false);
        }
        self.executed.iter_mut().zip(&other.executed).for_each(|(own, more)| *own |= *more);
        if self.lines.is_none() {
            self.lines.clone_from(&other.lines);
        }
        self.is_scoped |= other.is_scoped;
        for (name, has_met) in &other.named {
            *self.named.entry(name.clone()).or_insert(false) |= has_met;
        }
        if self.sizes.is_none() {
            self.sizes.clone_from(&other.sizes);
        }
    }
}

impl Counts {
    /// How large the inputs are that a harness makes, if there is one that makes buffers.
    pub fn sizes(&self) -> Option<&Sizes> {
        self.sizes.as_ref()
    }

    /// Whether an input could have had one more object of a type.
    pub fn is_scoped(&self) -> bool {
        self.is_scoped
    }

    pub(crate) fn set(&mut self, executed: &[bool], lines: &Arc<Lines>, sizes: Option<&Sizes>) {
        self.sizes = sizes.cloned();
        self.executed.clear();
        self.executed.extend_from_slice(executed);
        self.lines = Some(lines.clone());
    }

    /// For each line that has code: whether some of it was executed.
    fn covered(&self) -> BTreeMap<LineOf, bool> {
        let mut all = BTreeMap::new();
        for (at, line) in self.lines.iter().flat_map(|lines| lines.of.iter().enumerate()) {
            if let Some(line) = line {
                *all.entry(line.clone()).or_insert(false) |= self.executed.get(at).copied().unwrap_or(false);
            }
        }
        all
    }

    /// What reports show.
    pub(crate) fn more(&self) -> More {
        let mut more = More::default();
        let unmet = self.named.iter().filter(|(_, has_met)| !**has_met);
        more.facts.extend(unmet.map(|(name, _)| format!("no input was called \"{name}\" on any path")));
        let lines = self.covered();
        if lines.is_empty() {
            return more;
        }
        let mut files: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for ((file, _), covered) in &lines {
            let counts = files.entry(file).or_default();
            counts.0 += u64::from(*covered);
            counts.1 += 1;
        }
        let (covered, all) = files.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let missed: Vec<String> =
            lines.iter().filter(|(_, covered)| !**covered).map(|((f, n), _)| format!("{f}:{n}")).collect();
        more.fields.insert("lines".into(), json!({ "covered": covered, "all": all, "missed": missed }));
        more.cards.push((format!("{covered}/{all}"), "lines of the sources executed"));
        let row = |(file, (covered, all)): (&&str, &(u64, u64))| {
            vec![Cell::Code(file.to_string(), String::new()), Cell::Share(*covered, *all)]
        };
        more.tables
            .push(Table { head: vec!["source", "lines executed"], rows: files.iter().map(row).collect() });
        more.facts.push(format!("{covered} of {all} lines of the sources were executed"));
        more
    }
}
