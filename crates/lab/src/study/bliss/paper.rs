//! The tables of [Rosner TSE'15] as data: times, and counts of collected structures.

use evergreen_java::heap::Technique;

const TIMES: &str = include_str!("times.tsv");
const COUNTS: &str = include_str!("counts.tsv");

/// How long the paper's tool took.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Took {
    /// So many seconds; 0 is less than half a second.
    Seconds(f64),
    /// It ran out of memory (OOM) or of time (TO, ten hours).
    Failed(&'static str),
}

/// A count of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// Collected structures.
    pub structures: u64,
    /// Whether it depends on nothing but the invariant and the order of reads.
    pub exact: bool,
}

/// The fields of rows whose subject, techniques and scopes fit, with the value of that scope.
fn cell(
    table: &'static str,
    subject: &str,
    technique: Technique,
    scope: usize,
) -> Option<(&'static str, &'static str)> {
    rows(table).find_map(|row| {
        let fits = row[0] == subject && row[1].split(' ').any(|t| t == technique.name());
        let at = scope.checked_sub(row[2].parse().ok()?)?;
        let value = row[3].split(' ').nth(at)?;
        fits.then_some((value, row.get(4).copied().unwrap_or_default()))
    })
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row.len() >= 4)
}

/// The paper's time for a cell. After OOM and TO its tables are blank.
pub(crate) fn time(subject: &str, technique: Technique, scope: usize) -> Option<Took> {
    let (value, _) = cell(TIMES, subject, technique, scope)?;
    Some(match value.split_once(':') {
        Some((minutes, seconds)) => {
            Took::Seconds(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
        }
        None => Took::Failed(value),
    })
}

/// The paper's count for a cell.
pub(crate) fn count(subject: &str, technique: Technique, scope: usize) -> Option<Count> {
    let (value, exact) = cell(COUNTS, subject, technique, scope)?;
    Some(Count { structures: value.parse().ok()?, exact: exact == "exact" })
}

/// The first and the last scope of the table that a subject is in.
pub(crate) fn scopes(subject: &str) -> Option<(usize, usize)> {
    let first = rows(TIMES).find(|row| row[0] == subject)?[2].parse().ok()?;
    let last = match (subject, first) {
        ("TreeMap.trace_L1" | "TreeMap.trace_L2" | "TreeMap.trace_L3", _) => 13,
        (_, 1) => 12,
        (_, 5) => 14,
        _ => 20,
    };
    Some((first, last))
}

/// All subjects of the paper, in the order of its tables.
pub(crate) fn subjects() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = rows(TIMES).map(|row| row[0]).collect();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        for row in rows(TIMES) {
            let technique = Technique::named(row[1]).unwrap();
            let first: usize = row[2].parse().unwrap();
            for (at, text) in row[3].split(' ').enumerate() {
                let took = time(row[0], technique, first + at).unwrap();
                assert_eq!(matches!(took, Took::Failed(_)), ["OOM", "TO"].contains(&text), "{row:?}");
            }
        }
        for row in rows(COUNTS) {
            let technique = Technique::named(row[1].split(' ').next().unwrap()).unwrap();
            assert!(count(row[0], technique, row[2].parse().unwrap()).is_some(), "{row:?}");
            assert!(subjects().contains(&row[0]) && ["exact", "open"].contains(&row[4]), "{row:?}");
        }
    }

    #[test]
    fn some_cells() {
        assert_eq!(time("TreeSet.bfs", Technique::Li, 13), Some(Took::Seconds(10750.0)));
        assert_eq!(time("TreeSet.bfs", Technique::Li, 14), Some(Took::Failed("OOM")));
        assert_eq!(time("TreeSet.bfs", Technique::Li, 15), None);
        assert_eq!(time("BinomialHeap.extractMinBug", Technique::BlissDb, 13), Some(Took::Seconds(16.0)));
        let count = count("TreeSet.dfs", Technique::BlissDb, 11);
        assert_eq!(count, Some(Count { structures: 407, exact: true }));
        assert_eq!(scopes("BinTree.bfs"), Some((5, 14)));
        assert_eq!(subjects().len(), 32);
    }
}
