; solvers: z3 cvc5
; expect: sat unsat
; text that is a number
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.to_int s) 42))
(assert (= (str.len s) 2))
(check-sat)
(assert (not (= s "42")))
(check-sat)
