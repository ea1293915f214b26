//! All that a program can see of its surroundings. The same world gives the same run.

/// The surroundings of a run.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The arguments, the program's name first.
    pub args: Vec<Vec<u8>>,
    /// The environment, in its order.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// What standard input contains.
    pub stdin: Vec<u8>,
    /// Files by their paths below "/"; folders above them are made. A path that ends with "/" is an empty
    /// folder.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the clocks show.
    pub clock: Clock,
    /// The first random bytes; [`random_byte`] gives the rest.
    pub random: Vec<u8>,
}

/// What the clocks show, all of them the same: reading number k is `values[k]`, and behind the list
/// `start_ns + (k - values.len()) * step_ns + slept`, where `slept` is the time that waits took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The first readings, in nanoseconds since 1970.
    pub values: Vec<u64>,
    /// The first reading behind the list.
    pub start_ns: u64,
    /// What lies between two readings.
    pub step_ns: u64,
}

impl Default for Clock {
    /// From the start of the year 2020, a millisecond between readings.
    fn default() -> Clock {
        Clock { values: Vec::new(), start_ns: 1_577_836_800_000_000_000, step_ns: 1_000_000 }
    }
}

/// The random byte number `k` of a run, counted from 0, if the world's list is shorter: `(167 k + 13) mod
/// 256`.
pub fn random_byte(k: u64) -> u8 {
    k.wrapping_mul(167).wrapping_add(13) as u8
}
