//! Integer points of a polygon, by sums of floors.
//!
//! For each integer x the points are `floor(U(x)) + floor(L(x)) + 1`, where U is the least upper line and -L
//! the greatest lower one. Both are minima of lines, so one walk along x finds the pieces on which the same
//! two lines are least, and each piece is a sum of `floor((p x + q) / m)`, which Euclid's steps add up in
//! logarithmic time ([Graham, Knuth, Patashnik, Concrete Mathematics], 3.5). Cost: pieces times rows,
//! whatever the size of the polygon.

use crate::number::Number;
use evergreen_term::Int;

/// `a x + b y <= c`
#[derive(Clone, Debug)]
pub(crate) struct Half<N> {
    pub a: N,
    pub b: N,
    pub c: N,
}

/// `(p x + q) / m` with `m > 0`
#[derive(Clone, Debug)]
struct Line<N> {
    p: N,
    q: N,
    m: N,
}

/// `sum of floor((a k + b) / m)` for `k` in `0..n`; `m > 0`, `n >= 0`.
pub(crate) fn floor_sum<N: Number>(n: &N, m: &N, a: &N, b: &N) -> Option<N> {
    let (zero, one, two) = (N::small(0), N::small(1), N::small(2));
    let (mut n, mut m, mut a, mut b) = (n.clone(), m.clone(), a.clone(), b.clone());
    let mut sum = zero.clone();
    while n.sign() > 0 {
        let pairs = n.mul(&n.sub(&one)?)?.div_exact(&two);
        sum = sum.add(&a.div_floor(&m).mul(&pairs)?)?;
        a = a.modulo(&m);
        sum = sum.add(&b.div_floor(&m).mul(&n)?)?;
        b = b.modulo(&m);
        let top = a.mul(&n)?.add(&b)?;
        if top < m {
            break;
        }
        // Now rows instead of columns are added up.
        n = top.div_floor(&m);
        b = top.modulo(&m);
        std::mem::swap(&mut m, &mut a);
    }
    Some(sum)
}

/// The least line at `x`, for smaller slopes first, and the last x up to which it
/// stays least (`None`: forever).
fn least<'a, N: Number>(lines: &'a [Line<N>], x: &N) -> Option<(&'a Line<N>, Option<N>)> {
    let at = |l: &Line<N>| l.p.mul(x)?.add(&l.q);
    let mut best = lines.first()?;
    let mut value = at(best)?;
    for line in &lines[1..] {
        let other = at(line)?;
        let (left, right) = (other.mul(&best.m)?, value.mul(&line.m)?);
        if left < right || left == right && line.p.mul(&best.m)? < best.p.mul(&line.m)? {
            (best, value) = (line, other);
        }
    }
    let mut end: Option<N> = None;
    for line in lines {
        let slower = best.p.mul(&line.m)?.sub(&line.p.mul(&best.m)?)?;
        if slower.sign() > 0 {
            let cross = line.q.mul(&best.m)?.sub(&best.q.mul(&line.m)?)?.div_floor(&slower);
            end = Some(end.map_or(cross.clone(), |e| e.min(cross)));
        }
    }
    Some((best, end))
}

/// `x` with all `a x <= c`: the ends, `None` if there is no end on a side.
fn interval<N: Number>(rows: impl Iterator<Item = Option<(N, N)>>) -> Option<Option<(N, N)>> {
    let (mut lo, mut hi): (Option<N>, Option<N>) = (None, None);
    for row in rows {
        let (a, c) = row?;
        match a.sign() {
            1 => {
                let end = c.div_floor(&a);
                hi = Some(hi.map_or(end.clone(), |h| h.min(end)));
            }
            -1 => {
                let end = c.div_floor(&a.neg()?).neg()?;
                lo = Some(lo.map_or(end.clone(), |l| l.max(end)));
            }
            _ if c.sign() < 0 => return Some(Some((N::small(1), N::small(0)))),
            _ => {}
        }
    }
    Some(lo.zip(hi))
}

/// The outcome.
pub(crate) enum Points {
    Exactly(Int),
    /// A number left its type.
    Overflow,
    /// No end in some direction.
    Endless,
}

/// How many integer points there are.
pub(crate) fn points<N: Number>(halves: &[Half<N>]) -> Points {
    match walk(halves) {
        None => Points::Overflow,
        Some(None) => Points::Endless,
        Some(Some(n)) => Points::Exactly(n.to_int()),
    }
}

fn walk<N: Number>(halves: &[Half<N>]) -> Option<Option<N>> {
    let line = |h: &Half<N>| Some(Line { p: h.a.neg()?, q: h.c.clone(), m: h.b.abs()? });
    let side = |sign: i32| halves.iter().filter(move |h| h.b.sign() == sign);
    let upper = side(1).map(line).collect::<Option<Vec<_>>>()?;
    let lower = side(-1).map(line).collect::<Option<Vec<_>>>()?;
    if upper.is_empty() || lower.is_empty() {
        return Some(None);
    }
    // Upper and lower lines leave room between them where U + L >= 0: Fourier and Motzkin,
    // exact over the rationals.
    let room = upper.iter().flat_map(|u| lower.iter().map(move |l| (u, l))).map(|(u, l)| {
        let slope = u.p.mul(&l.m)?.add(&l.p.mul(&u.m)?)?;
        Some((slope.neg()?, u.q.mul(&l.m)?.add(&l.q.mul(&u.m)?)?))
    });
    let plain = side(0).map(|h| Some((h.a.clone(), h.c.clone())));
    let Some((mut x, last)) = interval(plain.chain(room))? else { return Some(None) };
    let one = N::small(1);
    let mut sum = N::small(0);
    while x <= last {
        let (u, until_u) = least(&upper, &x)?;
        let (l, until_l) = least(&lower, &x)?;
        let end = [until_u, until_l].into_iter().flatten().fold(last.clone(), |e, u| e.min(u));
        let n = end.sub(&x)?.add(&one)?;
        for line in [u, l] {
            let start = line.p.mul(&x)?.add(&line.q)?;
            sum = sum.add(&floor_sum(&n, &line.m, &line.p, &start)?)?;
        }
        sum = sum.add(&n)?;
        x = end.add(&one)?;
    }
    Some(Some(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_testing::random::Random;

    #[test]
    fn floor_sums_are_sums_of_floors() {
        let mut random = Random::new(1);
        for _ in 0..2000 {
            let (n, m) = (random.below(30) as i128, random.below(20) as i128 + 1);
            let (a, b) = (random.below(200) as i128 - 100, random.below(200) as i128 - 100);
            let plain: i128 = (0..n).map(|k| (a * k + b).div_euclid(m)).sum();
            assert_eq!(floor_sum(&n, &m, &a, &b), Some(plain));
            let big = [n, m, a, b].map(Int::from);
            assert_eq!(floor_sum(&big[0], &big[1], &big[2], &big[3]), Some(Int::from(plain)));
        }
    }
}
