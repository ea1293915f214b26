//! `--probability`, `--profile` and `--secret`: what is counted, and how it is worded.

use super::programs::Ranges;
use crate::flags::{Explore, OrderFlag};
use evergreen_service::report::chances::{Lists, Wording};
use evergreen_service::{Entry, Measure, Profile};

/// What is to be counted, if anything; the ranges of a profile join those of the inputs.
pub(super) fn measure(flags: &Explore, ranges: &mut Ranges) -> Result<Option<Measure>, String> {
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
        if ranges.iter().any(|(known, other)| known == name && other != range) {
            return Err(format!("--range and the profile say different things about \"{name}\""));
        }
        ranges.push((name.clone(), *range));
    }
    let secrets: Vec<String> = flags.likely.secret.iter().map(|name| name.trim().to_string()).collect();
    Ok(Some(Measure { profile, secrets, every_arm: false }))
}

/// Fails if a secret is no input of a method.
pub(super) fn check_secrets(measure: &Measure, entries: &[impl Entry]) -> Result<(), String> {
    let known: Vec<&str> = entries.iter().flat_map(Entry::parameter_names).collect();
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

/// How the words on probabilities are chosen.
pub(super) fn wording(flags: &Explore) -> Wording {
    Wording {
        assumptions: flags.exploring.inputs.assume.clone(),
        profile: flags.likely.profile.as_ref().map(|file| file.display().to_string()),
        lists: if flags.likely.is_wanted() { Lists::Outcomes } else { Lists::Finished },
    }
}
