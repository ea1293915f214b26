; solvers: z3 cvc5
; expect: unsat
; a binding over a bound variable
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((n Int)) (! (let ((m (+ n 1))) (= (f n) m)) :pattern ((f n)))))
(assert (not (= (f (f 0)) 2)))
(check-sat)
