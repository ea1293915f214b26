; solvers: z3 cvc5
; expect: sat sat unsat
; a bound found by repeated questions
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 0 x 10) (<= 0 y 10) (<= (+ (* 2 x) (* 3 y)) 23)))
(push 1)
(assert (>= (+ x y) 11))
(check-sat)
(pop 1)
(push 1)
(assert (>= (+ x y) 10))
(check-sat)
(pop 1)
(push 1)
(assert (>= (+ x y) 12))
(check-sat)
(pop 1)
