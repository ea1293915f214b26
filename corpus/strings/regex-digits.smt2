; solvers: z3 cvc5
; expect: sat unsat
; a number of two or three digits
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s ((_ re.loop 2 3) (re.range "0" "9"))))
(assert (not (str.prefixof "0" s)))
(check-sat)
(assert (> (str.len s) 3))
(check-sat)
