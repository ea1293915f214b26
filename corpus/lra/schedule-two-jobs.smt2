; solvers: z3 cvc5
; expect: sat unsat
; a disjunctive schedule
(set-logic QF_LRA)
(declare-const s1 Real)
(declare-const s2 Real)
(declare-const end Real)
(assert (and (>= s1 0.0) (>= s2 0.0)))
(assert (or (<= (+ s1 2.5) s2) (<= (+ s2 1.25) s1)))
(assert (>= end (+ s1 2.5)))
(assert (>= end (+ s2 1.25)))
(check-sat)
(assert (< end 3.75))
(check-sat)
