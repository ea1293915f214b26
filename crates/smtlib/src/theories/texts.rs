//! Strings and sequences beyond the standard.

use super::Entry;

pub(super) const OF_CVC5: &[Entry] = &[
    ("str.update", 0, "String Int String -> String"),
    ("str.rev", 0, "String -> String"),
    ("str.to_lower", 0, "String -> String"),
    ("str.to_upper", 0, "String -> String"),
    ("str.indexof_re", 0, "String RegLan Int -> Int"),
    ("str.is_digit", 0, "String -> Bool"),
    ("seq.rev", 0, "(Seq a) -> (Seq a)"),
    ("seq.replace_all", 0, "(Seq a) (Seq a) (Seq a) -> (Seq a)"),
];

pub(super) const OF_Z3: &[Entry] = &[
    ("seq.map", 0, "(Array a b) (Seq a) -> (Seq b)"),
    ("seq.replace_all", 0, "(Seq a) (Seq a) (Seq a) -> (Seq a)"),
    ("seq.last_indexof", 0, "(Seq a) (Seq a) -> Int"),
    ("str.last_indexof", 0, "String String -> Int"),
    ("re.loop", 0, "RegLan Int -> RegLan"),
    ("re.loop", 0, "RegLan Int Int -> RegLan"),
    ("re.full", 0, "-> RegLan"),
    ("re.empty", 0, "-> RegLan"),
];
