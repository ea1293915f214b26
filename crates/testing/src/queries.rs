//! Random queries as trees, and the ways of writing one query differently.
//!
//! A [`Query`] is built into an arena under a [`Writing`]: names of variables, order of constraints, order of
//! commutative arguments and direction of comparisons. Every writing of a query must have the same key.

use crate::random::Random;
use evergreen_term::{Fun, SortId, TermId, Terms};

/// A tree over numbered variables.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A variable of the query.
    Var(usize),
    /// An integer.
    Int(i64),
    /// A bit vector of the query's width.
    Bits(u128),
    /// A function applied to trees.
    App(Fun, Vec<Tree>),
}

/// A conjunction of random constraints.
#[derive(Clone, Debug)]
pub struct Query {
    /// The sort of each variable.
    pub variables: Vec<Sort>,
    /// The constraints.
    pub constraints: Vec<Tree>,
}

/// The sorts that random queries use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Integers.
    Int,
    /// Bytes.
    Byte,
    /// Arrays from bytes to bytes.
    Memory,
}

/// A random conjunction of linear integer constraints: 1 to 8 constraints over 1 to 6 variables.
pub fn linear(random: &mut Random) -> Query {
    let variables = 1 + random.below(6);
    let count = 1 + random.below(8);
    let constraints = (0..count).map(|_| linear_constraint(random, variables)).collect();
    Query { variables: vec![Sort::Int; variables], constraints }
}

fn linear_constraint(random: &mut Random, variables: usize) -> Tree {
    let mut sum: Vec<Tree> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let v = Tree::Var(random.below(variables));
        sum.push(match random.between(-3, 3) {
            0 | 1 => v,
            c => Tree::App(Fun::Mul, vec![Tree::Int(c), v]),
        });
    }
    let left = if sum.len() == 1 { sum.remove(0) } else { Tree::App(Fun::Add, sum) };
    let right = match random.below(3) {
        0 => Tree::Var(random.below(variables)),
        _ => Tree::Int(random.between(-6, 6)),
    };
    let fun = *random.choose(&[Fun::Le, Fun::Lt, Fun::Ge, Fun::Gt, Fun::Eq, Fun::Distinct]);
    let atom = Tree::App(fun, vec![left, right]);
    match random.below(8) {
        0 => Tree::App(Fun::Not, vec![atom]),
        1 => Tree::App(Fun::Or, vec![atom, linear_constraint(random, variables)]),
        _ => atom,
    }
}

/// A conjunction with much symmetry: 1 to 5 variables, each with some others that change places freely; some
/// of the first ones can change places too, with all of their own.
pub fn twins(random: &mut Random) -> Query {
    let hubs = 1 + random.below(5);
    let same = random.one_in(2).then(|| 1 + random.below(4));
    let var = Tree::Var;
    let distinct = |a: Tree, b: Tree| Tree::App(Fun::Distinct, vec![a, b]);
    let mut variables = hubs;
    let mut constraints = Vec::new();
    let are_apart = random.one_in(2);
    for hub in 0..hubs {
        let size = same.unwrap_or_else(|| 1 + random.below(4));
        let own: Vec<usize> = (variables..variables + size).collect();
        variables += size;
        for &twin in &own {
            let sum = Tree::App(Fun::Add, vec![var(hub), Tree::App(Fun::Mul, vec![Tree::Int(2), var(twin)])]);
            constraints.push(Tree::App(Fun::Le, vec![sum, Tree::Int(3)]));
        }
        if are_apart {
            let pairs = own.iter().flat_map(|&a| own.iter().filter(move |&&b| b < a).map(move |&b| (a, b)));
            constraints.extend(pairs.map(|(a, b)| distinct(var(a), var(b))));
        }
    }
    if random.one_in(2) {
        constraints.extend(
            (0..hubs).map(|hub| distinct(var(hub), var((hub + 1) % hubs))).skip(usize::from(hubs < 3)),
        );
    }
    if random.one_in(3) {
        constraints.push(Tree::App(Fun::Le, vec![var(0), Tree::Int(1)]));
    }
    Query { variables: vec![Sort::Int; variables], constraints }
}

/// A random conjunction over bytes and byte arrays: 1 to 7 constraints.
pub fn bits(random: &mut Random) -> Query {
    let bytes = 1 + random.below(4);
    let arrays = random.below(3);
    let mut variables = vec![Sort::Byte; bytes];
    variables.extend(vec![Sort::Memory; arrays]);
    let count = 1 + random.below(7);
    let constraints = (0..count).map(|_| bit_constraint(random, &variables, 2)).collect();
    Query { variables, constraints }
}

fn bit_constraint(random: &mut Random, variables: &[Sort], depth: usize) -> Tree {
    if depth > 0 && random.one_in(5) {
        let fun = *random.choose(&[Fun::And, Fun::Or, Fun::Xor, Fun::Implies]);
        let a = bit_constraint(random, variables, depth - 1);
        return Tree::App(fun, vec![a, bit_constraint(random, variables, depth - 1)]);
    }
    if random.one_in(8) {
        return Tree::App(Fun::Not, vec![bit_constraint(random, variables, depth)]);
    }
    use Fun::*;
    let fun = *random.choose(&[Eq, Distinct, BvUlt, BvUle, BvUgt, BvUge, BvSlt, BvSle, BvSgt, BvSge]);
    Tree::App(fun, vec![byte(random, variables, 2), byte(random, variables, 2)])
}

fn byte(random: &mut Random, variables: &[Sort], depth: usize) -> Tree {
    let arrays: Vec<usize> = (0..variables.len()).filter(|&v| variables[v] == Sort::Memory).collect();
    let scalars = variables.len() - arrays.len();
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => Tree::Bits(random.below(256) as u128),
        1 | 2 => Tree::Var(random.below(scalars)),
        3 if !arrays.is_empty() => {
            let array = Tree::Var(*random.choose(&arrays));
            let index = match random.below(4) {
                0 if depth > 0 => byte(random, variables, depth - 1),
                _ => Tree::Bits(random.below(6) as u128),
            };
            Tree::App(Fun::Select, vec![array, index])
        }
        4 if !arrays.is_empty() && depth > 0 => {
            let array = Tree::Var(*random.choose(&arrays));
            let store = vec![array, byte(random, variables, 0), byte(random, variables, 0)];
            let index = byte(random, variables, depth - 1);
            Tree::App(Fun::Select, vec![Tree::App(Fun::Store, store), index])
        }
        5 | 6 if depth > 0 => {
            use Fun::*;
            let fun = *random.choose(&[BvAdd, BvMul, BvAnd, BvOr, BvXor, BvSub, BvShl, BvLshr, BvUrem]);
            Tree::App(fun, vec![byte(random, variables, depth - 1), byte(random, variables, depth - 1)])
        }
        7 if depth > 0 => {
            let condition = bit_constraint(random, variables, 0);
            let branches = [byte(random, variables, 0), byte(random, variables, 0)];
            let [a, b] = branches;
            Tree::App(Fun::Ite, vec![condition, a, b])
        }
        _ => Tree::Var(random.below(scalars)),
    }
}

/// A way of writing a query down.
pub struct Writing<'a> {
    /// Where choices come from; `None` writes the query as it stands.
    pub random: Option<&'a mut Random>,
    /// Put before the names of variables.
    pub prefix: String,
}

impl Query {
    /// The constraints as terms.
    pub fn build(&self, terms: &mut Terms, writing: &mut Writing<'_>) -> Vec<TermId> {
        let mut names: Vec<usize> = (0..self.variables.len()).collect();
        let mut order: Vec<usize> = (0..self.constraints.len()).collect();
        if let Some(random) = &mut writing.random {
            random.shuffle(&mut names);
            random.shuffle(&mut order);
        }
        let variables: Vec<TermId> = self
            .variables
            .iter()
            .zip(&names)
            .map(|(sort, n)| {
                let sort = match sort {
                    Sort::Int => SortId::INT,
                    Sort::Byte => terms.bitvec_sort(8),
                    Sort::Memory => {
                        let byte = terms.bitvec_sort(8);
                        terms.array_sort(byte, byte)
                    }
                };
                terms.constant(&format!("{}{n}", writing.prefix), sort)
            })
            .collect();
        order.iter().map(|&i| build(&self.constraints[i], terms, &variables, writing)).collect()
    }
}

/// The same comparison read from the right.
fn mirrored(fun: Fun) -> Option<Fun> {
    use Fun::*;
    let pairs = [(Le, Ge), (Lt, Gt), (BvUlt, BvUgt), (BvUle, BvUge), (BvSlt, BvSgt), (BvSle, BvSge)];
    pairs.iter().find_map(|&(a, b)| match fun {
        _ if fun == a => Some(b),
        _ if fun == b => Some(a),
        _ => None,
    })
}

fn build(tree: &Tree, terms: &mut Terms, variables: &[TermId], writing: &mut Writing<'_>) -> TermId {
    let (fun, children) = match tree {
        Tree::Var(v) => return variables[*v],
        Tree::Int(v) => return terms.int(*v),
        Tree::Bits(v) => return terms.bv(8, *v),
        Tree::App(fun, children) => (*fun, children),
    };
    let mut args: Vec<TermId> = children.iter().map(|c| build(c, terms, variables, writing)).collect();
    let mut head = fun;
    if let Some(random) = &mut writing.random {
        if fun.commutes() {
            random.shuffle(&mut args);
        } else if let Some(other) = mirrored(fun)
            && random.one_in(2)
        {
            args.reverse();
            head = other;
        }
    }
    terms.app(head, &args).expect("random queries are well sorted")
}
