; solvers: z3 cvc5
; expect: sat
; quotients and negative quotients
(set-option :produce-models true)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (* 3.0 x) 1.0))
(assert (= (* 7.0 y) (- 22.0)))
(check-sat)
(get-value (x y (+ x y)))
