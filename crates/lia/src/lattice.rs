//! The integer solutions of equalities, as the image of free integers.
//!
//! `x = U t` with `U` unimodular: every integer `x` is one integer `t` and back (`t = V x`). Column
//! operations bring each equality to one free column; that `t` is then pinned to a number, or there is none
//! and the equalities contradict each other modulo something (Hermite's normal form; [Dillig, Dillig, Aiken
//! CAV'09] on why branching alone cannot see this). The reason for each pinned `t` is kept as a rational
//! combination of the equalities, so that everything found here can be written as cuts over the original
//! variables. Cost: cubic in the variables, in integers of any size.

use evergreen_term::Int;

/// Equalities times multipliers, divided by a positive number.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    /// By number of the equality.
    pub times: Vec<Int>,
    pub den: Int,
}

impl Combination {
    fn times_at(&self, k: usize) -> Int {
        self.times.get(k).cloned().unwrap_or(Int::ZERO)
    }

    /// `self - factor * other`, by cross multiplication.
    fn minus(&self, factor: &Int, other: &Combination) -> Combination {
        if factor.is_zero() {
            return self.clone();
        }
        let common = self.den.gcd(&other.den);
        let (up, other_up) = (quotient(&other.den, &common), quotient(&self.den, &common));
        let times = (0..self.times.len().max(other.times.len()))
            .map(|k| self.times_at(k).mul(&up).sub(&other.times_at(k).mul(&other_up).mul(factor)))
            .collect();
        Combination { times, den: self.den.mul(&up) }.reduced()
    }

    fn divided(mut self, by: &Int) -> Combination {
        if by.signum() < 0 {
            self.times = self.times.iter().map(Int::neg).collect();
        }
        self.den = self.den.mul(&by.abs());
        self.reduced()
    }

    fn reduced(mut self) -> Combination {
        let common = self.times.iter().fold(self.den.clone(), |g, t| g.gcd(t));
        if common != Int::ONE {
            self.times = self.times.iter().map(|t| quotient(t, &common)).collect();
            self.den = quotient(&self.den, &common);
        }
        self
    }
}

/// The quotient of numbers of which the second divides the first.
pub(crate) fn quotient(a: &Int, b: &Int) -> Int {
    a.div(b).unwrap_or(Int::ZERO)
}

/// The sum of products.
pub(crate) fn dot(a: &[Int], b: &[Int]) -> Int {
    a.iter()
        .zip(b)
        .filter(|(x, y)| !x.is_zero() && !y.is_zero())
        .fold(Int::ZERO, |s, (x, y)| s.add(&x.mul(y)))
}

/// A column whose `t` is known.
#[derive(Clone, Debug)]
struct Pin {
    value: Int,
    why: Combination,
}

/// The parametrization.
#[derive(Clone, Debug)]
pub(crate) struct Lattice {
    /// `U`: each `x` as a form over `t`.
    matrix: Vec<Vec<Int>>,
    /// Each `t` as a form over `x`.
    inverse: Vec<Vec<Int>>,
    pins: Vec<Option<Pin>>,
    equalities: usize,
}

/// The effect of an equality.
#[derive(Clone, Debug)]
pub(crate) enum Met {
    /// It pinned a parameter.
    Pinned,
    /// It followed from the others.
    Redundant,
    /// This combination is `0 = nonzero`, or has integer coefficients and a fraction as its constant.
    Conflict(Combination),
}

/// A line over the free parameters.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    /// By parameter; zero where it is pinned.
    pub terms: Vec<Int>,
    pub constant: Int,
    /// The combination subtracted so far.
    pub minus: Combination,
}

impl Lattice {
    pub(crate) fn new(variables: usize) -> Lattice {
        let unit = |k: usize| (0..variables).map(|i| Int::from(i64::from(i == k))).collect::<Vec<_>>();
        Lattice {
            matrix: (0..variables).map(unit).collect(),
            inverse: (0..variables).map(unit).collect(),
            pins: vec![None; variables],
            equalities: 0,
        }
    }

    /// Takes the next equality, `terms * x + constant = 0`.
    pub(crate) fn add(&mut self, terms: &[Int], constant: &Int) -> Met {
        let number = self.equalities;
        self.equalities += 1;
        let mut row = self.over_parameters(terms);
        let column = self.gather(&mut row);
        let mut why = Combination { times: vec![Int::ZERO; number + 1], den: Int::ONE };
        why.times[number] = Int::ONE;
        let mut rest = constant.clone();
        for (times, pin) in row.iter().zip(&self.pins) {
            if let Some(pin) = pin
                && !times.is_zero()
            {
                rest = rest.add(&times.mul(&pin.value));
                why = why.minus(times, &pin.why);
            }
        }
        let Some(column) = column else {
            return if rest.is_zero() { Met::Redundant } else { Met::Conflict(why) };
        };
        let why = why.divided(&row[column]);
        match rest.modulo(&row[column]) {
            Some(Int::Small(0)) => {
                self.pins[column] = Some(Pin { value: quotient(&rest, &row[column]).neg(), why });
                Met::Pinned
            }
            _ => Met::Conflict(why),
        }
    }

    /// Column operations on the free columns until at most one of them is in the row; that one.
    fn gather(&mut self, row: &mut [Int]) -> Option<usize> {
        loop {
            let free = |k: &usize| self.pins[*k].is_none() && !row[*k].is_zero();
            let smallest = (0..row.len()).filter(free).min_by_key(|k| row[*k].abs())?;
            let others: Vec<usize> = (0..row.len()).filter(free).filter(|k| *k != smallest).collect();
            if others.is_empty() {
                return Some(smallest);
            }
            for other in others {
                let times = row[other].div(&row[smallest]).unwrap_or(Int::ZERO);
                row[other] = row[other].sub(&times.mul(&row[smallest]));
                for form in &mut self.matrix {
                    if !form[smallest].is_zero() {
                        form[other] = form[other].sub(&times.mul(&form[smallest]));
                    }
                }
                let (from, to) = pair(&mut self.inverse, other, smallest);
                subtract(to, &times.neg(), from);
            }
        }
    }

    /// A line over the free parameters only.
    pub(crate) fn reduce(&self, terms: &[Int], constant: &Int) -> Reduced {
        let mut out = Reduced {
            terms: Vec::with_capacity(terms.len()),
            constant: constant.clone(),
            minus: Combination { times: Vec::new(), den: Int::ONE },
        };
        for (times, pin) in self.over_parameters(terms).into_iter().zip(&self.pins) {
            match pin {
                Some(pin) if !times.is_zero() => {
                    out.constant = out.constant.add(&times.mul(&pin.value));
                    out.minus = out.minus.minus(&times, &pin.why);
                    out.terms.push(Int::ZERO);
                }
                _ => out.terms.push(times),
            }
        }
        out
    }

    /// A form over the parameters as one over the variables.
    pub(crate) fn over_variables(&self, form: &[Int]) -> Vec<Int> {
        through(form, &self.inverse)
    }

    /// A form over the variables as one over the parameters.
    fn over_parameters(&self, form: &[Int]) -> Vec<Int> {
        through(form, &self.matrix)
    }

    /// The variables' values for values of the free parameters.
    pub(crate) fn point(&self, free: &[Int]) -> Vec<Int> {
        let known =
            self.pins.iter().zip(free).map(|(pin, free)| pin.as_ref().map_or(free, |pin| &pin.value).clone());
        let all: Vec<Int> = known.collect();
        self.matrix.iter().map(|form| dot(form, &all)).collect()
    }
}

/// The sum of the rows, each times its number in the form.
fn through(form: &[Int], rows: &[Vec<Int>]) -> Vec<Int> {
    let mut out = vec![Int::ZERO; form.len()];
    for (times, row) in form.iter().zip(rows) {
        if !times.is_zero() {
            subtract(&mut out, &times.neg(), row);
        }
    }
    out
}

fn pair(all: &mut [Vec<Int>], from: usize, to: usize) -> (&[Int], &mut [Int]) {
    if from < to {
        let (a, b) = all.split_at_mut(to);
        (&a[from], &mut b[0])
    } else {
        let (a, b) = all.split_at_mut(from);
        (&b[0], &mut a[to])
    }
}

fn subtract(to: &mut [Int], times: &Int, from: &[Int]) {
    for (t, f) in to.iter_mut().zip(from) {
        if !f.is_zero() {
            *t = t.sub(&times.mul(f));
        }
    }
}
