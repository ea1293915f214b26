//! Times of one thing done many times.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Nanoseconds, one per time it was done.
#[derive(Default, Clone)]
pub(super) struct Samples(Vec<u64>);

impl Samples {
    /// Does something and adds how long it took.
    pub(super) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.add(start.elapsed());
        done
    }

    /// Adds a time.
    pub(super) fn add(&mut self, time: Duration) {
        self.0.push(time.as_nanos() as u64);
    }

    /// The time that this share (0 to 100) of the samples does not exceed.
    pub(super) fn percentile(&self, share: usize) -> u64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((sorted.len() * share / 100).min(last)).copied().unwrap_or(0)
    }

    /// The middle one.
    pub(super) fn median(&self) -> u64 {
        self.percentile(50)
    }

    /// The best one: what is left of it on a machine that has nothing else to do.
    pub(super) fn best(&self) -> u64 {
        self.percentile(0)
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// For machines.
    pub(super) fn to_json(&self) -> Value {
        json!({ "best_ns": self.best(), "median_ns": self.median(), "p95_ns": self.percentile(95),
            "samples": self.len() })
    }
}

/// A time for people: three digits and a unit.
pub(super) fn show(nanos: u64) -> String {
    let digits = |value: f64| match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    };
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{} µs", digits(nanos as f64 / 1e3)),
        _ => format!("{} ms", digits(nanos as f64 / 1e6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_units() {
        let mut samples = Samples::default();
        assert_eq!(samples.median(), 0);
        (1..=100).rev().for_each(|n| samples.add(Duration::from_nanos(n)));
        assert_eq!((samples.best(), samples.median(), samples.percentile(95)), (1, 51, 96));
        assert_eq!([999, 1_500, 45_000_000].map(show), ["999 ns", "1.50 µs", "45.0 ms"]);
    }
}
