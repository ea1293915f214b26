; solvers: z3 cvc5
; expect: sat unsat
; argument order counts
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun op (U U) U)
(declare-const a U)
(declare-const b U)
(assert (not (= (op a b) (op b a))))
(check-sat)
(assert (= a (op a a)))
(assert (= b a))
(check-sat)
