; solvers: z3 cvc5
; expect: sat sat unsat sat
; switches over two conflicting constraints
(set-logic QF_LIA)
(declare-const x Int)
(declare-const on1 Bool)
(declare-const on2 Bool)
(assert (=> on1 (> x 5)))
(assert (=> on2 (< x 5)))
(check-sat-assuming (on1))
(check-sat-assuming (on2))
(check-sat-assuming (on1 on2))
(check-sat-assuming ((not on1) (not on2)))
