; solvers: z3 cvc5
; expect: sat
; a forced value
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (= (* 3 x) 21))
(check-sat)
(get-model)
