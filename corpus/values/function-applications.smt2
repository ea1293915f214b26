; solvers: z3 cvc5
; expect: sat
; reads of a function
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (and (= (f x) 8) (= x 2) (= (f 8) 1)))
(check-sat)
(get-value ((f 2) (f (f x)) (f x)))
