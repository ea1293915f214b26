; solvers: z3 cvc5
; expect: unsat
; and none is the greatest
(set-logic LIA)
(assert (exists ((y Int)) (forall ((x Int)) (<= x y))))
(check-sat)
