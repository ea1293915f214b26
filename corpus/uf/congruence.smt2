; solvers: z3 cvc5
; expect: unsat
; equal arguments, equal values
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(declare-const b U)
(assert (= a b))
(assert (not (= (f (f a)) (f (f b)))))
(check-sat)
