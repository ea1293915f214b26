//! How likely paths and outcomes are, and what outcomes leak: in words, and as JSON.

use super::foreign_inputs;
use super::json::bounds;
use crate::exploration::EntryOf;
use crate::{Frontend, Language, PathEnd, Run, Within};
use evergreen::CountStats;
use evergreen::counting::Ratio;
use evergreen_deciding::probability::{Bits, Distribution, Leak, Mass, MassCounts, Publics};
use serde_json::{Value, json};

/// Significant digits of decimals.
const DIGITS: u32 = 6;
/// A longer fraction is not printed for people.
const FRACTION: usize = 44;
/// Outcomes that are printed; the others are added up.
const OUTCOMES: usize = 20;

/// A probability for programs.
pub fn json(mass: &Mass) -> Value {
    match mass.as_exact() {
        Some(exact) => json!({ "exact": exact.to_string(), "decimal": exact.decimal(12) }),
        None => json!({
            "least": mass.least.to_string(),
            "most": mass.most.to_string(),
            "least_decimal": mass.least.decimal(12),
            "most_decimal": mass.most.decimal(12),
        }),
    }
}

/// A probability for people: a decimal, or bounds.
pub fn decimal(mass: &Mass) -> String {
    let text = |ratio: &Ratio| ratio.decimal(DIGITS);
    match mass.as_exact() {
        Some(exact) => text(exact),
        None => format!("between {} and {}", text(&mass.least), text(&mass.most)),
    }
}

/// The exact fraction, if it is short.
fn fraction(mass: &Mass) -> String {
    let text = mass.as_exact().map(Ratio::to_string).unwrap_or_default();
    if text.len() > FRACTION || !text.contains('/') { String::new() } else { format!("  = {text}") }
}

/// A path that is reported for its probability.
#[derive(Clone)]
struct Extreme {
    mass: Mass,
    number: u64,
    inputs: String,
}

/// What was counted of an entry.
#[derive(Clone)]
struct Counted {
    entry: String,
    distribution: Distribution,
    leak: Option<Leak>,
    counts: Option<(MassCounts, CountStats)>,
}

/// What the paths of an entry have shown. A sink shows it every path, then the run, and has words or an event
/// when the entry ends.
#[derive(Clone, Default)]
pub struct Chances {
    most: Option<Extreme>,
    least: Option<Extreme>,
    counted: Option<Counted>,
}

/// What the words on probabilities are about.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    /// What was assumed of the inputs.
    pub assumptions: Vec<String>,
    /// What distributes the inputs, if they are not uniform: the name of a file.
    pub profile: Option<String>,
    /// Whether outcomes are listed, or only the share of what was explored is shown.
    pub lists: Lists,
}

/// What is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lists {
    /// The outcomes.
    #[default]
    Outcomes,
    /// The share of inputs whose paths were finished.
    Finished,
}

impl Chances {
    /// The end of a path.
    pub fn path<L: Language>(&mut self, end: &PathEnd<L>) {
        let Some(likelihood) = &end.likelihood else { return };
        let mass = &likelihood.mass;
        if !end.how.is_outcome() || mass.is_zero() {
            return;
        }
        let is_more = self.most.as_ref().is_none_or(|known| mass.most > known.mass.most);
        let is_less = self.least.as_ref().is_none_or(|known| mass.most < known.mass.most);
        if is_more || is_less {
            let inputs = foreign_inputs::<L>(&end.inputs);
            let extreme = Extreme { mass: mass.clone(), number: end.number, inputs };
            if is_more {
                self.most = Some(extreme.clone());
            }
            if is_less {
                self.least = Some(extreme);
            }
        }
    }

    /// All paths of an entry were found; nothing happens if probabilities are not counted.
    pub fn found_all<F: Frontend>(&mut self, run: &mut Run<'_, F>) {
        let Some(distribution) = run.distribution().cloned() else { return };
        let leak = run.leak();
        let counts = run.oracle().masses().map(|masses| (masses.did(), *masses.stats()));
        let entry: &EntryOf<F> = run.entry();
        self.counted = Some(Counted { entry: entry.to_string(), distribution, leak, counts });
    }

    /// In lines for people, of inputs within some bounds; none if nothing was counted.
    pub fn lines(&self, wording: &Wording, within: &impl Within) -> Vec<String> {
        let Some(Counted { distribution, leak, .. }) = &self.counted else { return Vec::new() };
        let mut lines = match wording.lists {
            Lists::Outcomes => self.outcome_lines(distribution, wording, within),
            Lists::Finished => {
                let covered = decimal(&distribution.covered());
                vec![format!("  paths that were finished have probability {covered}")]
            }
        };
        if let Some(trouble) = distribution.trouble() {
            lines.push(format!("    WRONG: {trouble}"));
        } else if !distribution.is_exact() {
            lines.push("    (what is between two numbers could not be counted exactly)".into());
        }
        if let Some(leak) = leak {
            let of = if within.is_everything() { String::new() } else { within.tail(", ") };
            lines.extend(leak_lines(leak, &of));
        }
        lines
    }

    fn outcome_lines(
        &self,
        distribution: &Distribution,
        wording: &Wording,
        within: &impl Within,
    ) -> Vec<String> {
        let given = match &wording.assumptions[..] {
            [] => String::new(),
            all => {
                format!(", given {} (which has {})", all.join(" and "), decimal(distribution.assumed()))
            }
        };
        let how = match &wording.profile {
            Some(file) => format!("inputs distributed as in {file}"),
            None => "inputs uniform in their ranges".into(),
        };
        let mut lines = vec![format!("  probabilities, {how}{given}")];
        // The probability of what a bound leaves out is unknown.
        if !within.is_everything() {
            lines.push(format!("    of inputs{}", within.tail(" ")));
        }
        if !distribution.refused().is_zero() {
            let refused = decimal(distribution.refused());
            lines.push(format!(
                "    given that the driver's assumptions hold; {refused} of the inputs are left out"
            ));
        }
        let outcomes = distribution.outcomes();
        let width = outcomes.iter().map(|(_, _, mass)| decimal(mass).len()).max().unwrap_or(0);
        for (class, paths, mass) in outcomes.iter().take(OUTCOMES) {
            let paths = if *paths == 1 { "1 path".into() } else { format!("{paths} paths") };
            lines.push(format!("    {:<width$}  {class} ({paths}){}", decimal(mass), fraction(mass)));
        }
        if outcomes.len() > OUTCOMES {
            let rest = outcomes[OUTCOMES..].iter().fold(Mass::zero(), |sum, (_, _, mass)| sum.plus(mass));
            let more = outcomes.len() - OUTCOMES;
            lines.push(format!("    {:<width$}  {more} more outcomes together", decimal(&rest)));
        }
        for (why, mass) in distribution.lost() {
            lines.push(format!("    {:<width$}  {why}{}", decimal(&mass), fraction(&mass)));
        }
        for (name, extreme) in [("most", &self.most), ("least", &self.least)] {
            if let Some(Extreme { mass, number, inputs }) = extreme {
                let mass = decimal(&distribution.of_path(mass));
                lines.push(format!("    {name} likely path: {number}, {mass}  [{inputs}]"));
            }
        }
        lines
    }

    /// As an event, of inputs within some bounds; `None` if nothing was counted.
    pub fn event(&self, within: &impl Within) -> Option<Value> {
        let Counted { entry, distribution, leak, counts } = self.counted.as_ref()?;
        let extreme = |extreme: &Option<Extreme>| {
            let mass = |e: &Extreme| json(&distribution.of_path(&e.mass));
            extreme.as_ref().map(|e| json!({ "path": e.number, "probability": mass(e) }))
        };
        let outcomes: Vec<Value> = distribution
            .outcomes()
            .iter()
            .map(|(class, paths, mass)| {
                json!({ "outcome": class.to_string(), "paths": paths, "probability": json(mass) })
            })
            .collect();
        let lost: Vec<Value> = distribution
            .lost()
            .iter()
            .map(|(why, mass)| json!({ "why": why, "probability": json(mass) }))
            .collect();
        let counts = counts.map(|(did, stats)| {
            json!({
                "counted": did.counted,
                "by_complement": did.by_complement,
                "known": did.known,
                "tried": did.tried,
                "bounded": did.bounded,
                "components": stats.components,
                "reused": stats.reused,
                "sub_counts": stats.sub_counts,
                "sub_reused": stats.sub_reused,
            })
        });
        Some(json!({
            "event": "probability",
            "method": entry,
            "assumed": json(distribution.assumed()),
            "refused": json(distribution.refused()),
            "outcomes": outcomes,
            "lost": lost,
            "covered": json(&distribution.covered()),
            "sum": json(&distribution.sum()),
            "exact": distribution.is_exact(),
            "trouble": distribution.trouble(),
            "bounds": bounds(within),
            "within": within.words(),
            "most_likely": extreme(&self.most),
            "least_likely": extreme(&self.least),
            "counts": counts,
            "leak": leak.as_ref().map(leak_json),
        }))
    }
}

fn bits(bits: Bits) -> String {
    let text = |n: f64| {
        let text = format!("{n:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.').to_string();
        // What is there, but too little to be seen.
        if text == "0" && n > 0.0 { format!("{n:.3e}") } else { text }
    };
    if bits.is_exact() {
        return format!("{} bits", text(bits.least));
    }
    format!("between {} and {} bits", text(bits.least), text(bits.most))
}

fn leak_lines(leak: &Leak, within: &str) -> Vec<String> {
    let names = if leak.secrets.is_empty() { "the secrets".into() } else { leak.secrets.join(", ") };
    let of = Bits { least: leak.secret_bits, most: leak.secret_bits };
    let mut lines = vec![format!("  leak of {names} ({}){within}: {}", bits(of), bits(leak.shannon))];
    match &leak.publics {
        Publics::None => {}
        Publics::Each { names, values, worst } => {
            let at: Vec<String> =
                names.iter().zip(worst).map(|(name, value)| format!("{name} = {value}")).collect();
            lines[0] += " on average";
            lines.push(format!(
                "    {} for the worst of {values} public inputs, {}",
                bits(leak.worst),
                at.join(", ")
            ));
        }
        Publics::Free { names } => {
            lines.push(format!(
                "    public inputs {} are free\n    \
                 help: fix them with --concrete, or give them small ranges",
                names.join(", ")
            ));
        }
    }
    let most = Bits { least: leak.capacity.most, most: leak.capacity.most };
    lines.push(format!("    no guess gets better by more than {}", bits(most)));
    if let Some(why) = &leak.why {
        lines.push(format!("    (bounds: {why})"));
    }
    for (outcome, share) in leak.partition.iter().take(OUTCOMES) {
        lines.push(format!("    {:<10}  {outcome}", share.decimal(DIGITS)));
    }
    if leak.partition.len() > OUTCOMES {
        lines.push(format!("    and {} more outcomes", leak.partition.len() - OUTCOMES));
    }
    for (values, share) in &leak.alike {
        lines.push(format!("    {:<10}  one of {values} values, all as likely", share.decimal(DIGITS)));
    }
    lines
}

fn leak_json(leak: &Leak) -> Value {
    let bits = |bits: Bits| json!({ "least": bits.least, "most": bits.most });
    let partition: Vec<Value> = leak
        .partition
        .iter()
        .map(|(outcome, share)| json!({ "outcome": outcome, "share": share.to_string() }))
        .collect();
    let alike: Vec<Value> = leak
        .alike
        .iter()
        .map(|(values, share)| json!({ "values": values.to_string(), "share": share.to_string() }))
        .collect();
    let publics = match &leak.publics {
        Publics::None => json!({ "names": [], "values": 1 }),
        Publics::Each { names, values, worst } => json!({ "names": names, "values": values, "worst": worst }),
        Publics::Free { names } => json!({ "names": names, "values": null }),
    };
    json!({
        "secrets": leak.secrets,
        "secret_bits": leak.secret_bits,
        "shannon": bits(leak.shannon),
        "worst": bits(leak.worst),
        "capacity": bits(leak.capacity),
        "partition": partition,
        "alike": alike,
        "public": publics,
        "why": leak.why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_short() {
        assert_eq!(bits(Bits { least: 3.0, most: 3.0 }), "3 bits");
        assert_eq!(bits(Bits { least: 0.0, most: 1.25 }), "between 0 and 1.25 bits");
        assert_eq!(bits(Bits { least: 1e-9, most: 1e-9 }), "1.000e-9 bits");
    }
}
