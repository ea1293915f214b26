//! Shared by the tests: a small world of linear prefixes, sets over it, naive search, and a warm z3.

use evergreen_testing::random::Random;
use evergreen_testing::tools;
use evergreen_trie::{Atom, Definitions, Index, Op, Payload, PrefixKey, Reduction, reduce};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Prefixes with known terms over a few integer variables, and opaque constraints.
pub(crate) struct World {
    pub variables: usize,
    /// Prefixes as (variable, coefficient); the first ones are the variables themselves.
    pub prefixes: Vec<Vec<(usize, i64)>>,
    pub opaque: usize,
}

/// Spreads small numbers as a digest would, so that the order of keys is not the order of numbers.
pub(crate) fn key(number: usize) -> PrefixKey {
    let mut random = Random::new(number as u64 + 1);
    PrefixKey((u128::from(random.next()) << 64) | u128::from(random.next()))
}

impl World {
    pub(crate) fn new() -> World {
        let mut prefixes: Vec<Vec<(usize, i64)>> = (0..4).map(|v| vec![(v, 1)]).collect();
        prefixes.push(vec![(0, 1), (1, 1)]);
        prefixes.push(vec![(0, 1), (1, -1)]);
        prefixes.push(vec![(1, 2), (2, 3)]);
        prefixes.push(vec![(0, 1), (1, 1), (2, -1)]);
        prefixes.push(vec![(2, 1), (3, -2)]);
        World { variables: 4, prefixes, opaque: 2 }
    }

    pub(crate) fn key(&self, prefix: usize) -> PrefixKey {
        key(prefix)
    }

    fn number(&self, wanted: PrefixKey) -> usize {
        (0..self.prefixes.len() + self.opaque).find(|&n| key(n) == wanted).expect("a prefix of this world")
    }

    /// The terms of a sum of several variables.
    pub(crate) fn sum(&self, prefix: PrefixKey) -> Option<&[(usize, i64)]> {
        self.prefixes.get(self.number(prefix)).map(|terms| &**terms).filter(|terms| terms.len() > 1)
    }

    pub(crate) fn define_all(&self, index: &mut dyn Index) {
        for (number, terms) in self.prefixes.iter().enumerate() {
            let terms: Vec<_> = terms.iter().map(|&(v, a)| (key(v), a)).collect();
            assert!(index.define(key(number), &terms));
        }
    }

    pub(crate) fn definitions(&self) -> Definitions {
        let mut definitions = Definitions::default();
        for (number, terms) in self.prefixes.iter().enumerate() {
            let terms: Vec<_> = terms.iter().map(|&(v, a)| (key(v), a)).collect();
            assert!(definitions.define(key(number), &terms));
        }
        definitions
    }

    pub(crate) fn atom(&self, random: &mut Random, range: i64) -> Atom {
        let number = random.below(self.prefixes.len() + self.opaque);
        if number >= self.prefixes.len() {
            return Atom::holds(key(number));
        }
        let op = [Op::Le, Op::Ge, Op::Le, Op::Ge, Op::Eq, Op::Ne][random.below(6)];
        Atom { prefix: key(number), op, constant: random.between(-range, range) }
    }

    /// A reduced set of up to `most` random atoms; may be empty of sense for a solver,
    /// but has no plain conflict.
    pub(crate) fn set(&self, random: &mut Random, most: usize, range: i64) -> Vec<Atom> {
        loop {
            let count = 1 + random.below(most);
            let atoms: Vec<Atom> = (0..count).map(|_| self.atom(random, range)).collect();
            if let Reduction::Reduced(reduced) = reduce(&atoms, &Definitions::default()) {
                return reduced.atoms().to_vec();
            }
        }
    }

    /// One atom over most of the prefixes: sets that are often unsatisfiable without a plain conflict.
    pub(crate) fn tight_set(&self, random: &mut Random, range: i64) -> Vec<Atom> {
        let mut set = Vec::new();
        for number in 0..self.prefixes.len() {
            if !random.one_in(4) {
                let op = [Op::Le, Op::Ge, Op::Le, Op::Ge, Op::Eq, Op::Ne][random.below(6)];
                set.push(Atom { prefix: key(number), op, constant: random.between(-range, range) });
            }
        }
        set.sort_unstable();
        set
    }

    pub(crate) fn smt(&self, atom: &Atom) -> String {
        let number = self.number(atom.prefix);
        let Some(terms) = self.prefixes.get(number) else { return format!("b{number}") };
        let terms: Vec<String> = terms.iter().map(|(v, a)| format!("(* {} x{v})", numeral(*a))).collect();
        let sum = format!("(+ 0 {})", terms.join(" "));
        let c = numeral(atom.constant);
        match atom.op {
            Op::Le => format!("(<= {sum} {c})"),
            Op::Ge => format!("(>= {sum} {c})"),
            Op::Eq => format!("(= {sum} {c})"),
            Op::Ne => format!("(not (= {sum} {c}))"),
            Op::Holds => unreachable!("a linear prefix"),
        }
    }

    pub(crate) fn declarations(&self) -> String {
        let ints = (0..self.variables).map(|v| format!("(declare-const x{v} Int)"));
        let first = self.prefixes.len();
        let bools = (first..first + self.opaque).map(|b| format!("(declare-const b{b} Bool)"));
        ints.chain(bools).collect()
    }
}

pub(crate) fn numeral(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

pub(crate) fn payload(number: usize) -> Payload {
    number.to_le_bytes().as_slice().into()
}

/// The number that [`payload`] was made from.
pub(crate) fn number(payload: &Payload) -> usize {
    usize::from_le_bytes(payload.as_ref().try_into().expect("eight bytes"))
}

// Naive search, by enumeration of values: nothing of the library's rules is used.

/// Constants of the tests and what sums make of them stay well inside.
const FAR: i64 = 400;

fn holds(op: Op, value: i64, constant: i64) -> bool {
    match op {
        Op::Le => value <= constant,
        Op::Ge => value >= constant,
        Op::Eq => value == constant,
        Op::Ne => value != constant,
        Op::Holds => panic!("opaque"),
    }
}

/// One atom implies the other: every value near and far that satisfies the one satisfies the other.
pub(crate) fn pair_implies(premise: &Atom, conclusion: &Atom) -> bool {
    if premise.prefix != conclusion.prefix {
        return false;
    }
    if premise.op == Op::Holds || conclusion.op == Op::Holds {
        return premise.op == conclusion.op;
    }
    let near = 30;
    assert!(premise.constant.abs() < near && conclusion.constant.abs() < near);
    (-near..=near)
        .all(|v| !holds(premise.op, v, premise.constant) || holds(conclusion.op, v, conclusion.constant))
}

/// The least and greatest value that the inequalities and equations of `set` leave to
/// `prefix`; beyond FAR is unbounded.
fn ends(set: &[Atom], prefix: PrefixKey) -> (Option<i64>, Option<i64>) {
    let fits = |v: &i64| {
        set.iter().filter(|a| a.prefix == prefix && a.op != Op::Ne).all(|a| holds(a.op, *v, a.constant))
    };
    let least = (-FAR..=FAR).find(fits).expect("a reduced set");
    let greatest = (-FAR..=FAR).rev().find(fits).expect("a reduced set");
    ((least > -FAR).then_some(least), (greatest < FAR).then_some(greatest))
}

/// The set implies the atom: by one of its atoms, or by the ends of the atom's
/// variables together with its own.
pub(crate) fn set_implies(set: &[Atom], conclusion: &Atom, world: Option<&World>) -> bool {
    if set.iter().any(|premise| pair_implies(premise, conclusion)) {
        return true;
    }
    let Some(terms) = world.and_then(|world| world.sum(conclusion.prefix)) else { return false };
    if conclusion.op == Op::Holds {
        return false;
    }
    let (mut least, mut greatest) = (Some(0), Some(0));
    for &(variable, a) in terms {
        let (low, high) = ends(set, key(variable));
        let (small, large) = if a > 0 { (low, high) } else { (high, low) };
        least = least.zip(small).map(|(sum, v)| sum + a * v);
        greatest = greatest.zip(large).map(|(sum, v)| sum + a * v);
    }
    let (own_least, own_greatest) = ends(set, conclusion.prefix);
    let least = least.max(own_least);
    let greatest = [greatest, own_greatest].into_iter().flatten().min();
    let c = conclusion.constant;
    match conclusion.op {
        Op::Le => greatest.is_some_and(|g| g <= c),
        Op::Ge => least.is_some_and(|l| l >= c),
        Op::Eq => least == Some(c) && greatest == Some(c),
        Op::Ne => greatest.is_some_and(|g| g < c) || least.is_some_and(|l| l > c),
        Op::Holds => false,
    }
}

pub(crate) fn naive_sat(stored: &[Vec<Atom>], query: &[Atom], world: Option<&World>) -> bool {
    stored.iter().any(|set| query.iter().all(|atom| set_implies(set, atom, world)))
}

pub(crate) fn naive_unsat(stored: &[Vec<Atom>], query: &[Atom], world: Option<&World>) -> bool {
    stored.iter().any(|set| set.iter().all(|atom| set_implies(query, atom, world)))
}

/// A z3 process that is asked again and again.
pub(crate) struct WarmZ3 {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl WarmZ3 {
    pub(crate) fn start(declarations: &str) -> WarmZ3 {
        let mut child = Command::new(tools::find("z3"))
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("z3 starts");
        let mut to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        writeln!(to, "(set-logic QF_LIA){declarations}").expect("z3 reads");
        WarmZ3 { child, to, from }
    }

    /// Is the conjunction satisfiable?
    pub(crate) fn is_sat(&mut self, constraints: &[String]) -> bool {
        let asserts: String = constraints.iter().map(|c| format!("(assert {c})")).collect();
        writeln!(self.to, "(push){asserts}(check-sat)(pop)").expect("z3 reads");
        self.to.flush().expect("z3 reads");
        let mut answer = String::new();
        self.from.read_line(&mut answer).expect("z3 answers");
        match answer.trim() {
            "sat" => true,
            "unsat" => false,
            other => panic!("z3 said '{other}' to {constraints:?}"),
        }
    }

    pub(crate) fn set_is_sat(&mut self, world: &World, set: &[Atom]) -> bool {
        let constraints: Vec<String> = set.iter().map(|atom| world.smt(atom)).collect();
        self.is_sat(&constraints)
    }
}

impl Drop for WarmZ3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
