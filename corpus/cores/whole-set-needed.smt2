; solvers: z3 cvc5
; expect: unsat
; drop any one and it is satisfiable
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (! (< a b) :named e1))
(assert (! (< b c) :named e2))
(assert (! (< c a) :named e3))
(check-sat)
(get-unsat-core)
