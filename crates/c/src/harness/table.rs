//! The tables that describe what pointers point to: elements, and the fields of an element by offset.

use super::declare::Declared;
use super::{ParameterKind, Sizes};
use evergreen_debuginfo::{Encoding, Record, RecordKind, Type, TypeId, Types};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most fields of a struct, arrays of structs taken apart.
const MOST_FIELDS: usize = 1024;

/// What is pointed to.
enum Form {
    /// Elements that are structs.
    Struct(TypeId),
    /// Elements that are pointers.
    Pointers(TypeId),
    Text,
    /// Elements that are numbers.
    Values(TypeId),
}

/// A field, or several in a row.
struct Leaf {
    offset: u64,
    size: u64,
    count: u64,
    /// How C names it, from the struct on.
    path: String,
    is: Is,
}

enum Is {
    /// A value; its type.
    Value(Option<TypeId>),
    /// A pointer; the table of what it points to.
    Pointer(Option<usize>),
    /// Bit fields: name, first bit, bits.
    Bits(Vec<(String, u64, u8)>),
}

/// Tables of types that pointers lead to.
pub(super) struct Tables<'d> {
    types: &'d Types,
    sizes: &'d Sizes,
    all: Vec<(Form, String)>,
    known: BTreeMap<(TypeId, bool), usize>,
    /// Whether a pointer leads to one of them.
    is_reached: bool,
}

impl<'d> Tables<'d> {
    pub(super) fn new(types: &'d Types, sizes: &'d Sizes) -> Tables<'d> {
        Tables { types, sizes, all: Vec::new(), known: BTreeMap::new(), is_reached: false }
    }

    /// Whether there are buffers, and whether there are objects.
    pub(super) fn makes(&self) -> (bool, bool) {
        let is_struct = |(form, _): &(Form, String)| matches!(form, Form::Struct(_));
        (self.is_reached, self.all.iter().any(is_struct))
    }

    /// The table for a pointer that leads to a type.
    pub(super) fn reached(&mut self, ty: TypeId) -> Option<usize> {
        let found = self.pointed(ty);
        self.is_reached |= found.is_some();
        found
    }

    /// What conditions need to know of a pointer.
    pub(super) fn kind(&self, number: usize) -> ParameterKind {
        let (_, least, most, scope) = self.limits(number);
        let element = match &self.all[number].0 {
            Form::Text => Some((1, true)),
            Form::Values(ty) if self.values(*ty).is_empty() => self.integer(*ty),
            _ => None,
        };
        let text = matches!(self.all[number].0, Form::Text);
        ParameterKind::Pointer { scope, least, most, element, text }
    }

    fn integer(&self, ty: TypeId) -> Option<(u8, bool)> {
        match self.types.resolve(ty) {
            Type::Base { size, encoding, .. } if encoding.is_integer() => {
                Some((*size as u8, encoding.is_signed()))
            }
            Type::Void => Some((1, false)),
            _ => None,
        }
    }

    /// The integers of a struct that are not in a row.
    pub(super) fn integers(&mut self, ty: TypeId) -> Vec<(String, u8, bool)> {
        let Type::Record(record) = self.types.resolve(ty).clone() else { return Vec::new() };
        let mut leaves = Vec::new();
        self.fields(&record, 0, "", &mut leaves);
        let own = leaves.into_iter().filter(|leaf| leaf.count == 1);
        own.filter_map(|leaf| match leaf.is {
            Is::Value(Some(ty)) if self.values(ty).is_empty() => {
                let (size, signed) = self.integer(ty)?;
                Some((leaf.path, size, signed))
            }
            _ => None,
        })
        .collect()
    }

    /// Bytes of an element, the least and the most elements, the most objects.
    fn limits(&self, number: usize) -> (u32, u32, u32, u32) {
        let (size, least, scope) = match &self.all[number].0 {
            Form::Text => (1, 0, 0),
            Form::Values(ty) => (self.types.size(*ty).unwrap_or(1), 0, 0),
            Form::Pointers(_) => (4, 0, 0),
            Form::Struct(ty) => match self.types.get(*ty) {
                Type::Record(record) => {
                    (record.size.unwrap_or(1), 1, self.sizes.scope_of(record.name.as_deref()).max(1))
                }
                _ => (1, 1, 1),
            },
        };
        // Objects have to fit into the place that the machine keeps for them.
        let most = u64::from(self.sizes.elements).min((1 << 16) / size.max(1)).max(1);
        (size as u32, least, most as u32, scope)
    }

    /// The table of what a pointer to a type points to; none if no such thing can be made.
    pub(super) fn pointed(&mut self, ty: TypeId) -> Option<usize> {
        let ty = self.types.resolved(ty);
        let form = match self.types.get(ty) {
            Type::Base { name, .. } if name == "char" => Form::Text,
            Type::Base { size, .. } | Type::Enum { size, .. } if (1..=8).contains(size) => Form::Values(ty),
            Type::Void => Form::Values(ty),
            Type::Pointer { to } => Form::Pointers(*to),
            Type::Record(record) if record.size.is_some_and(|size| size > 0) => Form::Struct(ty),
            Type::Array { of, .. } => return self.pointed(*of),
            _ => return None,
        };
        let key = (ty, matches!(form, Form::Pointers(_)));
        if let Some(number) = self.known.get(&key) {
            return Some(*number);
        }
        let number = self.all.len();
        self.known.insert(key, number);
        self.all.push((form, self.types.shown(ty)));
        Some(number)
    }

    /// The text of all tables.
    pub(super) fn finish(mut self, declared: &mut Declared<'_>) -> String {
        let (mut heads, mut text) = (String::new(), String::new());
        let mut number = 0;
        // Fields lead to further types.
        while number < self.all.len() {
            self.one(number, &mut text, declared);
            number += 1;
        }
        for number in 0..self.all.len() {
            let _ = writeln!(heads, "static const struct evergreen_type evergreen_type_{number};");
        }
        heads + &text
    }

    fn one(&mut self, number: usize, text: &mut String, declared: &mut Declared<'_>) {
        let name = self.all[number].1.clone();
        let (size, least, most, scope) = self.limits(number);
        let (form, leaves, element) = match &self.all[number].0 {
            Form::Text => (1, Vec::new(), "char".to_string()),
            Form::Values(ty) => {
                let ty = *ty;
                let is = Is::Value(Some(ty));
                let leaf = Leaf { offset: 0, size: size.into(), count: 1, path: String::new(), is };
                (2, vec![leaf], declared.passed(ty).unwrap_or("char".into()))
            }
            Form::Pointers(to) => {
                let is = Is::Pointer(self.reached(*to));
                let leaf = Leaf { offset: 0, size: 4, count: 1, path: String::new(), is };
                (0, vec![leaf], "void *".to_string())
            }
            Form::Struct(ty) => {
                let ty = *ty;
                let mut leaves = Vec::new();
                if let Type::Record(record) = self.types.get(ty).clone() {
                    self.fields(&record, 0, "", &mut leaves);
                }
                (0, leaves, declared.tag(ty).unwrap_or("char".into()))
            }
        };
        self.fields_written(number, &leaves, text);
        self.fill_written(number, (form, &element), &leaves, text);
        let signed = match leaves.first() {
            Some(Leaf { is: Is::Value(Some(ty)), .. }) => u8::from(self.is_signed(*ty)),
            _ => 0,
        };
        let _ = writeln!(
            text,
            "static const struct evergreen_type evergreen_type_{number} = {{\n  \"{name}\", {size}, {least}, \
             {most}, {scope}, {form}, {}, evergreen_fields_{number},\n  EVERGREEN_NATIVE(sizeof({element}), \
             {signed}, evergreen_fill_{number})}};",
            leaves.len(),
        );
    }

    fn fields_written(&self, number: usize, leaves: &[Leaf], text: &mut String) {
        let mut rows = String::new();
        for (at, leaf) in leaves.iter().enumerate() {
            let ty = match leaf.is {
                Is::Pointer(Some(ty)) => format!("&evergreen_type_{ty}"),
                _ => "0".into(),
            };
            let values = match leaf.is {
                Is::Value(Some(ty)) => self.values(ty),
                _ => Vec::new(),
            };
            let list = match values.is_empty() {
                true => "0".to_string(),
                false => {
                    let all: Vec<String> = values.iter().map(i64::to_string).collect();
                    let name = format!("evergreen_values_{number}_{at}");
                    let _ = writeln!(text, "static const int {name}[] = {{{}}};", all.join(", "));
                    name
                }
            };
            let Leaf { offset, size, count, path, .. } = leaf;
            // What is always null takes no input.
            let count = if matches!(leaf.is, Is::Pointer(None)) { 0 } else { *count };
            let n = values.len();
            let _ = writeln!(rows, "  {{{offset}, {size}, {count}, {ty}, {list}, {n}, \"{path}\"}},");
        }
        if rows.is_empty() {
            rows.push_str("  {0, 0, 0, 0, 0, 0, \"\"}\n");
        }
        let _ =
            writeln!(text, "static const struct evergreen_field evergreen_fields_{number}[] = {{\n{rows}}};");
    }

    /// The function that fills an element of a native program.
    fn fill_written(&self, number: usize, (form, element): (u32, &str), leaves: &[Leaf], text: &mut String) {
        let mut body = String::new();
        for leaf in leaves.iter().filter(|_| form == 0) {
            let Leaf { size, count, path, .. } = leaf;
            let to = if path.is_empty() { "*o".to_string() } else { format!("o->{path}") };
            match &leaf.is {
                Is::Value(ty) => {
                    let signed = u8::from(ty.is_some_and(|ty| self.is_signed(ty)));
                    let item = match ty {
                        // An array of arrays is one row.
                        Some(_) => format!("sizeof({to}) / {count}"),
                        None => "1".to_string(),
                    };
                    let _ = writeln!(body, "  evergreen_items(&{to}, {item}, {size}, {count}, {signed});");
                }
                Is::Pointer(None) => {}
                Is::Pointer(Some(ty)) => {
                    for item in 0..*count {
                        let to = if *count == 1 { to.clone() } else { format!("((void **)&{to})[{item}]") };
                        let _ = writeln!(body, "  evergreen_pointer(&{to}, &evergreen_type_{ty}, \"\");");
                    }
                }
                Is::Bits(all) => {
                    let _ = writeln!(body, "  unsigned char bits_{}[{count}];", leaf.offset);
                    let _ = writeln!(body, "  evergreen_items(bits_{}, 1, 1, {count}, 0);", leaf.offset);
                    for (name, first, bits) in all {
                        let from = format!("bits_{}", leaf.offset);
                        let _ = writeln!(body, "  o->{name} = evergreen_bits({from}, {first}, {bits});");
                    }
                }
            }
        }
        let _ = writeln!(
            text,
            "#ifndef __wasm__\nstatic void evergreen_fill_{number}(void *to) {{\n  {element} *o = to;\n  \
             (void)o;\n{body}}}\n#endif"
        );
    }

    fn is_signed(&self, ty: TypeId) -> bool {
        match self.types.resolve(ty) {
            Type::Base { encoding, .. } => encoding.is_signed() && *encoding != Encoding::Float,
            Type::Enum { .. } => true,
            _ => false,
        }
    }

    /// The numbers that a value can be, if not any.
    fn values(&self, ty: TypeId) -> Vec<i64> {
        match self.types.resolve(ty) {
            Type::Base { encoding: Encoding::Bool, .. } => vec![0, 1],
            Type::Enum { enumerators, .. } => enumerators.iter().map(|e| e.value).collect(),
            _ => Vec::new(),
        }
    }

    /// The fields of a struct, structs inside it taken apart.
    fn fields(&mut self, record: &Record, base: u64, prefix: &str, leaves: &mut Vec<Leaf>) {
        // Of a union its first member, if there are pointers in it; otherwise its bytes.
        let first = match record.kind {
            RecordKind::Struct => record.members.len(),
            RecordKind::Union => 1,
        };
        let mut members = record.members.iter().take(first).peekable();
        while let Some(member) = members.next() {
            let path = match (&member.name, prefix) {
                (Some(name), "") => name.clone(),
                (Some(name), prefix) => format!("{prefix}.{name}"),
                (None, prefix) => prefix.to_string(),
            };
            let offset = base + member.offset;
            let Some((bit, bits)) = member.bits else {
                self.field(member.ty, offset, &path, leaves);
                continue;
            };
            let mut group = vec![(path, u64::from(bit), bits)];
            let mut end = u64::from(bit) + u64::from(bits);
            while let Some(next) = members.next_if(|next| next.bits.is_some()) {
                let (bit, bits) = next.bits.unwrap_or((0, 0));
                let first = 8 * (next.offset - member.offset) + u64::from(bit);
                let name = next.name.clone().unwrap_or_default();
                let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
                group.push((name, first, bits));
                end = end.max(first + u64::from(bits));
            }
            let path = group[0].0.clone();
            leaves.push(Leaf { offset, size: 1, count: end.div_ceil(8), path, is: Is::Bits(group) });
        }
    }

    fn field(&mut self, ty: TypeId, offset: u64, path: &str, leaves: &mut Vec<Leaf>) {
        let (mut item, mut count) = (self.types.resolved(ty), 1);
        while let Type::Array { of, count: more } = self.types.get(item) {
            count *= more.unwrap_or(0);
            item = self.types.resolved(*of);
        }
        let size = self.types.size(item).unwrap_or(0);
        if count == 0 || size == 0 {
            return;
        }
        let leaf = |size, count, is| Leaf { offset, size, count, path: path.to_string(), is };
        match self.types.get(item).clone() {
            Type::Pointer { to } => {
                let is = Is::Pointer(self.reached(to));
                leaves.push(leaf(4, count, is));
            }
            Type::Record(record) => {
                let is_plain = !self.has_pointers(item, 0);
                let is_union = record.kind == RecordKind::Union;
                let is_large = leaves.len() + record.members.len() * count as usize > MOST_FIELDS;
                if is_plain && (is_union || is_large) {
                    return leaves.push(leaf(1, size * count, Is::Value(None)));
                }
                for at in 0..count {
                    let path = if count == 1 { path.to_string() } else { format!("{path}[{at}]") };
                    self.fields(&record, offset + at * size, &path, leaves);
                }
            }
            Type::Base { .. } | Type::Enum { .. } if size <= 8 => {
                leaves.push(leaf(size, count, Is::Value(Some(item))));
            }
            _ => leaves.push(leaf(1, size * count, Is::Value(None))),
        }
    }

    fn has_pointers(&self, ty: TypeId, depth: u32) -> bool {
        match self.types.resolve(ty) {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => depth < 16 && self.has_pointers(*of, depth + 1),
            Type::Record(record) => {
                depth < 16 && record.members.iter().any(|member| self.has_pointers(member.ty, depth + 1))
            }
            _ => false,
        }
    }
}
