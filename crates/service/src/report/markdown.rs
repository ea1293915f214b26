//! A run as Markdown: what a reader of continuous integration sees.

use super::sarif::in_order;
use super::{RunEnd, arms, foreign_whole_input};
use crate::exploration::EntryOf;
use crate::{EntryEnd, Explored, Finding, Frontend, Language, Sink, Within};
use evergreen_structures::markdown;
use std::marker::PhantomData;

/// Findings that a summary shows.
const MOST_FINDINGS: usize = 50;

/// Collects the findings of a run for a summary.
#[derive(Clone, Debug, Default)]
pub struct Markdown<L> {
    rows: Vec<Vec<String>>,
    language: PhantomData<L>,
}

impl<L: Language> Markdown<L> {
    fn add(&mut self, entry: &L::Entry, finding: &Finding<L>) {
        let message = finding.message().map(|m| format!(": {m}")).unwrap_or_default();
        let inputs = foreign_whole_input(&finding.end);
        let at = finding.place().map(ToString::to_string).unwrap_or_default();
        self.rows.push(vec![
            markdown::code(&entry.to_string()),
            markdown::code(&format!("{}{message}", finding.class())),
            finding.severity().to_string(),
            markdown::code(&at),
            if inputs.is_empty() { String::new() } else { markdown::code(&inputs) },
            finding.paths.to_string(),
        ]);
    }

    /// The whole text.
    pub fn text(&self, end: &RunEnd<'_, L>) -> String {
        let totals = end.totals;
        let verdict = match (totals.findings, totals.explored()) {
            (0, Explored::All) => "nothing found".to_string(),
            (0, Explored::Within) => format!("nothing found{}", totals.within.tail(" ")),
            (0, Explored::Part) => "nothing found so far".to_string(),
            (1, _) => "1 finding".to_string(),
            (n, _) => format!("{n} findings"),
        };
        let mut text = format!("## Evergreen: {verdict}\n\n");
        text += &format!(
            "{} paths of {} {}s, {}; {:.1} s.\n\n",
            totals.paths,
            totals.methods,
            L::FUNCTION,
            totals.whole(),
            totals.elapsed.as_secs_f64()
        );
        if !self.rows.is_empty() {
            let shown = &self.rows[..self.rows.len().min(MOST_FINDINGS)];
            text += &markdown::table(&[L::FUNCTION, "throws", "severity", "at", "inputs", "paths"], shown);
            if self.rows.len() > MOST_FINDINGS {
                text += &format!("\nand {} more\n", self.rows.len() - MOST_FINDINGS);
            }
            text.push('\n');
        }
        let mut facts = vec![arms(totals)];
        if totals.settling().solver > 0 {
            facts.push(format!("{} calls of the solver more to settle inputs", totals.settling().solver));
        }
        if totals.replayed > 0 {
            facts.push(format!(
                "{} tests {}, {} divergences",
                totals.replayed,
                L::REPLAYED,
                totals.divergences
            ));
        }
        facts.extend(super::noted_in_all(totals));
        facts.extend(L::counted(totals).facts);
        facts.extend(end.more.facts.iter().cloned());
        facts.extend(totals.within.left_out());
        facts.extend(super::merged(totals));
        facts.extend(super::sampled(totals));
        facts.extend(totals.error.iter().map(|error| format!("ended early: {}", markdown::code(error))));
        facts.extend(totals.reasons.iter().map(|reason| format!("undecided: {}", markdown::code(reason))));
        facts.iter().for_each(|fact| text += &format!("- {fact}\n"));
        text + "\n"
    }
}

impl<F: Frontend> Sink<F> for Markdown<F::Language> {
    fn ends(&mut self, entry: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        in_order(end.findings).into_iter().for_each(|finding| self.add(entry, finding));
        Ok(())
    }
}
