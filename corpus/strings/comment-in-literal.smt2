; solvers: z3 cvc5
; expect: sat
; a semicolon and brackets in a string are text
(set-logic QF_S)
(declare-const s String)
(assert (= s "(; not a comment |)"))
(assert (str.contains s ";"))
(check-sat)
