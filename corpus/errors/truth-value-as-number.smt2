; solvers: z3
; expect: unsat
; z3 reads a truth value as 0 or 1 where a number is wanted, and says nothing
(set-logic QF_LIA)
(declare-const p Bool)
(assert (> p 3))
(check-sat)
