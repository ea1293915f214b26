; solvers: z3
; expect: sat
; rounding shows
(set-logic QF_FP)
(define-sort F () (_ FloatingPoint 3 4))
(declare-const a F)
(declare-const b F)
(declare-const c F)
(assert (not (or (fp.isNaN a) (fp.isNaN b) (fp.isNaN c) (fp.isInfinite a) (fp.isInfinite b) (fp.isInfinite c))))
(assert (not (fp.eq (fp.add RNE a (fp.add RNE b c)) (fp.add RNE (fp.add RNE a b) c))))
(check-sat)
