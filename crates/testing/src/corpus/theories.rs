//! Generated scripts over the theories other than arithmetic.

use super::arithmetic::{int_atom, linear_sum};
use super::formula::{Text, bits, formula, int, names};
use crate::random::Random;

/// A bit-vector term of the given width over `vars`, all of that width.
pub(super) fn bv_term(random: &mut Random, depth: usize, width: usize, vars: &[String]) -> String {
    if depth == 0 || random.one_in(4) {
        return if random.one_in(3) { bits(random, width) } else { vars[random.below(vars.len())].clone() };
    }
    let left = bv_term(random, depth - 1, width, vars);
    match random.below(10) {
        0 => format!("(bvnot {left})"),
        1 => format!("(bvneg {left})"),
        2 => format!("((_ rotate_left {}) {left})", random.between(1, width as i64 - 1)),
        3 => {
            let low = random.below(width / 2);
            format!(
                "((_ zero_extend {}) ((_ extract {} {low}) {left}))",
                width / 2,
                low + width - width / 2 - 1
            )
        }
        4 => {
            let condition = bv_atom(random, 0, width, vars);
            format!("(ite {condition} {left} {})", bv_term(random, depth - 1, width, vars))
        }
        _ => {
            let operator =
                random.pick(&["bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvmul"]);
            format!("({operator} {left} {})", bv_term(random, depth - 1, width, vars))
        }
    }
}

/// A comparison of two bit-vector terms.
pub(super) fn bv_atom(random: &mut Random, depth: usize, width: usize, vars: &[String]) -> String {
    let relation = random.pick(&["bvult", "bvule", "bvugt", "bvslt", "bvsge", "=", "distinct"]);
    let left = bv_term(random, depth, width, vars);
    format!("({relation} {left} {})", bv_term(random, depth, width, vars))
}

/// Bit-vectors of one width from 2 to 8.
pub(super) fn bv(random: &mut Random) -> String {
    let width = [2, 4, 5, 8][random.below(4)];
    let count = 2 + random.below(3);
    let vars = names(random, count);
    let mut text = Text::logic("QF_BV");
    text.declare(random, &vars, &format!("(_ BitVec {width})"));
    for _ in 0..random.between(3, 7) {
        text.assert(formula(random, 1, &mut |random| bv_atom(random, 2, width, &vars)));
        text.check();
    }
    text.done()
}

/// Byte arrays, written at constants and variables, read at constants and variables.
pub(super) fn abv(random: &mut Random) -> String {
    let index = random.pick(&["4", "32"]);
    let width = if index == "4" { 4 } else { 32 };
    let mut text = Text::logic("QF_ABV");
    text.line(format!("(define-sort Bytes () (Array (_ BitVec {index}) (_ BitVec 8)))"));
    let arrays = names(random, 2);
    let indices = ["i".to_string(), "j".to_string()];
    text.declare(random, &arrays, "Bytes").declare(random, &indices, &format!("(_ BitVec {index})"));
    let place = |random: &mut Random| match random.below(3) {
        0 => indices[random.below(2)].clone(),
        _ => format!("(_ bv{} {width})", random.below(6)),
    };
    let read = |random: &mut Random| {
        let mut array = arrays[random.below(2)].clone();
        for _ in 0..random.below(3) {
            array = format!("(store {array} {} {})", place(random), bits(random, 8));
        }
        format!("(select {array} {})", place(random))
    };
    for _ in 0..random.between(3, 7) {
        text.assert(formula(random, 1, &mut |random| {
            let relation = random.pick(&["=", "bvult", "bvsle", "distinct"]);
            let left = read(random);
            let right = if random.one_in(2) { bits(random, 8) } else { read(random) };
            format!("({relation} {left} {right})")
        }));
        text.check();
    }
    text.done()
}

/// Equalities between nested applications over one uninterpreted sort.
pub(super) fn uf(random: &mut Random) -> String {
    let vars = names(random, 2);
    let mut text = Text::logic("QF_UF");
    text.line("(declare-sort U 0)");
    text.line("(declare-fun f (U) U)").line("(declare-fun g (U U) U)").line("(declare-fun p (U) Bool)");
    text.declare(random, &vars, "U");
    for _ in 0..random.between(6, 12) {
        text.assert(formula(random, usize::from(random.clone().one_in(3)), &mut |random| {
            let left = application(random, 2, &vars);
            match random.below(3) {
                0 => format!("(= (p {left}) {})", random.one_in(2)),
                1 => format!("(not (= {left} {}))", application(random, 1, &vars)),
                _ => format!("(= {left} {})", application(random, 1, &vars)),
            }
        }));
        text.check();
    }
    text.done()
}

fn application(random: &mut Random, depth: usize, vars: &[String]) -> String {
    match random.below(if depth == 0 { 1 } else { 5 }) {
        0 => vars[random.below(vars.len())].clone(),
        1..4 => format!("(f {})", application(random, depth - 1, vars)),
        _ => {
            let left = application(random, depth - 1, vars);
            format!("(g {left} {})", application(random, depth - 1, vars))
        }
    }
}

/// Uninterpreted functions on linear integer arguments.
pub(super) fn uflia(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("QF_UFLIA");
    text.line("(declare-fun f (Int) Int)").declare(random, &vars, "Int");
    for _ in 0..random.between(4, 8) {
        text.assert(formula(random, 1, &mut |random| {
            let argument = linear_sum(random, &vars, int);
            match random.below(3) {
                0 => int_atom(random, &vars),
                1 => format!("(= (f {argument}) {})", int(random.between(-3, 3))),
                _ => format!("(< (f {argument}) (f {}))", vars[random.below(3)]),
            }
        }));
        text.check();
    }
    text.done()
}

/// Lists of integers: shapes, heads and equalities.
pub(super) fn datatypes(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("ALL");
    text.line("(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))");
    text.declare(random, &vars, "List");
    for _ in 0..random.between(2, 5) {
        text.assert(formula(random, 1, &mut |random| {
            let list = &vars[random.below(3)];
            let other = &vars[random.below(3)];
            match random.below(5) {
                0 => format!("((_ is {}) {list})", random.pick(&["nil", "cons"])),
                1 => format!("(= {list} (cons {} {other}))", int(random.between(-2, 2))),
                2 => format!("(and ((_ is cons) {list}) (> (head {list}) {}))", int(random.between(-2, 4))),
                3 => format!("(and ((_ is cons) {list}) (= (tail {list}) {other}))"),
                _ => format!("(distinct {list} {other})"),
            }
        }));
        text.check();
    }
    text.done()
}

/// Short words: lengths, parts and literals.
pub(super) fn strings(random: &mut Random) -> String {
    let vars = names(random, 2);
    let mut text = Text::logic("QF_SLIA");
    text.declare(random, &vars, "String");
    for var in &vars {
        text.assert(format!("(<= (str.len {var}) {})", random.between(2, 4)));
    }
    let literals = ["", "a", "b", "ab", "ba", "a\"\"b", "\\u{61}", ";"];
    for _ in 0..random.between(2, 4) {
        let (one, other) = (&vars[random.below(2)], &vars[random.below(2)]);
        let literal = literals[random.below(literals.len())];
        text.assert(match random.below(6) {
            0 => format!("(str.prefixof \"{literal}\" {one})"),
            1 => format!("(not (str.contains {one} \"{literal}\"))"),
            2 => format!("(= (str.++ {one} \"{literal}\") {other})"),
            3 => format!("(= (str.len {one}) (+ 1 (str.len {other})))"),
            4 => format!("(= (str.at {one} {}) \"a\")", random.below(3)),
            _ => format!("(str.in_re {one} (re.* (re.union (str.to_re \"a\") (str.to_re \"b\"))))"),
        });
        text.check();
    }
    text.done()
}

/// Single-precision comparisons and classes; no arithmetic, which would not be small.
pub(super) fn fp(random: &mut Random) -> String {
    let vars = names(random, 3);
    let mut text = Text::logic("QF_FP");
    text.line("(define-sort F () (_ FloatingPoint 8 24))").declare(random, &vars, "F");
    let term = |random: &mut Random| {
        let var = &vars[random.below(3)];
        match random.below(6) {
            0 => format!("(fp.neg {var})"),
            1 => format!("(fp.abs {var})"),
            2 => {
                random.pick(&["(_ +zero 8 24)", "(_ -zero 8 24)", "(_ +oo 8 24)", "(_ NaN 8 24)"]).to_string()
            }
            3 => format!("((_ to_fp 8 24) RNE {}.5)", random.below(4)),
            _ => var.clone(),
        }
    };
    for _ in 0..random.between(2, 5) {
        text.assert(formula(random, 1, &mut |random| match random.below(3) {
            0 => {
                let class =
                    random.pick(&["isNaN", "isInfinite", "isZero", "isNormal", "isNegative", "isSubnormal"]);
                format!("(fp.{class} {})", term(random))
            }
            _ => {
                let relation = random.pick(&["fp.lt", "fp.leq", "fp.eq", "=", "fp.gt"]);
                let left = term(random);
                format!("({relation} {left} {})", term(random))
            }
        }));
        text.check();
    }
    text.done()
}

/// Axioms with patterns and ground goals that need a few instances, a goal per scope; and a finite domain,
/// where even a satisfiable question can be decided.
pub(super) fn quantifiers(random: &mut Random) -> String {
    if random.one_in(3) {
        return nibbles(random);
    }
    let bound = names(random, 2);
    let (a, b) = (&bound[0], &bound[1]);
    let mut text = Text::logic("UFLIA");
    text.line("(declare-fun f (Int) Int)").line("(declare-fun le (Int Int) Bool)");
    let step = random.between(1, 3);
    text.assert(format!("(forall (({a} Int)) (! (= (f {a}) (+ {a} {step})) :pattern ((f {a}))))"));
    text.assert(format!(
        "(forall (({a} Int) ({b} Int)) (! (=> (<= {a} {b}) (le {a} {b})) :pattern ((le {a} {b}))))"
    ));
    text.line("(declare-const c Int)");
    for _ in 0..random.between(2, 3) {
        text.line("(push 1)");
        let depth = random.between(1, 3);
        let applied = (0..depth).fold("c".to_string(), |term, _| format!("(f {term})"));
        text.assert(match random.below(3) {
            0 => format!("(not (= {applied} (+ c {})))", depth * step),
            1 => format!("(not (le c {applied}))"),
            _ => format!("(and (> c {}) (< {applied} {}))", random.between(0, 5), random.between(0, 5)),
        });
        text.check().line("(pop 1)");
    }
    text.done()
}

/// For all and exists over four bits.
fn nibbles(random: &mut Random) -> String {
    let bound = names(random, 2);
    let mut text = Text::logic("BV");
    let prefix = random.pick(&["forall exists", "exists forall", "forall forall", "exists exists"]);
    let (outer, inner) = prefix.split_once(' ').unwrap_or((prefix, prefix));
    for _ in 0..2 {
        let body = bv_atom(random, 1, 4, &bound);
        text.assert(format!(
            "({outer} (({} (_ BitVec 4))) ({inner} (({} (_ BitVec 4))) {body}))",
            bound[0], bound[1]
        ));
        text.check();
    }
    text.done()
}

/// Bit-vector terms shared by nested and parallel lets, with names that hide others.
pub(super) fn lets(random: &mut Random) -> String {
    let vars = names(random, 2);
    let mut text = Text::logic("QF_BV");
    text.declare(random, &vars, "(_ BitVec 6)");
    for _ in 0..random.between(2, 4) {
        let mut scope = vars.clone();
        let mut opening = String::new();
        let depth = random.between(1, 4) as usize;
        for level in 0..depth {
            // A binding sees what was bound before it, not its neighbour.
            let value = bv_term(random, 1, 6, &scope);
            let other = bv_term(random, 1, 6, &scope);
            let hidden = scope[random.below(scope.len())].clone();
            let fresh = format!("?t{level}");
            opening += &format!("(let (({hidden} {value}) ({fresh} {other})) ");
            scope.push(fresh);
        }
        let body = formula(random, 1, &mut |random| bv_atom(random, 1, 6, &scope));
        text.assert(format!("{opening}{body}{}", ")".repeat(depth)));
        text.check();
    }
    text.done()
}
