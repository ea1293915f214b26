; solvers: z3 cvc5
; expect: sat sat unsat
; constants as quotients and decimals
(set-logic QF_LRA)
(declare-const x Real)
(assert (= (* 3.0 x) 1.0))
(check-sat)
(assert (> x 0.3333333333))
(check-sat)
(assert (= x (/ 333333.0 1000000.0)))
(check-sat)
