//! What a caller says of inputs by name: a range, or a value.

use crate::lazy::Fixed;
use evergreen_symbolic::{Const, InputKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Ranges and values of inputs by name.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    ranges: FxHashMap<String, (i64, i64)>,
    fixed: FxHashMap<String, Fixed>,
    /// Names that an input had.
    met: FxHashSet<String>,
}

impl Limits {
    /// These ranges and values; later ones win.
    pub fn new(
        ranges: impl IntoIterator<Item = (String, (i64, i64))>,
        fixed: impl IntoIterator<Item = (String, Fixed)>,
    ) -> Limits {
        Limits {
            ranges: ranges.into_iter().collect(),
            fixed: fixed.into_iter().collect(),
            met: FxHashSet::default(),
        }
    }

    /// Whether an input had this name, or is a part of one that has it.
    pub fn has_met(&self, name: &str) -> bool {
        let is_part = |met: &String| {
            met.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-']))
        };
        self.met.iter().any(is_part)
    }

    fn meet(&mut self, name: &str) {
        if !self.met.contains(name) {
            self.met.insert(name.to_string());
        }
    }

    /// The range of an integer; a value is a range of one.
    pub fn range(&mut self, name: &str, kind: InputKind) -> Option<(i64, i64)> {
        if self.fixed.is_empty() && self.ranges.is_empty() || !kind.kind().is_int() {
            return None;
        }
        let range = match self.fixed.get(name) {
            Some(Fixed::Number(n)) => Some((wrapped(*n, kind), wrapped(*n, kind))),
            _ => self.ranges.get(name).copied(),
        };
        if range.is_some() {
            self.meet(name);
        }
        range
    }

    /// The value of a float.
    pub(crate) fn float(&mut self, name: &str, kind: InputKind) -> Option<Const> {
        let value = match self.fixed.get(name)? {
            Fixed::Number(n) => *n as f64,
            Fixed::Float(bits) => f64::from_bits(*bits),
            _ => return None,
        };
        let value = match kind {
            InputKind::Float => Const::F32((value as f32).to_bits()),
            InputKind::Double => Const::F64(value.to_bits()),
            _ => return None,
        };
        self.meet(name);
        Some(value)
    }

    /// What is fixed of a pointer.
    pub(crate) fn fixed(&mut self, name: &str) -> Option<&Fixed> {
        if self.fixed.contains_key(name) {
            self.meet(name);
        }
        self.fixed.get(name)
    }
}

/// A number as the bytes of an input have it.
fn wrapped(n: i64, kind: InputKind) -> i64 {
    match kind {
        InputKind::Octet => n & 0xff,
        InputKind::Char => n & 0xffff,
        InputKind::Byte => i64::from(n as i8),
        InputKind::Short => i64::from(n as i16),
        InputKind::Int => i64::from(n as i32),
        _ => n,
    }
}
