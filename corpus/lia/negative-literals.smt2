; solvers: z3 cvc5
; expect: sat
; minus as sign and as difference
(set-logic QF_LIA)
(declare-const x Int)
(assert (= (- x) (- 5 (- 3))))
(assert (= x (- 8)))
(check-sat)
