//! The values of a graph as rows: one for each object of a class, with what its fields hold. Rows are what a
//! method that puts values in is called with.

use super::Freedom;
use super::api::{Callee, argument, nothing, primitive};
use evergreen_classfile::Type;
use evergreen_replay::{GraphBody, GraphObject, JavaValue};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Of values that are not there, so many are tried in pairs.
const PAIRED: usize = 6;

/// How many absent values are put in and removed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum More {
    One,
    Two,
}

/// The objects of one class.
#[derive(Clone)]
pub(crate) struct Rows {
    /// A column for each field that holds plain values; where a field was not listed there is none.
    columns: Vec<Vec<Option<JavaValue>>>,
    /// The rows in the order of a depth-first walk.
    deep: Vec<usize>,
    count: usize,
}

/// How a method is called with a row.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) callee: Callee,
    /// The column of each parameter; `None` if nothing of the graph goes there.
    sources: Vec<Option<usize>>,
}

/// The objects that a value points to.
pub(crate) fn references(value: &JavaValue, into: &mut impl FnMut(usize)) {
    match value {
        JavaValue::Ref(object) => into(*object),
        JavaValue::Array { items, .. } => items.iter().for_each(|item| references(item, into)),
        _ => {}
    }
}

fn next(object: &GraphObject) -> Vec<usize> {
    let mut all = Vec::new();
    let mut add = |value: &JavaValue| references(value, &mut |object| all.push(object));
    match &object.body {
        GraphBody::Fields(fields) => fields.iter().for_each(|field| add(&field.value)),
        GraphBody::Elements { items, .. } => items.iter().for_each(add),
    }
    all
}

/// The objects that hang on one, itself first, level by level.
pub(crate) fn reach(objects: &[GraphObject], root: usize) -> Vec<usize> {
    let mut all = vec![root];
    let mut seen = BTreeSet::from([root]);
    let mut at = 0;
    while let Some(object) = all.get(at).and_then(|index| objects.get(*index)) {
        all.extend(next(object).into_iter().filter(|to| *to < objects.len() && seen.insert(*to)));
        at += 1;
    }
    all
}

/// The same, branch by branch.
fn reach_deep(objects: &[GraphObject], root: usize) -> Vec<usize> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![root];
    while let Some(index) = open.pop() {
        if let Some(object) = objects.get(index).filter(|_| seen.insert(index)) {
            all.push(index);
            open.extend(next(object).into_iter().rev());
        }
    }
    all
}

/// Rows of every class in the graph below its root; for each also without the first object, which may be a
/// header.
pub(crate) fn tables(objects: &[GraphObject], reached: &[usize]) -> Vec<Rows> {
    let Some(root) = reached.first() else { return Vec::new() };
    let deep = reach_deep(objects, *root);
    let mut classes: Vec<&str> = Vec::new();
    for index in &reached[1..] {
        if matches!(objects[*index].body, GraphBody::Fields(_)) && !classes.contains(&&*objects[*index].class)
        {
            classes.push(&objects[*index].class);
        }
    }
    let mut all = Vec::new();
    for class in classes {
        let members: Vec<usize> =
            reached[1..].iter().copied().filter(|index| objects[*index].class == class).collect();
        all.push(rows_of(objects, &members, &deep));
        if members.len() > 1 {
            all.push(rows_of(objects, &members[1..], &deep));
        }
    }
    all
}

fn rows_of(objects: &[GraphObject], members: &[usize], deep: &[usize]) -> Rows {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut columns: Vec<Vec<Option<JavaValue>>> = Vec::new();
    for (row, index) in members.iter().enumerate() {
        let GraphBody::Fields(fields) = &objects[*index].body else { continue };
        for field in fields {
            if primitive(&field.value).is_none() && !matches!(field.value, JavaValue::String(_)) {
                continue;
            }
            let name = (&*field.owner, &*field.name);
            let column = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                columns.push(vec![None; members.len()]);
                names.len() - 1
            });
            columns[column][row] = Some(field.value.clone());
        }
    }
    let deep = deep.iter().filter_map(|index| members.iter().position(|member| member == index)).collect();
    Rows { columns, deep, count: members.len() }
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Every way to call a method with the rows.
    pub(crate) fn recipes(&self, callee: &Callee) -> Vec<Recipe> {
        let fitting = |of: &Type| -> Vec<Option<usize>> {
            let fits = |column: &Vec<Option<JavaValue>>| {
                column.iter().flatten().all(|value| argument(value, of).is_some())
            };
            (0..self.columns.len()).filter(|column| fits(&self.columns[*column])).map(Some).collect()
        };
        let mut all: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for (index, of) in callee.parameters.iter().enumerate() {
            let mut sources = fitting(of);
            if index > 0 || sources.is_empty() {
                sources.push(None);
            }
            let with = |before: &Vec<Option<usize>>| -> Vec<Vec<Option<usize>>> {
                let new = |source: &&Option<usize>| source.is_none() || !before.contains(source);
                sources.iter().filter(new).map(|source| [before.clone(), vec![*source]].concat()).collect()
            };
            all = all.iter().flat_map(with).collect();
        }
        all.into_iter().map(|sources| Recipe { callee: callee.clone(), sources }).collect()
    }

    /// The arguments of the call for a row.
    pub(crate) fn arguments(&self, recipe: &Recipe, row: usize) -> Vec<JavaValue> {
        let pairs = recipe.callee.parameters.iter().zip(&recipe.sources);
        pairs
            .map(|(of, source)| {
                let value = source.and_then(|column| self.columns[column][row].as_ref());
                value.and_then(|value| argument(value, of)).unwrap_or_else(|| nothing(of))
            })
            .collect()
    }

    /// The column that decides where a row goes.
    fn keys(&self, recipe: &Recipe) -> Option<&Vec<Option<JavaValue>>> {
        recipe.sources.iter().flatten().next().map(|column| &self.columns[*column])
    }

    /// Few orders that are often right: by levels, sorted, deep first, and their opposites.
    pub(crate) fn orders(&self, recipe: &Recipe) -> Vec<Vec<usize>> {
        let levels: Vec<usize> = (0..self.count).collect();
        let mut sorted = levels.clone();
        if let Some(keys) = self.keys(recipe) {
            sorted.sort_by(|a, b| compare(&keys[*a], &keys[*b]));
        }
        let mut all: Vec<Vec<usize>> = Vec::new();
        for order in [levels, sorted, self.deep.clone()] {
            let back = order.iter().rev().copied().collect();
            for order in [order, back] {
                if !all.contains(&order) {
                    all.push(order);
                }
            }
        }
        all
    }

    /// All rows.
    pub(crate) fn all(&self) -> Vec<usize> {
        (0..self.count).collect()
    }

    /// The same, with the last rows, so many, always together: at the end or at the beginning.
    pub(crate) fn orders_with_last(&self, recipe: &Recipe, count: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::new();
        let first = self.count.saturating_sub(count);
        for mut order in self.orders(recipe) {
            order.retain(|row| *row < first);
            order.extend(first..self.count);
            if !all.contains(&order) {
                all.push(order.clone());
                order.rotate_right(count);
                all.push(order);
            }
        }
        all
    }

    /// These rows and more, with values that are not there; which these are, in the order in which they are
    /// taken out.
    pub(crate) fn with_more(&self, recipe: &Recipe, more: More) -> Vec<(Vec<JavaValue>, Rows)> {
        let Some(column) = recipe.sources.first().copied().flatten() else { return Vec::new() };
        let absent = self.absent(column);
        let chosen: Vec<Vec<JavaValue>> = match more {
            More::One => absent.into_iter().map(|value| vec![value]).collect(),
            More::Two => {
                let few = &absent[..absent.len().min(PAIRED)];
                let pairs = few.iter().flat_map(|a| few.iter().map(move |b| vec![a.clone(), b.clone()]));
                pairs.filter(|pair| pair[0] != pair[1]).collect()
            }
        };
        let with = |values: Vec<JavaValue>| {
            let rows = values.iter().fold(self.clone(), |rows, value| rows.with(column, value));
            (values, rows)
        };
        chosen.into_iter().map(with).collect()
    }

    fn with(&self, column: usize, value: &JavaValue) -> Rows {
        let mut rows = self.clone();
        for (index, values) in rows.columns.iter_mut().enumerate() {
            values.push((index == column).then(|| value.clone()));
        }
        rows.deep.push(rows.count);
        rows.count += 1;
        rows
    }

    /// Values that a column does not have: beyond both ends, then between any two.
    fn absent(&self, column: usize) -> Vec<JavaValue> {
        let Some(sample) = self.columns[column].iter().flatten().next() else { return Vec::new() };
        let mut there: Vec<i64> = self.columns[column].iter().flatten().filter_map(whole).collect();
        there.sort_unstable();
        let between = there.windows(2).map(|pair| pair[0].midpoint(pair[1]));
        let ends = there.last().and_then(|last| last.checked_add(1)).into_iter();
        let ends = ends.chain(there.first().and_then(|first| first.checked_sub(1)));
        let mut all: Vec<i64> = Vec::new();
        for n in ends.chain(between) {
            if !there.contains(&n) && !all.contains(&n) {
                all.push(n);
            }
        }
        all.into_iter().filter_map(|n| like(sample, n)).collect()
    }
}

/// The objects that are the only ones of their class.
pub(crate) fn alone(objects: &[GraphObject], reached: &[usize]) -> BTreeSet<usize> {
    let class = |index: &usize| &objects[*index].class;
    let is_alone = |index: &&usize| reached.iter().filter(|other| class(other) == class(index)).count() == 1;
    reached.iter().filter(is_alone).copied().collect()
}

/// A graph without its numbers: equal for graphs that the same calls would make if all that counts is the
/// order of the numbers.
pub(crate) fn pattern(objects: &[GraphObject], reached: &[usize], free: &Freedom) -> Vec<u8> {
    let mut out = Vec::new();
    let mut numbers: BTreeSet<i64> = BTreeSet::new();
    let fields = |index: &usize| match &objects[*index].body {
        GraphBody::Fields(fields) => {
            fields.iter().map(|field| (&*field.name, &field.value)).collect::<Vec<_>>()
        }
        GraphBody::Elements { items, .. } => items.iter().map(|item| ("", item)).collect(),
    };
    for index in reached {
        numbers.extend(fields(index).iter().filter_map(|(_, value)| whole(value)));
    }
    let ranks: Vec<i64> = numbers.into_iter().collect();
    for index in reached {
        out.extend(objects[*index].class.as_bytes());
        for (at, (name, value)) in fields(index).into_iter().enumerate() {
            out.push(free.get(&(*index, at)).map_or(0, |free| 2 + *free as u8));
            out.extend(name.as_bytes());
            out.push(0);
            match (value, whole(value)) {
                (JavaValue::Ref(to), _) => {
                    let place = reached.iter().position(|known| known == to).unwrap_or(usize::MAX);
                    out.extend(place.to_be_bytes());
                }
                (_, Some(n)) => out.extend(ranks.binary_search(&n).unwrap_or_default().to_be_bytes()),
                (value, None) => out.extend(format!("{value:?}").as_bytes()),
            }
        }
        out.push(1);
    }
    out
}

/// A whole number, in a box or not.
fn whole(value: &JavaValue) -> Option<i64> {
    Some(match value {
        JavaValue::Byte(n) => (*n).into(),
        JavaValue::Char(n) => (*n).into(),
        JavaValue::Short(n) => (*n).into(),
        JavaValue::Int(n) => (*n).into(),
        JavaValue::Long(n) => *n,
        JavaValue::Boxed(inner) => return whole(inner),
        _ => return None,
    })
}

/// A number of the type of another value, if it is one of that type.
fn like(sample: &JavaValue, n: i64) -> Option<JavaValue> {
    Some(match sample {
        JavaValue::Byte(_) => JavaValue::Byte(n.try_into().ok()?),
        JavaValue::Char(_) => JavaValue::Char(n.try_into().ok()?),
        JavaValue::Short(_) => JavaValue::Short(n.try_into().ok()?),
        JavaValue::Int(_) => JavaValue::Int(n.try_into().ok()?),
        JavaValue::Long(_) => JavaValue::Long(n),
        JavaValue::Boxed(inner) => JavaValue::Boxed(Box::new(like(inner, n)?)),
        _ => return None,
    })
}

/// As Java's own order has them.
fn compare(a: &Option<JavaValue>, b: &Option<JavaValue>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
    match (a, b) {
        (JavaValue::Boxed(a), JavaValue::Boxed(b)) => compare(&Some((**a).clone()), &Some((**b).clone())),
        (JavaValue::Float(a), JavaValue::Float(b)) => a.total_cmp(b),
        (JavaValue::Double(a), JavaValue::Double(b)) => a.total_cmp(b),
        (JavaValue::String(a), JavaValue::String(b)) => a.cmp(b),
        (a, b) => whole(a).cmp(&whole(b)),
    }
}

/// The class of boxes of a primitive, and the letter of its type.
pub(crate) fn box_class(value: &JavaValue) -> Option<(&'static str, char)> {
    Some(match value {
        JavaValue::Boolean(_) => ("java/lang/Boolean", 'Z'),
        JavaValue::Byte(_) => ("java/lang/Byte", 'B'),
        JavaValue::Char(_) => ("java/lang/Character", 'C'),
        JavaValue::Short(_) => ("java/lang/Short", 'S'),
        JavaValue::Int(_) => ("java/lang/Integer", 'I'),
        JavaValue::Long(_) => ("java/lang/Long", 'J'),
        JavaValue::Float(_) => ("java/lang/Float", 'F'),
        JavaValue::Double(_) => ("java/lang/Double", 'D'),
        _ => return None,
    })
}
