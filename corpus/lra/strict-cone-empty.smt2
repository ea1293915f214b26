; solvers: z3 cvc5
; expect: unsat
; a positive combination of the sides is 0 < 0
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (< (+ x (* 2.0 y)) 1.0))
(assert (< (- (* 3.0 x)) (- 6.0)))
(assert (>= y 0.0))
(check-sat)
