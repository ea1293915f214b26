; solvers: z3 cvc5
; expect: unsat
; no integer is both even and odd
(set-logic LIA)
(assert (exists ((x Int) (y Int) (z Int)) (and (= x (* 2 y)) (= x (+ (* 2 z) 1)))))
(check-sat)
