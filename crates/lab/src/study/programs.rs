//! Programs written by hand, by name: small ones whose paths are known, and two in the manner of the papers'
//! subjects.

/// Names and what they are, for the help of the command.
pub(super) const NAMES: [&str; 6] = ["triangle", "euclid", "tree", "sort", "avoid", "brake"];

/// The text of a program. Trees and sorts are about `count` keys.
pub(super) fn program(name: &str, count: usize) -> Option<String> {
    let keys = |separator: &str, item: &dyn Fn(usize) -> String| -> String {
        (0..count).map(item).collect::<Vec<String>>().join(separator)
    };
    let names = keys(", ", &|i| format!("k{i}"));
    Some(match name {
        "triangle" => include_str!("programs/triangle.txt").to_string(),
        "euclid" => include_str!("programs/euclid.txt").to_string(),
        "avoid" => include_str!("programs/avoid.txt").to_string(),
        "brake" => include_str!("programs/brake.txt").to_string(),
        "tree" => include_str!("programs/tree.txt")
            .replace("KEYS", &names)
            .replace("INSERTS", &keys("\n  ", &|i| format!("n = insert(n, k{i});"))),
        "sort" => include_str!("programs/sort.txt")
            .replace("KEYS", &names)
            .replace("STORES", &keys("\n  ", &|i| format!("a[{i}] = k{i};")))
            .replace("COUNT", &count.to_string()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::generate::explore_with;
    use crate::study::machine::{Bounds, Explored};
    use evergreen_testing::tools;

    fn explored(name: &str, count: usize, depth: usize) -> Explored {
        let solver = tools::find("yices-smt2");
        let text = program(name, count).expect("a program");
        let bounds = Bounds { depth, queries: 20_000 };
        explore_with(name, &text, bounds, &solver.to_string_lossy()).expect("explored")
    }

    /// The number of weak orderings of n keys, which inserting them into a search tree distinguishes.
    #[test]
    fn trees_have_as_many_paths_as_there_are_weak_orderings() {
        let paths: Vec<usize> = (1..=5).map(|n| explored("tree", n, 100).paths).collect();
        assert_eq!(paths, [1, 3, 13, 75, 541]);
    }

    #[test]
    fn sorting_has_a_path_per_order() {
        // Bubble sort distinguishes the orders of the keys, ties counted as sorted: n! orders.
        let paths: Vec<usize> = (1..=4).map(|n| explored("sort", n, 100).paths).collect();
        assert_eq!(paths, [1, 2, 6, 24]);
    }

    #[test]
    fn every_program_is_explored_to_its_end_or_bound() {
        // Euclid within eight constraints: two guards, then three rounds of two each. Two paths end at the
        // guards, 1 + 2 + 4 at equality before a round, and eight are cut after the third.
        for (name, paths, cut) in
            [("triangle", 14, 0), ("euclid", 9, 8), ("avoid", 198, 0), ("brake", 652, 0)]
        {
            let found = explored(name, 3, if name == "euclid" { 8 } else { 100 });
            assert_eq!((found.paths, found.cut), (paths, cut), "{name}");
        }
    }
}
