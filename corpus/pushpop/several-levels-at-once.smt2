; solvers: z3 cvc5
; expect: sat sat sat
; push 3, pop 2, push 0
(set-logic QF_LIA)
(declare-const x Int)
(push 3)
(assert (= x 1))
(check-sat)
(pop 2)
(assert (= x 2))
(push 0)
(check-sat)
(pop 1)
(assert (= x 3))
(check-sat)
