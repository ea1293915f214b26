//! Values under all assignments at once: a column for each term, computed once.
//!
//! The meanings of the functions are written down here a second time, in plain numbers, so that an error of
//! the evaluator is not taken for the truth. A column has a value for each assignment; an array of a few
//! cells is one number, its first cell in the lowest bits.

use evergreen_term::{Fun, Indexed, Op, Sort, SymbolId, TermId, Terms, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// The columns of the terms of one arena.
pub(crate) struct Columns {
    /// Of each symbol: its first bit in the number of an assignment, and how many it has.
    symbols: HashMap<SymbolId, (u32, u32)>,
    assignments: u32,
    made: HashMap<TermId, Rc<[u32]>>,
}

/// The bits of a sort: those of all cells of an array.
pub(crate) fn bits_of(terms: &Terms, sort: &Sort) -> u32 {
    match *sort {
        Sort::BitVec(width) => width,
        Sort::Array(index, element) => {
            bits_of(terms, terms.sort_kind(element)) << bits_of(terms, terms.sort_kind(index))
        }
        _ => 1,
    }
}

fn signed(value: u32, width: u32) -> i32 {
    ((value << (32 - width)) as i32) >> (32 - width)
}

fn unsigned(value: i32, width: u32) -> u32 {
    value as u32 & ones(width)
}

fn ones(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

impl Columns {
    /// All assignments of some symbols.
    pub(crate) fn new(terms: &Terms, symbols: impl Iterator<Item = SymbolId>) -> Columns {
        let mut bits = 0;
        let mut places = HashMap::new();
        for symbol in symbols {
            let own = bits_of(terms, terms.sort_kind(terms.symbol_of(symbol).result));
            places.insert(symbol, (bits, own));
            bits += own;
        }
        // Too many are never asked for.
        let assignments = 1u32.checked_shl(bits).unwrap_or(0);
        Columns { symbols: places, assignments, made: HashMap::new() }
    }

    /// The number of an assignment under which all constraints hold.
    pub(crate) fn find(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<u32> {
        let columns: Vec<Rc<[u32]>> = constraints.iter().map(|&c| self.column(terms, c)).collect();
        (0..self.assignments).find(|&at| columns.iter().all(|column| column[at as usize] == 1))
    }

    /// The values of a term.
    pub(crate) fn column(&mut self, terms: &Terms, term: TermId) -> Rc<[u32]> {
        if let Some(column) = self.made.get(&term) {
            return column.clone();
        }
        let args: Vec<Rc<[u32]>> = terms.args(term).iter().map(|&arg| self.column(terms, arg)).collect();
        let widths: Vec<u32> = terms.args(term).iter().map(|&arg| self.width(terms, arg)).collect();
        let width = self.width(terms, term);
        let mut values = vec![0; args.len()];
        let column: Rc<[u32]> = (0..self.assignments)
            .map(|at| {
                for (value, arg) in values.iter_mut().zip(&args) {
                    *value = arg[at as usize];
                }
                match terms.op(term) {
                    Op::Literal(id) => match terms.literal_value(id) {
                        Value::Bool(value) => u32::from(*value),
                        Value::BitVec(value) => value.to_u128().expect("narrow") as u32,
                        other => panic!("{other:?}"),
                    },
                    Op::Apply(symbol) => {
                        let (low, own) = self.symbols[&symbol];
                        (at >> low) & ones(own)
                    }
                    Op::ConstArray => {
                        (0..width / widths[0]).fold(0, |cells, i| cells | values[0] << (i * widths[0]))
                    }
                    Op::Fun(fun) => meaning(fun, &values, &widths, width),
                    Op::Indexed(fun, i, j) => indexed(fun, (i, j), values[0], widths[0], width),
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        self.made.insert(term, column.clone());
        column
    }

    fn width(&self, terms: &Terms, term: TermId) -> u32 {
        bits_of(terms, terms.sort_kind(terms.sort_of(term)))
    }
}

fn indexed(fun: Indexed, (i, j): (u32, u32), a: u32, own: u32, width: u32) -> u32 {
    match fun {
        Indexed::Extract => (a >> j) & ones(i - j + 1),
        Indexed::ZeroExtend => a,
        Indexed::SignExtend => unsigned(signed(a, own), width),
        Indexed::Repeat => (0..i).fold(0, |all, n| all | a << (n * own)),
        Indexed::RotateLeft | Indexed::RotateRight => {
            let left = if fun == Indexed::RotateLeft { i % own } else { (own - i % own) % own };
            (a << left | a >> ((own - left) % 32).min(31)) & ones(own)
        }
        other => panic!("{other:?}"),
    }
}

/// What a function is, in numbers. `w` are the widths of the arguments, `width` that of the result.
fn meaning(fun: Fun, v: &[u32], w: &[u32], width: u32) -> u32 {
    let all = ones(width);
    let own = w[0];
    let (a, b) = (v[0], v.get(1).copied().unwrap_or(0));
    let (sa, sb) = (i64::from(signed(a, own)), i64::from(signed(b, own)));
    let truth = u32::from;
    let fits = |n: i64| -(1i64 << (own - 1)) <= n && n < 1 << (own - 1);
    match fun {
        Fun::Not | Fun::BvNot => !a & all,
        Fun::And => truth(v.iter().all(|&x| x == 1)),
        Fun::Or => truth(v.contains(&1)),
        Fun::Xor => v.iter().fold(0, |x, y| x ^ y),
        Fun::Implies => truth(a == 0 || b == 1),
        Fun::Ite => v[if a == 1 { 1 } else { 2 }],
        Fun::Eq => truth(v.windows(2).all(|pair| pair[0] == pair[1])),
        Fun::Distinct => truth(v.iter().enumerate().all(|(i, x)| !v[..i].contains(x))),
        Fun::BvNeg => a.wrapping_neg() & all,
        Fun::BvAnd => a & b,
        Fun::BvOr => a | b,
        Fun::BvXor => a ^ b,
        Fun::BvNand => !(a & b) & all,
        Fun::BvNor => !(a | b) & all,
        Fun::BvXnor => !(a ^ b) & all,
        Fun::BvAdd => (a + b) & all,
        Fun::BvSub => a.wrapping_sub(b) & all,
        Fun::BvMul => (a * b) & all,
        Fun::BvUdiv => a.checked_div(b).unwrap_or(all),
        Fun::BvUrem => a.checked_rem(b).unwrap_or(a),
        Fun::BvSdiv => match sb {
            0 => unsigned(if sa < 0 { 1 } else { -1 }, own),
            _ => unsigned((sa / sb) as i32, own),
        },
        Fun::BvSrem => unsigned(sa.checked_rem(sb).unwrap_or(sa) as i32, own),
        // The sign of the divisor.
        Fun::BvSmod => match sb {
            0 => a,
            _ => unsigned(((sa % sb + sb) % sb) as i32, own),
        },
        Fun::BvShl => a.checked_shl(b).unwrap_or(0) & all,
        Fun::BvLshr => a.checked_shr(b).unwrap_or(0),
        Fun::BvAshr => unsigned((sa >> b.min(31)) as i32, own),
        Fun::BvUlt => truth(a < b),
        Fun::BvUle => truth(a <= b),
        Fun::BvUgt => truth(a > b),
        Fun::BvUge => truth(a >= b),
        Fun::BvSlt => truth(sa < sb),
        Fun::BvSle => truth(sa <= sb),
        Fun::BvSgt => truth(sa > sb),
        Fun::BvSge => truth(sa >= sb),
        Fun::BvComp => truth(a == b),
        Fun::BvNego => truth(!fits(-sa)),
        Fun::BvUaddo => truth(a + b > ones(own)),
        Fun::BvSaddo => truth(!fits(sa + sb)),
        Fun::BvUmulo => truth(a * b > ones(own)),
        Fun::BvSmulo => truth(!fits(sa * sb)),
        Fun::BvUsubo => truth(a < b),
        Fun::BvSsubo => truth(!fits(sa - sb)),
        Fun::BvSdivo => truth(sb != 0 && !fits(sa / sb)),
        Fun::Concat => v.iter().zip(w).fold(0, |high, (&part, &own)| high << own | part),
        Fun::Select => (a >> (b * width)) & all,
        Fun::Store => (a & !(ones(w[2]) << (b * w[2]))) | v[2] << (b * w[2]),
        other => panic!("{other:?}"),
    }
}
