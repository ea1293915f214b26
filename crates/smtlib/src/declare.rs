//! Declarations and definitions of sorts and functions; the common parts of the commands.

use crate::context::Meaning;
use crate::diagnostic::Diagnostic;
use crate::elaborate::Elaborator;
use crate::macros::Macro;
use crate::script::{Command, Reader};
use crate::sexp::Kind;
use crate::sorts::{SortMeaning, SortReader, fresh_symbol, numeral};
use evergreen_term::{Name, SortId, SymbolId, TermId};

pub(crate) type Read = Result<Command, Diagnostic>;

impl Reader<'_, '_> {
    pub(crate) fn sorts(&mut self) -> SortReader<'_, '_> {
        SortReader { context: self.context, terms: self.terms, tape: self.tape }
    }

    /// The name at `index`, if it may be declared now.
    pub(crate) fn new_name(&mut self, index: usize) -> Result<Name, Diagnostic> {
        let name = fresh_symbol(self.context, self.terms, self.tape, index)?;
        self.context.check_free(self.terms, name, self.tape.offset(index))?;
        Ok(name)
    }

    pub(crate) fn new_sort_name(&mut self, index: usize) -> Result<Name, Diagnostic> {
        let name = fresh_symbol(self.context, self.terms, self.tape, index)?;
        match self.context.sort_meaning(name) {
            SortMeaning::Unknown | SortMeaning::Poisoned => Ok(name),
            _ => {
                let text = self.terms.text(name);
                Err(self.error(index, format!("the sort \"{text}\" is declared already")))
            }
        }
    }

    pub(crate) fn list(&self, index: usize) -> Result<Vec<usize>, Diagnostic> {
        match self.tape.kind(index) {
            Kind::Open => Ok(self.tape.children(index).collect()),
            _ => Err(self.error(index, "a list expected")),
        }
    }

    /// Makes a name mean a symbol: a constant if it has no parameters.
    pub(crate) fn bind_symbol(
        &mut self,
        name: Name,
        symbol: SymbolId,
        index: usize,
    ) -> Result<(), Diagnostic> {
        let meaning = if self.terms.symbol_of(symbol).params.is_empty() {
            let constant = self.terms.apply(symbol, &[]);
            Meaning::Term(constant.map_err(|error| self.error(index, error.to_string()))?)
        } else {
            Meaning::Symbol(symbol)
        };
        self.context.bind(name, meaning);
        Ok(())
    }
}

/// `(declare-const c S)`.
pub(crate) fn constant(reader: &mut Reader<'_, '_>) -> Read {
    let [name, sort] = reader.exactly()?;
    declare(reader, name, &[], sort)
}

/// `(declare-fun f (S…) S)`.
pub(crate) fn function(reader: &mut Reader<'_, '_>) -> Read {
    let [name, params, result] = reader.exactly()?;
    let params = reader.list(params)?;
    declare(reader, name, &params, result)
}

fn declare(reader: &mut Reader<'_, '_>, index: usize, params: &[usize], result: usize) -> Read {
    let name = reader.new_name(index)?;
    let mut sorts = Vec::with_capacity(params.len());
    for &param in params {
        sorts.push(reader.sorts().sort(param)?);
    }
    let result = reader.sorts().sort(result)?;
    let symbol = reader.terms.declare(name, &sorts, result);
    reader.bind_symbol(name, symbol, index)?;
    Ok(Command::DeclareFun(symbol))
}

/// `(declare-heap (L D))`: once, since all formulas speak of one heap.
pub(crate) fn heap(reader: &mut Reader<'_, '_>) -> Read {
    let [pair] = reader.exactly()?;
    let &[location, data] = reader.list(pair)?.as_slice() else {
        return Err(reader.error(pair, "the sorts of locations and data expected"));
    };
    if reader.context.heap.is_some() {
        return Err(reader.error(reader.root, "a heap is declared already"));
    }
    reader.context.heap = Some([reader.sorts().sort(location)?, reader.sorts().sort(data)?]);
    Ok(Command::DeclareHeap)
}

/// `(declare-sort S n)`; z3 lets the number be left out.
pub(crate) fn sort(reader: &mut Reader<'_, '_>) -> Read {
    let args: Vec<usize> = reader.args().take(3).collect();
    let arity = match args.as_slice() {
        [_] => Some(0),
        [_, arity] => numeral(reader.tape, *arity),
        _ => None,
    };
    let Some(arity) = arity else {
        return Err(reader.error(reader.root, "a name and a number of arguments expected"));
    };
    let name = reader.new_sort_name(args[0])?;
    let meaning = if arity == 0 {
        let sort = evergreen_term::Sort::Uninterpreted(name, Box::new([]));
        SortMeaning::Sort(reader.terms.sort(sort))
    } else {
        SortMeaning::Declared(arity)
    };
    reader.context.bind_sort(name, meaning);
    Ok(Command::DeclareSort { name, arity })
}

/// `(define-sort S (X…) sort)`.
pub(crate) fn sort_definition(reader: &mut Reader<'_, '_>) -> Read {
    let [index, params, body] = reader.exactly()?;
    let name = reader.new_sort_name(index)?;
    let params = names(reader, params)?;
    let scheme = reader.sorts().scheme(body, &params, 0)?;
    let meaning = if params.is_empty() {
        SortMeaning::Sort(reader.sorts().instantiate(&scheme, &[], body)?)
    } else {
        SortMeaning::Defined(params.len() as u32, Box::new(scheme))
    };
    reader.context.bind_sort(name, meaning);
    Ok(Command::DefineSort(name))
}

/// A list of different symbols.
pub(crate) fn names(reader: &mut Reader<'_, '_>, list: usize) -> Result<Vec<Name>, Diagnostic> {
    let mut names = Vec::new();
    for index in reader.list(list)? {
        let name = fresh_symbol(reader.context, reader.terms, reader.tape, index)?;
        if names.contains(&name) {
            return Err(reader.error(index, "this parameter is given twice"));
        }
        names.push(name);
    }
    Ok(names)
}

/// `(define-fun f ((x S)…) S t)` or `(define-const c S t)`.
pub(crate) fn definition(reader: &mut Reader<'_, '_>) -> Read {
    let (index, params, result, body) = if reader.tape.is_word(reader.root + 1, "define-const") {
        let [name, result, body] = reader.exactly()?;
        (name, None, result, body)
    } else {
        let [name, params, result, body] = reader.exactly()?;
        reader.list(params)?;
        (name, Some(params), result, body)
    };
    let name = reader.new_name(index)?;
    let result = reader.sorts().sort(result)?;
    let (params, body) = function_body(reader, params, result, body)?;
    let meaning = if params.is_empty() {
        Meaning::Term(body)
    } else {
        reader.context.macros.push(Macro { params: params.clone().into(), body });
        Meaning::Macro(reader.context.macros.len() as u32 - 1)
    };
    reader.context.bind(name, meaning);
    Ok(Command::DefineFun { name, params, body })
}

/// Parameter sorts and elaborated body of a definition.
fn function_body(
    reader: &mut Reader<'_, '_>,
    params: Option<usize>,
    result: SortId,
    body: usize,
) -> Result<(Vec<SortId>, TermId), Diagnostic> {
    let mut elaborator = Elaborator::new(reader.context, reader.terms, reader.tape);
    let params = match params {
        Some(list) => elaborator.sorted_variables(list)?,
        None => Vec::new(),
    };
    elaborator.bind_params(&params);
    let elaborated = elaborator.term(body)?;
    drop(elaborator);
    if !elaborated.names.is_empty() {
        return Err(reader.error(body, "a named term in a definition"));
    }
    // No integer becomes a real here: solvers refuse such definitions.
    if reader.terms.sort_of(elaborated.term) != result {
        return Err(reader.error(body, "the body is not of the declared sort"));
    }
    Ok((params.into_iter().map(|p| p.1).collect(), elaborated.term))
}

/// `(define-fun-rec f ((x S)…) S t)` or `(define-funs-rec ((f ((x S)…) S)…) (t…))`.
pub(crate) fn recursive(reader: &mut Reader<'_, '_>) -> Read {
    // Name, parameters, result and body of each function.
    let mut functions: Vec<[usize; 4]> = Vec::new();
    if reader.tape.is_word(reader.root + 1, "define-fun-rec") {
        functions.push(reader.exactly()?);
    } else {
        let [declarations, bodies] = reader.exactly()?;
        let (declarations, bodies) = (reader.list(declarations)?, reader.list(bodies)?);
        if declarations.len() != bodies.len() {
            return Err(reader.error(reader.root, "as many bodies as functions expected"));
        }
        for (declaration, body) in declarations.into_iter().zip(bodies) {
            let &[name, params, result] = reader.list(declaration)?.as_slice() else {
                return Err(reader.error(declaration, "(name (variable…) sort) expected"));
            };
            functions.push([name, params, result, body]);
        }
    }
    let mut symbols = Vec::new();
    for &[index, params, result, _] in &functions {
        let name = reader.new_name(index)?;
        reader.list(params)?;
        let mut elaborator = Elaborator::new(reader.context, reader.terms, reader.tape);
        let params = elaborator.sorted_variables(params)?;
        drop(elaborator);
        let params: Vec<SortId> = params.into_iter().map(|p| p.1).collect();
        let result = reader.sorts().sort(result)?;
        let symbol = reader.terms.declare_recursive(name, &params, result);
        reader.bind_symbol(name, symbol, index)?;
        symbols.push((symbol, result));
    }
    for (&[_, params, _, body], &(symbol, result)) in functions.iter().zip(&symbols) {
        let (_, body) = function_body(reader, Some(params), result, body)?;
        reader.terms.define_recursive(symbol, body);
    }
    Ok(Command::DefineFunsRec(symbols.into_iter().map(|s| s.0).collect()))
}
