; solvers: z3 cvc5
; expect: sat
; clauses over linear atoms
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const p Bool)
(assert (or p (> x 10)))
(assert (or (not p) (< y 0)))
(assert (=> (< y 0) (= x (* 3 y))))
(assert (xor p (= x 12)))
(assert (> (+ x y) 0))
(check-sat)
