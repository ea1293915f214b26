; solvers: z3 cvc5
; expect: sat unsat
; the singular form
(set-logic ALL)
(declare-datatype Light ((red) (amber) (green)))
(declare-fun next (Light) Light)
(assert (= (next red) green))
(assert (= (next green) amber))
(assert (distinct (next amber) green amber))
(check-sat)
(assert (not (= (next (next (next red))) red)))
(check-sat)
