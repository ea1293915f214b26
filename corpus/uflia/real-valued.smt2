; solvers: z3 cvc5
; expect: unsat
; a function into the reals
(set-logic QF_UFLRA)
(declare-fun cost (Real) Real)
(declare-const x Real)
(assert (> (cost x) 1.5))
(assert (< (cost (* 2.0 (/ x 2.0))) 1.5))
(check-sat)
