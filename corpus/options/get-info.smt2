; solvers: z3 cvc5
; expect: sat
; the solver introduces itself
(set-logic QF_LIA)
(get-info :name)
(get-info :version)
(check-sat)
