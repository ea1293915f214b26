; solvers: z3 cvc5
; expect: unsat
; only two assertions are to blame
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (! (> x 10) :named big))
(assert (! (< y 0) :named negative))
(assert (! (< x 3) :named small))
(assert (! (> (+ x y) (- 100)) :named sum))
(check-sat)
(get-unsat-core)
