//! Random conjunctions over few bits, and all their assignments.

use super::columns::{Columns, bits_of};
use crate::functions::{BINARY, OVERFLOWS, RELATIONS};
use evergreen_structures::Random;
use evergreen_term::{
    ArrayValue, BitVec, Completion, Entries, Evaluator, Fun, Indexed, Model, Sort, SortId, SymbolId, TermId,
    Terms, Value,
};

/// What a conjunction is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Vectors,
    /// With an array of four cells.
    Arrays,
    /// With an array whose cells are equal to literals.
    Tables,
    /// Up to 64 bits: too many for all assignments.
    Wide,
}

/// Makes conjunctions over a fixed set of symbols.
pub(crate) struct Maker {
    pub terms: Terms,
    random: Random,
    shape: Shape,
    symbols: Vec<(TermId, SymbolId, Sort)>,
    array: TermId,
    columns: Columns,
}

impl Maker {
    pub(crate) fn new(mut random: Random, shape: Shape) -> Maker {
        let mut terms = Terms::new();
        let widths: Vec<u32> = match shape {
            Shape::Vectors => vec![1 + random.below(4) as u32, 1 + random.below(4) as u32, 3],
            Shape::Arrays => vec![2, 2],
            Shape::Tables => vec![3, 2],
            Shape::Wide => (0..3)
                .map(|_| *random.choose(&[64, 64, 63, 33, 32, 31, 1 + random.clone().below(64) as u32]))
                .collect(),
        };
        let mut symbols = Vec::new();
        for (i, &width) in widths.iter().enumerate() {
            let sort = terms.bitvec_sort(width);
            let name = terms.name(&format!("v{i}"));
            let symbol = terms.declare(name, &[], sort);
            let term = terms.apply(symbol, &[]).expect("a constant");
            symbols.push((term, symbol, Sort::BitVec(width)));
        }
        let name = terms.name("p");
        let symbol = terms.declare(name, &[], SortId::BOOL);
        let p = terms.apply(symbol, &[]).expect("a constant");
        symbols.push((p, symbol, Sort::Bool));
        let two = terms.bitvec_sort(2);
        let sort = terms.array_sort(two, two);
        let name = terms.name("a");
        let symbol = terms.declare(name, &[], sort);
        let array = terms.apply(symbol, &[]).expect("a constant");
        if matches!(shape, Shape::Arrays | Shape::Tables) {
            symbols.push((array, symbol, Sort::Array(two, two)));
        }
        let columns = Columns::new(&terms, symbols.iter().map(|s| s.1));
        Maker { terms, random, shape, symbols, array, columns }
    }

    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        self.terms.app(fun, args).expect("well sorted")
    }

    fn indexed(&mut self, fun: Indexed, i: u32, j: u32, arg: TermId) -> TermId {
        self.terms.indexed(fun, i, j, &[arg]).expect("well sorted")
    }

    /// A vector of a width.
    fn vector(&mut self, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(5) {
            let of_width: Vec<TermId> = self
                .symbols
                .iter()
                .filter(|(_, _, sort)| *sort == Sort::BitVec(width))
                .map(|s| s.0)
                .collect();
            return match self.random.one_in(3) || of_width.is_empty() {
                true => {
                    // At both ends and at powers of two something changes.
                    let value = match self.random.below(6) {
                        0 => u128::from(self.random.next() % 4),
                        1 => u128::MAX - u128::from(self.random.next() % 4),
                        2 => (1 << self.random.below(width as usize)) - u128::from(self.random.next() % 2),
                        _ => u128::from(self.random.next()),
                    };
                    self.terms.bv(width, value & ((1 << width) - 1))
                }
                false => *self.random.choose(&of_width),
            };
        }
        if matches!(self.shape, Shape::Arrays | Shape::Tables) && width == 2 && self.random.one_in(2) {
            let (array, index) = (self.an_array(depth - 1), self.vector(2, depth - 1));
            return self.app(Fun::Select, &[array, index]);
        }
        match self.random.below(12) {
            0 => {
                let a = self.vector(width, depth - 1);
                let fun = if self.random.one_in(2) { Fun::BvNot } else { Fun::BvNeg };
                self.app(fun, &[a])
            }
            1 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                let (h, l) = (self.vector(width - low, depth - 1), self.vector(low, depth - 1));
                self.app(Fun::Concat, &[h, l])
            }
            2 => {
                let more = (self.random.below(3) as u32).min(64 - width);
                let a = self.vector(width + more, depth - 1);
                let low = self.random.below(more as usize + 1) as u32;
                self.indexed(Indexed::Extract, low + width - 1, low, a)
            }
            3 if width > 1 => {
                let own = 1 + self.random.below(width as usize - 1) as u32;
                let a = self.vector(own, depth - 1);
                let fun = if self.random.one_in(2) { Indexed::ZeroExtend } else { Indexed::SignExtend };
                self.indexed(fun, width - own, 0, a)
            }
            4 => {
                let (c, a, b) =
                    (self.truth(depth - 1), self.vector(width, depth - 1), self.vector(width, depth - 1));
                self.app(Fun::Ite, &[c, a, b])
            }
            5 => {
                let a = self.vector(width, depth - 1);
                let fun = if self.random.one_in(2) { Indexed::RotateLeft } else { Indexed::RotateRight };
                let by = self.random.below(7) as u32;
                self.indexed(fun, by, 0, a)
            }
            6 if width.is_multiple_of(2) => {
                let a = self.vector(width / 2, depth - 1);
                self.indexed(Indexed::Repeat, 2, 0, a)
            }
            7 if width == 1 => {
                let (a, b) = (self.vector(2, depth - 1), self.vector(2, depth - 1));
                self.app(Fun::BvComp, &[a, b])
            }
            _ => {
                let fun = *self.random.choose(&BINARY);
                let (a, b) = (self.vector(width, depth - 1), self.vector(width, depth - 1));
                self.app(fun, &[a, b])
            }
        }
    }

    fn an_array(&mut self, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(3) {
            return self.array;
        }
        match self.random.below(4) {
            0 => {
                let value = self.vector(2, depth - 1);
                let sort = self.terms.sort_of(self.array);
                self.terms.const_array(sort, value).expect("well sorted")
            }
            1 => {
                let (c, a, b) = (self.truth(depth - 1), self.an_array(depth - 1), self.an_array(depth - 1));
                self.app(Fun::Ite, &[c, a, b])
            }
            _ => {
                let (a, i, v) =
                    (self.an_array(depth - 1), self.vector(2, depth - 1), self.vector(2, depth - 1));
                self.app(Fun::Store, &[a, i, v])
            }
        }
    }

    /// A truth value.
    fn truth(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return match self.random.below(8) {
                0 => self.terms.bool(self.random.one_in(2)),
                _ => self.symbols.iter().find(|s| s.2 == Sort::Bool).expect("there is one").0,
            };
        }
        match self.random.below(8) {
            0 => {
                let a = self.truth(depth - 1);
                self.app(Fun::Not, &[a])
            }
            1 | 2 => {
                let fun = [Fun::And, Fun::Or, Fun::Xor, Fun::Implies, Fun::Eq][self.random.below(5)];
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                self.app(fun, &[a, b])
            }
            3 => {
                let (c, a, b) = (self.truth(depth - 1), self.truth(depth - 1), self.truth(depth - 1));
                self.app(Fun::Ite, &[c, a, b])
            }
            4 if self.shape == Shape::Arrays && depth > 1 => {
                let (a, b) = (self.an_array(depth - 1), self.an_array(depth - 1));
                let equal = self.app(Fun::Eq, &[a, b]);
                self.app(Fun::Not, &[equal])
            }
            _ => {
                let width = match self.shape {
                    Shape::Wide => self.any_width(),
                    _ => 1 + self.random.below(4) as u32,
                };
                let fun = *self.random.choose(&[&RELATIONS[..], &OVERFLOWS[..]].concat());
                let (a, b) = (self.vector(width, depth - 1), self.vector(width, depth - 1));
                self.app(fun, &[a, b])
            }
        }
    }

    fn any_width(&mut self) -> u32 {
        let widths: Vec<u32> = self.symbols.iter().map(|s| bits_of(&self.terms, &s.2)).collect();
        *self.random.choose(&widths)
    }

    /// Constraints that hold under a random model, and that model.
    pub(crate) fn satisfiable(&mut self) -> (Vec<TermId>, Model) {
        let mut hidden = Model::new();
        for i in 0..self.symbols.len() {
            let (_, symbol, sort) = self.symbols[i].clone();
            let literal = match sort {
                Sort::BitVec(width) => self.vector(width, 0),
                _ => self.terms.bool(self.random.one_in(2)),
            };
            let value = match self.terms.literal_of(literal) {
                Some(value) => value.clone(),
                // The symbol itself: any value.
                None => {
                    Value::BitVec(BitVec::new(bits_of(&self.terms, &sort), u128::from(self.random.next())))
                }
            };
            hidden.set(symbol, value);
        }
        let mut constraints = self.conjunction();
        for constraint in &mut constraints {
            let holds =
                Evaluator::new(&self.terms, &hidden).completing(Completion::Default).holds(*constraint);
            if holds != Ok(true) {
                *constraint = self.app(Fun::Not, &[*constraint]);
            }
        }
        (constraints, hidden)
    }

    /// That each symbol has its value of a model.
    pub(crate) fn fixed_to(&mut self, model: &Model) -> Vec<TermId> {
        let symbols: Vec<(TermId, SymbolId)> = self.symbols.iter().map(|s| (s.0, s.1)).collect();
        let mut fix = |(term, symbol): (TermId, SymbolId)| {
            let literal = self.terms.literal(model.get(symbol).expect("a value").clone());
            self.app(Fun::Eq, &[term, literal])
        };
        symbols.into_iter().map(&mut fix).collect()
    }

    /// A few constraints; often comparisons of a symbol with a literal, as on a path.
    pub(crate) fn conjunction(&mut self) -> Vec<TermId> {
        let mut constraints: Vec<TermId> = Vec::new();
        if self.shape == Shape::Tables {
            let cells = 2 + self.random.below(3);
            for i in 0..cells {
                let (index, value) = (self.terms.bv(2, i as u128), self.random.below(4) as u128);
                let value = self.terms.bv(2, value);
                let read = self.app(Fun::Select, &[self.array, index]);
                constraints.push(self.app(Fun::Eq, &[read, value]));
            }
        }
        for _ in 0..1 + self.random.below(5) {
            let depth = 1 + self.random.below(3) as u32;
            constraints.push(self.truth(depth));
        }
        let mut random = self.random.clone();
        random.shuffle(&mut constraints);
        constraints
    }

    /// A model among all assignments, if there is one.
    pub(crate) fn find(&mut self, constraints: &[TermId]) -> Option<Model> {
        let number = self.columns.find(&self.terms, constraints)?;
        Some(self.model(number))
    }

    /// Terms in which the columns differ from the evaluator under some assignment.
    pub(crate) fn misread(&mut self, constraints: &[TermId], tries: usize) -> Vec<TermId> {
        let bits: u32 = self.symbols.iter().map(|s| bits_of(&self.terms, &s.2)).sum();
        let mut wrong = Vec::new();
        for _ in 0..tries {
            let number = self.random.below(1 << bits) as u32;
            let model = self.model(number);
            let mut evaluator = Evaluator::new(&self.terms, &model).completing(Completion::Default);
            for &constraint in constraints {
                let column = self.columns.column(&self.terms, constraint);
                let own = column[number as usize] == 1;
                if evaluator.holds(constraint) != Ok(own) {
                    wrong.push(constraint);
                }
            }
        }
        wrong
    }

    /// A model with random values for the symbols that it leaves open.
    pub(crate) fn completed(&mut self, model: &Model) -> Model {
        let mut completed = self.model(self.random.clone().next() as u32);
        for (symbol, value) in model.iter() {
            completed.set(symbol, value.clone());
        }
        completed
    }

    fn model(&self, mut number: u32) -> Model {
        let mut model = Model::new();
        for (term, symbol, sort) in &self.symbols {
            let width = bits_of(&self.terms, sort);
            let own = u64::from(number) & ((1 << width) - 1);
            number >>= width;
            let value = match sort {
                Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, u128::from(own))),
                Sort::Array(..) => {
                    let two = |v: u64| Value::BitVec(BitVec::new(2, u128::from(v & 3)));
                    let mut array = ArrayValue {
                        sort: self.terms.sort_of(*term),
                        default: two(0),
                        entries: Entries::new(),
                    };
                    (0..4).for_each(|i| array.set(two(i), two(own >> (2 * i))));
                    Value::Array(Box::new(array))
                }
                _ => Value::Bool(own == 1),
            };
            model.set(*symbol, value);
        }
        model
    }
}
