//! Random conjunctions small enough for all values of their symbols.

use super::canonize;
use crate::functions::BINARY;
use evergreen_canon::Canonical;
use evergreen_structures::Random;
use evergreen_term::{
    ArrayValue, BitVec, Completion, Entries, Evaluator, Fun, Indexed, Model, Op, Sort, SortId, TermId, Terms,
    Value,
};

/// Bits of all symbols together.
pub(super) const BITS: u32 = 9;

/// A random conjunction.
pub(super) struct Query {
    pub(super) terms: Terms,
    pub(super) constraints: Vec<TermId>,
    symbols: Vec<TermId>,
}

/// A choice of symbols of [`BITS`] bits in all.
#[derive(Clone, Copy)]
struct Symbols {
    /// Widths of vectors.
    vectors: &'static [u32],
    truths: u32,
    /// Widths of index and element of an array.
    array: Option<(u32, u32)>,
}

const SYMBOLS: [Symbols; 5] = [
    Symbols { vectors: &[4, 4], truths: 1, array: None },
    Symbols { vectors: &[8], truths: 1, array: None },
    Symbols { vectors: &[3, 3], truths: 1, array: Some((1, 1)) },
    Symbols { vectors: &[1, 2, 2], truths: 0, array: Some((2, 1)) },
    Symbols { vectors: &[2, 2], truths: 1, array: Some((1, 2)) },
];

fn pick(random: &mut Random, from: &[TermId]) -> TermId {
    from[random.below(from.len())]
}

fn width(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort_kind(terms.sort_of(term)) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    }
}

/// A vector of another width by extraction or extension.
fn resized(terms: &mut Terms, random: &mut Random, term: TermId, to: u32) -> TermId {
    let from = width(terms, term).expect("a vector");
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater => {
            let low = random.below((from - to + 1) as usize) as u32;
            terms.indexed(Indexed::Extract, low + to - 1, low, &[term]).unwrap()
        }
        std::cmp::Ordering::Less => {
            let fun = if random.one_in(2) { Indexed::ZeroExtend } else { Indexed::SignExtend };
            terms.indexed(fun, to - from, 0, &[term]).unwrap()
        }
    }
}

const PREDICATES: &[Fun] = &[
    Fun::BvUlt,
    Fun::BvUle,
    Fun::BvSlt,
    Fun::BvSge,
    Fun::BvUaddo,
    Fun::BvSaddo,
    Fun::BvUmulo,
    Fun::BvSmulo,
    Fun::BvUsubo,
    Fun::BvSsubo,
    Fun::BvSdivo,
    Fun::Eq,
    Fun::Eq,
    Fun::Eq,
    Fun::Distinct,
];

/// Vectors, truth values and arrays to choose from.
struct Pool {
    vectors: Vec<TermId>,
    truths: Vec<TermId>,
    arrays: Vec<TermId>,
}

impl Pool {
    fn grow(&mut self, terms: &mut Terms, random: &mut Random) {
        let (a, b) = (pick(random, &self.vectors), pick(random, &self.vectors));
        let wide = width(terms, a).expect("a vector");
        let b = resized(terms, random, b, wide);
        let vector = match random.below(12) {
            0 => terms.app(if random.one_in(2) { Fun::BvNot } else { Fun::BvNeg }, &[a]).unwrap(),
            1 => terms.bv(wide, random.next().into()),
            2 if wide <= 6 => terms.app(Fun::Concat, &[a, b]).unwrap(),
            3 => {
                let fun = if random.one_in(2) { Indexed::RotateLeft } else { Indexed::RotateRight };
                terms.indexed(fun, random.below(9) as u32, 0, &[a]).unwrap()
            }
            4 if wide <= 4 => terms.indexed(Indexed::Repeat, 2, 0, &[a]).unwrap(),
            5 | 6 if !self.truths.is_empty() => {
                let condition = pick(random, &self.truths);
                terms.app(Fun::Ite, &[condition, a, b]).unwrap()
            }
            7 | 8 if !self.arrays.is_empty() => self.read(terms, random, a),
            _ => {
                // One more than there are is the comparison that is a vector.
                let fun = BINARY.get(random.below(BINARY.len() + 1)).copied().unwrap_or(Fun::BvComp);
                terms.app(fun, &[a, b]).unwrap()
            }
        };
        self.vectors.push(vector);
        if random.one_in(3) {
            let truth = self.atom(terms, random);
            self.truths.push(truth);
        }
        if random.one_in(4) && !self.arrays.is_empty() {
            self.change(terms, random, a, b);
        }
    }

    fn sorts(terms: &Terms, array: TermId) -> (u32, u32) {
        let Sort::Array(index, element) = *terms.sort_kind(terms.sort_of(array)) else { unreachable!() };
        let width = |sort| match terms.sort_kind(sort) {
            Sort::BitVec(width) => *width,
            _ => unreachable!("a vector"),
        };
        (width(index), width(element))
    }

    fn read(&self, terms: &mut Terms, random: &mut Random, at: TermId) -> TermId {
        let array = pick(random, &self.arrays);
        let (index, _) = Pool::sorts(terms, array);
        let at = match random.one_in(3) {
            true => terms.bv(index, random.next().into()),
            false => resized(terms, random, at, index),
        };
        terms.app(Fun::Select, &[array, at]).unwrap()
    }

    fn change(&mut self, terms: &mut Terms, random: &mut Random, a: TermId, b: TermId) {
        let array = pick(random, &self.arrays);
        let (index, element) = Pool::sorts(terms, array);
        let new = match random.below(4) {
            0 if !self.truths.is_empty() => {
                let condition = pick(random, &self.truths);
                let other = pick(random, &self.arrays);
                terms.app(Fun::Ite, &[condition, array, other]).unwrap()
            }
            1 => {
                let everywhere = resized(terms, random, a, element);
                terms.const_array(terms.sort_of(array), everywhere).unwrap()
            }
            _ => {
                let (at, value) = (resized(terms, random, a, index), resized(terms, random, b, element));
                terms.app(Fun::Store, &[array, at, value]).unwrap()
            }
        };
        self.arrays.push(new);
    }

    fn atom(&self, terms: &mut Terms, random: &mut Random) -> TermId {
        let (a, b) = (pick(random, &self.vectors), pick(random, &self.vectors));
        let wide = width(terms, a).expect("a vector");
        let b = match random.below(3) {
            0 => terms.bv(wide, random.next().into()),
            _ => resized(terms, random, b, wide),
        };
        let atom = match random.below(10) {
            0 if !self.truths.is_empty() => pick(random, &self.truths),
            1 => terms.app(Fun::BvNego, &[a]).unwrap(),
            3 if !self.arrays.is_empty() => {
                let arrays = [pick(random, &self.arrays), pick(random, &self.arrays)];
                terms.app(Fun::Eq, &arrays).unwrap()
            }
            2 if self.truths.len() > 2 => {
                let truths: Vec<TermId> = (0..3).map(|_| pick(random, &self.truths)).collect();
                let fun = *random.choose(&[Fun::Xor, Fun::And, Fun::Eq, Fun::Ite, Fun::Implies]);
                terms.app(fun, &truths).unwrap()
            }
            _ => terms.app(PREDICATES[random.below(PREDICATES.len())], &[a, b]).unwrap(),
        };
        if random.one_in(2) { terms.app(Fun::Not, &[atom]).unwrap() } else { atom }
    }
}

impl Query {
    /// A conjunction of that many constraints over some of few symbols.
    pub(super) fn new(random: &mut Random, constraints: usize) -> Query {
        let mut terms = Terms::new();
        let Symbols { vectors, truths, array } = *random.choose(&SYMBOLS);
        let mut pool = Pool { vectors: Vec::new(), truths: Vec::new(), arrays: Vec::new() };
        for (i, &width) in vectors.iter().enumerate() {
            let sort = terms.bitvec_sort(width);
            pool.vectors.push(terms.constant(&format!("x{i}"), sort));
        }
        for i in 0..truths {
            pool.truths.push(terms.constant(&format!("p{i}"), SortId::BOOL));
        }
        if let Some((index, element)) = array {
            let (index, element) = (terms.bitvec_sort(index), terms.bitvec_sort(element));
            let sort = terms.array_sort(index, element);
            pool.arrays.push(terms.constant("a", sort));
        }
        let symbols = [&pool.vectors[..], &pool.truths, &pool.arrays].concat();
        for _ in 0..2 + random.below(8) {
            pool.grow(&mut terms, random);
        }
        let constraints = (0..constraints)
            .map(|_| match random.below(4) {
                0 => {
                    let atoms: Vec<TermId> = (0..2).map(|_| pool.atom(&mut terms, random)).collect();
                    terms.app(Fun::Or, &atoms).unwrap()
                }
                _ => pool.atom(&mut terms, random),
            })
            .collect();
        Query { terms, constraints, symbols }
    }

    /// Whether a constraint compares arrays.
    pub(super) fn compares_arrays(&self, constraint: u32) -> bool {
        let mut stack = vec![self.constraints[constraint as usize]];
        while let Some(term) = stack.pop() {
            let args = self.terms.args(term);
            let is_array =
                |a: &TermId| matches!(self.terms.sort_kind(self.terms.sort_of(*a)), Sort::Array(..));
            if self.terms.op(term) == Op::Fun(Fun::Eq) && args.iter().any(is_array) {
                return true;
            }
            stack.extend(args);
        }
        false
    }

    pub(super) fn canonize(&self) -> Canonical {
        canonize(&self.terms, &self.constraints)
    }

    /// The values of all symbols in a case.
    fn case(&self, mut case: u64) -> Model {
        let mut take = |bits: u32| {
            let value = case & ((1 << bits) - 1);
            case >>= bits;
            value
        };
        let mut model = Model::new();
        for &symbol in &self.symbols {
            let Op::Apply(id) = self.terms.op(symbol) else { unreachable!("a constant") };
            let sort = self.terms.sort_of(symbol);
            let value = match *self.terms.sort_kind(sort) {
                Sort::Bool => Value::Bool(take(1) == 1),
                Sort::BitVec(width) => Value::BitVec(BitVec::new(width, take(width).into())),
                _ => {
                    let (index, element) = Pool::sorts(&self.terms, symbol);
                    let bits = |width: u32, value: u64| Value::BitVec(BitVec::new(width, value.into()));
                    let default = bits(element, take(element));
                    let entries: Entries =
                        (1..1 << index).map(|i| (bits(index, i), bits(element, take(element)))).collect();
                    Value::Array(Box::new(ArrayValue { sort, default, entries }))
                }
            };
            model.set(id, value);
        }
        model
    }

    /// For each constraint, the cases in which it holds.
    pub(super) fn tables(&self) -> Vec<Vec<bool>> {
        let mut tables = vec![Vec::new(); self.constraints.len()];
        for case in 0..1 << BITS {
            let model = self.case(case);
            let mut evaluator = Evaluator::new(&self.terms, &model).completing(Completion::None);
            for (table, &constraint) in tables.iter_mut().zip(&self.constraints) {
                match evaluator.evaluate(constraint) {
                    Ok(Value::Bool(value)) => table.push(*value),
                    other => panic!("{other:?}"),
                }
            }
        }
        tables
    }
}

/// Whether some case satisfies all those constraints.
pub(super) fn have_a_model(tables: &[Vec<bool>], constraints: impl Iterator<Item = u32> + Clone) -> bool {
    (0..1usize << BITS).any(|case| constraints.clone().all(|c| tables[c as usize][case]))
}
