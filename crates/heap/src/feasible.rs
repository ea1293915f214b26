//! Can a partial heap be completed to a valid one within the scope? (Algorithms 5 to 7 of [Rosner TSE'15])
//!
//! The known fields along the breadth-first prefix have definite labels and become assumptions for one
//! incremental solver that holds the invariant. Before it is asked, recent models are tried: a heap that a
//! choice extends often is a part of the model that showed its parent feasible. With a store of verdicts,
//! prefixes that were feasible in this or a smaller scope are not asked again (feasibility is monotone in the
//! scope, infeasibility is not, so only sat is kept).

mod complete;

pub use complete::{Completed, Completing};

use crate::bounds::{Bounds, bounds_with};
use crate::circuit::Lit;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::heap::{Heap, Value};
use crate::invariant::{Invariant, Kind};
use crate::solver::Solver;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Prefixes known to be feasible, by key. Implemented over whatever keeps bytes.
pub trait Verdicts {
    /// Whether the key was recorded.
    fn known(&mut self, key: &[u8]) -> bool;
    /// Keeps a key.
    fn record(&mut self, key: &[u8]);
}

/// Verdicts in memory.
impl Verdicts for HashSet<Vec<u8>> {
    fn known(&mut self, key: &[u8]) -> bool {
        self.contains(key)
    }

    fn record(&mut self, key: &[u8]) {
        self.insert(key.to_vec());
    }
}

/// The number of answers by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Questions to the SAT solver.
    pub sat_calls: u64,
    /// Of these, how many were satisfiable.
    pub sat: u64,
    /// Heaps that a recent model extends.
    pub by_model: u64,
    /// Heaps that contain a core of an earlier unsat answer.
    pub by_core: u64,
    /// Heaps whose verdict was stored.
    pub by_store: u64,
}

/// How many models and cores are tried before the solver: both are small scans beside a question.
const MODELS: usize = 48;
const CORES: usize = 512;

/// Decides whether partial heaps are feasible, for one invariant and scope.
pub struct Feasibility {
    encoding: Encoding,
    solver: Solver,
    models: VecDeque<Vec<u64>>,
    cores: VecDeque<Vec<Lit>>,
    /// One bit for each literal, all clear between look-ups.
    marks: Vec<u64>,
    /// Variables, those of completions included, which the circuit does not know.
    variables: u32,
    /// For each object of partial heaps that were completed whether it has each label; whether it
    /// exists; its known fields.
    labels: Vec<Vec<Lit>>,
    existing: Vec<Lit>,
    facts: HashMap<complete::Fact, Lit>,
    /// The sources of the answers so far.
    pub counters: Counters,
}

/// The known fields of a partial heap along its breadth-first prefix.
struct Prefix {
    lits: Vec<Lit>,
    key: Vec<u8>,
    /// A plain field has a value outside of its range.
    impossible: bool,
}

impl Feasibility {
    /// Encodes the invariant.
    ///
    /// # Errors
    /// If the scope has too many objects.
    pub fn new(invariant: impl Into<Rc<Invariant>>, scope: &Scope) -> Result<Self, TooLarge> {
        let encoding = Encoding::new(invariant.into(), scope)?;
        let solver = Solver::new(&encoding.circuit);
        let counters = Counters::default();
        let variables = encoding.circuit.variables();
        Ok(Feasibility {
            encoding,
            solver,
            models: VecDeque::new(),
            cores: VecDeque::new(),
            marks: Vec::new(),
            variables,
            labels: Vec::new(),
            existing: Vec::new(),
            facts: HashMap::new(),
            counters,
        })
    }

    /// The tightest field bounds, computed by the solver that answers later: from then on it
    /// knows the excluded pairs.
    pub fn bounds(&mut self, previous: Option<&Bounds>) -> Bounds {
        bounds_with(&self.encoding, &mut self.solver, previous, &mut |_, _| true)
    }

    /// Adds the pairs that bounds exclude to the solver.
    pub fn assume_bounds(&mut self, bounds: &Bounds) {
        if bounds.scope() != &self.encoding.scope {
            return;
        }
        let shape = &self.encoding.invariant.shape;
        for object in 0..self.encoding.n {
            for field in (0..shape.fields.len() as u8).map(crate::FieldId) {
                if shape.target(field).is_none() {
                    continue;
                }
                for to in (0..self.encoding.n).filter(|to| bounds.targets(object, field) & (1 << to) == 0) {
                    let lit = self.encoding.holds(object, field, Some(to));
                    self.solver.clause(&[!lit]);
                }
                if !bounds.null(object, field) {
                    let lit = self.encoding.holds(object, field, None);
                    self.solver.clause(&[!lit]);
                }
            }
        }
    }

    /// Whether a partial heap can be completed, judged by its breadth-first prefix. A
    /// failing solver prunes nothing.
    pub fn feasible(&mut self, heap: &Heap, mut store: Option<&mut dyn Verdicts>) -> bool {
        let prefix = self.prefix(heap);
        if prefix.impossible {
            return false;
        }
        if let Some(at) = self.models.iter().position(|m| prefix.lits.iter().all(|l| holds(m, *l))) {
            self.models.swap(0, at);
            self.counters.by_model += 1;
            // Another run has other models at hand.
            if let Some(store) = &mut store {
                store.record(&prefix.key);
            }
            return true;
        }
        if self.has_core(&prefix.lits) {
            self.counters.by_core += 1;
            return false;
        }
        let Some(store) = store else { return self.ask(&prefix.lits) != Some(false) };
        if store.known(&prefix.key) {
            self.counters.by_store += 1;
            return true;
        }
        let answer = self.ask(&prefix.lits);
        if answer == Some(true) {
            store.record(&prefix.key);
        }
        answer != Some(false)
    }

    /// Whether the literals include a core.
    fn has_core(&mut self, lits: &[Lit]) -> bool {
        self.marks.resize(self.encoding.circuit.variables() as usize * 2 / 64 + 1, 0);
        lits.iter().for_each(|l| self.marks[l.0 as usize / 64] |= 1 << (l.0 % 64));
        let marked = |l: &Lit| self.marks[l.0 as usize / 64] >> (l.0 % 64) & 1 == 1;
        let found = self.cores.iter().position(|core| core.iter().all(marked));
        lits.iter().for_each(|l| self.marks[l.0 as usize / 64] = 0);
        // Cores that help come first.
        if let Some(at) = found {
            self.cores.swap(at, at / 2);
        }
        found.is_some()
    }

    fn ask(&mut self, lits: &[Lit]) -> Option<bool> {
        self.counters.sat_calls += 1;
        let answer = self.solver.solve(lits);
        match answer {
            Some(true) => {
                self.counters.sat += 1;
                let mut model = vec![0u64; self.encoding.circuit.variables() as usize / 64 + 1];
                for variable in 0..self.encoding.field_variables {
                    if self.solver.value(Lit(variable << 1)) {
                        model[variable as usize / 64] |= 1 << (variable % 64);
                    }
                }
                if self.models.len() == MODELS {
                    self.models.pop_back();
                }
                self.models.push_front(model);
            }
            Some(false) => {
                if let Some(core) = self.solver.core(lits) {
                    // A core is a clause for good: the solver need not find it again.
                    if self.cores.len() == CORES {
                        self.cores.pop_back();
                    }
                    self.cores.push_front(core);
                }
            }
            None => {}
        }
        answer
    }

    fn prefix(&self, heap: &Heap) -> Prefix {
        let shape = &self.encoding.invariant.shape;
        let (order, _) = heap.breadth_first(shape);
        let mut label = [u8::MAX; 64];
        order.iter().enumerate().for_each(|(i, o)| label[usize::from(o.0)] = i as u8);
        let mut prefix = Prefix { lits: Vec::new(), key: Vec::new(), impossible: false };
        let mut open = true;
        for (at, object) in order.iter().enumerate() {
            if at >= self.encoding.n {
                prefix.impossible = true;
                return prefix;
            }
            prefix.key.extend([u8::MAX, heap.class(*object).0]);
            if let Some(class) = self.encoding.class_literal(at, heap.class(*object)) {
                prefix.lits.push(class);
            }
            for field in shape.fields_of(heap.class(*object)) {
                let forward = matches!(shape.kind(*field), Kind::Reference { back: false, .. });
                match heap.get(*object, *field) {
                    Value::Unknown => {
                        open &= !forward;
                        continue;
                    }
                    // Past the first unknown the order is not known any more.
                    _ if forward && !open => {}
                    Value::Null => {
                        prefix.lits.push(self.encoding.holds(at, *field, None));
                        prefix.key.extend([field.0, u8::MAX]);
                    }
                    Value::Object(to) if label[usize::from(to.0)] != u8::MAX => {
                        let to = label[usize::from(to.0)];
                        prefix.lits.push(self.encoding.holds(at, *field, Some(usize::from(to))));
                        prefix.key.extend([field.0, to]);
                    }
                    Value::Object(_) => {}
                    Value::Int(n) => match self.encoding.equals(at, *field, i64::from(n)) {
                        Some(lits) => {
                            prefix.lits.extend(lits);
                            prefix.key.push(field.0);
                            prefix.key.extend(n.to_le_bytes());
                        }
                        None => prefix.impossible |= *shape.kind(*field) != Kind::Key,
                    },
                }
            }
        }
        prefix
    }
}

fn holds(model: &[u64], lit: Lit) -> bool {
    let variable = lit.0 >> 1;
    (model[variable as usize / 64] >> (variable % 64)) & 1 == u64::from(lit.0 & 1 == 0)
}
