; solvers: z3
; expect: sat unsat
; a root of x^2 = 2 between two rationals
(set-logic QF_NRA)
(declare-const x Real)
(assert (= (* x x) 2.0))
(assert (> x 1.0))
(check-sat)
(assert (> x 1.5))
(check-sat)
