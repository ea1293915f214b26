//! The live rows, side by side in one piece of memory.

use crate::quantity::Quantities;
use crate::row::{Op, Row};
use crate::tableau::Id;
use evergreen_term::Int;

/// A row without its terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub op: Op,
    /// Terms out of order, repeated or zero, or a number that has no opposite: for the thorough solver only.
    pub odd: bool,
    start: u32,
    end: u32,
    pub constant: i64,
}

/// The live rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    heads: Vec<Head>,
    terms: Vec<(Id, i64)>,
    /// How many of the rows are odd.
    pub odd: usize,
}

impl Stack {
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Adds a term to the row that [`Stack::close`] will add.
    #[inline]
    pub(crate) fn term(&mut self, id: Id, times: i64) {
        self.terms.push((id, times));
    }

    #[inline]
    pub(crate) fn close(&mut self, op: Op, constant: i64, odd: bool) {
        let start = self.heads.last().map_or(0, |h| h.end);
        self.odd += usize::from(odd);
        self.heads.push(Head { op, odd, start, end: self.terms.len() as u32, constant });
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        if self.odd > 0 {
            self.odd -= self.heads[rows..].iter().filter(|h| h.odd).count();
        }
        self.heads.truncate(rows);
        self.terms.truncate(self.heads.last().map_or(0, |h| h.end) as usize);
    }

    /// The terms of all rows.
    pub(crate) fn terms_mut(&mut self) -> &mut [(Id, i64)] {
        &mut self.terms
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> (Head, &[(Id, i64)]) {
        let head = self.heads[row];
        (head, &self.terms[head.start as usize..head.end as usize])
    }

    /// Whether a row holds for values in words. `None` if its sum does not fit.
    #[inline]
    pub(crate) fn holds(&self, row: usize, value: impl Fn(Id) -> i64) -> Option<bool> {
        let (head, terms) = self.get(row);
        let mut sum = head.constant;
        for (id, times) in terms {
            sum = sum.checked_add(times.checked_mul(value(*id))?)?;
        }
        Some(match head.op {
            Op::Le => sum <= 0,
            Op::Eq => sum == 0,
            Op::Ne => sum != 0,
        })
    }

    /// Whether a row holds for values of any size.
    pub(crate) fn holds_exactly(&self, row: usize, value: impl Fn(Id) -> Int) -> bool {
        let (head, terms) = self.get(row);
        let sum =
            terms.iter().fold(Int::from(head.constant), |s, (id, c)| s.add(&Int::from(*c).mul(&value(*id))));
        compare(head.op, &sum)
    }

    /// A row in the caller's terms.
    pub(crate) fn row(&self, row: usize, quantities: &Quantities) -> Row {
        let (head, terms) = self.get(row);
        let terms = terms.iter().map(|(id, times)| (quantities.name(*id), *times)).collect();
        Row { op: head.op, terms, constant: head.constant }
    }
}

/// Whether `sum op 0`.
pub(crate) fn compare(op: Op, sum: &Int) -> bool {
    match op {
        Op::Le => sum.signum() <= 0,
        Op::Eq => sum.is_zero(),
        Op::Ne => !sum.is_zero(),
    }
}
