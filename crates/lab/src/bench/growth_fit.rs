//! How a cost grows: the line `a + b log2 n` nearest to it, whether its last steps get longer, and what to
//! call that.
//!
//! Times grow even where nothing grows but memory: a line of it comes from the first cache in 1 ns, from the
//! second in 4, from the third in 15, from none in 100. That is a staircase in the size of what is touched,
//! steepest where it leaves the last cache, and no algorithm's doing. So steps, which are counted, are fitted
//! and called the same way as times, and shown beside them.

/// A cost at each size, fitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// What it costs at size 1, by the line.
    pub base: f64,
    /// What doubling the size adds.
    pub per_doubling: f64,
    /// The share of the variance that the line explains.
    pub r_squared: f64,
    /// The cost at the largest size, relative to that at the smallest.
    pub ratio: f64,
    /// What the last factor of ten adds, relative to the one before it (None: not enough sizes, or that one
    /// added nothing).
    pub last_step: Option<f64>,
    /// The power of n by which the last factor of ten grows: 1 is linear.
    pub power: Option<f64>,
}

/// Up to so many times as much at the largest size as at the smallest is flat.
const FLAT: f64 = 1.5;
/// A line that explains so much of the variance is one,
const STRAIGHT: f64 = 0.9;
/// unless its last factor of ten adds more than so many times what the one before added.
const BENT: f64 = 1.5;

/// What a cost is called.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Verdict {
    Flat,
    Logarithmic,
    /// Grows as this power of n, over the last factor of ten.
    Power(f64),
    /// Steeper than a line over log n, by an unknown factor.
    Steeper,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Flat => f.write_str("flat"),
            Verdict::Logarithmic => f.write_str("logarithmic"),
            Verdict::Power(power) => write!(f, "as n^{power:.2}"),
            Verdict::Steeper => f.write_str("steeper"),
        }
    }
}

/// Fits costs by least squares; sizes ascending, half decades or decades. None for fewer than three.
pub(super) fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let (first, last) = (points.first()?, points.last()?);
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let x = |point: &(f64, f64)| point.0.log2();
    let mean_x = points.iter().map(x).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let var_x: f64 = points.iter().map(|p| (x(p) - mean_x).powi(2)).sum();
    let var_y: f64 = points.iter().map(|p| (p.1 - mean_y).powi(2)).sum();
    let both: f64 = points.iter().map(|p| (x(p) - mean_x) * (p.1 - mean_y)).sum();
    let per_doubling = both / var_x;
    let r_squared = if var_y > 0.0 { both * both / (var_x * var_y) } else { 1.0 };
    let at = |size: f64| points.iter().find(|p| (p.0 / size - 1.0).abs() < 0.01).map(|p| p.1);
    let steps = at(last.0 / 10.0).zip(at(last.0 / 100.0)).map(|(ten, hundred)| (last.1 - ten, ten - hundred));
    let last_step = steps.and_then(|(last, before)| (before > 0.0).then_some(last / before));
    let ratio = if last.1 == first.1 { 1.0 } else { last.1 / first.1.max(f64::MIN_POSITIVE) };
    let power = at(last.0 / 10.0).filter(|ten| *ten > 0.0 && last.1 > 0.0).map(|ten| (last.1 / ten).log10());
    Some(Fit { base: mean_y - per_doubling * mean_x, per_doubling, r_squared, ratio, last_step, power })
}

impl Fit {
    /// What the growth is called.
    pub(super) fn verdict(&self) -> Verdict {
        if self.ratio <= FLAT {
            Verdict::Flat
        } else if self.r_squared >= STRAIGHT && self.last_step.is_none_or(|step| step <= BENT) {
            Verdict::Logarithmic
        } else {
            self.power.map_or(Verdict::Steeper, Verdict::Power)
        }
    }

    /// For a table: the line, how well it fits, the ratio, the last step, the verdict.
    pub(super) fn row(&self) -> String {
        let step = self.last_step.map_or("-".into(), |step| format!("{step:.2}"));
        format!(
            "{:>8.2}{:>+8.3}{:>8.3}{:>8.1}{step:>8}  {}",
            self.base,
            self.per_doubling,
            self.r_squared,
            self.ratio,
            self.verdict()
        )
    }

    /// The names of what [`Fit::row`] shows.
    pub(super) const HEAD: &'static str = "       a       b      R²   ratio    last  verdict";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithm_is_recognized_and_a_line_is_not() {
        let sizes = [1e3, 1e4, 1e5, 1e6];
        let found = fit(&sizes.map(|n: f64| (n, 2.0 + 0.5 * n.log2()))).expect("four points");
        assert!((found.base - 2.0).abs() < 1e-9 && (found.per_doubling - 0.5).abs() < 1e-9);
        assert!(found.r_squared > 0.999_999 && (found.last_step.expect("a step") - 1.0).abs() < 1e-9);
        let linear = fit(&sizes.map(|n| (n, n))).expect("four points");
        assert!(linear.r_squared < 0.7 && linear.last_step.is_some_and(|step| step > 9.0));
        assert!((linear.ratio - 1e3).abs() < 1e-6);
        assert_eq!(found.verdict(), Verdict::Logarithmic);
        assert_eq!(linear.verdict().to_string(), "as n^1.00");
        let root = fit(&sizes.map(|n| (n, n.sqrt()))).expect("four points");
        assert_eq!(root.verdict().to_string(), "as n^0.50");
        let flat = fit(&sizes.map(|n| (n, 3.0))).expect("four points");
        assert_eq!((flat.per_doubling, flat.ratio, flat.last_step), (0.0, 1.0, None));
        assert_eq!(flat.verdict(), Verdict::Flat);
        assert!(fit(&[(1e3, 1.0), (1e4, 1.0)]).is_none());
    }
}
