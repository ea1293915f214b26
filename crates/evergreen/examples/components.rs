//! Components of one's own: a slicer, a canonizer and a counter, each in a few lines.
//!
//! `cargo run --example components` counts and solves with them, beside a store that others use: their
//! records lie under their names.

use evergreen::components::{Canonize, Counter, Form, Slice};
use evergreen::counting::{Problem, Relation};
use evergreen::store::{Memory, Store};
use evergreen::{
    Budget, Count, Domain, Error, Evergreen, Fun, Op, Question, Reuse, SortId, SymbolId, TermId, Terms,
};
use std::sync::Arc;

/// Puts all constraints together, as a tool without slicing does.
pub(crate) struct Together;

impl Slice for Together {
    fn parts(&mut self, _: &Terms, constraints: &[TermId]) -> Vec<usize> {
        vec![0; constraints.len()]
    }
}

/// Renames symbols in the order in which they occur, and leaves the rest as it is written. Only arithmetic
/// and comparisons of integers; anything else is canonized as usual.
pub(crate) struct Renaming;

impl Canonize for Renaming {
    fn name(&self) -> &str {
        "renaming 1"
    }

    fn form(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<Form> {
        let mut form = Form { bytes: Vec::new(), symbols: Vec::new() };
        for &constraint in constraints {
            write(terms, constraint, &mut form)?;
            form.bytes.push(b'&');
        }
        Some(form)
    }
}

fn write(terms: &Terms, term: TermId, form: &mut Form) -> Option<()> {
    if let Some(value) = terms.literal_of(term) {
        form.bytes.extend(format!("{value:?}").bytes());
        return Some(());
    }
    match (terms.op(term), terms.args(term)) {
        (Op::Apply(symbol), []) if terms.sort_of(term) == SortId::INT => {
            form.bytes.extend(format!("v{}", place(symbol, &mut form.symbols)).bytes());
        }
        (Op::Fun(fun), args) => {
            form.bytes.extend(format!("({fun:?}").bytes());
            for &arg in args {
                form.bytes.push(b' ');
                write(terms, arg, form)?;
            }
            form.bytes.push(b')');
        }
        _ => return None,
    }
    Some(())
}

fn place(symbol: SymbolId, symbols: &mut Vec<SymbolId>) -> usize {
    symbols.iter().position(|s| *s == symbol).unwrap_or_else(|| {
        symbols.push(symbol);
        symbols.len() - 1
    })
}

/// Tries all values of small domains, one after another.
pub(crate) struct OneByOne;

impl Counter for OneByOne {
    fn name(&self) -> &str {
        "one by one"
    }

    fn count(&mut self, problem: &Problem, budget: Budget) -> Count {
        let ends = |d: &Domain| Some((d.lo.as_ref()?.to_i64()?, d.hi.as_ref()?.to_i64()?));
        let Some(ends) = problem.domains.iter().map(ends).collect::<Option<Vec<(i64, i64)>>>() else {
            return Count::GaveUp("a variable without an end".into());
        };
        let mut values: Vec<i64> = ends.iter().map(|e| e.0).collect();
        let (mut found, mut left) = (0u64, budget.steps);
        if ends.iter().any(|(lo, hi)| lo > hi) {
            return Count::Exact(found.into());
        }
        loop {
            if left == 0 {
                return Count::GaveUp("too many values".into());
            }
            left -= 1;
            found += u64::from(holds(problem, &values));
            // The next values, as an odometer has them.
            let Some(wheel) = (0..values.len()).rev().find(|&v| values[v] < ends[v].1) else {
                return Count::Exact(found.into());
            };
            values[wheel] += 1;
            (wheel + 1..values.len()).for_each(|v| values[v] = ends[v].0);
        }
    }
}

fn holds(problem: &Problem, values: &[i64]) -> bool {
    problem.rows.iter().all(|row| {
        let summand = |(v, a): &(u32, evergreen::Int)| a.to_i64().unwrap_or(0) * values[*v as usize];
        let sum = row.terms.iter().map(summand).sum::<i64>() + row.constant.to_i64().unwrap_or(0);
        match row.relation {
            Relation::Le => sum <= 0,
            Relation::Eq => sum == 0,
            Relation::Ne => sum != 0,
        }
    })
}

fn main() -> Result<(), Error> {
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 20));
    let builder = Evergreen::builder().with_store(store).reuse(Reuse::Exact).native(false);
    let builder = builder.with_slicer(Box::new(Together)).with_canonizer(Box::new(Renaming));
    let mut evergreen = builder.with_counter(Box::new(OneByOne)).build()?;
    let names = ["a", "b", "c", "d"];
    let [a, b, c, d] = names.map(|name| evergreen.constant(name, SortId::INT));
    for (x, y) in [(a, b), (c, d)] {
        let less = evergreen.app(Fun::Lt, &[x, y])?;
        println!("{:?}", evergreen.check(&[less], Question::Model)?.verdict);
        let digit = Domain::new(0, 9);
        println!(
            "{:?}",
            evergreen.count(&[less], &[(x, digit.clone()), (y, digit)], Budget::default())?.count
        );
    }
    let stats = evergreen.stats();
    println!("{} solved, {} counts reused", stats.solved, stats.counts.reused);
    Ok(())
}
