; solvers: z3
; expect: sat
; the last bracket is missing
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 1))
(check-sat)
(assert (= x 2)
