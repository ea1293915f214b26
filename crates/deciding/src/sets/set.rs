//! Sets of octets as 256 bits, and the order in which their values are tried.

/// A set of octets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Set([u64; 4]);

impl Set {
    /// All from the first to the last.
    pub(super) const fn range(first: u8, last: u8) -> Set {
        let mut set = Set([0; 4]);
        let mut value = first as usize;
        while value <= last as usize {
            set.0[value / 64] |= 1 << (value % 64);
            value += 1;
        }
        set
    }

    pub(super) fn and(self, other: Set) -> Set {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Set([a & e, b & f, c & g, d & h])
    }

    pub(super) fn without(self, other: Set) -> Set {
        self.and(Set(other.0.map(|word| !word)))
    }

    pub(super) fn without_one(self, value: i64) -> Set {
        self.without(Set::range(value as u8, value as u8))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    pub(super) fn has(self, value: i64) -> bool {
        (0..256).contains(&value) && self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, value: i64) {
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    pub(super) fn greatest(self) -> Option<i64> {
        let word = self.0.iter().rposition(|word| *word != 0)?;
        Some(word as i64 * 64 + 63 - i64::from(self.0[word].leading_zeros()))
    }

    pub(super) fn least(self) -> Option<i64> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(word as i64 * 64 + i64::from(self.0[word].trailing_zeros()))
    }
}

/// What is tried first where characters are possible: letters, digits, what can be printed.
const READABLE: [Set; 4] =
    [Set::range(b'a', b'z'), Set::range(b'A', b'Z'), Set::range(b'0', b'9'), Set::range(b' ', b'~')];

/// The first value of a set that is not empty, in the fixed order.
pub(super) fn first(set: Set, readable: bool) -> i64 {
    let preferred = READABLE.iter().filter(|_| readable).find_map(|class| class.and(set).least());
    preferred.or_else(|| set.least()).unwrap_or(0)
}
