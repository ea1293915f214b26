; solvers: z3 cvc5
; expect: unsat sat sat
; an assumption is gone afterwards
(set-logic QF_UF)
(declare-const p Bool)
(declare-const q Bool)
(assert (or p q))
(check-sat-assuming ((not p) (not q)))
(check-sat)
(assert (not p))
(check-sat-assuming (q))
