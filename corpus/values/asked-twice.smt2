; solvers: z3 cvc5
; expect: sat
; the same answer within one check-sat
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> (+ x y) 100))
(check-sat)
(get-value (x))
(get-value (y))
(get-value ((+ x y)))
(get-value (x y))
