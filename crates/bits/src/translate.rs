//! From terms to the compact form.
//!
//! Each head is translated once for an arena of terms. Arrays are not nodes: an array term is a chain of
//! writes over a declared array, a constant array or a choice, and a read goes down the chain until it is a
//! node. Writes at literal indices that follow each other are one table.

mod arrays;
mod equal;
mod heads;

pub(crate) use arrays::{ArrayId, Arrays};
pub(crate) use equal::{Equalities, Equality};

use crate::Beyond;
use crate::form::{Form, Node, Origin};
use evergreen_term::{Op, Sort, SortId, SymbolKind, TermId, Terms, Value};

/// The widest vector of the form.
pub(crate) const WIDEST: u32 = 64;
/// Nodes that the translation of one query may make.
pub(crate) const MOST_NODES: usize = 400_000;

/// What a term became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Image {
    Bits(Node),
    Array(ArrayId),
}

/// The translations of the terms of one arena.
#[derive(Default)]
pub(crate) struct Translator {
    images: Vec<Option<Image>>,
    pub(crate) arrays: Arrays,
    pub(crate) equalities: Equalities,
}

pub(crate) fn outside(what: impl Into<String>) -> Beyond {
    Beyond::Outside(what.into())
}

/// The width of a sort of truth values or bit vectors.
pub(crate) fn width_of(terms: &Terms, sort: SortId) -> Result<u8, Beyond> {
    match terms.sort_kind(sort) {
        Sort::Bool => Ok(1),
        Sort::BitVec(width) if *width <= WIDEST => Ok(*width as u8),
        Sort::BitVec(width) => Err(outside(format!("a bit vector of {width} bits"))),
        other => Err(outside(words(other))),
    }
}

/// A sort in words.
fn words(sort: &Sort) -> &'static str {
    match sort {
        Sort::Bool => "a truth value",
        Sort::BitVec(_) => "a bit vector",
        Sort::Int => "an integer",
        Sort::Real => "a real number",
        Sort::String | Sort::RegLan => "a string",
        Sort::Float(..) | Sort::RoundingMode => "a floating-point number",
        Sort::Array(..) => "an array of anything but bit vectors",
        Sort::Seq(_) => "a sequence",
        Sort::Opaque(..) => "a value of a solver's own theory",
        Sort::Uninterpreted(..) => "an element of a declared sort",
        Sort::Datatype(_) => "a datatype",
    }
}

impl Translator {
    /// Forgets all terms and keeps the memory.
    pub(crate) fn forget(&mut self) {
        self.images.clear();
        self.arrays.forget();
        self.equalities.forget();
    }

    fn known(&self, term: TermId) -> Option<Image> {
        self.images.get(term.index()).copied().flatten()
    }

    /// The node of a term of sort Bool or bit vector.
    pub(crate) fn node(&mut self, form: &mut Form, terms: &Terms, term: TermId) -> Result<Node, Beyond> {
        match self.image(form, terms, term)? {
            Image::Bits(node) => Ok(node),
            Image::Array(_) => Err(outside("an array in the place of a bit vector")),
        }
    }

    /// What a term becomes. Terms below come first, without recursion.
    pub(crate) fn image(&mut self, form: &mut Form, terms: &Terms, term: TermId) -> Result<Image, Beyond> {
        if let Some(image) = self.known(term) {
            return Ok(image);
        }
        if self.images.len() < terms.len() {
            self.images.resize(terms.len(), None);
        }
        let most = form.len() + MOST_NODES;
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            // A chain of writes is one array: it is walked at once.
            if let Some((writes, below)) = arrays::chain(terms, top) {
                let before = stack.len();
                stack.extend(std::iter::once(below).filter(|&t| self.known(t).is_none()));
                let values = writes.iter().flat_map(|&(index, value)| [index, value]);
                stack.extend(values.filter(|&t| self.known(t).is_none()));
                if stack.len() == before {
                    let image = self.write(form, &writes, below)?;
                    self.images[top.index()] = Some(image);
                    stack.pop();
                }
                continue;
            }
            let before = stack.len();
            if !matches!(terms.op(top), Op::Quantifier(..)) {
                stack.extend(terms.args(top).iter().copied().filter(|&a| self.known(a).is_none()));
            }
            if stack.len() == before {
                let image = self.one(form, terms, top)?;
                self.images[top.index()] = Some(image);
                stack.pop();
                if form.len() > most {
                    return Err(Beyond::Effort);
                }
            }
        }
        Ok(self.known(term).expect("translated just now"))
    }

    fn one(&mut self, form: &mut Form, terms: &Terms, term: TermId) -> Result<Image, Beyond> {
        let sort = terms.sort_of(term);
        match terms.op(term) {
            Op::Literal(id) => match terms.literal_value(id) {
                Value::Bool(value) => Ok(Image::Bits(Form::bit(*value))),
                Value::BitVec(value) => {
                    let width = width_of(terms, sort)?;
                    let value = value.to_u128().and_then(|v| u64::try_from(v).ok());
                    let value = value.ok_or_else(|| outside("a literal of more than 64 bits"))?;
                    Ok(Image::Bits(form.constant(value, width)))
                }
                _ => Err(outside(words(terms.sort_kind(sort)))),
            },
            // A constant that has a definition is not free.
            Op::Apply(symbol) if terms.symbol_of(symbol).kind != SymbolKind::Free => {
                Err(outside("a definition or a datatype"))
            }
            Op::Apply(symbol) if terms.args(term).is_empty() => match terms.sort_kind(sort) {
                Sort::Array(index, element) => {
                    let (index, element) = (width_of(terms, *index)?, width_of(terms, *element)?);
                    let base = form.base_of(symbol, index, element);
                    Ok(Image::Array(self.arrays.base(base, element)))
                }
                _ => {
                    let width = width_of(terms, sort)?;
                    Ok(Image::Bits(form.leaf_of(Origin::Symbol(symbol), width)))
                }
            },
            Op::ConstArray => {
                let Sort::Array(index, element) = terms.sort_kind(sort) else {
                    return Err(outside("a constant array of another sort"));
                };
                width_of(terms, *index)?;
                let element = width_of(terms, *element)?;
                let value = self.bits(terms.args(term)[0])?;
                Ok(Image::Array(self.arrays.constant(value, element)))
            }
            Op::Fun(fun) => self.fun(form, terms, term, fun),
            Op::Indexed(fun, i, j) => self.indexed(form, terms, term, fun, (i, j)),
            Op::Apply(_) => Err(outside("a declared function")),
            Op::Bound(_) | Op::Quantifier(..) => Err(outside("a quantifier")),
            Op::Opaque(_) | Op::Function(_) => Err(outside("a function of a solver's own")),
            Op::SeqEmpty | Op::Is(_) | Op::Update(_) => Err(outside(words(terms.sort_kind(sort)))),
        }
    }

    /// The node of an argument, which was translated before.
    fn bits(&self, term: TermId) -> Result<Node, Beyond> {
        match self.known(term) {
            Some(Image::Bits(node)) => Ok(node),
            _ => Err(outside("an array in the place of a bit vector")),
        }
    }

    fn array(&self, term: TermId) -> Result<ArrayId, Beyond> {
        match self.known(term) {
            Some(Image::Array(array)) => Ok(array),
            _ => Err(outside("a bit vector in the place of an array")),
        }
    }
}
