; solvers: z3 cvc5
; expect: unsat
; names in bars
(set-option :produce-unsat-cores true)
(set-logic QF_UF)
(declare-const p Bool)
(assert (! p :named |it holds|))
(assert (! (not p) :named |it does (not)|))
(check-sat)
(get-unsat-core)
