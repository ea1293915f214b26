//! Soundness and completeness of every technique through bytecode (Theorems 1 to 3 of [Rosner TSE'15]): of
//! all valid structures of a scope each is on exactly one path, and that path ends as the method does when it
//! is run on the structure itself.
//!
//! Exploration is led by the inputs: a state keeps those that agree with all that it has read and decided. A
//! state that none agrees with is left; an input that no arm agrees with would be lost, one that two arms
//! agree with would be found twice.

use crate::common::structures::{Bound, Call, Subjects, invariant, invariant_text, run_on};
use evergreen_explore::{Machine, Pause};
use evergreen_heap::enumerate::structures;
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::invariant::Kind;
use evergreen_heap::{Heap, Invariant, Object, Scope, Technique, Value as Held};
use evergreen_jvm::{ClassInvariant, Ending, LazyOptions, Ref, State, Unread, Value};
use evergreen_symbolic::{Assignment, Const, Kind as Number};

/// A structure and arguments, and the values of the machine's inputs that they mean.
struct Given {
    heap: Heap,
    ints: Vec<i32>,
    assignment: Assignment,
    ending: Ending,
    taken: u32,
}

struct Led<'a> {
    subjects: &'a mut Subjects,
    bound: &'a Bound,
    invariant: &'a Invariant,
    /// Those of the method's parameters.
    names: Vec<String>,
    given: Vec<Given>,
    /// Whether an invariant leads.
    guided: bool,
    paths: u64,
}

impl Led<'_> {
    /// Gives the inputs the values that they have for the machine's inputs on a path.
    fn learn(&mut self, state: &State, inputs: &[usize]) {
        let jvm = &self.subjects.jvm;
        let exprs = jvm.exprs.borrow();
        for (input, info) in exprs.inputs() {
            // Of the same name in another scope there is a copy.
            let name = jvm.with_ways(state, info.name.split('!').next().unwrap_or(&info.name));
            if name.starts_with('#') {
                // This path does not have the object.
                continue;
            }
            for at in inputs {
                let given = &mut self.given[*at];
                let value = match name.split_once('.') {
                    Some((_, way)) => follow(self.invariant, &given.heap, way),
                    _ => self.names.iter().position(|own| *own == name).map(|p| given.ints[p]),
                };
                // Fields that the invariant does not declare are 0, and those of objects that are
                // not there are not asked for.
                let value = value.unwrap_or(0);
                let is_long = info.kind.kind() == Number::I64;
                let value = if is_long { Const::I64(value.into()) } else { Const::I32(value) };
                given.assignment.set(&exprs, input, value);
            }
        }
    }

    /// Whether what a state has read of its input is what a structure has there.
    fn agrees(&self, state: &State, heap: &Heap) -> bool {
        let objects = state.lazy().objects();
        if objects.is_empty() {
            // The structure is a parameter, which is not made yet or null.
            return state.parameters.is_empty();
        }
        let mut places: Vec<(Ref, Object)> = vec![(objects[0].object, Object(0))];
        for lazy in objects {
            // An object is found by a field of one that was found before, so its place is known by now.
            let Some((_, place)) = places.iter().find(|(object, _)| *object == lazy.object).copied() else {
                return false;
            };
            for field in self.invariant.shape.fields_of(heap.class(place)) {
                let read = lazy.fields[self.bound.slot(heap.class(place), *field)];
                let same = match (read, heap.get(place, *field)) {
                    (Value::Ref(object), Held::Object(to)) => {
                        if !places.iter().any(|(o, p)| *o == object || *p == to) {
                            places.push((object, to));
                        }
                        places.contains(&(object, to))
                    }
                    (Value::Ref(_), Held::Int(_)) => true,
                    (Value::Null, there) => there == Held::Null,
                    (Value::Ref(_), _) => false,
                    _ => true,
                };
                if !same {
                    return false;
                }
            }
        }
        true
    }

    /// Follows a state with the inputs that are on its path.
    fn follow(&mut self, mut state: State, mut inputs: Vec<usize>) {
        let mut arms = Vec::new();
        let paused = self.subjects.jvm.run(&mut state, 1_000_000, &mut arms);
        let outcome = match &paused {
            Pause::Ended(outcome) => Some(outcome),
            _ => None,
        };
        let seen = outcome.map_or(&state, |outcome| &outcome.state);
        inputs.retain(|at| self.agrees(seen, &self.given[*at].heap));
        if inputs.is_empty() {
            return;
        }
        let seen = outcome.map_or(&state, |outcome| &outcome.state).clone();
        self.learn(&seen, &inputs);
        match paused {
            Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
            Pause::Choice => {
                for arm in 0..arms.len() {
                    let mut next = state.clone();
                    self.subjects.jvm.take(&mut next, arm);
                    self.follow(next, inputs.clone());
                }
            }
            Pause::Branch => {
                for (arm, offered) in arms.iter().enumerate() {
                    let holds = |at: &usize| {
                        self.subjects
                            .jvm
                            .exprs
                            .borrow()
                            .holds(offered.constraint, &self.given[*at].assignment)
                    };
                    let there: Vec<usize> = inputs.iter().copied().filter(holds).collect();
                    if !there.is_empty() {
                        let mut next = state.clone();
                        self.subjects.jvm.take(&mut next, arm);
                        self.follow(next, there);
                    }
                }
            }
            Pause::Ended(outcome) => {
                self.paths += 1;
                assert!(
                    !self.guided || outcome.state.lazy().structures().len() == 1,
                    "the invariant is not used"
                );
                for at in inputs {
                    let given = &mut self.given[at];
                    given.taken += 1;
                    let same = match (&outcome.ending, &given.ending) {
                        (Ending::Returned(Some(a)), Ending::Returned(Some(b))) => {
                            self.subjects.jvm.evaluate(*a, &given.assignment) == *b
                        }
                        (Ending::Returned(None), Ending::Returned(None)) => true,
                        (Ending::Threw { class: a, .. }, Ending::Threw { class: b, .. }) => a == b,
                        _ => false,
                    };
                    let shown = given.heap.display(&self.invariant.shape).to_string();
                    let (found, expected) = (&outcome.ending, &given.ending);
                    assert!(same, "{found:?}, not {expected:?} with {:?} on\n{shown}", given.ints);
                }
            }
        }
    }
}

/// The integer that a way such as `root.left.key` leads to.
fn follow(invariant: &Invariant, heap: &Heap, way: &str) -> Option<i32> {
    let mut at = Object(0);
    for name in way.split('.') {
        let own = invariant.shape.fields_of(heap.class(at));
        let field = own.iter().find(|f| invariant.shape.fields[usize::from(f.0)].name == name)?;
        match heap.get(at, *field) {
            Held::Object(to) => at = to,
            Held::Int(n) => return Some(n),
            _ => return None,
        }
    }
    None
}

/// Twice its keys, so that there is an integer between any two.
fn spread(invariant: &Invariant, heap: &Heap) -> Heap {
    let mut spread = heap.clone();
    for object in heap.objects() {
        for field in invariant.shape.fields_of(heap.class(object)) {
            if let (Kind::Key, Held::Int(n)) = (invariant.shape.kind(*field), heap.get(object, *field)) {
                spread.set(object, *field, Held::Int(2 * n));
            }
        }
    }
    spread
}

/// The structure, and the same with other keys that are valid too.
fn with_keys(invariant: &Invariant, heap: &Heap) -> Vec<Heap> {
    let mut all = vec![spread(invariant, heap)];
    let mut number = 1u64;
    for _ in 0..KEYS {
        let mut other = heap.clone();
        for object in heap.objects() {
            for field in invariant.shape.fields_of(heap.class(object)) {
                if *invariant.shape.kind(*field) == Kind::Key {
                    // [Knuth, MMIX]
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    other.set(object, *field, Held::Int((number >> 33) as i32 % heap.len() as i32));
                }
            }
        }
        let other = spread(invariant, &other);
        if holds(invariant, &other) == Truth::True && !all.contains(&other) {
            all.push(other);
        }
    }
    all
}

/// Keys that are tried for each structure.
const KEYS: usize = 8;

/// All structures of a scope with all arguments that make a difference.
fn all_given(
    subjects: &mut Subjects,
    bound: &Bound,
    invariant: &Invariant,
    call: &Call,
    n: usize,
) -> Vec<Given> {
    let (valid, all) = structures(invariant, &Scope::each(invariant, n), 10_000).expect("a small scope");
    assert!(all);
    let run = subjects.static_call(call);
    let mut given = Vec::new();
    for heap in valid.iter().flat_map(|heap| with_keys(invariant, heap)) {
        let arguments: Vec<Vec<i32>> = match call.parameters() {
            0 => vec![Vec::new()],
            _ => (-1..2 * heap.len() as i32).map(|key| vec![key]).collect(),
        };
        for ints in arguments {
            let ending = run_on(subjects, bound, invariant, run, &heap, &ints);
            let assignment = Assignment::new();
            given.push(Given { heap: heap.clone(), ints, assignment, ending, taken: 0 });
        }
    }
    given
}

/// The technique that decides which structures are valid.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Guided(Technique),
    /// repOK, which ends where a field was not read yet.
    RepOk,
    /// repOK, which continues there with every value.
    Search,
}

fn modes() -> impl Iterator<Item = Mode> {
    Technique::ALL.into_iter().map(Mode::Guided).chain([Mode::RepOk, Mode::Search])
}

fn options(class: &str, scope: usize, mode: Mode) -> LazyOptions {
    let mut options = LazyOptions { scope: scope as u32, ..LazyOptions::default() };
    match mode {
        Mode::Guided(technique) => {
            let text = invariant_text(class).into();
            let name = if class.starts_with("java.") { class.to_owned() } else { format!("heap.{class}") };
            options.invariants.push(ClassInvariant { class: name, text, origin: format!("{class}.inv") });
            options.technique = technique;
        }
        Mode::RepOk => {}
        Mode::Search => options.unread = Unread::Search,
    }
    options
}

/// Every technique, and repOK alone, on every valid structure.
fn check(calls: &[(&'static str, &'static str, &'static str, usize)]) {
    let calls: Vec<(Call, usize)> =
        calls.iter().map(|(class, method, descriptor, n)| (Call { class, method, descriptor }, *n)).collect();
    let all: Vec<Call> = calls.iter().map(|(call, _)| *call).collect();
    let mut subjects = Subjects::compile(&all);
    for (call, n) in calls {
        // Paths that some valid structure takes, by scope.
        let mut taken = vec![None; n];
        // The JDK has no repOK.
        for mode in modes().filter(|mode| matches!(mode, Mode::Guided(_)) || !call.class.starts_with("java."))
        {
            let most = if matches!(mode, Mode::Guided(_)) { n } else { n.min(SMALL) };
            for (n, taken) in (1..=most).zip(&mut taken) {
                let paths = check_mode(&mut subjects, call, n, mode);
                assert_eq!(*taken.get_or_insert(paths), paths, "{call:?} {mode:?} at {n}");
            }
        }
    }
}

/// The scope where every choice means many runs of repOK.
const SMALL: usize = 4;

fn check_mode(subjects: &mut Subjects, call: Call, n: usize, mode: Mode) -> u64 {
    let invariant = invariant(call.class);
    let bound = Bound::new(&mut subjects.jvm, call.class, &invariant);
    let method = subjects.method(&call);
    let mut names: Vec<String> =
        subjects.jvm.parameters(method).into_iter().map(|(name, _)| name.to_string()).collect();
    // A structure among them is identified by its fields.
    names.drain(..names.len() - call.parameters());
    let given = all_given(subjects, &bound, &invariant, &call, n);
    subjects.jvm.options.lazy = Some(options(call.class, n, mode));
    subjects.jvm.forget_guides();
    let start = subjects.jvm.start(&subjects.base.clone(), method, Vec::new());
    let inputs = (0..given.len()).collect();
    let guided = matches!(mode, Mode::Guided(_));
    let mut led = Led { subjects, bound: &bound, invariant: &invariant, names, given, guided, paths: 0 };
    led.follow(start, inputs);
    for given in &led.given {
        let shown = given.heap.display(&invariant.shape).to_string();
        assert_eq!(given.taken, 1, "{call:?} {mode:?} with {:?} on\n{shown}", given.ints);
    }
    let paths = led.paths;
    subjects.jvm.options.lazy = None;
    paths
}

#[test]
fn every_valid_structure_is_on_one_path_of_a_walk() {
    check(&[
        ("BinTree", "bfs", "()I", 6),
        ("BinTree", "dfs", "()I", 6),
        ("BinTree", "count", "()I", 6),
        ("TreeSet", "bfs", "()I", 6),
        ("TreeSet", "dfs", "()I", 6),
        ("AvlTree", "bfs", "()I", 6),
        ("AvlTree", "dfs", "()I", 6),
        ("TreeMap", "bfs", "()I", 6),
        ("BinomialHeap", "bfs", "()I", 6),
        ("BinomialHeap", "dfs", "()I", 6),
        ("LinkedList", "count", "()I", 6),
    ]);
}

#[test]
fn every_valid_structure_is_on_one_path_of_a_check() {
    check(&[
        ("BinTree", "repOK", "()Z", 6),
        ("SearchTree", "repOK", "()Z", 6),
        ("TreeSet", "repOK", "()Z", 6),
        ("TreeMap", "repOK", "()Z", 6),
        ("AvlTree", "repOK", "()Z", 6),
        ("BinomialHeap", "repOK", "()Z", 6),
        ("LinkedList", "repOK", "()Z", 6),
        ("SinglyLinkedList", "repOK", "()Z", 6),
    ]);
}

#[test]
fn every_valid_structure_is_on_one_path_of_a_change() {
    check(&[
        ("SearchTree", "contains", "(I)Z", 6),
        ("SearchTree", "addKeeps", "(I)V", 5),
        ("SearchTree", "removeKeeps", "(I)V", 5),
        ("TreeSet", "contains", "(I)Z", 6),
        ("TreeSet", "addKeeps", "(I)V", 6),
        ("TreeSet", "removeKeeps", "(I)V", 6),
        ("TreeMap", "putKeeps", "(I)V", 6),
        ("TreeMap", "removeKeeps", "(I)V", 6),
        ("AvlTree", "insertKeeps", "(I)V", 6),
        ("AvlTree", "deleteKeeps", "(I)V", 6),
        ("BinomialHeap", "insertKeeps", "(I)V", 6),
        ("BinomialHeap", "extractMinKeeps", "()V", 6),
        ("BinomialHeap", "delete", "(I)Z", 6),
        ("BinomialHeap", "findMinimum", "()I", 6),
        ("LinkedList", "addKeeps", "(I)V", 6),
        ("LinkedList", "remove", "(I)I", 6),
        ("LinkedList", "contains", "(I)Z", 6),
        ("SinglyLinkedList", "remove", "(I)Z", 6),
    ]);
}

#[test]
fn every_valid_collection_of_the_jdk_is_on_one_path() {
    check(&[
        ("java.util.TreeMap", "containsKey", "(I)Z", 5),
        ("java.util.TreeMap", "firstKey", "()I", 5),
        ("java.util.TreeMap", "ceiling", "(I)I", 5),
        ("java.util.TreeMap", "put", "(I)I", 4),
        ("java.util.TreeMap", "remove", "(I)I", 4),
        ("java.util.TreeSet", "contains", "(I)Z", 5),
        ("java.util.TreeSet", "first", "()I", 5),
        ("java.util.TreeSet", "add", "(I)Z", 4),
        ("java.util.TreeSet", "take", "(I)Z", 4),
        ("java.util.LinkedList", "indexOf", "(I)I", 6),
        ("java.util.LinkedList", "addLast", "(I)I", 6),
        ("java.util.LinkedList", "removeAt", "(I)I", 6),
    ]);
}
