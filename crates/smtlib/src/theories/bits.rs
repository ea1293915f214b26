//! Bit vectors beyond the standard.

use super::Entry;

pub(super) const OF_CVC5: &[Entry] = &[
    ("bvite", 0, "Bit V V -> V"),
    ("bvredor", 0, "V -> Bit"),
    ("bvredand", 0, "V -> Bit"),
    ("bvultbv", 0, "V V -> Bit"),
    ("bvsltbv", 0, "V V -> Bit"),
    ("eqrange", 0, "(Array a b) (Array a b) a a -> Bool"),
];

pub(super) const OF_Z3: &[Entry] = &[
    ("bvredor", 0, "V -> Bit"),
    ("bvredand", 0, "V -> Bit"),
    ("ext_rotate_left", 0, "V V -> V"),
    ("ext_rotate_right", 0, "V V -> V"),
    ("bvumul_noovfl", 0, "V V -> Bool"),
    ("bvsmul_noovfl", 0, "V V -> Bool"),
    ("bvsmul_noudfl", 0, "V V -> Bool"),
];
