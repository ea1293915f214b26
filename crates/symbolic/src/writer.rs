//! Conditions as terms: the code that the theories share.

use crate::assignment::Assignment;
use crate::bits::Bits;
use crate::bounds::Bounds;
use crate::exprs::Exprs;
use crate::ints::{self, Integers};
use crate::node::{Cond, Input, Node};
use crate::op::{Ints, Kind};
use evergreen_term::{Model, Op, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The theory in which a condition is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theory {
    /// Integers: linear comparisons with definitions of wraps and quotients. Not for hard conditions. The
    /// 64-bit range of a long is not asserted, so [`Writer::read`] must check a model.
    Ints,
    /// Bit vectors and floating point.
    Bits,
}

/// Writes conditions as terms of one [`Terms`] in one theory, each only once.
pub struct Writer {
    theory: Writing,
    /// The terms of each condition written so far; `None` for those that the theory cannot express.
    written: FxHashMap<Cond, Option<Written>>,
    /// The same under bounds.
    bounded: FxHashMap<(Cond, Known), Written>,
}

/// The bounds of some nodes.
type Known = Box<[(u32, (i64, i64))]>;

/// A condition as terms, by their purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts<'a> {
    /// The ranges of the inputs that the condition mentions.
    ///
    /// They may be left out where a model that is found is checked ([`Exprs::in_range`]): unsat without them
    /// is unsat with them, and a model in range is a model with them.
    pub ranges: &'a [TermId],
    /// The definitions of the new symbols.
    pub definitions: &'a [TermId],
    /// The condition.
    pub condition: TermId,
}

/// The terms of a condition: ranges, definitions, the condition.
pub(crate) struct Written {
    terms: Box<[TermId]>,
    ranges: usize,
}

impl Written {
    /// Brings the definitions of all nodes that a condition needs together, each once.
    pub(crate) fn collect(
        exprs: &Exprs,
        order: &[u32],
        definitions: &FxHashMap<u32, Vec<TermId>>,
        condition: TermId,
    ) -> Written {
        let is_input = |node: &u32| matches!(exprs.nodes[*node as usize].node, Node::Input(_));
        let mut seen = FxHashSet::default();
        let mut terms = Vec::new();
        let mut ranges = 0;
        for inputs in [true, false] {
            for node in order.iter().filter(|node| is_input(node) == inputs) {
                let own = definitions.get(node).map_or(&[][..], Vec::as_slice);
                terms.extend(own.iter().copied().filter(|definition| seen.insert(*definition)));
            }
            if inputs {
                ranges = terms.len();
            }
        }
        terms.push(condition);
        Written { terms: terms.into_boxed_slice(), ranges }
    }
}

enum Writing {
    Ints(Integers),
    Bits(Bits),
}

impl Writer {
    /// A writer that has written nothing yet. It belongs to the first [`Exprs`] and
    /// [`Terms`] that it is used with.
    pub fn new(theory: Theory) -> Writer {
        let theory = match theory {
            Theory::Ints => Writing::Ints(Integers::default()),
            Theory::Bits => Writing::Bits(Bits::default()),
        };
        Writer { theory, written: FxHashMap::default(), bounded: FxHashMap::default() }
    }

    /// The theory.
    pub fn theory(&self) -> Theory {
        match self.theory {
            Writing::Ints(_) => Theory::Ints,
            Writing::Bits(_) => Theory::Bits,
        }
    }

    /// Terms whose conjunction expresses the condition. The last is the condition itself; before it come the
    /// ranges of its inputs and the definitions of new symbols. `None` if the theory cannot express it: in no
    /// theory an inexpressible condition, with integers a hard one.
    ///
    /// Definitions can be satisfied for every value of the inputs, in one way only; so they may be
    /// asserted together with anything.
    pub fn write(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Option<&[TermId]> {
        Some(&self.written(exprs, terms, cond)?.terms)
    }

    /// The terms of [`Writer::write`] by kind.
    pub fn write_parts(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Option<Parts<'_>> {
        let written = self.written(exprs, terms, cond)?;
        let (condition, rest) = written.terms.split_last()?;
        let (ranges, definitions) = rest.split_at(written.ranges);
        Some(Parts { ranges, definitions, condition: *condition })
    }

    /// As [`Writer::write`], for a condition that joins a path whose conditions have been learnt as bounds.
    ///
    /// Together with the path the terms express the condition: sums that cannot overflow on this path are not
    /// wrapped, and a dividend of known sign needs no case distinction. The path must be asserted too.
    pub fn write_under(
        &mut self,
        exprs: &Exprs,
        terms: &mut Terms,
        cond: Cond,
        bounds: &Bounds,
    ) -> Option<&[TermId]> {
        let Writing::Ints(ints) = &mut self.theory else { return self.write(exprs, terms, cond) };
        if bounds.is_empty() || !exprs.is_subtle(cond) {
            return self.write(exprs, terms, cond);
        }
        let known = bounds.of(&exprs.reachable(cond.index()));
        if known.is_empty() {
            return self.write(exprs, terms, cond);
        }
        let written = self.bounded.entry((cond, known));
        Some(&written.or_insert_with(|| ints.write_under(exprs, terms, cond, bounds)).terms)
    }

    fn written(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Option<&Written> {
        let theory = &mut self.theory;
        let written = self.written.entry(cond).or_insert_with(|| match theory {
            _ if !exprs.is_expressible(cond) => None,
            Writing::Ints(_) if exprs.is_hard(cond) => None,
            Writing::Ints(ints) => Some(ints.write(exprs, terms, cond)),
            Writing::Bits(bits) => Some(bits.write(exprs, terms, cond)),
        });
        written.as_ref()
    }

    /// The value that an assignment has for a symbol, if it is the symbol of an input that is an integer.
    pub fn value(&self, exprs: &Exprs, terms: &Terms, symbol: SymbolId, of: &Assignment) -> Option<i64> {
        let inputs: &[(Input, TermId)] = match &self.theory {
            Writing::Ints(ints) => &ints.inputs,
            Writing::Bits(bits) => &bits.inputs,
        };
        let is_own = |(_, term): &&(Input, TermId)| terms.op(*term) == Op::Apply(symbol);
        let (input, _) = inputs.iter().find(is_own)?;
        matches!(exprs.input_of(*input).kind.kind(), Kind::I32 | Kind::I64).then(|| of.integer(exprs, *input))
    }

    /// The 64-bit ranges of the longs whose values in a model are beyond them: what was not asserted, and was
    /// missed. None where longs are unbounded.
    pub fn ranges_missed(&self, exprs: &Exprs, terms: &mut Terms, model: &Model) -> Vec<TermId> {
        let Writing::Ints(ints) = &self.theory else { return Vec::new() };
        let mut all = Vec::new();
        for &(input, term) in &ints.inputs {
            let Op::Apply(symbol) = terms.op(term) else { continue };
            let Some(value) = model.get(symbol) else { continue };
            let kind = exprs.input_of(input).kind;
            if exprs.ints() == Ints::Wrapped && crate::bits::raw_of(kind, value).is_none() {
                all.extend(ints::range_of_long(terms, term));
            }
        }
        all
    }

    /// Copies the model's values of inputs into an assignment. False if a value does not fit into
    /// 64 bits, which the integer theory does not assert: then that input keeps its old value, and
    /// the model proves nothing.
    pub fn read(&self, exprs: &Exprs, terms: &Terms, model: &Model, into: &mut Assignment) -> bool {
        let symbols: &[(Input, TermId)] = match &self.theory {
            Writing::Ints(ints) => &ints.inputs,
            Writing::Bits(bits) => &bits.inputs,
        };
        let mut complete = true;
        for &(input, term) in symbols {
            let Op::Apply(symbol) = terms.op(term) else { continue };
            let Some(value) = model.get(symbol) else { continue };
            match crate::bits::raw_of(exprs.input_of(input).kind, value) {
                Some(raw) => into.set_raw(exprs, input, raw),
                None => complete = false,
            }
        }
        complete
    }
}
