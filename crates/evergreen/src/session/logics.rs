//! Logics that every version of a solver is known to take, so that no solver is started to ask.
//!
//! z3, Yices and Bitwuzla know names. cvc5 reads a logic as a list of theories, of which the order was fixed
//! in 1.0: [`of_theories`] is that grammar, and a test has the real solver take a sample of it.

use evergreen_solver::Kind;

const OF_Z3: [&str; 40] = [
    "ALL",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "LIA",
    "LRA",
    "NIA",
    "NRA",
    "QF_ABV",
    "QF_AUFBV",
    "QF_AUFLIA",
    "QF_AX",
    "QF_BV",
    "QF_BVFP",
    "QF_DT",
    "QF_FP",
    "QF_IDL",
    "QF_LIA",
    "QF_LIRA",
    "QF_LRA",
    "QF_NIA",
    "QF_NIRA",
    "QF_NRA",
    "QF_RDL",
    "QF_S",
    "QF_SLIA",
    "QF_UF",
    "QF_UFBV",
    "QF_UFDT",
    "QF_UFIDL",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "UF",
    "UFBV",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "HORN",
];
const OF_YICES: [&str; 12] = [
    "QF_ABV",
    "QF_AUFBV",
    "QF_AUFLIA",
    "QF_AX",
    "QF_BV",
    "QF_IDL",
    "QF_LIA",
    "QF_LRA",
    "QF_RDL",
    "QF_UF",
    "QF_UFBV",
    "QF_UFLIA",
];
const OF_BITWUZLA: [&str; 7] = ["QF_ABV", "QF_AUFBV", "QF_BV", "QF_BVFP", "QF_FP", "QF_UFBV", "QF_ABVFP"];

/// The theories of a cvc5 logic, in the order in which 1.0 reads them.
const THEORIES: [&str; 6] = ["A", "UF", "BV", "FP", "DT", "S"];
/// Of these there is one at most; a longer one is before its beginning.
const ARITHMETIC: [&str; 10] = ["IDL", "RDL", "LIRA", "LIA", "LRA", "NIRAT", "NIRA", "NIA", "NRAT", "NRA"];

/// Whether a solver is known to take a logic.
pub(super) fn takes(kind: Kind, logic: &str) -> bool {
    match kind {
        Kind::Z3 => OF_Z3.contains(&logic),
        Kind::Cvc5 => of_theories(logic),
        Kind::Yices => OF_YICES.contains(&logic),
        Kind::Bitwuzla => OF_BITWUZLA.contains(&logic),
        Kind::Other | Kind::None => true,
    }
}

/// Whether cvc5 takes a logic: `QF_` for no quantifiers, then arrays alone or a list of theories.
fn of_theories(logic: &str) -> bool {
    let rest = logic.strip_prefix("HO_").unwrap_or(logic);
    if matches!(rest, "ALL" | "QF_ALL") {
        return true;
    }
    let rest = rest.strip_prefix("QF_").unwrap_or(rest);
    let rest = rest.strip_prefix("SEP_").unwrap_or(rest);
    if rest == "AX" {
        return true;
    }
    let after = THEORIES.iter().fold(rest, |rest, theory| rest.strip_prefix(theory).unwrap_or(rest));
    let after = ARITHMETIC.iter().find_map(|theory| after.strip_prefix(theory)).unwrap_or(after);
    !rest.is_empty() && after.strip_prefix("FS").unwrap_or(after).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_solver::{Command, Limits, Mode, Process};
    use evergreen_testing::random::Random;

    /// What cvc5 prints when a logic is set, each in a new beginning.
    fn said(logics: &[String]) -> Vec<String> {
        let cvc5 = Command::new(evergreen_testing::tools::find("cvc5"));
        let mut process = Process::start(&cvc5, Mode::Interactive, &Limits::default()).expect("a process");
        let ask = |logic: &String| process.ask(&format!("(reset)\n(set-logic {logic})"), None);
        logics.iter().map(ask).map(|reply| reply.expect("a reply")).collect()
    }

    /// One of the logics that the grammar has.
    fn draw(random: &mut Random) -> String {
        let mut logic = String::from(["", "HO_"][random.below(2)]) + ["", "QF_"][random.below(2)];
        logic.push_str(["", "", "SEP_"][random.below(3)]);
        for theory in THEORIES {
            logic.push_str(["", theory][random.below(2)]);
        }
        if random.below(4) > 0 {
            logic.push_str(ARITHMETIC[random.below(ARITHMETIC.len())]);
        }
        logic + ["", "", "FS"][random.below(3)]
    }

    #[test]
    fn cvc5_takes_what_the_grammar_has() {
        let mut random = Random::new(20);
        let drawn = (0..300).map(|_| draw(&mut random)).filter(|logic| of_theories(logic));
        let fixed = ["ALL", "HO_ALL", "QF_ALL", "QF_AX", "QF_UFLIAFS", "UFDTSLIA", "QF_NIRAT", "QF_AUF"];
        let logics: Vec<String> = drawn.chain(fixed.map(String::from)).collect();
        assert!(logics.len() > 250 && fixed.iter().all(|logic| of_theories(logic)));
        for (logic, said) in logics.iter().zip(said(&logics)) {
            assert_eq!(said.trim(), "", "{logic}");
        }
    }

    #[test]
    fn other_logics_are_asked_about() {
        for logic in
            ["", "QF_", "HO_", "FOO", "QF_LIAUF", "QF_LIALRA", "QF_UFUF", "LIAX", "AXUF", "QF_FF", "qf_uf"]
        {
            assert!(!of_theories(logic), "{logic}");
        }
    }
}
