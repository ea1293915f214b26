; solvers: z3 cvc5
; expect: sat
; a name is a term
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (! (> x 4) :named above))
(assert (= x 5))
(check-sat)
(get-value (above x))
