; solvers: z3
; expect: unsat
; widening keeps the value
(set-logic QF_FP)
(declare-const h (_ FloatingPoint 3 5))
(declare-const w (_ FloatingPoint 5 11))
(assert (= w ((_ to_fp 5 11) RNE h)))
(assert (fp.lt h ((_ to_fp 3 5) RNE 1.5)))
(assert (fp.gt w ((_ to_fp 5 11) RNE 1.5)))
(check-sat)
