//! Sort rules that no signature can say: tuples, relations, tables, functions as values, z3's `map`.

use evergreen_term::{Dialect, Opaque, Sort, SortId, TermId, Terms};

/// The sort of an application by the rule of that name; the text of the function has its indices.
pub(super) fn result(terms: &mut Terms, rule: &str, text: &str, args: &[TermId]) -> Option<SortId> {
    let sorts: Vec<SortId> = args.iter().map(|&arg| terms.sort_of(arg)).collect();
    let numbers = numbers(text);
    match (rule, &sorts[..]) {
        ("tuple", _) => Some(tuple(terms, &sorts)),
        ("select", &[value]) => row(terms, value)?.get(*numbers.first()?).copied(),
        ("update", &[value, field]) => {
            (*row(terms, value)?.get(*numbers.first()?)? == field).then_some(value)
        }
        ("project", &[value]) => {
            let fields = row(terms, value)?;
            let chosen: Option<Vec<SortId>> = numbers.iter().map(|&n| fields.get(n).copied()).collect();
            Some(tuple(terms, &chosen?))
        }
        ("project_rows", &[rows]) => {
            let (head, fields) = rows_of(terms, rows)?;
            let chosen: Option<Vec<SortId>> = numbers.iter().map(|&n| fields.get(n).copied()).collect();
            Some(of_rows(terms, &head, &chosen?))
        }
        ("transpose", &[rows]) => {
            let (head, mut fields) = rows_of(terms, rows)?;
            fields.reverse();
            Some(of_rows(terms, &head, &fields))
        }
        ("closure", &[rows]) => match rows_of(terms, rows)?.1[..] {
            [a, b] if a == b => Some(rows),
            _ => None,
        },
        ("product", &[left, right]) => {
            let ((head, mut fields), (other, more)) = (rows_of(terms, left)?, rows_of(terms, right)?);
            fields.extend(more);
            (head == other).then(|| of_rows(terms, &head, &fields))
        }
        ("join", &[left, right]) => {
            let ((head, mut fields), (other, more)) = (rows_of(terms, left)?, rows_of(terms, right)?);
            let is_joined = head == other && fields.len() + more.len() > 2 && fields.last() == more.first();
            fields.pop();
            fields.extend(more.into_iter().skip(1));
            is_joined.then(|| of_rows(terms, &head, &fields))
        }
        ("iden", &[rows]) => match rows_of(terms, rows)? {
            (head, fields) if fields.len() == 1 => Some(of_rows(terms, &head, &[fields[0], fields[0]])),
            _ => None,
        },
        ("join_image", &[rows, SortId::INT]) => match rows_of(terms, rows)? {
            (head, fields) if fields.len() == 2 => Some(of_rows(terms, &head, &fields[..1])),
            _ => None,
        },
        // The function itself is in the arguments.
        ("apply", [function, _, ..]) => is_function(terms, *function).then_some(*function),
        ("map", _) => map(terms, text, &sorts),
        ("float", &[SortId::ROUNDING_MODE, SortId::REAL, SortId::INT]) => match numbers[..] {
            [exponent, significand] => {
                let (exponent, significand) =
                    (u32::try_from(exponent).ok()?, u32::try_from(significand).ok()?);
                let is_format = (2..1 << 20).contains(&exponent) && (2..1 << 20).contains(&significand);
                is_format.then(|| terms.sort(Sort::Float(exponent, significand)))
            }
            _ => None,
        },
        ("ieee_bits", &[float]) => match *terms.sort_kind(float) {
            Sort::Float(exponent, significand) => Some(terms.bitvec_sort(exponent.checked_add(significand)?)),
            _ => None,
        },
        _ => None,
    }
}

/// The numerals among the indices of a text `(_ name i j)`.
fn numbers(text: &str) -> Vec<usize> {
    text.trim_end_matches(')').split(' ').skip(2).filter_map(|word| word.parse().ok()).collect()
}

fn tuple(terms: &mut Terms, fields: &[SortId]) -> SortId {
    let name = terms.name("Tuple");
    terms.sort(Sort::Opaque(name, fields.into()))
}

/// The fields of a tuple's sort.
fn row(terms: &Terms, sort: SortId) -> Option<Vec<SortId>> {
    match terms.sort_kind(sort) {
        Sort::Opaque(name, fields) if terms.text(*name) == "Tuple" => Some(fields.to_vec()),
        _ => None,
    }
}

/// Of a relation or a table: `Set` or `Bag`, and the fields of its tuples.
fn rows_of(terms: &Terms, sort: SortId) -> Option<(String, Vec<SortId>)> {
    match terms.sort_kind(sort) {
        Sort::Opaque(name, args) if matches!(terms.text(*name), "Set" | "Bag") => {
            Some((terms.text(*name).to_owned(), row(terms, args[0])?))
        }
        _ => None,
    }
}

fn of_rows(terms: &mut Terms, head: &str, fields: &[SortId]) -> SortId {
    let row = tuple(terms, fields);
    let name = terms.name(head);
    terms.sort(Sort::Opaque(name, Box::new([row])))
}

/// `((_ map f) a b)` over arrays with the same indices, where `f` gives what its last argument is.
fn map(terms: &mut Terms, text: &str, sorts: &[SortId]) -> Option<SortId> {
    let mut elements = Vec::with_capacity(sorts.len());
    let mut indices = None;
    for &sort in sorts {
        let Sort::Array(index, element) = *terms.sort_kind(sort) else { return None };
        if *indices.get_or_insert(index) != index {
            return None;
        }
        elements.push(element);
    }
    let is = |sort: SortId| elements.iter().all(|&element| element == sort);
    let last = *elements.last()?;
    let fits = match text {
        "(_ map and)" | "(_ map or)" | "(_ map xor)" | "(_ map =>)" => is(SortId::BOOL),
        "(_ map not)" => is(SortId::BOOL) && elements.len() == 1,
        "(_ map +)" | "(_ map *)" | "(_ map -)" => is(SortId::INT) || is(SortId::REAL),
        "(_ map ite)" => elements.len() == 3 && elements[0] == SortId::BOOL && elements[1] == last,
        _ => false,
    };
    fits.then(|| terms.array_sort(indices.expect("has arguments"), last))
}

/// The sort of functions, `(-> A B C)`: what returns a function has its parameters too, as in cvc5.
pub(crate) fn function_sort(terms: &mut Terms, params: &[SortId], result: SortId) -> SortId {
    let mut all = params.to_vec();
    match function_parts(terms, result) {
        Some(parts) => all.extend(parts),
        None => all.push(result),
    }
    let name = terms.name("->");
    terms.sort(Sort::Opaque(name, all.into()))
}

/// Parameters and result of a sort of functions.
pub(crate) fn function_parts(terms: &Terms, sort: SortId) -> Option<Vec<SortId>> {
    match terms.sort_kind(sort) {
        Sort::Opaque(name, parts) if terms.text(*name) == "->" => Some(parts.to_vec()),
        _ => None,
    }
}

pub(crate) fn is_function(terms: &Terms, sort: SortId) -> bool {
    function_parts(terms, sort).is_some()
}

/// A function that is a value, applied to some of its arguments or all.
pub(crate) fn applied(
    terms: &mut Terms,
    dialect: Dialect,
    function: TermId,
    args: &[TermId],
) -> Result<TermId, String> {
    let parts = function_parts(terms, terms.sort_of(function)).ok_or("not a function")?;
    let fits = args.len() < parts.len() && args.iter().zip(&parts).all(|(&a, &s)| terms.sort_of(a) == s);
    if !fits || args.is_empty() {
        return Err("a function that is a value wants other arguments".into());
    }
    let rest = &parts[args.len()..];
    let sort = match rest {
        &[result] => result,
        [params @ .., result] => function_sort(terms, params, *result),
        [] => return Err("a function without a result".into()),
    };
    let all: Vec<TermId> = [function].into_iter().chain(args.iter().copied()).collect();
    let opaque = Opaque { dialect, text: "".into(), sorts: Box::new([]) };
    terms.opaque(opaque, sort, &all).map_err(|error| error.to_string())
}
