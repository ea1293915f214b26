//! Public calls that make the objects of a test case, found by trying: a constructor, then a method that puts values in, called with the values that
//! are in the graph.
//!
//! Candidates are run in the machine, concretely, and what they make is compared with what is wanted: every field that the test
//! case lists, all sharing. So whatever is found is exact, and what is not tried is only not found; the test then sets fields by reflection.
//! Tried are the values of one field of one class of the graph, in few fixed orders, then in all orders if they are few; then the same with one
//! more value that is taken out again, without which some balanced trees cannot be reached. States are persistent, so orders
//! share what they begin with. The cost is bounded in instructions, hence the same on every machine.

mod api;
mod rows;
mod same;

use api::{Api, Callee};
use evergreen_jvm::{Ending, Jvm, Ref, State, Value};
use evergreen_replay::{Build, BuildCall, Built, GraphBody, GraphObject, JavaValue, TestCase};
use rows::{Recipe, Rows};
use same::{is_same, written};
use std::collections::BTreeSet;

/// Instructions that may be run to build one object.
const STEPS: u64 = 400_000;
/// What a call costs at least.
const CALL: u64 = 100;
/// So many values are tried in all orders.
const ALL_ORDERS: usize = 5;

/// Public calls that make every object that a test case needs; `None` if none were found.
pub(super) fn find_calls(jvm: &mut Jvm, base: &State, case: &TestCase) -> Option<Build> {
    let mut owned = BTreeSet::new();
    let mut objects: Vec<Built> = Vec::new();
    for root in roots(case) {
        let reached = rows::reach(&case.objects, root);
        // Objects that hang on two roots cannot be made by calls on each of them.
        if reached.iter().any(|object| !owned.insert(*object)) {
            return None;
        }
        objects.push(Search::new(jvm, base, &case.objects, root)?.run(&reached)?);
    }
    Some(Build { objects })
}

/// The objects that are passed, each once.
fn roots(case: &TestCase) -> Vec<usize> {
    let mut all = Vec::new();
    let draws = case.draws.iter().map(|(_, value)| value);
    for value in case.receiver.iter().chain(&case.arguments).chain(draws) {
        rows::references(value, &mut |object| {
            if !all.contains(&object) {
                all.push(object);
            }
        });
    }
    all
}

/// The search for one object.
struct Search<'a> {
    jvm: &'a mut Jvm,
    objects: &'a [GraphObject],
    root: usize,
    api: Api,
    /// Before anything is made.
    before: State,
    /// Instructions that are left.
    left: u64,
}

/// An object that is being built.
#[derive(Clone)]
struct Attempt {
    state: State,
    object: Ref,
    calls: Vec<BuildCall>,
}

/// What the search for a sequence came to.
enum Tried {
    Found(Attempt),
    NotFound,
}

impl<'a> Search<'a> {
    fn new(jvm: &'a mut Jvm, base: &State, objects: &'a [GraphObject], root: usize) -> Option<Search<'a>> {
        let api = Api::of(jvm, &objects.get(root)?.class)?;
        let mut before = base.clone();
        jvm.initialize_now(&mut before, api.class, STEPS)?;
        for object in objects.iter().filter(|object| matches!(object.body, GraphBody::Fields(_))) {
            let class = jvm.load(&object.class.replace('.', "/")).ok()?;
            jvm.initialize_now(&mut before, class, STEPS)?;
        }
        Some(Search { jvm, objects, root, api, before, left: STEPS })
    }

    fn run(mut self, reached: &[usize]) -> Option<Built> {
        let found = self.search(reached)?;
        if self.jvm.differs_outside(&self.before, &found.state) {
            return None;
        }
        Some(Built {
            object: self.root,
            constructor: "()V".into(),
            arguments: Vec::new(),
            calls: found.calls,
        })
    }

    fn search(&mut self, reached: &[usize]) -> Option<Attempt> {
        let empty = self.construct()?;
        if self.fits(&empty) {
            return Some(empty);
        }
        let tables = rows::tables(self.objects, reached);
        let mut recipes = Vec::new();
        for rows in &tables {
            for callee in self.api.methods.clone() {
                for recipe in rows.recipes(&callee) {
                    if self.does_something(&empty, rows, &recipe) {
                        recipes.push((rows, recipe));
                    }
                }
            }
        }
        for (rows, recipe) in &recipes {
            for order in rows.orders(recipe) {
                if let Tried::Found(found) = self.in_order(&empty, rows, recipe, &order) {
                    return Some(found);
                }
            }
        }
        for (rows, recipe) in recipes.iter().filter(|(rows, _)| rows.len() <= ALL_ORDERS) {
            let all: Vec<usize> = (0..rows.len()).collect();
            if let Tried::Found(found) = self.in_all_orders(&empty, rows, recipe, &all, &[]) {
                return Some(found);
            }
        }
        recipes.iter().find_map(|(rows, recipe)| match self.with_one_more(&empty, rows, recipe) {
            Tried::Found(found) => Some(found),
            Tried::NotFound => None,
        })
    }

    fn construct(&mut self) -> Option<Attempt> {
        let mut state = self.before.clone();
        let object = self.jvm.new_instance(&mut state, self.api.class);
        let constructor = self.api.constructor;
        match self.jvm.call_now(&mut state, constructor, &[Value::Ref(object)], self.left)? {
            Ending::Returned(_) => Some(Attempt { state, object, calls: Vec::new() }),
            _ => None,
        }
    }

    fn fits(&self, attempt: &Attempt) -> bool {
        is_same(self.jvm, &attempt.state, attempt.object, self.objects, self.root)
    }

    /// Calls a method; whether it returned.
    fn call(&mut self, attempt: &mut Attempt, callee: &Callee, arguments: Vec<JavaValue>) -> bool {
        let Some(left) = self.left.checked_sub(CALL) else { return false };
        self.left = left;
        let mut values = vec![Value::Ref(attempt.object)];
        for argument in &arguments {
            let Some(value) = self.value(&mut attempt.state, argument) else { return false };
            values.push(value);
        }
        let before = attempt.state.steps;
        let ending = self.jvm.call_now(&mut attempt.state, callee.method, &values, self.left);
        self.left = self.left.saturating_sub(attempt.state.steps.saturating_sub(before));
        let (method, descriptor) = (callee.name.to_string(), callee.descriptor.to_string());
        attempt.calls.push(BuildCall { method, descriptor, arguments });
        matches!(ending, Some(Ending::Returned(_)))
    }

    /// A plain value in a state. Boxes are made as the compiler makes them.
    fn value(&mut self, state: &mut State, value: &JavaValue) -> Option<Value> {
        Some(match value {
            JavaValue::Boolean(is) => Value::boolean(*is),
            JavaValue::Byte(n) => Value::Int((*n).into()),
            JavaValue::Char(n) => Value::Int((*n).into()),
            JavaValue::Short(n) => Value::Int((*n).into()),
            JavaValue::Int(n) => Value::Int(*n),
            JavaValue::Long(n) => Value::Long(*n),
            JavaValue::Float(n) => Value::Float(*n),
            JavaValue::Double(n) => Value::Double(*n),
            JavaValue::Null => Value::Null,
            JavaValue::String(units) => Value::Ref(self.jvm.new_string(state, units)),
            JavaValue::Boxed(inner) => {
                let (class, letter) = rows::box_class(inner)?;
                let descriptor = format!("({letter})L{class};");
                let method = self.jvm.find(class, "valueOf", &descriptor).ok()??;
                let inner = self.value(state, inner)?;
                match self.jvm.call_now(state, method, &[inner], self.left)? {
                    Ending::Returned(made) => made?,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Whether a call changes an object in which nothing is.
    fn does_something(&mut self, empty: &Attempt, rows: &Rows, recipe: &Recipe) -> bool {
        let mut next = empty.clone();
        self.call(&mut next, &recipe.callee, rows.arguments(recipe, 0))
            && written(&next.state, next.object) != written(&empty.state, empty.object)
    }

    fn in_order(&mut self, empty: &Attempt, rows: &Rows, recipe: &Recipe, order: &[usize]) -> Tried {
        let mut next = empty.clone();
        for row in order {
            if !self.call(&mut next, &recipe.callee, rows.arguments(recipe, *row)) {
                return Tried::NotFound;
            }
        }
        if self.fits(&next) { Tried::Found(next) } else { Tried::NotFound }
    }

    /// Every order of the rows `left`, and then the calls `last`.
    fn in_all_orders(
        &mut self,
        so_far: &Attempt,
        rows: &Rows,
        recipe: &Recipe,
        left: &[usize],
        last: &[(&Callee, &JavaValue)],
    ) -> Tried {
        if left.is_empty() {
            return self.and_then(so_far.clone(), last);
        }
        for (at, row) in left.iter().enumerate() {
            let mut next = so_far.clone();
            if !self.call(&mut next, &recipe.callee, rows.arguments(recipe, *row)) {
                if self.left < CALL {
                    return Tried::NotFound;
                }
                continue;
            }
            let others = [&left[..at], &left[at + 1..]].concat();
            if let Tried::Found(found) = self.in_all_orders(&next, rows, recipe, &others, last) {
                return Tried::Found(found);
            }
        }
        Tried::NotFound
    }

    /// The last calls, each with one value.
    fn and_then(&mut self, mut attempt: Attempt, last: &[(&Callee, &JavaValue)]) -> Tried {
        for (callee, value) in last {
            let argument = api::argument(value, &callee.parameters[0]);
            if !argument.is_some_and(|argument| self.call(&mut attempt, callee, vec![argument])) {
                return Tried::NotFound;
            }
        }
        if self.fits(&attempt) { Tried::Found(attempt) } else { Tried::NotFound }
    }

    /// The rows with one more value, which is put in first, last or anywhere, and taken out at the end.
    fn with_one_more(&mut self, empty: &Attempt, rows: &Rows, recipe: &Recipe) -> Tried {
        let mut removers: Vec<Callee> = self.api.methods.clone();
        removers.retain(|m| m.parameters.len() == 1 && m.method != recipe.callee.method);
        removers.sort_by_key(Callee::taking);
        let more = rows.one_more(recipe);
        for remover in &removers {
            if !self.takes_out(empty, rows, recipe, remover) {
                continue;
            }
            for (value, rows) in &more {
                for mut order in rows.orders_with_last(recipe) {
                    for _ in 0..2 {
                        let mut next = empty.clone();
                        let is_called = order
                            .iter()
                            .all(|row| self.call(&mut next, &recipe.callee, rows.arguments(recipe, *row)));
                        if is_called && let Tried::Found(found) = self.and_then(next, &[(remover, value)]) {
                            return Tried::Found(found);
                        }
                        order.rotate_right(1);
                    }
                }
            }
            for (value, rows) in more.iter().filter(|(_, rows)| rows.len() <= ALL_ORDERS) {
                let all: Vec<usize> = (0..rows.len()).collect();
                let found = self.in_all_orders(empty, rows, recipe, &all, &[(remover, value)]);
                if let Tried::Found(found) = found {
                    return Tried::Found(found);
                }
            }
        }
        Tried::NotFound
    }

    /// Whether a method undoes what another one did.
    fn takes_out(&mut self, empty: &Attempt, rows: &Rows, recipe: &Recipe, remover: &Callee) -> bool {
        let mut next = empty.clone();
        let arguments = rows.arguments(recipe, 0);
        let Some(value) = api::argument(&arguments[0], &remover.parameters[0]) else { return false };
        if !self.call(&mut next, &recipe.callee, arguments) {
            return false;
        }
        let before = written(&next.state, next.object);
        self.call(&mut next, remover, vec![value]) && written(&next.state, next.object).len() < before.len()
    }
}
