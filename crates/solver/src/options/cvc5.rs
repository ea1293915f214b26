//! cvc5: options by the names that both its command line and `set-option` know, reviewed against `cvc5
//! --help` of version 1.0.3.
//!
//! Left out on purpose, among others: `arith-no-partial-fun`, `solve-int-as-bv`, `solve-real-as-int`,
//! `strings-alpha-card`, `global-negate`, `dt-cyclic`, `cdt-bisimilar`, `force-logic`, `dt-nested-rec`,
//! `ho-elim-store-ax` (they change the meaning or the language), `fmf-fun`, `fmf-fun-rlv`, `quant-fun-wd`
//! (they assume that definitions are consistent), `nl-cov-force` (not always safe, it says), `sygus…`,
//! `produce-abducts`, `produce-interpolants`, `compute-partitions` (other questions).

use super::Listed;

pub(super) const LISTED: Listed = Listed {
    names: NAMES,
    defaults: &[
        ("lang", "smt2"),
        ("lang", "smt2.6"),
        ("lang", "smt"),
        ("lang", "smtlib"),
        ("lang", "smtlib2"),
        ("L", "smt2"),
        ("L", "smt2.6"),
        ("L", "smt"),
        ("input-language", "smt2"),
        ("input-language", "smt2.6"),
        ("dt-cyclic", "true"),
        ("solve-int-as-bv", "0"),
        ("sygus", "false"),
    ],
    flags: "i q v m",
    valued: "L o s t",
};

const NAMES: &[(&str, &str)] = &[
    // Limits, seeds, output, production of models, cores and proofs.
    (
        "",
        "
            rlimit= rlimit-per= reproducible-resource-limit= tlimit= tlimit-per= seed= random-seed=
            sat-random-seed= random-freq= random-frequency= quiet verbose verbosity= output= print-success
            interactive interactive-mode stats stats-all stats-every-query stats-internal trace= copyright
            dag-thresh= output-lang= output-language= print-inst= print-inst-full print-unsat-cores-full
            expr-depth= model-u-print= flatten-ho-chains bv-print-consts-as-indexed-symbols dump-difficulty
            dump-instantiations dump-instantiations-debug dump-models dump-proofs dump-unsat-cores early-exit
            incremental strict-parsing semantic-checks type-checking wf-checking global-declarations
            produce-models produce-assertions produce-assignments produce-difficulty produce-learned-literals
            produce-proofs produce-unsat-assumptions produce-unsat-cores check-models debug-check-models
            check-proofs check-proof-steps check-unsat-cores minimal-unsat-cores unsat-cores-mode=
            model-cores= difficulty-mode= proof-check= proof-format-mode= proof-granularity= proof-mode=
            proof-pedantic= proof-annotate proof-pp-merge proof-prune-input proof-print-conclusion
            abstract-values diagnostic-output-channel= regular-output-channel= err= out=
        ",
    ),
    // Boolean search, preprocessing, combination of theories.
    (
        "",
        "
            decision= decision-mode= jh-rlv-order jh-skolem= jh-skolem-rlv= minisat-simplification=
            restart-int-base= restart-int-inc= ackermann deep-restart= deep-restart-factor= early-ite-removal
            ite-simp on-repeat-ite-simp repeat-simp simp-ite-compress simp-with-care simplification=
            simplification-mode= simplification-bcp sort-inference static-learning unconstrained-simp
            condense-function-values ee-mode= tc-mode= theoryof-mode= relevance-filter symmetry-breaker
            foreign-theory-rewrite
        ",
    ),
    // Arithmetic.
    (
        "",
        "
            approx-branch-depth= arith-brab arith-eq-solver arith-prop= arith-prop-clauses=
            arith-rewrite-equalities arith-static-learning collect-pivot-stats cut-all-bounded dio-decomps
            dio-solver dio-turns= error-selection-rule= fc-penalties heuristic-pivots= miplib-trick
            miplib-trick-subs= new-prop nl-cov nl-cov-lift= nl-cov-linear-model= nl-cov-proj= nl-cov-prune
            nl-cov-var-elim nl-ext= nl-ext-ent-conf nl-ext-factor nl-ext-inc-prec nl-ext-purify nl-ext-rbound
            nl-ext-rewrite nl-ext-split-zero nl-ext-tf-taylor-deg= nl-ext-tf-tplanes nl-ext-tplanes
            nl-ext-tplanes-interleave nl-icp nl-rlv= nl-rlv-assert-bounds pb-rewrites pivot-threshold=
            prop-row-length= restrict-pivots rr-turns= se-solve-int simplex-check-period= soi-qe unate-lemmas=
            use-approx use-fcsimplex use-soi
        ",
    ),
    // Bit vectors, arrays, datatypes, strings.
    (
        "",
        "
            bitblast= bitwise-eq bool-to-bv= bv-assert-input bv-gauss-elim bv-intro-pow2 bv-propagate
            bv-rw-extend-eq bv-sat-solver= bv-solver= bv-to-bool eager-arith-bv-conv arrays-eager-index
            arrays-eager-lemmas arrays-exp arrays-optimize-linear arrays-prop= arrays-reduce-sharing
            arrays-weak-equiv dt-binary-split dt-blast-splits dt-infer-as-lemmas dt-polite-optimize
            dt-share-sel fp-exp fp-lazy-wb re-elim= re-inter-mode= strings-check-entail-len strings-code-elim
            strings-deq-ext strings-eager-eval strings-eager-len-re strings-eager-reg strings-eager-solver
            strings-exp strings-ff strings-fmf strings-infer-as-lemmas strings-infer-sym strings-lazy-pp
            strings-len-norm strings-mbr strings-process-loop-mode= strings-regexp-inclusion
            strings-rexplain-lemmas
        ",
    ),
    // Quantifiers.
    (
        "",
        "
            cbqi cbqi-all-conflict cbqi-eager-check-rd cbqi-eager-test cbqi-mode= cbqi-skip-rd
            cbqi-tconstraint cbqi-vo-exp cegqi cegqi-all cegqi-bv cegqi-bv-concat-inv cegqi-bv-ineq=
            cegqi-bv-interleave-value cegqi-bv-linear cegqi-bv-rm-extract cegqi-bv-solve-nl cegqi-innermost
            cegqi-midpoint cegqi-min-bounds cegqi-multi-inst cegqi-nested-qe cegqi-nopt cegqi-round-up-lia
            cond-var-split-quant= conjecture-gen conjecture-gen-gt-enum= conjecture-gen-max-depth=
            conjecture-gen-per-round= cons-exp-triggers dt-stc-ind dt-var-exp-quant e-matching elim-taut-quant
            enum-inst enum-inst-interleave enum-inst-limit= enum-inst-rd enum-inst-stratify enum-inst-sum
            ext-rewrite-quant finite-model-find fmf-bound fmf-bound-blast fmf-bound-lazy fmf-mbqi=
            full-saturate-quant ho-matching ieval= increment-triggers inst-max-level= inst-max-rounds=
            inst-no-entail inst-when= inst-when-phase= int-wf-ind ite-dtt-split-quant ite-lift-quant=
            literal-matching= macros-quant macros-quant-mode= mbqi mbqi-interleave mbqi-one-inst-per-round
            miniscope-quant= multi-trigger-cache multi-trigger-linear multi-trigger-priority
            multi-trigger-when-single partial-triggers pool-inst pre-skolem-quant= pre-skolem-quant-nested
            prenex-quant= prenex-quant-user purify-triggers quant-alpha-equiv quant-dsplit= quant-ind
            quant-rep-mode= register-quant-body-terms relational-triggers relevant-triggers sygus-inst
            term-db-cd term-db-mode= trigger-active-sel= trigger-sel= user-pat= var-elim-quant
            var-ineq-elim-quant
        ",
    ),
];
