//! Applications: a head and its arguments become a term, with integers made real where needed.

use crate::context::{Context, coerce};
use crate::macros;
use crate::sorts::{Scheme, instantiate};
use crate::theories;
use evergreen_term::{
    DataId, Dialect, Fun, Indexed, Name, Rational, Sort, SortId, SymbolId, SymbolKind, TermId, Terms, Value,
};

/// The head of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Fun(Fun),
    Minus,
    Indexed(Indexed, u32, u32),
    Symbol(SymbolId),
    Macro(u32),
    ConstArray(SortId),
    Is(SymbolId),
    Update(SymbolId),
    /// Of a parametric datatype: template, constructor.
    PolyConstructor(u32, u32),
    PolyIs(u32, u32),
    /// Of a parametric datatype: template, constructor, field.
    PolySelector(u32, u32, u32),
    PolyUpdate(u32, u32, u32),
    /// A function of the solver's own: its name, and its text with indices.
    Theory(&'static str, Name),
    /// A value that is a function.
    Value(TermId),
    /// The first argument is a function.
    First,
}

type Applied = Result<TermId, String>;

impl Head {
    /// The term, or why there is none. `level` is that of the next bound variable.
    #[inline]
    pub(crate) fn apply(
        self,
        context: &mut Context,
        terms: &mut Terms,
        args: &[TermId],
        level: u32,
    ) -> Applied {
        if args.is_empty() {
            return Err("an application needs arguments".into());
        }
        match self {
            Head::Theory(name, text) => theories::apply(context, terms, name, text, args),
            Head::Value(function) => theories::applied(terms, context.dialect, function, args),
            Head::First => theories::applied(terms, context.dialect, args[0], &args[1..]),
            Head::Fun(Fun::RealDiv) => real_division(terms, args),
            Head::Fun(fun) => match terms.app(fun, args) {
                Ok(term) => Ok(term),
                Err(error) => mixed(terms, fun, args).ok_or_else(|| error.to_string()),
            },
            Head::Minus => minus(terms, args),
            Head::Indexed(Indexed::ToFp, i, j) if args.len() == 3 && context.is_z3 => {
                let text = terms.name(&format!("(_ to_fp {i} {j})"));
                theories::apply(context, terms, "to_fp", text, args)
            }
            Head::Indexed(fun, i, j) => indexed(terms, fun, i, j, args),
            Head::Symbol(symbol) => match terms.apply(symbol, args) {
                Ok(term) => Ok(term),
                Err(error) => declared(terms, symbol, args)
                    .or_else(|| partial(context, terms, symbol, args))
                    .ok_or_else(|| error.to_string()),
            },
            Head::Macro(index) => macros::expand(context, terms, index, args, level),
            Head::ConstArray(sort) => match args {
                [element] => const_array(terms, sort, *element),
                _ => Err("a constant array wants 1 argument".into()),
            },
            Head::Is(constructor) => match args {
                [value] => terms.is(constructor, *value).map_err(|e| e.to_string()),
                _ => Err("a tester wants 1 argument".into()),
            },
            Head::Update(selector) => update(terms, selector, args),
            _ => polymorphic(self, context, terms, args),
        }
    }
}

/// An interpreted function of integers and reals: the integers become reals.
fn mixed(terms: &mut Terms, fun: Fun, args: &[TermId]) -> Option<TermId> {
    use Fun::*;
    let skip = match fun {
        Ite => 1,
        Eq | Distinct | Add | Sub | Mul | Le | Lt | Ge | Gt => 0,
        _ => return None,
    };
    let mut converted = args.get(..skip)?.to_vec();
    for &arg in &args[skip..] {
        converted.push(coerce(terms, arg, SortId::REAL)?);
    }
    terms.app(fun, &converted).ok()
}

/// `(- 5)` is how SMT-LIB writes the value -5, so it is read as that value.
fn minus(terms: &mut Terms, args: &[TermId]) -> Applied {
    let [arg] = *args else {
        return match terms.app(Fun::Sub, args) {
            Ok(term) => Ok(term),
            Err(error) => mixed(terms, Fun::Sub, args).ok_or_else(|| error.to_string()),
        };
    };
    let negated = match terms.literal_of(arg) {
        Some(Value::Int(value)) => Value::Int(value.neg()),
        Some(Value::Real(value)) => Value::Real(value.neg()),
        _ => return terms.app(Fun::Neg, &[arg]).map_err(|e| e.to_string()),
    };
    Ok(terms.literal(negated))
}

/// `(/ 1 3)` is how SMT-LIB writes a value, so it is read as that value; other divisions stay.
fn real_division(terms: &mut Terms, args: &[TermId]) -> Applied {
    let mut converted = Vec::with_capacity(args.len());
    for &arg in args {
        converted.push(coerce(terms, arg, SortId::REAL).ok_or("\"/\" wants numbers")?);
    }
    if let [a, b] = converted[..]
        && let (Some(Value::Real(a)), Some(Value::Real(b))) = (terms.literal_of(a), terms.literal_of(b))
        && let Some(value) = Rational::div(a, b)
    {
        return Ok(terms.real(value));
    }
    terms.app(Fun::RealDiv, &converted).map_err(|e| e.to_string())
}

fn indexed(terms: &mut Terms, fun: Indexed, i: u32, j: u32, args: &[TermId]) -> Applied {
    let error = match terms.indexed(fun, i, j, args) {
        Ok(term) => return Ok(term),
        Err(error) => error.to_string(),
    };
    // `((_ to_fp 8 24) RNE 1)`: a numeral where a real is expected.
    if let (Indexed::ToFp, &[mode, number]) = (fun, args)
        && let Some(Value::Int(_)) = terms.literal_of(number)
        && let Some(number) = coerce(terms, number, SortId::REAL)
    {
        return terms.indexed(fun, i, j, &[mode, number]).map_err(|e| e.to_string());
    }
    Err(error)
}

/// A declared function some of whose real arguments were given as integers.
fn declared(terms: &mut Terms, symbol: SymbolId, args: &[TermId]) -> Option<TermId> {
    let params = terms.symbol_of(symbol).params.clone();
    if params.len() != args.len() {
        return None;
    }
    let mut converted = Vec::with_capacity(args.len());
    for (&arg, &sort) in args.iter().zip(params.iter()) {
        converted.push(coerce(terms, arg, sort)?);
    }
    terms.apply(symbol, &converted).ok()
}

/// A declared function as a value, for a solver that has such values.
pub(crate) fn function(context: &Context, terms: &mut Terms, symbol: SymbolId) -> Option<TermId> {
    let declared = terms.symbol_of(symbol).clone();
    if context.dialect != Dialect::Cvc5 || declared.kind != SymbolKind::Free || declared.params.is_empty() {
        return None;
    }
    let sort = theories::function_sort(terms, &declared.params, declared.result);
    Some(terms.function(symbol, sort))
}

/// A declared function with fewer arguments than it has parameters: the function of the others.
fn partial(context: &Context, terms: &mut Terms, symbol: SymbolId, args: &[TermId]) -> Option<TermId> {
    let function = function(context, terms, symbol)?;
    theories::applied(terms, context.dialect, function, args).ok()
}

fn const_array(terms: &mut Terms, sort: SortId, element: TermId) -> Applied {
    let element = match *terms.sort_kind(sort) {
        Sort::Array(_, wanted) => coerce(terms, element, wanted).unwrap_or(element),
        _ => element,
    };
    terms.const_array(sort, element).map_err(|e| e.to_string())
}

fn update(terms: &mut Terms, selector: SymbolId, args: &[TermId]) -> Applied {
    match args {
        [value, field] => terms.update(selector, *value, *field).map_err(|e| e.to_string()),
        _ => Err("an update wants 2 arguments".into()),
    }
}

/// Functions of parametric datatypes: the argument sorts say which instance is meant.
fn polymorphic(head: Head, context: &mut Context, terms: &mut Terms, args: &[TermId]) -> Applied {
    if let Head::PolyConstructor(template, number) = head {
        return construct(context, terms, template, number, args);
    }
    let (template, constructor) = match head {
        Head::PolyIs(t, c) | Head::PolySelector(t, c, _) | Head::PolyUpdate(t, c, _) => (t, c as usize),
        _ => return Err("not a function".into()),
    };
    let id = instance_of(context, terms, template, args[0])
        .ok_or("the first argument is not of the constructor's datatype")?;
    let constructor = &terms.datatype(id).constructors[constructor];
    match head {
        Head::PolyIs(..) => Head::Is(constructor.symbol).apply(context, terms, args, 0),
        Head::PolySelector(_, _, field) => {
            let selector = constructor.selectors[field as usize];
            Head::Symbol(selector).apply(context, terms, args, 0)
        }
        Head::PolyUpdate(_, _, field) => {
            let selector = constructor.selectors[field as usize];
            update(terms, selector, args)
        }
        _ => Err("not a function".into()),
    }
}

/// The datatype of a term, if it is an instance of the template.
fn instance_of(context: &Context, terms: &Terms, template: u32, term: TermId) -> Option<DataId> {
    let sort = terms.sort_of(term);
    let Sort::Datatype(id) = *terms.sort_kind(sort) else { return None };
    let key = (template, terms.datatype(id).args.to_vec());
    (context.instances.get(&key) == Some(&sort)).then_some(id)
}

fn construct(
    context: &mut Context,
    terms: &mut Terms,
    template: u32,
    number: u32,
    args: &[TermId],
) -> Applied {
    let params = context.templates[template as usize].params as usize;
    let (_, fields) = context.templates[template as usize].constructors[number as usize].clone();
    if fields.len() != args.len() {
        return Err(format!("the constructor wants {} arguments, not {}", fields.len(), args.len()));
    }
    let mut found = vec![None; params];
    for ((_, scheme), arg) in fields.iter().zip(args) {
        unify(context, terms, scheme, terms.sort_of(*arg), &mut found);
    }
    let found: Option<Vec<SortId>> = found.into_iter().collect();
    let found = found.ok_or("the arguments do not say which instance of the datatype is meant")?;
    let schemes = found.into_iter().map(Scheme::Fixed).collect();
    let sort = instantiate(context, terms, &Scheme::Template(template, schemes), &[], 0)
        .ok_or("the datatype has infinitely many instances")?;
    let symbol = constructor_of(terms, sort, number).ok_or("the datatype has no such constructor")?;
    Head::Symbol(symbol).apply(context, terms, args, 0)
}

/// The constructor with that number of a datatype's sort.
pub(crate) fn constructor_of(terms: &Terms, sort: SortId, number: u32) -> Option<SymbolId> {
    let Sort::Datatype(id) = *terms.sort_kind(sort) else { return None };
    Some(terms.datatype(id).constructors.get(number as usize)?.symbol)
}

/// Finds what the parameters of a scheme stand for; the application checks that all of it fits.
fn unify(context: &Context, terms: &Terms, scheme: &Scheme, sort: SortId, found: &mut [Option<SortId>]) {
    match (scheme, terms.sort_kind(sort)) {
        (Scheme::Param(index), _) => {
            found[*index as usize].get_or_insert(sort);
        }
        (Scheme::Array(pair), Sort::Array(index, element)) => {
            unify(context, terms, &pair.0, *index, found);
            unify(context, terms, &pair.1, *element, found);
        }
        (Scheme::Seq(scheme), Sort::Seq(element)) => unify(context, terms, scheme, *element, found),
        (Scheme::Theory(name, schemes), Sort::Opaque(found_name, args)) if name == found_name => {
            for (scheme, arg) in schemes.iter().zip(args.iter()) {
                unify(context, terms, scheme, *arg, found);
            }
        }
        (Scheme::Declared(_, schemes), Sort::Uninterpreted(_, args)) => {
            for (scheme, arg) in schemes.iter().zip(args.iter()) {
                unify(context, terms, scheme, *arg, found);
            }
        }
        (Scheme::Template(template, schemes), Sort::Datatype(id)) => {
            let key = (*template, terms.datatype(*id).args.to_vec());
            if context.instances.get(&key) == Some(&sort) {
                for (scheme, arg) in schemes.iter().zip(&key.1) {
                    unify(context, terms, scheme, *arg, found);
                }
            }
        }
        _ => {}
    }
}
