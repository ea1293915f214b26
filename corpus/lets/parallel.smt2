; solvers: z3 cvc5
; expect: sat
; bindings do not see each other
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (= x 1) (= y 2)))
(assert (let ((x y) (y x)) (and (= x 2) (= y 1))))
(check-sat)
