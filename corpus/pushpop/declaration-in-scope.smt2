; solvers: z3 cvc5
; expect: unsat sat
; a name used for two sorts in turn
(set-logic QF_LIRA)
(push 1)
(declare-const v Int)
(assert (and (> v 0) (< v 1)))
(check-sat)
(pop 1)
(push 1)
(declare-const v Real)
(assert (and (> v 0.0) (< v 1.0)))
(check-sat)
(pop 1)
