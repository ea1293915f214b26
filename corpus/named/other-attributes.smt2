; solvers: z3 cvc5
; expect: unsat
; weights and unknown attributes on a quantifier
(set-logic UFLIA)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (>= (f x) 0) :pattern ((f x)) :weight 3 :qid |f-positive|)))
(assert (< (f 3) 0))
(check-sat)
