; solvers: z3
; expect: sat
; a command that no standard has
(set-logic QF_LIA)
(frobnicate 3)
(check-sat)
