; solvers: z3
; expect: sat
; a sort nobody declared
(set-logic QF_UF)
(declare-const a Widget)
(declare-const p Bool)
(assert p)
(check-sat)
