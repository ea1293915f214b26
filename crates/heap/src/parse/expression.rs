//! Expressions: one precedence ladder for formulas, sets and integers; the kind of a term
//! decides what may follow it.
//!
//! From loose to tight: `<=>`, `=>`, `||`, `&&`, `!` and quantifiers, comparisons, `+ -`, `& * %`, `.`

use super::{KEYWORDS, MOST, Parsed, Parser};
use crate::invariant::{Formula, FunId, Int, Kind, Many, Order, Set, Var};
use crate::lex::Word;

/// No operand of a calculation can be larger: one more product still fits a machine word.
const MAGNITUDE: i64 = 1_000_000_000;

/// A term of one of three types.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Set(Set),
    Int(Int),
    Formula(Formula),
}

impl Term {
    fn what(&self) -> &'static str {
        match self {
            Term::Set(_) => "a set of objects",
            Term::Int(_) => "an integer",
            Term::Formula(_) => "a formula",
        }
    }
}

fn boxed<T>(t: T) -> Box<T> {
    Box::new(t)
}

impl<'a> Parser<'a> {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let at = self.at;
        let term = self.term()?;
        self.as_formula(at, term)
    }

    pub(super) fn int(&mut self) -> Parsed<Int> {
        let at = self.at;
        let term = self.term()?;
        self.as_int(at, term)
    }

    fn as_formula(&self, at: usize, term: Term) -> Parsed<Formula> {
        match term {
            Term::Formula(formula) => Ok(formula),
            Term::Set(_) => {
                let help = "write \"some\" or \"no\" before a set, or compare it";
                self.wrong(at, "expected a formula, found a set of objects", Some(help))
            }
            Term::Int(_) => self.wrong(at, "expected a formula, found an integer", Some("compare it")),
        }
    }

    fn as_int(&self, at: usize, term: Term) -> Parsed<Int> {
        match term {
            Term::Int(int) => Ok(int),
            Term::Set(_) => {
                let help = Some("#E is the number of objects in a set");
                self.wrong(at, "expected an integer, found a set of objects", help)
            }
            Term::Formula(_) => self.wrong(at, "expected an integer, found a formula", None),
        }
    }

    fn as_set(&self, at: usize, term: Term) -> Parsed<Set> {
        match term {
            Term::Set(set) => Ok(set),
            other => self.wrong(at, format!("expected a set of objects, found {}", other.what()), None),
        }
    }

    pub(super) fn term(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > MOST {
            return self.wrong(self.at, "nested too deeply", Some("name a part of it with \"let\""));
        }
        let at = self.at;
        let mut left = self.implication()?;
        while self.sign("<=>") {
            let a = self.as_formula(at, left)?;
            let right_at = self.at;
            let right = self.implication()?;
            let b = self.as_formula(right_at, right)?;
            let both = Formula::And(vec![a.clone(), b.clone()]);
            let neither = Formula::And(vec![Formula::Not(boxed(a)), Formula::Not(boxed(b))]);
            left = Term::Formula(Formula::Or(vec![both, neither]));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn implication(&mut self) -> Parsed<Term> {
        let at = self.at;
        let left = self.or()?;
        if !self.sign("=>") {
            return Ok(left);
        }
        let a = self.as_formula(at, left)?;
        let right_at = self.at;
        self.depth += 1;
        if self.depth > MOST {
            return self.wrong(self.at, "nested too deeply", None);
        }
        let right = self.implication()?;
        self.depth -= 1;
        let b = self.as_formula(right_at, right)?;
        Ok(Term::Formula(Formula::Or(vec![Formula::Not(boxed(a)), b])))
    }

    fn or(&mut self) -> Parsed<Term> {
        let at = self.at;
        let left = self.and()?;
        if self.word() != Word::Sign("||") {
            return Ok(left);
        }
        let mut all = vec![self.as_formula(at, left)?];
        while self.sign("||") {
            let at = self.at;
            let right = self.and()?;
            all.push(self.as_formula(at, right)?);
        }
        Ok(Term::Formula(Formula::Or(all)))
    }

    fn and(&mut self) -> Parsed<Term> {
        let at = self.at;
        let left = self.unary()?;
        if self.word() != Word::Sign("&&") {
            return Ok(left);
        }
        let mut all = vec![self.as_formula(at, left)?];
        while self.sign("&&") {
            let at = self.at;
            let right = self.unary()?;
            all.push(self.as_formula(at, right)?);
        }
        Ok(Term::Formula(Formula::And(all)))
    }

    fn unary(&mut self) -> Parsed<Term> {
        if self.sign("!") {
            self.depth += 1;
            if self.depth > MOST {
                return self.wrong(self.at, "nested too deeply", None);
            }
            let at = self.at;
            let inner = self.unary()?;
            self.depth -= 1;
            return Ok(Term::Formula(Formula::Not(boxed(self.as_formula(at, inner)?))));
        }
        let many = match self.word() {
            Word::Name("all") => return self.quantifier(),
            Word::Name("no") => Many::No,
            Word::Name("some") => Many::Some,
            Word::Name("lone") => Many::Lone,
            Word::Name("one") => Many::One,
            _ => return self.comparison(),
        };
        let binds = matches!(self.words.get(self.at + 2), Some((_, Word::Name("in") | Word::Sign(","))));
        if binds && matches!(many, Many::No | Many::Some) {
            return self.quantifier();
        }
        self.next();
        let at = self.at;
        let term = self.sum()?;
        Ok(Term::Formula(Formula::Many(many, self.as_set(at, term)?)))
    }

    /// `all x, y in E: F`, and the same with `some` and `no`.
    fn quantifier(&mut self) -> Parsed<Term> {
        let Word::Name(kind) = self.next() else { return self.expected("a quantifier") };
        let mut names = vec![self.name("a variable")?];
        while self.sign(",") {
            names.push(self.name("a variable")?);
        }
        if !self.keyword("in") {
            return self.expected("\"in\"");
        }
        let at = self.at;
        let term = self.sum()?;
        let domain = self.as_set(at, term)?;
        self.need(":")?;
        let class = self.class_of(&domain);
        let first = self.scope.len();
        for name in &names {
            self.scope.push((name, class));
        }
        if self.scope.len() > MOST {
            return self.wrong(at, "too many variables", None);
        }
        let mut body = self.formula()?;
        self.scope.truncate(first);
        for index in (0..names.len()).rev() {
            let var = Var((first + index) as u8);
            body = match kind {
                "all" => Formula::All(var, domain.clone(), boxed(body)),
                _ => Formula::Exists(var, domain.clone(), boxed(body)),
            };
        }
        Ok(Term::Formula(if kind == "no" { Formula::Not(boxed(body)) } else { body }))
    }

    fn comparison(&mut self) -> Parsed<Term> {
        let at = self.at;
        let left = self.sum()?;
        let sign = match self.word() {
            Word::Sign(sign @ ("=" | "!=" | "<" | "<=" | ">" | ">=" | "!in")) => sign,
            Word::Name("in") => "in",
            _ => return Ok(left),
        };
        let sign_at = self.at;
        self.next();
        let right_at = self.at;
        let right = self.sum()?;
        let formula = match (left, right) {
            (Term::Set(a), Term::Set(b)) => match sign {
                "in" => Formula::In(a, b),
                "!in" => Formula::Not(boxed(Formula::In(a, b))),
                "=" => Formula::Equal(a, b),
                "!=" => Formula::Not(boxed(Formula::Equal(a, b))),
                _ => return self.wrong(sign_at, format!("\"{sign}\" compares integers, not objects"), None),
            },
            (Term::Formula(a), Term::Formula(b)) if sign == "=" || sign == "!=" => {
                let both = Formula::And(vec![a.clone(), b.clone()]);
                let neither = Formula::And(vec![Formula::Not(boxed(a)), Formula::Not(boxed(b))]);
                let same = Formula::Or(vec![both, neither]);
                if sign == "=" { same } else { Formula::Not(boxed(same)) }
            }
            (a, b) => {
                let (a, b) = (self.as_int(at, a)?, self.as_int(right_at, b)?);
                self.keys_alone(sign_at, &a, &b)?;
                match sign {
                    "=" => Formula::Compare(Order::Equal, a, b),
                    "!=" => Formula::Compare(Order::Unequal, a, b),
                    "<" => Formula::Compare(Order::Less, a, b),
                    "<=" => Formula::Compare(Order::AtMost, a, b),
                    ">" => Formula::Compare(Order::Less, b, a),
                    ">=" => Formula::Compare(Order::AtMost, b, a),
                    _ => return self.wrong(sign_at, format!("\"{sign}\" needs sets of objects"), None),
                }
            }
        };
        Ok(Term::Formula(formula))
    }

    /// A key may only be compared with the same key of another object.
    fn keys_alone(&self, at: usize, a: &Int, b: &Int) -> Parsed<()> {
        let key = |int: &Int| match int {
            Int::Field(_, f) if *self.invariant.shape.kind(*f) == Kind::Key => Some(*f),
            _ => None,
        };
        if key(a) == key(b) {
            return Ok(());
        }
        let help = "give the field a range, such as int 0..9, to calculate with it";
        self.wrong(at, "an integer without a range is compared with something else", Some(help))
    }

    fn sum(&mut self) -> Parsed<Term> {
        let at = self.at;
        let mut left = self.product()?;
        while let Word::Sign(sign @ ("+" | "-")) = self.word() {
            self.next();
            let right_at = self.at;
            let right = self.product()?;
            left = match (left, right) {
                (Term::Set(a), Term::Set(b)) if sign == "+" => Term::Set(Set::Union(boxed(a), boxed(b))),
                (Term::Set(a), Term::Set(b)) => Term::Set(Set::Minus(boxed(a), boxed(b))),
                (a, b) => {
                    let a = self.ranged(at, a)?;
                    let b = self.ranged(right_at, b)?;
                    Term::Int(if sign == "+" { Int::Add(a, b) } else { Int::Sub(a, b) })
                }
            };
        }
        Ok(left)
    }

    /// An integer that calculations may use.
    fn ranged(&self, at: usize, term: Term) -> Parsed<Box<Int>> {
        let int = self.as_int(at, term)?;
        self.keys_alone(at, &int, &Int::Number(0))?;
        if self.invariant.magnitude(&int) > MAGNITUDE {
            return self.wrong(
                at,
                "a calculation with numbers beyond 1,000,000,000",
                Some("give fields smaller ranges"),
            );
        }
        Ok(boxed(int))
    }

    fn product(&mut self) -> Parsed<Term> {
        let at = self.at;
        let mut left = self.postfix()?;
        while let Word::Sign(sign @ ("&" | "*" | "%")) = self.word() {
            self.next();
            let right_at = self.at;
            let right = self.postfix()?;
            left = match sign {
                "&" => {
                    Term::Set(Set::Both(boxed(self.as_set(at, left)?), boxed(self.as_set(right_at, right)?)))
                }
                "*" => Term::Int(Int::Mul(self.ranged(at, left)?, self.ranged(right_at, right)?)),
                _ => match self.as_int(right_at, right)? {
                    Int::Number(n) if n > 0 && n.count_ones() == 1 => {
                        Term::Int(Int::Mod(self.ranged(at, left)?, n))
                    }
                    _ => return self.wrong(right_at, "the divisor of \"%\" must be a power of two", None),
                },
            };
        }
        Ok(left)
    }

    fn postfix(&mut self) -> Parsed<Term> {
        let at = self.at;
        let mut term = self.primary()?;
        while self.sign(".") {
            let set = self.as_set(at, term)?;
            if let Word::Name(name) = self.word() {
                let here = self.at;
                if let Some(field) = self.plain_field(here, &set, name)? {
                    self.next();
                    term = match self.invariant.shape.kind(field) {
                        Kind::Bool => Term::Formula(Formula::Flag(set, field)),
                        _ => Term::Int(Int::Field(set, field)),
                    };
                    break;
                }
            }
            let rel = self.relation_atom()?;
            term = Term::Set(Set::Join(boxed(set), rel));
        }
        Ok(term)
    }

    fn primary(&mut self) -> Parsed<Term> {
        let at = self.at;
        match self.word() {
            Word::Number(n) => {
                self.next();
                Ok(Term::Int(Int::Number(n)))
            }
            Word::Sign("-") => Ok(Term::Int(Int::Number(self.number()?))),
            Word::Sign("#") => {
                self.next();
                let here = self.at;
                let term = self.postfix()?;
                Ok(Term::Int(Int::Count(self.as_set(here, term)?)))
            }
            Word::Sign("(") => {
                self.next();
                let term = self.term()?;
                self.need(")")?;
                Ok(term)
            }
            Word::Name(name) => self.named(at, name),
            _ => self.expected("a formula, a set or an integer"),
        }
    }

    fn named(&mut self, at: usize, name: &'a str) -> Parsed<Term> {
        match name {
            "all" | "some" | "no" | "lone" | "one" => return self.unary(),
            "if" => return self.conditional(),
            "max" | "min" => return self.extreme(name == "max"),
            "sum" => return self.total(),
            _ => {}
        }
        self.next();
        match name {
            "this" => return Ok(Term::Set(Set::This)),
            "none" => return Ok(Term::Set(Set::None)),
            "true" | "false" => return Ok(Term::Formula(Formula::Constant(name == "true"))),
            _ => {}
        }
        if let Some(var) = self.scope.iter().rposition(|v| v.0 == name) {
            return Ok(Term::Set(Set::Var(Var(var as u8))));
        }
        if let Some((_, term)) = self.lets.iter().rev().find(|l| l.0 == name) {
            return Ok(term.clone());
        }
        if let Some(class) = self.invariant.shape.class(name) {
            return Ok(Term::Set(Set::Class(class)));
        }
        if let Some(fun) = self.invariant.functions.iter().position(|f| f.name == name) {
            return self.call(FunId(fun as u8));
        }
        let constants = self.invariant.shape.fields.iter().filter_map(|f| match &f.kind {
            Kind::Enum(names) => names.iter().position(|n| n == name),
            _ => None,
        });
        let values: Vec<usize> = constants.collect();
        match values.as_slice() {
            [] if KEYWORDS.contains(&name) => {
                self.at = at;
                self.expected("a formula, a set or an integer")
            }
            [] => self.wrong(at, format!("\"{name}\" is not declared"), Some("declare it before its use")),
            [first, rest @ ..] if rest.iter().all(|r| r == first) => {
                Ok(Term::Int(Int::Number(*first as i64)))
            }
            _ => self.wrong(at, format!("constant \"{name}\" has different values in two fields"), None),
        }
    }

    fn call(&mut self, fun: FunId) -> Parsed<Term> {
        self.need("(")?;
        let at = self.at;
        let term = self.sum()?;
        let set = self.as_set(at, term)?;
        if !self.lone(&set) {
            return self.wrong(at, "a function of a set that may have several members", None);
        }
        self.need(")")?;
        if usize::from(fun.0) + 1 == self.invariant.functions.len() {
            self.calls.push(set.clone());
        }
        Ok(Term::Int(Int::Call(fun, set)))
    }

    fn conditional(&mut self) -> Parsed<Term> {
        self.next();
        let condition = boxed(self.formula()?);
        if !self.keyword("then") {
            return self.expected("\"then\"");
        }
        let at = self.at;
        let term = self.term()?;
        let a = self.ranged(at, term)?;
        if !self.keyword("else") {
            return self.expected("\"else\"");
        }
        let at = self.at;
        let term = self.term()?;
        let b = self.ranged(at, term)?;
        Ok(Term::Int(Int::If(condition, a, b)))
    }

    fn extreme(&mut self, greatest: bool) -> Parsed<Term> {
        self.next();
        self.need("(")?;
        let at = self.at;
        let term = self.term()?;
        let a = self.ranged(at, term)?;
        self.need(",")?;
        let at = self.at;
        let term = self.term()?;
        let b = self.ranged(at, term)?;
        self.need(")")?;
        Ok(Term::Int(if greatest { Int::Max(a, b) } else { Int::Min(a, b) }))
    }

    /// `sum x in E: I`
    fn total(&mut self) -> Parsed<Term> {
        self.next();
        let name = self.name("a variable")?;
        if !self.keyword("in") {
            return self.expected("\"in\"");
        }
        let at = self.at;
        let term = self.sum()?;
        let domain = self.as_set(at, term)?;
        self.need(":")?;
        let var = Var(self.scope.len() as u8);
        self.scope.push((name, self.class_of(&domain)));
        let at = self.at;
        let term = self.sum()?;
        let body = self.ranged(at, term)?;
        self.scope.pop();
        Ok(Term::Int(Int::Sum(var, domain, body)))
    }
}
