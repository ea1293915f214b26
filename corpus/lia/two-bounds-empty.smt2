; solvers: z3 cvc5
; expect: unsat
; no integer strictly between neighbours
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 3))
(assert (< x 4))
(check-sat)
