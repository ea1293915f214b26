//! Which options of a solver preserve the meaning of a script; the other options in
//! force are its [`Dialect`].
//!
//! An answer is knowledge about a query only as long as the query has its SMT-LIB meaning.
//! `rewriter.hi_fp_unspecified=true` gives `fp.to_ubv` of NaN a value, `encoding=ascii` another alphabet to
//! strings, `solve-real-as-int` other numbers to everything: an answer under such an option answers another
//! question. A complete list of such options over all versions is not possible. So the lists here (a file for
//! each solver) have the options that are *known* to preserve the meaning: limits, seeds, verbosity,
//! printing, production of proofs, models and cores, heuristics. Every other option, every value that is not
//! listed where values matter, and every unknown flag is part of the dialect, and so of the key.
//!
//! A dialect keeps its options in the order in which they were given. Sorting them, or keeping
//! only the last value of a name, would be wrong: a solver may refuse the last value, or know the
//! same option under two names.

mod bitwuzla;
mod cvc5;
mod yices;
mod z3;

use crate::answer;
use crate::command::{Command, Kind};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::OnceLock;

/// The options of SMT-LIB 2.7, which every solver is expected to know.
const STANDARD: &str = "
    diagnostic-output-channel global-declarations interactive-mode print-success produce-assertions
    produce-assignments produce-models produce-proofs produce-unsat-assumptions produce-unsat-cores
    random-seed regular-output-channel reproducible-resource-limit verbosity
";

/// The known options of a solver.
struct Listed {
    /// Names of options that leave the meaning alone whatever their value, under a common start. On a command
    /// line a name that ends in `=` takes a value, which may be the next word.
    names: &'static [(&'static str, &'static str)],
    /// Options that change the meaning, and the values with which they do not.
    defaults: &'static [(&'static str, &'static str)],
    /// Short flags without a value, after one dash.
    flags: &'static str,
    /// Short flags whose value is the next word.
    valued: &'static str,
}

/// Nothing is known of another program's own options.
const UNKNOWN: Listed = Listed { names: &[], defaults: &[], flags: "", valued: "" };

/// The effect of an option on the meaning of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// None.
    Neutral,
    /// None as long as the option has no other value already.
    Default,
    /// Not known.
    Unknown,
}

/// The index of a list.
#[derive(Default)]
struct Index {
    /// Names, and whether they take a value on a command line.
    names: HashMap<String, Takes>,
    defaults: HashSet<(String, String)>,
    defaulted: HashSet<String>,
    flags: HashSet<&'static str>,
    valued: HashSet<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Value,
    Nothing,
}

impl Index {
    fn new(kind: Kind, listed: &'static Listed) -> Index {
        let mut index = Index::default();
        let standard = [("", STANDARD)];
        for (start, names) in listed.names.iter().chain(&standard) {
            for name in names.split_whitespace() {
                let takes = if name.ends_with('=') { Takes::Value } else { Takes::Nothing };
                let name = format!("{start}{}", name.trim_end_matches('='));
                index.names.entry(spelled(kind, &name)).or_insert(takes);
            }
        }
        for (name, value) in listed.defaults {
            index.defaulted.insert(spelled(kind, name));
            index.defaults.insert((spelled(kind, name), (*value).to_string()));
        }
        index.flags = listed.flags.split_whitespace().collect();
        index.valued = listed.valued.split_whitespace().collect();
        index
    }

    /// Built on first use, and for one kind only: a process that answers one query from the store starts in
    /// less time than it takes to read the names of all solvers.
    fn of(kind: Kind) -> &'static Index {
        static ALL: [OnceLock<Index>; 6] = [const { OnceLock::new() }; 6];
        let (place, listed) = match kind {
            Kind::Z3 => (0, &z3::LISTED),
            Kind::Cvc5 => (1, &cvc5::LISTED),
            Kind::Bitwuzla => (2, &bitwuzla::LISTED),
            Kind::Yices => (3, &yices::LISTED),
            Kind::Other => (4, &UNKNOWN),
            Kind::None => (5, &UNKNOWN),
        };
        ALL[place].get_or_init(|| Index::new(kind, listed))
    }

    fn effect(&self, name: &str, value: &str) -> Effect {
        if self.names.contains_key(name) {
            return Effect::Neutral;
        }
        match self.defaults.contains(&(name.to_string(), value.to_string())) {
            true => Effect::Default,
            false => Effect::Unknown,
        }
    }
}

/// A name as the solver compares it: z3 knows neither case nor the difference between `-` and `_`.
fn spelled(kind: Kind, name: &str) -> String {
    let name = name.strip_prefix(':').unwrap_or(name);
    match kind {
        Kind::Z3 => name.to_ascii_lowercase().replace('-', "_"),
        _ => name.to_string(),
    }
}

/// The options in force that are not known to leave the meaning of a script alone. None of
/// them: the standard's meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dialect {
    kind: Kind,
    /// In the order in which they were given, each once, where it was given last.
    options: Vec<String>,
    /// Words and values among them, which may name files.
    words: Vec<String>,
}

impl Dialect {
    /// The standard's meaning.
    pub fn standard(kind: Kind) -> Dialect {
        Dialect { kind, options: Vec::new(), words: Vec::new() }
    }

    /// The dialect of a command line.
    pub fn of(command: &Command) -> Dialect {
        let mut dialect = Dialect::standard(command.kind);
        let words: Vec<&str> = command.args.iter().map(String::as_str).collect();
        let mut rest = &words[..];
        while let [word, after @ ..] = rest {
            let (effect, taken) = flag(command.kind, word, after.first().copied());
            if !dialect.ignores(effect) {
                dialect.add(words_of(&rest[..taken]), &rest[..taken]);
            }
            rest = &rest[taken..];
        }
        dialect
    }

    /// Whether a flag is known and has a value that not every option of its kind takes: neither a number nor
    /// a truth value. Only the solver knows whether this one does.
    pub fn has_words(command: &Command) -> bool {
        let value = |word: &str| word.split_once(['=', ':']).is_some_and(|(_, value)| is_word(value));
        command.args.iter().any(|arg| value(arg) && flag(command.kind, arg, None).0 == Effect::Neutral)
    }

    /// Whether the meaning is the standard's.
    pub fn is_standard(&self) -> bool {
        self.options.is_empty()
    }

    /// Whether `(set-option keyword value)` leaves the meaning as it is.
    pub fn is_neutral(&self, keyword: &str, value: &str) -> bool {
        let name = spelled(self.kind, keyword);
        self.ignores(Index::of(self.kind).effect(&name, value.trim_matches('"')))
    }

    /// Notes an option that a script sets.
    pub fn set(&mut self, keyword: &str, value: &str) {
        if !self.is_neutral(keyword, value) {
            self.add(format!("{} {value}", spelled(self.kind, keyword)), &[value.trim_matches(['"', '|'])]);
        }
    }

    /// Whether a check with this text, of a tactic with parameters perhaps, asks for the script's own
    /// meaning. In a tactic parameters stand without their module.
    pub fn is_neutral_check(&self, text: &str) -> bool {
        if self.kind == Kind::None || !text.contains("check-sat-using") {
            return true;
        }
        let listed = Index::of(self.kind);
        let names = |name: &str| {
            let name = spelled(self.kind, name);
            let ends =
                |full: &String| full.strip_suffix(&name).is_some_and(|s| s.is_empty() || s.ends_with('.'));
            listed.names.keys().any(ends) && !listed.defaulted.iter().any(ends)
        };
        keywords(text).iter().all(|name| names(name))
    }

    /// The options, as they are part of keys.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The files that options name: their contents count as well.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.words.iter().map(Path::new).filter(|path| path.is_file())
    }

    fn ignores(&self, effect: Effect) -> bool {
        // Without a solver there is only the standard's meaning.
        if self.kind == Kind::None {
            return true;
        }
        effect == Effect::Neutral || effect == Effect::Default && self.is_standard()
    }

    fn add(&mut self, option: String, words: &[&str]) {
        self.options.retain(|known| *known != option);
        self.options.push(option);
        for word in words {
            let parts = [Some(*word), word.split_once('=').map(|w| w.1), word.split_once(':').map(|w| w.1)];
            self.words.extend(parts.into_iter().flatten().map(str::to_string));
        }
    }
}

/// Whether a value is neither a number nor a truth value.
pub fn is_word(value: &str) -> bool {
    value.parse::<f64>().is_err() && !matches!(value, "true" | "false")
}

/// Words of a command line, such that no other words give the same text.
fn words_of(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" ")
}

/// The effect of a word of a command line, given the next one, and the number of words that it takes.
fn flag(kind: Kind, word: &str, next: Option<&str>) -> (Effect, usize) {
    let listed = Index::of(kind);
    if kind == Kind::Z3 {
        return (z3_word(listed, word), 1);
    }
    // A word that looks like a flag is one, whatever is listed: this version may want no value here.
    let next = next.filter(|next| !next.starts_with('-'));
    if let Some(long) = word.strip_prefix("--") {
        if let Some((name, value)) = long.split_once('=') {
            return (listed.effect(name, value), 1);
        }
        if listed.defaulted.contains(long)
            && let Some(value) = next
        {
            return (listed.effect(long, value), 2);
        }
        let positive = long.strip_prefix("no-").filter(|_| !listed.names.contains_key(long));
        return match listed.names.get(positive.unwrap_or(long)) {
            None => (Effect::Unknown, 1),
            Some(Takes::Value) if next.is_some() && positive.is_none() => (Effect::Neutral, 2),
            Some(_) => (Effect::Neutral, 1),
        };
    }
    let Some(short) = word.strip_prefix('-') else { return (Effect::Unknown, 1) };
    if let (true, Some(value)) = (listed.defaulted.contains(short), next) {
        return (listed.effect(short, value), 2);
    }
    if listed.valued.contains(short) {
        return (Effect::Neutral, if next.is_some() { 2 } else { 1 });
    }
    let known = !short.is_empty() && short.chars().all(|c| listed.flags.contains(&*c.to_string()));
    (if known { Effect::Neutral } else { Effect::Unknown }, 1)
}

/// The effect of a word of z3's command line: `-flag`, `-flag:value` or `module.name=value`.
fn z3_word(listed: &Index, word: &str) -> Effect {
    if let Some(flag) = word.strip_prefix('-') {
        let flag = flag.strip_prefix('-').unwrap_or(flag);
        let known = match flag.split_once(':') {
            Some((name, _)) => listed.flags.contains(&*format!("{name}:")),
            None => listed.flags.contains(flag),
        };
        return if known { Effect::Neutral } else { Effect::Unknown };
    }
    match word.split_once('=') {
        Some((name, value)) => listed.effect(&spelled(Kind::Z3, name), value),
        None => Effect::Unknown,
    }
}

/// The keywords anywhere in a command. A text that cannot be read has one that no list has.
fn keywords(text: &str) -> Vec<&str> {
    fn collect<'t>(text: &'t str, found: &mut Vec<&'t str>) {
        match answer::items(text) {
            Some(items) => items.into_iter().for_each(|item| collect(item, found)),
            None if text.starts_with(':') => found.push(text),
            None => {}
        }
    }
    let mut found = Vec::new();
    match answer::expressions(text.trim()).as_deref() {
        Some([command]) => collect(command, &mut found),
        _ => found.push(":"),
    }
    found
}

#[cfg(test)]
mod tests;
