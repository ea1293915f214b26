//! `--probability`, `--profile` and `--secret`: how likely paths and outcomes are, and what outcomes leak.

use super::report;
use crate::flags::{Explore, OrderFlag};
use crate::within::Within;
use evergreen::counting::Ratio;
use evergreen_java::{Bits, Inputs, Leak, Mass, Measure, MethodRef, PathEnd, Profile, Publics, Run};
use serde_json::{Value, json};

/// Significant digits of decimals.
const DIGITS: u32 = 6;
/// A longer fraction is not printed for people.
const FRACTION: usize = 44;
/// Outcomes that are printed; the others are added up.
const OUTCOMES: usize = 20;

/// What is to be counted, if anything; the ranges of a profile join those of the inputs.
pub fn measure(flags: &Explore, inputs: &mut Inputs) -> Result<Option<Measure>, String> {
    let wanted = flags.likely.is_wanted() || flags.exploring.order == OrderFlag::Likely;
    if !wanted {
        return Ok(None);
    }
    let profile = match &flags.likely.profile {
        Some(file) => {
            let name = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|e| format!("{name}: {e}"))?;
            Some(Profile::read(&name, &text).map_err(|e| e.to_string())?)
        }
        None => None,
    };
    for (name, range) in profile.iter().flat_map(|profile| &profile.domains) {
        if inputs.ranges.iter().any(|(known, other)| known == name && other != range) {
            return Err(format!("--range and the profile say different things about \"{name}\""));
        }
        inputs.ranges.push((name.clone(), *range));
    }
    let secrets: Vec<String> = flags.likely.secret.iter().map(|name| name.trim().to_string()).collect();
    Ok(Some(Measure { profile, secrets, every_arm: false }))
}

/// Fails if a secret is no input of a method.
pub fn check_secrets(measure: &Measure, methods: &[MethodRef]) -> Result<(), String> {
    let known: Vec<&str> =
        methods.iter().flat_map(|m| m.parameters.iter().map(|(name, _)| &**name)).collect();
    for secret in &measure.secrets {
        // Drivers have inputs of their own.
        if !known.is_empty() && !known.contains(&secret.as_str()) {
            return Err(format!(
                "--secret {secret}: no input is called so\nhelp: there are {}",
                known.join(", ")
            ));
        }
    }
    Ok(())
}

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

/// What the paths of a method have shown.
#[derive(Clone, Default)]
pub struct Chances {
    most: Option<Extreme>,
    least: Option<Extreme>,
}

impl Chances {
    /// The end of a path.
    pub fn path(&mut self, end: &PathEnd) {
        let Some(likelihood) = &end.likelihood else { return };
        let mass = &likelihood.mass;
        if !super::draw::is_finished(&end.how) || mass.is_zero() {
            return;
        }
        let is_more = self.most.as_ref().is_none_or(|known| mass.most > known.mass.most);
        let is_less = self.least.as_ref().is_none_or(|known| mass.most < known.mass.most);
        if is_more || is_less {
            let inputs = report::shown_inputs(&end.inputs);
            let extreme = Extreme { mass: mass.clone(), number: end.number, inputs };
            if is_more {
                self.most = Some(extreme.clone());
            }
            if is_less {
                self.least = Some(extreme);
            }
        }
    }

    /// The report at the end of a method: lines for people, or an event.
    pub fn ends(&self, flags: &Explore, run: &mut Run<'_>) -> Option<String> {
        if run.distribution().is_none()
            || !flags.likely.is_wanted() && flags.exploring.order != OrderFlag::Likely
        {
            return None;
        }
        let leak = run.leak();
        let within = crate::within::of(&flags.exploring.inputs, run.tally());
        Some(if flags.json {
            self.event(run, leak.as_ref(), &within).to_string()
        } else {
            self.lines(flags, run, leak.as_ref(), &within).join("\n")
        })
    }

    fn lines(&self, flags: &Explore, run: &Run<'_>, leak: Option<&Leak>, within: &Within) -> Vec<String> {
        let Some(distribution) = run.distribution() else { return Vec::new() };
        let mut lines = Vec::new();
        if flags.likely.is_wanted() {
            let given = match &flags.exploring.inputs.assume[..] {
                [] => String::new(),
                all => {
                    format!(", given {} (which has {})", all.join(" and "), decimal(distribution.assumed()))
                }
            };
            let how = match &flags.likely.profile {
                Some(file) => format!("inputs distributed as in {}", file.display()),
                None => "inputs uniform in their ranges".into(),
            };
            lines.push(format!("  probabilities, {how}{given}"));
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
                    lines.push(format!("    {name} likely path: {number}, {}  [{inputs}]", decimal(mass)));
                }
            }
        } else {
            lines.push(format!(
                "  paths that were finished have probability {}",
                decimal(&distribution.covered())
            ));
        }
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

    fn event(&self, run: &Run<'_>, leak: Option<&Leak>, within: &Within) -> Value {
        let extreme = |extreme: &Option<Extreme>| {
            extreme.as_ref().map(|e| json!({ "path": e.number, "probability": json(&e.mass) }))
        };
        let Some(distribution) = run.distribution() else { return Value::Null };
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
        let did = run.oracle().masses().map(|masses| (masses.did(), *masses.stats()));
        let counts = did.map(|(did, stats)| {
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
        json!({
            "event": "probability",
            "method": run.entry().to_string(),
            "assumed": json(distribution.assumed()),
            "refused": json(distribution.refused()),
            "outcomes": outcomes,
            "lost": lost,
            "covered": json(&distribution.covered()),
            "sum": json(&distribution.sum()),
            "exact": distribution.is_exact(),
            "trouble": distribution.trouble(),
            "bounds": crate::within::json(within),
            "within": within.words(),
            "most_likely": extreme(&self.most),
            "least_likely": extreme(&self.least),
            "counts": counts,
            "leak": leak.map(leak_json),
        })
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
