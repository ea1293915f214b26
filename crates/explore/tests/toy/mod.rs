//! A tiny language, its machine, and an oracle that tries every input.

use evergreen_explore::{Arm, Feasibility, Machine, Oracle, Path, Pause, Random, Site};
use std::rc::Rc;

/// A linear expression over the inputs: coefficients and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Linear(pub [i32; 3], pub i32);

impl Linear {
    pub(crate) fn of(self, inputs: [i32; 3]) -> i32 {
        self.1 + self.0.iter().zip(inputs).map(|(c, x)| c * x).sum::<i32>()
    }
}

/// `low <= form <= high`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Within {
    pub form: Linear,
    pub low: i32,
    pub high: i32,
}

impl Within {
    pub(crate) fn holds(&self, inputs: [i32; 3]) -> bool {
        (self.low..=self.high).contains(&self.form.of(inputs))
    }
}

/// Instructions over four registers; registers 0 to 2 begin with the inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// Adds a constant.
    Add(usize, i32),
    /// Adds a register.
    Plus(usize, usize),
    /// Goes on at the first place when the register is negative, else at the second.
    Negative(usize, usize, usize),
    /// One way for each of -1, 0, 1 and for everything below and above: five arms.
    Switch(usize, [usize; 5]),
    /// Sets a register to 0, 1 or 2: a free choice.
    Pick(usize),
    /// Squares a register, which must be a number.
    Square(usize),
    /// Goes on elsewhere.
    Jump(usize),
    /// Ends with a register's value.
    Return(usize),
}

pub(crate) struct Toy {
    pub code: Vec<Code>,
}

#[derive(Clone)]
pub(crate) struct State {
    at: usize,
    registers: Rc<[Linear; 4]>,
    steps: u64,
    targets: [usize; 5],
    picking: Option<usize>,
    /// The register that must be a number before the path can go on.
    blocked: Option<usize>,
    /// How often it was free to choose.
    pub picks: usize,
}

pub(crate) fn start() -> State {
    let mut registers = [Linear([0; 3], 0); 4];
    (0..3).for_each(|i| registers[i].0[i] = 1);
    State {
        at: 0,
        registers: Rc::new(registers),
        steps: 0,
        targets: [0; 5],
        picking: None,
        blocked: None,
        picks: 0,
    }
}

impl Machine for Toy {
    type State = State;
    type Constraint = Within;
    type Outcome = Linear;

    fn run(&mut self, state: &mut State, steps: u64, arms: &mut Vec<Arm<Within>>) -> Pause<Linear> {
        for _ in 0..steps {
            let site = Site(state.at as u32);
            state.steps += 1;
            let here = state.at;
            state.at += 1;
            match self.code[here] {
                Code::Add(r, n) => Rc::make_mut(&mut state.registers)[r].1 += n,
                Code::Plus(r, s) => {
                    let more = state.registers[s];
                    let sum = &mut Rc::make_mut(&mut state.registers)[r];
                    (0..3).for_each(|i| sum.0[i] += more.0[i]);
                    sum.1 += more.1;
                }
                Code::Negative(r, yes, no) => {
                    let form = state.registers[r];
                    if form.0 == [0; 3] {
                        state.at = if form.1 < 0 { yes } else { no };
                        continue;
                    }
                    state.targets = [yes, no, 0, 0, 0];
                    offer(arms, site, form, &[(i32::MIN, -1), (0, i32::MAX)]);
                    return Pause::Branch;
                }
                Code::Switch(r, targets) => {
                    state.targets = targets;
                    let ranges = [(-1, -1), (0, 0), (1, 1), (i32::MIN, -2), (2, i32::MAX)];
                    offer(arms, site, state.registers[r], &ranges);
                    return Pause::Branch;
                }
                Code::Pick(r) => {
                    state.picking = Some(r);
                    offer(arms, site, Linear([0; 3], 0), &[(1, 0); 3]);
                    return Pause::Choice;
                }
                Code::Square(r) => {
                    let form = state.registers[r];
                    if form.0 != [0; 3] {
                        (state.at, state.blocked) = (here, Some(r));
                        return Pause::Ended(form);
                    }
                    Rc::make_mut(&mut state.registers)[r].1 *= form.1;
                }
                Code::Jump(to) => state.at = to,
                Code::Return(r) => return Pause::Ended(state.registers[r]),
            }
        }
        Pause::OutOfSteps
    }

    fn take(&mut self, state: &mut State, arm: usize) {
        match state.picking.take() {
            Some(r) => {
                Rc::make_mut(&mut state.registers)[r] = Linear([0; 3], arm as i32);
                state.picks += 1;
            }
            None => state.at = state.targets[arm],
        }
    }

    fn blocked(&mut self, state: &State, _: &Linear) -> Option<Arm<Within>> {
        let form = state.registers[state.blocked?];
        Some(Arm { constraint: Within { form, low: 0, high: 0 }, site: Site(state.at as u32), index: 0 })
    }

    fn fix(&mut self, state: &mut State, fixed: &[Within]) {
        state.blocked = None;
        for Within { form, low, .. } in fixed {
            let Some(input) = (0..3).find(|input| form.0[*input] == 1) else { continue };
            for register in Rc::make_mut(&mut state.registers) {
                register.1 += register.0[input] * (low - form.1);
                register.0[input] = 0;
            }
        }
    }

    fn steps(&self, state: &State) -> u64 {
        state.steps
    }
}

fn offer(arms: &mut Vec<Arm<Within>>, site: Site, form: Linear, ranges: &[(i32, i32)]) {
    for (index, &(low, high)) in ranges.iter().enumerate() {
        arms.push(Arm { constraint: Within { form, low, high }, site, index: index as u32 });
    }
}

/// Tries every input between `-reach` and `reach`; answers `Unknown` about constraints in `dark`.
pub(crate) struct BruteForce {
    pub reach: i32,
    pub dark: Option<Within>,
}

impl BruteForce {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        let r = -self.reach..=self.reach;
        r.clone().flat_map(move |x| {
            let (ys, zs) = (r.clone(), r.clone());
            ys.flat_map(move |y| zs.clone().map(move |z| [x, y, z]))
        })
    }
}

impl Oracle<Within> for BruteForce {
    type Model = [i32; 3];

    fn start(&mut self) -> [i32; 3] {
        [0; 3]
    }

    fn holds(&mut self, constraint: Within, model: &[i32; 3]) -> bool {
        constraint.holds(*model)
    }

    fn ask(&mut self, path: &Path<Within>, parent: &[i32; 3], arm: Within) -> Feasibility<[i32; 3]> {
        let path = path.constraints();
        assert!(path.iter().all(|c| c.holds(*parent)), "the model of a path satisfies it");
        if self.dark == Some(arm) {
            return Feasibility::Unknown;
        }
        let found = self.inputs().find(|&i| arm.holds(i) && path.iter().all(|c| c.holds(i)));
        found.map_or(Feasibility::Infeasible, Feasibility::Feasible)
    }

    /// All three inputs are there from the beginning.
    fn scatter(&mut self, model: &mut [i32; 3], _: &Path<Within>, from: usize, number: u32) -> usize {
        let mut random = Random::new(number.into());
        let width = 2 * self.reach as usize + 1;
        model[from.min(3)..].iter_mut().for_each(|x| *x = random.below(width) as i32 - self.reach);
        3
    }

    fn fix(&mut self, constraints: &[Within], model: &[i32; 3]) -> Option<Vec<Within>> {
        let depends = |input: &usize| constraints.iter().any(|c| c.form.0[*input] != 0);
        let fixed = (0..3).filter(depends).map(|input| {
            let mut form = Linear([0; 3], 0);
            form.0[input] = 1;
            Within { form, low: model[input], high: model[input] }
        });
        Some(fixed.collect())
    }
}

/// The run of one input: the arms that it takes, and its result; `None` when it takes more than `steps`.
pub(crate) fn concrete(toy: &mut Toy, inputs: [i32; 3], steps: u64) -> Option<(Vec<(u32, u32)>, i32)> {
    picking(toy, inputs, &[], steps)
}

/// The same for inputs with free choices; `None` also when there are too few of them.
pub(crate) fn picking(
    toy: &mut Toy,
    inputs: [i32; 3],
    picks: &[u32],
    steps: u64,
) -> Option<(Vec<(u32, u32)>, i32)> {
    let mut state = start();
    let mut trail = Vec::new();
    let mut arms = Vec::new();
    loop {
        arms.clear();
        let left = steps - state.steps;
        match toy.run(&mut state, left, &mut arms) {
            Pause::Ended(form) => return Some((trail, form.of(inputs))),
            Pause::OutOfSteps | Pause::Met => return None,
            Pause::Choice => {
                let at = *picks.get(state.picks)? as usize;
                trail.push((arms[at].site.0, arms[at].index));
                toy.take(&mut state, at);
            }
            Pause::Branch => {
                let at = arms.iter().position(|arm| arm.constraint.holds(inputs)).expect("arms cover all");
                trail.push((arms[at].site.0, arms[at].index));
                toy.take(&mut state, at);
            }
        }
    }
}

/// Programs without backward jumps, so that they end.
pub(crate) fn random_program(random: &mut Random, length: usize) -> Vec<Code> {
    let mut code = Vec::new();
    for at in 0..length {
        let mut later = || at + 1 + random.below((length - at).min(3));
        let targets = [later(), later(), later(), later(), later()];
        let (r, s) = (random.below(4), random.below(3));
        code.push(match random.below(10) {
            0 | 1 => Code::Add(r, random.below(7) as i32 - 3),
            2 => Code::Plus(r, s),
            3 => Code::Switch(r, targets),
            4 => Code::Jump(targets[0]),
            _ => Code::Negative(r, targets[0], targets[1]),
        });
    }
    code.push(Code::Return(random.below(4)));
    code
}
