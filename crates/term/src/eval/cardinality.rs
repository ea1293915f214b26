//! The number of elements of a sort, and the elements: equality of arrays over finite
//! index sorts depends on them.

use super::{MAX_VALUE_SIZE, array};
use crate::{ArrayValue, BitVec, Entries, Float, RoundingMode, Sort, SortId, Terms, Value};
use std::collections::BTreeMap;

/// How many elements a sort has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cardinality {
    /// That many, and they can be listed.
    Finite(usize),
    /// Infinitely many, or more than twice as many as a value has room for.
    Many,
    /// The model decides: at least one.
    Open,
}

use Cardinality::{Finite, Many, Open};

fn finite(count: Option<usize>) -> Cardinality {
    count.filter(|n| *n <= 2 * MAX_VALUE_SIZE).map_or(Many, Finite)
}

/// The number of elements of a sort.
pub(super) fn cardinality(terms: &Terms, sort: SortId) -> Cardinality {
    match terms.sort_kind(sort) {
        Sort::Bool => Finite(2),
        Sort::BitVec(width) => finite(1usize.checked_shl(*width)),
        Sort::Int | Sort::Real | Sort::String => Many,
        _ => count(terms, sort, &mut BTreeMap::new()),
    }
}

/// `seen` holds the datatypes met before. One that is met again while it is being counted contains
/// itself, so it is infinite.
fn count(terms: &Terms, sort: SortId, seen: &mut BTreeMap<SortId, Cardinality>) -> Cardinality {
    match terms.sort_kind(sort) {
        Sort::Bool => Finite(2),
        Sort::RoundingMode => Finite(RoundingMode::ALL.len()),
        Sort::BitVec(width) => finite(1usize.checked_shl(*width)),
        Sort::Float(exponent, significand) => {
            // All bit patterns less the NaNs, of which there is but one.
            let all = exponent.checked_add(*significand).and_then(|bits| 1usize.checked_shl(bits));
            finite(all.map(|all| all - (1 << significand) + 3))
        }
        Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Seq(_) => Many,
        Sort::Uninterpreted(..) | Sort::Opaque(..) => Open,
        Sort::Array(index, element) => match (count(terms, *index, seen), count(terms, *element, seen)) {
            (_, Finite(1)) => Finite(1),
            (_, Many) => Many,
            (_, Open) | (Open, _) => Open,
            (Many, Finite(_)) => Many,
            (Finite(indices), Finite(elements)) => {
                finite(u32::try_from(indices).ok().and_then(|n| elements.checked_pow(n)))
            }
        },
        Sort::Datatype(data) => {
            if let Some(known) = seen.get(&sort) {
                return *known;
            }
            seen.insert(sort, Many);
            let mut sum = Finite(0);
            for constructor in &terms.datatype(*data).constructors {
                let params = &terms.symbol_of(constructor.symbol).params;
                let product = params.iter().fold(Finite(1), |product, param| {
                    match (product, count(terms, *param, seen)) {
                        (Many, _) | (_, Many) => Many,
                        (Open, _) | (_, Open) => Open,
                        (Finite(a), Finite(b)) => finite(a.checked_mul(b)),
                    }
                });
                sum = match (sum, product) {
                    (Many, _) | (_, Many) => Many,
                    (Open, _) | (_, Open) => Open,
                    (Finite(a), Finite(b)) => finite(a.checked_add(b)),
                };
            }
            seen.insert(sort, sum);
            sum
        }
    }
}

/// The elements of a sort that has finitely many, each settled.
pub(super) fn elements(terms: &Terms, sort: SortId) -> Vec<Value> {
    match terms.sort_kind(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::RoundingMode => RoundingMode::ALL.map(Value::RoundingMode).to_vec(),
        Sort::BitVec(width) => {
            (0..1u128 << width).map(|bits| Value::BitVec(BitVec::new(*width, bits))).collect()
        }
        Sort::Float(exponent, significand) => {
            let width = exponent + significand;
            let all = (0..1u128 << width)
                .filter_map(|bits| Float::from_bits(*exponent, *significand, BitVec::new(width, bits)));
            let mut all: Vec<Value> = all.map(|float| Value::Float(Box::new(float))).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        Sort::Array(index, element) => {
            let indices = elements(terms, *index);
            let choices = vec![elements(terms, *element); indices.len()];
            let make = |row: Vec<Value>| {
                let default = row[0].clone();
                let mut array = Box::new(ArrayValue { sort, default, entries: Entries::new() });
                for (index, element) in indices.iter().zip(row) {
                    array.set(index.clone(), element);
                }
                array::settle_top(terms, &mut array);
                Value::Array(array)
            };
            rows(&choices).into_iter().map(make).collect()
        }
        Sort::Datatype(data) => {
            let mut all = Vec::new();
            for constructor in &terms.datatype(*data).constructors {
                let params = &terms.symbol_of(constructor.symbol).params;
                let choices: Vec<Vec<Value>> = params.iter().map(|param| elements(terms, *param)).collect();
                let made = rows(&choices).into_iter();
                all.extend(made.map(|row| Value::Data(constructor.symbol, row.into())));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// Every way to take one of each.
fn rows(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for choice in choices {
        rows = rows
            .iter()
            .flat_map(|row| {
                choice.iter().map(move |value| row.iter().cloned().chain([value.clone()]).collect())
            })
            .collect();
    }
    rows
}

/// Whether different settled values of the sort are different elements: not so for arrays over declared
/// sorts, whose number of indices is open.
pub(super) fn is_plain(terms: &Terms, sort: SortId) -> bool {
    plain(terms, sort, &mut Vec::new())
}

fn plain(terms: &Terms, sort: SortId, seen: &mut Vec<SortId>) -> bool {
    match terms.sort_kind(sort) {
        Sort::Array(index, element) => {
            cardinality(terms, *index) != Open && plain(terms, *index, seen) && plain(terms, *element, seen)
        }
        Sort::Datatype(data) => {
            if seen.contains(&sort) {
                return true;
            }
            seen.push(sort);
            let constructors = &terms.datatype(*data).constructors;
            constructors.iter().all(|constructor| {
                let params = &terms.symbol_of(constructor.symbol).params;
                params.iter().all(|param| plain(terms, *param, seen))
            })
        }
        Sort::RegLan | Sort::Seq(_) | Sort::Opaque(..) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn datatype(terms: &mut Terms, name: &str, constructors: &[&[SortId]]) -> SortId {
        let text = terms.name(name);
        let (data, sort) = terms.begin_datatype(text, &[]);
        for (i, params) in constructors.iter().enumerate() {
            let fields: Vec<_> =
                params.iter().enumerate().map(|(j, p)| (terms.name(&format!("{name}{i}{j}")), *p)).collect();
            let constructor = terms.name(&format!("{name}{i}"));
            terms.add_constructor(data, constructor, &fields);
        }
        sort
    }

    #[test]
    fn finite_sorts_have_as_many_elements_as_they_say() {
        let mut t = Terms::new();
        let (one, two) = (t.bitvec_sort(1), t.bitvec_sort(2));
        let tone = datatype(&mut t, "tone", &[&[], &[], &[]]);
        let pair = datatype(&mut t, "pair", &[&[tone, one], &[SortId::BOOL]]);
        let (small, odd) = (t.sort(Sort::Float(2, 2)), t.sort(Sort::Float(3, 4)));
        let map = t.array_sort(two, tone);
        let nested = t.array_sort(one, map);
        let keyed = t.array_sort(small, SortId::BOOL);
        for (sort, count) in [
            (SortId::BOOL, 2),
            (SortId::ROUNDING_MODE, 5),
            (two, 4),
            (small, 15),
            (odd, 115),
            (tone, 3),
            (pair, 8),
            (map, 81),
            (nested, 6561),
            (keyed, 1 << 15),
        ] {
            assert_eq!(cardinality(&t, sort), Finite(count));
            let listed = elements(&t, sort);
            assert!(listed.iter().all(|value| value.fits(&t, sort)));
            assert_eq!(listed.len(), count);
            assert_eq!(listed.into_iter().collect::<BTreeSet<_>>().len(), count);
        }
    }

    #[test]
    fn infinite_and_open_sorts() {
        let mut t = Terms::new();
        let name = t.name("U");
        let u = t.sort(Sort::Uninterpreted(name, Box::new([])));
        let name = t.name("List");
        let (data, list) = t.begin_datatype(name, &[]);
        let [nil, cons, tail] = ["nil", "cons", "tail"].map(|n| t.name(n));
        t.add_constructor(data, nil, &[]);
        t.add_constructor(data, cons, &[(tail, list)]);
        let unit = datatype(&mut t, "unit", &[&[]]);
        let boxed = datatype(&mut t, "boxed", &[&[u], &[]]);
        let wide = t.bitvec_sort(64);
        for (sort, expected) in [
            (SortId::INT, Many),
            (wide, Many),
            (list, Many),
            (u, Open),
            (boxed, Open),
            (t.array_sort(SortId::INT, SortId::BOOL), Many),
            (t.array_sort(u, SortId::BOOL), Open),
            (t.array_sort(u, unit), Finite(1)),
        ] {
            assert_eq!(cardinality(&t, sort), expected);
        }
        let over_u = t.array_sort(u, SortId::INT);
        let holder = datatype(&mut t, "holder", &[&[SortId::INT], &[over_u]]);
        assert!(is_plain(&t, list) && !is_plain(&t, over_u) && !is_plain(&t, holder));
    }
}
