//! Quantitative information flow: how many bits of the secret inputs an observer of the program's end learns.
//!
//! A deterministic program partitions the secrets by how it ends. The observer learns on average the Shannon
//! entropy of that partition, and no guess gets better by more than the logarithm of the number of its
//! classes, whatever the secrets' distribution [Smith FoSSaCS'09]. The observer sees the value returned, the
//! class of the exception, the exit status, and what was printed on standard output. The observer knows the
//! public inputs: each of their values has a leak of its own, reported on average and for the worst of them.
//!
//! Outcomes that cannot be distinguished exactly give bounds: no less than what coarser classes leak, no more
//! than finer ones would.

use super::distribution::Class;
use super::mass::Mass;
use super::part::{each_value, size};
use super::printed;
use super::shown::{ShowInteger, Shown, text as integer_text};
use super::tree::Masses;
use evergreen_count::Ratio;
use evergreen_explore::Path;
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, Kind, Rel};
use num_bigint::BigUint;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Values of public inputs that are looked at one by one.
const PUBLIC_VALUES: u32 = 1024;
/// Public values times paths.
const LOOKS: usize = 50_000;
/// Values of one path that are distinguished.
const VALUES: i64 = 4096;

/// The end of a path; the observer sees nothing where an assumption of the driver did not hold.
pub(crate) struct Ended {
    pub(crate) path: Path<Cond>,
    pub(crate) shown: Option<Shown>,
}

/// A number of bits: between bounds that are equal where it is exact (up to rounding).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bits {
    /// Not fewer.
    pub least: f64,
    /// Not more.
    pub most: f64,
}

impl Bits {
    /// Whether both bounds are the same.
    pub fn is_exact(&self) -> bool {
        self.least == self.most
    }
}

/// How public inputs were treated.
#[derive(Clone, PartialEq, Debug)]
pub enum Publics {
    /// No outcome depends on one.
    None,
    /// Each of their values was looked at.
    Each {
        /// Their names.
        names: Vec<String>,
        /// How many values they have together.
        values: u64,
        /// The values for which most is learnt.
        worst: Vec<i64>,
    },
    /// There are too many values: bounds.
    Free {
        /// Their names.
        names: Vec<String>,
    },
}

/// What is learnt about the secrets.
#[derive(Clone, PartialEq, Debug)]
pub struct Leak {
    /// The secret inputs that outcomes depend on.
    pub secrets: Vec<String>,
    /// How many bits all secrets have together.
    pub secret_bits: f64,
    /// What is learnt on average: Shannon entropy of the outcomes, given the public inputs.
    pub shannon: Bits,
    /// The same for the worst value of the public inputs.
    pub worst: Bits,
    /// The most that a guess can get better by, for the worst value of the public inputs: logarithm of the
    /// number of outcomes.
    pub capacity: Bits,
    /// The outcomes and their probabilities, for the worst value of the public inputs; those that have a
    /// name.
    pub partition: Vec<(String, Ratio)>,
    /// Further outcomes without a name, each as likely as the others of its kind: how many, and their
    /// probability together.
    pub alike: Vec<(Ratio, Ratio)>,
    /// The public inputs.
    pub publics: Publics,
    /// Why the numbers are bounds, if they are.
    pub why: Option<String>,
}

/// What is seen for one value of the public inputs.
#[derive(Default)]
struct Seen {
    /// Outcomes: whether it is a value that is returned, its text, how likely.
    classes: BTreeMap<(bool, String), Ratio>,
    /// Values that are one-to-one with an input: the expression and its interval; how many values and their
    /// probability, by region.
    alike: Vec<(Expr, (i64, i64), Ratio, Ratio)>,
    /// Outcomes that could not be distinguished: probability, and the logarithm of the number of values that
    /// they may have.
    vague: Vec<(Ratio, f64)>,
    /// Whether a vague outcome may equal that of another path that returns nothing.
    is_mixed: bool,
    /// What has an outcome.
    covered: Ratio0,
    /// What is no input of the program.
    refused: Ratio0,
    /// Whether values are characters: their texts are not their numbers.
    is_text: bool,
    /// Whether there is only one secret input: then one expression never has one value on two paths.
    is_single: bool,
    why: Option<String>,
}

type Ratio0 = Option<Ratio>;

fn grow(sum: &mut Ratio0, by: &Ratio) {
    *sum = Some(sum.as_ref().map_or_else(|| by.clone(), |sum| sum.plus(by)));
}

fn is_secret(name: &str, secrets: &[String]) -> bool {
    let base = name.split(['.', '[', '!', '#']).next().unwrap_or(name);
    secrets.iter().any(|secret| secret == base || secret == name)
}

/// What paths leak about secrets; `base` is what is assumed of the inputs, `is_partial` whether there are
/// other paths.
pub(crate) fn leak(
    exprs: &RefCell<Exprs>,
    masses: &mut Masses,
    ended: &[Ended],
    base: &[Cond],
    secrets: &[String],
    is_partial: bool,
) -> Leak {
    let (hidden, open) = inputs(&exprs.borrow(), masses, ended, secrets, is_partial);
    let name = |input: &Input| exprs.borrow().input_of(*input).name.clone();
    let open_names: Vec<String> = open.iter().map(name).collect();
    let secret_bits = bits_of(&size(&exprs.borrow(), &hidden));
    let all = size(&exprs.borrow(), &open);
    let few = all <= BigUint::from(PUBLIC_VALUES) && all <= BigUint::from(LOOKS / ended.len().max(1));
    let mut values: Vec<Vec<i64>> = Vec::new();
    if few {
        let exprs = exprs.borrow();
        each_value(&exprs, &open, &mut |at: &Assignment| {
            values.push(open.iter().map(|&input| at.integer(&exprs, input)).collect());
        });
    } else {
        values.push(Vec::new());
    }
    let mut leak = Leak {
        secrets: hidden.iter().map(name).collect(),
        secret_bits,
        shannon: Bits::default(),
        worst: Bits { least: -1.0, most: -1.0 },
        capacity: Bits::default(),
        partition: Vec::new(),
        alike: Vec::new(),
        publics: Publics::None,
        why: None,
    };
    let mut worst = Vec::new();
    for at in &values {
        let fixed = fix(exprs, &open, at);
        let of: Vec<Cond> = base.iter().chain(&fixed).copied().collect();
        let share = masses.of(&exprs.borrow(), &of);
        if share.is_zero() {
            continue;
        }
        let seen = observe(exprs, masses, ended, &fixed, &share, hidden.len() == 1);
        if leak.include(&share, seen) {
            worst.clone_from(at);
        }
    }
    if leak.why.is_none() && !(leak.shannon.is_exact() && leak.capacity.is_exact()) {
        leak.why = Some("not all paths were explored".into());
    }
    leak.worst.least = leak.worst.least.max(0.0);
    leak.worst.most = leak.worst.most.max(0.0);
    leak.partition.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    leak.publics = match (open.is_empty(), few) {
        (true, _) => Publics::None,
        (false, true) => Publics::Each { names: open_names, values: values.len() as u64, worst },
        (false, false) => {
            // An observer who does not know the public inputs sees more in the outcomes than they leak about
            // the secrets.
            (leak.shannon.least, leak.worst.least, leak.capacity.least) = (0.0, 0.0, 0.0);
            leak.worst.most = secret_bits.min(leak.capacity.most);
            leak.why = Some("public inputs have too many values to look at each".into());
            Publics::Free { names: open_names }
        }
    };
    leak
}

impl Leak {
    /// Takes one value of the public inputs into account, whose probability is `share`; whether it is the
    /// worst so far.
    fn include(&mut self, share: &Mass, seen: Seen) -> bool {
        let (shannon, capacity) = seen.bits(self.secret_bits);
        let weight = share.most.to_f64();
        self.shannon.least += weight * shannon.least;
        self.shannon.most += weight * shannon.most;
        self.capacity.least = self.capacity.least.max(capacity.least);
        self.capacity.most = self.capacity.most.max(capacity.most);
        let is_worst = shannon.most > self.worst.most;
        if is_worst {
            self.worst = shannon;
            // Given that the driver's assumptions hold, as everything here.
            let whole = seen.whole();
            let share = |mass: Ratio| mass.over(&whole).unwrap_or_else(Ratio::zero);
            self.partition = seen.classes.into_iter().map(|((_, text), mass)| (text, share(mass))).collect();
            self.alike = seen.alike.into_iter().map(|(_, _, values, mass)| (values, share(mass))).collect();
        }
        if self.why.is_none() {
            self.why = seen.why;
        }
        is_worst
    }
}

/// The secret and the public inputs that outcomes depend on: all secret ones if some paths were not explored,
/// or show an object of unknown content; also those in the profile's regions, since regions may tie inputs
/// together.
fn inputs(
    exprs: &Exprs,
    masses: &Masses,
    ended: &[Ended],
    secrets: &[String],
    is_partial: bool,
) -> (Vec<Input>, Vec<Input>) {
    let mut all: Vec<Input> = masses.regions().flat_map(|region| exprs.inputs_of(region)).copied().collect();
    for end in ended {
        all.extend(end.path.constraints().iter().flat_map(|&c| exprs.inputs_of(c)));
        if let Some(shown) = &end.shown {
            let seen = shown.value.iter().map(|(expr, _)| *expr).chain(shown.varying());
            all.extend(seen.flat_map(|expr| exprs.inputs_of_expr(expr)));
        }
        all.sort_unstable();
        all.dedup();
    }
    let is_unknown = |end: &Ended| end.shown.as_ref().is_some_and(Shown::is_unknown);
    if is_partial || ended.iter().any(is_unknown) {
        let secret = exprs.inputs().filter(|(_, info)| is_secret(&info.name, secrets));
        all.extend(secret.map(|(input, _)| input));
        all.sort_unstable();
        all.dedup();
    }
    all.into_iter().partition(|&input| is_secret(&exprs.input_of(input).name, secrets))
}

fn bits_of(n: &BigUint) -> f64 {
    Ratio::new(n.clone(), 1u32.into()).map_or(0.0, |n| n.log2())
}

pub(crate) fn equal(exprs: &mut Exprs, expr: Expr, value: i64) -> Cond {
    let constant = match exprs.kind(expr) {
        Kind::I64 => Const::I64(value),
        _ => Const::I32(value as i32),
    };
    let constant = exprs.constant(constant);
    exprs.relate(Rel::Eq, expr, constant)
}

/// Conditions that inputs have these values.
fn fix(exprs: &RefCell<Exprs>, inputs: &[Input], values: &[i64]) -> Vec<Cond> {
    let mut exprs = exprs.borrow_mut();
    let each = inputs.iter().zip(values);
    each.map(|(&input, &value)| {
        let expr = exprs.expr_of(input);
        equal(&mut exprs, expr, value)
    })
    .collect()
}

/// What is seen where the public inputs are fixed; `share` is the probability of that.
fn observe(
    exprs: &RefCell<Exprs>,
    masses: &mut Masses,
    ended: &[Ended],
    fixed: &[Cond],
    share: &Mass,
    is_single: bool,
) -> Seen {
    let mut seen = Seen { is_single, ..Seen::default() };
    for end in ended {
        let conditions: Vec<Cond> = end.path.constraints().into_iter().chain(fixed.iter().copied()).collect();
        let mass = masses.of(&exprs.borrow(), &conditions).given(share);
        if mass.is_zero() {
            continue;
        }
        let Some(exact) = mass.as_exact() else {
            seen.why = Some("some paths can only be bounded".into());
            continue;
        };
        let Some(shown) = &end.shown else {
            grow(&mut seen.refused, exact);
            continue;
        };
        grow(&mut seen.covered, exact);
        let returns = matches!(shown.class, Class::Returned(_) | Class::Varying);
        let Some(output) = &shown.output() else {
            match printed::outcomes(exprs, masses, &conditions, share, shown, VALUES) {
                Some(all) => all.into_iter().for_each(|(text, mass)| seen.add(returns, text, &mass)),
                None => {
                    seen.is_mixed |= !returns;
                    seen.vague(exact, f64::INFINITY, "what is printed depends on the inputs");
                }
            }
            continue;
        };
        match (&shown.class, &shown.value) {
            (Class::Varying, None) => {
                seen.vague(
                    exact,
                    f64::INFINITY,
                    "what is returned is an object that may depend on the inputs",
                );
            }
            (Class::Varying, Some((expr, of))) => {
                value(exprs, masses, &mut seen, &conditions, share, (*expr, *of), exact, output);
            }
            (class, _) => seen.add(returns, printed::seen(class, output), exact),
        }
    }
    if seen.shared() > 1 {
        seen.why.get_or_insert_with(|| "paths may return the same values".into());
    }
    seen
}

/// A value that depends on the inputs: distinguished, counted, or vague.
#[expect(clippy::too_many_arguments, reason = "one path among what is seen")]
fn value(
    exprs: &RefCell<Exprs>,
    masses: &mut Masses,
    seen: &mut Seen,
    conditions: &[Cond],
    share: &Mass,
    (expr, of): (Expr, ShowInteger),
    exact: &Ratio,
    output: &str,
) {
    let (kind, (lo, hi)) = {
        let exprs = exprs.borrow();
        (exprs.kind(expr), exprs.interval(expr))
    };
    if kind.is_int() && hi.checked_sub(lo).is_some_and(|width| width < VALUES) {
        let mut parts = Vec::new();
        for value in lo..=hi {
            let condition = equal(&mut exprs.borrow_mut(), expr, value);
            let with: Vec<Cond> = conditions.iter().copied().chain([condition]).collect();
            parts.push((value, masses.of(&exprs.borrow(), &with).given(share)));
        }
        if parts.iter().all(|(_, mass)| mass.is_exact()) {
            for (value, mass) in parts.iter().filter(|(_, mass)| !mass.is_zero()) {
                let class = Class::Returned(integer_text(*value, of));
                seen.add(true, printed::seen(&class, output), &mass.least);
            }
            return;
        }
    }
    let single = exprs.borrow().one_to_one(expr).filter(|_| output.is_empty());
    let alone = single.and_then(|input| masses.alone(&exprs.borrow(), conditions, input));
    match (alone, share.as_exact()) {
        (Some(regions), Some(share)) => {
            seen.is_text |= of.is_character;
            for (mass, values) in regions {
                if let Some(mass) = mass.over(share) {
                    seen.alike.push((expr, (lo, hi), values, mass));
                }
            }
        }
        _ => {
            let width = (i128::from(hi) - i128::from(lo) + 1) as f64;
            let most = if kind.is_int() { width.log2() } else { f64::from(kind.bits()) };
            seen.vague(exact, most, "some values that are returned could not be counted");
        }
    }
}

fn surprise(p: f64) -> f64 {
    if p <= 0.0 { 0.0 } else { -p * p.log2() }
}

impl Seen {
    fn add(&mut self, is_value: bool, text: String, mass: &Ratio) {
        let entry = self.classes.entry((is_value, text)).or_insert_with(Ratio::zero);
        *entry = entry.plus(mass);
    }

    fn vague(&mut self, mass: &Ratio, most: f64, why: &str) {
        self.vague.push((mass.clone(), most));
        self.why = Some(why.into());
    }

    /// How many groups of values may have values in common: 1 if none.
    fn shared(&self) -> usize {
        let number = |text: &str| text.strip_prefix("returns ").and_then(|n| n.parse::<i64>().ok());
        let inside = |text: &str, (lo, hi): (i64, i64)| {
            self.is_text || number(text).is_none_or(|n| (lo..=hi).contains(&n))
        };
        let returned = self.classes.keys().filter(|(is_value, _)| *is_value);
        let constants = returned.filter(|(_, text)| self.alike.iter().any(|a| inside(text, a.1))).count();
        let same = self.alike.iter().all(|a| Some(a.0) == self.alike.first().map(|first| first.0));
        let groups = if same && self.is_single { self.alike.len().min(1) } else { self.alike.len() };
        groups + usize::from(constants > 0 && !self.alike.is_empty())
    }

    /// What the driver's assumptions leave of the inputs.
    fn whole(&self) -> Ratio {
        self.refused.as_ref().map_or_else(Ratio::one, |refused| Ratio::one().minus(refused))
    }

    /// Shannon entropy, and the logarithm of the number of outcomes.
    fn bits(&self, secret_bits: f64) -> (Bits, Bits) {
        let whole = self.whole();
        let share = |mass: &Ratio| mass.over(&whole).map_or(0.0, |share| share.to_f64());
        let mut entropy: f64 = self.classes.values().map(|mass| surprise(share(mass))).sum();
        let mut outcomes = self.classes.len() as f64;
        for (_, _, values, mass) in &self.alike {
            let m = share(mass);
            entropy += surprise(m) + m * values.log2();
            outcomes += values.to_f64();
        }
        let (mut least, mut most) = (entropy, entropy);
        let mut few = outcomes;
        let groups = self.shared();
        if groups > 1 {
            least = (entropy - (groups as f64).log2()).max(0.0);
            few = outcomes / groups as f64;
        }
        if !self.vague.is_empty() {
            // Vague values may be those of any other path; or all different.
            let returned = self.classes.iter().filter(|((is_value, _), _)| *is_value).map(|(_, m)| share(m));
            let merged: f64 = returned.sum::<f64>()
                + self.alike.iter().map(|a| share(&a.3)).sum::<f64>()
                + self.vague.iter().map(|v| share(&v.0)).sum::<f64>();
            let others = self.classes.iter().filter(|((is_value, _), _)| !is_value);
            let (count, rest) = others.fold((0, 0.0), |(n, sum), (_, m)| (n + 1, sum + surprise(share(m))));
            (least, few) =
                if self.is_mixed { (0.0, 1.0) } else { (rest + surprise(merged), f64::from(count + 1)) };
            for (mass, log) in &self.vague {
                let m = share(mass);
                most += surprise(m) + m * log;
                outcomes += log.exp2();
            }
        }
        let covered = self.covered.as_ref().map_or(0.0, share);
        let left = self.covered.as_ref().map_or_else(|| whole.clone(), |covered| whole.minus(covered));
        if !left.is_zero() {
            let open = share(&left);
            // What was not explored may end in any way.
            let within = if covered > 0.0 { (least - surprise(covered)).max(0.0) } else { 0.0 };
            least = within.min(least);
            most += surprise(open) + open * secret_bits;
            outcomes = f64::INFINITY;
        }
        let most = most.min(secret_bits).max(least.min(secret_bits));
        let least = least.min(most);
        let capacity = Bits { least: few.max(1.0).log2(), most: outcomes.max(1.0).log2().min(secret_bits) };
        let capacity = Bits { least: capacity.least.min(capacity.most), most: capacity.most };
        (Bits { least, most }, capacity)
    }
}
