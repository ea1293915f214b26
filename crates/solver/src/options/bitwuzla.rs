//! Bitwuzla (0.4 and later): options by the names that both its command line and `set-option` know.
//!
//! Left out on purpose: `parse-only`, `write-aiger`, `write-cnf` (no answer), and
//! interpolants (another question).

use super::Listed;

pub(super) const LISTED: Listed = Listed {
    names: &[(
        "",
        "
            incremental log-level= verbosity= seed= random-seed= time-limit= time-limit-per= memory-limit=
            nthreads= bv-output-format= print-model print-unsat-core produce-models produce-unsat-assumptions
            produce-unsat-cores bv-solver= rewrite-level= sat-solver= prop-const-bits prop-infer-ineq-bounds
            prop-nprops= prop-nupdates= prop-opt-lt-concat-sext prop-path-sel= prop-prob-random-input=
            prop-prob-use-inv-value= prop-sext preprocess pp-contradicting-ands pp-elim-bv-extracts
            pp-elim-bv-udiv pp-embedded-constr pp-flatten-and pp-normalize pp-normalize-share-aware
            pp-skeleton-preproc pp-variable-subst pp-variable-subst-norm-bv-ineq pp-variable-subst-norm-diseq
            pp-variable-subst-norm-eq abstraction abstraction-assert abstraction-assert-refs=
            abstraction-bv-add abstraction-bv-mul abstraction-bv-size= abstraction-bv-udiv abstraction-bv-urem
            abstraction-eager-refine abstraction-inc-bitblast abstraction-initial-lemmas abstraction-ite
            abstraction-value-limit= abstraction-value-only dbg-check-model dbg-check-unsat-core
            dbg-pp-node-thresh= dbg-rw-node-thresh=
        ",
    )],
    defaults: &[("lang", "smt2")],
    flags: "i m",
    valued: "l v s t T M j S B rwl",
};
