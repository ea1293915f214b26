; solvers: z3 cvc5
; expect: sat
; doubled quotes and Unicode escapes in literals
(set-logic QF_SLIA)
(declare-const s String)
(assert (= s "say ""hi"" \u{3b}"))
(assert (= (str.len s) 10))
(check-sat)
