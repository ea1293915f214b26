//! Terms, sorts and values back to SMT-LIB text.
//!
//! A term that is used twice and is not small is printed once, in a `let`. Lets are laid out in rounds: a
//! subterm's let stands outside of those that use it, so no let is ever recursive, and the body of each
//! quantifier has lets of its own for terms with its variables. Nothing recurses, so a deep term prints like
//! any other. Bound variables are named by their level; a level that is bound again inside hides the outer
//! one, in the text as in the arena.

use crate::print_sort::{push_sort, push_symbol};
use crate::print_value::push_spelled;
use crate::spelling::Spelling;
use evergreen_term::{Op, Opaque, Quantifier, Sort, SortId, SymbolId, SymbolKind, TermId, Terms, Traits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// The text of a term.
pub fn print_term(terms: &Terms, term: TermId) -> String {
    let mut out = String::new();
    write_term(terms, term, &mut out);
    out
}

/// Appends the text of a term.
pub fn write_term(terms: &Terms, term: TermId, out: &mut String) {
    let mut printer = Printer::new(terms, &[term]);
    printer.region(term, true, out);
}

/// The parameter list and the body of a function over the bound variables of levels
/// `0..params.len()`: `((?0 Int)) ` and `(+ ?0 1)`.
pub fn print_function(terms: &Terms, params: &[SortId], body: TermId) -> (String, String) {
    print_function_spelled(terms, params, body, Spelling::Standard)
}

/// As [`print_function`], with the parameters and values as a solver writes them.
pub fn print_function_spelled(
    terms: &Terms,
    params: &[SortId],
    body: TermId,
    spelling: Spelling,
) -> (String, String) {
    let mut printer = Printer::spelled(terms, &[body], spelling);
    let mut head = String::from("(");
    printer.variables(0, params, &mut head);
    head.push(')');
    let mut out = String::new();
    printer.region(body, true, &mut out);
    (head, out)
}

/// A step of printing: an explicit stack of these replaces recursion.
enum Step {
    Term(TermId),
    Text(&'static str),
    /// A quantifier's body, which has lets of its own.
    Region(TermId),
    /// The name of a let and its term.
    Define(u32, TermId),
    /// The region ends: its names, those above this length, go out of scope.
    Leave {
        names: usize,
        region: u32,
    },
}

/// A let that is in force.
struct Named {
    number: u32,
    region: u32,
}

struct Printer<'t> {
    terms: &'t Terms,
    /// The prefix of the names of bound variables.
    prefix: String,
    /// The prefix of the names of lets.
    lets: String,
    /// The number of the variable of level 0.
    first: u32,
    spelling: Spelling,
    /// The lets in force, and their order.
    named: FxHashMap<TermId, Named>,
    order: Vec<TermId>,
    next: u32,
    /// The region being printed, and the number of regions so far.
    region: u32,
    regions: u32,
    /// The free variables of terms that have bound ones.
    free: FxHashMap<TermId, Levels>,
}

/// A set of levels: exact below 127, beyond that the last bit says "perhaps".
type Levels = u128;

impl<'t> Printer<'t> {
    fn new(terms: &'t Terms, roots: &[TermId]) -> Printer<'t> {
        Printer::spelled(terms, roots, Spelling::Standard)
    }

    fn spelled(terms: &'t Terms, roots: &[TermId], spelling: Spelling) -> Printer<'t> {
        let (prefix, first) = spelling.parameters();
        let (prefix, free) = survey(terms, roots, prefix);
        let named = spelling.lets().filter(|(lets, _)| !is_taken(terms, roots, lets));
        let (lets, next) = named.map_or((format!("{prefix}l"), 0), |(lets, next)| (lets.to_string(), next));
        Printer {
            terms,
            prefix,
            lets,
            first,
            spelling,
            named: FxHashMap::default(),
            order: Vec::new(),
            next,
            region: 0,
            regions: 0,
            free,
        }
    }

    /// Whether a term means the same everywhere.
    fn is_closed(&self, term: TermId) -> bool {
        self.free.get(&term).is_none_or(|levels| *levels == 0)
    }

    /// The let of a term, if it may be used here. A let with free variables is used only in the region that
    /// defines it: inside of another binder the same levels may be other variables.
    fn name_of(&self, term: TermId) -> Option<u32> {
        let named = self.named.get(&term)?;
        (named.region == self.region || self.is_closed(term)).then_some(named.number)
    }

    /// Prints a term with the lets that it needs. The outermost region also defines closed terms that
    /// the regions inside share.
    fn region(&mut self, root: TermId, outermost: bool, out: &mut String) {
        let mut steps = Vec::new();
        self.open_region(root, outermost, &mut steps);
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(text) => out.push_str(text),
                Step::Term(term) => match self.name_of(term) {
                    Some(number) => {
                        let _ = write!(out, "{}{number}", self.lets);
                    }
                    None => self.application(term, &mut steps, out),
                },
                Step::Define(number, term) => {
                    let _ = write!(out, "(let (({}{number} ", self.lets);
                    self.application(term, &mut steps, out);
                }
                Step::Region(body) => self.open_region(body, false, &mut steps),
                Step::Leave { names, region } => {
                    for term in self.order.drain(names..) {
                        self.named.remove(&term);
                    }
                    self.region = region;
                }
            }
        }
    }

    /// Pushes the steps that print a region.
    fn open_region(&mut self, root: TermId, outermost: bool, steps: &mut Vec<Step>) {
        steps.push(Step::Leave { names: self.order.len(), region: self.region });
        self.regions += 1;
        self.region = self.regions;
        let shared = self.shared(root, outermost);
        for _ in &shared {
            steps.push(Step::Text(")"));
        }
        steps.push(Step::Term(root));
        let first = self.next;
        self.next += shared.len() as u32;
        for (i, term) in shared.iter().enumerate().rev() {
            steps.push(Step::Text(")) "));
            steps.push(Step::Define(first + i as u32, *term));
        }
        for (i, term) in shared.into_iter().enumerate() {
            self.named.insert(term, Named { number: first + i as u32, region: self.region });
            self.order.push(term);
        }
    }

    /// The terms that the region of `root` needs lets for, arguments before the terms that use them. A region
    /// ends at quantifiers; the outermost continues below them, for closed terms.
    fn shared(&self, root: TermId, outermost: bool) -> Vec<TermId> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut below: FxHashSet<TermId> = FxHashSet::default();
        let mut shared = Vec::new();
        let mut inside = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.name_of(term).is_some() || !self.is_large(term) {
                continue;
            }
            if !self.count_use(term, root, &mut uses, &mut shared) {
                continue;
            }
            match self.terms.op(term) {
                Op::Quantifier(..) => inside.extend_from_slice(self.terms.args(term)),
                _ => stack.extend_from_slice(self.terms.args(term)),
            }
        }
        while let Some(term) = inside.pop().filter(|_| outermost) {
            if !self.is_large(term) {
                continue;
            }
            let first = if self.is_closed(term) {
                self.count_use(term, root, &mut uses, &mut shared)
            } else {
                below.insert(term)
            };
            if first {
                inside.extend_from_slice(self.terms.args(term));
            }
        }
        // Arguments have smaller ids than the terms that use them.
        shared.sort_unstable();
        shared
    }

    /// Counts a use; true if it is the first. At the second the term becomes shared.
    fn count_use(
        &self,
        term: TermId,
        root: TermId,
        uses: &mut FxHashMap<TermId, u32>,
        shared: &mut Vec<TermId>,
    ) -> bool {
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if *count == 2 && term != root {
            shared.push(term);
        }
        *count == 1
    }

    /// Worth a let: more than a symbol or a literal.
    fn is_large(&self, term: TermId) -> bool {
        !self.terms.args(term).is_empty()
    }

    /// `(?0 Int) (?1 Bool)`: variables from `first` on.
    fn variables(&self, first: u32, sorts: &[SortId], out: &mut String) {
        for (i, sort) in sorts.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let _ = write!(out, "{space}({}{} ", self.prefix, (self.first + first) as usize + i);
            push_sort(self.terms, *sort, out);
            out.push(')');
        }
    }

    /// Prints the head of a term and pushes the rest.
    fn application(&self, term: TermId, steps: &mut Vec<Step>, out: &mut String) {
        let args = self.terms.args(term);
        if let Op::Quantifier(quantifier, binder) = self.terms.op(term) {
            let binder = self.terms.binder_of(binder);
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Lambda => "lambda",
            };
            let _ = write!(out, "({word} (");
            self.variables(binder.first_level, &binder.sorts, out);
            out.push_str(") ");
            self.quantified(&binder.patterns, args, steps, out);
            return;
        }
        if args.is_empty() {
            self.head(term, out);
            return;
        }
        out.push('(');
        let start = out.len();
        self.head(term, out);
        // What is applied may be the first argument.
        let first = if out.len() == start { "" } else { " " };
        steps.push(Step::Text(")"));
        for (i, &arg) in args.iter().enumerate().rev() {
            steps.push(Step::Term(arg));
            steps.push(Step::Text(if i == 0 { first } else { " " }));
        }
    }

    /// The body of a quantifier with its patterns.
    fn quantified(&self, patterns: &[u32], args: &[TermId], steps: &mut Vec<Step>, out: &mut String) {
        if patterns.is_empty() {
            steps.push(Step::Text(")"));
            steps.push(Step::Region(args[0]));
            return;
        }
        out.push_str("(! ");
        steps.push(Step::Text("))"));
        let mut end = args.len();
        for &count in patterns.iter().rev() {
            let start = end - count as usize;
            steps.push(Step::Text(")"));
            for (i, &term) in args[start..end].iter().enumerate().rev() {
                steps.push(Step::Region(term));
                steps.push(Step::Text(if i == 0 { "" } else { " " }));
            }
            steps.push(Step::Text(" :pattern ("));
            end = start;
        }
        steps.push(Step::Region(args[0]));
    }

    /// The function of a term, or the whole term if it has no arguments.
    fn head(&self, term: TermId, out: &mut String) {
        let terms = self.terms;
        match terms.op(term) {
            Op::Literal(id) => push_spelled(terms, terms.literal_value(id), self.spelling, out),
            Op::Apply(symbol) => push_applied(terms, symbol, out),
            Op::Bound(level) => {
                let _ = write!(out, "{}{}", self.prefix, self.first + level);
            }
            Op::Fun(fun) => out.push_str(fun.name()),
            Op::Indexed(fun, i, j) => {
                let _ = match fun.index_count() {
                    1 => write!(out, "(_ {} {i})", fun.name()),
                    _ => write!(out, "(_ {} {i} {j})", fun.name()),
                };
            }
            Op::ConstArray => self.qualified("const", term, out),
            Op::SeqEmpty => self.qualified("seq.empty", term, out),
            Op::Is(constructor) => {
                out.push_str("(_ is ");
                push_symbol(terms.symbol_text(constructor), out);
                out.push(')');
            }
            Op::Update(selector) => {
                out.push_str("(_ update-field ");
                push_symbol(terms.symbol_text(selector), out);
                out.push(')');
            }
            Op::Opaque(id) => self.opaque(terms.opaque_of(id), out),
            Op::Function(symbol) => push_symbol(terms.symbol_text(symbol), out),
            // Printed with its variables by `application`.
            Op::Quantifier(..) => {}
        }
    }

    /// A function of a solver's own, with its sorts in their places.
    fn opaque(&self, opaque: &Opaque, out: &mut String) {
        let mut sorts = opaque.sorts.iter();
        for piece in opaque.text.split_inclusive('%') {
            match (piece.strip_suffix('%'), sorts.len()) {
                (Some(text), 1..) => {
                    out.push_str(text);
                    sorts.by_ref().take(1).for_each(|sort| push_sort(self.terms, *sort, out));
                }
                _ => out.push_str(piece),
            }
        }
    }

    fn qualified(&self, name: &str, term: TermId, out: &mut String) {
        let _ = write!(out, "(as {name} ");
        push_sort(self.terms, self.terms.sort_of(term), out);
        out.push(')');
    }
}

/// A symbol where it is applied: constructors of parametric datatypes need their sort.
pub(crate) fn push_applied(terms: &Terms, symbol: SymbolId, out: &mut String) {
    let text = terms.symbol_text(symbol);
    let declared = terms.symbol_of(symbol);
    let parametric = match (declared.kind, terms.sort_kind(declared.result)) {
        (SymbolKind::Constructor(..), Sort::Datatype(id)) => !terms.datatype(*id).args.is_empty(),
        _ => false,
    };
    if !parametric {
        push_symbol(text, out);
        return;
    }
    out.push_str("(as ");
    push_symbol(text, out);
    out.push(' ');
    push_sort(terms, declared.result, out);
    out.push(')');
}

/// Whether a symbol of the terms begins with a text.
fn is_taken(terms: &Terms, roots: &[TermId], prefix: &str) -> bool {
    let (mut seen, mut stack) = (FxHashSet::default(), roots.to_vec());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(symbol) | Op::Is(symbol) | Op::Update(symbol) | Op::Function(symbol) = terms.op(term)
            && terms.symbol_text(symbol).starts_with(prefix)
        {
            return true;
        }
        stack.extend_from_slice(terms.args(term));
    }
    false
}

/// A prefix for variables that no symbol of the terms begins with, the wanted one if it can be, and the free
/// variables of all terms that have bound ones.
fn survey(terms: &Terms, roots: &[TermId], wanted: &str) -> (String, FxHashMap<TermId, Levels>) {
    let mut prefix = String::from(wanted);
    let mut taken: Vec<&str> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut bound = Vec::new();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(symbol) | Op::Is(symbol) | Op::Update(symbol) | Op::Function(symbol) = terms.op(term)
        {
            let text = terms.symbol_text(symbol);
            if text.starts_with(wanted) {
                taken.push(text);
            }
        }
        if terms.traits(term).has(Traits::BOUND) {
            bound.push(term);
        }
        stack.extend_from_slice(terms.args(term));
    }
    while taken.iter().any(|text| text.starts_with(&prefix)) {
        prefix.push('?');
    }
    // Arguments first.
    bound.sort_unstable();
    let mut free: FxHashMap<TermId, Levels> = FxHashMap::default();
    for term in bound {
        let below = terms.args(term).iter().fold(0, |all, arg| all | free.get(arg).copied().unwrap_or(0));
        let levels = match terms.op(term) {
            Op::Bound(level) => 1 << level.min(127),
            Op::Quantifier(_, binder) => {
                let binder = terms.binder_of(binder);
                let last = binder.first_level.saturating_add(binder.sorts.len() as u32);
                (binder.first_level.min(127)..last.min(127)).fold(below, |all, level| all & !(1 << level))
            }
            _ => below,
        };
        free.insert(term, levels);
    }
    (prefix, free)
}
