; solvers: z3 cvc5
; expect: sat unsat
; what came before stays true
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(assert (< x 0))
(check-sat)
(assert (> z 0))
