; solvers: z3 cvc5
; expect: sat unsat
; a name of an integer term
(set-logic QF_LIA)
(declare-const x Int)
(assert (> (! (* 2 x) :named twice) 7))
(assert (< twice 9))
(check-sat)
(assert (not (= x 4)))
(check-sat)
