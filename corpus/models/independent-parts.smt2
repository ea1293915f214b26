; solvers: z3 cvc5
; expect: sat
; two parts, one model
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (= (+ a b) 3))
(assert (= (- a b) 1))
(assert (= (+ c d) 9))
(assert (= c (* 2 d)))
(check-sat)
(get-model)
