; solvers: z3 cvc5
; expect: unsat
; no integer in an open unit interval
(set-logic QF_LIRA)
(declare-const x Real)
(assert (is_int (* 2.0 x)))
(assert (< 0.0 x 0.5))
(check-sat)
