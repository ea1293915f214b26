//! The heads of terms, one by one, with the meaning that SMT-LIB gives them.

use super::{Image, Translator, outside, width_of};
use crate::Beyond;
use crate::form::{Form, Node, Op, ones};
use evergreen_term::{Fun, Indexed, Sort, TermId, Terms};

impl Translator {
    pub(super) fn fun(
        &mut self,
        form: &mut Form,
        terms: &Terms,
        term: TermId,
        fun: Fun,
    ) -> Result<Image, Beyond> {
        let args = terms.args(term);
        match fun {
            Fun::Select => {
                let (array, index) = (self.array(args[0])?, self.bits(args[1])?);
                return self.arrays.read(form, array, index).map(Image::Bits);
            }
            Fun::Ite if matches!(terms.sort_kind(terms.sort_of(term)), Sort::Array(..)) => {
                let (condition, a, b) = (self.bits(args[0])?, self.array(args[1])?, self.array(args[2])?);
                return Ok(Image::Array(self.arrays.ite(condition, a, b)));
            }
            Fun::Eq | Fun::Distinct if matches!(terms.sort_kind(terms.sort_of(args[0])), Sort::Array(..)) => {
                return self.compare(form, terms, fun, args).map(Image::Bits);
            }
            _ => {}
        }
        let width = width_of(terms, terms.sort_of(term))?;
        let made = match *args {
            [a] => head(form, fun, &[self.bits(a)?], width),
            [a, b] => head(form, fun, &[self.bits(a)?, self.bits(b)?], width),
            _ => {
                let nodes = args.iter().map(|&a| self.bits(a)).collect::<Result<Vec<Node>, _>>()?;
                head(form, fun, &nodes, width)
            }
        };
        made.map(Image::Bits).ok_or_else(|| outside(format!("`{}`", fun.name())))
    }

    pub(super) fn indexed(
        &mut self,
        form: &mut Form,
        terms: &Terms,
        term: TermId,
        fun: Indexed,
        (i, j): (u32, u32),
    ) -> Result<Image, Beyond> {
        let width = width_of(terms, terms.sort_of(term))?;
        let a = self.bits(terms.args(term)[0])?;
        let own = form.width(a);
        let node = match fun {
            Indexed::Extract => form.extract(a, j as u8, (i - j + 1) as u8),
            Indexed::Repeat => (1..i).fold(a, |sum, _| form.concat(sum, a)),
            Indexed::ZeroExtend => form.zero_extend(a, width),
            Indexed::SignExtend => form.sign_extend(a, width),
            Indexed::RotateLeft | Indexed::RotateRight => {
                let by = (i % u32::from(own)) as u8;
                let left = if fun == Indexed::RotateLeft { by } else { (own - by) % own };
                match left {
                    0 => a,
                    _ => {
                        let (high, low) = (form.extract(a, 0, own - left), form.extract(a, own - left, left));
                        form.concat(high, low)
                    }
                }
            }
            _ => return Err(outside(format!("`{}`", fun.name()))),
        };
        Ok(Image::Bits(node))
    }
}

/// A head over nodes; `None` for what is not of this theory.
fn head(form: &mut Form, fun: Fun, nodes: &[Node], width: u8) -> Option<Node> {
    use Fun::*;
    let &[a, ..] = nodes else { return None };
    let b = nodes.get(1).copied();
    let fold = |form: &mut Form, f: fn(&mut Form, Node, Node) -> Node| {
        nodes[1..].iter().fold(nodes[0], |sum, &n| f(form, sum, n))
    };
    Some(match fun {
        Not | BvNot => form.not(a),
        And | BvAnd => fold(form, Form::and),
        Or | BvOr => fold(form, Form::or),
        Xor | BvXor => fold(form, Form::xor),
        Implies => {
            let (last, premises) = nodes.split_last()?;
            premises.iter().rev().fold(*last, |conclusion, &premise| {
                let not = form.not(premise);
                form.or(not, conclusion)
            })
        }
        Ite => form.ite(a, nodes[1], nodes[2]),
        Eq => chain(form, nodes, equal),
        Distinct => {
            let mut all = Node::TRUE;
            for (i, &x) in nodes.iter().enumerate() {
                for &y in &nodes[i + 1..] {
                    let equal = form.eq(x, y);
                    let differ = form.not(equal);
                    all = form.and(all, differ);
                }
            }
            all
        }
        Concat => fold(form, Form::concat),
        BvNand => {
            let both = form.and(a, b?);
            form.not(both)
        }
        BvNor => {
            let one = form.or(a, b?);
            form.not(one)
        }
        BvXnor => {
            // Of several arguments the standard reads it from the left.
            nodes[1..].iter().fold(a, |sum, &n| {
                let differ = form.xor(sum, n);
                form.not(differ)
            })
        }
        BvNeg => form.neg(a),
        BvAdd => fold(form, Form::add),
        BvSub => fold(form, sub),
        BvMul => fold(form, Form::mul),
        BvUdiv => form.make(Op::Udiv(a, b?), width),
        BvUrem => form.make(Op::Urem(a, b?), width),
        BvSdiv => sdiv(form, a, b?),
        BvSrem => srem(form, a, b?),
        BvSmod => smod(form, a, b?),
        BvShl => form.make(Op::Shl(a, b?), width),
        BvLshr => form.make(Op::Lshr(a, b?), width),
        BvAshr => form.make(Op::Ashr(a, b?), width),
        BvUlt => chain(form, nodes, Form::ult),
        BvUgt => chain(form, nodes, |form, a, b| form.ult(b, a)),
        BvUle => chain(form, nodes, |form, a, b| {
            let greater = form.ult(b, a);
            form.not(greater)
        }),
        BvUge => chain(form, nodes, |form, a, b| {
            let smaller = form.ult(a, b);
            form.not(smaller)
        }),
        BvSlt => chain(form, nodes, Form::slt),
        BvSgt => chain(form, nodes, |form, a, b| form.slt(b, a)),
        BvSle => chain(form, nodes, |form, a, b| {
            let greater = form.slt(b, a);
            form.not(greater)
        }),
        BvSge => chain(form, nodes, |form, a, b| {
            let smaller = form.slt(a, b);
            form.not(smaller)
        }),
        BvComp => form.eq(a, b?),
        BvNego => {
            let own = form.width(a);
            form.eq_const(a, 1 << (own - 1))
        }
        BvUaddo => {
            let sum = form.add(a, b?);
            form.ult(sum, a)
        }
        BvSaddo => {
            let sum = form.add(a, b?);
            signs(form, a, b?, sum, Signs::Same)
        }
        BvUsubo => form.ult(a, b?),
        BvSsubo => {
            let difference = sub(form, a, b?);
            signs(form, a, b?, difference, Signs::Opposite)
        }
        BvUmulo => umulo(form, a, b?),
        BvSmulo => smulo(form, a, b?),
        BvSdivo => {
            let own = form.width(a);
            let (least, minus) = (form.eq_const(a, 1 << (own - 1)), form.eq_const(b?, ones(own)));
            form.and(least, minus)
        }
        _ => return None,
    })
}

/// An equality. Logs say `false = c` for `not c`, once for each constraint: that needs no rule.
fn equal(form: &mut Form, a: Node, b: Node) -> Node {
    match (a, b) {
        (Node::TRUE, other) | (other, Node::TRUE) => other,
        (Node::FALSE, other) | (other, Node::FALSE) => form.not(other),
        _ => form.eq(a, b),
    }
}

/// A relation between neighbours.
fn chain(form: &mut Form, nodes: &[Node], relation: impl Fn(&mut Form, Node, Node) -> Node) -> Node {
    if let [a, b] = *nodes {
        return relation(form, a, b);
    }
    nodes.windows(2).fold(Node::TRUE, |all, pair| {
        let holds = relation(form, pair[0], pair[1]);
        form.and(all, holds)
    })
}

fn sub(form: &mut Form, a: Node, b: Node) -> Node {
    let b = form.neg(b);
    form.add(a, b)
}

fn magnitude(form: &mut Form, a: Node) -> Node {
    let (sign, minus) = (form.sign(a), form.neg(a));
    form.ite(sign, minus, a)
}

fn sdiv(form: &mut Form, a: Node, b: Node) -> Node {
    let width = form.width(a);
    let (x, y) = (magnitude(form, a), magnitude(form, b));
    let quotient = form.make(Op::Udiv(x, y), width);
    let (s, t) = (form.sign(a), form.sign(b));
    let (differ, minus) = (form.xor(s, t), form.neg(quotient));
    form.ite(differ, minus, quotient)
}

fn srem(form: &mut Form, a: Node, b: Node) -> Node {
    let width = form.width(a);
    let (x, y) = (magnitude(form, a), magnitude(form, b));
    let remainder = form.make(Op::Urem(x, y), width);
    let (sign, minus) = (form.sign(a), form.neg(remainder));
    form.ite(sign, minus, remainder)
}

/// The remainder with the sign of the divisor.
fn smod(form: &mut Form, a: Node, b: Node) -> Node {
    let width = form.width(a);
    let (x, y) = (magnitude(form, a), magnitude(form, b));
    let remainder = form.make(Op::Urem(x, y), width);
    let zero = form.eq_const(remainder, 0);
    let (s, t, minus) = (form.sign(a), form.sign(b), form.neg(remainder));
    let (up, down) = (form.add(minus, b), form.add(remainder, b));
    let positive = form.ite(t, down, remainder);
    let negative = form.ite(t, minus, up);
    let signed = form.ite(s, negative, positive);
    form.ite(zero, remainder, signed)
}

#[derive(PartialEq, Eq)]
enum Signs {
    Same,
    Opposite,
}

/// Whether a sum or difference has left the signed numbers: its sign is not that of the first operand,
/// though the signs of both did not allow that.
fn signs(form: &mut Form, a: Node, b: Node, result: Node, needed: Signs) -> Node {
    let (s, t, r) = (form.sign(a), form.sign(b), form.sign(result));
    let differ = form.xor(s, t);
    let may = if needed == Signs::Opposite { differ } else { form.not(differ) };
    let changed = form.xor(s, r);
    form.and(may, changed)
}

/// Whether a product of unsigned numbers has more bits than they do.
fn umulo(form: &mut Form, a: Node, b: Node) -> Node {
    let width = form.width(a);
    let greatest = form.constant(u64::MAX, width);
    exceeds(form, a, b, greatest)
}

/// Whether `a * b` is more than a limit: whether a is more than the limit divided by b.
fn exceeds(form: &mut Form, a: Node, b: Node, limit: Node) -> Node {
    let width = form.width(a);
    let quotient = form.make(Op::Udiv(limit, b), width);
    let (zero, more) = (form.eq_const(b, 0), form.ult(quotient, a));
    let some = form.not(zero);
    form.and(some, more)
}

/// Whether a product of signed numbers is none.
fn smulo(form: &mut Form, a: Node, b: Node) -> Node {
    let width = form.width(a);
    let (x, y) = (magnitude(form, a), magnitude(form, b));
    let (s, t) = (form.sign(a), form.sign(b));
    let differ = form.xor(s, t);
    let (least, greatest) = (form.constant(1 << (width - 1), width), form.constant(ones(width) >> 1, width));
    let limit = form.ite(differ, least, greatest);
    exceeds(form, x, y, limit)
}
