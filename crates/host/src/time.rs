//! Durations as flags have them.

use std::time::Duration;

/// A duration with a unit.
pub fn time(text: &str) -> Result<Duration, String> {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let number: f64 = number.parse().map_err(|_| format!("\"{text}\" is no time; write 500ms, 30s or 5m"))?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("\"{unit}\" is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("\"{text}\" is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(time("0"), Ok(Duration::ZERO));
        assert!(
            time("5 parsecs").is_err()
                && time("s").is_err()
                && time("-1s").is_err()
                && time("1e99h").is_err()
        );
    }
}
