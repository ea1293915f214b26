//! Constraints over a vocabulary: comparisons, units, what only one theory has, and small contradictions.

use super::atom::{Atom, Literal};
use super::theory::{Number, Theory, Vocabulary};
use evergreen_testing::random::Random;

impl Vocabulary {
    fn term(&self, random: &mut Random) -> String {
        random.choose(&self.terms).clone()
    }

    /// What fixes one term, which propagation feeds on.
    pub fn unit(&self, random: &mut Random) -> Atom {
        let simple: Vec<&String> =
            self.terms.iter().filter(|t| !t.contains("* ") && !t.contains("least")).collect();
        let t = random.choose(&simple);
        self.bounded(format!("(= {t} @)"), random)
    }

    fn bounded(&self, text: String, random: &mut Random) -> Atom {
        let bound = match (self.number, random.below(12)) {
            (Number::Bits(_), 0) => random.between(120, 200),
            (_, 0) => random.between(-40, 40),
            (Number::Bits(_), _) => random.between(0, 12),
            _ => random.between(-6, 9),
        };
        Atom { text, bound, literal: self.number.literal() }
    }

    /// A bound of one symbol.
    pub fn far(&self, random: &mut Random) -> Atom {
        let le = self.number.word("<=");
        let symbols: Vec<&String> = self.terms.iter().filter(|t| !t.starts_with('(')).collect();
        let t = random.choose(&symbols);
        let text = if random.one_in(2) { format!("({le} {t} @)") } else { format!("({le} @ {t})") };
        self.bounded(text, random)
    }

    /// A comparison of one or more terms.
    pub fn comparison(&self, random: &mut Random) -> Atom {
        let n = self.number;
        let (t, u, v) = (self.term(random), self.term(random), self.term(random));
        let (lt, le, add, sub, mul) = (n.word("<"), n.word("<="), n.word("+"), n.word("-"), n.word("*"));
        let two = n.literal().write(2);
        let signed = if matches!(n, Number::Bits(_)) { "bvslt" } else { ">" };
        let text = match random.below(20) {
            0 | 1 => format!("({le} {t} @)"),
            2 | 3 => format!("({lt} @ {t})"),
            4 => format!("(= {t} @)"),
            5 => format!("(distinct {t} @)"),
            6 => format!("({le} ({add} {t} {u}) @)"),
            7 => format!("({le} @ ({sub} {t} {u}))"),
            8 => format!("({lt} {t} {u})"),
            9 => format!("({le} {t} ({add} {u} @))"),
            10 => format!("(= ({add} {t} {u}) ({add} {v} @))"),
            11 => format!("({le} ({add} ({mul} {two} {t}) {u}) @)"),
            12 => format!("(or ({lt} {t} @) ({lt} {u} {v}))"),
            13 => format!("(or (= {t} @) (= {t} {u}))"),
            14 => format!("(= (ite ({lt} {t} @) {u} {v}) {t})"),
            15 => format!("({signed} {t} @)"),
            16 => format!("(=> p0 ({le} {t} @))"),
            17 => format!("(= p1 ({lt} {t} {u}))"),
            18 => format!("(distinct {t} {u} {v})"),
            _ => format!("({le} {t} {u})"),
        };
        self.bounded(text, random)
    }

    /// Two constraints under a connective, negated inside, outside or not at all: many say the same in other
    /// words, and many nearly do.
    pub fn compound(a: &str, b: &str, random: &mut Random) -> Atom {
        let text = match random.below(12) {
            0 => format!("(or {a} {b})"),
            1 => format!("(and {a} {b})"),
            2 => format!("(or (not {a}) (not {b}))"),
            3 => format!("(and (not {a}) (not {b}))"),
            4 => format!("(not (or {a} {b}))"),
            5 => format!("(not (and {a} {b}))"),
            6 => format!("(=> {a} {b})"),
            7 => format!("(xor {a} {b})"),
            8 => format!("(= {a} {b})"),
            9 => format!("(ite {a} {b} (not {b}))"),
            10 => format!("(not (=> {b} {a}))"),
            _ => format!("(or (and {a} {b}) (not (or {a} {b})))"),
        };
        Atom::plain(&text)
    }

    /// Constraints of a kind that only this theory has; `None` for the arithmetic ones.
    pub fn special(&self, theory: Theory, random: &mut Random) -> Option<Atom> {
        let choices: &[&str] = match theory {
            Theory::Arrays if self.others.iter().any(|o| o.starts_with("(select")) => {
                if self.symbols.iter().any(|s| s.2 == "(Array Int Real)") {
                    &[
                        "(< (select a0 i0) 1.5)",
                        "(= (select a0 0) 0.5)",
                        "(= a1 (store a0 i1 2.5))",
                        "(distinct (select a0 i0) (select a0 i1))",
                        "(> (+ (select a0 1) (select a1 i0)) 3.0)",
                        "(= a0 ((as const (Array Int Real)) 0.0))",
                    ]
                } else {
                    &[
                        "(select a0 i0)",
                        "(select a1 0)",
                        "(not (select a0 i1))",
                        "(= a1 (store a0 i0 true))",
                        "(= (select a0 k0) (select a1 k1))",
                        "(= a0 ((as const (Array Int Bool)) false))",
                    ]
                }
            }
            Theory::Arrays => &[
                "(= a1 (store a0 i0 k0))",
                "(= a1 (store a0 1 k1))",
                "(= a0 a1)",
                "(distinct a0 a1)",
                "(= a0 ((as const (Array Int Int)) 0))",
                "(= (select (store a0 i0 k0) i0) k1)",
                "(= (store a0 i0 k0) (store a1 i1 k1))",
            ],
            Theory::Bytes if self.symbols.iter().any(|s| s.2.contains("BitVec 32")) => &[
                "(= out (store buf ((_ zero_extend 24) i0) k0))",
                "(= buf out)",
                "(= (concat (select buf #x00000001) (select buf #x00000000)) #x0102)",
                "(bvult (concat (select buf #x00000000) (select out #x00000000)) #x0300)",
            ],
            Theory::Bytes => &[
                "(= out (store buf i0 k0))",
                "(= buf out)",
                "(distinct buf out)",
                "(= buf ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00))",
                "(= (concat (select buf #x01) (select buf i0)) #x0102)",
                "(= (store buf i0 k0) (store out i1 k0))",
            ],
            Theory::Functions if self.others.len() > 2 => &[
                "(= u0 u1)",
                "(= (h u0) u2)",
                "(= (h u1) u0)",
                "(distinct u1 u2)",
                "(q u0)",
                "(= (q u1) (q (h u2)))",
            ],
            Theory::Datatypes => &[
                "((_ is cons) l0)",
                "((_ is nil) l1)",
                "(= l0 (cons x0 l1))",
                "(= (tail l0) l1)",
                "(= l1 (cons 1 (cons x1 nil)))",
                "(= c0 red)",
                "(distinct c0 c1)",
                "(distinct c0 c1 (snd w0))",
                "(= w0 (pair x0 c1))",
                "(= (snd w0) blue)",
                "(= l0 l1)",
            ],
            Theory::Strings => &[
                "(= s0 \"ab\")",
                "(= s2 (str.++ s0 s1))",
                "(str.prefixof s0 s1)",
                "(str.suffixof \"b\" s1)",
                "(str.contains s1 \"a\")",
                "(= (str.at s0 0) \"a\")",
                "(distinct s0 s1)",
                "(= s1 (str.substr s2 x0 2))",
                "(= s1 (str.replace s0 \"a\" \"bc\"))",
                "(= (str.len s2) 3)",
            ],
            Theory::Quantified => &[
                "(forall ((q Int)) (! (<= (f q) (g q)) :pattern ((f q))))",
                "(forall ((q Int)) (! (< (g q) 5) :pattern ((g q))))",
                "(forall ((q Int)) (=> (and (<= 0 q) (< q 3)) (= (select a0 q) (f q))))",
                "(forall ((q Int)) (=> (and (<= 0 q) (<= q 2)) (> (f q) 0)))",
                "(exists ((q Int)) (and (<= 0 q) (<= q 2) (= (f q) 4)))",
                "(forall ((q Int) (w Int)) (=> (and (<= 0 q) (<= q w) (<= w 2)) (<= (f q) (f w))))",
            ],
            _ => return None,
        };
        Some(Atom::plain(random.pick(choices)))
    }

    /// A few constraints that contradict each other, or nearly: without one of them, or with another bound,
    /// they do not.
    pub fn conflict(&self, theory: Theory, random: &mut Random) -> Vec<Atom> {
        let n = self.number;
        let (lt, le, add, mul) = (n.word("<"), n.word("<="), n.word("+"), n.word("*"));
        let (t, u, v) = (self.term(random), self.term(random), self.term(random));
        let with = |text: String, bound: i64| Atom { text, bound, literal: n.literal() };
        let c = random.between(1, 6);
        let own = self.special_conflict(theory, random);
        if let Some(own) = own.filter(|_| random.one_in(2)) {
            return own.iter().map(|text| Atom::plain(text)).collect();
        }
        match random.below(9) {
            // A cycle of four: each constraint about another pair.
            7 | 8 => {
                let mut terms: Vec<&String> = self.terms.iter().filter(|t| !t.starts_with('(')).collect();
                random.shuffle(&mut terms);
                let at = |i: usize| terms[i % terms.len().min(4)];
                (0..4).map(|i| with(format!("({lt} {} {})", at(i), at(i + 1)), 0)).collect()
            }
            0 => vec![
                with(format!("({lt} {t} {u})"), 0),
                with(format!("({lt} {u} {v})"), 0),
                with(format!("({lt} {v} {t})"), 0),
            ],
            1 => vec![with(format!("({le} {t} @)"), c), with(format!("({lt} @ {t})"), c)],
            2 => vec![
                with(format!("({le} @ ({add} {t} {u}))"), 2 * c + 1),
                with(format!("({le} {t} @)"), c),
                with(format!("({le} {u} @)"), c),
            ],
            3 => vec![
                with(format!("(= {t} @)"), c),
                with(format!("(= {u} @)"), c + 1),
                with(format!("(= {t} {u})"), 0),
            ],
            // Squares that nothing has; a solver needs more than propagation.
            4 if !matches!(n, Number::Real | Number::Bits(16..)) => {
                vec![with(format!("(= ({mul} {t} {t}) @)"), *random.choose(&[2, 3, 6]))]
            }
            5 => vec![
                with(format!("(= ({mul} {} {t}) ({add} {u} @))", n.literal().write(2)), 1),
                with(format!("(= {u} @)"), 2 * c),
            ],
            _ => vec![
                with(format!("({le} {t} {u})"), 0),
                with(format!("({le} {u} @)"), c),
                with(format!("({lt} @ {t})"), c + 1),
            ],
        }
    }

    /// An interval that one more constraint leaves nothing of: both of its ends are needed.
    pub fn window(&self, random: &mut Random) -> Vec<Atom> {
        let n = self.number;
        let (lt, le, t) = (n.word("<"), n.word("<="), self.term(random));
        let c = random.between(1, 6);
        let (low, high) = (n.literal().write(c), n.literal().write(c + 2));
        let with = |text: String, bound: i64| Atom { text, bound, literal: n.literal() };
        vec![
            with(format!("({le} @ {t})"), c),
            with(format!("({le} {t} @)"), c + 2),
            Atom::plain(&format!("(or ({lt} {t} {low}) ({lt} {high} {t}))")),
        ]
    }

    /// Cells of an array of bytes, one after the other, with the same few values.
    pub fn table(&self, random: &mut Random) -> Vec<Atom> {
        let is_wide = self.symbols.iter().any(|s| s.2.contains("(Array (_ BitVec 32)"));
        let index = Literal::Bits(if is_wide { 32 } else { 8 });
        let array = random.pick(&["buf", "out"]);
        let cell = |at: i64, random: &mut Random| Atom {
            text: format!("(= (select {array} {}) @)", index.write(at)),
            bound: random.between(0, 7),
            literal: Literal::Bits(8),
        };
        (0..random.between(14, 20)).map(|at| cell(at, random)).collect()
    }

    fn special_conflict(&self, theory: Theory, random: &mut Random) -> Option<Vec<&'static str>> {
        let choices: &[&[&str]] = match theory {
            Theory::Linear => {
                &[&["(= (* 2 x0) (+ (* 2 x1) 1))"], &["(= (+ (* 3 x0) (* 6 x2)) 4)", "(< x0 9)"]]
            }
            Theory::Nonlinear => &[
                &["(= (mod x0 2) 1)", "(= (mod x0 4) 2)"],
                &["(= (* x0 x1) 7)", "(> x0 1)", "(< x0 7)"],
                &["(= (div x0 3) 2)", "(> x0 8)"],
            ],
            Theory::Arrays if self.terms.iter().any(|t| t.starts_with("(select a0 i0)")) => &[
                &["(= (select a0 0) 7)", "(= k0 5)", "(= (select a0 i0) k0)", "(= (* i0 i0) 2)"],
                &["(= (select a0 i0) 1)", "(= (select a0 i1) 2)", "(= i0 i1)"],
                &["(= a1 (store a0 i0 k0))", "(distinct (select a1 i0) k0)"],
                &["(= a1 (store a0 0 k0))", "(= i0 3)", "(distinct (select a1 i0) (select a0 3))"],
                &["(= a0 ((as const (Array Int Int)) 4))", "(= (select a0 i0) 5)"],
            ],
            Theory::Bytes if self.symbols.iter().any(|s| s.2.contains("(Array (_ BitVec 8)")) => &[
                &[
                    "(= (select buf #x00) #x7b)",
                    "(= k0 #x05)",
                    "(bvult i0 k0)",
                    "(= (select buf i0) #x41)",
                    "(bvugt (bvmul i0 i0) #x20)",
                ],
                &["(= (select buf i0) #x01)", "(= (select buf i1) #x02)", "(= i0 i1)"],
                &["(= out (store buf i0 k0))", "(distinct (select out i0) k0)"],
            ],
            Theory::Functions => &[
                &["(= x0 x1)", "(distinct (f x0) (f x1))"],
                &["(= (f x0) x1)", "(= (f x1) x0)", "(= x0 3)", "(distinct (f (f 3)) 3)"],
                &["(= (g x0 x1) 1)", "(= (g x1 x0) 2)", "(= x0 x1)"],
            ],
            Theory::Datatypes => &[
                &["(= l0 (cons x0 l1))", "(= l1 (cons x1 l0))"],
                &["((_ is nil) l0)", "(= l0 (cons x0 l1))"],
                &["(distinct c0 c1 (snd w0))", "(= c0 red)", "(= c1 blue)", "(= (snd w0) blue)"],
                &["(= w0 (pair x0 c1))", "(= (fst w0) 3)", "(> x0 4)"],
            ],
            Theory::Strings => &[
                &["(= s0 \"ab\")", "(str.prefixof s0 s1)", "(< (str.len s1) 2)"],
                &["(= s2 (str.++ s0 s1))", "(= (str.len s0) 2)", "(= (str.len s2) 1)"],
                &["(= (str.at s0 0) \"a\")", "(str.prefixof \"b\" s0)"],
            ],
            Theory::Quantified => &[
                &["(forall ((q Int)) (! (<= (f q) (g q)) :pattern ((f q))))", "(> (f x0) 5)", "(< (g x0) 3)"],
                &["(forall ((q Int)) (=> (and (<= 0 q) (<= q 2)) (> (f q) 0)))", "(= x1 1)", "(< (f x1) 0)"],
                &["(forall ((q Int)) (! (< (g q) 5) :pattern ((g q))))", "(= (g x0) 7)"],
            ],
            _ => return None,
        };
        Some(random.choose(choices).to_vec())
    }

    /// Constraints in an order in which two refutations together make a third: `t <= u <= v` refutes `v < t`,
    /// `t <= v <= w` refutes `w < t`, and so `t <= u <= v <= w` refutes `w < t`.
    pub fn chain(&self, random: &mut Random) -> [Vec<Atom>; 3] {
        let (lt, le) = (self.number.word("<"), self.number.word("<="));
        let mut terms = self.terms.clone();
        random.shuffle(&mut terms);
        let at = |i: usize| terms[i % terms.len()].clone();
        let (t, u, v, w) = (at(0), at(1), at(2), at(3));
        let atom = |op: &str, a: &str, b: &str| Atom::plain(&format!("({op} {a} {b})"));
        [
            vec![atom(le, &t, &u), atom(le, &u, &v), atom(lt, &v, &t)],
            vec![atom(le, &t, &v), atom(le, &v, &w), atom(lt, &w, &t)],
            vec![atom(le, &t, &u), atom(le, &u, &v), atom(le, &v, &w), atom(lt, &w, &t)],
        ]
    }
}
