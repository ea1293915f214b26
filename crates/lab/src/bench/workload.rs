//! Sets as path explorations make them, in any number, from a seed: the workload that
//! measures the growth of an index.
//!
//! A *program* has a pool of branch conditions over prefixes whose frequencies follow Zipf's law (the k-th
//! most frequent one occurs in proportion to 1/k), so that a few bounds of single variables are everywhere
//! and most sums are rare. Its decision tree is explored depth first; every path is a satisfiable set, so
//! that sets of one program begin alike, and arms that turn out infeasible leave small unsatisfiable cores.
//! More programs make a larger store, with some prefixes that are new.
//!
//! Satisfiability is drawn at random, not decided: the benchmark measures the search, which needs no solver.

use evergreen_trie::{Atom, Definitions, Op, PrefixKey, Reduction, Term, reduce};

/// A source of programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workload {
    /// Where all random choices come from.
    pub seed: u64,
    /// How many different prefixes there are.
    pub prefixes: u32,
    /// The most frequent ones are single variables: so many.
    pub variables: u32,
}

impl Default for Workload {
    fn default() -> Self {
        Workload { seed: 1, prefixes: 500_000, variables: 64 }
    }
}

/// The sets that exploring one program leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// Path conditions, reduced.
    pub sat: Vec<Vec<Atom>>,
    /// Cores, reduced.
    pub unsat: Vec<Vec<Atom>>,
    /// The terms of all prefixes that occur.
    pub definitions: Vec<(PrefixKey, Vec<Term>)>,
}

/// Numbers as programs have them.
struct Random(evergreen_structures::Random);

impl Random {
    fn new(seed: u64) -> Random {
        Random(evergreen_structures::Random::new(seed))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1))
    }

    /// From 0 to below `bound`, the number k in proportion to 1/(k+1).
    fn zipf(&mut self, bound: u32) -> u32 {
        let uniform = (self.0.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let rank = (uniform * f64::from(bound + 1).ln()).exp() - 1.0;
        (rank as u32).min(bound - 1)
    }

    /// Small constants are frequent, of both signs.
    fn constant(&mut self) -> i64 {
        let magnitude = i64::from(self.zipf(200));
        if self.below(2) == 0 { magnitude } else { -magnitude }
    }
}

/// A branch condition: a prefix with the constant that splits it.
struct Condition {
    prefix: PrefixKey,
    terms: Vec<(u32, i64)>,
    constant: i64,
    equation: bool,
}

/// Paths per program, and the most conditions on one.
const PATHS: usize = 40;
const DEEPEST: usize = 24;

impl Workload {
    /// The key of a sum of variables (by number): a digest of its terms.
    fn key(&self, terms: &[(u32, i64)]) -> PrefixKey {
        let mut random = Random::new(self.seed ^ 0x6b65);
        for (variable, coefficient) in terms {
            random.0.mix((u64::from(*variable) << 32) ^ *coefficient as u64);
        }
        PrefixKey((u128::from(random.0.next()) << 64) | u128::from(random.0.next()))
    }

    /// The terms of the prefix with this rank: variables first, then sums of two to four of them.
    fn terms(&self, rank: u32) -> Vec<(u32, i64)> {
        if rank < self.variables {
            return vec![(rank, 1)];
        }
        let mut random = Random::new(self.seed ^ (u64::from(rank) << 20) ^ 0x7465);
        let mut terms: Vec<(u32, i64)> = Vec::new();
        while terms.len() < 2 + (rank % 3) as usize {
            let variable = random.zipf(self.variables);
            if terms.iter().all(|(other, _)| *other != variable) {
                terms.push((variable, [1, 1, -1, -1, 2, -3][random.below(6)]));
            }
        }
        terms
    }

    fn define(&self, program: &mut Program, terms: &[(u32, i64)]) -> PrefixKey {
        let key = self.key(terms);
        let terms = terms.iter().map(|(variable, a)| (self.key(&[(*variable, 1)]), *a)).collect();
        program.definitions.push((key, terms));
        key
    }

    /// The `index`-th program.
    pub(super) fn program(&self, index: u64) -> Program {
        let mut random = Random::new(
            self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index.wrapping_mul(0xd134_2543_de82_ef95),
        );
        let mut program = Program::default();
        let mut pool = Vec::new();
        for _ in 0..12 + random.below(24) {
            let terms = self.terms(random.zipf(self.prefixes));
            let prefix = self.define(&mut program, &terms);
            let (constant, equation) = (random.constant(), random.below(5) == 0);
            pool.push(Condition { prefix, terms, constant, equation });
        }
        self.explore(&mut random, &pool, &mut Vec::new(), &mut program);
        program
    }

    /// A query that a stored satisfiable set answers: some of its atoms, some of them weaker.
    pub(super) fn sat_hit(&self, set: &[Atom], choice: u64) -> Vec<Atom> {
        let mut random = Random::new(self.seed ^ choice ^ 0x6869);
        let mut query: Vec<Atom> = set.iter().filter(|_| random.below(4) > 0).copied().collect();
        for atom in &mut query {
            let far = random.below(8) as i64;
            match atom.op {
                Op::Le => atom.constant += far,
                Op::Ge => atom.constant -= far,
                _ => {}
            }
        }
        query
    }

    /// A query that a stored core answers: the core, some of its atoms stronger, on a longer path.
    pub(super) fn unsat_hit(&self, core: &[Atom], path: &[Atom], choice: u64) -> Vec<Atom> {
        let mut random = Random::new(self.seed ^ choice ^ 0x756e);
        let mut query: Vec<Atom> = core.to_vec();
        for atom in &mut query {
            let far = random.below(8) as i64;
            match atom.op {
                Op::Le => atom.constant -= far,
                Op::Ge => atom.constant += far,
                _ => {}
            }
        }
        query.extend(path.iter().filter(|atom| core.iter().all(|other| other.prefix != atom.prefix)));
        query.sort_unstable();
        query
    }

    /// A query that is near to stored sets: the beginning of one path, and then another arm.
    pub(super) fn near(&self, one: &[Atom], other: &[Atom], choice: u64) -> Vec<Atom> {
        let mut random = Random::new(self.seed ^ choice ^ 0x6e65);
        let mut query: Vec<Atom> = one.to_vec();
        query.extend(other.iter().filter(|_| random.below(3) == 0));
        match reduce(&query, &Definitions::default()) {
            Reduction::Reduced(reduced) => reduced.atoms().to_vec(),
            Reduction::Conflict(_) => one.iter().filter(|_| random.below(4) > 0).copied().collect(),
        }
    }

    /// Depth first: each arm that does not contradict its path is either infeasible (a core) or continues.
    fn explore(&self, random: &mut Random, pool: &[Condition], path: &mut Vec<Atom>, program: &mut Program) {
        if program.sat.len() >= PATHS {
            return;
        }
        if path.len() >= 4 && (path.len() >= DEEPEST || random.below(6) == 0) {
            if let Reduction::Reduced(reduced) = reduce(path, &Definitions::default()) {
                program.sat.push(reduced.atoms().to_vec());
            }
            return;
        }
        // The condition depends on how far the path is: programs test things in a certain order.
        let condition = &pool[(path.len() + random.below(3)) % pool.len()];
        let (prefix, c) = (condition.prefix, condition.constant + random.below(2) as i64);
        let arms = if condition.equation {
            [Atom::eq(prefix, c), Atom::ne(prefix, c)]
        } else {
            [Atom::le(prefix, c), Atom::ge(prefix, c + 1)]
        };
        for arm in arms {
            path.push(arm);
            if !matches!(reduce(path, &Definitions::default()), Reduction::Conflict(_)) {
                if condition.terms.len() > 2 && random.below(2) == 0 {
                    let core = self.core(random, condition, program);
                    program.unsat.push(core);
                } else {
                    self.explore(random, pool, path, program);
                }
            }
            path.pop();
        }
    }

    /// A contradiction that only a solver sees: a sum P, a part Q of it, and the variables v of the rest,
    /// with P above (or below) all that Q and the v allow.
    fn core(&self, random: &mut Random, condition: &Condition, program: &mut Program) -> Vec<Atom> {
        let above = random.below(2) == 0;
        let bound = |prefix: PrefixKey, from_above: bool, c: i64| {
            if from_above { Atom::le(prefix, c) } else { Atom::ge(prefix, c) }
        };
        let part = self.define(program, &condition.terms[..2]);
        let mut total = random.constant();
        let mut core = vec![bound(part, above, total)];
        for (variable, a) in &condition.terms[2..] {
            let end = random.constant();
            total += a * end;
            core.push(bound(self.key(&[(*variable, 1)]), above == (*a > 0), end));
        }
        let far = 1 + i64::from(random.zipf(20));
        core.push(bound(condition.prefix, !above, if above { total + far } else { total - far }));
        core.sort_unstable();
        core
    }
}
