; solvers: z3
; expect: sat
; more scopes closed than opened
(set-logic QF_LIA)
(declare-const x Int)
(push 1)
(assert (> x 0))
(pop 2)
(check-sat)
