//! Sorts: reading them, sort definitions, and instances of parametric datatypes.
//!
//! A sort is read into a [`Scheme`], which may mention parameters, and a scheme is instantiated
//! with sorts for its parameters. An instance of a parametric datatype, such as `(List Int)`, is
//! made when it is first mentioned.

use crate::context::{Context, Meaning};
use crate::diagnostic::Diagnostic;
use crate::sexp::{Kind, Tape};
use crate::theories;
use evergreen_term::{Name, Sort, SortId, Terms};
use rustc_hash::FxHashMap;

/// Sorts nest this deep at most: deeper ones are refused, so that reading them may recurse.
const MAX_NESTING: u32 = 200;

/// A datatype whose instances need ever larger instances would never end.
const MAX_INSTANCES: usize = 10_000;

/// Bit vectors are this wide at most.
const MAX_WIDTH: u32 = 1 << 24;

/// The meaning of a name where a sort is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SortMeaning {
    Unknown,
    /// Something whose declaration was not understood.
    Poisoned,
    Sort(SortId),
    Array,
    Seq,
    /// A declared sort with that many arguments.
    Declared(u32),
    /// `define-sort`: the number of parameters and the sort.
    Defined(u32, Box<Scheme>),
    /// A parametric datatype.
    Template(u32),
}

/// A sort over parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Param(u32),
    Fixed(SortId),
    Array(Box<(Scheme, Scheme)>),
    Seq(Box<Scheme>),
    /// A sort of the solver's own, by its name.
    Theory(Name, Vec<Scheme>),
    Declared(Name, Vec<Scheme>),
    Template(u32, Vec<Scheme>),
}

/// A parametric datatype before its parameters are given.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) name: Name,
    pub(crate) params: u32,
    /// Names of the constructors with names and sorts of their fields.
    pub(crate) constructors: Vec<(Name, Vec<(Name, Scheme)>)>,
}

/// The instances made so far.
pub(crate) type Instances = FxHashMap<(u32, Vec<SortId>), SortId>;

/// A reader of sorts within one command.
pub(crate) struct SortReader<'a, 't> {
    pub(crate) context: &'a mut Context,
    pub(crate) terms: &'a mut Terms,
    pub(crate) tape: &'a Tape<'t>,
}

impl SortReader<'_, '_> {
    /// The sort at `index`.
    pub(crate) fn sort(&mut self, index: usize) -> Result<SortId, Diagnostic> {
        let scheme = self.scheme(index, &[], 0)?;
        self.instantiate(&scheme, &[], index)
    }

    /// The sort at `index`, which may mention the names in `params`.
    pub(crate) fn scheme(
        &mut self,
        index: usize,
        params: &[Name],
        nesting: u32,
    ) -> Result<Scheme, Diagnostic> {
        let tape = self.tape;
        let offset = tape.offset(index);
        if nesting > MAX_NESTING {
            return Err(Diagnostic::new(offset, "sorts nest too deeply"));
        }
        match tape.kind(index) {
            Kind::Symbol | Kind::Quoted => self.named(index, params, &[]),
            Kind::Open if tape.is_word(index + 1, "_") => self.indexed(index).map(Scheme::Fixed),
            Kind::Open if matches!(tape.kind(index + 1), Kind::Symbol | Kind::Quoted) => {
                let mut args = Vec::new();
                for child in tape.children(index).skip(1) {
                    args.push(self.scheme(child, params, nesting + 1)?);
                }
                if args.is_empty() && !self.context.is_z3 {
                    return Err(Diagnostic::new(offset, "a sort in parentheses needs arguments"));
                }
                self.named(index + 1, params, &args)
            }
            _ => Err(Diagnostic::new(offset, "a sort expected")),
        }
    }

    /// The sort whose name is at `index`, applied to `args`.
    fn named(&mut self, index: usize, params: &[Name], args: &[Scheme]) -> Result<Scheme, Diagnostic> {
        let offset = self.tape.offset(index);
        let name = symbol(self.terms, self.tape, index)?;
        let count = |wanted: usize| {
            (args.len() == wanted).then_some(()).ok_or_else(|| {
                let text = String::from_utf8_lossy(self.tape.atom(index));
                Diagnostic::new(offset, format!("\"{text}\" wants {wanted} arguments, not {}", args.len()))
            })
        };
        if let Some(param) = params.iter().position(|p| *p == name) {
            count(0)?;
            return Ok(Scheme::Param(param as u32));
        }
        match self.context.sort_meaning(name).clone() {
            SortMeaning::Unknown if self.is_list(name) => {
                count(1)?;
                let template = lists(self.context, self.terms);
                Ok(Scheme::Template(template, args.to_vec()))
            }
            SortMeaning::Unknown if theories::is_sort(self.context.dialect, self.terms.text(name)) => {
                Ok(Scheme::Theory(name, args.to_vec()))
            }
            SortMeaning::Unknown | SortMeaning::Poisoned => {
                let text = self.terms.text(name);
                let known = Diagnostic::new(offset, format!("unknown sort \"{text}\""));
                Err(known.with_help("declare it with declare-sort, define-sort or declare-datatypes"))
            }
            SortMeaning::Sort(sort) => count(0).map(|()| Scheme::Fixed(sort)),
            SortMeaning::Array => {
                count(2)?;
                Ok(Scheme::Array(Box::new((args[0].clone(), args[1].clone()))))
            }
            SortMeaning::Seq => {
                count(1)?;
                Ok(Scheme::Seq(Box::new(args[0].clone())))
            }
            SortMeaning::Declared(arity) => {
                count(arity as usize)?;
                Ok(Scheme::Declared(name, args.to_vec()))
            }
            SortMeaning::Defined(arity, body) => {
                count(arity as usize)?;
                substitute(&body, args, 0).ok_or_else(|| Diagnostic::new(offset, "sorts nest too deeply"))
            }
            SortMeaning::Template(template)
                if args.is_empty()
                    && self.context.is_z3
                    && self.context.templates[template as usize].params as usize == params.len() =>
            {
                // As version 2.0 of the standard had it: the datatype that is being declared.
                let same = (0..params.len() as u32).map(Scheme::Param).collect();
                Ok(Scheme::Template(template, same))
            }
            SortMeaning::Template(template) => {
                count(self.context.templates[template as usize].params as usize)?;
                Ok(Scheme::Template(template, args.to_vec()))
            }
        }
    }

    /// Whether a name that the script does not declare is that of z3's lists.
    fn is_list(&self, name: Name) -> bool {
        self.context.is_z3 && self.terms.text(name) == "List"
    }

    /// `(_ BitVec n)` or `(_ FloatingPoint e s)`.
    fn indexed(&mut self, index: usize) -> Result<SortId, Diagnostic> {
        let tape = self.tape;
        let offset = tape.offset(index);
        let bad = || Diagnostic::new(offset, "unknown indexed sort");
        let children: Vec<usize> = tape.children(index).skip(1).collect();
        let (&head, indices) = children.split_first().ok_or_else(bad)?;
        let numbers: Option<Vec<u32>> = indices.iter().map(|&i| numeral(tape, i)).collect();
        match (tape.atom(head), numbers.as_deref()) {
            (b"BitVec", Some(&[width])) if width > 0 && width <= MAX_WIDTH => {
                Ok(self.terms.bitvec_sort(width))
            }
            (b"BitVec", Some([_])) => {
                Err(Diagnostic::new(offset, format!("a bit vector has 1 to {MAX_WIDTH} bits")))
            }
            (b"FloatingPoint", Some(&[exponent, significand]))
                if (2..MAX_WIDTH).contains(&exponent) && (2..MAX_WIDTH).contains(&significand) =>
            {
                Ok(self.terms.sort(Sort::Float(exponent, significand)))
            }
            _ => {
                let text = |i: usize| String::from_utf8_lossy(tape.atom(i)).into_owned();
                let &[index] = indices else { return Err(bad()) };
                if tape.kind(index) != Kind::Numeral {
                    return Err(bad());
                }
                let (name, index) = (text(head), text(index));
                theories::indexed_sort(self.context.dialect, self.terms, &name, &index).ok_or_else(bad)
            }
        }
    }

    /// The sort of a scheme when its parameters are `args`.
    pub(crate) fn instantiate(
        &mut self,
        scheme: &Scheme,
        args: &[SortId],
        index: usize,
    ) -> Result<SortId, Diagnostic> {
        let offset = self.tape.offset(index);
        instantiate(self.context, self.terms, scheme, args, 0).ok_or_else(|| {
            // Half-made instances must not be found again.
            self.context.instances.clear();
            Diagnostic::new(offset, "a datatype has infinitely many instances")
        })
    }
}

/// Replaces the parameters of a scheme; `None` if the result nests too deeply.
fn substitute(scheme: &Scheme, args: &[Scheme], nesting: u32) -> Option<Scheme> {
    if nesting > MAX_NESTING {
        return None;
    }
    let all = |schemes: &[Scheme]| {
        schemes.iter().map(|s| substitute(s, args, nesting + 1)).collect::<Option<Vec<_>>>()
    };
    Some(match scheme {
        Scheme::Param(index) => args.get(*index as usize)?.clone(),
        Scheme::Fixed(sort) => Scheme::Fixed(*sort),
        Scheme::Array(pair) => Scheme::Array(Box::new((
            substitute(&pair.0, args, nesting + 1)?,
            substitute(&pair.1, args, nesting + 1)?,
        ))),
        Scheme::Seq(element) => Scheme::Seq(Box::new(substitute(element, args, nesting + 1)?)),
        Scheme::Theory(name, list) => Scheme::Theory(*name, all(list)?),
        Scheme::Declared(name, list) => Scheme::Declared(*name, all(list)?),
        Scheme::Template(template, list) => Scheme::Template(*template, all(list)?),
    })
}

/// The sort of a scheme; `None` if datatypes nest without end.
pub(crate) fn instantiate(
    context: &mut Context,
    terms: &mut Terms,
    scheme: &Scheme,
    args: &[SortId],
    nesting: u32,
) -> Option<SortId> {
    if nesting > 2 * MAX_NESTING {
        return None;
    }
    let mut all = |list: &[Scheme]| {
        list.iter().map(|s| instantiate(context, terms, s, args, nesting + 1)).collect::<Option<Vec<_>>>()
    };
    Some(match scheme {
        Scheme::Param(index) => *args.get(*index as usize)?,
        Scheme::Fixed(sort) => *sort,
        Scheme::Array(pair) => {
            let index = instantiate(context, terms, &pair.0, args, nesting + 1)?;
            let element = instantiate(context, terms, &pair.1, args, nesting + 1)?;
            terms.array_sort(index, element)
        }
        Scheme::Seq(element) => {
            let element = instantiate(context, terms, element, args, nesting + 1)?;
            terms.sort(Sort::Seq(element))
        }
        Scheme::Theory(name, list) => {
            let list = all(list)?;
            let text = terms.text(*name).to_owned();
            return theories::sort(context.dialect, terms, &text, &list);
        }
        Scheme::Declared(name, list) => {
            let list = all(list)?;
            terms.sort(Sort::Uninterpreted(*name, list.into()))
        }
        Scheme::Template(template, list) => {
            let list = all(list)?;
            return instance(context, terms, *template, list, nesting + 1);
        }
    })
}

/// The template of z3's lists, which no script declares.
pub(crate) fn lists(context: &mut Context, terms: &mut Terms) -> u32 {
    if let Some(lists) = context.lists {
        return lists;
    }
    let lists = context.templates.len() as u32;
    let own = Scheme::Template(lists, vec![Scheme::Param(0)]);
    let fields = vec![(terms.name("head"), Scheme::Param(0)), (terms.name("tail"), own)];
    let constructors = vec![(terms.name("nil"), Vec::new()), (terms.name("insert"), fields)];
    context.templates.push(Template { name: terms.name("List"), params: 1, constructors });
    context.lists = Some(lists);
    lists
}

/// The instance of a parametric datatype.
fn instance(
    context: &mut Context,
    terms: &mut Terms,
    template: u32,
    args: Vec<SortId>,
    nesting: u32,
) -> Option<SortId> {
    let key = (template, args);
    if let Some(sort) = context.instances.get(&key) {
        return Some(*sort);
    }
    if context.instances.len() >= MAX_INSTANCES {
        return None;
    }
    let Template { name, constructors, .. } = context.templates[template as usize].clone();
    let (id, sort) = terms.begin_datatype(name, &key.1);
    let args = key.1.clone();
    context.instances.insert(key, sort);
    for (constructor, fields) in constructors {
        let fields = fields
            .iter()
            .map(|(name, scheme)| Some((*name, instantiate(context, terms, scheme, &args, nesting + 1)?)))
            .collect::<Option<Vec<_>>>()?;
        terms.add_constructor(id, constructor, &fields);
    }
    Some(sort)
}

/// The symbol at `index`: an identifier that is not a reserved word.
pub(crate) fn symbol(terms: &mut Terms, tape: &Tape<'_>, index: usize) -> Result<Name, Diagnostic> {
    match tape.kind(index) {
        Kind::Symbol | Kind::Quoted => Ok(name(terms, tape, index)),
        _ => Err(Diagnostic::new(tape.offset(index), "a symbol expected")),
    }
}

/// The interned text of the symbol at `index`. The tape has checked that it is UTF-8.
#[inline]
pub(crate) fn name(terms: &mut Terms, tape: &Tape<'_>, index: usize) -> Name {
    match std::str::from_utf8(tape.atom(index)) {
        Ok(text) => terms.name(text),
        Err(_) => terms.name(&String::from_utf8_lossy(tape.atom(index))),
    }
}

/// As [`symbol`], for a name that is about to be declared or bound.
pub(crate) fn fresh_symbol(
    context: &Context,
    terms: &mut Terms,
    tape: &Tape<'_>,
    index: usize,
) -> Result<Name, Diagnostic> {
    let name = symbol(terms, tape, index)?;
    if let Meaning::Reserved(_) = context.meaning(name) {
        let text = terms.text(name);
        return Err(Diagnostic::new(tape.offset(index), format!("\"{text}\" is a reserved word")));
    }
    Ok(name)
}

/// The numeral at `index`, if it is one and fits.
pub(crate) fn numeral(tape: &Tape<'_>, index: usize) -> Option<u32> {
    if tape.kind(index) != Kind::Numeral {
        return None;
    }
    decimal_digits(tape.atom(index)).and_then(|value| u32::try_from(value).ok())
}

/// The value of decimal digits, if it fits into 64 bits.
#[inline]
pub(crate) fn decimal_digits(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &b| {
        b.is_ascii_digit().then(|| value.wrapping_mul(10).wrapping_add(u64::from(b - b'0')))
    })
}
