; solvers: z3 cvc5
; expect: sat
; division with an unknown divisor
(set-logic QF_NIA)
(declare-const n Int)
(declare-const d Int)
(assert (and (= n 17) (<= 2 d 6)))
(assert (= (mod n d) 2))
(check-sat)
