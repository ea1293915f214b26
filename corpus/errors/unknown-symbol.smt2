; solvers: z3
; expect: sat
; an undeclared name
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(assert (> y 0))
(check-sat)
