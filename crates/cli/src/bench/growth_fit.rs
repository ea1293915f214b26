//! How a cost grows: the line `a + b log2 n` nearest to it, and whether its last steps get longer.

/// A cost at each size, fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// What it costs at size 1, by the line.
    pub base: f64,
    /// What doubling the size adds.
    pub per_doubling: f64,
    /// The share of the variance that the line explains.
    pub r_squared: f64,
    /// The cost at the largest size, relative to that at the smallest.
    pub ratio: f64,
    /// What the last factor of ten adds, relative to the one before it (None: not enough sizes, or that one added nothing).
    pub last_step: Option<f64>,
}

/// Fits costs by least squares; sizes ascending, half decades or decades. None for fewer than three.
pub fn fit(points: &[(f64, f64)]) -> Option<Fit> {
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
    let ratio = last.1 / first.1.max(f64::MIN_POSITIVE);
    Some(Fit { base: mean_y - per_doubling * mean_x, per_doubling, r_squared, ratio, last_step })
}

impl Fit {
    /// For a table: the line, how well it fits, the ratio, the last step.
    pub fn row(&self) -> String {
        let step = self.last_step.map_or("-".into(), |step| format!("{step:.2}"));
        format!(
            "{:>8.2}{:>+8.3}{:>8.3}{:>8.1}{step:>8}",
            self.base, self.per_doubling, self.r_squared, self.ratio
        )
    }

    /// The names of what [`Fit::row`] shows.
    pub const HEAD: &'static str = "       a       b      R²   ratio    last";
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
        let flat = fit(&sizes.map(|n| (n, 3.0))).expect("four points");
        assert_eq!((flat.per_doubling, flat.ratio, flat.last_step), (0.0, 1.0, None));
        assert!(fit(&[(1e3, 1.0), (1e4, 1.0)]).is_none());
    }
}
