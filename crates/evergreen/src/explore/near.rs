//! Names that are near to one that does not exist: what was perhaps meant.

/// The names within a third of the wanted one's length in edits (at least two), nearest first; at most three.
pub(super) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let most = (wanted.chars().count() / 3).max(2);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let edits = distance(&wanted.to_lowercase(), &name.to_lowercase());
        if edits <= most {
            found.push((edits, name));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Edits (a letter more, less, or another) between two words: the textbook's table, one row at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["classify", "clarify", "area", "isTriangle"];
        assert_eq!(nearest("clasify", names.into_iter()), ["clarify", "classify"]);
        assert_eq!(nearest("istriangle", names.into_iter()), ["isTriangle"]);
        assert!(nearest("xyz", names.into_iter()).is_empty());
        assert_eq!((distance("", "abc"), distance("abc", "abc"), distance("kitten", "sitting")), (3, 0, 3));
    }
}
