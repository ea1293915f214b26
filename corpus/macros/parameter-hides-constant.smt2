; solvers: z3 cvc5
; expect: sat unsat
; a parameter with the name of a constant
(set-logic QF_LIA)
(declare-const x Int)
(define-fun inc ((x Int)) Int (+ x 1))
(assert (= x 5))
(assert (= (inc (inc 0)) 2))
(check-sat)
(assert (= (inc 0) x))
(check-sat)
