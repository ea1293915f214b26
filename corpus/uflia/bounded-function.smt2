; solvers: z3 cvc5
; expect: sat unsat
; a function between its neighbours
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f (+ x 1)) (+ (f x) 2)))
(assert (= (f 0) 1))
(assert (= x 0))
(check-sat)
(assert (not (= (f 1) 3)))
(check-sat)
