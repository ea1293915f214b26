; solvers: z3 cvc5
; expect: sat unsat
; the infinities and zeros by name
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(assert (fp.lt x (_ +oo 8 24)))
(assert (fp.gt x (_ -oo 8 24)))
(assert (fp.lt (_ -zero 8 24) x))
(check-sat)
(assert (fp.leq x (_ +zero 8 24)))
(check-sat)
