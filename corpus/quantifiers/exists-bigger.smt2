; solvers: z3 cvc5
; expect: unsat
; above every integer is another
(set-logic LIA)
(assert (not (forall ((x Int)) (exists ((y Int)) (> y x)))))
(check-sat)
