//! Runs C programs for the service: how they begin, how their paths are described, what their tests are.

use crate::assume;
use crate::case::{Case, Ending, Target};
use crate::counts::Counts;
use crate::coverage::Sources;
use crate::drawn;
use crate::inputs::{self, Inputs};
use crate::language::{C, CPath, Function};
use crate::program::CProgram;
use evergreen_deciding::Maker;
use evergreen_deciding::probability::{Class, Printed, ShowInteger, Shown};
use evergreen_explore::{End, Site, Trail};
use evergreen_service::{
    Begun, Compares, Described, Detail, Ends, EntryKey, Exploration, FoundOf, Frontend, How, NameDecision,
    PathEnd, ProgramError, Severity, SiteName, Sorted, Stop, Subject, Whole,
};
use evergreen_suite::Decision;
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, InputKind, Ints};
use evergreen_wasm::{Ended, Options, OutByte, Outcome, Slot, State, WasmMachine};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Runs C programs.
pub struct CFrontend {
    program: Rc<CProgram>,
    /// The machine.
    pub machine: WasmMachine,
    sources: Arc<Sources>,
    /// Names of inputs that the user has set something for.
    named: Vec<String>,
    /// Arguments that are always there.
    least: u32,
}

impl CFrontend {
    /// A program, ready to be explored.
    pub fn explore(program: CProgram, options: Options, make: Maker) -> Exploration<CFrontend> {
        let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
        CFrontend::on(exprs, program, options, make)
    }

    /// Another version of the program, on the same expressions.
    pub fn beside(&self, program: CProgram, options: Options, make: Maker) -> Exploration<CFrontend> {
        CFrontend::on(self.machine.exprs().clone(), program, options, make)
    }

    fn on(
        exprs: Rc<RefCell<Exprs>>,
        program: CProgram,
        options: Options,
        make: Maker,
    ) -> Exploration<CFrontend> {
        let machine = WasmMachine::new(program.module().clone(), exprs.clone(), options);
        let sources = Arc::new(program.own_sources(machine.executed().map(|(offset, _)| offset)));
        let front = CFrontend { program: Rc::new(program), machine, sources, named: Vec::new(), least: 0 };
        Exploration::new(front, exprs, make)
    }

    /// The program.
    pub fn program(&self) -> &Rc<CProgram> {
        &self.program
    }

    /// The branches of a trail: those in the program's own code, or all if there are none.
    fn stops(&self, trail: &Trail) -> Vec<Stop> {
        let code = &self.program.module().code;
        let place = |site: Site| self.program.place(code.function_of_site(site.0), code.site_offset(site.0));
        let steps = trail.constraints();
        let is_own = |site: Site| self.program.own(code.function_of_site(site.0)).is_some();
        let any = steps.iter().any(|step| is_own(step.site));
        let steps = steps.iter().filter(|step| !any || is_own(step.site));
        steps.map(|step| Stop { place: place(step.site), arm: step.index }).collect()
    }

    /// How a path ended, and what its test has to expect.
    fn how(&self, exprs: &Exprs, ended: &Ended, model: &Assignment) -> (How<C>, Option<Ending>) {
        match &ended.how {
            Outcome::Returned(_) => (How::Exited(0), Some(Ending::Exits(0))),
            Outcome::Exited(status) => {
                let status = number(exprs, *status, model) as i32;
                (How::Exited(status), Some(Ending::Exits(status)))
            }
            Outcome::Failed(failure) => {
                let class = failure.kind.name().to_string();
                let message = Some(failure.message.clone()).filter(|text| !text.is_empty());
                let place = self.program.place_of(&failure.stack);
                let end = Ending::Fails(class.clone(), failure.message.clone());
                let severity = if class == "assertion" { Severity::Assertion } else { Severity::Unexpected };
                (How::Threw { class, message, place, severity }, Some(end))
            }
            Outcome::Unsupported { what, stack } => {
                let place = self.program.place_of(stack);
                (How::Unsupported { what: what.clone(), place, help: String::new() }, None)
            }
            Outcome::Cut(bound) => (How::Cut(bound), None),
            Outcome::Assumed => (How::Stuck(None), None),
        }
    }
}

/// A condition, readable. Inputs that are floats are integers in it, whose bits they have: they are shown as
/// the floats.
fn shown(exprs: &Exprs, condition: Cond) -> String {
    let mut text = exprs.show(condition);
    for cast in ["longBitsToDouble(", "intBitsToFloat("] {
        let mut from = 0;
        while let Some(start) = text[from..].find(cast).map(|at| at + from) {
            let inside = start + cast.len();
            let name = text[inside..].find(|c: char| !(c.is_alphanumeric() || "_#![].".contains(c)));
            match name.map(|length| inside + length) {
                Some(end) if end > inside && text[end..].starts_with(')') => {
                    text.replace_range(end..=end, "");
                    text.replace_range(start..inside, "");
                    from = start;
                }
                _ => from = inside,
            }
        }
    }
    text
}

/// The number that a value has under a model.
fn number(exprs: &Exprs, slot: Slot, model: &Assignment) -> i64 {
    match slot {
        Slot::Number(bits) => i64::from(bits as i32),
        Slot::Symbolic(e) => drawn::evaluated(exprs, e, model),
    }
}

fn evaluated(exprs: &Exprs, bytes: &[OutByte], model: &Assignment) -> Vec<u8> {
    let byte = |byte: &OutByte| match byte {
        OutByte::Number(n) => *n,
        OutByte::Symbolic(e) => number(exprs, Slot::Symbolic(*e), model) as u8,
    };
    bytes.iter().map(byte).collect()
}

impl Frontend for CFrontend {
    type Language = C;
    type Machine = WasmMachine;
    type Seed = (Case, u32);

    fn machine(&mut self) -> &mut WasmMachine {
        &mut self.machine
    }

    fn as_machine(&self) -> &WasmMachine {
        &self.machine
    }

    fn begin(&mut self, entry: &Function, inputs: &Inputs) -> Result<Begun<State>, ProgramError> {
        let mut limits = inputs.limits();
        let shared = self.machine.exprs().clone();
        let world = inputs.world(&mut shared.borrow_mut(), &mut limits, &entry.unit);
        self.machine.limit(limits);
        self.named.clone_from(&inputs.named);
        self.least = inputs.least();
        let conditions = assume::conditions(&mut self.machine, entry, &inputs.assumptions)?;
        let start = self.program.start()?;
        let start = self.machine.begin(start, &[], world).map_err(ProgramError)?;
        let assumptions = inputs.assumptions.join(" && ");
        Ok(Begun { start, conditions, assumptions, within: String::new() })
    }

    fn find(&self, key: &EntryKey) -> Option<Function> {
        let entry = self.program.entry();
        ((entry.unit.clone(), entry.name.clone(), String::new()) == *key).then_some(entry)
    }

    fn target(&self, entry: &Function) -> Target {
        Target { unit: entry.unit.clone(), name: entry.name.clone() }
    }

    fn sort(&self, ended: &Ended) -> Sorted {
        match &ended.how {
            Outcome::Returned(_) | Outcome::Exited(_) => Sorted::Ended,
            Outcome::Failed(failure) => {
                let place = self.program.place_of(&failure.stack).map(|place| place.to_string());
                Sorted::Failed(failure.kind.name().into(), place.unwrap_or_default())
            }
            Outcome::Assumed => Sorted::Assumed,
            Outcome::Unsupported { what, .. } => Sorted::Unsupported(what.clone()),
            Outcome::Cut(bound) => Sorted::Cut(bound),
        }
    }

    fn describe(
        &mut self,
        subject: &Subject<'_, C>,
        found: FoundOf<CFrontend>,
        _: &Whole<'_, State>,
        number: u64,
        detail: Detail,
    ) -> Described<C> {
        let shared = self.machine.exprs().clone();
        let exprs = shared.borrow();
        let (model, state) = (&found.model, &found.state);
        let mut case = Case::new(subject.target.clone());
        subject.inputs.given(&exprs, model, &mut case);
        (case.draws, case.objects) = drawn::of_path(&exprs, state, model);
        case.stdout = evaluated(&exprs, &state.world().stdout(), model);
        let (how, end) = match &found.end {
            End::Outcome(ended) => self.how(&exprs, ended, model),
            end => (How::stopped(end, |cond| shown(&exprs, cond)).unwrap_or(How::Stuck(None)), None),
        };
        let full = detail == Detail::Full || how.severity().is_some();
        let conditions = || found.path.constraints().iter().map(|&c| shown(&exprs, c)).collect();
        let path = PathEnd {
            number,
            position: subject.leftovers.position(&found.trail),
            inputs: case.inputs(),
            conditions: if full { conditions() } else { Vec::new() },
            stops: if full { self.stops(&found.trail) } else { Vec::new() },
            depth: found.trail.depth(),
            steps: evergreen_explore::Machine::steps(&self.machine, state),
            output: String::from_utf8_lossy(&case.stdout).into_owned(),
            how,
            beyond: CPath {
                arms: Some(state.arms()),
                stderr: evaluated(&exprs, &state.world().stderr(), model),
            },
            case: end.map(|end| Case { end, ..case }),
            ..PathEnd::empty()
        };
        Described { path: Box::new(path), is_graph: false, is_built: false }
    }

    fn site_name(&self, site: Site) -> Option<SiteName> {
        Some(("".into(), "".into(), "".into(), Some(site.0)))
    }

    fn decisions(&self) -> NameDecision<WasmMachine> {
        let program = self.program.clone();
        let mut known: FxHashMap<Site, Option<Decision>> = FxHashMap::default();
        Box::new(move |_, site, arm| {
            let found = known.entry(site).or_insert_with(|| {
                let code = &program.module().code;
                let function = code.function_of_site(site.0);
                let own = program.own(function)?;
                let (kind, ordinal) = code.ordinal(site.0);
                let unit: Arc<str> = program.unit().into();
                Some(Decision { unit, function: own.name.as_str().into(), kind, ordinal, arm: 0 })
            });
            found.as_ref().map(|decision| Decision { arm, ..decision.clone() })
        })
    }

    fn count(&self, into: &mut Counts) {
        into.set(&self.machine, &self.sources, self.program.sizes());
        for name in &self.named {
            let has_met = self.machine.limits().has_met(name);
            *into.named.entry(name.clone()).or_insert(false) |= has_met;
        }
    }

    fn count_path(&self, state: &State, into: &mut Counts) {
        into.is_scoped |= state.is_scoped();
    }

    fn shown(&self, _: &Function, ended: &Ended) -> Option<Shown> {
        let status = ShowInteger { write: |n| n.to_string().encode_utf16().collect(), is_character: false };
        let letter = ShowInteger { write: |n| vec![n as u16], is_character: true };
        let printed = ended.world.stdout().into_iter().map(|byte| match byte {
            OutByte::Number(n) => Printed::Text(vec![n.into()]),
            OutByte::Symbolic(e) => Printed::Value(e, letter),
        });
        // A status that depends on the inputs may be that of another path: both are values.
        let (class, value) = match &ended.how {
            Outcome::Returned(_) => (Class::Returned("0".into()), None),
            Outcome::Exited(Slot::Number(n)) => (Class::Returned((*n as i32).to_string()), None),
            Outcome::Exited(Slot::Symbolic(e)) => (Class::Varying, Some((*e, status))),
            Outcome::Failed(failure) => (Class::Threw(failure.kind.name().into()), None),
            _ => return None,
        };
        Some(Shown { class, value, printed: printed.collect() })
    }

    fn drawn(&self, ended: &Ended) -> Vec<(Arc<str>, Option<Input>)> {
        let exprs = self.machine.exprs().borrow();
        let named = ended.draws.iter().flat_map(|draw| draw.inputs()).filter_map(|e| {
            let input = exprs.as_input(e)?;
            Some((exprs.input_of(input).name.as_str().into(), Some(input)))
        });
        named.collect()
    }

    fn seed(&self, _: &Function, case: &Case) -> (Case, u32) {
        (case.clone(), self.least)
    }

    fn seed_value(
        _: &mut WasmMachine,
        (case, least): &(Case, u32),
        name: &str,
        kind: InputKind,
    ) -> Result<Option<Const>, String> {
        let value = match drawn::value(case, name, kind) {
            Some(value) => Some(value),
            None => inputs::seed(case, *least, name),
        };
        Ok(value.map(|value| match kind {
            InputKind::Long => Const::I64(value),
            InputKind::Float => Const::F32(value as u32),
            InputKind::Double => Const::F64(value as u64),
            _ => Const::I32(value as i32),
        }))
    }

    fn input_names(machine: &WasmMachine, _: &Function, state: &State) -> Vec<String> {
        let exprs = machine.exprs().borrow();
        let drawn = state.draws().iter().flat_map(|draw| draw.inputs()).filter_map(|e| exprs.as_input(e));
        drawn.map(|input| exprs.input_of(input).asked_name().to_string()).collect()
    }
}

/// The end of a path, as far as versions are compared.
#[derive(Clone)]
pub enum KeptEnd {
    /// The status, and what was printed.
    Exited(Expr, Vec<Expr>),
    /// The kind of failure, and what was printed before.
    Failed(&'static str, Vec<Expr>),
}

impl Compares for CFrontend {
    type KeptEnd = KeptEnd;

    fn kept_end(&mut self, ended: &Ended) -> Option<KeptEnd> {
        let shared = self.machine.exprs().clone();
        let mut exprs = shared.borrow_mut();
        let mut byte = |byte: OutByte| match byte {
            OutByte::Number(n) => exprs.constant(Const::I32(n.into())),
            OutByte::Symbolic(e) => e,
        };
        let printed = ended.world.stdout().into_iter().map(&mut byte).collect();
        let mut status = |slot: Slot| match slot {
            Slot::Number(n) => exprs.constant(Const::I32(n as i32)),
            Slot::Symbolic(e) => e,
        };
        match &ended.how {
            Outcome::Returned(_) => Some(KeptEnd::Exited(status(Slot::Number(0)), printed)),
            Outcome::Exited(slot) => Some(KeptEnd::Exited(status(*slot), printed)),
            Outcome::Failed(failure) => Some(KeptEnd::Failed(failure.kind.name(), printed)),
            _ => None,
        }
    }

    fn ends(old: &KeptEnd, new: &KeptEnd) -> Ends {
        let (mut values, old, new) = match (old, new) {
            (KeptEnd::Exited(was, old), KeptEnd::Exited(is, new)) => (vec![(*was, *is)], old, new),
            (KeptEnd::Failed(was, old), KeptEnd::Failed(is, new)) if was == is => (Vec::new(), old, new),
            _ => return Ends::Differ,
        };
        if old.len() != new.len() {
            return Ends::Differ;
        }
        values.extend(old.iter().copied().zip(new.iter().copied()));
        values.retain(|(was, is)| was != is);
        if values.is_empty() { Ends::Same } else { Ends::Values(values) }
    }
}
