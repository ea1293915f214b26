//! z3's sets (arrays of truth values), functions of arrays, pseudo-Booleans and floating-point conversions.

use super::{ANY, Entry};

pub(super) const FUNCTIONS: &[Entry] = &[
    ("union", 0, "(Array a Bool)+ -> (Array a Bool)"),
    ("intersection", 0, "(Array a Bool)+ -> (Array a Bool)"),
    ("setminus", 0, "(Array a Bool) (Array a Bool)+ -> (Array a Bool)"),
    ("complement", 0, "(Array a Bool) -> (Array a Bool)"),
    ("subset", 0, "(Array a Bool) (Array a Bool) -> Bool"),
    ("default", 0, "(Array a b) -> b"),
    ("map", ANY, "!map"),
    ("at-most", 1, "Bool+ -> Bool"),
    ("at-least", 1, "Bool+ -> Bool"),
    ("pble", ANY, "Bool+ -> Bool"),
    ("pbge", ANY, "Bool+ -> Bool"),
    ("pbeq", ANY, "Bool+ -> Bool"),
    ("to_fp", 2, "!float"),
    ("to_ieee_bv", 0, "!ieee_bits"),
    ("fp.to_ieee_bv", 0, "!ieee_bits"),
];
