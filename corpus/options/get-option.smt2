; solvers: z3 cvc5
; expect: sat
; options read back
(set-option :produce-models true)
(set-option :print-success false)
(set-logic QF_LIA)
(get-option :produce-models)
(check-sat)
