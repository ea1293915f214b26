; solvers: z3 cvc5
; expect: unsat
; a string before itself
(set-logic QF_S)
(declare-const a String)
(assert (str.< a a))
(check-sat)
