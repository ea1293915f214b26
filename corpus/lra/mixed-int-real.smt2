; solvers: z3 cvc5
; expect: sat unsat
; rounding down, and an integer between reals
(set-logic QF_LIRA)
(declare-const x Real)
(declare-const n Int)
(assert (= n (to_int x)))
(assert (> x 2.5))
(assert (< x 2.75))
(check-sat)
(assert (not (= n 2)))
(check-sat)
