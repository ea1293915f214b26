; solvers: z3 cvc5
; expect: sat
; equal by fp.eq, different by =
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(declare-const y (_ FloatingPoint 8 24))
(assert (fp.isZero x))
(assert (fp.isZero y))
(assert (fp.eq x y))
(assert (not (= x y)))
(check-sat)
