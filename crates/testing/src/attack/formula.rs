//! Random terms over all theories, small enough for a solver to decide most of them at once.

use super::{Attack, Choices};

/// Sorts of declared constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Sort {
    Bool,
    Int,
    Real,
    /// `(_ BitVec 8)`.
    Byte,
    /// `(_ BitVec 4)`.
    Nibble,
    /// The declared sort.
    Element,
    /// `(Array Int Int)`.
    IntArray,
    /// `(Array (_ BitVec 8) (_ BitVec 8))`.
    ByteArray,
    /// The datatype with a list of integers.
    List,
    /// The datatype of three constants.
    Color,
    String,
}

/// A term without names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// A literal or a constant of a theory.
    Fixed(String),
    /// A declared constant.
    Constant(usize),
    /// A variable of the quantifier that many levels further out.
    Bound(usize),
    /// A theory's function, or one of the declared ones, which begin with `@`.
    App(&'static str, Vec<Term>),
    /// `forall` or `exists` over one variable.
    Quantified(&'static str, Sort, Box<Term>),
}

impl Term {
    pub(crate) fn app(head: &'static str, args: Vec<Term>) -> Term {
        Term::App(head, args)
    }

    fn fixed(text: impl Into<String>) -> Term {
        Term::Fixed(text.into())
    }
}

pub(crate) mod theory {
    pub(crate) const REAL: u16 = 1;
    pub(crate) const BITS: u16 = 2;
    pub(crate) const ARRAYS: u16 = 4;
    pub(crate) const FUNCTIONS: u16 = 8;
    pub(crate) const ELEMENTS: u16 = 16;
    pub(crate) const DATA: u16 = 32;
    pub(crate) const STRINGS: u16 = 64;
    pub(crate) const QUANTIFIERS: u16 = 128;
    /// Division and remainder, also by zero.
    pub(crate) const DIVISION: u16 = 256;
    pub(crate) const RECURSION: u16 = 512;
}

/// A few theories per script: all at once only makes solvers give up.
pub(crate) fn theories(choices: &mut Choices<'_>) -> u16 {
    let one = |choices: &mut Choices<'_>| 1 << choices.below(10);
    match choices.below(4) {
        0 => 0,
        1 => one(choices),
        2 => one(choices) | one(choices),
        _ => one(choices) | one(choices) | one(choices),
    }
}

pub(crate) fn constants(theories: u16, choices: &mut Choices<'_>) -> Vec<Sort> {
    let mut sorts = vec![Sort::Int, Sort::Bool, Sort::Int];
    let by_theory: [(u16, &[Sort]); 6] = [
        (theory::REAL, &[Sort::Real, Sort::Real]),
        (theory::BITS, &[Sort::Byte, Sort::Byte, Sort::Nibble]),
        (theory::ARRAYS, &[Sort::IntArray, Sort::ByteArray, Sort::IntArray, Sort::Byte]),
        (theory::ELEMENTS, &[Sort::Element, Sort::Element, Sort::Element]),
        (theory::DATA, &[Sort::List, Sort::List, Sort::Color, Sort::Color]),
        (theory::STRINGS, &[Sort::String, Sort::String]),
    ];
    for (bit, more) in by_theory {
        if theories & bit != 0 {
            sorts.extend(more);
        }
    }
    for _ in 0..choices.below(4) {
        sorts.push(choices.pick(&sorts));
    }
    sorts
}

/// Numbers that break arithmetic.
const INTEGERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "(- 1)",
    "(- 2)",
    "(- 7)",
    "9223372036854775807",
    "9223372036854775808",
    "(- 9223372036854775808)",
    "340282366920938463463374607431768211456",
];

impl Attack {
    fn has(&self, theory: u16) -> bool {
        self.theories & theory != 0
    }

    /// A constraint.
    pub(crate) fn constraint(&self, choices: &mut Choices<'_>) -> Term {
        Maker { attack: self, bound: Vec::new() }.boolean(choices, 3)
    }

    /// A term that every solver accepts as an assumption: a truth constant, maybe negated.
    pub(crate) fn literal(&self, choices: &mut Choices<'_>) -> Term {
        let constants: Vec<usize> =
            (0..self.constants.len()).filter(|&i| self.constants[i] == Sort::Bool).collect();
        let literal = Term::Constant(choices.pick(&constants));
        if choices.one_in(2) { Term::app("not", vec![literal]) } else { literal }
    }
}

struct Maker<'a> {
    attack: &'a Attack,
    /// Sorts of the variables in scope, outermost first.
    bound: Vec<Sort>,
}

impl Maker<'_> {
    fn has(&self, theory: u16) -> bool {
        self.attack.has(theory)
    }

    /// A constant or variable of that sort, if there is one.
    fn name(&self, choices: &mut Choices<'_>, sort: Sort) -> Option<Term> {
        let bound = (0..self.bound.len()).filter(|&i| self.bound[i] == sort);
        let mut names: Vec<Term> = bound.map(|i| Term::Bound(self.bound.len() - 1 - i)).collect();
        let constants = 0..self.attack.constants.len();
        names.extend(constants.filter(|&i| self.attack.constants[i] == sort).map(Term::Constant));
        if names.is_empty() { None } else { Some(names.swap_remove(choices.below(names.len()))) }
    }

    fn sorts(&self) -> Vec<Sort> {
        let mut sorts = vec![Sort::Int, Sort::Bool];
        let more = [
            (theory::REAL, Sort::Real),
            (theory::BITS, Sort::Byte),
            (theory::BITS, Sort::Nibble),
            (theory::ARRAYS, Sort::IntArray),
            (theory::ARRAYS, Sort::ByteArray),
            (theory::ELEMENTS, Sort::Element),
            (theory::DATA, Sort::List),
            (theory::DATA, Sort::Color),
            (theory::STRINGS, Sort::String),
        ];
        sorts.extend(more.iter().filter(|(bit, _)| self.has(*bit)).map(|(_, sort)| *sort));
        sorts
    }

    fn term(&mut self, choices: &mut Choices<'_>, sort: Sort, depth: usize) -> Term {
        if depth > 0 && sort != Sort::Bool && choices.one_in(8) {
            let condition = self.boolean(choices, 1);
            let (a, b) = (self.term(choices, sort, depth - 1), self.term(choices, sort, depth - 1));
            return Term::app("ite", vec![condition, a, b]);
        }
        match sort {
            Sort::Bool => self.boolean(choices, depth),
            Sort::Int => self.integer(choices, depth),
            Sort::Real => self.real(choices, depth),
            Sort::Byte => self.bits(choices, depth, Sort::Byte),
            Sort::Nibble => self.bits(choices, depth, Sort::Nibble),
            Sort::Element => self.element(choices, depth),
            Sort::IntArray | Sort::ByteArray => self.array(choices, depth, sort),
            Sort::List => self.list(choices, depth),
            Sort::Color => self.name(choices, sort).filter(|_| choices.one_in(2)).unwrap_or_else(|| {
                let colors = ["@red", "@green", "@blue"];
                Term::app(choices.pick(&colors), vec![])
            }),
            Sort::String => self.string(choices, depth),
        }
    }

    fn boolean(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth == 0 {
            return self.name(choices, Sort::Bool).unwrap_or(Term::fixed("true"));
        }
        match choices.below(16) {
            0 => Term::app("not", vec![self.boolean(choices, depth - 1)]),
            1 | 2 => {
                let head = choices.pick(&["and", "or", "xor", "=>", "=", "distinct"]);
                let count = 2 + choices.below(2);
                Term::app(head, (0..count).map(|_| self.boolean(choices, depth - 1)).collect())
            }
            3 => {
                let parts = (0..3).map(|_| self.boolean(choices, depth - 1)).collect();
                Term::app("ite", parts)
            }
            4 => self.name(choices, Sort::Bool).unwrap_or(Term::fixed("false")),
            5 if self.has(theory::QUANTIFIERS) && self.bound.len() < 2 => self.quantified(choices),
            6 | 7 => self.special(choices, depth),
            8..=11 => {
                let sorts = self.sorts();
                let sort = choices.pick(&sorts);
                let head = choices.pick(&["=", "=", "distinct"]);
                let count = if choices.one_in(5) { 3 } else { 2 };
                Term::app(head, (0..count).map(|_| self.term(choices, sort, depth - 1)).collect())
            }
            _ => {
                let real = self.has(theory::REAL) && choices.one_in(2);
                let sort = if real { Sort::Real } else { Sort::Int };
                let head = choices.pick(&["<", "<=", ">", ">="]);
                let count = if choices.one_in(6) { 3 } else { 2 };
                Term::app(head, (0..count).map(|_| self.term(choices, sort, depth - 1)).collect())
            }
        }
    }

    /// Predicates of one theory.
    fn special(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        let bits: Vec<u16> = (0..10).map(|i| 1 << i).filter(|b| self.has(*b)).collect();
        let which = if bits.is_empty() { 0 } else { choices.pick(&bits) };
        match which {
            theory::BITS | theory::ARRAYS => {
                let heads = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];
                let sort = if self.has(theory::BITS) {
                    choices.pick(&[Sort::Byte, Sort::Nibble])
                } else {
                    Sort::Byte
                };
                let args = (0..2).map(|_| self.term(choices, sort, depth - 1)).collect();
                Term::app(choices.pick(&heads), args)
            }
            theory::ELEMENTS => Term::app("@holds", vec![self.element(choices, depth - 1)]),
            theory::DATA => {
                let head = choices.pick(&["@is-nil", "@is-cons"]);
                Term::app(head, vec![self.list(choices, depth - 1)])
            }
            theory::STRINGS => {
                let head = choices.pick(&["str.prefixof", "str.contains", "str.<", "str.<=", "str.suffixof"]);
                Term::app(head, (0..2).map(|_| self.string(choices, depth - 1)).collect())
            }
            theory::REAL => Term::app("is_int", vec![self.real(choices, depth - 1)]),
            theory::FUNCTIONS => {
                Term::app("@below", (0..2).map(|_| self.integer(choices, depth - 1)).collect())
            }
            _ => {
                let args = (0..2).map(|_| self.integer(choices, depth - 1)).collect();
                Term::app(choices.pick(&["=", "<"]), args)
            }
        }
    }

    fn quantified(&mut self, choices: &mut Choices<'_>) -> Term {
        let mut sorts = vec![Sort::Int, Sort::Bool];
        if self.has(theory::ELEMENTS) {
            sorts.extend([Sort::Element, Sort::Element]);
        }
        if self.has(theory::BITS) {
            sorts.push(Sort::Nibble);
        }
        if self.has(theory::DATA) {
            sorts.push(Sort::Color);
        }
        let sort = choices.pick(&sorts);
        self.bound.push(sort);
        let body = self.boolean(choices, 2);
        self.bound.pop();
        Term::Quantified(choices.pick(&["forall", "exists"]), sort, Box::new(body))
    }

    fn integer(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth == 0 || choices.one_in(4) {
            let literal = choices.one_in(3);
            let named = self.name(choices, Sort::Int).filter(|_| !literal);
            return named.unwrap_or_else(|| {
                let easy = if choices.one_in(4) { INTEGERS.len() } else { 10 };
                Term::fixed(INTEGERS[choices.below(easy)])
            });
        }
        let depth = depth - 1;
        let two =
            |me: &mut Self, choices: &mut Choices<'_>| (0..2).map(|_| me.integer(choices, depth)).collect();
        match choices.below(12) {
            0 if self.has(theory::DIVISION) => {
                let head = choices.pick(&["div", "mod"]);
                Term::app(head, two(self, choices))
            }
            1 if self.has(theory::DIVISION) => {
                let divisor = choices.pick(&["0", "0", "2", "(- 3)"]);
                let head = choices.pick(&["div", "mod"]);
                Term::app(head, vec![self.integer(choices, depth), Term::fixed(divisor)])
            }
            2 | 3 if self.has(theory::FUNCTIONS) => Term::app("@f", vec![self.integer(choices, depth)]),
            4 if self.has(theory::FUNCTIONS) => Term::app("@g", two(self, choices)),
            5 | 6 if self.has(theory::ARRAYS) => {
                let array = self.array(choices, depth, Sort::IntArray);
                Term::app("select", vec![array, self.integer(choices, depth.min(1))])
            }
            2 | 4 if self.has(theory::DATA) => Term::app("@head", vec![self.list(choices, depth)]),
            3 if self.has(theory::STRINGS) => Term::app("str.len", vec![self.string(choices, depth)]),
            5 if self.has(theory::RECURSION) => {
                let argument = Term::fixed(choices.pick(&["0", "1", "2", "3", "(- 1)"]));
                Term::app(choices.pick(&["@sum", "@odd"]), vec![argument])
            }
            7 => Term::app("*", vec![Term::fixed(INTEGERS[choices.below(10)]), self.integer(choices, depth)]),
            8 => Term::app("-", vec![self.integer(choices, depth)]),
            9 => Term::app("-", two(self, choices)),
            10 => Term::app("+", (0..3).map(|_| self.integer(choices, depth)).collect()),
            _ => Term::app("+", two(self, choices)),
        }
    }

    fn real(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth == 0 || choices.one_in(4) {
            let literals = ["0.0", "1.0", "0.5", "2.0", "(- 1.0)", "(/ 1.0 3.0)", "1.50"];
            let literal = choices.one_in(3);
            let named = self.name(choices, Sort::Real).filter(|_| !literal);
            return named.unwrap_or_else(|| Term::fixed(choices.pick(&literals)));
        }
        let depth = depth - 1;
        match choices.below(6) {
            0 => Term::app("to_real", vec![self.integer(choices, depth)]),
            1 if self.has(theory::DIVISION) => {
                let divisor = choices.pick(&["0.0", "2.0"]);
                Term::app("/", vec![self.real(choices, depth), Term::fixed(divisor)])
            }
            2 => Term::app("*", vec![Term::fixed(choices.pick(&["2.0", "0.5"])), self.real(choices, depth)]),
            3 => Term::app("-", vec![self.real(choices, depth), self.real(choices, depth)]),
            _ => Term::app("+", vec![self.real(choices, depth), self.real(choices, depth)]),
        }
    }

    fn bits(&mut self, choices: &mut Choices<'_>, depth: usize, sort: Sort) -> Term {
        let byte = sort == Sort::Byte;
        if depth == 0 || choices.one_in(4) {
            let literals: &[&str] = match byte {
                true => &["#x00", "#x01", "#xff", "(_ bv5 8)", "#b00000101", "#x80"],
                false => &["#x0", "#x1", "#xf", "(_ bv5 4)", "#b0101", "#x8"],
            };
            let literal = choices.one_in(3);
            let named = self.name(choices, sort).filter(|_| !literal);
            return named.unwrap_or_else(|| Term::fixed(choices.pick(literals)));
        }
        let depth = depth - 1;
        match choices.below(8) {
            0 if byte && self.has(theory::ARRAYS) => {
                let array = self.array(choices, depth, Sort::ByteArray);
                Term::app("select", vec![array, self.bits(choices, depth.min(1), Sort::Byte)])
            }
            1 if byte && self.has(theory::BITS) => {
                Term::app("concat", (0..2).map(|_| self.bits(choices, depth, Sort::Nibble)).collect())
            }
            1 if !byte => {
                let head = choices.pick(&["(_ extract 3 0)", "(_ extract 7 4)"]);
                Term::app(head, vec![self.bits(choices, depth, Sort::Byte)])
            }
            2 => Term::app(choices.pick(&["bvnot", "bvneg"]), vec![self.bits(choices, depth, sort)]),
            3 => {
                let heads =
                    ["bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "bvsub"];
                Term::app(choices.pick(&heads), (0..2).map(|_| self.bits(choices, depth, sort)).collect())
            }
            _ => {
                let heads = ["bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor"];
                Term::app(choices.pick(&heads), (0..2).map(|_| self.bits(choices, depth, sort)).collect())
            }
        }
    }

    fn element(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth > 0 && choices.one_in(3) {
            return Term::app("@next", vec![self.element(choices, depth - 1)]);
        }
        self.name(choices, Sort::Element).expect("there are constants of the declared sort")
    }

    fn array(&mut self, choices: &mut Choices<'_>, depth: usize, sort: Sort) -> Term {
        let element = if sort == Sort::IntArray { Sort::Int } else { Sort::Byte };
        if depth > 0 && choices.one_in(3) {
            if choices.one_in(4) {
                let head = if sort == Sort::IntArray {
                    "(as const (Array Int Int))"
                } else {
                    "(as const (Array (_ BitVec 8) (_ BitVec 8)))"
                };
                return Term::app(head, vec![self.term(choices, element, depth - 1)]);
            }
            let array = self.array(choices, depth - 1, sort);
            let (index, value) = (self.term(choices, element, 0), self.term(choices, element, depth - 1));
            return Term::app("store", vec![array, index, value]);
        }
        self.name(choices, sort).expect("there are arrays")
    }

    fn list(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth > 0 {
            match choices.below(6) {
                0 => return Term::app("@tail", vec![self.list(choices, depth - 1)]),
                1 => {
                    let (head, tail) = (self.integer(choices, depth - 1), self.list(choices, depth - 1));
                    return Term::app("@cons", vec![head, tail]);
                }
                2 => return Term::app("@nil", vec![]),
                _ => {}
            }
        }
        self.name(choices, Sort::List).expect("there are lists")
    }

    fn string(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        if depth > 0 && choices.one_in(3) {
            let depth = depth - 1;
            return match choices.below(3) {
                0 => Term::app("str.++", (0..2).map(|_| self.string(choices, depth)).collect()),
                1 => Term::app("str.at", vec![self.string(choices, depth), self.integer(choices, 0)]),
                _ => Term::app("str.from_int", vec![self.integer(choices, 0)]),
            };
        }
        let literals = ["\"\"", "\"a\"", "\"ab\"", "\"\\u{61}\"", "\"1\"", "\"\"\"\""];
        let literal = choices.one_in(3);
        let named = self.name(choices, Sort::String).filter(|_| !literal);
        named.unwrap_or_else(|| Term::fixed(choices.pick(&literals)))
    }
}
