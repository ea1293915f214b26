; solvers: z3
; expect: sat
; there is no core
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (! (= x 1) :named a))
(check-sat)
(get-unsat-core)
