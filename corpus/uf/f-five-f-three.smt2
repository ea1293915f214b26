; solvers: z3 cvc5
; expect: sat unsat
; f^5 a = a and f^3 a = a give f a = a
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(assert (= (f (f (f a))) a))
(assert (= (f (f (f (f (f a))))) a))
(check-sat)
(assert (not (= (f a) a)))
(check-sat)
