//! Entries: functions, variables and types.
//!
//! One walk over each unit in the order of the bytes, without recursion: nesting is a stack of open entries.
//! A reference may lead forward or into another unit, so references stay offsets until all units are read;
//! [`Entries::finish`] makes ids of them.

use crate::attributes::{Entry, Place};
use crate::lines::UnitFiles;
use crate::module::Slice;
use crate::types::{Encoding, Enumerator, Member, Record, RecordKind, Type, TypeId, Types};
use crate::{DebugError, FileId};
use gimli::{AttributeValue, DwTag, Dwarf, Unit};
use std::collections::HashMap;

/// A function with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// As in the source.
    pub name: String,
    /// As the linker knows it, if that differs.
    pub linkage_name: Option<String>,
    /// Where it is declared: file and line.
    pub declared: Option<(FileId, u32)>,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Does it take more than these?
    pub is_variadic: bool,
    /// What it returns.
    pub result: TypeId,
    /// The first code offset.
    pub start: u32,
    /// The first behind it.
    pub end: u32,
    /// Can other sources call it?
    pub is_external: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As in the source; none if it has no name.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
}

/// A variable with a fixed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As in the source.
    pub name: String,
    /// The function that it is a static of.
    pub function: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// Its address in linear memory.
    pub address: u32,
    /// Where it is declared: file and line.
    pub declared: Option<(FileId, u32)>,
}

/// A function whose references are places. `types` has the result, then the parameters.
struct RawFunction {
    function: Function,
    origin: Option<Place>,
    types: Vec<Option<Place>>,
    has_code: bool,
}

/// A type whose references are places, in the order in which [`Type`] has them.
enum RawType {
    Whole(Type, Vec<Option<Place>>),
    /// `const` and its like.
    Same(Option<Place>),
}

/// An entry whose children matter.
#[derive(Clone, Copy)]
enum Open {
    Function(usize),
    Type(usize),
    Other,
}

/// What was read so far.
#[derive(Default)]
pub(crate) struct Entries {
    functions: Vec<RawFunction>,
    function_places: HashMap<Place, usize>,
    variables: Vec<(Variable, Option<Place>, Option<Place>)>,
    /// Names and types of declared variables, which a definition may refer to.
    declared: HashMap<Place, (String, Option<Place>)>,
    types: Vec<RawType>,
    type_places: HashMap<Place, usize>,
    /// Dimensions that an array has so far.
    dimensions: HashMap<usize, Vec<Option<u64>>>,
}

impl Entries {
    /// Reads the entries of a unit.
    pub(crate) fn read<'a>(
        &mut self,
        dwarf: &Dwarf<Slice<'a>>,
        unit: &Unit<Slice<'a>>,
        files: &UnitFiles,
    ) -> Result<(), DebugError> {
        let mut open: Vec<(isize, Open)> = Vec::new();
        let mut cursor = unit.entries();
        while let Some(entry) = cursor.next_dfs()? {
            while open.last().is_some_and(|(depth, _)| *depth >= entry.depth()) {
                open.pop();
            }
            let parent = open.last().map_or(Open::Other, |(_, parent)| *parent);
            let (depth, has_children) = (entry.depth(), entry.has_children());
            let inside = open.iter().rev().find_map(|(_, outer)| match outer {
                Open::Function(function) => Some(*function),
                _ => None,
            });
            let kind = self.entry(&Entry { dwarf, unit, entry, files }, parent, inside)?;
            if has_children {
                open.push((depth, kind));
            }
        }
        Ok(())
    }

    fn entry(&mut self, e: &Entry, parent: Open, inside: Option<usize>) -> Result<Open, DebugError> {
        Ok(match e.entry.tag() {
            gimli::DW_TAG_subprogram => Open::Function(self.function(e)?),
            gimli::DW_TAG_formal_parameter => {
                self.parameter(e, parent)?;
                Open::Other
            }
            gimli::DW_TAG_unspecified_parameters => {
                self.variadic(parent);
                Open::Other
            }
            gimli::DW_TAG_variable => {
                self.variable(e, inside)?;
                Open::Other
            }
            gimli::DW_TAG_member | gimli::DW_TAG_inheritance => {
                self.member(e, parent)?;
                Open::Other
            }
            gimli::DW_TAG_enumerator => {
                self.enumerator(e, parent)?;
                Open::Other
            }
            gimli::DW_TAG_subrange_type if matches!(parent, Open::Type(_)) => {
                self.dimension(e, parent);
                Open::Other
            }
            tag => match self.new_type(e, tag)? {
                Some(ty) => Open::Type(ty),
                None => Open::Other,
            },
        })
    }

    fn function(&mut self, e: &Entry) -> Result<usize, DebugError> {
        let range = e.range()?;
        let (start, end) = range.unwrap_or((0, 0));
        let function = Function {
            name: e.text(gimli::DW_AT_name)?.unwrap_or_default(),
            linkage_name: e.text(gimli::DW_AT_linkage_name)?,
            declared: e.declared(),
            parameters: Vec::new(),
            is_variadic: false,
            result: TypeId::VOID,
            start,
            end,
            is_external: e.is_set(gimli::DW_AT_external),
        };
        let has_code = range.is_some();
        let index = self.functions.len();
        self.functions.push(RawFunction { function, origin: e.origin(), types: vec![e.ty()], has_code });
        if let Some(place) = e.place() {
            self.function_places.insert(place, index);
        }
        Ok(index)
    }

    fn parameter(&mut self, e: &Entry, parent: Open) -> Result<(), DebugError> {
        match parent {
            Open::Function(index) => {
                let name = e.text(gimli::DW_AT_name)?;
                let raw = &mut self.functions[index];
                raw.function.parameters.push(Parameter { name, ty: TypeId::UNKNOWN });
                raw.types.push(e.ty());
            }
            Open::Type(index) => {
                if let RawType::Whole(Type::Function { parameters, .. }, refs) = &mut self.types[index] {
                    parameters.push(TypeId::UNKNOWN);
                    refs.push(e.ty());
                }
            }
            Open::Other => {}
        }
        Ok(())
    }

    fn variadic(&mut self, parent: Open) {
        match parent {
            Open::Function(index) => self.functions[index].function.is_variadic = true,
            Open::Type(index) => {
                if let RawType::Whole(Type::Function { is_variadic, .. }, _) = &mut self.types[index] {
                    *is_variadic = true;
                }
            }
            Open::Other => {}
        }
    }

    fn variable(&mut self, e: &Entry, inside: Option<usize>) -> Result<(), DebugError> {
        let name = e.text(gimli::DW_AT_name)?.unwrap_or_default();
        if let Some(place) = e.place().filter(|_| !name.is_empty() && inside.is_none()) {
            self.declared.insert(place, (name.clone(), e.ty()));
        }
        let Some(address) = e.address()? else { return Ok(()) };
        let function = inside.map(|index| self.functions[index].function.name.clone());
        let variable = Variable { name, function, ty: TypeId::UNKNOWN, address, declared: e.declared() };
        self.variables.push((variable, e.ty(), e.origin()));
        Ok(())
    }

    fn member(&mut self, e: &Entry, parent: Open) -> Result<(), DebugError> {
        let Open::Type(index) = parent else { return Ok(()) };
        let RawType::Whole(Type::Record(record), refs) = &mut self.types[index] else { return Ok(()) };
        let mut offset = e.number(gimli::DW_AT_data_member_location).unwrap_or(0);
        let mut bits = None;
        if let Some(size) = e.number(gimli::DW_AT_bit_size).and_then(|size| u8::try_from(size).ok()) {
            let first = e.number(gimli::DW_AT_data_bit_offset).unwrap_or(offset.saturating_mul(8));
            offset = first / 8;
            bits = Some(((first % 8) as u8, size));
        }
        record.members.push(Member { name: e.text(gimli::DW_AT_name)?, ty: TypeId::UNKNOWN, offset, bits });
        refs.push(e.ty());
        Ok(())
    }

    fn enumerator(&mut self, e: &Entry, parent: Open) -> Result<(), DebugError> {
        let Open::Type(index) = parent else { return Ok(()) };
        let RawType::Whole(Type::Enum { enumerators, .. }, _) = &mut self.types[index] else { return Ok(()) };
        let value = e.entry.attr_value(gimli::DW_AT_const_value);
        let value = value.and_then(|v| v.sdata_value().or_else(|| v.udata_value().map(|u| u as i64)));
        let name = e.text(gimli::DW_AT_name)?.unwrap_or_default();
        enumerators.push(Enumerator { name, value: value.unwrap_or(0) });
        Ok(())
    }

    fn dimension(&mut self, e: &Entry, parent: Open) {
        let Open::Type(index) = parent else { return };
        let bound = || e.number(gimli::DW_AT_upper_bound).and_then(|last| last.checked_add(1));
        let count = e.number(gimli::DW_AT_count).or_else(bound);
        self.dimensions.entry(index).or_default().push(count);
    }

    fn new_type(&mut self, e: &Entry, tag: DwTag) -> Result<Option<usize>, DebugError> {
        let name = || e.text(gimli::DW_AT_name);
        let size = || e.number(gimli::DW_AT_byte_size);
        let raw = match tag {
            gimli::DW_TAG_base_type => {
                let encoding = encoding(e.entry.attr_value(gimli::DW_AT_encoding));
                let name = name()?.unwrap_or_default();
                RawType::Whole(Type::Base { name, size: size().unwrap_or(0), encoding }, Vec::new())
            }
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                RawType::Whole(Type::Pointer { to: TypeId::VOID }, vec![e.ty()])
            }
            gimli::DW_TAG_array_type => {
                RawType::Whole(Type::Array { of: TypeId::UNKNOWN, count: None }, vec![e.ty()])
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                let kind =
                    if tag == gimli::DW_TAG_union_type { RecordKind::Union } else { RecordKind::Struct };
                let record = Record { kind, name: name()?, size: size(), members: Vec::new() };
                RawType::Whole(Type::Record(record), Vec::new())
            }
            gimli::DW_TAG_enumeration_type => {
                let (name, size) = (name()?, size().unwrap_or(4));
                RawType::Whole(Type::Enum { name, size, enumerators: Vec::new() }, Vec::new())
            }
            gimli::DW_TAG_typedef => {
                let to = e.ty();
                RawType::Whole(
                    Type::Typedef { name: name()?.unwrap_or_default(), to: TypeId::VOID },
                    vec![to],
                )
            }
            gimli::DW_TAG_subroutine_type => {
                let (result, parameters) = (TypeId::VOID, Vec::new());
                RawType::Whole(Type::Function { result, parameters, is_variadic: false }, vec![e.ty()])
            }
            gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type => RawType::Same(e.ty()),
            _ => return Ok(None),
        };
        let index = self.types.len();
        self.types.push(raw);
        if let Some(place) = e.place() {
            self.type_places.insert(place, index);
        }
        Ok(Some(index))
    }

    /// The type at a place; none is `void`. Ids of raw types begin behind `VOID` and `UNKNOWN`.
    fn id(&self, mut place: Option<Place>) -> TypeId {
        // A chain of qualifiers is short; a longer one is a cycle.
        for _ in 0..16 {
            let Some(at) = place else { return TypeId::VOID };
            let Some(&index) = self.type_places.get(&at) else { return TypeId::UNKNOWN };
            match &self.types[index] {
                RawType::Same(to) => place = *to,
                RawType::Whole(..) => {
                    return u32::try_from(index + 2).map_or(TypeId::UNKNOWN, TypeId);
                }
            }
        }
        TypeId::UNKNOWN
    }

    /// Makes ids of places. Functions and variables behind the end of the code were dropped by the linker.
    pub(crate) fn finish(mut self, code_bytes: u32) -> (Vec<Function>, Vec<Variable>, Types) {
        let functions = self.finish_functions(code_bytes);
        let mut variables = Vec::new();
        for (mut variable, ty, origin) in std::mem::take(&mut self.variables) {
            let declared = origin.and_then(|place| self.declared.get(&place));
            variable.ty = self.id(ty.or(declared.and_then(|(_, ty)| *ty)));
            if let (true, Some((name, _))) = (variable.name.is_empty(), declared) {
                variable.name = name.clone();
            }
            // The linker gives -1 to what it dropped; address 0 is no object.
            if variable.address != 0 && variable.address < u32::MAX - 1 {
                variables.push(variable);
            }
        }
        variables.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        (functions, variables, self.finish_types())
    }

    fn finish_functions(&mut self, code_bytes: u32) -> Vec<Function> {
        let raw = std::mem::take(&mut self.functions);
        let mut functions = Vec::new();
        for found in raw.iter().filter(|f| f.has_code) {
            let mut function = found.function.clone();
            let mut types = found.types.clone();
            // What a definition leaves out is at its declaration.
            let declared = found.origin.and_then(|place| raw.get(*self.function_places.get(&place)?));
            if let Some(declared) = declared {
                let from = &declared.function;
                if function.name.is_empty() {
                    function.name.clone_from(&from.name);
                }
                function.linkage_name = function.linkage_name.or_else(|| from.linkage_name.clone());
                function.declared = function.declared.or(from.declared);
                function.is_external |= from.is_external;
                types[0] = types[0].or(declared.types[0]);
            }
            function.result = self.id(types[0]);
            for (parameter, &ty) in function.parameters.iter_mut().zip(&types[1..]) {
                parameter.ty = self.id(ty);
            }
            if function.start < function.end && function.end <= code_bytes {
                functions.push(function);
            }
        }
        functions.sort_by(|a, b| (a.start, a.end, &a.name).cmp(&(b.start, b.end, &b.name)));
        functions
    }

    fn finish_types(&self) -> Types {
        let mut types = Types::default();
        let mut inner: Vec<Type> = Vec::new();
        let first_inner = self.types.len() + 2;
        for (index, raw) in self.types.iter().enumerate() {
            let RawType::Whole(ty, refs) = raw else {
                types.0.push(Type::Unknown);
                continue;
            };
            let mut ty = ty.clone();
            let mut ids = refs.iter().map(|&place| self.id(place));
            match &mut ty {
                Type::Pointer { to } | Type::Typedef { to, .. } => *to = ids.next().unwrap_or(TypeId::VOID),
                Type::Function { result, parameters, .. } => {
                    *result = ids.next().unwrap_or(TypeId::VOID);
                    parameters.iter_mut().zip(ids).for_each(|(parameter, id)| *parameter = id);
                }
                Type::Record(record) => {
                    record.members.iter_mut().zip(ids).for_each(|(member, id)| member.ty = id);
                }
                Type::Array { of, count } => {
                    *of = ids.next().unwrap_or(TypeId::UNKNOWN);
                    let counts = self.dimensions.get(&index).map_or(&[][..], Vec::as_slice);
                    *count = counts.first().copied().flatten();
                    // The inner dimensions are arrays of their own, made from the innermost on.
                    for &count in counts.iter().skip(1).rev() {
                        let id = u32::try_from(first_inner + inner.len()).map_or(TypeId::UNKNOWN, TypeId);
                        inner.push(Type::Array { of: *of, count });
                        *of = id;
                    }
                }
                _ => {}
            }
            types.0.push(ty);
        }
        types.0.extend(inner);
        types
    }
}

fn encoding(value: Option<AttributeValue<Slice<'_>>>) -> Encoding {
    let Some(AttributeValue::Encoding(encoding)) = value else { return Encoding::Other };
    match encoding {
        gimli::DW_ATE_boolean => Encoding::Bool,
        gimli::DW_ATE_signed_char => Encoding::SignedChar,
        gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF => Encoding::UnsignedChar,
        gimli::DW_ATE_signed => Encoding::Signed,
        gimli::DW_ATE_unsigned => Encoding::Unsigned,
        gimli::DW_ATE_float => Encoding::Float,
        _ => Encoding::Other,
    }
}
