//! Old tests as seeds of an exploration [Makhdoom ASE'14].
//!
//! A test fits a method if its arguments are those that the method takes. Its values go into a model as the machine meets the inputs
//! (`values.rs`); at a free choice it takes what its objects have there. At the end of a path the whole input is compared once
//! more (`compare.rs`): a kept test takes its path, or it is not kept.

mod compare;
mod ends;
mod entry;
mod values;

use super::decisions::{Decision, Decisions};
use super::inputs::boxed;
use super::program::MethodRef;
use compare::{Said, compare};
use evergreen_classfile::{MethodDescriptor, Type};
use evergreen_explore::{Arm, Old, Range, SeedGuide, Trail};
use evergreen_heap::FieldId;
use evergreen_jvm::{ClassId, InputObject, Jvm, Offered, State};
use evergreen_replay::{GraphBody, JavaValue, Receiver, TestCase};
use evergreen_symbolic::{Assignment, Cond, Const, Input};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use values::{At, TestInputs};

pub(super) use ends::{Ended, Followed, Seeding};

/// Tests of an older version, and how they are used.
#[derive(Clone, Default)]
pub struct OldTests {
    /// The tests; their numbers are their places here.
    pub tests: Vec<TestCase>,
    /// The decisions that each took when it was recorded; may be missing. Only [`Old::TrustInfeasible`] looks at them.
    pub paths: Vec<Vec<Decision>>,
    /// What is believed of the exploration that they are from.
    pub old: Old,
    /// The part of the paths that is explored; seeds that bound it are numbers of tests.
    pub range: Range,
}

/// Why a test is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Retirement {
    /// It does not fit the method or its inputs: why.
    Unfit(String),
    /// This test takes the same path, and comes first.
    SamePath(usize),
    /// A bound cut its path: its name.
    Cut(&'static str),
    /// Its path is outside the range that was explored.
    OutOfRange,
    /// Its path has no test: why.
    NoTest(String),
}

impl fmt::Display for Retirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Retirement::Unfit(why) | Retirement::NoTest(why) => write!(out, "{why}"),
            Retirement::SamePath(other) => write!(out, "takes the same path as test {}", other + 1),
            Retirement::Cut(bound) => write!(out, "cut by --{}", bound.replace('_', "-")),
            Retirement::OutOfRange => write!(out, "outside the range"),
        }
    }
}

/// Why the arguments of a test are not those of a method; nothing if they are.
pub fn misfit(method: &MethodRef, case: &TestCase) -> Option<String> {
    let types = |descriptor: &str| MethodDescriptor::parse(descriptor).map(|parsed| parsed.parameters);
    let (Ok(now), Ok(then)) = (types(&method.descriptor), types(&case.target.descriptor)) else {
        return Some("its method's signature cannot be read".into());
    };
    let java = |types: &[Type]| types.iter().map(Type::to_java).collect::<Vec<_>>().join(", ");
    if now != then {
        let change = match now.len().cmp(&then.len()) {
            std::cmp::Ordering::Greater => "a parameter was added",
            std::cmp::Ordering::Less => "a parameter was removed",
            std::cmp::Ordering::Equal => "a parameter has another type",
        };
        return Some(format!("{change}: {}({}) was ({})", method.name, java(&now), java(&then)));
    }
    let static_then = case.target.receiver == Receiver::Static;
    if method.is_static != static_then {
        let now = if method.is_static { "static" } else { "an instance method" };
        return Some(format!("{} is {now} now", method.name));
    }
    if case.arguments.len() != now.len() {
        return Some(format!(
            "it has {} arguments, {} takes {}",
            case.arguments.len(),
            method.name,
            now.len()
        ));
    }
    let mut both = method.parameters.iter().zip(&case.arguments);
    both.find(|((_, of), value)| !is_of(value, of))
        .map(|((name, of), _)| format!("what it has for {name} is no {}", of.to_java()))
}

/// Whether a value can be of a type.
fn is_of(value: &JavaValue, of: &Type) -> bool {
    match (value, of) {
        (JavaValue::Boolean(_), of) => *of == Type::Boolean,
        (JavaValue::Byte(_), of) => *of == Type::Byte,
        (JavaValue::Char(_), of) => *of == Type::Char,
        (JavaValue::Short(_), of) => *of == Type::Short,
        (JavaValue::Int(_), of) => *of == Type::Int,
        (JavaValue::Long(_), of) => *of == Type::Long,
        (JavaValue::Float(_), of) => *of == Type::Float,
        (JavaValue::Double(_), of) => *of == Type::Double,
        (JavaValue::Array { element, .. }, Type::Array(other)) => *element == **other,
        (JavaValue::Array { .. }, _) => false,
        (JavaValue::Boxed(inner), of) => boxed(of).is_none_or(|of| is_of(inner, &of)) && of.is_reference(),
        (_, of) => of.is_reference(),
    }
}

/// A test on its way.
struct OneSeed {
    case: TestCase,
    inputs: TestInputs,
    /// Its values for the inputs that were met so far; a place of the input has one value, whatever the path.
    model: Assignment,
    known: FxHashSet<Input>,
    /// Values for places of which the test says nothing and its path has read nothing.
    filled: HashMap<String, Const>,
    recorded: Vec<Decision>,
}

impl OneSeed {
    /// Learns the test's value for an input, unless it is known.
    fn learn(&mut self, jvm: &mut Jvm, state: &State, input: Input) -> Result<(), String> {
        if !self.known.insert(input) {
            return Ok(());
        }
        let (name, kind, range) = {
            let exprs = jvm.exprs.borrow();
            let info = exprs.input_of(input);
            (jvm.with_ways(state, info.asked_name()), info.kind, info.range)
        };
        let said = self.inputs.number(jvm, &name, kind)?;
        let Some(value) = said.or_else(|| self.filled.get(&name).copied()) else { return Ok(()) };
        let exprs = jvm.exprs.borrow();
        let mut model = self.model.clone();
        model.set(&exprs, input, value);
        if !exprs.in_range(&[input], &model) {
            let (low, high) = range.unwrap_or(kind.range());
            return Err(format!("its {name} is outside of {low}..{high}"));
        }
        self.model = model;
        Ok(())
    }
}

/// The tests of an exploration as seeds.
pub(super) struct SeedSet {
    seeds: Vec<Option<OneSeed>>,
    decisions: Decisions,
    method: MethodRef,
}

impl SeedSet {
    /// The tests that fit a method; with those that do not, why.
    pub(super) fn new(
        jvm: &Jvm,
        method: &MethodRef,
        decisions: Decisions,
        old: OldTests,
    ) -> (SeedSet, Vec<(usize, Retirement)>) {
        let mut retired = Vec::new();
        let mut paths = old.paths.into_iter();
        let mut seeds = Vec::with_capacity(old.tests.len());
        for (number, case) in old.tests.into_iter().enumerate() {
            let recorded = paths.next().unwrap_or_default();
            let why = misfit(method, &case).or_else(|| {
                let objects = jvm.options.lazy.is_none() && !case.objects.is_empty();
                objects.then(|| "it has objects, and objects are no inputs without --heap".to_string())
            });
            seeds.push(match why {
                Some(why) => {
                    retired.push((number, Retirement::Unfit(why)));
                    None
                }
                None => {
                    let inputs = TestInputs::new(&case, method.parameters.iter().map(|(name, _)| &**name));
                    let (model, known) = (Assignment::new(), FxHashSet::default());
                    Some(OneSeed { case, inputs, model, known, filled: HashMap::new(), recorded })
                }
            });
        }
        (SeedSet { seeds, decisions, method: method.clone() }, retired)
    }

    /// Numbers and models of the tests that fit; those for which a value is out of its range are retired.
    pub(super) fn models(
        &mut self,
        jvm: &mut Jvm,
        start: &State,
        conditions: &[Cond],
        retired: &mut Vec<(usize, Retirement)>,
    ) -> Vec<(usize, Assignment)> {
        let met = inputs_of(jvm, conditions.iter().copied());
        let mut models = Vec::new();
        for number in 0..self.seeds.len() {
            if self.seeds[number].is_some() {
                match self.learn(jvm, start, number, &met) {
                    Ok(model) => models.push((number, model)),
                    Err(why) => retired.push((number, Retirement::Unfit(why))),
                }
            }
        }
        models
    }

    /// Has a test's model learn its values for inputs that its path has met.
    fn learn(
        &mut self,
        jvm: &mut Jvm,
        state: &State,
        number: usize,
        inputs: &[Input],
    ) -> Result<Assignment, String> {
        let Some(Some(seed)) = self.seeds.get_mut(number) else { return Err("there is no such test".into()) };
        for &input in inputs {
            seed.learn(jvm, state, input)?;
        }
        Ok(seed.model.clone())
    }

    /// The same for inputs that its path may have met: others may have these names too, with other types and ranges.
    fn learn_likely(
        &mut self,
        jvm: &mut Jvm,
        state: &State,
        number: usize,
        inputs: &[Input],
    ) -> Result<Assignment, String> {
        let Some(Some(seed)) = self.seeds.get_mut(number) else { return Err("there is no such test".into()) };
        for &input in inputs {
            if seed.learn(jvm, state, input).is_err() {
                seed.known.remove(&input);
            }
        }
        Ok(seed.model.clone())
    }

    /// Has a test know the values that it had for what it met elsewhere.
    fn remember(&mut self, number: usize, model: &Assignment) {
        if let Some(Some(seed)) = self.seeds.get_mut(number) {
            seed.model = model.clone();
        }
    }

    /// Whether the input of a path that ended with a test is the test's; or why not.
    fn arrived(
        &self,
        number: usize,
        state: &State,
        inputs: &[(String, JavaValue)],
        objects: &[InputObject],
    ) -> Result<Said, String> {
        let Some(Some(seed)) = self.seeds.get(number) else { return Err("there is no such test".into()) };
        compare(&seed.case, state, inputs, objects)
    }

    /// The model of a test as far as it is known.
    pub(super) fn model(&self, number: usize) -> Option<Assignment> {
        self.seeds.get(number)?.as_ref().map(|seed| seed.model.clone())
    }

    /// Of tests on one path, puts those first whose path it was: what has come from elsewhere is not to displace them.
    pub(super) fn own_first(&mut self, jvm: &Jvm, trail: &Trail, numbers: &mut [usize]) {
        if numbers.len() < 2 {
            return;
        }
        let path = self.decisions.along(jvm, trail);
        let seeds = &self.seeds;
        let is_own = |number: usize| {
            seeds.get(number).and_then(Option::as_ref).is_some_and(|seed| seed.recorded == path)
        };
        numbers.sort_by_key(|&number| (!is_own(number), number));
    }

    /// A test.
    pub(super) fn case(&self, number: usize) -> Option<&TestCase> {
        self.seeds.get(number)?.as_ref().map(|seed| &seed.case)
    }

    /// Gives a test the values that another input of its path has, where it says nothing and the path has read nothing.
    fn fill(&mut self, jvm: &mut Jvm, number: usize, state: &State, model: &Assignment) {
        let inputs = self.all_inputs(jvm, state);
        let Some(Some(seed)) = self.seeds.get_mut(number) else { return };
        for input in inputs {
            let exprs = jvm.exprs.borrow();
            let name = jvm.with_ways(state, exprs.input_of(input).asked_name());
            seed.filled.insert(name, model.get(&exprs, input));
        }
    }

    /// What a test has met so far, to go back to.
    fn met(&self, number: usize) -> Option<(Assignment, FxHashSet<Input>)> {
        self.seeds.get(number)?.as_ref().map(|seed| (seed.model.clone(), seed.known.clone()))
    }

    /// Goes back.
    fn forget(&mut self, number: usize, met: Option<(Assignment, FxHashSet<Input>)>) {
        if let (Some(Some(seed)), Some((model, known))) = (self.seeds.get_mut(number), met) {
            (seed.model, seed.known) = (model, known);
        }
    }

    /// What decides along paths.
    pub(super) fn decisions(&mut self) -> &mut Decisions {
        &mut self.decisions
    }

    /// Every input that tells the input of a path that has ended.
    fn all_inputs(&self, jvm: &Jvm, state: &State) -> Vec<Input> {
        let exprs = jvm.exprs.borrow();
        let mut all = Vec::new();
        let mut add = |name: &str| all.extend_from_slice(exprs.named(name));
        let read = jvm.read_inputs(state);
        let drawn =
            (0..state.draws.len()).filter_map(|at| state.draws.get(at)).map(|draw| draw.name.to_string());
        let parameters = self.method.parameters.iter().map(|(name, _)| name.to_string());
        for name in parameters.chain(drawn).chain(read) {
            add(&name);
            ["length", "isNull", "ordinal"].iter().for_each(|part| add(&format!("{name}.{part}")));
            (0..jvm.options.input_length).for_each(|at| add(&format!("{name}[{at}]")));
        }
        all
    }
}

fn inputs_of(jvm: &Jvm, conditions: impl Iterator<Item = Cond>) -> Vec<Input> {
    let exprs = jvm.exprs.borrow();
    let mut all: Vec<Input> = conditions.flat_map(|condition| exprs.inputs_of(condition).to_vec()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The machine's side of seeds.
pub(super) struct TestGuide(pub(super) Rc<RefCell<SeedSet>>);

impl SeedGuide<Jvm, Assignment> for TestGuide {
    fn meet(
        &mut self,
        jvm: &mut Jvm,
        state: &State,
        arms: &[Arm<Cond>],
        seed: usize,
        model: &mut Assignment,
    ) -> Result<(), String> {
        let mut set = self.0.borrow_mut();
        *model = match arms {
            [] => {
                let all = set.all_inputs(jvm, state);
                set.learn_likely(jvm, state, seed, &all)?
            }
            arms => {
                let met = inputs_of(jvm, arms.iter().map(|arm| arm.constraint));
                set.learn(jvm, state, seed, &met)?
            }
        };
        Ok(())
    }

    fn choose(
        &mut self,
        jvm: &mut Jvm,
        state: &State,
        arms: &[Arm<Cond>],
        seed: usize,
    ) -> Result<usize, String> {
        let Some(offer) = jvm.offered(state) else { return Err("nobody knows what is chosen".into()) };
        let set = self.0.borrow();
        let Some(Some(seed)) = set.seeds.get(seed) else { return Err("there is no such test".into()) };
        let inputs = &seed.inputs;
        let wanted = match inputs.at(jvm, &offer.name) {
            At::Value(value) => match *value {
                JavaValue::Ref(object) => Some(object),
                JavaValue::Null => None,
                _ => return Err(format!("its {} is no object that can be chosen", offer.name)),
            },
            At::Unsaid => None,
            At::Number(_) | At::Nowhere => return Err(format!("it has no {}", offer.name)),
        };
        let there = state
            .lazy()
            .objects()
            .iter()
            .find(|lazy| wanted.is_some() && inputs.object(jvm, &lazy.name) == wanted);
        let there = there.map(|lazy| lazy.object);
        let class = wanted.and_then(|object| inputs.objects.get(object)).map(|object| &object.class);
        let way = offer.ways.iter().position(|way| match (way, wanted, there) {
            (Offered::Null, None, _) => true,
            (Offered::There(object), Some(_), Some(there)) => *object == there,
            (Offered::New(kind), Some(_), None) => {
                class.is_some_and(|class| *class == kind.replace('/', "."))
            }
            _ => false,
        });
        way.filter(|way| *way < arms.len())
            .ok_or_else(|| format!("no input of the scope has {} as it has it", offer.name))
    }

    fn followed(&mut self, jvm: &mut Jvm, seed: usize, trail: &Trail, arm: &Arm<Cond>) -> bool {
        let SeedSet { seeds, decisions, .. } = &mut *self.0.borrow_mut();
        let recorded = seeds.get(seed).and_then(Option::as_ref).map(|seed| &seed.recorded);
        recorded.is_some_and(|recorded| decisions.follows(jvm, recorded, trail, arm))
    }
}

impl TestGuide {
    /// The object that a test has at the end of a way, by its number.
    pub(super) fn object(&self, jvm: &mut Jvm, seed: usize, way: &str) -> Option<usize> {
        self.0.borrow().seeds.get(seed)?.as_ref()?.inputs.object(jvm, way)
    }

    /// The machine's class of an object of a test.
    pub(super) fn class(&self, jvm: &mut Jvm, seed: usize, object: usize) -> Option<ClassId> {
        let set = self.0.borrow();
        let object = set.seeds.get(seed)?.as_ref()?.case.objects.get(object)?;
        jvm.find_class(&object.class.replace('.', "/")).ok()
    }

    /// The object that a field of an object of a test holds, in the words of a guide; none if it is null, or nothing is said of it.
    pub(super) fn reference(
        &self,
        jvm: &mut Jvm,
        seed: usize,
        guide: usize,
        object: usize,
        class: evergreen_heap::ClassId,
        field: FieldId,
    ) -> Result<Option<usize>, String> {
        let none = || "its objects are not those of the invariant".to_string();
        let slot = jvm.guide(guide).slot(class, field).ok_or_else(none)?;
        let class = jvm.guide(guide).class(class);
        let info = jvm.class(class).instance_fields.get(slot).ok_or_else(none)?.clone();
        let owner = jvm.class(info.owner).java_name();
        let set = self.0.borrow();
        let seed = set.seeds.get(seed).and_then(Option::as_ref).ok_or_else(none)?;
        let GraphBody::Fields(fields) = &seed.case.objects.get(object).ok_or_else(none)?.body else {
            return Err(none());
        };
        match fields
            .iter()
            .find(|held| *held.name == *info.name && held.owner == owner)
            .map(|held| &held.value)
        {
            Some(JavaValue::Ref(to)) => Ok(Some(*to)),
            Some(JavaValue::Null) => Ok(None),
            Some(_) => Err(none()),
            None => {
                seed.inputs.left_open.set(true);
                Ok(None)
            }
        }
    }

    /// Whether a test leaves something open that somebody wanted to know since this was asked last.
    fn leaves_open(&self, seed: usize) -> bool {
        let set = self.0.borrow();
        set.seeds.get(seed).and_then(Option::as_ref).is_some_and(|seed| seed.inputs.left_open.take())
    }
}
