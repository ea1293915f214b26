; solvers: z3
; expect: unsat
; there is no model
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (distinct x x))
(check-sat)
(get-model)
