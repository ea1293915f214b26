; solvers: z3 cvc5
; expect: sat
; an uninterpreted function in the model
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-fun f (Int Int) Int)
(assert (= (f 0 1) 10))
(assert (= (f 1 0) 20))
(check-sat)
(get-model)
