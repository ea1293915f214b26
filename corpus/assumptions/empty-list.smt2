; solvers: z3
; expect: sat sat
; no assumption is plain check-sat
(set-logic QF_LIA)
(declare-const x Int)
(assert (= (* 2 x) 6))
(check-sat-assuming ())
(check-sat)
