//! Gates: and, xor and multiplexer, each made once for its inputs.

use crate::sat::{Lit, Solver, Var};
use rustc_hash::FxHashMap;

/// Gates over a solver.
pub(crate) struct Gates<'s> {
    solver: &'s mut Solver,
    yes: Lit,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    muxes: FxHashMap<(Lit, Lit, Lit), Lit>,
    tables: FxHashMap<(Lit, Vec<u64>), Lit>,
}

impl<'s> Gates<'s> {
    /// Gates over an empty solver.
    pub(crate) fn new(solver: &'s mut Solver) -> Gates<'s> {
        let yes = solver.new_var().positive();
        solver.add_clause(&[yes]);
        Gates {
            solver,
            yes,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            muxes: FxHashMap::default(),
            tables: FxHashMap::default(),
        }
    }

    pub(crate) fn yes(&self) -> Lit {
        self.yes
    }

    pub(crate) fn no(&self) -> Lit {
        !self.yes
    }

    pub(crate) fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    pub(crate) fn clauses(&self) -> usize {
        self.solver.clauses()
    }

    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause(lits);
    }

    /// A fresh bit.
    pub(crate) fn fresh(&mut self) -> Lit {
        Var::positive(self.solver.new_var())
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || b == self.yes {
            return a;
        }
        if a == self.yes {
            return b;
        }
        if a == !b || a == !self.yes || b == !self.yes {
            return !self.yes;
        }
        if let Some(&out) = self.ands.get(&(a, b)) {
            return out;
        }
        let out = self.fresh();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        self.ands.insert((a, b), out);
        out
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Signs go out, so that one gate serves four.
        let sign = a.is_negative() != b.is_negative();
        let (a, b) = (a.var().positive(), b.var().positive());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let flip = |lit: Lit| if sign { !lit } else { lit };
        if a == b {
            return flip(!self.yes);
        }
        if a == self.yes {
            return flip(!b);
        }
        if b == self.yes {
            return flip(!a);
        }
        if let Some(&out) = self.xors.get(&(a, b)) {
            return flip(out);
        }
        let out = self.fresh();
        self.clause(&[!out, a, b]);
        self.clause(&[!out, !a, !b]);
        self.clause(&[out, !a, b]);
        self.clause(&[out, a, !b]);
        self.xors.insert((a, b), out);
        flip(out)
    }

    /// `a` if the condition holds, else `b`.
    pub(crate) fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition == self.yes || a == b {
            return a;
        }
        if condition == !self.yes {
            return b;
        }
        if condition.is_negative() {
            return self.mux(!condition, b, a);
        }
        if a == !b {
            return self.xor(condition, b);
        }
        if a == self.yes || a == condition {
            return self.or(condition, b);
        }
        if a == !self.yes || a == !condition {
            return self.and(!condition, b);
        }
        if b == self.yes || b == !condition {
            return self.or(!condition, a);
        }
        if b == !self.yes || b == condition {
            return self.and(condition, a);
        }
        if a.is_negative() {
            return !self.mux(condition, !a, !b);
        }
        if let Some(&out) = self.muxes.get(&(condition, a, b)) {
            return out;
        }
        let out = self.fresh();
        self.clause(&[!condition, !a, out]);
        self.clause(&[!condition, a, !out]);
        self.clause(&[condition, !b, out]);
        self.clause(&[condition, b, !out]);
        // What both arms agree on follows without the condition.
        self.clause(&[!a, !b, out]);
        self.clause(&[a, b, !out]);
        self.muxes.insert((condition, a, b), out);
        out
    }

    /// Whether two vectors are equal.
    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut all = self.yes;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            all = self.and(all, !differ);
            if all == !self.yes {
                break;
            }
        }
        all
    }

    /// The function of inputs, the lowest first, that a truth table gives: for each value of the inputs.
    pub(crate) fn truth_table(&mut self, inputs: &[Lit], table: &[bool]) -> Lit {
        debug_assert_eq!(table.len(), 1 << inputs.len());
        if table.iter().all(|&v| v) {
            return self.yes;
        }
        if !table.iter().any(|&v| v) {
            return !self.yes;
        }
        let (&top, rest) = inputs.split_last().expect("a table of one value is a constant");
        let (low, high) = table.split_at(table.len() / 2);
        if low == high {
            return self.truth_table(rest, low);
        }
        let word = |chunk: &[bool]| chunk.iter().enumerate().fold(0, |w, (i, &v)| w | u64::from(v) << i);
        let key = (top, table.chunks(64).map(word).collect::<Vec<u64>>());
        if let Some(&out) = self.tables.get(&key) {
            return out;
        }
        let (high, low) = (self.truth_table(rest, high), self.truth_table(rest, low));
        let out = self.mux(top, high, low);
        self.tables.insert(key, out);
        out
    }
}
