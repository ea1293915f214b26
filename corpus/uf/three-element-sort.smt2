; solvers: z3 cvc5
; expect: unsat
; many different elements of an uninterpreted sort
(set-logic QF_UF)
(declare-sort Node 0)
(declare-const a Node)
(declare-const b Node)
(declare-const c Node)
(declare-const d Node)
(assert (distinct a b c))
(assert (or (= d a) (= d b)))
(assert (not (= d a)))
(assert (not (= d b)))
(check-sat)
