//! The byte form of functions: their bodies, as terms over the parameters.
//!
//! ```text
//! function    varint count of nodes, then the nodes, arguments first; the last one is the body
//! node        0  varint number of a parameter
//!             1  sort, value
//!             2  code of an interpreted function, arguments
//!             3  code of an indexed function, varint, varint, arguments
//!             4  array sort, arguments                               (a constant array)
//!             5  datatype, varint constructor, arguments
//!             6  datatype, varint constructor, varint field, arguments      (a selector)
//!             7  datatype, varint constructor, arguments                    (a tester)
//!             8  datatype, varint constructor, varint field, arguments      (an update)
//! arguments   varint count, then a varint per argument: the number of its node
//! sort        0 Bool, 1 Int, 2 Real, 3 String, 4 RegLan, 5 RoundingMode, 6 varint: BitVec,
//!             7 varint varint: Float, 8 sort sort: Array, 9 varint: a declared sort or datatype
//! ```
//!
//! Declared sorts and datatypes have no names here: they are numbered in the order in which the sorts of the
//! parameters, of the result and of the fields of datatypes mention them.

use super::{DecodeError, Reader, Unencodable, decode, encode_value, put_varint};
use crate::{
    Fun, FunctionValue, Indexed, Op, Sort, SortError, SortId, SymbolId, SymbolKind, TermId, Terms, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How deeply array sorts may nest.
const MAX_SORT_DEPTH: u32 = 100;
const MAX_WIDTH: u32 = 1 << 24;

/// The declared sorts that sorts mention, each once, in order.
fn declared(terms: &Terms, roots: impl Iterator<Item = SortId>) -> Vec<SortId> {
    let mut found = Vec::new();
    let mut open: Vec<SortId> = roots.collect();
    open.reverse();
    while let Some(sort) = open.pop() {
        match terms.sort_kind(sort) {
            Sort::Array(index, element) => open.extend([*element, *index]),
            Sort::Seq(element) => open.push(*element),
            Sort::Uninterpreted(..) if !found.contains(&sort) => found.push(sort),
            Sort::Datatype(data) if !found.contains(&sort) => {
                found.push(sort);
                for constructor in terms.datatype(*data).constructors.iter().rev() {
                    open.extend(terms.symbol_of(constructor.symbol).params.iter().rev());
                }
            }
            _ => {}
        }
    }
    found
}

/// Appends the byte form of a function.
pub fn encode_function(
    terms: &Terms,
    function: &FunctionValue,
    out: &mut Vec<u8>,
) -> Result<(), Unencodable> {
    let roots = function.params.iter().copied().chain([terms.sort_of(function.body)]);
    let declared = declared(terms, roots);
    let nodes = in_order(terms, function.body);
    let places: FxHashMap<TermId, u64> = nodes.iter().copied().zip(0..).collect();
    put_varint(nodes.len() as u64, out);
    for node in nodes {
        put_head(terms, &declared, node, out)?;
        if matches!(terms.op(node), Op::Bound(_) | Op::Literal(_)) {
            continue;
        }
        let args = terms.args(node);
        put_varint(args.len() as u64, out);
        args.iter().for_each(|arg| put_varint(places[arg], out));
    }
    Ok(())
}

/// The terms below a term, arguments first. Ids have that order too, but depend on the history of
/// the arena; a walk does not.
fn in_order(terms: &Terms, root: TermId) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    // A term is put on the stack twice: to look at its arguments, and below them to take its place.
    let mut open = vec![(root, false)];
    while let Some((term, arguments_done)) = open.pop() {
        if arguments_done {
            order.push(term);
        } else if seen.insert(term) {
            open.push((term, true));
            open.extend(terms.args(term).iter().rev().map(|arg| (*arg, false)));
        }
    }
    order
}

fn put_head(terms: &Terms, declared: &[SortId], node: TermId, out: &mut Vec<u8>) -> Result<(), Unencodable> {
    match terms.op(node) {
        Op::Bound(level) => {
            out.push(0);
            put_varint(u64::from(level), out);
        }
        Op::Literal(id) => {
            out.push(1);
            put_sort(terms, declared, terms.sort_of(node), out)?;
            encode_value(terms, terms.literal_value(id), out)?;
        }
        Op::Fun(fun) => out.extend([2, fun.code()]),
        Op::Indexed(fun, i, j) => {
            out.extend([3, fun.code()]);
            put_varint(u64::from(i), out);
            put_varint(u64::from(j), out);
        }
        Op::ConstArray => {
            out.push(4);
            put_sort(terms, declared, terms.sort_of(node), out)?;
        }
        Op::Apply(symbol) => match terms.symbol_of(symbol).kind {
            SymbolKind::Constructor(..) => put_member(terms, declared, 5, symbol, out)?,
            SymbolKind::Selector(..) => put_member(terms, declared, 6, symbol, out)?,
            SymbolKind::Free | SymbolKind::Defined(_) => return Err(Unencodable),
        },
        Op::Is(constructor) => put_member(terms, declared, 7, constructor, out)?,
        Op::Update(selector) => put_member(terms, declared, 8, selector, out)?,
        Op::SeqEmpty | Op::Quantifier(..) | Op::Opaque(_) | Op::Function(_) => return Err(Unencodable),
    }
    Ok(())
}

fn put_member(
    terms: &Terms,
    declared: &[SortId],
    tag: u8,
    member: SymbolId,
    out: &mut Vec<u8>,
) -> Result<(), Unencodable> {
    let symbol = terms.symbol_of(member);
    out.push(tag);
    match symbol.kind {
        SymbolKind::Constructor(_, number) => {
            put_sort(terms, declared, symbol.result, out)?;
            put_varint(u64::from(number), out);
        }
        SymbolKind::Selector(_, number, field) => {
            put_sort(terms, declared, symbol.params[0], out)?;
            put_varint(u64::from(number), out);
            put_varint(u64::from(field), out);
        }
        _ => return Err(Unencodable),
    }
    Ok(())
}

fn put_sort(terms: &Terms, declared: &[SortId], sort: SortId, out: &mut Vec<u8>) -> Result<(), Unencodable> {
    match terms.sort_kind(sort) {
        Sort::Bool => out.push(0),
        Sort::Int => out.push(1),
        Sort::Real => out.push(2),
        Sort::String => out.push(3),
        Sort::RegLan => out.push(4),
        Sort::RoundingMode => out.push(5),
        Sort::BitVec(width) => {
            out.push(6);
            put_varint(u64::from(*width), out);
        }
        Sort::Float(exponent, significand) => {
            out.push(7);
            put_varint(u64::from(*exponent), out);
            put_varint(u64::from(*significand), out);
        }
        Sort::Array(index, element) => {
            out.push(8);
            put_sort(terms, declared, *index, out)?;
            put_sort(terms, declared, *element, out)?;
        }
        Sort::Uninterpreted(..) | Sort::Datatype(_) => {
            let place = declared.iter().position(|d| *d == sort).ok_or(Unencodable)?;
            out.push(9);
            put_varint(place as u64, out);
        }
        Sort::Seq(_) | Sort::Opaque(..) => return Err(Unencodable),
    }
    Ok(())
}

/// Reads a function of those sorts from the front of the bytes, which are advanced past it.
pub fn decode_function(
    terms: &mut Terms,
    params: &[SortId],
    result: SortId,
    bytes: &mut &[u8],
) -> Result<FunctionValue, DecodeError> {
    let mut reader = Reader { rest: bytes };
    let declared = declared(terms, params.iter().copied().chain([result]));
    let mut body = FunctionReader { terms, params, declared, nodes: Vec::new() };
    for _ in 0..reader.count()? {
        let node = body.node(&mut reader)?;
        body.nodes.push(node);
    }
    let body = body.nodes.last().copied().ok_or(DecodeError("a function has a body"))?;
    if terms.sort_of(body) != result {
        return Err(DecodeError("the body has another sort"));
    }
    *bytes = reader.rest;
    Ok(FunctionValue { params: params.into(), body })
}

struct FunctionReader<'t> {
    terms: &'t mut Terms,
    params: &'t [SortId],
    declared: Vec<SortId>,
    nodes: Vec<TermId>,
}

fn small(reader: &mut Reader<'_>) -> Result<u32, DecodeError> {
    u32::try_from(reader.varint()?).map_err(|_| DecodeError("a number is too large"))
}

fn ill_sorted(_: SortError) -> DecodeError {
    DecodeError("the arguments do not fit the function")
}

impl FunctionReader<'_> {
    fn node(&mut self, reader: &mut Reader<'_>) -> Result<TermId, DecodeError> {
        Ok(match reader.byte()? {
            0 => {
                let level = small(reader)?;
                let sort = self.params.get(level as usize).ok_or(DecodeError("no such parameter"))?;
                self.terms.bound(level, *sort)
            }
            1 => {
                let sort = self.sort(reader, 0)?;
                if matches!(self.terms.sort_kind(sort), Sort::Array(..) | Sort::Datatype(_)) {
                    return Err(DecodeError("a literal is a scalar"));
                }
                let value: Value = decode(self.terms, sort, reader, 0)?;
                self.terms.literal(value)
            }
            2 => {
                let fun = Fun::from_code(reader.byte()?).ok_or(DecodeError("no such function"))?;
                let args = self.args(reader)?;
                self.terms.app(fun, &args).map_err(ill_sorted)?
            }
            3 => {
                let fun = Indexed::from_code(reader.byte()?).ok_or(DecodeError("no such function"))?;
                let (i, j) = (small(reader)?, small(reader)?);
                if i.max(j) > MAX_WIDTH {
                    return Err(DecodeError("an index is too large"));
                }
                let args = self.args(reader)?;
                self.terms.indexed(fun, i, j, &args).map_err(ill_sorted)?
            }
            4 => {
                let sort = self.sort(reader, 0)?;
                match self.args(reader)?[..] {
                    [element] => self.terms.const_array(sort, element).map_err(ill_sorted)?,
                    _ => return Err(DecodeError("a constant array has one element")),
                }
            }
            tag @ 5..=8 => self.member(tag, reader)?,
            _ => return Err(DecodeError("no such node")),
        })
    }

    fn member(&mut self, tag: u8, reader: &mut Reader<'_>) -> Result<TermId, DecodeError> {
        let sort = self.sort(reader, 0)?;
        let number = small(reader)? as usize;
        let field = if matches!(tag, 6 | 8) { Some(small(reader)? as usize) } else { None };
        let args = self.args(reader)?;
        let Sort::Datatype(data) = *self.terms.sort_kind(sort) else {
            return Err(DecodeError("a member of a datatype"));
        };
        let constructor = self.terms.datatype(data).constructors.get(number);
        let constructor = constructor.ok_or(DecodeError("no such constructor"))?;
        let symbol = match field {
            Some(field) => *constructor.selectors.get(field).ok_or(DecodeError("no such field"))?,
            None => constructor.symbol,
        };
        match (tag, &args[..]) {
            (5 | 6, args) => self.terms.apply(symbol, args),
            (7, [value]) => self.terms.is(symbol, *value),
            (8, [value, field]) => self.terms.update(symbol, *value, *field),
            _ => return Err(DecodeError("the arguments do not fit the function")),
        }
        .map_err(ill_sorted)
    }

    fn args(&mut self, reader: &mut Reader<'_>) -> Result<Vec<TermId>, DecodeError> {
        let count = reader.count()?;
        let mut args = Vec::with_capacity(count);
        for _ in 0..count {
            let place = small(reader)? as usize;
            args.push(*self.nodes.get(place).ok_or(DecodeError("arguments come first"))?);
        }
        Ok(args)
    }

    fn sort(&mut self, reader: &mut Reader<'_>, depth: u32) -> Result<SortId, DecodeError> {
        if depth > MAX_SORT_DEPTH {
            return Err(DecodeError("too deep"));
        }
        Ok(match reader.byte()? {
            0 => SortId::BOOL,
            1 => SortId::INT,
            2 => SortId::REAL,
            3 => SortId::STRING,
            4 => SortId::REGLAN,
            5 => SortId::ROUNDING_MODE,
            6 => {
                let width = small(reader)?;
                if width == 0 || width > MAX_WIDTH {
                    return Err(DecodeError("no such width"));
                }
                self.terms.bitvec_sort(width)
            }
            7 => {
                let (exponent, significand) = (small(reader)?, small(reader)?);
                if exponent.min(significand) < 2 || exponent.max(significand) > MAX_WIDTH / 2 {
                    return Err(DecodeError("no such format"));
                }
                self.terms.sort(Sort::Float(exponent, significand))
            }
            8 => {
                let index = self.sort(reader, depth + 1)?;
                let element = self.sort(reader, depth + 1)?;
                self.terms.array_sort(index, element)
            }
            9 => {
                let place = small(reader)? as usize;
                *self.declared.get(place).ok_or(DecodeError("no such sort"))?
            }
            _ => return Err(DecodeError("no such sort")),
        })
    }
}
