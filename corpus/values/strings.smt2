; solvers: z3 cvc5
; expect: sat
; text values with quotes in them
(set-option :produce-models true)
(set-logic QF_SLIA)
(declare-const s String)
(assert (= s "a""b"))
(check-sat)
(get-value (s (str.len s)))
