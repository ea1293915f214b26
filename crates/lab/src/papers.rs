//! `evergreen-lab papers`: the tables and figures of the five papers that have results, each beside ours.
//!
//! An [`Exhibit`] is one table or figure. It runs in steps, whose results are kept as they come
//! ([`Work`]): an interrupted run continues at the step where it was. What an exhibit shows is a value
//! ([`Shown`]), which the terminal, a page in Markdown and one in HTML print.

mod bliss;
mod comparative;
mod green;
mod greentrie;
mod html;
mod incremental;
mod page;
mod plot;
mod show;
mod technique;
mod work;

use crate::flags::Papers;
use crate::say;
use show::Shown;
use std::process::ExitCode;
use work::Work;

/// The papers, in the order of their years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Paper {
    /// Green [Visser FSE'12]
    Green,
    /// GreenTrie [Jia ISSTA'15]
    Greentrie,
    /// Incremental symbolic execution [Makhdoom ASE'14]
    Incremental,
    /// The comparative study of incremental solving [Liu HVC'14]
    Comparative,
    /// BLISS [Rosner TSE'15]
    Bliss,
}

impl Paper {
    /// Its name in commands and file names.
    fn name(self) -> &'static str {
        match self {
            Paper::Green => "green",
            Paper::Greentrie => "greentrie",
            Paper::Incremental => "incremental",
            Paper::Comparative => "comparative",
            Paper::Bliss => "bliss",
        }
    }

    /// Its name and source in headings.
    fn title(self) -> &'static str {
        match self {
            Paper::Green => "Green (FSE 2012)",
            Paper::Greentrie => "GreenTrie (ISSTA 2015)",
            Paper::Incremental => "Incremental symbolic execution (ASE 2014)",
            Paper::Comparative => "A comparative study of incremental constraint solving (HVC 2014)",
            Paper::Bliss => "BLISS (TSE 2015)",
        }
    }
}

/// What a paper calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A table.
    Table,
    /// A figure.
    Figure,
}

/// A table or a figure of a paper.
struct Exhibit {
    paper: Paper,
    kind: Kind,
    /// As the paper numbers it: `3`, `VIII`.
    number: &'static str,
    /// What it is about, in a few words.
    title: &'static str,
    /// About how many seconds of wall time it takes on two cores: by default, and with `--full`. For the time
    /// that is left, and nothing else.
    seconds: (f64, f64),
    /// Runs it.
    run: fn(&mut Work) -> Result<Shown, String>,
}

impl Exhibit {
    /// `table 3`, `figure 6`.
    fn label(&self) -> String {
        let kind = if self.kind == Kind::Table { "table" } else { "figure" };
        format!("{kind} {}", self.number)
    }

    /// Its name in files: `green-table-3`.
    fn slug(&self) -> String {
        format!("{}-{}", self.paper.name(), self.label().replace(' ', "-").to_lowercase())
    }

    /// The command that makes just this one.
    fn command(&self) -> String {
        let kind = if self.kind == Kind::Table { "table" } else { "figure" };
        format!("evergreen-lab papers {} --{kind} {}", self.paper.name(), self.number)
    }
}

/// Every exhibit, paper by paper, in the order of its paper.
fn exhibits() -> impl Iterator<Item = &'static Exhibit> {
    [green::EXHIBITS, greentrie::EXHIBITS, incremental::EXHIBITS, comparative::EXHIBITS, bliss::EXHIBITS]
        .into_iter()
        .flatten()
}

fn wanted(flags: &Papers) -> Result<Vec<&'static Exhibit>, String> {
    let of_paper = |e: &&Exhibit| flags.paper.is_none_or(|paper| paper == e.paper);
    let is_named = |e: &&Exhibit| {
        let numbers = if e.kind == Kind::Table { &flags.table } else { &flags.figure };
        (flags.table.is_empty() && flags.figure.is_empty())
            || numbers.iter().any(|n| n.eq_ignore_ascii_case(e.number))
    };
    let found: Vec<&Exhibit> = exhibits().filter(of_paper).filter(is_named).collect();
    if found.is_empty() {
        let all: Vec<String> = exhibits().filter(of_paper).map(|e| e.label()).collect();
        return Err(format!("no such table or figure\nhelp: there are {}", all.join(", ")));
    }
    Ok(found)
}

/// Runs what is asked for, prints it, and writes the pages. Exit code 1 when an exhibit could not be made.
pub(crate) fn task(flags: &Papers) -> Result<ExitCode, String> {
    let wanted = wanted(flags)?;
    let mut work = Work::open(flags, &wanted)?;
    let mut failed = 0;
    for exhibit in &wanted {
        match work.exhibit(exhibit) {
            Ok(shown) if flags.json => say::say_json(&page::to_json(exhibit, &shown)),
            Ok(shown) => say::say(page::terminal(exhibit, &shown).trim_end()),
            Err(trouble) => {
                failed += 1;
                say::warn(&format!("{}, {}: {trouble}", exhibit.paper.name(), exhibit.label()));
            }
        }
    }
    let is_whole = flags.paper.is_none() && flags.table.is_empty() && flags.figure.is_empty();
    if let Some(out) = flags.out.clone().or_else(|| is_whole.then(|| "docs/studies/papers.md".into())) {
        let shown = exhibits().map(|e| (e, work.kept(e))).collect::<Vec<_>>();
        page::write(&out, &shown, &work)?;
        html::write(&out.with_extension("html"), &shown, &work)?;
        say::note(&format!("wrote {} and {}", out.display(), out.with_extension("html").display()));
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exhibit_has_a_name_of_its_own() {
        let mut slugs: Vec<String> = exhibits().map(Exhibit::slug).collect();
        slugs.sort();
        let count = slugs.len();
        slugs.dedup();
        assert_eq!(slugs.len(), count);
    }
}
