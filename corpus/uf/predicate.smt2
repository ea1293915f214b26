; solvers: z3 cvc5
; expect: sat unsat
; a relation that is not symmetric
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun before (U U) Bool)
(declare-const a U)
(declare-const b U)
(assert (before a b))
(assert (not (before b a)))
(check-sat)
(assert (= a b))
(check-sat)
