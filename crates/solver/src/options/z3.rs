//! z3: parameters of the program and of its modules, reviewed against `z3 -pd` of version 5.4.
//!
//! Left out on purpose, among others: `encoding`, `rewriter.hi_div0`, `rewriter.hi_fp_unspecified`,
//! `smt.arith.ignore_int`, `smt.array.extensional`, `smt.array.weak`, `smt.bv.enable_int2bv`, `smt.logic`
//! (they change the meaning), `tactic.default_tactic`, `sat.euf`, `sat.override_incremental`,
//! `nlsat.zero_disc` (z3 does not promise a right answer with them), `solver.slice` (drops assertions),
//! `opt.priority` (another optimum), and the modules `fp` (another language, but for how Spacer searches),
//! `ackermannization`, `algebraic`, `factor`, `rcf` and `smt.ff`.

use super::Listed;

pub(super) const LISTED: Listed = Listed {
    names: NAMES,
    // Redundant settings: the value is the parameter's default.
    defaults: &[
        ("encoding", "unicode"),
        ("global_decls", "false"),
        ("opt.priority", "lex"),
        ("rewriter.hi_div0", "true"),
        ("rewriter.hi_fp_unspecified", "false"),
        ("smt.arith.ignore_int", "false"),
        // The two general solvers; the others are for difference logic, or none.
        ("smt.arith.solver", "2"),
        ("smt.arith.solver", "6"),
        ("smt.array.extensional", "true"),
        ("smt.array.weak", "false"),
        ("smt.bv.enable_int2bv", "true"),
        ("smt.bv.solver", "0"),
        ("smt.string_solver", "auto"),
        ("smt.string_solver", "seq"),
    ],
    // With a colon: a value follows it.
    flags: "smt2 in st nw model v: T: t: memory:",
    valued: "",
};

/// Parameters by module.
const NAMES: &[(&str, &str)] = &[
    (
        "",
        "
            auto_config ctrl_c debug_ref_count dot_proof_file dump_models memory_high_watermark
            memory_high_watermark_mb memory_max_alloc_count memory_max_size model model_validate proof
            rlimit smtlib2_compliant stats suppress_platform_verbose timeout trace trace_file_name
            type_check unsat_core verbose warning well_sorted_check model_compress model_partial
        ",
    ),
    (
        "combined_solver.",
        "
            ignore_solver1 solver2_timeout solver2_unknown
        ",
    ),
    (
        // What clients of Horn clauses set: which lemmas are generalized how, in which order goals are taken.
        "fp.spacer.",
        "
            gg.concretize gg.conjecture gg.subsume global ground_pobs mbqi order_children q3.use_qgen
            random_seed use_euf_gen use_inductive_generalizer
        ",
    ),
    (
        "lp.",
        "
            dio dio_branching_period dio_calls_period dio_calls_period_decrease dio_cuts_enable_gomory
            dio_cuts_enable_hnf dio_gomory_enable_period dio_ignore_big_nums dio_run_gcd
            dio_undo_max_work int_hammer_period lcube lcube_flips random_hammers
        ",
    ),
    (
        "model.",
        "
            compact completion inline_def partial user_functions v1 v2
        ",
    ),
    (
        "model_evaluator.",
        "
            array_as_stores array_equalities completion max_memory max_steps
        ",
    ),
    (
        "nlsat.",
        "
            add_all_coeffs canonicalize check_lemmas dump_mathematica factor lazy log_lemma_smtrat
            log_lemmas lws lws_spt_threshold lws_witness_subs_disc lws_witness_subs_lc max_conflicts
            max_memory minimize_conflicts randomize reorder seed shuffle_vars simple_check
            simplify_conflicts variable_ordering_strategy
        ",
    ),
    (
        "nnf.",
        "
            ignore_labels max_memory mode sk_hack
        ",
    ),
    (
        "opt.",
        "
            dump_benchmarks dump_models elim_01 elim_quantifiers_rlimit enable_core_rotate enable_lns
            enable_sat enable_sls lns_conflicts maxlex.enable maxres.add_upper_bound_block
            maxres.hill_climb maxres.lp_relaxation maxres.lp_relaxation_rlimit maxres.max_core_size
            maxres.max_correction_set_size maxres.max_num_cores maxres.maximize_assignment
            maxres.pivot_on_correction_set maxres.wmax maxsat_engine optsmt_bisect_rounds
            optsmt_dual_bound_rlimit optsmt_dual_bounds optsmt_engine optsmt_nlsat
            optsmt_nlsat_supremum_rlimit optsmt_unbounded_curve pareto_cone_rlimit pareto_nlsat
            pareto_nlsat_max_lemmas pareto_nlsat_reuse pb.compile_equality pp.neat pp.wcnf rc2.totalizer
            rlimit solution_prefix timeout
        ",
    ),
    (
        "parallel.",
        "
            conquer.backtrack_frequency conquer.batch_size conquer.delay conquer.restart.max
            core_minimize cube.lookahead enable num_bb_threads simplify.exp simplify.inprocess.max
            simplify.max_conflicts simplify.restart.max threads.max
        ",
    ),
    (
        "parser.",
        "
            error_for_visual_studio ignore_bad_patterns ignore_user_patterns
        ",
    ),
    (
        "pi.",
        "
            arith arith_weight avoid_skolems block_loop_patterns decompose_patterns enabled
            max_multi_patterns non_nested_arith_weight pull_quantifiers use_database warnings
        ",
    ),
    (
        "pp.",
        "
            bounded bv_literals bv_neg decimal decimal_precision fixed_indent flat_assoc
            fp_real_literals max_depth max_indent max_num_lines max_ribbon max_width min_alias_size
            no_lets pretty_proof simplify_implies single_line
        ",
    ),
    (
        "rewriter.",
        "
            algebraic_number_evaluator arith_ineq_lhs arith_lhs bit2bool blast_distinct
            blast_distinct_threshold blast_eq_value blast_select_store bv_extract_prop
            bv_ineq_consistency_test_max bv_ite2id bv_le2extract bv_le_extra bv_not_simpl bv_sort_ac
            cache_all coalesce_chars div0_ackermann_limit elim_and elim_ite elim_rem elim_sign_ext
            elim_to_real enable_der eq2ineq expand_nested_stores expand_power expand_select_ite
            expand_select_store expand_store_eq flat flat_and_or gcd_rounding hoist_ite hoist_mul
            ignore_patterns_on_ground_qbody ite_extra_rules local_ctx local_ctx_limit max_degree
            max_memory max_power_expansion max_steps mul2concat mul_to_power pull_cheap_ite
            push_ite_arith push_ite_bv push_to_real rewrite_patterns som som_blowup sort_disjunctions
            sort_store sort_sums split_concat_eq
        ",
    ),
    (
        "sat.",
        "
            abce acce anf anf.delay anf.exlin asymm_branch asymm_branch.all asymm_branch.delay
            asymm_branch.limit asymm_branch.rounds asymm_branch.sampled ate backtrack.conflicts
            backtrack.scopes bca bce bce_at bce_delay blocked_clause_limit branching.anti_exploration
            branching.heuristic burst_search cardinality.encoding cardinality.solver cce core.minimize
            core.minimize_partial ddfw.init_clause_weight ddfw.reinit_base ddfw.restart_base
            ddfw.threads ddfw.use_reward_pct ddfw_search drat.activity drat.binary drat.check_sat
            drat.check_unsat drat.disable drat.file dyn_sub_res elim_vars enable_pre_simplify
            force_cleanup gc gc.burst gc.defrag gc.increment gc.initial gc.k gc.small_lbd inprocess.max
            local_search local_search_dbg_flips local_search_mode local_search_threads
            lookahead.cube.cutoff lookahead.cube.depth lookahead.cube.fraction lookahead.cube.freevars
            lookahead.cube.psat.clause_base lookahead.cube.psat.trigger lookahead.cube.psat.var_exp
            lookahead.delta_fraction lookahead.double lookahead.global_autarky lookahead.preselect
            lookahead.reward lookahead.use_learned lookahead_simplify lookahead_simplify.bca
            max_conflicts max_memory minimize_lemmas pb.lemma_format pb.min_arity pb.resolve pb.solver
            phase phase.sticky prob_search probing probing_binary probing_cache probing_cache_limit
            probing_limit propagate.prefetch random_freq random_seed reorder.activity_scale reorder.base
            reorder.itau rephase.base resolution.cls_cutoff1 resolution.cls_cutoff2 resolution.limit
            resolution.lit_cutoff_range1 resolution.lit_cutoff_range2 resolution.lit_cutoff_range3
            resolution.occ_cutoff resolution.occ_cutoff_range1 resolution.occ_cutoff_range2
            resolution.occ_cutoff_range3 restart restart.emafastglue restart.emaslowglue restart.factor
            restart.fast restart.initial restart.margin restart.max retain_blocked_clauses scc scc.tr
            search.sat.conflicts search.unsat.conflicts simplify.delay smt smt.proof.check subsumption
            subsumption.limit threads variable_decay
        ",
    ),
    (
        "sls.",
        "
            arith_allow_plateau arith_use_clausal_lookahead arith_use_lookahead bv_allow_rotation
            bv_use_lookahead bv_use_top_level_assertions dt_axiomatic early_prune max_memory max_repairs
            max_restarts paws_init paws_sp random_offset random_seed rescore restart_base restart_init
            scale_unsat str_update_strategy track_unsat vns_mc vns_repick walksat walksat_repick
            walksat_ucb walksat_ucb_constant walksat_ucb_forget walksat_ucb_init walksat_ucb_noise wp
        ",
    ),
    (
        "smt.",
        "
            arith.auto_config_simplex arith.bprop_on_pivoted_rows arith.branch_cut_ratio
            arith.dump_bound_lemmas arith.dump_lemmas arith.eager_eq_axioms arith.enable_hnf
            arith.epsilon arith.greatest_error_pivot arith.int_eq_branch arith.nl arith.nl.branching
            arith.nl.cross_nested arith.nl.delay arith.nl.expensive_patching arith.nl.expp arith.nl.gr_q
            arith.nl.grobner arith.nl.grobner_adaptive arith.nl.grobner_cnfl_to_report
            arith.nl.grobner_eqs_growth arith.nl.grobner_exp_delay arith.nl.grobner_expand_terms
            arith.nl.grobner_expr_degree_growth arith.nl.grobner_expr_size_growth
            arith.nl.grobner_frequency arith.nl.grobner_gcd_test arith.nl.grobner_max_simplified
            arith.nl.grobner_perfect_squares arith.nl.grobner_propagate_quotients
            arith.nl.grobner_row_length_limit arith.nl.grobner_subs_fixed arith.nl.horner
            arith.nl.horner_frequency arith.nl.horner_row_length_limit arith.nl.horner_subs_fixed
            arith.nl.linearize_violated_monomials arith.nl.log arith.nl.monomial_binomial_sign
            arith.nl.monomial_sandwich arith.nl.monomial_sandwich.max_fanout arith.nl.nra
            arith.nl.nra_check_assignment arith.nl.nra_check_assignment_max_fail
            arith.nl.optimize_bounds arith.nl.optimize_bounds_lp_max_vars arith.nl.order
            arith.nl.order.binomial_sign arith.nl.propagate_linear_monomials
            arith.nl.reduce_pseudo_linear arith.nl.rounds arith.nl.tangents
            arith.nl.tangents.box_corners arith.print_ext_var_names arith.print_stats
            arith.propagate_eqs arith.propagation_mode arith.random_initial_value arith.rep_freq
            arith.simplex_strategy arith.validate auto_config bound_simplifier bv.delay bv.reflect
            bv.size_reduce bv.watch_diseq candidate_models case_split case_split_relevant_first
            clause_proof core.extend_nonlocal_patterns core.extend_patterns
            core.extend_patterns.max_distance core.minimize core.validate dack dack.eq dack.factor
            dack.gc dack.gc_inv_decay dack.threshold delay_units delay_units_threshold distribute_forall
            dt_lazy_splits elim_unconstrained ematching ho_matching ho_matching_bound ho_qmatcher
            lemma_gc_strategy macro_finder max_conflicts mbqi mbqi.force_template mbqi.id mbqi.max_cexs
            mbqi.max_cexs_incr mbqi.max_iterations mbqi.trace pb.conflict_frequency pb.learn_complements
            phase_caching_off phase_caching_on phase_selection propagate_values pull_nested_quantifiers
            q.lift_ite q.lite qi.cost qi.eager_threshold qi.lazy_threshold qi.max_instances
            qi.max_multi_patterns qi.profile qi.profile_freq qi.quick_checker qi.update_generation
            qsat_use_qel quasi_macros random_seed refine_inj_axioms relevancy restart.max restart_factor
            restart_strategy restricted_quasi_macros seq.max_unfolding seq.min_unfolding
            seq.parikh_chars seq.parikh_k seq.parikh_n seq.regex_budget seq.regex_monadic
            seq.regex_orientation seq.regex_split seq.regex_transition_mode seq.split_w_len seq.validate
            sls.enable sls.parallel solve_eqs solve_eqs.linear solve_eqs.non_ground term_enumeration
            theory_aware_branching theory_case_split threads threads.cube_frequency
            threads.max_conflicts
        ",
    ),
    (
        "solver.",
        "
            axioms2files cancel_backup_file instantiations2console lemmas2console proof.check
            proof.check_rup proof.log proof.save proof.trim smtlib2_log timeout
        ",
    ),
    (
        "tactic.",
        "
            blast_term_ite.max_inflation blast_term_ite.max_steps lia2card.max_ite_nesting
            lia2card.max_range propagate_values.max_rounds randomizer.seed solve_eqs.context_solve
            solve_eqs.ite_solver solve_eqs.max_occs solve_eqs.theory_solver
        ",
    ),
];
