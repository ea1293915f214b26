//! Refutation by several unsatisfiable sets together: unit propagation over them.
//!
//! A core is a clause: one of its atoms is false. If a query implies all atoms of a core but one, the last
//! one is false wherever the query holds; its negation is one more fact, with which other cores may have no
//! atom left. That is how a SAT solver uses the clauses that it has learned, and how its proofs are checked
//! [Goldberg DATE'03]; here the clauses come from all earlier queries, and facts imply atoms by the rules of
//! [`crate::implies`]. It answers what programs ask after a change: a removed branch leaves one path where
//! there were two, and a query refuted under either of its arms is refuted without it; a new branch in front
//! of an old one adds to the path a condition that the old cores do not have.
//!
//! Sound because of two steps. Let F be facts that hold in every solution of the query. (1) A core has no
//! solution, so if F implies all its atoms but `a`, every solution of the query satisfies not `a`, which may
//! join F; over the integers not `P <= c` is `P >= c + 1`, and so on. (2) If F implies all atoms of a core,
//! or contradicts itself, the query has no solution. Symbols that only cores have do no harm: every sort has
//! a value, so a solution of the query can be extended to them. With each fact go the atoms of the query that
//! it follows from; those of the last step are a core of the query.
//!
//! Ways in. A core of which one atom is missing has at least one of any two of its prefixes left, so shapes
//! are listed under two, those with the shortest lists: the two watched literals of [Moskewicz DAC'01], and
//! as there a candidate is looked at again only if one of two atoms that it lacked follows by now.
//!
//! Not found are: negations of opaque constraints (they have no key), cores of one prefix that the query has
//! not, cores whose watched prefixes follow only through bounds of variables, and refutations that need a
//! case distinction. Cost: a step per candidate and fact, at most [`MOST_LEARNED`] facts; about 10 to 50 µs
//! where there are some tens of candidates.

use crate::atom::{Atom, Op, PrefixKey};
use crate::cores::{Core, Cores, Item};
use crate::definitions::Definitions;
use crate::implies::Premises;
use crate::index::{Meter, Refuted};
use crate::labels::push;
use crate::reduce::{Reduced, Reduction, reduce};
use crate::subset;

/// Queries of more atoms are not looked at by [`crate::Index::refute`]: the reasons of a fact
/// are the bits of one number.
pub const MOST_REFUTED: usize = u128::BITS as usize;
/// So many facts are derived.
const MOST_LEARNED: usize = 24;
/// So many cores of one shape are looked at: the newest may differ in the constant that is missing.
const ROWS: usize = 8;

/// Atoms of the query, as bits.
type Reasons = u128;

/// Facts that hold in every solution of the query.
struct Facts {
    /// The query's atoms and the derived ones.
    atoms: Vec<Atom>,
    reasons: Vec<Reasons>,
    reduced: Reduced,
}

impl Facts {
    fn new(query: &[Atom]) -> Facts {
        let reasons = (0..query.len()).map(|place| 1 << place).collect();
        Facts { atoms: query.to_vec(), reasons, reduced: Reduced::default() }
    }

    /// Reduces the facts; returns the reasons of a contradiction, if there is one.
    fn settle(&mut self, definitions: &Definitions) -> Option<Reasons> {
        match reduce(&self.atoms, definitions) {
            Reduction::Conflict(places) => Some(self.join(&places)),
            Reduction::Reduced(reduced) => {
                self.reduced = reduced;
                None
            }
        }
    }

    fn join(&self, places: &[u32]) -> Reasons {
        places.iter().fold(0, |all, &place| all | self.reasons[place as usize])
    }

    fn imply(&self, atom: &Atom, definitions: &Definitions) -> bool {
        Premises::new(self.reduced.atoms()).imply(atom, definitions)
    }

    /// Why the facts imply these atoms.
    fn reasons_of(&self, set: &[Atom], definitions: &Definitions) -> Reasons {
        let used = subset::used(definitions, self.reduced.atoms(), set);
        used.iter().fold(0, |all, &place| all | self.join(self.reduced.sources(place as usize)))
    }
}

/// A core that may have no atom left, or one.
struct Candidate {
    core: Core,
    /// Two atoms that did not follow when it was last looked at.
    lacks: Option<[Atom; 2]>,
}

/// The open atoms of a core.
enum Left {
    Nothing,
    One(Atom),
    More([Atom; 2]),
}

struct Search<'a> {
    cores: &'a Cores,
    definitions: &'a Definitions,
    facts: Facts,
    open: Vec<Candidate>,
    /// Prefixes whose lists were searched.
    listed: Vec<PrefixKey>,
    learned: Vec<PrefixKey>,
}

/// The places of atoms of `query` that stored cores refute together, if that can be derived.
pub(crate) fn refute(cores: &Cores, definitions: &Definitions, query: &[Atom], meter: &mut Meter) -> Refuted {
    if cores.set_count == 0 || query.len() > MOST_REFUTED {
        return Refuted::default();
    }
    let facts = Facts::new(query);
    let mut search =
        Search { cores, definitions, facts, open: Vec::new(), listed: Vec::new(), learned: Vec::new() };
    let reasons = search.run(meter);
    let places =
        |reasons: Reasons| (0..query.len() as u32).filter(|place| reasons >> place & 1 == 1).collect();
    Refuted { used: reasons.map(places), steps: meter.steps, learned: search.learned }
}

impl Search<'_> {
    /// Propagates until something is refuted, nothing follows any more, or the budget is used up.
    fn run(&mut self, meter: &mut Meter) -> Option<Reasons> {
        if let Some(reasons) = self.facts.settle(self.definitions) {
            return Some(reasons);
        }
        let prefixes: Vec<PrefixKey> = Premises::new(self.facts.reduced.atoms()).prefixes().collect();
        prefixes.into_iter().for_each(|prefix| self.list(prefix));
        loop {
            let before = self.learned.len();
            let mut at = 0;
            while at < self.open.len() {
                if !meter.step() {
                    return None;
                }
                match self.look_at(at) {
                    Left::Nothing => {
                        let set = self.cores.set(self.open[at].core);
                        return Some(self.facts.reasons_of(&set, self.definitions));
                    }
                    Left::One(atom) => {
                        let done = self.open.swap_remove(at);
                        if self.learned.len() == MOST_LEARNED {
                            return None;
                        }
                        if let Some(reasons) = self.learn(done.core, atom) {
                            return Some(reasons);
                        }
                    }
                    Left::More(lacks) => {
                        self.open[at].lacks = Some(lacks);
                        at += 1;
                    }
                }
            }
            if self.learned.len() == before {
                return None;
            }
        }
    }

    /// Adds the candidates that are listed under a prefix.
    fn list(&mut self, prefix: PrefixKey) {
        if self.listed.contains(&prefix) {
            return;
        }
        self.listed.push(prefix);
        let Some(number) = self.cores.number(prefix) else { return };
        for &node in &self.cores.heads[number as usize].near {
            let rows = self.cores.table(node).map_or(0, |table| table.len());
            for row in rows.saturating_sub(ROWS)..rows {
                let core = Core { node, row };
                // A core that is listed twice is examined twice: that costs less than to detect it.
                self.open.push(Candidate { core, lacks: None });
            }
        }
    }

    /// The atoms of a candidate that do not follow from the facts.
    fn look_at(&self, at: usize) -> Left {
        let Candidate { core, lacks } = &self.open[at];
        let lacking = |atom: &Atom| !self.facts.imply(atom, self.definitions);
        if let Some(lacks) = lacks.filter(|lacks| lacks.iter().all(lacking)) {
            return Left::More(lacks);
        }
        let mut left = None;
        for atom in self.cores.atoms(*core).filter(|atom| lacking(atom)) {
            match left {
                None => left = Some(atom),
                Some(first) => return Left::More([first, atom]),
            }
        }
        left.map_or(Left::Nothing, Left::One)
    }

    /// Adds the negation of the only atom of a core that is left; the reasons of a
    /// contradiction, if that is one.
    fn learn(&mut self, core: Core, last: Atom) -> Option<Reasons> {
        let fact = negation(&last).filter(|fact| !self.facts.imply(fact, self.definitions))?;
        let mut others = self.cores.set(core);
        others.retain(|atom| *atom != last);
        let reasons = self.facts.reasons_of(&others, self.definitions);
        self.facts.atoms.push(fact);
        self.facts.reasons.push(reasons);
        self.learned.push(fact.prefix);
        self.list(fact.prefix);
        self.facts.settle(self.definitions)
    }
}

/// The negation of an atom; opaque constraints have none.
fn negation(atom: &Atom) -> Option<Atom> {
    let Atom { prefix, op, constant } = *atom;
    match op {
        Op::Le => Some(Atom::ge(prefix, constant.checked_add(1)?)),
        Op::Ge => Some(Atom::le(prefix, constant.checked_sub(1)?)),
        Op::Eq => Some(Atom::ne(prefix, constant)),
        Op::Ne => Some(Atom::eq(prefix, constant)),
        Op::Holds => None,
    }
}

impl Cores {
    /// Lists the shape that ends at `node` under the two prefixes with the shortest lists.
    pub(crate) fn list_near(&mut self, node: u32) {
        let mut shortest: [Option<(usize, u32)>; 2] = [None, None];
        for item in self.items(node) {
            let (length, prefix) = (self.heads[item.prefix() as usize].near.len(), item.prefix());
            if shortest.iter().flatten().any(|other| other.1 == prefix) {
                continue;
            }
            // The last of equals: the most specific one.
            if shortest[0].is_none_or(|(least, _)| length <= least) {
                shortest = [Some((length, prefix)), shortest[0]];
            } else if shortest[1].is_none_or(|(least, _)| length <= least) {
                shortest[1] = Some((length, prefix));
            }
        }
        for (_, prefix) in shortest.into_iter().flatten() {
            push(&mut self.heads[prefix as usize].near, node);
        }
    }

    /// Takes the shape that ended at `node` out of these lists.
    pub(crate) fn unwatch(&mut self, node: u32) {
        let prefixes: Vec<u32> = self.items(node).map(Item::prefix).collect();
        for prefix in prefixes {
            self.heads[prefix as usize].near.retain(|other| *other != node);
        }
    }
}
