; solvers: z3 cvc5
; expect: unsat
; f (f x) with linear arguments
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f x) (- x 1)))
(assert (= (f (- x 1)) (- x 2)))
(assert (not (= (f (f x)) (- x 2))))
(check-sat)
