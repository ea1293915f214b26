; solvers: z3
; expect: sat
; a quote that never closes
(set-logic QF_SLIA)
(check-sat)
(echo "never ends)
(check-sat)
