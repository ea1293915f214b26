; solvers: z3 cvc5
; expect: unsat
; functions over Bool have few values
(set-logic QF_UF)
(declare-fun g (Bool) Bool)
(declare-const p Bool)
(assert (not (= (g (g (g p))) (g p))))
(check-sat)
