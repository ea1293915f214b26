//! The tables of `evergreen-lab study counting`.

use super::counting::{CONTAINERS, Cell, Ran};
use super::table::{Row, markdown};
use crate::flags::CountingStudy;
use crate::say::say;
use evergreen::KeyBytes;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Prints the cells as the flags ask for it.
pub(super) fn print(flags: &CountingStudy, cells: &[Cell]) -> Result<(), String> {
    if flags.json {
        say(&json!({ "cells": cells.iter().map(cell).collect::<Vec<Value>>() }).to_string());
    } else {
        say(&markdown(&table(cells)));
        say(&markdown(&times(cells)));
        say(markdown(&shared(cells)).trim_end());
    }
    match &flags.out {
        Some(path) => super::file::write(path, document(flags, cells).as_bytes()),
        None => Ok(()),
    }
}

fn row(cells: &[&str]) -> Row {
    cells.iter().map(|cell| cell.to_string()).collect()
}

fn ratio((of, part): (u64, u64)) -> String {
    if of == 0 { "-".into() } else { format!("{:.3}", part as f64 / of as f64) }
}

fn paper(value: Option<f64>) -> String {
    value.map_or_else(|| "time out".into(), |value| format!("{value:.3}"))
}

/// Of the paper's table, the place of a number of operations.
fn place(cell: &Cell, which: usize) -> String {
    cell.container.paper[which].get(cell.n as usize - 2).map_or_else(String::new, |value| paper(*value))
}

/// Counts and reuse.
fn table(cells: &[Cell]) -> Vec<Row> {
    let mut rows = vec![row(&[
        "container",
        "n",
        "paths",
        "count queries",
        "found",
        "R#",
        "paper's R#",
        "sub-counts",
        "found",
        "share",
        "default: counts",
    ])];
    for cell in cells {
        let with = &cell.with;
        rows.push(vec![
            cell.container.name.into(),
            cell.n.to_string(),
            with.paths.to_string(),
            with.queries.to_string(),
            with.components.1.to_string(),
            ratio(with.components),
            place(cell, 1),
            with.sub_counts.0.to_string(),
            with.sub_counts.1.to_string(),
            ratio(with.sub_counts),
            cell.usual.queries.to_string(),
        ]);
    }
    rows
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn over(a: Duration, b: Duration) -> String {
    if b.is_zero() { "-".into() } else { format!("{:.3}", a.as_secs_f64() / b.as_secs_f64()) }
}

/// Times with and without reuse.
fn times(cells: &[Cell]) -> Vec<Row> {
    let mut rows = vec![row(&[
        "milliseconds",
        "n",
        "counting without",
        "with",
        "default",
        "all without",
        "with",
        "default",
        "T# (all)",
        "T# (counting)",
        "paper's T#",
    ])];
    for Cell { container, n, without, with, usual } in cells {
        rows.push(vec![
            container.name.into(),
            n.to_string(),
            milliseconds(without.counting),
            milliseconds(with.counting),
            milliseconds(usual.counting),
            milliseconds(without.time),
            milliseconds(with.time),
            milliseconds(usual.time),
            over(with.time, without.time),
            over(with.counting, without.counting),
            paper(container.paper[0].get(*n as usize - 2).copied().flatten()),
        ]);
    }
    rows
}

/// The keys of a container's largest cell.
fn keys<'c>(cells: &'c [Cell], name: &str, which: usize) -> Option<&'c BTreeSet<KeyBytes>> {
    let own = cells.iter().rfind(|cell| cell.container.name == name)?;
    Some(&own.with.keys[which])
}

/// How many keys of a container the others have too.
fn in_others(cells: &[Cell], name: &str, which: usize) -> (u64, u64) {
    let Some(own) = keys(cells, name, which) else { return (0, 0) };
    let others = CONTAINERS.iter().filter(|c| c.name != name).filter_map(|c| keys(cells, c.name, which));
    let others: BTreeSet<&KeyBytes> = others.flatten().collect();
    (own.len() as u64, own.iter().filter(|key| others.contains(key)).count() as u64)
}

/// Figure 4: what the containers share.
fn shared(cells: &[Cell]) -> Vec<Row> {
    let mut rows = vec![row(&[
        "different keys",
        "components",
        "in the others too",
        "share",
        "sub-counts",
        "in the others too",
        "share",
        "paper: sub-queries",
    ])];
    for container in CONTAINERS.iter().filter(|c| cells.iter().any(|cell| cell.container.name == c.name)) {
        let (whole, parts) = (in_others(cells, container.name, 0), in_others(cells, container.name, 1));
        rows.push(vec![
            container.name.into(),
            whole.0.to_string(),
            whole.1.to_string(),
            ratio(whole),
            parts.0.to_string(),
            parts.1.to_string(),
            ratio(parts),
            format!("{:.3}", container.paper_shared),
        ]);
    }
    rows
}

/// Measured by changing `subjects/binomialheap/v0` and `subjects/updates` as it says.
const HEAP: &str = "\
## Why less is found for the binomial heap

Its R# is a matter of what deleting does, about which the paper says nothing. Ours looks for the key, in \
subtrees only whose root is less, lowers it to
the least int, lets it rise, and takes the least key out. With n = 5, the same study of the same heap with \
another way to delete:

| deleting | count queries | components | found | R# |
|---|--:|--:|--:|--:|
| looks into subtrees with a lesser root, lowers to the least int (ours) | 3458 | 3344 | 1608 | 0.481 |
| the same, but the node rises without being compared or lowered | 2542 | 2542 | 1398 | 0.550 |
| looks at all nodes, by `==` alone, and the node rises uncompared | 688 | 688 | 364 | 0.529 |
| looks at all nodes, by `==` alone, lowers to the least key minus 1 | 2484 | 1910 | 1118 | 0.585 |
| looks at all nodes, by `==` alone, lowers to the least int | 1844 | 1374 | 846 | 0.616 |
| takes the least key out, looks for none | 110 | 110 | 93 | 0.845 |

So it is not the constant that a key is lowered to: without it R# is 0.07 higher with the first way of \
looking, and 0.09 lower with the second. What matters is
that a key is looked for at all. A heap orders its keys only partly, so paths differ by which keys were \
compared with which, where a search
tree compares along one way down and has an R# of 0.944. Where nothing is looked for, R# is near the \
paper's 0.802 (at n = 4 it is 0.575 against
0.751, of only 40 queries); every way that looks for a key stays below 0.62.
";

fn document(flags: &CountingStudy, cells: &[Cell]) -> String {
    let only: String = flags.only.iter().map(|o| format!(" --only {o}")).collect();
    format!(
        "# Counts while containers are explored, beside Green's Table 1\n\n\
         Made by `evergreen-lab study counting --operations {}{only}`. Counts are the same on each run; \
         times are one machine's.\n\n\
         As in the paper (FSE'12, 4.1.2) a container gets n operations, every sequence of insertions and \
         deletions is explored with symbolic keys,\n\
         and both arms of every branch are counted, over all ints. Each cell begins with an empty store. \
         *R#* is the share of count queries that the store\n\
         answered; *sub-counts* are what a count is taken apart into, of three and more variables or with \
         disequalities. *T#* is the time with the\n\
         store over that without: of all, as in the paper, and of counting alone. *default* is what a user \
         gets: the other arm of a\n\
         branch by subtraction, an equality in place of a disequality, and nothing counted twice. The two \
         cells that timed out in\n\
         the paper are there.\n\n\
         The programs are ours of the same names, not the paper's. A count here takes microseconds where \
         LattE took tens of milliseconds: about what finding\n\
         it in a store takes, so the store saves a smaller share of the time (`evergreen-lab bench count` \
         has the times of both by shape).\n\n\
         ## Count queries and their reuse\n\n{}\n## Times in milliseconds\n\n{}\n\
         ## What the containers share (Figure 4), at the largest n\n\n{}\n{HEAP}",
        flags.operations,
        markdown(&table(cells)),
        markdown(&times(cells)),
        markdown(&shared(cells))
    )
}

fn cell(cell: &Cell) -> Value {
    let ran = |ran: &Ran| {
        json!({
            "paths": ran.paths,
            "queries": ran.queries,
            "components": ran.components.0,
            "reused": ran.components.1,
            "sub_counts": ran.sub_counts.0,
            "sub_reused": ran.sub_counts.1,
            "counting_ms": ran.counting.as_secs_f64() * 1e3,
            "time_ms": ran.time.as_secs_f64() * 1e3,
        })
    };
    json!({
        "container": cell.container.name,
        "n": cell.n,
        "without": ran(&cell.without),
        "with": ran(&cell.with),
        "default": ran(&cell.usual),
    })
}
