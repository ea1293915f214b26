//! Public calls that make the objects of a test case, found by trying: a constructor, then a method that puts
//! values in, called with the values that are in the graph.
//!
//! The machine runs candidates concretely and compares what they make with the wanted graph: every field that
//! the test case lists, all sharing. So a candidate that is found is exact; if none is found, the test sets
//! fields by reflection. Candidates use the values of one field of one class of the graph: in few fixed
//! orders, then with one or two more values that are removed again, without which some balanced trees cannot
//! be reached, then in all orders if they are few. States are persistent, so orders share their beginnings.
//! The cost is bounded in instructions, hence the same on every machine. The search finds all red-black trees
//! of up to seven nodes; most at the first try, in less than 0.1 ms.

mod api;
mod check;
mod give;
mod rows;
mod same;

use api::{Api, Callee};
pub(crate) use check::makes;
use evergreen_jvm::{Ending, Jvm, Ref, State, Value};
use evergreen_replay::{Build, BuildCall, Built, GraphBody, GraphObject, JavaValue, TestCase};
pub(crate) use give::{Whole, give};
use rows::{More, Recipe, Rows};
use rustc_hash::FxHashSet;
pub(crate) use same::Freedom;
use same::{Free, Moved, same, written};
use std::collections::BTreeSet;

/// Instructions that may be run to build one object.
const STEPS: u64 = 400_000;
/// What a call costs at least.
const CALL: u64 = 100;
/// So many values are tried in all orders.
const ALL_ORDERS: usize = 5;

/// Calls, and the fields that they make differently from the test case.
pub(crate) struct Found {
    pub(crate) build: Build,
    moved: Vec<Moved>,
}

/// Graphs for which no calls are known, so that none is searched twice: classes, fields, and of numbers only
/// their order.
#[derive(Default)]
pub(crate) struct Calls {
    failed: FxHashSet<Vec<u8>>,
}

impl Calls {
    /// Public calls that make every object that a test case needs; `None` if none were found.
    pub(crate) fn find(
        &mut self,
        jvm: &mut Jvm,
        base: &State,
        case: &TestCase,
        free: &Freedom,
    ) -> Option<Found> {
        let mut owned = BTreeSet::new();
        let mut found = Found { build: Build { objects: Vec::new() }, moved: Vec::new() };
        for root in roots(case) {
            let reached = rows::reach(&case.objects, root);
            // Objects that hang on two roots cannot be made by calls on each of them.
            if reached.iter().any(|object| !owned.insert(*object)) {
                return None;
            }
            let pattern = rows::pattern(&case.objects, &reached, free);
            if self.failed.contains(&pattern) {
                return None;
            }
            let search = Search::new(jvm, base, &case.objects, root, free);
            let Some((built, moved)) = search.and_then(|search| search.run(&reached)) else {
                self.failed.insert(pattern);
                return None;
            };
            found.build.objects.push(built);
            found.moved.extend(moved);
        }
        Some(found)
    }
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
    free: &'a Freedom,
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

impl<'a> Search<'a> {
    fn new(
        jvm: &'a mut Jvm,
        base: &State,
        objects: &'a [GraphObject],
        root: usize,
        free: &'a Freedom,
    ) -> Option<Search<'a>> {
        let api = Api::of(jvm, &objects.get(root)?.class)?;
        let mut before = base.clone();
        jvm.initialize_now(&mut before, api.class, STEPS)?;
        for object in objects.iter().filter(|object| matches!(object.body, GraphBody::Fields(_))) {
            let class = jvm.load(&object.class.replace('.', "/")).ok()?;
            jvm.initialize_now(&mut before, class, STEPS)?;
        }
        Some(Search { jvm, objects, root, free, api, before, left: STEPS })
    }

    fn run(mut self, reached: &[usize]) -> Option<(Built, Vec<Moved>)> {
        let found = self.search(reached)?;
        if self.jvm.differs_outside(&self.before, &found.state) {
            return None;
        }
        let moved = self.moved(&found)?;
        let (constructor, arguments) = ("()V".into(), Vec::new());
        Some((Built { object: self.root, constructor, arguments, calls: found.calls }, moved))
    }

    fn search(&mut self, reached: &[usize]) -> Option<Attempt> {
        let empty = self.construct()?;
        if self.fits(&empty) {
            return Some(empty);
        }
        let tables = rows::tables(self.objects, reached);
        let mut made = vec![written(&empty.state, empty.object)];
        let mut ways: Vec<Way> = Vec::new();
        for rows in &tables {
            for callee in self.api.methods.clone() {
                for recipe in rows.recipes(&callee) {
                    let next = self.by_levels(&empty, rows, &recipe);
                    if self.fits(&next) && next.calls.len() == rows.len() {
                        return Some(next);
                    }
                    // A call that changes nothing, or makes what another made, is not extended.
                    let now = written(&next.state, next.object);
                    if !made.contains(&now) {
                        made.push(now);
                        ways.push(Way { rows, recipe });
                    }
                }
            }
        }
        self.in_few_orders(&empty, &ways)
            .or_else(|| self.with_more(&empty, &ways))
            .or_else(|| self.in_all_orders(&empty, &ways))
    }

    fn in_few_orders(&mut self, empty: &Attempt, ways: &[Way<'_>]) -> Option<Attempt> {
        for way in ways {
            for order in way.rows.orders(&way.recipe) {
                let found = self.in_order(empty, way, &order, &[]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
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
        self.moved(attempt).is_some()
    }

    fn moved(&self, attempt: &Attempt) -> Option<Vec<Moved>> {
        same(self.jvm, &attempt.state, attempt.object, self.objects, self.root, self.free)
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

    /// Calls a method with every row, in the order of the rows, as far as it returns.
    fn by_levels(&mut self, empty: &Attempt, rows: &Rows, recipe: &Recipe) -> Attempt {
        let mut next = empty.clone();
        for row in 0..rows.len() {
            let before = next.clone();
            if !self.call(&mut next, &recipe.callee, rows.arguments(recipe, row)) {
                return before;
            }
        }
        next
    }

    /// The calls for rows in an order, then the last calls, each with one value; `None` if what they make
    /// does not fit.
    fn in_order(
        &mut self,
        empty: &Attempt,
        way: &Way<'_>,
        order: &[usize],
        last: &[(&Callee, &JavaValue)],
    ) -> Option<Attempt> {
        let mut next = empty.clone();
        for row in order {
            if !self.call(&mut next, &way.recipe.callee, way.rows.arguments(&way.recipe, *row)) {
                return None;
            }
        }
        self.and_then(next, last)
    }

    fn and_then(&mut self, mut attempt: Attempt, last: &[(&Callee, &JavaValue)]) -> Option<Attempt> {
        for (callee, value) in last {
            let argument = api::argument(value, &callee.parameters[0])?;
            if !self.call(&mut attempt, callee, vec![argument]) {
                return None;
            }
        }
        self.fits(&attempt).then_some(attempt)
    }

    /// The rows with more values, which are put in last or first, and taken out at the end.
    fn with_more(&mut self, empty: &Attempt, ways: &[Way<'_>]) -> Option<Attempt> {
        for more in [More::One, More::Two] {
            for way in ways {
                let more = way.rows.with_more(&way.recipe, more);
                for remover in self.removers(empty, way) {
                    for (values, rows) in &more {
                        let last: Vec<(&Callee, &JavaValue)> =
                            values.iter().map(|value| (&remover, value)).collect();
                        let way = Way { rows, recipe: way.recipe.clone() };
                        for order in rows.orders_with_last(&way.recipe, values.len()) {
                            let found = self.in_order(empty, &way, &order, &last);
                            if found.is_some() || self.left < CALL {
                                return found;
                            }
                        }
                    }
                }
            }
        }
        None
    }

    /// Every order of rows that are few, alone and with one more value that is taken out at the end.
    fn in_all_orders(&mut self, empty: &Attempt, ways: &[Way<'_>]) -> Option<Attempt> {
        for way in ways {
            if let Some(found) = self.orders_of(empty, way, &way.rows.all(), &[]) {
                return Some(found);
            }
        }
        for way in ways {
            let more = way.rows.with_more(&way.recipe, More::One);
            for remover in self.removers(empty, way) {
                for (values, rows) in &more {
                    let last: Vec<(&Callee, &JavaValue)> =
                        values.iter().map(|value| (&remover, value)).collect();
                    let way = Way { rows, recipe: way.recipe.clone() };
                    if let Some(found) = self.orders_of(empty, &way, &rows.all(), &last) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn orders_of(
        &mut self,
        so_far: &Attempt,
        way: &Way<'_>,
        left: &[usize],
        last: &[(&Callee, &JavaValue)],
    ) -> Option<Attempt> {
        if left.is_empty() {
            return self.and_then(so_far.clone(), last);
        }
        if left.len() > ALL_ORDERS {
            return None;
        }
        for (at, row) in left.iter().enumerate() {
            if self.left < CALL {
                return None;
            }
            let mut next = so_far.clone();
            if self.call(&mut next, &way.recipe.callee, way.rows.arguments(&way.recipe, *row)) {
                let others = [&left[..at], &left[at + 1..]].concat();
                let found = self.orders_of(&next, way, &others, last);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Methods that undo what another one did, those first that are called so.
    fn removers(&mut self, empty: &Attempt, way: &Way<'_>) -> Vec<Callee> {
        let mut all: Vec<Callee> = self.api.methods.clone();
        all.retain(|m| m.parameters.len() == 1 && m.method != way.recipe.callee.method);
        all.sort_by_key(|method| (method.taking(), method.name.len()));
        all.retain(|remover| self.takes_out(empty, way, remover));
        all.truncate(2);
        all
    }

    fn takes_out(&mut self, empty: &Attempt, way: &Way<'_>, remover: &Callee) -> bool {
        let mut next = empty.clone();
        let arguments = way.rows.arguments(&way.recipe, 0);
        let Some(value) = api::argument(&arguments[0], &remover.parameters[0]) else { return false };
        if !self.call(&mut next, &way.recipe.callee, arguments) {
            return false;
        }
        let before = written(&next.state, next.object).len();
        self.call(&mut next, remover, vec![value]) && written(&next.state, next.object).len() < before
    }
}

/// A method and the rows that it is called with.
struct Way<'r> {
    rows: &'r Rows,
    recipe: Recipe,
}
