//! Declarations and definitions: sorts, functions, recursive functions, datatypes.

use crate::context::Meaning;
use crate::diagnostic::Diagnostic;
use crate::elaborate::Elaborator;
use crate::macros::Macro;
use crate::script::{Command, Reader};
use crate::sexp::Kind;
use crate::sorts::{Scheme, SortMeaning, SortReader, Template, fresh_symbol, numeral, symbol};
use evergreen_term::{Name, SortId, SymbolId, TermId};

type Read = Result<Command, Diagnostic>;

impl Reader<'_, '_> {
    fn sorts(&mut self) -> SortReader<'_, '_> {
        SortReader { context: self.context, terms: self.terms, tape: self.tape }
    }

    /// The name at `index`, if it may be declared now.
    fn new_name(&mut self, index: usize) -> Result<Name, Diagnostic> {
        let name = fresh_symbol(self.context, self.terms, self.tape, index)?;
        self.context.check_free(self.terms, name, self.tape.offset(index))?;
        Ok(name)
    }

    fn new_sort_name(&mut self, index: usize) -> Result<Name, Diagnostic> {
        let name = fresh_symbol(self.context, self.terms, self.tape, index)?;
        match self.context.sort_meaning(name) {
            SortMeaning::Unknown => Ok(name),
            _ => {
                let text = self.terms.text(name);
                Err(self.error(index, format!("the sort \"{text}\" is declared already")))
            }
        }
    }

    fn list(&self, index: usize) -> Result<Vec<usize>, Diagnostic> {
        match self.tape.kind(index) {
            Kind::Open => Ok(self.tape.children(index).collect()),
            _ => Err(self.error(index, "a list expected")),
        }
    }

    /// Makes a name mean a symbol: a constant if it has no parameters.
    fn bind_symbol(&mut self, name: Name, symbol: SymbolId, index: usize) -> Result<(), Diagnostic> {
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
fn names(reader: &mut Reader<'_, '_>, list: usize) -> Result<Vec<Name>, Diagnostic> {
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

/// A datatype as it is declared.
struct Declared {
    name: Name,
    params: Vec<Name>,
    /// Node and name of each constructor, with node, name and sort of each field.
    constructors: Vec<(usize, Name, Vec<(usize, Name, Scheme)>)>,
    /// The node of the constructors' list.
    list: usize,
}

/// `(declare-datatype D …)` or `(declare-datatypes ((D n)…) (…))`.
pub(crate) fn datatypes(reader: &mut Reader<'_, '_>) -> Read {
    let mut declared = Vec::new();
    for (name, arity, body) in datatype_parts(reader)? {
        declared.push(datatype_header(reader, name, arity, body)?);
    }
    // All names come into scope before the fields are read, so that these can mention them.
    let first_template = reader.context.templates.len();
    let mut ids = Vec::new();
    for datatype in &declared {
        if datatype.params.is_empty() {
            let (id, sort) = reader.terms.begin_datatype(datatype.name, &[]);
            reader.context.bind_sort(datatype.name, SortMeaning::Sort(sort));
            ids.push(Some(id));
        } else {
            let template = reader.context.templates.len() as u32;
            let (name, params) = (datatype.name, datatype.params.len() as u32);
            reader.context.templates.push(Template { name, params, constructors: Vec::new() });
            reader.context.bind_sort(datatype.name, SortMeaning::Template(template));
            ids.push(None);
        }
    }
    let result = datatype_bodies(reader, &mut declared, &ids, first_template as u32);
    if let Err(error) = result {
        // Half-made datatypes must not be used.
        for datatype in &declared {
            reader.context.poison_sort(datatype.name);
        }
        return Err(error);
    }
    Ok(Command::DeclareDatatypes(declared.iter().map(|d| d.name).collect()))
}

/// Name, number of parameters (if it is given) and body of each datatype.
fn datatype_parts(reader: &mut Reader<'_, '_>) -> Result<Vec<(usize, Option<u32>, usize)>, Diagnostic> {
    let [first, second] = reader.exactly()?;
    if reader.tape.is_word(reader.root + 1, "declare-datatype") {
        return Ok(vec![(first, None, second)]);
    }
    let (sorts, bodies) = (reader.list(first)?, reader.list(second)?);
    if sorts.len() != bodies.len() || sorts.is_empty() {
        return Err(reader.error(reader.root, "as many declarations as datatypes expected"));
    }
    let mut parts = Vec::new();
    for (sort, body) in sorts.into_iter().zip(bodies) {
        let &[name, arity] = reader.list(sort)?.as_slice() else {
            return Err(reader.error(sort, "(name arity) expected"));
        };
        let Some(arity) = numeral(reader.tape, arity) else {
            return Err(reader.error(arity, "a numeral expected"));
        };
        parts.push((name, Some(arity), body));
    }
    Ok(parts)
}

fn datatype_header(
    reader: &mut Reader<'_, '_>,
    name: usize,
    arity: Option<u32>,
    body: usize,
) -> Result<Declared, Diagnostic> {
    let sort_name = reader.new_sort_name(name)?;
    let parts = reader.list(body)?;
    let (params, list) = match parts.as_slice() {
        &[par, params, list] if reader.tape.is_word(par, "par") => (names(reader, params)?, list),
        _ => (Vec::new(), body),
    };
    if arity.is_some_and(|arity| arity as usize != params.len()) {
        return Err(reader.error(body, "another number of parameters than declared"));
    }
    Ok(Declared { name: sort_name, params, constructors: Vec::new(), list })
}

fn datatype_bodies(
    reader: &mut Reader<'_, '_>,
    declared: &mut [Declared],
    ids: &[Option<evergreen_term::DataId>],
    first_template: u32,
) -> Result<(), Diagnostic> {
    for datatype in declared.iter_mut() {
        datatype.constructors = constructors(reader, datatype.list, &datatype.params)?;
    }
    check_names(reader, declared)?;
    let mut template = first_template as usize;
    for datatype in declared.iter().filter(|d| !d.params.is_empty()) {
        let constructors = &mut reader.context.templates[template].constructors;
        for (_, name, fields) in &datatype.constructors {
            constructors.push((*name, fields.iter().map(|f| (f.1, f.2.clone())).collect()));
        }
        template += 1;
    }
    let mut template = first_template;
    for (datatype, id) in declared.iter().zip(ids) {
        match id {
            Some(id) => bind_plain(reader, datatype, *id)?,
            None => {
                bind_parametric(reader, datatype, template);
                template += 1;
            }
        }
    }
    Ok(())
}

/// The constructors in the list at `list`.
#[allow(clippy::type_complexity)]
fn constructors(
    reader: &mut Reader<'_, '_>,
    list: usize,
    params: &[Name],
) -> Result<Vec<(usize, Name, Vec<(usize, Name, Scheme)>)>, Diagnostic> {
    let mut constructors = Vec::new();
    for constructor in reader.list(list)? {
        let parts = match reader.tape.kind(constructor) {
            Kind::Open => reader.list(constructor)?,
            // z3 and older versions of the standard write a constant without parentheses.
            _ => vec![constructor],
        };
        let Some((&head, fields)) = parts.split_first() else {
            return Err(reader.error(constructor, "a constructor expected"));
        };
        let name = symbol(reader.terms, reader.tape, head)?;
        let mut selectors = Vec::new();
        for &field in fields {
            let &[selector, sort] = reader.list(field)?.as_slice() else {
                return Err(reader.error(field, "(selector sort) expected"));
            };
            let selector_name = symbol(reader.terms, reader.tape, selector)?;
            selectors.push((selector, selector_name, reader.sorts().scheme(sort, params, 0)?));
        }
        constructors.push((head, name, selectors));
    }
    if constructors.is_empty() {
        return Err(reader.error(list, "a datatype without constructors"));
    }
    Ok(constructors)
}

/// All constructors and selectors must have new names.
fn check_names(reader: &mut Reader<'_, '_>, declared: &[Declared]) -> Result<(), Diagnostic> {
    let mut seen = std::collections::BTreeSet::new();
    for (index, name, fields) in declared.iter().flat_map(|d| &d.constructors) {
        let selectors = fields.iter().map(|f| (f.0, f.1));
        for (index, name) in std::iter::once((*index, *name)).chain(selectors) {
            reader.context.check_free(reader.terms, name, reader.tape.offset(index))?;
            if !seen.insert(name) {
                return Err(reader.error(index, "this name is declared twice"));
            }
        }
    }
    Ok(())
}

fn bind_plain(
    reader: &mut Reader<'_, '_>,
    datatype: &Declared,
    id: evergreen_term::DataId,
) -> Result<(), Diagnostic> {
    for (number, (index, name, fields)) in datatype.constructors.iter().enumerate() {
        let mut sorts = Vec::with_capacity(fields.len());
        for (index, name, scheme) in fields {
            sorts.push((*name, reader.sorts().instantiate(scheme, &[], *index)?));
        }
        let symbol = reader.terms.add_constructor(id, *name, &sorts);
        reader.bind_symbol(*name, symbol, *index)?;
        let selectors = reader.terms.datatype(id).constructors[number].selectors.clone();
        for ((index, name, _), selector) in fields.iter().zip(selectors) {
            reader.bind_symbol(*name, selector, *index)?;
        }
    }
    Ok(())
}

fn bind_parametric(reader: &mut Reader<'_, '_>, datatype: &Declared, template: u32) {
    for (number, (_, name, fields)) in datatype.constructors.iter().enumerate() {
        let number = number as u32;
        reader.context.bind(*name, Meaning::PolyConstructor(template, number));
        for (field, (_, name, _)) in fields.iter().enumerate() {
            reader.context.bind(*name, Meaning::PolySelector(template, number, field as u32));
        }
    }
}
