; solvers: z3 cvc5
; expect: sat
; an interval with room
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 3))
(assert (< x 9))
(check-sat)
