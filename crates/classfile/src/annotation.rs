//! Annotations that are visible at run time, decoded.

use crate::bytes::{Cursor, ReadError};
use crate::pool::{Constant, ConstantPool, Entry};
use std::sync::Arc;

/// Annotations inside annotations go no deeper than this.
const DEPTH: u32 = 64;

/// One annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Descriptor of its type: `Lorg/junit/Test;`.
    pub descriptor: Arc<str>,
    /// The elements that were given, in order.
    pub elements: Vec<(Arc<str>, ElementValue)>,
}

impl Annotation {
    /// The value of an element that was given.
    pub fn element(&self, name: &str) -> Option<&ElementValue> {
        self.elements.iter().find(|(n, _)| &**n == name).map(|(_, value)| value)
    }
}

/// The value of an annotation's element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementValue {
    /// A number or truth value; the letter is its descriptor (`B C D F I J S Z`).
    Number(u8, Constant),
    /// A string.
    Text(Arc<str>),
    /// An enum constant: descriptor of the enum, name of the constant.
    Enum(Arc<str>, Arc<str>),
    /// A class: its descriptor.
    Class(Arc<str>),
    /// An annotation.
    Annotation(Box<Annotation>),
    /// Several values.
    Array(Vec<ElementValue>),
}

pub(crate) fn read_annotations(
    from: &mut Cursor<'_>,
    pool: &ConstantPool,
) -> Result<Vec<Annotation>, ReadError> {
    let count = from.u16()?;
    (0..count).map(|_| read_annotation(from, pool, 0)).collect()
}

fn text<'p>(from: &mut Cursor<'_>, pool: &'p ConstantPool) -> Result<&'p Arc<str>, ReadError> {
    let place = from.offset();
    pool.utf8(from.u16()?).map_err(|e| e.or_at(place))
}

fn read_annotation(from: &mut Cursor<'_>, pool: &ConstantPool, depth: u32) -> Result<Annotation, ReadError> {
    if depth > DEPTH {
        return Err(ReadError::at(from.offset(), "annotations are nested too deeply"));
    }
    let descriptor = text(from, pool)?.clone();
    let count = from.u16()?;
    let mut elements = Vec::new();
    for _ in 0..count {
        let name = text(from, pool)?.clone();
        elements.push((name, read_value(from, pool, depth + 1)?));
    }
    Ok(Annotation { descriptor, elements })
}

pub(crate) fn read_value(
    from: &mut Cursor<'_>,
    pool: &ConstantPool,
    depth: u32,
) -> Result<ElementValue, ReadError> {
    if depth > DEPTH {
        return Err(ReadError::at(from.offset(), "annotations are nested too deeply"));
    }
    let place = from.offset();
    Ok(match from.u8()? {
        tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z') => {
            let index = from.u16()?;
            let value = pool.constant(index).map_err(|e| e.or_at(place))?;
            let fits = match pool.entry(index) {
                Entry::Int(_) => b"BCISZ".contains(&tag),
                Entry::Float(_) => tag == b'F',
                Entry::Long(_) => tag == b'J',
                Entry::Double(_) => tag == b'D',
                _ => false,
            };
            if !fits {
                return Err(ReadError::at(place, format!("pool entry {index} is no '{}'", char::from(tag))));
            }
            ElementValue::Number(tag, value)
        }
        b's' => ElementValue::Text(text(from, pool)?.clone()),
        b'e' => ElementValue::Enum(text(from, pool)?.clone(), text(from, pool)?.clone()),
        b'c' => ElementValue::Class(text(from, pool)?.clone()),
        b'@' => ElementValue::Annotation(Box::new(read_annotation(from, pool, depth + 1)?)),
        b'[' => {
            let count = from.u16()?;
            let values = (0..count).map(|_| read_value(from, pool, depth + 1));
            ElementValue::Array(values.collect::<Result<_, _>>()?)
        }
        tag => return Err(ReadError::at(place, format!("'{tag}' is no tag of an annotation's value"))),
    })
}
