; solvers: z3 cvc5
; expect: unsat
; a square below zero
(set-logic QF_NIA)
(declare-const x Int)
(assert (< (* x x) 0))
(check-sat)
