; solvers: z3
; expect: sat
; one bracket too many
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x 1)))
(check-sat)
