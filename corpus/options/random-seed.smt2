; solvers: z3
; expect: sat
; seeds do not change the answer
(set-option :random-seed 42)
(set-logic QF_LIA)
(declare-const x Int)
(assert (and (> x 0) (< (* 5 x) 12)))
(check-sat)
