//! Sets as vectors and relations as matrices of literals; closures from above or by squaring
//! (see `encode/formula.rs`).

use super::formula::{Side, Translation};
use crate::circuit::{Circuit, Lit};
use crate::invariant::{ClassId, Rel, RelId, Set};

impl<'a> Translation<'_, 'a> {
    pub(super) fn set(&mut self, set: &'a Set, side: Side) -> Vec<Lit> {
        let n = self.objects();
        match set {
            Set::This => {
                let mut one = vec![Lit::FALSE; n];
                one[0] = Lit::TRUE;
                one
            }
            Set::None => vec![Lit::FALSE; n],
            Set::Var(var) => self.env[usize::from(var.0)].clone(),
            Set::Class(class) => self.of_class(*class),
            Set::Join(of, rel) => {
                let of = self.set(of, side);
                self.relation(*rel, side);
                let rows = &self.relations[&(*rel, side)];
                if let Some(only) = of.iter().position(|l| *l == Lit::TRUE)
                    && of.iter().filter(|l| **l != Lit::FALSE).count() == 1
                {
                    return rows[only].clone();
                }
                let circuit = &mut self.encoding.circuit;
                (0..n)
                    .map(|to| {
                        let pairs: Vec<(Lit, Lit)> = (0..n).map(|via| (of[via], rows[via][to])).collect();
                        any_pair(circuit, &pairs, side)
                    })
                    .collect()
            }
            Set::Union(a, b) => self.zip(a, side, b, side, |circuit, a, b| circuit.or(&[a, b])),
            Set::Both(a, b) => self.zip(a, side, b, side, |circuit, a, b| circuit.and(&[a, b])),
            Set::Minus(a, b) => self.zip(a, side, b, Side::Exact, |circuit, a, b| circuit.and(&[a, !b])),
        }
    }

    fn zip(
        &mut self,
        a: &'a Set,
        side_a: Side,
        b: &'a Set,
        side_b: Side,
        f: impl Fn(&mut Circuit, Lit, Lit) -> Lit,
    ) -> Vec<Lit> {
        let (a, b) = (self.set(a, side_a), self.set(b, side_b));
        let circuit = self.circuit();
        a.into_iter().zip(b).map(|(a, b)| f(circuit, a, b)).collect()
    }

    pub(super) fn of_class(&mut self, class: ClassId) -> Vec<Lit> {
        (0..self.objects())
            .map(|object| {
                let (live, is) = (self.encoding.live[object], self.encoding.is(object, class));
                self.circuit().and(&[live, is])
            })
            .collect()
    }

    /// Makes the matrix of a relation, unless it is there.
    pub(super) fn relation(&mut self, rel: RelId, side: Side) {
        if self.relations.contains_key(&(rel, side)) {
            return;
        }
        let n = self.objects();
        let rows = match self.encoding.invariant.relations[usize::from(rel.0)] {
            Rel::Field(field) => {
                let holds = |i: usize| (0..n).map(|j| self.encoding.holds(i, field, Some(j))).collect();
                (0..n).map(holds).collect()
            }
            Rel::Transpose(of) => {
                let of = self.rows(of, side);
                (0..n).map(|i| (0..n).map(|j| of[j][i]).collect()).collect()
            }
            Rel::Closure(of) => self.closure(of, side),
            Rel::Star(of) => {
                let mut rows = self.closure(of, side);
                rows.iter_mut().enumerate().for_each(|(i, row)| row[i] = Lit::TRUE);
                rows
            }
            Rel::Union(a, b) => self.zip_rows(a, b, side, side, |circuit, a, b| circuit.or(&[a, b])),
            Rel::Both(a, b) => self.zip_rows(a, b, side, side, |circuit, a, b| circuit.and(&[a, b])),
            Rel::Minus(a, b) => self.zip_rows(a, b, side, Side::Exact, |circuit, a, b| circuit.and(&[a, !b])),
        };
        self.relations.insert((rel, side), rows);
    }

    fn rows(&mut self, rel: RelId, side: Side) -> Vec<Vec<Lit>> {
        self.relation(rel, side);
        self.relations[&(rel, side)].clone()
    }

    fn zip_rows(
        &mut self,
        a: RelId,
        b: RelId,
        side_a: Side,
        side_b: Side,
        f: impl Fn(&mut Circuit, Lit, Lit) -> Lit,
    ) -> Vec<Vec<Lit>> {
        let (a, b) = (self.rows(a, side_a), self.rows(b, side_b));
        let circuit = self.circuit();
        let row = |(a, b): (Vec<Lit>, Vec<Lit>)| -> Vec<Lit> {
            a.into_iter().zip(b).map(|(a, b)| f(circuit, a, b)).collect()
        };
        a.into_iter().zip(b).map(row).collect()
    }

    pub(super) fn closure(&mut self, of: RelId, side: Side) -> Vec<Vec<Lit>> {
        if let Some(rows) = self.closures.get(&(of, side)) {
            return rows.clone();
        }
        let rows = self.new_closure(of, side);
        self.closures.insert((of, side), rows.clone());
        rows
    }

    fn new_closure(&mut self, of: RelId, side: Side) -> Vec<Vec<Lit>> {
        let n = self.objects();
        let step = self.rows(of, side);
        let circuit = &mut self.encoding.circuit;
        if side == Side::Exact {
            let mut rows = step;
            let mut length = 1;
            while length < n {
                let square = |i: usize, j: usize, circuit: &mut Circuit| {
                    let mut pairs: Vec<(Lit, Lit)> = (0..n).map(|k| (rows[i][k], rows[k][j])).collect();
                    pairs.push((rows[i][j], Lit::TRUE));
                    any_pair(circuit, &pairs, Side::Exact)
                };
                let next = (0..n).map(|i| (0..n).map(|j| square(i, j, circuit)).collect()).collect();
                rows = next;
                length *= 2;
            }
            return rows;
        }
        let rows: Vec<Vec<Lit>> = (0..n).map(|_| (0..n).map(|_| circuit.fresh()).collect()).collect();
        for i in 0..n {
            for j in 0..n {
                circuit.clause(&[!step[i][j], rows[i][j]]);
                for k in 0..n {
                    circuit.clause(&[!step[i][k], !rows[k][j], rows[i][j]]);
                }
            }
        }
        rows
    }
}

/// Whether both literals of one of the pairs hold.
fn any_pair(circuit: &mut Circuit, pairs: &[(Lit, Lit)], side: Side) -> Lit {
    if side == Side::Above {
        return circuit.at_least(pairs);
    }
    let both: Vec<Lit> = pairs.iter().map(|(a, b)| circuit.and(&[*a, *b])).collect();
    circuit.or(&both)
}
