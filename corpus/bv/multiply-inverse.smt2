; solvers: z3 cvc5
; expect: sat unsat
; an odd number has an inverse
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (= (bvmul x #x0b) #x01))
(check-sat)
(assert (not (= x #xa3)))
(check-sat)
