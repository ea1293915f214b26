; solvers: z3
; expect: sat
; an option of another solver
(set-option :no-such-option true)
(set-logic QF_LIA)
(check-sat)
