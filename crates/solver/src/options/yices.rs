//! Yices (`yices-smt2` 2.6): flags of the command line, and the search parameters that
//! `set-option` knows as `yices-…`.
//!
//! Left out on purpose: `dimacs` (no answer), `mcsat-nra-bound…` and `mcsat-bv-var-size` (they
//! bound the search), `ef-…`.

use super::Listed;

pub(super) const LISTED: Listed = Listed {
    names: &[
        (
            "",
            "
                verbosity= timeout= stats incremental interactive print-success smt2-model-format
                bvconst-in-decimal delegate= mcsat mcsat-nra-mgcd mcsat-nra-nlsat nthreads= random-seed=
            ",
        ),
        (
            "yices-",
            "
                arith-elim assert-ite-bounds bland-threshold branching break-symmetries bvarith-elim c-factor
                c-threshold cache-tclauses clause-decay d-factor d-threshold dyn-ack dyn-ack-threshold
                dyn-bool-ack dyn-bool-ack-threshold eager-lemmas fast-restarts flatten icheck icheck-period
                keep-ite learn-eq max-ack max-bool-ack max-extensionality max-interface-eqs
                max-update-conflicts optimistic-final-check prop-threshold r-factor r-fraction r-threshold
                random-seed randomness simplex-adjust simplex-prop tclause-size var-decay var-elim
            ",
        ),
    ],
    defaults: &[],
    flags: "s",
    valued: "v t n",
};
