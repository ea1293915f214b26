//! Small inputs for a path: each input as near to its default (zero; a letter, for a string) as the others
//! allow, one after the other.
//!
//! Inputs are taken in the order in which the path met them, those of one condition by name. Each is asked to
//! be its default, then within 2, 6 and so on up to 30, then within ever larger squares, and then the last
//! gap is halved: small values, which are the usual ones, take few questions. What was found is kept on the
//! path for the next ones. So the result is lexicographically smallest by distance, unless the questions run
//! out, or a distance is beyond 32 bits: of such a number only the first digits are searched for. The last of
//! sixty questions about milliseconds since 1970 make no number easier to read, and each can take a solver as
//! long as an arm of the program.

use evergreen_explore::{Feasibility, Oracle, Path};
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, Rel};
use std::cell::RefCell;
use std::rc::Rc;

/// Brings the inputs of a path near to their defaults; `model` is a model of it. At most `questions` are
/// asked.
pub fn shrink(
    oracle: &mut impl Oracle<Cond, Model = Assignment>,
    exprs: &Rc<RefCell<Exprs>>,
    path: &Path<Cond>,
    model: &Assignment,
    questions: usize,
) -> Assignment {
    let mut shrinking = Shrinking { path: path.clone(), model: model.clone(), questions };
    let inputs: Vec<Expr> = {
        let exprs = exprs.borrow();
        let mut seen: Vec<Input> = Vec::new();
        let conditions = path.constraints();
        // Small bits are no easier to read: they are tiny numbers.
        let hard = conditions.iter().filter(|condition| exprs.is_hard(**condition));
        let floats: Vec<Input> = hard.flat_map(|condition| exprs.float_bits_of(*condition)).collect();
        for condition in conditions {
            let mut own = exprs.inputs_of(condition).to_vec();
            own.retain(|input| !floats.contains(input));
            own.retain(|input| !seen.contains(input));
            exprs.sort_by_name(&mut own);
            seen.extend(own);
        }
        seen.iter().map(|&input| exprs.expr_of(input)).collect()
    };
    for input in inputs {
        shrinking.input(oracle, exprs, input);
    }
    shrinking.model
}

/// Distances up to this one are doubled.
const SMALL: u64 = 16;

/// Distances up to this one are found exactly.
const DIGITS: u64 = u32::MAX as u64;

/// Whether there is a value within a distance.
enum Said {
    /// One at this distance.
    Within(u64),
    Beyond,
    Unknown,
}

/// The smallest distance that is feasible, as far as it is known; `now` is.
fn search(now: u64, mut ask: impl FnMut(u64) -> Said) -> u64 {
    // The smallest distance that may be feasible, and one that is.
    let (mut low, mut high) = (0u64, now);
    let is_close = |low: u64, high: u64| low > DIGITS && high - low <= high >> 10;
    while low < high && !is_close(low, high) {
        let middle = middle(low, high, high == now);
        match ask(middle) {
            Said::Within(distance) => high = distance,
            Said::Beyond => low = middle + 1,
            Said::Unknown => break,
        }
    }
    high
}

/// The next distance to ask for: doubled as long as it is small, then squared, until something fits. Of what
/// is between two of these the exponent is halved first, then the gap.
fn middle(low: u64, high: u64, has_none: bool) -> u64 {
    let root = |of: u64| (of as f64).sqrt() as u64;
    let next = match has_none {
        true if low < SMALL => 2 * low,
        true => low.saturating_mul(low),
        false if low >= SMALL && high / low > 2 => root(low).saturating_mul(root(high)),
        false => low + (high - low) / 2,
    };
    next.clamp(low, high - 1)
}

struct Shrinking {
    path: Path<Cond>,
    model: Assignment,
    questions: usize,
}

impl Shrinking {
    fn input(
        &mut self,
        oracle: &mut impl Oracle<Cond, Model = Assignment>,
        exprs: &Rc<RefCell<Exprs>>,
        input: Expr,
    ) {
        let Some(now) = distance(exprs, input, &self.model) else { return };
        let high = search(now, |middle| {
            let near = within(exprs, input, middle);
            match self.ask(oracle, near) {
                Feasibility::Feasible(model) => {
                    self.model = model;
                    Said::Within(distance(exprs, input, &self.model).unwrap_or(middle).min(middle))
                }
                Feasibility::Infeasible => Said::Beyond,
                Feasibility::Unknown => Said::Unknown,
            }
        });
        // Of two that are equally near the greater one.
        if high != 0 && sign(exprs, input, &self.model) < 0 {
            let home = home_of(exprs, input);
            let (near, positive) =
                (within(exprs, input, high), exprs.borrow_mut().relate(Rel::Ge, input, home));
            let both = exprs.borrow_mut().and(near, positive);
            if let Feasibility::Feasible(model) = self.ask(oracle, both) {
                self.model = model;
            }
        }
        let exprs = &mut *exprs.borrow_mut();
        let value = exprs.eval(input, &self.model);
        let value = exprs.constant(value);
        let fixed = exprs.relate(Rel::Eq, input, value);
        if fixed != Cond::TRUE {
            self.path = self.path.with(fixed);
        }
    }

    fn ask(
        &mut self,
        oracle: &mut impl Oracle<Cond, Model = Assignment>,
        extra: Cond,
    ) -> Feasibility<Assignment> {
        if extra == Cond::FALSE {
            return Feasibility::Infeasible;
        }
        if oracle.holds(extra, &self.model) {
            return Feasibility::Feasible(self.model.clone());
        }
        if self.questions == 0 {
            return Feasibility::Unknown;
        }
        self.questions -= 1;
        let said = oracle.ask(&self.path, &self.model, extra);
        if matches!(said, Feasibility::Unknown) {
            // Most likely a solver reached its timeout, and would do so again and again.
            self.questions = 0;
        }
        said
    }
}

fn whole(exprs: &Rc<RefCell<Exprs>>, input: Expr, model: &Assignment) -> Option<i64> {
    match exprs.borrow().eval(input, model) {
        Const::I32(n) => Some(n.into()),
        Const::I64(n) => Some(n),
        // Small floating-point numbers are no easier to read.
        Const::F32(_) | Const::F64(_) => None,
    }
}

fn distance(exprs: &Rc<RefCell<Exprs>>, input: Expr, model: &Assignment) -> Option<u64> {
    whole(exprs, input, model).map(|n| n.abs_diff(home(exprs, input)))
}

fn sign(exprs: &Rc<RefCell<Exprs>>, input: Expr, model: &Assignment) -> i64 {
    let home = home(exprs, input);
    whole(exprs, input, model).map_or(0, |n| i64::from(n > home) - i64::from(n < home))
}

fn home_of(exprs: &Rc<RefCell<Exprs>>, input: Expr) -> Expr {
    let home = home(exprs, input);
    number(&mut exprs.borrow_mut(), input, home)
}

/// The default value of an input.
fn home(exprs: &Rc<RefCell<Exprs>>, input: Expr) -> i64 {
    let exprs = exprs.borrow();
    exprs.as_input(input).map_or(0, |input| exprs.input_of(input).default())
}

fn number(exprs: &mut Exprs, like: Expr, n: i64) -> Expr {
    let value = match exprs.kind(like) {
        evergreen_symbolic::Kind::I32 => Const::I32(n.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        _ => Const::I64(n),
    };
    exprs.constant(value)
}

/// Whether an input is at most `n` away from its default.
fn within(exprs: &Rc<RefCell<Exprs>>, input: Expr, n: u64) -> Cond {
    let home = home(exprs, input);
    let exprs = &mut *exprs.borrow_mut();
    let (low, high) = (home.saturating_sub_unsigned(n), home.saturating_add_unsigned(n));
    let (low, high) = (number(exprs, input, low), number(exprs, input, high));
    let (above, below) = (exprs.relate(Rel::Ge, input, low), exprs.relate(Rel::Le, input, high));
    exprs.and(above, below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance that is found where `least` is the smallest, and the questions for it.
    fn found(least: u64, now: u64) -> (u64, u32) {
        let mut questions = 0;
        let high = search(now, |middle| {
            questions += 1;
            if middle < least { Said::Beyond } else { Said::Within(middle) }
        });
        (high, questions)
    }

    #[test]
    fn distances_within_32_bits_are_exact() {
        for least in (0..70).chain([100, 961, 962, 4096, 100_001, 925_444, 1 << 31, u64::from(u32::MAX)]) {
            for now in [least, least + 1, 2 * least, 1 << 33, u64::MAX] {
                assert_eq!(found(least, now).0, least, "from {now}");
            }
        }
    }

    /// Both a number of 31 bits and one of 60 took more than sixty questions by doubling and halving.
    #[test]
    fn large_distances_take_few_questions() {
        assert!(found(7, u64::MAX).1 <= 8, "{:?}", found(7, u64::MAX));
        assert!(found(2_147_483_583, u64::MAX).1 <= 45, "{:?}", found(2_147_483_583, u64::MAX));
        for least in [1 << 40, 62_135_596_800_000, 1 << 60, u64::MAX - 5] {
            let (high, questions) = found(least, u64::MAX);
            assert!(high >= least && high - least <= high >> 10, "{least} {high}");
            assert!(questions <= 28, "{least} took {questions}");
        }
    }
}
