//! Exhibits for the terminal, as JSON, and as a page in Markdown.

use super::show::{Block, Mark, Shown};
use super::work::Work;
use super::{Exhibit, Paper};
use crate::study::{file, table};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// What was kept of each exhibit: what it shows, and its seconds.
pub(super) type Kept = (&'static Exhibit, Option<(Shown, f64)>);

/// An exhibit for the terminal; pictures are only named.
pub(super) fn terminal(exhibit: &Exhibit, shown: &Shown) -> String {
    let mut text = format!("{}, {}: {}\n", exhibit.paper.title(), exhibit.label(), exhibit.title);
    let _ = writeln!(text, "  technique  {}\n  subjects   {}", shown.technique, shown.subjects);
    for block in &shown.blocks {
        match block {
            Block::Table { caption, rows } => {
                let _ = writeln!(text, "\n{caption}\n{}", table::aligned(rows).trim_end());
            }
            Block::Picture { caption, .. } => {
                let _ = writeln!(text, "\n(picture: {caption}; --out FILE writes it)");
            }
            Block::Text(words) => {
                let _ = writeln!(text, "\n{words}");
            }
        }
    }
    let _ = writeln!(text, "\n{}: {}\n", shown.mark.words(), shown.because);
    text
}

/// An exhibit for machines.
pub(super) fn to_json(exhibit: &Exhibit, shown: &Shown) -> Value {
    let tables = shown.blocks.iter().filter_map(|block| match block {
        Block::Table { caption, rows } => Some(json!({ "caption": caption, "rows": rows })),
        _ => None,
    });
    json!({
        "paper": exhibit.paper.name(), "exhibit": exhibit.label(), "title": exhibit.title,
        "command": exhibit.command(), "technique": shown.technique, "subjects": shown.subjects,
        "tables": tables.collect::<Vec<Value>>(), "mark": shown.mark.words(), "because": shown.because,
    })
}

/// How many are marked so.
fn marked(all: &[Kept], mark: Mark) -> usize {
    all.iter().filter(|(_, kept)| kept.as_ref().is_some_and(|(shown, _)| shown.mark == mark)).count()
}

/// The sentence that sums all up.
pub(super) fn summary(all: &[Kept]) -> String {
    let made = all.iter().filter(|(_, kept)| kept.is_some()).count();
    let minutes: f64 = all.iter().filter_map(|(_, kept)| Some(kept.as_ref()?.1)).sum::<f64>() / 60.0;
    format!(
        "{made} of {} tables and figures are here: {} equal, {} of the same shape, {} that differ for a \
         reason. Measuring took {minutes:.0} minutes of wall time.",
        all.len(),
        marked(all, Mark::Equal),
        marked(all, Mark::SameShape),
        marked(all, Mark::Differs)
    )
}

/// What *equal* and the others mean.
pub(super) const LEGEND: &str = "*Equal*: the paper's numbers. *Same shape*: other numbers with the same \
    relations between them. *Differs*: something else, with the reason. Numbers of the papers are cited; \
    programs are written by us after the papers' descriptions. Counts are the same on each run; times are \
    one machine's and are compared with each other, not with the papers'.";

/// Writes the page, with its pictures in a folder beside it.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write(out: &Path, all: &[Kept], work: &Work) -> Result<(), String> {
    let folder = out.with_extension("");
    let folder_name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let full = if work.full { " --full" } else { "" };
    let made = format!("Made by `evergreen-lab papers{full}`. {}", summary(all));
    let mut text =
        format!("# The papers' tables and figures\n\n{}\n\n{}\n\n", wrapped(&made), wrapped(LEGEND));
    let mut overview: Vec<Vec<String>> =
        vec![["exhibit", "about", "compared", "seconds"].map(str::to_string).to_vec()];
    for (exhibit, kept) in all {
        let (mark, seconds) = match kept {
            Some((shown, seconds)) => (shown.mark.words().to_string(), format!("{seconds:.0}")),
            None => ("not run".into(), String::new()),
        };
        let name = format!("{} {}", exhibit.paper.name(), exhibit.label());
        overview.push(vec![name, exhibit.title.to_string(), mark, seconds]);
    }
    text.push_str(&table::markdown(&overview));
    let mut paper: Option<Paper> = None;
    for (exhibit, kept) in all {
        let Some((shown, _)) = kept else { continue };
        if paper != Some(exhibit.paper) {
            paper = Some(exhibit.paper);
            let _ = writeln!(text, "\n## {}", exhibit.paper.title());
        }
        let _ = writeln!(text, "\n### {}: {}\n", capital(&exhibit.label()), exhibit.title);
        let _ = writeln!(text, "`{}`\n", exhibit.command());
        let _ = writeln!(text, "{}\n", wrapped(&format!("**Technique.** {}", shown.technique)));
        let _ = writeln!(text, "{}", wrapped(&format!("**Subjects.** {}", shown.subjects)));
        let mut picture = 0;
        for block in &shown.blocks {
            text.push('\n');
            match block {
                Block::Table { caption, rows } => {
                    if !caption.is_empty() {
                        let _ = writeln!(text, "{}\n", wrapped(caption));
                    }
                    text.push_str(&table::markdown(rows));
                }
                Block::Picture { caption, svg } => {
                    picture += 1;
                    let name = format!("{}-{picture}.svg", exhibit.slug());
                    file::write(&folder.join(&name), svg.as_bytes())?;
                    let _ = writeln!(text, "![{caption}]({folder_name}/{name})");
                }
                Block::Text(words) => {
                    let _ = writeln!(text, "{}", wrapped(words));
                }
            }
        }
        let mark = capital(shown.mark.words());
        let _ = writeln!(text, "\n{}", wrapped(&format!("**{mark}.** {}", shown.because)));
    }
    file::write(out, text.as_bytes())
}

/// With a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// Lines of at most 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 120 {
            lines.push(word.to_string());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = wrapped(&"word ".repeat(60));
        assert!(text.lines().all(|line| line.len() <= 120 && !line.ends_with(' ')), "{text}");
        assert_eq!(text.split_whitespace().count(), 60);
    }
}
