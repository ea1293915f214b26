//! From constraints of a form to clauses. Constraints that have a model have clauses with a solution; the
//! other way round, too, unless arrays are compared.
//!
//! The clauses are a function of the form and the chosen constraints alone: variables and clauses are
//! numbered as they are made, constraint by constraint, arguments first. A proof refers to these numbers.
//!
//! An array is never a value here, only what reads of it give: a read of a store is a multiplexer, a read of
//! a declared array is a new vector, and of two such reads at equal indices the values are equal
//! [Ackermann, Solvable Cases of the Decision Problem '54].
//!
//! An equality of two arrays is a new variable with a new index. After all constraints follow clauses that
//! say what they mean: if it is false, the arrays differ at that index; if it is true, they have equal
//! elements there and at every other index that is read or written. These follow from the equality whatever
//! the indices are, so clauses without a solution show that there is no model. The other way round is not
//! claimed: an index that matters may be missing.

use super::circuits::{self as circuit, Shift};
use super::form::{Form, Node, NodeId, Sort};
use super::gates::{Bit, Gates, TooLarge};
use evergreen_term::{Fun, Indexed};
use rustc_hash::FxHashMap;

/// Steps through stores and pairs of reads, beyond what clauses count.
const MOST_STEPS: u64 = 4_000_000;

/// Why constraints have no clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unblasted {
    /// Something outside of bit vectors and arrays of them.
    Outside,
    /// Too many clauses or steps.
    TooLarge,
}

impl From<TooLarge> for Unblasted {
    fn from(_: TooLarge) -> Unblasted {
        Unblasted::TooLarge
    }
}

/// The clauses of some constraints.
pub(super) struct Clauses {
    pub(super) gates: Gates,
    /// The place of the first constraint that is false whatever its symbols are: then there is nothing to
    /// prove.
    pub(super) false_at: Option<u32>,
    /// For each clause that says that a constraint holds: its number, and the constraint's place among the
    /// chosen ones. Ascending. All other clauses only say what gates and reads are.
    pub(super) asserted: Vec<(u32, u32)>,
    /// There are equalities of arrays: the clauses may have a solution where the constraints have no model.
    pub(super) is_partial: bool,
}

/// The clauses of constraints, in this order; at most so many.
pub(super) fn blast(form: &Form, constraints: &[NodeId], most: usize) -> Result<Clauses, Unblasted> {
    let mut blaster = Blaster::new(form, most);
    let mut clauses =
        Clauses { gates: Gates::new(0), false_at: None, asserted: Vec::new(), is_partial: false };
    for (place, &constraint) in constraints.iter().enumerate() {
        let bits = match form.node(constraint) {
            // A disjunction is a clause by itself.
            Node::Fun(Fun::Or) => {
                let args = form.args(constraint);
                args.iter().map(|a| blaster.bit(*a)).collect::<Result<Vec<Bit>, Unblasted>>()?
            }
            _ => vec![blaster.bit(constraint)?],
        };
        let before = blaster.gates.clauses().len();
        if !blaster.gates.assert_any(bits) {
            clauses.false_at = clauses.false_at.or(Some(place as u32));
        }
        if blaster.gates.clauses().len() > before {
            clauses.asserted.push((before as u32, place as u32));
        }
        blaster.gates.finish()?;
    }
    clauses.is_partial = !blaster.equalities.is_empty();
    blaster.tie_arrays()?;
    clauses.gates = blaster.gates;
    Ok(clauses)
}

/// An equality of two arrays.
struct Equality {
    arrays: [NodeId; 2],
    same: Bit,
    /// Where they differ, if they do.
    apart: Vec<Bit>,
}

/// A read of a declared array.
struct Read {
    index: Vec<Bit>,
    value: Vec<Bit>,
}

/// Makes the bits of nodes, each once.
pub(super) struct Blaster<'f> {
    form: &'f Form,
    pub(super) gates: Gates,
    bits: FxHashMap<NodeId, Vec<Bit>>,
    /// The reads of each declared array.
    reads: FxHashMap<NodeId, Vec<Read>>,
    equalities: Vec<Equality>,
    steps: u64,
}

impl<'f> Blaster<'f> {
    pub(super) fn new(form: &'f Form, most: usize) -> Blaster<'f> {
        Blaster {
            form,
            gates: Gates::new(most),
            bits: FxHashMap::default(),
            reads: FxHashMap::default(),
            equalities: Vec::new(),
            steps: 0,
        }
    }

    fn bit(&mut self, node: NodeId) -> Result<Bit, Unblasted> {
        match self.vector(node)?[..] {
            [bit] => Ok(bit),
            _ => Err(Unblasted::Outside),
        }
    }

    /// The bits of a node, after those of everything below it. An array has none.
    pub(super) fn vector(&mut self, node: NodeId) -> Result<&[Bit], Unblasted> {
        let mut stack = vec![node];
        while let Some(&top) = stack.last() {
            if self.bits.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = self.form.args(top).iter().rev();
            stack.extend(args.filter(|a| !self.bits.contains_key(a)));
            if stack.len() == before {
                let bits = self.make(top)?;
                self.gates.finish()?;
                self.bits.insert(top, bits);
                stack.pop();
            }
        }
        Ok(&self.bits[&node])
    }

    fn step(&mut self, steps: usize) -> Result<(), Unblasted> {
        self.steps += steps as u64;
        if self.steps > MOST_STEPS { Err(Unblasted::TooLarge) } else { Ok(()) }
    }

    /// The bits of a node whose arguments have theirs.
    fn make(&mut self, node: NodeId) -> Result<Vec<Bit>, Unblasted> {
        let sort = self.form.sort(node);
        let args: Vec<Vec<Bit>> = self.form.args(node).iter().map(|a| self.bits[a].clone()).collect();
        self.step(1 + args.len())?;
        match (sort, self.form.node(node)) {
            (Sort::Outside, _) | (_, Node::Outside) => Err(Unblasted::Outside),
            (Sort::Array { .. }, _) => Ok(Vec::new()),
            (Sort::Bool | Sort::Bits(_), kind) => {
                let width = sort.width().ok_or(Unblasted::Outside)?;
                match kind {
                    Node::Leaf => Ok((0..width).map(|_| self.gates.input()).collect()),
                    Node::Literal(value) => Ok(circuit::constant(width, value)),
                    Node::Fun(Fun::Select) => self.select(self.form.args(node)[0], &args[1]),
                    Node::Fun(fun) => function(&mut self.gates, fun, &args).ok_or(Unblasted::Outside),
                    Node::Indexed(fun, i, j) => indexed(fun, i, j, &args[0]).ok_or(Unblasted::Outside),
                    Node::SameArrays => self.same_arrays(node),
                    Node::ConstArray | Node::Outside => Err(Unblasted::Outside),
                }
            }
        }
    }

    /// An equality of arrays: what it means is said when all indices are known.
    fn same_arrays(&mut self, node: NodeId) -> Result<Vec<Bit>, Unblasted> {
        let &[a, b] = self.form.args(node) else { return Err(Unblasted::Outside) };
        let Sort::Array { index, .. } = self.form.sort(a) else { return Err(Unblasted::Outside) };
        let same = self.gates.input();
        let apart: Vec<Bit> = (0..index).map(|_| self.gates.input()).collect();
        self.equalities.push(Equality { arrays: [a, b], same, apart });
        Ok(vec![same])
    }

    /// Says what the equalities mean.
    fn tie_arrays(&mut self) -> Result<(), Unblasted> {
        let equalities = std::mem::take(&mut self.equalities);
        if equalities.is_empty() {
            return Ok(());
        }
        let indices = self.indices(&equalities)?;
        for Equality { arrays: [a, b], same, apart } in &equalities {
            for index in indices.iter().filter(|index| index.len() == apart.len()) {
                let (x, y) = (self.select(*a, index)?, self.select(*b, index)?);
                let equal = circuit::equal(&mut self.gates, &x, &y);
                self.gates.assert_any(vec![!*same, equal]);
                if index == apart {
                    self.gates.assert_any(vec![*same, !equal]);
                }
                self.gates.finish()?;
            }
        }
        Ok(())
    }

    /// The indices at which something is read or written below the constraints, in the order of their nodes,
    /// and those of the equalities; each once.
    fn indices(&mut self, equalities: &[Equality]) -> Result<Vec<Vec<Bit>>, Unblasted> {
        let mut indices: Vec<Vec<Bit>> = Vec::new();
        for number in 0..self.form.len() as u32 {
            let node = NodeId(number);
            let is_place = matches!(self.form.node(node), Node::Fun(Fun::Select | Fun::Store));
            if is_place && self.bits.contains_key(&node) {
                self.step(indices.len())?;
                let index = &self.bits[&self.form.args(node)[1]];
                if !indices.contains(index) {
                    indices.push(index.clone());
                }
            }
        }
        indices.extend(equalities.iter().map(|equality| equality.apart.clone()));
        Ok(indices)
    }

    /// What an array has at an index. Arrays are made of other arrays: those below come first, each once.
    fn select(&mut self, array: NodeId, index: &[Bit]) -> Result<Vec<Bit>, Unblasted> {
        let form = self.form;
        let mut known: FxHashMap<NodeId, Vec<Bit>> = FxHashMap::default();
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            self.step(index.len())?;
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let args = form.args(top);
            let value = match form.node(top) {
                Node::Leaf => Some(self.read(top, index)?),
                Node::ConstArray => Some(self.bits[&args[0]].clone()),
                Node::Fun(Fun::Store) => {
                    let hit = circuit::equal(&mut self.gates, index, &self.bits[&args[1]]);
                    let new = &self.bits[&args[2]];
                    match known.get(&args[0]) {
                        // What is below does not matter.
                        _ if hit == Bit::TRUE => Some(new.clone()),
                        Some(old) => Some(circuit::mux(&mut self.gates, hit, new, old)),
                        None => {
                            stack.push(args[0]);
                            None
                        }
                    }
                }
                Node::Fun(Fun::Ite) => {
                    let condition = self.bits[&args[0]][0];
                    match (known.get(&args[1]), known.get(&args[2])) {
                        (Some(yes), Some(no)) => Some(circuit::mux(&mut self.gates, condition, yes, no)),
                        (None, _) => {
                            stack.push(args[1]);
                            None
                        }
                        (_, None) => {
                            stack.push(args[2]);
                            None
                        }
                    }
                }
                _ => return Err(Unblasted::Outside),
            };
            self.gates.finish()?;
            if let Some(value) = value {
                known.insert(top, value);
            }
        }
        known.remove(&array).ok_or(Unblasted::Outside)
    }

    /// A read of a declared array: equal indices have equal values.
    fn read(&mut self, array: NodeId, index: &[Bit]) -> Result<Vec<Bit>, Unblasted> {
        let Sort::Array { element, .. } = self.form.sort(array) else { return Err(Unblasted::Outside) };
        let before = self.reads.remove(&array).unwrap_or_default();
        self.step(before.len())?;
        if let Some(read) = before.iter().find(|read| read.index == index) {
            let value = read.value.clone();
            self.reads.insert(array, before);
            return Ok(value);
        }
        let value: Vec<Bit> = (0..element).map(|_| self.gates.input()).collect();
        for other in &before {
            let same = circuit::equal(&mut self.gates, &other.index, index);
            for (x, y) in value.iter().zip(&other.value) {
                self.gates.clause_of(&[!same, !*x, *y]);
                self.gates.clause_of(&[!same, *x, !*y]);
            }
            self.gates.finish()?;
        }
        let mut reads = before;
        reads.push(Read { index: index.to_vec(), value: value.clone() });
        self.reads.insert(array, reads);
        Ok(value)
    }
}

/// Any number of arguments by a function of two.
fn fold(
    gates: &mut Gates,
    args: &[Vec<Bit>],
    two: impl Fn(&mut Gates, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Vec<Bit> {
    let mut value = args[0].clone();
    for other in &args[1..] {
        value = two(gates, &value, other);
    }
    value
}

/// Bit by bit.
fn bitwise(gates: &mut Gates, a: &[Bit], b: &[Bit], gate: fn(&mut Gates, Bit, Bit) -> Bit) -> Vec<Bit> {
    a.iter().zip(b).map(|(x, y)| gate(gates, *x, *y)).collect()
}

fn inverted(mut bits: Vec<Bit>) -> Vec<Bit> {
    bits.iter_mut().for_each(|b| *b = !*b);
    bits
}

/// The bits of a function of truth values and vectors. The reader of the form has checked the sorts.
fn function(gates: &mut Gates, fun: Fun, args: &[Vec<Bit>]) -> Option<Vec<Bit>> {
    use Fun::*;
    let first = args.first()?;
    let second = args.get(1);
    let truth = |args: &[Vec<Bit>]| args.iter().map(|a| a[0]).collect::<Vec<Bit>>();
    Some(match fun {
        Not => vec![!first[0]],
        And => vec![gates.all(&truth(args))],
        Or => vec![gates.any(&truth(args))],
        Xor => fold(gates, args, |g, a, b| bitwise(g, a, b, Gates::xor)),
        Implies => {
            let mut bits = truth(args);
            let last = bits.len() - 1;
            bits[..last].iter_mut().for_each(|b| *b = !*b);
            vec![gates.any(&bits)]
        }
        Ite => circuit::mux(gates, first[0], second?, args.get(2)?),
        Eq => {
            let same: Vec<Bit> =
                args.windows(2).map(|pair| circuit::equal(gates, &pair[0], &pair[1])).collect();
            vec![gates.all(&same)]
        }
        Distinct => {
            let mut differ = Vec::new();
            for (i, a) in args.iter().enumerate() {
                differ.extend(args[..i].iter().map(|b| !circuit::equal(gates, a, b)));
            }
            vec![gates.all(&differ)]
        }
        Concat => args.iter().rev().flatten().copied().collect(),
        BvNot => inverted(first.clone()),
        BvNeg => circuit::negate(gates, first),
        BvNego => vec![circuit::negate_overflows(gates, first)],
        BvAnd => fold(gates, args, |g, a, b| bitwise(g, a, b, Gates::and)),
        BvOr => fold(gates, args, |g, a, b| bitwise(g, a, b, Gates::or)),
        BvXor => fold(gates, args, |g, a, b| bitwise(g, a, b, Gates::xor)),
        BvAdd => fold(gates, args, circuit::add),
        BvMul => fold(gates, args, circuit::multiply),
        _ => return binary(gates, fun, first, second?),
    })
}

/// The bits of a function of two vectors.
fn binary(gates: &mut Gates, fun: Fun, a: &[Bit], b: &[Bit]) -> Option<Vec<Bit>> {
    use Fun::*;
    let bit = match fun {
        BvUlt | BvUsubo => circuit::less(gates, a, b),
        BvUgt => circuit::less(gates, b, a),
        BvUle => !circuit::less(gates, b, a),
        BvUge => !circuit::less(gates, a, b),
        BvSlt => circuit::signed_less(gates, a, b),
        BvSgt => circuit::signed_less(gates, b, a),
        BvSle => !circuit::signed_less(gates, b, a),
        BvSge => !circuit::signed_less(gates, a, b),
        BvComp => circuit::equal(gates, a, b),
        BvUaddo => circuit::add_overflows(gates, a, b),
        BvUmulo => circuit::multiply_overflows(gates, a, b),
        BvSaddo => circuit::signed_overflows(gates, a, b, circuit::add),
        BvSsubo => circuit::signed_overflows(gates, a, b, circuit::subtract),
        BvSmulo => circuit::signed_overflows(gates, a, b, circuit::multiply),
        BvSdivo => circuit::divide_overflows(gates, a, b),
        _ => {
            return Some(match fun {
                BvNand => inverted(bitwise(gates, a, b, Gates::and)),
                BvNor => inverted(bitwise(gates, a, b, Gates::or)),
                BvXnor => inverted(bitwise(gates, a, b, Gates::xor)),
                BvSub => circuit::subtract(gates, a, b),
                BvUdiv => circuit::quotient(gates, a, b),
                BvUrem => circuit::remainder(gates, a, b),
                BvSdiv => circuit::signed_quotient(gates, a, b),
                BvSrem => circuit::signed_remainder(gates, a, b),
                BvSmod => circuit::signed_modulo(gates, a, b),
                BvShl => circuit::shift(gates, Shift::Left, a, b),
                BvLshr => circuit::shift(gates, Shift::Right, a, b),
                BvAshr => circuit::shift(gates, Shift::RightWithSign, a, b),
                _ => return None,
            });
        }
    };
    Some(vec![bit])
}

/// The bits of a function with indices: the argument's bits in other places.
fn indexed(fun: Indexed, i: u32, j: u32, a: &[Bit]) -> Option<Vec<Bit>> {
    let (width, count) = (a.len(), i as usize);
    Some(match fun {
        Indexed::Extract => a.get(j as usize..=count)?.to_vec(),
        Indexed::ZeroExtend => circuit::extended(a, width + count, Bit::FALSE),
        Indexed::SignExtend => circuit::extended(a, width + count, *a.last()?),
        Indexed::Repeat => a.repeat(count),
        Indexed::RotateLeft => {
            let mut bits = a.to_vec();
            bits.rotate_right(count % width);
            bits
        }
        Indexed::RotateRight => {
            let mut bits = a.to_vec();
            bits.rotate_left(count % width);
            bits
        }
        _ => return None,
    })
}
