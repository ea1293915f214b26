; solvers: z3 cvc5
; expect: sat sat
; success after each command
(set-option :print-success true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-fun x () Int)
(push 1)
(assert (> x 1))
(check-sat)
(pop 1)
(set-option :print-success false)
(check-sat)
