; solvers: z3 cvc5
; expect: sat sat
; up and down differ
(set-logic QF_FP)
(declare-const r RoundingMode)
(define-fun third () (_ FloatingPoint 8 24) (fp.div r ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 3.0)))
(assert (fp.gt third (fp.div RTN ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 3.0))))
(check-sat)
(assert (not (= r RTP)))
(check-sat)
