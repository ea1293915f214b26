; solvers: z3 cvc5
; expect: sat
; a declared but unconstrained symbol
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const used Int)
(declare-const unused Int)
(assert (> used 3))
(check-sat)
(get-model)
