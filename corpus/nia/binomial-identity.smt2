; solvers: z3 cvc5
; expect: unsat sat
; (a+b)^2 expanded wrongly and rightly
(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(push 1)
(assert (not (= (* (+ a b) (+ a b)) (+ (* a a) (* 2 a b) (* b b)))))
(check-sat)
(pop 1)
(assert (not (= (* (+ a b) (+ a b)) (+ (* a a) (* b b)))))
(check-sat)
