//! Symbols, sorts and declarations as SMT-LIB text.

use crate::builtin::is_reserved;
use crate::print::print_function;
use crate::sexp::is_symbol_byte;
use evergreen_term::{DataId, Name, Op, Sort, SortId, SymbolId, SymbolKind, TermId, Terms};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The text of a symbol, between bars if it needs them.
pub fn print_symbol(text: &str) -> String {
    let mut out = String::new();
    push_symbol(text, &mut out);
    out
}

pub(crate) fn push_symbol(text: &str, out: &mut String) {
    let simple = text.bytes().all(is_symbol_byte)
        && text.bytes().next().is_some_and(|b| !b.is_ascii_digit())
        && !is_reserved(text);
    if simple {
        out.push_str(text);
    } else {
        out.push('|');
        out.push_str(text);
        out.push('|');
    }
}

/// The text of a sort.
pub fn print_sort(terms: &Terms, sort: SortId) -> String {
    let mut out = String::new();
    push_sort(terms, sort, &mut out);
    out
}

/// Appends the text of a sort. Sorts nest a few hundred levels at most (see the reader).
pub(crate) fn push_sort(terms: &Terms, sort: SortId, out: &mut String) {
    match terms.sort_kind(sort) {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Real => out.push_str("Real"),
        Sort::String => out.push_str("String"),
        Sort::RegLan => out.push_str("RegLan"),
        Sort::RoundingMode => out.push_str("RoundingMode"),
        Sort::BitVec(width) => {
            let _ = write!(out, "(_ BitVec {width})");
        }
        Sort::Float(exponent, significand) => {
            let _ = write!(out, "(_ FloatingPoint {exponent} {significand})");
        }
        Sort::Array(index, element) => push_applied(terms, "Array", &[*index, *element], out),
        Sort::Seq(element) => push_applied(terms, "Seq", &[*element], out),
        Sort::Uninterpreted(name, args) => push_applied(terms, terms.text(*name), args, out),
        Sort::Opaque(name, args) => push_opaque(terms, terms.text(*name), args, out),
        Sort::Datatype(id) => {
            let datatype = terms.datatype(*id);
            push_applied(terms, terms.text(datatype.name), &datatype.args, out);
        }
    }
}

fn push_applied(terms: &Terms, name: &str, args: &[SortId], out: &mut String) {
    if args.is_empty() {
        return push_symbol(name, out);
    }
    out.push('(');
    push_symbol(name, out);
    for arg in args {
        out.push(' ');
        push_sort(terms, *arg, out);
    }
    out.push(')');
}

/// As it is written: `Set`, `->` and `(_ FiniteField 7)` are no symbols of the script.
fn push_opaque(terms: &Terms, text: &str, args: &[SortId], out: &mut String) {
    if args.is_empty() {
        return out.push_str(text);
    }
    out.push('(');
    out.push_str(text);
    for arg in args {
        out.push(' ');
        push_sort(terms, *arg, out);
    }
    out.push(')');
}

/// `(declare-fun f (…) S)`.
pub fn print_declaration(terms: &Terms, symbol: SymbolId) -> String {
    let declared = terms.symbol_of(symbol);
    let mut out = String::from("(declare-fun ");
    push_symbol(terms.symbol_text(symbol), &mut out);
    out.push_str(" (");
    for (i, sort) in declared.params.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { " " });
        push_sort(terms, *sort, &mut out);
    }
    out.push_str(") ");
    push_sort(terms, declared.result, &mut out);
    out.push(')');
    out
}

/// All that must be declared before the terms can be read again: sorts, datatypes, functions,
/// recursive definitions, one command per line.
///
/// Instances of parametric datatypes cannot be declared from their terms alone, nor can two
/// symbols with the same name: then the reason is returned instead.
pub fn print_declarations(terms: &Terms, roots: &[TermId]) -> Result<String, String> {
    let mut needs = Needs::new(terms);
    needs.visit_terms(roots);
    needs.check_names()?;
    let mut out = String::new();
    for (name, arity) in &needs.declared {
        out.push_str("(declare-sort ");
        push_symbol(terms.text(*name), &mut out);
        let _ = writeln!(out, " {arity})");
    }
    push_datatypes(terms, &needs.datatypes, &mut out)?;
    for symbol in &needs.symbols {
        if terms.symbol_of(*symbol).kind == SymbolKind::Free {
            out.push_str(&print_declaration(terms, *symbol));
            out.push('\n');
        }
    }
    push_recursive(terms, &needs.symbols, &mut out)?;
    Ok(out)
}

/// The sorts and symbols that a set of terms mentions.
struct Needs<'t> {
    terms: &'t Terms,
    declared: BTreeSet<(Name, usize)>,
    datatypes: BTreeSet<DataId>,
    symbols: BTreeSet<SymbolId>,
    sorts: BTreeSet<SortId>,
    seen: rustc_hash::FxHashSet<TermId>,
}

impl<'t> Needs<'t> {
    fn new(terms: &'t Terms) -> Needs<'t> {
        Needs {
            terms,
            declared: BTreeSet::new(),
            datatypes: BTreeSet::new(),
            symbols: BTreeSet::new(),
            sorts: BTreeSet::new(),
            seen: rustc_hash::FxHashSet::default(),
        }
    }

    fn visit_terms(&mut self, roots: &[TermId]) {
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            self.visit_sort(self.terms.sort_of(term));
            match self.terms.op(term) {
                Op::Apply(symbol) | Op::Is(symbol) | Op::Update(symbol) | Op::Function(symbol)
                    if self.symbols.insert(symbol) =>
                {
                    let declared = self.terms.symbol_of(symbol);
                    declared.params.iter().for_each(|sort| self.visit_sort(*sort));
                    self.visit_sort(declared.result);
                    stack.extend(self.terms.definition(symbol).map(|d| d.body));
                }
                Op::Opaque(id) => {
                    self.terms.opaque_of(id).sorts.iter().for_each(|sort| self.visit_sort(*sort));
                }
                Op::Quantifier(_, binder) => {
                    let binder = self.terms.binder_of(binder);
                    binder.sorts.iter().for_each(|sort| self.visit_sort(*sort));
                }
                _ => {}
            }
            stack.extend_from_slice(self.terms.args(term));
        }
    }

    fn visit_sort(&mut self, sort: SortId) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if !self.sorts.insert(sort) {
                continue;
            }
            match self.terms.sort_kind(sort) {
                Sort::Array(index, element) => stack.extend([*index, *element]),
                Sort::Seq(element) => stack.push(*element),
                Sort::Opaque(_, args) => stack.extend(args.iter()),
                Sort::Uninterpreted(name, args) => {
                    self.declared.insert((*name, args.len()));
                    stack.extend(args.iter());
                }
                Sort::Datatype(id) => {
                    self.datatypes.insert(*id);
                    for constructor in &self.terms.datatype(*id).constructors {
                        stack.extend(self.terms.symbol_of(constructor.symbol).params.iter());
                    }
                }
                _ => {}
            }
        }
    }

    /// One name must stand for one thing.
    fn check_names(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        let mut symbols = self.symbols.clone();
        for id in &self.datatypes {
            for constructor in &self.terms.datatype(*id).constructors {
                symbols.insert(constructor.symbol);
                symbols.extend(constructor.selectors.iter().copied());
            }
        }
        for symbol in symbols {
            if !names.insert(self.terms.symbol_of(symbol).name) {
                let text = self.terms.symbol_text(symbol);
                return Err(format!("two symbols are called \"{text}\""));
            }
        }
        let datatypes = self.datatypes.iter().map(|id| self.terms.datatype(*id).name);
        let mut sorts = BTreeSet::new();
        for name in self.declared.iter().map(|d| d.0).chain(datatypes) {
            if !sorts.insert(name) {
                return Err(format!("two sorts are called \"{}\"", self.terms.text(name)));
            }
        }
        Ok(())
    }
}

fn push_datatypes(terms: &Terms, datatypes: &BTreeSet<DataId>, out: &mut String) -> Result<(), String> {
    if datatypes.is_empty() {
        return Ok(());
    }
    let (mut heads, mut bodies) = (String::new(), String::new());
    for (i, id) in datatypes.iter().enumerate() {
        let datatype = terms.datatype(*id);
        let text = terms.text(datatype.name);
        if !datatype.args.is_empty() {
            return Err(format!("\"{text}\" is an instance of a parametric datatype"));
        }
        let space = if i == 0 { "" } else { " " };
        let _ = write!(heads, "{space}({} 0)", print_symbol(text));
        let _ = write!(bodies, "{space}(");
        for (i, constructor) in datatype.constructors.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let _ = write!(bodies, "{space}({}", print_symbol(terms.symbol_text(constructor.symbol)));
            for selector in &constructor.selectors {
                let _ = write!(bodies, " ({} ", print_symbol(terms.symbol_text(*selector)));
                push_sort(terms, terms.symbol_of(*selector).result, &mut bodies);
                bodies.push(')');
            }
            bodies.push(')');
        }
        bodies.push(')');
    }
    let _ = writeln!(out, "(declare-datatypes ({heads}) ({bodies}))");
    Ok(())
}

fn push_recursive(terms: &Terms, symbols: &BTreeSet<SymbolId>, out: &mut String) -> Result<(), String> {
    let (mut heads, mut bodies) = (String::new(), String::new());
    for symbol in symbols {
        let declared = terms.symbol_of(*symbol);
        if !matches!(declared.kind, SymbolKind::Defined(_)) {
            continue;
        }
        let text = terms.symbol_text(*symbol);
        let definition = terms.definition(*symbol).ok_or_else(|| format!("\"{text}\" has no definition"))?;
        let (params, body) = print_function(terms, &declared.params, definition.body);
        let space = if heads.is_empty() { "" } else { " " };
        let _ = write!(heads, "{space}({} {params} ", print_symbol(text));
        push_sort(terms, declared.result, &mut heads);
        heads.push(')');
        let _ = write!(bodies, "{space}{body}");
    }
    if !heads.is_empty() {
        let _ = writeln!(out, "(define-funs-rec ({heads}) ({bodies}))");
    }
    Ok(())
}
