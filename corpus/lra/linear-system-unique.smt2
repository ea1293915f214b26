; solvers: z3 cvc5
; expect: sat sat
; three equations, one solution
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (= (+ x y z) 6.0))
(assert (= (- x y) (- 1.0)))
(assert (= (+ (* 2.0 x) z) 5.0))
(check-sat)
(assert (not (= y 2.0)))
(check-sat)
