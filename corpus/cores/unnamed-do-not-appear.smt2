; solvers: z3 cvc5
; expect: unsat
; an unnamed assertion takes part unseen
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 10))
(assert (! (< x 5) :named low))
(assert (! (< x 500) :named wide))
(check-sat)
(get-unsat-core)
