; solvers: z3 cvc5
; expect: sat
; two proper factors of 91
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(assert (= (* p q) 91))
(assert (< 1 p q))
(check-sat)
