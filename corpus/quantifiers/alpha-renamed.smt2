; solvers: z3 cvc5
; expect: unsat
; the same axiom under other bound names
(set-logic UF)
(declare-sort S 0)
(declare-fun le (S S) Bool)
(declare-const bottom S)
(declare-const top S)
(assert (forall ((p S) (q S) (r S)) (=> (and (le p q) (le q r)) (le p r))))
(assert (forall ((q S)) (le bottom q)))
(assert (forall ((y S)) (le y top)))
(assert (not (le bottom top)))
(check-sat)
