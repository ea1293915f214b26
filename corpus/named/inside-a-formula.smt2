; solvers: z3 cvc5
; expect: sat unsat
; a name for a part
(set-logic QF_LIA)
(declare-const x Int)
(assert (or (! (= x 1) :named one) (= x 2)))
(assert (not one))
(check-sat)
(assert (not (= x 2)))
(check-sat)
