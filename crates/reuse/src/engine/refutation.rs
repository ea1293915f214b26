//! Refutations: constraints of a part that are unsatisfiable together, with what shows it.
//!
//! A [`Refutation`] is the only way into the index of unsatisfiable sets and into the core of a record. Its
//! fields are private to this file, and there is one constructor for each ground that suffices:
//! - the **whole part**: a solver, or all values of its symbols, refuted it;
//! - a **solver's core** of exactly this part, or of a share of it that the solver was asked about once more;
//! - the **core of bit vectors**: positions of constraints of exactly this part, which its layers refuted
//!   together and of which the conflict was traced back;
//! - a **proof** of a native core that its checker has accepted;
//! - recorded sets that the constraints **imply**: each of those came in through this door.
//!
//! A core of the whole query is none of these. Propagation has rewritten the part, the query's other parts
//! may share the core, and the units that propagation used may or may not be left in the part. The argument
//! that the part's share of such a core is unsatisfiable is sound (see [`Engine::share`]), and one missing
//! premise made it false once: an unknown core was read as an empty one, and the cells `a[0] = 7` that stood
//! beside it were recorded as unsatisfiable. So the share is a claim, and [`Engine::refute`] has it shown
//! before it is kept.

use super::verify::Certified;
use super::{Engine, Part};
use crate::answer::{Core, Verdict};
use crate::backend::Backend;
use crate::stats::Stage;
use evergreen_canon::unit;
use evergreen_term::{TermId, Terms, Traits};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// A share with more terms is not shown to the solver again: printing and solving it could take as long as
/// the query did.
const LARGEST_LOOK: usize = 4_000;

/// Constraints of a part that are shown to be unsatisfiable together.
#[derive(Clone, Debug)]
pub(crate) struct Refutation {
    /// Positions in the part's constraints, ascending, each once, at least one.
    places: Vec<u32>,
    ground: Ground,
}

/// What shows that constraints are unsatisfiable together.
#[derive(Clone, Debug)]
enum Ground {
    /// All of the part is, and which constraints are to blame is not known.
    Whole,
    /// These were named: by a solver, by an exhaustive search, by recorded sets that they imply.
    Named,
    /// A proof that was checked.
    Proof {
        /// Positions in the part's form, ascending.
        positions: Vec<u32>,
        certificate: Vec<u8>,
    },
}

/// What a solver said of why a part is unsatisfiable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why<'c> {
    /// Nothing: only all of the part together is known to be unsatisfiable.
    Unknown,
    /// The part was solved by itself, and these of its constraints are a core.
    OfPart(&'c Core),
    /// The query was solved as a whole, every other part is satisfiable, and these of the query's
    /// constraints, as they were asked, are a core.
    OfQuery(&'c Core),
}

impl<'c> Why<'c> {
    /// The core of a part that was solved by itself, if one is known.
    pub(crate) fn of_part(core: Option<&'c Core>) -> Why<'c> {
        core.map_or(Why::Unknown, Why::OfPart)
    }

    /// The core of a query that was solved as a whole, if one is known.
    pub(crate) fn of_query(core: Option<&'c Core>) -> Why<'c> {
        core.map_or(Why::Unknown, Why::OfQuery)
    }
}

/// A second opinion that differs: the part, or what was claimed to be its core, is satisfiable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Contradicted;

impl Refutation {
    /// The whole part, where no smaller core is known.
    pub(crate) fn whole(part: &Part) -> Refutation {
        Refutation { places: (0..part.constraints.len() as u32).collect(), ground: Ground::Whole }
    }

    /// The whole part, as the core that is to be given: all values of its symbols were tried.
    pub(crate) fn exhausted(part: &Part) -> Refutation {
        Refutation { ground: Ground::Named, ..Refutation::whole(part) }
    }

    /// Constraints of the part, by position, that imply recorded unsatisfiable sets.
    pub(crate) fn by_sets(part: &Part, mut places: Vec<u32>) -> Refutation {
        places.sort_unstable();
        places.dedup();
        match places[..] {
            [] => Refutation::whole(part),
            _ => Refutation { places, ground: Ground::Named },
        }
    }

    /// A solver's core of exactly this part; `None` when it has something else in it.
    fn by_solver(part: &Part, core: &Core) -> Option<Refutation> {
        let members: FxHashSet<TermId> = core.iter().copied().collect();
        let places = places_of(part, |c| members.contains(&c));
        let found: FxHashSet<TermId> = places.iter().map(|&i| part.constraints[i as usize]).collect();
        (found.len() == members.len()).then_some(Refutation { places, ground: Ground::Named })
    }

    /// Constraints of the part, by position, that the core of bit vectors refuted together; `None` when there
    /// are none or one is not the part's, which would be a bug of the core.
    pub(crate) fn by_bits(part: &Part, places: Vec<u32>) -> Option<Refutation> {
        let ascending = places.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = places.last().is_some_and(|&last| (last as usize) < part.constraints.len());
        (ascending && inside).then_some(Refutation { places, ground: Ground::Named })
    }

    /// Positions in the part's form whose certificate was checked.
    fn by_proof(part: &Part, positions: Vec<u32>, certificate: Vec<u8>) -> Refutation {
        let mut places: Vec<u32> =
            positions.iter().map(|&i| part.canonical.constraints[i as usize]).collect();
        places.sort_unstable();
        places.dedup();
        Refutation { places, ground: Ground::Proof { positions, certificate } }
    }

    /// Positions in the part's constraints.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The constraints of the part.
    pub(crate) fn core(&self, part: &Part) -> Option<Core> {
        Core::new(self.places.iter().map(|&i| part.constraints[i as usize]).collect())
    }

    /// The certificate, if there is a proof.
    pub(crate) fn certificate(&self) -> Option<&[u8]> {
        match &self.ground {
            Ground::Proof { certificate, .. } => Some(certificate),
            Ground::Whole | Ground::Named => None,
        }
    }
}

/// The positions of those constraints of a part.
fn places_of(part: &Part, is_in: impl Fn(TermId) -> bool) -> Vec<u32> {
    (0..part.constraints.len() as u32).filter(|&i| is_in(part.constraints[i as usize])).collect()
}

impl Engine {
    /// Why a part that was found unsatisfiable is: a proof where the native core finds one, else what a
    /// solver named, after a look where that is no core of just this part, else the whole part.
    pub(crate) fn refute(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        why: Why<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Refutation, Contradicted> {
        if self.options.strict.is_some() {
            // The papers keep what was asked.
            return Ok(Refutation::whole(part));
        }
        if self.options.native || self.is_shared() {
            let suspects = match why {
                Why::OfPart(core) => self.canonizer.places(terms, &part.canonical, core),
                Why::Unknown | Why::OfQuery(_) => None,
            };
            if let Some(proof) = self.proof_of(terms, part, suspects.as_deref())? {
                return Ok(proof);
            }
        }
        match why {
            Why::Unknown => Ok(Refutation::whole(part)),
            Why::OfPart(core) => {
                Ok(Refutation::by_solver(part, core).unwrap_or_else(|| Refutation::whole(part)))
            }
            Why::OfQuery(core) => self.share(terms, part, core, backend),
        }
    }

    /// A checked proof that a part is unsatisfiable, if a native core has one. See [`Engine::certify`].
    pub(crate) fn proof_of(
        &mut self,
        terms: &Terms,
        part: &Part,
        suspects: Option<&[u32]>,
    ) -> Result<Option<Refutation>, Contradicted> {
        match self.certify(terms, part, suspects) {
            Certified::No => Ok(None),
            Certified::Contradiction => Err(Contradicted),
            Certified::Proof { core, certificate } => {
                Ok((!core.is_empty()).then(|| Refutation::by_proof(part, core, certificate)))
            }
        }
    }

    /// The part's share of a core of the query, if it is one: the constraints that came from the core, and
    /// the units of the part.
    ///
    /// Why it should be: a core together with all units of the query is unsatisfiable, and under the units a
    /// constraint is equivalent to what propagation made of it. The parts share no symbols and all others are
    /// satisfiable, so it is this part's share that is unsatisfiable. The solver is asked about just the
    /// share before it is kept; where that could be expensive, or the solver cannot say, the whole part is
    /// kept.
    fn share(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        core: &Core,
        backend: &mut dyn Backend,
    ) -> Result<Refutation, Contradicted> {
        if !self.origins.is_propagated()
            && let Some(own) = Refutation::by_solver(part, core)
        {
            return Ok(own);
        }
        let members: FxHashSet<TermId> = core.iter().copied().collect();
        let places = places_of(part, |c| {
            let is_unit = || unit(terms, c).is_some() || self.origins.is_table(c);
            self.origins.is_in(&members, c) || (self.origins.is_propagated() && is_unit())
        });
        let share: Vec<TermId> = places.iter().map(|&i| part.constraints[i as usize]).collect();
        if share.is_empty() || share.len() == part.constraints.len() || !is_cheap(terms, &share) {
            return Ok(Refutation::whole(part));
        }
        let start = Instant::now();
        let looked = backend.solve_part(terms, &share);
        self.stats.add(Stage::Solve, start.elapsed());
        self.stats.looks += u64::from(looked.is_some());
        match looked.map(|solved| solved.verdict) {
            Some(Verdict::Unsat) => Ok(Refutation { places, ground: Ground::Named }),
            Some(Verdict::Sat) => {
                // The part is unsatisfiable all the same; only the claim about its core is wrong.
                self.stats.contradicted += 1;
                Ok(Refutation::whole(part))
            }
            Some(Verdict::Unknown(_)) | None => Ok(Refutation::whole(part)),
        }
    }

    /// The places in the part's form of what a refutation names, for its record: of all roots of each
    /// constraint, whichever constraint the form has them from. `None` when no smaller core than the part is
    /// known, or the form lacks one of them.
    pub(crate) fn core_positions(
        &mut self,
        terms: &Terms,
        part: &Part,
        refutation: &Refutation,
    ) -> Option<Vec<u32>> {
        match &refutation.ground {
            Ground::Whole => return None,
            Ground::Proof { positions, .. } => return Some(positions.clone()),
            Ground::Named => {}
        }
        let core = refutation.core(part)?;
        let positions = self.canonizer.places(terms, &part.canonical, &core)?;
        (!positions.is_empty()).then_some(positions)
    }
}

/// Whether a solver can be expected to decide constraints at once.
fn is_cheap(terms: &Terms, constraints: &[TermId]) -> bool {
    let quantified = constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED));
    !quantified && crate::ladder::count_terms(terms, constraints, LARGEST_LOOK).is_some()
}
