//! What a user sets for inputs: fixed values, ranges, assumptions; made into arguments and conditions.

use crate::graph::RECEIVER;
use crate::{AssumeError, assume};
use crate::{MethodRef, ProgramError};
use evergreen_classfile::{ClassFile, Type, access};
use evergreen_heap::diagnostic::nearest;
use evergreen_jvm::{Argument, Arguments, Body, Drawn, Jvm, Kind, Options, State, Value};
use evergreen_symbolic::{Cond, Expr, Exprs, InputKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known of the inputs before anything is explored.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Inputs with one value: name and value as Java source has it (`3`, `'a'`, `"text"`, `{1, 2}`, `null`).
    pub concrete: Vec<(String, String)>,
    /// Inputs within a range, both ends included.
    pub ranges: Vec<(String, (i64, i64))>,
    /// Conditions, see [`assume`].
    pub assumptions: Vec<String>,
}

/// Whether a program is called with arguments that the user gave.
fn is_given(options: &Options) -> bool {
    matches!(options.main, Some(Arguments::Given(_)))
}

impl Inputs {
    /// Reads `name=value`.
    pub fn read_concrete(text: &str) -> Result<(String, String), String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
            _ => Err(format!("\"{text}\" is not of the form name=value")),
        }
    }

    /// Reads `name=low..high`, both ends included.
    pub fn read_range(text: &str) -> Result<(String, (i64, i64)), String> {
        let wrong = || format!("\"{text}\" is not of the form name=low..high");
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let number = |part: &str| part.trim().trim_start_matches('=').replace('_', "").parse::<i64>();
        let (Ok(low), Ok(high)) = (number(low), number(high)) else { return Err(wrong()) };
        if name.trim().is_empty() {
            return Err(wrong());
        }
        if low > high {
            return Err(format!("\"{text}\": the range is empty"));
        }
        Ok((name.trim().into(), (low, high)))
    }

    fn range_of(&self, name: &str) -> Option<(i64, i64)> {
        self.ranges.iter().rev().find(|(n, _)| n == name).map(|(_, range)| *range)
    }

    fn value_of(&self, name: &str) -> Option<&str> {
        self.concrete.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether an input has one value, given in full.
    pub(crate) fn is_fixed(&self, name: &str) -> bool {
        self.value_of(name).is_some()
    }

    /// The arguments of a method; objects among them are made in `base`.
    pub(crate) fn arguments(
        &self,
        jvm: &mut Jvm,
        base: &mut State,
        method: &MethodRef,
    ) -> Result<Vec<Argument>, ProgramError> {
        let mut all = Vec::with_capacity(method.parameters.len());
        for (name, of) in &method.parameters {
            if let Some(range) = self.range_of(name) {
                check_range(name, of, range)?;
            }
            all.push(match self.value_of(name) {
                // The machine makes the arguments of a program.
                _ if is_given(&jvm.options) && method.is_main() => Argument::Symbolic(None),
                // Boxes and constants of enums are made by the machine: conditions say which.
                Some(text) if text != "null" && is_chosen(of) => Argument::Symbolic(self.range_of(name)),
                Some(text) => Argument::Fixed(make(jvm, base, name, of, text)?),
                None => Argument::Symbolic(self.range_of(name)),
            });
        }
        Ok(all)
    }

    /// Settings of inputs that are no parameters of a method: a driver may draw them.
    pub(crate) fn drawn(
        &self,
        method: &MethodRef,
        classes: &[ClassFile],
    ) -> Result<BTreeMap<String, Drawn>, ProgramError> {
        // Parts of an object that calls make are settings of the machine, too.
        let is_own = |name: &str| {
            let base = name.split(['.', '[']).next().unwrap_or(name);
            let own = method.parameters.iter().find(|(parameter, _)| **parameter == *base);
            own.is_some_and(|(_, of)| base == name && !is_anything(of) || !has_parts(of, classes))
        };
        let mut all = BTreeMap::new();
        for (name, (low, high)) in self.ranges.iter().filter(|(name, _)| !is_own(name)) {
            all.insert(name.clone(), Drawn::Range(*low, *high));
        }
        for (name, text) in self.concrete.iter().filter(|(name, _)| !is_own(name)) {
            draw(name, text, &mut all);
        }
        Ok(all)
    }

    /// Lengths that are fixed, or whose range ends within `most`: no longer array or string is wanted.
    pub(crate) fn whole_lengths(&self, most: u32) -> BTreeSet<String> {
        let is_length = |name: &str| name.ends_with(".length");
        let ranges =
            self.ranges.iter().filter(|(name, (_, high))| is_length(name) && *high <= i64::from(most));
        let concrete = self.concrete.iter().filter(|(name, _)| is_length(name));
        ranges.map(|(name, _)| name.clone()).chain(concrete.map(|(name, _)| name.clone())).collect()
    }

    /// The assumptions as conditions, and ranges of what is no parameter by itself.
    pub(crate) fn conditions(
        &self,
        exprs: &mut Exprs,
        method: &MethodRef,
        options: &evergreen_jvm::Options,
        classes: &[ClassFile],
    ) -> Result<Vec<Cond>, ProgramError> {
        let mut texts: Vec<String> = self.assumptions.clone();
        for (name, of) in method.parameters.iter().filter(|(_, of)| is_chosen(of) && !is_anything(of)) {
            if let Some(value) = self.value_of(name).filter(|value| *value != "null") {
                texts.push(chosen(name, of, value, classes)?);
            }
        }
        let own = |name: &str| {
            let base = name.split(['.', '[']).next().unwrap_or(name);
            let mut own = method.parameters.iter().filter(|(parameter, _)| **parameter == *base);
            own.any(|(_, of)| !has_parts(of, classes))
        };
        let is_part = |name: &str| name.contains(['.', '[']) && own(name);
        for (name, (low, high)) in self.ranges.iter().filter(|(name, _)| is_part(name)) {
            texts.push(format!("{low} <= {name} && {name} <= {high}"));
        }
        for (name, value) in self.concrete.iter().filter(|(name, _)| is_part(name)) {
            texts.push(format!("{name} == {value}"));
        }
        let mut input = |exprs: &mut Exprs, name: &str| self.input(exprs, method, options, classes, name);
        texts
            .iter()
            .map(|text| {
                let wrong = |e: AssumeError| {
                    let names: Vec<&str> = method.parameters.iter().map(|(name, _)| &**name).collect();
                    let known = if names.is_empty() { "none".into() } else { names.join(", ") };
                    ProgramError(format!("{e}\nhelp: the inputs of {method} are {known}"))
                };
                assume(text, exprs, &mut input).map_err(wrong)
            })
            .collect()
    }

    /// The expression of an input: a parameter, the length of one (`a.length`), an element (`a[0]`), whether
    /// a box is null (`x.isNull`), or which constant of an enum it is (`e.ordinal`).
    pub(crate) fn input(
        &self,
        exprs: &mut Exprs,
        method: &MethodRef,
        options: &evergreen_jvm::Options,
        classes: &[ClassFile],
        name: &str,
    ) -> Option<Expr> {
        let base = name.split(['.', '[']).next()?;
        let (_, of) = method.parameters.iter().find(|(n, _)| **n == *base)?;
        if let Some(kind) = input_kind(of) {
            let fixed = self.value_of(name).and_then(|text| primitive(of, text));
            return match fixed {
                _ if name != base => None,
                Some(value) => Some(exprs.constant(constant(value)?)),
                None => Some(exprs.input(name, kind, self.range_of(name))),
            };
        }
        if let Some(kind) = boxed(of).as_ref().and_then(input_kind) {
            return match &name[base.len()..] {
                "" => {
                    Some(exprs.input(name, kind, self.range_of(name).filter(|_| kind != InputKind::Boolean)))
                }
                ".isNull" => Some(exprs.input(name, InputKind::Boolean, None)),
                _ => None,
            };
        }
        if let Some(constants) = constants(of, classes) {
            let last = i64::try_from(constants.len()).ok()? - 1;
            let is_ordinal = &name[base.len()..] == ".ordinal" && last >= 0;
            return is_ordinal.then(|| exprs.input(name, InputKind::Int, Some((-1, last))));
        }
        let most = i64::from(options.input_length);
        let (element, range, most) = match of {
            Type::Array(element) => (input_kind(element)?, self.range_of(base), most),
            Type::Class(class) if &**class == "java/lang/String" => {
                // Its length is chosen where the program looks.
                let chars = (i64::from(options.chars.0), i64::from(options.chars.1));
                let most = if options.closed_strings { most } else { i64::from(i32::MAX) };
                (InputKind::Char, Some(chars), most)
            }
            _ => return None,
        };
        match &name[base.len()..] {
            ".length" => Some(exprs.input(name, InputKind::Int, Some((-1, most)))),
            part => {
                let index = part.strip_prefix('[')?.strip_suffix(']')?.parse::<u32>().ok()?;
                (i64::from(index) < most).then(|| exprs.input(name, element, range))
            }
        }
    }

    /// Fails if a name is no input of any of these methods.
    pub fn check_names(&self, methods: &[MethodRef]) -> Result<(), ProgramError> {
        let known: Vec<&str> = methods
            .iter()
            .filter(|m| !m.is_main())
            .flat_map(|m| m.parameters.iter().map(|(name, _)| &**name))
            .collect();
        let given =
            self.concrete.iter().map(|(name, _)| name).chain(self.ranges.iter().map(|(name, _)| name));
        for name in given {
            let base = name.split(['.', '[']).next().unwrap_or(name);
            // Drivers have inputs of their own, which are met only while they run.
            if !known.is_empty() && !known.contains(&base) && base != RECEIVER {
                let near = nearest(base, known.iter().copied());
                let help = if near.is_empty() { known.join(", ") } else { near.join(" or ") };
                return Err(ProgramError(format!(
                    "no input is called \"{name}\"\nhelp: did you mean {help}?"
                )));
            }
        }
        Ok(())
    }
}

/// Whether a parameter may be a number, a text or any object.
fn is_anything(of: &Type) -> bool {
    matches!(of, Type::Class(class) if &**class == "java/lang/Object")
}

/// Whether a parameter is an object that calls make, and not a value of the language.
fn has_parts(of: &Type, classes: &[ClassFile]) -> bool {
    if let Type::Array(element) = of {
        return element.is_reference();
    }
    is_chosen(of) && boxed(of).is_none() && constants(of, classes).is_none()
}

/// Sets an input that the machine makes to a value as Java source has it: a string and an array by their
/// length and their elements.
fn draw(name: &str, text: &str, all: &mut BTreeMap<String, Drawn>) {
    let text = text.trim();
    let between = |open, close| text.strip_prefix(open).and_then(|text: &str| text.strip_suffix(close));
    let mut part = |part: &str, value: Drawn| all.insert(format!("{name}{part}"), value);
    if let Some(inner) = between('"', '"') {
        let units = unescape(inner);
        part("", Drawn::Text(units.as_slice().into()));
        part(".length", Drawn::Whole(units.len() as i64));
        units.iter().enumerate().for_each(|(at, unit)| {
            part(&format!("[{at}]"), Drawn::Whole((*unit).into()));
        });
        return;
    }
    if let Some(inner) = between('{', '}') {
        let items: Vec<&str> = inner.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        part(".length", Drawn::Whole(items.len() as i64));
        items.iter().enumerate().for_each(|(at, item)| draw(&format!("{name}[{at}]"), item, all));
        return;
    }
    if text == "null" {
        part(".length", Drawn::Whole(-1));
        part(".ordinal", Drawn::Whole(-1));
        part(".isNull", Drawn::Whole(1));
        part(".new", Drawn::Name("null".into()));
        return;
    }
    let kinds = [Type::Boolean, Type::Long, Type::Char, Type::Double];
    let value = match kinds.iter().find_map(|of| primitive(of, text)) {
        Some(Value::Int(n)) => Drawn::Whole(n.into()),
        Some(Value::Long(n)) => Drawn::Whole(n),
        Some(Value::Double(n)) => Drawn::Real(n),
        _ => Drawn::Name(text.to_string()),
    };
    part("", value);
}

/// The type of an input, for a primitive.
fn input_kind(of: &Type) -> Option<InputKind> {
    Some(match of {
        Type::Boolean => InputKind::Boolean,
        Type::Byte => InputKind::Byte,
        Type::Char => InputKind::Char,
        Type::Short => InputKind::Short,
        Type::Int => InputKind::Int,
        Type::Long => InputKind::Long,
        Type::Float => InputKind::Float,
        Type::Double => InputKind::Double,
        Type::Class(_) | Type::Array(_) => return None,
    })
}

/// Fails if a range means nothing for a parameter: its type is no whole number, or has no value in the range.
fn check_range(name: &str, of: &Type, (low, high): (i64, i64)) -> Result<(), ProgramError> {
    let item = match of {
        Type::Array(element) => Some((**element).clone()),
        Type::Class(_) => boxed(of),
        other => Some(other.clone()),
    };
    let kind = item.as_ref().and_then(input_kind);
    let whole = kind.filter(|kind| !matches!(kind, InputKind::Float | InputKind::Double));
    let Some(whole) = whole else {
        return Err(ProgramError(format!(
            "--range {name}={low}..{high}: {name} is a {}, and ranges are for whole numbers\n\
             help: --assume '{name} >= {low} && {name} <= {high}'",
            of.to_java()
        )));
    };
    let (least, greatest) = whole.range();
    if high < least || low > greatest {
        return Err(ProgramError(format!("--range {name}={low}..{high}: no {} is in it", of.to_java())));
    }
    Ok(())
}

/// The primitive in a box such as `Integer`.
pub(crate) fn boxed(of: &Type) -> Option<Type> {
    let Type::Class(class) = of else { return None };
    Some(match class.strip_prefix("java/lang/")? {
        "Boolean" => Type::Boolean,
        "Byte" => Type::Byte,
        "Character" => Type::Char,
        "Short" => Type::Short,
        "Integer" => Type::Int,
        "Long" => Type::Long,
        "Float" => Type::Float,
        "Double" => Type::Double,
        _ => return None,
    })
}

/// Whether the machine chooses among the values of a type by conditions.
fn is_chosen(of: &Type) -> bool {
    boxed(of).is_some() || matches!(of, Type::Class(class) if &**class != "java/lang/String")
}

/// The constants of an enum among the classes that are explored.
fn constants(of: &Type, classes: &[ClassFile]) -> Option<Vec<Arc<str>>> {
    let Type::Class(name) = of else { return None };
    let class = classes.iter().find(|class| class.name == *name && class.access & access::ENUM != 0)?;
    let fields = class.fields.iter().filter(|field| field.access & access::ENUM != 0);
    Some(fields.map(|field| field.name.clone()).collect())
}

/// A condition that makes a box or an enum the given value.
fn chosen(name: &str, of: &Type, value: &str, classes: &[ClassFile]) -> Result<String, ProgramError> {
    if let Some(inner) = boxed(of) {
        let wrong = || ProgramError(format!("{name}={value}: \"{value}\" is no {}", inner.to_java()));
        return Ok(match (&inner, primitive(&inner, value).ok_or_else(wrong)?) {
            (Type::Boolean, Value::Int(n)) => format!("!{name}.isNull && {name} == {}", n != 0),
            (_, Value::Int(n)) => format!("!{name}.isNull && {name} == {n}"),
            (_, Value::Long(n)) => format!("!{name}.isNull && {name} == {n}L"),
            (_, Value::Float(n)) => format!("!{name}.isNull && {name} == {n:?}"),
            (_, Value::Double(n)) => format!("!{name}.isNull && {name} == {n:?}"),
            _ => return Err(wrong()),
        });
    }
    let constants = constants(of, classes).unwrap_or_default();
    let constant = value.rsplit('.').next().unwrap_or(value);
    match constants.iter().position(|known| **known == *constant) {
        Some(at) => Ok(format!("{name}.ordinal == {at}")),
        None => Err(ProgramError(format!(
            "{name}={value}: only null, strings, arrays of primitives, \
             boxes and constants of explored enums can be given"
        ))),
    }
}

fn constant(value: Value) -> Option<evergreen_symbolic::Const> {
    use evergreen_symbolic::Const;
    Some(match value {
        Value::Int(n) => Const::I32(n),
        Value::Long(n) => Const::I64(n),
        Value::Float(n) => Const::F32(n.to_bits()),
        Value::Double(n) => Const::F64(n.to_bits()),
        _ => return None,
    })
}

/// A primitive value as Java source has it.
fn primitive(of: &Type, text: &str) -> Option<Value> {
    let text = text.trim();
    let digits = text.replace('_', "");
    let whole = |low: i64, high: i64| {
        let named = match text.trim_start_matches("Integer.").trim_start_matches("Long.") {
            "MIN_VALUE" => Some(low),
            "MAX_VALUE" => Some(high),
            _ => None,
        };
        let number = named.or_else(|| digits.trim_end_matches(['l', 'L']).parse::<i64>().ok());
        number.filter(|n| (low..=high).contains(n))
    };
    let int = |low: i64, high: i64| whole(low, high).map(|n| Value::Int(n as i32));
    match of {
        Type::Boolean => match text {
            "true" => Some(Value::Int(1)),
            "false" => Some(Value::Int(0)),
            _ => None,
        },
        Type::Byte => int(i8::MIN.into(), i8::MAX.into()),
        Type::Short => int(i16::MIN.into(), i16::MAX.into()),
        Type::Int => int(i32::MIN.into(), i32::MAX.into()),
        Type::Char => {
            let quoted = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).map(unescape);
            match quoted.as_deref() {
                Some([unit]) => Some(Value::Int(i32::from(*unit))),
                Some(_) => None,
                None => int(0, u16::MAX.into()),
            }
        }
        Type::Long => whole(i64::MIN, i64::MAX).map(Value::Long),
        Type::Float => digits.trim_end_matches(['f', 'F']).parse().ok().map(Value::Float),
        Type::Double => digits.trim_end_matches(['d', 'D']).parse().ok().map(Value::Double),
        Type::Class(_) | Type::Array(_) => None,
    }
}

/// The units of a string's or char's text between quotes, with Java's escapes.
fn unescape(text: &str) -> Vec<u16> {
    let mut units = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => {
                    let digits: String = rest.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                    continue;
                }
                Some(other) => other,
                None => '\\',
            },
            c => c,
        };
        units.extend(c.encode_utf16(&mut [0; 2]).iter());
    }
    units
}

/// A value as Java source has it, made in `base`.
fn make(jvm: &mut Jvm, base: &mut State, name: &str, of: &Type, text: &str) -> Result<Value, ProgramError> {
    let wrong = || ProgramError(format!("{name}={text}: \"{text}\" is no {}", of.to_java()));
    match of {
        _ if of.is_reference() && text == "null" => Ok(Value::Null),
        Type::Class(class) if &**class == "java/lang/String" => {
            let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
            let object = jvm.new_string(base, &unescape(inner));
            Ok(Value::Ref(object))
        }
        Type::Array(element) if input_kind(element).is_some() => {
            let inner = text.trim().trim_start_matches(['{', '[']).trim_end_matches(['}', ']']).trim();
            let items: Option<Vec<Value>> = match inner {
                "" => Some(Vec::new()),
                inner => inner.split(',').map(|item| primitive(element, item)).collect(),
            };
            let items = items.ok_or_else(wrong)?;
            let unmade = |_| ProgramError(format!("{name}={text}: the array cannot be made"));
            let class = jvm.load(&of.to_string()).map_err(unmade)?;
            let kind = Kind::of_descriptor(&element.to_string()).ok_or_else(wrong)?;
            let mut body = Body::array(kind, items.len());
            for (i, item) in items.iter().enumerate() {
                body.set(i, *item);
            }
            Ok(Value::Ref(base.heap.new_object(class, body)))
        }
        of if of.is_reference() => Err(ProgramError(format!(
            "{name}={text}: only null, strings and arrays of primitives can be given"
        ))),
        of => primitive(of, text).ok_or_else(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_ranges_are_read() {
        assert_eq!(Inputs::read_concrete("x = 3"), Ok(("x".into(), "3".into())));
        assert_eq!(Inputs::read_concrete("s=a=b"), Ok(("s".into(), "a=b".into())));
        assert!(Inputs::read_concrete("x").is_err() && Inputs::read_concrete("=3").is_err());
        assert_eq!(Inputs::read_range("x=-3..1_000"), Ok(("x".into(), (-3, 1000))));
        assert_eq!(Inputs::read_range("a[0]=0..=9"), Ok(("a[0]".into(), (0, 9))));
        for wrong in ["x=3", "x=3..", "x=5..4", "x=a..b", "=1..2", ""] {
            assert!(Inputs::read_range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_those_of_java() {
        assert_eq!(primitive(&Type::Int, "-2147483648"), Some(Value::Int(i32::MIN)));
        assert_eq!(primitive(&Type::Int, "2147483648"), None);
        assert_eq!(primitive(&Type::Int, "Integer.MAX_VALUE"), Some(Value::Int(i32::MAX)));
        assert_eq!(primitive(&Type::Byte, "128"), None);
        assert_eq!(primitive(&Type::Char, "'\\u0041'"), Some(Value::Int(65)));
        assert_eq!(primitive(&Type::Char, "'ab'"), None);
        assert_eq!(primitive(&Type::Long, "3000000000L"), Some(Value::Long(3_000_000_000)));
        assert_eq!(primitive(&Type::Boolean, "true"), Some(Value::Int(1)));
        assert_eq!(primitive(&Type::Boolean, "1"), None);
        assert_eq!(primitive(&Type::Double, "1.5e3"), Some(Value::Double(1500.0)));
    }
}
