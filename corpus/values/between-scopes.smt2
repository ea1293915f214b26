; solvers: z3 cvc5
; expect: sat sat
; each check-sat has its own
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(push 1)
(assert (= x 1))
(check-sat)
(get-value (x))
(pop 1)
(push 1)
(assert (= x 2))
(check-sat)
(get-value (x))
(pop 1)
