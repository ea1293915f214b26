//! Writing an attack out, in one of its many dresses.

use super::formula::theory;
use super::{Attack, Choices, Sort, Step, Term};

/// Names that are traps: other spellings of one another, solvers' own inventions, words with blanks.
const NAMES: [&str; 23] = [
    "x",
    "y",
    "z",
    "a",
    "b",
    "c",
    "p",
    "q",
    "|x y|",
    "|x  y|",
    "div0",
    "mod0",
    "k!0",
    "x!1",
    "U!val!0",
    "evergreen!value",
    "v0",
    "|v;0|",
    "select0",
    "true0",
    "_x",
    "@a",
    "x/y",
];

/// Declared functions: mark, parameters and result, and the theory that needs them.
const FUNCTIONS: [(&str, &str, u16); 6] = [
    ("@f", "(Int) Int", theory::FUNCTIONS),
    ("@g", "(Int Int) Int", theory::FUNCTIONS),
    ("@next", "(@U) @U", theory::ELEMENTS),
    ("@holds", "(@U) Bool", theory::ELEMENTS),
    ("@sum", "", theory::RECURSION),
    ("@odd", "", theory::RECURSION),
];

/// How names and orders are chosen.
pub(crate) struct Wardrobe {
    constants: Vec<String>,
    suffix: String,
    plain: bool,
}

impl Attack {
    /// The script as it was made.
    pub fn plain(&self) -> String {
        self.dress(&mut Choices::Bytes(&[]))
    }

    /// The script in another dress; with no choices left, the plain one. The text is one push-pop level.
    pub fn dress(&self, choices: &mut Choices<'_>) -> String {
        let mut out = String::new();
        let wardrobe = self.wardrobe(choices);
        let mut declarations = self.declarations(&wardrobe);
        if !wardrobe.plain {
            shuffle(&mut declarations, choices);
        }
        out.push_str("(push 1)\n");
        for line in self.preamble(&wardrobe).into_iter().chain(declarations) {
            out.push_str(&line);
            out.push('\n');
        }
        let mut pending: Vec<String> = Vec::new();
        for step in &self.steps {
            if let Step::Assert(constraint) = step {
                pending.push(format!("(assert {})\n", self.write(&wardrobe, choices, constraint, 0)));
                continue;
            }
            if !wardrobe.plain {
                shuffle(&mut pending, choices);
            }
            out.extend(pending.drain(..));
            match step {
                Step::Push => out.push_str("(push 1)\n"),
                Step::Pop => out.push_str("(pop 1)\n"),
                Step::Check => out.push_str("(check-sat)\n"),
                Step::CheckAssuming(literals) => {
                    let literals: Vec<String> =
                        literals.iter().map(|l| self.write(&wardrobe, choices, l, 99)).collect();
                    out.push_str(&format!("(check-sat-assuming ({}))\n", literals.join(" ")));
                }
                Step::Assert(_) => unreachable!("kept above"),
            }
        }
        out.push_str("(pop 1)\n");
        out
    }

    /// Each constraint by itself: an answer about a conjunction must not be recorded for a part of it.
    pub fn alone(&self) -> String {
        let nothing = &mut Choices::Bytes(&[]);
        let wardrobe = self.wardrobe(nothing);
        let mut out = String::from("(push 1)\n");
        for line in self.preamble(&wardrobe).into_iter().chain(self.declarations(&wardrobe)) {
            out.push_str(&line);
            out.push('\n');
        }
        for step in &self.steps {
            if let Step::Assert(constraint) = step {
                let constraint = self.write(&wardrobe, nothing, constraint, 0);
                out.push_str(&format!("(push 1)\n(assert {constraint})\n(check-sat)\n(pop 1)\n"));
            }
        }
        out.push_str("(pop 1)\n");
        out
    }

    /// The plain script with every constraint named (`n0`, `n1`, …) and a request for
    /// a core after each check.
    pub fn named(&self) -> String {
        let mut number = 0;
        let mut out = String::new();
        for line in self.plain().lines() {
            if let Some(rest) = line.strip_prefix("(assert ") {
                let constraint = rest.strip_suffix(')').unwrap_or(rest);
                out.push_str(&format!("(assert (! {constraint} :named n{number}))\n"));
                number += 1;
                continue;
            }
            out.push_str(line);
            out.push('\n');
            if line == "(check-sat)" {
                out.push_str("(get-unsat-core)\n");
            }
        }
        out
    }

    /// Only some of the constraints of the plain script, by their numbers, and one check.
    pub fn only(&self, chosen: &[usize]) -> String {
        let plain = self.plain();
        let mut out: String = plain
            .lines()
            .skip(1)
            .take_while(|l| l.starts_with("(decl") || l.starts_with("(define"))
            .map(|l| format!("{l}\n"))
            .collect();
        let constraints: Vec<&str> = plain.lines().filter(|l| l.starts_with("(assert ")).collect();
        out.extend(chosen.iter().filter_map(|&i| constraints.get(i)).map(|c| format!("{c}\n")));
        format!("(push 1)\n{out}(check-sat)\n(pop 1)\n")
    }

    /// The names of the constants in the plain dress.
    pub fn plain_names(&self) -> Vec<String> {
        self.wardrobe(&mut Choices::Bytes(&[])).constants
    }

    fn wardrobe(&self, choices: &mut Choices<'_>) -> Wardrobe {
        let plain = choices.is_over();
        let mut free: Vec<String> = NAMES.iter().map(|n| n.to_string()).collect();
        let mut constants = Vec::new();
        for i in 0..self.constants.len() {
            constants.push(if plain { format!("c{i}") } else { free.swap_remove(choices.below(free.len())) });
        }
        let suffixes = ["", "1", "!x", "-of"];
        let suffix = if plain { String::new() } else { choices.pick(&suffixes).to_string() };
        Wardrobe { constants, suffix, plain }
    }

    fn preamble(&self, w: &Wardrobe) -> Vec<String> {
        let mut lines = Vec::new();
        let has = |t| self.theories & t != 0;
        if has(theory::ELEMENTS) {
            lines.push(w.name("(declare-sort @U 0)"));
        }
        if has(theory::DATA) {
            lines
                .push(w.name("(declare-datatypes ((@List 0)) (((@nil) (@cons (@head Int) (@tail @List)))))"));
            lines.push(w.name("(declare-datatypes ((@Color 0)) (((@red) (@green) (@blue))))"));
        }
        if has(theory::FUNCTIONS) {
            lines.push(w.name("(define-fun @below ((x Int) (y Int)) Bool (< (+ x 1) y))"));
        }
        if has(theory::RECURSION) {
            let division = has(theory::DIVISION);
            let base = if division { "(div 1 0)" } else { "0" };
            lines.push(w.name(&format!(
                "(define-fun-rec @sum ((n Int)) Int (ite (<= n 0) {base} (+ n (@sum (- n 1)))))"
            )));
            lines.push(w.name("(define-fun-rec @odd ((x Int)) Int (ite (<= x 0) 0 (- 1 (@odd (- x 1)))))"));
        }
        lines
    }

    fn declarations(&self, w: &Wardrobe) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (mark, signature, bit) in FUNCTIONS {
            if self.theories & bit != 0 && !signature.is_empty() {
                lines.push(w.name(&format!("(declare-fun {mark} {signature})")));
            }
        }
        for (i, sort) in self.constants.iter().enumerate() {
            lines.push(format!("(declare-const {} {})", w.constants[i], w.name(sort_text(*sort))));
        }
        lines
    }

    fn write(&self, w: &Wardrobe, choices: &mut Choices<'_>, term: &Term, depth: usize) -> String {
        match term {
            Term::Fixed(text) => text.clone(),
            Term::Constant(i) => w.constants[*i].clone(),
            Term::Bound(up) => format!("bound{}", depth.wrapping_sub(1 + up)),
            Term::Quantified(quantifier, sort, body) => {
                let body = self.write(w, choices, body, depth + 1);
                format!("({quantifier} ((bound{depth} {})) {body})", w.name(sort_text(*sort)))
            }
            Term::App(head, args) if args.is_empty() => w.name(head),
            Term::App(head, args) => {
                let mut args: Vec<String> = args.iter().map(|a| self.write(w, choices, a, depth)).collect();
                let mut head = *head;
                if !w.plain {
                    head = redress(head, &mut args, choices);
                }
                let head = match head.strip_prefix("@is-") {
                    Some(constructor) => w.name(&format!("(_ is @{constructor})")),
                    None => w.name(head),
                };
                format!("({head} {})", args.join(" "))
            }
        }
    }
}

impl Wardrobe {
    /// Replaces marks (`@f`) by names.
    fn name(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            out.push_str(&rest[..at]);
            let word = &rest[at + 1..];
            let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
            out.push_str("d_");
            out.push_str(&word[..end]);
            out.push_str(&self.suffix);
            rest = &word[end..];
        }
        out.push_str(rest);
        out
    }
}

fn sort_text(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Real => "Real",
        Sort::Byte => "(_ BitVec 8)",
        Sort::Nibble => "(_ BitVec 4)",
        Sort::Element => "@U",
        Sort::IntArray => "(Array Int Int)",
        Sort::ByteArray => "(Array (_ BitVec 8) (_ BitVec 8))",
        Sort::List => "@List",
        Sort::Color => "@Color",
        Sort::String => "String",
    }
}

/// Another way to write the same application.
fn redress(head: &'static str, args: &mut [String], choices: &mut Choices<'_>) -> &'static str {
    const COMMUTES: [&str; 16] = [
        "and", "or", "xor", "=", "distinct", "+", "*", "bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvnand",
        "bvnor", "bvxnor", "bvcomp",
    ];
    if COMMUTES.contains(&head) {
        shuffle(args, choices);
        return head;
    }
    const MIRRORS: [(&str, &str); 6] = [
        ("<", ">"),
        ("<=", ">="),
        ("bvult", "bvugt"),
        ("bvule", "bvuge"),
        ("bvslt", "bvsgt"),
        ("bvsle", "bvsge"),
    ];
    let mirror = MIRRORS.iter().find_map(|&(a, b)| match head {
        h if h == a => Some(b),
        h if h == b => Some(a),
        _ => None,
    });
    match mirror {
        Some(mirror) if choices.one_in(2) => {
            args.reverse();
            mirror
        }
        _ => head,
    }
}

fn shuffle<T>(items: &mut [T], choices: &mut Choices<'_>) {
    for i in (1..items.len()).rev() {
        items.swap(i, choices.below(i + 1));
    }
}
