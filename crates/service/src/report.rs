//! What reports show of a run, the same for every language: in words, as JSON, HTML, SARIF and Markdown.
//!
//! Each form is a [`Sink`]: [`TextReport`], [`JsonLines`], [`Page`], [`Sarif`], [`Markdown`]. What only a
//! language has (objects of inputs, counters of its machine) comes from the functions of [`Language`],
//! [`Beyond`] and [`Within`] that have defaults; what only a program has (how a finding is reproduced, what
//! tests cover) comes with [`Again`] and [`More`].
//!
//! The functions here make lines of text, which a program may print in its own way. Lines contain texts of
//! the explored program (names, messages, values) as they are: a terminal needs them escaped.

pub mod chances;
pub mod html;
pub mod json;
pub mod line;
mod markdown;
mod more;
pub mod sarif;
pub mod suite;

use crate::exploration::EntryOf;
use crate::frontend::Frontend;
use crate::{Beyond, EntryEnd, Finding, How, Language, PathEnd, Sink, Stop, TestId, Totals, Within};
use evergreen::Answered;
use evergreen_explore::{Bound, Place};
use evergreen_structures::text::Foreign;
use evergreen_suite::Format;
use std::borrow::Cow;
use std::io::Write;

pub use html::Page;
pub use json::JsonLines;
pub use markdown::Markdown;
pub use more::{Again, ArmMark, BranchMark, Cell, LineMark, More, RunEnd, Source, Table, TestNames};
pub use sarif::Sarif;

/// Stops of a path that are shown.
const MOST_STOPS: usize = 24;

/// Which paths are shown one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// All of them.
    All,
    /// Those that say why not everything was explored: unsupported, undecided, stuck.
    Incomplete,
}

/// `1 path`, `2 paths`, `3 queries`.
pub fn plural(n: u64, word: &str) -> String {
    format!("{n} {}", noun(n, word))
}

/// The word for so many: `path`, `queries`, `branches`.
pub(crate) fn noun(n: u64, word: &str) -> String {
    match word.strip_suffix('y') {
        _ if n == 1 => word.to_string(),
        Some(stem) => format!("{stem}ies"),
        None if word.ends_with('s') || word.ends_with("ch") => format!("{word}es"),
        None => format!("{word}s"),
    }
}

/// Which rungs answered questions: the numbers add up.
pub fn answers(answered: &Answered) -> String {
    let open = match answered.open() {
        0 => String::new(),
        n => format!(", {n} undecided"),
    };
    format!("{} answered without a solver, {} solved{open}", answered.without_solver(), answered.solved())
}

/// What cut: a flag, or an interrupt.
pub fn named(bound: Bound) -> String {
    match bound {
        Bound::Interrupt => "an interrupt".into(),
        bound => format!("--{}", bound.name()),
    }
}

/// Inputs in a line: `x = 3, y = 4`.
pub fn inputs<L: Language>(inputs: &[(String, L::Value)]) -> String {
    let each = inputs.iter().map(|(name, value)| format!("{name} = {}", L::show(value)));
    each.collect::<Vec<String>>().join(", ")
}

/// Inputs in a line for people, long values only in part.
fn short_inputs<L: Language>(inputs: &[(String, L::Value)]) -> String {
    let each = inputs.iter().map(|(name, value)| format!("{name} = {}", shortened(&L::show(value))));
    each.collect::<Vec<String>>().join(", ")
}

/// A text of which no more is shown than a person looks at: its beginning, and how long it is.
fn shortened(text: &str) -> Cow<'_, str> {
    /// Texts up to this length are shown.
    const WHOLE: usize = 1000;
    /// What is shown of longer ones.
    const BEGINNING: usize = 200;
    let length = text.chars().count();
    if length <= WHOLE {
        return text.into();
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    format!("{beginning}... ({length} characters)").into()
}

/// The same with every text escaped: for terminals, and for files that show it as it is.
pub fn foreign_inputs<L: Language>(inputs: &[(String, L::Value)]) -> String {
    let each = inputs.iter().map(|(name, value)| format!("{} = {}", Foreign(name), Foreign(L::show(value))));
    each.collect::<Vec<String>>().join(", ")
}

/// A path in source lines: `Account.java:10 14 15 14 15 (3 times) 20`.
pub fn route(stops: &[Stop]) -> String {
    let mut words: Vec<(String, u32)> = Vec::new();
    let mut file = None;
    for stop in stops {
        let own = stop.place.file.as_deref().unwrap_or(&stop.place.unit);
        let line = stop
            .place
            .line
            .map_or_else(|| format!("{}+{}", stop.place.function, stop.place.offset), |l| l.to_string());
        let word = if file == Some(own) { line } else { format!("{own}:{line}") };
        match words.last_mut() {
            Some((last, times)) if file == Some(own) && last.rsplit(':').next() == Some(&word) => *times += 1,
            _ => words.push((word, 1)),
        }
        file = Some(own);
    }
    let left_out = words.len().saturating_sub(MOST_STOPS);
    let shown: Vec<String> = words
        .iter()
        .take(MOST_STOPS)
        .map(|(word, times)| if *times == 1 { word.clone() } else { format!("{word} ({times} times)") })
        .collect();
    let rest = if left_out > 0 { format!(" and {left_out} more") } else { String::new() };
    shown.join(" ") + &rest
}

/// ` at Account.withdraw(Account.java:10)`
fn at(place: Option<&Place>) -> String {
    place.map(|place| format!(" at {place}")).unwrap_or_default()
}

/// The end of a path, and what can be done about it; nothing if it is not shown.
pub fn path<L: Language>(end: &PathEnd<L>, shown: Shown) -> Option<(String, String)> {
    let mut help = String::new();
    let text = match &end.how {
        How::Unsupported { what, place, help: about } => {
            help.clone_from(about);
            format!("unsupported: {what}{}", at(place.as_ref()))
        }
        How::Undecided { condition, place } => format!("undecided: {condition}{}", at(place.as_ref())),
        How::Stuck(place) => {
            let at = at(place.as_ref());
            format!("stuck{at}: no arm is feasible (this is a bug of Evergreen's, please report it)")
        }
        _ if shown == Shown::Incomplete => return None,
        how if end.sampled && how.is_outcome() => format!("{} (sampled)", ended(end)),
        How::Cut(bound) => format!("cut by --{bound}"),
        _ => ended(end),
    };
    Some((text, help))
}

/// A path that the program ended.
fn ended<L: Language>(end: &PathEnd<L>) -> String {
    match &end.how {
        How::Returned(Some(value)) => format!("{:>4}  returns {}", end.number, L::show(value)),
        How::Threw { class, .. } => format!("{:>4}  throws {class}", end.number),
        How::Exited(status) => format!("{:>4}  exits with {status}", end.number),
        _ => format!("{:>4}  returns", end.number),
    }
}

/// The inputs of a path, its objects among them.
pub fn whole_input<L: Language>(end: &PathEnd<L>) -> String {
    let (plain, beyond) = (short_inputs::<L>(&end.inputs), end.beyond.show());
    let between = if plain.is_empty() || beyond.is_empty() { "" } else { "; " };
    format!("{plain}{between}{beyond}")
}

/// The same with names and values escaped; objects are as they are.
fn foreign_whole_input<L: Language>(end: &PathEnd<L>) -> String {
    let (plain, beyond) = (foreign_inputs::<L>(&end.inputs), end.beyond.show());
    let between = if plain.is_empty() || beyond.is_empty() { "" } else { "; " };
    format!("{plain}{between}{beyond}")
}

/// A finding: the first line says what and where, the others how to get there.
pub fn finding<L: Language>(finding: &Finding<L>) -> Vec<String> {
    let message = finding.message().map(|message| format!(": {}", shortened(message))).unwrap_or_default();
    let paths = if finding.paths == 1 { String::new() } else { format!(" ({} paths)", finding.paths) };
    let mut lines = vec![format!("FOUND {}{message}{}{paths}", finding.class(), at(finding.place()))];
    if !finding.end.inputs.is_empty() {
        lines.push(format!("  inputs  {}", short_inputs::<L>(&finding.end.inputs)));
    }
    let beyond = finding.end.beyond.show();
    if !beyond.is_empty() {
        lines.push(format!("  objects {beyond}"));
    }
    if !finding.end.stops.is_empty() {
        lines.push(format!("  path    {}", route(&finding.end.stops)));
    }
    lines
}

/// A failure that was not looked for, in a line: `throws java.io.IOException, as intended, at …`.
pub fn noted<L: Language>(noted: &Finding<L>) -> String {
    let paths = if noted.paths == 1 { String::new() } else { format!(" ({} paths)", noted.paths) };
    let at = at(noted.place());
    let inputs = whole_input(&noted.end);
    let inputs = if inputs.is_empty() { inputs } else { format!("    [{inputs}]") };
    format!("throws {}{}{at}{paths}{inputs}", noted.class(), noted.severity().remark())
}

/// How many failures were not looked for, if there are some: `2 declared, 1 null`.
pub(crate) fn noted_in_all<L: Language>(totals: &Totals<L>) -> Option<String> {
    let some = totals.noted.iter().filter(|(_, count)| *count > 0);
    let each: Vec<String> = some.map(|(severity, count)| format!("{count} {severity}")).collect();
    (!each.is_empty()).then(|| format!("failures beside, which are no findings: {}", each.join(", ")))
}

/// What an entry came to, in a line.
pub fn entry<L: Language>(end: &EntryEnd<'_, L>) -> String {
    let (summary, tally) = (&end.done.summary, &end.done.tally);
    let mut line = format!("{}, {}", plural(tally.paths, "path"), plural(summary.queries(), "query"));
    if tally.walks > 0 {
        line += &format!("; {} by random walks beyond the bounds", tally.walks);
    }
    for (bound, count) in summary.cut.iter() {
        line += &format!("; {} cut {count}", named(bound));
    }
    for (bound, count) in &tally.cut {
        line += &format!("; {} cut {count}", bound.replace('_', " "));
    }
    if summary.undecided > 0 {
        let why = end.trouble.unknown.join("; ");
        line += &format!("; {} undecided: {why}", plural(summary.undecided, "arm"));
    }
    if summary.merged > 0 {
        line += &format!("; {} merged", summary.merged);
    }
    if tally.sampled > 0 {
        line += &format!("; {} sampled", tally.sampled);
        let why: Vec<&str> = tally.fixed.keys().map(String::as_str).collect();
        if !why.is_empty() {
            line += &format!(": {}", why.join("; "));
        }
    }
    if tally.unsupported > 0 {
        line += &format!("; {} unsupported", tally.unsupported);
    }
    if tally.doubtful > 0 {
        line += &format!("; for {} it is undecided whether a valid object takes them", tally.doubtful);
    }
    if tally.disagrees > 0 {
        line += &format!("; on {} invariant and check disagree", tally.disagrees);
    }
    if tally.refused > 0 {
        line += &format!("; {} refused by constructors", tally.refused);
    }
    if tally.invalid > 0 {
        line += &format!("; {} that no valid object takes", tally.invalid);
    }
    if let Some(missing) = end.within.missing() {
        line += &format!("; {missing}");
    }
    line + &end.within.tail("; ")
}

/// Where the arms at branches went: the numbers add up.
pub fn arms<L: Language>(totals: &Totals<L>) -> String {
    let left_out = match totals.left_out() {
        0 => String::new(),
        n => format!(", {n} left out"),
    };
    format!(
        "{} arms at branches: {} needed no question{left_out}, {} asked: {}",
        totals.queries,
        totals.unasked(),
        totals.asked.total(),
        answers(&totals.asked)
    )
}

/// How many states were merged, if some were.
pub(crate) fn merged<L: Language>(totals: &Totals<L>) -> Option<String> {
    (totals.merged > 0).then(|| {
        let (states, others) =
            if totals.merged == 1 { ("state was", "another") } else { ("states were", "others") };
        format!("{} {states} merged into {others}: a path may stand for several (--merge off)", totals.merged)
    })
}

/// How many paths are sampled, if some are.
pub(crate) fn sampled<L: Language>(totals: &Totals<L>) -> Option<String> {
    (totals.sampled > 0).then(|| {
        format!(
            "{} sampled: inputs were fixed where symbols could not go, others may take further paths",
            if totals.sampled == 1 { "1 path is".into() } else { format!("{} paths are", totals.sampled) }
        )
    })
}

/// What a run came to: the first line says all, the others give reasons.
pub fn summary<L: Language>(totals: &Totals<L>) -> Vec<String> {
    let mut lines = vec![format!(
        "{} on {} of {}, {}, {:.2} s",
        plural(totals.findings, "finding"),
        plural(totals.paths, "path"),
        plural(totals.methods, L::FUNCTION),
        totals.whole(),
        totals.elapsed.as_secs_f64()
    )];
    lines.extend(noted_in_all(totals));
    lines.extend(totals.within.left_out());
    lines.extend(merged(totals));
    lines.extend(sampled(totals));
    lines.push(arms(totals));
    let settling = totals.settling();
    if settling.solver > 0 {
        lines.push(format!("{} of the solver more to settle inputs", plural(settling.solver, "call")));
    }
    if totals.shrinking.queries > 0 {
        lines.push(format!(
            "{} more to make inputs of findings small: {}",
            plural(totals.shrinking.queries, "question"),
            answers(&totals.shrinking.answered)
        ));
    }
    if totals.replayed > 0 {
        let (tests, divergences) =
            (plural(totals.replayed, "test"), plural(totals.divergences, "divergence"));
        lines.push(format!("{tests} {}, {divergences}", L::REPLAYED));
    }
    lines.extend(chosen(totals));
    lines
}

/// Tests that depend on what a machine chooses.
fn chosen<L: Language>(totals: &Totals<L>) -> Option<String> {
    let depend = match totals.chosen {
        0 => return None,
        1 => "1 test depends".to_string(),
        count => format!("{count} tests depend"),
    };
    let paths = match totals.chosen_paths {
        0 => "",
        _ => "; what others lead to is not explored",
    };
    Some(format!("{depend} on {}, which differ from run to run: not asserted{paths}", L::CHOICES))
}

/// Writes a run as text.
pub struct TextReport<W> {
    out: W,
    shown: Shown,
}

impl<W: Write> TextReport<W> {
    /// To this writer.
    pub fn new(out: W, shown: Shown) -> TextReport<W> {
        TextReport { out, shown }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.out, "{line}").map_err(|e| format!("the report: {e}"))
    }

    /// Writes what the run came to; the writer.
    ///
    /// # Errors
    /// The writer takes no more.
    pub fn finish<L: Language>(mut self, totals: &Totals<L>) -> Result<W, String> {
        for line in summary(totals) {
            self.line(&line)?;
        }
        Ok(self.out)
    }
}

impl<F: Frontend, W: Write> Sink<F> for TextReport<W> {
    fn failed(&mut self, entry: &EntryOf<F>, why: &str) -> Result<(), String> {
        self.line(&format!("{entry}: {why}"))
    }

    fn begins(&mut self, entry: &EntryOf<F>) -> Result<(), String> {
        self.line(&entry.to_string())
    }

    fn path(
        &mut self,
        _: &EntryOf<F>,
        end: &PathEnd<F::Language>,
        _: Option<(TestId, &<F::Language as Format>::Case)>,
    ) -> Result<(), String> {
        let Some((text, help)) = path(end, self.shown) else { return Ok(()) };
        self.line(&format!("  {text}    [{}]", whole_input(end)))?;
        if help.is_empty() { Ok(()) } else { self.line(&format!("    help: {help}")) }
    }

    fn ends(&mut self, _: &EntryOf<F>, end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        for line in end.findings.iter().flat_map(finding) {
            self.line(&format!("  {line}"))?;
        }
        for other in end.noted {
            self.line(&format!("  {}", noted(other)))?;
        }
        self.line(&format!("  {}", entry(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shown_in_part() {
        assert_eq!(shortened(&"\u{e9}".repeat(1000)), "\u{e9}".repeat(1000));
        assert_eq!(shortened(&"\u{e9}".repeat(1001)), "\u{e9}".repeat(200) + "... (1001 characters)");
    }

    #[test]
    fn words_have_plurals() {
        assert_eq!([plural(1, "query"), plural(0, "query")], ["1 query", "0 queries"]);
        assert_eq!(
            [plural(1, "solver process"), plural(2, "solver process")],
            ["1 solver process", "2 solver processes"]
        );
        assert_eq!([plural(2, "path"), plural(3, "branch")], ["2 paths", "3 branches"]);
    }
}
