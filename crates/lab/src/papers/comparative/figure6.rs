//! Figure 6: time by phase.

use super::claims::{Claims, mean};
use super::clock::{PHASES, Phase};
use super::figure3::{subjects, technique};
use super::measured::{Measured, SIZES, measured};
use super::solving::Technique;
use crate::papers::plot::bars;
use crate::papers::show::{Block, Shown};
use crate::papers::work::Work;

/// The paper's budget in seconds.
const PAPER_BUDGET: f64 = 600.0;

/// The average share of a phase in a technique's time, in percent. Static steps take the same time in a short
/// run as in a long one, so the others are scaled to what the paper's budget leaves for them.
fn share(of_size: &[Measured], technique: usize, phase: usize) -> f64 {
    let of = |m: &Measured| {
        let spent = &m.runs[technique].spent;
        let rest = spent.of(Phase::Rest);
        if phase == Phase::Rest as usize {
            return 100.0 * rest / PAPER_BUDGET;
        }
        let exploration = (spent.total() - rest).max(f64::MIN_POSITIVE);
        100.0 * spent.0[phase] / exploration * (1.0 - rest / PAPER_BUDGET)
    };
    mean(of_size.iter().map(of))
}

fn claims(all: &[Vec<Measured>]) -> Claims {
    let mut claims = Claims::default();
    // Over all sizes.
    let shares: Vec<[f64; 4]> = (0..5)
        .map(|at| std::array::from_fn(|phase| mean(all.iter().map(|of_size| share(of_size, at, phase)))))
        .collect();
    let shown = |phase: Phase| {
        let digits = if phase == Phase::Rest { 3 } else { 0 };
        let of =
            |at: usize| format!("{} {:.digits$}%", Technique::ALL[at].name(), shares[at][phase as usize]);
        (0..5).map(of).collect::<Vec<_>>().join(", ")
    };
    let most =
        |phase: Phase, who: usize| (0..5).all(|at| shares[at][phase as usize] <= shares[who][phase as usize]);
    let [baseline, caching, caching_opt, stack, stack_opt] = [0, 1, 2, 3, 4];
    let constructing = shown(Phase::Constructing);
    let holds = most(Phase::Constructing, baseline);
    claims.add("baseline has the largest share of expression construction", "yes", constructing, holds);
    let holds = most(Phase::Exploring, stack);
    claims.add("stack has the largest share of path exploration", "yes", shown(Phase::Exploring), holds);
    let of = |at: usize| shares[at][Phase::Solving as usize];
    let holds = [caching, caching_opt, stack_opt].into_iter().all(|at| of(at) >= 70.0);
    let claim = "caching, cachingOpt and stackOpt solve for at least 70% of the time";
    claims.add(claim, "yes", shown(Phase::Solving), holds);
    let holds = (0..5).all(|at| of(at) >= of(stack));
    claims.add("stack has the smallest share of solving", "yes", shown(Phase::Solving), holds);
    let holds = most(Phase::Rest, stack_opt);
    claims.add("stackOpt has the largest share of the rest", "yes", shown(Phase::Rest), holds);
    claims
}

/// The figure.
pub(super) fn figure(work: &mut Work) -> Result<Shown, String> {
    let all = measured(work)?;
    let mut rows = vec![vec!["size".to_string(), "technique".to_string()]];
    rows[0].extend(PHASES.iter().map(|phase| format!("{phase}, %")));
    rows[0].extend(["rest, ms", "messages, ms"].map(str::to_string));
    let mut blocks = Vec::new();
    for ((size, _), of_size) in SIZES.iter().zip(&all) {
        let mut columns = Vec::new();
        for (at, technique) in Technique::ALL.iter().enumerate() {
            let shares: Vec<f64> = (0..4).map(|phase| share(of_size, at, phase)).collect();
            let mut row = vec![(*size).to_string(), technique.name().to_string()];
            row.extend(shares.iter().map(|share| format!("{share:.2}")));
            row.push(format!("{:.0}", 1e3 * mean(of_size.iter().map(|m| m.runs[at].spent.of(Phase::Rest)))));
            row.push(format!("{:.0}", 1e3 * mean(of_size.iter().map(|m| m.runs[at].pipe))));
            rows.push(row);
            columns.push((technique.name().to_string(), shares));
        }
        let title = format!("Time by phase, {size} lines");
        let svg = bars(&title, "% of the time", &PHASES, &columns);
        blocks.push(Block::Picture { caption: title, svg });
    }
    let caption = "Shares of the processor time of a run, averages, in a budget of 10 minutes: the static \
                   steps (rest) as they were measured, the others scaled to the time that is left. Messages \
                   are what empty ones cost, beside the shares. The paper has only bars, whose \
                   numbers its text does not give.";
    blocks.insert(0, Block::Table { caption: caption.into(), rows });
    let claims = claims(&all);
    blocks.push(claims.block());
    let because = format!(
        "{} Construction is our printing of a constraint and the solver's reading of it, as the paper's is \
         the making of expressions by Z3's interface; opening a new context counts as solving. Reading text \
         costs more than calls of an interface, and Z3 answers a question on its stack in less time than it \
         reads one: so construction weighs more with the stack than in the paper.",
        claims.words()
    );
    let mark = claims.mark();
    Ok(Shown { technique: technique(work), subjects: subjects(&all), blocks, mark, because })
}
