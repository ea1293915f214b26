; solvers: z3 cvc5
; expect: unsat
; minus times minus
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(assert (< x 0))
(assert (< y 0))
(assert (<= (* x y) 0))
(check-sat)
