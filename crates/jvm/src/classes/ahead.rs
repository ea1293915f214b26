//! Initializers of the program's classes that run once, before the paths begin, and that paths take over.
//!
//! A class is initialized when a path first needs it, which is after inputs were chosen: an initializer that
//! reads tables would run again on each path. So it runs once from the base state, and what it did is kept:
//! new objects, which the base state has from then on though nothing reaches them, and the places that it
//! wrote. When a path needs the class, these are written; no instruction runs. It is not initialized earlier
//! than on a JVM, since the order of initializers is part of what a program does.
//!
//! Both come to the same if the initializer reads the same. What it may have read is: objects and static
//! fields that the base state has, classes that it initialized itself, and classes that were taken over
//! before ([`Ahead::needs`]). So a path must have all of these as they were, but for what no program sees
//! (the hash codes that strings keep, the caches of class objects); otherwise the initializer runs. One that
//! prints, that starts threads or that has a choice is never kept.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ClassId, access};
use crate::concrete::is_same;
use crate::log::Logged;
use crate::machine::Jvm;
use crate::narrowed::Narrowed;
use crate::natives::SAW_CHOICE;
use crate::object::{Body, Object};
use crate::outcome::Ending;
use crate::state::{ClassState, State};
use crate::value::{Ref, Value};

/// Instructions of a first run, which finds the JDK's classes that an initializer needs.
const FIRST: u64 = 2_000_000;

/// An initializer of fewer instructions runs on each path, unless one of more needs its class.
const LEAST: u64 = 20_000;

/// An initializer of more is left to the paths, and to their bounds.
const MOST: u64 = 1 << 29;

/// Objects that are only compared with themselves, by the names that natives have for them.
const TOKENS: [&str; 3] = ["loader", "module", "thread"];

/// What is known of initializers.
#[derive(Default)]
pub(crate) struct Aheads {
    known: FxHashMap<ClassId, Rc<Ahead>>,
    tried: FxHashSet<ClassId>,
    /// The classes that the running initializer took over, and where the arms of each are in its log.
    used: Vec<Need>,
    /// Classes of the program whose initializers have ended, if somebody wants to know.
    ended: Option<Vec<ClassId>>,
}

type Need = (ClassId, usize, usize);

/// What becomes of the arms that an initializer took.
#[derive(Clone, Copy)]
enum Arms<'a> {
    /// The path has taken them.
    Taken,
    /// They are among those of the initializer that needed the class; what that needed before is named.
    Among(&'a [Need]),
    /// Nobody asks for them.
    Unseen,
}

/// What an initializer has done.
struct Ahead {
    /// The state that it began in, with all objects that it made.
    before: State,
    /// What it wrote: objects of that state, static fields, values of natives.
    objects: Vec<(Ref, Object)>,
    statics: Vec<(usize, Value)>,
    slots: Vec<(&'static str, Value)>,
    /// The classes that it initialized.
    classes: Vec<ClassId>,
    /// The classes that were taken over by then.
    needs: Vec<Need>,
    log: Vec<Logged>,
    narrowed: Narrowed,
    /// The class of each static field, as far as there were classes.
    owners: Vec<ClassId>,
}

impl Jvm {
    /// Has classes of the program noted whose initializers end.
    pub fn note_initializers(&mut self) {
        self.aheads.ended = Some(Vec::new());
    }

    /// The classes that were noted, in the order in which their initializers ended, and then those whose
    /// initializers a state has not ended, inner ones first.
    pub fn noted_initializers(&mut self, state: &State) -> Vec<ClassId> {
        let mut all = self.aheads.ended.take().unwrap_or_default();
        let running = state.frames.iter().rev().filter_map(|frame| match frame.role {
            crate::frame::Role::Init { class, .. } => Some(class),
            _ => None,
        });
        all.extend(running);
        all.retain(|class| self.class(*class).user && !self.aheads.tried.contains(class));
        all
    }

    /// An initializer has ended.
    pub(crate) fn note_initialized(&mut self, class: ClassId) {
        if let Some(ended) = &mut self.aheads.ended {
            ended.push(class);
        }
    }

    /// Runs the initializer of a class for all paths that begin with `base`, if that can be done; `base` has
    /// its objects from then on. Whether anything is there to be taken over.
    pub fn initialize_ahead(&mut self, base: &mut State, class: ClassId) -> bool {
        self.run_ahead(base, class, LEAST)
    }

    fn run_ahead(&mut self, base: &mut State, class: ClassId, least: u64) -> bool {
        let is_new = self.aheads.tried.insert(class);
        if !is_new || base.class_state(class) != ClassState::Untouched || !base.heap.is_whole() {
            return false;
        }
        let mut first = self.start_init(base, class);
        self.note_initializers();
        let ending = self.run_concrete(&mut first, FIRST);
        let inner = self.noted_initializers(&first);
        match ending {
            Some(Ending::Returned(_)) if first.steps >= least => {}
            // Not now, unless a larger one needs it.
            Some(Ending::Returned(_)) => {
                self.aheads.tried.remove(&class);
                return false;
            }
            // It is not done yet, and waits for no choice.
            None if first.pending.is_none() => {}
            _ => return false,
        }
        *base = self.warm(base, &first);
        drop(first);
        // A path may need the classes within before this one.
        for class in inner {
            self.run_ahead(base, class, 0);
        }
        let mut run = self.start_init(base, class);
        run.heap.pin(base.heap.len());
        self.aheads.used.clear();
        let ending = self.run_concrete(&mut run, MOST);
        let needs = std::mem::take(&mut self.aheads.used);
        if !matches!(ending, Some(Ending::Returned(_))) {
            return false;
        }
        let Some(ahead) = self.kept(base, run, needs) else { return false };
        self.aheads.known.insert(class, Rc::new(ahead));
        true
    }

    /// What a run from `base` did, if it did nothing else.
    fn kept(&mut self, base: &mut State, run: State, needs: Vec<Need>) -> Option<Ahead> {
        let is_quiet = run.output.len() == base.output.len()
            && run.draws.len() == base.draws.len()
            && run.threads.is_empty()
            && run.monitors == base.monitors
            && run.frames.is_empty();
        // Identity hash codes follow from the places of objects.
        let may_move = run.slot(SAW_CHOICE) == base.slot(SAW_CHOICE);
        let run = match may_move {
            true if is_quiet => self.compacted(&run, base)?,
            false if is_quiet && run.heap.is_whole() => run,
            _ => return None,
        };
        let next = with_objects(base, &run);
        let mut before = next.clone();
        for (class, ..) in &needs {
            let is_ready = before.class_state(*class) == ClassState::Done;
            (is_ready || self.apply(&mut before, *class, Arms::Unseen)).then_some(())?;
        }
        let differs = |place: &usize| {
            let place = Ref(*place as u32);
            !is_same(before.heap.get(place), run.heap.get(place))
        };
        let places = run.heap.different(&before.heap).into_iter().filter(differs);
        let objects = places.map(|place| (Ref(place as u32), run.heap.get(Ref(place as u32)).clone()));
        let objects: Vec<(Ref, Object)> = objects.collect();
        let written = run.statics.different(&before.statics).into_iter().filter_map(|slot| {
            let value = run.get_static(slot as u32);
            (!value.same(before.get_static(slot as u32))).then_some((slot, value))
        });
        let statics: Vec<(usize, Value)> = written.collect();
        let mut classes = Vec::new();
        for class in run.class_states.different(&before.class_states) {
            let class = ClassId(class as u32);
            match (before.class_state(class), run.class_state(class)) {
                (ClassState::Untouched, ClassState::Done) => classes.push(class),
                (one, other) if one == other => {}
                _ => return None,
            }
        }
        let slots = run.slots.iter().filter(|(name, value)| before.slot(name) != Some(**value));
        let slots = slots.map(|(name, value)| (*name, *value)).collect();
        let log = (base.log.len()..run.log.len()).filter_map(|at| run.log.get(at).copied()).collect();
        let narrowed = run.narrowed;
        let owners = self.owners_of_statics();
        *base = next;
        Some(Ahead { before, objects, statics, slots, classes, needs, log, narrowed, owners })
    }

    fn owners_of_statics(&self) -> Vec<ClassId> {
        let mut owners = vec![ClassId(u32::MAX); self.static_count as usize];
        for class in &self.classes {
            for field in &class.static_fields {
                if let Some(owner) = owners.get_mut(field.slot as usize) {
                    *owner = class.id;
                }
            }
        }
        owners
    }

    /// Takes over what the initializer of a class has done, if the path is such that it would do the same.
    pub(crate) fn take_ahead(&mut self, state: &mut State, class: ClassId) -> bool {
        if !self.aheads.known.contains_key(&class) {
            return false;
        }
        let mut next = state.clone();
        let begin = next.log.len();
        if !self.apply(&mut next, class, Arms::Taken) {
            return false;
        }
        *state = next;
        self.aheads.used.push((class, begin, state.log.len()));
        true
    }

    /// The same; of a state that is thrown away if it fails.
    fn apply(&mut self, state: &mut State, class: ClassId, arms: Arms<'_>) -> bool {
        let Some(ahead) = self.aheads.known.get(&class).cloned() else { return false };
        let mut skipped: Vec<Need> = Vec::new();
        for &(need, from, to) in &ahead.needs {
            match state.class_state(need) {
                ClassState::Done => skipped.push((need, from, to)),
                ClassState::Untouched => {
                    let inner = if let Arms::Taken = arms { Arms::Among(&ahead.needs) } else { arms };
                    if !self.apply(state, need, inner) {
                        return false;
                    }
                }
                ClassState::Running | ClassState::Failed => return false,
            }
        }
        // The outer initializer found a class not ready that is ready here: its arms are there once more.
        let is_among = |class: ClassId, all: &[Need]| all.iter().any(|(other, ..)| *other == class);
        let is_twice = match arms {
            Arms::Among(before) => skipped.iter().any(|(class, ..)| !is_among(*class, before)),
            Arms::Taken | Arms::Unseen => false,
        };
        if is_twice || !self.agrees(state, &ahead) {
            return false;
        }
        for (place, object) in &ahead.objects {
            *state.heap.get_mut(*place) = object.clone();
        }
        for (slot, value) in &ahead.statics {
            state.set_static(*slot as u32, *value);
        }
        for (name, value) in &ahead.slots {
            if *name != SAW_CHOICE || state.slot(name).is_none() {
                state.set_slot(name, *value);
            }
        }
        for class in &ahead.classes {
            state.set_class_state(*class, ClassState::Done);
        }
        state.narrowed.add_all(ahead.narrowed);
        if !matches!(arms, Arms::Taken) {
            return true;
        }
        for (at, logged) in ahead.log.iter().enumerate() {
            let is_skipped = skipped.iter().any(|(_, from, to)| (*from..*to).contains(&at));
            if !is_skipped && state.log.len() <= self.options.record {
                state.log.push(*logged);
            }
        }
        true
    }

    /// Whether a path is as the state was that an initializer began in, as far as it could see.
    fn agrees(&self, state: &State, ahead: &Ahead) -> bool {
        let before = &ahead.before;
        let is_here = state.heap.is_whole() && state.heap.len() >= before.heap.len();
        if !is_here || !state.threads.is_empty() {
            return false;
        }
        let written: FxHashSet<usize> = ahead.objects.iter().map(|(place, _)| place.0 as usize).collect();
        let is_as_before = |place: usize| {
            let (old, new) = (before.heap.get(Ref(place as u32)), state.heap.get(Ref(place as u32)));
            is_same(old, new) || !written.contains(&place) && self.is_alike(old, new)
        };
        let mut places = state.heap.different(&before.heap).into_iter();
        if !places.all(|place| place >= before.heap.len() || is_as_before(place)) {
            return false;
        }
        let mut classes = state.class_states.different(&before.class_states).into_iter();
        let is_open = |class: ClassId| {
            let (old, new) = (before.class_state(class), state.class_state(class));
            old == new
                || old == ClassState::Untouched
                    && (!ahead.classes.contains(&class) || self.is_constant_class(class))
        };
        if !classes.all(|class| is_open(ClassId(class as u32))) {
            return false;
        }
        let mut statics = state.statics.different(&before.statics).into_iter();
        let is_known = |slot: usize| {
            let same = before.get_static(slot as u32).same(state.get_static(slot as u32));
            let owner = ahead.owners.get(slot).copied();
            // A class that nobody had initialized was not looked at.
            let is_beside = owner.is_none_or(|owner| {
                let is_touched = before.class_state(owner) != ClassState::Untouched;
                !is_touched && (!ahead.classes.contains(&owner) || self.is_constant_class(owner))
            });
            same || is_beside
        };
        let slots =
            ahead.slots.iter().all(|(name, _)| *name == SAW_CHOICE || state.slot(name) == before.slot(name));
        slots && statics.all(is_known)
    }

    /// Whether two versions of an object differ in what no program sees.
    fn is_alike(&self, old: &Object, new: &Object) -> bool {
        let is_cached = Some(old.class) == self.known.class || Some(old.class) == self.known.string;
        is_cached && old.class == new.class && old.extra == new.extra
    }

    /// Whether a class has constants at most, and no initializer.
    fn is_constant_class(&self, class: ClassId) -> bool {
        let own = self.class(class);
        own.initializer.is_none() && own.static_fields.iter().all(|field| field.access & access::FINAL != 0)
    }

    /// A state without garbage among the objects that `base` does not have: the others move together.
    fn compacted(&self, run: &State, base: &State) -> Option<State> {
        let marked = self.marked(run);
        let from = base.heap.len();
        let mut places = vec![u32::MAX; marked.len()];
        let live = (from..marked.len()).filter(|place| marked[*place]);
        for (next, place) in (from as u32..).zip(live) {
            places[place] = next;
        }
        let place = |object: Ref| match object.0 as usize >= from {
            true => Ref(places[object.0 as usize]),
            false => object,
        };
        let mut state = run.clone();
        state.heap = base.heap.clone();
        for at in run.heap.different(&base.heap).into_iter().filter(|at| *at < from) {
            *state.heap.get_mut(Ref(at as u32)) = moved(run.heap.get(Ref(at as u32)), &place)?;
        }
        for at in (from..marked.len()).filter(|at| marked[*at]) {
            state.heap.add(moved(run.heap.get(Ref(at as u32)), &place)?);
        }
        for slot in run.statics.different(&base.statics) {
            state.set_static(slot as u32, moved_value(run.get_static(slot as u32), &place));
        }
        for (all, old) in [(&mut state.mirrors, &base.mirrors), (&mut state.literals, &base.literals)] {
            for at in all.clone().different(old) {
                let moved = all.get(at).copied().flatten().map(place);
                all.set(at, moved);
            }
        }
        let slots = run.slots.iter().map(|(name, value)| (*name, moved_value(*value, &place)));
        state.slots = Rc::new(slots.collect());
        state.thrown = base.thrown.clone();
        Some(state)
    }
}

/// The base state with the objects that a run has made, as the run has left them, and all others as they
/// were.
fn with_objects(base: &State, run: &State) -> State {
    let mut next = base.clone();
    next.heap = run.heap.clone();
    for place in run.heap.different(&base.heap).into_iter().filter(|place| *place < base.heap.len()) {
        *next.heap.get_mut(Ref(place as u32)) = base.heap.get(Ref(place as u32)).clone();
    }
    // No program sees when these are made.
    (next.mirrors, next.literals) = (run.mirrors.clone(), run.literals.clone());
    for name in TOKENS {
        if let (None, Some(token)) = (base.slot(name), run.slot(name)) {
            next.set_slot(name, token);
        }
    }
    next
}

fn moved_value(value: Value, place: &impl Fn(Ref) -> Ref) -> Value {
    match value {
        Value::Ref(object) => Value::Ref(place(object)),
        other => other,
    }
}

fn moved(object: &Object, place: &impl Fn(Ref) -> Ref) -> Option<Object> {
    let all = |items: &Rc<[Value]>| items.iter().map(|item| moved_value(*item, place)).collect();
    let body = match &object.body {
        Body::Fields(items) => Body::Fields(all(items)),
        Body::Values(items) => Body::Values(all(items)),
        Body::Refs(items) => Body::Refs(all(items)),
        Body::Open(_) | Body::Written(_) => return None,
        other => other.clone(),
    };
    Some(Object { class: object.class, extra: object.extra, body })
}
