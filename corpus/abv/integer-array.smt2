; solvers: z3 cvc5
; expect: sat unsat
; arrays over integers too
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (= (select (store a n 5) 3) 7))
(check-sat)
(assert (= n 3))
(check-sat)
