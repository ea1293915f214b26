//! The theories that scripts are made of: which symbols a program declares, and which terms are made of them.
//!
//! Everything is small: constants near zero, three to five symbols of a sort, terms of depth two. A solver
//! decides nearly all of it in less than a millisecond, and constraints meet each other often.

use super::atom::Literal;
use evergreen_testing::random::Random;

/// A theory, or a mixture with a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Theory {
    /// Linear integer arithmetic.
    Linear,
    /// Products, `div` and `mod` of integers.
    Nonlinear,
    /// Linear real arithmetic.
    Real,
    /// Bit vectors of 4 to 32 bits.
    Bits,
    /// Arrays from integers to integers, reals or booleans.
    Arrays,
    /// Arrays from bit vectors to bytes.
    Bytes,
    /// Uninterpreted functions and sorts.
    Functions,
    /// Lists, colours and pairs.
    Datatypes,
    /// Strings.
    Strings,
    /// Quantified axioms over functions and arrays.
    Quantified,
}

impl Theory {
    /// Every theory.
    pub const ALL: [Theory; 10] = [
        Theory::Linear,
        Theory::Nonlinear,
        Theory::Real,
        Theory::Bits,
        Theory::Arrays,
        Theory::Bytes,
        Theory::Functions,
        Theory::Datatypes,
        Theory::Strings,
        Theory::Quantified,
    ];

    /// The name in flags and tables.
    pub fn name(self) -> &'static str {
        match self {
            Theory::Linear => "linear",
            Theory::Nonlinear => "nonlinear",
            Theory::Real => "real",
            Theory::Bits => "bits",
            Theory::Arrays => "arrays",
            Theory::Bytes => "bytes",
            Theory::Functions => "functions",
            Theory::Datatypes => "datatypes",
            Theory::Strings => "strings",
            Theory::Quantified => "quantified",
        }
    }
}

/// The declarations of a program and the terms that its constraints are made of.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Sorts, datatypes and definitions.
    pub preamble: Vec<String>,
    /// Declared symbols: name, parameters as text, sort.
    pub symbols: Vec<(String, String, String)>,
    /// Terms that are ordered: integers, reals or bit vectors.
    pub terms: Vec<String>,
    /// The sort of these terms.
    pub number: Number,
    /// Terms of other sorts whose values can be asked for.
    pub others: Vec<String>,
    /// Whether models can be printed and read back: there is no declared sort.
    pub has_models: bool,
}

/// Sorts whose terms are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Number {
    /// Integers.
    #[default]
    Int,
    /// Reals.
    Real,
    /// Bit vectors of a width.
    Bits(u32),
}

impl Number {
    fn sort(self) -> String {
        match self {
            Number::Int => "Int".into(),
            Number::Real => "Real".into(),
            Number::Bits(width) => format!("(_ BitVec {width})"),
        }
    }

    pub(super) fn literal(self) -> Literal {
        match self {
            Number::Int => Literal::Int,
            Number::Real => Literal::Real,
            Number::Bits(width) => Literal::Bits(width),
        }
    }

    /// `<`, `<=`, `+`, `-`, `*` in the sort's words.
    pub(super) fn word(self, op: &'static str) -> &'static str {
        match (self, op) {
            (Number::Bits(_), "<") => "bvult",
            (Number::Bits(_), "<=") => "bvule",
            (Number::Bits(_), "+") => "bvadd",
            (Number::Bits(_), "-") => "bvsub",
            (Number::Bits(_), "*") => "bvmul",
            (_, op) => op,
        }
    }
}

impl Vocabulary {
    fn declare(&mut self, name: &str, params: &str, sort: &str) {
        self.symbols.push((name.into(), params.into(), sort.into()));
    }

    fn declare_terms(&mut self, names: &[&str]) {
        let sort = self.number.sort();
        for name in names {
            self.declare(name, "", &sort);
            self.terms.push((*name).into());
        }
    }

    /// What a program of a theory declares.
    pub fn new(theory: Theory, random: &mut Random) -> Vocabulary {
        let mut v = Vocabulary { has_models: true, ..Vocabulary::default() };
        match theory {
            Theory::Linear => v.declare_terms(&["x0", "x1", "x2", "x3", "x4"]),
            Theory::Nonlinear => {
                v.declare_terms(&["x0", "x1", "x2"]);
                let made =
                    ["(* x0 x1)", "(* x2 x2)", "(mod x0 3)", "(div x1 2)", "(mod x1 x2)", "(div x0 x2)"];
                v.terms.extend((0..3).map(|_| made[random.below(made.len())].to_string()));
            }
            Theory::Real => {
                v.number = Number::Real;
                v.declare_terms(&["r0", "r1", "r2", "r3"]);
            }
            Theory::Bits => v.bits(random),
            Theory::Arrays => v.arrays(random),
            Theory::Bytes => v.bytes(random),
            Theory::Functions => v.functions(random),
            Theory::Datatypes => v.datatypes(),
            Theory::Strings => v.strings(),
            Theory::Quantified => v.quantified(random),
        }
        v.declare("p0", "", "Bool");
        v.declare("p1", "", "Bool");
        v.others.extend(["p0".into(), "p1".into()]);
        if random.one_in(3) {
            let (sort, less) = (v.number.sort(), v.number.word("<="));
            v.preamble
                .push(format!("(define-fun least ((q {sort}) (w {sort})) {sort} (ite ({less} q w) q w))"));
            let pair = [random.choose(&v.terms).clone(), random.choose(&v.terms).clone()];
            v.terms.push(format!("(least {} {})", pair[0], pair[1]));
        }
        v
    }

    fn bits(&mut self, random: &mut Random) {
        let width = *random.choose(&[4, 8, 8, 8, 16, 32]);
        self.number = Number::Bits(width);
        self.declare_terms(&["b0", "b1", "b2"]);
        let half = width / 2;
        let made = [
            "(bvand b0 b1)".to_string(),
            "(bvor b1 b2)".into(),
            "(bvxor b0 b2)".into(),
            "(bvshl b0 b1)".into(),
            "(bvlshr b2 b0)".into(),
            "(bvneg b1)".into(),
            "(bvnot b2)".into(),
            format!("((_ zero_extend {half}) ((_ extract {} 0) b0))", half - 1),
            format!("(concat ((_ extract {} 0) b1) ((_ extract {} {half}) b2))", half - 1, width - 1),
            format!("((_ sign_extend {half}) ((_ extract {} {half}) b1))", width - 1),
        ];
        self.terms.extend((0..3).map(|_| made[random.below(made.len())].clone()));
        // Wide products and quotients are hard.
        if width <= 8 {
            self.terms.push(random.pick(&["(bvmul b0 b1)", "(bvurem b0 b1)", "(bvudiv b2 b1)"]).into());
        }
    }

    fn arrays(&mut self, random: &mut Random) {
        self.declare_terms(&["i0", "i1", "k0", "k1"]);
        let kind = random.below(6);
        let element = match kind {
            0 => "Real",
            1 => "Bool",
            _ => "Int",
        };
        for name in ["a0", "a1"] {
            self.declare(name, "", &format!("(Array Int {element})"));
        }
        match kind {
            0 => self.others.extend(["(select a0 i0)".into(), "(select a1 0)".into()]),
            1 => {
                self.others.extend(["(select a0 i0)".into(), "(select a1 i1)".into(), "(select a0 2)".into()])
            }
            _ => {
                let reads =
                    ["(select a0 0)", "(select a0 i0)", "(select a0 i1)", "(select a1 i0)", "(select a1 1)"];
                self.terms.extend(reads.map(String::from));
                let made = [
                    "(select (store a0 i0 k0) i1)",
                    "(select (store a1 1 k1) i0)",
                    "(select a0 (+ i0 1))",
                    "(select a0 (select a1 0))",
                    "(* i0 i0)",
                    "(* i1 k0)",
                ];
                self.terms.extend((0..3).map(|_| made[random.below(made.len())].to_string()));
            }
        }
        if kind == 2 {
            self.declare("m0", "", "(Array Int (Array Int Int))");
            self.terms.extend(["(select (select m0 0) i0)".into(), "(select (select m0 i1) 1)".into()]);
        }
    }

    fn bytes(&mut self, random: &mut Random) {
        self.number = Number::Bits(8);
        self.declare_terms(&["i0", "i1", "k0"]);
        let wide = random.one_in(3);
        let (index, zero, one) = if wide { (32, "#x00000000", "#x00000001") } else { (8, "#x00", "#x01") };
        let extend = |t: &str| if wide { format!("((_ zero_extend 24) {t})") } else { t.to_string() };
        for name in ["buf", "out"] {
            self.declare(name, "", &format!("(Array (_ BitVec {index}) (_ BitVec 8))"));
        }
        let (i0, i1) = (extend("i0"), extend("i1"));
        self.terms.extend([
            format!("(select buf {zero})"),
            format!("(select buf {one})"),
            format!("(select buf {i0})"),
            format!("(select buf {i1})"),
            format!("(select out {i0})"),
        ]);
        let made = [
            format!("(select (store buf {i0} k0) {i1})"),
            format!("(select (store out {zero} i1) {i0})"),
            format!("(select buf (bvadd {i0} {one}))"),
            "(bvmul i0 i0)".to_string(),
            format!("(bvand (select buf {zero}) i1)"),
            format!("(select ((as const (Array (_ BitVec {index}) (_ BitVec 8))) #x05) {i0})"),
        ];
        self.terms.extend((0..3).map(|_| made[random.below(made.len())].clone()));
    }

    fn functions(&mut self, random: &mut Random) {
        self.declare_terms(&["x0", "x1", "x2"]);
        self.declare("f", "Int", "Int");
        self.declare("g", "Int Int", "Int");
        let made =
            ["(f x0)", "(f x1)", "(f 0)", "(f (f x0))", "(g x0 x1)", "(g x1 x0)", "(f (+ x2 1))", "(g x2 0)"];
        self.terms.extend(made.map(String::from));
        if random.one_in(2) {
            self.has_models = false;
            self.preamble.push("(declare-sort U 0)".into());
            for name in ["u0", "u1", "u2"] {
                self.declare(name, "", "U");
            }
            self.declare("h", "U", "U");
            self.declare("q", "U", "Bool");
            self.others.extend(["(= u0 u1)".into(), "(= (h u0) u2)".into(), "(q u1)".into()]);
        }
    }

    fn datatypes(&mut self) {
        self.preamble.push("(declare-datatypes ((Color 0)) (((red) (green) (blue))))".into());
        self.preamble.push("(declare-datatypes ((Chain 0)) (((nil) (cons (head Int) (tail Chain)))))".into());
        self.preamble.push("(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Color)))))".into());
        self.declare_terms(&["x0", "x1"]);
        for (name, sort) in
            [("l0", "Chain"), ("l1", "Chain"), ("c0", "Color"), ("c1", "Color"), ("w0", "Pair")]
        {
            self.declare(name, "", sort);
        }
        self.terms.extend(["(head l0)".into(), "(head l1)".into(), "(fst w0)".into()]);
        let others = ["(= c0 c1)", "((_ is cons) l0)", "(= (snd w0) c0)", "((_ is red) c1)"];
        self.others.extend(others.map(String::from));
    }

    fn strings(&mut self) {
        self.declare_terms(&["x0", "x1"]);
        for name in ["s0", "s1", "s2"] {
            self.declare(name, "", "String");
        }
        self.terms.extend(["(str.len s0)".into(), "(str.len s1)".into(), "(str.indexof s0 \"a\" 0)".into()]);
        self.others.extend(["s0".into(), "s1".into(), "(str.++ s0 s1)".into(), "(str.at s2 x0)".into()]);
    }

    fn quantified(&mut self, random: &mut Random) {
        self.declare_terms(&["x0", "x1", "x2"]);
        self.declare("f", "Int", "Int");
        self.declare("g", "Int", "Int");
        self.declare("a0", "", "(Array Int Int)");
        let made = ["(f x0)", "(f x1)", "(g x0)", "(f 0)", "(g 1)", "(select a0 x0)", "(select a0 0)"];
        self.terms.extend(made.map(String::from));
        self.terms.push(random.pick(&["(f (g x0))", "(g (f x1))", "(select a0 (f x0))"]).into());
    }

    /// The declarations, as commands.
    pub fn declarations(&self) -> Vec<String> {
        let declare = |(name, params, sort): &(String, String, String)| {
            if params.is_empty() {
                format!("(declare-const {name} {sort})")
            } else {
                format!("(declare-fun {name} ({params}) {sort})")
            }
        };
        // Definitions may mention nothing but their parameters.
        self.preamble.iter().cloned().chain(self.symbols.iter().map(declare)).collect()
    }
}
