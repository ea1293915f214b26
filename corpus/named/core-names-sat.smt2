; solvers: z3 cvc5
; expect: sat unsat
; names do not matter when it is satisfiable
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-const x Int)
(assert (! (> x 0) :named a))
(assert (! (< x 2) :named b))
(check-sat)
(assert (! (distinct x 1) :named c))
(check-sat)
(get-unsat-core)
