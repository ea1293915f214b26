//! Whom to believe: which records are used as they are, and which only with evidence that is checked here.
//!
//! Everyone who can write to a shared store can write a wrong verdict into it. A satisfiable verdict carries its own
//! evidence, the model, which is evaluated. An unsatisfiable one can carry a certificate, which a small checker follows
//! line by line (`evergreen_lia::check`). What has neither is not used when its origin is not trusted, so a poisoned
//! store costs time and never an answer.

use evergreen_lia::{Certificate, Step};
use evergreen_store::{Origin, Spread};

/// The origins whose records are used without evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// Stores on this machine.
    #[default]
    Local,
    /// All.
    All,
    /// None: every record is checked.
    None,
}

impl Trust {
    /// Whether records from there are used as they are.
    pub fn trusts(self, origin: Origin) -> bool {
        match self {
            Trust::Local => origin == Origin::Local,
            Trust::All => true,
            Trust::None => false,
        }
    }
}

impl From<Trust> for Spread {
    /// Only what is trusted wherever it comes from may be copied without a look.
    fn from(trust: Trust) -> Spread {
        match trust {
            Trust::All => Spread::All,
            Trust::Local | Trust::None => Spread::Local,
        }
    }
}

/// The rows that a certificate uses, ascending: a core, if the checker accepts the certificate for `rows` rows.
pub(crate) fn used_rows(certificate: &Certificate, rows: usize) -> Vec<u32> {
    let mut used: Vec<u32> = Vec::new();
    for step in &certificate.steps {
        match step {
            Step::Close(parts) | Step::Cut { sum: parts, .. } => used.extend(parts.iter().map(|p| p.line)),
            Step::Apart { line } => used.push(*line),
            Step::Split { .. } => {}
        }
    }
    used.retain(|&line| (line as usize) < rows);
    used.sort_unstable();
    used.dedup();
    used
}

/// A certificate over the rows of a core as one over all `rows` rows.
pub(crate) fn over_all_rows(mut certificate: Certificate, core: &[u32], rows: usize) -> Certificate {
    let place = |line: &mut u32| {
        *line = match core.get(*line as usize) {
            Some(&row) => row,
            None => *line - core.len() as u32 + rows as u32,
        };
    };
    for step in &mut certificate.steps {
        match step {
            Step::Close(parts) | Step::Cut { sum: parts, .. } => {
                parts.iter_mut().for_each(|p| place(&mut p.line));
            }
            Step::Apart { line } => place(line),
            Step::Split { .. } => {}
        }
    }
    certificate
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_lia::{Answer, Effort, Op, Row, check, solve};

    #[test]
    fn a_proof_over_a_core_is_one_over_all_rows() {
        // 2x + 4y = 1 has no solution, whatever z is; and 1 <= 3x - 3y <= 2 needs a cut.
        let row = |op, terms: &[(u32, i64)], constant| Row { op, terms: terms.to_vec(), constant };
        let queries = [
            vec![row(Op::Le, &[(2, 1)], 5), row(Op::Eq, &[(0, 2), (1, 4)], -1), row(Op::Ne, &[(2, 1)], 0)],
            vec![
                row(Op::Ne, &[(4, 1)], 7),
                row(Op::Le, &[(0, -3), (1, 3)], 1),
                row(Op::Le, &[(4, 1)], 0),
                row(Op::Le, &[(0, 3), (1, -3)], -2),
            ],
        ];
        for rows in queries {
            let Answer::Unsat { core, certificate: Some(proof) } = solve(&rows, Effort::default()) else {
                panic!("unsatisfiable, with a proof")
            };
            assert!(core.len() < rows.len());
            let whole = over_all_rows(proof, &core, rows.len());
            check(&rows, &whole).expect("a proof over all rows");
            assert_eq!(used_rows(&whole, rows.len()), core);
        }
    }

    #[test]
    fn who_is_believed() {
        let trusted = |trust: Trust| [Origin::Local, Origin::Network].map(|origin| trust.trusts(origin));
        assert_eq!(trusted(Trust::Local), [true, false]);
        assert_eq!(trusted(Trust::All), [true, true]);
        assert_eq!(trusted(Trust::None), [false, false]);
    }
}
