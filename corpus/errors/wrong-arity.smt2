; solvers: z3
; expect: sat
; too many arguments
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(assert (= (f 1 2) 3))
(check-sat)
