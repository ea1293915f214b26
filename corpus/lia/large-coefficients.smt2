; solvers: z3 cvc5
; expect: sat
; numbers beyond 64 bits
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 36893488147419103232 x) (* 36893488147419103231 y)) 1))
(assert (> x 100000000000000000000))
(check-sat)
