; solvers: z3 cvc5
; expect: unsat
; vectors of width one
(set-logic QF_BV)
(declare-const p (_ BitVec 1))
(declare-const q (_ BitVec 1))
(assert (= (bvxor p q) #b1))
(assert (= (bvcomp p q) #b1))
(check-sat)
