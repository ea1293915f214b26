; solvers: z3
; expect: sat
; the same name again
(set-logic QF_LIA)
(declare-const x Int)
(declare-const x Int)
(assert (= x 1))
(check-sat)
