; solvers: z3 cvc5
; expect: sat
; what is empty over the integers is not over the reals
(set-logic QF_LRA)
(declare-const x Real)
(assert (> x 3.0))
(assert (< x 4.0))
(check-sat)
