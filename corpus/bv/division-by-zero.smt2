; solvers: z3 cvc5
; expect: unsat unsat
; the standard fixes its value
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(push 1)
(assert (not (= (bvudiv x #x00) #xff)))
(check-sat)
(pop 1)
(assert (not (= (bvurem x #x00) x)))
(check-sat)
