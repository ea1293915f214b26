//! The SAT solver and its proofs.

use evergreen_bits::sat::Var;

#[test]
fn literals_print_as_in_dimacs() {
    let literals = [Var(0).positive(), !Var(0).positive(), Var(6).negative()];
    assert_eq!(format!("{literals:?}"), "[1, -1, -7]");
}
