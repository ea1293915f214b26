//! cvc5's bags and tables (bags of tuples).

use super::{ANY, Entry};

pub(super) const FUNCTIONS: &[Entry] = &[
    ("bag", 0, "a Int -> (Bag a)"),
    ("bag.union_max", 0, "(Bag a) (Bag a)+ -> (Bag a)"),
    ("bag.union_disjoint", 0, "(Bag a) (Bag a)+ -> (Bag a)"),
    ("bag.inter_min", 0, "(Bag a) (Bag a)+ -> (Bag a)"),
    ("bag.difference_subtract", 0, "(Bag a) (Bag a) -> (Bag a)"),
    ("bag.difference_remove", 0, "(Bag a) (Bag a) -> (Bag a)"),
    ("bag.subbag", 0, "(Bag a) (Bag a) -> Bool"),
    ("bag.count", 0, "a (Bag a) -> Int"),
    ("bag.member", 0, "a (Bag a) -> Bool"),
    ("bag.setof", 0, "(Bag a) -> (Bag a)"),
    ("bag.duplicate_removal", 0, "(Bag a) -> (Bag a)"),
    ("bag.card", 0, "(Bag a) -> Int"),
    ("bag.choose", 0, "(Bag a) -> a"),
    ("bag.is_singleton", 0, "(Bag a) -> Bool"),
    ("bag.from_set", 0, "(Set a) -> (Bag a)"),
    ("bag.to_set", 0, "(Bag a) -> (Set a)"),
    ("bag.map", 0, "(-> a b) (Bag a) -> (Bag b)"),
    ("bag.filter", 0, "(-> a Bool) (Bag a) -> (Bag a)"),
    ("bag.all", 0, "(-> a Bool) (Bag a) -> Bool"),
    ("bag.some", 0, "(-> a Bool) (Bag a) -> Bool"),
    ("bag.fold", 0, "(-> a b b) b (Bag a) -> b"),
    ("bag.partition", 0, "(-> a a Bool) (Bag a) -> (Bag (Bag a))"),
    ("table.product", 0, "!product"),
    ("table.join", ANY, "!product"),
    ("table.project", ANY, "!project_rows"),
    ("table.group", ANY, "(Bag a) -> (Bag (Bag a))"),
    ("table.aggr", ANY, "(-> a b b) b (Bag a) -> (Bag b)"),
];
