; solvers: z3 cvc5
; expect: sat unsat
; an inner binder hides the outer and the constant
(set-logic LIA)
(declare-const x Int)
(assert (= x 3))
(assert (forall ((x Int)) (=> (> x 5) (exists ((x Int)) (< x 0)))))
(check-sat)
(assert (forall ((y Int)) (=> (= y x) (> y 3))))
(check-sat)
