//! Values of a symbolic execution: linear integer expressions over the inputs, as they were built up.
//!
//! A value has two faces. The linear sum decides whether it is just a number. The tree keeps the
//! sub-expressions that assignments built, because a tool that works on programs sends those to its solver,
//! and naming what they share is what *stackOpt* is about [Liu HVC'14, 3.2]. A tree that grows past a bound
//! is replaced by its sum.

use super::code::Compare;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

/// The most nodes of a tree.
const TREE_BOUND: usize = 48;
/// Coefficients beyond this end a path: programs at random must not make a study of big integers.
const COEFFICIENT_BOUND: i128 = 1 << 40;

/// `sum of coefficient * input + constant`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Linear {
    coefficients: BTreeMap<usize, i128>,
    constant: i128,
}

#[derive(Debug)]
enum Tree {
    Sum(Linear),
    Add(Rc<Tree>, Rc<Tree>),
    Sub(Rc<Tree>, Rc<Tree>),
    Mul(i128, Rc<Tree>),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) struct Symbolic {
    linear: Rc<Linear>,
    tree: Rc<Tree>,
    nodes: usize,
}

impl Linear {
    /// `self + factor * other`, unless a coefficient grows past the bound.
    fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        let add = |to: &mut i128, amount: i128| {
            *to = to.checked_add(amount.checked_mul(factor)?)?;
            (to.abs() <= COEFFICIENT_BOUND).then_some(())
        };
        add(&mut sum.constant, other.constant)?;
        for (&input, &coefficient) in &other.coefficients {
            add(sum.coefficients.entry(input).or_insert(0), coefficient)?;
        }
        sum.coefficients.retain(|_, c| *c != 0);
        Some(sum)
    }

    fn nodes(&self) -> usize {
        1 + 2 * self.coefficients.len()
    }
}

impl Symbolic {
    /// A number.
    pub(crate) fn number(value: i128) -> Symbolic {
        Symbolic::sum(Linear { coefficients: BTreeMap::new(), constant: value })
    }

    /// An input.
    pub(crate) fn input(number: usize) -> Symbolic {
        Symbolic::sum(Linear { coefficients: BTreeMap::from([(number, 1)]), constant: 0 })
    }

    fn sum(linear: Linear) -> Symbolic {
        let nodes = linear.nodes();
        Symbolic { tree: Rc::new(Tree::Sum(linear.clone())), linear: Rc::new(linear), nodes }
    }

    /// The number that it is, if it is one.
    pub(crate) fn as_number(&self) -> Option<i128> {
        self.linear.coefficients.is_empty().then_some(self.linear.constant)
    }

    fn joined(&self, factor: i128, other: &Symbolic, tree: Tree) -> Option<Symbolic> {
        let linear = self.linear.plus(factor, &other.linear)?;
        let nodes = 1 + self.nodes + other.nodes;
        if nodes > TREE_BOUND || linear.coefficients.is_empty() {
            return Some(Symbolic::sum(linear));
        }
        Some(Symbolic { linear: Rc::new(linear), tree: Rc::new(tree), nodes })
    }

    /// The sum, unless it grows past the bound.
    pub(crate) fn add(&self, other: &Symbolic) -> Option<Symbolic> {
        self.joined(1, other, Tree::Add(self.tree.clone(), other.tree.clone()))
    }

    /// The difference, unless it grows past the bound.
    pub(crate) fn sub(&self, other: &Symbolic) -> Option<Symbolic> {
        self.joined(-1, other, Tree::Sub(self.tree.clone(), other.tree.clone()))
    }

    /// The product with a number, unless it grows past the bound.
    pub(crate) fn scale(&self, factor: i128) -> Option<Symbolic> {
        let linear = Linear::default().plus(factor, &self.linear)?;
        if self.nodes + 2 > TREE_BOUND || linear.coefficients.is_empty() {
            return Some(Symbolic::sum(linear));
        }
        let tree = Rc::new(Tree::Mul(factor, self.tree.clone()));
        Some(Symbolic { linear: Rc::new(linear), tree, nodes: self.nodes + 2 })
    }

    /// The inputs that it depends on.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = usize> {
        self.linear.coefficients.keys().copied()
    }

    /// Whether a comparison holds, if that does not depend on the inputs.
    pub(crate) fn decide(&self, compare: Compare, other: &Symbolic) -> Option<bool> {
        let difference = self.linear.plus(-1, &other.linear)?;
        difference.coefficients.is_empty().then(|| compare.holds(difference.constant))
    }

    /// A comparison as SMT-LIB text.
    pub(crate) fn compare_text(&self, compare: Compare, other: &Symbolic, inputs: &[String]) -> String {
        let mut text = String::new();
        let (open, close) = match compare {
            Compare::Lt => ("(< ", ")"),
            Compare::Le => ("(<= ", ")"),
            Compare::Gt => ("(> ", ")"),
            Compare::Ge => ("(>= ", ")"),
            Compare::Eq => ("(= ", ")"),
            Compare::Ne => ("(not (= ", "))"),
        };
        text.push_str(open);
        self.tree.write(inputs, &mut text);
        text.push(' ');
        other.tree.write(inputs, &mut text);
        text.push_str(close);
        text
    }
}

fn write_number(value: i128, text: &mut String) {
    let _ = if value < 0 { write!(text, "(- {})", value.unsigned_abs()) } else { write!(text, "{value}") };
}

impl Tree {
    /// Trees are bounded, so is this recursion.
    fn write(&self, inputs: &[String], text: &mut String) {
        let mut both = |op: &str, a: &Tree, b: &Tree| {
            text.push_str(op);
            a.write(inputs, text);
            text.push(' ');
            b.write(inputs, text);
            text.push(')');
        };
        match self {
            Tree::Sum(linear) => linear.write(inputs, text),
            Tree::Add(a, b) => both("(+ ", a, b),
            Tree::Sub(a, b) => both("(- ", a, b),
            Tree::Mul(factor, a) => {
                text.push_str("(* ");
                write_number(*factor, text);
                text.push(' ');
                a.write(inputs, text);
                text.push(')');
            }
        }
    }
}

impl Linear {
    fn write(&self, inputs: &[String], text: &mut String) {
        let several = self.coefficients.len() + usize::from(self.constant != 0) > 1;
        if several {
            text.push_str("(+");
        }
        for (&input, &coefficient) in &self.coefficients {
            if several {
                text.push(' ');
            }
            if coefficient == 1 {
                text.push_str(&inputs[input]);
            } else {
                text.push_str("(* ");
                write_number(coefficient, text);
                let _ = write!(text, " {})", inputs[input]);
            }
        }
        if several && self.constant != 0 {
            text.push(' ');
        }
        if self.constant != 0 || self.coefficients.is_empty() {
            write_number(self.constant, text);
        }
        if several {
            text.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_keep_how_they_were_built_and_sums_decide() {
        let names = ["x".to_string(), "y".to_string()];
        let (x, y) = (Symbolic::input(0), Symbolic::input(1));
        let sum = x.add(&y).unwrap();
        let twice = sum.scale(-2).unwrap().add(&Symbolic::number(3)).unwrap();
        let text = twice.compare_text(Compare::Ne, &x, &names);
        assert_eq!(text, "(not (= (+ (* (- 2) (+ x y)) 3) x))");
        let back = sum.sub(&y).unwrap();
        assert_eq!(back.decide(Compare::Ge, &x), Some(true));
        assert_eq!(sum.decide(Compare::Ge, &x), None);
        assert_eq!(back.sub(&x).unwrap().as_number(), Some(0));
    }

    #[test]
    fn large_trees_become_sums_and_huge_values_end() {
        let mut value = Symbolic::input(0);
        for _ in 0..30 {
            value = value.add(&Symbolic::number(1)).unwrap();
        }
        let text = value.compare_text(Compare::Lt, &Symbolic::number(-1), &["x".to_string()]);
        assert!(text.len() < 200, "{text}");
        let mut value = Symbolic::input(0);
        let huge = (0..50).try_for_each(|_| {
            value = value.scale(3)?;
            Some(())
        });
        assert!(huge.is_none());
    }
}
