; solvers: z3 cvc5
; expect: unsat
; a cycle of strict comparisons
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (< a b))
(assert (< b c))
(assert (< c a))
(check-sat)
