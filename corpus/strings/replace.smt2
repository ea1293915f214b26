; solvers: z3 cvc5
; expect: sat unsat
; replacing what is not there
(set-logic QF_SLIA)
(declare-const s String)
(assert (= s "aXb"))
(assert (= (str.replace s "X" "-") "a-b"))
(check-sat)
(assert (not (= (str.replace s "Y" "-") s)))
(check-sat)
