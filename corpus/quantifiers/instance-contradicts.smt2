; solvers: z3 cvc5
; expect: unsat
; an axiom and a ground fact
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))
(assert (= (f 7) 7))
(check-sat)
