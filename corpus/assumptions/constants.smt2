; solvers: z3 cvc5
; expect: sat unsat sat
; true and false
(set-logic QF_UF)
(declare-const p Bool)
(assert p)
(check-sat-assuming (p))
(check-sat-assuming ((not p)))
(check-sat)
