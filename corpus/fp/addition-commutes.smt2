; solvers: z3
; expect: unsat
; but it commutes
(set-logic QF_FP)
(define-sort F () (_ FloatingPoint 3 4))
(declare-const a F)
(declare-const b F)
(assert (not (= (fp.add RNE a b) (fp.add RNE b a))))
(check-sat)
