//! Which options are part of keys, for each solver and in every spelling.

use super::*;

fn of(line: &str) -> Vec<String> {
    Dialect::of(&Command::parse(line).expect("a command line")).options().to_vec()
}

fn set(kind: Kind, keyword: &str, value: &str) -> bool {
    Dialect::standard(kind).is_neutral(keyword, value)
}

#[test]
fn listed_flags_are_no_part_of_keys() {
    for line in [
        "/z3 -smt2 -in -T:10 -t:5000 -v:2 -st -nw -memory:500 --in",
        "/z3 smt.random_seed=3 SMT.MBQI=false smt.qi.eager-threshold=100 timeout=5 rlimit=1 pp.decimal=true \
         proof=true",
        "/z3 encoding=unicode rewriter.hi_fp_unspecified=false smt.arith.solver=6 smt.string_solver=seq",
        "/cvc5 --lang smt2 --incremental -q --tlimit-per=100 --tlimit-per 100 --seed=3 -s 3 --no-cegqi -im",
        "/cvc5 --lang=smt2.6 -L smt2 --produce-models --decision=justification --strings-exp \
         --full-saturate-quant",
        "/yices-smt2 --incremental --mcsat --timeout=5 -t 5 --verbosity=2 -v 2 --nthreads 4 \
         --bvconst-in-decimal -s",
        "/bitwuzla --verbosity=1 -v 1 --bv-solver=prop -rwl 1 --time-limit-per=10 --no-pp-normalize -S \
         cadical -m",
    ] {
        assert_eq!(of(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn every_other_flag_is_part_of_keys() {
    for (line, options) in [
        ("/z3 rewriter.hi_fp_unspecified=true -T:5", r#""rewriter.hi_fp_unspecified=true""#),
        ("/z3 encoding=ascii", r#""encoding=ascii""#),
        ("/z3 smt.arith.solver=0", r#""smt.arith.solver=0""#),
        ("/z3 smt.string_solver=none", r#""smt.string_solver=none""#),
        ("/z3 tactic.default_tactic=smt", r#""tactic.default_tactic=smt""#),
        ("/z3 fp.spacer.max_level=3", r#""fp.spacer.max_level=3""#),
        ("/z3 fp.engine=datalog", r#""fp.engine=datalog""#),
        ("/z3 -unheard-of", r#""-unheard-of""#),
        ("/z3 -T", r#""-T""#),
        ("/z3 other.smt2", r#""other.smt2""#),
        ("/z3 no.such.parameter=1", r#""no.such.parameter=1""#),
        ("/cvc5 --solve-real-as-int", r#""--solve-real-as-int""#),
        ("/cvc5 --no-dt-cyclic", r#""--no-dt-cyclic""#),
        ("/cvc5 --strings-alpha-card 128", r#""--strings-alpha-card" "128""#),
        ("/cvc5 --lang=sygus2", r#""--lang=sygus2""#),
        ("/cvc5 --lang sygus2", r#""--lang" "sygus2""#),
        ("/cvc5 --seed --global-negate", r#""--global-negate""#),
        ("/cvc5 -iz", r#""-iz""#),
        ("/yices-smt2 --mcsat-bv-var-size=4", r#""--mcsat-bv-var-size=4""#),
        ("/bitwuzla --unheard-of=1", r#""--unheard-of=1""#),
        ("/mysolver --seed 3", r#""--seed" "3""#),
    ] {
        assert_eq!(of(line).join(" "), options, "{line}");
    }
}

#[test]
fn options_of_scripts_in_their_spellings() {
    for kind in [Kind::Z3, Kind::Cvc5, Kind::Yices, Kind::Bitwuzla, Kind::Other] {
        assert!(set(kind, ":produce-models", "true"));
        assert!(set(kind, ":random-seed", "7"));
        assert!(!set(kind, ":unheard-of", "true"));
    }
    assert!(set(Kind::Z3, ":SMT.QI.EAGER_THRESHOLD", "100"));
    assert!(set(Kind::Z3, ":smt.qi.eager-threshold", "100"));
    assert!(set(Kind::Z3, ":encoding", "\"unicode\""));
    assert!(!set(Kind::Z3, ":Encoding", "ascii"));
    assert!(!set(Kind::Z3, ":rewriter.hi-fp-unspecified", "true"));
    assert!(!set(Kind::Z3, ":mbqi", "false"), "z3 wants the module");
    assert!(set(Kind::Cvc5, ":tlimit-per", "100"));
    assert!(!set(Kind::Cvc5, ":TLIMIT-PER", "100"), "cvc5 knows case");
    assert!(!set(Kind::Cvc5, ":solve-int-as-bv", "4"));
    assert!(set(Kind::Yices, ":yices-var-elim", "false"));
    assert!(set(Kind::Bitwuzla, ":bv-solver", "prop"));
    assert!(!set(Kind::Bitwuzla, ":smt.mbqi", "false"), "another solver's option");
}

/// Options that real clients set.
#[test]
fn options_of_real_clients_share_answers() {
    // Boogie and Dafny, Verus, F*, Viper, Why3.
    let scripts = "AUTO_CONFIG=false TYPE_CHECK=true MODEL.V2=true NNF.SK_HACK=true model_compress=false \
                   pp.bv_literals=false \
        smt.RESTART_STRATEGY=0 smt.RESTART_FACTOR=|1.5| smt.QI.EAGER_THRESHOLD=100 smt.PHASE_SELECTION=0 \
        smt.MBQI=false \
        smt.DELAY_UNITS=true smt.CASE_SPLIT=3 smt.BV.REFLECT=true smt.ARITH.RANDOM_INITIAL_VALUE=true \
        timeout=0 rlimit=0 \
        smt.arith.solver=2 smt.arith.nl=false pi.enabled=false rewriter.sort_disjunctions=false \
        smt.qi.max_multi_patterns=9 \
        global-decls=false produce-unsat-cores=true model=true smt.relevancy=2 smt.random_seed=0 \
        sat.random_seed=42 \
        nlsat.randomize=false nlsat.shuffle_vars=false model.partial=true model_evaluator.completion=true \
        diagnostic-output-channel=\"stdout\" pi.max_multi_patterns=3 smt.qi.cost=\"(+ weight generation)\"";
    let pairs = scripts.split(" ").filter_map(|word| word.split_once('='));
    for (name, value) in pairs.filter(|(name, _)| !name.is_empty()) {
        assert!(set(Kind::Z3, &format!(":{name}"), value), "{name} {value}");
    }
    for line in [
        "/z3 AUTO_CONFIG=false -smt2 -in",
        "/z3 -smt2 -in auto_config=false model=true smt.relevancy=2 smt.case_split=3 smt.random_seed=0 \
         rlimit=5",
        "/z3 -smt2 -T:11 -memory:1000 sat.random_seed=42 nlsat.randomize=false smt.random_seed=42 -st",
        // solc
        "/z3 -smt2 rlimit=20000000 rewriter.pull_cheap_ite=true fp.spacer.q3.use_qgen=true \
         fp.spacer.mbqi=false fp.spacer.ground_pobs=false",
        "/cvc5 --incremental --quiet --arrays-exp --lang smt2",
        "/cvc5 --lang smt2 --incremental --strings-exp --fp-exp",
        "/cvc5 --stats-internal --tlimit=5000 --lang=smt2 --produce-unsat-cores",
        "/yices-smt2 --incremental --smt2-model-format --bvconst-in-decimal --timeout=9",
        "/bitwuzla --produce-models --incremental --lang smt2",
    ] {
        assert_eq!(of(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn a_default_is_a_change_where_something_else_was_said() {
    let mut dialect = Dialect::standard(Kind::Z3);
    dialect.set(":encoding", "unicode");
    assert!(dialect.is_standard());
    dialect.set(":encoding", "ascii");
    dialect.set(":encoding", "unicode");
    assert_eq!(dialect.options(), ["encoding ascii", "encoding unicode"]);
    // Said again: the last time counts, and no more than once.
    dialect.set(":encoding", "ascii");
    assert_eq!(dialect.options(), ["encoding unicode", "encoding ascii"]);
}

#[test]
fn parameters_of_tactics() {
    let neutral = |text| Dialect::standard(Kind::Z3).is_neutral_check(text);
    assert!(neutral("(check-sat)"));
    assert!(neutral("(check-sat-using (then simplify solve-eqs smt))"));
    assert!(neutral("(check-sat-using (then (! simplify :elim_and true) (using-params smt :mbqi false)))"));
    assert!(!neutral("(check-sat-using (! smt :hi_fp_unspecified true))"));
    assert!(!neutral("(check-sat-using (using-params smt :arith.ignore_int true))"));
    assert!(!neutral("(check-sat-using (using-params smt :arith.solver 0))"));
    assert!(!neutral("(check-sat-using smt"));
}
