; solvers: z3 cvc5
; expect: sat unsat
; NaN differs from itself by fp.eq
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(assert (not (fp.eq x x)))
(check-sat)
(assert (not (fp.isNaN x)))
(check-sat)
