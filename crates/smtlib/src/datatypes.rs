//! Declarations of datatypes, plain and parametric.

use crate::context::Meaning;
use crate::declare::{Read, names};
use crate::diagnostic::Diagnostic;
use crate::script::{Command, Reader};
use crate::sexp::Kind;
use crate::sorts::{Scheme, SortMeaning, Template, numeral, symbol};
use evergreen_term::{DataId, Name};

/// A datatype as it is declared.
struct Declared {
    name: Name,
    params: Vec<Name>,
    constructors: Vec<DeclaredConstructor>,
    /// The node of the constructors' list.
    list: usize,
    /// Whether the list begins with the name of the datatype.
    is_headed: bool,
}

/// A constructor as it is declared: its node and its name.
struct DeclaredConstructor {
    index: usize,
    name: Name,
    /// Node, name and sort of each field.
    fields: Vec<(usize, Name, Scheme)>,
}

/// `(declare-datatype D …)` or `(declare-datatypes ((D n)…) (…))`.
pub(crate) fn declare(reader: &mut Reader<'_, '_>) -> Read {
    let mut declared = Vec::new();
    if is_old(reader)? {
        old_parts(reader, &mut declared)?;
    } else {
        for (name, arity, body) in datatype_parts(reader)? {
            declared.push(datatype_header(reader, name, arity, body)?);
        }
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

/// Whether the datatypes are declared as in version 2.0 of the standard, which z3 reads: `(declare-datatypes
/// (T) ((List nil (cons (head T) (tail List)))))`.
fn is_old(reader: &mut Reader<'_, '_>) -> Result<bool, Diagnostic> {
    if !reader.context.is_z3 || reader.tape.is_word(reader.root + 1, "declare-datatype") {
        return Ok(false);
    }
    let [first, _] = reader.exactly()?;
    let params = reader.list(first)?;
    Ok(params.iter().all(|&param| reader.tape.kind(param) != Kind::Open))
}

fn old_parts(reader: &mut Reader<'_, '_>, declared: &mut Vec<Declared>) -> Result<(), Diagnostic> {
    let [first, second] = reader.exactly()?;
    let params = if reader.list(first)?.is_empty() { Vec::new() } else { names(reader, first)? };
    let bodies = reader.list(second)?;
    if bodies.is_empty() {
        return Err(reader.error(second, "as many declarations as datatypes expected"));
    }
    for body in bodies {
        let Some(&head) = reader.list(body)?.first() else {
            return Err(reader.error(body, "a datatype expected"));
        };
        let name = reader.new_sort_name(head)?;
        let (params, constructors) = (params.clone(), Vec::new());
        declared.push(Declared { name, params, constructors, list: body, is_headed: true });
    }
    Ok(())
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
    Ok(Declared { name: sort_name, params, constructors: Vec::new(), list, is_headed: false })
}

fn datatype_bodies(
    reader: &mut Reader<'_, '_>,
    declared: &mut [Declared],
    ids: &[Option<DataId>],
    first_template: u32,
) -> Result<(), Diagnostic> {
    for datatype in declared.iter_mut() {
        let skipped = usize::from(datatype.is_headed);
        datatype.constructors = constructors(reader, datatype.list, skipped, &datatype.params)?;
    }
    check_names(reader, declared)?;
    let parametric = declared.iter().filter(|d| !d.params.is_empty());
    for (template, datatype) in reader.context.templates[first_template as usize..].iter_mut().zip(parametric)
    {
        for DeclaredConstructor { name, fields, .. } in &datatype.constructors {
            let fields = fields.iter().map(|f| (f.1, f.2.clone())).collect();
            template.constructors.push((*name, fields));
        }
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
fn constructors(
    reader: &mut Reader<'_, '_>,
    list: usize,
    skipped: usize,
    params: &[Name],
) -> Result<Vec<DeclaredConstructor>, Diagnostic> {
    let mut constructors = Vec::new();
    for constructor in reader.list(list)?.into_iter().skip(skipped) {
        let parts = match reader.tape.kind(constructor) {
            Kind::Open => reader.list(constructor)?,
            // z3 and older versions of the standard write a constant without parentheses.
            _ => vec![constructor],
        };
        let Some((&head, fields)) = parts.split_first() else {
            return Err(reader.error(constructor, "a constructor expected"));
        };
        let name = symbol(reader.terms, reader.tape, head)?;
        let mut named = Vec::new();
        for &field in fields {
            let &[selector, sort] = reader.list(field)?.as_slice() else {
                return Err(reader.error(field, "(selector sort) expected"));
            };
            let selector_name = symbol(reader.terms, reader.tape, selector)?;
            named.push((selector, selector_name, reader.sorts().scheme(sort, params, 0)?));
        }
        constructors.push(DeclaredConstructor { index: head, name, fields: named });
    }
    if constructors.is_empty() {
        return Err(reader.error(list, "a datatype without constructors"));
    }
    Ok(constructors)
}

/// All constructors and selectors must have new names.
fn check_names(reader: &mut Reader<'_, '_>, declared: &[Declared]) -> Result<(), Diagnostic> {
    let mut seen = std::collections::BTreeSet::new();
    for DeclaredConstructor { index, name, fields } in declared.iter().flat_map(|d| &d.constructors) {
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

fn bind_plain(reader: &mut Reader<'_, '_>, datatype: &Declared, id: DataId) -> Result<(), Diagnostic> {
    for (number, constructor) in datatype.constructors.iter().enumerate() {
        let DeclaredConstructor { index, name, fields } = constructor;
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
    for (number, DeclaredConstructor { name, fields, .. }) in datatype.constructors.iter().enumerate() {
        let number = number as u32;
        reader.context.bind(*name, Meaning::PolyConstructor(template, number));
        for (field, (_, name, _)) in fields.iter().enumerate() {
            reader.context.bind(*name, Meaning::PolySelector(template, number, field as u32));
        }
    }
}
