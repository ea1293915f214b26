; solvers: z3 cvc5
; expect: sat
; signs and digits in values
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const n Int)
(declare-const big Int)
(assert (= (+ n 1) (- 41)))
(assert (= big (* 1000000007 1000000009)))
(check-sat)
(get-model)
