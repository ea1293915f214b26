; solvers: z3 cvc5
; expect: sat unsat
; the three fields
(set-logic QF_BVFP)
(declare-const m (_ BitVec 23))
(define-fun x () (_ FloatingPoint 8 24) (fp #b0 #b11111111 m))
(assert (fp.isInfinite x))
(check-sat)
(assert (not (= m #b00000000000000000000000)))
(check-sat)
