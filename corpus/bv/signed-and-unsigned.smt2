; solvers: z3 cvc5
; expect: sat unsat
; one bit pattern, two orders
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(assert (bvslt x #x0000))
(assert (bvugt x #x7fff))
(check-sat)
(assert (bvult x #x8000))
(check-sat)
