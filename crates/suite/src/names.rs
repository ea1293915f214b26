//! Names that are taken, and the next one that is free.

use std::collections::{BTreeMap, BTreeSet};

/// Names that are taken. The number behind a name that many want is looked for from the last one on:
/// thousands of tests may have one title.
#[derive(Clone, Debug, Default)]
pub struct TakenNames {
    names: BTreeSet<String>,
    /// For each name that was wanted more than once, the last number.
    numbers: BTreeMap<String, u64>,
}

impl TakenNames {
    /// These are taken.
    pub fn of(names: &[&str]) -> TakenNames {
        let names = names.iter().map(|name| name.to_string()).collect();
        TakenNames { names, numbers: BTreeMap::new() }
    }

    /// Takes a name, or the first one with a number behind it that is free.
    pub fn take(&mut self, name: String) -> String {
        if self.names.insert(name.clone()) {
            return name;
        }
        let mut number = self.numbers.get(&name).copied().unwrap_or(1);
        loop {
            number += 1;
            let unique = format!("{name}_{number}");
            if self.names.insert(unique.clone()) {
                self.numbers.insert(name, number);
                return unique;
            }
        }
    }
}

impl Extend<String> for TakenNames {
    fn extend<I: IntoIterator<Item = String>>(&mut self, names: I) {
        self.names.extend(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_taken_is_passed_over() {
        let mut taken = TakenNames::of(&["make"]);
        taken.extend(["kind_2", "kind_4"].map(String::from));
        let names: Vec<String> = (0..4).map(|_| taken.take("kind".into())).collect();
        assert_eq!(names, ["kind", "kind_3", "kind_5", "kind_6"]);
        assert_eq!(taken.take("make".into()), "make_2");
    }
}
