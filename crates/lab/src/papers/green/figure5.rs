//! Figure 5: six programs one after the other, in 100 of their 720 orders.

use super::super::plot::{self, Scale};
use super::super::show::{Block, Mark, Shown};
use super::super::work::Work;
use super::programs::{
    Asked, BIN_TREE, BINOMIAL_HEAP, EUCLID, Subject, TCAS, TREE_MAP, TRITYP, WORDS, asked_step, ratio,
};
use evergreen_structures::Random;
use std::collections::BTreeSet;

/// The six programs of section 4.
const SUBJECTS: [Subject; 6] =
    [TRITYP, EUCLID, TCAS, BINOMIAL_HEAP.with(4), BIN_TREE.with(4), TREE_MAP.with(4)];
/// Orders that are drawn.
const ORDERS: usize = 100;
/// So that each run draws the same ones.
const SEED: u64 = 2012;

/// Different orders, drawn at random.
fn orders() -> Vec<Vec<usize>> {
    let mut random = Random::new(SEED);
    let mut drawn = BTreeSet::new();
    let mut orders = Vec::new();
    while orders.len() < ORDERS {
        let mut order: Vec<usize> = (0..SUBJECTS.len()).collect();
        random.shuffle(&mut order);
        if drawn.insert(order.clone()) {
            orders.push(order);
        }
    }
    orders
}

/// R_S of each place of an order: with what the run itself answers again, and from programs before alone.
fn along(all: &[Asked], order: &[usize]) -> Vec<(f64, f64)> {
    let mut store: BTreeSet<&str> = BTreeSet::new();
    let mut ratios = Vec::new();
    for &at in order {
        let new = all[at].keys.keys().filter(|key| !store.contains(key.as_str())).count() as f64;
        let taken = all[at].taken_from(|key| store.contains(key));
        ratios.push((1.0 - new / all[at].keyed().max(1) as f64, taken));
        store.extend(all[at].keys.keys().map(String::as_str));
    }
    ratios
}

fn quartiles(values: &[f64]) -> [f64; 5] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| plot::quantile(&sorted, share))
}

/// The share of all questions so far that needed no call, after each program: quartiles over the orders.
fn cumulative(all: &[Asked], orders: &[Vec<usize>]) -> Block {
    let along = |order: &Vec<usize>| {
        let (mut store, mut asked) = (BTreeSet::new(), 0);
        let after = |at: &usize| {
            asked += all[*at].keyed();
            store.extend(all[*at].keys.keys());
            1.0 - store.len() as f64 / asked as f64
        };
        order.iter().map(after).collect::<Vec<f64>>()
    };
    let curves: Vec<Vec<f64>> = orders.iter().map(along).collect();
    let line = |(which, name): (usize, &str)| {
        let at = |place: usize| quartiles(&curves.iter().map(|own| own[place]).collect::<Vec<_>>())[which];
        (name.to_string(), (0..SUBJECTS.len()).map(|place| (place as f64 + 1.0, at(place))).collect())
    };
    let lines = [(1, "lower quartile"), (2, "median"), (3, "upper quartile")].map(line);
    let caption = "Share of all questions so far that needed no call";
    let svg = plot::curves(caption, ("programs", "share"), (Scale::Linear, Scale::Linear), &lines);
    Block::Picture { caption: caption.into(), svg }
}

/// Draws the box plots.
pub(super) fn run(work: &mut Work) -> Result<Shown, String> {
    let all: Vec<Asked> =
        SUBJECTS.iter().map(|subject| asked_step(work, subject)).collect::<Result<_, _>>()?;
    let ratios: Vec<Vec<(f64, f64)>> = orders().iter().map(|order| along(&all, order)).collect();
    let column = |place: usize, of: fn(&(f64, f64)) -> f64| {
        ratios.iter().map(|own| of(&own[place])).collect::<Vec<f64>>()
    };
    let (whole, taken) = (|pair: &(f64, f64)| pair.0, |pair: &(f64, f64)| pair.1);
    let mut blocks = Vec::new();
    for (caption, of) in [
        ("R_S of the program at each place of an order", whole as fn(&(f64, f64)) -> f64),
        ("The share that programs before have answered", taken),
    ] {
        let columns: Vec<(String, Vec<f64>)> =
            (1..SUBJECTS.len()).map(|place| ((place + 1).to_string(), column(place, of))).collect();
        let svg = plot::boxes(caption, "share of questions", Scale::Linear, &columns);
        let mut rows = vec![
            ["place", "least", "lower quartile", "median", "upper quartile", "greatest"]
                .map(str::to_string)
                .to_vec(),
        ];
        for (place, values) in &columns {
            rows.push([vec![place.clone()], quartiles(values).map(ratio).to_vec()].concat());
        }
        blocks.push(Block::Picture { caption: caption.into(), svg });
        blocks.push(Block::Table { caption: caption.into(), rows });
    }
    // The paper plots R_S, so its quartiles decide about the mark; what comes from others is a second
    // measure.
    let rises = (1..4).all(|which| quartiles(&column(1, whole))[which] < quartiles(&column(5, whole))[which]);
    let median = |place: usize| ratio(quartiles(&column(place, whole))[2]);
    let quartile = |place: usize, which: usize| quartiles(&column(place, taken))[which];
    let grows = (1..4).all(|which| quartile(1, which) < quartile(5, which));
    let extreme = |which: usize, fold: fn(f64, f64) -> f64| {
        (1..6).map(|place| quartiles(&column(place, whole))[which]).reduce(fold).unwrap_or_default()
    };
    blocks.push(cumulative(&all, &orders()));
    Ok(Shown {
        technique: format!(
            "green, {}; {ORDERS} different orders of {} programs, drawn with a fixed seed",
            work.solver,
            SUBJECTS.len()
        ),
        subjects: format!("{WORDS}. Containers have 4 operations; the paper does not say how many."),
        blocks,
        mark: if rises { Mark::SameShape } else { Mark::Differs },
        because: format!(
            "R_S {} in all quartiles from place 2 to place 6, as it does in the paper: its median is {} and \
             {}, since which program stands at a place changes it more than the place does. What programs \
             before have answered {} with the place: its quartiles are {} and {} at place 2, {} and \
             {} at place 6. The paper prints no numbers beside the plot; its R_S reaches from 0.100 to \
             close to 0.950, ours from {} to {}.",
            if rises { "grows" } else { "does not grow" },
            median(1),
            median(5),
            if grows { "grows" } else { "does not grow" },
            ratio(quartile(1, 1)),
            ratio(quartile(1, 3)),
            ratio(quartile(5, 1)),
            ratio(quartile(5, 3)),
            ratio(extreme(0, f64::min)),
            ratio(extreme(4, f64::max))
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_different_and_the_same_each_time() {
        let all = orders();
        assert_eq!(all, orders());
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), ORDERS);
        assert!(all.iter().all(|order| order.iter().collect::<BTreeSet<_>>().len() == SUBJECTS.len()));
    }

    #[test]
    fn a_program_takes_what_those_before_it_left() {
        let asked = |keys: &[(&str, u64)]| Asked {
            keys: keys.iter().map(|(key, times)| (key.to_string(), *times)).collect(),
            ..Asked::default()
        };
        let all = [asked(&[("a", 2), ("b", 2)]), asked(&[("b", 3), ("c", 1)])];
        assert_eq!(along(&all, &[0, 1]), [(0.5, 0.0), (0.75, 0.75)]);
    }
}
