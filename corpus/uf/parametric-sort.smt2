; solvers: z3 cvc5
; expect: unsat
; a sort with a parameter
(set-logic QF_UF)
(declare-sort Box 1)
(declare-sort U 0)
(declare-fun open ((Box U)) U)
(declare-const p (Box U))
(declare-const q (Box U))
(assert (not (= (open p) (open q))))
(assert (= p q))
(check-sat)
