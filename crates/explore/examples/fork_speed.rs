//! How many forks per second the loop makes when machine and oracle cost next to nothing: a
//! full binary tree of branches.

use evergreen_explore::{Arm, Explorer, Feasibility, Machine, Options, Oracle, Order, Path, Pause, Site};

struct Tree(u32);

impl Machine for Tree {
    type State = (u32, u64);
    type Constraint = u32;
    type Outcome = ();

    fn run(&mut self, state: &mut (u32, u64), _: u64, arms: &mut Vec<Arm<u32>>) -> Pause<()> {
        state.1 += 1;
        if state.0 == self.0 {
            return Pause::Ended(());
        }
        for index in 0..2 {
            arms.push(Arm { constraint: 2 * state.0 + index, site: Site(state.0), index });
        }
        Pause::Branch
    }
    fn take(&mut self, state: &mut (u32, u64), _: usize) {
        state.0 += 1;
    }
    fn steps(&self, state: &(u32, u64)) -> u64 {
        state.1
    }
}

struct Yes;

impl Oracle<u32> for Yes {
    type Model = ();
    fn start(&mut self) {}
    fn holds(&mut self, constraint: u32, (): &()) -> bool {
        constraint.is_multiple_of(2)
    }
    fn ask(&mut self, _: &Path<u32>, (): &(), _: u32) -> Feasibility<()> {
        Feasibility::Feasible(())
    }
}

fn main() {
    for order in [Order::DepthFirst, Order::BreadthFirst, Order::Random(1), Order::Coverage] {
        let (mut tree, mut yes) = (Tree(20), Yes);
        let mut explorer: Explorer<Tree, Yes> =
            Explorer::new(&mut yes, (0, 0), Options { order, ..Options::default() });
        while explorer.next(&mut tree, &mut yes).is_some() {}
        let summary = explorer.summary();
        let rate = summary.forks as f64 / summary.elapsed.as_secs_f64() / 1e6;
        println!("{order:?}: {} paths, {} forks, {rate:.1} million forks/s", summary.paths, summary.forks);
    }
}
