; solvers: z3 cvc5
; expect: sat
; values of compound terms
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (= x 3) (= y 4)))
(check-sat)
(get-value (x y (+ x y) (* 2 x) (< x y) (ite (> x y) x y)))
