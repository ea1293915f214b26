//! Parts of an exploration, given away at random moments and explored in any order, are
//! together what one run finds.

use crate::toy::{BruteForce, Code, Toy, Within, concrete, random_program, start};
use evergreen_explore::{
    Advance, Bounds, End, Explorer, Limit, NoChoices, Old, Options, Order, Path, Random, Range, Sampling,
    Seeds, Share, Summary, Way, follow,
};

/// Everything that the explorer reports of an end, in a form that can be compared.
#[derive(Clone, PartialEq, Debug)]
struct Told {
    position: Vec<u32>,
    way: Way,
    end: String,
    path: Vec<Within>,
    model: [i32; 3],
    seeds: Vec<usize>,
}

type Toys = Explorer<Toy, BruteForce>;
/// Places, arms, and how often they were taken.
type Arms = Vec<(u32, u32, u64)>;

fn oracle(dark: Option<Within>) -> BruteForce {
    BruteForce { reach: 3, dark }
}

fn told(found: evergreen_explore::Found<Toy, [i32; 3]>) -> Told {
    let end = match &found.end {
        End::Undecided(arm) => format!("undecided {:?} {}", arm.constraint, arm.index),
        other => format!("{other:?}"),
    };
    Told {
        position: found.trail.position(),
        way: Way::from(&found.trail),
        end,
        path: found.path.constraints(),
        model: found.model,
        seeds: found.seeds,
    }
}

/// Seeds and a range, for every explorer of a part.
#[derive(Clone, Default)]
struct With {
    seeds: Vec<[i32; 3]>,
    range: Range,
}

fn begin(oracle: &mut BruteForce, options: &Options, with: &With) -> Toys {
    let seeds = Seeds {
        models: with.seeds.iter().copied().enumerate().collect(),
        guide: Box::new(NoChoices),
        old: Old::TrustNothing,
    };
    Explorer::seeded(oracle, start(), Path::new(), [0; 3], seeds, with.range.clone(), options.clone())
        .expect("every seed fits")
}

fn whole(code: &[Code], dark: Option<Within>, options: &Options, with: &With) -> (Vec<Told>, Summary, Arms) {
    let (mut toy, mut oracle) = (Toy { code: code.to_vec() }, oracle(dark));
    let mut explorer = begin(&mut oracle, options, with);
    let mut all = Vec::new();
    while let Some(found) = explorer.next(&mut toy, &mut oracle) {
        all.push(told(found));
    }
    (all, explorer.summary(), arms(&explorer))
}

fn arms(explorer: &Toys) -> Arms {
    explorer.coverage().arms().into_iter().map(|(site, arm, n)| (site.0, arm, n)).collect()
}

/// Explores in pieces: each explorer gives shares away, and the next piece is any waiting share.
fn in_pieces(
    code: &[Code],
    dark: Option<Within>,
    options: &Options,
    with: &With,
    random: &mut Random,
) -> (Vec<Told>, Summary, Arms, usize) {
    let root = begin(&mut oracle(dark), options, with).give_any();
    let mut waiting: Vec<Share<[i32; 3]>> = root.iter().cloned().collect();
    let (mut all, mut sum, mut taken, mut pieces) = (Vec::new(), Summary::default(), Vec::new(), 0);
    while !waiting.is_empty() {
        let share = waiting.swap_remove(random.below(waiting.len()));
        pieces += 1;
        // Another process shares no memory with this one, and gets the way as text.
        let share = Share { way: share.way.to_string().parse().expect("its own text"), ..share };
        let (mut toy, mut oracle) = (Toy { code: code.to_vec() }, oracle(dark));
        let mut explorer = begin(&mut oracle, options, with);
        assert_eq!(explorer.give_any(), root);
        explorer.resume(&mut toy, &mut oracle, share).expect("it was given");
        let mut last = None;
        loop {
            if random.below(3) == 0 {
                let given = explorer.give();
                if let (Order::DepthFirst, Some(given), Some(last)) = (options.order, &given, &last) {
                    assert!(given.way.position() > *last, "shares come after the paths already returned");
                }
                waiting.extend(given);
            } else if random.below(40) == 0 {
                while let Some(share) = explorer.give_any() {
                    waiting.push(share);
                }
            }
            match explorer.advance(&mut toy, &mut oracle) {
                Advance::Found(found) => {
                    let told = told(*found);
                    last = Some(told.position.clone());
                    all.push(told);
                }
                Advance::Open => {}
                Advance::Done => break,
            }
        }
        sum.add(&explorer.summary());
        taken.extend(arms(&explorer));
    }
    all.sort_by(|a, b| (&a.position, &a.end).cmp(&(&b.position, &b.end)));
    (all, sum, taken, pieces)
}

fn seeds(random: &mut Random, round: usize) -> Vec<[i32; 3]> {
    let count = if round % 4 < 2 { 0 } else { random.below(6) };
    let mut number = || random.below(7) as i32 - 3;
    (0..count).map(|_| [number(), number(), number()]).collect()
}

fn range(random: &mut Random, round: usize) -> Range {
    let mut limit = || {
        let length = random.below(4);
        (random.below(2) == 0).then(|| Limit::Position((0..length).map(|_| random.below(2) as u32).collect()))
    };
    if round % 5 < 3 { Range::default() } else { Range { from: limit(), to: limit() } }
}

/// The counters that do not depend on time.
fn counted(summary: &Summary) -> Summary {
    Summary { elapsed: std::time::Duration::ZERO, ..summary.clone() }
}

fn merged(all: Arms) -> Arms {
    let mut by_arm = std::collections::BTreeMap::new();
    for (site, arm, n) in all {
        *by_arm.entry((site, arm)).or_insert(0) += n;
    }
    by_arm.into_iter().map(|((site, arm), n)| (site, arm, n)).collect()
}

#[test]
fn pieces_in_any_order_are_the_whole() {
    let mut random = Random::new(11);
    let (mut total, mut pieces, mut sampled) = (0, 0, 0);
    for round in 0..240 {
        let length = 6 + random.below(14);
        let code = random_program(&mut random, length);
        let order =
            [Order::DepthFirst, Order::DepthFirst, Order::BreadthFirst, Order::Random(5), Order::Coverage];
        let order = order[round % order.len()];
        let bounds = Bounds { depth: [None, Some(3)][round % 2], ..Bounds::default() };
        let sampling = [Sampling::Never, Sampling::Undecided][round / 3 % 2];
        let options = Options { order, bounds, sampling, ..Options::default() };
        let with = With { seeds: seeds(&mut random, round), range: range(&mut random, round) };
        let (mut one, summary, arms) = whole(&code, None, &options, &with);
        // An arm that the oracle cannot decide is reported at the position of its branch.
        let dark = one.iter().find_map(|told| told.path.last().copied()).filter(|_| round % 3 == 0);
        let (summary, arms) = if dark.is_some() {
            let (again, summary, arms) = whole(&code, dark, &options, &with);
            one = again;
            (summary, arms)
        } else {
            (summary, arms)
        };
        if order == Order::DepthFirst && dark.is_none() {
            assert!(one.is_sorted_by_key(|told| &told.position));
        }
        one.sort_by(|a, b| (&a.position, &a.end).cmp(&(&b.position, &b.end)));
        let (many, sum, taken, parts) = in_pieces(&code, dark, &options, &with, &mut random);
        assert_eq!(many, one, "{code:?}");
        assert_eq!(counted(&sum), counted(&summary), "{code:?}");
        assert_eq!(merged(taken), arms);
        for told in many.iter().filter(|told| told.end.starts_with("Outcome")) {
            let (route, _) = concrete(&mut Toy { code: code.clone() }, told.model, 1000).expect("it ends");
            assert_eq!(route.len(), told.position.len(), "the model takes the reported path");
        }
        total += one.len();
        pieces += parts;
        sampled += summary.sampled;
        assert!(summary.sampled == 0 || (sampling == Sampling::Undecided && !summary.is_complete()));
    }
    assert!(sampled > 40, "{sampled} times");
    assert!(total > 1_000 && pieces > 900, "{total} ends in {pieces} pieces");
}

#[test]
fn a_way_of_another_program_goes_astray() {
    let code = vec![Code::Negative(0, 2, 1), Code::Return(0), Code::Negative(1, 3, 3), Code::Return(1)];
    let follow = |text: &str, steps| {
        let way = text.parse().expect("a way");
        follow(&mut Toy { code: code.clone() }, start(), Path::new(), &way, steps, |_| None)
            .map(|reached| (reached.path.depth(), reached.trail.position()))
            .map_err(|astray| astray.to_string())
    };
    assert_eq!(follow("0+ 1", None), Ok((1, vec![0, 1])));
    assert_eq!(follow("0+ 2+", None), Err("the way ends after 1 turns: way 2 of 2".into()));
    assert_eq!(follow("1+ 0+", None), Err("the way ends after 1 turns: the path is over".into()));
    let mut endless = Toy { code: vec![Code::Jump(0)] };
    let way: Way = "0".parse().expect("a way");
    let astray =
        evergreen_explore::follow(&mut endless, start(), Path::new(), &way, Some(5_000_000), |_| None);
    assert_eq!(astray.err().map(|e| e.why), Some("it takes too many instructions".into()));
}

#[test]
fn the_only_open_state_is_kept() {
    let code = vec![Code::Return(0)];
    let (mut toy, mut oracle) = (Toy { code }, oracle(None));
    let mut explorer: Toys = Explorer::new(&mut oracle, start(), Options::default());
    assert_eq!((explorer.give(), explorer.open_states()), (None, 1));
    let only = explorer.give_any().expect("it is open");
    assert_eq!(only.way, Way::default());
    assert!(explorer.next(&mut toy, &mut oracle).is_none());
}
