; solvers: z3 cvc5
; expect: sat unsat
; a name used as a formula
(set-logic QF_LIA)
(declare-const x Int)
(assert (! (or (< x 0) (> x 10)) :named outside))
(assert (=> outside (= x 11)))
(check-sat)
(assert (not (= x 11)))
(check-sat)
