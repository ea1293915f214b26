; solvers: z3 cvc5
; expect: sat unsat
; a word that starts and ends as told
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.prefixof "ab" s))
(assert (str.suffixof "ba" s))
(assert (= (str.len s) 3))
(check-sat)
(assert (str.contains s "bb"))
(check-sat)
