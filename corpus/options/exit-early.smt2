; solvers: z3 cvc5
; expect: sat
; nothing after exit counts
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 0))
(check-sat)
(exit)
(assert (= x 1))
(check-sat)
