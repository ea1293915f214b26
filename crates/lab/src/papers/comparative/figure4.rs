//! Figure 4: complete paths over time.

use super::claims::{Claims, all_times, mean};
use super::explorer::SAMPLES;
use super::figure3::{subjects, technique};
use super::measured::{Measured, SIZES, extent, measured};
use super::solving::Technique;
use crate::papers::plot::{Scale, curves};
use crate::papers::show::{Block, Shown};
use crate::papers::work::Work;

/// Average complete paths of a technique at a sample.
fn paths(of_size: &[Measured], technique: usize, sample: usize) -> f64 {
    mean(of_size.iter().map(|m| m.runs[technique].over_time[sample] as f64))
}

fn claims(all: &[Vec<Measured>]) -> Claims {
    let mut claims = Claims::default();
    let last = SAMPLES - 1;
    let ratios = |a: usize, b: usize| -> Vec<f64> {
        all.iter().map(|of_size| paths(of_size, a, last) / paths(of_size, b, last).max(0.01)).collect()
    };
    let [baseline, caching, caching_opt, stack, stack_opt] = [0, 1, 2, 3, 4];
    for (other, name) in [(baseline, "baseline"), (caching, "caching"), (caching_opt, "cachingOpt")] {
        let own = ratios(stack, other);
        let claim = format!("stack completes more paths than {name}");
        claims.add(&claim, "yes", all_times(&own), own.iter().all(|r| *r > 1.0));
    }
    let own = ratios(stack_opt, stack);
    let claim = "stackOpt completes more paths than stack";
    claims.add(claim, "yes", all_times(&own), own.iter().all(|r| *r > 1.0));
    let ends: Vec<f64> = all.iter().map(|of_size| paths(of_size, stack, last)).collect();
    let shown: Vec<String> = ends.iter().map(|end| format!("{end:.0}")).collect();
    let holds = ends.windows(2).all(|pair| pair[0] > pair[1]);
    claims.add("larger programs have fewer complete paths", "yes", shown.join(" / "), holds);
    // Of a straight line, the second half has as many as the first.
    let halves: Vec<f64> = all
        .iter()
        .map(|of_size| paths(of_size, stack, SAMPLES / 2 - 1) / paths(of_size, stack, last).max(0.01))
        .collect();
    let shown: Vec<String> = halves.iter().map(|half| format!("{:.0}%", 100.0 * half)).collect();
    let holds = halves.iter().all(|half| (0.4..=0.6).contains(half));
    claims.add("paths grow linearly: half of stack's at half of the time", "yes", shown.join(" / "), holds);
    claims
}

/// The figure.
pub(super) fn figure(work: &mut Work) -> Result<Shown, String> {
    let all = measured(work)?;
    let (_, seconds) = extent(work.full);
    let mut blocks = Vec::new();
    let mut rows = vec![vec!["technique".to_string()]];
    rows[0].extend(SIZES.iter().map(|(size, _)| format!("{size}, ours")));
    for (at, technique) in Technique::ALL.iter().enumerate() {
        let mut row = vec![technique.name().to_string()];
        row.extend(all.iter().map(|of_size| format!("{:.1}", paths(of_size, at, SAMPLES - 1))));
        rows.push(row);
    }
    let caption = "Complete paths at the end of the budget, averages. The paper has only curves, whose \
                   numbers its text does not give.";
    blocks.push(Block::Table { caption: caption.into(), rows });
    for ((size, _), of_size) in SIZES.iter().zip(&all) {
        let line = |(at, technique): (usize, &Technique)| {
            let point =
                |sample: usize| ((sample + 1) as f64 * seconds / SAMPLES as f64, paths(of_size, at, sample));
            let points = std::iter::once((0.0, 0.0)).chain((0..SAMPLES).map(point));
            (technique.name().to_string(), points.collect())
        };
        let lines: Vec<(String, Vec<(f64, f64)>)> = Technique::ALL.iter().enumerate().map(line).collect();
        let title = format!("Complete paths over time, {size} lines");
        let axes = ("seconds of processor time", "complete paths");
        let svg = curves(&title, axes, (Scale::Linear, Scale::Linear), &lines);
        blocks.push(Block::Picture { caption: title, svg });
    }
    let claims = claims(&all);
    blocks.push(claims.block());
    let because = format!(
        "{} Within {seconds} s the techniques that open a new context reach the end of their first path \
         late, or not at all on the largest programs.",
        claims.words()
    );
    let mark = claims.mark();
    Ok(Shown { technique: technique(work), subjects: subjects(&all), blocks, mark, because })
}
