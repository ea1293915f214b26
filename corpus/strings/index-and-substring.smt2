; solvers: z3 cvc5
; expect: sat unsat
; finding a separator
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.indexof s "=" 0) 2))
(assert (= (str.substr s 0 2) "k1"))
(assert (= (str.len s) 5))
(check-sat)
(assert (= (str.at s 1) "="))
(check-sat)
