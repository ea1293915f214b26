//! Table VIII: the best technique of each method, and its speedup over LI.

use super::super::show::{Block, Mark, Shown};
use super::super::work::Work;
use super::compared::{SUBJECTS, Tally, name, technique};
use super::rows::{Row, row};
use super::times::speedup;
use crate::study::bliss::paper;
use evergreen_java::heap::Technique;

/// The paper's Table VIII: method, best techniques, speedup.
const PRINTED: [(&str, &str, u64); 32] = [
    ("BinomialHeap.bfs", "BLISS/BLISSDB", 36_000),
    ("AvlTree.bfs", "BLISSDB", 326),
    ("TreeSet.bfs", "BLISSDB", 188),
    ("AvlTree.contains", "BLI/RBLI/BLISS/BLISSDB", 188),
    ("TreeSet.repOK", "BLISSDB", 77),
    ("AvlTree.dfs", "BLISS/BLISSDB", 50),
    ("TreeSet.add", "BLISSDB", 43),
    ("BinomialHeap.insert", "BLISSDB", 33),
    ("BinomialHeap.repOK", "RBLI", 28),
    ("BinomialHeap.dfs", "RBLI", 24),
    ("TreeSet.contains", "BLI/RBLI/BLISS/BLISSDB", 14),
    ("BinomialHeap.extractMinBug", "BLISS", 12),
    ("AvlTree.insert", "BLISS", 10),
    ("BinomialHeap.trace_L2", "BLISSDB", 7),
    ("AvlTree.remove", "BLISS", 6),
    ("TreeMap.trace_L2", "RBLI", 5),
    ("TreeMap.trace_L1", "BLI/RBLI/BLISS/BLISSDB", 5),
    ("AvlTree.repOK", "BLISSDB", 5),
    ("BinomialHeap.trace_L3", "RBLI/BLISS", 5),
    ("TreeSet.dfs", "RBLI", 4),
    ("BinomialHeap.trace_L1", "BLISS", 4),
    ("BinomialHeap.delete", "RBLI/BLISS/BLISSDB", 4),
    ("TreeMap.trace_L3", "RBLI", 3),
    ("BinomialHeap.extractMin", "RBLI/BLISS/BLISSDB", 3),
    ("BinTree.bfs", "RBLI", 3),
    ("TreeSet.remove", "BLI/RBLI", 2),
    ("BinTree.dfs", "RBLI", 2),
    ("BinTree.count", "BLI/RBLI", 2),
    ("BinTree.repOK", "RBLI", 1),
    ("LinkedList.repOK", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
    ("LinkedList.add", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
    ("LinkedList.remove", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
];

/// The largest speedup over all scopes that LI finishes, with its technique and scope.
fn best(rows: &[Row]) -> Option<(f64, Technique, usize)> {
    let li = rows.iter().find(|row| row.technique == Technique::Li)?;
    let cells = li.cells.iter().filter(|cell| cell.done);
    let of = cells.filter_map(|cell| {
        let others = rows.iter().filter(|row| row.technique != Technique::Li);
        let ours = others.filter_map(|row| Some((row.at(cell.scope)?.seconds.max(1e-4), row.technique)));
        let (fastest, technique) = ours.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((cell.seconds.max(1e-4) / fastest, technique, cell.scope))
    });
    of.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Ranks from 1 on, equal values with their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let smaller = values.iter().filter(|other| *other < value).count() as f64;
        let same = values.iter().filter(|other| *other == value).count() as f64;
        smaller + same.midpoint(1.0)
    };
    values.iter().map(rank).collect()
}

/// Spearman's rank correlation.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let product: f64 = a.iter().zip(&b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum();
    let square = |v: &[f64], m: f64| v.iter().map(|x| (x - m).powi(2)).sum::<f64>();
    product / (square(&a, mean_a) * square(&b, mean_b)).sqrt().max(1e-9)
}

/// Runs what has not been run, and shows it.
pub(super) fn show(work: &mut Work) -> Result<Shown, String> {
    let head = [
        "method",
        "our best",
        "speedup",
        "at scope",
        "paper's best",
        "paper's speedup",
        "at one scope, ours · paper",
    ];
    let mut table = vec![head.map(str::to_string).to_vec()];
    let (mut ours, mut papers, mut same) = (Vec::new(), Vec::new(), Tally::default());
    for (subject, techniques, printed) in PRINTED {
        let subject = paper::subjects().into_iter().find(|s| *s == subject).ok_or("no such subject")?;
        let rows = Technique::ALL.into_iter().map(|technique| row(work, subject, technique));
        let rows = rows.collect::<Result<Vec<Row>, String>>()?;
        let Some((speed, technique, scope)) = best(&rows) else { continue };
        ours.push(speed);
        papers.push(printed as f64);
        same.add(techniques.split('/').any(|t| t == name(technique)));
        let beside = speedup(&rows).map_or(String::new(), |s| {
            format!("{:.1}X · {:.1}X at {} ({})", s.ours, s.paper, s.scope, name(s.best))
        });
        let printed = format!("{}X", super::compared::grouped(printed));
        let line = [
            subject,
            name(technique),
            &format!("{speed:.1}X"),
            &scope.to_string(),
            techniques,
            &printed,
            &beside,
        ];
        table.push(line.map(str::to_string).to_vec());
    }
    let r = correlation(&ours, &papers);
    let mark = if r >= 0.5 { Mark::SameShape } else { Mark::Differs };
    let because = format!(
        "The order of the methods by speedup is the paper's with a rank correlation of {r:.2} (from 0.5 on: \
        same shape), and our best technique is among the paper's best for {} of {} methods. Our LI \
        evaluates the invariant on all that is known, at a thousandth of the cost, so it leaves less to \
        gain, and our scopes end where a cell takes about a second.",
        same.equal, same.compared
    );
    let blocks = vec![Block::Table { caption: String::new(), rows: table }];
    let technique = format!(
        "{} The speedup is LI's time divided by that of the fastest of the other techniques, at the scope \
        where that is largest.",
        technique(work.full)
    );
    Ok(Shown { technique, subjects: SUBJECTS.into(), blocks, mark, because })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_orders() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(correlation(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]), 1.0));
        assert!(close(correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0));
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
    }

    #[test]
    fn every_method_is_printed_once() {
        let mut names: Vec<&str> = PRINTED.iter().map(|(name, _, _)| *name).collect();
        let mut subjects = paper::subjects();
        names.sort_unstable();
        subjects.sort_unstable();
        assert_eq!(names, subjects);
    }
}
