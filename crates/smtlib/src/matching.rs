//! `match` over datatypes, read as tests and selections.
//!
//! `(match t ((nil a) ((cons x y) b)))` becomes `(ite ((_ is nil) t) a b[x := (hd t), y := (tl t)])`.
//! The cases must cover every constructor, as the standard demands; then the last one needs no test.

use crate::context::{Meaning, coerce};
use crate::diagnostic::Diagnostic;
use crate::elaborate::{Elaborator, Frame};
use crate::sexp::Kind;
use crate::sorts::{fresh_symbol, name};
use evergreen_term::{DataId, Fun, Name, Sort, SortId, SymbolId, TermId, Terms};

/// The cases of a match, as far as they are read.
#[derive(Debug)]
pub(crate) struct Cases {
    scrutinee: TermId,
    datatype: DataId,
    /// The node at which the match begins.
    pub(crate) open: u32,
    /// Constructor (none: any) and result of each case; the last one's result may be missing yet.
    cases: Vec<(Option<SymbolId>, Option<TermId>)>,
}

impl Cases {
    pub(crate) fn new(terms: &Terms, scrutinee: TermId, open: u32) -> Result<Cases, String> {
        match *terms.sort_kind(terms.sort_of(scrutinee)) {
            Sort::Datatype(datatype) => Ok(Cases { scrutinee, datatype, open, cases: Vec::new() }),
            _ => Err("only a value of a datatype can be matched".into()),
        }
    }

    /// Reads the pattern at `index` and returns its bindings.
    pub(crate) fn begin(
        &mut self,
        elaborator: &mut Elaborator<'_, '_>,
        index: usize,
    ) -> Result<Vec<(Name, TermId)>, Diagnostic> {
        let tape = elaborator.tape;
        let parts: Vec<usize> = match tape.kind(index) {
            Kind::Symbol | Kind::Quoted => vec![index],
            Kind::Open => tape.children(index).collect(),
            _ => Vec::new(),
        };
        let Some((&head, variables)) = parts.split_first() else {
            return Err(elaborator.error_at(index, "a pattern expected"));
        };
        if !matches!(tape.kind(head), Kind::Symbol | Kind::Quoted) {
            return Err(elaborator.error_at(head, "a constructor expected"));
        }
        let head_name = name(elaborator.terms, tape, head);
        let Some(number) = self.constructor_number(elaborator.terms, head_name) else {
            return self.begin_any(elaborator, head, variables);
        };
        let constructor = elaborator.terms.datatype(self.datatype).constructors[number].clone();
        if constructor.selectors.len() != variables.len() {
            let wanted = constructor.selectors.len();
            return Err(elaborator.error_at(index, format!("the constructor has {wanted} arguments")));
        }
        let mut bindings = Vec::new();
        for (&variable, &selector) in variables.iter().zip(&constructor.selectors) {
            if tape.is_word(variable, "_") {
                continue;
            }
            let name = fresh_symbol(elaborator.context, elaborator.terms, tape, variable)?;
            let field = elaborator.terms.apply(selector, &[self.scrutinee]);
            let field = field.map_err(|error| elaborator.error_at(variable, error.to_string()))?;
            if bindings.iter().any(|b: &(Name, TermId)| b.0 == name) {
                return Err(elaborator.error_at(variable, "this variable is bound twice"));
            }
            bindings.push((name, field));
        }
        self.cases.push((Some(constructor.symbol), None));
        Ok(bindings)
    }

    /// A variable or `_` as pattern: it matches everything.
    fn begin_any(
        &mut self,
        elaborator: &mut Elaborator<'_, '_>,
        head: usize,
        variables: &[usize],
    ) -> Result<Vec<(Name, TermId)>, Diagnostic> {
        let tape = elaborator.tape;
        if !variables.is_empty() {
            return Err(elaborator.error_at(head, "not a constructor of the matched datatype"));
        }
        self.cases.push((None, None));
        if tape.is_word(head, "_") {
            return Ok(Vec::new());
        }
        let name = fresh_symbol(elaborator.context, elaborator.terms, tape, head)?;
        let constructor = elaborator.context.constructor(elaborator.terms, name).is_some();
        if constructor || matches!(elaborator.context.meaning(name), Meaning::PolyConstructor(..)) {
            return Err(elaborator.error_at(head, "a constructor of another datatype"));
        }
        Ok(vec![(name, self.scrutinee)])
    }

    fn constructor_number(&self, terms: &Terms, name: Name) -> Option<usize> {
        let constructors = &terms.datatype(self.datatype).constructors;
        constructors.iter().position(|c| terms.symbol_of(c.symbol).name == name)
    }

    /// Records the result of the case that was begun last.
    pub(crate) fn end(&mut self, result: TermId) {
        if let Some(case) = self.cases.last_mut() {
            case.1 = Some(result);
        }
    }

    /// The whole match as a term.
    pub(crate) fn finish(mut self, terms: &mut Terms) -> Result<TermId, String> {
        // The first case that matches counts: cases after a variable are never reached.
        if let Some(any) = self.cases.iter().position(|c| c.0.is_none()) {
            self.cases.truncate(any + 1);
        } else {
            for constructor in &terms.datatype(self.datatype).constructors {
                if !self.cases.iter().any(|c| c.0 == Some(constructor.symbol)) {
                    let text = terms.symbol_text(constructor.symbol);
                    return Err(format!("the match has no case for \"{text}\""));
                }
            }
        }
        let mut results = Vec::new();
        for (constructor, result) in self.cases {
            results.push((constructor, result.ok_or("a case without a result")?));
        }
        let real = results.iter().any(|r| terms.sort_of(r.1) == SortId::REAL);
        let Some((_, last)) = results.pop() else { return Err("a match without cases".into()) };
        let unify = |terms: &mut Terms, term| {
            if real { coerce(terms, term, SortId::REAL).unwrap_or(term) } else { term }
        };
        let mut value = unify(terms, last);
        for (constructor, result) in results.into_iter().rev() {
            let Some(constructor) = constructor else { continue };
            let test = terms.is(constructor, self.scrutinee).map_err(|e| e.to_string())?;
            let result = unify(terms, result);
            value = terms.app(Fun::Ite, &[test, result, value]).map_err(|e| e.to_string())?;
        }
        Ok(value)
    }
}

impl Elaborator<'_, '_> {
    /// At the list of cases of a match, whose scrutinee is read.
    pub(crate) fn begin_cases(&mut self, base: u32, open: u32) -> Result<(), Diagnostic> {
        self.one_value(base, open)?;
        self.frames.pop();
        let scrutinee = self.values[base as usize];
        self.values.truncate(base as usize);
        let cases = Cases::new(self.terms, scrutinee, open)
            .map_err(|message| self.error_at(open as usize, message))?;
        self.frames.push(Frame::Cases(Box::new(cases)));
        self.begin_case(self.at + 1)
    }

    /// At `(pattern term)` of a match.
    pub(crate) fn begin_case(&mut self, open: usize) -> Result<(), Diagnostic> {
        if self.tape.kind(open) != Kind::Open {
            return Err(self.error_at(open, "a case (pattern term) expected"));
        }
        let locals = self.locals.len() as u32;
        let Some(Frame::Cases(mut cases)) = self.frames.pop() else {
            return Err(self.error_at(open, "a match expected"));
        };
        let bindings = cases.begin(self, open + 1)?;
        for (name, term) in bindings {
            self.bind_local(name, term);
        }
        self.frames.push(Frame::Cases(cases));
        self.frames.push(Frame::Case { base: self.base(), locals, open: open as u32 });
        self.at = self.tape.next(open + 1);
        Ok(())
    }

    pub(crate) fn close_case(&mut self, base: u32, locals: u32, open: u32) -> Result<(), Diagnostic> {
        self.one_value(base, open)?;
        self.restore_locals(locals);
        let value = self.values.pop();
        if let (Some(Frame::Cases(cases)), Some(value)) = (self.frames.last_mut(), value) {
            cases.end(value);
        }
        if self.tape.kind(self.at) == Kind::Close {
            return Ok(());
        }
        self.begin_case(self.at)
    }
}
