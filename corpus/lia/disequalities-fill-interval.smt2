; solvers: z3 cvc5
; expect: sat unsat
; five values, five exceptions
(set-logic QF_LIA)
(declare-const x Int)
(assert (<= 0 x 4))
(assert (not (= x 0)))
(assert (not (= x 1)))
(assert (distinct x 2))
(assert (not (= x 3)))
(check-sat)
(assert (distinct x 4))
(check-sat)
