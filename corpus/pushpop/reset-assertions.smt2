; solvers: z3 cvc5
; expect: unsat sat
; everything goes, options stay
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 1))
(push 1)
(assert (= x 2))
(check-sat)
(reset-assertions)
(declare-const y Int)
(assert (= y 2))
(check-sat)
